"""Examines the machine: what is here, what is missing, and what to do about it."""

from __future__ import annotations

import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from firmware_host.errors import ExitCode, complaint_of

LEAST_MEMORY_MB = 900
"""A Pi with 1 GB shows about this much; below it a reading and a browser do not fit together."""

SELF_TEST_SEED = 1

RICH_BOARD = "perslatgsineters"
RICH_BOARD_POINTS = 3623
"""The richest 4×4 board known, and its points with the built-in list."""


@dataclass(frozen=True)
class Finding:
    """One thing examined.

    Attributes:
        subject: what was examined.
        ok: all is well; None for something that is not here and need not be.
        text: what was found.
        advice: what to do, empty where nothing need be done.
        code: how the command ends when ``ok`` is False.
    """

    subject: str
    ok: bool | None
    text: str
    advice: str = ""
    code: ExitCode = ExitCode.OUR_FAULT

    def as_json(self) -> dict[str, str | bool | None]:
        """A line of ``doctor --json``."""
        return {
            "subject": self.subject,
            "ok": self.ok,
            "text": self.text,
            "advice": self.advice,
        }


def examine() -> Iterator[Finding]:
    """Examine everything, in the order in which one thing needs another."""
    checks = (_machine, _memory, _libraries, _lexicon, _solver, _scratch, _reading, _devices)
    for check in checks:
        yield _guarded(check)


def _guarded(check: Callable[[], Finding]) -> Finding:
    """A check that breaks is itself a finding: the others must still run."""
    subject = check.__name__.strip("_")
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - a broken check is what a doctor looks for
        complaint = complaint_of(error)
        if complaint is None:
            return Finding(subject, ok=False, text=f"{type(error).__name__}: {error}")
        return Finding(
            subject,
            ok=False,
            text=complaint.message,
            advice=complaint.advice,
            code=complaint.code,
        )


def _machine() -> Finding:
    model = Path("/proc/device-tree/model")
    name = model.read_text().rstrip("\0") if model.exists() else "no Raspberry Pi"
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        "machine",
        ok=True,
        text=f"{name}, {platform.machine()}, Python {python}, {os.cpu_count()} cores",
    )


def _memory() -> Finding:
    megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    enough = megabytes >= LEAST_MEMORY_MB
    advice = "" if enough else "Use a machine with 1 GB of memory or more."
    return Finding("memory", ok=enough, text=f"{megabytes:,} MB", advice=advice)


def _libraries() -> Finding:
    import cv2

    names = ("wordtray", "numpy", "pillow", "scipy")
    found = ", ".join(f"{name} {version(name)}" for name in names)
    return Finding("libraries", ok=True, text=f"{found}, OpenCV {cv2.__version__}")


def _lexicon() -> Finding:
    from firmware_host import lexicons

    start = time.perf_counter()
    lexicon = lexicons.load("enable")
    took = (time.perf_counter() - start) * 1000
    text = f"{lexicon.name}, {len(lexicon):,} words in {took:.0f} ms"
    return Finding("lexicon", ok=True, text=text)


def _solver() -> Finding:
    """Solve a board whose words are known, by each engine: they must agree."""
    from firmware_host import lexicons
    from scoring.board import Board
    from scoring.engine import engines
    from scoring.rules import game

    board, rules = Board.parse(RICH_BOARD), game("boggle")
    able = engines(lexicons.load("enable").trie)
    found = {engine.name: engine.solve(board, rules).points for engine in able}
    if set(found.values()) != {RICH_BOARD_POINTS}:
        text = f"{RICH_BOARD} is worth {RICH_BOARD_POINTS} points, but was solved as {found}"
        return Finding("solver", ok=False, text=text, advice="Install wordtray anew.")
    best, *others = found
    if best != "python":
        text = f"{best}; in agreement with {', '.join(others)}"
        return Finding("solver", ok=True, text=text)
    advice = (
        "For the native solver: sudo apt install g++ python3-dev, then install wordtray again; "
        "in a checkout: rm -f .venv/native-failed; ./run"
    )
    text = "python, because the native solver was not built: some hundred times slower"
    return Finding("solver", ok=None, text=text, advice=advice)


def _scratch() -> Finding:
    with tempfile.NamedTemporaryFile(prefix="wordtray-") as file:
        folder = Path(file.name).parent
    return Finding("scratch", ok=True, text=f"{folder} can be written")


def _reading() -> Finding:
    """Render a tray and read it: proves the weights, OpenCV and the cube sets together."""
    import numpy as np

    from firmware_host.reading import PhotoReader
    from scoring.cubes import cube_set
    from vision.render.tray import render_tray

    board = cube_set("new_4x4").roll(random.Random(SELF_TEST_SEED))
    photo = render_tray(board, np.random.default_rng(SELF_TEST_SEED)).photo
    reader = PhotoReader.standard()
    start = time.perf_counter()
    reading = reader.read(photo)
    took = time.perf_counter() - start
    if reading.board != board:
        text = f"a rendered tray {board} was read as {reading.board}"
        advice = "Install wordtray anew: its weights are damaged."
        return Finding("reading", ok=False, text=text, advice=advice)
    return Finding("reading", ok=True, text=f"a rendered tray read right in {took:.2f} s")


def _devices() -> Finding:
    """Whether the settings are sound and the machine has pins; nothing is opened or moved."""
    from firmware_host import settings_file
    from hardware.devices import DeviceError
    from hardware.pins import check_chips

    loaded = settings_file.load()
    origin = loaded.file or "the defaults"
    try:
        check_chips(loaded.settings.pins.chip)
    except DeviceError as error:
        return Finding("devices", ok=None, text=str(error), advice=error.advice)
    parts = ", ".join(loaded.settings.wiring.parts)
    return Finding("devices", ok=True, text=f"pins are there; by {origin}: {parts}")
