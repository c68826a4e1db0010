"""Prints and lines on a plain ground, which training shows beside the cells of trays."""

from __future__ import annotations

import numpy as np
import pytest

from vision.faces import FaceClassifier
from vision.rectify import CROP_PX
from vision.render.styles import random_cube
from vision.render.typefaces import shipped_typefaces
from vision.training.plain import mere_lines, plain_print

CLEAR_FOOT = "ABEFGJKLPRTY"


@pytest.mark.parametrize("turn", [0.0, 50.0, 200.0])
def test_plain_prints_are_read_and_turned_as_they_are_labelled(turn: float) -> None:
    rng = np.random.default_rng(5)
    style = random_cube(rng, shipped_typefaces(), 0.0)
    crops = np.array([plain_print(face, style, turn, rng) for face in CLEAR_FOOT])
    assert crops.shape[1:] == (CROP_PX, CROP_PX, 3)
    classifier = FaceClassifier()
    scores = classifier.classify(crops)
    read = [classifier.labels[number] for number in scores.log_probabilities.argmax(axis=1)]
    gaps = np.abs((scores.turns - turn + 180) % 360 - 180)
    assert sum(one == face for one, face in zip(read, CLEAR_FOOT, strict=True)) >= 10
    assert np.median(gaps) < 25


def test_some_plain_prints_have_the_colours_of_their_cube() -> None:
    rng = np.random.default_rng(1)
    style = random_cube(rng, shipped_typefaces(), 0.0)
    grounds = np.array([plain_print("I", style, 0.0, rng)[0, 0] for _ in range(60)])
    coloured = (grounds == np.array(style.body).astype(np.uint8)).all(axis=1)
    white = (grounds == 255).all(axis=1)
    assert (coloured | white).all()
    assert 8 < coloured.sum() < 30


def test_mere_lines_are_thin_and_in_the_middle() -> None:
    crops = mere_lines(40, np.random.default_rng(2))
    assert crops.shape == (40, CROP_PX, CROP_PX, 3)
    dark = (crops[..., 0] < 128).mean(axis=(1, 2))
    assert (crops.min(axis=(1, 2, 3)) < 250).all()
    assert dark.max() < 0.12
    assert (crops[:, [0, -1]] == 255).mean() > 0.95


def test_no_lines_are_no_crops() -> None:
    assert mere_lines(0, np.random.default_rng(0)).shape == (0, CROP_PX, CROP_PX, 3)
