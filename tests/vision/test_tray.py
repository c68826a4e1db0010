"""From a photo to letters: rendered trays, real trays, and what is no tray."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import MISSING, Board
from scoring.cubes import cube_set
from vision.errors import NoTrayError, WrongCubesError
from vision.faces import FaceClassifier
from vision.locate import LocatedTray
from vision.photo import load_photo
from vision.reading import Point, TrayReading
from vision.rectify import board_to_photo
from vision.render.negatives import NEGATIVES, render_negative
from vision.render.scenes import random_scene
from vision.render.tray import PhotoOptions, RenderedTray, render_tray
from vision.search import Judge
from vision.tray import FoundTray, decoded_tray, find_trays, read_tray, read_trays

Misplacement = Callable[[LocatedTray, tuple[Point, ...]], float]

EDITIONS = {4: "classic_4x4", 5: "big_2012_5x5", 6: "super_big_2012_6x6"}
CALM = PhotoOptions(size=(1200, 900), variety=0.0, max_tilt=15, max_yaw=15)


@cache
def rendered(side: int, seed: int, options: PhotoOptions = CALM) -> RenderedTray:
    return render_tray(rolled(side, seed), np.random.default_rng(seed), options)


def rolled(side: int, seed: int) -> Board:
    """A roll; of nine cubes, which no set has, a corner of a larger one."""
    board = cube_set(EDITIONS[max(side, 4)]).roll(random.Random(seed))
    return Board.from_faces(row[:side] for row in board.faces[:side])


def wrong_cells(reading: TrayReading, board: Board) -> int:
    return sum(read != true for read, true in zip(reading.board, board, strict=True))


def silently_wrong(reading: TrayReading, board: Board) -> list[tuple[int, int]]:
    """Cells that nobody is asked about and that are wrong: all, where the size is."""
    same_size = (reading.board.rows, reading.board.cols) == (board.rows, board.cols)
    return [
        cell
        for cell in reading.board.cells
        if cell not in reading.doubtful and not (same_size and reading.board[cell] == board[cell])
    ]


@pytest.mark.parametrize("side", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [11, 12])
def test_a_rendered_tray_is_read_without_a_silent_error(
    side: int, seed: int, classifier: FaceClassifier
) -> None:
    shot = rendered(side, seed)
    reading = read_tray(shot.photo, classifier)
    assert (reading.board.rows, reading.board.cols) == (side, side)
    assert wrong_cells(reading, shot.board) <= 1
    assert silently_wrong(reading, shot.board) == []
    assert len(reading.doubtful) <= side


def test_confidence_alternatives_and_turns_belong_to_the_faces(
    classifier: FaceClassifier,
) -> None:
    board = Board.parse("JEFG/KLAP/RFJE/GLPR")  # no letter that looks alike at two turns
    turns = np.float64(90) * np.arange(16).reshape(4, 4)
    shot = render_tray(board, np.random.default_rng(5), CALM, turns=turns)
    reading = read_tray(shot.photo, classifier)
    edge = np.subtract(shot.corners_px[1], shot.corners_px[0])
    board_turn = np.degrees(np.arctan2(-edge[1], edge[0]))
    for row, cells in enumerate(reading.cells):
        for col, cell in enumerate(cells):
            assert 0 <= cell.confidence <= 1
            assert cell.face in {face for face, _ in cell.alternatives}
            away = (cell.turn - shot.turns[row][col] - board_turn + 180) % 360 - 180
            assert abs(away) < 25


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 1.0, 1.5])
def test_a_tray_cut_off_by_the_edge_of_the_photo_is_never_silently_wrong(
    seed: int, share: float, classifier: FaceClassifier
) -> None:
    shot = rendered(4, seed)
    right = max(x for x, _ in shot.corners_px)
    pitch = float(np.linalg.norm(np.subtract(shot.corners_px[1], shot.corners_px[0]))) / 4
    cut = np.ascontiguousarray(shot.photo[:, : int(right - share * pitch)])
    try:
        reading = read_tray(cut, classifier)
    except NoTrayError:
        return
    assert reading.doubtful
    assert silently_wrong(reading, shot.board) == []


@pytest.mark.parametrize("side", [4, 5, 6])
def test_a_corner_of_a_tray_is_no_smaller_tray(side: int, classifier: FaceClassifier) -> None:
    """The photo ends beyond two neighbouring edges: what is seen is square, and not the whole."""
    shot = rendered(side, 11)
    homography = board_to_photo(shot.corners_px, side, side)
    inner = np.array([[[0.98, 0.98], [side, 0.98], [0.98, side]]])
    x, y = cv2.perspectiveTransform(inner, homography)[0].T
    left, top = int(max(x[0], x[2])), int(max(y[0], y[1]))
    try:
        reading = read_tray(np.ascontiguousarray(shot.photo[top:, left:]), classifier)
    except NoTrayError:
        return
    assert reading.cut_off
    assert len(reading.doubtful) == len(reading.board)


def test_a_tray_that_fills_its_photo_is_read(classifier: FaceClassifier) -> None:
    shot = rendered(4, 12)
    low, high = np.min(shot.corners_px, axis=0), np.max(shot.corners_px, axis=0)
    pitch = float((high - low).min()) / 4
    (left, top), (right, foot) = (low - 0.15 * pitch).astype(int), (high + 0.15 * pitch).astype(int)
    reading = read_tray(np.ascontiguousarray(shot.photo[top:foot, left:right]), classifier)
    assert reading.board == shot.board
    assert len(reading.doubtful) <= 2


@pytest.mark.parametrize("seed", [11, 12])
def test_cubes_that_all_lie_upright_are_no_print(seed: int, classifier: FaceClassifier) -> None:
    board, rng = rolled(4, seed), np.random.default_rng(seed)
    shot = render_tray(board, rng, CALM, turns=np.zeros((4, 4)))
    assert wrong_cells(read_tray(shot.photo, classifier), board) <= 1


@pytest.mark.parametrize(
    ("seed", "difficulty"),
    [(9200120, 0.738), (9200195, 0.987)],
    ids=["cyan print as light as its pink cubes", "worn print in dim light"],
)
def test_print_that_a_person_can_read_is_read(
    seed: int, difficulty: float, classifier: FaceClassifier
) -> None:
    board, shot = random_scene(seed, difficulty)
    reading = read_tray(shot.photo, classifier)
    assert (reading.board.rows, reading.board.cols) == (board.rows, board.cols)
    assert best_agreement(reading.board, board) >= 0.85


@pytest.mark.parametrize(
    ("seed", "difficulty"),
    [
        (9640422, 0.8966132264529056),
        (9640497, 0.9973146292585169),
        (9641460, 0.9476352705410822),
        (9640116, 0.485751503006012),
    ],
    ids=["shadows between cubes", "gaps as large as print", "askew", "light print, askew"],
)
def test_a_tray_that_a_person_sees_is_found_in_place(
    seed: int, difficulty: float, classifier: FaceClassifier, misplacement: Misplacement
) -> None:
    board, shot = random_scene(seed, difficulty)
    (found,) = find_trays(shot.photo, classifier)
    corners = tuple((float(x), float(y)) for x, y in shot.corners_px)
    assert misplacement(found.scored.tray, corners) < 0.2
    assert best_agreement(found.reading.board, board) >= 0.9


def covered(photo: NDArray[np.uint8], corners: list[Point]) -> NDArray[np.uint8]:
    """A photo with something of skin's colour over a part."""
    over = photo.copy()
    cv2.fillPoly(over, [np.array(corners, np.int32)], (198, 142, 108))
    return over


