"""Photo files: upright pixels, or an error that says what is wrong."""

from __future__ import annotations

import os
import struct
import time
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.errors import PhotoError
from vision.photo import (
    DamagedPhotoError,
    EmptyPhotoError,
    MissingPhotoError,
    NotAPictureError,
    PhotoIsFolderError,
    PhotoTooLargeError,
    PhotoTooSmallError,
    load_photo,
    load_reduced,
)

HEIGHT, WIDTH = 80, 120
ORIENTATION = 0x0112


@pytest.fixture
def scene() -> NDArray[np.uint8]:
    """Red on the left, blue on the right, a green bar along the top."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:, : WIDTH // 2] = (200, 20, 30)
    pixels[:, WIDTH // 2 :] = (20, 30, 200)
    pixels[:16] = (20, 200, 30)
    return pixels


def saved(folder: Path, name: str, picture: Image.Image) -> Path:
    path = folder / name
    picture.save(path)
    return path


def noisy_jpeg(folder: Path) -> bytes:
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    return saved(folder, "whole.jpg", Image.fromarray(noise)).read_bytes()


@pytest.mark.parametrize("name", ["scene.png", "scene.jpg", "scene.webp", "scene.bmp", "scene.tif"])
def test_pixels_of_common_formats_come_back(
    tmp_path: Path, scene: NDArray[np.uint8], name: str
) -> None:
    loaded = load_photo(saved(tmp_path, name, Image.fromarray(scene)))
    assert loaded.shape == scene.shape
    assert loaded.dtype == np.uint8
    assert np.abs(loaded[40, 20].astype(int) - scene[40, 20]).max() < 12


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_exif_turn_is_applied(
    tmp_path: Path, scene: NDArray[np.uint8], orientation: int
) -> None:
    flips = {
        1: scene,
        2: scene[:, ::-1],
        3: scene[::-1, ::-1],
        4: scene[::-1],
        5: scene.transpose(1, 0, 2),
        6: np.rot90(scene, 1),
        7: scene[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(scene, -1),
    }
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    as_stored = Image.fromarray(np.ascontiguousarray(flips[orientation]))
    path = tmp_path / "turned.png"
    as_stored.save(path, exif=exif)
    assert np.array_equal(load_photo(path), scene)


@pytest.mark.parametrize("mode", ["L", "P", "CMYK", "RGBA", "LA", "1", "YCbCr"])
def test_every_colour_mode_becomes_rgb(tmp_path: Path, scene: NDArray[np.uint8], mode: str) -> None:
    name = "modes.jpg" if mode in {"CMYK", "YCbCr"} else "modes.png"
    loaded = load_photo(saved(tmp_path, name, Image.fromarray(scene).convert(mode)))
    assert loaded.shape == (HEIGHT, WIDTH, 3)
    assert loaded.std() > 10


def test_what_is_transparent_becomes_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    assert (load_photo(saved(tmp_path, "clear.png", clear)) == 255).all()


def test_sixteen_bits_of_grey_are_scaled_not_clipped(tmp_path: Path) -> None:
    ramp = np.linspace(0, 65535, WIDTH * HEIGHT).reshape(HEIGHT, WIDTH).astype(np.uint16)
    loaded = load_photo(saved(tmp_path, "deep.png", Image.fromarray(ramp)))
    assert loaded[0, 0, 0] == 0
    assert loaded[-1, -1, 0] == 255
    assert abs(int(loaded[HEIGHT // 2, 0, 0]) - 127) <= 1


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp"])
def test_the_first_frame_of_an_animation_is_read(
    tmp_path: Path, scene: NDArray[np.uint8], name: str
) -> None:
    later = [Image.new("RGB", (WIDTH, HEIGHT), "white")]
    path = tmp_path / name
    Image.fromarray(scene).save(path, save_all=True, append_images=later)
    assert np.abs(load_photo(path)[40, 20].astype(int) - scene[40, 20]).max() < 12


@pytest.mark.parametrize(
    ("size", "shape", "scale"),
    [
        ((4000, 3000), (1500, 2000, 3), 2.0),
        ((3000, 4000), (2000, 1500, 3), 2.0),
        ((3000, 2000), (2000, 3000, 3), 1.0),
        ((8000, 1000), (250, 2000, 3), 4.0),
    ],
)
def test_a_large_jpeg_is_reduced_as_far_as_reading_allows(
    tmp_path: Path, size: tuple[int, int], shape: tuple[int, int, int], scale: float
) -> None:
    photo = load_reduced(saved(tmp_path, "large.jpg", Image.new("RGB", size, "red")))
    assert photo.pixels.shape == shape
    assert photo.scale == scale


def test_a_reduced_photo_is_turned_upright_as_well(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    path = tmp_path / "turned.jpg"
    Image.new("RGB", (4000, 3000)).save(path, exif=exif)
    assert load_reduced(path).pixels.shape == (2000, 1500, 3)


def test_a_photo_of_many_rows_is_taken_whole(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (700, 90, 3)).astype(np.uint8)
    path = saved(tmp_path, "tall.png", Image.fromarray(pixels))
    np.testing.assert_array_equal(load_photo(path), pixels)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingPhotoError, match=r"nowhere\.jpg") as caught:
        load_photo(tmp_path / "nowhere.jpg")
    assert caught.value.advice


def test_a_folder_is_no_photo(tmp_path: Path) -> None:
    with pytest.raises(PhotoIsFolderError):
        load_photo(tmp_path)


def test_an_empty_file_is_told_from_a_foreign_one(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jpg"
    empty.touch()
    with pytest.raises(EmptyPhotoError):
        load_photo(empty)


@pytest.mark.parametrize("content", [b"Dear aunt,\n", b"%PDF-1.7\n" + bytes(300), bytes(500)])
def test_what_is_no_picture_is_refused_whatever_its_name(tmp_path: Path, content: bytes) -> None:
    letter = tmp_path / "letter.jpg"
    letter.write_bytes(content)
    with pytest.raises(NotAPictureError):
        load_photo(letter)


def test_a_heic_photo_is_refused_with_the_way_out(tmp_path: Path) -> None:
    heic = tmp_path / "phone.heic"
    heic.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200))
    with pytest.raises(NotAPictureError, match="HEIC") as caught:
        load_photo(heic)
    assert "JPEG" in caught.value.advice


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.98])
def test_a_jpeg_cut_short_is_never_read_as_half_grey(tmp_path: Path, share: float) -> None:
    whole = noisy_jpeg(tmp_path)
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(PhotoError) as caught:
        load_photo(cut)
    assert caught.value.kind in {"photo_damaged", "not_a_picture"}


def test_a_jpeg_whose_end_is_zeros_is_damaged(tmp_path: Path) -> None:
    whole = noisy_jpeg(tmp_path)
    half = len(whole) // 2
    padded = tmp_path / "padded.jpg"
    padded.write_bytes(whole[:half] + bytes(len(whole) - half))
    with pytest.raises(DamagedPhotoError):
        load_photo(padded)


def test_a_film_appended_by_a_phone_is_no_damage(tmp_path: Path) -> None:
    with_film = tmp_path / "motion.jpg"
    with_film.write_bytes(noisy_jpeg(tmp_path) + b"ftypmp42" + b"\xff\xda\x00\x08" + bytes(99))
    assert load_photo(with_film).shape == (HEIGHT, WIDTH, 3)


def test_a_progressive_jpeg_is_whole_only_with_all_its_scans(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    path = tmp_path / "progressive.jpg"
    Image.fromarray(noise).save(path, progressive=True)
    assert load_photo(path).shape == noise.shape
    path.write_bytes(path.read_bytes()[:-200] + bytes(200))
    with pytest.raises(DamagedPhotoError):
        load_photo(path)


@pytest.mark.parametrize("name", ["cut.png", "cut.webp"])
def test_other_formats_cut_short_are_damaged(
    tmp_path: Path, scene: NDArray[np.uint8], name: str
) -> None:
    path = saved(tmp_path, name, Image.fromarray(scene))
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(PhotoError) as caught:
        load_photo(path)
    assert caught.value.kind in {"photo_damaged", "not_a_picture"}


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises many pixels and holds none."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(bytes(1000))
    chunks = (
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in (header, data)
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize("size", [(10_000, 10_001), (16_320, 12_240), (100_000, 100_000)])
def test_a_decompression_bomb_is_refused_at_once_and_without_memory(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(png_header(*size))
    tracemalloc.start()
    start = time.perf_counter()
    with pytest.raises(PhotoTooLargeError, match="100 megapixels"):
        load_photo(bomb)
    took = time.perf_counter() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took < 0.5
    assert peak < 2_000_000


def test_a_thumbnail_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoTooSmallError, match="40×60"):
        load_photo(saved(tmp_path, "small.png", Image.new("RGB", (40, 60))))


def test_a_strip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoTooSmallError, match="too narrow"):
        load_photo(saved(tmp_path, "strip.png", Image.new("RGB", (64, 2000))))


def test_a_pipe_that_nobody_writes_to_is_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(EmptyPhotoError):
        load_photo(tmp_path / "pipe.jpg")


def test_every_kind_of_unusable_photo_has_its_own_name() -> None:
    kinds = [error.kind for error in PhotoError.__subclasses__()]
    assert len(set(kinds)) == len(kinds) >= 8
