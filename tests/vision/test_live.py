"""A tray in a stream of rendered frames: rest, motion, hands, cocked cubes, and its letters."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from scoring.cubes import cube_set
from vision.cell_finder import CellFinder
from vision.errors import WrongCubesError
from vision.faces import FaceClassifier, FaceScores
from vision.flatness import FlatnessNet, Pose
from vision.lattice import apply
from vision.live import FORGET_S, LOOKS, MOST_READ, Live, LiveReader, Phase
from vision.photo import load_reduced
from vision.reading import Point
from vision.rectify import board_to_photo
from vision.render.cubes import Posture
from vision.render.hands import Finger, Hand
from vision.render.scene import Scene
from vision.render.tray import PhotoOptions, RenderedTray, photograph, render_tray

Frame = NDArray[np.uint8]
RealPhoto = tuple[Path, Board, tuple[Point, ...]]
FRAME_S = 0.1
CALM = PhotoOptions(size=(640, 480), variety=0.0, max_tilt=10, max_yaw=10, share=(0.7, 0.8))
BOARD = Board.parse("IETC/HAPE/SEYH/TOER")


@cache
def shot(seed: int = 7, board: Board = BOARD) -> RenderedTray:
    return render_tray(board, np.random.default_rng(seed), CALM)


@cache
def thrown(board: Board, seed: int = 1) -> Frame:
    """Another board in the same tray under the same camera."""
    return photograph(board, shot().scene, np.random.default_rng(seed)).photo


def in_scene(change: Callable[[Scene], Scene], board: Board = BOARD) -> Frame:
    """A board as `shot` shows it, in a scene that differs by one thing."""
    return photograph(board, change(shot().scene), np.random.default_rng(21)).photo


PLAIN = in_scene(lambda scene: scene)


@cache
def with_hand(reach: float, board: Board = BOARD) -> Frame:
    """A finger that reaches so many cells beyond the lower edge of the board."""
    tip = (1.5, 4.0 - reach)
    finger = Finger((1.8, tip[1] + 4.5), (1.6, tip[1] + 2.0), tip, 1.0)
    hand = Hand((214, 166, 140), (finger,), (1.8, tip[1] + 6.0), (2.0, tip[1] + 20.0), 4.0)
    return in_scene(lambda scene: replace(scene, hand=hand), board)


def under_arm(frame: Frame, share: float) -> Frame:
    """A sleeve from the lower edge over a share of the frame's height."""
    covered = frame.copy()
    height, width = frame.shape[:2]
    top = round(height * (1 - share))
    cv2.rectangle(covered, (width // 4, top), (width * 3 // 4, height), (190, 140, 110), -1)
    return cv2.GaussianBlur(covered, (0, 0), 1.0).astype(np.uint8)


def exchanged(before: Frame, after: Frame, seconds: float = 5.0) -> list[Frame]:
    """An arm comes, lies over all but a row, and is drawn away from what lies there now."""
    there = [unsteady(under_arm(frame, 0.7), 8) for frame in (before, after)]
    leaving = [under_arm(after, share) for share in np.linspace(0.7, 0.0, 8)]
    return [*there[0], *there[1], *leaving, *unsteady(after, round(seconds / FRAME_S))]


def with_cocked(lean: float, towards: float) -> Frame:
    posture = {(1, 2): Posture(lean, towards, 0.0)}
    return in_scene(lambda scene: replace(scene, postures=posture))


def turned(frame: Frame, degrees: float) -> Frame:
    """With the middle of the tray where it was."""
    middle = np.mean(shot().corners_px, axis=0).tolist()
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    size = (frame.shape[1], frame.shape[0])
    return cv2.warpAffine(frame, turn, size, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)


def unsteady(frame: Frame, count: int) -> list[Frame]:
    """As a camera in a hand sees it."""
    rng = np.random.default_rng(5)
    return [moved(frame, *rng.normal(0, 0.4, 2).tolist()) for _ in range(count)]


def moved(frame: Frame, right: float, down: float) -> Frame:
    shift = np.array([[1, 0, right], [0, 1, down]], np.float64)
    size = (frame.shape[1], frame.shape[0])
    return cv2.warpAffine(frame, shift, size, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)


def empty_table() -> Frame:
    return np.full((480, 640, 3), (90, 80, 70), np.uint8)


@dataclass
class Counting:
    """A classifier that remembers how many crops it was shown at a time."""

    inner: FaceClassifier
    counts: list[int] = field(default_factory=list)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.inner.labels

    @property
    def finder(self) -> CellFinder:
        return self.inner.finder

    def classify(self, crops: NDArray[np.uint8], *, both_ways: bool = True) -> FaceScores:
        self.counts.append(len(crops))
        return self.inner.classify(crops, both_ways=both_ways)

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        return self.inner.look_closely(crops)


class Film:
    """Shows frames to a reader, with a sensor's noise, and keeps what it says."""

    def __init__(self, classifier: FaceClassifier) -> None:
        self.classifier = Counting(classifier)
        self.reader = LiveReader(self.classifier, FlatnessNet.load())
        self.state = Live()
        self.now = 100.0
        self.noise = 2.5
        self._rng = np.random.default_rng(0)

    def show(self, frames: Iterable[Frame]) -> list[Phase]:
        phases = []
        for frame in frames:
            noise = self.noise * self._rng.standard_normal(frame.shape, np.float32)
            noisy = (frame + noise).clip(0, 255).astype(np.uint8)
            self.state = self.reader.step(self.state, noisy, self.now)
            self.now += FRAME_S
            phases.append(self.state.phase)
        return phases

    def hold(self, frame: Frame, seconds: float = 1.5) -> list[Phase]:
        return self.show([frame] * round(seconds / FRAME_S))

    @property
    def letters(self) -> str:
        return "".join(face or "." for row in self.reader.faces(self.state) for face in row)

    @property
    def board(self) -> Board:
        reading = self.reader.reading(self.state)
        assert reading is not None
        return reading.board


@pytest.fixture
def film(classifier: FaceClassifier) -> Film:
    return Film(classifier)


@pytest.fixture(scope="module")
def rest(classifier: FaceClassifier) -> Film:
    film = Film(classifier)
    film.hold(PLAIN)
    return film


@pytest.fixture
def settled(film: Film, rest: Film) -> Film:
    """After a while of rest; states are never changed, so that all tests may begin with one."""
    film.state, film.now = rest.state, rest.now
    return film


# At rest


def test_a_tray_at_rest_is_read_and_seen_to_be_flat(film: Film) -> None:
    phases = film.hold(PLAIN)
    assert phases[0] is Phase.MOVING  # nobody knows yet
    assert phases[-1] is Phase.FLAT
    assert film.state.at_rest
    assert film.letters == "".join(BOARD)
    reading = film.reader.reading(film.state)
    assert reading is not None
    assert (reading.board, reading.doubtful) == (BOARD, ())


def test_letters_show_before_the_tray_counts_as_at_rest(film: Film) -> None:
    phases = film.hold(PLAIN, 0.4)
    assert set(phases) == {Phase.MOVING}
    assert film.letters == "".join(BOARD)


def test_no_frame_reads_more_than_a_few_cells(film: Film) -> None:
    film.show([PLAIN])
    film.classifier.counts.clear()
    film.hold(PLAIN)
    assert max(film.classifier.counts) <= MOST_READ
    assert sum(film.classifier.counts) == LOOKS * len(BOARD)


def test_a_tray_at_rest_is_looked_at_again_but_seldom(settled: Film) -> None:
    settled.hold(PLAIN, 4.0)
    assert 0 < sum(settled.classifier.counts) <= 3 * len(BOARD)
    assert settled.letters == "".join(BOARD)


def test_the_state_before_stays_as_it_was(settled: Film) -> None:
    before = settled.state
    phase, cells, track = before.phase, before.cells, before.track
    settled.show([thrown(Board.parse("LMNO/PRST/UVWX/ABCD"))])
    assert (before.phase, before.cells, before.track) == (phase, cells, track)


# Motion


def corner_error(film: Film, right: float, down: float) -> float:
    """How far the corners lie from the true ones, in cells."""
    assert film.state.track is not None
    true = board_to_photo([(x + right, y + down) for x, y in shot().corners_px], 4, 4)
    ends = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], np.float64)
    seen = apply(np.linalg.inv(true), apply(film.state.track.homography, ends))
    return float(np.abs(seen - ends).max())


