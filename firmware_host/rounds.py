"""One round as a pure state machine: `step` takes a state and an event, gives a state and effects.

Nothing here touches a device, a clock or a file. Times come in with the events; what must be done
goes out as effects, and what came of them comes back as events. An event that does not belong to
the phase (a second press, a late answer of a device) changes nothing.

Phases, in order::

    IDLE → SHAKING → SETTLING → READING → [CONFIRMING] → READY
         → RUNNING → COLLECTING → SCORING → FINISHED

and FAULTED from anywhere, which latches until a person presses the button.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from scoring.board import Board, Cell, Face
from scoring.referee import RoundResult
from scoring.rules import Game
from scoring.wordlist import Entry
from vision.reading import TrayReading

MOST_SHAKES = 3
"""Shakes before a person is asked: a cube that is still cocked then wants a hand."""

MOST_PHOTOS = 2
"""Photos of one shake before it counts as unreadable."""

WARNINGS = ((30.0, "half_minute"), (10.0, "ten_seconds"))
"""Seconds left at which a tune is played."""


class Phase(StrEnum):
    """Where a round stands."""

    IDLE = "idle"
    SHAKING = "shaking"
    SETTLING = "settling"
    READING = "reading"
    CONFIRMING = "confirming"
    READY = "ready"
    RUNNING = "running"
    COLLECTING = "collecting"
    SCORING = "scoring"
    FINISHED = "finished"
    FAULTED = "faulted"


@dataclass(frozen=True)
class Plan:
    """What was agreed before the round.

    Attributes:
        game: the rules.
        players: whose lists are awaited, in the order of the table.
        timer_s: length of the sand timer in seconds; the game's own unless shortened.
        shake_s: length of a shake in seconds.
    """

    game: Game
    players: tuple[str, ...]
    timer_s: float
    shake_s: float = 2.0


@dataclass(frozen=True)
class RoundState:
    """A round so far.

    Attributes:
        plan: what was agreed.
        phase: where it stands.
        shakes: shakes so far.
        nudged: a nudge was tried since the last shake.
        photos: photos so far of this shake.
        photo: file of the photo that was read.
        reading: what was read in it.
        confirmed: doubtful cells that a person has settled.
        board: the board played on; None until every doubtful cell is confirmed.
        ends_at: time of the clock at which the sand is through.
        left_s: seconds left, as of the last tick.
        lists: lists handed in, by player.
        result: the scores.
        fault: what stopped the round, in one sentence, and what to do.
    """

    plan: Plan
    phase: Phase = Phase.IDLE
    shakes: int = 0
    nudged: bool = False
    photos: int = 0
    photo: Path | None = None
    reading: TrayReading | None = None
    confirmed: Mapping[Cell, Face] = field(default_factory=lambda: MappingProxyType({}))
    board: Board | None = None
    ends_at: float | None = None
    left_s: float | None = None
    lists: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: MappingProxyType({}))
    result: RoundResult | None = None
    fault: tuple[str, str] | None = None

    @property
    def unconfirmed(self) -> tuple[Cell, ...]:
        """Doubtful cells that a person must still settle."""
        doubtful = self.reading.doubtful if self.reading else ()
        return tuple(cell for cell in doubtful if cell not in self.confirmed)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Players whose lists are not in."""
        return tuple(player for player in self.plan.players if player not in self.lists)


# ---- events: what happened -------------------------------------------------------------------


@dataclass(frozen=True)
class ButtonPressed:
    """A person pressed the button, ``at`` this time of the clock."""

    at: float


@dataclass(frozen=True)
class ShakeDone:
    """The motor stands still again."""


@dataclass(frozen=True)
class Settled:
    """The cubes lie still."""


@dataclass(frozen=True)
class StillMoving:
    """The cubes did not come to rest in time, or one lies cocked."""


@dataclass(frozen=True)
class TrayRead:
    """The photo was read."""

    reading: TrayReading
    photo: Path


@dataclass(frozen=True)
class TrayNotRead:
    """The photo shows no tray that could be read."""

    message: str
    advice: str