def test_a_hand_over_two_edges_makes_the_size_a_question(classifier: FaceClassifier) -> None:
    """What is seen beside it is a smaller board, but for one letter beyond."""
    shot = rendered(5, 11)
    homography = board_to_photo(shot.corners_px, 5, 5)
    around = [[1.05, -2], [7, -2], [7, 7], [4.03, 7], [4.03, 0.97], [1.05, 0.97]]
    places = cv2.perspectiveTransform(np.array([around], np.float64), homography)[0]
    reading = read_tray(covered(shot.photo, places.tolist()), classifier)
    assert silently_wrong(reading, shot.board) == []
    assert reading.cut_off


def test_a_hand_over_most_of_an_edge_leaves_the_tray_found(classifier: FaceClassifier) -> None:
    shot = rendered(4, 18)
    homography = board_to_photo(shot.corners_px, 4, 4)
    around = [[-0.5, 3.0], [2.1, 2.1], [3.0, 2.9], [4.4, 3.1], [4.4, 6], [-0.5, 6]]
    places = cv2.perspectiveTransform(np.array([around], np.float64), homography)[0]
    reading = read_tray(covered(shot.photo, places.tolist()), classifier)
    assert reading.board.rows == 4
    assert silently_wrong(reading, shot.board) == []


def best_agreement(seen: Board, board: Board) -> float:
    """Share of right faces at the quarter turn at which most are."""
    turns = [np.rot90(np.array(board.faces, object), count) for count in range(4)]
    return max(float((np.array(seen.faces, object) == turn).mean()) for turn in turns)


