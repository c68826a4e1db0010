"""The face classifier: its contract, and how well it reads renders and real photos."""

from __future__ import annotations

import gzip
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board, Face
from scoring.cubes import all_faces
from vision.faces import FaceClassifier, FaceScores, normalised
from vision.nets import WeightsError
from vision.rectify import CROP_PX, board_to_photo, cut_cells
from vision.render.tray import PhotoOptions, RenderedTray, render_tray
from vision.training.evaluate import Verdict, tray_photos, verdicts

MODELS = Path(str(resources.files("vision.models")))
TRAYS = Path(__file__).parents[3] / "shared" / "data" / "trays"
EVERY_FACE = (
    "ABCDEF/GHIJKL/MNOPRS/TUVWXY/ZQuAnErHeIn",
    "ThChÑQA#/_EINOS/MWZNHI/QuThHeInErAn/ÄÖÄÖLT",
)
CLEAR_FOOT = frozenset("ABCDEFGJKLPQRTUVY")


@pytest.fixture(scope="module")
def classifier() -> FaceClassifier:
    return FaceClassifier()


@pytest.fixture(scope="module")
def rendered() -> list[RenderedTray]:
    """Boards that show every face, in typefaces that no training print is set in."""
    options = PhotoOptions(size=(1000, 750), share=(0.7, 0.9))
    return [
        render_tray(Board.parse(board), np.random.default_rng(seed), options)
        for board in EVERY_FACE
        for seed in (11, 12, 13, 14)
    ]


@pytest.fixture(scope="module")
def crops(rendered: list[RenderedTray]) -> NDArray[np.uint8]:
    return cells_of(rendered[0])[:8]


def cells_of(shot: RenderedTray) -> NDArray[np.uint8]:
    board = shot.board
    homography = board_to_photo(shot.corners_px, board.rows, board.cols)
    cells = cut_cells(shot.photo, homography, board.rows, board.cols)
    return np.ascontiguousarray(cells[1:-1, 1:-1].reshape(-1, CROP_PX, CROP_PX, 3))


def best(classifier: FaceClassifier, scores: FaceScores) -> list[Face]:
    return [classifier.labels[index] for index in scores.log_probabilities.argmax(axis=1)]


def gap(degrees: float) -> float:
    return abs((degrees + 180) % 360 - 180)


def test_labels_are_every_face_of_every_cube_set_and_no_cube(classifier: FaceClassifier) -> None:
    assert set(all_faces()) | {"_"} <= set(classifier.labels)
    assert len(set(classifier.labels)) == len(classifier.labels)


@pytest.mark.parametrize("count", [0, 1, 8])
def test_scores_are_distributions_and_turns_are_degrees(
    classifier: FaceClassifier, crops: NDArray[np.uint8], count: int
) -> None:
    scores = classifier.classify(crops[:count])
    assert scores.log_probabilities.shape == (count, len(classifier.labels))
    assert scores.log_probabilities.dtype == scores.turns.dtype == np.float64
    np.testing.assert_allclose(np.exp(scores.log_probabilities).sum(axis=1), 1.0)
    assert ((scores.turns >= 0) & (scores.turns < 360)).all()


def test_flat_crops_give_finite_scores(classifier: FaceClassifier) -> None:
    flat = np.stack([np.full((CROP_PX, CROP_PX, 3), level, np.uint8) for level in (0, 128, 255)])
    scores = classifier.classify(flat)
    assert np.isfinite(scores.log_probabilities).all()
    assert np.isfinite(scores.turns).all()
    assert best(classifier, scores) == ["_", "_", "_"]


def test_a_crop_is_scored_the_same_in_any_company(
    classifier: FaceClassifier, crops: NDArray[np.uint8]
) -> None:
    many = classifier.classify(np.concatenate([crops] * 20))
    alone = classifier.classify(crops[:1])
    np.testing.assert_allclose(many.log_probabilities[-8], alone.log_probabilities[0], atol=1e-4)


def test_a_crop_upside_down_is_the_same_face_upside_down(
    classifier: FaceClassifier, crops: NDArray[np.uint8]
) -> None:
    upright = classifier.classify(crops)
    turned = classifier.classify(np.ascontiguousarray(np.rot90(crops, 2, (1, 2))))
    np.testing.assert_allclose(turned.log_probabilities, upright.log_probabilities, atol=1e-4)
    gaps = [gap(degrees) for degrees in turned.turns - upright.turns - 180]
    assert max(gaps) < 0.1


def test_normalised_crops_keep_neither_brightness_nor_contrast() -> None:
    crop = np.random.default_rng(0).integers(0, 100, (1, CROP_PX, CROP_PX, 3), np.uint8)
    values = normalised(crop)
    assert values.shape == (1, 3, CROP_PX, CROP_PX)
    assert values.dtype == np.float32
    assert values.mean() == pytest.approx(0, abs=1e-4)
    np.testing.assert_allclose(values, normalised(crop + 60), atol=1e-4)


def test_rendered_faces_are_read(classifier: FaceClassifier, rendered: list[RenderedTray]) -> None:
    shown = [face for shot in rendered for face in shot.board]
    read = [
        face for shot in rendered for face in best(classifier, classifier.classify(cells_of(shot)))
    ]
    wrong = [(a, b) for a, b in zip(shown, read, strict=True) if a != b]
    assert len(wrong) <= 0.01 * len(shown), wrong


