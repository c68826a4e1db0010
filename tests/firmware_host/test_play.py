"""A round on simulated devices: the tray performs what the state machine asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from firmware_host.photos import PhotoFolder
from firmware_host.play import play_round
from firmware_host.rounds import (
    ButtonPressed,
    CellConfirmed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    RoundState,
    Tick,
)
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Faces, Fault, SimulatedDevices, simulated_devices
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.wordlist import parse_word_list
from vision.errors import NoTrayError
from vision.reading import TrayReading

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
Read = Callable[[Photo], TrayReading]


class Players:
    """People who know what lies in the tray."""

    def __init__(self, clock: ManualClock, lists: dict[str, str]) -> None:
        self.phases: list[Phase] = []
        self._clock = clock
        self._lists = lists

    def watch(self, state: RoundState, event: Event) -> None:
        assert event is not None
        self.phases.append(state.phase)

    def next_event(self, state: RoundState) -> Event:
        if state.phase is Phase.CONFIRMING:
            cell = state.unconfirmed[0]
            return CellConfirmed(cell, BOARD[cell])
        if state.phase is Phase.READY:
            return ButtonPressed(self._clock.monotonic())
        if state.phase is Phase.RUNNING:
            self._clock.sleep(1.0)
            return Tick(self._clock.monotonic())
        player = state.awaited[0]
        return ListHandedIn(player, parse_word_list(self._lists[player]))


def render(faces: Faces, number: int) -> Photo:
    """A picture with edges, so that motion shows; nobody reads it."""
    assert faces == BOARD.faces
    rng = np.random.default_rng(number)
    return np.kron(rng.integers(60, 255, (12, 16, 1)), np.ones((20, 20, 3))).astype(np.uint8)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def devices(clock: ManualClock) -> SimulatedDevices:
    return simulated_devices(lambda: BOARD.faces, render, clock)


@pytest.fixture
def play(
    clock: ManualClock, devices: SimulatedDevices, tmp_path: Path, plan: Plan
) -> Callable[[Read], tuple[RoundState, Players]]:
    """Plays a round with this way of reading."""
    lexicon = Lexicon.from_words("tiny", ["they", "hey", "toe", "rehs"])

    def run(read: Read) -> tuple[RoundState, Players]:
        tray = Tray(devices, clock, read, PhotoFolder(tmp_path), lexicon)
        players = Players(clock, {"red": "hey\ntoe", "blue": "toe\nzebra"})
        return play_round(plan, tray, players), players

    return run


Play = Callable[[Read], tuple[RoundState, Players]]
MakeReading = Callable[..., TrayReading]


def test_a_whole_round_is_played_and_scored(
    play: Play, reading: MakeReading, devices: SimulatedDevices
) -> None:
    state, _ = play(lambda _: reading())
    assert state.phase is Phase.FINISHED
    assert state.result is not None
    assert state.result.winners == ("red",)
    assert [player.points for player in state.result.players] == [1, 0]
    assert state.photo is not None
    assert state.photo.exists()
    assert not devices.lamp.lit


def test_doubtful_cells_are_confirmed_by_people(play: Play, reading: MakeReading) -> None:
    wrong = Board.parse("LETC/HQuPE/SEYH/TOER")
    state, players = play(lambda _: reading(wrong, doubtful=[(0, 0)]))
    assert Phase.CONFIRMING in players.phases
    assert state.board == BOARD


def test_a_photo_without_a_tray_is_tried_again_and_then_given_up(play: Play) -> None:
    def read(_: Photo) -> TrayReading:
        raise NoTrayError("no tray was found", "Look whether the lamp is lit.")

    state, players = play(read)
    assert state.phase is Phase.FAULTED
    assert state.fault is not None
    assert state.fault[1] == "Look whether the lamp is lit."
    assert players.phases.count(Phase.SHAKING) == 3


def test_an_open_lid_ends_the_round_with_a_fault(
    play: Play, reading: MakeReading, devices: SimulatedDevices
) -> None:
    devices.lid.open()
    state, players = play(lambda _: reading())
    assert state.phase is Phase.FAULTED
    assert state.fault is not None
    assert "lid" in state.fault[0]
    assert Phase.SETTLING not in players.phases


@pytest.mark.parametrize("device", ["camera", "shaker", "lamp", "sand_timer", "buzzer", "display"])
def test_any_failing_device_ends_the_round_with_a_fault(
    play: Play, reading: MakeReading, devices: SimulatedDevices, device: str
) -> None:
    getattr(devices, device).fail(Fault())
    state, _ = play(lambda _: reading())
    assert state.phase is Phase.FAULTED
    assert not devices.lamp.lit


def test_an_interruption_leaves_the_lamp_off(play: Play, devices: SimulatedDevices) -> None:
    def read(_: Photo) -> TrayReading:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(read)
    assert not devices.lamp.lit


def test_the_same_photo_is_stored_once(tmp_path: Path) -> None:
    folder = PhotoFolder(tmp_path / "new")
    photo = np.full((8, 8, 3), 200, np.uint8)
    assert folder.save(photo) == folder.save(photo)
    assert folder.save(photo) != folder.save(photo // 2)
