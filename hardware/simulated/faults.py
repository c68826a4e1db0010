"""Faults of the simulated machine as a small language: ``NAME[@n][xTIMES]``.

``motor-stuck`` happens at every shake, ``motor-stuck@2`` from the second one on, and
``motor-stuck@2x1`` at the second one alone. What is counted is said by `FAULTS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

_DEVICES = ("shaker", "lid", "lamp", "sand_timer", "buzzer", "button", "display", "camera")

FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "motor-stuck": "shakes at which the motor's driver tells a stall",
        "lid-opens": "shakes in whose middle the lid is opened, for two seconds",
        "cubes-cocked": "shakes and nudges after which a cube leans on another",
        "cube-spins": "shakes and nudges after which a cube goes on spinning",
        "camera-hangs": "pictures that do not come until a time-out",
        "camera-unplugged": "pictures that are refused at once",
        "camera-black": "pictures that are black",
        "camera-torn": "pictures whose lower half is out of place",
        "camera-moved": "pictures of a camera that was moved away from the tray",
        "lamp-dead": "switchings on of the lamp that give no light",
        "pins-busy": "openings of the machine at which another program has a pin",
        **{
            f"{name.replace('_', '-')}-fails": f"calls of the {name} that fail" for name in _DEVICES
        },
    }
)
"""Names of the faults, and what is counted of each."""

_MOST = 1_000_000
_FORM = re.compile(r"([a-z-]+)(?:@([0-9]{1,7}))?(?:x([0-9]{1,7}))?")


class FaultError(ValueError):
    """A fault that is not in the language.

    Args:
        message: what is wrong with it.
        advice: what to write.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True)
class Scripted:
    """A fault that is to happen.

    Attributes:
        name: one of `FAULTS`.
        first: the first occasion at which it happens, from 1.
        times: at how many it happens; None for all from then on.

    Example:
        >>> Scripted.parse("camera-black@5x3")
        Scripted(name='camera-black', first=5, times=3)
        >>> str(Scripted("lid-opens", times=1))
        'lid-opensx1'
    """

    name: str
    first: int = 1
    times: int | None = None

    @classmethod
    def parse(cls, text: str) -> Scripted:
        """Read ``NAME[@n][xTIMES]``.

        Raises:
            FaultError: there is no such fault, or the numbers are none from 1 to a million.
        """
        found = _FORM.fullmatch(text.strip())
        name, first, times = found.groups() if found else (text, None, None)
        if name not in FAULTS:
            advice = f"Write NAME[@n][xTIMES] with one of {', '.join(FAULTS)}."
            raise FaultError(f"there is no fault {text!r}", advice)
        numbers = [int(number) for number in (first, times) if number is not None]
        if not all(1 <= number <= _MOST for number in numbers):
            raise FaultError(f"{text!r} counts from 1", "Write it as motor-stuck@2x1.")
        return cls(name, int(first or 1), None if times is None else int(times))

    def __str__(self) -> str:
        at = "" if self.first == 1 else f"@{self.first}"
        return f"{self.name}{at}" + ("" if self.times is None else f"x{self.times}")

    def hits(self, number: int) -> bool:
        """Whether it happens at this occasion, from 1."""
        last = self.first + self.times - 1 if self.times is not None else number
        return self.first <= number <= last


class Script:
    """The faults of a simulation and how often each had its occasion so far.

    One script may serve several machines one after the other: it counts on.

    Args:
        faults: what is to happen.
    """

    def __init__(self, faults: Iterable[Scripted] = ()) -> None:
        self.faults = tuple(faults)
        self._occasions: Counter[str] = Counter()

    def due(self, name: str) -> bool:
        """Count an occasion for this fault, and tell whether it happens."""
        self._occasions[name] += 1
        number = self._occasions[name]
        return any(fault.hits(number) for fault in self.faults if fault.name == name)

    def tells(self, name: str) -> bool:
        """Whether this fault may ever happen."""
        return any(fault.name == name for fault in self.faults)
