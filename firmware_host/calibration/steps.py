"""The steps of a calibration, carried out on a machine: whatever fails ends them by an error."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from firmware_host.calibration import choices
from firmware_host.calibration.choices import Lit, Spot, Trial, refused
from firmware_host.calibration.stored import (
    Calibration,
    Found,
    FoundCorners,
    FoundExposure,
    FoundMotor,
    FoundStillness,
    Step,
)
from firmware_host.doctor.picture import fault_of
from firmware_host.settings import Settings
from hardware.clock import Clock
from hardware.devices import Adjustable, DeviceError, Devices, Exposure, Photo
from vision import settle
from vision.exposure import Light, light_of
from vision.reading import TrayReading

Hear = Callable[[Step, Found], None]
"""Hears of each step what it found, as soon as it did."""

TRIES = 10
"""Exposures that are tried."""

SIGHTS = 7
"""Pictures in which the tray is looked for."""

STILL_FRAMES = 15
"""Pictures of a still tray whose changes are measured."""

ROCKING_S = 0.5
"""Seconds of a gentle shake, after which the cubes still rock for a moment."""

ROCKING_FRAMES = 4
"""Pictures in which they may."""

LONGEST_REST_S = 600.0
"""Seconds of rest that the motor may ask for, at most."""


@dataclass(frozen=True)
class Rig:
    """A machine that is calibrated.

    Attributes:
        devices: its parts; the lamp is lit.
        clock: all waiting happens on it.
        now: the time of day.
        read: photo to reading; raises `VisionError`.
        settings: of it.
        may_move: the motor may.
        tell: hears what is being done.
        seen: hears of each picture; what it raises ends the step.
    """

    devices: Devices
    clock: Clock
    now: Callable[[], datetime]
    read: Callable[[Photo], TrayReading]
    settings: Settings
    may_move: bool = False
    tell: Callable[[str], None] = lambda _text: None
    seen: Callable[[Photo], None] = lambda _photo: None

    def frame(self) -> Photo:
        """A picture, whatever it shows.

        Raises:
            DeviceError: there came none.
        """
        photo = self.devices.camera.capture()
        self.seen(photo)
        return photo

    def look(self) -> Photo:
        """A picture that shows something.

        Raises:
            CommandError: it is black or torn.
            DeviceError: there came none.
        """
        photo = self.frame()
        fault = fault_of([photo])
        if fault is not None and fault.useless:
            raise refused(f"camera: {fault.text}", fault.advice)
        return photo


def calibrate(
    rig: Rig, camera: str, steps: Collection[Step], least: float, hear: Hear
) -> Calibration:
    """Take some steps, in their order.

    Args:
        rig: the machine; where its motor may not move, the step of the motor is left out.
        camera: what it is called.
        steps: which.
        least: the threshold of stillness where that is not among them.
        hear: hears of each.

    Raises:
        CommandError: something cannot be calibrated.
        DeviceError: a part fails.
        VisionError: no tray is seen.
    """
    with lit(rig.devices):
        height, width = rig.look().shape[:2]
        found = Calibration(format=1, camera=camera, width=width, height=height)
        for step in (step for step in Step if step in steps):
            if step is Step.MOTOR and not rig.may_move:
                continue
            one = _taken(rig, step, found.settle.least if found.settle else least)
            hear(step, one)
            found = found.model_copy(update={str(step): one})
    return found


def _taken(rig: Rig, step: Step, least: float) -> Found:
    match step:
        case Step.EXPOSURE:
            return find_exposure(rig)
        case Step.CORNERS:
            return find_corners(rig)
        case Step.SETTLE:
            return find_stillness(rig)
        case Step.MOTOR:
            return find_motor(rig, least)


@contextmanager
def lit(devices: Devices) -> Iterator[None]:
    """Under the lamp, which goes off on every way out.

    Raises:
        CommandError: it gives no light.
    """
    devices.lamp.on()
    try:
        if not devices.lamp.lit:
            raise refused("lamp: it was switched on and gives no light", "Look at its wires.")
        yield
    finally:
        devices.lamp.off()


# ---- exposure --------------------------------------------------------------------------------


def find_exposure(rig: Rig) -> FoundExposure:
    """Expose the light faces of the cubes brightly, and nothing burnt out.

    A camera that sets its own exposure, or whose exposure the settings fix, is only looked at.

    Raises:
        CommandError: no exposure suits.
        DeviceError: the camera fails.
        VisionError: no tray is seen.
    """
    light = _light(rig)
    for _ in range(TRIES):
        if choices.judged(light) is Lit.GOOD:
            return _found_exposure(rig, light)
        if not _try_next(rig, light):
            break
        light = _light(rig)
    raise _unlit(rig, light)


def _light(rig: Rig) -> Light:
    photo = rig.look()
    light = light_of(photo, rig.read(photo).corners_px)
    rig.tell(f"exposure: light faces at {light.level:.0f} of 255, {light.burnt:.1%} burnt out")
    return light


def _try_next(rig: Rig, light: Light) -> bool:
    """Set the exposure that may be better; False where there is none."""
    camera, exposure = rig.devices.camera, _exposure(rig)
    if not isinstance(camera, Adjustable) or exposure is None or _is_fixed(rig):
        return False
    better = None if choices.judged(light) is Lit.GLARE else choices.adjusted(exposure, light)
    if better is None:
        return False
    camera.expose(better)
    return True


def _is_fixed(rig: Rig) -> bool:
    return rig.settings.camera.exposure_us is not None or rig.settings.camera.gain is not None


def _exposure(rig: Rig) -> Exposure | None:
    camera = rig.devices.camera
    return camera.exposure if isinstance(camera, Adjustable) else None


def _found_exposure(rig: Rig, light: Light) -> FoundExposure:
    exposure = _exposure(rig)
    known = {} if exposure is None else vars(exposure)
    return FoundExposure(at=rig.now(), level=light.level, burnt=light.burnt, **known)


_REMEDY = {
    Lit.DARK: "Give the tray more light, or raise level under [lamp].",
    Lit.BRIGHT: "Shade the tray, or lower level under [lamp].",
    Lit.GLARE: "Spread the light: a diffuser before the lamp, or a lamp from the side.",
    Lit.GOOD: "Try again.",
}


def _unlit(rig: Rig, light: Light) -> Exception:
    how = choices.judged(light)
    seen = f"the light faces are at {light.level:.0f} of 255, {light.burnt:.1%} burnt out"
    if _is_fixed(rig):
        advice = "Change exposure_us and gain under [camera], or leave them out."
        return refused(f"the exposure that the settings fix does not suit: {seen} ({how})", advice)
    return refused(f"no exposure suits: {seen} ({how})", _REMEDY[how])


# ---- corners ---------------------------------------------------------------------------------


def find_corners(rig: Rig) -> FoundCorners:
    """Find the tray in some pictures.

    Raises:
        CommandError: it was found at several places.
        DeviceError: the camera fails.
        VisionError: no tray is seen.
    """
    spot = choices.settled_spot([_sight(rig, number) for number in range(1, SIGHTS + 1)])
    return FoundCorners(
        at=rig.now(),
        corners_px=spot.corners_px,
        rows=spot.rows,
        cols=spot.cols,
        spread_px=spot.spread_px,
    )


def _sight(rig: Rig, number: int) -> Spot:
    rig.tell(f"corners: picture {number} of {SIGHTS}")
    return choices.spot_of(rig.read(rig.look()))


# ---- stillness -------------------------------------------------------------------------------


def find_stillness(rig: Rig) -> FoundStillness:
    """Measure how pictures of a still tray change, and of one that rocks if the motor may move.

    Raises:
        CommandError: they cannot be told apart.
        DeviceError: a part fails.
    """
    rig.tell("settle: watching the still tray")
    first = rig.look()
    still = max(settle.change(first, rig.frame()) for _ in range(STILL_FRAMES))
    moved = _rocking(rig) if rig.may_move else None
    least = choices.stillness(still, moved)
    return FoundStillness(at=rig.now(), least=least, still=still, moved=moved)


def _rocking(rig: Rig) -> float | None:
    """The largest change after a gentle shake; None where the tray was at rest at once."""
    rig.tell("settle: rocking the tray")
    shaker = rig.settings.shaker
    power = choices.STRENGTHS[0] * shaker.power
    rested(rig, lambda: rig.devices.shaker.shake(min(ROCKING_S, shaker.longest_s), power))
    frames = [rig.frame() for _ in range(ROCKING_FRAMES)]
    _await_rest(rig, settle.LEAST_CHANGE)
    last = rig.frame()
    largest = max(settle.change(last, one) for one in frames)
    return largest if largest > settle.MOST_CHANGE else None


def _await_rest(rig: Rig, least: float) -> None:
    watch = settle.start(rig.clock.monotonic(), least)
    while watch.outcome is settle.Outcome.WAITING:
        watch = settle.observe(watch, rig.frame(), rig.clock.monotonic())
    if watch.outcome is not settle.Outcome.SETTLED:
        raise refused(
            f"the tray does not come to rest in {settle.TIME_OUT_S:g} s",
            "See that no cube spins and nothing shakes the camera.",
        )


# ---- motor -----------------------------------------------------------------------------------


def find_motor(rig: Rig, least: float = settle.LEAST_CHANGE) -> FoundMotor:
    """Shake ever more strongly until the cubes mix, and no more strongly than the settings have it.

    Args:
        rig: the machine, whose motor may move.
        least: the threshold of stillness.

    Raises:
        CommandError: even the highest power does not mix.
        DeviceError: a part fails; the motor's budget of running is its own to keep.
        VisionError: no tray is seen.
    """
    shaker, trials = rig.settings.shaker, list[Trial]()
    reading = rig.read(rig.look())
    for strength in choices.STRENGTHS:
        trial = Trial(round(strength * shaker.power, 3))
        while trial.mixes is None:
            after = _shaken(rig, trial.power, least)
            changed = choices.changed_share(reading, after)
            trial, reading = Trial(trial.power, (*trial.changed, changed)), after
            rig.tell(f"motor: {trial.power:.0%} of full power changes {changed:.0%} of the cubes")
        trials.append(trial)
        if trial.mixes:
            break
    best = choices.gentlest(trials)
    return FoundMotor(
        at=rig.now(),
        pattern=shaker.pattern,
        seconds=shaker.shake_s,
        power=best.power,
        changed=min(best.changed),
    )


def _shaken(rig: Rig, power: float, least: float) -> TrayReading:
    rested(rig, lambda: rig.devices.shaker.shake(rig.settings.shaker.shake_s, power))
    _await_rest(rig, least)
    return rig.read(rig.look())


def rested(rig: Rig, run: Callable[[], None]) -> None:
    """Run the motor, after the rest that it asks for.

    Raises:
        DeviceError: it fails, or asks for too long a rest.
    """
    try:
        run()
    except DeviceError as error:
        rest_s = error.retry_after_s
        if rest_s is None or rest_s > LONGEST_REST_S:
            raise
        rig.tell(f"motor: it rests for {rest_s:.0f} s")
        rig.clock.sleep(rest_s)
        run()
