"""``python -m vision.training.capitals``: trains the reader of capitals on rendered handwriting.

It needs torch, but no fonts besides those that the product ships.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from torch import Tensor, nn

from vision.rectify import CROP_PX
from vision.swoggle.capitals import LABELS, CapitalClassifier, normalised
from vision.training.calibration import temperature_of
from vision.training.capitals_figures import figures_of
from vision.training.net import convolution, export_to
from vision.training.squares import Squares, draw_squares, joined

_WIDTHS = (16, 24, 40)
_NARROW = 24
_BATCH = 128
_PEAK_RATE = 4e-3
_WARM_UP = 200  # steps
_SMOOTHING = 0.01
_AVERAGED = 0.998  # of the running average of the weights that is kept a step
_BLOCK = 5000
_MEASURED = 12_000
_MEASURING_SEED = 777_000  # of squares that no training run draws

app = typer.Typer(help="Trains the reader of capitals on rendered handwriting.")
console = Console(stderr=True)


def capital_net() -> nn.Sequential:
    """A fresh net from (n, 1, CROP_PX, CROP_PX) to (n, labels), 66,000 parameters."""
    first, second, third = _WIDTHS
    return nn.Sequential(
        *convolution(1, first, side=5, stride=2),
        *convolution(first, second),
        nn.MaxPool2d(2),
        *convolution(second, third),
        *convolution(third, third),
        nn.MaxPool2d(2),
        *convolution(third, third),
        *convolution(third, _NARROW, side=1),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(_NARROW * (CROP_PX // 8) ** 2, len(LABELS)),
    )


@app.command()
def train(
    *,
    out: Annotated[Path, typer.Option(help="Folder of the weights.")] = Path("training-out"),
    seed: Annotated[int, typer.Option(help="Of squares, weights and batches.")] = 1,
    squares: Annotated[int, typer.Option(help="Rendered squares to draw.")] = 180_000,
    passes: Annotated[float, typer.Option(help="How often a square is seen.")] = 4.0,
    workers: Annotated[int, typer.Option(help="Processes that draw squares.")] = 1,
) -> None:
    """Draw, train, export, calibrate and measure."""
    start = time.monotonic()
    drawn = _drawn(seed, squares, workers)
    console.print(f"{len(drawn)} squares drawn in {time.monotonic() - start:.0f} s")
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net = fit(capital_net(), normalised, drawn, seed, passes, report=console.print)
    out.mkdir(parents=True, exist_ok=True)
    weights = out / "capitals.onnx"
    export_to(net, weights, (1, CROP_PX, CROP_PX))
    made_by = {
        "command": " ".join(["python -m vision.training.capitals", *sys.argv[1:]]),
        "seconds": round(time.monotonic() - start),
        "torch": torch.__version__,
    }
    calibrate(weights, made_by)


def _drawn(seed: int, count: int, workers: int) -> Squares:
    """Squares from seeds of their own, the same whatever the number of workers."""
    seeds = [(seed, block) for block in range(-(-count // _BLOCK))]
    # a fresh interpreter a worker: a fork of a process that runs torch's threads may hang
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        blocks = pool.imap(partial(draw_squares, count=_BLOCK), seeds)
        return joined(list(track(blocks, "Drawing", len(seeds), console=console)))


@app.command("calibrate")
def recalibrate(
    weights: Annotated[Path, typer.Argument(help="The ONNX file, its description beside it.")],
) -> None:
    """Set the temperature again and measure on fresh renders: after a change of the renderer."""
    description = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    calibrate(weights, description["made by"])


def calibrate(weights: Path, made_by: dict[str, object], count: int = _MEASURED) -> None:
    """Write the description beside exported weights: temperature and figures on fresh renders."""
    half, rest = (draw_squares((_MEASURING_SEED, number), count) for number in (0, 1))
    describe(weights, made_by, lambda: CapitalClassifier(weights).classify, half, rest)


def describe(
    weights: Path,
    made_by: dict[str, object],
    reader: Callable[[], Callable[[NDArray[np.uint8]], NDArray[np.float64]]],
    half: Squares,
    rest: Squares,
) -> None:
    """Write the description beside exported weights.

    Args:
        weights: the ONNX file.
        made_by: what made them.
        reader: loads the weights with their description as it is then.
        half: squares to set the temperature by.
        rest: squares to measure on.
    """
    path = weights.with_suffix(".json")
    content: dict[str, object] = {"temperature": 1.0, "made by": made_by}
    path.write_text(json.dumps(content), encoding="utf-8")
    content["temperature"] = temperature_of(reader()(half.inks), half.labels)
    path.write_text(json.dumps(content), encoding="utf-8")
    figures = asdict(figures_of(reader()(rest.inks), rest.labels))
    content["figures on renders"] = figures
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    console.print(f"wrote {weights} ({weights.stat().st_size / 1e3:.0f} kB): {figures}")


def fit(
    net: nn.Module,
    normalise: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    squares: Squares,
    seed: int,
    passes: float,
    *,
    report: Callable[[str], None],
    peak: float = _PEAK_RATE,
) -> nn.Module:
    """Train a net on squares: a short rise of the learning rate, then half a cosine down.

    Args:
        net: a fresh one.
        normalise: makes of (n, side, side) inks what it takes.
        squares: with their truth.
        seed: of the batches.
        passes: how often a square is seen.
        report: told now and then how it goes.
        peak: the highest rate of learning.
    """
    rng = np.random.default_rng(seed)
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(_AVERAGED), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=2e-3)
    steps = round(passes * len(squares) / _BATCH)
    start, shown = time.monotonic(), 0.0
    for step, chosen in enumerate(_batches(rng, len(squares), steps)):
        rise = min(1.0, (step + 1) / _WARM_UP)
        for group in optimiser.param_groups:
            group["lr"] = peak * rise * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-6
        inks = torch.from_numpy(normalise(squares.inks[chosen]))
        loss = _step(net, optimiser, inks, torch.from_numpy(squares.labels[chosen]))
        average.update_parameters(net)
        shown = 0.98 * shown + 0.02 * loss if step else loss
        if step % 200 == 0:
            report(f"{step}/{steps} steps {time.monotonic() - start:.0f} s  loss {shown:.3f}")
    return average.module


def _batches(rng: np.random.Generator, count: int, steps: int) -> Iterable[NDArray[np.int64]]:
    return (rng.integers(count, size=_BATCH) for _ in range(steps))


def _step(net: nn.Module, optimiser: torch.optim.Optimizer, inks: Tensor, labels: Tensor) -> float:
    net.train()
    with torch.autocast("cpu", torch.bfloat16):
        outputs = net(inks.contiguous(memory_format=torch.channels_last))
    loss = nn.functional.cross_entropy(outputs.float(), labels, label_smoothing=_SMOOTHING)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    optimiser.step()
    return float(loss.detach())


if __name__ == "__main__":
    app()
