"""The pins of a Raspberry Pi, by gpiozero over a library that is named, never guessed.

A `Pins` opens lines and drives all of them low again when it is closed. Here, and nowhere else, the
errors of the libraries below become `DeviceError`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, Self

from hardware.devices import DeviceError, close_all

LIBRARIES = ("lgpio", "rpigpio", "mock")
"""Names of the libraries: lgpio, the API of RPi.GPIO as rpi-lgpio offers it, and pins of thin air
that are simulated and say so."""

FASTEST_PWM_HZ = 10_000
"""Pulses a second of lgpio, at most."""

WITHOUT_A_TRAY = " Without a tray, use --simulate."
"""Ends advice about pins that are not there; left out where a command has no such option."""

_PACKAGES = {"lgpio": "python3-lgpio", "rpigpio": "python3-rpi-lgpio"}


class Output(Protocol):
    """What is used of gpiozero's ``PWMOutputDevice``."""

    value: float
    frequency: int

    @property
    def closed(self) -> bool:
        """Whether it was let go of."""

    def close(self) -> None:
        """Let go of it."""


class Input(Protocol):
    """What is used of gpiozero's ``DigitalInputDevice``."""

    when_activated: Callable[[], None] | None
    when_deactivated: Callable[[], None] | None

    @property
    def value(self) -> int:
        """1 while its contact is closed to ground."""

    def close(self) -> None:
        """Let go of it."""


class Factory(Protocol):
    """What is used of gpiozero's factories; its devices are handed one."""

    def close(self) -> None:
        """Let go of the chip."""


Tell = Callable[[], AbstractContextManager[None]]
"""Makes a guard that turns the errors of the libraries into `DeviceError`."""


class OutputPin:
    """An output, low until it is written to; made by `Pins.output`.

    Args:
        line: of gpiozero.
        tell: around each call, turns errors into `DeviceError`.
    """

    def __init__(self, line: Output, tell: Tell) -> None:
        self._line = line
        self._tell = tell

    @property
    def level(self) -> float:
        """Share of the time in which it is high, 0–1.

        Raises:
            DeviceError: the library refused it.
        """
        with self._tell():
            return 0.0 if self._line.closed else float(self._line.value)

    def write(self, level: float) -> None:
        """Be high for this share of the time, 0–1.

        Raises:
            DeviceError: the library refused it, or the pin was closed.
        """
        with self._tell():
            self._line.value = level

    def off(self) -> None:
        """Be low; of no effect on a pin that was closed, which is low."""
        if not self._line.closed:
            self.write(0.0)

    def pitch(self, frequency_hz: int) -> None:
        """Give so many pulses a second.

        Raises:
            DeviceError: as for `write`.
        """
        with self._tell():
            self._line.frequency = frequency_hz

    def close(self) -> None:
        """Drive it low and let go of it; safe to call twice.

        Written first: to take the pulses away alone leaves lgpio's pin high as often as low.
        """
        try:
            self.off()
        finally:
            with self._tell():
                self._line.close()


class InputPin:
    """An input that is pulled up; made by `Pins.input`.

    Args:
        line: of gpiozero.
        tell: around each call, turns errors into `DeviceError`.
    """

    def __init__(self, line: Input, tell: Tell) -> None:
        self._line = line
        self._tell = tell

    @property
    def low(self) -> bool:
        """Whether its contact is closed to ground; a broken wire reads as high.

        Raises:
            DeviceError: the library refused it, or the pin was closed.
        """
        with self._tell():
            return bool(self._line.value)

    def watch(self, changed: Callable[[bool], None]) -> None:
        """Call ``changed`` at each change, True for low, from the thread of the library."""
        with self._tell():
            self._line.when_activated = lambda: changed(True)  # noqa: FBT003 - low
            self._line.when_deactivated = lambda: changed(False)  # noqa: FBT003 - high again

    def close(self) -> None:
        """Let go of it; safe to call twice."""
        with self._tell():
            self._line.close()


