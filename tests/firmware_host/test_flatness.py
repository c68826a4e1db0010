"""Cubes that do not lie flat are seen in the photo that is read."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware_host.flatness import FlatnessJudge
from firmware_host.play import play_round
from firmware_host.reading import PhotoReader
from firmware_host.rounds import (
    ButtonPressed,
    CellConfirmed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    RoundState,
    Tick,
    TrayRead,
)
from firmware_host.simulation import COCKED_DEGREES, Simulation, simulate
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Script, Scripted
from scoring.board import Board, Cell
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.rules import game
from vision.flatness import FlatnessNet
from vision.render.cubes import Posture
from vision.render.tray import PhotoOptions, photograph, random_setting
from vision.render.typefaces import shipped_typefaces

CUBES = cube_set("new_4x4")
TRAYS = 5


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader.standard(CUBES.name)


@pytest.fixture(scope="module")
def judge() -> FlatnessJudge:
    return FlatnessJudge(FlatnessNet.load())


def photo_of(board: Board, seed: int, leaning: Cell | None) -> Photo:
    rng = np.random.default_rng(seed)
    scene = random_setting(board, rng, PhotoOptions(), shipped_typefaces())
    if leaning is not None:
        scene = replace(scene, postures={leaning: Posture(COCKED_DEGREES, 45.0)})
    return photograph(board, scene, rng).photo


def test_a_cube_that_leans_is_seen_and_flat_ones_are_left_alone(
    reader: PhotoReader, judge: FlatnessJudge
) -> None:
    found = alarms = 0
    for seed in range(TRAYS):
        board = CUBES.roll(random.Random(seed))
        flat, cocked = (photo_of(board, seed, leaning) for leaning in (None, (1, 2)))
        alarms += bool(judge(flat, reader.read(flat)))
        found += (1, 2) in judge(cocked, reader.read(cocked))
    assert found >= 0.6 * TRAYS
    assert alarms <= 0.2 * TRAYS


class People:
    """They do what is asked, and know what lies in the tray."""

    def __init__(self, tray: Simulation) -> None:
        self.events: list[Event] = []
        self.tray = tray

    def watch(self, _state: RoundState, event: Event) -> None:
        self.events.append(event)

    def next_event(self, state: RoundState) -> Event:
        self.tray.clock.sleep(2.0)
        at = self.tray.clock.monotonic()
        if state.phase is Phase.CONFIRMING:
            return CellConfirmed(state.unconfirmed[0], self.tray.board[state.unconfirmed[0]])
        if state.phase is Phase.RUNNING:
            return Tick(at)
        if state.phase is Phase.COLLECTING:
            return ListHandedIn(state.awaited[0], ())
        return ButtonPressed(at)

    def meanwhile(self, _state: RoundState) -> None:
        pass


def test_a_simulated_tray_with_a_cocked_cube_is_nudged_until_it_lies_flat(tmp_path: Path) -> None:
    lexicon = Lexicon.from_words("tiny", ["they"])
    script = Script([Scripted("cubes-cocked", times=1)])
    tray = simulate(CUBES, 5, ManualClock(), tmp_path, lexicon, script=script)
    people = People(tray)
    state = play_round(Plan(game("boggle"), ("red",), 5.0), tray.tray, people)
    assert state.phase is Phase.FINISHED
    assert state.board == tray.board
    looks = [bool(event.cocked) for event in people.events if isinstance(event, TrayRead)]
    assert looks == [True, False]
