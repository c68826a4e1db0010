"""The system below: rights, disk, clock, power, heat, network and the service.

Each check is a small function of what the system says, which it asks of a `Host`.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.doctor.finding import Check, Finding, Grade
from firmware_host.errors import ExitCode

if TYPE_CHECKING:
    from firmware_host.settings import Settings
    from firmware_host.store.place import Place

ANSWER_S = 10.0
"""Seconds that a program may take to answer."""

NODES = {
    "gpio": "gpiochip*",
    "i2c": "i2c-*",
    "spi": "spidev*",
    "video": "video*",
}
"""Groups of Raspberry Pi OS, and the devices in ``/dev`` that each may use."""

SCARCE_MB, FULL_MB = 500, 100
"""Free space below which it is told, and below which rounds are in danger."""

FIRST_YEAR = 2026
"""No clock that is set shows a year before this one."""

HOT_C = 80.0
"""Degrees from which a Pi slows itself down."""

MODEL = "/proc/device-tree/model"
THROTTLED = "/sys/devices/platform/soc/soc:firmware/get_throttled"
HEAT = "/sys/class/thermal/thermal_zone0/temp"
CONFIGS = ("/boot/firmware/config.txt", "/boot/config.txt")
COMMAND_LINE = "/proc/cmdline"
KEPT = "/sys/module/pinctrl_{}/parameters/persist_gpio_outputs"
"""Whether the kernel keeps the levels of outputs, of the driver of the pins."""

_WEAK = (
    "Use the supply that is made for this Pi and a short, thick cable, and give motor and lights "
    "a supply of their own."
)
_COOL = "Give it a heat sink or a fan, and its case some air."
_MEANINGS = {
    0: "undervoltage",
    1: "a slower processor for want of power or cooling",
    2: "throttling",
    3: "throttling by heat",
}


@dataclass(frozen=True)
class Host:
    """What is asked of the system; another one in its place answers whatever a test needs.

    Attributes:
        read: a file to its text; None where there is none, or it may not be read.
        run: a program with its arguments to what it prints; None where it is not there or hangs.
        nodes: a pattern to the devices in ``/dev``.
        may_use: whether this user may read and write a device.
        joined: the groups that this user is a member of, from the next log-in on at the latest.
    """

    read: Callable[[str], str | None]
    run: Callable[[Sequence[str]], str | None]
    nodes: Callable[[str], Sequence[str]]
    may_use: Callable[[str], bool]
    joined: Callable[[], frozenset[str]]

    @classmethod
    def here(cls) -> Host:
        """This machine."""
        return cls(_read, _run, _nodes, _may_use, _joined)


@dataclass(frozen=True)
class Space:
    """Room for what is kept.

    Attributes:
        free_mb: megabytes.
        read_only: the file system is.
        writable: this user may write there.
    """

    free_mb: int
    read_only: bool = False
    writable: bool = True

    @classmethod
    def of(cls, folder: Path) -> Space:
        """That of a folder, or of the nearest one above that is there.

        Raises:
            OSError: it cannot be looked at.
        """
        there = next(above for above in (folder, *folder.parents) if above.exists())
        found = os.statvfs(there)
        free_mb = found.f_bavail * found.f_frsize // 2**20
        read_only = bool(found.f_flag & os.ST_RDONLY)
        return cls(free_mb, read_only, os.access(there, os.W_OK))


def checks(host: Host, place: Place, needed: frozenset[str]) -> Iterator[Check]:
    """All checks of this module.

    Args:
        host: is asked.
        place: where log and photos go.
        needed: groups without which the parts cannot be used, as of `needed_groups`.
    """
    yield "groups", lambda: groups(host, needed)
    yield "disk", lambda: disk(place.data, Space.of(place.data))
    yield "clock", lambda: clock(datetime.now(UTC), host.run(("timedatectl", "show")))
    yield "power", lambda: power(host.read(THROTTLED) or host.run(("vcgencmd", "get_throttled")))
    yield "heat", lambda: heat(host.read(HEAT))
    yield "address", lambda: address(host.run(("hostname", "-I")))
    yield "tesseract", tesseract
    yield "strict_gpio", lambda: strict_gpio(host.read)
    yield "service", lambda: service(host.run(_ASK_SERVICE))


def needed_groups(settings: Settings | None) -> frozenset[str]:
    """The groups without which the parts of a machine cannot be used."""
    from hardware.wiring import Use

    if settings is None:
        return frozenset()
    uses = {str(wire.use) for wire in settings.wiring.wires if wire.use in {Use.I2C, Use.SPI}}
    pins = set() if settings.pins.library == "mock" else {"gpio"}
    camera = set() if settings.camera.kind == "folder" else {"video"}
    return frozenset(uses | pins | camera)


def groups(host: Host, needed: frozenset[str]) -> Finding:
    """Whether this user may use the devices that are here."""
    there = {group: host.nodes(pattern) for group, pattern in NODES.items()}
    present = [group for group, nodes in there.items() if nodes]
    closed = [group for group in present if not any(map(host.may_use, there[group]))]
    if not present:
        return Finding("groups", Grade.NONE, "there are no pins, buses or cameras to use")
    if not closed:
        return Finding("groups", Grade.OK, f"this user may use {', '.join(present)}")
    grade = Grade.WARN if needed.isdisjoint(closed) else Grade.FAIL
    text = f"this user may not use {', '.join(closed)}"
    return Finding("groups", grade, text, _join(closed, host.joined()), ExitCode.DEVICE_FAULT)


def _join(closed: Iterable[str], joined: frozenset[str]) -> str:
    missing = [group for group in closed if group not in joined]
    if not missing:
        return "This user has joined those groups since: log out and in again."
    return f"Join: sudo usermod -aG {','.join(missing)} $USER; then log out and in again."


def disk(folder: Path, space: Space) -> Finding:
    """Whether there is room for log and photos, and it may be written."""
    text, bad = f"{space.free_mb:,} MB free for {folder}", ExitCode.STORAGE_FAULT
    if space.read_only:
        text = f"{folder} is on a disk that is read-only"
        advice = (
            "Put it on a partition that is written, as docs/service.md has it; if it should be "
            "written, the card may be failing: dmesg tells."
        )
        return Finding("disk", Grade.FAIL, text, advice, bad)
    if not space.writable:
        text = f"{folder} may not be written by this user"
        advice = "Call it as the user who plays; for the service: sudo -u wordtray."
        return Finding("disk", Grade.FAIL, text, advice, bad)
    if space.free_mb >= SCARCE_MB:
        return Finding("disk", Grade.OK, text)
    grade = Grade.FAIL if space.free_mb < FULL_MB else Grade.WARN
    advice = "Make room: delete what is not needed, or move the photos to another disk by a backup."
    return Finding("disk", grade, text, advice, bad)


def clock(now: datetime, told: str | None) -> Finding:
    """Whether the time of day is right: a Pi has no clock that runs without power.

    Args:
        now: the time of day, UTC.
        told: what ``timedatectl show`` prints.
    """
    text = f"{now:%Y-%m-%d %H:%M} UTC"
    advice = (
        "Connect it to a network, or: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'. Timers of "
        "rounds are right all the same; dates in the log are not."
    )
    if now.year < FIRST_YEAR:
        return Finding("clock", Grade.WARN, f"{text} cannot be: the clock is not set", advice)
    match _values(told).get("NTPSynchronized"):
        case "yes":
            return Finding("clock", Grade.OK, f"{text}, kept right by the network")
        case "no":
            text = f"{text}, and no network keeps it right"
            return Finding("clock", Grade.WARN, text, advice)
    return Finding("clock", Grade.NONE, f"{text}; whether a network keeps it right is not told")


def power(told: str | None) -> Finding:
    """Undervoltage and throttling, now and since the start, with their meaning.

    Args:
        told: the bits in hexadecimal, as the kernel or ``vcgencmd get_throttled`` has them.
    """
    found = re.fullmatch(r"(?:throttled=)?(?:0x)?([0-9a-fA-F]+)", (told or "").strip())
    if not found:
        return Finding("power", Grade.NONE, "this machine does not tell of its supply")
    bits = int(found[1], 16)
    now, past = _meanings(bits), _meanings(bits >> 16)
    if bits & 1:
        text = f"right now: {now}; the supply is too weak"
        return Finding("power", Grade.FAIL, text, _WEAK, ExitCode.DEVICE_FAULT)
    if not now and not past:
        return Finding("power", Grade.OK, "no undervoltage and no throttling since the start")
    text = f"right now: {now}" if now else f"since the start: {past}"
    weak = bool(bits >> 16 & 1)
    return Finding("power", Grade.WARN, text, _WEAK if weak else _COOL)


def _meanings(bits: int) -> str:
    return ", ".join(meaning for bit, meaning in _MEANINGS.items() if bits >> bit & 1)


def heat(told: str | None) -> Finding:
    """The temperature of the processor; ``told`` in thousandths of a degree."""
    text = (told or "").strip()
    if not text.lstrip("-").isdecimal():
        return Finding("heat", Grade.NONE, "this machine does not tell its temperature")
    degrees = int(text) / 1000
    if degrees < HOT_C:
        return Finding("heat", Grade.OK, f"{degrees:.0f} °C")
    return Finding("heat", Grade.WARN, f"{degrees:.0f} °C: from {HOT_C:.0f} on it is slow", _COOL)


def address(told: str | None) -> Finding:
    """Under which addresses it can be reached; ``told`` by ``hostname -I``."""
    if told is None:
        return Finding("address", Grade.NONE, "this machine does not tell its addresses")
    if addresses := told.split():
        return Finding("address", Grade.OK, ", ".join(addresses))
    advice = "Plug a network cable in, or choose a network: sudo raspi-config. A round needs none."
    return Finding("address", Grade.WARN, "no network, so nobody can reach it", advice)


def tesseract(program: str = "tesseract") -> Finding:
    """Whether the second reader works, if it is here."""
    from firmware_host.tesseract import Tesseract, TesseractError

    try:
        Tesseract(program, ANSWER_S).check()
    except TesseractError as error:
        missing = isinstance(error.__cause__, FileNotFoundError)
        grade = Grade.NONE if missing else Grade.WARN
        return Finding("tesseract", grade, str(error), error.advice)
    return Finding("tesseract", Grade.OK, "it is installed and answers")


def strict_gpio(read: Callable[[str], str | None]) -> Finding:
    """Whether outputs fall back when the program that drove them has died."""
    subject, model = "strict_gpio", read(MODEL) or ""
    if "Raspberry Pi" not in model:
        return Finding(subject, Grade.NONE, "no Raspberry Pi, whose kernel may keep outputs")
    driver = "rp1" if re.search(r"(Pi|Module) 5", model) else "bcm2835"
    kept = (read(KEPT.format(driver)) or "").strip().upper()
    asked = _asked_for_strict_gpio(read, driver)
    if kept == "N" or (asked and not kept):
        return Finding(subject, Grade.OK, "outputs fall back when a program has died")
    if asked:
        text = "outputs are kept when a program has died, until the next start"
        return Finding(subject, Grade.WARN, text, "Start the Pi anew: sudo reboot.")
    text = "outputs are kept when a program has died: a motor could run on"
    advice = f"Add the line dtparam=strict_gpiod to {CONFIGS[0]}, then: sudo reboot."
    return Finding(subject, Grade.WARN, text, advice)


def _asked_for_strict_gpio(read: Callable[[str], str | None], driver: str) -> bool:
    lines = [line.strip() for file in CONFIGS for line in (read(file) or "").splitlines()]
    parameters = [line.removeprefix("dtparam=") for line in lines if line.startswith("dtparam=")]
    asked = {parameter for line in parameters for parameter in line.split(",")}
    words = (read(COMMAND_LINE) or "").lower().split()
    by_kernel = f"pinctrl_{driver}.persist_gpio_outputs=n" in words
    return by_kernel or not asked.isdisjoint({"strict_gpiod", "strict_gpiod=on"})


_ASK_SERVICE = ("systemctl", "show", "wordtray", "--property=LoadState,ActiveState")
_START = "Start it: sudo systemctl start wordtray."
_WHY = "Why: journalctl -u wordtray -n 50."


def service(told: str | None) -> Finding:
    """How the service stands; ``told`` by ``systemctl show``."""
    values = _values(told)
    if values.get("LoadState") != "loaded":
        return Finding("service", Grade.NONE, "it is not installed")
    match values.get("ActiveState", ""):
        case "active":
            return Finding("service", Grade.OK, "it runs")
        case "inactive":
            return Finding("service", Grade.WARN, "it is installed, but does not run", _START)
        case "failed":
            return Finding("service", Grade.FAIL, "it has failed", _WHY, ExitCode.DEVICE_FAULT)
        case other:
            return Finding("service", Grade.WARN, f"it is {other}, and not ready", _WHY)


def _values(told: str | None) -> dict[str, str]:
    """Lines of ``KEY=VALUE``."""
    parted = (line.partition("=") for line in (told or "").splitlines())
    return {key: value for key, equals, value in parted if equals}


def _read(file: str) -> str | None:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").rstrip("\0")
    except OSError:
        return None


def _run(command: Sequence[str]) -> str | None:
    try:
        ended = subprocess.run(  # noqa: S603 - no shell, and the commands are ours
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ANSWER_S,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ended.stdout.decode("utf-8", "replace")


def _nodes(pattern: str) -> Sequence[str]:
    return sorted(map(str, Path("/dev").glob(pattern)))


def _may_use(node: str) -> bool:
    return os.access(node, os.R_OK | os.W_OK)


def _joined() -> frozenset[str]:
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a number without a name is in no list
        return frozenset()
    return frozenset(group.gr_name for group in grp.getgrall() if user in group.gr_mem)
