"""A round of a tray, folded at the station from the entries of its log. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from firmware_host.rounds import (
    CellConfirmed,
    DecisionUndone,
    Phase,
    RoundState,
    Ruling,
    ScanSettled,
    TableAssigned,
    TrayRead,
    WordRuled,
    step,
)
from firmware_host.rounds.lists import with_scans
from firmware_host.station.details import open_details
from firmware_host.station.wire import Detail
from firmware_host.store.chain import Entry
from firmware_host.store.codec import Decoder, kind_of_type
from firmware_host.store.log import BEGUN, Setup

_DECODER = Decoder(Path())
_DIGEST = re.compile(r"\w+-([0-9a-f]{64})\.jpg")
_SETTLING = frozenset(map(kind_of_type, (CellConfirmed, ScanSettled)))
_REOPENING = frozenset(map(kind_of_type, (DecisionUndone, TrayRead)))


@dataclass(frozen=True)
class Fold:
    """A round of a tray so far.

    Attributes:
        round: its number in the log of the tray.
        seq: of the last entry.
        at: when that was recorded, by the clock of the tray.
        state: None as long as the beginning is not there.
        settled: doubtful details that were decided, and are not open again.
        again: how often a detail was open again after it had been decided.
    """

    round: int
    seq: int
    at: float
    state: RoundState | None
    settled: frozenset[Detail] = frozenset()
    again: Mapping[Detail, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def before(cls, round_: int) -> Fold:
        """Nothing of a round is there."""
        return cls(round_, 0, 0.0, None)

    def after(self, entry: Entry) -> Fold:
        """With one more entry of this round.

        Raises:
            StorageError: it is none that this version knows.
        """
        state = self._led_to(entry)
        led = replace(self, seq=entry.seq, at=entry.moment.at, state=state)
        if state is None or self.state is None:
            return led
        if entry.kind in _SETTLING:
            ended = {*open_details(self.state)} - {*open_details(state)}
            return replace(led, settled=self.settled | ended)
        return _reopened(led, state) if entry.kind in _REOPENING else led

    def _led_to(self, entry: Entry) -> RoundState | None:
        data = json.loads(entry.data)
        if entry.kind == BEGUN:
            setup: Setup = _DECODER.value(Setup, data)
            return setup.start
        if self.state is None:  # of a round that began before the tournament
            return None
        return step(self.state, _DECODER.event(entry.kind, data))[0]


def _reopened(fold: Fold, state: RoundState) -> Fold:
    """With what is open again counted, as the question is another one then."""
    anew = fold.settled.intersection(open_details(state))
    counts = {detail: fold.again.get(detail, 0) + 1 for detail in anew}
    again = MappingProxyType({**fold.again, **counts})
    return replace(fold, settled=fold.settled - anew, again=again)


def folded(round_: int, entries: Iterable[Entry]) -> Fold:
    """A round of which these are all entries.

    Raises:
        StorageError: one is none that this version knows.
    """
    fold = Fold.before(round_)
    for entry in entries:
        fold = fold.after(entry)
    return fold


@dataclass(frozen=True)
class TableResult:
    """What a table made of a board.

    Attributes:
        place: what it counts for, and whose seats these are.
        board: in the notation.
        photo: SHA-256 of the picture that it was read from; None where it was prescribed.
        lists: lines by id of the player, of all whose lists were read.
        unread: ids of those who sit there and whose lists nobody has read: they stayed on paper, or
            nobody came. Not the same as an empty list.
        photos: SHA-256 of photographed lists by id of the player.
        calls: words that the table's referee struck, or that were challenged, with which of it.
        allowed: words that the referee let count whatever the word list says.
        open: words on paper that nobody has settled.
    """

    place: TableAssigned
    board: str
    photo: str | None
    lists: dict[str, tuple[str, ...]]
    unread: tuple[str, ...]
    photos: dict[str, str]
    calls: tuple[tuple[str, Ruling], ...]
    allowed: tuple[str, ...]
    open: int


def result_of(state: RoundState | None) -> TableResult | None:
    """The result of a round, where it counts for a tournament and has come to its end."""
    if state is None or state.assigned is None or state.board is None:
        return None
    if state.phase is not Phase.FINISHED:
        return None
    rulings = {one.word: one.ruling for one in state.rulings if isinstance(one, WordRuled)}
    ids = {seat.player: seat.id for seat in state.assigned.seats}
    lists = with_scans(state.lists, state.scanned)  # what was crossed out does not stand there
    unread = unread_of(state)
    return TableResult(
        state.assigned,
        str(state.board),
        digest_of(state.photo),
        {
            id_: tuple(entry.text for entry in lists[name] if not entry.struck)
            for name, id_ in ids.items()
            if name not in unread
        },
        tuple(ids[name] for name in unread),
        {
            ids[one.player]: digest
            for one in state.scans
            if one.player in ids and (digest := digest_of(one.photo))
        },
        tuple((word, said) for word, said in rulings.items() if said is not Ruling.ALLOWED),
        tuple(word for word, said in rulings.items() if said is Ruling.ALLOWED),
        len(state.scanned.open),
    )


def unread_of(state: RoundState) -> tuple[str, ...]:
    """Who was seated by the station, and has no list: none typed, none photographed.

    The end of the writing makes empty lists of those who write on paper: they say nothing.
    """
    seated = [] if state.assigned is None else [seat.player for seat in state.assigned.seats]
    on_paper = {seat.player for seat in state.seats if seat.on_paper}
    photographed = {one.player for one in state.scans}
    return tuple(
        name
        for name in seated
        if name not in photographed
        and (name not in state.lists or (name in on_paper and not state.lists[name]))
    )


def digest_of(photo: Path | None) -> str | None:
    """SHA-256 of a photo by its name, where that tells it."""
    found = _DIGEST.fullmatch(photo.name) if photo else None
    return found[1] if found else None
