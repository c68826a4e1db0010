"""What can go wrong between a file and a reading; each error says what to do about it."""

from __future__ import annotations


class VisionError(Exception):
    """Base of all errors of this room.

    Args:
        message: what happened and why, one sentence.
        advice: what the user can do, one sentence.
    """

    kind = "vision"

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class PhotoError(VisionError):
    """The file is missing, empty, no picture, damaged or too large."""

    kind = "unusable_photo"


class WrongCubesError(VisionError):
    """The cube set that was named cannot fill the tray in the photo."""

    kind = "wrong_cubes"


class NoTrayError(VisionError):
    """The photo is fine, but no tray was found in it."""

    kind = "no_tray"


class NoDiceError(VisionError):
    """The photo is fine, but no dice were found in it."""

    kind = "no_dice"


class NoSwoggleBoardError(VisionError):
    """The photo is fine, but no written board of the known print was found in it."""

    kind = "no_swoggle_board"


class NoSheetError(VisionError):
    """The photo is fine, but shows no printed word sheet."""

    kind = "no_sheet"


class SheetCutOffError(VisionError):
    """A word sheet is in the photo, but too little of it, or its code is needed and not seen."""

    kind = "sheet_cut_off"


class NoPageError(VisionError):
    """The photo is fine, but no sheet of paper was found in it."""

    kind = "no_page"


class NoWritingError(VisionError):
    """There is paper in the photo, but no written words are on it."""

    kind = "no_writing"


class IllegibleError(VisionError):
    """There are marks on the paper, but hardly any can be read as words."""

    kind = "illegible"


class ProseError(VisionError):
    """The page holds a text, and no list of words."""

    kind = "prose"


class TrayNotPaperError(VisionError):
    """The photo that should show a list shows a tray."""

    kind = "tray_not_paper"


class WrongRoundError(VisionError):
    """The word sheet is of another round."""

    kind = "wrong_round"


class NotInstalledError(VisionError):
    """A package that only this reading needs is not installed, or is damaged."""

    kind = "not_installed"
