"""The parts of a machine, each tried for a moment so that a person can see and hear it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware_host.doctor.finding import Check, Finding, Grade, carried_out, failed, guarded
from firmware_host.doctor.picture import fault_of
from firmware_host.errors import ExitCode
from hardware.absent import NoBuzzer, NoDisplay, NoSandTimer
from hardware.clock import Clock
from hardware.devices import Device, DeviceError, Devices, Photo

if TYPE_CHECKING:
    from firmware_host.settings import Settings

SHOWN_S = 0.8
"""Seconds for which something is shown."""

SAND = (1.0, 0.05)
"""What the light bar shows: of its LEDs each colour, of a strip the most and the least."""

PICTURES = 3
"""Pictures that are taken: the first ones of a camera that wakes up look otherwise."""

MOVE_S = 1.0
"""Seconds for which the motor runs."""

TUNE = "end"
"""A tune that a quiet buzzer plays as well."""

QUESTION = f"Move the motor for {MOVE_S:g} s? Hands off, lid closed. [y/N] "

SPARE = ("display", "sand_timer", "buzzer")
"""Parts without which a machine can be opened; their sections have a kind ``none``."""

_ABSENT = (NoBuzzer, NoDisplay, NoSandTimer)
_STOP_SERVICE = (
    "Another program holds them, most likely the service: sudo systemctl stop wordtray, then "
    "doctor again."
)

_LOOK = "Look at its wires and its supply: wordtray wiring."
_UNNOTICED = "If you did not notice: look at its wires and its supply, by wordtray wiring."

Ask = Callable[[str], bool]
"""Asks a person, and tells whether the answer was yes."""


@dataclass(frozen=True)
class Bench:
    """A machine on trial.

    Attributes:
        settings: what it is built of.
        open_devices: opens its parts as settings have them.
        clock: all waiting happens on it.
        ask: asks before the motor moves; None leaves it alone.
        quiet: leaves the buzzer alone.
    """

    settings: Settings
    open_devices: Callable[[Settings], Devices]
    clock: Clock
    ask: Ask | None = None
    quiet: bool = False

    def findings(self) -> Generator[Finding, None, None]:
        """Try every part; all outputs are off afterwards, also when this is left before its end."""
        lost: list[Finding] = []
        try:
            devices = self._opened(lost)
        except Exception as error:  # noqa: BLE001 - whatever it is, that is what was looked for
            yield from lost
            yield _unopened(error)
            return
        with ExitStack() as left_early:
            left_early.callback(devices.close)
            yield self._pins(devices)
            yield from lost
            broken = {finding.subject for finding in lost}
            yield from carried_out(one for one in self._checks(devices) if one[0] not in broken)
            off = guarded("outputs", lambda: _switched_off(devices))
            left_early.pop_all()
        yield off

    def _opened(self, lost: list[Finding]) -> Devices:
        """The machine, without the parts that keep it from being opened; those are told."""
        settings = self.settings
        while True:
            try:
                return self.open_devices(settings)
            except DeviceError as error:
                part = error.device
                if part not in SPARE or part in {finding.subject for finding in lost}:
                    raise
                lost.append(failed(part, error))
                settings = _without(settings, part)

    def _pins(self, devices: Devices) -> Finding:
        if devices.shaker.simulated:
            return Finding("pins", Grade.OK, "they are simulated")
        wires = len(self.settings.wiring.wires)
        text = f"{wires} wires opened by {self.settings.pins.library}, all outputs low"
        return Finding("pins", Grade.OK, text)

    def _checks(self, devices: Devices) -> Iterator[Check]:
        tried: tuple[tuple[Device, Callable[[], Finding]], ...] = (
            (devices.lid, lambda: _lid(devices)),
            (devices.button, lambda: _button(devices)),
            (devices.lamp, lambda: self._lamp(devices)),
            (devices.sand_timer, lambda: self._sand_timer(devices)),
            (devices.display, lambda: self._display(devices)),
            (devices.buzzer, lambda: self._buzzer(devices)),
            (devices.camera, lambda: self._camera(devices)),
            (devices.shaker, lambda: self._motor(devices)),
        )
        for device, check in tried:
            yield device.name, _announced(device, check)

    def _lamp(self, devices: Devices) -> Finding:
        devices.lamp.on()
        try:
            lit = devices.lamp.lit
            self.clock.sleep(SHOWN_S)
        finally:
            devices.lamp.off()
        if lit:
            return Finding("lamp", Grade.OK, "it was lit for a moment", _UNNOTICED)
        text = "it was switched on and gives no light"
        return Finding("lamp", Grade.FAIL, text, _LOOK, ExitCode.DEVICE_FAULT)

    def _sand_timer(self, devices: Devices) -> Finding:
        try:
            for left in SAND:
                devices.sand_timer.show(left)
                self.clock.sleep(SHOWN_S)
        finally:
            devices.sand_timer.off()
        text = "it was full and green, then almost empty and red, then dark"
        return Finding("sand_timer", Grade.OK, text, _UNNOTICED)

    def _display(self, devices: Devices) -> Finding:
        devices.display.show("doctor")
        self.clock.sleep(SHOWN_S)
        text = "it showed the word doctor"
        return Finding("display", Grade.OK, text, _UNNOTICED)

    def _buzzer(self, devices: Devices) -> Finding:
        if self.quiet or self.settings.buzzer.mode == "silent":
            why = "--quiet" if self.quiet else 'mode = "silent" under [buzzer]'
            return Finding("buzzer", Grade.NONE, f"it was not played, because of {why}")
        devices.buzzer.play(TUNE)
        return Finding("buzzer", Grade.OK, "it played three notes", _UNNOTICED)

    def _camera(self, devices: Devices) -> Finding:
        devices.lamp.on()
        try:
            photos = [self._picture(devices) for _ in range(PICTURES)]
        finally:
            devices.lamp.off()
        return _seen([photo for photo, _ in photos], [seconds for _, seconds in photos])

    def _picture(self, devices: Devices) -> tuple[Photo, float]:
        begin = self.clock.monotonic()
        return devices.camera.capture(), self.clock.monotonic() - begin

    def _motor(self, devices: Devices) -> Finding:
        if self.ask is None:
            advice = "To move it: wordtray doctor --move, which asks before."
            return Finding("shaker", Grade.NONE, "it was not moved", advice)
        if not devices.lid.closed:
            text = "it was not moved: the lid is open"
            return Finding("shaker", Grade.WARN, text, "Close the lid, then doctor again.")
        if not self.ask(QUESTION):
            advice = "Answer y at a terminal; for a program: --move --yes."
            return Finding("shaker", Grade.NONE, "it was not moved: nobody said yes", advice)
        seconds = min(MOVE_S, self.settings.shaker.longest_s)
        devices.shaker.nudge()
        devices.shaker.shake(seconds)
        return Finding("shaker", Grade.OK, f"nudged, then shaken for {seconds:g} s")


def _announced(device: Device, check: Callable[[], Finding]) -> Callable[[], Finding]:
    """A check that says when the part is none, or is made up."""

    def announced() -> Finding:
        if isinstance(device, _ABSENT):
            return Finding(device.name, Grade.NONE, "there is none, as the settings have it")
        found = guarded(device.name, check)
        if not device.simulated:
            return found
        advice = "" if found.grade is Grade.OK else found.advice  # there is nothing to look at
        return replace(found, text=f"{found.text} (simulated)", advice=advice)

    return announced


def _lid(devices: Devices) -> Finding:
    if devices.lid.closed:
        advice = "If it is open: its switch is stuck or bridged, and the motor would run."
        return Finding("lid", Grade.OK, "it is closed, as its switch tells", advice)
    advice = "If it is closed: look at its switch and wires; a broken one reads as open."
    return Finding("lid", Grade.WARN, "it is open, as its switch tells", advice)


def _button(devices: Devices) -> Finding:
    devices.button.on_press(lambda: None)
    advice = "Whether a press arrives is seen in a round: wordtray play."
    return Finding("button", Grade.OK, "it listens", advice)


def _seen(photos: list[Photo], seconds: list[float]) -> Finding:
    height, width = photos[-1].shape[:2]
    text = f"{width} × {height} pixels; {seconds[0]:.1f} s, the next in {seconds[-1]:.1f} s"
    fault = fault_of(photos)
    if fault is None:
        return Finding("camera", Grade.OK, text)
    grade = Grade.FAIL if fault.useless else Grade.WARN
    return Finding("camera", grade, f"{fault.text} ({text})", fault.advice, ExitCode.DEVICE_FAULT)


def _switched_off(devices: Devices) -> Finding:
    devices.close()
    return Finding("outputs", Grade.OK, "everything is off again")


def _unopened(error: Exception) -> Finding:
    """Why the machine could not be opened; whoever has its pins is the service, as a rule."""
    found = failed("pins", error)
    busy = any(word in found.text.lower() for word in ("busy", "in use"))
    return replace(found, advice=_STOP_SERVICE) if busy else found


def _without(settings: Settings, part: str) -> Settings:
    section = getattr(settings, part).model_copy(update={"kind": "none"})
    return settings.model_copy(update={part: section})
