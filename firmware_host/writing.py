"""How lists on paper are written, and what reads them; light, as the command line needs it."""

from __future__ import annotations

from enum import StrEnum


class Writing(StrEnum):
    """How words are written, as the user says."""

    AUTO = "auto"
    HAND = "hand"
    PRINTED = "printed"


class ReadBy(StrEnum):
    """What has read a list: the net of letter boxes, that of handwriting, or Tesseract."""

    BOXES = "boxes"
    HAND = "hand"
    TESSERACT = "tesseract"
