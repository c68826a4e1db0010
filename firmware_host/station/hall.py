"""All trays as the station sees them: folded from their entries, with what else they say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from firmware_host.rounds import ENDED, RoundState
from firmware_host.station.folding import Fold, TableResult, folded, result_of
from firmware_host.station.monitor import TableMonitor, with_fold, with_state
from firmware_host.station.wire import ONLINE, TrayState
from firmware_host.store.chain import Entry
from firmware_host.store.errors import StorageError

Kept = Callable[[str, int], Sequence[Entry]]
"""The entries of a round of a tray, as of `firmware_host.station.base.Base.entries`."""

Spot = tuple[str, int]
"""A tray, and a round of its log."""


@dataclass
class _Table:
    """A tray: its last round, what is shown of it, and which of its rounds was taken last."""

    monitor: TableMonitor
    fold: Fold
    told: TrayState | None = None
    taken: int | None = None


class Hall:
    """Knows how all trays stand.

    Args:
        kept: entries that came before.
    """

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._tables: dict[str, _Table] = {}
        self._keys: dict[str, str] = {}

    def load(self, spots: Sequence[Spot]) -> dict[Spot, Fold]:
        """Fold rounds that were kept before, as at a start; the last of a tray is its round."""
        return {spot: fold for spot in spots if (fold := self._refolded(*spot)) is not None}

    def take(self, tray: str, entries: Sequence[Entry]) -> dict[Spot, Fold]:
        """Fold new entries of a tray, already kept; gives the rounds that they changed."""
        changed: dict[Spot, Fold] = {}
        for number in dict.fromkeys(entry.round for entry in entries):
            fold = self._continued(tray, [e for e in entries if e.round == number])
            if fold is not None:
                changed[tray, number] = fold
        return changed

    def _continued(self, tray: str, entries: Sequence[Entry]) -> Fold | None:
        table, number = self._table(tray), entries[0].round
        if number < table.fold.round:  # a correction of an earlier round
            return self._refolded(tray, number)
        fold = table.fold if table.fold.round == number else Fold.before(number)
        return self._folding(tray, lambda: _after(fold, entries))

    def _refolded(self, tray: str, number: int) -> Fold | None:
        return self._folding(tray, lambda: folded(number, self._kept(tray, number)))

    def _folding(self, tray: str, fold: Callable[[], Fold]) -> Fold | None:
        """A fold, or trouble told where it has an event that this version does not know."""
        table = self._table(tray)
        try:
            done = fold()
        except StorageError as error:
            self.trouble(tray, f"{error}. {error.advice}")
            return None
        if done.round >= table.fold.round:
            table.fold = done
        self._note_keys(done.state)
        return done

    def _note_keys(self, state: RoundState | None) -> None:
        assigned = (state.assigned or state.coming) if state else None
        if state is None or assigned is None:
            return
        key_of = {seat.player: seat.key for seat in state.seats if seat.key}
        self._keys |= {s.id: key_of[s.player] for s in assigned.seats if s.player in key_of}

    @property
    def keys(self) -> Mapping[str, str]:
        """Of phones, by id of the player: who moves to another table is known there, too."""
        return self._keys

    @property
    def folds(self) -> Mapping[str, Fold]:
        """The last round of each tray."""
        return {tray: table.fold for tray, table in self._tables.items()}

    def present(self, tray: str, payload: bytes) -> None:
        """A tray has come, or is gone."""
        self._change(tray, online=payload == ONLINE)

    def told(self, tray: str, state: TrayState) -> None:
        """A tray says how its connection stands."""
        table = self._table(tray)
        table.told = state
        table.monitor = with_state(table.monitor, state)

    def ordered(self, tray: str, text: str) -> None:
        """What was ordered last, and what became of it."""
        self._change(tray, order=text)

    def trouble(self, tray: str, why: str) -> None:
        """Why results of a tray do not come; empty where they do."""
        self._change(tray, trouble=why)

    def taken(self, spot: Spot) -> None:
        """The result of a round is in the tournament."""
        tray, number = spot
        table = self._table(tray)
        if table.fold.round == number:
            table.taken = number
            self._change(tray, trouble="")

    def monitors(self, now: float) -> list[TableMonitor]:
        """How all tables stand.

        Args:
            now: by the clock of the station.
        """
        return [self._seen(table, now) for _, table in sorted(self._tables.items())]

    def _seen(self, table: _Table, now: float) -> TableMonitor:
        skew = table.told.skew if table.told else None
        local = now - (skew.offset_s if skew else 0.0)
        table.monitor = with_fold(table.monitor, table.fold, local)
        finished = result_of(table.fold.state) is not None
        return replace(
            table.monitor,
            taken=finished and table.taken == table.fold.round,
            trouble=(table.told.trouble if table.told else "") or table.monitor.trouble,
        )

    def _change(self, tray: str, **changes: object) -> None:
        table = self._table(tray)
        table.monitor = replace(table.monitor, **changes)  # type: ignore[arg-type]

    def _table(self, tray: str) -> _Table:
        return self._tables.setdefault(tray, _Table(TableMonitor(tray), Fold.before(0)))


def _after(fold: Fold, entries: Sequence[Entry]) -> Fold:
    for entry in entries:
        fold = fold.after(entry)
    return fold


def has_ended(fold: Fold) -> bool:
    """Whether nothing more is to come of a round, but for corrections."""
    return fold.state is not None and fold.state.phase in ENDED


def results(changed: Mapping[Spot, Fold]) -> dict[Spot, TableResult]:
    """The results among rounds that have changed."""
    found = {spot: result_of(fold.state) for spot, fold in changed.items()}
    return {spot: result for spot, result in found.items() if result is not None}
