"""Photos as files named by their content, so that no photo is ever overwritten by another."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from pathlib import Path

from firmware_host.files import write_whole
from hardware.devices import Photo

JPEG_QUALITY = 92

_NAME = re.compile(r"[a-z]+-([0-9a-f]{12,64})\.jpg")


@dataclass(frozen=True)
class PhotoFolder:
    """A folder of photos; made when the first photo comes.

    Args:
        folder: where they lie.
        digits: how much of the SHA-256 stands in a name: 12 for people, all 64 as a proof.
    """

    folder: Path
    digits: int = 12

    def save(self, photo: Photo, label: str = "photo") -> Path:
        """Have a photo on the disk and give its file: ``label``, a dash and the file's SHA-256.

        Raises:
            OSError: the folder cannot be written, or the disk is full.
        """
        from PIL import Image

        buffer = io.BytesIO()
        Image.fromarray(photo).save(buffer, "JPEG", quality=JPEG_QUALITY)
        data = buffer.getvalue()
        digest = hashlib.sha256(data).hexdigest()[: self.digits]
        file = self.folder / f"{label}-{digest}.jpg"
        if not is_intact(file):
            write_whole(file, (data,))
        return file


@dataclass(frozen=True)
class Pictures:
    """A folder for people: copies of the photos that are kept, under shorter names.

    Args:
        folder: where they lie.
    """

    folder: Path

    def shown(self, photo: Path) -> Path:
        """The copy of a photo; made where there is none yet.

        Raises:
            OSError: the photo cannot be read, or the copy cannot be written.
        """
        if photo.parent == self.folder:
            return photo
        label, _, digest = photo.stem.partition("-")
        copy = self.folder / f"{label}-{digest[:12]}.jpg"
        if not is_intact(copy):
            write_whole(copy, (photo.read_bytes(),))
        return copy


def is_photo_name(name: str) -> bool:
    """Whether a file of this name can be one of a `PhotoFolder`."""
    return bool(_NAME.fullmatch(name))


def is_intact(file: Path) -> bool:
    """Whether a photo is there, with the content that its name says."""
    named = _NAME.fullmatch(file.name)
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return False
    return bool(named and digest.startswith(named[1]))
