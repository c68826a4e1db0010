"""Who is to be drawn: in which order, who has met whom, who has had a bye."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from scoring.tournament.plan import Plan
from scoring.tournament.prizes import contenders, safe
from scoring.tournament.standings import Standings
from scoring.tournament.state import Draw, State


@dataclass(frozen=True)
class Meetings:
    """How often players have sat at one table, and how often each has had a bye.

    Attributes:
        of: by player how often they have met each other player; who never met is not named.
        byes: by player; who had none is not named.
    """

    of: Mapping[str, Mapping[str, int]]
    byes: Mapping[str, int]

    def between(self, one: str, other: str) -> int:
        """How often two have met."""
        return self.of.get(one, {}).get(other, 0)

    def repeats(self, tables: Collection[Collection[str]]) -> list[tuple[str, str]]:
        """The pairs at these tables who have met before."""
        pairs = (pair for table in tables for pair in combinations(table, 2))
        return [pair for pair in pairs if self.between(*pair)]


@dataclass(frozen=True)
class Field:
    """The players of a division who are to be seated.

    Attributes:
        order: best first; equals by rating, then by lot.
        wins: of each.
        meetings: of the rounds before.
        numbers: all players who have ever been drawn or are now, in the order of enrolling.
        safe: whose place is sure already.
        contenders: who can still come to a prize.
        by_wins: whether wins come first in the ranking.
        round: number of the round to be drawn.
        rounds: of the event.
    """

    order: tuple[str, ...]
    wins: Mapping[str, Fraction]
    meetings: Meetings
    numbers: tuple[str, ...]
    safe: frozenset[str]
    contenders: frozenset[str]
    by_wins: bool
    round: int
    rounds: int


def meetings_before(state: State, number: int) -> Meetings:
    """Who met whom in the rounds before one."""
    met: dict[str, Counter[str]] = {}
    byes: Counter[str] = Counter()
    for played in state.rounds[: number - 1]:
        byes.update(played.byes)
        for table in played.tables.values():
            for one, other in combinations(table, 2):
                met.setdefault(one, Counter())[other] += 1
                met.setdefault(other, Counter())[one] += 1
    return Meetings(met, byes)


def field_of(plan: Plan, state: State, division: str, number: int, seed: int) -> Field:
    """The field of a round to be drawn.

    Args:
        plan: what was agreed on.
        state: before the round.
        division: whose tables are drawn.
        number: of the round.
        seed: decides between equals.
    """
    standings = Standings(plan, state, number - 1)
    ranked = standings.of(division)
    ranks = {each.name: each.rank for each in ranked}
    active = [name for name in state.active(division) if number not in state.players[name].byes]
    lots = _lots(active, seed, number)
    remaining = plan.rounds - number + 1
    order = sorted(active, key=lambda name: (ranks[name], -state.players[name].rating, lots[name]))
    return Field(
        tuple(order),
        standings.wins,
        meetings_before(state, number),
        _numbers(state, division, number, active),
        frozenset(safe(plan, ranked, remaining)),
        contenders(plan, ranked, remaining, division),
        plan.by_wins,
        number,
        plan.rounds,
    )


def _numbers(state: State, division: str, number: int, active: Collection[str]) -> tuple[str, ...]:
    drawn = {
        name
        for played in state.rounds[: number - 1]
        for draw in _draws(played.draws, division)
        for name in draw.players
    }
    return tuple(name for name in state.players if name in drawn or name in set(active))


def _draws(draws: Mapping[str, Draw], division: str) -> list[Draw]:
    return [draws[division]] if division in draws else []


def _lots(names: Collection[str], seed: int, number: int) -> dict[str, int]:
    lots = list(range(len(names)))
    random.Random(f"{seed} {number}").shuffle(lots)
    return dict(zip(sorted(names), lots, strict=True))
