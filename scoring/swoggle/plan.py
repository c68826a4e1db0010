"""What players agree on before a match of Swoggle: who plays, which way, until when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.match import RuleError, Setup, field
from scoring.players import agreed_names

MOST_PLAYERS = 8
TARGET = 300
TARGET_OF_FOUR = 250
"""Points that win an ordinary match of four players."""
LONGEST_TIME = 10**6
"""What a time limit stays below, in its own unit."""


class Variant(StrEnum):
    """The ways of playing of the rulebook."""

    ORDINARY = "ordinary"
    MARATHON = "marathon"
    FOURS = "fours"
    SOLO = "solo"

    @property
    def has_target(self) -> bool:
        """Whether so many points win; else it goes on until nobody can write a word."""
        return self in (Variant.ORDINARY, Variant.FOURS)


@dataclass(frozen=True)
class Plan:
    """What was agreed on; made by `agree`.

    Attributes:
        players: in the order in which they play.
        variant: which way.
        target: points that win; None where the variant has none.
        minutes: of the whole match, or None.
        turn_seconds: from the throw of the die to the word, or None.
        checked: a word that is not in the word list is refused at once; else it stands until
            somebody challenges it.
        started: when the match began, in seconds on the clock of the events.
    """

    players: tuple[str, ...]
    variant: Variant
    target: int | None
    minutes: float | None
    turn_seconds: float | None
    checked: bool
    started: float

    @classmethod
    def agree(
        cls,
        players: Sequence[str],
        variant: str = Variant.ORDINARY,
        *,
        target: int | None = None,
        minutes: float | None = None,
        turn_seconds: float | None = None,
        checked: bool = True,
        started: float = 0.0,
    ) -> Plan:
        """A plan within the rules; a target that is not given is that of the rulebook.

        Raises:
            RuleError: kinds ``variant``, ``players``, ``target``, ``minutes``.
        """
        way = _variant(variant)
        names = agreed_names(
            players,
            (1, 1) if way is Variant.SOLO else (2, MOST_PLAYERS),
            way,
            "Give the names with commas between, as ann,bob; one alone plays solo.",
        )
        _check_time(minutes, turn_seconds)
        goal = _target(target, way, len(names))
        return cls(names, way, goal, minutes, turn_seconds, checked, started)

    @classmethod
    def from_setup(cls, setup: Setup) -> Plan:
        """The plan in the setup of a match.

        Raises:
            RuleError: as `agree`, and kind ``event`` where something is missing.
        """
        players = field(setup, "players", list)
        if not all(isinstance(name, str) for name in players):
            raise RuleError("event", "a name of the setup is no text", "Mend it.")
        started = field(setup, "started", float)
        if not math.isfinite(started):
            raise RuleError("event", f"{started} is no moment for a match to begin", "Mend it.")
        return cls.agree(
            players,
            field(setup, "variant", str),
            target=None if setup.get("target") is None else field(setup, "target", int),
            minutes=_number(setup, "minutes"),
            turn_seconds=_number(setup, "turn_seconds"),
            checked=field(setup, "checked", bool),
            started=started,
        )

    @property
    def setup(self) -> dict[str, object]:
        """The plan as `from_setup` reads it."""
        return {
            "players": list(self.players),
            "variant": str(self.variant),
            "target": self.target,
            "minutes": self.minutes,
            "turn_seconds": self.turn_seconds,
            "checked": self.checked,
            "started": self.started,
        }

    def time_left(self, at: float) -> float | None:
        """Seconds of the match that are left at a moment, below 0 when it is over; None: no end."""
        return None if self.minutes is None else self.started + 60 * self.minutes - at


def _variant(name: str) -> Variant:
    try:
        return Variant(name)
    except ValueError:
        raise RuleError(
            "variant",
            f"no way of playing Swoggle is called {name!r}",
            f"Give one of these: {', '.join(Variant)}.",
        ) from None


def _check_time(minutes: float | None, turn_seconds: float | None) -> None:
    for limit, unit in ((minutes, "minutes"), (turn_seconds, "seconds")):
        if limit is not None and not 0 < limit < LONGEST_TIME:
            broken = f"below {LONGEST_TIME:,}" if limit > 0 else "a number above 0"
            raise RuleError("minutes", f"a time limit in {unit} is {broken}", "Give another one.")


def _target(target: int | None, variant: Variant, players: int) -> int | None:
    if not variant.has_target:
        if target is not None:
            raise RuleError(
                "target",
                f"{variant} goes on until nobody can write a word: no number of points ends it",
                "Leave the target out, or give minutes.",
            )
        return None
    if target is not None and target < 1:
        raise RuleError("target", f"{target} points are no target", "Give 1 or more.")
    four = variant is Variant.ORDINARY and players == 4
    return target or (TARGET_OF_FOUR if four else TARGET)


def _number(setup: Setup, name: str) -> float | None:
    value = setup.get(name)
    if value is None:
        return None
    return field(setup, name, int if isinstance(value, int) else float)
