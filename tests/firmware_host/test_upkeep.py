"""Devices that are lent: a look, a calibration, a run of the motor; each ends by itself."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_host.calibration.stored import Step, load
from firmware_host.owner import Job
from firmware_host.settings import Settings
from firmware_host.upkeep import LEASE_S, Bench, BusyError, Task, Upkeep, Work
from hardware.clock import ManualClock
from hardware.devices import Devices
from tests.firmware_host.test_calibration import Sim

MOTOR = Task(Work.MOTOR, seconds=2.0, power=0.5)


@dataclass
class Lender:
    """Lends the devices at once, and tells each time something is said of what is done."""

    devices: Devices
    free: bool = True
    waits: bool = False
    marks: list[str] = field(default_factory=list)
    on_mark: Callable[[str], None] = lambda _text: None
    kept: list[Callable[[], None]] = field(default_factory=list)

    def lend(self, job: Job) -> Future[bool]:
        done: Future[bool] = Future()

        def run() -> None:
            try:
                if self.free:
                    job(self.devices, self.mark)
                done.set_result(self.free)
            except Exception as error:  # noqa: BLE001 - as the owner does
                done.set_exception(error)

        if self.waits:
            self.kept.append(run)
        else:
            run()
        return done

    def mark(self, text: str) -> None:
        self.marks.append(text)
        self.on_mark(text)


@dataclass
class Shop:
    sim: Sim
    lender: Lender
    upkeep: Upkeep
    file: Path
    asking: ManualClock

    def done(self, task: Task) -> None:
        self.upkeep.begin(task)
        assert not self.upkeep.report.running


def shop(folder: Path, *faults: str, free: bool = True, waits: bool = False) -> Shop:
    sim, asking, file = Sim(faults=faults), ManualClock(), folder / "calibration.json"
    lends = Lender(sim.devices, free, waits)
    bench = Bench(Settings(), "twin", file, sim.read)
    return Shop(sim, lends, Upkeep(lends, bench, sim.clock, asking.monotonic), file, asking)


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


class TestCalibration:
    def test_what_is_found_is_stored_and_told(self, made: Shop) -> None:
        made.done(Task(Work.CALIBRATE, tuple(Step)))
        report = made.upkeep.report
        assert ([step for step, _ in report.found], report.problem) == (list(Step), None)
        assert report.stored
        kept = load(made.file)
        assert kept is not None
        assert list(kept.steps) == list(Step)
        assert made.upkeep.photo is not None
        assert made.upkeep.photo[0] == report.frames > 10
        assert not made.sim.devices.lamp.lit

    def test_a_fault_leaves_nothing_stored_and_the_exposure_as_it_was(self, tmp_path: Path) -> None:
        made = shop(tmp_path, "camera-unplugged@5")
        before = made.sim.devices.camera.exposure
        made.done(Task(Work.CALIBRATE, (Step.EXPOSURE, Step.CORNERS)))
        report = made.upkeep.report
        assert report.problem is not None
        assert "unplugged" in report.problem[0]
        assert not report.stored
        assert not made.file.exists()
        assert made.sim.devices.camera.exposure == before

    def test_it_is_ended_on_its_way(self, made: Shop) -> None:
        made.lender.on_mark = lambda text: made.upkeep.halt() if "picture 3" in text else None
        made.done(Task(Work.CALIBRATE, (Step.CORNERS,)))
        assert (made.upkeep.report.problem, made.upkeep.report.stored) == (None, False)
        assert not made.sim.devices.lamp.lit

    def test_with_an_open_lid_nothing_is_moved(self, made: Shop) -> None:
        made.sim.devices.lid.open(60.0)
        made.done(Task(Work.CALIBRATE, (Step.SETTLE, Step.MOTOR)))
        assert made.upkeep.report.problem is not None
        assert "lid is open" in made.upkeep.report.problem[0]
        assert made.sim.powers() == []


class TestMotor:
    def test_it_runs_as_asked(self, made: Shop) -> None:
        made.done(MOTOR)
        assert made.sim.powers() == [0.5]
        assert made.upkeep.report.problem is None

    def test_it_is_stopped_and_may_run_again(self, made: Shop) -> None:
        made.lender.on_mark = lambda text: made.upkeep.halt() if "full power" in text else None
        made.done(MOTOR)
        assert made.upkeep.report.problem is None
        assert made.sim.devices.shaker.latched is None
        made.lender.on_mark = lambda _text: None
        made.done(MOTOR)
        assert made.upkeep.report.told[-1] == "motor: it stands still"

    def test_what_is_stuck_is_told(self, tmp_path: Path) -> None:
        made = shop(tmp_path, "motor-stuck")
        made.done(MOTOR)
        assert made.upkeep.report.problem is not None
        assert "stuck" in made.upkeep.report.problem[0]


class TestLook:
    def test_it_goes_on_until_it_is_ended(self, made: Shop) -> None:
        made.lender.on_mark = lambda _text: (
            made.upkeep.halt() if made.upkeep.report.frames == 3 else None
        )
        made.done(Task(Work.LOOK))
        assert made.upkeep.report.frames == 3
        assert not made.sim.devices.lamp.lit
        assert [call for call in made.sim.calls if call.device == "shaker"] == []

    def test_it_ends_where_nobody_asks_any_longer(self, made: Shop) -> None:
        def mark(_text: str) -> None:
            made.asking.sleep(1.0)
            if made.upkeep.report.frames <= 2:
                made.upkeep.renew()
            made.upkeep.check()

        made.lender.on_mark = mark
        made.done(Task(Work.LOOK))
        assert 2 < made.upkeep.report.frames <= 2 + LEASE_S + 1


class TestTurns:
    def test_one_thing_is_done_at_a_time(self, tmp_path: Path) -> None:
        made = shop(tmp_path, waits=True)
        made.upkeep.begin(MOTOR)
        assert made.upkeep.report.running
        with pytest.raises(BusyError):
            made.upkeep.begin(Task(Work.LOOK))
        made.lender.kept[0]()
        assert not made.upkeep.report.running

    def test_what_was_ended_before_its_turn_does_nothing(self, tmp_path: Path) -> None:
        made = shop(tmp_path, waits=True)
        made.upkeep.begin(MOTOR)
        made.upkeep.halt()
        made.lender.kept[0]()
        assert (made.sim.powers(), made.upkeep.report.problem) == ([], None)

    def test_a_round_that_is_on_comes_first(self, tmp_path: Path) -> None:
        made = shop(tmp_path, free=False)
        made.done(MOTOR)
        assert made.upkeep.report.problem == ("a round is on", "Wait for its end.")
        assert made.sim.powers() == []
