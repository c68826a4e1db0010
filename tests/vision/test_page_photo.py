"""Rendered photos of pages: every point lies where they say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.render.page_photo import PageShot, PageView, photograph, photograph_pages, torn

SIZE = (480, 640)


def dotted(width: int = 400, height: int = 560) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A page with red dots, and their middles."""
    page = np.full((height, width, 3), 245, np.uint8)
    places = np.mgrid[40:width:80, 40:height:80].reshape(2, -1).T
    for x, y in places.tolist():
        cv2.circle(page, (x, y), 6, (200, 0, 0), -1)
    return page, places + 0.5


def redness(shot: PageShot, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Red above green at places of the page, as a share of its most."""
    excess = shot.photo[..., 0].astype(np.float64) - shot.photo[..., 1]
    x, y = np.floor(shot.to_photo(points)).astype(int).T
    return np.asarray(excess[y, x] / excess.max())


@pytest.mark.parametrize("hardness", [0.0, 0.3, 0.6, 1.0])
def test_points_of_a_page_are_seen_where_the_shot_says(hardness: float) -> None:
    page, dots = dotted()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        shot = photograph(page, rng, view=PageView(size=SIZE, hardness=hardness))
        between = dots[dots[:, 0] < 350] + (40, 0)
        assert np.median(redness(shot, dots)) > 0.5
        assert redness(shot, dots).min() > redness(shot, between).max()


def test_a_turned_photo_shows_the_page_upside_down() -> None:
    page, _ = dotted()
    view = PageView(size=SIZE, hardness=0.0, turn=180.0)
    shot = photograph(page, np.random.default_rng(1), view=view)
    top, foot = shot.to_photo(np.array([[200.0, 10.0], [200.0, 550.0]]))
    assert top[1] > foot[1]


def test_pages_lie_side_by_side_in_one_photo() -> None:
    page, dots = dotted()
    whole = np.full(page.shape[:2], 255, np.uint8)
    view = PageView(size=(900, 600), hardness=0.3)
    shots = photograph_pages([(page, whole), (page, whole)], np.random.default_rng(3), view)
    left, right = (shot.to_photo(dots) for shot in shots)
    assert left[:, 0].max() < right[:, 0].min()
    assert all(np.median(redness(shot, dots)) > 0.5 for shot in shots)


def test_what_is_torn_off_shows_the_table() -> None:
    page, _ = dotted()
    rng = np.random.default_rng(4)
    cover = torn(page, rng)
    shot = photograph_pages([(page, cover)], rng, PageView(size=SIZE, hardness=0.0))[0]
    corner, middle = np.floor(shot.to_photo(np.array([[1.0, 1.0], [200.0, 250.0]]))).astype(int)
    assert shot.photo[middle[1], middle[0]].min() > 180
    assert np.abs(shot.photo[corner[1], corner[0]].astype(int) - 245).max() > 20


def test_the_same_seed_gives_the_same_photo() -> None:
    page, _ = dotted()
    view = PageView(size=SIZE)
    photos = [photograph(page, np.random.default_rng(s), view=view).photo for s in (1, 1, 2)]
    assert np.array_equal(photos[0], photos[1])
    assert not np.array_equal(photos[0], photos[2])