@dataclass(frozen=True)
class CellConfirmed:
    """A person said what a doubtful cell shows."""

    cell: Cell
    face: Face


@dataclass(frozen=True)
class Tick:
    """Time went on."""

    at: float


@dataclass(frozen=True)
class ListHandedIn:
    """A player's list is complete."""

    player: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Scored:
    """The referee is done."""

    result: RoundResult


@dataclass(frozen=True)
class DeviceFailed:
    """A device failed; the round stops until a person clears it."""

    message: str
    advice: str


Event = (
    ButtonPressed
    | ShakeDone
    | Settled
    | StillMoving
    | TrayRead
    | TrayNotRead
    | CellConfirmed
    | Tick
    | ListHandedIn
    | Scored
    | DeviceFailed
)

# ---- effects: what must be done --------------------------------------------------------------


@dataclass(frozen=True)
class Light:
    """Switch the lamp."""

    on: bool


@dataclass(frozen=True)
class Shake:
    """Shake; answered by `ShakeDone`."""

    seconds: float


@dataclass(frozen=True)
class Nudge:
    """Tip a cocked cube."""


@dataclass(frozen=True)
class AwaitRest:
    """Watch the cubes; answered by `Settled` or `StillMoving`."""


@dataclass(frozen=True)
class ReadTray:
    """Photograph and read the tray; answered by `TrayRead` or `TrayNotRead`."""


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


@dataclass(frozen=True)
class Stop:
    """Drive every output off."""


Effect = Light | Shake | Nudge | AwaitRest | ReadTray | Sand | Play | Show | Score | Stop
Step = tuple[RoundState, tuple[Effect, ...]]


def step(state: RoundState, event: Event) -> Step:
    """The state after ``event``, and what must be done now."""
    if isinstance(event, DeviceFailed):
        return _fault(state, event.message, event.advice)
    return _PHASES[state.phase](state, event)


def _idle(state: RoundState, event: Event) -> Step:
    if isinstance(event, ButtonPressed):
        return _shake(RoundState(state.plan))
    return state, ()


def _shake(state: RoundState) -> Step:
    fresh = RoundState(state.plan, Phase.SHAKING, shakes=state.shakes + 1)
    return fresh, (Show(("Shaking",)), Light(on=True), Shake(state.plan.shake_s))


def _shaking(state: RoundState, event: Event) -> Step:
    if isinstance(event, ShakeDone):
        return replace(state, phase=Phase.SETTLING), (Show(("Settling",)), AwaitRest())
    return state, ()


def _settling(state: RoundState, event: Event) -> Step:
    if isinstance(event, Settled):
        return _photograph(state)
    if isinstance(event, StillMoving):
        if not state.nudged:
            return replace(state, nudged=True), (Nudge(), AwaitRest())
        return _shake_again(state, "the cubes do not come to rest")
    return state, ()


def _shake_again(state: RoundState, why: str, advice: str = "Lay the cubes flat by hand.") -> Step:
    if state.shakes < MOST_SHAKES:
        return _shake(state)
    return _fault(state, f"{why}, {state.shakes} shakes long", advice)


def _photograph(state: RoundState) -> Step:
    reading = replace(state, phase=Phase.READING, photos=state.photos + 1)
    return reading, (Show(("Reading",)), ReadTray())


def _reading(state: RoundState, event: Event) -> Step:
    if isinstance(event, TrayRead):
        return _read(state, event)
    if isinstance(event, TrayNotRead):
        if state.photos < MOST_PHOTOS:
            return _photograph(state)
        return _shake_again(state, event.message, event.advice)
    return state, ()


def _read(state: RoundState, event: TrayRead) -> Step:
    state = replace(state, reading=event.reading, photo=event.photo)
    if state.unconfirmed:
        count = len(state.unconfirmed)
        ask = Show((f"{count} cube{'s' * (count > 1)} to confirm",))
        return replace(state, phase=Phase.CONFIRMING), (Light(on=False), ask, Play("ask"))
    return _ready(state, event.reading.board, lamp_off=(Light(on=False),))


