"""Time and memory of ``wordtray scan`` on a page of 40 words, each run a process of its own.

Run: ``.venv/bin/python tests/benchmarks/bench_scan.py [WORDS]``. The page is rendered, written in
print in two columns, or a sheet of boxes, photographed at 12 megapixels. Seconds are of the
processor; those of reading are what the command takes more for the same page a second time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console
from rich.table import Table

from vision.paper.sheet import Form, Label
from vision.render.handwriting import random_hand_of_writer
from vision.render.page_photo import PageView, photograph
from vision.render.word_sheet import Written, print_sheet, write_words
from vision.render.written_page import Layout, random_page_style, write_page

BOARD = "TEAM/RSLO/HIND/GUPE"
TEXTS = [
    "tone", "notes", "stone", "ales", "late", "steal", "rate", "tear", "crate", "train", "rain",
    "line", "nail", "slate", "quiet", "query", "jumpy", "gypsy", "hello", "felt", "milk",
]  # fmt: skip
SIZE = (3024, 4032)

Photo = NDArray[np.uint8]


def main(count: int = 40) -> None:
    """Print the figures."""
    table = Table(f"{count} words", "read", "seconds", "of reading", "memory, MB")
    with tempfile.TemporaryDirectory() as folder:
        # A process counts the memory of the one that started it, which must therefore stay small.
        drawing = get_context("spawn").Process(target=_draw, args=(Path(folder), count))
        drawing.start()
        drawing.join()
        for file in sorted(Path(folder).iterdir()):
            for more in ([], ["--board", BOARD]):
                table.add_row(f"{file.stem} {' '.join(more[:1])}", *_run(file, more))
    Console().print(table)


def _draw(folder: Path, count: int) -> None:
    for name, pixels in (("free paper", _free(count)), ("boxes", _boxes(count))):
        Image.fromarray(pixels).save(folder / f"{name}.jpg", quality=92)


def _free(count: int) -> Photo:
    rng = np.random.default_rng(5)
    style = random_page_style(rng, "print", "ruled")
    lines = [[TEXTS[place]] for place in rng.integers(len(TEXTS), size=count)]
    page = write_page(lines, style, rng, Layout(columns=2))
    large = cv2.resize(page.pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return photograph(np.asarray(large, np.uint8), rng, view=PageView(SIZE, 0.4)).photo


def _boxes(count: int) -> Photo:
    rng = np.random.default_rng(5)
    words = {row: TEXTS[row % len(TEXTS)].upper() for row in range(1, count + 1)}
    sheet = print_sheet(Form("A4"), Label("Anna", "1"))
    hand = random_hand_of_writer(rng, 0.1)
    return photograph(
        write_words(sheet, Written(words), hand, rng).pixels, rng, view=PageView(SIZE, 0.4)
    ).photo


@dataclass(frozen=True)
class _Ended:
    """A command that has ended, with what it took of processor and memory."""

    documents: tuple[dict[str, Any], ...]
    seconds: float
    megabytes: float


def _run(file: Path, more: list[str]) -> tuple[str, ...]:
    """Words read, seconds of the command, of reading a second page, most memory."""
    one, two = (_timed([str(file)] * times + more) for times in (1, 2))
    words = len(one.documents[0]["words"])
    reading = two.seconds - one.seconds
    return str(words), f"{one.seconds:.2f}", f"{reading:.2f}", f"{one.megabytes:.0f}"


def _timed(arguments: list[str]) -> _Ended:
    command = [sys.executable, "-m", "firmware_host", "scan", *arguments, "--json"]
    with tempfile.TemporaryFile() as out:
        started = subprocess.Popen(
            command, stdout=out, stderr=subprocess.DEVNULL, env=_one_thread()
        )
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        documents = tuple(json.loads(line) for line in out.read().splitlines())
    return _Ended(documents, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _one_thread() -> dict[str, str]:
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
