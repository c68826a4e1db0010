"""The settings of a machine: what it is built of, on which pins, and how it moves.

Every key has its bounds in its type. A file of settings is opened by `firmware_host.settings_file`;
this module costs a tenth of a second to import, so commands without a machine do not.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from hardware.devices import ACTIONS, LONGEST_SHAKE_S
from hardware.wiring import Use, Wire, Wiring, i2c_wires, spi_wires

Gpio = Annotated[int, Field(ge=0, le=27)]
Share = Annotated[float, Field(gt=0, le=1)]
Action = Literal[
    "press",
    "pause",
    "cancel",
    "reroll",
    "extra_time",
    "take",
    "back",
    "last_chance",
    "done",
    "quiet",
    "shut_down",
    "none",
]
Pulses = Annotated[int, Field(ge=50, le=10_000)]
NAME_OR_NOTHING = r"^([a-z0-9][a-z0-9_-]{0,39})?$"


class Section(BaseModel):
    """Base of all sections: unknown keys are refused, numbers are not made of text."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def key(default: Any, description: str, **bounds: Any) -> Any:  # noqa: ANN401 - as pydantic's Field
    """A key with its default, the comment that the example gives it, and its bounds."""
    return Field(default, description=description, **bounds)


class PinsSection(Section):
    """The library that drives the pins; it is never guessed."""

    library: Literal["lgpio", "rpigpio", "mock"] = key(
        "lgpio", "lgpio; rpigpio for rpi-lgpio; mock for pins of thin air, which are simulated"
    )
    chip: int | None = key(None, "number of /dev/gpiochipN; without it that of the header", ge=0)

    @property
    def simulated(self) -> bool:
        """Whether the pins are of thin air."""
        return self.library == "mock"


class ShakerSection(Section):
    """The motor that shakes the tray."""

    driver: Literal["mosfet", "h_bridge"] = key("mosfet", "what drives the motor")
    forward_pin: Gpio = key(23, "gate of the MOSFET, or IN1 of the H-bridge; 9 to 27")
    backward_pin: Gpio | None = key(None, "IN2 of the H-bridge; 9 to 27")
    fault_pin: Gpio | None = key(None, "low while the driver tells a stall: nFAULT of an H-bridge")
    keep_alive_pin: Gpio | None = key(
        25, "pulses while the motor runs, for a one-shot that cuts it off without; 9 to 27"
    )
    frequency_hz: int = key(1000, "pulses a second of the motor's power", ge=200, le=10_000)
    power: Share = key(0.8, "highest speed, as a share of full power")
    ramp_s: float = key(0.25, "seconds from standing to full speed", ge=0.05, le=2)
    pattern: Literal["steady", "bursts", "reversals"] = key(
        "bursts", "steady, in bursts, or each burst the other way round (H-bridge)"
    )
    burst_s: float = key(0.6, "seconds of a burst with its ramps", ge=0.1, le=5)
    pause_s: float = key(0.15, "seconds between two bursts", ge=0.05, le=5)
    shake_s: float = key(2.0, "seconds of a shake", gt=0, le=LONGEST_SHAKE_S)
    nudge_s: float = key(0.15, "seconds of a nudge", ge=0.05, le=0.5)
    longest_s: float = key(6.0, "seconds of one run, at most", gt=0, le=LONGEST_SHAKE_S)
    budget_s: float = key(30.0, "seconds of running within the window, at most", gt=0, le=600)
    window_s: float = key(120.0, "seconds of the window", ge=1, le=3600)
    rest_s: float = key(0.5, "seconds of rest between two runs, at least", ge=0, le=5)

    @model_validator(mode="after")
    def _fits_together(self) -> ShakerSection:
        if self.driver == "h_bridge" and self.backward_pin is None:
            raise ValueError("driver h_bridge needs a backward_pin")
        if self.driver == "mosfet" and self.backward_pin is not None:
            raise ValueError("driver mosfet turns one way only: it has no backward_pin")
        if self.driver == "mosfet" and self.pattern == "reversals":
            raise ValueError("pattern reversals needs driver h_bridge")
        if not self.shake_s <= self.longest_s <= self.budget_s <= self.window_s:
            raise ValueError("shake_s, longest_s, budget_s and window_s must not fall")
        return self

    def wires(self) -> Iterator[Wire]:
        """The wires of the motor and its driver."""
        one, two = ("IN1", "IN2") if self.driver == "h_bridge" else ("gate", "")
        for name, label in (("forward_pin", one), ("backward_pin", two)):
            if (gpio := getattr(self, name)) is not None:
                hertz = self.frequency_hz
                yield Wire(f"shaker.{name}", "shaker", gpio, Use.PWM, label, hertz, moves=True)
        if self.keep_alive_pin is not None:
            role = "shaker.keep_alive_pin"
            yield Wire(role, "shaker", self.keep_alive_pin, Use.OUTPUT, "keep-alive", moves=True)
        if self.fault_pin is not None:
            yield Wire("shaker.fault_pin", "shaker", self.fault_pin, Use.INPUT, "nFAULT")


