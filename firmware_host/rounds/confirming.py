"""A doubtful cell as a question: its readings are offered one after the other, best first.

A person passes over what is offered until it fits, and takes that; so one button is enough, and
every face can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from firmware_host.rounds.events import Cancelled, CellConfirmed, RerollAsked
from scoring.board import BLANK, MISSING, Cell, Face
from scoring.cubes import all_faces, cube_sets, usual_set
from vision.reading import TrayReading


class Way(StrEnum):
    """Ways out that are offered where no reading fits."""

    REROLL = "reroll"
    CANCEL = "cancel"


Offer = Face | Way

_TEXTS = {BLANK: "blank", MISSING: "no cube", Way.REROLL: "shake again", Way.CANCEL: "give up"}


@dataclass(frozen=True)
class Question:
    """What is asked of a doubtful cell now.

    Attributes:
        cell: the cell.
        offers: all that is offered, in order: the readings, the ways out, every other face.
        place: which of them is offered now.
        number: of the cell among those that are asked, from 1.
        count: how many those are.

    Example:
        >>> Question((1, 2), ("Qu", "O", *Way), place=0, number=1, count=2).lines
        ('Row 2, column 3', 'Qu? (1/2)', 'Press: no  Hold: yes')
    """

    cell: Cell
    offers: tuple[Offer, ...]
    place: int
    number: int
    count: int

    @property
    def offered(self) -> Offer:
        """What is offered now."""
        return self.offers[self.place]

    @property
    def answer(self) -> CellConfirmed | RerollAsked | Cancelled:
        """What happens where a person takes it."""
        match self.offered:
            case Way.REROLL:
                return RerollAsked()
            case Way.CANCEL:
                return Cancelled()
        return CellConfirmed(self.cell, self.offered)

    @property
    def text(self) -> str:
        """What is offered, for people: ``"Qu?"``, ``"Shake again?"``."""
        text = _TEXTS.get(self.offered, self.offered)
        return f"{text[0].upper()}{text[1:]}?"

    @property
    def lines(self) -> tuple[str, ...]:
        """The question for the small display; none is longer than 21 letters on trays to 6×6."""
        row, col = self.cell
        which = f" ({self.number}/{self.count})" if self.count > 1 else ""
        return f"Row {row + 1}, column {col + 1}", f"{self.text}{which}", "Press: no  Hold: yes"


def offers(reading: TrayReading, cell: Cell) -> tuple[Offer, ...]:
    """All that is offered for a cell: its readings, the ways out, then every other face."""
    here = reading.cells[cell[0]][cell[1]]
    best = dict.fromkeys([*(face for face, _ in here.alternatives), here.face])
    others = dict.fromkeys(_faces_in_order(reading))
    return (*best, *Way, *(face for face in others if face not in best))


def _faces_in_order(reading: TrayReading) -> Iterator[Face]:
    """The faces of the cube set that it seems to be, then those of all sets, then no cube."""
    likely = reading.edition or next((name for name, _ in reading.editions), None)
    usual = usual_set(len(reading.cells), len(reading.cells[0]))
    for edition in cube_sets():
        if edition.name == likely or (likely is None and edition == usual):
            yield from sorted({face for cube in edition.cubes for face in cube})
    yield from all_faces()
    yield MISSING
