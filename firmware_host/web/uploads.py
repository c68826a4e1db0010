"""Photographed lists that come from phones: bounded, opened with care, kept anew, read in turn."""

from __future__ import annotations

import asyncio
import io
import tempfile
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from firmware_host.errors import complaint_of
from firmware_host.pages import PAGE_SIDE, PagePicture
from firmware_host.paper import PaperReader, ScannedList
from firmware_host.photos import PhotoFolder
from firmware_host.web.problems import Problem
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.rules import Game
from vision.paper.reading import WordReading
from vision.photo import Photo, load_reduced
from vision.scaling import shrunk

FORMATS = ("JPEG", "PNG", "WEBP")

MOST_PIXELS = 16_000_000
"""Of a picture that is opened whole."""

MOST_REDUCED = 120_000_000
"""Of a JPEG, which is opened at a half, a quarter or an eighth of its sides."""

MOST_WAITING = 4
"""Pictures that wait to be read, or are."""

LONGEST_SIDE = 1.5 * PAGE_SIDE

MakeReader = Callable[[Lexicon, Board, Game], PaperReader]

_NAME = "the picture"
"""What a picture is called to who sent it."""


@dataclass(frozen=True)
class Read:
    """A photographed page: where it is kept, and the lists on it."""

    photo: Path
    lists: tuple[ScannedList, ...]


class Uploads:
    """Reads photographed lists, one after the other, in a thread of its own.

    Args:
        photos: where they are kept.
        make_reader: reads lists of a board; loads what it needs when the first comes.
    """

    def __init__(self, photos: PhotoFolder, make_reader: MakeReader = PaperReader) -> None:
        self._photos = photos
        self._make_reader = make_reader
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="lists")
        self._waiting = 0
        self._reader: tuple[tuple[Lexicon, Board, Game], PaperReader] | None = None

    async def read(self, data: bytes, lexicon: Lexicon, board: Board, game: Game) -> Read:
        """Keep and read a picture.

        Args:
            data: as it was sent.
            lexicon: proves the words.
            board: that was played.
            game: by whose rules.

        Raises:
            Problem: too many wait, or it is no picture of a list.
        """
        if self._waiting >= MOST_WAITING:
            raise Problem(429, "other lists are being read", "Wait a little.", retry_after_s=10)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._read, data, (lexicon, board, game))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Read no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _read(self, data: bytes, played: tuple[Lexicon, Board, Game]) -> Read:
        """What is refused is not kept: a photo that no event names would look like a loss."""
        pixels = opened(data)
        try:
            lists = self._reader_of(played).read(PagePicture(_NAME, Photo(pixels, 1.0)))
        except Exception as error:
            raise _told(error, _NAME) from error
        return Read(self._photos.save(pixels, "list"), lists)

    def _reader_of(self, played: tuple[Lexicon, Board, Game]) -> PaperReader:
        if self._reader is None or self._reader[0] != played:
            self._reader = (played, self._make_reader(*played))
        return self._reader[1]


def opened(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The pixels of a picture that somebody sent, (height, width, 3), RGB, upright.

    What it will take is seen from its head, before any memory is taken.

    Raises:
        Problem: it is none, or too large.
    """
    _check_head(data)
    with tempfile.NamedTemporaryFile(prefix="wordtray-", suffix=".picture") as file:
        file.write(data)
        file.flush()
        try:
            photo = load_reduced(Path(file.name), PAGE_SIDE)
        except Exception as error:
            raise _told(error, file.name) from error
    return shrunk(photo.pixels, min(1.0, LONGEST_SIDE / max(photo.pixels.shape[:2])))


def _check_head(data: bytes) -> None:
    advice = "Take the photo again, as a JPEG."
    try:
        with warnings.catch_warnings():
            # Of half of what is refused; how many are too many for a form is looked at below.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
                form, pixels = picture.format, picture.width * picture.height
    except Image.DecompressionBombError:
        raise Problem(413, "the picture has too many pixels", advice) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        kinds = ", ".join(FORMATS)
        raise Problem(422, f"that is no picture ({kinds})", advice, kind="not_a_picture") from None
    if pixels > (MOST_REDUCED if form == "JPEG" else MOST_PIXELS):
        raise Problem(413, f"the picture has {pixels:,} pixels", advice)


def _told(error: Exception, file: str) -> Problem:
    """What is wrong with a picture, for who sent it, and no name of our file; else it is ours."""
    complaint = complaint_of(error)
    if complaint is None or isinstance(error, OSError):
        raise error
    status = 409 if complaint.kind in {"not_installed", "no_recogniser"} else 422
    message = complaint.message.replace(file, _NAME)
    return Problem(status, message, complaint.advice, kind=complaint.kind)


def plain(words: Sequence[WordReading]) -> tuple[WordReading, ...]:
    """Words with numbers of Python, as the log keeps them."""
    return tuple(
        replace(
            word,
            confidence=float(word.confidence),
            alternatives=tuple((text, float(share)) for text, share in word.alternatives),
            quad_px=_plain_quad(word.quad_px),
        )
        for word in words
    )


def _plain_quad(
    quad: Sequence[Sequence[float]],
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    return first, second, third, fourth
