"""Rendered dice: seeded, and true to what was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.board import Board
from vision.render.dice import (
    DiceStyle,
    ThrowOptions,
    random_style,
    render_dice,
    render_dice_by_tray,
)
from vision.render.tray import PhotoOptions

PLAIN = DiceStyle((250, 250, 250), (0, 0, 0), 0.2, 0.25, 0.1, 0.05, 0.0)


def test_the_same_seed_gives_the_same_photo() -> None:
    first, second = (render_dice((1, 6), np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(first.photo, second.photo)
    assert first.middles_px == second.middles_px


def test_all_dice_are_in_the_photo_and_apart() -> None:
    shot = render_dice((1, 2, 3, 4, 5, 6), np.random.default_rng(2))
    places = np.array(shot.middles_px)
    assert ((places > 0) & (places < (960, 720))).all()
    apart = np.linalg.norm(places[:, None] - places, axis=2) + 1e9 * np.eye(6)
    assert apart.min() > shot.edge_px


@pytest.mark.parametrize("pips", [1, 2, 3, 4, 5, 6])
def test_the_middle_of_a_top_shows_a_pip_where_its_number_has_one(pips: int) -> None:
    options = ThrowOptions(max_tilt=5.0, variety=0.0)
    shot = render_dice((pips,), np.random.default_rng(3), options, PLAIN)
    x, y = shot.middles_px[0]
    assert (shot.photo[int(y), int(x)].mean() < 100) == (pips % 2 == 1)


def test_dice_beside_a_tray_lie_in_the_photo() -> None:
    board = Board.parse("IETC/HQuPE/SEYH/TOER")
    options = PhotoOptions(size=(960, 720), share=(0.5, 0.55))
    shot = render_dice_by_tray(board, (3, 4), np.random.default_rng(5), options)
    assert shot.photo.shape == (720, 960, 3)
    assert shot.pips == (3, 4)
    assert ((np.array(shot.middles_px) > 0) & (np.array(shot.middles_px) < (960, 720))).all()


def test_no_room_is_told() -> None:
    board = Board.parse("IETC/HQuPE/SEYH/TOER")
    options = PhotoOptions(size=(480, 480), share=(1.0, 1.0))
    with pytest.raises(ValueError, match="no room"):
        render_dice_by_tray(board, (3,), np.random.default_rng(5), options)


def test_styles_leave_room_for_the_pips() -> None:
    for seed in range(50):
        style = random_style(np.random.default_rng(seed), 1.0)
        assert style.reach + style.pip / 2 < 0.5
        assert style.reach > style.pip / 2
