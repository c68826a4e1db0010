"""Ranks, and each of them explained: what every round gave, and what decided between equals.

* Of a table each player beats those with fewer points: wins are the share of the others that were
  beaten, a tie counting half. For two it is a win, half a win or none.
* Spread is the player's points less the mean of the others', within the cap of the plan.
* Strength is the sum of the mean wins of the others at each table.
* Long words are compared longest first: how many letters, then the next word, and so on down.

Everything is counted in whole numbers and fractions, never rounded before it is shown. Who is equal
in all criteria shares a rank.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from scoring.tournament.plan import Criterion, Plan
from scoring.tournament.state import Adjustment, Round, State

HALF = Fraction(1, 2)

Value = Fraction | tuple[int, ...]
"""Of a criterion; the greater is the better."""


@dataclass(frozen=True)
class Line:
    """What a round gave a player.

    Attributes:
        round: its number.
        table: its number; 0 with a bye, -1 where they did not play.
        opponents: the others at the table.
        boards: points of each board; None where there is no score.
        adjustments: points given and taken by the referee.
        points: the sum of both.
        wins: 0 to 1.
        margin: points of spread before the cap.
        spread: and after it.
        lengths: letters of the scoring words, longest first.
    """

    round: int
    table: int
    opponents: tuple[str, ...]
    boards: tuple[int | None, ...]
    adjustments: tuple[Adjustment, ...]
    points: int
    wins: Fraction
    margin: Fraction
    spread: Fraction
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """Where a player stands.

    Attributes:
        name: the player.
        rank: from 1; several may share one.
        values: by criterion, in the order in which they decide.
        lines: round by round.
        strengths: of the others at each table, by round: the terms of ``strength``.
    """

    name: str
    rank: int
    values: Mapping[Criterion, Value]
    lines: tuple[Line, ...]
    strengths: Mapping[int, Fraction]


@dataclass(frozen=True)
class TeamStanding:
    """Where a team stands.

    Attributes:
        name: the team.
        rank: from 1; several may share one.
        values: sums over those who count, by criterion.
        counted: the players who count, best first.
        others: the rest.
    """

    name: str
    rank: int
    values: Mapping[Criterion, Value]
    counted: tuple[str, ...]
    others: tuple[str, ...]


BYE, AWAY = 0, -1
"""In place of the number of a table."""


@dataclass(frozen=True)
class Standings:
    """The ranks after the rounds of a state.

    Attributes:
        plan: what was agreed on.
        state: the players and rounds.
        upto: the last round that counts; None is all.
    """

    plan: Plan
    state: State
    upto: int | None = None

    def of(self, division: str | None = None) -> tuple[Standing, ...]:
        """The players of a division, or all, best first; by name where they share a rank."""
        players = self.state.players.values()
        names = [player.name for player in players if division in {None, player.division}]
        values = {name: self._values(name) for name in names}
        order = sorted(names, key=lambda name: (_reversed(values[name]), name))
        ranks = _ranks(order, values)
        return tuple(
            Standing(
                name, ranks[name], values[name], self.lines[name], self._strengths(name)
            )
            for name in order
        )  # fmt: skip

    def teams(self) -> tuple[TeamStanding, ...]:
        """The teams of all divisions, best first; players count in the order of their values."""
        members: dict[str, list[str]] = {}
        for player in self.state.players.values():
            if player.team:
                members.setdefault(player.team, []).append(player.name)
        counted = {team: self._counted(names) for team, names in members.items()}
        values = {team: self._sum(names) for team, names in counted.items()}
        order = sorted(members, key=lambda team: (_reversed(values[team]), team))
        ranks = _ranks(order, values)
        return tuple(
            TeamStanding(
                team,
                ranks[team],
                values[team],
                counted[team],
                tuple(name for name in members[team] if name not in counted[team]),
            )
            for team in order
        )

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Those that count: with a score, or begun where nobody sits at a table."""
        played = self.state.rounds if self.upto is None else self.state.rounds[: self.upto]
        return tuple(each for each in played if each.scores or (each.started and not each.tables))

    @cached_property
    def lines(self) -> Mapping[str, tuple[Line, ...]]:
        """What each round gave each player."""
        lines: dict[str, list[Line]] = {name: [] for name in self.state.players}
        for played in self.rounds:
            for line in self._lines(played):
                lines[line[0]].append(line[1])
        return {name: tuple(found) for name, found in lines.items()}

    @cached_property
    def wins(self) -> Mapping[str, Fraction]:
        """The wins of each player."""
        return {
            name: sum((line.wins for line in lines), Fraction())
            for name, lines in self.lines.items()
        }

    def _lines(self, played: Round) -> Iterable[tuple[str, Line]]:
        seated = set(played.table_of)
        made = {name: self._points(played, name) for name in seated}
        for number, table in played.tables.items():
            contest = _Contest(made[name] for name in table)
            for name in table:
                others = tuple(other for other in table if other != name)
                yield name, self._seated(played, number, name, others, contest)
        for name, player in self.state.players.items():
            if name in played.byes:
                yield name, self._bye(played, name, made)
            elif name not in seated and player.since <= played.number:
                yield name, self._line(played, name, AWAY)

    def _seated(
        self, played: Round, table: int, name: str, others: tuple[str, ...], contest: _Contest
    ) -> Line:
        made = self._points(played, name)
        if not any((board, table) in played.scores for board in range(1, self.plan.boards + 1)):
            return self._line(played, name, table, others)
        gain = _Gain(contest.wins(made), contest.margin(made))
        return self._line(played, name, table, others, gain)

    def _bye(self, played: Round, name: str, made: Mapping[str, int]) -> Line:
        bye = self.plan.bye
        division = self.state.players[name].division
        points = [made[other] for other in made if self.state.players[other].division == division]
        mean = sum(points) // len(points) if points else 0
        given = mean if bye.points is None else bye.points
        gain = _Gain(Fraction(bye.wins, 2), Fraction(bye.spread), given)
        return self._line(played, name, BYE, gain=gain)

    def _line(
        self,
        played: Round,
        name: str,
        table: int,
        others: tuple[str, ...] = (),
        gain: _Gain | None = None,
    ) -> Line:
        gain = gain or _Gain()
        scores = [
            played.scores.get((board, table), {}).get(name)
            for board in range(1, self.plan.boards + 1)
        ]
        cap = self.plan.spread_cap
        spread = (
            gain.margin if cap is None else max(Fraction(-cap), min(Fraction(cap), gain.margin))
        )
        lengths = sorted((n for score in scores if score for n in score.lengths), reverse=True)
        return Line(
            played.number,
            table,
            others,
            tuple(score.points if score else None for score in scores),
            tuple(each for each in played.adjustments if each.player == name),
            self._points(played, name) + gain.points,
            gain.wins,
            gain.margin,
            spread,
            tuple(lengths),
        )

    def _points(self, played: Round, name: str) -> int:
        table = played.table_of.get(name, AWAY)
        scores = [
            played.scores.get((board, table), {}).get(name)
            for board in range(1, self.plan.boards + 1)
        ]
        given = sum(each.points for each in played.adjustments if each.player == name)
        return given + sum(score.points for score in scores if score)

    def _strengths(self, name: str) -> Mapping[int, Fraction]:
        """Mean wins of the others at each table: those of all less the own, shared by the rest."""
        return {
            line.round: (self._wins_at[line.round, line.table] - self.wins[name])
            / len(line.opponents)
            for line in self.lines[name]
            if line.opponents
        }

    @cached_property
    def _wins_at(self) -> Mapping[tuple[int, int], Fraction]:
        return {
            (played.number, number): _sum(self.wins[name] for name in table)
            for played in self.rounds
            for number, table in played.tables.items()
        }

    def _values(self, name: str) -> dict[Criterion, Value]:
        return {each: self._value_of[each](name) for each in self.plan.ranking}

    @cached_property
    def _value_of(self) -> Mapping[Criterion, Callable[[str], Value]]:
        return {
            Criterion.WINS: lambda name: self.wins[name],
            Criterion.SPREAD: lambda name: _sum(line.spread for line in self.lines[name]),
            Criterion.POINTS: lambda name: _sum(Fraction(line.points) for line in self.lines[name]),
            Criterion.STRENGTH: lambda name: _sum(self._strengths(name).values()),
            Criterion.LONG_WORDS: self._lengths,
        }

    def _lengths(self, name: str) -> tuple[int, ...]:
        lengths = (length for line in self.lines[name] for length in line.lengths)
        return tuple(sorted(lengths, reverse=True))

    def _counted(self, names: Sequence[str]) -> tuple[str, ...]:
        best = sorted(names, key=lambda name: (_reversed(self._values(name)), name))
        return tuple(best if self.plan.counted is None else best[: self.plan.counted])

    def _sum(self, names: Sequence[str]) -> dict[Criterion, Value]:
        values = [self._values(name) for name in names]
        return {each: _added([value[each] for value in values]) for each in self.plan.ranking}


