"""The document of a whole event: what happened, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring.tournament.log import Log
from scoring.tournament.plan import Criterion, Plan
from scoring.tournament.prizes import Award, awards
from scoring.tournament.standings import Line, Standing, Standings, TeamStanding, Value
from scoring.tournament.state import State

Document = dict[str, Any]

_PLACES = 4  # of decimals: what is compared is compared as fractions before


def event_document(log: Log) -> Document:
    """An event as it is exported: setup, every entry, the last hash, and the results."""
    return log.head | {
        "log": [entry.document for entry in log.entries],
        "head": log.last_hash,
        "results": results_document(log.plan, log.state),
    }


def results_document(plan: Plan, state: State, upto: int | None = None) -> Document:
    """Standings, teams and prizes after all rounds, or some."""
    standings = Standings(plan, state, upto)
    return {
        "rounds": len(standings.rounds),
        "standings": {
            division: [standing_document(each) for each in standings.of(division)]
            for division in plan.divisions
        },
        "teams": [_team(each) for each in standings.teams()],
        "prizes": [award_document(each) for each in awards(standings)],
    }


def standing_document(standing: Standing) -> Document:
    """A player's line of the standings."""
    return {
        "rank": standing.rank,
        "name": standing.name,
        **_values(standing.values),
        "by_round": [_line(line) for line in standing.lines],
    }


def award_document(award: Award) -> Document:
    """A prize and who has it."""
    prize = award.prize
    return {
        "title": prize.title,
        "kind": str(prize.kind),
        "place": prize.place,
        "division": prize.division,
        "winners": list(award.winners),
        "share": _number(award.share),
        "why": award.why,
    }


def _team(team: TeamStanding) -> Document:
    return {
        "rank": team.rank,
        "name": team.name,
        **_values(team.values),
        "counted": list(team.counted),
        "others": list(team.others),
    }


def _line(line: Line) -> Document:
    return {
        "round": line.round,
        "table": line.table,
        "opponents": list(line.opponents),
        "boards": list(line.boards),
        "adjusted": sum(each.points for each in line.adjustments),
        "points": line.points,
        "wins": _number(line.wins),
        "spread": _number(line.spread),
    }


def _values(values: Mapping[Criterion, Value]) -> Document:
    return {str(each): _value(value) for each, value in values.items()}


def _value(value: Value) -> float | Sequence[int]:
    return list(value) if isinstance(value, tuple) else _number(value)


def _number(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else round(float(value), _PLACES)
