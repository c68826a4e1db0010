"""Photos as files named by what they show, so that no photo is ever overwritten by another."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hardware.devices import Photo

JPEG_QUALITY = 92


@dataclass(frozen=True)
class PhotoFolder:
    """A folder of photos; made when the first photo comes.

    Args:
        folder: where they lie.
    """

    folder: Path

    def save(self, photo: Photo, label: str = "photo") -> Path:
        """Write a photo and give its file: ``label``, a dash and the start of its SHA-256.

        Raises:
            OSError: the folder cannot be written, or the disk is full.
        """
        from PIL import Image

        digest = hashlib.sha256(photo.tobytes()).hexdigest()[:12]
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{label}-{digest}.jpg"
        Image.fromarray(photo).save(file, quality=JPEG_QUALITY)
        return file
