"""What the desk sees of each table, at a moment: a read model of its own. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from firmware_host.rounds import Phase, RoundState
from firmware_host.station.folding import Fold
from firmware_host.station.wire import Skew, TrayState


@dataclass(frozen=True)
class TableMonitor:
    """A tray and its table.

    Attributes:
        tray: its name.
        online: whether it is connected; None where it never was.
        simulated: it is no real tray.
        phase: of its round; empty where nothing is known of it.
        round: of the tournament; None where what is played does not count for it.
        board: of the round; the same.
        table: the same.
        players: who sits there.
        left_s: seconds left; None where no sand runs or stands.
        doubtful: cells of the tray that nobody has settled, row and column.
        doubtful_words: words on paper that nobody has settled.
        fault: what has stopped the round and what to do; empty where nothing has.
        trouble: why its results do not come, or are not taken; empty where they do.
        skew: of its clock; None where it is not known.
        behind: entries of its log that it has told of and that are not here; None where it never
            told.
        taken: its result is in the tournament.
        order: what was ordered last, with what became of it; empty where nothing was.
        seq: number of its last entry here.
    """

    tray: str
    online: bool | None = None
    simulated: bool = False
    phase: str = ""
    round: int | None = None
    board: int | None = None
    table: int | None = None
    players: tuple[str, ...] = ()
    left_s: float | None = None
    doubtful: tuple[tuple[int, int], ...] = ()
    doubtful_words: int = 0
    fault: str = ""
    trouble: str = ""
    skew: Skew | None = None
    behind: int | None = None
    taken: bool = False
    order: str = ""
    seq: int = 0

    @property
    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        skew = self.skew
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "players": list(self.players),
            "left_s": None if self.left_s is None else round(self.left_s, 1),
            "doubtful": [list(cell) for cell in self.doubtful],
            "skew_s": None if skew is None else round(skew.offset_s, 4),
            "skew_error_s": None if skew is None else round(skew.error_s, 4),
        }


_PLAIN = (
    "tray", "online", "simulated", "phase", "round", "board", "table", "doubtful_words", "fault",
    "trouble", "behind", "taken", "order", "seq",
)  # fmt: skip


def with_state(monitor: TableMonitor, told: TrayState) -> TableMonitor:
    """With what a tray says of its connection."""
    return replace(
        monitor,
        simulated=told.simulated,
        skew=told.skew,
        behind=max(0, told.last - monitor.seq),
    )


def with_fold(monitor: TableMonitor, fold: Fold, now: float) -> TableMonitor:
    """With how its round stands.

    Args:
        monitor: of before.
        fold: the last round of the tray.
        now: by the clock of the tray.
    """
    behind = monitor.behind
    seen = replace(
        monitor,
        seq=fold.seq,
        behind=None if behind is None else max(0, monitor.seq + behind - fold.seq),
    )
    return seen if fold.state is None else _with_round(seen, fold.state, now)


def _with_round(monitor: TableMonitor, state: RoundState, now: float) -> TableMonitor:
    assigned = state.assigned or state.coming
    return replace(
        monitor,
        phase=str(state.phase),
        round=assigned.round if assigned else None,
        board=assigned.board if assigned else None,
        table=assigned.table if assigned else None,
        players=state.players,
        left_s=state.left(now),
        doubtful=state.unconfirmed if state.phase is Phase.CONFIRMING else (),
        doubtful_words=len(state.scanned.open),
        fault=" ".join(state.fault or ()),
    )
