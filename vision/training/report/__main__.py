"""``python -m vision.training.report``: measures how well trays are read, and writes the page.

Needs nothing but the product: no torch, no fonts. The evaluation photos are other people's and are
measured where they are at hand; pictures of failures are shown of rendered scenes alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from PIL import Image
from rich.console import Console
from rich.progress import track

from vision.render.legible import FAINTEST
from vision.render.negatives import NEGATIVES
from vision.training.report import measure, page
from vision.training.report.alterations import ALTERATIONS
from vision.training.report.measure import LEAST_SEEN, Negative, Scene, TrayPhoto, worst
from vision.training.report.page import Table
from vision.training.report.trials import Trial, bins_of
from vision.tray import DOUBT

SETS = {"easy": (0.0, 0.33), "medium": (0.33, 0.67), "hard": (0.67, 1.0)}
"""Rendered scenes by difficulty."""

THRESHOLDS = (0.97, 0.98, 0.985, DOUBT, 0.995, 0.999)
PICTURES = Path("pictures/accuracy")
MOST_PICTURES = 12
PICTURE_WIDTH = 480
JPEG_QUALITY = 80

HEAD = """# How well trays are read

Written by `python -m vision.training.report` ({command}), and made again after every change of
reading. *Exact*: every face right that can be told; where nobody could tell one, it is right or
asked. *Asked*: wrong faces, and a person was asked about each. *Silent*: a wrong face, or a tray of
another size, that nobody was asked about. This is the figure that counts most; it should be 0.
How paper is read tells [another page](accuracy-paper.md).
"""
REAL = """\
Photos of other people, which are no part of this repository, and the same photos altered, each
brought to 12 megapixels and stored as a JPEG. The milliseconds are processor time on one core, from
the file to the letters."""
RENDERED = """\
Trays of 4×4 to 6×6 by the project's own renderer, of seeds that were used neither to train nor to
set a threshold. The hard third holds what people would photograph again: worn cubes, dim light,
hands, blur."""
UNTOLD = f"""\
What a person could not read in the photo need not be read, but must be asked. The renderer knows
what the prints change in each photo: it takes it once more, with the same noise, without them. Ink
that changes its pixel by no more than {FAINTEST:.0f} of 255 levels is not seen, be it under a hand
or another cube, burnt out, in haze or in the dark. Where less than {LEAST_SEEN:.0%} of a print's
ink is seen, E may be F and O may be C: nobody could tell it. Nor could they tell the face of a cube
that is cocked or stacked, which by the rules must be laid flat first, or a cell without a cube
under a hand. Such a face counts as right if it is asked, and as silently wrong if it is wrong and
not asked. A photo in which no tray is found is not excused."""
CALIBRATION = """\
Of the faces of all rendered scenes: how probable each reading was said to be, and how often it was
right."""
DICE = "The same of the pips of dice; a die too many or too few is a wrong one."
FACES = """\
Pictures that others cut out, binarised or grey, at many turns. In those of `jordan` the lines under
the letters are cut off: there M and W, N and Z, Q and Qu are not told apart."""
THRESHOLD = "The same faces, asked about below other thresholds; what is asked now stays so."
NEGATIVE = "Rendered pictures of things that have rows and columns as a tray has."

Task = TypeVar("Task")
Result = TypeVar("Result")

app = typer.Typer(help="Measures how well trays are read.", add_completion=False)


@app.command()
def report(
    data: Annotated[
        Path, typer.Option(help="Evaluation photos: folders trays, dice, faces with their truth.")
    ] = Path("../shared/data"),
    scenes: Annotated[int, typer.Option(min=3, help="Rendered scenes in all.")] = 2000,
    things: Annotated[int, typer.Option(min=1, help="Rendered pictures without a tray.")] = 500,
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("docs/accuracy.md"),
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Measure everything, print it, and write the page with pictures of what went wrong.

    Example: python -m vision.training.report --scenes 200 --things 50 --out /tmp/accuracy.md
    """
    console = Console()
    run = _Runner(workers, Console(stderr=True))
    real = list(_real(run, data))
    if not real:
        console.print(f"No evaluation photos at {data}: rendered scenes alone are measured.")
    by_set = {
        name: run(f"{name} scenes", measure.try_scene, _share(scenes, place, span))
        for place, (name, span) in enumerate(SETS.items())
    }
    tables = [*real, *_rendered(by_set), _negatives(run, things)]
    for table in tables:
        console.print(table.markdown(), markup=False, highlight=False)
    failures = _failures(scenes, by_set, out.parent / PICTURES)
    head = HEAD.format(command=" ".join(sys.argv[1:]) or "the defaults")
    text = "\n".join([head, *(table.markdown() for table in tables), *failures])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    console.print(f"wrote {out}")


