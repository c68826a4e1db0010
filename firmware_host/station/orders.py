"""Orders of the station at a tray: which are carried out, and what became of them. Pure.

An order is an event of the round. Each kind has a word for why the round, as it stands, does not
take it: what it would mean then is another thing, as a start would shake an empty tray.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_host.rounds import (
    Announced,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    DecisionUndone,
    Event,
    ExtraTime,
    Phase,
    RoundState,
    ScanSettled,
    TableAssigned,
    handled,
    step,
    taking_back,
)
from firmware_host.station.details import decision_on, of_decision, open_details
from firmware_host.station.wire import Detail, Kind, Order, WireError
from firmware_host.store.codec import CodecError, Decoder, encoded, kind_of
from scoring.encoding import canonical

BY = "station"
"""Who gives orders, as the log has it."""

LATE_S = 1.0
"""Seconds after its moment for which an order is still carried out, as of that moment."""

UNNOTICED_S = 0.05
"""Seconds after its moment that nobody need be told of."""


def order(
    id_: str,
    event: Event,
    until: float,
    at: float | None = None,
    *,
    about: Detail | None = None,
    table: str = "",
) -> Order:
    """An order for an event."""
    return Order(id_, kind_of(event), canonical(encoded(event)), until, at, about, table)


def table_mark(seated: TableAssigned) -> str:
    """What tells a table from any other: the round, the board, and who sits there."""
    players = "+".join(sorted(seat.id for seat in seated.seats))
    return f"{seated.round}.{seated.board}.{seated.table} {players}"


def misseated(table: str, state: RoundState) -> str:
    """Why a round is not that of a table as `table_mark` has it; empty where it is, or for any."""
    if not table or (state.assigned and table_mark(state.assigned) == table):
        return ""
    if state.assigned is None:
        return "nobody was seated for this round: cancel it, seat the table, shake again"
    return "its seats are of an older draw: cancel its round, seat the table, shake again"


def event_of(given: Order, offset_s: float) -> Event:
    """The event of an order, in the time of the tray.

    Args:
        given: the order.
        offset_s: as of `firmware_host.station.wire.Skew`.

    Raises:
        WireError: it is none that a station may order.
    """
    try:
        event = _DECODER.event(given.kind, json.loads(given.data))
    except (CodecError, ValueError, RecursionError) as error:
        raise WireError(f"no order: {error}") from error
    if not _may_be_ordered(event, given.about):
        raise WireError(f"a station does not order {given.kind}")
    times = {name: getattr(event, name, None) for name in ("at", "until")}
    moved = {name: time - offset_s for name, time in times.items() if time is not None}
    return replace(event, **moved)


def _may_be_ordered(event: Event, about: Detail | None) -> bool:
    """Whether it is of a kind that is ordered; a decision only of what it says to be about."""
    match event:
        case DecisionUndone():
            return about is not None
        case CellConfirmed():
            return about is not None and (about.kind, about.place) == (Kind.CELL, event.cell)
        case ScanSettled():
            place = (event.scan, event.word)
            return about is not None and (about.kind, about.place) == (Kind.WORD, place)
    return type(event) in _REFUSALS


def refusal(event: Event, state: RoundState, about: Detail | None = None) -> str:
    """Why a round does not take an event now; empty where it does.

    Args:
        event: what was ordered.
        state: of the round.
        about: of the order.
    """
    if about is None:
        return _REFUSALS[type(event)](state, event)
    if isinstance(event, DecisionUndone):
        return _needs_last(state, event, about)
    return _needs_open(state, event, about)


def fitted(event: Event, state: RoundState, about: Detail | None = None) -> Event | None:
    """What is to happen for an event that is not refused; None where it has happened before."""
    if isinstance(event, DecisionUndone):  # now its number is known
        return taking_back(state, event.by, event.at)
    if about is not None and _is_same(event, decision_on(state, about)):
        return None
    return event


def _needs_open(state: RoundState, event: Event, about: Detail) -> str:
    """Only what is open is settled by the station: the table's own word is never changed by it."""
    if about not in open_details(state):
        decided = decision_on(state, about)
        if decided is None:
            return "that is not asked now"
        if _is_same(event, decided):  # a restart came between that and the answer
            return ""
        return f"it was settled before, by {decided.by or 'somebody at the table'}"
    return "" if step(state, event)[0] != state else "it is nothing that this can be"


def _is_same(event: Event, decided: CellConfirmed | ScanSettled | None) -> bool:
    if isinstance(event, ScanSettled) and isinstance(decided, ScanSettled):
        return event == replace(decided, at=event.at)
    return event == decided


def _needs_last(state: RoundState, event: DecisionUndone, about: Detail) -> str:
    if decision_on(state, about) is None:
        return "no such decision holds"
    if of_decision(state, state.rulings[-1]) != about:
        return "another decision came after it: that one is taken back first"
    if taking_back(state, event.by, event.at) is None:
        return f"it has had its effect: the round is {state.phase}"
    return ""


def _needs_ready(state: RoundState, _event: Event) -> str:
    if state.phase is Phase.READY:
        return ""
    return f"the round cannot start: it is {state.phase}"


def _needs_change(state: RoundState, event: Event) -> str:
    if handled(state.phase, type(event)) is None:
        return f"not now: the round is {state.phase}"
    return ""


def _needs_board(state: RoundState, event: BoardPrescribed) -> str:
    refused = _needs_change(state, event)
    if refused or step(state, event)[0].phase is Phase.READY:
        return refused
    if state.coming is None:
        return "nobody was seated for it"
    return "it is not the board that was promised"


def _needs_sand(state: RoundState, event: ExtraTime) -> str:
    refused = _needs_change(state, event)
    if refused or step(state, event)[0].extra_s > state.extra_s:
        return refused
    return "no more time is granted in this round"


_REFUSALS: Mapping[type[Event], Callable[[RoundState, Any], str]] = MappingProxyType(
    {
        TableAssigned: _needs_change,
        BoardPrescribed: _needs_board,
        ButtonPressed: _needs_ready,
        ExtraTime: _needs_sand,
        Announced: _needs_change,
        Cancelled: _needs_change,
    }
)

_DECODER = Decoder(Path())
