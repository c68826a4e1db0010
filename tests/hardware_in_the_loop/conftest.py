"""The virtual Pi: built where it is not, booted once, and what it told."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scoring.board import Board
from vision.render.tray import render_tray

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("WORDTRAY_VIRTUAL_PI", "/var/tmp/wordtray-virtual-pi"))  # noqa: S108
TOOLS = ("qemu-system-x86_64", "mmdebstrap", "busybox", "cpio", "xz")
PACKAGES = "qemu-system-x86 mmdebstrap busybox-static cpio xz-utils"
BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
CAMERA_SIZE = (640, 480)

BUILD_S = 900
RUN_S = 900
"""Seconds at most: on two processors of its own it takes a fifth of them."""

STARTS = 2
"""The emulated processor has crashed the guest's kernel once in a while."""

Report = Mapping[str, Mapping[str, Any]]

FIGURES = pytest.StashKey[list[str]]()
"""What is printed at the end, good or bad."""


def what_is_missing() -> str:
    """Why there can be no virtual Pi here; empty where there can."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"no {', '.join(missing)}: apt-get install {PACKAGES}"
    if os.geteuid() != 0:
        return "its system is made by root"
    mounts = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return "" if mounts.returncode == 0 else "its system is made with mounts, not allowed here"


def photographed(folder: Path) -> Path:
    """What its camera is to see: a rendered tray."""
    photo = render_tray(BOARD, np.random.default_rng(3)).photo
    picture = folder / "tray.jpg"
    wide, high = CAMERA_SIZE
    scale = min(wide / photo.shape[1], high / photo.shape[0])
    small = Image.fromarray(photo).resize(
        (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    )
    canvas = Image.new("RGB", CAMERA_SIZE, (96, 96, 96))
    canvas.paste(small, ((wide - small.width) // 2, (high - small.height) // 2))
    canvas.save(picture, quality=95)
    return picture


def results(console: str) -> dict[str, dict[str, Any]]:
    """What the guest told, by the name of the check."""
    documents = [json.loads(told) for told in re.findall(r"RESULT (\{.*\})", console)]
    return {document["check"]: document for document in documents}


def is_crashed(console: str) -> bool:
    """Whether the guest's kernel gave up, before the first check or later."""
    return "Kernel panic" in console or not results(console)


def exposure(told: Report) -> float:
    """What systemd thinks of the unit, 0 to 10."""
    return float(re.findall(r"exposure level .*: ([0-9.]+)", told["units"]["security"])[0])


def figures(told: Report, built_s: float, ran_s: float) -> list[str]:
    """What was measured, in words."""
    start, lid, verify = told["start"], told["lid"]["tries"][-1], told["units"]["verify"]
    return [
        f"built in {built_s:.0f} s, ran for {ran_s:.0f} s",
        f"ready {start['uptime_s']:.0f} s after the kernel",
        f"{start['memory_kb'] / 1024:.0f} MB resident before the first reading",
        f"motor line low {lid['stopped_after_ms']} ms after the lid opened",
        f"outputs driven low {told['kill']['driven_low_after_s']} s after kill -9",
        f"board {told['photo']['seconds']:.0f} s after the end of the ramp",
        f"on with the round {told['hang']['restarted_after_s']} s after a hang",
        f"systemd-analyze verify: {verify or 'silent'}",
        f"systemd-analyze security: exposure {exposure(told)} of 10",
    ]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if lines := config.stash.get(FIGURES, []):
        terminalreporter.section("virtual Pi")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Build the virtual Pi, boot it and gather what it told; the console is kept in its folder."""
    if missing := what_is_missing():
        pytest.skip(f"no virtual Pi: {missing}")
    capture = request.config.pluginmanager.getplugin("capturemanager")
    assert capture is not None
    begun = time.monotonic()
    with capture.global_and_fixture_disabled():  # it tells how far it is
        build(photographed(tmp_path_factory.mktemp("camera")))
        built = time.monotonic()
        console = run()
    told = results(console)
    if "end" not in told:
        pytest.fail(f"the virtual Pi did not come to the end:\n{console[-4000:]}", pytrace=False)
    if not any("error" in document for document in told.values()):
        ran_s = time.monotonic() - built
        request.config.stash[FIGURES] = figures(told, built - begun, ran_s)
    return told


def build(picture: Path) -> None:
    """Have it there, with this picture before its camera."""
    done = subprocess.run([HERE / "build.sh", FOLDER, picture], check=False, timeout=BUILD_S)
    if done.returncode != 0:
        pytest.fail("the virtual Pi could not be built: see above", pytrace=False)


def run() -> str:
    """What it said from its start to its end, at the first start that its kernel survived."""
    print("it runs: three to five minutes", file=sys.stderr, flush=True)
    console = ""
    for _ in range(STARTS):
        console = boot()
        if not is_crashed(console):
            break
    return console


def boot() -> str:
    """Start it, wait for its end, and give what it said."""
    log = FOLDER / "console.log"
    with log.open("wb") as console:
        subprocess.run(
            [HERE / "boot.sh", FOLDER, str(RUN_S)],
            stdout=console,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return log.read_text(errors="replace")
