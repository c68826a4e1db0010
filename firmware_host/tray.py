"""The one owner of the tray's devices: carries out the effects of a round, answers with events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from firmware_host import lexicons, rounds
from firmware_host.calibration.choices import displacement, spot_of
from firmware_host.photos import PhotoFolder
from hardware.clock import Clock
from hardware.devices import DeviceError, Devices, Photo
from scoring.board import Cell
from scoring.lexicon import Lexicon
from scoring.referee import RoundResult, score_round
from vision import settle
from vision.errors import VisionError
from vision.reading import TrayReading

if TYPE_CHECKING:
    from firmware_host.calibration.stored import Calibration

FAR = 1.0
"""Cells from its calibrated place beyond which a tray, or its camera, has been moved."""

Judge = Callable[[Photo, TrayReading], tuple[Cell, ...]]
"""Cells of a photographed tray whose cubes do not lie flat, row by row."""


def all_flat(_photo: Photo, _reading: TrayReading) -> tuple[Cell, ...]:
    """Take every cube for flat, as a `Judge`."""
    return ()


class Onlooker(Protocol):
    """Watches the cubes come to rest, beside the round; neither call waits for anything."""

    def begin(self) -> None:
        """The cubes move anew: what was seen of them holds no more."""

    def see(self, frame: Photo, now: float) -> None:
        """What the camera sees, at a time of the clock."""


class NobodyLooksOn:
    """An `Onlooker` that is none."""

    def begin(self) -> None:
        """Nothing."""

    def see(self, frame: Photo, now: float) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Witnessed:
    """An `Onlooker` of whom somebody else hears that there is a frame.

    Args:
        onlooker: sees the frames.
        came: is called for each, and keeps nobody waiting.
    """

    onlooker: Onlooker
    came: Callable[[], object]

    def begin(self) -> None:
        """As of `Onlooker.begin`."""
        self.onlooker.begin()

    def see(self, frame: Photo, now: float) -> None:
        """As of `Onlooker.see`."""
        self.came()
        self.onlooker.see(frame, now)


@dataclass(frozen=True)
class Tray:
    """Devices and what a round needs besides them; only one may own the devices at a time.

    Args:
        devices: real ones or simulated twins.
        clock: tells how long the cubes have been moving.
        read: photo to reading; raises `VisionError`.
        photos: where the photos go.
        lexicon: proves the words, unless another list is named.
        judge: tells the cubes that do not lie flat.
        calibration: of camera and tray, where there is one.
        named: the word list of a name.
        onlooker: is shown the frames by which the cubes' rest is awaited.
    """

    devices: Devices
    clock: Clock
    read: Callable[[Photo], TrayReading]
    photos: PhotoFolder
    lexicon: Lexicon
    judge: Judge = all_flat
    calibration: Calibration | None = None
    named: Callable[[str], Lexicon] = lexicons.load
    onlooker: Onlooker = field(default_factory=NobodyLooksOn)

    def perform(self, effect: rounds.Effect) -> rounds.Event | None:
        """Carry out one effect; the event is its answer, or `DeviceFailed`, or None.

        Raises:
            OSError: a photo cannot be written.
        """
        try:
            return self._perform(effect)
        except DeviceError as error:
            return rounds.DeviceFailed(
                str(error), error.advice, self.clock.monotonic(), error.retry_after_s
            )

    def _perform(self, effect: rounds.Effect) -> rounds.Event | None:
        match effect:
            case rounds.Shake() | rounds.Nudge():
                return self._move(effect)
            case rounds.AwaitRest():
                return self._await_rest()
            case rounds.ReadTray():
                return self._read()
            case rounds.Score():
                return rounds.Scored(self._scored(effect))
            case rounds.Wait(seconds):
                self.clock.sleep(seconds)
                return rounds.Waited()
        self._show(effect)
        return None

    def _scored(self, effect: rounds.Score) -> RoundResult:
        calls = effect.calls
        return score_round(
            effect.board,
            effect.lists,
            self.named(effect.lexicon) if effect.lexicon else self.lexicon,
            effect.game,
            challenged=calls.challenged,
            rejected=calls.rejected,
            allowed=calls.allowed,
        )

    def _show(self, effect: rounds.Effect) -> None:
        """Effects that have no answer."""
        match effect:
            case rounds.Light(on):
                self.devices.lamp.on() if on else self.devices.lamp.off()
            case rounds.Sand(left):
                self._sand(left)
            case rounds.Play(tune):
                self.devices.buzzer.play(tune)
            case rounds.Show(lines):
                self.devices.display.show(*lines)
            case rounds.Clear():
                self.devices.shaker.clear()
            case rounds.Stop(why):
                self._stop(why)

    def _stop(self, why: str) -> None:
        try:
            self.devices.shaker.stop(why)
        finally:
            try:
                self.devices.lamp.off()
            finally:
                self.devices.sand_timer.off()

    def _sand(self, left: float | None) -> None:
        if left is None:
            self.devices.sand_timer.off()
        else:
            self.devices.sand_timer.show(left)

    def _move(self, effect: rounds.Shake | rounds.Nudge) -> rounds.Event | None:
        """Run the motor under a closed lid; one that is opened meanwhile is no fault."""
        if self._is_open():
            return rounds.LidOpened()
        try:
            return self._run(effect)
        except DeviceError:
            if self._is_open():
                return rounds.LidOpened()
            raise

    def _is_open(self) -> bool:
        return not self.devices.lid.closed

    def _run(self, effect: rounds.Shake | rounds.Nudge) -> rounds.Event | None:
        self.onlooker.begin()
        if isinstance(effect, rounds.Nudge):
            self.devices.shaker.nudge()
            return None
        self.devices.shaker.shake(effect.seconds)
        return rounds.ShakeDone()

    def _await_rest(self) -> rounds.Event:
        least = self.calibration.least if self.calibration else settle.LEAST_CHANGE
        self.onlooker.begin()
        frame = self.devices.camera.capture()  # the very first takes seconds: not of the wait
        watch = settle.start(self.clock.monotonic(), least)
        watch = self._observed(watch, frame)
        while watch.outcome is settle.Outcome.WAITING:
            watch = self._observed(watch, self.devices.camera.capture())
        if watch.outcome is settle.Outcome.SETTLED:
            return rounds.Settled()
        return rounds.StillMoving()

    def _observed(self, watch: settle.Settling, frame: Photo) -> settle.Settling:
        now = self.clock.monotonic()
        self.onlooker.see(frame, now)
        return settle.observe(watch, frame, now)

    def _read(self) -> rounds.Event:
        photo = self.devices.camera.capture()
        file = self.photos.save(photo)
        try:
            reading = self.read(photo)
        except VisionError as error:
            return rounds.TrayNotRead(str(error), error.advice, file)
        cocked, displaced = self.judge(photo, reading), self._displaced(photo, reading)
        return rounds.TrayRead(reading, file, cocked, displaced)

    def _displaced(self, photo: Photo, reading: TrayReading) -> float:
        """How far the tray lies from its place, in cells; 0 where it is about there."""
        height, width = photo.shape[:2]
        place = self.calibration.spot_in(width, height) if self.calibration else None
        cells = displacement(place, spot_of(reading)) if place else 0.0
        return cells if cells > FAR else 0.0
