"""When a reading is given while a tray is watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware_host.frames import Frame
from firmware_host.live import PATIENCE_S, Sight, Watcher
from scoring.board import Cell
from vision.live import LOOKS, CellState, Live, Phase
from vision.reading import FaceReading, TrayReading

FRAME_S = 0.5
COPY = np.zeros((12, 12), np.float32)


@dataclass(frozen=True)
class Shown:
    """What a scripted frame shows."""

    phase: Phase
    letters: str = ""
    doubtful: tuple[Cell, ...] = ()
    throw: int = 0  # a motion since makes another

    @property
    def settled(self) -> bool:
        return self.phase in {Phase.STILL, Phase.COCKED, Phase.FLAT}


MOVING = Shown(Phase.MOVING)
SEEKING = Shown(Phase.SEEKING)


class Script:
    """A reader that knows what each frame shows by its first pixel."""

    def __init__(self, shown: Sequence[Shown]) -> None:
        self.shown = shown
        self.asked = 0
        self._now_shown = SEEKING

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        before, self._now_shown = self._now_shown, self.shown[int(frame[0, 0, 0])]
        if not self._now_shown.settled:
            return Live(self._now_shown.phase)
        began = state.rest_since if before == self._now_shown and state.cells else now
        look = np.zeros(3)
        cell = CellState(COPY, began, COPY, (look,) * LOOKS, (0.0,) * LOOKS, looked=began)
        return Live(self._now_shown.phase, cells=(cell,), rest_since=began)

    def reading(self, state: Live) -> TrayReading | None:  # noqa: ARG002 - as scripted
        self.asked += 1
        shown = self._now_shown
        if not shown.letters:
            return None
        cells = tuple(
            FaceReading(face, 0.99, 0.0, ((face, 0.99),), (0, col) in shown.doubtful)
            for col, face in enumerate(shown.letters)
        )
        return TrayReading((cells,), ((0.0, 0.0),) * 4, None)


def watch(*shown: Shown, start: float = 7.0) -> list[Sight]:
    """All that is seen, and what is at the end."""
    frames: Iterator[Frame] = (
        Frame(np.full((1, 1, 3), number, np.uint8), start + FRAME_S * number)
        for number in range(len(shown))
    )
    watcher = Watcher(Script(shown))
    sights = list(watcher.watch(frames))
    given = [sight.reading for sight in sights if sight.reading is not None]
    return [*sights, watcher.at_end(sights[-1], given[-1] if given else None)]


def readings(*shown: Shown, start: float = 7.0) -> list[tuple[float, str]]:
    return [
        (sight.seconds, "".join(sight.reading.board))
        for sight in watch(*shown, start=start)
        if sight.reading is not None
    ]


FLAT = Shown(Phase.FLAT, "ABC")


def test_a_flat_tray_is_given_at_once_and_once() -> None:
    assert readings(SEEKING, MOVING, FLAT, FLAT, FLAT) == [(1.0, "ABC")]


def test_one_not_seen_to_be_flat_is_given_after_a_while() -> None:
    still = Shown(Phase.STILL, "ABC")
    ((seconds, _),) = readings(*[still] * 6)
    assert seconds == PATIENCE_S


def test_nothing_is_given_while_the_tray_moves() -> None:
    assert readings(MOVING, Shown(Phase.HAND, ""), MOVING) == []


def test_the_same_board_after_a_hand_is_not_given_again() -> None:
    assert readings(FLAT, Shown(Phase.HAND, "ABC"), FLAT) == [(0.0, "ABC")]


def test_a_new_throw_is_given() -> None:
    assert readings(FLAT, MOVING, Shown(Phase.FLAT, "XYZ")) == [(0.0, "ABC"), (1.0, "XYZ")]


def test_a_cube_set_flat_gives_a_reading_without_the_doubt() -> None:
    cocked = Shown(Phase.COCKED, "ABC", ((0, 1),))
    sights = watch(cocked, MOVING, FLAT)
    assert [sight.reading.doubtful for sight in sights if sight.reading] == [((0, 1),), ()]


def test_what_had_not_settled_at_the_end_is_given_last() -> None:
    assert readings(FLAT, Shown(Phase.MOVING, "XBC")) == [(0.0, "ABC"), (0.5, "XBC")]
    assert readings(FLAT, Shown(Phase.MOVING, "ABC", ((0, 0),))) == [(0.0, "ABC")]


@pytest.mark.parametrize("start", [0.0, 7.0, -3.0])
def test_seconds_count_from_the_first_frame(start: float) -> None:
    given = readings(SEEKING, FLAT, Shown(Phase.MOVING, "XBC"), start=start)
    assert given == [(0.5, "ABC"), (1.0, "XBC")]


def test_at_rest_a_new_doubt_at_the_end_is_given_on_the_way_there_it_is_not() -> None:
    assert len(readings(FLAT, Shown(Phase.STILL, "ABC", ((0, 0),)))) == 2
    assert len(readings(FLAT, Shown(Phase.HAND, "ABC", ((0, 0),)))) == 1


def test_no_frames_give_nothing() -> None:
    assert list(Watcher(Script([FLAT])).watch([])) == []


def test_a_reading_is_made_once_for_each_rest() -> None:
    script = Script([FLAT])
    frames = [Frame(np.zeros((1, 1, 3), np.uint8), float(now)) for now in range(20)]
    list(Watcher(script).watch(frames))
    assert script.asked == 1
