"""Tesseract as the recogniser of printed words, behind the Protocol of all recognisers of words."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware_host.tesseract import SeenLetter, Tesseract
from vision.paper.recogniser import Look

OPTION = "--writing printed"
"""How a user asks for it."""

_HEIGHT = 48  # pixels, of a word as Tesseract reads it best
_MARGIN = 60  # pixels of white around it: without them it sees stops and quotes at the edge
_STEP = 4  # pixels
_DOUBT = ((0.9, 0.99), (-2.3, -11.5))
"""How sure Tesseract says it is, and logarithms of how often such a letter is another one."""
_FLOOR = 1e-6  # probability of a letter that it does not name

Grey = NDArray[np.uint8]


class PrintedWords:
    """A recogniser of printed words.

    Args:
        alphabet: the letters to tell apart, capitals; of these it sees A to Z alone.
        tesseract: the program.

    Raises:
        TesseractError: the program is not there, or does not work.
    """

    def __init__(self, alphabet: str, tesseract: Tesseract | None = None) -> None:
        self._alphabet = alphabet
        self._tesseract = tesseract or Tesseract(option=OPTION)
        self._tesseract.check()

    @property
    def alphabet(self) -> str:
        """The letters, in the order of its columns."""
        return self._alphabet

    def looks(self, pictures: Sequence[Grey]) -> Sequence[Look]:
        """What it sees in pictures; see `vision.paper.recogniser.Recogniser`.

        Raises:
            TesseractError: the program fails.
        """
        if not pictures:
            return []
        ready = [_ready(picture) for picture in pictures]
        seen = self._tesseract.words(ready)
        return [
            self._look(letters, ready_one.shape[1], _HEIGHT / len(picture))
            for letters, ready_one, picture in zip(seen, ready, pictures, strict=True)
        ]

    def _look(self, letters: Sequence[SeenLetter], width: int, zoom: float) -> Look:
        """Steps with blanks, and a letter in the step over which it stands."""
        steps = max((width - 2 * _MARGIN) // _STEP, 2 * len(letters)) + 1
        chances = np.full((steps, 1 + len(self._alphabet)), _FLOOR)
        chances[:, 0] = 1.0
        for step, letter in zip(_steps(letters, steps), letters, strict=True):
            chances[step] = self._chances(letter)
        return Look(np.log(chances / chances.sum(axis=1, keepdims=True)), _STEP / zoom)

    def _chances(self, letter: SeenLetter) -> NDArray[np.float64]:
        """Of the blank and each letter where one was seen; each next choice is half as likely."""
        chances = np.full(1 + len(self._alphabet), _FLOOR)
        left = float(np.exp(np.interp(letter.sure, *_DOUBT)))
        self._add(chances, letter.text, 1 - left)
        left /= 2
        chances[0] += left
        for other in letter.others:
            left /= 2
            self._add(chances, other, left)
        return chances

    def _add(self, chances: NDArray[np.float64], text: str, chance: float) -> None:
        column = self._alphabet.find(text.upper()) if len(text.upper()) == 1 else -1
        if column >= 0:
            chances[1 + column] += chance


def _ready(picture: Grey) -> Grey:
    """A word as Tesseract reads it best: of its size, with white around it."""
    zoom = _HEIGHT / len(picture)
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(
        picture, (max(1, round(picture.shape[1] * zoom)), _HEIGHT), interpolation=how
    )
    sides = (_MARGIN,) * 4
    framed = cv2.copyMakeBorder(scaled, *sides, cv2.BORDER_CONSTANT, value=(255,))
    return np.asarray(framed, np.uint8)


def _steps(letters: Sequence[SeenLetter], count: int) -> list[int]:
    """The step of each letter: two apart at least, so that equal ones stay two."""
    steps: list[int] = []
    for place, letter in enumerate(letters):
        least = steps[-1] + 2 if steps else 0
        most = count - 1 - 2 * (len(letters) - 1 - place)
        steps.append(min(max(round((letter.middle - _MARGIN) / _STEP), least), most))
    return steps
