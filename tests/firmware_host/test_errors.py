"""Every error of a room has its exit code and its advice."""

from __future__ import annotations

import errno
import importlib
import pkgutil
from pathlib import Path

import pytest

import vision
from firmware_host.errors import ExitCode, complaint_of, wrong_use
from firmware_host.web.texts import TextsError
from hardware.devices import DeviceError
from scoring.board import BoardError
from scoring.cubes import UnknownCubeSetError
from scoring.lexicon import LexiconError
from scoring.rules import UnknownGameError
from scoring.wordlist import WordListError
from vision.errors import (
    IllegibleError,
    NoDiceError,
    NoPageError,
    NoSheetError,
    NoSwoggleBoardError,
    NotInstalledError,
    NoTrayError,
    NoWritingError,
    ProseError,
    SheetCutOffError,
    TrayNotPaperError,
    VisionError,
    WrongCubesError,
    WrongRoundError,
)

SHOW_SOMETHING_ELSE = (
    *(NoTrayError, NoDiceError, NoSwoggleBoardError, NoSheetError, SheetCutOffError),
    *(NoPageError, NoWritingError, IllegibleError, ProseError, TrayNotPaperError),
)


def vision_errors(base: type[VisionError] = VisionError) -> set[type[VisionError]]:
    """All classes of error that the modules of vision define, the base left out."""
    for module in pkgutil.iter_modules(vision.__path__, "vision."):
        importlib.import_module(module.name)
    direct = base.__subclasses__()
    return set(direct).union(*(vision_errors(error) for error in direct))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BoardError("15 faces"), ExitCode.WRONG_USE),
        (UnknownCubeSetError("no cube set"), ExitCode.WRONG_USE),
        (UnknownGameError("no game"), ExitCode.WRONG_USE),
        (wrong_use("size", "no size", "Write 3x4."), ExitCode.WRONG_USE),
        (LexiconError("missing", "Look."), ExitCode.UNUSABLE_FILE),
        (WordListError("UTF-16", "Convert it."), ExitCode.UNUSABLE_FILE),
        (TextsError("no such text", "Mend it."), ExitCode.UNUSABLE_FILE),
        (DeviceError("camera", "no picture", "Check its cable."), ExitCode.DEVICE_FAULT),
        (OSError(errno.ENOSPC, "No space left on device", "photo.jpg"), ExitCode.STORAGE_FAULT),
    ],
)
def test_errors_of_the_rooms_have_their_codes(error: Exception, code: ExitCode) -> None:
    complaint = complaint_of(error)
    assert complaint is not None
    assert complaint.code is code
    assert complaint.message
    assert complaint.advice.endswith(".")


def test_photos_are_unusable_files_unless_they_only_show_something_else() -> None:
    errors = vision_errors()
    assert len(errors) > 5
    for error in errors:
        complaint = complaint_of(error("what happened", "What to do."))
        assert complaint is not None
        other: dict[type[VisionError], ExitCode] = dict.fromkeys(
            SHOW_SOMETHING_ELSE, ExitCode.NOTHING_FOUND
        ) | {
            WrongCubesError: ExitCode.WRONG_USE,
            WrongRoundError: ExitCode.WRONG_USE,
            NotInstalledError: ExitCode.DEVICE_FAULT,
        }
        codes = [code for base, code in other.items() if issubclass(error, base)]
        assert [complaint.code] == (codes or [ExitCode.UNUSABLE_FILE])


def test_kinds_of_photo_errors_are_distinct() -> None:
    kinds = [error.kind for error in vision_errors()]
    assert len(set(kinds)) == len(kinds)


def test_every_kind_of_photo_error_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "exit-codes.md").read_text("utf-8")
    final = [error for error in vision_errors() if not error.__subclasses__()]
    assert [error.kind for error in final if f"`{error.kind}`" not in page] == []


def test_anything_else_is_our_fault() -> None:
    assert complaint_of(ZeroDivisionError()) is None
