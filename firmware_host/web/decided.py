"""Decisions as pages tell them: of which kind, what they are about, on whose list."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, Field

from firmware_host.rounds import (
    CellConfirmed,
    CellCorrected,
    ChallengeJudged,
    Decision,
    Event,
    ExtraTime,
    ListsClosed,
    RoundState,
    ScanSettled,
    WordRuled,
    step,
)


class DecidedView(BaseModel):
    """What was decided: ``word`` is what it is about, ``player`` whose list alone it is about."""

    kind: str
    word: str
    player: str = Field(default="", description="empty where it is about no single list")


def decided_view(one: Decision, state: RoundState) -> DecidedView:
    """A decision of a round.

    Args:
        one: the decision.
        state: of its round, which knows whose the lists on paper are.
    """
    kind, word = _told(one)
    return DecidedView(kind=kind, word=word, player=_player_of(one, state))


def taken_back(state: RoundState, happened: Iterable[Event]) -> list[DecidedView | None]:
    """Of each event of a round the decision that it took back; None of those that took none.

    Args:
        state: of the round before the first of them.
        happened: in their order.
    """
    found: list[DecidedView | None] = []
    for event in happened:
        after, _ = step(state, event)
        found.append(_lost(state, after))
        state = after
    return found


def _lost(before: RoundState, after: RoundState) -> DecidedView | None:
    """The last decision, where it alone is gone; one of words may have others behind it."""
    if len(after.rulings) != len(before.rulings) - 1:
        return None
    kept = zip(before.rulings, (*after.rulings, None), strict=True)
    return next((decided_view(one, before) for one, now in kept if one != now), None)


def _player_of(one: Decision, state: RoundState) -> str:
    lists = state.scans[one.scan : one.scan + 1] if isinstance(one, ScanSettled) else ()
    return next((read.player for read in lists), "")


def _told(one: Decision) -> tuple[str, str]:
    """Of which kind a decision is, and what it is about."""
    match one:
        case WordRuled():
            return one.ruling.value, one.word
        case ScanSettled():
            return ("crossed_out" if one.struck else "read"), one.text
        case CellConfirmed() | CellCorrected():
            return _told_of_cell(one)
        case ExtraTime():
            return "extra_time", f"{one.seconds:g}"
        case ListsClosed():
            return "lists_closed", ", ".join(one.players)
        case ChallengeJudged():
            return ("challenge_stands" if one.good else "challenge_falls"), ", ".join(one.words)


def _told_of_cell(one: CellConfirmed | CellCorrected) -> tuple[str, str]:
    row, col = one.cell
    if isinstance(one, CellConfirmed):
        return "cell", f"{one.face} ({row + 1}, {col + 1})"
    return "corrected", f"{one.was} → {one.face} ({row + 1}, {col + 1}): {one.why}"
