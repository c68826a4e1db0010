"""What lies in the simulated tray, and how it looks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hardware.clock import Clock
from hardware.devices import Photo
from hardware.simulated.faults import Script

Faces = tuple[tuple[str, ...], ...]
"""Rows of faces, such as ``(("A", "Qu"), ("T", "#"))``."""

Roll = Callable[[], Faces]
"""Throws the cubes."""

Render = Callable[[Faces, int], Photo]
"""Photo of faces; the number differs for each fall of the cubes, so that no two look alike."""

ROCKING = 0.02
"""How far the picture jumps right after a shake, as a share of its width."""

CALMING_S = 0.25
"""Seconds in which the rocking falls to 37 %: at 1280 pixels it is over after a second."""


@dataclass(frozen=True)
class _Lying:
    faces: Faces
    number: int
    since: float
    spinning: bool
    cocked: bool = False


class SimulatedTray:
    """The cubes in the tray: thrown once at the start and anew with each `shake`.

    After a shake or a nudge the cubes rock for about a second. With ``spin_chance`` a cube may also
    spin on its corner; it goes on until nudged, so that a wait for stillness times out. The script
    may have a cube spin or lean on another.

    Args:
        roll: throws the cubes.
        render: makes the photo; called once a fall, when first looked at.
        clock: tells how long the cubes have been lying.
        rng: for the rocking and spinning; the faces are all ``roll``'s.
        spin_chance: probability of a spinning cube after a shake, 0–1.
        script: faults that are to happen.
        render_cocked: makes the photo where a cube leans on another.

    Raises:
        ValueError: the script has cocked cubes, and nobody can draw them.
    """

    def __init__(
        self,
        roll: Roll,
        render: Render,
        clock: Clock,
        rng: np.random.Generator,
        spin_chance: float = 0.0,
        *,
        script: Script | None = None,
        render_cocked: Render | None = None,
    ) -> None:
        self._script = script or Script()
        if render_cocked is None and self._script.tells("cubes-cocked"):
            raise ValueError("this simulation cannot draw cocked cubes")
        self._roll = roll
        self._render = render
        self._render_cocked = render_cocked or render
        self._clock = clock
        self._rng = rng
        self._spin_chance = spin_chance
        self._photo: Photo | None = None
        self._lying = _Lying(roll(), number=0, since=-math.inf, spinning=False)

    @property
    def faces(self) -> Faces:
        """The truth, for whoever shows or checks a simulation; a reading must never see it."""
        return self._lying.faces

    def shake(self) -> None:
        """Throw the cubes anew."""
        spinning = bool(self._rng.random() < self._spin_chance)
        self._fall(replace(self._lying, faces=self._roll(), spinning=spinning))

    def nudge(self) -> None:
        """Set the cubes rocking and tip a spinning or a cocked one over; the faces stay."""
        self._fall(replace(self._lying, spinning=False))

    def rock(self) -> None:
        """Set the cubes rocking, and no more."""
        self._lying = replace(self._lying, since=self._clock.monotonic())

    def look(self) -> Photo:
        """The tray as it looks now in full light, without a camera's noise."""
        if self._photo is None:
            render = self._render_cocked if self._lying.cocked else self._render
            self._photo = render(self._lying.faces, self._lying.number)
        reach = self._rocking() * self._photo.shape[1]
        if reach < 0.5:
            return self._photo
        down, right = np.rint(self._rng.uniform(-reach, reach, size=2)).astype(int)
        return np.roll(self._photo, (down, right), axis=(0, 1))

    def _fall(self, lying: _Lying) -> None:
        self._lying = replace(
            lying,
            number=lying.number + 1,
            since=self._clock.monotonic(),
            spinning=self._script.due("cube-spins") or lying.spinning,
            cocked=self._script.due("cubes-cocked"),
        )
        self._photo = None

    def _rocking(self) -> float:
        """How far the picture jumps now, as a share of its width."""
        if self._lying.spinning:
            return ROCKING
        age = self._clock.monotonic() - self._lying.since
        return ROCKING * math.exp(-age / CALMING_S)
