"""The one owner of the tray's devices: carries out the effects of a round, answers with events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host import rounds
from firmware_host.photos import PhotoFolder
from hardware.clock import Clock
from hardware.devices import DeviceError, Devices, Photo
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from vision import settle
from vision.errors import VisionError
from vision.reading import TrayReading


@dataclass(frozen=True)
class Tray:
    """Devices and what a round needs besides them; only one may own the devices at a time.

    Args:
        devices: real ones or simulated twins.
        clock: tells how long the cubes have been moving.
        read: photo to reading; raises `VisionError`.
        photos: where the photos go.
        lexicon: proves the words.
    """

    devices: Devices
    clock: Clock
    read: Callable[[Photo], TrayReading]
    photos: PhotoFolder
    lexicon: Lexicon

    def perform(self, effect: rounds.Effect) -> rounds.Event | None:
        """Carry out one effect; the event is its answer, or `DeviceFailed`, or None."""
        try:
            return self._perform(effect)
        except DeviceError as error:
            return rounds.DeviceFailed(str(error), error.advice)

    def _perform(self, effect: rounds.Effect) -> rounds.Event | None:
        match effect:
            case rounds.Shake(seconds):
                self.devices.shaker.shake(seconds)
                return rounds.ShakeDone()
            case rounds.AwaitRest():
                return self._await_rest()
            case rounds.ReadTray():
                return self._read()
            case rounds.Score(board, lists, game):
                return rounds.Scored(score_round(board, lists, self.lexicon, game))
            case _:
                self._show(effect)
                return None

    def _show(self, effect: rounds.Effect) -> None:
        """Effects that have no answer."""
        match effect:
            case rounds.Nudge():
                self.devices.shaker.nudge()
            case rounds.Light(on):
                self.devices.lamp.on() if on else self.devices.lamp.off()
            case rounds.Sand(left):
                self._sand(left)
            case rounds.Play(tune):
                self.devices.buzzer.play(tune)
            case rounds.Show(lines):
                self.devices.display.show(*lines)
            case _:
                self.devices.lamp.off()
                self.devices.sand_timer.off()

    def _sand(self, left: float | None) -> None:
        if left is None:
            self.devices.sand_timer.off()
        else:
            self.devices.sand_timer.show(left)

    def _await_rest(self) -> rounds.Event:
        watch = settle.start(self.clock.monotonic())
        while watch.outcome is settle.Outcome.WAITING:
            frame = self.devices.camera.capture()
            watch = settle.observe(watch, frame, self.clock.monotonic())
        if watch.outcome is settle.Outcome.SETTLED:
            return rounds.Settled()
        return rounds.StillMoving()

    def _read(self) -> rounds.Event:
        photo = self.devices.camera.capture()
        file = self.photos.save(photo)
        try:
            return rounds.TrayRead(self.read(photo), file)
        except VisionError as error:
            return rounds.TrayNotRead(str(error), error.advice)
