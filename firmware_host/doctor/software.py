"""What is installed: programs, weights, the word list, and a reading from end to end."""

from __future__ import annotations

import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from firmware_host.doctor.finding import Check, Finding, Grade

LEAST_MEMORY_MB = 900
"""A Pi with 1 GB shows about this much; below it a reading and a browser do not fit together."""

SELF_TEST_SEED = 1

RICH_BOARD = "perslatgsineters"
RICH_BOARD_POINTS = 3623
"""The richest 4×4 board known, and its points with the built-in list."""


def checks() -> Iterator[Check]:
    """All of them, in the order in which one thing needs another."""
    for check in (
        _machine,
        _memory,
        _libraries,
        _lexicon,
        _dictionary,
        _solver,
        _scratch,
        _reading,
    ):
        yield check.__name__.strip("_"), check


def _machine() -> Finding:
    model = Path("/proc/device-tree/model")
    name = model.read_text().rstrip("\0") if model.exists() else "no Raspberry Pi"
    python = ".".join(map(str, sys.version_info[:3]))
    return Finding(
        "machine",
        Grade.OK,
        f"{name}, {platform.machine()}, Python {python}, {os.cpu_count()} cores",
    )


def _memory() -> Finding:
    megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    if megabytes >= LEAST_MEMORY_MB:
        return Finding("memory", Grade.OK, f"{megabytes:,} MB")
    text = f"{megabytes:,} MB: a reading fits, a browser beside it does not"
    advice = "Do without the big display, or use a machine with 1 GB of memory or more."
    return Finding("memory", Grade.WARN, text, advice)


def _libraries() -> Finding:
    import cv2

    names = ("wordtray", "numpy", "pillow", "scipy")
    found = ", ".join(f"{name} {version(name)}" for name in names)
    return Finding("libraries", Grade.OK, f"{found}, OpenCV {cv2.__version__}")


def _lexicon() -> Finding:
    from firmware_host import lexicons

    start = time.perf_counter()
    lexicon = lexicons.load("enable")
    took = (time.perf_counter() - start) * 1000
    text = f"{lexicon.name}, {len(lexicon):,} words in {took:.0f} ms"
    return Finding("lexicon", Grade.OK, text)


def _dictionary() -> Finding:
    """What tells players what the words of a result mean; nobody needs it."""
    from firmware_host import dictionary, lexicons

    found = dictionary.installed(lexicons.load("enable"))
    told = [
        *(["what words mean (WordNet)"] if found.has_meanings else []),
        *(["how common they are (SCOWL)"] if found.has_levels else []),
    ]
    if found.has_meanings and found.has_levels:
        return Finding("dictionary", Grade.OK, " and ".join(told))
    text = f"pages tell only {told[0]}" if told else "pages do not tell what words mean"
    advice = f"For meanings and commonness: {dictionary.ADVICE}"
    return Finding("dictionary", Grade.NONE, text, advice)


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
        return Finding("solver", Grade.FAIL, text, advice="Install wordtray anew.")
    best, *others = found
    if best != "python":
        text = f"{best}; in agreement with {', '.join(others)}"
        return Finding("solver", Grade.OK, text)
    advice = (
        "For the native solver: sudo apt install g++ python3-dev, then install wordtray again; "
        "in a checkout: rm -f .venv/native-failed; ./run"
    )
    text = "python, because the native solver was not built: some hundred times slower"
    return Finding("solver", Grade.NONE, text, advice)


def _scratch() -> Finding:
    with tempfile.NamedTemporaryFile(prefix="wordtray-") as file:
        folder = Path(file.name).parent
    return Finding("scratch", Grade.OK, f"{folder} can be written")


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
        return Finding("reading", Grade.FAIL, text, advice)
    return Finding("reading", Grade.OK, f"a rendered tray read right in {took:.2f} s")
