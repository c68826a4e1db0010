"""One round as a pure state machine: `step` takes a state and an event, gives a state and effects.

Nothing here touches a device, a clock or a file. Times come in with the events; what must be done
goes out as effects, and what came of them comes back as events. An event that does not belong to
the phase (a second press, a late answer of a device) changes nothing. `RoundState` is the fold of
the events: `docs/log.md` tells how they are kept, and has the table of phases and events.

Phases, in order::

    IDLE → SHAKING ⇄ LID_OPEN
         → SETTLING → [BY_HAND → SETTLING] → READING → [CONFIRMING] → READY
         → RUNNING ⇄ PAUSED
         → COLLECTING → SCORING → FINISHED

CANCELLED from wherever a round is in play, and FAULTED from anywhere, which latches until a person
presses the button; a round whose board is known then goes on where it was.
"""

from firmware_host.rounds.confirming import Offer, Question, Way
from firmware_host.rounds.effects import (
    AwaitRest,
    Clear,
    Effect,
    Light,
    Nudge,
    Play,
    ReadTray,
    Sand,
    Score,
    Shake,
    Show,
    Stop,
    Wait,
)
from firmware_host.rounds.events import (
    Agreed,
    BackAsked,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    DeviceFailed,
    Event,
    ExtraTime,
    LastChance,
    LidOpened,
    ListHandedIn,
    PauseAsked,
    RerollAsked,
    Rescored,
    Restarted,
    ResumeAsked,
    Scored,
    Settled,
    ShakeDone,
    StillMoving,
    Tick,
    TrayNotRead,
    TrayRead,
    TurnDone,
    Waited,
    WordDecided,
    WordWritten,
)
from firmware_host.rounds.machine import (
    MOST_EXTRA_S,
    MOST_HANDS,
    MOST_LIDS,
    MOST_PHOTOS,
    MOST_RETRIES,
    MOST_SHAKES,
    WARNINGS,
    Step,
    handled,
    retry_delay,
    step,
)
from firmware_host.rounds.state import ENDED, Phase, Plan, RoundState, Timing

__all__ = [
    "ENDED",
    "MOST_EXTRA_S",
    "MOST_HANDS",
    "MOST_LIDS",
    "MOST_PHOTOS",
    "MOST_RETRIES",
    "MOST_SHAKES",
    "WARNINGS",
    "Agreed",
    "AwaitRest",
    "BackAsked",
    "ButtonPressed",
    "Cancelled",
    "CellConfirmed",
    "Clear",
    "DeviceFailed",
    "Effect",
    "Event",
    "ExtraTime",
    "LastChance",
    "LidOpened",
    "Light",
    "ListHandedIn",
    "Nudge",
    "Offer",
    "PauseAsked",
    "Phase",
    "Plan",
    "Play",
    "Question",
    "ReadTray",
    "RerollAsked",
    "Rescored",
    "Restarted",
    "ResumeAsked",
    "RoundState",
    "Sand",
    "Score",
    "Scored",
    "Settled",
    "Shake",
    "ShakeDone",
    "Show",
    "Step",
    "StillMoving",
    "Stop",
    "Tick",
    "Timing",
    "TrayNotRead",
    "TrayRead",
    "TurnDone",
    "Wait",
    "Waited",
    "Way",
    "WordDecided",
    "WordWritten",
    "handled",
    "retry_delay",
    "step",
]