class Pins:
    """The pins of one machine, each used by one device.

    Args:
        factory: one of gpiozero.
        errors: what the library below raises, besides gpiozero's own.
        simulated: True for pins without hardware.

    Example:
        >>> with open_pins("mock") as pins:
        ...     led = pins.output("lamp", 18)
        ...     led.write(1.0)
        ...     led.level
        1.0
    """

    def __init__(
        self, factory: Factory, errors: tuple[type[Exception], ...] = (), *, simulated: bool = False
    ) -> None:
        self.simulated = simulated
        self._factory = factory
        self._errors = errors
        self._lines: list[OutputPin | InputPin] = []

    def output(self, device: str, pin: int, frequency_hz: int = 1000) -> OutputPin:
        """Open an output, low.

        Args:
            device: whose it is, for errors.
            pin: number of the GPIO.
            frequency_hz: pulses a second at levels between 0 and 1.

        Raises:
            DeviceError: the pin is in use, or the machine has none of that number.
        """
        from gpiozero import PWMOutputDevice

        tell = partial(told, device, f"GPIO {pin}", self._errors)
        with tell():
            line = PWMOutputDevice(pin, frequency=frequency_hz, pin_factory=self._factory)
        opened = OutputPin(line, tell)
        self._lines.append(opened)
        return opened

    def input(self, device: str, pin: int, bounce_s: float | None = None) -> InputPin:
        """Open an input that is pulled up: low is a contact that is closed to ground.

        Args:
            device: whose it is, for errors.
            pin: number of the GPIO.
            bounce_s: seconds for which a change must last to be told to a watcher.

        Raises:
            DeviceError: as for `output`.
        """
        from gpiozero import DigitalInputDevice

        tell = partial(told, device, f"GPIO {pin}", self._errors)
        with tell():
            line = DigitalInputDevice(
                pin, pull_up=True, bounce_time=bounce_s, pin_factory=self._factory
            )
        opened = InputPin(line, tell)
        self._lines.append(opened)
        return opened

    def close(self) -> None:
        """Drive all outputs low and let go of all pins; safe to call twice."""
        lines, self._lines = self._lines, []
        try:
            close_all(lines)
        finally:
            with told("pins", "closing", self._errors):
                self._factory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def open_pins(library: str, chip: int | None = None) -> Pins:
    """The pins of this machine.

    Args:
        library: one of `LIBRARIES`.
        chip: number of the chip, ``/dev/gpiochipN``, with lgpio; None for that of the header.

    Raises:
        DeviceError: the library is not installed or another one has its name, there is no chip, or
            this user may not open it.
        ValueError: no such library.

    Example:
        >>> open_pins("mock").simulated
        True
    """
    match library:
        case "lgpio":
            return _real(library, _lgpio_factory, chip)
        case "rpigpio":
            return _real(library, _rpigpio_factory, chip)
        case "mock":
            return _thin_air()
    raise ValueError(f"there is no library {library!r}; there are {', '.join(LIBRARIES)}")


def _thin_air() -> Pins:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return Pins(MockFactory(pin_class=MockPWMPin), simulated=True)


def _lgpio_factory(chip: int | None) -> Factory:
    from gpiozero.pins.lgpio import LGPIOFactory

    factory: Factory = LGPIOFactory(chip=chip)
    return factory


def _rpigpio_factory(_chip: int | None) -> Factory:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    factory: Factory = RPiGPIOFactory()
    return factory


def _real(library: str, make: Callable[[int | None], Factory], chip: int | None) -> Pins:
    """Pins of a chip; both libraries stand on lgpio and raise its error."""
    check_chips(chip)
    _keep_lgpio_tidy()
    try:
        import gpiozero  # noqa: F401 - its absence is told here too
        from lgpio import error as lgpio_error
    except ImportError as error:
        raise _not_installed(library, str(error)) from None
    try:
        with told("pins", "the chip", (lgpio_error,)):
            return Pins(make(chip), (lgpio_error,))
    except (ImportError, AttributeError) as error:  # an old lgpio is an empty module
        raise _not_installed(library, str(error)) from None


def _keep_lgpio_tidy() -> None:
    """Have lgpio write its pipe into a folder for such things, not where the user stands."""
    os.environ.setdefault("LG_WD", os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())


def _not_installed(library: str, why: str) -> DeviceError:
    return DeviceError(
        "pins",
        f"the library {library} cannot be used: {why}",
        f"Install it, by: sudo apt install {_PACKAGES[library]} python3-gpiozero; the environment "
        "of wordtray must see the system's packages (python3 -m venv --system-site-packages)."
        f"{WITHOUT_A_TRAY}",
    )


def check_chips(chip: int | None, folder: Path = Path("/dev")) -> None:
    """See that there is a chip and that it may be opened: the library tells neither."""
    chips = sorted(folder.glob("gpiochip*" if chip is None else f"gpiochip{chip}"))
    if not chips:
        raise DeviceError(
            "pins",
            f"this machine has no {folder}/gpiochip{'' if chip is None else chip}, so no pins",
            f"Run it on a Raspberry Pi.{WITHOUT_A_TRAY}",
        )
    if not any(os.access(one, os.R_OK | os.W_OK) for one in chips):
        raise DeviceError(
            "pins",
            f"{chips[0]} may not be opened by this user",
            "Join its group, by: sudo usermod -aG gpio $USER; then log in anew.",
        )


@contextmanager
def told(device: str, what: str, errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """Turn an error of gpiozero or of the library below into one that says what to do.

    Args:
        device: whose pin it is.
        what: the pin, as ``GPIO 23``.
        errors: what the library below raises.
    """
    from gpiozero.exc import GPIOZeroError

    try:
        yield
    except DeviceError:
        raise
    except (GPIOZeroError, RuntimeError, OSError, *errors) as error:
        text = str(error).strip("'\"")
        raise DeviceError(device, f"{what}: {text}", _advice(type(error).__name__, text)) from error


def _advice(kind: str, text: str) -> str:
    if "busy" in text.lower() or kind == "GPIOPinInUse":
        return (
            "Another program has this pin: stop it (is wordtray running twice? "
            "systemctl status wordtray), or name another pin in the settings."
        )
    if kind == "PinUnknownPi":
        return f"Run it on a Raspberry Pi.{WITHOUT_A_TRAY}"
    if "closed" in text.lower() or kind == "DeviceClosed":
        return "Start anew."
    return "Compare the settings with the wiring, by: wordtray wiring; then start anew."
