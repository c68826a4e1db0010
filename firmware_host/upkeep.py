"""What the service does with its devices while no round is on: look, calibrate, try the motor.

One thing at a time, in the owner's thread. Whoever began it must go on asking how it stands: where
nobody does any longer, as a page that went away, it ends by itself and the motor stops.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from firmware_host.calibration.choices import refused
from firmware_host.calibration.steps import Rig, calibrate, lit
from firmware_host.calibration.stored import Calibration, Found, Step, load, merged, save
from firmware_host.errors import CommandError, complaint_of
from firmware_host.owner import Job, Stopped
from firmware_host.settings import Settings
from hardware.clock import Clock
from hardware.devices import Adjustable, DeviceError, Devices, Photo
from vision.reading import TrayReading
from vision.settle import LEAST_CHANGE

LEASE_S = 4.0
"""Seconds without anybody who asks, after which whatever is done ends."""

WATCH_S = 0.25
"""Seconds between two looks whether anybody does."""

LOOK_S = 0.5
"""Seconds between two pictures of a look, at least."""

MOST_TOLD = 40
"""Lines that are kept of what was done."""


class Work(StrEnum):
    """What may be done."""

    LOOK = "look"
    CALIBRATE = "calibrate"
    MOTOR = "motor"


@dataclass(frozen=True)
class Task:
    """What is to be done.

    Attributes:
        work: of which kind.
        steps: of a calibration.
        seconds: of a run of the motor.
        power: of it, as a share of full power.
    """

    work: Work
    steps: tuple[Step, ...] = ()
    seconds: float = 1.0
    power: float = 0.5


@dataclass(frozen=True)
class Report:
    """How it stands.

    Attributes:
        task: what is done, or was last; None for nothing.
        running: it is not at its end.
        told: lines about what was done.
        found: what each step of a calibration found.
        stored: what was found is kept.
        problem: what ended it before its end, and what to do.
        frames: pictures so far.
    """

    task: Task | None = None
    running: bool = False
    told: tuple[str, ...] = ()
    found: tuple[tuple[Step, str], ...] = ()
    stored: bool = False
    problem: tuple[str, str] | None = None
    frames: int = 0


@dataclass(frozen=True)
class Bench:
    """A machine that is looked after.

    Attributes:
        settings: of it, without what was calibrated.
        camera: what its camera is called.
        file: where its calibration is kept.
        read: photo to reading.
    """

    settings: Settings
    camera: str
    file: Path
    read: Callable[[Photo], TrayReading]


class Lender(Protocol):
    """The owner of the devices."""

    def lend(self, job: Job) -> Future[bool]:
        """As of `firmware_host.owner.Owner.lend`."""


class HaltedError(Exception):
    """It was ended before its end: nothing is wrong."""


class BusyError(Exception):
    """Something is done already."""


class Upkeep:
    """Does one thing after the other; every method is for any thread.

    Args:
        owner: lends the devices.
        bench: the machine.
        clock: the owner's.
        now: seconds that only go forward, for who asks.
    """

    def __init__(self, owner: Lender, bench: Bench, clock: Clock, now: Callable[[], float]) -> None:
        self.bench = bench
        self._owner = owner
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._report = Report()
        self._photo: Photo | None = None
        self._asked_at = 0.0
        self._halt: _Halt = _Halt()

    @property
    def report(self) -> Report:
        """How it stands; never waits."""
        return self._report

    @property
    def photo(self) -> tuple[int, Photo] | None:
        """The last picture with its number; None before the first."""
        photo = self._photo
        return None if photo is None else (self._report.frames, photo)

    def renew(self) -> None:
        """Somebody still asks."""
        self._asked_at = self._now()

    def begin(self, task: Task) -> None:
        """Begin something.

        Raises:
            BusyError: something is done already.
        """
        with self._lock:
            if self._report.running:
                raise BusyError
            self._report, self._photo = Report(task, running=True), None
            self._halt = _Halt()
        self.renew()
        done = self._owner.lend(lambda devices, mark: self._do(task, devices, mark))
        done.add_done_callback(self._ended)
        threading.Thread(target=self._watch, args=(done,), name="upkeep", daemon=True).start()

    def halt(self, why: str = "it was ended from the page") -> None:
        """End it now: the motor stops within its 20 ms, all else with the next picture."""
        self._halt(why)

    def check(self) -> None:
        """End it where nobody asks any longer."""
        if self._report.running and self._now() - self._asked_at > LEASE_S:
            self.halt("the page went away")

    def _watch(self, done: Future[bool]) -> None:
        ended = threading.Event()
        done.add_done_callback(lambda _: ended.set())
        while not ended.wait(WATCH_S):
            self.check()

    def _ended(self, done: Future[bool]) -> None:
        self._report = replace(self._report, running=False, problem=_outcome(done))

    def _do(self, task: Task, devices: Devices, mark: Callable[[str], None]) -> None:
        self._halt.arm(None if task.work is Work.LOOK else devices)
        try:
            self._work(task, devices, mark)
        except DeviceError:
            if self._halt.why:  # a motor that was stopped says so by an error
                raise HaltedError from None
            raise
        finally:
            self._halt.disarm()

    def _work(self, task: Task, devices: Devices, mark: Callable[[str], None]) -> None:
        tell = self._teller(mark)
        clock = _WorkClock(self._clock, self._halt.check, lambda: mark(task.work))
        rig = Rig(
            devices,
            clock,
            _today,
            self.bench.read,
            self.bench.settings,
            may_move=Step.MOTOR in task.steps,
            tell=tell,
            seen=self._seen,
        )
        match task.work:
            case Work.LOOK:
                self._look(rig)
            case Work.CALIBRATE:
                self._calibrate(rig, task.steps)
            case Work.MOTOR:
                self._run_motor(rig, task)

    def _teller(self, mark: Callable[[str], None]) -> Callable[[str], None]:
        def tell(text: str) -> None:
            self._halt.check()
            mark(text)
            self._report = replace(self._report, told=(*self._report.told, text)[-MOST_TOLD:])

        return tell

    def _seen(self, photo: Photo) -> None:
        self._halt.check()
        self._photo = photo
        self._report = replace(self._report, frames=self._report.frames + 1)

    def _look(self, rig: Rig) -> None:
        with lit(rig.devices):
            rig.tell("look: the lamp is on")
            while True:
                rig.frame()
                rig.clock.sleep(LOOK_S)

    def _run_motor(self, rig: Rig, task: Task) -> None:
        _make_ready(rig.devices)
        rig.tell(f"motor: {task.seconds:g} s at {task.power:.0%} of full power, with its ramps")
        rig.devices.shaker.shake(task.seconds, task.power)
        rig.tell("motor: it stands still")

    def _calibrate(self, rig: Rig, steps: tuple[Step, ...]) -> None:
        if rig.may_move:
            _make_ready(rig.devices)
        before, camera = _kept(self.bench.file), rig.devices.camera
        exposure = camera.exposure if isinstance(camera, Adjustable) else None
        least = before.least if before else LEAST_CHANGE
        try:
            found = calibrate(rig, self.bench.camera, steps, least, self._hear)
            save(self.bench.file, merged(before, found))
        except Exception:
            if isinstance(camera, Adjustable) and exposure is not None:
                with suppress(DeviceError):  # what ended it is what is told
                    camera.expose(exposure)
            raise
        self._report = replace(self._report, stored=True)

    def _hear(self, step: Step, found: Found) -> None:
        self._report = replace(self._report, found=(*self._report.found, (step, str(found))))


@dataclass
class _Halt:
    """Ends what is done, from any thread.

    Attributes:
        why: it is to end; empty as long as it is not.
    """

    why: str = ""
    _devices: Devices | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, why: str) -> None:
        with self._lock:
            self.why = self.why or why
            if self._devices is not None:
                self._devices.shaker.stop(why)

    def check(self) -> None:
        """Raise `HaltedError` where it is to end."""
        if self.why:
            raise HaltedError(self.why)

    def arm(self, devices: Devices | None) -> None:
        """Stop the motor of these, too, from now on."""
        with self._lock:
            self.check()
            self._devices = devices

    def disarm(self) -> None:
        """Let the motor go: the round has it again, and may run it where nothing is wrong."""
        with self._lock:
            devices, self._devices = self._devices, None
        if self.why and devices is not None:
            devices.shaker.clear()


@dataclass(frozen=True)
class _WorkClock:
    """The owner's clock, on which what is done can be ended, and long rests are told to go on."""

    clock: Clock
    check: Callable[[], None]
    alive: Callable[[], None]

    def monotonic(self) -> float:
        """As of `hardware.clock.Clock.monotonic`."""
        self.check()
        return self.clock.monotonic()

    def sleep(self, seconds: float) -> None:
        """As of `hardware.clock.Clock.sleep`."""
        while seconds > 0:
            self.check()
            self.clock.sleep(min(seconds, LOOK_S))
            seconds -= LOOK_S
            self.alive()


def _make_ready(devices: Devices) -> None:
    """See that the motor may run; who has begun this has seen to what stopped it before."""
    if not devices.lid.closed:
        raise refused("the lid is open: nothing was moved", "Close the lid, then try again.")
    devices.shaker.clear()


def _kept(file: Path) -> Calibration | None:
    """What was calibrated before; one that cannot be used is about to be replaced."""
    try:
        return load(file)
    except CommandError:
        return None


def _outcome(done: Future[bool]) -> tuple[str, str] | None:
    """What ended it before its end; None where nothing is wrong."""
    error = None if done.cancelled() else done.exception()
    if done.cancelled() or isinstance(error, Stopped):
        return "the service ends", "Start it again."
    if error is None:
        return None if done.result() else ("a round is on", "Wait for its end.")
    return None if isinstance(error, HaltedError) else _problem(error)


def _problem(error: BaseException) -> tuple[str, str]:
    complaint = complaint_of(error) if isinstance(error, Exception) else None
    if complaint is not None:
        return complaint.message, complaint.advice
    return f"an unexpected error, {type(error).__name__}", "Report it with the service's journal."


def _today() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
