"""Boards of cubes, of print and of numbers: what speaks for which."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.evidence import may_show_cubes, shows_cubes
from vision.reading import FaceReading

LETTERS = "RATEGUKLFDBWPCJM"
WIDE, NARROW = 0.3, 0.12
ANY_TURNS = 90.0 * np.random.default_rng(1).integers(4, size=16)
ODD_TURNS = np.asarray(np.random.default_rng(7).uniform(0, 360, 16), np.float64)
UPRIGHT = np.asarray(np.random.default_rng(1).normal(0, 4, 16), np.float64)


def cells(faces: str = LETTERS, doubtful: int = 0) -> list[FaceReading]:
    """Readings, the last ones doubtful."""
    sure = len(faces) - doubtful
    return [
        FaceReading(face, 0.99 if place < sure else 0.5, 0.0, (), doubtful=place >= sure)
        for place, face in enumerate(faces)
    ]


@pytest.mark.parametrize("gaps", [0.0, NARROW, WIDE])
def test_letters_at_many_turns_are_cubes_whatever_lies_between_them(gaps: float) -> None:
    assert shows_cubes(cells(), ANY_TURNS, gaps)
    assert shows_cubes(cells(doubtful=5), ANY_TURNS, gaps)


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0, 355.0])
def test_letters_all_one_way_up_are_cubes_where_there_are_gaps(turn: float) -> None:
    turns = (UPRIGHT + turn) % 360
    assert shows_cubes(cells(), turns, WIDE)
    assert not shows_cubes(cells(), turns, NARROW)
    assert not shows_cubes(cells(), turns, 0.0)


def test_keys_are_letters_one_way_up_and_signs_that_are_none() -> None:
    assert not shows_cubes(cells(doubtful=5), UPRIGHT, WIDE)
    assert shows_cubes(cells(doubtful=2), UPRIGHT, WIDE)


def test_digits_are_letters_upright_and_upside_down_and_signs_that_are_none() -> None:
    turns = np.asarray(UPRIGHT + 180 * (np.arange(16) % 2), np.float64)
    assert not shows_cubes(cells(doubtful=5), turns, WIDE)
    assert shows_cubes(cells(doubtful=2), turns, NARROW)


def test_too_few_letters_that_tell_their_turn_prove_nothing() -> None:
    assert shows_cubes(cells("OXHISZNRAO" + "#OXHIS"), UPRIGHT, 0.0)


@pytest.mark.parametrize(("doubtful", "taken"), [(7, True), (8, False), (16, False)])
def test_a_board_most_of_which_is_unsure_at_odd_turns_is_none(
    doubtful: int,
    taken: bool,  # noqa: FBT001
) -> None:
    assert shows_cubes(cells(doubtful=doubtful), ODD_TURNS, WIDE) == taken


@pytest.mark.parametrize("doubtful", [8, 16])
@pytest.mark.parametrize("seed", range(5))
def test_unsure_letters_at_quarter_turns_are_thrown_cubes(doubtful: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = np.asarray(90.0 * rng.integers(4, size=16) + rng.normal(0, 6, 16), np.float64)
    assert shows_cubes(cells(doubtful=doubtful), turns, WIDE)


@pytest.mark.parametrize("axis", [0.0, 90.0])
def test_unsure_letters_upright_or_upside_down_are_no_thrown_cubes(axis: float) -> None:
    turns = np.asarray(UPRIGHT + axis + 180 * (np.arange(16) % 2), np.float64)
    assert not shows_cubes(cells(doubtful=9), turns, WIDE)


def test_unsure_cubes_without_holes_must_lie_straight() -> None:
    straight = 90.0 * np.arange(16)
    askew = straight + 14 * np.sqrt(2) * np.sin(np.arange(16))
    assert shows_cubes(cells(doubtful=9), straight, NARROW)
    assert shows_cubes(cells(doubtful=9), askew, WIDE)
    assert not shows_cubes(cells(doubtful=9), askew, NARROW)


def test_letters_that_look_alike_at_every_turn_speak_for_nothing() -> None:
    assert not shows_cubes(cells("OX#OX" * 3 + "R", doubtful=9), ANY_TURNS, WIDE)


def test_missing_cubes_are_no_doubts() -> None:
    faces = [*cells(LETTERS[:12], doubtful=5), *cells("____", doubtful=4)]
    assert shows_cubes(faces, ANY_TURNS, WIDE)


@pytest.mark.parametrize(
    ("missing", "turns", "taken"),
    [
        (4, UPRIGHT, True),
        (5, UPRIGHT, False),
        (5, ODD_TURNS, False),
        (7, 90.0 * np.arange(16), True),
        (9, 90.0 * np.arange(16), False),
        (16, 90.0 * np.arange(16), False),
    ],
)
def test_a_board_with_many_empty_cells_is_none_unless_a_hand_lies_over_thrown_cubes(
    missing: int,
    turns: NDArray[np.float64],
    taken: bool,  # noqa: FBT001
) -> None:
    faces = [*cells(LETTERS[missing:]), *cells("_" * missing, doubtful=missing)]
    assert shows_cubes(faces, turns, WIDE) == taken


def test_one_sign_on_most_cells_is_an_ornament() -> None:
    assert not shows_cubes(cells("O" * 10 + LETTERS[:6]), ANY_TURNS, WIDE)
    assert shows_cubes(cells("E" * 6 + LETTERS[:10]), ANY_TURNS, WIDE)


def turned(by: NDArray[np.float64]) -> bool:
    return shows_cubes(cells(), UPRIGHT + by, 0.0)


def test_a_few_letters_at_another_turn_are_enough() -> None:
    by = np.zeros(16)
    assert not turned(by)
    by[[0, 3]] = 90.0
    assert turned(by)


@pytest.mark.parametrize(("sureness", "worth"), [(0.95, True), (0.85, False)])
def test_a_first_look_is_worth_a_second_unless_most_of_it_is_quite_unsure(
    sureness: float, *, worth: bool
) -> None:
    rest = (1 - sureness) / (len(LETTERS) - 1)
    looks = np.log(np.eye(len(LETTERS)) * (sureness - rest) + rest)
    assert may_show_cubes(looks, LETTERS, ODD_TURNS, WIDE) == worth
