"""A real tray put together from its settings: pins opened low, parts on them, and a reader."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.flatness import FlatnessJudge
from firmware_host.photos import PhotoFolder
from firmware_host.reading import PhotoReader
from firmware_host.tray import Tray
from hardware.absent import NoBuzzer, NoDisplay, NoSandTimer
from hardware.buttons import DEBOUNCE_S, Key, PushButtons
from hardware.buzzer import PinBuzzer
from hardware.camera_pi import Driver, PiCamera, PiCameraOptions, fixed_controls, open_picamera
from hardware.clock import Clock
from hardware.devices import PRESS, Buzzer, Camera, Devices, Display, Photo, SandTimer
from hardware.display import OledDisplay, Panel, open_panel
from hardware.duty import DutyLimits
from hardware.gestures import Gesture, Timing
from hardware.lamp import PinLamp
from hardware.lid import SwitchLid
from hardware.motion import Motion
from hardware.photo_folder import FolderCamera
from hardware.pins import OutputPin, Pins, open_pins
from hardware.sand_timer import STRIPS, BarSandTimer, Bus, StripSandTimer, open_bus
from hardware.shaker import MotorPins, MotorShaker
from hardware.usb_camera import Capture, UsbCamera, open_device
from scoring.cubes import CubeSet
from scoring.lexicon import Lexicon
from vision.flatness import FlatnessNet
from vision.photo import load_photo

if TYPE_CHECKING:
    from firmware_host.calibration.stored import Calibration
    from firmware_host.settings import ButtonSection, Settings, ShakerSection


@dataclass(frozen=True)
class Drivers:
    """What opens the hardware; another in its place makes a machine that can be tested.

    Attributes:
        pins: library and chip to pins.
        bus: bits a second to an SPI bus.
        panel: chip, address, port and rotation to a display.
        picamera: options to a camera module, started.
        usb: device and size to a USB camera.
        photo: a file to a photo.
    """

    pins: Callable[[str, int | None], Pins] = open_pins
    bus: Callable[[int], Bus] = open_bus
    panel: Callable[[str, int, int, int], Panel] = open_panel
    picamera: Callable[[PiCameraOptions], Driver] = open_picamera
    usb: Callable[[Path, tuple[int, int]], Capture] = open_device
    photo: Callable[[Path], Photo] = load_photo


@dataclass(frozen=True)
class MachineDevices(Devices):
    """All parts of a real machine, and the pins that are let go of after them."""

    shaker: MotorShaker
    pins: Pins

    def close(self) -> None:
        """As of `hardware.devices.Devices.close`; then whatever pin is still open is driven low."""
        try:
            super().close()
        finally:
            self.pins.close()


@dataclass(frozen=True)
class Machine:
    """A real tray.

    Attributes:
        cubes: the cube set in it.
        clock: the clock of tray and timer.
        devices: its parts.
        reader: reads its photos.
        tray: their owner.
    """

    cubes: CubeSet
    clock: Clock
    devices: MachineDevices
    reader: PhotoReader
    tray: Tray


def open_machine(
    settings: Settings,
    cubes: CubeSet,
    clock: Clock,
    photos: PhotoFolder,
    lexicon: Lexicon,
    *,
    drivers: Drivers | None = None,
    calibration: Calibration | None = None,
) -> Machine:
    """Open the tray of this machine; nothing moves by it, and all outputs are low.

    Args:
        settings: what it is built of.
        cubes: the cube set in it.
        clock: the clock of tray and timer.
        photos: where the photos go.
        lexicon: proves the words.
        drivers: what opens the hardware.
        calibration: of its camera, where there is one; stands in where the settings say nothing.

    Raises:
        DeviceError: a part cannot be opened; those before it are closed again.
    """
    # First: nothing may fail between opening and closing.
    reader, judge = PhotoReader.standard(cubes.name), FlatnessJudge(FlatnessNet.load())
    if calibration is not None:
        settings = calibration.applied_to(settings)
    devices = open_devices(settings, clock, drivers)
    tray = Tray(devices, clock, reader.read, photos, lexicon, judge, calibration)
    return Machine(cubes, clock, devices, reader, tray)


def open_devices(
    settings: Settings, clock: Clock, drivers: Drivers | None = None
) -> MachineDevices:
    """Open the parts of this machine, the motor's pins first; arguments as of `open_machine`.

    Raises:
        DeviceError: as of `open_machine`.
    """
    drivers = drivers or Drivers()
    with ExitStack() as opened:
        pins = drivers.pins(settings.pins.library, settings.pins.chip)
        opened.callback(pins.close)
        devices = _Workshop(settings, clock, drivers, pins, opened).devices()
        opened.pop_all()  # from here on the machine itself closes them
    return devices


@dataclass(frozen=True)
class _Workshop:
    """Makes the parts, one after the other."""

    settings: Settings
    clock: Clock
    drivers: Drivers
    pins: Pins
    opened: ExitStack

    def devices(self) -> MachineDevices:
        motor = self._motor()
        lid = SwitchLid(
            self.pins.input("lid", self.settings.lid.pin), simulated=self.pins.simulated
        )
        shaker = self._shaker(motor, lid)
        lamp = self._lamp()
        return MachineDevices(
            shaker=shaker,
            lid=lid,
            lamp=lamp,
            sand_timer=self._sand_timer(),
            buzzer=self._buzzer(),
            button=self._buttons(),
            display=self._display(),
            camera=self._camera(lamp, shaker),
            pins=self.pins,
        )

    def _motor(self) -> MotorPins:
        motor = self.settings.shaker
        return MotorPins(
            self.pins.output("shaker", motor.forward_pin, motor.frequency_hz),
            self._spare_output(motor.backward_pin, motor.frequency_hz),
            None if motor.fault_pin is None else self.pins.input("shaker", motor.fault_pin),
            self._spare_output(motor.keep_alive_pin, motor.frequency_hz),
        )

    def _spare_output(self, pin: int | None, frequency_hz: int) -> OutputPin | None:
        return None if pin is None else self.pins.output("shaker", pin, frequency_hz)

    def _shaker(self, motor: MotorPins, lid: SwitchLid) -> MotorShaker:
        section = self.settings.shaker
        return MotorShaker(
            motor,
            lid,
            self.clock,
            _motion(section),
            _limits(section),
            nudge_s=section.nudge_s,
            simulated=self.pins.simulated,
        )

    def _lamp(self) -> PinLamp:
        lamp = self.settings.lamp
        pin = self.pins.output("lamp", lamp.pin, lamp.frequency_hz)
        return PinLamp(pin, self.clock, lamp.level, lamp.warm_up_s, simulated=self.pins.simulated)

    def _sand_timer(self) -> SandTimer:
        section = self.settings.sand_timer
        if section.kind == "none":
            return NoSandTimer()
        if section.kind == "bar":
            red, green = (
                self.pins.output("sand_timer", pin) for pin in (section.red_pin, section.green_pin)
            )
            return BarSandTimer(red, green, section.brightness, simulated=self.pins.simulated)
        encode, speed_hz = STRIPS[section.kind]
        bus = self.drivers.bus(speed_hz)
        self.opened.callback(bus.close)
        return StripSandTimer(
            bus, encode, section.leds, section.brightness, simulated=self.pins.simulated
        )

    def _buzzer(self) -> Buzzer:
        section = self.settings.buzzer
        if section.kind == "none":
            return NoBuzzer()
        return PinBuzzer(
            self.pins.output("buzzer", section.pin),
            self.clock,
            section.mode,
            pitched=section.kind == "passive",
            simulated=self.pins.simulated,
        )

    def _buttons(self) -> PushButtons:
        section = self.settings.buttons
        keys = [
            Key(self.pins.input("button", button.pin, DEBOUNCE_S), _actions(button))
            for _, button in section.all
        ]
        timing = Timing(long_s=section.long_s, double_s=section.double_s)
        return PushButtons(keys, self.clock, timing, simulated=self.pins.simulated)

    def _display(self) -> Display:
        section = self.settings.display
        if section.kind == "none":
            return NoDisplay()
        panel = self.drivers.panel(section.kind, section.address, section.port, section.rotate)
        self.opened.callback(panel.cleanup)
        return OledDisplay(panel)

    def _camera(self, lamp: PinLamp, shaker: MotorShaker) -> Camera:
        """The camera is opened with its first picture: till then there is nothing to close."""
        section = self.settings.camera
        size = section.width, section.height
        if section.kind == "folder" and section.folder is not None:
            return FolderCamera(section.folder, self.drivers.photo, lambda: shaker.runs, self.clock)
        if section.kind == "usb":
            return UsbCamera(
                section.device,
                lambda device: self.drivers.usb(device, size),
                section.time_out_s,
                lambda: lamp.lit,
            )
        options = PiCameraOptions(section.number, size, section.format, fixed_controls(section))
        return PiCamera(options, lambda: lamp.lit, self.drivers.picamera, section.time_out_s)


def _motion(section: ShakerSection) -> Motion:
    return Motion(section.pattern, section.power, section.ramp_s, section.burst_s, section.pause_s)


def _limits(section: ShakerSection) -> DutyLimits:
    return DutyLimits(section.longest_s, section.budget_s, section.window_s, section.rest_s)


def _actions(button: ButtonSection) -> dict[Gesture, str]:
    meant = {gesture: getattr(button, gesture) for gesture in Gesture}
    actions = {gesture: action for gesture, action in meant.items() if action != "none"}
    if button.short == PRESS:  # its long press takes what the display offers, and else is a press
        actions.setdefault(Gesture.LONG, PRESS)
    return actions