def test_a_tray_that_is_pushed_is_followed_and_not_read_anew_on_the_way(settled: Film) -> None:
    start = corner_error(settled, 0, 0)
    phases = settled.show(moved(PLAIN, 6 * step, 3 * step) for step in range(1, 11))
    assert set(phases[1:]) == {Phase.MOVING}
    assert corner_error(settled, 60, 30) < start + 0.1
    assert settled.classifier.counts == []
    assert settled.letters == "".join(BOARD)


def test_a_tray_that_is_turned_is_followed(settled: Film) -> None:
    settled.show(turned(PLAIN, degrees) for degrees in range(2, 32, 2))
    assert settled.letters == "".join(BOARD)


def test_a_camera_in_a_hand_does_not_keep_the_tray_from_rest(film: Film) -> None:
    film.show(unsteady(PLAIN, 40))
    assert film.state.at_rest
    assert film.board == BOARD


def test_while_cubes_tumble_nothing_is_said(settled: Film) -> None:
    rolls = [cube_set("classic_4x4").roll(random.Random(seed)) for seed in range(12)]
    phases = settled.show(thrown(roll, seed) for seed, roll in enumerate(rolls))
    assert Phase.FLAT not in phases
    assert not settled.state.at_rest
    assert settled.letters.count(".") > 10


