"""Thrown dice read in photos, alone and beside a tray of letters."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from vision.dice.annotate import annotate_dice
from vision.dice.read import read_dice
from vision.dice.reading import DiceReading, Doubt
from vision.errors import NoDiceError
from vision.faces import FaceClassifier
from vision.photo import load_reduced
from vision.render.dice import (
    DiceStyle,
    RenderedDice,
    ThrowOptions,
    render_dice,
    render_dice_by_tray,
)
from vision.render.tray import PhotoOptions, render_tray
from vision.tray import read_tray

DICE = Path(__file__).parents[3] / "shared" / "data" / "dice"

SMALL = ThrowOptions(size=(640, 480), edge=(0.13, 0.19))
BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")

STYLES = {
    "ivory, black pips": DiceStyle((240, 232, 210), (18, 18, 20), 0.21, 0.25, 0.2, 0.1, 0.4),
    "red, white pips": DiceStyle((180, 20, 26), (250, 250, 248), 0.2, 0.26, 0.06, 0.04, 0.0),
    "black, white pips": DiceStyle((24, 24, 28), (240, 240, 240), 0.18, 0.25, 0.2, 0.1, 0.0),
    "white, red pips": DiceStyle((246, 246, 246), (190, 24, 28), 0.19, 0.24, 0.25, 0.12, 0.0),
    "blue, yellow pips": DiceStyle((24, 60, 150), (240, 210, 80), 0.2, 0.25, 0.15, 0.1, 0.2),
}


def rendered(
    *pips: int, seed: int, options: ThrowOptions = SMALL, style: DiceStyle | None = None
) -> RenderedDice:
    return render_dice(pips, np.random.default_rng(seed), options, style)


def read(photo: NDArray[np.uint8]) -> DiceReading | None:
    try:
        return read_dice(photo)
    except NoDiceError:
        return None


@pytest.mark.parametrize("style", STYLES.values(), ids=list(STYLES))
@pytest.mark.parametrize("seed", [1, 2])
def test_dice_of_any_colours_are_read(style: DiceStyle, seed: int) -> None:
    reading = read_dice(rendered(1, 2, 4, 6, seed=seed, style=style).photo)
    assert reading.pips == (1, 2, 4, 6)
    assert not reading.doubtful


@pytest.mark.parametrize("pips", [1, 2, 3, 4, 5, 6])
def test_one_die_alone_is_read_and_found(pips: int) -> None:
    shot = rendered(pips, seed=pips)
    (die,) = read_dice(shot.photo).dice
    assert (die.pips, die.doubts) == (pips, ())
    assert die.middle_px == pytest.approx(shot.middles_px[0], abs=0.1 * shot.edge_px)
    sides = np.linalg.norm(np.diff([*die.corners_px, die.corners_px[0]], axis=0), axis=1)
    assert sides == pytest.approx(np.full(4, shot.edge_px), rel=0.3)


def test_most_throws_are_read_and_none_is_silently_wrong() -> None:
    """Any dice, any table, any light, up to 35 degrees from above."""
    options = ThrowOptions(size=(640, 480), edge=(0.12, 0.18), max_tilt=35.0, variety=0.5)
    exact = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        pips = tuple(rng.integers(1, 7, 4).tolist())
        reading = read(rendered(*pips, seed=seed, options=options).photo)
        is_exact = reading is not None and reading.pips == tuple(sorted(pips))
        exact += is_exact
        assert is_exact or reading is None or reading.doubtful
    assert exact >= 9


@pytest.mark.parametrize("seed", [3, 4])
def test_turning_the_photo_changes_nothing(seed: int) -> None:
    shot = rendered(2, 3, 5, 6, seed=seed, options=ThrowOptions((640, 480), 8.0, (0.13, 0.19)))
    for turns in range(4):
        assert read_dice(np.ascontiguousarray(np.rot90(shot.photo, turns))).pips == (2, 3, 5, 6)


def test_the_pips_on_the_sides_do_not_count() -> None:
    options = ThrowOptions(size=(640, 480), max_tilt=1e-3, edge=(0.2, 0.21))
    level = rendered(3, 4, seed=5, options=options)
    assert read_dice(level.photo).pips == (3, 4)
    tilted = ThrowOptions(size=(640, 480), max_tilt=30.0, edge=(0.2, 0.21))
    assert read_dice(rendered(3, 4, seed=5, options=tilted).photo).pips == (3, 4)


def test_a_die_that_lies_too_far_off_to_tell_its_top_is_doubtful() -> None:
    photo = rendered(5, seed=1, style=STYLES["ivory, black pips"]).photo
    squeezed = np.asarray(cv2.resize(photo, None, fx=1.0, fy=0.6), np.uint8)
    (die,) = read_dice(squeezed).dice
    assert Doubt.OBLIQUE in die.doubts


@pytest.mark.parametrize("place", [(0, 0), (1, 1)], ids=["middle", "corner"])
def test_a_pip_under_a_finger_or_a_glare_is_not_silently_lost(place: tuple[int, int]) -> None:
    style = STYLES["ivory, black pips"]
    shot = rendered(5, seed=8, style=style)
    (die,) = read_dice(shot.photo).dice
    middle, corner = np.array(die.middle_px), np.array(die.corners_px[0])
    spot = middle + (corner - middle) * 0.5 * place[0]
    covered = shot.photo.copy()
    radius = round(0.16 * shot.edge_px)
    cv2.circle(covered, np.rint(spot).astype(int).tolist(), radius, (214, 150, 120), -1)
    reading = read(covered)
    assert reading is None or reading.doubtful


@pytest.mark.parametrize("hidden", range(4))
def test_a_die_whose_pips_are_blotted_out_is_asked(hidden: int) -> None:
    style = STYLES["ivory, black pips"]
    shot = rendered(2, 3, 5, 6, seed=8, style=style)
    blotted = shot.photo.copy()
    spot = np.rint(shot.middles_px[hidden]).astype(int).tolist()
    cv2.circle(blotted, spot, round(0.42 * shot.edge_px), style.body, cv2.FILLED)
    reading = read_dice(blotted)
    assert len(reading.dice) == 3
    (place,) = reading.unread_px
    assert place == pytest.approx(shot.middles_px[hidden], abs=0.5 * shot.edge_px)


@pytest.mark.parametrize("gain", [1.5, 2.5, 4.0, 6.0])
def test_no_overexposed_throw_is_silently_wrong(gain: float) -> None:
    for seed in range(3):
        photo = rendered(1, 3, 4, 6, seed=seed, style=STYLES["ivory, black pips"]).photo
        reading = read(np.clip(photo * gain, 0, 255).astype(np.uint8))
        assert reading is None or reading.doubtful or reading.pips == (1, 3, 4, 6)


def test_a_die_as_white_as_can_be_is_asked() -> None:
    photo = rendered(1, 3, 4, 6, seed=1, style=STYLES["ivory, black pips"]).photo
    reading = read_dice(np.clip(photo * 2.5, 0, 255).astype(np.uint8))
    assert any(Doubt.WASHED_OUT in die.doubts for die in reading.dice)


def test_a_die_of_another_size_is_asked() -> None:
    style = STYLES["red, white pips"]
    large, one = (rendered(*pips, seed=1, style=style).photo for pips in ((2, 4, 5), (6,)))
    small = cv2.resize(one, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    padded = cv2.copyMakeBorder(small, 0, len(large) - len(small), 0, 0, cv2.BORDER_REPLICATE)
    *others, six = read_dice(np.hstack([large, np.asarray(padded, np.uint8)])).dice
    assert (six.pips, six.doubts) == (6, (Doubt.UNLIKE,))
    assert not any(die.doubtful for die in others)


def test_a_photo_without_dice_is_told() -> None:
    blank = np.full((480, 640, 3), 120, np.uint8)
    with pytest.raises(NoDiceError, match="no dice"):
        read_dice(blank)


@pytest.mark.parametrize("seed", range(4))
def test_a_tray_of_letters_has_no_dice(seed: int) -> None:
    options = PhotoOptions(size=(960, 720), variety=0.4)
    assert read(render_tray(BOARD, np.random.default_rng(seed), options).photo) is None


@pytest.mark.parametrize("seed", [51, 52, 54])
def test_dice_and_a_tray_in_one_photo_do_not_disturb_each_other(
    seed: int, classifier: FaceClassifier
) -> None:
    options = PhotoOptions(size=(1200, 900), share=(0.5, 0.55), variety=0.1, max_tilt=12.0)
    shot = render_dice_by_tray(
        BOARD, (2, 5), np.random.default_rng(seed), options, STYLES["red, white pips"]
    )
    reading = read_dice(shot.photo)
    assert reading.pips == (2, 5)
    assert not any(die.doubtful for die in reading.dice)
    assert read_tray(shot.photo, classifier).board == BOARD


def test_places_are_in_the_pixels_of_the_photo_that_was_given() -> None:
    shot = rendered(3, seed=3)
    large = np.asarray(cv2.resize(shot.photo, None, fx=3.0, fy=3.0), np.uint8)
    (die,), (enlarged,) = read_dice(shot.photo).dice, read_dice(large).dice
    assert enlarged.middle_px == pytest.approx(np.multiply(3, die.middle_px), abs=4)


def test_the_annotated_photo_shows_each_die() -> None:
    shot = rendered(2, 6, seed=6)
    reading = read_dice(shot.photo)
    drawn = annotate_dice(shot.photo, reading)
    assert drawn.shape == shot.photo.shape
    changed = (drawn != shot.photo).any(axis=2)
    for x, y in (corner for die in reading.dice for corner in die.corners_px):
        inside = 0 <= x < 640 and 0 <= y < 480
        assert not inside or changed[int(y), int(x)]


@pytest.mark.real_data
def test_real_dice_are_read_and_none_is_silently_wrong() -> None:
    if not DICE.is_dir():
        pytest.skip(f"the evaluation photos are not here: {DICE}")
    throws = json.loads((DICE / "dice.json").read_text("utf-8"))
    readings = [read(load_reduced(DICE / throw["file"]).pixels) for throw in throws]
    exact = 0
    for reading, throw in zip(readings, throws, strict=True):
        is_exact = reading is not None and list(reading.pips) == throw["pips"]
        exact += is_exact
        assert is_exact or reading is None or reading.doubtful
    assert exact >= 14


@pytest.mark.real_data
def test_real_trays_have_no_dice() -> None:
    trays = DICE.parent / "trays"
    if not trays.is_dir():
        pytest.skip(f"the evaluation photos are not here: {trays}")
    names = [tray["file"] for tray in json.loads((trays / "trays.json").read_text("utf-8"))]
    readings = [read(load_reduced(trays / name).pixels) for name in names]
    assert [reading for reading in readings if reading and not reading.doubtful] == []
