"""Rounds on a simulated tray with faults by chance: each ends, is safe, and loses no event."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from firmware_host.photos import PhotoFolder
from firmware_host.play import play_round
from firmware_host.rounds import (
    ENDED,
    ButtonPressed,
    CellConfirmed,
    DeviceFailed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    RoundState,
    Tick,
    WordWritten,
)
from firmware_host.store.codec import encoded
from firmware_host.store.errors import StorageError
from firmware_host.store.log import Log, Setup, open_log
from firmware_host.store.place import Place
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.devices import DeviceError, Photo
from hardware.simulated import Faces, Script, Scripted, SimulatedDevices, simulated_devices
from hardware.simulated.faults import FAULTS
from scoring.board import Board, Cell
from scoring.lexicon import Lexicon
from scoring.rules import game
from scoring.wordlist import parse_word_list
from vision.errors import NoTrayError
from vision.reading import FaceReading, TrayReading

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe", "rehs"])
PLAN = Plan(game("boggle"), ("red", "blue"), 20.0)
SETUP = Setup(PLAN, "campaign", simulated=True, cubes="new_4x4", lexicon="tiny")
MOST_EVENTS = 500
"""In a round; one with more would never end."""


def picture(number: int, corner: int) -> Photo:
    """Something with edges, so that motion shows; its corner tells how the cubes lie."""
    rng = np.random.default_rng(number)
    blocks = rng.integers(60, 200, (6, 8, 1)) * np.ones((1, 1, 3))
    blocks[0, 0] = corner
    return np.kron(blocks, np.ones((16, 16, 1))).astype(np.uint8)


def render(_faces: Faces, number: int) -> Photo:
    return picture(number, 100)


def render_cocked(_faces: Faces, number: int) -> Photo:
    return picture(number, 250)


def read(photo: Photo) -> TrayReading:
    """All cells, one of them doubtful in every other photo; nothing in the dark."""
    if photo.mean() < 50:
        raise NoTrayError("no tray was found", "Look whether the lamp is lit.")
    doubt = int(photo.sum()) % 2 == 0
    cells = tuple(
        tuple(
            FaceReading(face, 0.99, 0.0, ((face, 0.99),), doubtful=doubt and (row, col) == (1, 1))
            for col, face in enumerate(faces)
        )
        for row, faces in enumerate(BOARD.faces)
    )
    return TrayReading(cells, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), None)


def judge(photo: Photo, _reading: TrayReading) -> tuple[Cell, ...]:
    return ((0, 0),) if photo[8, 8].mean() > 230 else ()


class People:
    """They do what the tray asks for, and note how often something happened."""

    def __init__(self, clock: ManualClock, devices: SimulatedDevices) -> None:
        self.events: list[Event] = []
        self._clock = clock
        self._devices = devices

    def watch(self, state: RoundState, event: Event) -> None:
        self.events.append(event)
        assert len(self.events) < MOST_EVENTS, f"it never ends: {state.phase}"
        if state.phase is Phase.FAULTED:
            assert state.fault is not None
            assert all(state.fault)

    def next_event(self, state: RoundState) -> Event:
        self._clock.sleep(1.0)
        at = self._clock.monotonic()
        match state.phase:
            case Phase.CONFIRMING:
                return CellConfirmed(state.unconfirmed[0], BOARD[state.unconfirmed[0]])
            case Phase.RUNNING if state.drafts:
                return Tick(at)
            case Phase.RUNNING:
                return WordWritten("red", "hey", at)
            case Phase.COLLECTING:
                return ListHandedIn(state.awaited[0], parse_word_list("hey\ntoe"))
        return ButtonPressed(at)

    def meanwhile(self, _state: RoundState) -> None:
        pass


def script(rng: random.Random) -> Script:
    names = rng.sample(sorted(FAULTS), rng.randrange(1, 4))
    times = [None, 1, 1, 2, 3, 8]
    return Script(Scripted(name, rng.randrange(1, 12), rng.choice(times)) for name in names)


def make_devices(clock: ManualClock, seed: int, faults: Script) -> SimulatedDevices:
    return simulated_devices(
        lambda: BOARD.faces, render, clock, seed=seed, script=faults, render_cocked=render_cocked
    )


def played(log: Log, seed: int) -> str:
    """Play a round with faults and prove what came of it; gives how it ended."""
    rng, clock = random.Random(seed), ManualClock(1e9)
    faults = script(rng)
    if faults.tells("pins-busy") and Script(faults.faults).due("pins-busy"):
        with pytest.raises(DeviceError):
            make_devices(clock, seed, faults)
        return "not opened"
    devices = make_devices(clock, seed, faults)
    tray = Tray(devices, clock, read, PhotoFolder(log.place.data / "pictures"), LEXICON, judge)
    people = People(clock, devices)
    with log.begin(SETUP) as recorder:
        state = play_round(PLAN, tray, people, recorder)
    assert_safe(devices)
    assert_kept(log, recorder.number, state)
    if any(isinstance(event, DeviceFailed) for event in people.events):
        return f"{state.phase} after a failure"
    return str(state.phase)


def assert_safe(devices: SimulatedDevices) -> None:
    assert not devices.lamp.lit
    assert devices.sand_timer.left is None
    with pytest.raises(DeviceError):
        devices.shaker.nudge()


def assert_kept(log: Log, number: int, state: RoundState) -> None:
    kept = log.round(number).state
    assert kept.phase is state.phase
    assert kept.fault == state.fault
    assert (kept.board, kept.drafts, kept.lists) == (state.board, state.drafts, state.lists)
    assert (kept.result and encoded(kept.result)) == (state.result and encoded(state.result))
    assert (state.phase is Phase.FINISHED) == (kept.result is not None)


def test_a_round_on_a_full_disk_stops_safely_and_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    def tray() -> tuple[Tray, SimulatedDevices, People]:
        clock = ManualClock(1e9)
        devices = make_devices(clock, 3, Script())
        photos = PhotoFolder(tmp_path / "pictures")
        return Tray(devices, clock, read, photos, LEXICON), devices, People(clock, devices)

    with open_log(Place(tmp_path / "data")) as log:
        owner, devices, people = tray()
        log._writer.exec_driver_sql("PRAGMA max_page_count=5")
        log._writer.rollback()
        with (
            pytest.raises(StorageError, match="full"),
            log.begin(SETUP) as recorder,
        ):
            play_round(PLAN, owner, people, recorder)
        assert_safe(devices)
        assert log.round(1).state.phase not in ENDED
        log._writer.exec_driver_sql("PRAGMA max_page_count=10000")
        log._writer.rollback()
        owner, _, people = tray()
        with log.go_on(1) as (kept, recorder):
            state = play_round(PLAN, owner, people, recorder, kept.state)
        assert state.phase is Phase.FINISHED
        assert log.round(1).state.restarts == 1


@pytest.mark.parametrize(
    ("rounds", "seed"), [(40, 1), pytest.param(2000, 1000, marks=pytest.mark.slow)]
)
def test_rounds_with_faults_end_in_a_result_or_a_named_fault(
    tmp_path: Path, rounds: int, seed: int
) -> None:
    with open_log(Place(tmp_path / "data")) as log:
        ends = Counter(played(log, seed + number) for number in range(rounds))
    assert ends["finished"] > 0
    assert ends["finished after a failure"] > 0
    assert ends["faulted after a failure"] > 0
    assert set(ends) <= {
        "finished",
        "finished after a failure",
        "faulted",
        "faulted after a failure",
        "not opened",
    }
