"""A machine of twins on a clock that does not wait."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Call, Faces, SimulatedDevices, simulated_devices


def render(faces: Faces, number: int) -> Photo:
    """Light squares on a dark ground, their brightness by face and number."""
    cells = np.array([[80 + (ord(face[0]) + number) % 150 for face in row] for row in faces])
    picture = np.pad(cells, 1, constant_values=30).astype(np.uint8)
    return np.repeat(np.kron(picture, np.ones((40, 40), np.uint8))[:, :, None], 3, axis=2)


@pytest.fixture
def clock() -> ManualClock:
    """Stands at 100 s."""
    return ManualClock(100.0)


@pytest.fixture
def calls() -> list[Call]:
    """Every call to the machine, in order."""
    return []


@pytest.fixture
def machine(clock: ManualClock, calls: list[Call]) -> SimulatedDevices:
    """Twins; the throws are AB/CD, EF/GH and so on."""
    letters = itertools.cycle("ABCDEFGHIJKLMNOPQRSTUVWX")

    def roll() -> Faces:
        return ((next(letters), next(letters)), (next(letters), next(letters)))

    return simulated_devices(roll, render, clock, calls.append)
