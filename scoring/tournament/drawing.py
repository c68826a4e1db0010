"""The tables of a round: by the method that was agreed on, or by hand with what to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.match import Event, RuleError
from scoring.tournament.field import Field, Meetings, field_of, meetings_before
from scoring.tournament.fold import check_draw
from scoring.tournament.pairs import Table, by_lot, king_of_the_hill, round_robin, swiss
from scoring.tournament.plan import EVERYBODY, PAIR, Method, Plan, check_method
from scoring.tournament.pods import pod_sizes, pods
from scoring.tournament.state import Draw, State, Status


@dataclass(frozen=True)
class Remark:
    """Something to look at before a round starts.

    Attributes:
        kind: a stable word: ``"again"``, ``"bye_again"``, ``"size"``, ``"absent"``.
        text: for people.
        players: about whom.
    """

    kind: str
    text: str
    players: tuple[str, ...]


def next_round(state: State) -> int:
    """Number of the round that is drawn next: that which has not started, or a new one."""
    return sum(played.started for played in state.rounds) + 1


def draw(
    plan: Plan,
    state: State,
    division: str,
    *,
    method: Method | None = None,
    absent: Sequence[str] = (),
) -> Draw:
    """The tables of a division in the round to come.

    Args:
        plan: what was agreed on.
        state: where the event stands.
        division: whose tables.
        method: None is that of the plan.
        absent: who is not there for this round, and gets nothing.

    Raises:
        RuleError: kinds ``plan`` (no such method for these seats), ``unknown_player``, and
            ``no_players`` where there are not two.
    """
    chosen = plan.method if method is None else method
    check_method(chosen, plan.seats)
    number = next_round(state)
    active = state.active(division)
    stranger = next((name for name in absent if name not in active), None)
    if stranger is not None:
        message = f"{stranger!r} is not to be drawn in the division {division}"
        raise RuleError("unknown_player", message, "Look at who is enrolled.")
    here = _without(state, absent)
    field = field_of(plan, here, division, number, plan.seed)
    asked = tuple(n for n in here.active(division) if number in state.players[n].byes)
    tables = _tables(plan, field, chosen)
    drawn = Draw(
        division,
        tuple(table for table in tables if len(table) > 1),
        (*(table[0] for table in tables if len(table) == 1), *asked),
        tuple(absent),
        str(chosen),
    )
    check_draw(plan, state, drawn)
    return drawn


def draw_event(number: int, drawn: Draw) -> Event:
    """The event that seats the players so."""
    return {
        "type": "draw",
        "round": number,
        "division": drawn.division,
        "tables": [list(table) for table in drawn.tables],
        "byes": list(drawn.byes),
        "absent": list(drawn.absent),
        "method": drawn.method,
    }


def remarks(plan: Plan, state: State, drawn: Draw) -> list[Remark]:
    """What to look at before a draw is played, by hand or not: who meets again, second byes."""
    met = meetings_before(state, next_round(state))
    return [
        *_again(met, drawn),
        *(
            Remark("bye_again", f"{name} has had a bye before", (name,))
            for name in drawn.byes
            if met.byes.get(name)
        ),
        *_odd_sizes(plan, drawn),
        *(
            Remark("absent", f"{name} plays nobody and gets nothing", (name,))
            for name in drawn.absent
        ),
    ]


def _again(met: Meetings, drawn: Draw) -> list[Remark]:
    return [
        Remark(
            "again", f"{one} and {other} have met {_times(met.between(one, other))}", (one, other)
        )
        for one, other in met.repeats(drawn.tables)
    ]


def _times(number: int) -> str:
    return "before" if number == 1 else f"{number} times before"


def _odd_sizes(plan: Plan, drawn: Draw) -> list[Remark]:
    if plan.seats == EVERYBODY:
        return []
    return [
        Remark("size", f"a table has {len(table)} players in place of {plan.seats}", table)
        for table in drawn.tables
        if not plan.seats - 1 <= len(table) <= plan.seats
    ]


def _tables(plan: Plan, field: Field, method: Method) -> list[Table]:
    if len(field.order) < PAIR:
        return [(name,) for name in field.order]
    if plan.seats == EVERYBODY:
        return [field.order]
    if method is Method.MANUAL:
        raise RuleError("method", "tables by hand are given", "Name the tables.")
    if method is Method.KING_OF_THE_HILL and plan.seats > PAIR:
        return _hill(field, plan.seats)
    if plan.seats > PAIR:
        return pods(field, plan.seats, method, plan.seed)
    return {
        Method.SWISS: lambda: swiss(field),
        Method.ROUND_ROBIN: lambda: round_robin(field),
        Method.KING_OF_THE_HILL: lambda: king_of_the_hill(field),
        Method.RANDOM: lambda: by_lot(field, plan.seed),
    }[method]()


def _hill(field: Field, seats: int) -> list[Table]:
    """The best at the first table, whoever has met."""
    places = iter(field.order)
    return [tuple(next(places) for _ in range(size)) for size in pod_sizes(len(field.order), seats)]


def _without(state: State, absent: Sequence[str]) -> State:
    """The state as if some had left."""
    players = {
        name: replace(player, status=Status.WITHDRAWN) if name in absent else player
        for name, player in state.players.items()
    }
    return replace(state, players=players)