def test_a_new_throw_is_read_even_if_nothing_was_seen_between(settled: Film) -> None:
    new = Board.parse("LFTG/NHPF/SFYN/TQuER")  # much like the one before
    settled.hold(thrown(new), 2.0)
    assert settled.state.at_rest
    assert settled.board == new


def test_one_cube_that_is_turned_over_is_read_alone(settled: Film) -> None:
    other = PLAIN.copy()
    mask = np.zeros(PLAIN.shape[:2], np.uint8)
    home = board_to_photo(shot().corners_px, 4, 4)
    cell = apply(home, np.array([[1.0, 2.0], [2.0, 2.0], [2.0, 3.0], [1.0, 3.0]]))
    cv2.fillConvexPoly(mask, cell.astype(np.int32), 255)
    changed = thrown(Board.parse("IETC/HAPE/SWYH/TOER"), 21)
    other[mask > 0] = changed[mask > 0]
    settled.show([other])
    assert settled.letters == "IETCHAPES.YHTOER"
    settled.show([other] * 2)
    assert settled.letters == "IETCHAPESWYHTOER"
    assert settled.classifier.counts == [1]


# What is no tray any more, or not yet


def test_without_a_tray_it_seeks_now_and_then(film: Film) -> None:
    film.noise = 0.0  # which makes a search long
    phases = film.hold(empty_table(), 1.1)
    assert set(phases) == {Phase.SEEKING}
    assert film.reader.reading(film.state) is None
    assert film.reader.faces(film.state) == ()


def test_a_tray_taken_away_is_forgotten_and_found_elsewhere(settled: Film) -> None:
    settled.noise = 0.0
    assert settled.hold(empty_table(), FORGET_S + 0.5)[-1] is Phase.SEEKING
    assert settled.letters == ""
    assert settled.hold(moved(PLAIN, 60, 25), 2.5)[-1] is Phase.FLAT
    assert corner_error(settled, 60, 25) < 0.3


def test_a_frame_that_is_lost_in_between_is_forgiven(settled: Film) -> None:
    phases = settled.show([empty_table(), PLAIN])
    assert phases == [Phase.MOVING, Phase.MOVING]
    assert settled.letters == "".join(BOARD)


def test_a_set_for_trays_of_another_size_is_refused(settled: Film) -> None:
    other = replace(settled.reader, cube_set=cube_set("big_1979_5x5"))
    with pytest.raises(WrongCubesError):
        other.reading(settled.state)


# Hands


def test_a_hand_is_told_while_it_is_there_and_forgotten_when_it_has_gone(settled: Film) -> None:
    phases = settled.show(with_hand(reach) for reach in (0.5, 1.0, 1.5, 2.0))
    assert phases[-1] is Phase.HAND
    assert "." in settled.letters
    reading = settled.reader.reading(settled.state)
    assert reading is not None
    assert (3, 1) in reading.doubtful
    assert settled.hold(PLAIN)[-1] is Phase.FLAT
    assert settled.board == BOARD


def test_a_hand_that_rests_on_the_cubes_is_still_a_hand(settled: Film) -> None:
    phases = settled.hold(with_hand(2.0), 4.0)
    assert set(phases) == {Phase.HAND}
    assert not settled.state.at_rest


OTHER = Board.parse("INOO/WHAE/FUTL/EOSD")