class LidSection(Section):
    """The switch of the lid, closed to ground by the closed lid."""

    pin: Gpio = key(17, "its GPIO")

    def wires(self) -> Iterator[Wire]:
        """The wire of the switch."""
        yield Wire("lid.pin", "lid", self.pin, Use.INPUT, "switch")


class LampSection(Section):
    """The light of the camera."""

    pin: Gpio = key(18, "gate of its MOSFET")
    level: Share = key(1.0, "share of the full light; below 1 a camera may see bands")
    frequency_hz: Pulses = key(5000, "pulses a second at a level below 1")
    warm_up_s: float = key(0.2, "seconds until the light is steady", ge=0, le=5)

    def wires(self) -> Iterator[Wire]:
        """The wire of the lamp."""
        use, hertz = (Use.PWM, self.frequency_hz) if self.level < 1 else (Use.OUTPUT, 0)
        yield Wire("lamp.pin", "lamp", self.pin, use, "gate", hertz)


class SandTimerSection(Section):
    """The light bar that drains like sand."""

    kind: Literal["none", "bar", "ws2812", "apa102"] = key(
        "bar", "none, a bar of red and green LEDs, or a strip on the SPI bus"
    )
    red_pin: Gpio = key(13, "the red LEDs of a bar")
    green_pin: Gpio = key(26, "the green LEDs of a bar")
    leds: int = key(16, "LEDs of a strip", ge=1, le=300)
    brightness: Share = key(0.3, "share of the full light")

    def wires(self) -> Iterator[Wire]:
        """The wires of the bar or strip."""
        if self.kind in {"ws2812", "apa102"}:
            yield from spi_wires("sand_timer", clocked=self.kind == "apa102")
        if self.kind == "bar":
            for name, label in (("red_pin", "red"), ("green_pin", "green")):
                gpio = getattr(self, name)
                yield Wire(f"sand_timer.{name}", "sand_timer", gpio, Use.PWM, label, 1000)


class BuzzerSection(Section):
    """The buzzer."""

    kind: Literal["none", "passive", "active"] = key(
        "passive", "none, a piezo that is given its pitch, or a buzzer with a pitch of its own"
    )
    pin: Gpio = key(12, "its GPIO")
    mode: Literal["loud", "quiet", "silent"] = key("loud", "quiet: only the end and faults, softly")

    def wires(self) -> Iterator[Wire]:
        """The wire of the buzzer."""
        if self.kind != "none":
            use, hertz = (Use.PWM, 5000) if self.kind == "passive" else (Use.OUTPUT, 0)
            yield Wire("buzzer.pin", "buzzer", self.pin, use, "+", hertz)


