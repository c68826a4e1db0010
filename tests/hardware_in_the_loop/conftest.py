"""The virtual Pi: built where it is not, booted once, and what it told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
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

BUILD_S = 1800
RUN_S = 1500
"""Seconds at most: on two processors of its own it takes a tenth of them."""

STARTS = 2
"""The emulated processor has crashed the guest's kernel once in a while, before any check."""

Report = Mapping[str, Mapping[str, Any]]


def what_is_missing() -> str:
    """Why there can be no virtual Pi here; empty where there can."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"no {', '.join(missing)}: apt-get install {PACKAGES}"
    return "" if os.geteuid() == 0 else "its system is made by root"


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
    lines = (line.strip() for line in console.splitlines())
    documents = [json.loads(line[7:]) for line in lines if line.startswith("RESULT ")]
    return {document["check"]: document for document in documents}


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Build the virtual Pi, boot it and gather what it told; the console is kept in its folder."""
    if missing := what_is_missing():
        pytest.skip(f"no virtual Pi: {missing}")
    picture = photographed(tmp_path_factory.mktemp("camera"))
    subprocess.run([HERE / "build.sh", FOLDER, picture], check=True, timeout=BUILD_S)
    console, told = "", {}
    for _ in range(STARTS):
        console = boot()
        if told := results(console):
            break
    if "end" not in told:
        pytest.fail(f"the virtual Pi did not come to the end:\n{console[-4000:]}")
    return told


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
