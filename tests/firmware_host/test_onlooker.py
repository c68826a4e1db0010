"""Cubes that come to rest, as pages are shown them: which are read, and nothing of the letters."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware_host import rounds
from firmware_host.onlooker import PAUSE_S, RESTED_S, SIDE_PX, Cells, Onlooker
from firmware_host.rounds import Phase, Plan, RoundState
from firmware_host.simulation import simulate
from firmware_host.tray import NobodyLooksOn, Tray, Witnessed
from firmware_host.web.sessions import Role, Session
from firmware_host.web.stream import Hub
from firmware_host.web.views import Scene, state_view
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated.faults import Script, Scripted
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.rules import game
from vision import live
from vision.faces import FaceClassifier
from vision.flatness import FlatnessNet
from vision.live import CellState, Live, LiveReader

PATIENCE_S = 20.0
LEXICON = Lexicon.from_words("tiny", ["hey"])


@dataclass
class Slow:
    """A reader that is at a frame until it is let go on; it tells the brightness of what it saw."""

    seen: list[int]
    begun: threading.Semaphore
    go_on: threading.Semaphore

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:  # noqa: ARG002
        self.begun.release()
        assert self.go_on.acquire(timeout=PATIENCE_S)
        self.seen.append(int(frame[0, 0, 0]))
        return state


@pytest.fixture
def slow() -> Slow:
    return Slow([], threading.Semaphore(0), threading.Semaphore(0))


@contextmanager
def looking(slow: Slow) -> Iterator[tuple[Onlooker, queue.SimpleQueue[Cells]]]:
    told: queue.SimpleQueue[Cells] = queue.SimpleQueue()
    with closing(Onlooker(lambda: slow, told.put, pause=lambda _: None)) as onlooker:
        yield onlooker, told


def grey(level: int) -> Photo:
    return np.full((96, 128, 3), level, np.uint8)


def test_nobody_waits_for_it_and_only_the_newest_frame_is_looked_at(slow: Slow) -> None:
    with looking(slow) as (onlooker, told):
        onlooker.begin()
        onlooker.see(grey(1), 0.0)
        assert slow.begun.acquire(timeout=PATIENCE_S)
        for level in (2, 3, 4):  # it is at the first all the while
            onlooker.see(grey(level), float(level))
        slow.go_on.release(2)
        assert [told.get(timeout=PATIENCE_S) for _ in range(3)] == [(), (), ()]
    assert slow.seen == [1, 4]


def test_what_was_seen_before_the_cubes_moved_anew_is_not_told(slow: Slow) -> None:
    with looking(slow) as (onlooker, told):
        onlooker.begin()
        onlooker.see(grey(1), 0.0)
        assert slow.begun.acquire(timeout=PATIENCE_S)
        onlooker.begin()
        onlooker.see(grey(2), 1.0)
        slow.go_on.release(2)
        assert [told.get(timeout=PATIENCE_S) for _ in range(3)] == [(), (), ()]  # two of `begin`
        assert slow.seen == [1, 2]
        assert told.empty()


def test_after_each_look_it_rests_as_long_as_that_took_at_least(slow: Slow) -> None:
    pauses: queue.SimpleQueue[float] = queue.SimpleQueue()
    with closing(Onlooker(lambda: slow, lambda _: None, pause=pauses.put)) as onlooker:
        onlooker.begin()
        onlooker.see(grey(1), 0.0)
        slow.go_on.release()
        assert pauses.get(timeout=PATIENCE_S) >= PAUSE_S


def test_the_last_frame_is_looked_at_until_its_cubes_are_read() -> None:
    """The service takes no more of them once the cubes lie still: then it reads the photo."""
    told: queue.SimpleQueue[Cells] = queue.SimpleQueue()
    cell = CellState(np.zeros((12, 12), np.float32), 0.0)
    read = replace(cell, shown=cell.latest, looks=(np.zeros(2),))
    track: Any = SimpleNamespace(cols=2)

    class OneMore:
        """Reads a cell with each look."""

        def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:  # noqa: ARG002
            before = sum(one.is_shown for one in state.cells) if state.cells else -1
            cells = tuple(read if at <= before else cell for at in range(4))
            return Live(track=track, cells=cells, rest_since=now - RESTED_S)

    with closing(Onlooker(OneMore, told.put, pause=lambda _: None)) as onlooker:
        onlooker.begin()
        onlooker.see(grey(1), 0.0)
        counts = [count(told.get(timeout=PATIENCE_S)) for _ in range(6)]
    assert counts == [0, 0, 1, 2, 3, 4]
    assert told.empty()


def test_cells_are_told_while_all_cubes_rest_and_taken_back_when_they_move() -> None:
    """A single frame of cubes that tumble looks as if it could be read, too."""
    told: queue.SimpleQueue[Cells] = queue.SimpleQueue()
    cell = CellState(np.zeros((12, 12), np.float32), 0.0)
    read = replace(cell, shown=cell.latest, looks=(np.zeros(2),))
    track: Any = SimpleNamespace(cols=2)
    rests = (0.0, 1.0, 0.0, 1.0)
    phases = (live.Phase.MOVING, live.Phase.MOVING, live.Phase.MOVING, live.Phase.HAND)

    class Tumbling:
        """Has read all cells of each frame, which tells what the tray is doing."""

        def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:  # noqa: ARG002
            at = frame[0, 0, 0]
            since = now - rests[at]
            return Live(phase=phases[at], track=track, cells=(read,) * 4, rest_since=since)

    with closing(Onlooker(Tumbling, told.put, pause=lambda _: None)) as onlooker:
        watched = InStep(onlooker, told)
        watched.begin()
        for number in range(len(phases)):
            watched.see(grey(number), float(number))
    assert [count(cells) for cells in watched.all] == [0, 4, 0, 0]


class InStep:
    """An onlooker of a tray that is waited for: with a made up clock all would be over at once."""

    def __init__(self, onlooker: Onlooker, told: queue.SimpleQueue[Cells]) -> None:
        self._onlooker, self._told = onlooker, told
        self.all: list[Cells] = []

    def begin(self) -> None:
        self._onlooker.begin()
        self._told.get(timeout=PATIENCE_S)

    def see(self, frame: Photo, now: float) -> None:
        self._onlooker.see(frame, now)
        self.all.append(self._told.get(timeout=PATIENCE_S))


def watched_shake(folder: Path, seed: int, *faults: str) -> list[Cells]:
    """What is told while the cubes of a simulated tray come to rest, or are awaited in vain."""
    script = Script([Scripted.parse(fault) for fault in faults])
    cubes, clock = cube_set("new_4x4"), ManualClock()
    simulation = simulate(cubes, seed, clock, folder, LEXICON, script=script)
    told: queue.SimpleQueue[Cells] = queue.SimpleQueue()

    def load() -> LiveReader:
        return LiveReader(FaceClassifier.single(), FlatnessNet.load(), cubes)

    with closing(Onlooker(load, told.put, pause=lambda _: None)) as onlooker:
        watched = InStep(onlooker, told)
        tray: Tray = replace(simulation.tray, onlooker=watched)
        for effect in (rounds.Light(on=True), rounds.Shake(1.0)):
            tray.perform(effect)
        wanted = rounds.StillMoving() if faults else rounds.Settled()
        assert tray.perform(rounds.AwaitRest()) == wanted
    return watched.all


def count(cells: Cells) -> int:
    return sum(map(sum, cells))


def test_the_cubes_of_a_simulated_tray_are_seen_to_be_read_once_they_rest(tmp_path: Path) -> None:
    counts = [count(cells) for cells in watched_shake(tmp_path, seed=3)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 16)
    assert counts[-2] == 16  # before the service knows that they rest


def test_while_a_cube_spins_none_counts_as_read(tmp_path: Path) -> None:
    counts = [count(cells) for cells in watched_shake(tmp_path, 3, "cube-spins")]
    assert counts[-1] == 0
    assert sum(number > 0 for number in counts) <= 2  # frames that look by chance like those before


def test_a_frame_is_looked_at_small(slow: Slow) -> None:
    shapes: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()

    class Measuring(Slow):
        def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:  # noqa: ARG002
            shapes.put(frame.shape)
            return state

    measuring = Measuring(slow.seen, slow.begun, slow.go_on)
    with looking(measuring) as (onlooker, _):
        onlooker.begin()
        onlooker.see(np.zeros((1500, 2000, 3), np.uint8), 0.0)
        assert shapes.get(timeout=PATIENCE_S) == (480, SIDE_PX, 3)


SOME = ((True, False), (False, False))


def scene(hub: Hub) -> Scene:
    return Scene(
        state=hub.state,
        seq=hub.seq,
        at=0.0,
        number=1,
        online=(),
        table="t",
        join_url="",
        code="",
        simulated=True,
        lexicon=LEXICON,
        next_lexicon="tiny",
        size=(2, 2),
        glimpse=hub.glimpse,
        recovered=hub.recovered,
    )


def cells_of(hub: Hub) -> object:
    viewer = Session(Role.PLAYER, "ada", float("inf"))
    return state_view(scene(hub), viewer).round.cells_read


@pytest.fixture
def hub() -> Hub:
    return Hub(RoundState(Plan(game("boggle"), (), timer_s=60.0), Phase.SETTLING))


def test_what_is_read_so_far_is_told_while_cubes_settle_and_no_event_of_the_round(hub: Hub) -> None:
    hub.glimpsed(SOME)
    assert (hub.seq, cells_of(hub)) == (0, [[True, False], [False, False]])
    hub.watch(replace(hub.state, phase=Phase.READING), rounds.Settled())
    assert cells_of(hub) == [[True, False], [False, False]]  # until the photo tells for good


def test_nothing_is_told_to_be_read_while_a_device_that_failed_is_waited_for(hub: Hub) -> None:
    hub.glimpsed(SOME)
    failed = replace(hub.state, failures=1, trouble=("camera: dark", "Look at the lamp."))
    hub.watch(failed, rounds.DeviceFailed("camera: dark", "Look at the lamp.", 0.0, 2.0))
    assert cells_of(hub) == [[False, False], [False, False]]


def test_a_camera_that_is_back_is_at_fault_no_longer_though_the_cubes_move_on(hub: Hub) -> None:
    failure = rounds.DeviceFailed("camera: dark", "Look at the lamp.", 0.0, 2.0)
    failed = replace(hub.state, failures=1, trouble=("camera: dark", "Look at the lamp."))
    hub.watch(failed, failure)
    frames = Witnessed(NobodyLooksOn(), lambda: hub.works("camera"))
    assert not hub.recovered
    frames.see(np.zeros((2, 2, 3), np.uint8), 1.0)
    hub.glimpsed(SOME)
    assert (hub.recovered, cells_of(hub)) == (True, [[True, False], [False, False]])
    hub.watch(replace(failed, failures=2), failure)
    assert not hub.recovered
    hub.works("shaker")
    assert not hub.recovered


def test_of_another_shake_nothing_is_left(hub: Hub) -> None:
    hub.glimpsed(SOME)
    hub.watch(replace(hub.state, phase=Phase.SHAKING), rounds.ButtonPressed(0.0))
    hub.glimpsed(SOME)  # a look that was late
    hub.watch(replace(hub.state, phase=Phase.SETTLING), rounds.ShakeDone())
    assert cells_of(hub) == [[False, False], [False, False]]


def test_a_tray_of_another_size_in_view_is_not_this_one(hub: Hub) -> None:
    hub.glimpsed(((True, True, True),) * 3)
    assert cells_of(hub) == [[False, False], [False, False]]