class ButtonSection(Section):
    """A push button to ground, and what its presses mean."""

    pin: Gpio = Field(description="its GPIO")
    short: Action = key("press", f"one of {', '.join(ACTIONS)}, none")
    long: Action = key("none", "the same, for a press of 0.8 s")
    double: Action = key("none", "the same, for two presses; each press then takes 0.35 s to count")


class StartSection(ButtonSection):
    """The push button of the round, to ground, and what its presses mean."""

    pin: Gpio = key(27, "its GPIO")
    long: Action = key("cancel", "the same, for a press of 0.8 s")


class ButtonsSection(Section):
    """The buttons; [buttons.second] and [buttons.third] take the keys of [buttons.start]."""

    start: StartSection = StartSection()
    second: ButtonSection | None = None
    third: ButtonSection | None = None
    long_s: float = key(0.8, "seconds that make a press a long one", ge=0.3, le=5)
    double_s: float = key(0.35, "seconds between two presses that belong together", ge=0.1, le=1)

    @property
    def all(self) -> tuple[tuple[str, ButtonSection], ...]:
        """The buttons that are there, with their names."""
        named = (("start", self.start), ("second", self.second), ("third", self.third))
        return tuple((name, button) for name, button in named if button is not None)

    def wires(self) -> Iterator[Wire]:
        """The wires of the buttons."""
        for name, button in self.all:
            yield Wire(f"buttons.{name}.pin", "button", button.pin, Use.INPUT, name)


class DisplaySection(Section):
    """The small display on the I²C bus."""

    kind: Literal["none", "ssd1306", "sh1106"] = key("ssd1306", "its chip, or none")
    address: int = key(0x3C, "on the bus; 60 is 0x3C", ge=0x08, le=0x77)
    port: int = key(1, "number of the bus", ge=0, le=20)
    rotate: int = key(0, "quarter turns", ge=0, le=3)

    def wires(self) -> Iterator[Wire]:
        """The wires of the display."""
        if self.kind != "none":
            yield from i2c_wires("display")


class CameraSection(Section):
    """The camera over the tray."""

    kind: Literal["pi", "usb", "folder"] = key(
        "pi", "a camera module, a USB camera, or a folder of photos, which is simulated"
    )
    number: int = key(0, "which camera module", ge=0, le=3)
    device: Path = key(Path("/dev/video0"), "of a USB camera", strict=False)
    folder: Path | None = key(None, "of photos; the next with each shake", strict=False)
    width: int = key(1640, "pixels of a photo", ge=320, le=9152)
    height: int = key(1232, "pixels of a photo", ge=240, le=6944)
    format: Literal["BGR888", "RGB888", "NV12", "YUV420"] = key(
        "BGR888", "of the camera module's pictures"
    )
    time_out_s: float = key(10.0, "seconds that a picture may take", ge=1, le=60)
    exposure_us: int | None = key(
        None, "fixed exposure of the module in µs; else it settles once", ge=50, le=1_000_000
    )
    gain: float | None = key(None, "fixed gain; else it settles once", ge=1, le=64)
    colour_gains: tuple[float, float] | None = key(
        None, "fixed white balance, red and blue; else it settles once", strict=False
    )
    lens_position: float | None = key(
        None, "fixed focus in dioptres, 4 is 25 cm; else it focuses once", ge=0, le=32
    )

    @property
    def simulated(self) -> bool:
        """Whether it shows photos that were taken before."""
        return self.kind == "folder"

    @model_validator(mode="after")
    def _has_photos(self) -> CameraSection:
        if self.kind == "folder" and self.folder is None:
            raise ValueError("kind folder needs a folder")
        return self


