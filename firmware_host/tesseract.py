"""Tesseract, the program, as a reader of capitals and printed words; nobody else calls it."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import unescape

import numpy as np
from numpy.typing import NDArray
from PIL import Image

TIME_OUT_S = 60.0
"""Seconds for one tray, at most; a Raspberry Pi 4 needs about three. Printed words get more."""

_FOR_EACH_WORD_S = 1.0  # besides

_ENGLISH = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ARGUMENTS = ("stdin", "stdout", "-l", "eng")
_CAPITALS = ("--psm", "10", "-c", f"tessedit_char_whitelist={_ENGLISH}")
_TABLE = ("-c", "tessedit_create_tsv=1")  # plain text says nothing at all of an empty page
_PAGE, _WORD = "1", "5"  # levels of the lines of the table
_WORDS = (
    *("--psm", "6", "-c", f"tessedit_char_whitelist={_ENGLISH}{_ENGLISH.lower()}"),
    *("-c", "load_system_dawg=0", "-c", "load_freq_dawg=0"),  # its own dictionary would bend words
)
_CHOICES = (
    *("-c", "tessedit_create_hocr=1", "-c", "hocr_char_boxes=1"),
    *("-c", "lstm_choice_mode=2"),  # what else each letter may be
)
_SEEN = re.compile(
    r"(?P<page>class='ocr_page')"
    r"|title='x_bboxes (?P<left>-?\d+) -?\d+ (?P<right>-?\d+) -?\d+; "
    r"x_conf (?P<sure>[\d.]+)'>(?P<text>[^<]*)<"
    r"|title='x_confs [\d.]+'>(?P<other>[^<]*)<"
)


@dataclass(frozen=True)
class SeenLetter:
    """A letter of a printed word.

    Attributes:
        text: the letter.
        sure: how sure Tesseract is of it, 0–1; no calibrated probability.
        middle: where it stands, pixels from the left.
        others: what it may be else, likeliest first.
    """

    text: str
    sure: float
    middle: float
    others: tuple[str, ...] = ()


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
        option: that asks for it: to leave it out is the advice where it fails.
    """

    program: str = "tesseract"
    time_out_s: float = TIME_OUT_S
    option: str = "--second-opinion"

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
            raise self._nonsense("table", len(prints), error) from error

    def words(self, pictures: Sequence[NDArray[np.uint8]]) -> list[tuple[SeenLetter, ...]]:
        """The letters that it sees along each of some pictures; none where it sees nothing.

        Args:
            pictures: (height, width) each, a printed word, dark on white, letters some 35 pixels
                high and as much white around them; at least one.

        Raises:
            TesseractError: it is not there, fails, takes too long, or gives no answer to each.
        """
        told = self._run(
            [*_ARGUMENTS, *_WORDS, *_CHOICES], _pages(pictures), _FOR_EACH_WORD_S * len(pictures)
        )
        try:
            return _seen(told.decode("utf-8"), len(pictures))
        except ValueError as error:
            raise self._nonsense("page", len(pictures), error) from error

    def _nonsense(self, what: str, count: int, error: ValueError) -> TesseractError:
        return TesseractError(
            f"the program tesseract gave no {what} of {count} answers: {error}",
            f"Install version 4 or newer, or leave out {self.option}.",
        )

    def _run(self, arguments: Sequence[str], given: bytes, more_s: float = 0.0) -> bytes:
        time_out_s = self.time_out_s + more_s
        try:
            ended = subprocess.run(  # noqa: S603 - no shell, and its arguments are ours
                [self.program, *arguments],
                input=given,
                capture_output=True,
                timeout=time_out_s,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # its threads slow it down
                check=False,
            )
        except FileNotFoundError as error:
            message = "the program tesseract is not installed"
            raise TesseractError(message, self._install) from error
        except OSError as error:
            message = f"the program tesseract cannot be started: {error.strerror or error}"
            raise TesseractError(message, self._install) from error
        except subprocess.TimeoutExpired as error:
            message = f"the program tesseract gave no answer in {time_out_s:g} s"
            advice = f"Try again when the machine is less busy, or leave out {self.option}."
            raise TesseractError(message, advice) from error
        if ended.returncode:
            raise self._failed(ended)
        return ended.stdout

    @property
    def _install(self) -> str:
        return f"Install it: sudo apt install tesseract-ocr; or leave out {self.option}."

    def _failed(self, ended: subprocess.CompletedProcess[bytes]) -> TesseractError:
        lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
        how = f"was killed by signal {-ended.returncode}"
        if ended.returncode > 0:
            how = f"failed with code {ended.returncode}"
        words = f": {lines[-1]}" if lines else ""
        return TesseractError(
            f"the program tesseract {how}{words}",
            "Install it anew with its English data: sudo apt install --reinstall tesseract-ocr "
            f"tesseract-ocr-eng; or leave out {self.option}.",
        )


def _pages(prints: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> bytes:
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


def _seen(told: str, count: int) -> list[tuple[SeenLetter, ...]]:
    """The letters of each page, in order; `ValueError` where it is no such answer."""
    pages: list[list[SeenLetter]] = []
    for found in _SEEN.finditer(told):
        if found["page"]:
            pages.append([])
        elif not pages:
            raise ValueError("a letter outside of all pages")
        elif found["text"] is not None:
            middle = (float(found["left"]) + float(found["right"])) / 2
            pages[-1].append(
                SeenLetter(unescape(found["text"]), float(found["sure"]) / 100, middle)
            )
        elif pages[-1]:
            pages[-1][-1] = _with_other(pages[-1][-1], unescape(found["other"]))
    if len(pages) != count:
        raise ValueError(f"{len(pages)} pages")
    return [tuple(page) for page in pages]


def _with_other(letter: SeenLetter, other: str) -> SeenLetter:
    known = other in {letter.text, *letter.others}
    return letter if known else replace(letter, others=(*letter.others, other))
