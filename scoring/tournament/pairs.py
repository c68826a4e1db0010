"""Tables for two: Swiss by matching, Berger's round robin, king of the hill, by lot.

A matching of greatest weight finds the opponents: a graph whose edges are pairs that have not met,
weighted by how well they fit. Only where it leaves somebody out may players meet again. With an odd
number one more is drawn, who stands for the bye: whoever has had one does not get another before
all others have, as far as it can be helped.

Two who have met are no edge, so each has at least ``n - 1 - k`` edges in round ``k + 1``. Up to
round ``n / 2`` that are half of all, and by Dirac's theorem there is a perfect matching: nobody
meets twice. Beyond that an early round could spoil a later one; there the rounds of Berger's tables
are taken, each time the one that fits best, and nobody meets twice up to the last.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from scoring.tournament.field import Field

Table = tuple[str, ...]
Cost = Callable[[int, int], int]
"""How badly two fit, by their places in the order; the bye has the last place."""

WHOLE = 80
"""Players of whom all pairs are looked at; of more those that fit best."""
NEAR = 16
"""Pairs of each player that are looked at first where there are more."""
_LEVEL = 10_000  # a difference of half a win outweighs any distance within a group
_KEPT_APART = 10**9  # of one whose place is safe, and one who can still get a prize
_REPEAT = 10**12


def swiss(field: Field) -> list[Table]:
    """Equals meet; within a group of equals its upper half meets its lower half.

    A player whose place is safe meets, of those who can get no prize any more, the best.
    """
    cost = _swiss_cost(field)
    berger = _from_berger(field, cost)
    return _named(field, berger if berger is not None else _matched(field, cost))


def by_lot(field: Field, seed: int) -> list[Table]:
    """By chance, and nobody meets twice where that can be helped: neighbours in a shuffled line."""
    line = list(range(_even(field)))
    random.Random(f"{seed} {field.round} pairs").shuffle(line)

    def cost(one: int, other: int) -> int:
        return (line[one] - line[other]) ** 2

    berger = _from_berger(field, cost)
    return _named(field, berger if berger is not None else _matched(field, cost))


def king_of_the_hill(field: Field) -> list[Table]:
    """The first meets the second, the third the fourth, whoever has met; see `swiss` for the safe.

    With an odd number whoever had fewest byes has one, the lowest of them.
    """
    order = list(field.order)
    tables: list[Table] = []
    if len(order) % 2:
        lowest = min(reversed(order), key=lambda name: field.meetings.byes.get(name, 0))
        order.remove(lowest)
        tables.append((lowest,))
    sure = [name for name in order if name in field.safe]
    beaten = [name for name in order if name not in field.contenders]
    if len(sure) % 2 and beaten:  # else the safe ones meet each other
        tables.append((sure[-1], beaten[0]))
        order = [name for name in order if name not in tables[-1]]
    tables += [(order[place], order[place + 1]) for place in range(0, len(order), 2)]
    return sorted(tables, key=lambda table: (len(table) == 1, field.order.index(table[0])))


def round_robin(field: Field) -> list[Table]:
    """The next round of Berger's tables; where players came late, that with the fewest repeats.

    Whose opponent has left has a bye.
    """
    present = set(field.order)
    rounds = berger(field.numbers)
    first = (field.round - 1) % len(rounds) if rounds else 0
    drawn = (
        [table for table in (tuple(n for n in t if n in present) for t in each) if table]
        for each in [*rounds[first:], *rounds[:first]]
    )
    return min(drawn, key=lambda tables: len(field.meetings.repeats(tables)), default=[])


def berger(numbers: Sequence[str]) -> list[list[Table]]:
    """The rounds of a round robin as Berger's tables have them.

    Players i and j below the last of n meet in the round r for which i + j ≡ r + 1 modulo n - 1;
    the last meets whoever would meet themselves. With an odd number the last is the bye.

    Args:
        numbers: the players, first to last.

    Example:
        >>> berger(["a", "b", "c", "d"])[1]
        [('c', 'd'), ('a', 'b')]
        >>> [table for table in berger(["a", "b", "c"])[0] if len(table) == 1]
        [('a',)]
    """
    size = len(numbers) + len(numbers) % 2
    return [
        [tuple(numbers[n] for n in pair if n < len(numbers)) for pair in _berger_round(size, r)]
        for r in range(1, size)
    ]


def _berger_round(size: int, number: int) -> list[tuple[int, ...]]:
    """The pairs of a round, counted from 0; the pair of the last comes first."""
    pairs: list[tuple[int, ...]] = []
    for one in range(1, size):
        other = (number + 1 - one) % (size - 1) or size - 1
        if one == other:
            pairs.insert(0, (one - 1, size - 1))
        elif one < other:
            pairs.append((one - 1, other - 1))
    return pairs


def _swiss_cost(field: Field) -> Cost:
    levels = _levels(field)
    groups = {level: levels.count(level) for level in set(levels)}
    bye = len(field.order)

    def cost(one: int, other: int) -> int:
        upper, lower = min(one, other), max(one, other)
        if lower == bye:
            return _LEVEL * (levels[upper] - levels[-1]) ** 2 + bye - upper
        gap = levels[upper] - levels[lower]
        apart = 0 if gap else abs(lower - upper - groups[levels[upper]] // 2)
        return _LEVEL * gap**2 + (lower - upper if gap else apart) + _unsafe(field, upper, lower)

    return cost


def _levels(field: Field) -> list[int]:
    """Half wins; where points come first, everybody is a level of their own."""
    if field.by_wins:
        return [int(2 * field.wins[name]) for name in field.order]
    return list(range(len(field.order), 0, -1))


def _unsafe(field: Field, upper: int, lower: int) -> int:
    names = {field.order[upper], field.order[lower]}
    if names.isdisjoint(field.safe) or names <= field.safe:
        return 0
    (other,) = names - field.safe
    return _KEPT_APART if other in field.contenders else 0


def _matched(field: Field, cost: Cost) -> list[tuple[int, int]]:
    """The pairs of least cost: of those who have not met where all can be seated so."""
    size, reach = _even(field), NEAR
    while True:
        near = size if size <= WHOLE or reach * 2 >= size else reach
        pairs = _matching(size, _edges(field, cost, near))
        if pairs is not None:
            return pairs
        if near == size:
            return _matching(size, _all_edges(field, cost)) or []
        reach *= 2


def _edges(field: Field, cost: Cost, near: int) -> Iterator[tuple[int, int, int]]:
    """Pairs that have not met, of each player those that fit best."""
    size = _even(field)
    found: set[tuple[int, int]] = set()
    for one in range(size):
        fresh = [other for other in range(size) if other != one and not _met(field, one, other)]
        if near < size:
            fresh = sorted(fresh, key=lambda other: cost(one, other))[:near]
        found.update((min(one, other), max(one, other)) for other in fresh)
    for one, other in sorted(found):
        yield one, other, cost(one, other)


def _all_edges(field: Field, cost: Cost) -> Iterator[tuple[int, int, int]]:
    size = _even(field)
    for one in range(size):
        for other in range(one + 1, size):
            met = _met(field, one, other)
            yield one, other, cost(one, other) + _REPEAT * met**2


def _matching(size: int, edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """The perfect matching of least cost; None where there is none."""
    from networkx import Graph, max_weight_matching  # noqa: PLC0415 - a tenth of a second

    costs = list(edges)
    dearest = max((cost for _, _, cost in costs), default=0)
    graph = Graph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from((one, other, dearest - cost) for one, other, cost in costs)
    pairs = max_weight_matching(graph, maxcardinality=True)
    if 2 * len(pairs) < size:
        return None
    return sorted((min(pair), max(pair)) for pair in pairs)


def _from_berger(field: Field, cost: Cost) -> list[tuple[int, int]] | None:
    """The best round of Berger's tables in which nobody meets again.

    Only where rounds are so many that a matching could spoil a later one, and all are still there.
    """
    size = _even(field)
    if 2 * field.rounds <= size or set(field.numbers) != set(field.order):
        return None
    places = {name: place for place, name in enumerate(field.order)}
    rounds = [
        [tuple(sorted([*(places[name] for name in table), size - 1][:2])) for table in each]
        for each in berger(field.numbers)
    ]
    fresh = [
        [(one, other) for one, other in pairs]
        for pairs in rounds
        if not any(_met(field, one, other) for one, other in pairs)
    ]
    return min(fresh, key=lambda pairs: sum(cost(*pair) for pair in pairs), default=None)


def _met(field: Field, one: int, other: int) -> int:
    bye = len(field.order)
    if bye in {one, other}:
        return field.meetings.byes.get(field.order[min(one, other)], 0)
    return field.meetings.between(field.order[one], field.order[other])


def _even(field: Field) -> int:
    return len(field.order) + len(field.order) % 2


def _named(field: Field, pairs: Sequence[tuple[int, int]]) -> list[Table]:
    """Tables in the order of their best players; that of the bye last, with one player."""
    tables = [tuple(field.order[n] for n in pair if n < len(field.order)) for pair in sorted(pairs)]
    return sorted(tables, key=lambda table: len(table) == 1)