class _Runner:
    """Works in several processes and shows how far it is."""

    def __init__(self, workers: int, console: Console) -> None:
        self._workers = workers
        self._console = console

    def __call__(
        self, what: str, work: Callable[[Task], Result], tasks: Sequence[Task]
    ) -> list[Result]:
        """The results of all tasks, in their order."""
        results = measure.in_processes(work, tasks, self._workers)
        return list(track(results, what, total=len(tasks), console=self._console, transient=True))


def _share(count: int, place: int, span: tuple[float, float]) -> list[Scene]:
    """The scenes of a set, so that all sets together have so many."""
    return measure.scenes(len(range(place, count, len(SETS))), span)


def _real(run: _Runner, data: Path) -> Iterator[Table]:
    if photos := measure.tray_photos(data / "trays"):
        yield from _trays(run, photos)
    if dice := measure.dice_photos(data / "dice"):
        thrown = run("dice", measure.try_dice, dice)
        yield page.readings("Photos of thrown dice", DICE, {"as taken": thrown})
    if groups := measure.figures_of_faces(data / "faces"):
        yield page.single_faces(FACES, groups)


def _trays(run: _Runner, photos: Sequence[TrayPhoto]) -> Iterator[Table]:
    taken = run("photos", partial(measure.try_photo, None), photos)
    altered = {name: run(name, partial(measure.try_photo, name), photos) for name in ALTERATIONS}
    yield page.readings("Photos of real trays", REAL, {"as taken": taken} | altered)


def _rendered(by_set: Mapping[str, Sequence[Trial]]) -> Iterator[Table]:
    trials = [each for set_of in by_set.values() for each in set_of]
    sets = {**by_set, "all": trials}
    yield page.readings("Rendered scenes", RENDERED, sets)
    yield page.untold(UNTOLD, sets)
    yield page.calibration(CALIBRATION, bins_of(trials))
    yield page.thresholds(THRESHOLD, trials, THRESHOLDS)


def _negatives(run: _Runner, things: int) -> Table:
    kinds = sorted(NEGATIVES)
    tasks = [Negative(number, kinds[number % len(kinds)]) for number in range(things)]
    taken = run("pictures without a tray", measure.is_taken_for_tray, tasks)
    by_kind = {
        kind: [seen for task, seen in zip(tasks, taken, strict=True) if task.kind == kind]
        for kind in kinds[:things]
    }
    return page.negatives(NEGATIVE, by_kind)


def _failures(scenes: int, by_set: Mapping[str, Sequence[Trial]], folder: Path) -> Iterator[str]:
    """The worst scenes as pictures; those of an earlier report are deleted."""
    yield "## Pictures of failures\n"
    yield f"The worst {MOST_PICTURES} at most, with what was read drawn over them.\n"
    for old in folder.glob("*.jpg"):
        old.unlink()
    failed = [
        (trials[number], _share(scenes, place, SETS[name])[number])
        for place, (name, trials) in enumerate(by_set.items())
        for number in worst(trials)
    ]
    for trial, scene in sorted(failed, key=lambda each: -each[0].silent)[:MOST_PICTURES]:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"scene-{scene.seed}.jpg"
        Image.fromarray(measure.annotated(scene, PICTURE_WIDTH)).save(file, quality=JPEG_QUALITY)
        told = (
            f"{trial.outcome}, {trial.wrong} of {trial.faces} faces wrong, {trial.silent} silently"
        )
        yield f"![Scene {scene.seed}: {told}]({PICTURES}/{file.name})\n{told}\n"


if __name__ == "__main__":
    app()
