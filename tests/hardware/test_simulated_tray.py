"""The simulated tray: thrown anew, rocking, coming to rest, spinning until nudged."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Faces, SimulatedDevices, SimulatedTray, simulated_devices
from vision import settle


def checked(_faces: Faces, number: int) -> Photo:
    """Squares of many greys, turned a little by the number."""
    greys = np.random.default_rng(number).integers(40, 230, (12, 16), np.uint8)
    return np.repeat(np.kron(greys, np.ones((20, 20), np.uint8))[:, :, None], 3, axis=2)


def counting() -> Callable[[], Faces]:
    numbers = itertools.count()
    return lambda: ((str(next(numbers)),),)


def tray(clock: ManualClock, spin_chance: float = 0.0, seed: int = 0) -> SimulatedTray:
    return SimulatedTray(counting(), checked, clock, np.random.default_rng(seed), spin_chance)


def jumps(shaken: SimulatedTray, clock: ManualClock, frames: int = 20) -> list[bool]:
    """Whether each look differs from the one before, a tenth of a second apart."""
    looks = [shaken.look()]
    for _ in range(frames):
        clock.sleep(0.1)
        looks.append(shaken.look())
    return [not np.array_equal(one, other) for one, other in itertools.pairwise(looks)]


def wait(machine: SimulatedDevices, clock: ManualClock) -> settle.Outcome:
    """Photograph until the judge of stillness has decided."""
    state = settle.start(clock.monotonic())
    while state.outcome is settle.Outcome.WAITING:
        state = settle.observe(state, machine.camera.capture(), clock.monotonic())
    return state.outcome


def test_the_cubes_are_thrown_at_the_start_and_at_each_shake(clock: ManualClock) -> None:
    thrown = tray(clock)
    seen = [thrown.faces]
    for act in (thrown.shake, thrown.nudge, thrown.look, thrown.shake):
        act()
        seen.append(thrown.faces)
    assert [faces[0][0] for faces in seen] == ["0", "1", "1", "1", "2"]


def test_cubes_never_shaken_lie_still(clock: ManualClock) -> None:
    assert not any(jumps(tray(clock), clock))


@pytest.mark.parametrize("move", ["shake", "nudge"])
def test_moved_cubes_rock_ever_less_and_come_to_rest(clock: ManualClock, move: str) -> None:
    moved = tray(clock)
    getattr(moved, move)()
    seen = jumps(moved, clock)
    assert all(seen[:3])
    assert not any(seen[10:])


def test_a_spinning_cube_goes_on_until_nudged(clock: ManualClock) -> None:
    spinning = tray(clock, spin_chance=1.0)
    spinning.shake()
    assert sum(jumps(spinning, clock, 100)[-50:]) > 45
    spinning.nudge()
    assert not any(jumps(spinning, clock)[10:])


def test_cubes_spin_about_as_often_as_told(clock: ManualClock) -> None:
    some = tray(clock, spin_chance=0.3)
    spun = 0
    for _ in range(300):
        some.shake()
        clock.sleep(10.0)
        spun += jumps(some, clock, 3) != [False] * 3
    assert 60 < spun < 120


def test_each_fall_is_rendered_once_and_looks_different(clock: ManualClock) -> None:
    rendered: list[tuple[Faces, int]] = []

    def render(faces: Faces, number: int) -> Photo:
        rendered.append((faces, number))
        return checked(faces, number)

    seen = SimulatedTray(counting(), render, clock, np.random.default_rng(0))
    for act in (seen.look, seen.look, seen.shake, seen.look, seen.look, seen.nudge, seen.look):
        act()
    assert rendered == [((("0",),), 0), ((("1",),), 1), ((("1",),), 2)]


def test_the_same_seed_gives_the_same_pictures() -> None:
    runs = []
    for _ in range(2):
        with simulated_devices(counting(), checked, ManualClock(), seed=7) as machine:
            machine.shaker.shake(2.0)
            runs.append([machine.camera.capture() for _ in range(3)])
    np.testing.assert_array_equal(runs[0], runs[1])


@pytest.mark.parametrize("seed", range(20))
def test_the_frames_of_a_shake_settle_and_then_show_the_cubes_at_rest(seed: int) -> None:
    clock = ManualClock()
    with simulated_devices(counting(), checked, clock, seed=seed) as machine:
        machine.lamp.on()
        machine.shaker.shake(3.0)
        assert wait(machine, clock) is settle.Outcome.SETTLED
        assert 0.8 < clock.monotonic() - 3.0 < 2.5
        at_rest = checked((), 1).astype(int)
        assert np.abs(machine.camera.capture() - at_rest).max() <= 4


def test_a_spinning_cube_times_out_and_settles_after_a_nudge() -> None:
    clock = ManualClock()
    with simulated_devices(counting(), checked, clock, spin_chance=1.0) as machine:
        machine.lamp.on()
        machine.shaker.shake(3.0)
        assert wait(machine, clock) is settle.Outcome.TIMED_OUT
        machine.shaker.nudge()
        assert wait(machine, clock) is settle.Outcome.SETTLED


def test_in_the_dark_nothing_settles() -> None:
    clock = ManualClock()
    with simulated_devices(counting(), checked, clock) as machine:
        assert wait(machine, clock) is settle.Outcome.TIMED_OUT
