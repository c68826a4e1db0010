"""What a tray remembers of its station over restarts: a small file beside the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from firmware_host.files import write_whole
from firmware_host.station.wire import Answer, Mark, Order, Outcome, WireError, read, told
from firmware_host.store.errors import StorageError

REMEMBERED = 300
"""Answers that are remembered: an order that comes once more gets the same one."""


@dataclass(frozen=True)
class Notes:
    """What is remembered.

    Attributes:
        event: the tournament that it is about.
        begins: after which entry of the log that begins.
        had: number of the last entry that the station is known to have.
        planned: orders whose moment has not come.
        answers: what became of the last orders.
    """

    event: str
    begins: Mark
    had: int
    planned: tuple[Order, ...] = ()
    answers: tuple[Answer, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Of the orders that are known."""
        return frozenset(order.id for order in self.planned)

    def answer_to(self, id_: str) -> Answer | None:
        """What became of an order; None where it has not come yet."""
        return next((answer for answer in self.answers if answer.id == id_), None)

    def plan(self, order: Order) -> Notes:
        """With an order that is to be carried out."""
        return replace(self, planned=(*self.planned, order))

    def answered(self, answer: Answer) -> Notes:
        """With an answer in place of the one before; only a plan may still change."""
        others = [other for other in self.answers if other.id != answer.id]
        planned = self.planned
        if answer.outcome is not Outcome.PLANNED:
            planned = tuple(order for order in planned if order.id != answer.id)
        return replace(self, planned=planned, answers=(*others, answer)[-REMEMBERED:])


class Notebook:
    """Keeps notes in a file.

    Args:
        file: is made where there is none.
        event: the tournament; notes about another are begun anew.
        begins: tells where the log stands, should they be.

    Attributes:
        notes: as they stand.

    Raises:
        StorageError: it cannot be read.
    """

    def __init__(self, file: Path, event: str, begins: Callable[[], Mark]) -> None:
        self._file = file
        kept = _read(file)
        if kept is not None and kept.event == event:
            self.notes = kept
            return
        mark = begins()
        self.keep(Notes(event, mark, mark.seq))

    def keep(self, notes: Notes) -> None:
        """Remember these.

        Raises:
            StorageError: they cannot be kept.
        """
        try:
            write_whole(self._file, (told(notes),))
        except OSError as error:
            message = f"{self._file}: {error.strerror}"
            raise StorageError(message, "Look whether the disk is full.") from error
        self.notes = notes

    def had(self, seq: int) -> None:
        """Remember it later, with the next: if that never comes, entries are sent once more."""
        self.notes = replace(self.notes, had=seq)


def _read(file: Path) -> Notes | None:
    """The notes of a file; None where there are none, or a pulled plug spoilt them."""
    try:
        return read(Notes, file.read_bytes())
    except FileNotFoundError:
        return None
    except WireError as error:
        advice = f"Remove it: the station is asked what it has. ({error})"
        raise StorageError(f"{file} is damaged", advice) from error
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise StorageError(message, "Look whether you may read it.") from error
