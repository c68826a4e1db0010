"""Whole events by chance: for rehearsals, and to compare how well methods find the strongest.

Everything goes the way of a real event: drawn, promised, shown, lists judged by the referee, scores
into the log. Only the players are made up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from scoring.board import Board
from scoring.cubes import CubeSet
from scoring.lexicon import Lexicon
from scoring.match import Event
from scoring.rules import fitted
from scoring.solver import solve
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.field import meetings_before
from scoring.tournament.finding import Finder
from scoring.tournament.judging import Judge
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from scoring.tournament.standings import Standings
from scoring.tournament.state import ROOM

ROUND_S, BOARD_S = 1800.0, 300.0
"""Made-up seconds between rounds, and between boards."""


@dataclass(frozen=True)
class Troubles:
    """What goes wrong in a hall, each by its probability.

    Attributes:
        leaving: a player leaves between two rounds.
        absent: a player misses a round.
        misread: a list is corrected after it was scored.
    """

    leaving: float = 0.0
    absent: float = 0.0
    misread: float = 0.0


@dataclass(frozen=True)
class Hall:
    """Simulates events.

    Attributes:
        lexicon: the word list.
        finder: how players find words.
        cubes: what is shaken.
        troubles: what goes wrong.
    """

    lexicon: Lexicon
    finder: Finder
    cubes: CubeSet
    troubles: Troubles = Troubles()

    def play(self, plan: Plan, strengths: Mapping[str, float], seed: int) -> Log:
        """A whole event.

        Args:
            plan: what was agreed on; its word list is that of the hall.
            strengths: of the players, 0 for average ones.
            seed: of all chances but the draws, which the plan has.
        """
        rng = random.Random(seed)
        log = Log.new(plan).play(0.0, *({"type": "enrol", "player": name} for name in strengths))
        for number in range(1, plan.rounds + 1):
            log = self._round(log, number, strengths, rng)
        return log

    def _round(
        self, log: Log, number: int, strengths: Mapping[str, float], rng: random.Random
    ) -> Log:
        start = ROUND_S * number
        if number > 1:
            log = log.play(start, *self._leavers(log, rng))
        here = log.state.active(log.plan.divisions[0])
        absent = [name for name in here if rng.random() < self.troubles.absent]
        drawn = draw(log.plan, log.state, log.plan.divisions[0], absent=absent[: len(here) - 2])
        log = log.play(start, draw_event(number, drawn))
        for board in range(1, log.plan.boards + 1):
            log = self._board(log, board, strengths, rng)
        return log

    def _board(
        self, log: Log, board: int, strengths: Mapping[str, float], rng: random.Random
    ) -> Log:
        number = len(log.state.rounds)
        at = ROUND_S * number + BOARD_S * board
        judge = Judge(log.plan, self.lexicon)
        shaken = self.cubes.roll(rng)
        log = log.play(at, *_promised(log.plan.name, number, board, shaken, rng))
        log = log.play(at, *self._lists(log, board, shaken, strengths, rng))
        log = log.play(at, *judge.events(log.state.rounds[-1], board))
        mended = list(self._misread(log, board, rng))
        if mended:
            log = log.play(at, *mended)
            log = log.play(at, *judge.events(log.state.rounds[-1], board, _WHY))
        return log

    def _lists(
        self,
        log: Log,
        board: int,
        shaken: Board,
        strengths: Mapping[str, float],
        rng: random.Random,
    ) -> Iterator[Event]:
        words = solve(shaken, self.lexicon, fitted(log.plan.game, shaken)).words
        eases = {found.word: self.finder.ease(found.word) for found in words}
        played = log.state.rounds[-1]
        for table, players in played.tables.items():
            lists = {name: self.finder.found(eases, strengths[name], rng) for name in players}
            place = {"round": played.number, "board": board, "table": table}
            yield {"type": "lists", **place, "lists": lists}

    def _misread(self, log: Log, board: int, rng: random.Random) -> Iterator[Event]:
        """Lists of which the last word turns out to be crossed out."""
        played = log.state.rounds[-1]
        for (number, table), lists in played.lists.items():
            for name, lines in lists.items():
                if number == board and lines and rng.random() < self.troubles.misread:
                    place = {"round": played.number, "board": board, "table": table}
                    yield {
                        "type": "lists", **place, "lists": {name: list(lines[:-1])}, "why": _WHY,
                    }  # fmt: skip

    def _leavers(self, log: Log, rng: random.Random) -> list[Event]:
        active = log.state.active(log.plan.divisions[0])
        leaving = [name for name in active if rng.random() < self.troubles.leaving]
        return [{"type": "withdraw", "player": name} for name in leaving[: len(active) - 2]]


_WHY = "misread"


@dataclass(frozen=True)
class Comparison:
    """How well events of a method found the strongest.

    Attributes:
        name: of the method.
        correlations: Spearman's, of final ranks with true strengths, an event each.
        repeats: meetings that were repeated, of all meetings, 0 to 1.
    """

    name: str
    correlations: tuple[float, ...]
    repeats: float

    @property
    def mean(self) -> float:
        """The mean of the correlations."""
        return sum(self.correlations) / len(self.correlations)

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 of a single event."""
        count = len(self.correlations)
        if count < 2:
            return 0.0
        squares = sum((each - self.mean) ** 2 for each in self.correlations)
        return sqrt(squares / (count - 1) / count)


