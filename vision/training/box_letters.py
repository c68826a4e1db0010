"""``python -m vision.training.box_letters``: trains the reader of letter boxes on renders.

It needs torch and, for the shipped weights, a folder of fonts that look written.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from rich.progress import track
from torch import nn

from vision.paper.letters import GLYPH_PX, LABELS, BoxLetters, normalised
from vision.training.boxes import draw_boxes, families
from vision.training.capitals import describe, fit
from vision.training.net import convolution, export_to
from vision.training.squares import Squares, joined
from vision.training.start import go_on_from

_WIDTHS = (16, 32, 64)
_BLOCK = 2000
_MEASURED = 8000
_TO_START = 1000  # boxes that the normalisations of a net with a start are set on
_MEASURING_SEED = 888_000  # of boxes that no training run draws

app = typer.Typer(help="Trains the reader of letter boxes on renders.")
console = Console(stderr=True)


def box_letter_net() -> nn.Sequential:
    """A fresh net from (n, 1, GLYPH_PX, GLYPH_PX) to (n, labels), 200,000 parameters."""
    first, second, third = _WIDTHS
    return nn.Sequential(
        *convolution(1, first, side=5),
        nn.MaxPool2d(2),
        *convolution(first, second),
        *convolution(second, second),
        nn.MaxPool2d(2),
        *convolution(second, third),
        *convolution(third, third),
        nn.MaxPool2d(2),
        *convolution(third, third),
        nn.Flatten(),
        nn.Dropout(0.25),
        nn.Linear(third * (GLYPH_PX // 8) ** 2, 96),
        nn.ReLU(),
        nn.Linear(96, len(LABELS)),
    )


@app.command()
def train(
    *,
    fonts: Annotated[Path, typer.Option(help="Folder of fonts that look written, .woff.")],
    out: Annotated[Path, typer.Option(help="Folder of the weights.")] = Path("training-out"),
    seed: Annotated[int, typer.Option(help="Of boxes, weights and batches.")] = 1,
    boxes: Annotated[int, typer.Option(help="Boxes to draw.")] = 160_000,
    passes: Annotated[float, typer.Option(help="How often a box is seen.")] = 6.0,
    start: Annotated[Path | None, typer.Option(help="Weights to go on from.")] = None,
    peak: Annotated[float, typer.Option(help="The highest rate of learning.")] = 4e-3,
) -> None:
    """Draw, train, export, calibrate and measure."""
    began = time.monotonic()
    torch.set_num_threads(1)
    drawn = _drawn(seed, boxes, fonts)
    console.print(f"{len(drawn)} boxes drawn in {time.monotonic() - began:.0f} s")
    torch.manual_seed(seed)
    net = box_letter_net()
    if start is not None:
        go_on_from(net, start, normalised(drawn.inks[:_TO_START]))
    trained = fit(net, normalised, drawn, seed, passes, report=console.print, peak=peak)
    out.mkdir(parents=True, exist_ok=True)
    weights = out / "box_letters.onnx"
    export_to(trained, weights, (1, GLYPH_PX, GLYPH_PX))
    calibrate(weights, {**_made_by(fonts, start), "seconds": round(time.monotonic() - began)})


def _made_by(fonts: Path, start: Path | None) -> dict[str, object]:
    """What made the weights."""
    made_by: dict[str, object] = {
        "command": " ".join(["python -m vision.training.box_letters", *sys.argv[1:]]),
        "fonts": [family[0].stem.split("-latin")[0] for family in families(fonts)],
        "torch": torch.__version__,
    }
    if start is not None:
        made_by["started from"] = hashlib.sha256(start.read_bytes()).hexdigest()
    return made_by


def _drawn(seed: int, count: int, fonts: Path) -> Squares:
    found = families(fonts)
    blocks = range(-(-count // _BLOCK))
    tracked = track(blocks, "Drawing", console=console)
    return joined([draw_boxes((seed, block), _BLOCK, found) for block in tracked])


@app.command("calibrate")
def recalibrate(
    weights: Annotated[Path, typer.Argument(help="The ONNX file, its description beside it.")],
) -> None:
    """Set the temperature again and measure on fresh renders: after a change of the renderer."""
    description = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    calibrate(weights, description["made by"])


def calibrate(weights: Path, made_by: dict[str, object], count: int = _MEASURED) -> None:
    """Write the description beside exported weights.

    The boxes for it are written by strokes alone, so that it can be done without any font.
    """
    half, rest = (draw_boxes((_MEASURING_SEED, number), count) for number in (0, 1))
    describe(weights, made_by, lambda: BoxLetters(weights).classify, half, rest)


if __name__ == "__main__":
    app()
