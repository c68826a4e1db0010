"""Rounds with something doubtful in them, as a station hears of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from firmware_host.rounds import (
    ButtonPressed,
    Event,
    ListScanned,
    Plan,
    RoundState,
    ScanSettled,
    Seat,
    Settled,
    ShakeDone,
    TableAssigned,
    Tick,
    TrayRead,
    step,
)
from firmware_host.station.folding import Fold
from firmware_host.station.link import Meant
from firmware_host.station.queue import Question, questions_of
from firmware_host.store.chain import Entry, linked
from firmware_host.store.codec import encoded, kind_of
from firmware_host.store.log import BEGUN, Setup
from scoring.encoding import canonical
from scoring.rules import game
from tests.firmware_host.conftest import after, make_reading
from tests.firmware_host.station_fakes import MOMENT
from vision.paper.reading import WordReading

PLAN = Plan(game("boggle"), (), 60.0)
SEATED = TableAssigned("Spring", 2, 1, 7, (Seat("e1", "ann"),))
PAGE, TRAY = Path("list-1.jpg"), Path("tray-1.jpg")


def word(text: str, confidence: float = 0.6, *, doubtful: bool = True) -> WordReading:
    readings = ((text, confidence), (f"{text}S", 0.2))
    quad = ((10.0, 10.0), (70.0, 10.0), (70.0, 30.0), (10.0, 30.0))
    return WordReading(
        text, confidence, readings, struck=False, doubtful=doubtful, quad_px=quad, line=0
    )


def settled(place: int, text: str, by: str, at: float) -> ScanSettled:
    """What somebody says of a word of the first list."""
    return ScanSettled(0, place, text, struck=False, by=by, at=at)


def begun(*events: Event) -> tuple[RoundState, list[Event]]:
    """A round after these events, with them."""
    return after(RoundState(PLAN), *events), list(events)


SHAKEN = (SEATED, ButtonPressed(0.0), ShakeDone(), Settled())


def confirming(*cells: tuple[int, int], photo: Path = TRAY) -> list[Event]:
    return [*SHAKEN, TrayRead(make_reading(doubtful=cells), photo)]


def collecting(*words: WordReading, photo: Path = PAGE) -> list[Event]:
    """The lists are awaited, and that of ann was photographed."""
    return [
        *SHAKEN,
        TrayRead(make_reading(), TRAY),
        ButtonPressed(0.0),
        Tick(61.0),
        ListScanned("ann", photo, words, 62.0),
    ]


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """A log of one round."""
    setup = Setup(PLAN, "test", simulated=True, cubes="", lexicon="tiny")
    said = [(BEGUN, encoded(setup)), *((kind_of(each), encoded(each)) for each in events)]
    made: list[Entry] = []
    for kind, data in said:
        made.append(linked(made[-1] if made else None, 1, kind, MOMENT, canonical(data)))
    return made


def fold_of(*events: Event) -> Fold:
    fold = Fold.before(1)
    for entry in entries_of(events):
        fold = fold.after(entry)
    return fold


def questions(*events: Event) -> tuple[Question, ...]:
    return questions_of("7", fold_of(*events))


def answering(state: RoundState) -> Future[RoundState]:
    answer: Future[RoundState] = Future()
    answer.set_result(state)
    return answer


@dataclass
class LoggedRound:
    """A round whose owner keeps a log, as a tray's does."""

    state: RoundState
    held: list[Entry]

    def take(self, meant: Meant) -> Future[RoundState]:
        event = meant(self.state)
        if event is not None:
            self.enter(event)
        return answering(self.state)

    def enter(self, event: Event) -> None:
        after_, _ = step(self.state, event)
        if after_ != self.state:
            data = canonical(encoded(event))
            self.held.append(linked(self.held[-1], 1, kind_of(event), MOMENT, data))
        self.state = after_

    @property
    def last_seq(self) -> int:
        return len(self.held)

    def since(self, seq: int, most: int) -> Sequence[Entry]:
        return self.held[seq : seq + most]


class NoResults:
    """A scribe of a tournament that takes nothing."""

    @staticmethod
    def take(_results: object) -> tuple[list[object], dict[object, str]]:
        return [], {}
