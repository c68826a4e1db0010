"""The faces confirm, shift, grow or turn down what location found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.confirm import ScoredTray, confirm
from vision.faces import FaceScores
from vision.locate import LocatedTray

CELL = 60
LABELS = ("A", "#", "_")


class ByBrightness:
    """Light crops show an A, less light ones perhaps one, grey ones a blank face, dark nothing."""

    labels = LABELS

    def classify(
        self,
        crops: NDArray[np.uint8],
        *,
        both_ways: bool = True,  # noqa: ARG002 - brightness has no up
    ) -> FaceScores:
        middles = crops[:, 16:32, 16:32].mean(axis=(1, 2, 3))
        kinds = np.vstack([np.eye(3) * 0.97 + 0.01, [[0.6, 0.3, 0.1]]])
        kind = np.array([2, 1, 3, 0])[np.digitize(middles, [80, 160, 185])]
        return FaceScores(np.log(kinds[kind]), np.ones(len(crops), complex))

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        return self.classify(crops).log_probabilities


def photo_of(side: int, margin: int = 3) -> NDArray[np.uint8]:
    """A board of light cells with dark cells around it."""
    cells = np.full((side, side), 200, np.uint8)
    grid = np.pad(cells, margin, constant_values=30)
    picture = np.kron(grid, np.ones((CELL, CELL), np.uint8))
    return np.repeat(picture[..., None], 3, axis=2)


def tray_at(row: int, col: int, side: int) -> LocatedTray:
    homography = np.array([[CELL, 0, col * CELL], [0, CELL, row * CELL], [0, 0, 1.0]])
    return LocatedTray(homography, side, side, 0.9)


@pytest.mark.parametrize("side", [3, 4, 5, 6])
def test_a_right_window_stays(side: int) -> None:
    confirmed = confirm(photo_of(side), tray_at(3, 3, side), ByBrightness())
    assert confirmed is not None
    assert confirmed.tray.corners == tray_at(3, 3, side).corners
    assert confirmed.log_probabilities.shape == (side**2, len(LABELS))
    assert confirmed.letters > 0.9


@pytest.mark.parametrize(
    ("row", "col", "side"),
    [(3, 3, 4), (4, 4, 4), (5, 5, 4), (4, 3, 5), (2, 3, 6), (3, 4, 6), (4, 4, 3)],
)
def test_a_truncated_or_shifted_window_becomes_the_whole_board(
    row: int, col: int, side: int
) -> None:
    confirmed = confirm(photo_of(6), tray_at(row, col, side), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 6).corners)


def test_a_window_larger_than_the_board_shrinks() -> None:
    confirmed = confirm(photo_of(4), tray_at(2, 2, 6), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 4).corners)


def test_missing_cubes_do_not_move_the_window() -> None:
    photo = darkened(photo_of(4), [(3, 3), (6, 6), (4, 5)])
    confirmed = confirm(photo, tray_at(3, 3, 4), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 4).corners)


@pytest.mark.parametrize(("rows", "cols"), [(4, 10), (7, 7), (4, 6)])
def test_letters_that_go_on_beyond_every_window_are_no_tray(rows: int, cols: int) -> None:
    cells = np.pad(np.full((rows, cols), 200, np.uint8), 3, constant_values=30)
    photo = np.repeat(np.kron(cells, np.ones((CELL, CELL), np.uint8))[..., None], 3, axis=2)
    for side in (3, 4, 5, 6):
        confirmed = confirm(photo, tray_at(3, 3, side), ByBrightness())
        assert confirmed is None


def darkened(photo: NDArray[np.uint8], cells: Sequence[tuple[int, int]]) -> NDArray[np.uint8]:
    for row, col in cells:
        photo[row * CELL : (row + 1) * CELL, col * CELL : (col + 1) * CELL] = 30
    return photo


@pytest.mark.parametrize("located", [4, 5])
def test_a_board_is_whole_where_a_hand_hides_most_of_an_edge(located: int) -> None:
    photo = darkened(photo_of(5), [(7, 4), (7, 5), (7, 6)])
    confirmed = confirm(photo, tray_at(3, 3, located), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 5).corners)
    assert not confirmed.may_go_on


def test_no_board_shrinks_to_nine_cubes() -> None:
    photo = darkened(photo_of(4), [(6, 4), (6, 5), (6, 6), (4, 6), (3, 6)])
    confirmed = confirm(photo, tray_at(3, 3, 4), ByBrightness())
    assert confirmed is not None
    assert confirmed.tray.rows == 4


def test_some_letters_beyond_an_edge_are_told() -> None:
    photo = photo_of(5)
    photo[2 * CELL : 3 * CELL, 3 * CELL : 5 * CELL] = 200
    confirmed = confirm(photo, tray_at(3, 3, 5), ByBrightness())
    assert confirmed is not None
    assert confirmed.may_go_on
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 5).corners)


@pytest.mark.parametrize("side", [4, 5, 6])
def test_a_window_with_an_edge_that_shows_no_letter_is_asked_about(side: int) -> None:
    """A hand may lie over it: which one it is, nobody can tell."""
    photo = photo_of(side)
    photo[:, (2 + side) * CELL :] = 30
    confirmed = confirm(photo, tray_at(3, 3, side), ByBrightness())
    assert confirmed is not None
    assert (confirmed.tray.rows, confirmed.may_go_on) == (side, True)


def test_a_window_with_two_edges_that_show_no_letter_is_no_tray() -> None:
    photo = photo_of(5)
    photo[:, 7 * CELL :] = photo[7 * CELL :] = 30
    confirmed = confirm(photo, tray_at(3, 3, 5), ByBrightness())
    assert confirmed is None or confirmed.tray.rows == 4


@pytest.mark.parametrize(("row", "col"), [(2, 6), (6, 6), (6, 2)])
def test_a_window_partly_off_its_board_is_led_onto_it(row: int, col: int) -> None:
    """Letters go on beyond every square that is seen at first."""
    confirmed = confirm(photo_of(6), tray_at(row, col, 4), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 6).corners)
    assert not confirmed.may_go_on


def test_nine_plain_letters_are_no_board_where_a_larger_one_is_half_hidden() -> None:
    photo = darkened(photo_of(4), [(6, 3), (6, 4), (6, 5), (5, 6), (4, 6)])
    confirmed = confirm(photo, tray_at(3, 3, 3), ByBrightness())
    assert confirmed is not None
    assert np.allclose(confirmed.tray.corners, tray_at(3, 3, 4).corners)


@pytest.mark.parametrize("level", [30, 120])
def test_a_lattice_without_letters_is_no_tray(level: int) -> None:
    photo = np.full((800, 800, 3), level, np.uint8)
    assert confirm(photo, tray_at(3, 3, 4), ByBrightness()) is None


@pytest.mark.parametrize(
    ("beyond", "level", "told"),
    [
        ([(2, 3)], 200, True),
        ([(2, 3)], 170, False),
        ([(2, 3), (7, 6)], 170, False),
        ([(2, 3), (3, 2)], 170, True),
        ([(7, 4), (5, 7)], 170, True),
        ([(2, 2), (7, 7)], 200, False),
    ],
)
def test_a_plain_letter_beyond_an_edge_or_faint_ones_beyond_two_are_told(
    beyond: list[tuple[int, int]], level: int, *, told: bool
) -> None:
    """A hand over the rest of a row and of a column leaves a smaller board that looks whole."""
    photo = photo_of(4)
    for row, col in beyond:
        photo[row * CELL : (row + 1) * CELL, col * CELL : (col + 1) * CELL] = level
    confirmed = confirm(photo, tray_at(3, 3, 4), ByBrightness())
    assert confirmed is not None
    assert (confirmed.tray.rows, confirmed.may_go_on) == (4, told)


@dataclass(frozen=True)
class Counting(ByBrightness):
    """Keeps how many crops each look was at."""

    glances: list[int] = field(default_factory=list)
    closer: list[int] = field(default_factory=list)

    def classify(self, crops: NDArray[np.uint8], *, both_ways: bool = True) -> FaceScores:
        self.glances.append(len(crops))
        return super().classify(crops, both_ways=both_ways)

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        self.closer.append(len(crops))
        return super().look_closely(crops)


def test_what_shows_no_letters_at_two_glances_is_not_looked_at_again() -> None:
    seen = Counting()
    assert confirm(np.full((800, 800, 3), 120, np.uint8), tray_at(3, 3, 4), seen) is None
    assert sum(seen.glances) <= 2 * 16
    assert not seen.closer


def test_what_is_not_worth_a_second_look_gets_none() -> None:
    seen = Counting()
    firsts: list[ScoredTray] = []

    def refuse(first: ScoredTray) -> bool:
        firsts.append(first)
        return False

    assert confirm(photo_of(4), tray_at(3, 3, 4), seen, refuse) is None
    assert not seen.closer
    assert [first.letters > 0.9 for first in firsts] == [True]
    assert confirm(photo_of(4), tray_at(3, 3, 4), seen) is not None
    assert seen.closer
