"""The page about accuracy: tables and pictures in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vision.training.reliability import Bin
from vision.training.report.trials import Outcome, Tally, Trial, asked_below
from vision.training.single_faces import GroupFigures


@dataclass(frozen=True)
class Table:
    """A table with its caption.

    Attributes:
        title: of the section.
        text: what stands above the table.
        header: a text a column.
        rows: of texts.
    """

    title: str
    text: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """The section."""
        ruler = "---|" * len(self.header)
        lines = [_row(self.header), f"|{ruler}", *map(_row, self.rows)]
        return "\n".join([f"## {self.title}", "", self.text, "", *lines, ""])


def readings(title: str, text: str, trials: Mapping[str, Sequence[Trial]]) -> Table:
    """A line a set of photos: how they ended, and the faces in them."""
    outcomes = ("exact", "asked", "no tray", "silent")
    header = ("photos", *outcomes, "faces", "asked", "silently wrong", "ms, median", "most")
    tallies = {name: Tally(each) for name, each in trials.items()}
    rows = (
        (
            f"{name}: {len(tally.trials)}",
            *(str(tally.count(outcome)) for outcome in _ORDER),
            *(str(count) for count in (tally.faces, tally.doubtful, tally.silent)),
            *(f"{1000 * s:.0f}" for s in (tally.median_seconds, tally.most_seconds)),
        )
        for name, tally in tallies.items()
    )
    return Table(title, text, header, tuple(rows))


def untold(text: str, trials: Mapping[str, Sequence[Trial]]) -> Table:
    """A line a set of scenes: the faces that nobody could tell."""
    header = ("photos", "faces", "nobody could tell", "share", "of these wrong and asked")
    tallies = {name: Tally(each) for name, each in trials.items()}
    rows = (
        (
            name,
            *(str(count) for count in (tally.faces, tally.untold)),
            f"{tally.untold / max(1, tally.faces):.2%}",
            str(tally.excused),
        )
        for name, tally in tallies.items()
    )
    return Table("Faces that nobody could tell", text, header, tuple(rows))


def single_faces(text: str, groups: Iterable[GroupFigures]) -> Table:
    """A line a set of pictures."""
    rows = (
        (
            each.group,
            str(each.pictures),
            f"{each.right:.2%}",
            f"{each.sure:.2%}",
            f"{each.surely_wrong:.3%}",
        )
        for each in groups
    )
    header = ("set", "pictures", "right", "sure", "sure and wrong")
    return Table("Single faces", text, header, tuple(rows))


def negatives(text: str, taken: Mapping[str, Sequence[bool]]) -> Table:
    """A line a kind of thing that is no tray."""
    rows = [(kind, str(len(each)), str(sum(each))) for kind, each in taken.items()]
    every = [seen for each in taken.values() for seen in each]
    rows.append(("all", str(len(every)), str(sum(every))))
    return Table("No tray at all", text, ("pictures of", "tried", "taken for a tray"), tuple(rows))


def calibration(text: str, bins: Iterable[Bin]) -> Table:
    """A line a bin of probabilities."""
    rows = ((str(each.count), f"{each.probability:.4f}", f"{each.accuracy:.4f}") for each in bins)
    return Table("Probabilities", text, ("faces", "mean probability", "share right"), tuple(rows))


def thresholds(text: str, trials: Sequence[Trial], tried: Sequence[float]) -> Table:
    """A line a threshold of doubt."""
    faces = sum(len(trial.read) for trial in trials)
    rows = []
    for threshold in tried:
        asked, silent = asked_below(trials, threshold)
        rows.append((f"{threshold}", f"{asked / max(1, faces):.2%}", str(silent)))
    header = ("asked below", "faces asked", f"silently wrong, of {faces}")
    return Table("The threshold of doubt", text, header, tuple(rows))


_ORDER = (Outcome.EXACT, Outcome.ASKED, Outcome.REFUSED, Outcome.SILENT)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
