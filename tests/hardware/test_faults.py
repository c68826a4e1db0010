"""The language of faults, and what each of them does to the simulated machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import ManualClock
from hardware.devices import DeviceError, Photo
from hardware.simulated import Faces, Script, Scripted, SimulatedDevices, simulated_devices
from hardware.simulated.faults import FAULTS, FaultError

scripted = st.builds(
    Scripted,
    st.sampled_from(sorted(FAULTS)),
    st.integers(1, 1_000_000),
    st.none() | st.integers(1, 1_000_000),
)


def picture(_faces: Faces, number: int) -> Photo:
    greys = np.random.default_rng(number).integers(90, 230, (12, 16), np.uint8)
    return np.repeat(np.kron(greys, np.ones((10, 10), np.uint8))[:, :, None], 3, axis=2)


def leaning(_faces: Faces, _number: int) -> Photo:
    return np.full((120, 160, 3), 50, np.uint8)


def machine(clock: ManualClock, *faults: str) -> SimulatedDevices:
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return simulated_devices(
        lambda: ((next(letters),),),
        picture,
        clock,
        script=Script(map(Scripted.parse, faults)),
        render_cocked=leaning,
    )


def outcomes(act: Callable[[], object], times: int) -> str:
    """A letter a call: w where it worked, f where it failed."""
    done = ""
    for _ in range(times):
        try:
            act()
            done += "w"
        except DeviceError:
            done += "f"
    return done


# The language


@given(scripted)
def test_what_is_written_is_read(fault: Scripted) -> None:
    assert Scripted.parse(str(fault)) == fault


@pytest.mark.parametrize(
    ("text", "first", "times"),
    [
        ("motor-stuck", 1, None),
        ("motor-stuck@2", 2, None),
        ("motor-stuckx3", 1, 3),
        (" motor-stuck@2x1 ", 2, 1),
    ],
)
def test_forms(text: str, first: int, times: int | None) -> None:
    assert Scripted.parse(text) == Scripted("motor-stuck", first, times)


@pytest.mark.parametrize(
    "text", ["", "fire", "motor-stuck@", "motor-stuck@x", "motor-stuck@2x", "motor-stuck@-1", "x1"]
)
def test_what_is_no_fault_is_told_with_all_that_are(text: str) -> None:
    with pytest.raises(FaultError, match="no fault") as caught:
        Scripted.parse(text)
    assert all(name in caught.value.advice for name in FAULTS)


@pytest.mark.parametrize("text", ["motor-stuck@0", "motor-stuckx0", "motor-stuck@9999999"])
def test_numbers_count_from_one(text: str) -> None:
    with pytest.raises(FaultError, match="counts from 1"):
        Scripted.parse(text)


@given(st.integers(1, 20), st.none() | st.integers(1, 20), st.integers(1, 40))
def test_a_fault_is_a_window_of_occasions(first: int, times: int | None, number: int) -> None:
    last = first + (times or 10**9) - 1
    assert Scripted("lid-opens", first, times).hits(number) == (first <= number <= last)


def test_a_script_counts_on_and_each_fault_for_itself() -> None:
    script = Script([Scripted("motor-stuck", 2, 1), Scripted("motor-stuck", 4, 1)])
    seen = [(script.due("motor-stuck"), script.due("lid-opens")) for _ in range(5)]
    assert [stuck for stuck, _ in seen] == [False, True, False, True, False]
    assert not any(opens for _, opens in seen)


# What they do


def test_a_stuck_motor_latches_and_leaves_the_cubes_as_they_lie(clock: ManualClock) -> None:
    twins = machine(clock, "motor-stuck@2x1")
    twins.shaker.shake(1.0)
    faces = twins.tray.faces
    with pytest.raises(DeviceError, match="the motor is stuck, as the simulation was told to"):
        twins.shaker.shake(1.0)
    assert twins.tray.faces == faces
    with pytest.raises(DeviceError, match="stands still: its driver told a fault"):
        twins.shaker.shake(1.0)
    twins.shaker.clear()
    twins.shaker.shake(1.0)
    assert twins.tray.faces != faces


def test_a_lid_is_opened_in_the_midst_of_a_run_and_shut_again(clock: ManualClock) -> None:
    twins = machine(clock, "lid-opens@1x1")
    begin = clock.monotonic()
    with pytest.raises(DeviceError, match="the lid is open"):
        twins.shaker.shake(2.0)
    assert clock.monotonic() - begin == pytest.approx(1.0, abs=0.05)
    seen = [twins.lid.closed]
    clock.sleep(2.0)
    seen.append(twins.lid.closed)
    assert seen == [False, True]
    twins.shaker.shake(2.0)


def test_a_camera_hangs_until_a_time_out_and_may_be_tried_again(clock: ManualClock) -> None:
    twins = machine(clock, "camera-hangs@2x1")
    twins.camera.capture()
    begin = clock.monotonic()
    with pytest.raises(DeviceError, match="gave no picture in 6 s") as caught:
        twins.camera.capture()
    assert clock.monotonic() - begin == 6.0
    assert caught.value.retry_after_s == 2.0
    twins.camera.capture()


def test_a_camera_is_unplugged(clock: ManualClock) -> None:
    twins = machine(clock, "camera-unplugged@3")
    assert outcomes(twins.camera.capture, 5) == "wwfff"


def test_pictures_are_black_or_torn(clock: ManualClock) -> None:
    twins = machine(clock, "camera-black@2x1", "camera-torn@3x1")
    twins.lamp.on()
    good, black, torn, good_again = (twins.camera.capture() for _ in range(4))
    assert not black.any()
    half = len(good) // 2
    differences = [
        np.abs(good.astype(int) - other).max(axis=(1, 2)) for other in (torn, good_again)
    ]
    assert differences[0][:half].max() < 10
    assert np.median(differences[0][half:]) > 50
    assert differences[1].max() < 10


def test_a_camera_is_moved_away_from_the_tray(clock: ManualClock) -> None:
    twins = machine(clock, "camera-moved@2")
    twins.lamp.on()
    near, far = (twins.camera.capture().astype(int) for _ in "12")
    assert near.shape == far.shape
    for row, col in ((0, 0), (3, 5), (9, 12)):  # squares of 10 pixels are now of 7.5
        there = near[10 * row + 5, 10 * col + 5].mean()
        assert far[int(7.5 * row + 3.75), int(7.5 * col + 3.75)].mean() == pytest.approx(there, 10)
    assert np.ptp(far[-25:, -35:]) < 20  # nothing but the edge


def test_a_cube_leans_until_it_is_nudged(clock: ManualClock) -> None:
    twins = machine(clock, "cubes-cocked@1x1")
    twins.shaker.shake(1.0)
    clock.sleep(5.0)
    assert (twins.tray.look() == 50).all()
    twins.shaker.nudge()
    clock.sleep(5.0)
    assert not (twins.tray.look() == 50).all()


def test_cubes_that_always_lean_do_so_after_a_nudge_too(clock: ManualClock) -> None:
    twins = machine(clock, "cubes-cocked")
    twins.shaker.shake(1.0)
    for _ in range(3):
        clock.sleep(5.0)
        assert (twins.tray.look() == 50).all()
        twins.shaker.nudge()


def test_a_cube_spins(clock: ManualClock) -> None:
    twins = machine(clock, "cube-spins@1x1")
    twins.shaker.shake(1.0)
    clock.sleep(20.0)
    looks = [twins.tray.look() for _ in range(8)]
    assert len({look.tobytes() for look in looks}) > 1


def test_a_lamp_is_dead_without_a_word(clock: ManualClock) -> None:
    twins = machine(clock, "lamp-dead")
    twins.lamp.on()
    assert not twins.lamp.lit
    assert twins.camera.capture().mean() < 10


def test_a_busy_pin_keeps_the_machine_from_opening_as_often_as_told(clock: ManualClock) -> None:
    script = Script([Scripted.parse("pins-busyx2")])

    def again() -> None:
        simulated_devices(lambda: (("A",),), picture, clock, script=script).close()

    assert outcomes(again, 4) == "ffww"


@pytest.mark.parametrize(
    ("fault", "use"),
    [
        ("shaker-fails@2x1", lambda twins: twins.shaker.shake(0.1)),
        ("lid-fails@2x1", lambda twins: twins.lid.closed),
        ("lamp-fails@2x1", lambda twins: twins.lamp.on()),
        ("sand-timer-fails@2x1", lambda twins: twins.sand_timer.show(1.0)),
        ("buzzer-fails@2x1", lambda twins: twins.buzzer.play("end")),
        ("button-fails@2x1", lambda twins: twins.button.on_press(print)),
        ("display-fails@2x1", lambda twins: twins.display.show("x")),
        ("camera-fails@2x1", lambda twins: twins.camera.capture()),
    ],
)
def test_any_device_fails_at_the_call_that_is_named(
    clock: ManualClock, fault: str, use: Callable[[SimulatedDevices], object]
) -> None:
    twins = machine(clock, fault)
    assert outcomes(lambda: use(twins), 3) == "wfw"


def test_every_fault_has_a_test_that_names_it() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [name for name in FAULTS if f'"{name}' not in text] == []


def test_nobody_is_asked_to_draw_what_he_cannot() -> None:
    with pytest.raises(ValueError, match="cannot draw cocked cubes"):
        simulated_devices(
            lambda: (("A",),), picture, ManualClock(), script=Script([Scripted("cubes-cocked")])
        )
