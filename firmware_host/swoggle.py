"""Swoggle at the station: matches that are kept, dice from whoever throws them, all legal moves."""

from __future__ import annotations

import errno
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from firmware_host import lexicons, matches, solo_scores
from firmware_host.files import read_given
from firmware_host.matches import OpenMatch
from firmware_host.solo_scores import SoloScore
from scoring.match import Match, MatchError, RuleError, Setup
from scoring.swoggle.board import Layout, LayoutError, builtin_layout
from scoring.swoggle.game import NAME, Swoggle
from scoring.swoggle.moves import Moves, WordIndex, find_moves
from scoring.swoggle.plan import Variant
from scoring.swoggle.rules import PIPS
from scoring.swoggle.state import Entry, State

WORTH_IN_FOURS = 4
"""Points for each throw that a bonus square would take: orange 4, yellow 8, red 12."""

NO_WRITING = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
"""Errors of a folder that may be looked at alone."""

LARGEST_BOARD = 100_000
"""Bytes of a board's file at most."""

SwoggleMatch = Match[State]


class Dice(Protocol):
    """Whoever throws the die: the players, the program, or a shaker that the camera reads."""

    @property
    def thrown_by(self) -> str:
        """One of `scoring.swoggle.game.THROWN_BY`."""

    def throw(self, count: int) -> list[int]:
        """What so many throws showed, in order.

        Raises:
            DeviceError: a shaker or camera failed.
        """


@dataclass(frozen=True)
class GivenDice:
    """Throws of the players, as they typed them."""

    thrown: Sequence[int]
    thrown_by: str = "player"

    def throw(self, count: int) -> list[int]:  # noqa: ARG002 - the rules compare their number
        """All of them; whether they are as many as needed is for the rules to say."""
        return list(self.thrown)


@dataclass(frozen=True)
class ProgramDice:
    """Throws of the program."""

    rng: random.Random
    thrown_by: str = "program"

    def throw(self, count: int) -> list[int]:
        """As of `Dice.throw`."""
        return [self.rng.choice(PIPS) for _ in range(count)]

    def throw_off(self, players: int) -> list[list[int]]:
        """Throws for the start: of each player, then of those who tie, until one is highest."""
        rounds = []
        while players > 1:
            thrown = self.throw(players)
            rounds.append(thrown)
            players = thrown.count(max(thrown))
        return rounds


def rules_of(match: SwoggleMatch) -> Swoggle:
    """The rules of a match.

    Raises:
        MatchError: it is a match of another game.
    """
    if not isinstance(match.rules, Swoggle):
        raise MatchError(f"this is a match of {match.rules.name}, not of Swoggle", "Give another.")
    return match.rules


def open_rules(name: str, setup: Setup) -> Swoggle:
    """The rules of a stored match, as `scoring.match.Opener`.

    Raises:
        MatchError: another game, or a damaged setup.
        LexiconError: its word list is not there any more.
    """
    if name != NAME:
        raise MatchError(f"this is a match of {name!r}, not of Swoggle", "Give another match.")
    try:
        return Swoggle.from_setup(setup, lexicons.load)
    except (RuleError, LayoutError) as error:
        raise MatchError(f"the setup of the match is damaged: {error}", error.advice) from error
    except UnicodeEncodeError as error:
        raise MatchError(
            "the setup of the match is damaged: no word list can have such a name", "Mend it."
        ) from error


def find_layout(file: Path | None) -> Layout:
    """The board of a file, or the one that comes with the product.

    Raises:
        CommandError: the file cannot be read.
        LayoutError: it is no board.
    """
    if file is None:
        return builtin_layout()
    data = read_given(file, LARGEST_BOARD, "swoggle_board", "board")
    try:
        return Layout.from_toml(data)
    except LayoutError as error:
        raise error.of_file(str(file)) from error


def moves_for(match: SwoggleMatch, count: int) -> Moves:
    """All legal moves of so many letters, best first."""
    rules = rules_of(match)
    layout = rules.layout
    index = WordIndex.of(rules.lexicon, max(layout.rows, layout.cols))
    fours = rules.plan.variant is Variant.FOURS
    worth = WORTH_IN_FOURS if fours else 0
    return find_moves(index, layout, match.state.letters, count, worth=worth, together=fours)


