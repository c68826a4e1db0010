"""Prizes, and whose lead is safe before the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.tournament.plan import Criterion, Plan, Prize, PrizeKind
from scoring.tournament.standings import Standing, Standings
from scoring.tournament.state import State


@dataclass(frozen=True)
class Award:
    """A prize and who gets it.

    Attributes:
        prize: the prize.
        winners: players, or the team; several share.
        share: what each of them gets of the amount: those who share places share the amounts of
            all these places.
        why: a few words, such as ``"rank 1 with 12 points"``.
    """

    prize: Prize
    winners: tuple[str, ...]
    share: Fraction
    why: str


@dataclass(frozen=True)
class _Ranked:
    """Somebody who may get a prize, and the rank among those who may."""

    name: str
    rank: int


def awards(standings: Standings) -> tuple[Award, ...]:
    """The prizes of the plan as the standings give them; one that nobody can get has no winner."""
    plan = standings.plan
    if not standings.rounds:
        return tuple(Award(prize, (), Fraction(), "nothing was played") for prize in plan.prizes)
    return tuple(_award(prize, _field_of(standings, prize), plan.prizes) for prize in plan.prizes)


def safe(plan: Plan, standings: Sequence[Standing], remaining: int) -> tuple[str, ...]:
    """Who is sure to be first, then second and so on, whatever happens (Gibson's rule).

    A lead is safe where it is of more wins than there are rounds to come. By points none is.

    Args:
        plan: what was agreed on.
        standings: of a division, best first.
        remaining: rounds to come.
    """
    if not plan.by_wins or remaining < 1:
        return ()
    wins = [_wins(each) for each in standings]
    sure: list[str] = []
    for place, standing in enumerate(standings[:-1]):
        if wins[place] - wins[place + 1] <= remaining:
            break
        sure.append(standing.name)
    return tuple(sure)


def contenders(
    plan: Plan, standings: Sequence[Standing], remaining: int, division: str
) -> frozenset[str]:
    """Who can still come to a place that has a prize; everybody where nothing can be told."""
    places = [
        prize.place
        for prize in plan.prizes
        if prize.kind is PrizeKind.PLACE and prize.division in {None, division}
    ]
    last = min(max(places, default=1), len(standings))
    if not plan.by_wins or not last:
        return frozenset(each.name for each in standings)
    needed = _wins(standings[last - 1]) - remaining
    return frozenset(each.name for each in standings if _wins(each) >= needed)


def _wins(standing: Standing) -> Fraction:
    wins = standing.values[Criterion.WINS]
    return wins if isinstance(wins, Fraction) else Fraction()


def _award(prize: Prize, field: Sequence[_Ranked], prizes: Iterable[Prize]) -> Award:
    """Who has the place, or shares a rank that reaches over it."""
    winners = [
        each
        for each in field
        if each.rank <= prize.place < each.rank + sum(e.rank == each.rank for e in field)
    ]
    if not winners:
        return Award(prize, (), Fraction(), "nobody has this place")
    first, last = winners[0].rank, winners[0].rank + len(winners) - 1
    alike = [each for each in prizes if _same_list(each, prize) and first <= each.place <= last]
    share = Fraction(sum(each.amount for each in alike), len(winners))
    shared = f", shared by {len(winners)}" if len(winners) > 1 else ""
    names = tuple(each.name for each in winners)
    return Award(prize, names, share, f"{_of(prize)}rank {first}{shared}")


def _same_list(one: Prize, other: Prize) -> bool:
    return (one.kind, one.division, one.below) == (other.kind, other.division, other.below)


def _of(prize: Prize) -> str:
    below = "" if prize.below is None else f"rated below {prize.below}, "
    return {PrizeKind.TEAM: "teams, ", PrizeKind.BOARD: "points on a board, "}.get(
        prize.kind, below
    )


def _field_of(standings: Standings, prize: Prize) -> list[_Ranked]:
    if prize.kind is PrizeKind.TEAM:
        return [_Ranked(team.name, team.rank) for team in standings.teams()]
    if prize.kind is PrizeKind.BOARD:
        return _best_boards(standings, prize)
    return _reranked(
        [
            (standing.name, standing.rank)
            for standing in standings.of(prize.division)
            if _may_have(standings.state, prize, standing.name)
        ]
    )


def _best_boards(standings: Standings, prize: Prize) -> list[_Ranked]:
    best = {
        name: max((points for line in lines for points in line.boards if points), default=0)
        for name, lines in standings.lines.items()
        if _may_have(standings.state, prize, name)
        and prize.division in {None, standings.state.players[name].division}
    }
    order = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return _reranked([(name, points) for name, points in order if points])


def _may_have(state: State, prize: Prize, name: str) -> bool:
    """Whether a player is one of those whom a prize is for; whose rating is not known is not."""
    return prize.below is None or 0 < state.players[name].rating < prize.below


def _reranked(order: Sequence[tuple[str, object]]) -> list[_Ranked]:
    ranked: list[_Ranked] = []
    for place, (name, value) in enumerate(order, 1):
        ties = place > 1 and order[place - 2][1] == value
        ranked.append(_Ranked(name, ranked[-1].rank if ties else place))
    return ranked
