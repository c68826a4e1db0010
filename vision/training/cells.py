"""``python -m vision.training.cells``: trains the net that finds the cells of trays."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Annotated

import cv2
import torch
import typer
from rich.console import Console
from rich.progress import track

from vision.faces import described_in
from vision.training.cell_figures import figures_on
from vision.training.cell_fit import CellPlan, fit_cells
from vision.training.cell_net import export
from vision.training.cell_photos import BLOCK, StoredPhotos, store_photos
from vision.training.fonts import FONT_FOLDER, training_typefaces
from vision.training.pack import pack

app = typer.Typer(help="Trains the net that finds cells on rendered photos.", no_args_is_help=True)
console = Console(stderr=True)

_FIRST_SEED = 60_000_000
_MEASURED = 61_000_000  # seed of the first photo that no training run draws


@app.command()
def draw(
    folder: Annotated[Path, typer.Argument(help="Where the photos go: a megabyte each.")],
    *,
    photos: Annotated[int, typer.Option(help="How many to draw.")] = 11_200,
    seed: Annotated[int, typer.Option(help="Of the first photo.")] = _FIRST_SEED,
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Draw the photos to train on; those that lie there already are kept."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    typefaces = training_typefaces(fonts)
    for block in track(range(math.ceil(photos / BLOCK)), "Drawing", console=console):
        store_photos(folder, block, seed, typefaces)


@app.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Of the photos that `draw` has drawn.")],
    *,
    out: Annotated[Path, typer.Option(help="Folder of the weights.")] = Path("training-out"),
    seed: Annotated[int, typer.Option(help="Of weights and batches.")] = CellPlan.seed,
    steps: Annotated[int, typer.Option(help="Batches to learn from.")] = CellPlan.steps,
    minutes: Annotated[float, typer.Option(help="Stop after so long.")] = math.inf,
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Train, export, pack and measure."""
    began = time.monotonic()
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    plan = CellPlan(folder, seed, steps, minutes)
    made: list[int] = []

    def report(step: int, loss: float) -> None:
        made.append(step)
        console.print(f"{step} steps, {time.monotonic() - began:.0f} s: loss {loss:.3f}")

    weights = out / "cells.onnx"
    export(fit_cells(plan, report), weights)
    packed = pack(weights)
    made_by = {
        "command": " ".join(["python -m vision.training.cells", *sys.argv[1:]]),
        "photos": len(StoredPhotos(folder)),
        "first seed": _FIRST_SEED,
        "steps": made[-1] if made else steps,
        "seconds": round(time.monotonic() - began),
        "torch": torch.__version__,
    }
    _describe(packed, made_by, fonts)


@app.command()
def measure(
    weights: Annotated[Path, typer.Argument(help="The file, its description beside it.")],
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Measure weights again on fresh photos: after a change of the renderer."""
    description = json.loads(described_in(weights).read_text(encoding="utf-8"))
    _describe(weights, description["made by"], fonts)


def _describe(weights: Path, made_by: dict[str, object], fonts: Path) -> None:
    """Write the description of weights beside them, with what they find in fresh photos."""
    figures = figures_on(weights, _MEASURED, training_typefaces(fonts))
    content = {"made by": made_by, "figures on renders": figures}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    described_in(weights).write_text(text + "\n", encoding="utf-8")
    console.print(f"{weights} ({weights.stat().st_size / 1e3:.0f} kB): {figures}")


if __name__ == "__main__":
    app()