def load(name: str, now: float) -> SwoggleMatch:
    """A match to look at; where its time is over, its end is stored by the way if it can be.

    Raises:
        CommandError, MatchError, OSError: as `firmware_host.matches.load`.
    """
    match = matches.load(name, open_rules)
    moment = matches.moment_of(match, now)
    if not is_due(match, moment):
        return match
    try:
        with playing(name, moment) as table:
            return table.match
    except OSError as error:
        if error.errno not in NO_WRITING:
            raise
        return match.play({"type": "time_up", "at": moment})


@contextmanager
def playing(name: str, now: float, *, keep_time: bool = True) -> Iterator[Table]:
    """Continue a match; where its time is over, it ends first.

    Args:
        name: of the match.
        now: the moment, in seconds.
        keep_time: look at the time; not for taking something back.

    Raises:
        CommandError, MatchError, OSError: as `firmware_host.matches.opened`.
    """
    with matches.opened(name, open_rules) as opened:
        moment = matches.moment_of(opened.match, now)
        table = Table(name, opened, moment)
        if keep_time and is_due(opened.match, moment):
            table.enter("time_up")
        yield table


class Table:
    """A match that is being played; every call is kept at once, or raises and changes nothing."""

    def __init__(self, name: str, opened: OpenMatch[State], now: float) -> None:
        self._name = name
        self._opened = opened
        self._now = now

    @property
    def match(self) -> SwoggleMatch:
        """As it stands."""
        return self._opened.match

    @property
    def program_dice(self) -> ProgramDice:
        """The program's throws at this point of the match: the same whenever it is replayed."""
        return program_dice(rules_of(self.match).seed, len(self.match.log))

    def start(self, throws: list[list[int]] | None) -> None:
        """Settle who begins; None has the program throw."""
        players = len(self.match.state.seats)
        self.enter("start", throws=throws or self.program_dice.throw_off(players))

    def roll(self, dice: Dice, player: str | None) -> int:
        """Throw the die for the next turn."""
        (die, *_) = dice.throw(1)
        self.enter("roll", player=self._mover(player), die=die, by=dice.thrown_by)
        return die

    def turn(self, turn: str, die: int | None, dice: Dice, player: str | None) -> Entry:
        """Write a turn; ``dice`` are thrown for its bonus squares. Gives its line of the sheet."""
        given = {"player": self._mover(player), "turn": turn, "die": die}
        needed = rules_of(self.match).throws_needed(self.match.state, self._event("turn", given))
        place = len(self.match.state.sheet)
        self.enter("turn", **given, bonus=dice.throw(needed))
        return self.match.state.sheet[place]

    def pass_on(self, die: int | None, player: str | None) -> None:
        """Pass."""
        self.enter("pass", player=self._mover(player), die=die)

    def challenge(self, word: str, by: str) -> None:
        """Challenge a word of the last turn."""
        self.enter("challenge", word=word, by=by)

    def undo(self) -> None:
        """Take the last event back."""
        self._check_record()
        self._opened.undo()
        self._keep_record()

    def enter(self, kind: str, **given: Any) -> None:  # noqa: ANN401 - JSON
        """Play an event of a kind, with what else belongs to it."""
        self._check_record()
        self._opened.play(self._event(kind, given))
        self._keep_record()

    def _event(self, kind: str, given: dict[str, Any]) -> dict[str, Any]:
        known = {name: value for name, value in given.items() if value is not None}
        return {"type": kind, **known, "at": self._now}

    def _mover(self, player: str | None) -> str:
        return player or self.match.state.mover.name

    def _check_record(self) -> None:
        if rules_of(self.match).plan.variant is Variant.SOLO:
            solo_scores.best()  # a damaged file is told before anything is stored

    def _keep_record(self) -> None:
        rules, state = rules_of(self.match), self.match.state
        if rules.plan.variant is Variant.SOLO:
            seat = state.mover
            score = SoloScore(self._name, seat.name, seat.points) if state.end else None
            solo_scores.keep(self._name, score)


def program_dice(seed: int, place: int) -> ProgramDice:
    """The program's throws at a place of a match's log."""
    return ProgramDice(random.Random(f"{seed} {place}"))


def is_due(match: SwoggleMatch, now: float) -> bool:
    """Whether the time of a match is over, and its end is still to be entered."""
    left = rules_of(match).plan.time_left(now)
    return match.state.end is None and left is not None and left <= 0