def compare(
    hall: Hall,
    plan: Plan,
    *,
    players: int,
    events: int,
    seed: int,
    tell: Callable[[], None] = lambda: None,
) -> Comparison:
    """Play events of a plan, each with other players.

    Args:
        hall: simulates.
        plan: what is agreed on.
        players: how many.
        events: how many, one or more.
        seed: the same players and boards for the same seed, whatever the plan's method.
        tell: is called after each event.
    """
    correlations, again, meetings = [], 0, 0
    for number in range(events):
        strengths = strengths_of(players, seed + number)
        log = hall.play(plan, strengths, seed + number)
        correlations.append(agreement(log, strengths))
        counts = list(_meetings(log))
        again += sum(count - 1 for count in counts)
        meetings += sum(counts)
        tell()
    return Comparison(str(plan.method), tuple(correlations), again / max(1, meetings))


def strengths_of(players: int, seed: int) -> dict[str, float]:
    """Made-up players and their strengths, normally distributed."""
    rng = random.Random(f"{seed} players")
    return {f"player {number}": rng.gauss(0.0, 1.0) for number in range(1, players + 1)}


def agreement(log: Log, strengths: Mapping[str, float]) -> float:
    """Spearman's correlation of the final ranks with true strengths, of those who stayed."""
    ranked = Standings(log.plan, log.state).of()
    stayed = set(log.state.active(log.plan.divisions[0]))
    kept = [each for each in ranked if each.name in stayed]
    return spearman([-float(each.rank) for each in kept], [strengths[each.name] for each in kept])


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The correlation of the ranks of two series, ties in the middle; 0 where one is constant.

    Example:
        >>> spearman([1, 2, 3], [10, 20, 90]), spearman([1, 2], [2, 1]), spearman([1, 1], [1, 2])
        (1.0, -1.0, 0.0)
    """
    one, other = _middle_ranks(xs), _middle_ranks(ys)
    mean = (len(xs) + 1) / 2
    products = sum((a - mean) * (b - mean) for a, b in zip(one, other, strict=True))
    spreads = [sum((rank - mean) ** 2 for rank in ranks) for ranks in (one, other)]
    return products / sqrt(spreads[0] * spreads[1]) if all(spreads) else 0.0


def _middle_ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered, 1)))}
    return [first[value] + (ordered.count(value) - 1) / 2 for value in values]


def _meetings(log: Log) -> Iterator[int]:
    """How often each two who met have met."""
    met = meetings_before(log.state, len(log.state.rounds) + 1).of
    for one, others in met.items():
        yield from (times for other, times in others.items() if one < other)


def _promised(name: str, number: int, board: int, shaken: Board, rng: random.Random) -> list[Event]:
    salt = f"{rng.getrandbits(128):032x}"
    place = {"round": number, "board": board, "table": ROOM}
    digest = commitment(BoardPlace(name, number, board, ROOM), str(shaken), salt)
    return [
        {"type": "commit", **place, "hash": digest},
        {"type": "board", **place, "shown": str(shaken), "salt": salt},
    ]
