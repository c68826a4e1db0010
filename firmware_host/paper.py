"""Lists on paper: the one way from a page to the words on it, whatever kind of page it is.

A printed sheet is known by its marks and read row by row; anything else is free paper. Models are
loaded when the first page needs them. Words are read by the net for handwriting, which reads print
better than Tesseract does, too; Tesseract reads pages that look printed where that net is not
installed, and whatever the user says is printed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from firmware_host.pages import PagePicture
from firmware_host.printed_words import PrintedWords
from firmware_host.tesseract import TesseractError
from firmware_host.writing import ReadBy, Writing
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.rules import Game
from scoring.solver import solve
from vision.errors import (
    IllegibleError,
    NoPageError,
    NoSheetError,
    NoTrayError,
    NoWritingError,
    TrayNotPaperError,
    WrongRoundError,
)
from vision.faces import FaceClassifier
from vision.paper.boxed_among import KnownWords, read_word_among
from vision.paper.candidates import Candidates
from vision.paper.decode import read_words
from vision.paper.find import find_words
from vision.paper.head import parted
from vision.paper.legible import check_is_list, legibilities
from vision.paper.letters import BoxLetters
from vision.paper.order import Page
from vision.paper.ppocr import ENGLISH, PpOcr, RecogniserError
from vision.paper.printed import is_printed
from vision.paper.reading import Quad, WordImage, WordListReading, WordReading
from vision.paper.recogniser import Recogniser, Remembering
from vision.paper.sheet import Label
from vision.paper.sheet_reader import SheetReading, read_sheets
from vision.photo import Photo
from vision.scaling import shrunk
from vision.tray import read_trays

_TRAY_SIDE = 1600  # pixels: a photo that is no page is looked at once more, for a tray

Grey = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ScannedList:
    """The list of one player on one page.

    Attributes:
        page: its name, as of `PagePicture`.
        reading: the words; places in pixels of the page.
        crops: (height, width), grey, for each word its picture.
        sheet: what the code of a printed sheet tells; None where it tells nothing, and on free
            paper.
        printed: it is a printed sheet.
        seconds: that the page took.
        read_by: what has read it.
    """

    page: str
    reading: WordListReading
    crops: tuple[Grey, ...]
    sheet: Label | None = None
    printed: bool = False
    seconds: float = 0.0
    read_by: ReadBy = ReadBy.HAND

    @property
    def doubtful(self) -> bool:
        """Whether a person must confirm anything of it, be it that nothing is written."""
        words = self.reading.words
        return bool(self.reading.lost) or not words or any(word.doubtful for word in words)

    def as_of(self, player: str) -> ScannedList:
        """The same, of a player."""
        return replace(self, reading=replace(self.reading, player=player))


@dataclass(frozen=True)
class _Engine:
    recogniser: Recogniser
    name: ReadBy


class PaperReader:
    """Reads lists on paper.

    Args:
        lexicon: the words that there are.
        board: the board that was played on, where it is known.
        game: its rules; needed with a board.
        make_recogniser: loads what reads joined letters, given the letters to tell apart.
        clock: seconds that only go forward.
        writing: how the words are written.
        make_printed: the same for what reads printed words alone.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        board: Board | None = None,
        game: Game | None = None,
        make_recogniser: Callable[[str], Recogniser] = PpOcr,
        clock: Callable[[], float] = time.perf_counter,
        *,
        writing: Writing = Writing.AUTO,
        make_printed: Callable[[str], Recogniser] = PrintedWords,
    ) -> None:
        self._lexicon = lexicon
        self._board = board
        self._game = game
        self._make_recogniser = make_recogniser
        self._clock = clock
        self.writing = writing
        self._make_printed = make_printed

    @cached_property
    def _alphabet(self) -> str:
        return alphabet_of(self._lexicon)

    @cached_property
    def _of_hands(self) -> _Engine:
        return _Engine(self._make_recogniser(self._alphabet), ReadBy.HAND)

    @cached_property
    def _of_print(self) -> _Engine:
        return _Engine(self._make_printed(self._alphabet), ReadBy.TESSERACT)

    @property
    def _asked(self) -> _Engine:
        """What reads a page of which nothing is known."""
        return self._of_print if self.writing is Writing.PRINTED else self._of_hands

    @cached_property
    def _candidates(self) -> Candidates:
        """A second's work for a lexicon of 170,000 words; not needed for letter boxes."""
        known = Candidates.of(self._lexicon, self._alphabet)
        if self._board is None:
            return known
        return known.on(self._board, self._board_words)

    @cached_property
    def _board_words(self) -> frozenset[str]:
        if self._board is None or self._game is None:
            return frozenset()
        return frozenset(word.word for word in solve(self._board, self._lexicon, self._game).words)

    @cached_property
    def _playable(self) -> frozenset[str]:
        return frozenset(word.upper() for word in self._board_words)

    @cached_property
    def _known_words(self) -> KnownWords:
        return KnownWords.of(self._lexicon, self._board_words)

    @cached_property
    def _letters(self) -> BoxLetters:
        return BoxLetters()

    def read(self, page: PagePicture, round_name: str | None = None) -> tuple[ScannedList, ...]:
        """The lists on a page: of each sheet in a photo one.

        Args:
            page: the page.
            round_name: the round that printed sheets must be of; None for any.

        Raises:
            WrongRoundError: a sheet is of another round.
            VisionError: there is no list on it, or what reads it is not installed.
        """
        start = self._clock()
        try:
            lists = self._read(page)
        except (NoPageError, NoWritingError, IllegibleError) as error:
            _refuse_tray(page.photo, error)
            raise
        if round_name is not None:
            check_round(lists, round_name)
        seconds = (self._clock() - start) / len(lists)
        return tuple(
            replace(one, reading=_scaled(one.reading, page.photo.scale), seconds=seconds)
            for one in lists
        )

    def _read(self, page: PagePicture) -> tuple[ScannedList, ...]:
        try:
            sheets = read_sheets(page.photo.pixels, self._letters)
        except NoSheetError:
            return self._read_free(page)
        return tuple(self.of_sheet(page.name, sheet) for sheet in sheets)

    def of_sheet(self, name: str, sheet: SheetReading) -> ScannedList:
        """The list on a printed sheet whose boxes or rows were found already."""
        if not sheet.lines:
            crops = tuple(word.picture.picture for word in sheet.boxed)
            words = tuple(read_word_among(word, self._known_words) for word in sheet.boxed)
            reading = replace(sheet.words(), words=words)
            return ScannedList(
                name, reading, crops, sheet.label, printed=True, read_by=ReadBy.BOXES
            )
        label = sheet.label or Label()
        engine = self._asked
        words = self._words(sheet.lines, engine)
        reading = WordListReading(words, label.player or None, label.round or None, sheet.lost)
        crops = tuple(image.picture for image in sheet.lines)
        return ScannedList(name, reading, crops, sheet.label, printed=True, read_by=engine.name)

    def _read_free(self, page: PagePicture) -> tuple[ScannedList, ...]:
        engine = self._for(page.photo)
        engine = replace(engine, recogniser=Remembering(engine.recogniser))
        pages = find_words(page.photo.pixels, partial(legibilities, engine.recogniser))
        return tuple(self._of_page(page.name, found, engine) for found in pages)

    def _for(self, photo: Photo) -> _Engine:
        """What reads a free page: Tesseract where that is all there is, and the page is printed.

        Raises:
            RecogniserError: nothing that is installed reads it.
            NoPageError, NoWritingError: nor is there anything to read.
        """
        try:
            return self._asked
        except RecogniserError as missing:
            if not _looks_printed(photo) or self.writing is Writing.HAND:
                raise
            try:
                return self._of_print
            except TesseractError:  # which nobody has asked for
                raise missing from None

    def _of_page(self, name: str, page: Page, engine: _Engine) -> ScannedList:
        words = self._words(page.words, engine)
        check_is_list(words)
        player, listed = parted(words, self._playable)
        crops = tuple(image.picture for image in page.words)[len(words) - len(listed) :]
        reading = WordListReading(listed, player)
        return ScannedList(name, reading, crops, read_by=engine.name)

    def _words(self, images: Sequence[WordImage], engine: _Engine) -> tuple[WordReading, ...]:
        return tuple(read_words(images, engine.recogniser, self._candidates))


