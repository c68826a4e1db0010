"""The shakes of the rounds in the log: every one that was read, also of rounds given up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from firmware_host.errors import nothing_found
from firmware_host.fairness import Shake, reasons
from firmware_host.rounds import CellConfirmed, RoundState, ShakeDone, TrayRead, step
from firmware_host.store.log import KeptRound, Log
from scoring.board import Cell, Face

BY_HAND = "cubes laid by hand"
MADE_UP = "a simulated tray"
REAL = "a real tray"


@dataclass(frozen=True)
class Recorded:
    """What the rounds of a log say of the shaker.

    Attributes:
        shakes: in the order in which they were made.
        rounds: that they are of.
        left_out: shakes that say nothing of it, by reason.
    """

    shakes: tuple[Shake, ...]
    rounds: int
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Seen:
    """The last reading after a shake, and what people said of it."""

    event: TrayRead
    by_hand: bool
    confirmed: Mapping[Cell, Face] = field(default_factory=dict)

    def shake(self, cubes: str) -> Shake:
        reading = self.event.reading
        asked = {*reading.doubtful, *self.event.cocked} - self.confirmed.keys()
        faces = tuple(
            self.confirmed.get((row, col), cell.face)
            for row, cells in enumerate(reading.cells)
            for col, cell in enumerate(cells)
        )
        quarters = tuple(turn for row in reading.quarters for turn in row)
        return Shake(faces, quarters, cubes, len(reading.cells), len(asked), named=True)


def shakes_of_log(log: Log, since: float = 0.0, *, simulated: bool = False) -> Recorded:
    """The shakes of the rounds of a log.

    Args:
        log: open.
        since: seconds since 1970 at which a round must have begun, at least.
        simulated: take those of simulated trays; else those of real ones. They are never mixed.

    Raises:
        CommandError: there is no shake of this kind.
        StorageError: the log cannot be read.
    """
    numbers = [summary.number for summary in log.rounds() if summary.began >= since]
    recorded = _gathered((log.round(number) for number in numbers), simulated=simulated)
    if not recorded.shakes:
        raise _none_found(recorded, since, simulated=simulated)
    return recorded


def _gathered(rounds: Iterable[KeptRound], *, simulated: bool) -> Recorded:
    shakes, count, left_out = list[Shake](), 0, Counter[str]()
    for kept in rounds:
        seen = tuple(_seen(kept))
        if kept.setup.simulated != simulated:
            left_out[MADE_UP if kept.setup.simulated else REAL] += len(seen)
            continue
        count += 1
        left_out[BY_HAND] += sum(one.by_hand for one in seen)
        shakes += [one.shake(kept.setup.cubes) for one in seen if not one.by_hand]
    return Recorded(tuple(shakes), count, +left_out)


def _seen(kept: KeptRound) -> Iterator[_Seen]:
    """What was read after each shake; a nudge or another photo replaces what was read before."""
    state, last = RoundState(kept.setup.plan), None
    for _, event in kept.events:
        before, state = state, step(state, event)[0]
        match event:
            case ShakeDone():
                if last is not None:
                    yield last
                last = None
            case TrayRead():
                last = _Seen(event, by_hand=before.hands > 0)
            case CellConfirmed() if last is not None:
                last = _Seen(last.event, last.by_hand, state.confirmed)
    if last is not None:
        yield last


def _none_found(recorded: Recorded, since: float, *, simulated: bool) -> Exception:
    wanted, other = (MADE_UP, REAL) if simulated else (REAL, MADE_UP)
    message = f"the log has no shake of {wanted} that was read{' since then' if since else ''}"
    if recorded.left_out:
        message += f"; left out: {reasons(recorded.left_out)}"
    advice = "Play some rounds, or give a file that `wordtray read PHOTO… --json` printed."
    if recorded.left_out[other]:
        advice = f"For those: wordtray fairness{'' if simulated else ' --simulated'}"
    return nothing_found("no_rounds", message, advice)
