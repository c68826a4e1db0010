"""Single faces cut out by others, as a folder with a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.faces import FaceClassifier
from vision.rectify import CROP_PX
from vision.render.glyphs import print_mask
from vision.render.styles import MarkStyle, random_cube
from vision.render.typefaces import shipped_typefaces
from vision.training.single_faces import (
    NOT_A_FACE,
    FaceVerdict,
    SingleFace,
    face_verdicts,
    figures_by_group,
    single_faces,
)

FACES = Path(__file__).parents[3] / "shared" / "data" / "faces"
NO_MARK = MarkStyle("solid", 0.1, 0.1, 1.0, frozenset())


def letter(face: str) -> NDArray[np.uint8]:
    """A letter that fills its picture, white on black."""
    style = random_cube(np.random.default_rng(0), shipped_typefaces(), 0.0)
    return print_mask(face, replace(style, mark=NO_MARK), 59)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a letter that fills its picture, a cube in grey and what none can read."""
    cube = np.full((80, 80), 30, np.uint8)
    cv2.rectangle(cube, (10, 10), (70, 70), 225, -1)
    mask = cv2.resize(letter("A"), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    tall, wide = mask.shape
    cube[25 : 25 + tall, 25 : 25 + wide][mask > 128] = 40
    pictures = {
        "jordan_binary63/r.png": (letter("R"), "R"),
        "photo_cells_colour/a.png": (cube, "A"),
        "mvanmidd_binary/odd.png": (np.zeros((80, 80), np.uint8), "?"),
        "jordan_binary63/none.png": (np.zeros((63, 63), np.uint8), NOT_A_FACE),
    }
    rows = ["file\tlabel\torientation"]
    for name, (picture, label) in pictures.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / name), picture)
        rows.append(f"{name}\t{label}\tarbitrary")
    (tmp_path / "faces.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


def test_pictures_are_shown_as_cells_at_their_turns(folder: Path) -> None:
    pictures = {one.name.split("/")[1]: one for one in single_faces(folder)}
    assert set(pictures) == {"r.png", "a.png", "none.png"}
    tight, cell = pictures["r.png"].crops, pictures["a.png"].crops
    assert tight.shape == (12, CROP_PX, CROP_PX, 3)
    assert cell.shape == (4, CROP_PX, CROP_PX, 3)
    assert tight[:, 0, 0].min() == 255  # the ground of an inverted print is light
    assert tight[0].min() < 60
    np.testing.assert_allclose(np.rot90(cell[0]), cell[1], atol=60)
    np.testing.assert_allclose(np.rot90(tight[0]).mean(), tight[3].mean(), atol=2)


def test_the_shipped_classifier_reads_them(folder: Path) -> None:
    verdicts = list(face_verdicts(FaceClassifier(), single_faces(folder)))
    for one in verdicts:
        assert one.right.all(), one.read
    figures = {one.group: one for one in figures_by_group(verdicts)}
    assert set(figures) == {"jordan_binary63", "jordan_binary63, no face", "photo_cells_colour"}
    assert figures["jordan_binary63"].pictures == 1
    assert figures["photo_cells_colour"].right == 1.0


@pytest.mark.parametrize(
    ("group", "face", "read", "right"),
    [
        ("jordan_binary63", "M", "W", True),
        ("jordan_binary63", "Q", "Qu", True),
        ("jordan_binary63", "M", "N", False),
        ("mvanmidd_binary", "M", "W", False),
        ("mvanmidd_binary", "#", "#", True),
        ("jordan_binary63", NOT_A_FACE, "_", True),
        ("jordan_binary63", NOT_A_FACE, "A", False),
    ],
)
def test_letters_without_their_mark_count_as_right_either_way(
    group: str, face: str, read: str, *, right: bool
) -> None:
    picture = SingleFace("x.png", group, face, np.zeros((1, CROP_PX, CROP_PX, 3), np.uint8))
    verdict = FaceVerdict(picture, (read,), np.array([0.95]))
    assert verdict.right.tolist() == [right]
    assert verdict.surely_wrong.tolist() == [not right]
    (figures,) = figures_by_group([verdict])
    assert figures.wrong == (() if right else ((face, read, 1),))


@pytest.mark.real_data
def test_real_single_faces_are_read() -> None:
    if not (FACES / "faces.tsv").exists():
        pytest.skip(f"the evaluation pictures are not in {FACES}")
    chosen = (one for number, one in enumerate(single_faces(FACES)) if number % 10 == 0)
    verdicts = list(face_verdicts(FaceClassifier(), chosen))
    faces = [one for one in verdicts if one.picture.face != NOT_A_FACE]
    assert len(faces) > 150
    assert np.concatenate([one.right for one in faces]).mean() > 0.98
    assert np.concatenate([one.surely_wrong for one in faces]).mean() < 0.005
