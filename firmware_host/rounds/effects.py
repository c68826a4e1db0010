"""Effects of a round: what must be done now.

Of several effects at once only the last one has an answer, unless one before it fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rounds.lists import Calls
from scoring.board import Board
from scoring.rules import Game
from scoring.wordlist import Entry


@dataclass(frozen=True)
class Light:
    """Switch the lamp."""

    on: bool


@dataclass(frozen=True)
class Shake:
    """Shake; answered by `ShakeDone` or `LidOpened`."""

    seconds: float


@dataclass(frozen=True)
class Nudge:
    """Tip a cocked cube; no answer but `LidOpened`."""


@dataclass(frozen=True)
class AwaitRest:
    """Watch the cubes; answered by `Settled` or `StillMoving`."""


@dataclass(frozen=True)
class ReadTray:
    """Photograph and read the tray; answered by `TrayRead` or `TrayNotRead`."""


@dataclass(frozen=True)
class Wait:
    """Let some seconds pass, without keeping anybody waiting; answered by `Waited`."""

    seconds: float


@dataclass(frozen=True)
class Sand:
    """Show the share of the time that is left, 1 to 0; None is dark."""

    left: float | None


@dataclass(frozen=True)
class Play:
    """Play a tune."""

    tune: str


@dataclass(frozen=True)
class Show:
    """Show lines on the small display."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Score:
    """Judge the lists; answered by `Scored`."""

    board: Board
    lists: Mapping[str, tuple[Entry, ...]]
    game: Game
    calls: Calls = field(default_factory=Calls)
    lexicon: str = ""
    """Name of the word list; empty is the one that the program was started with."""


@dataclass(frozen=True)
class Stop:
    """Drive every output off, also where one of them fails; the motor stays off until `Clear`."""

    why: str


@dataclass(frozen=True)
class Clear:
    """A person has pressed: the motor may run again; nothing moves by this."""


Effect = (
    Light | Shake | Nudge | AwaitRest | ReadTray | Wait | Sand | Play | Show | Score | Stop | Clear
)
