"""Where a match of Swoggle stands: the board, the players, and the score sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.match import Event
from scoring.swoggle.rules import Letters, ScoredWord


@dataclass(frozen=True)
class Seat:
    """A player.

    Attributes:
        name: of the player.
        points: so far.
        misses: turns in a row without a word.
        skips: turns that are lost through challenges and still to come.
        out: dropped out of a Marathon.
    """

    name: str
    points: int = 0
    misses: int = 0
    skips: int = 0
    out: bool = False


class Outcome(StrEnum):
    """What became of a turn."""

    SCORED = "scored"
    WIPED = "wiped"
    """Challenged: its words came off the board."""
    PASSED = "passed"
    SKIPPED = "skipped"
    """Lost through a challenge that failed."""


@dataclass(frozen=True)
class Entry:
    """A line of the score sheet.

    Attributes:
        player: whose turn it was.
        outcome: what became of it.
        die: what it showed; None in Fours, where nobody said, or where the turn was lost.
        turn: the notation; empty without words.
        words: the new words; those of a wiped turn scored nothing.
        remark: a few words for the players, or nothing.
    """

    player: str
    outcome: Outcome
    die: int | None = None
    turn: str = ""
    words: tuple[ScoredWord, ...] = ()
    remark: str = ""

    @property
    def points(self) -> int:
        """What the turn added."""
        return sum(w.points for w in self.words) if self.outcome is Outcome.SCORED else 0


class Ending(StrEnum):
    """Why a match is over."""

    TARGET = "target"
    TIME = "time"
    NO_WORD = "no_word"
    """Nobody could write a word any more, as far as the rules of the variant ask."""


@dataclass(frozen=True)
class End:
    """The end of a match.

    Attributes:
        ending: why.
        winners: one, several with equal points, none where nobody scored.
    """

    ending: Ending
    winners: tuple[str, ...]


@dataclass(frozen=True)
class LastTurn:
    """The last turn with words, as long as they can be challenged.

    Attributes:
        entry: the turn on the score sheet.
        before: the state before it.
        since: throws, passes and failed challenges since.
        proven: words that a challenge has proved.
    """

    entry: Entry
    before: State
    since: tuple[Event, ...] = ()
    proven: frozenset[str] = frozenset()

    @property
    def words(self) -> tuple[str, ...]:
        """Its new words."""
        return tuple(scored.word.text for scored in self.entry.words)


@dataclass(frozen=True)
class State:
    """Where a match stands.

    Attributes:
        letters: what is written on the board.
        seats: the players in their order.
        to_move: place of the one whose turn it is.
        die: what was thrown for this turn, or None.
        began: when the turn began, or None where that is not known.
        sheet: the score sheet.
        last: what can be challenged, or None.
        last_chance: a Marathon's last turn.
        end: how it ended, or None.
    """

    letters: Letters
    seats: tuple[Seat, ...]
    to_move: int = 0
    die: int | None = None
    began: float | None = None
    sheet: tuple[Entry, ...] = ()
    last: LastTurn | None = None
    last_chance: bool = False
    end: End | None = None

    @property
    def mover(self) -> Seat:
        """Whose turn it is."""
        return self.seats[self.to_move]

    @property
    def points(self) -> Mapping[str, int]:
        """Points by name, in the order of the table."""
        return {seat.name: seat.points for seat in self.seats}

    def seated(self, seat: Seat) -> State:
        """The state with a player as they are now."""
        seats = tuple(seat if old.name == seat.name else old for old in self.seats)
        return replace(self, seats=seats)

    def noted(self, entry: Entry) -> State:
        """The state with one more line on the score sheet."""
        return replace(self, sheet=(*self.sheet, entry))

    def ended(self, ending: Ending) -> State:
        """The state at the end: most points win."""
        most = max(seat.points for seat in self.seats)
        winners = tuple(seat.name for seat in self.seats if seat.points == most > 0)
        return replace(self, end=End(ending, winners), last_chance=False, die=None)
