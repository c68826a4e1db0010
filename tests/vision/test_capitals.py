"""The net that reads capitals: its input, its files, what it tells."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from vision.nets import WeightsError
from vision.rectify import CROP_PX
from vision.swoggle.capitals import LABELS, CapitalClassifier, inks_of, normalised
from vision.swoggle.reading import OTHER, SURE
from vision.training.calibration import temperature_of
from vision.training.capitals_figures import figures_of
from vision.training.squares import draw_squares

SHIPPED = Path(str(resources.files("vision.models")))


@pytest.fixture(scope="module")
def capitals() -> CapitalClassifier:
    return CapitalClassifier()


def test_ink_of_any_colour_on_any_ground_is_what_the_ground_has_more() -> None:
    crops = np.full((2, CROP_PX, CROP_PX, 3), (250, 210, 60), np.uint8)
    crops[1, 20:28, 20:28] = (20, 10, 60)
    inks = inks_of(crops)
    assert inks.dtype == np.uint8
    assert not inks[0].any()
    assert (inks[1, 20:28, 20:28] > 150).all()
    assert not inks[1, :18].any()


def test_light_that_is_brighter_than_the_ground_is_no_ink() -> None:
    crops = np.full((1, CROP_PX, CROP_PX, 3), 120, np.uint8)
    crops[0, 10:14, 10:14] = 255
    assert not inks_of(crops).any()


def test_pale_writing_looks_to_the_net_as_dark_writing_does() -> None:
    dark = np.zeros((1, CROP_PX, CROP_PX), np.uint8)
    dark[0, 12:36, 22:26] = 200
    pale = dark // 4
    assert np.abs(normalised(dark) - normalised(pale)).max() < 0.6


def test_probabilities_are_those_of_one_distribution(capitals: CapitalClassifier) -> None:
    inks = np.random.default_rng(0).integers(0, 256, (70, CROP_PX, CROP_PX), np.uint8)
    scores = capitals.classify(inks)
    assert scores.shape == (70, len(LABELS))
    np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1.0)
    np.testing.assert_allclose(capitals.classify(inks[:3]), scores[:3], atol=1e-4)


def test_no_square_gives_no_score(capitals: CapitalClassifier) -> None:
    empty = np.zeros((0, CROP_PX, CROP_PX), np.uint8)
    assert capitals.classify(empty).shape == (0, len(LABELS))


def test_tidy_capitals_are_read_and_none_is_silently_wrong(capitals: CapitalClassifier) -> None:
    squares = draw_squares((31_337,), 1500, 0.1)
    figures = figures_of(capitals.classify(squares.inks), squares.labels)
    assert figures.capitals_right > 0.95
    assert figures.silent <= 0.002


def test_what_is_no_capital_is_asked_about(capitals: CapitalClassifier) -> None:
    squares = draw_squares((31_338,), 3000, 0.5)
    odd = squares.inks[squares.labels == LABELS.index(OTHER)]
    scores = capitals.classify(odd)
    told = scores.argmax(axis=1) == LABELS.index(OTHER)
    asked = told | (scores.max(axis=1) < np.log(SURE))
    assert len(odd) > 150
    assert asked.mean() > 0.95


def test_the_temperature_is_that_of_the_renders(capitals: CapitalClassifier) -> None:
    squares = draw_squares((31_339,), 3000)
    assert temperature_of(capitals.classify(squares.inks), squares.labels) == pytest.approx(
        1, abs=0.25
    )


def test_missing_weights_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.") as caught:
        CapitalClassifier(tmp_path / "none.onnx")
    assert "install" in caught.value.advice


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"temperature": "hot"}'])
def test_a_damaged_description_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "capitals.json").write_text(content)
    with pytest.raises(WeightsError, match="capitals"):
        CapitalClassifier(tmp_path / "capitals.onnx")


@pytest.mark.parametrize("weights", [None, b"", b"no net at all"])
def test_damaged_weights_are_an_error(tmp_path: Path, weights: bytes | None) -> None:
    shutil.copy(SHIPPED / "capitals.json", tmp_path)
    if weights is not None:
        (tmp_path / "capitals.onnx").write_bytes(weights)
    with pytest.raises(WeightsError, match="capitals"):
        CapitalClassifier(tmp_path / "capitals.onnx")


def test_the_shipped_files_are_small_and_tell_how_they_were_made() -> None:
    assert (SHIPPED / "capitals.onnx").stat().st_size < 300_000
    made_by = json.loads((SHIPPED / "capitals.json").read_text(encoding="utf-8"))["made by"]
    assert made_by["command"].startswith("python -m vision.training.capitals train")
