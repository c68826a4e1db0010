"""Does to the virtual Pi what people and accidents do, and tells what came of it.

Runs in the guest as root, after its start. Each line that begins with RESULT is a JSON document for
the tests on the host, which know what is right; nothing is judged here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

MOTOR, LAMP, BUZZER, RED, GREEN, LID, BUTTON = 23, 18, 12, 13, 26, 17, 27
OUTPUTS = {"motor": MOTOR, "lamp": LAMP, "buzzer": BUZZER, "red": RED, "green": GREEN}
UNIT = "wordtray.service"
WINDOW_S = 0.25
LID_TRIES = 3
HELD_UP_MS = 25.0
"""Milliseconds between two looks at a line after which nothing can be said of its times."""


class Line:
    """A line of the simulated chip, as seen from outside."""

    def __init__(self, number: int) -> None:
        chip = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*/"))
        self._folder = chip / f"sim_gpio{number}"

    def pull(self, where: str) -> None:
        """Pull it up or down, as a contact or a resistor does."""
        (self._folder / "pull").write_text(f"pull-{where}")

    @property
    def high(self) -> bool:
        """Its level now."""
        return (self._folder / "value").read_text().startswith("1")

    def sampled(self, seconds: float, pause_s: float = 0.0) -> Iterator[tuple[float, bool]]:
        """(time, high), as fast as it goes, or with pauses that leave the processor to others."""
        file = os.open(self._folder / "value", os.O_RDONLY)
        try:
            end = time.monotonic() + seconds
            while (now := time.monotonic()) < end:
                yield now, os.pread(file, 1, 0) == b"1"
                time.sleep(pause_s)
        finally:
            os.close(file)


def duties(samples: list[tuple[float, bool]]) -> list[float]:
    """Share of high samples in each window of `WINDOW_S`, from the first high one on."""
    begun = next((at for at, high in samples if high), None)
    if begun is None:
        return []
    windows: dict[int, list[bool]] = {}
    for at, high in samples:
        if at >= begun:
            windows.setdefault(int((at - begun) / WINDOW_S), []).append(high)
    return [round(sum(seen) / len(seen), 2) for _, seen in sorted(windows.items())]


def shell(*command: str) -> str:
    """What a command says, on either stream."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.stdout.strip()


def shown(name: str) -> str:
    """A property of the unit."""
    return shell("systemctl", "show", "--value", "--property", name, UNIT)


def journal() -> str:
    """All that the service said."""
    return shell("journalctl", "--unit", UNIT, "--output", "short-monotonic", "--no-pager")


def said(*words: str) -> list[str]:
    """What the service said that has one of the words."""
    return [line for line in journal().splitlines() if any(word in line for word in words)]


def until(seconds: float, what: Callable[[], bool], pause_s: float = 0.2) -> bool:
    """Wait for it; tell whether it came. To ask systemd takes a while of the one processor."""
    end = time.monotonic() + seconds
    while not (came := what()) and time.monotonic() < end:
        time.sleep(pause_s)
    return came


def status(*wanted: str, seconds: float = 60.0) -> str:
    """Wait until the service says that it stands so; its last word otherwise."""
    until(seconds, lambda: shown("StatusText").startswith(wanted), pause_s=1.0)
    return shown("StatusText")


def active(restarts: int, seconds: float = 400.0) -> bool:
    """Wait until the service is up after so many restarts."""
    return until(
        seconds,
        lambda: int(shown("NRestarts") or 0) >= restarts and shown("ActiveState") == "active",
        pause_s=1.0,
    )


def close_lid() -> None:
    """Opening a line pulls it up, and so opens the lid of this machine."""
    Line(LID).pull("down")


def press(seconds: float = 0.15) -> None:
    """Press the button and let it go."""
    Line(BUTTON).pull("down")
    time.sleep(seconds)
    Line(BUTTON).pull("up")


def shaking() -> bool:
    """Press, again if the first was needed to clear a fault; tell whether the motor runs."""
    for _ in range(3):
        close_lid()
        press()
        if any(high for _, high in Line(MOTOR).sampled(5.0)):
            return True
    return False


def levels() -> dict[str, bool]:
    """The outputs now."""
    return {name: Line(number).high for name, number in OUTPUTS.items()}


@contextmanager
def told(name: str) -> Iterator[dict[str, object]]:
    """Print what was put into the document, also where the check breaks."""
    document: dict[str, object] = {"check": name}
    begun = time.monotonic()
    try:
        yield document
    except Exception:  # noqa: BLE001 - the others must still run
        document["error"] = traceback.format_exc()
    document["seconds"] = round(time.monotonic() - begun, 1)
    print("RESULT", json.dumps(document), flush=True)


def check_start() -> None:
    with told("start") as document:
        document["active"] = active(0)
        document["status"] = shown("StatusText")
        document["uptime_s"] = float(Path("/proc/uptime").read_text().split()[0])
        document["levels"] = levels()
        document["memory_kb"] = int(
            shell("sh", "-c", f"grep VmRSS /proc/{shown('MainPID')}/status").split()[1]
        )


