"""Readings and rounds that the tests of this room share."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from firmware_host.rounds import (
    ButtonPressed,
    Event,
    Plan,
    RoundState,
    Settled,
    ShakeDone,
    TrayRead,
    step,
)
from scoring.board import Board, Cell
from scoring.rules import game
from vision.reading import FaceReading, TrayReading

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")


def make_reading(board: Board = BOARD, doubtful: Collection[Cell] = ()) -> TrayReading:
    """A reading of ``board``, sure but for some cells."""
    cells = tuple(
        tuple(
            FaceReading(
                face,
                confidence=0.6 if (row, col) in doubtful else 0.999,
                turn=0.0,
                alternatives=((face, 0.6), ("#", 0.3)),
                doubtful=(row, col) in doubtful,
            )
            for col, face in enumerate(faces)
        )
        for row, faces in enumerate(board.faces)
    )
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    return TrayReading(cells, corners, edition=None)


@pytest.fixture(scope="session")
def reading() -> Callable[..., TrayReading]:
    """Makes readings."""
    return make_reading


@pytest.fixture
def plan() -> Plan:
    """Two players, a whole minute."""
    return Plan(game("boggle"), ("red", "blue"), timer_s=60.0)


def after(state: RoundState, *events: Event) -> RoundState:
    """The state after these events."""
    for event in events:
        state, _ = step(state, event)
    return state


@pytest.fixture
def ready(plan: Plan) -> RoundState:
    """A round whose board was read without a doubt."""
    photo = TrayRead(make_reading(), Path("photo.jpg"))
    return after(RoundState(plan), ButtonPressed(0.0), ShakeDone(), Settled(), photo)
