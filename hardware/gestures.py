"""Short, long and double presses of one button: a pure state machine over edges and time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Gesture(StrEnum):
    """What a person does with a button."""

    SHORT = "short"
    LONG = "long"
    DOUBLE = "double"


@dataclass(frozen=True)
class Timing:
    """Which gestures a button knows, and their times.

    Attributes:
        known: without LONG and DOUBLE a press counts at once, with LONG when it ends, with DOUBLE
            when no second one has come.
        long_s: seconds after which a press that is still held is a long one.
        double_s: seconds from the end of a press to the second one, at most.
    """

    known: frozenset[Gesture] = frozenset(Gesture)
    long_s: float = 0.8
    double_s: float = 0.35


@dataclass(frozen=True)
class Presses:
    """A button so far.

    Attributes:
        timing: what it knows.
        due_at: moment at which `passed` must be told; None where nothing is awaited.
        held: pressed, and not yet told of as a gesture.
        once: a short press is over, a second one may come.
    """

    timing: Timing
    due_at: float | None = None
    held: bool = False
    once: bool = False

    def pressed(self, now: float) -> Told:
        """It went down."""
        known = self.timing.known
        if self.once and self.due_at is not None and now < self.due_at:
            return Presses(self.timing), Gesture.DOUBLE
        if known <= {Gesture.SHORT}:
            return Presses(self.timing), Gesture.SHORT
        late = self.passed(now)[1]  # the first of two that are too far apart
        long_at = now + self.timing.long_s if Gesture.LONG in known else None
        return Presses(self.timing, long_at, held=True), late

    def released(self, now: float) -> Told:
        """It came up."""
        if not self.held:
            return self, None  # told of already, or its beginning was missed
        if self.due_at is not None and now >= self.due_at:
            return Presses(self.timing), Gesture.LONG
        if Gesture.DOUBLE in self.timing.known:
            return Presses(self.timing, now + self.timing.double_s, once=True), None
        return Presses(self.timing), Gesture.SHORT

    def passed(self, now: float) -> Told:
        """Time went on."""
        if self.due_at is None or now < self.due_at:
            return self, None
        if self.once:
            return Presses(self.timing), Gesture.SHORT
        return replace(self, due_at=None, held=False), Gesture.LONG


Told = tuple[Presses, Gesture | None]
"""The button after an event, and the gesture that was complete with it."""