@dataclass(frozen=True)
class _Gain:
    """What a round gives besides the points of its boards."""

    wins: Fraction = Fraction()
    margin: Fraction = Fraction()
    points: int = 0


class _Contest:
    """The points of a table, sorted: who beats how many of the others."""

    def __init__(self, made: Iterable[int]) -> None:
        self._made = sorted(made)
        self._sum = sum(self._made)

    def wins(self, points: int) -> Fraction:
        """The share of the others with fewer points; a tie counts half."""
        below = bisect_left(self._made, points)
        ties = bisect_right(self._made, points) - below - 1
        return (below + HALF * ties) / (len(self._made) - 1)

    def margin(self, points: int) -> Fraction:
        """The points less the mean of the others'."""
        return points - Fraction(self._sum - points, len(self._made) - 1)


def _sum(values: Iterable[Fraction]) -> Fraction:
    return sum(values, Fraction())


def _added(values: Sequence[Value]) -> Value:
    lengths = [value for value in values if isinstance(value, tuple)]
    if lengths:
        return tuple(sorted((n for each in lengths for n in each), reverse=True))
    return _sum(value for value in values if isinstance(value, Fraction))


def _reversed(values: Mapping[Criterion, Value]) -> tuple[object, ...]:
    """A key that sorts the best first."""
    return tuple(_negative(value) for value in values.values())


def _negative(value: Value) -> object:
    if isinstance(value, tuple):
        return (*(-length for length in value), 1)  # more words come before fewer
    return -value


def _ranks(order: Sequence[str], values: Mapping[str, object]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for place, name in enumerate(order, 1):
        before = order[place - 2] if place > 1 else None
        ties = before is not None and values[before] == values[name]
        ranks[name] = ranks[before] if ties and before is not None else place
    return ranks