class WebSection(Section):
    """The pages of the table."""

    host: str = key(
        "127.0.0.1", "address that is listened on: 0.0.0.0 or :: lets phones in, 127.0.0.1 nobody"
    )
    port: int = key(8080, "its port; 0 for a free one", ge=0, le=65535)
    name: str = key("wordtray", "of the table, as the pages have it", min_length=1, max_length=40)
    names: tuple[str, ...] = key(
        (), "host names besides the machine's own that the pages are asked by", strict=False
    )
    challenge_s: float = key(
        60.0, "seconds of the clock of a challenge, by the rules of the house", ge=5, le=600
    )
    texts: Path | None = key(
        None, "folder with own wording: de.toml and so on; without it as shipped", strict=False
    )
    board_marks: bool = key(
        default=False,
        description="phones mark whether a word is on the board, never whether it is a word",
    )
    certificate: Path | None = key(
        None, "of TLS, a PEM file; then the pages are https", strict=False
    )
    key_file: Path | None = key(None, "private key of the certificate, a PEM file", strict=False)

    @field_validator("host")
    @classmethod
    def _is_address(cls, host: str) -> str:
        """What is no address would keep the service, and the pages that could mend it, away."""
        if ":" in host or re.fullmatch(r"[0-9.]*", host):
            ipaddress.ip_address(host)
        elif not re.fullmatch(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})", host):
            raise ValueError(f"{host!r} is no address")
        return host

    @field_validator("name")
    @classmethod
    def _is_shown(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("the name of the table has signs that cannot be seen")
        return name

    @model_validator(mode="after")
    def _belong_together(self) -> WebSection:
        if (self.certificate is None) != (self.key_file is None):
            raise ValueError("certificate and key_file belong together")
        return self


class StationSection(Section):
    """The station of a tournament, which a tray tells its rounds by an MQTT broker."""

    host: str | None = key(
        None, "of the broker; without it the tray belongs to no tournament", min_length=1
    )
    port: int | None = key(None, "its port; without it 1883, with ca 8883", ge=1, le=65535)
    event: str = key("", "the tournament, as `tournament new` named it", pattern=NAME_OR_NOTHING)
    tray: str = key("", "number of the table", pattern=NAME_OR_NOTHING)
    user: str = key("", "for the broker; without it nobody asks")
    password_file: Path | None = key(None, "file with the password, and nothing else", strict=False)
    ca: Path | None = key(None, "PEM file of who vouches for the broker: then by TLS", strict=False)

    @model_validator(mode="after")
    def _belong_together(self) -> StationSection:
        if self.host is not None and not (self.event and self.tray):
            raise ValueError("host needs event and tray")
        if bool(self.user) != (self.password_file is not None):
            raise ValueError("user and password_file belong together")
        return self


class Settings(Section):
    """All settings of a machine; every key has a default.

    Example:
        >>> Settings().wiring.of("lid")[0].pin
        11
    """

    pins: PinsSection = PinsSection()
    shaker: ShakerSection = ShakerSection()
    lid: LidSection = LidSection()
    lamp: LampSection = LampSection()
    sand_timer: SandTimerSection = SandTimerSection()
    buzzer: BuzzerSection = BuzzerSection()
    buttons: ButtonsSection = ButtonsSection()
    display: DisplaySection = DisplaySection()
    camera: CameraSection = CameraSection()
    web: WebSection = WebSection()
    station: StationSection = StationSection()

    @property
    def simulated(self) -> tuple[str, ...]:
        """What of the machine is made up, as the keys that say so."""
        named = {"pins.library": self.pins.simulated, "camera.kind": self.camera.simulated}
        return tuple(name for name, made_up in named.items() if made_up)

    @cached_property
    def wiring(self) -> Wiring:
        """The pin map."""
        strip = self.sand_timer.kind if self.sand_timer.kind not in {"none", "bar"} else ""
        return Wiring(tuple(self._wires()), self.shaker.driver, strip)

    def _wires(self) -> Iterator[Wire]:
        parts = (self.shaker, self.lid, self.lamp, self.sand_timer, self.buzzer, self.buttons)
        for part in (*parts, self.display):
            yield from part.wires()

    @model_validator(mode="after")
    def _can_be_wired(self) -> Settings:
        self.wiring.check()
        return self
