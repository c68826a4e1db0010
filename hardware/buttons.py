"""The push buttons: one for the round and any others, with short, long and double presses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hardware.clock import Clock
from hardware.devices import PRESS
from hardware.gestures import Gesture, Presses, Timing, Told
from hardware.pins import InputPin
from hardware.real import RealDevice

DEBOUNCE_S = 0.03
"""Seconds for which a contact must rest: 30 ms give one press of a bouncing one."""

Later = Callable[[float, Callable[[], None]], None]
"""Calls back once, after so many seconds, from any thread."""


def later(seconds: float, callback: Callable[[], None]) -> None:
    """Call back from a thread of its own, which does not keep the program from ending."""
    timer = threading.Timer(seconds, callback)
    timer.daemon = True
    timer.start()


@dataclass(frozen=True)
class Key:
    """A button.

    Attributes:
        pin: open; its contact closes to ground.
        actions: what each gesture means, one of `hardware.devices.ACTIONS`.
    """

    pin: InputPin
    actions: Mapping[Gesture, str]

    def is_hold(self, gesture: Gesture) -> bool:
        """Whether it is the long press of the button of the round."""
        return gesture is Gesture.LONG and self.actions.get(Gesture.SHORT) == PRESS


class PushButtons(RealDevice):
    """All buttons of the machine, as of `hardware.devices.Button`.

    Args:
        keys: the buttons.
        clock: tells long presses from short ones.
        timing: what is long and what is double; the gestures are those that mean something.
        later: how a gesture is waited for.
        simulated: True on pins of thin air.
    """

    def __init__(
        self,
        keys: Sequence[Key],
        clock: Clock,
        timing: Timing | None = None,
        later: Later = later,
        *,
        simulated: bool = False,
    ) -> None:
        super().__init__("button", [key.pin for key in keys], simulated=simulated)
        self._on_press: Callable[[], None] = _nothing
        self._on_action: Callable[[str], None] = _nothing
        self._on_hold: Callable[[str], None] = _nothing
        for key in keys:
            _Watch(key, clock, timing or Timing(), later, self._tell)

    def on_press(self, callback: Callable[[], None]) -> None:
        """As of `hardware.devices.Button.on_press`."""
        self._check_open()
        self._on_press = callback

    def on_action(self, callback: Callable[[str], None]) -> None:
        """As of `hardware.devices.Button.on_action`."""
        self._check_open()
        self._on_action = callback

    def on_hold(self, callback: Callable[[str], None]) -> None:
        """As of `hardware.devices.Button.on_hold`."""
        self._check_open()
        self._on_hold = callback

    def _tell(self, key: Key, gesture: Gesture) -> None:
        if self._released:
            return
        action = key.actions[gesture]
        if key.is_hold(gesture):
            self._on_hold(action)
        elif action == PRESS:
            self._on_press()
        else:
            self._on_action(action)


class _Watch:
    """One button: edges come from the library's thread, time-outs from others."""

    def __init__(
        self,
        key: Key,
        clock: Clock,
        timing: Timing,
        later: Later,
        tell: Callable[[Key, Gesture], None],
    ) -> None:
        self._key = key
        self._clock = clock
        self._later = later
        self._tell = tell
        self._lock = threading.Lock()
        self._presses = Presses(Timing(frozenset(key.actions), timing.long_s, timing.double_s))
        key.pin.watch(self._changed)

    def _changed(self, low: bool) -> None:  # noqa: FBT001 - as `InputPin.watch` calls it
        now = self._clock.monotonic()
        self._take(lambda presses: presses.pressed(now) if low else presses.released(now))
        due_at = self._presses.due_at
        if due_at is not None:
            self._later(due_at - now, lambda: self._take(lambda presses: presses.passed(due_at)))

    def _take(self, event: Callable[[Presses], Told]) -> None:
        with self._lock:
            self._presses, gesture = event(self._presses)
        if gesture is not None and gesture in self._key.actions:
            self._tell(self._key, gesture)


def _nothing(*_: object) -> None:
    pass
