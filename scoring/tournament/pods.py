"""Tables for three to eight: by standing, with as few repeated meetings as a search finds.

Two tables swap a player as long as that makes it better: first fewer repeated meetings, each
counted by the square of how often they have met, then standing. Where no swap helps and somebody
still meets again, some are swapped by lot and the search goes on; the best is kept. The seed
decides all chances, so the same draw comes out again. Where the rounds of an event are many for its
players, rounds that `scoring.tournament.planes` draws up are taken, each time the one that fits
best.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.tournament.field import Field
from scoring.tournament.plan import SMALLEST_POD, Method
from scoring.tournament.planes import golfers

Table = tuple[str, ...]

WINDOW = 40
"""Places in the order up or down within which large fields look for a swap first."""
_REPEAT = 10**12  # outweighs all of standing
_WORK = 5_000
"""How long a search goes on that finds no way out: tries times the square of the players."""


def pod_sizes(players: int, seats: int) -> list[int]:
    """Players of each table: as many as it seats, or one fewer; none plays alone or in a pair.

    Few players sit at tables somewhat larger than that, where else one would have but two.

    Example:
        >>> pod_sizes(13, 4), pod_sizes(5, 4), pod_sizes(2, 4), pod_sizes(600, 6) == [6] * 100
        ([4, 3, 3, 3], [5], [2], True)
    """
    tables = max(1, -(-players // seats))
    while tables > 1 and players // tables < SMALLEST_POD:
        tables -= 1
    small, larger = divmod(players, tables)
    sizes = [small + 1] * larger + [small] * (tables - larger)
    return sizes if players else []


def pods(field: Field, seats: int, method: Method, seed: int) -> list[Table]:
    """The tables of a round.

    Args:
        field: whom to seat; two or more.
        seats: of a table.
        method: `SWISS` (tables of equals), `BALANCED` (tables alike), `ROUND_ROBIN` (whom they
            have not met, whatever the standing) or `RANDOM`.
        seed: decides all chances.
    """
    rng = random.Random(f"{seed} {field.round} pods")
    sizes = pod_sizes(len(field.order), seats)
    start = _start(len(field.order), sizes, method, rng)
    search = _Search(_places(field), start, balanced=_balance(method))
    drawn = [] if method is Method.RANDOM else _drawn_up(field, sizes)
    if _is_tight(field, sizes) and any(search.repeats(each) == 0 for each in drawn):
        found = min(drawn, key=search.cost)
    else:
        found = min([search.best(rng), *drawn], key=search.cost)
    tables = [tuple(field.order[place] for place in sorted(table)) for table in found]
    return sorted(tables, key=lambda table: field.order.index(table[0]))


def _drawn_up(field: Field, sizes: Sequence[int]) -> list[list[list[int]]]:
    """The rounds of `golfers` from that of this number on, where all who play were there."""
    if set(field.numbers) != set(field.order):
        return []
    places = {name: place for place, name in enumerate(field.order)}
    rounds = golfers(len(field.numbers), len(sizes))
    first = (field.round - 1) % len(rounds)
    return [
        [[places[field.numbers[player]] for player in table] for table in drawn]
        for drawn in [*rounds[first:], *rounds[:first]]
    ]


def _is_tight(field: Field, sizes: Sequence[int]) -> bool:
    """Whether everybody meets a third of all others or more, and all rounds can be drawn up.

    Then tables that seem best now would leave later rounds no way out.
    """
    meetings = field.rounds * (max(sizes) - 1)
    drawn_up = len(golfers(len(field.order), len(sizes)))
    return 3 * meetings >= len(field.order) - 1 and field.rounds <= drawn_up


def _balance(method: Method) -> bool | None:
    """Whether tables are to be alike; None where standing does not count."""
    return {Method.SWISS: False, Method.BALANCED: True}.get(method)


def _start(
    players: int, sizes: Sequence[int], method: Method, rng: random.Random
) -> list[list[int]]:
    order = list(range(players))
    if method is Method.BALANCED:
        return _snake(order, sizes)
    if method is not Method.SWISS:
        rng.shuffle(order)
    places = iter(order)
    return [[next(places) for _ in range(size)] for size in sizes]


def _snake(order: Iterable[int], sizes: Sequence[int]) -> list[list[int]]:
    """There and back over the tables: the first with the last of the next row."""
    tables: list[list[int]] = [[] for _ in sizes]
    forth = True
    places = iter(order)
    while any(len(table) < size for table, size in zip(tables, sizes, strict=True)):
        row = list(zip(tables, sizes, strict=True))
        for table, size in row if forth else reversed(row):
            if len(table) < size:
                table.append(next(places))
        forth = not forth
    return tables


def _places(field: Field) -> list[dict[int, int]]:
    """By place in the order, how often each has met the players of other places."""
    places = {name: place for place, name in enumerate(field.order)}
    return [
        {
            places[other]: times**2
            for other, times in field.meetings.of.get(name, {}).items()
            if other in places
        }
        for name in field.order
    ]


@dataclass(frozen=True)
class _Swap:
    """Two players of different tables change places."""

    gain: int
    one: int
    other: int


class _Search:
    """Improves tables by swaps.

    Args:
        met: by player the squares of how often they met others.
        tables: to begin with.
        balanced: tables are to be alike (True), of equals (False), or standing does not count.
    """

    def __init__(
        self,
        met: Sequence[Mapping[int, int]],
        tables: Sequence[Sequence[int]],
        *,
        balanced: bool | None,
    ) -> None:
        self._met = met
        self._tables = [list(table) for table in tables]
        self._balanced = balanced
        self._mean = (len(met) - 1) / 2
        self._table_of = {
            player: number for number, table in enumerate(self._tables) for player in table
        }

    def best(self, rng: random.Random) -> list[list[int]]:
        """The best tables that were found."""
        self._improve()
        best = [list(table) for table in self._tables]
        for _ in range(_WORK // (len(self._met) * len(self._met)) + 4):
            restless = self._meeting_again()
            if not restless:
                break
            self._kick(restless, rng)
            self._improve()
            best = min(best, [list(table) for table in self._tables], key=self.cost)
        return best

    def cost(self, tables: Sequence[Sequence[int]]) -> int:
        """How bad tables are."""
        return _REPEAT * self.repeats(tables) + sum(map(self._standing, tables))

    def repeats(self, tables: Sequence[Sequence[int]]) -> int:
        """Squares of how often those at one table have met, added up."""
        return sum(
            self._met[one].get(other, 0) for table in tables for one in table for other in table
        )

    def _standing(self, table: Sequence[int]) -> int:
        """How far tables are from what is asked of standing."""
        if self._balanced is None:
            return 0
        total = sum(table)
        if self._balanced:
            return round((total - self._mean * len(table)) ** 2)
        return len(table) * sum(place * place for place in table) - total * total

    def _improve(self) -> None:
        """Swap until no player has a swap that helps; wider where somebody still meets again."""
        windows = [WINDOW, len(self._met)] if len(self._met) > 2 * WINDOW else [len(self._met)]
        for window in windows:
            players: Iterable[int] = range(len(self._met))
            for _ in range(len(self._met)):
                swaps = [self._swapped(player, window) for player in list(players)]
                if not any(swaps):
                    break
                players = (
                    range(len(self._met)) if len(self._met) <= WINDOW else self._meeting_again()
                )
            if not self._meeting_again():
                return

    def _swapped(self, one: int, window: int) -> bool:
        """Whether a player has a swap that helps; the best of them is made."""
        near = range(max(0, one - window), min(len(self._met), one + window + 1))
        swaps = (
            _Swap(self._gain(one, other), one, other)
            for other in near
            if self._table_of[other] != self._table_of[one]
        )
        best = max(swaps, key=lambda swap: (swap.gain, -abs(swap.other - one)), default=None)
        if best is None or best.gain <= 0:
            return False
        self._swap(best.one, best.other)
        return True

    def _gain(self, one: int, other: int) -> int:
        here, there = self._tables[self._table_of[one]], self._tables[self._table_of[other]]
        before = self._known(one, here) + self._known(other, there)
        after = self._known(one, there) + self._known(other, here)
        after -= 2 * self._met[one].get(other, 0)
        gain = 2 * _REPEAT * (before - after)
        if self._balanced is None:
            return gain
        changed = [
            [other if player == one else player for player in here],
            [one if player == other else player for player in there],
        ]
        return gain + sum(map(self._standing, (here, there))) - sum(map(self._standing, changed))

    def _known(self, player: int, table: Sequence[int]) -> int:
        met = self._met[player]
        return sum(met.get(other, 0) for other in table)

    def _swap(self, one: int, other: int) -> None:
        here, there = self._table_of[one], self._table_of[other]
        self._tables[here][self._tables[here].index(one)] = other
        self._tables[there][self._tables[there].index(other)] = one
        self._table_of[one], self._table_of[other] = there, here

    def _meeting_again(self) -> list[int]:
        """Who sits with somebody they have met."""
        return [
            player
            for table in self._tables
            for player in table
            if any(self._met[player].get(other) for other in table)
        ]

    def _kick(self, restless: Sequence[int], rng: random.Random) -> None:
        for one in rng.sample(restless, min(3, len(restless))):
            other = rng.randrange(len(self._met))
            if self._table_of[one] != self._table_of[other]:
                self._swap(one, other)
