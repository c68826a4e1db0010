"""What is doubtful at all tables and nobody has settled, as questions to any referee. Pure.

Questions follow from the rounds of the tables, as the station has them folded. Each has an id that
stays as long as it is open; what is asked once more after a decision was taken back has another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.review import offers
from firmware_host.rounds import CellConfirmed, DecisionUndone, RoundState, ScanSettled
from firmware_host.rounds.confirming import Way
from firmware_host.rounds.confirming import offers as faces_of
from firmware_host.station.details import open_details
from firmware_host.station.folding import Fold
from firmware_host.station.orders import order
from firmware_host.station.wire import Detail, Kind, Order
from scoring.board import Board, BoardError

VALID_S = 12 * 3600.0
"""Seconds for which a decision waits for a tray that is not there."""

UNDO_VALID_S = 30.0
"""Seconds for which taking back waits for it."""

LONGEST_WORD = 64

_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True)
class Reading:
    """What a detail may be.

    Attributes:
        text: a face, or a word in small letters.
        struck: the word, crossed out.
        probability: 0–1; None where it is not known.
    """

    text: str
    struck: bool = False
    probability: float | None = None


@dataclass(frozen=True)
class Question:
    """A doubtful cube or word that nobody has settled.

    Attributes:
        id: stays as long as it is open.
        tray: where it is.
        log_round: number of the round in the log of the tray.
        detail: what it is about.
        table: of the tournament; None where the round does not count for it.
        round: of the tournament; the same.
        board: of the round; the same.
        player: whose list the word is on; empty for a cube.
        readings: what it may be, the likeliest first.
        confidence: probability of what was read, 0–1.
        cocked: the cube seems to lie cocked.
    """

    id: str
    tray: str
    log_round: int
    detail: Detail
    table: int | None
    round: int | None
    board: int | None
    player: str
    readings: tuple[Reading, ...]
    confidence: float
    cocked: bool = False

    @property
    def urgency(self) -> tuple[bool, float, str]:
        """What comes first: cubes, as they hold a whole table; then the least sure."""
        return self.detail.kind is not Kind.CELL, self.confidence, self.id


@dataclass(frozen=True)
class Said:
    """What a referee says of a detail.

    Attributes:
        text: a face, or a word in small letters; empty of one that is crossed out and nobody can
            read.
        struck: the word is crossed out.
    """

    text: str
    struck: bool = False


class SaidError(ValueError):
    """What was said is no face, or no word."""


def questions_of(tray: str, fold: Fold) -> tuple[Question, ...]:
    """All that is open in a round of a tray, the most urgent first."""
    if fold.state is None:
        return ()
    state = fold.state
    asked = (_question(tray, fold, state, detail) for detail in open_details(state))
    return in_order(asked)


def in_order(questions: Iterable[Question]) -> tuple[Question, ...]:
    """Questions of any trays, the most urgent first."""
    return tuple(sorted(questions, key=lambda question: question.urgency))


def _question(tray: str, fold: Fold, state: RoundState, detail: Detail) -> Question:
    counts = state.assigned or state.coming
    is_cell = detail.kind is Kind.CELL
    readings = tuple(_of_cell(state, detail) if is_cell else _of_word(state, detail))
    return Question(
        _id_of(tray, fold, detail),
        tray,
        fold.round,
        detail,
        counts.table if counts else None,
        counts.round if counts else None,
        counts.board if counts else None,
        "" if is_cell else state.scans[detail.place[0]].player,
        readings,
        _confidence(state, detail),
        cocked=is_cell and detail.place in state.cocked,
    )


def _id_of(tray: str, fold: Fold, detail: Detail) -> str:
    """Photos of one round differ, as that of a tray that was shaken again."""
    mark = hashlib.sha256(detail.photo.encode()).hexdigest()[:12]
    place = "-".join(map(str, detail.place))
    again = fold.again.get(detail, 0)
    return f"{tray}.{fold.round}.{detail.kind}.{place}.{mark}" + (f".{again}" if again else "")


def _of_cell(state: RoundState, detail: Detail) -> Iterator[Reading]:
    if state.reading is None:
        return
    row, col = detail.place
    shares = dict(state.reading.cells[row][col].alternatives)
    for face in faces_of(state.reading, detail.place):
        if isinstance(face, Way):
            return
        yield Reading(face, probability=_plain(shares.get(face)))


def _of_word(state: RoundState, detail: Detail) -> Iterator[Reading]:
    scan, place = detail.place
    word = state.scans[scan].words[place]
    shares = dict(word.alternatives)
    for offer in offers(word):
        share = None if offer.struck else _plain(shares.get(offer.text))
        yield Reading(offer.text.lower(), offer.struck, share)


def _confidence(state: RoundState, detail: Detail) -> float:
    first, second = detail.place
    if detail.kind is Kind.WORD:
        return float(state.scans[first].words[second].confidence)
    return float(state.reading.cells[first][second].confidence) if state.reading else 0.0


def _plain(share: float | None) -> float | None:
    return None if share is None else float(share)


def checked(question: Question, said: Said) -> Said:
    """What was said, where it can be of that question: a table would wait for ever for no face.

    Raises:
        SaidError: it cannot.
    """
    if question.detail.kind is Kind.CELL:
        return _checked_face(said)
    text = said.text.lower()
    if not text and not said.struck:
        raise SaidError("a word that counts has letters")
    if text and (len(text) > LONGEST_WORD or not _WORD.fullmatch(text)):
        raise SaidError(f"{said.text!r} is no word")
    return Said(text, said.struck)


def _checked_face(said: Said) -> Said:
    try:
        Board(((said.text,),))
    except BoardError as error:
        raise SaidError(f"{said.text!r} is no face") from error
    if said.struck:
        raise SaidError("a cube cannot be crossed out")
    return said


def decision_order(question: Question, said: Said, by: str, now: float, number: int = 0) -> Order:
    """The order by which what was said comes to its table.

    Args:
        question: what was asked.
        said: the answer, as of `checked`.
        by: who says so.
        now: when, by the clock of the station.
        number: how often that was ordered before.
    """
    first, second = question.detail.place
    event: CellConfirmed | ScanSettled
    if question.detail.kind is Kind.CELL:
        event = CellConfirmed(question.detail.place, said.text, by)
    else:
        event = ScanSettled(first, second, said.text, said.struck, by, now)
    id_ = f"decide-{_short(question.id)}-{number}"
    return order(id_, event, now + VALID_S, about=question.detail)


def undo_order(question: Question, by: str, now: float, number: int = 0) -> Order:
    """The order by which the decision about a question is taken back; as of `decision_order`."""
    id_ = f"{undo_prefix(question.id)}{number}"
    return order(id_, DecisionUndone(by, now), now + UNDO_VALID_S, about=question.detail)


def undo_prefix(id_: str) -> str:
    """How ids of orders begin that take back the decision about a question."""
    return f"undo-{_short(id_)}-"


def _short(id_: str) -> str:
    return hashlib.sha256(id_.encode()).hexdigest()[:32]
