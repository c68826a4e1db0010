"""What an examination finds, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from firmware_host.errors import ExitCode, complaint_of


class Grade(StrEnum):
    """How well it stands with a thing."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True)
class Finding:
    """One thing examined.

    Attributes:
        subject: what was examined.
        grade: how it stands; `Grade.NONE` for what is not here and need not be, or was not tried.
        text: what was found.
        advice: what to do, empty where nothing need be done.
        code: how the command ends where it fails.
    """

    subject: str
    grade: Grade
    text: str
    advice: str = ""
    code: ExitCode = ExitCode.OUR_FAULT

    @property
    def ok(self) -> bool | None:
        """False where it fails, None for `Grade.NONE`."""
        return None if self.grade is Grade.NONE else self.grade is not Grade.FAIL

    def as_json(self) -> dict[str, str | bool | None]:
        """A line of ``doctor --json``."""
        return {
            "subject": self.subject,
            "grade": str(self.grade),
            "ok": self.ok,
            "text": self.text,
            "advice": self.advice,
        }


Check = tuple[str, Callable[[], Finding]]
"""A subject, and what examines it."""


def carried_out(checks: Iterable[Check]) -> Iterator[Finding]:
    """The findings of some checks, one after the other."""
    for subject, check in checks:
        yield guarded(subject, check)


def guarded(subject: str, check: Callable[[], Finding]) -> Finding:
    """A check that breaks is itself a finding: the others must still run."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - a broken check is what a doctor looks for
        return failed(subject, error)


def failed(subject: str, error: Exception) -> Finding:
    """The finding of an error, with its advice."""
    complaint = complaint_of(error)
    if complaint is None:
        text = f"{type(error).__name__}: {error}"
        advice = "This is our fault: please report it, with the file of --bundle FILE.zip."
        return Finding(subject, Grade.FAIL, text, advice)
    text = complaint.message.removeprefix(f"{subject}: ")
    return Finding(subject, Grade.FAIL, text, complaint.advice, complaint.code)
