"""The accuracy report: what is counted as exact, asked and silent, and what the alterations do."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.board import MISSING, Board
from vision.dice.reading import DiceReading, DieReading, Doubt
from vision.errors import NoTrayError
from vision.reading import FaceReading, TrayReading
from vision.training.report.alterations import ALTERATIONS, Shown, robbed, shrunk
from vision.training.report.alterations import turned as turned_photo
from vision.training.report.trials import (
    Outcome,
    ReadFace,
    Tally,
    Trial,
    asked_below,
    bins_of,
    quarter_turns,
    throw,
    trial,
    turned,
)

BOARD = Board.parse("ABC/DEF/GHI")
PHOTO = np.full((120, 160, 3), 200, np.uint8)
CORNERS = np.array([[30.0, 20.0], [120.0, 20.0], [120.0, 110.0], [30.0, 110.0]])
SHOWN = Shown(PHOTO, BOARD, CORNERS)


def reading(board: str, doubtful: str = "") -> TrayReading:
    """A reading of these faces, of which those are doubtful."""
    cells = tuple(
        tuple(FaceReading(face, 0.9, 0.0, (), doubtful=face in doubtful) for face in row)
        for row in Board.parse(board).faces
    )
    corner = (0.0, 0.0)
    return TrayReading(cells, (corner, corner, corner, corner), None)


@pytest.mark.parametrize(
    ("seen", "doubtful", "expected"),
    [
        ("ABC/DEF/GHI", "", (Outcome.EXACT, 0, 0, 0)),
        ("ABC/DEF/GHI", "A", (Outcome.EXACT, 0, 0, 1)),
        ("GDA/HEB/IFC", "", (Outcome.EXACT, 0, 0, 0)),
        ("ABC/DXF/GHI", "X", (Outcome.ASKED, 1, 0, 1)),
        ("ABC/DXF/GHY", "X", (Outcome.SILENT, 2, 1, 1)),
        ("AB/DE", "", (Outcome.SILENT, 9, 4, 0)),
        ("AB/DE", "ABDE", (Outcome.ASKED, 9, 0, 4)),
    ],
)
def test_a_reading_is_judged(
    seen: str, doubtful: str, expected: tuple[Outcome, int, int, int]
) -> None:
    found = trial(BOARD, lambda: reading(seen, doubtful))
    assert (found.outcome, found.wrong, found.silent, found.doubtful) == expected
    assert found.faces == 9


def test_a_photo_without_a_tray_is_refused() -> None:
    def see_none() -> TrayReading:
        raise NoTrayError("none", "Try again.")

    assert trial(BOARD, see_none).outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    ("seen", "doubtful", "expected"),
    [
        ((2, 5), False, (Outcome.EXACT, 0, 0)),
        ((2, 6), False, (Outcome.SILENT, 1, 1)),
        ((2, 6), True, (Outcome.ASKED, 1, 0)),
        ((2,), False, (Outcome.SILENT, 1, 1)),
        ((2, 5, 5), False, (Outcome.SILENT, 1, 1)),
    ],
)
def test_a_throw_is_judged(
    seen: tuple[int, ...], *, doubtful: bool, expected: tuple[Outcome, int, int]
) -> None:
    corner = (0.0, 0.0)
    doubts = (Doubt.UNLIKE,) if doubtful else ()
    dice = tuple(
        DieReading(pips, 0.9, corner, (corner, corner, corner, corner), doubts) for pips in seen
    )
    found = throw((2, 5), lambda: DiceReading(dice))
    assert (found.outcome, found.wrong, found.silent) == expected


def test_the_truth_is_turned_to_the_reading() -> None:
    turns = quarter_turns(BOARD, Board.parse("CFI/BEH/ADG"))
    assert turns is not None
    assert turned(BOARD, turns) == Board.parse("CFI/BEH/ADG")
    assert quarter_turns(BOARD, Board.parse("AB/DE")) is None


@pytest.mark.parametrize(
    ("seen", "doubtful", "expected"),
    [
        ("ABX/DEF/GHI", "X", (Outcome.EXACT, 0, 0)),
        ("ABX/DEF/GHI", "", (Outcome.SILENT, 1, 1)),
        ("XFI/BEH/ADG", "X", (Outcome.EXACT, 0, 0)),
        ("ABC/XEF/GHI", "X", (Outcome.ASKED, 1, 0)),
    ],
)
def test_what_nobody_can_tell_must_be_asked(
    seen: str, doubtful: str, expected: tuple[Outcome, int, int]
) -> None:
    untold = np.zeros((3, 3), np.bool_)
    untold[0, 2] = True
    found = trial(BOARD, lambda: reading(seen, doubtful), untold)
    assert (found.outcome, found.wrong, found.silent) == expected
    assert (found.untold, found.excused) == (1, int(expected[0] is Outcome.EXACT))


def test_a_tally_adds_up() -> None:
    tally = Tally([Trial(Outcome.EXACT, 9), Trial(Outcome.SILENT, 9, 2, 1, 3, seconds=0.5)])
    assert (tally.count(Outcome.EXACT), tally.count(Outcome.EXACT, Outcome.SILENT)) == (1, 2)
    assert (tally.faces, tally.silent, tally.doubtful) == (18, 1, 3)
    assert (tally.untold, tally.excused) == (0, 0)
    assert (tally.median_seconds, tally.most_seconds) == (0.25, 0.5)


def test_faces_are_counted_by_their_probability() -> None:
    faces = (
        ReadFace(0.2, right=False, doubtful=True),
        ReadFace(0.96, right=True, doubtful=True),
        ReadFace(0.975, right=False),
        ReadFace(0.999, right=True),
        ReadFace(0.999, right=False, doubtful=True),
    )
    trials = [Trial(Outcome.SILENT, 5, read=faces)]
    found = [(each.count, each.accuracy) for each in bins_of(trials)]
    assert found == [(1, 0), (2, 0.5), (2, 0.5)]
    assert asked_below(trials, 0.97) == (3, 1)
    assert asked_below(trials, 0.98) == (4, 0)


@pytest.mark.parametrize("name", ALTERATIONS)
def test_an_alteration_keeps_what_it_was_given_and_changes_the_photo(name: str) -> None:
    rng = np.random.default_rng(1)
    photo = rng.integers(0, 255, PHOTO.shape).astype(np.uint8)
    before = photo.copy()
    altered = ALTERATIONS[name](Shown(photo, BOARD, CORNERS))
    assert np.array_equal(photo, before)
    assert altered.photo.dtype == np.uint8
    assert altered.photo.shape != photo.shape or not np.array_equal(altered.photo, photo)


def test_corners_go_with_the_photo() -> None:
    middle = turned_photo(90)(SHOWN)
    assert middle.photo.shape == (160, 120, 3)
    assert np.allclose(middle.corners.mean(axis=0), [65, 85], atol=1)
    assert np.allclose(shrunk(0.5)(SHOWN).corners[1] - shrunk(0.5)(SHOWN).corners[0], [45, 0])


def test_cubes_that_are_taken_out_are_missing_in_the_truth() -> None:
    altered = robbed(2)(SHOWN)
    gone = [cell for cell in BOARD.cells if altered.board[cell] == MISSING]
    assert len(gone) == 2
    row, col = gone[0]
    assert altered.photo[20 + 30 * row + 15, 30 + 30 * col + 15].max() < 60
