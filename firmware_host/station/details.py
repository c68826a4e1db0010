"""What is doubtful in the photographs of a round, as it stands: cubes and words on paper. Pure."""

from __future__ import annotations

from firmware_host.rounds import CellConfirmed, Decision, Phase, RoundState, ScanSettled
from firmware_host.station.wire import Detail, Kind

_WITH_WORDS = frozenset({Phase.COLLECTING, Phase.FINISHED})
"""Phases in which it can be said what a word on paper is."""


def open_details(state: RoundState) -> tuple[Detail, ...]:
    """All that a person must still settle, and can now."""
    if state.phase is Phase.CONFIRMING and state.photo is not None:
        return tuple(Detail(Kind.CELL, state.photo.name, cell) for cell in state.unconfirmed)
    if state.phase not in _WITH_WORDS:
        return ()
    return tuple(Detail(Kind.WORD, state.scans[p[0]].photo.name, p) for p in state.scanned.open)


def of_decision(state: RoundState, decision: Decision) -> Detail | None:
    """What a decision of a round was about; None where that is no detail of a photograph."""
    match decision:
        case CellConfirmed(cell=cell) if state.photo is not None:
            return Detail(Kind.CELL, state.photo.name, cell)
        case ScanSettled(scan=scan, word=word) if state.scanned.has(scan, word):
            return Detail(Kind.WORD, state.scans[scan].photo.name, (scan, word))
    return None


def decision_on(state: RoundState, detail: Detail) -> CellConfirmed | ScanSettled | None:
    """The decision that holds about a detail; None where there is none."""
    return next(
        (
            decision
            for decision in reversed(state.rulings)
            if isinstance(decision, CellConfirmed | ScanSettled)
            and of_decision(state, decision) == detail
        ),
        None,
    )
