"""The service around the owner: presses go in, systemd hears the truth, a stop leaves all off."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware_host import rounds, service
from firmware_host.owner import LONGEST_TURN_S, Owner, OwnersClock, Standing
from firmware_host.rounds import DeviceFailed, Effect, Event, Phase, Plan, RoundState
from firmware_host.systemd import Notifier
from hardware.clock import ManualClock
from hardware.devices import DeviceError, Photo
from hardware.simulated import Faces, Fault, SimulatedDevices, simulated_devices
from tests.firmware_host.conftest import after
from tests.firmware_host.test_owner import Notebook
from vision.reading import TrayReading

PATIENCE_S = 10.0


def render(_faces: Faces, _number: int) -> Photo:
    return np.zeros((4, 4, 3), np.uint8)


class Heard(Notifier):
    """Notes what systemd would hear."""

    def __init__(self, watchdog_s: float | None = 4.0) -> None:
        super().__init__("", watchdog_s)
        object.__setattr__(self, "words", [])

    words: list[str]

    def _send(self, message: str) -> None:
        self.words.append(message)


@pytest.fixture
def clock() -> OwnersClock:
    return OwnersClock(ManualClock(100.0))


@pytest.fixture
def devices(clock: OwnersClock) -> SimulatedDevices:
    return simulated_devices(lambda: (("A",),), render, clock)


Make = Callable[[Callable[[Effect], Event | None]], Owner]


@pytest.fixture
def make(devices: SimulatedDevices, clock: OwnersClock, plan: Plan) -> Make:
    return lambda perform: Owner(RoundState(plan), devices, perform, clock, book=Notebook())


def script(*steps: Callable[[], object]) -> service.Wait:
    """Does these one after the other where the service would wait, then stops it."""
    left = iter(steps)

    def wait(_seconds: float) -> bool:
        step = next(left, None)
        if step is not None:
            step()
        return step is None

    return wait


@pytest.fixture
def run(clock: OwnersClock) -> Callable[[Owner, service.Wait], list[str]]:
    """Runs the service and gives what systemd heard."""

    def through(owner: Owner, wait: service.Wait) -> list[str]:
        heard = Heard()
        service.run(owner, clock, heard, wait)
        return heard.words

    return through


Run = Callable[[Owner, service.Wait], list[str]]


def test_a_press_reaches_the_round_and_systemd_hears_how_it_stands(
    make: Make, run: Run, devices: SimulatedDevices
) -> None:
    shaken = threading.Event()

    def perform(effect: Effect) -> None:
        if isinstance(effect, rounds.Shake):
            shaken.set()

    words = run(
        make(perform), script(devices.button.press, lambda: shaken.wait(PATIENCE_S), lambda: None)
    )
    assert words[0] == "READY=1\nSTATUS=idle"
    assert "STATUS=shaking" in words
    assert words[-1].startswith("STOPPING=1")


def test_an_owner_that_hangs_is_not_told_to_be_alive_and_ends_with_an_error(
    make: Make, devices: SimulatedDevices, clock: OwnersClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LEAVE_S", 0.0)
    begun, let_go = threading.Event(), threading.Event()

    def perform(effect: Effect) -> None:
        if isinstance(effect, rounds.Light):
            begun.set()
            let_go.wait(PATIENCE_S)

    heard = Heard()
    seen: list[int] = []

    def count() -> None:
        seen.append(heard.words.count("WATCHDOG=1"))

    def hang() -> None:
        devices.button.press()
        begun.wait(PATIENCE_S)

    owner = make(perform)
    with pytest.raises(DeviceError, match="left at Light"):
        service.run(owner, clock, heard, script(hang, count, count, count, count))
    let_go.set()
    assert seen[1] == seen[3]


def test_what_takes_longer_than_anything_may_is_a_hang_however_lively(plan: Plan) -> None:
    busy = Standing(RoundState(plan), "AwaitRest", since=100.0)
    assert not service.is_stuck(busy, 100.0 + LONGEST_TURN_S)
    assert service.is_stuck(busy, 100.1 + LONGEST_TURN_S)
    assert not service.is_stuck(Standing(RoundState(plan), "", since=0.0), 1000.0)


def test_what_ends_the_owner_ends_the_service_with_all_off(
    run: Run, devices: SimulatedDevices, clock: OwnersClock, plan: Plan
) -> None:
    def break_down(_state: RoundState, _event: Event) -> None:
        raise ZeroDivisionError

    owner = Owner(
        RoundState(plan), devices, lambda _: None, clock, book=Notebook(), watch=break_down
    )
    owner.post(rounds.ButtonPressed(0.0))
    never = threading.Event()
    with pytest.raises(ZeroDivisionError):
        run(owner, lambda _seconds: never.wait(0.01))
    with pytest.raises(DeviceError, match="closed"):
        devices.lamp.on()


def test_a_button_that_cannot_be_listened_to_is_an_error_before_the_service_is_ready(
    make: Make, clock: OwnersClock, devices: SimulatedDevices
) -> None:
    devices.button.fail(Fault())
    heard = Heard()
    with pytest.raises(DeviceError, match="button"):
        service.run(make(lambda _effect: None), clock, heard, script())
    assert [word.split("=")[0] for word in heard.words] == ["STOPPING"]


def test_a_fault_is_told_with_its_advice(plan: Plan) -> None:
    state, _ = rounds.step(RoundState(plan), DeviceFailed("lid: it is open", "Close it.", 0.0))
    assert state.phase is Phase.FAULTED
    assert service.summary(Standing(state, "", 0.0)) == "fault: lid: it is open. Close it."


def test_the_cube_that_is_asked_is_told(plan: Plan, reading: Callable[..., TrayReading]) -> None:
    doubtful = rounds.TrayRead(reading(doubtful=[(1, 2)]), Path("photo.jpg"))
    events = (rounds.ButtonPressed(0.0), rounds.ShakeDone(), rounds.Settled(), doubtful)
    state = after(RoundState(plan), *events)
    assert service.summary(Standing(state, "", 0.0)) == "confirming: Row 2, column 3, P?"


def test_that_no_timer_runs_is_told(ready: RoundState) -> None:
    plan = replace(ready.plan, timing=rounds.Timing.LAST_CHANCE)
    state = after(replace(ready, plan=plan), rounds.ButtonPressed(1.0))
    summary = service.summary(Standing(state, "", 0.0))
    assert summary == "running: no timer until the last chance"
    state = after(state, rounds.LastChance("", 2.0))
    assert service.summary(Standing(state, "", 0.0)) == "running"


def test_whose_turn_it_is_is_told(ready: RoundState) -> None:
    state = replace(ready, plan=replace(ready.plan, timing=rounds.Timing.TURNS))
    assert service.summary(Standing(state, "", 0.0)) == "ready: red"
    state = after(state, rounds.ButtonPressed(1.0), rounds.PauseAsked(2.0))
    assert service.summary(Standing(state, "", 0.0)) == "paused: red"


@pytest.mark.parametrize(("watchdog_s", "seconds"), [(None, 1.0), (2.0, 0.5), (60.0, 1.0)])
def test_the_owner_is_looked_at_often_enough(watchdog_s: float | None, seconds: float) -> None:
    assert service.look_s(Notifier("", watchdog_s)) == seconds


def test_a_signal_ends_the_wait_also_when_it_came_before_and_is_then_as_it_was() -> None:
    usual = signal.getsignal(signal.SIGTERM)
    with service.stop_signals() as wait:
        assert not wait(0.0)
        os.kill(os.getpid(), signal.SIGTERM)
        assert wait(PATIENCE_S)
        os.kill(os.getpid(), signal.SIGINT)
        assert wait(0.0)
    assert signal.getsignal(signal.SIGTERM) is usual
