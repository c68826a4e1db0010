"""Pages of paper as pictures: a photo or a scan is one, a PDF may hold many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.errors import CommandError, Complaint, ExitCode, unusable_file, wrong_use
from firmware_host.files import open_now, read_given
from vision.photo import LARGEST_BYTES, LONGEST_SHAPE, Photo, load_reduced
from vision.scaling import shrunk

PDF_SUFFIX = ".pdf"
_NUMBER_SIGN = "#"  # before the number of a page

PAGE_SIDE = 2400
"""Pixels of a page's longer side that reading needs: more do not make it better."""

_LARGEST_SIDE = 1.5 * PAGE_SIDE  # of a photo, which may show several pages
_SIGNATURE, _HEAD = b"%PDF-", 1024  # of a PDF, and how far from the beginning it may stand


@dataclass(frozen=True, eq=False)
class PagePicture:
    """A page as it is read.

    Attributes:
        name: of the file; of a PDF with the number of the page, as ``scan.pdf#2``.
        photo: what it shows.
    """

    name: str
    photo: Photo


@dataclass(frozen=True)
class NamedPages:
    """What a person names of pages: a file, or one page of a PDF.

    Attributes:
        file: of the pages.
        number: of the page that is meant, from 1; None for all.
    """

    file: Path
    number: int | None = None

    def overlaps(self, other: NamedPages) -> bool:
        """Whether a page is among both."""
        one_file = self.file.resolve() == other.file.resolve()
        return one_file and (self.number is None or other.number in {None, self.number})


def named_pages(file: Path) -> NamedPages:
    """``scan.pdf#2`` is page 2 of ``scan.pdf``, unless a file is called so."""
    whole, _, number = str(file).rpartition(_NUMBER_SIGN)
    if whole and number.isdecimal() and not file.exists():
        return NamedPages(Path(whole), int(number))
    return NamedPages(file)


def pages_in(given: Path) -> Iterator[PagePicture]:
    """The pages of a file, one at a time, or the one that is named as by `PagePicture`.

    Raises:
        PhotoError: it is no usable picture.
        CommandError: it is a PDF that cannot be read, or has no such page, or what reads these is
            not installed.
    """
    named = named_pages(given)
    if is_pdf(named.file):
        yield from _pdf_pages(named)
        return
    photo = load_reduced(given, PAGE_SIDE)
    scale = min(1.0, _LARGEST_SIDE / max(photo.pixels.shape[:2]))
    small = shrunk(photo.pixels, scale)
    yield PagePicture(str(given), Photo(small, photo.scale / scale))


def is_pdf(file: Path) -> bool:
    """Whether a file says that it is a PDF, whatever its name is."""
    try:
        with open_now(file) as opened:
            return _SIGNATURE in opened.read(_HEAD)
    except OSError:
        return False  # which the reading of photos explains


def _pdf_pages(named: NamedPages) -> Iterator[PagePicture]:
    file = named.file
    library = _pdfium(file)
    data = read_given(file, LARGEST_BYTES, "pdf", "PDF that is read")
    try:
        document = library.PdfDocument(data)
    except library.PdfiumError as error:
        raise _damaged(file) from error
    try:
        if not len(document):
            raise _damaged(file)
        for number in _numbers(named, len(document)):
            name = f"{file}{_NUMBER_SIGN}{number}" if len(document) > 1 else str(file)
            yield PagePicture(name, _rendered(library, document, number - 1, file))
    finally:
        document.close()


def _numbers(named: NamedPages, count: int) -> Sequence[int]:
    """Of the pages that are meant, from 1."""
    if named.number is None:
        return range(1, count + 1)
    if not 1 <= named.number <= count:
        message = f"{named.file} has no page {named.number}: it has {count}"
        raise wrong_use("page", message, f"Write {named.file}{_NUMBER_SIGN}1, or the name alone.")
    return (named.number,)


def _rendered(library: Any, document: Any, number: int, file: Path) -> Photo:  # noqa: ANN401
    try:
        page = document[number]
        longer, shorter = max(page.get_size()), min(page.get_size())
        if longer > LONGEST_SHAPE * shorter:
            raise _damaged(file)
        picture = page.render(scale=PAGE_SIDE / longer, rev_byteorder=True, prefer_bgrx=False)
        pixels = picture.to_numpy()
    except library.PdfiumError as error:
        raise _damaged(file) from error
    colours = pixels if pixels.ndim == 3 else pixels[..., None].repeat(3, axis=2)
    return Photo(colours[..., :3].copy(), 1.0)


def _pdfium(file: Path) -> Any:  # noqa: ANN401 - it has no types
    """Loaded when a PDF is read, and not before."""
    try:
        import pypdfium2
    except ImportError as error:
        message = f"{file} is a PDF, and what reads these is not installed here"
        advice = "Install it: pip install pypdfium2; or give the pages as pictures."
        raise CommandError(
            Complaint("no_pdf_reader", message, advice, ExitCode.DEVICE_FAULT)
        ) from error
    return pypdfium2


def _damaged(file: Path) -> CommandError:
    message = f"{file} is a PDF that is damaged, empty or locked by a password"
    return unusable_file("pdf", message, "Scan or export it again, without a password.")
