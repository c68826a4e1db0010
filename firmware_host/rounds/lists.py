"""Lists as they are written: lines with their ids, and what becomes of one that comes twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from firmware_host.paper_entries import entries_of
from firmware_host.rounds.events import (
    CellConfirmed,
    CellCorrected,
    ChallengeJudged,
    ExtraTime,
    ListScanned,
    ListsClosed,
    Ruling,
    ScanSettled,
    WordRuled,
    WordWritten,
)
from scoring.wordlist import Entry, parse_word_list
from vision.paper.reading import WordReading

Decision = (
    WordRuled
    | ScanSettled
    | CellConfirmed
    | CellCorrected
    | ExtraTime
    | ListsClosed
    | ChallengeJudged
)
"""What somebody decided, and may be taken back."""

MOST_LINES = 1000
"""Lines of a player in a round, those that were taken back among them."""


@dataclass(frozen=True)
class Line:
    """A line of a player's list.

    Attributes:
        text: as it was written.
        id: of the word; empty where it has none.
        at: when it was written, time of the clock.
        late: it came after the writing was over.
        erased: it was taken back.
    """

    text: str
    id: str = ""
    at: float = 0.0
    late: bool = False
    erased: bool = False


def with_word(lines: Sequence[Line], event: WordWritten, *, late: bool) -> tuple[Line, ...]:
    """A list with a word behind it; the same where its id came before, or the list is full."""
    known = event.id and any(line.id == event.id for line in lines)
    if known or not event.text.strip() or len(lines) >= MOST_LINES:
        return tuple(lines)
    at = event.at if event.written_at is None else min(event.at, event.written_at)
    return (*lines, Line(event.text, event.id, at, late))


def without_word(lines: Sequence[Line], id_: str) -> tuple[Line, ...]:
    """A list without the word of an id, which stays known: it may come once more."""
    return tuple(replace(line, erased=True) if line.id == id_ else line for line in lines)


def texts_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """The lines that stand."""
    return tuple(line.text for line in lines if not line.erased)


def typed_entries(lines: Sequence[Line]) -> tuple[Entry, ...]:
    """The lines that stand, for the referee."""
    return parse_word_list("\n".join(texts_of(lines)))


@dataclass(frozen=True)
class Calls:
    """Words that a referee has decided about, small letters."""

    challenged: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, decisions: Iterable[Decision]) -> Calls:
        """Of decisions; of several about a word the last one holds."""
        last = {one.word: one.ruling for one in decisions if isinstance(one, WordRuled)}

        def ruled(ruling: Ruling) -> frozenset[str]:
            return frozenset(word for word, held in last.items() if held is ruling)

        return cls(ruled(Ruling.CHALLENGED), ruled(Ruling.STRUCK), ruled(Ruling.ALLOWED))


@dataclass(frozen=True)
class Scans:
    """Photographed lists of a round, with what people said of their words.

    Attributes:
        taken: the lists, in the order in which they came.
        settled: by number of list and word what was said last.
    """

    taken: tuple[ListScanned, ...] = ()
    settled: Mapping[tuple[int, int], ScanSettled] = field(
        default_factory=lambda: MappingProxyType({})
    )

    @classmethod
    def of(cls, taken: tuple[ListScanned, ...], decisions: Iterable[Decision]) -> Scans:
        """Lists with the decisions of a round."""
        said = {(one.scan, one.word): one for one in decisions if isinstance(one, ScanSettled)}
        return cls(taken, MappingProxyType(said))

    def has(self, scan: int, word: int) -> bool:
        """Whether there is such a word."""
        return 0 <= scan < len(self.taken) and 0 <= word < len(self.taken[scan].words)

    @property
    def open(self) -> tuple[tuple[int, int], ...]:
        """The doubtful words that nobody has settled, by number of list and word."""
        return tuple(
            (scan, place)
            for scan, one in enumerate(self.taken)
            for place, word in enumerate(one.words)
            if word.doubtful and (scan, place) not in self.settled
        )

    def words_of(self, player: str) -> Iterator[WordReading]:
        """A player's words with what was said of them."""
        for scan, one in enumerate(self.taken):
            if one.player == player:
                for place, word in enumerate(one.words):
                    yield _said(word, self.settled.get((scan, place)))


def _said(word: WordReading, settled: ScanSettled | None) -> WordReading:
    if settled is None:
        return word
    text = settled.text.upper()
    return replace(word, text=text, struck=settled.struck, confidence=1.0, doubtful=False)


def with_scans(
    lists: Mapping[str, tuple[Entry, ...]], scans: Scans
) -> Mapping[str, tuple[Entry, ...]]:
    """Lists for the referee: what was handed in, then what was photographed, numbered through.

    A photographed list may be of somebody whose list was not awaited, as of a table on paper.
    """
    names = dict.fromkeys((*lists, *(one.player for one in scans.taken)))
    return MappingProxyType(
        {name: _followed(lists.get(name, ()), entries_of(scans.words_of(name))) for name in names}
    )


def _followed(entries: tuple[Entry, ...], more: tuple[Entry, ...]) -> tuple[Entry, ...]:
    last = entries[-1].line_number if entries else 0
    return (*entries, *(replace(one, line_number=one.line_number + last) for one in more))
