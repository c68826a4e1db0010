"""What is proposed, judged, refused and found in a photo."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from scoring.cubes import cube_set
from vision.blobs import PaleTops
from vision.cell_finder import CellFinder
from vision.locate import LocatedTray, Way, locate, ways_by
from vision.reading import Point
from vision.render.tray import PhotoOptions, RenderedTray, render_tray
from vision.search import search

WAYS = ways_by(CellFinder(), 1600)
NOTHING = np.zeros((300, 300, 3), np.uint8)


@cache
def shot(seed: int, share: float, size: tuple[int, int] = (700, 750)) -> RenderedTray:
    board = cube_set("classic_4x4").roll(random.Random(seed))
    options = PhotoOptions(size, 10, 10, (share, share), variety=0.0)
    return render_tray(board, np.random.default_rng(seed), options)


def side_by_side(*shots: RenderedTray) -> NDArray[np.uint8]:
    return np.hstack([part.photo for part in shots])


def centre(corners: tuple[Point, ...]) -> float:
    return float(np.mean(corners, axis=0)[0])


def anything(tray: LocatedTray) -> tuple[LocatedTray, LocatedTray] | None:
    return (tray, tray) if tray.score > 0.8 else None


def test_all_trays_are_found_the_largest_first() -> None:
    small, large = shot(1, 0.5), shot(2, 0.9)
    found = search(side_by_side(small, large), WAYS, anything)
    assert len(found) == 2
    assert found[0].area > 1.5 * found[1].area
    assert centre(found[0].corners) > 700 > centre(found[1].corners)


def test_no_place_is_judged_twice_and_not_without_end() -> None:
    judged: list[LocatedTray] = []

    def refuse(tray: LocatedTray) -> None:
        judged.append(tray)

    assert search(side_by_side(shot(1, 0.5), shot(2, 0.9)), WAYS, refuse) == []
    assert 2 <= len(judged) <= 9
    pairs = [(one, two) for place, one in enumerate(judged) for two in judged[:place]]
    assert not any(one.is_like(two) and one.score <= two.score for one, two in pairs)


def test_a_judge_may_move_a_proposal_onto_what_is_found() -> None:
    first: list[LocatedTray] = []

    def same(tray: LocatedTray) -> tuple[LocatedTray, str]:
        first.append(tray)
        return first[0], "the one tray"

    assert search(side_by_side(shot(1, 0.8), shot(2, 0.8)), WAYS, same) == ["the one tray"]


def test_an_empty_photo_has_no_trays() -> None:
    assert search(np.full((300, 400, 3), 90, np.uint8), WAYS, anything) == []


def test_a_tray_of_nine_cubes_is_found() -> None:
    board = Board.parse("RAT/EGU/KLF")
    options = PhotoOptions(size=(700, 600), variety=0.0)
    photo = render_tray(board, np.random.default_rng(4), options).photo
    (tray,) = search(photo, WAYS, anything)
    assert tray.rows == 3


def recorded(photo: NDArray[np.uint8], taken: float) -> list[LocatedTray]:
    """What is judged until something of such a score is found."""
    judged: list[LocatedTray] = []

    def judge(tray: LocatedTray) -> tuple[LocatedTray, LocatedTray] | None:
        judged.append(tray)
        return (tray, tray) if tray.score >= taken else None

    search(photo, WAYS, judge)
    return judged


def test_what_is_fair_is_judged_before_the_slower_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[Way] = []

    def looked(photo: NDArray[np.uint8], way: Way, *known: object) -> list[LocatedTray]:
        ways.append(way)
        return [replace(tray, score=0.65) for tray in locate(photo, way, *known)]  # type: ignore[arg-type]

    monkeypatch.setattr("vision.search.locate", looked)
    assert len(recorded(shot(1, 0.9).photo, 0.6)) == 1
    assert ways == [WAYS[0]]


def test_nine_spots_that_are_not_plain_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    nine = LocatedTray(np.diag([50.0, 50.0, 1.0]), 3, 3, 0.75)
    four = LocatedTray(np.diag([50.0, 50.0, 1.0]), 4, 4, 0.5)
    seen = {WAYS[0]: [nine], WAYS[-1]: [four]}
    monkeypatch.setattr("vision.search.locate", lambda _, way, *__: seen.get(way, []))
    assert recorded(NOTHING, 0.4) == [four]
    monkeypatch.setattr("vision.search.locate", lambda *_: [replace(nine, score=0.9)])
    assert len(recorded(NOTHING, 0.0)) == 1


def test_nine_spots_are_looked_at_where_there_is_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nine = LocatedTray(np.diag([50.0, 50.0, 1.0]), 3, 3, 0.5)
    four = replace(nine, rows=4, cols=4)
    monkeypatch.setattr("vision.search.locate", lambda *_: [nine])
    assert search(NOTHING, WAYS, lambda _: (four, "around them")) == ["around them"]


ASKEW, STRAIGHT, CORNER = (
    LocatedTray(np.diag([size, 50.0, 1.0]), rows, rows, 0.7)
    for size, rows in ((56.0, 5), (50.0, 5), (50.0, 4))
)


@pytest.mark.parametrize(
    ("next_way", "found", "judged"),
    [
        ([replace(ASKEW), CORNER, STRAIGHT], STRAIGHT, [ASKEW, STRAIGHT]),
        ([CORNER], ASKEW, [ASKEW, CORNER]),
        ([], ASKEW, [ASKEW]),
    ],
)
def test_a_tray_that_is_not_clear_gives_way_to_a_clearer_look_at_it(
    monkeypatch: pytest.MonkeyPatch,
    next_way: list[LocatedTray],
    found: LocatedTray,
    judged: list[LocatedTray],
) -> None:
    ways = [Way(long_side, PaleTops()) for long_side in range(4)]
    seen = {ways[0]: [ASKEW], ways[1]: next_way, ways[2]: [STRAIGHT]}
    clearness = {(5, 56.0): 0.6, (5, 50.0): 0.9, (4, 50.0): 1.0}
    looked_at: list[LocatedTray] = []

    def judge(tray: LocatedTray) -> tuple[LocatedTray, LocatedTray]:
        looked_at.append(tray)
        return tray, tray

    def clear(tray: LocatedTray) -> float:
        return clearness[tray.rows, tray.homography[0, 0]]

    monkeypatch.setattr("vision.search.locate", lambda _, way, *__: seen.get(way, []))
    assert search(NOTHING, ways, judge, clear) == [found]
    assert looked_at == judged


def test_what_a_slower_way_found_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ways = [Way(long_side, PaleTops()) for long_side in range(3)]
    seen = {ways[1]: [ASKEW], ways[2]: [STRAIGHT]}
    monkeypatch.setattr("vision.search.locate", lambda _, way, *__: seen.get(way, []))
    assert search(NOTHING, ways, lambda tray: (tray, tray), lambda _: 0.0) == [ASKEW]


def test_no_more_is_judged_after_three_proposals_that_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    apart = [
        LocatedTray(np.diag([size, size, 1.0]), 4, 4, 0.9) for size in (20.0, 40.0, 60.0, 80.0)
    ]
    monkeypatch.setattr("vision.search.locate", lambda *_: apart)
    assert recorded(NOTHING, 1.0) == apart[:3]


def test_a_refused_place_is_judged_anew_where_it_is_seen_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores = iter([0.9, 0.88, 0.95])

    def seen(*_: object) -> list[LocatedTray]:
        return [LocatedTray(np.diag([50.0, 50.0, 1.0]), 4, 4, next(scores))]

    monkeypatch.setattr("vision.search.locate", seen)
    judged = recorded(NOTHING, 1.0)
    assert [tray.score for tray in judged] == [0.9, 0.95]


@pytest.mark.parametrize(
    ("found_by", "size_px", "looked"), [(0, 50, [560, 405]), (0, 75, [560]), (1, 50, [560, 640])]
)
def test_beside_what_the_quick_way_finds_the_next_looks_for_more_where_there_is_room(
    monkeypatch: pytest.MonkeyPatch, found_by: int, size_px: float, looked: list[int]
) -> None:
    tray = LocatedTray(np.diag([size_px, size_px, 1.0]), 4, 4, 0.95)
    ways: list[Way] = []

    def seen(_: object, way: Way, *__: object) -> list[LocatedTray]:
        ways.append(way)
        return [tray] if way == WAYS[found_by] else []

    monkeypatch.setattr("vision.search.locate", seen)
    assert search(np.zeros((320, 450, 3), np.uint8), WAYS, anything) == [tray]
    assert [way.long_side for way in ways] == looked
