"""``python -m vision.training``: trains the face classifier, or measures it on real photos."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console

from vision.faces import FaceClassifier
from vision.training.evaluate import tray_photos, verdicts
from vision.training.fit import Plan, Progress, fit
from vision.training.fonts import FONT_FOLDER, held_out_typefaces, training_typefaces
from vision.training.net import export
from vision.training.pack import pack
from vision.training.publish import calibrate, describe, reliability_of
from vision.training.reliability import diagram
from vision.training.single_faces import (
    GroupFigures,
    face_verdicts,
    figures_by_group,
    single_faces,
)

app = typer.Typer(help="Trains the face classifier on rendered trays.", no_args_is_help=True)
console = Console(stderr=True)

_MOST_WRONG = 12  # kinds of mistakes that are listed of a set


@app.command()
def train(
    *,
    out: Annotated[Path, typer.Option(help="Folder of the weights.")] = Path("training-out"),
    seed: Annotated[int, typer.Option(help="Of samples, weights and batches.")] = 1,
    samples: Annotated[int, typer.Option(help="Rendered crops to draw.")] = 560_000,
    minutes: Annotated[float, typer.Option(help="Stop after so long.")] = math.inf,
    passes: Annotated[float, typer.Option(help="How often a crop is seen.")] = 2.0,
    workers: Annotated[int, typer.Option(help="Processes that draw crops.")] = 1,
    start: Annotated[Path | None, typer.Option(help="Weights to go on from.")] = None,
    peak: Annotated[float, typer.Option(help="The highest learning rate.")] = Plan.peak,
    doubtful: Annotated[
        bool, typer.Option("--doubtful", help="The net that looks at doubtful cells.")
    ] = False,
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Train, export and calibrate; a run that was cut short goes on where it was."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    checkpoint = out / "checkpoint.pt"
    plan = Plan(seed, samples, minutes, passes, workers, checkpoint, start, peak, doubtful)
    drawn: list[Progress] = []

    def report(progress: Progress) -> None:
        drawn.append(progress)
        console.print(
            f"{progress.samples:8d} crops {progress.seconds:6.0f} s  "
            f"accuracy {progress.accuracy:.4f}  loss {progress.loss:.3f}"
        )

    net = fit(plan, training_typefaces(fonts), report)
    weights = out / ("doubtful_faces.onnx" if doubtful else "faces.onnx")
    export(net, weights)
    weights = pack(weights)
    describe(weights, _made_by(seed, drawn, start))
    checkpoint.unlink(missing_ok=True)
    recalibrate(weights, fonts=fonts)


def _made_by(seed: int, drawn: Sequence[Progress], start: Path | None) -> dict[str, str | int]:
    """What is kept beside the weights of how they were made."""
    digest = {"start": f"sha256 {sha256(start.read_bytes()).hexdigest()}"} if start else {}
    return digest | {
        "command": " ".join(["python -m vision.training", *sys.argv[1:]]),
        "seed": seed,
        "samples": drawn[-1].samples if drawn else 0,
        "seconds": round(drawn[-1].seconds) if drawn else 0,
        "torch": torch.__version__,
    }


@app.command("calibrate")
def recalibrate(
    weights: Annotated[Path, typer.Argument(help="The ONNX file, its description beside it.")],
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Set the temperature again and measure on fresh renders: after a change of the renderer."""
    calibrate(weights, seen=training_typefaces(fonts), unseen=held_out_typefaces(fonts))
    console.print(f"wrote {weights} ({weights.stat().st_size / 1e6:.2f} MB) and its description")


@app.command("reliability")
def draw_reliability(
    out: Annotated[Path, typer.Argument(help="The SVG to write.")],
    weights: Annotated[Path | None, typer.Option(help="Other weights than the shipped.")] = None,
    count: Annotated[int, typer.Option(help="Renders of either kind.")] = 20_000,
    fonts: Annotated[Path, typer.Option(help="Folder of the fonts.")] = FONT_FOLDER,
) -> None:
    """Draw how many of the faces read with a probability are right."""
    kinds = {
        "typefaces of training": training_typefaces(fonts),
        "typefaces left out": held_out_typefaces(fonts),
    }
    series = {name: reliability_of(weights, kind, count) for name, kind in kinds.items()}
    out.write_text(diagram(series), encoding="utf-8")
    for name, bins in series.items():
        for one in bins:
            console.print(
                f"{name}: {one.probability:.3f} given, {one.accuracy:.3f} right of {one.count}"
            )


@app.command()
def evaluate(
    folder: Annotated[
        Path, typer.Argument(help="Photos with their trays.json, or faces with their faces.tsv.")
    ],
    weights: Annotated[Path | None, typer.Option(help="Other weights than the shipped.")] = None,
) -> None:
    """Read the faces of real photos, given their corners, and list what was read wrong."""
    classifier = FaceClassifier(weights)
    if (folder / "faces.tsv").exists():
        _report_faces(figures_by_group(face_verdicts(classifier, single_faces(folder))))
    else:
        _report_trays(classifier, folder)


def _report_faces(groups: Sequence[GroupFigures]) -> None:
    for group in groups:
        console.print(
            f"{group.group}: {group.pictures} pictures, {group.right:.2%} right at all turns, "
            f"{group.sure:.2%} sure (above 0.9), {group.surely_wrong:.2%} sure and wrong"
        )
        for face, read, count in group.wrong[:_MOST_WRONG]:
            console.print(f"  {face} read as {read}: {count}")


def _report_trays(classifier: FaceClassifier, folder: Path) -> None:
    read = [verdict for photo in tray_photos(folder) for verdict in verdicts(classifier, photo)]
    for one in read:
        if one.read != one.face:
            row, col = one.cell
            console.print(
                f"{one.photo} row {row + 1} column {col + 1}: {one.face} read as {one.read} "
                f"({one.probability:.2f})"
            )
    right = [one.read == one.face for one in read]
    sure = [one.probability > 0.9 for one in read]
    console.print(f"{sum(right)} of {len(read)} faces right, {sum(sure)} sure (above 0.9)")


if __name__ == "__main__":
    app()