def test_cubes_exchanged_under_a_hand_that_lay_there_are_read_when_it_has_gone(
    settled: Film,
) -> None:
    phases = settled.show(exchanged(PLAIN, thrown(OTHER, 21)))
    assert {Phase.STILL, Phase.FLAT} & set(phases[-20:])
    assert settled.board == OTHER


@pytest.mark.parametrize(
    ("degrees", "seen"),
    [(90, "OELD/OATS/NHUO/IWFE"), (180, "DSOE/LTUF/EAHW/OONI")],
)
def test_a_tray_turned_under_a_hand_is_found_anew_when_it_has_gone(
    degrees: float, seen: str, settled: Film
) -> None:
    phases = settled.show(exchanged(PLAIN, turned(thrown(OTHER, 21), degrees)))
    assert {Phase.STILL, Phase.FLAT} & set(phases[-20:])
    assert settled.board == Board.parse(seen)


def test_a_hand_that_is_busy_for_long_is_not_forgotten(settled: Film) -> None:
    hands = [with_hand(1.2), with_hand(2.0), with_hand(3.0)] * 17
    phases = settled.show(hands)
    assert set(phases) == {Phase.HAND}
    assert settled.hold(PLAIN)[-1] is Phase.FLAT
    assert settled.board == BOARD


def test_under_a_hand_that_was_there_first_nothing_is_sure(film: Film) -> None:
    assert Phase.FLAT not in film.hold(with_hand(1.5), 1.2)
    reading = film.reader.reading(film.state)
    assert reading is None or (3, 1) in reading.doubtful
    assert film.hold(PLAIN, 4.0)[-1] is Phase.FLAT
    assert film.board == BOARD


def test_cubes_that_tumble_are_no_hand(settled: Film) -> None:
    rolls = [cube_set("classic_4x4").roll(random.Random(seed)) for seed in range(6)]
    phases = settled.show(thrown(roll, seed) for seed, roll in enumerate(rolls))
    assert Phase.HAND not in phases


def test_darker_light_is_no_hand(settled: Film) -> None:
    dimmer = [(PLAIN * share).astype(np.uint8) for share in np.linspace(1.0, 0.6, 20)]
    assert Phase.HAND not in settled.show(dimmer)


# Cocked cubes


@pytest.mark.parametrize(("lean", "towards"), [(30, 0), (35, 100), (40, 200), (40, 310)])
def test_a_cocked_cube_is_never_flat_and_is_asked_for(
    lean: float, towards: float, film: Film
) -> None:
    phases = film.hold(with_cocked(lean, towards))
    assert Phase.FLAT not in phases
    assert film.state.phase is Phase.COCKED
    assert film.state.cocked == ((1, 2),)
    reading = film.reader.reading(film.state)
    assert reading is not None
    assert (1, 2) in reading.doubtful


def test_cubes_that_the_frame_cuts_off_are_neither_flat_nor_cocked(film: Film) -> None:
    right = min(x for x, _ in shot().corners_px[1:3])
    film.hold(np.ascontiguousarray(PLAIN[:, : round(right) + 2]))
    poses = [cell.pose for cell in film.state.cells]
    assert poses[3::4] == [Pose.UNSURE] * 4
    assert film.state.phase is Phase.STILL


def test_a_cube_that_was_set_right_is_flat(film: Film) -> None:
    film.hold(with_cocked(35, 100))
    assert film.state.phase is Phase.COCKED
    assert film.hold(PLAIN, 2.0)[-1] is Phase.FLAT


# Photos of real trays


@pytest.mark.real_data
def test_real_trays_in_an_unsteady_hand_come_to_rest_and_are_read(
    classifier: FaceClassifier, real_photos: list[RealPhoto]
) -> None:
    rng = np.random.default_rng(0)
    for path, board, _ in real_photos[::3]:
        photo = load_reduced(path).pixels
        scale = 640 / max(photo.shape)
        small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        film = Film(classifier)
        film.show(moved(small.astype(np.uint8), *rng.normal(0, 0.3, 2).tolist()) for _ in range(20))
        assert film.state.at_rest, path.name
        reading = film.reader.reading(film.state)
        assert reading is not None
        wrong = [cell for cell in board.cells if reading.board[cell] != board[cell]]
        assert set(wrong) <= set(reading.doubtful), path.name
        assert len(wrong) <= 1, path.name
