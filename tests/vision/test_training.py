"""Training samples, fonts, calibration: everything of training that needs no torch."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board import Board
from scoring.cubes import all_faces
from vision.faces import FaceClassifier
from vision.rectify import CROP_PX
from vision.render.tray import PhotoOptions, render_tray
from vision.render.typefaces import Typeface, Typefaces, shipped_typefaces
from vision.training import fonts
from vision.training.calibration import figures_of, temperature_of
from vision.training.evaluate import tray_photos, verdicts
from vision.training.fonts import FontsMissingError, held_out_typefaces, training_typefaces
from vision.training.labels import FOREIGN, LABELS, foreign_face, symmetry
from vision.training.publish import calibrate
from vision.training.samples import Samples, draw_samples


@pytest.fixture(scope="module")
def samples() -> Samples:
    return draw_samples((7,), 500, shipped_typefaces())


def test_every_face_of_every_cube_set_has_a_label() -> None:
    assert set(all_faces()) | {"_"} <= set(LABELS)


@pytest.mark.parametrize(
    ("face", "marked", "expected"),
    [
        ("A", False, 1),
        ("N", False, 2),
        ("N", True, 1),
        ("O", False, 0),
        ("O", True, 1),
        ("#", False, 0),
        ("#", True, 0),
        ("_", False, 0),
        ("Qu", False, 1),
        ("Xy", True, 0),
    ],
)
def test_symmetry_counts_the_turns_that_look_alike(
    face: str, *, marked: bool, expected: int
) -> None:
    assert symmetry(face, marked=marked) == expected


def test_foreign_faces_are_faces_without_a_label() -> None:
    rng = np.random.default_rng(0)
    faces = [foreign_face(rng) for _ in range(500)]
    assert not set(faces) & set(LABELS)
    assert len(set(faces)) > 250
    assert Board.from_faces([faces[:10]]).faces == (tuple(faces[:10]),)


def test_samples_are_crops_as_reading_sees_them(samples: Samples) -> None:
    assert len(samples) == 500
    assert samples.crops.shape == (500, CROP_PX, CROP_PX, 3)
    assert samples.crops.dtype == np.uint8
    assert set(np.unique(samples.symmetries)) <= {0, 1, 2}
    assert ((samples.turns >= 0) & (samples.turns < 360)).all()
    assert set(samples.labels) == {FOREIGN, *range(len(LABELS))}
    nothing = samples.labels == LABELS.index("_")
    assert 0.1 < nothing.mean() < 0.4


def test_samples_depend_on_the_seed_alone(samples: Samples) -> None:
    again = draw_samples((7,), 100, shipped_typefaces())
    other = draw_samples((8,), 100, shipped_typefaces())
    np.testing.assert_array_equal(again.crops, samples.crops[:100])
    np.testing.assert_array_equal(again.labels, samples.labels[:100])
    assert not np.array_equal(again.crops, other.crops)


def test_the_shipped_classifier_reads_most_samples(samples: Samples) -> None:
    """A render gone wrong, a label or a turn off by one, would show here."""
    figures = figures_of(FaceClassifier(), samples)
    assert 420 < figures.samples < 500
    assert figures.accuracy > 0.85
    assert figures.surely_wrong < 0.03
    assert figures.turn_error < 10


@settings(max_examples=20, deadline=None)
@given(temperature=st.floats(0.5, 3.0), seed=st.integers(0, 1000))
def test_the_temperature_of_made_up_scores_is_found(temperature: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 2, (6000, 5))
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    labels = (rng.random((6000, 1)) > probabilities.cumsum(axis=1)).sum(axis=1).clip(0, 4)
    assert temperature_of(scores * temperature, labels) == pytest.approx(temperature, rel=0.12)


def test_calibration_keeps_what_is_known_of_the_weights(tmp_path: Path) -> None:
    weights = tmp_path / "faces.onnx.gz"
    for name in (weights.name, "faces.json"):
        shutil.copy(str(resources.files("vision.models") / name), tmp_path)
    before = json.loads((tmp_path / "faces.json").read_text(encoding="utf-8"))
    calibrate(weights, seen=shipped_typefaces(), unseen=shipped_typefaces(), count=150)
    after = json.loads((tmp_path / "faces.json").read_text(encoding="utf-8"))
    assert after["made by"] == before["made by"]
    assert after["labels"] == before["labels"]
    assert 0.4 < after["temperature"] < 2.0
    assert after["figures on renders"]["typefaces left out"]["samples"] > 120


def font_folder(folder: Path, names: list[str]) -> Path:
    for name in names:
        (folder / name).write_bytes(b"")
    return folder


def test_fonts_of_a_group_share_its_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups = {"one": fonts.Group(0.6, ("Sans*",)), "two": fonts.Group(0.4, ("Serif",))}
    monkeypatch.setattr(fonts, "GROUPS", groups)
    font_folder(tmp_path, ["SansA.ttf", "SansB.otf", "Serif.ttf", "Other.ttf", "Sans.txt"])
    found = training_typefaces(tmp_path)
    assert [Path(face.path).name for face in found.faces] == ["SansA.ttf", "SansB.otf", "Serif.ttf"]
    assert found.weights == (0.3, 0.3, 0.4)


@pytest.mark.parametrize("typefaces", [training_typefaces, held_out_typefaces])
def test_a_folder_without_fonts_is_an_error_that_names_the_remedy(
    tmp_path: Path, typefaces: object
) -> None:
    assert callable(typefaces)
    with pytest.raises(FontsMissingError, match=r"docs/training\.md"):
        typefaces(tmp_path)


def test_no_held_out_font_is_trained_on() -> None:
    trained = {pattern for group in fonts.GROUPS.values() for pattern in group.patterns}
    assert trained.isdisjoint(fonts.HELD_OUT.patterns)
    assert sum(group.share for group in fonts.GROUPS.values()) == pytest.approx(1.0)


def test_typefaces_are_picked_by_weight() -> None:
    rng = np.random.default_rng(0)
    two = Typefaces((Typeface("a"), Typeface("b"), Typeface("never")), (3.0, 1.0, 0.0))
    picked = [two.pick(rng).path for _ in range(2000)]
    assert picked.count("a") == pytest.approx(1500, abs=80)
    assert "never" not in picked


def test_photos_with_their_truth_are_read_and_judged(tmp_path: Path) -> None:
    board = Board.parse("CAT/DOG")
    options = PhotoOptions(size=(640, 480), variety=0.0)
    shot = render_tray(board, np.random.default_rng(4), options, turns=np.zeros((2, 3)))
    cv2.imwrite(str(tmp_path / "one.png"), cv2.cvtColor(shot.photo, cv2.COLOR_RGB2BGR))
    entry = {
        "file": "one.png",
        "rows": 2,
        "cols": 3,
        "grid": board.faces,
        "corners_px": shot.corners_px,
    }
    (tmp_path / "trays.json").write_text(json.dumps([entry]))
    (photo,) = tray_photos(tmp_path)
    assert photo.crops.shape == (4, 5, CROP_PX, CROP_PX, 3)
    judged = verdicts(FaceClassifier(), photo)
    assert [one.face for one in judged] == list(board)
    assert [one.cell for one in judged] == list(board.cells)
    assert [one.read for one in judged] == list(board)
