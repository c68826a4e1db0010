"""Tesseract, the program, as a reader of single capitals; the only place that calls it."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

TIME_OUT_S = 60.0
"""Seconds for one tray, at most; a Raspberry Pi 4 needs about three."""

_ARGUMENTS = ("stdin", "stdout", "--psm", "10", "-l", "eng")
_CAPITALS = ("-c", "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_TABLE = ("-c", "tessedit_create_tsv=1")  # plain text says nothing at all of an empty page
_PAGE, _WORD = "1", "5"  # levels of the lines of the table
_INSTALL = "Install it: sudo apt install tesseract-ocr; or leave out --second-opinion."


class TesseractError(RuntimeError):
    """Tesseract is not there, fails, or answers nonsense.

    Args:
        message: what happened and why, one sentence.
        advice: what the user can do, one sentence.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True)
class Tesseract:
    """The program.

    All prints go to it at once: it takes longer to start than to read forty of them.

    Args:
        program: its name or path.
        time_out_s: seconds that it may take.
    """

    program: str = "tesseract"
    time_out_s: float = TIME_OUT_S

    def check(self) -> None:
        """See that it is there and works.

        Raises:
            TesseractError: it is not, or does not.
        """
        self._run(["--version"], b"")

    def letters(self, prints: NDArray[np.uint8]) -> Sequence[str]:
        """What it reads in each of some pictures; empty where it reads nothing.

        Args:
            prints: (n, height, width), one upright capital each, black on white; n at least 1.

        Raises:
            TesseractError: it is not there, fails, takes too long, or gives no answer to each.
        """
        table = self._run([*_ARGUMENTS, *_CAPITALS, *_TABLE], _pages(prints))
        try:
            return _answers(table.decode("utf-8"), len(prints))
        except ValueError as error:
            raise TesseractError(
                f"the program tesseract gave no table of {len(prints)} answers: {error}",
                "Install version 4 or newer, or leave out --second-opinion.",
            ) from error

    def _run(self, arguments: Sequence[str], given: bytes) -> bytes:
        try:
            ended = subprocess.run(  # noqa: S603 - no shell, and its arguments are ours
                [self.program, *arguments],
                input=given,
                capture_output=True,
                timeout=self.time_out_s,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # its threads slow it down
                check=False,
            )
        except FileNotFoundError as error:
            raise TesseractError("the program tesseract is not installed", _INSTALL) from error
        except OSError as error:
            message = f"the program tesseract cannot be started: {error.strerror or error}"
            raise TesseractError(message, _INSTALL) from error
        except subprocess.TimeoutExpired as error:
            message = f"the program tesseract gave no answer in {self.time_out_s:g} s"
            advice = "Try again when the machine is less busy, or leave out --second-opinion."
            raise TesseractError(message, advice) from error
        if ended.returncode:
            raise _failed(ended)
        return ended.stdout


def _pages(prints: NDArray[np.uint8]) -> bytes:
    """The prints as the pages of one picture."""
    first, *others = (Image.fromarray(one) for one in prints)
    data = io.BytesIO()
    first.save(data, "TIFF", save_all=True, append_images=others)
    return data.getvalue()


def _answers(table: str, count: int) -> list[str]:
    """What the table says of each page, in order; `ValueError` where it is no such table."""
    answers: dict[int, str] = {}
    for line in table.splitlines()[1:]:
        level, page, *_, text = line.split("\t")
        if level == _PAGE:
            answers[int(page)] = ""
        elif level == _WORD:
            answers[int(page)] = answers.get(int(page), "") + text.strip()
    if list(answers) != list(range(1, count + 1)):
        raise ValueError(f"{len(answers)} pages")
    return list(answers.values())


def _failed(ended: subprocess.CompletedProcess[bytes]) -> TesseractError:
    lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    how = f"was killed by signal {-ended.returncode}"
    if ended.returncode > 0:
        how = f"failed with code {ended.returncode}"
    words = f": {lines[-1]}" if lines else ""
    return TesseractError(
        f"the program tesseract {how}{words}",
        "Install it anew with its English data: sudo apt install --reinstall tesseract-ocr "
        "tesseract-ocr-eng; or leave out --second-opinion.",
    )