def alphabet_of(lexicon: Lexicon) -> str:
    """The letters that its words are written with, capitals, and at least the English ones."""
    capitals = {letter.upper() for letter in set().union(*map(set, lexicon))}
    return "".join(sorted({*ENGLISH, *(sign for sign in capitals if len(sign) == 1)}))


def _looks_printed(photo: Photo) -> bool:
    return any(
        is_printed([word.picture for word in page.words]) for page in find_words(photo.pixels)
    )


def check_round(lists: Sequence[ScannedList], round_name: str) -> None:
    """See that no printed sheet is of another round; one that tells none passes.

    Raises:
        WrongRoundError: one is.
    """
    for one in lists:
        told = one.reading.round
        if told is not None and told.casefold() != round_name.casefold():
            whose = f" of {one.reading.player}" if one.reading.player else ""
            raise WrongRoundError(
                f"the sheet{whose} is of round {told!r}, not of {round_name!r}",
                "Look for the right sheet; to read it all the same, leave --round out.",
            )


def _scaled(reading: WordListReading, scale: float) -> WordListReading:
    words = tuple(replace(word, quad_px=_moved(word.quad_px, scale)) for word in reading.words)
    return replace(reading, words=words)


def _moved(quad: Quad, scale: float) -> Quad:
    first, second, third, fourth = ((x * scale, y * scale) for x, y in quad)
    return first, second, third, fourth


def _refuse_tray(photo: Photo, error: Exception) -> None:
    """Where no list was found, say so if it is a tray that the photo shows.

    Raises:
        TrayNotPaperError: it is.
    """
    scale = min(1.0, _TRAY_SIDE / max(photo.pixels.shape[:2]))
    try:
        trays = read_trays(shrunk(photo.pixels, scale), FaceClassifier())
    except NoTrayError:
        return
    raise TrayNotPaperError(
        f"the photo shows a tray ({trays[0].board}), not a list of words",
        "Read it by wordtray read; give scan the photos of the lists.",
    ) from error
