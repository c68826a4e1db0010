"""A round on simulated devices: the tray performs what the state machine asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from firmware_host.photos import PhotoFolder
from firmware_host.play import Recorder, perform, play_round
from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    DeviceFailed,
    Event,
    Light,
    ListHandedIn,
    Phase,
    Plan,
    RoundState,
    Sand,
    Settled,
    Show,
    Stop,
    Tick,
    TrayRead,
)
from firmware_host.tray import Judge, Tray, all_flat
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Call, Faces, Fault, SimulatedDevices, simulated_devices
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.wordlist import parse_word_list
from vision.errors import NoTrayError
from vision.reading import TrayReading

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe", "rehs"])
Read = Callable[[Photo], TrayReading]
Play = Callable[..., tuple["RoundState", "Players"]]


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
        if state.phase is Phase.LID_OPEN:
            return Cancelled()
        if state.phase is Phase.READY:
            return ButtonPressed(self._clock.monotonic())
        if state.phase is Phase.RUNNING:
            self._clock.sleep(1.0)
            return Tick(self._clock.monotonic())
        player = state.awaited[0]
        return ListHandedIn(player, parse_word_list(self._lists[player]))

    def meanwhile(self, _state: RoundState) -> None:
        pass


def render(faces: Faces, number: int) -> Photo:
    """A picture with edges, so that motion shows; nobody reads it."""
    assert faces == BOARD.faces
    rng = np.random.default_rng(number)
    return np.kron(rng.integers(60, 255, (12, 16, 1)), np.ones((20, 20, 3))).astype(np.uint8)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def calls() -> list[Call]:
    return []


@pytest.fixture
def happens() -> dict[str, Callable[[], None]]:
    """What happens at a call, by its action."""
    return {}


@pytest.fixture
def devices(
    clock: ManualClock, calls: list[Call], happens: dict[str, Callable[[], None]]
) -> SimulatedDevices:
    def hear(call: Call) -> None:
        calls.append(call)
        happens.get(call.action, lambda: None)()

    return simulated_devices(lambda: BOARD.faces, render, clock, hear)


@pytest.fixture
def play(clock: ManualClock, devices: SimulatedDevices, tmp_path: Path, plan: Plan) -> Play:
    """Plays a round with this way of reading."""

    def run(
        read: Read, judge: Judge = all_flat, recorder: Recorder | None = None
    ) -> tuple[RoundState, Players]:
        tray = Tray(devices, clock, read, PhotoFolder(tmp_path), LEXICON, judge)
        players = Players(clock, {"red": "hey\ntoe", "blue": "toe\nzebra"})
        return play_round(plan, tray, players, recorder), players

    return run


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


def read_nothing(_: Photo) -> TrayReading:
    raise NoTrayError("no tray was found", "Look whether the lamp is lit.")


def test_a_photo_without_a_tray_is_tried_again_and_then_given_up(play: Play) -> None:
    state, players = play(read_nothing)
    assert state.phase is Phase.FAULTED
    assert state.fault is not None
    assert state.fault[1] == "Look whether the lamp is lit."
    assert players.phases.count(Phase.SHAKING) == 3


def test_under_an_open_lid_nothing_moves_and_people_are_asked(
    play: Play, reading: MakeReading, devices: SimulatedDevices, calls: list[Call]
) -> None:
    devices.lid.open()
    state, players = play(lambda _: reading())
    assert state.phase is Phase.CANCELLED
    assert players.phases == [Phase.SHAKING, Phase.LID_OPEN, Phase.CANCELLED]
    assert "shake" not in [call.action for call in calls]


def test_a_lid_that_is_opened_during_the_shake_is_no_fault(
    play: Play,
    reading: MakeReading,
    devices: SimulatedDevices,
    happens: dict[str, Callable[[], None]],
    calls: list[Call],
) -> None:
    happens["shake"] = devices.lid.open
    state, players = play(lambda _: reading())
    assert players.phases == [Phase.SHAKING, Phase.LID_OPEN, Phase.CANCELLED]
    assert state.fault is None
    assert "stop" in [call.action for call in calls]


def test_a_camera_that_fails_for_a_while_is_waited_for(
    play: Play, reading: MakeReading, devices: SimulatedDevices, clock: ManualClock
) -> None:
    devices.camera.fail(Fault(times=3, retry_after_s=0.1))
    state, _ = play(lambda _: reading())
    assert state.phase is Phase.FINISHED
    assert clock.monotonic() > 2 + 4 + 8


def test_cocked_cubes_are_nudged_and_shaken_until_they_lie_flat(
    play: Play, reading: MakeReading, calls: list[Call]
) -> None:
    judged = iter([((0, 0),), ((0, 0),), ()])
    state, _ = play(lambda _: reading(), judge=lambda _photo, _reading: next(judged))
    assert state.phase is Phase.FINISHED
    moves = [call.action for call in calls if call.action in {"shake", "nudge"}]
    assert moves == ["shake", "nudge", "shake"]


def test_every_output_is_driven_off_even_where_one_fails(
    clock: ManualClock, devices: SimulatedDevices, tmp_path: Path
) -> None:
    tray = Tray(devices, clock, read_nothing, PhotoFolder(tmp_path), LEXICON)
    for effect in (Light(on=True), Sand(1.0)):
        tray.perform(effect)
    devices.lamp.fail(Fault())
    answers = list(perform(tray, (Stop("a test"), Show(("Fault",)))))
    assert [type(answer) for answer in answers] == [DeviceFailed]
    assert devices.shaker.latched == "a test"
    assert devices.sand_timer.left is None
    assert devices.display.lines == ("Fault",)


def test_what_cannot_be_kept_has_not_happened_and_the_outputs_are_off(
    play: Play, reading: MakeReading, devices: SimulatedDevices, calls: list[Call]
) -> None:
    kept: list[Event] = []

    class Full:
        def record(self, event: Event) -> None:
            if isinstance(event, TrayRead):
                raise OSError(28, "No space left on device")
            kept.append(event)

    with pytest.raises(OSError, match="No space"):
        play(lambda _: reading(), recorder=Full())
    assert kept[-1] == Settled()
    assert not devices.lamp.lit
    assert calls[-1].action == "close"


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