def _confirming(state: RoundState, event: Event) -> Step:
    if not isinstance(event, CellConfirmed) or state.reading is None:
        return state, ()
    if event.cell not in state.unconfirmed:
        return state, ()
    settled = MappingProxyType({**state.confirmed, event.cell: event.face})
    board = _with_confirmed(state.reading.board, settled)
    state = replace(state, confirmed=settled)
    return (state, ()) if state.unconfirmed else _ready(state, board)


def _ready(state: RoundState, board: Board, lamp_off: tuple[Effect, ...] = ()) -> Step:
    ready = replace(state, phase=Phase.READY, board=board)
    return ready, (*lamp_off, Sand(1.0), Show(("Ready", "Press to start")))


def _with_confirmed(board: Board, confirmed: Mapping[Cell, Face]) -> Board:
    return Board.from_faces(
        [confirmed.get((row, col), face) for col, face in enumerate(faces)]
        for row, faces in enumerate(board.faces)
    )


def _waiting_for_start(state: RoundState, event: Event) -> Step:
    if not isinstance(event, ButtonPressed):
        return state, ()
    timer = state.plan.timer_s
    running = replace(state, phase=Phase.RUNNING, ends_at=event.at + timer, left_s=timer)
    return running, (Sand(1.0), Show((_clock_face(timer),)), Play("start"))


def _running(state: RoundState, event: Event) -> Step:
    if not isinstance(event, Tick) or state.ends_at is None or state.left_s is None:
        return state, ()
    left = max(0.0, state.ends_at - event.at)
    if left == 0:
        return _time_up(state)
    # A warning that the timer starts below, or at, is none.
    tunes = [Play(tune) for mark, tune in WARNINGS if left <= mark < state.left_s]
    sand = Sand(left / state.plan.timer_s)
    return replace(state, left_s=left), (sand, Show((_clock_face(left),)), *tunes)


def _time_up(state: RoundState) -> Step:
    over = replace(state, phase=Phase.COLLECTING, left_s=0.0)
    effects: tuple[Effect, ...] = (Sand(0.0), Play("end"), Show(("Time is up",)))
    if over.awaited:
        return over, effects
    scoring, more = _score(over)
    return scoring, (*effects, *more)


def _collecting(state: RoundState, event: Event) -> Step:
    if not isinstance(event, ListHandedIn) or event.player not in state.awaited:
        return state, ()
    lists = MappingProxyType({**state.lists, event.player: event.entries})
    state = replace(state, lists=lists)
    return (state, ()) if state.awaited else _score(state)


def _score(state: RoundState) -> Step:
    if state.board is None:  # cannot be: no timer runs without a board
        return state, ()
    scoring = replace(state, phase=Phase.SCORING)
    return scoring, (Sand(None), Score(state.board, state.lists, state.plan.game))


def _scoring(state: RoundState, event: Event) -> Step:
    if not isinstance(event, Scored):
        return state, ()
    winners = " and ".join(event.result.winners) or "nobody"
    done = replace(state, phase=Phase.FINISHED, result=event.result)
    return done, (Show(("Winner", winners)),)


def _faulted(state: RoundState, event: Event) -> Step:
    """Latched: the press only clears the fault, so that nothing moves at once."""
    if isinstance(event, ButtonPressed):
        return RoundState(state.plan), (Show(("Press to shake",)),)
    return state, ()


def _fault(state: RoundState, message: str, advice: str) -> Step:
    faulted = replace(state, phase=Phase.FAULTED, fault=(message, advice))
    return faulted, (Stop(), Show(("Fault", message)), Play("fault"))


def _clock_face(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"


_PHASES: Mapping[Phase, Callable[[RoundState, Event], Step]] = MappingProxyType(
    {
        Phase.IDLE: _idle,
        Phase.SHAKING: _shaking,
        Phase.SETTLING: _settling,
        Phase.READING: _reading,
        Phase.CONFIRMING: _confirming,
        Phase.READY: _waiting_for_start,
        Phase.RUNNING: _running,
        Phase.COLLECTING: _collecting,
        Phase.SCORING: _scoring,
        Phase.FINISHED: _idle,
        Phase.FAULTED: _faulted,
    }
)