def check_lid() -> None:
    """Opened while the motor runs at speed; once more where this very program was held up."""
    with told("lid") as document:
        tries: list[dict[str, object]] = []
        document["tries"] = tries
        while not tries or (tries[-1]["held_up"] and len(tries) < LID_TRIES):
            tries.append(open_lid_while_shaking())
        document["status"] = status("lid_open", "fault")


def open_lid_while_shaking() -> dict[str, object]:
    """How long the motor's line was still seen high."""
    motor = Line(MOTOR)
    ran = shaking() and at_speed(motor)
    Line(LID).pull("up")
    opened = time.monotonic()
    samples = list(motor.sampled(1.5))
    last = max((at for at, high in samples if high), default=opened)
    times = [opened, *(at for at, _ in samples)]
    gaps = [after - before for before, after in pairwise(times) if before <= last]
    return {
        "ran": ran,
        "stopped_after_ms": round((last - opened) * 1000, 1),
        "samples": len(samples),
        "held_up": max(gaps) * 1000 > HELD_UP_MS,
    }


def at_speed(motor: Line) -> bool:
    """Wait until it has been high more than half of the time for a window."""
    until(10.0, lambda: motor.high)
    return until(10.0, lambda: share(list(motor.sampled(WINDOW_S))) > 0.5)


def share(samples: list[tuple[float, bool]]) -> float:
    """How many of them are high."""
    return sum(high for _, high in samples) / max(1, len(samples))


def check_kill() -> None:
    """The motor's line is pulled up meanwhile: as high as a Pi's kernel may leave it."""
    with told("kill") as document:
        document["ran"] = shaking()
        motor = Line(MOTOR)
        motor.pull("up")
        os.kill(int(shown("MainPID")), signal.SIGKILL)
        document["left_high"] = until(30, lambda: all(up for _, up in motor.sampled(0.1)))
        begun = time.monotonic()
        driven = next((at for at, high in motor.sampled(120.0, 0.001) if not high), None)
        document["driven_low_after_s"] = None if driven is None else round(driven - begun, 2)
        motor.pull("down")
        document["active_again"] = active(1)
        document["levels"] = levels()
        document["journal"] = said("pin: off")


def check_round() -> None:
    """From the press to the sand."""
    with told("ramp") as document:
        document["status_before"] = status("idle", "lid_open", "cancelled", "fault")
        close_lid()
        press()
        document["duties"] = duties(list(Line(MOTOR).sampled(10.0)))
        document["lamp"] = Line(LAMP).high
    with told("photo") as document:
        document["status"] = status("ready", "fault", "confirming", seconds=300)
        document["restarts"] = int(shown("NRestarts"))
        document["journal"] = journal().splitlines()[-120:]
        document["levels"] = levels()
    with told("sand") as document:
        press()
        document["buzzer"] = duties(list(Line(BUZZER).sampled(3.0)))
        document["status"] = status("running", "fault")
        document["journal"] = said(": ready", ": running")
        document["green"] = duties(list(Line(GREEN).sampled(0.5)))
        document["red"] = duties(list(Line(RED).sampled(0.5)))


def check_hang() -> None:
    """Stopped in the middle: systemd must notice by itself."""
    with told("hang") as document:
        document["status_before"] = shown("StatusText")
        restarts = int(shown("NRestarts"))
        os.kill(int(shown("MainPID")), signal.SIGSTOP)
        begun = time.monotonic()
        document["restarted"] = active(restarts + 1)
        document["restarted_after_s"] = round(time.monotonic() - begun, 1)
        document["status"] = status("running", seconds=10)
        document["journal"] = said("atchdog", "goes on", ": running")


def check_stop() -> None:
    with told("stop") as document:
        shell("systemctl", "stop", UNIT)
        document["result"] = shown("Result")
        document["exit_code"] = shown("ExecMainStatus")
        document["levels"] = levels()


def check_bounce() -> None:
    """The product's own buttons, on their own."""
    with told("bounce") as document:
        python = "/opt/wordtray/current/venv/bin/python"
        counter = subprocess.Popen(
            [python, str(Path(__file__).with_name("count_presses.py")), str(BUTTON)],
            stdout=subprocess.PIPE,
            stdin=subprocess.PIPE,
            cwd="/run",
            text=True,
        )
        assert counter.stdout is not None
        counter.stdout.readline()
        button = Line(BUTTON)
        for _ in range(8):
            button.pull("down")
            time.sleep(0.002)
            button.pull("up")
            time.sleep(0.002)
        button.pull("down")
        time.sleep(0.5)
        button.pull("up")
        time.sleep(0.5)
        document["told"] = counter.communicate("\n", timeout=60)[0].split()


def check_units() -> None:
    with told("units") as document:
        document["verify"] = shell("systemd-analyze", "verify", UNIT)
        document["security"] = shell("systemd-analyze", "--no-pager", "security", UNIT)[-80:]


def main() -> None:
    for check in (
        check_start,
        check_lid,
        check_kill,
        check_round,
        check_hang,
        check_stop,
        check_bounce,
        check_units,
    ):
        check()
    print(journal()[-6000:], flush=True)
    print("RESULT", json.dumps({"check": "end"}), flush=True)


main()
