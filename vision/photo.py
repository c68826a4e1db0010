"""From a picture file to upright RGB pixels, or to an error that says what is wrong with it."""

from __future__ import annotations

import io
import os
import re
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.errors import PhotoError

LARGEST_PIXELS = 100_000_000
"""Pictures beyond this many pixels are refused by their header, before any memory is taken."""

LARGEST_BYTES = 250_000_000
"""Files beyond this size are not opened."""

LEAST_SIDE = 1600
"""Pixels of a photo's longer side that reading needs: more do not make it better."""

SMALLEST_SIDE = 64
"""Pixels; four rows of cubes cannot be read in fewer."""

LONGEST_SHAPE = 20
"""Longer sides to shorter ones from which a picture is no photo."""

_STRIP = 256  # rows of pixels that are taken from a picture at a time
_HEIC_BRANDS = {b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"}
_JPEG = b"\xff\xd8\xff"
_END_OF_IMAGE = 0xD9
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")  # those with a length, and the end


class MissingPhotoError(PhotoError):
    """No file has this name."""

    kind = "photo_missing"


class PhotoIsFolderError(PhotoError):
    """The name is a folder's."""

    kind = "photo_is_folder"


class UnreadablePhotoError(PhotoError):
    """The file may not be read, or its disk fails."""

    kind = "photo_unreadable"


class EmptyPhotoError(PhotoError):
    """The file holds no byte."""

    kind = "photo_empty"


class NotAPictureError(PhotoError):
    """The file is no picture, or of a format that is not read here."""

    kind = "not_a_picture"


class DamagedPhotoError(PhotoError):
    """The picture is cut short or garbled."""

    kind = "photo_damaged"


class PhotoTooLargeError(PhotoError):
    """The picture has more pixels, or the file more bytes, than are read."""

    kind = "photo_too_large"


class PhotoTooSmallError(PhotoError):
    """The picture has too few pixels to show a tray."""

    kind = "photo_too_small"


@dataclass(frozen=True)
class Photo:
    """A photo that may have been decoded at a reduced size.

    Attributes:
        pixels: (height, width, 3), uint8, RGB, upright.
        scale: pixels of the whole photo to one of these; places in ``pixels`` times it are places
            in the whole photo.
    """

    pixels: NDArray[np.uint8]
    scale: float


def load_photo(path: Path) -> NDArray[np.uint8]:
    """The picture in a file, turned upright by its EXIF note.

    JPEG, PNG, WebP, GIF, BMP and TIFF in any colour mode are read; of an animation, the first
    frame. What is transparent becomes white.

    Returns:
        (height, width, 3), RGB.

    Raises:
        PhotoError: one of the kinds of this module; nothing is ever returned for a damaged file.
    """
    return _load(path, least_side=None).pixels


def load_reduced(path: Path, least_side: int = LEAST_SIDE) -> Photo:
    """The same, but a JPEG is decoded at a half, a quarter or an eighth where that suffices.

    It takes a third of the time and a fraction of the memory.

    Args:
        path: the file.
        least_side: pixels that the longer side keeps at least.

    Raises:
        PhotoError: as for `load_photo`.
    """
    return _load(path, least_side)


def _load(path: Path, least_side: int | None) -> Photo:
    data = _bytes_of(path)
    _check_signature(path, data)
    with _opened(path, data) as picture:
        _check_size(path, picture)
        width = picture.width
        try:
            if least_side is not None:
                share = least_side / max(picture.size)
                picture.draft(None, (int(picture.width * share), int(picture.height * share)))
            scale = width / picture.width
            ImageOps.exif_transpose(picture, in_place=True)
            return Photo(_pixels(picture), scale)
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise _damaged(path) from error


def _bytes_of(path: Path) -> bytes:
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            status = os.fstat(file.fileno())
            # a device such as /dev/zero has no size and no end
            size = status.st_size if stat.S_ISREG(status.st_mode) else LARGEST_BYTES
            data = file.read(min(size, LARGEST_BYTES) + 1)
    except FileNotFoundError as error:
        raise MissingPhotoError(
            f"there is no file {path}", "Check the name and the folder."
        ) from error
    except IsADirectoryError as error:
        raise PhotoIsFolderError(
            f"{path} is a folder, not a photo", "Give the names of the photos in it."
        ) from error
    except OSError as error:
        raise UnreadablePhotoError(
            f"{path} cannot be read: {error.strerror or error}",
            "Check the file's permissions and the disk.",
        ) from error
    if len(data) > LARGEST_BYTES:
        raise PhotoTooLargeError(
            f"{path} has more than {LARGEST_BYTES / 1e6:.0f} MB",
            "Export the photo as a JPEG of at most 24 megapixels.",
        )
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Of a pipe that nobody has open to write to, the end is reached at once."""
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


def _check_signature(path: Path, data: bytes) -> None:
    """Refuse what can be told from the bytes alone."""
    if not data:
        raise EmptyPhotoError(f"{path} is empty", "Copy the photo from the camera again.")
    is_heic = data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS
    if is_heic and ".heic" not in Image.registered_extensions():
        raise NotAPictureError(
            f"{path} is a HEIC picture, which is not read here",
            "Export it as JPEG; on an iPhone choose Settings, Camera, Formats, Most Compatible.",
        )
    if data.startswith(_JPEG) and not _reaches_end(data):
        raise _damaged(path)


def _reaches_end(jpeg: bytes) -> bool:
    """Whether the file's first picture has its end mark; Pillow reads zeros instead as grey.

    What follows is not looked at: phones append a depth map or a film.
    """
    place = 2
    while (marker := _MARKER.search(jpeg, place)) is not None:
        kind = jpeg[marker.end() - 1]
        if kind == _END_OF_IMAGE:
            return True
        place = marker.end() + int.from_bytes(jpeg[marker.end() : marker.end() + 2], "big")
    return False


def _opened(path: Path, data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            # `_check_size` sets the limit, lower than Pillow's error and above its warning
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(io.BytesIO(data))
    except Image.DecompressionBombError as error:
        raise _too_large(path) from error
    except UnidentifiedImageError as error:
        raise NotAPictureError(
            f"{path} is not a picture of a known format",
            "Give a JPEG, PNG or WebP file; its name alone does not make it one.",
        ) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise _damaged(path) from error


def _check_size(path: Path, picture: Image.Image) -> None:
    width, height = picture.size
    if width * height > LARGEST_PIXELS:
        raise _too_large(path, f" ({width}×{height})")
    if min(width, height) < SMALLEST_SIDE:
        raise PhotoTooSmallError(
            f"{path} has only {width}×{height} pixels",
            "Give the original photo, not its thumbnail: 1000 pixels a side read well.",
        )
    if max(width, height) > LONGEST_SHAPE * min(width, height):
        raise PhotoTooSmallError(
            f"{path} has {width}×{height} pixels: too narrow to show a tray",
            "Give a photo whose sides are more alike.",
        )


def _pixels(picture: Image.Image) -> NDArray[np.uint8]:
    if picture.mode.startswith("I") or picture.mode == "F":
        return _stretched(np.asarray(picture, np.float64), picture.mode)
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture)
    return _array_of(picture if picture.mode == "RGB" else picture.convert("RGB"))


def _array_of(picture: Image.Image) -> NDArray[np.uint8]:
    """The pixels of an RGB picture; taken at once they would lie in memory three times more."""
    pixels = np.empty((picture.height, picture.width, 3), np.uint8)
    for top in range(0, picture.height, _STRIP):
        low = min(top + _STRIP, picture.height)
        pixels[top:low] = np.asarray(picture.crop((0, top, picture.width, low)))
    return pixels


def _stretched(grey: NDArray[np.float64], mode: str) -> NDArray[np.uint8]:
    """Grey of 16 bits, or of floats of any range, as RGB of 8 bits."""
    low, high = (0.0, 65535.0) if mode.startswith("I") else (float(grey.min()), float(grey.max()))
    levels = (grey - low) * (255 / max(high - low, 1e-9))
    return np.repeat(np.clip(levels, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def _damaged(path: Path) -> DamagedPhotoError:
    return DamagedPhotoError(
        f"{path} is cut short or damaged", "Copy the photo from the camera again."
    )


def _too_large(path: Path, size: str = "") -> PhotoTooLargeError:
    return PhotoTooLargeError(
        f"{path} has too many pixels{size}: the limit is {LARGEST_PIXELS // 1_000_000} megapixels",
        "Export the photo at most 8000 pixels wide.",
    )
