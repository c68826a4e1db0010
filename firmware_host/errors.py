"""Exit codes, and what a user is told when something goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command; ``docs/exit-codes.md`` tells them to users."""

    DONE = 0
    OUR_FAULT = 1
    WRONG_USE = 2
    NOTHING_FOUND = 3
    DOUBTFUL = 4
    DEVICE_FAULT = 5
    UNUSABLE_FILE = 6
    STORAGE_FAULT = 7


DISK_ADVICE = "Look whether the disk is full and whether you may write there."
"""Where the system refuses to keep something."""


@dataclass(frozen=True)
class Complaint:
    """An error as the user gets it.

    Attributes:
        kind: a stable word for programs.
        message: what happened and why.
        advice: what to do.
        code: how the command ends.
    """

    kind: str
    message: str
    advice: str
    code: ExitCode

    def as_json(self) -> dict[str, str]:
        """The ``error`` object of the JSON output."""
        return {"kind": self.kind, "message": self.message, "advice": self.advice}


class CommandError(Exception):
    """Ends a command with a complaint."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(complaint.message)
        self.complaint = complaint


def wrong_use(kind: str, message: str, advice: str) -> CommandError:
    """An error in how the command was called: exit code 2."""
    return CommandError(Complaint(kind, message, advice, ExitCode.WRONG_USE))


def nothing_found(kind: str, message: str, advice: str) -> CommandError:
    """What was looked for did not turn up: exit code 3."""
    return CommandError(Complaint(kind, message, advice, ExitCode.NOTHING_FOUND))


def unusable_file(kind: str, message: str, advice: str) -> CommandError:
    """A file that cannot be used: exit code 6."""
    return CommandError(Complaint(kind, message, advice, ExitCode.UNUSABLE_FILE))


def complaint_of(error: Exception) -> Complaint | None:
    """What to tell the user of an error, or None where it is our fault.

    The rooms know no exit codes: this is the one place that gives each of their errors its own.
    """
    if isinstance(error, CommandError):
        return error.complaint
    kinds = (_of_devices, _of_words, _of_matches, _of_photos, _of_storage)
    return next((complaint for of in kinds if (complaint := of(error))), None)


def _of_devices(error: Exception) -> Complaint | None:
    from firmware_host.tesseract import TesseractError
    from hardware.devices import DeviceError
    from hardware.simulated.faults import FaultError
    from hardware.wiring import WiringError

    match error:
        case FaultError():
            return Complaint("fault_name", str(error), error.advice, ExitCode.WRONG_USE)
        case WiringError():
            return Complaint("wiring", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case DeviceError():
            kind = "device"
        case TesseractError():
            kind = "tesseract"
        case _:
            return None
    return Complaint(kind, str(error), error.advice, ExitCode.DEVICE_FAULT)


def _of_words(error: Exception) -> Complaint | None:
    from firmware_host.web.texts import TextsError
    from scoring.board import BoardError
    from scoring.cubes import UnknownCubeSetError
    from scoring.lexicon import LexiconError
    from scoring.rules import UnknownGameError
    from scoring.solution import SearchError
    from scoring.wordlist import WordListError

    match error:
        case BoardError():
            kind = "board"
            advice = "Write it as IETC/HQuPE/SEYH/TOER; one row of letters may need --size, as 3x4."
        case SearchError():
            kind = "board"
            advice = "Many like cubes do this with long words of like letters: leave those out."
        case UnknownCubeSetError():
            kind, advice = "unknown_edition", "Give one of these names to --cubes."
        case UnknownGameError():
            kind, advice = "unknown_game", "Give one of these names to --game."
        case LexiconError():
            return Complaint("lexicon", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case TextsError():
            return Complaint("texts", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case WordListError():
            return Complaint("word_list", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case _:
            return None
    return Complaint(kind, str(error), advice, ExitCode.WRONG_USE)


def _of_matches(error: Exception) -> Complaint | None:
    from scoring.match import MatchError, RuleError
    from scoring.rules.house import HouseRulesError
    from scoring.swoggle.board import LayoutError
    from scoring.tournament.log import EventError

    match error:
        case RuleError():
            return Complaint(error.kind, str(error), error.advice, ExitCode.WRONG_USE)
        case EventError():
            return Complaint("event_file", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case MatchError():
            return Complaint("match", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case HouseRulesError():
            return Complaint("house_rules", str(error), error.advice, ExitCode.UNUSABLE_FILE)
        case LayoutError():
            return Complaint("swoggle_board", str(error), error.advice, ExitCode.UNUSABLE_FILE)
    return None


def _of_photos(error: Exception) -> Complaint | None:
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

    match error:
        case (
            NoTrayError()
            | NoDiceError()
            | NoSwoggleBoardError()
            | NoSheetError()
            | SheetCutOffError()
            | NoPageError()
            | NoWritingError()
            | IllegibleError()
            | ProseError()
            | TrayNotPaperError()
        ):
            code = ExitCode.NOTHING_FOUND
        case WrongCubesError() | WrongRoundError():
            code = ExitCode.WRONG_USE
        case NotInstalledError():
            code = ExitCode.DEVICE_FAULT
        case VisionError():
            code = ExitCode.UNUSABLE_FILE
        case _:
            return None
    return Complaint(error.kind, str(error), error.advice, code)


def _of_storage(error: Exception) -> Complaint | None:
    from firmware_host.store.errors import BackupError, StorageError

    if isinstance(error, BackupError):
        return Complaint("backup", str(error), error.advice, ExitCode.UNUSABLE_FILE)
    if isinstance(error, StorageError):
        return Complaint("storage", str(error), error.advice, ExitCode.STORAGE_FAULT)
    if not isinstance(error, OSError):
        return None
    where = f" ({error.filename})" if error.filename else ""
    message = f"the system refused it: {error.strerror or error}{where}"
    advice = DISK_ADVICE
    if isinstance(error, FileExistsError | NotADirectoryError):
        advice = "Name a folder, not a file."
    return Complaint("storage", message, advice, ExitCode.STORAGE_FAULT)
