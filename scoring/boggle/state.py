"""Where a match of Boggle stands: its rounds, and what each side has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.board import Board
from scoring.referee import RoundResult
from scoring.rules.game import Game
from scoring.wordlist import Entry, parse_word_list


@dataclass(frozen=True)
class Challenge:
    """A word called into question.

    Attributes:
        word: as the word list folds it.
        of: on whose list it stands.
        by: who challenges it; None is the referee, who rejects it.
        upheld: whether it comes off.
    """

    word: str
    of: str
    by: str | None
    upheld: bool


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes:
        number: from 1.
        board: its board.
        game: the rules, as they are on this board.
        deadline: when the sand has run through, in seconds on the clock of the events; None until
            the timer is turned.
        last_chance: who declared it, in Boggle Ultimate.
        agreed: who agreed to end the writing, in Boggle Ultimate.
        lines: each player's list so far, a word a line; of those who have written or handed in.
        handed_in: whose list is complete.
        read: who has read aloud, in order.
        challenges: in order; what the referee rejected as well.
        result: once the round is ended.
    """

    number: int
    board: Board
    game: Game
    deadline: float | None = None
    last_chance: str | None = None
    agreed: tuple[str, ...] = ()
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    handed_in: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    result: RoundResult | None = None

    def entries(self, player: str) -> tuple[Entry, ...]:
        """A player's list as the referee takes it."""
        return parse_word_list("\n".join(self.lines.get(player, ())))

    @property
    def challenged(self) -> frozenset[str]:
        """Words that players challenged."""
        return frozenset(each.word for each in self.challenges if each.by is not None)

    @property
    def rejected(self) -> frozenset[str]:
        """Words that the referee rejected."""
        return frozenset(each.word for each in self.challenges if each.by is None)


@dataclass(frozen=True)
class Standing:
    """What a side has after the rounds that are ended.

    Attributes:
        name: of the team or player.
        members: its players.
        points: by round.
        lengths: letters of its scoring words of all rounds, longest first.
    """

    name: str
    members: tuple[str, ...]
    points: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """Points of all rounds."""
        return sum(self.points)


@dataclass(frozen=True)
class State:
    """A match so far.

    Attributes:
        rounds: the rounds, of which all but the last are ended.
        standings: of the sides, in the order of the table.
        winners: once the match is over; several where even the tie-break is equal, none where
            nobody has any points.
        over: whether it is.
    """

    rounds: tuple[Round, ...]
    standings: tuple[Standing, ...]
    winners: tuple[str, ...] = ()
    over: bool = False

    @property
    def open_round(self) -> Round | None:
        """The round being played; None between two."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].result is None else None
