"""The picture of a reading: badges in place, doubts in another colour, accents drawn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.annotate import DOUBT_COLOUR, LONG_SIDE, SURE_COLOUR, annotate
from vision.reading import FaceReading, TrayReading

CORNERS = ((100.0, 100.0), (700.0, 100.0), (700.0, 700.0), (100.0, 700.0))
PITCH = 150


def reading_of(faces: str, doubtful: set[tuple[int, int]] | None = None) -> TrayReading:
    rows = [row.split() for row in faces.split("/")]
    cells = tuple(
        tuple(
            FaceReading(face, 0.6, 0.0, ((face, 0.6),), (row, col) in (doubtful or set()))
            for col, face in enumerate(line)
        )
        for row, line in enumerate(rows)
    )
    return TrayReading(cells, CORNERS, None)


PLAIN = "A B C D/E F G H/I J K L/M N O P"


@pytest.fixture
def photo() -> NDArray[np.uint8]:
    return np.full((800, 800, 3), 128, np.uint8)


def share_of(colour: tuple[int, int, int], pixels: NDArray[np.uint8]) -> float:
    return float((np.abs(pixels.astype(int) - colour).max(axis=-1) < 12).mean())


def cell_of(picture: NDArray[np.uint8], row: int, col: int) -> NDArray[np.uint8]:
    top, left = 100 + PITCH * row, 100 + PITCH * col
    return picture[top : top + PITCH, left : left + PITCH]


def test_every_cell_gets_a_badge_and_the_photo_stays_untouched(photo: NDArray[np.uint8]) -> None:
    picture = annotate(photo, reading_of(PLAIN))
    assert (photo == 128).all()
    for row in range(4):
        for col in range(4):
            assert share_of(SURE_COLOUR, cell_of(picture, row, col)) > 0.03
            assert share_of(DOUBT_COLOUR, cell_of(picture, row, col)) == 0
    assert (picture[:80] == 128).all()


def test_only_doubtful_cells_are_ringed(photo: NDArray[np.uint8]) -> None:
    picture = annotate(photo, reading_of(PLAIN, {(1, 2)}))
    assert share_of(DOUBT_COLOUR, cell_of(picture, 1, 2)) > 0.08
    assert share_of(DOUBT_COLOUR, cell_of(picture, 3, 0)) == 0


def test_the_print_in_the_middle_of_a_cube_stays_visible(photo: NDArray[np.uint8]) -> None:
    picture = annotate(photo, reading_of(PLAIN, {(1, 2)}))
    assert (cell_of(picture, 1, 2)[40:90, 40:80] == 128).all()


@pytest.mark.parametrize(("face", "base"), [("Ñ", "N"), ("Ä", "A"), ("Ö", "O"), ("Č", "C")])
def test_an_accent_is_drawn_above_its_letter(
    photo: NDArray[np.uint8], face: str, base: str
) -> None:
    plain = annotate(photo, reading_of(PLAIN.replace("F", base)))
    accented = annotate(photo, reading_of(PLAIN.replace("F", face)))
    changed = np.argwhere((plain != accented).any(axis=2))
    badge_middle = 100 + PITCH * 1.8
    assert len(changed) > 10
    assert changed[:, 0].max() < badge_middle
    assert np.abs(changed[:, 1] - badge_middle).max() < 0.2 * PITCH


@pytest.mark.parametrize("face", ["Qu", "#", "_", "I"])
def test_faces_of_every_kind_are_told_apart(photo: NDArray[np.uint8], face: str) -> None:
    other = annotate(photo, reading_of(PLAIN))
    picture = annotate(photo, reading_of(PLAIN.replace("F", face)))
    assert (picture != other).any()


def test_a_large_photo_is_shrunk_with_its_marks() -> None:
    large = np.full((2400, 3200, 3), 128, np.uint8)
    cells = reading_of(PLAIN).cells
    one, two, three, four = ((4 * x, 3 * y) for x, y in CORNERS)
    picture = annotate(large, TrayReading(cells, (one, two, three, four), None))
    assert picture.shape == (1200, LONG_SIDE, 3)
    assert share_of(SURE_COLOUR, picture[150:1050, 200:1400]) > 0.03


def test_a_board_partly_outside_the_photo_is_drawn_as_far_as_it_goes() -> None:
    small = np.full((500, 500, 3), 128, np.uint8)
    assert annotate(small, reading_of(PLAIN, {(3, 3)})).shape == small.shape


def test_all_trays_of_a_photo_are_drawn() -> None:
    wide = np.full((800, 1600, 3), 128, np.uint8)
    plain = reading_of(PLAIN)
    right = TrayReading(
        plain.cells,
        ((900.0, 100.0), (1500.0, 100.0), (1500.0, 700.0), (900.0, 700.0)),
        None,
    )
    picture = annotate(wide, plain, right)
    assert share_of(SURE_COLOUR, picture[:, :800]) > 0.01
    assert np.abs(picture[:, :800].astype(int) - picture[:, 800:]).max() <= 1
