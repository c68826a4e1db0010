"""The judge of stillness: counting, times, noise, light, and motion however small."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.settle import (
    QUIET_FRAMES,
    SHORTEST_WAIT_S,
    TIME_OUT_S,
    Outcome,
    Settling,
    observe,
    start,
)

Photo = NDArray[np.uint8]
Picture = NDArray[np.uint8] | NDArray[np.floating]
FRAME_S = 0.1
PHOTOS = Path(__file__).resolve().parents[3] / "shared/data/trays"


@cache
def tray(cube_turn: float = 0.0, shift: float = 0.0, size: int = 480) -> Photo:
    """Sixteen light cubes with dark strokes on a dark tray; the sixth turned by degrees."""
    picture = np.full((size, size, 3), 50, np.uint8)
    pitch = size // 6
    for index in range(16):
        row, col = divmod(index, 4)
        middle = ((col + 1.5) * pitch + shift, (row + 1.5) * pitch)
        turn = 17.0 * index + (cube_turn if index == 5 else 0.0)
        fill(picture, middle, (0.8 * pitch, 0.8 * pitch), turn, 215)
        fill(picture, middle, (0.1 * pitch, 0.5 * pitch), turn, 40)
    return picture


def fill(
    picture: Photo,
    middle: tuple[float, float],
    sides: tuple[float, float],
    turn: float,
    grey: int,
) -> None:
    corners = cv2.boxPoints((middle, sides, turn)) * 256  # in 256ths of a pixel: motion is small
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (grey,) * 3, cv2.LINE_AA, 8)


def noisy(picture: Picture, rng: np.random.Generator, deviation: float = 3.0) -> Photo:
    noise = deviation * rng.standard_normal(picture.shape, np.float32)
    return (picture + noise).clip(0, 255).astype(np.uint8)


def judge(frames: Iterable[Photo]) -> Settling:
    """Judge frames that begin at 0 s and come `FRAME_S` apart."""
    state = start(0.0)
    for number, frame in enumerate(frames):
        state = observe(state, frame, number * FRAME_S)
    return state


def frames_of(
    count: int, picture: Callable[[int], Picture], deviation: float = 3.0
) -> Iterable[Photo]:
    rng = np.random.default_rng(3)
    return (noisy(picture(number), rng, deviation) for number in range(count))


STILL = tray()
ALL = round(TIME_OUT_S / FRAME_S) + 1


# Counting and times


@given(
    moved=st.lists(st.booleans(), min_size=1, max_size=40),
    steps=st.lists(st.floats(0.0, 1.0), min_size=40, max_size=40),
    began=st.floats(-1e3, 1e6),
)
def test_the_outcome_is_the_one_of_the_definition(
    moved: list[bool], steps: list[float], began: float
) -> None:
    looks = [np.full((4, 4, 3), grey, np.uint8) for grey in (100, 100)]
    looks[1][0, 0] = 200
    state, look, now = start(began), 0, began
    expected, quiet = Outcome.WAITING, -1
    for has_moved, step in zip(moved, steps, strict=False):
        now += step
        look ^= has_moved
        quiet = 0 if has_moved and quiet >= 0 else quiet + 1
        if expected is Outcome.WAITING and quiet >= QUIET_FRAMES and now - began >= SHORTEST_WAIT_S:
            expected = Outcome.SETTLED
        elif expected is Outcome.WAITING and now - began >= TIME_OUT_S:
            expected = Outcome.TIMED_OUT
        state = observe(state, looks[look], now)
        assert state.outcome is expected


def test_nothing_is_settled_before_the_shortest_wait() -> None:
    state = start(0.0)
    for number in range(100):
        state = observe(state, STILL, number * SHORTEST_WAIT_S / 100)
    assert state.outcome is Outcome.WAITING
    assert observe(state, STILL, SHORTEST_WAIT_S).outcome is Outcome.SETTLED


def test_one_frame_after_the_time_out_ends_the_wait() -> None:
    assert observe(start(50.0), STILL, 50.0 + TIME_OUT_S).outcome is Outcome.TIMED_OUT


def test_an_outcome_stays_whatever_comes_later() -> None:
    settled = judge([STILL] * 10)
    assert settled.outcome is Outcome.SETTLED
    assert observe(settled, tray(cube_turn=45), 1e6) is settled


def test_observing_leaves_the_state_before_as_it_was() -> None:
    before = observe(start(0.0), STILL, 0.0)
    observe(before, tray(cube_turn=45), 0.1)
    assert observe(before, STILL, 0.2).quiet == 1


def test_a_frame_of_another_size_counts_as_motion() -> None:
    assert judge([STILL, STILL, STILL[:-100]]).quiet == 0


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (500, 3), (63, 64), (1944, 2592)])
def test_any_size_of_frame_can_be_judged(shape: tuple[int, int]) -> None:
    frame = np.full((*shape, 3), 200, np.uint8)
    assert judge([frame] * 7).outcome is Outcome.SETTLED


# What must not count as motion


@pytest.mark.parametrize("deviation", [0.0, 1.0, 3.0, 6.0, 12.0])
def test_noise_is_no_motion(deviation: float) -> None:
    assert judge(frames_of(7, lambda _: STILL, deviation)).outcome is Outcome.SETTLED


@pytest.mark.parametrize("gain", [0.01, -0.01])
def test_slowly_drifting_light_is_no_motion(gain: float) -> None:
    drifting = frames_of(7, lambda number: STILL * (1 + gain * number))
    assert judge(drifting).outcome is Outcome.SETTLED


def test_a_flicker_of_the_lamp_is_no_motion() -> None:
    flickering = frames_of(7, lambda number: STILL * (1.08 if number % 2 else 0.92))
    assert judge(flickering).outcome is Outcome.SETTLED


def test_bands_of_a_pulsed_lamp_are_no_motion() -> None:
    rows = np.arange(len(STILL))[:, None, None]
    banded = frames_of(7, lambda number: STILL * (1 + 0.05 * np.sin(rows / 25 + number)))
    assert judge(banded).outcome is Outcome.SETTLED


# What must count


@pytest.mark.parametrize(
    ("degrees", "deviation"),
    [(0.5, 0.0), (0.5, 3.0), (2.0, 0.0), (2.0, 12.0), (5.0, 3.0), (20.0, 3.0), (20.0, 12.0)],
)
def test_one_rocking_cube_is_motion(degrees: float, deviation: float) -> None:
    rocking = frames_of(20, lambda number: tray(degrees * (number % 2)), deviation)
    assert judge(rocking).outcome is Outcome.WAITING


@pytest.mark.parametrize("deviation", [0.0, 3.0, 12.0])
@pytest.mark.parametrize("pixels", [1, 5, 60])
def test_a_shaking_camera_is_motion(pixels: int, deviation: float) -> None:
    shaking = frames_of(20, lambda number: tray(shift=pixels * (number % 2)), deviation)
    assert judge(shaking).outcome is Outcome.WAITING


def test_a_cube_that_tips_too_slowly_for_two_frames_to_tell_is_motion() -> None:
    tipping = frames_of(20, lambda number: tray(cube_turn=0.08 * number))
    assert judge(tipping).outcome is Outcome.WAITING


def test_endless_motion_times_out() -> None:
    rocking = frames_of(ALL, lambda number: tray(5.0 * (number % 2)))
    assert judge(rocking).outcome is Outcome.TIMED_OUT


def test_one_jolt_begins_the_count_anew() -> None:
    pictures = [STILL] * 4 + [tray(cube_turn=30)] + [STILL] * 6
    quiet = []
    state = start(0.0)
    for number, frame in enumerate(frames_of(len(pictures), lambda number: pictures[number])):
        state = observe(state, frame, number * FRAME_S)
        quiet.append(state.quiet)
    assert quiet == [0, 1, 2, 3, 0, 0, 1, 2, 3, 4, 5]


def test_dark_frames_prove_nothing() -> None:
    assert judge(frames_of(ALL, lambda _: STILL * 0.03)).outcome is Outcome.TIMED_OUT


def test_a_lamp_that_goes_out_and_on_begins_the_count_anew() -> None:
    lit = [1.0] * 4 + [0.03] + [1.0] * 3
    state = judge(frames_of(len(lit), lambda number: STILL * lit[number]))
    assert state.quiet == 2


# Photos of real trays


@pytest.mark.real_data
def test_photos_of_real_trays_are_still_under_noise_and_not_under_motion() -> None:
    paths = sorted(PHOTOS.glob("*.jpg"))
    if not paths:
        pytest.skip(f"no photos in {PHOTOS}")
    rng = np.random.default_rng(0)
    for path in paths:
        photo = shrunk(path)
        still = [noisy(photo, rng, 6.0) for _ in range(6)]
        assert judge(still).outcome is Outcome.SETTLED, path.name
        shaken = [noisy(np.roll(photo, i % 2, axis=1), rng, 6.0) for i in range(3)]
        assert judge(shaken).quiet == 0, path.name


def shrunk(path: Path) -> Photo:
    """A photo, 960 pixels on its longer side, RGB."""
    photo = cv2.imread(str(path))
    assert photo is not None, path
    scale = 960 / max(photo.shape)
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(small[:, :, ::-1]).astype(np.uint8)