def test_a_covered_cube_is_asked_for(classifier: FaceClassifier) -> None:
    shot = rendered(4, 11)
    homography = board_to_photo(shot.corners_px, 4, 4)
    middle = cv2.perspectiveTransform(np.array([[[1.5, 2.5]]]), homography)[0, 0]
    pitch = float(np.linalg.norm(np.subtract(shot.corners_px[1], shot.corners_px[0]))) / 4
    covered = shot.photo.copy()
    cv2.circle(covered, [int(value) for value in middle], int(0.55 * pitch), (214, 166, 140), -1)
    assert (2, 1) in read_tray(covered, classifier).doubtful


def test_the_corners_are_those_of_the_board(classifier: FaceClassifier) -> None:
    shot = rendered(4, 11)
    reading = read_tray(shot.photo, classifier)
    pitch = np.linalg.norm(np.subtract(shot.corners_px[1], shot.corners_px[0])) / 4
    assert np.abs(np.subtract(reading.corners_px, shot.corners_px)).max() < 0.35 * pitch


def test_a_missing_cube_is_never_a_silent_letter(classifier: FaceClassifier) -> None:
    faces = [list(row) for row in rendered(4, 11).board.faces]
    faces[1][2] = MISSING
    shot = render_tray(Board.from_faces(faces), np.random.default_rng(3), CALM)
    reading = read_tray(shot.photo, classifier)
    assert reading.board[1, 2] == MISSING or (1, 2) in reading.doubtful
    assert silently_wrong(reading, shot.board) == []


def test_dim_light_makes_no_silent_error(classifier: FaceClassifier) -> None:
    shot = rendered(4, 12)
    slope = np.linspace(0.15, 0.6, shot.photo.shape[1])[None, :, None]
    reading = read_tray((shot.photo * slope).astype(np.uint8), classifier)
    assert silently_wrong(reading, shot.board) == []
    assert wrong_cells(reading, shot.board) <= 1


def test_a_given_edition_is_used_and_named(classifier: FaceClassifier) -> None:
    shot = rendered(4, 11)
    given = cube_set(EDITIONS[4])
    reading = read_tray(shot.photo, classifier, given)
    assert reading.edition == given.name
    assert wrong_cells(reading, shot.board) <= 1


def test_a_photo_turned_by_a_quarter_gives_the_board_as_it_lies(
    classifier: FaceClassifier,
) -> None:
    shot = rendered(4, 11)
    turned = np.ascontiguousarray(np.rot90(shot.photo))
    reading = read_tray(turned, classifier)
    lying = Board.from_faces(np.rot90(np.array(shot.board.faces, object)).tolist())
    assert wrong_cells(reading, lying) <= 1