def test_turns_of_letters_with_a_clear_foot_are_right_within_ten_degrees(
    classifier: FaceClassifier, rendered: list[RenderedTray]
) -> None:
    gaps = []
    for shot in rendered:
        read = classifier.classify(cells_of(shot)).turns
        told = np.array(shot.turns).reshape(-1)
        clear = [face in CLEAR_FOOT for face in shot.board]
        gaps += [gap(degrees) for degrees in (read - told)[clear]]
    assert np.mean(np.array(gaps) < 10) > 0.96


def test_faces_of_no_known_set_come_out_doubtful(classifier: FaceClassifier) -> None:
    foreign = Board.parse("FrBdStXy/PdOuLkMl/GaRtNoIk/UwHdÆØ")
    options = PhotoOptions(size=(1000, 750), share=(0.7, 0.9))
    shots = [render_tray(foreign, np.random.default_rng(seed), options) for seed in (1, 2, 3)]
    scores = classifier.classify(np.concatenate([cells_of(shot) for shot in shots]))
    assert (scores.log_probabilities.max(axis=1) > np.log(0.9)).mean() < 0.15


def test_missing_weights_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"none\.json") as caught:
        FaceClassifier(tmp_path / "none.onnx")
    assert "install" in caught.value.advice


@pytest.mark.parametrize("content", ["", "[]", '{"labels": ["A"]}', '{"temperature": 1}', "{"])
def test_a_damaged_description_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "faces.json").write_text(content)
    with pytest.raises(WeightsError, match="description"):
        FaceClassifier(tmp_path / "faces.onnx")


@pytest.mark.parametrize("weights", [None, b"", b"no net at all"])
def test_damaged_weights_are_an_error(tmp_path: Path, weights: bytes | None) -> None:
    shutil.copy(str(resources.files("vision.models") / "faces.json"), tmp_path)
    if weights is not None:
        (tmp_path / "faces.onnx").write_bytes(weights)
    with pytest.raises(WeightsError, match="weights"):
        FaceClassifier(tmp_path / "faces.onnx")


@pytest.mark.parametrize(
    "weights", [b"\x1f\x8b", gzip.compress(b"no net", mtime=0), b"not compressed"]
)
def test_damaged_compressed_weights_are_an_error(tmp_path: Path, weights: bytes) -> None:
    shutil.copy(str(resources.files("vision.models") / "faces.json"), tmp_path)
    (tmp_path / "faces.onnx.gz").write_bytes(weights)
    with pytest.raises(WeightsError, match="weights"):
        FaceClassifier(tmp_path / "faces.onnx.gz")


def test_compressed_weights_that_are_cut_short_are_an_error(tmp_path: Path) -> None:
    for file in (MODELS / "faces.json", MODELS / "faces.onnx.gz"):
        (tmp_path / file.name).write_bytes(file.read_bytes()[:500_000])
    with pytest.raises(WeightsError, match="weights"):
        FaceClassifier(tmp_path / "faces.onnx.gz")


@pytest.mark.parametrize(("name", "most"), [("faces", 1_100_000), ("doubtful_faces", 1_500_000)])
def test_the_shipped_files_are_small_and_tell_how_they_were_made(name: str, most: int) -> None:
    assert (MODELS / f"{name}.onnx.gz").stat().st_size < most
    made_by = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["made by"]
    assert made_by["command"].startswith("python -m vision.training train")


def test_all_weights_together_are_small() -> None:
    assert sum(file.stat().st_size for file in MODELS.iterdir() if file.is_file()) < 4_000_000


def test_a_close_look_is_that_of_the_second_net(
    classifier: FaceClassifier, crops: NDArray[np.uint8]
) -> None:
    first, second = (
        FaceClassifier(MODELS / f"{name}.onnx.gz") for name in ("faces", "doubtful_faces")
    )
    for alone, close in ((second, classifier), (first, first)):
        expected = alone.classify(crops, both_ways=False).log_probabilities
        np.testing.assert_allclose(close.look_closely(crops), expected)


def test_no_crops_are_looked_at_closely(classifier: FaceClassifier) -> None:
    nothing = np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    assert classifier.look_closely(nothing).shape == (0, len(classifier.labels))


def test_nets_that_tell_other_faces_are_not_joined(tmp_path: Path) -> None:
    content = json.loads((MODELS / "faces.json").read_text(encoding="utf-8"))
    content["labels"] = content["labels"][::-1]
    (tmp_path / "other.json").write_text(json.dumps(content), encoding="utf-8")
    shutil.copy(MODELS / "faces.onnx.gz", tmp_path / "other.onnx.gz")
    with pytest.raises(WeightsError, match="other faces"):
        FaceClassifier(MODELS / "faces.onnx.gz", tmp_path / "other.onnx.gz")


@pytest.fixture(scope="module")
def real(classifier: FaceClassifier) -> list[Verdict]:
    if not (TRAYS / "trays.json").exists():
        pytest.skip(f"the evaluation photos are not in {TRAYS}")
    return [one for photo in tray_photos(TRAYS) for one in verdicts(classifier, photo)]


@pytest.mark.real_data
def test_real_faces_are_read(real: list[Verdict]) -> None:
    wrong = [one for one in real if one.read != one.face]
    assert len(real) == 300
    assert len(wrong) <= 1, wrong


@pytest.mark.real_data
def test_real_faces_read_wrong_come_out_doubtful(real: list[Verdict]) -> None:
    assert [one for one in real if one.read != one.face and one.probability > 0.9] == []
    assert np.mean([one.probability > 0.9 for one in real]) > 0.97
