"""Lists of a table on paper: whose each is, and its lines for the referee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.cli.boards import PICTURE_SUFFIXES
from firmware_host.cli.output import Output, shown
from firmware_host.errors import wrong_use
from firmware_host.pages import PDF_SUFFIX, NamedPages, is_pdf, named_pages, pages_in
from firmware_host.paper import PaperReader, ScannedList
from firmware_host.paper_entries import entries_of
from firmware_host.writing import ReadBy, Writing

if TYPE_CHECKING:
    from scoring.wordlist import Entry
    from vision.paper.reading import WordListReading

PAPER_SUFFIXES = PICTURE_SUFFIXES | {PDF_SUFFIX}


@dataclass(frozen=True)
class Given:
    """An argument ``NAME=FILE``, or ``FILE`` where the paper tells the name.

    Attributes:
        name: of the player, or None.
        file: of the list.
    """

    name: str | None
    file: Path

    @property
    def on_paper(self) -> bool:
        """Whether it is a picture or a PDF, by its name or by what it holds."""
        file = named_pages(self.file).file
        return file.suffix.lower() in PAPER_SUFFIXES or is_pdf(file)


def parse_given(text: str, form: str) -> Given:
    """The argument of ``--list``.

    Raises:
        CommandError: it is not of that form; typed lists need a name.
    """
    name, equals, file = text.partition("=")
    if equals and name.strip() and file:
        return Given(name.strip(), Path(file))
    whole = Given(None, Path(text))
    if equals or not whole.on_paper:
        raise wrong_use("list", f"{text!r} names no player and file", f"Write {form}.")
    return whole


@dataclass(frozen=True)
class Named:
    """A list on paper with its player.

    Attributes:
        name: of the player.
        scanned: the list.
    """

    name: str
    scanned: ScannedList


def read_given(
    given: Given, reader: PaperReader, round_name: str | None, output: Output
) -> list[Named]:
    """The lists of a file on paper, of one player or of several.

    Raises:
        CommandError, VisionError: it cannot be read, or it is not known whose they are.
    """
    found: list[ScannedList] = []
    for page in pages_in(given.file):
        with output.log.status(f"Reading {shown(page.name)}"):
            found += reader.read(page, round_name)
    tell_reader(found, reader, output)
    if given.name is not None:
        _tell_others(given.name, given.file, found, output)
    return [Named(_name_of(given, scanned, output), scanned) for scanned in found]


def tell_reader(lists: Sequence[ScannedList], reader: PaperReader, output: Output) -> None:
    """Say which pages Tesseract has read though nobody asked for it."""
    if reader.writing is Writing.PRINTED:
        return
    for page in dict.fromkeys(one.page for one in lists if one.read_by is ReadBy.TESSERACT):
        output.log.print(
            f"{shown(page)} looks printed, and what reads handwriting is not installed: Tesseract "
            "has read it."
        )


def _tell_others(name: str, file: Path, found: Sequence[ScannedList], output: Output) -> None:
    """Say where sheets name somebody else; those of several players cannot all be one's.

    Raises:
        CommandError: they are of several players.
    """
    signed = [(one.page, one.reading.player) for one in found if one.reading.player]
    told = sorted({player for _, player in signed})
    if len(told) > 1:
        message = f"{file} shows lists of {' and '.join(told)}, not of {name} alone"
        raise wrong_use("list", message, f"Leave the name out: {file}")
    for page, player in signed:
        if player.casefold() != name.casefold():
            output.log.print(f"{shown(page)} is signed {shown(player)}: counted for {shown(name)}.")


def check_given_once(lists: Sequence[Given]) -> None:
    """See that no page is given twice: its words would be two players', or one's twice.

    Raises:
        CommandError: one is.
    """
    seen: list[NamedPages] = []
    for pages in (named_pages(one.file) for one in lists if one.on_paper):
        if any(pages.overlaps(other) for other in seen):
            message = f"{pages.file} is given twice"
            advice = "Give each page once; of a PDF each player's own, as NAME=lists.pdf#2."
            raise wrong_use("list", message, advice)
        seen.append(pages)


def _name_of(given: Given, scanned: ScannedList, output: Output) -> str:
    name = given.name or scanned.reading.player
    if name is None:
        message = f"whose list {scanned.page} is, it does not tell"
        raise wrong_use("list", message, f"Name the player: NAME={scanned.page}")
    if not scanned.reading.words:
        output.log.print(f"[yellow]{shown(name)}:[/] nothing is written on {shown(scanned.page)}.")
    for row in scanned.reading.lost:
        output.log.print(f"[yellow]{shown(name)}:[/] row {row} of the sheet could not be seen.")
    return name


def check_sheets(lists: Sequence[Named]) -> None:
    """See that no sheet is there twice; those that are not signed cannot be told apart.

    Raises:
        CommandError: one is: its words would be repeated.
    """
    seen: set[tuple[str, str, int]] = set()
    for one in lists:
        label = one.scanned.sheet
        if label is None or not label.player:
            continue
        sheet = (one.name, label.player, label.number)
        if sheet in seen:
            message = f"there are two pictures of sheet {label.number} of {label.player}"
            raise wrong_use("list", message, "Give each sheet once.")
        seen.add(sheet)


def check_one_round(lists: Sequence[Named]) -> None:
    """See that printed sheets are of one round; those that tell none pass.

    Raises:
        CommandError: they are of several: one board cannot be that of all.
    """
    rounds: dict[str, str] = {}
    for one in lists:
        if (told := one.scanned.reading.round) is not None:
            rounds.setdefault(told.casefold(), f"of {one.name} is of round {told!r}")
    if len(rounds) > 1:
        first, second, *_ = rounds.values()
        message = f"the sheet {first}, that {second}"
        advice = "Score each round by itself; with --round those of another are refused."
        raise wrong_use("wrong_round", message, advice)


def tell_joined(lists: Sequence[Named], output: Output) -> None:
    """Say whose lists are taken together, and which sheets of a player are not there.

    Args:
        lists: as of `in_order`.
        output: is told.
    """
    for name in dict.fromkeys(one.name for one in lists):
        own = [one.scanned for one in lists if one.name == name]
        if len(own) > 1:
            pages = " and ".join(_page_of(one) for one in own)
            output.log.print(f"{shown(name)}: {shown(pages)} are one list.")
        labels = [one.sheet for one in own if one.sheet is not None and one.sheet.player]
        numbers = range(1, max((label.of for label in labels), default=0) + 1)
        missing = [str(each) for each in numbers if each not in {it.number for it in labels}]
        if missing:
            output.log.print(
                f"[yellow]{shown(name)}:[/] sheet {' and '.join(missing)} of {len(numbers)} is not "
                "among the pages."
            )


def _page_of(scanned: ScannedList) -> str:
    """How a page is named: by its sheet too, where it tells one."""
    label = scanned.sheet
    told = f" (sheet {label.number} of {label.of})" if label is not None and label.player else ""
    return f"{scanned.page}{told}"


def in_order(lists: Sequence[Named]) -> list[Named]:
    """The lists with the sheets of each player in their order; players as they come."""
    players = [*dict.fromkeys(one.name for one in lists)]

    def place(one: Named) -> tuple[int, int]:
        sheet = one.scanned.sheet
        return players.index(one.name), sheet.number if sheet else 0

    return sorted(lists, key=place)


def entries_by_name(
    names: Sequence[str], lists: Sequence[WordListReading]
) -> Mapping[str, tuple[Entry, ...]]:
    """The lines of each player: the words of all lists of a name one after the other."""
    words = {
        name: [
            word
            for owner, one in zip(names, lists, strict=True)
            if owner == name
            for word in one.words
        ]
        for name in dict.fromkeys(names)
    }
    return {name: entries_of(written) for name, written in words.items()}