def test_a_reading_at_another_size_has_its_places_there(classifier: FaceClassifier) -> None:
    shot = rendered(4, 11)
    half = cv2.resize(shot.photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    reading = read_tray(half.astype(np.uint8), classifier).scaled(2.0)
    whole = read_tray(shot.photo, classifier)
    assert reading.board == whole.board
    assert np.allclose(reading.corners_px, whole.corners_px, atol=6)


@cache
def side_by_side(*shots: tuple[int, int, float]) -> tuple[NDArray[np.uint8], list[Board]]:
    """Photos of trays (side, seed, share of the photo) in one frame."""
    parts = [
        rendered(side, seed, PhotoOptions((800, 900), 10, 10, (share, share), variety=0.0))
        for side, seed, share in shots
    ]
    return np.hstack([part.photo for part in parts]), [part.board for part in parts]


def test_all_trays_in_a_photo_are_read_the_largest_first(classifier: FaceClassifier) -> None:
    photo, (small, large) = side_by_side((4, 12, 0.6), (5, 12, 0.9))
    first, second = read_trays(photo, classifier)
    assert wrong_cells(first, large) <= 1
    assert wrong_cells(second, small) <= 1
    assert read_tray(photo, classifier) == first
    assert np.mean(second.corners_px, axis=0)[0] < 800 < np.mean(first.corners_px, axis=0)[0]


def test_a_place_that_was_read_as_clearly_before_is_not_read_again(
    classifier: FaceClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot = render_tray(rolled(4, 3), np.random.default_rng(3), CALM)
    place = LocatedTray(board_to_photo(shot.corners_px, 4, 4), 4, 4, 1.0)
    twice: list[tuple[LocatedTray, FoundTray] | None] = []

    def proposing_twice(
        _photo: object, _ways: object, judge: Judge[FoundTray], _clearness: object
    ) -> object:
        twice.extend(judge(place) for _ in range(2))
        return [one[1] for one in twice if one]

    monkeypatch.setattr("vision.tray.search", proposing_twice)
    (found,) = find_trays(shot.photo, classifier)
    assert found.reading.board == shot.board
    assert twice[1] is None


def test_cubes_that_cannot_be_of_the_given_set_are_told(classifier: FaceClassifier) -> None:
    board = rolled(4, 11)
    faces = [list(row) for row in board.faces]
    faces[1][2] = faces[3][0] = "Qu"  # which one cube alone has
    shot = render_tray(Board.from_faces(faces), np.random.default_rng(11), CALM)
    given = cube_set("new_4x4")
    shortage = read_tray(shot.photo, classifier, given).shortage
    assert shortage is not None
    assert (shortage.places, shortage.faces) == ((6, 12), ("Qu", "Qu"))
    assert read_tray(shot.photo, classifier).shortage == shortage
    whole = render_tray(board, np.random.default_rng(11), CALM)
    assert read_tray(whole.photo, classifier, cube_set(EDITIONS[4])).shortage is None


def test_a_given_set_is_for_the_largest_tray(classifier: FaceClassifier) -> None:
    photo, (small, _) = side_by_side((4, 12, 0.6), (5, 12, 0.9))
    _, second = read_trays(photo, classifier, cube_set(EDITIONS[5]))
    assert wrong_cells(second, small) <= 1
    for side in (4, 6):
        with pytest.raises(WrongCubesError, match=f"5×5 cubes, but .* is for {side}×{side}"):
            read_trays(photo, classifier, cube_set(EDITIONS[side]))


def chessboard() -> NDArray[np.uint8]:
    squares = np.indices((8, 8)).sum(axis=0) % 2
    board = np.kron(squares, np.ones((80, 80)))[..., None] * [170, 150, 120] + [60, 40, 30]
    return np.pad(board, ((80, 80), (160, 160), (0, 0)), constant_values=90).astype(np.uint8)


def keyboard() -> NDArray[np.uint8]:
    """Staggered rows of light keys with letters on a dark base."""
    picture = np.full((500, 1100, 3), 40, np.uint8)
    for row, keys in enumerate(["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]):
        for col, key in enumerate(keys):
            x, y = 80 + 90 * col + 35 * row, 100 + 90 * row
            cv2.rectangle(picture, (x, y), (x + 76, y + 76), (225, 225, 220), cv2.FILLED)
            cv2.putText(picture, key, (x + 14, y + 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40,) * 3, 2)
    return picture


def calendar() -> NDArray[np.uint8]:
    """Five weeks of white boxes with the days' numbers."""
    picture = np.full((800, 1000, 3), 120, np.uint8)
    for day in range(35):
        x, y = 120 + 110 * (day % 7), 120 + 110 * (day // 7)
        cv2.rectangle(picture, (x, y), (x + 96, y + 96), (250, 250, 250), cv2.FILLED)
        number = str(day % 31 + 1)
        cv2.putText(picture, number, (x + 20, y + 65), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (30,) * 3, 3)
    return picture


def dice() -> NDArray[np.uint8]:
    """Four rows of four white dice with pips."""
    picture = np.full((800, 800, 3), (30, 90, 50), np.uint8)
    for cell in range(16):
        x, y = 110 + 150 * (cell % 4), 110 + 150 * (cell // 4)
        cv2.rectangle(picture, (x, y), (x + 125, y + 125), (240, 240, 240), cv2.FILLED)
        for pip in range(cell % 6 + 1):
            middle = (x + 30 + 32 * (pip % 3), y + 40 + 45 * (pip // 3))
            cv2.circle(picture, middle, 11, (20, 20, 20), cv2.FILLED)
    return picture


def noise() -> NDArray[np.uint8]:
    small = np.random.default_rng(2).integers(0, 256, (60, 80, 3), np.uint8)
    return cv2.resize(small, (800, 600), interpolation=cv2.INTER_CUBIC).astype(np.uint8)


def blank() -> NDArray[np.uint8]:
    return np.full((700, 900, 3), (150, 120, 90), np.uint8)


@pytest.mark.parametrize("scene", [chessboard, keyboard, calendar, dice, noise, blank])
def test_what_is_no_tray_is_not_read(scene: object, classifier: FaceClassifier) -> None:
    assert callable(scene)
    with pytest.raises(NoTrayError) as caught:
        read_tray(scene(), classifier)
    assert caught.value.advice


@pytest.mark.parametrize("seed", [264, 451])
def test_ruled_letters_blurred_and_aslant_are_no_tray(
    seed: int, classifier: FaceClassifier
) -> None:
    rng = np.random.default_rng((7_000_000, seed))
    photo = render_negative("letter grid", rng, (1600, 1200))
    with pytest.raises(NoTrayError):
        read_trays(photo, classifier)


def test_printed_letters_that_look_nearly_sure_are_no_tray(classifier: FaceClassifier) -> None:
    photo = render_negative("word search", np.random.default_rng((8_000_000, 70_002)), (1600, 1200))
    with pytest.raises(NoTrayError):
        read_trays(photo, classifier)


@pytest.mark.parametrize(
    "kind", ["letter grid", "crossword", "digits", "tiles", "keyboard", "keypad"]
)
def test_print_keys_and_hollows_in_rows_are_no_tray(kind: str, classifier: FaceClassifier) -> None:
    number = list(NEGATIVES).index(kind)
    photo = render_negative(kind, np.random.default_rng((number, 1)), (800, 600))
    with pytest.raises(NoTrayError):
        read_trays(photo, classifier)


@pytest.mark.real_data
def test_real_photos_are_read_whole(
    real_photos: list[tuple[Path, Board, tuple[Point, ...]]], classifier: FaceClassifier
) -> None:
    """All fifteen boards exact, so that no face is wrong and not doubted, and few doubts."""
    tally: Counter[str] = Counter()
    for path, board, _ in real_photos:
        reading = read_tray(load_photo(path), classifier)
        tally["exact"] += reading.board == board
        tally["silent"] += len(silently_wrong(reading, board))
        tally["doubtful"] += len(reading.doubtful)
    assert (tally["exact"], tally["silent"]) == (15, 0)
    assert tally["doubtful"] <= 9


@pytest.mark.parametrize(("looks", "asked"), [(0.985, ()), (0.97, ((0, 0),))])
def test_a_cube_set_makes_nothing_sure_that_does_not_look_so(
    looks: float, asked: tuple[tuple[int, int], ...], classifier: FaceClassifier
) -> None:
    """The sets that fit have no Fg, so that joint reading has no doubt of the first cell."""
    photo, labels = rendered(4, 11).photo, classifier.labels
    (found,) = find_trays(photo, classifier)
    scores = found.scored.log_probabilities.copy()
    scores[0] = np.log(1e-9)
    face = found.reading.cells[0][0].face
    scores[0, [labels.index(face), labels.index("Fg")]] = np.log([looks, 1 - looks])
    reading = decoded_tray(
        replace(found.scored, log_probabilities=scores), labels, photo.shape, None
    )
    assert reading.cells[0][0].confidence > 0.995
    assert reading.doubtful == asked


def test_a_mark_that_may_be_an_accent_is_no_matter_where_the_set_has_none(
    classifier: FaceClassifier,
) -> None:
    seed = next(seed for seed in range(11, 99) if "N" in [*rolled(4, seed)])
    photo, labels = rendered(4, seed).photo, classifier.labels
    (found,) = find_trays(photo, classifier)
    n = [cell.face for row in found.reading.cells for cell in row].index("N")
    scores = found.scored.log_probabilities.copy()
    scores[n] = np.log(1e-9)
    scores[n, [labels.index("N"), labels.index("Ñ")]] = np.log([0.97, 0.03])
    again = replace(found.scored, log_probabilities=scores)
    assert decoded_tray(again, labels, photo.shape, None).doubtful == ()


def of_no_set(classifier: FaceClassifier, *unread: int, letters: float = 0.99) -> TrayReading:
    """A tray that seems to show 16 times Z, which no set does, but for cells that tell nothing."""
    photo = rendered(4, 11).photo
    (found,) = find_trays(photo, classifier)
    looks = np.full_like(found.scored.log_probabilities, np.log(1e-6))
    looks[:, classifier.labels.index("Z")] = 0.0
    looks[list(unread)] = 0.0
    scored = replace(found.scored, log_probabilities=looks, letters=letters)
    return decoded_tray(scored, classifier.labels, photo.shape, None)


def test_more_is_asked_of_a_tray_that_is_not_clear(classifier: FaceClassifier) -> None:
    """Without a known set a face is never quite sure."""
    readings = [of_no_set(classifier, letters=letters) for letters in (0.99, 0.88)]
    assert [len(reading.doubtful) for reading in readings] == [0, 16]


def test_more_is_asked_beside_a_cell_that_tells_nothing(classifier: FaceClassifier) -> None:
    assert of_no_set(classifier, 0).doubtful == ((0, 0), (0, 1), (1, 0), (1, 1))
