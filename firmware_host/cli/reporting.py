"""Around every command: errors become messages with advice, and exit codes."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import typer

from firmware_host.cli.output import Output
from firmware_host.errors import Complaint, ExitCode, complaint_of

Made = TypeVar("Made")

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


@contextmanager
def reporting(*, json: bool) -> Iterator[Output]:
    """Run a command's body; whatever it raises ends as a message, an advice and an exit code."""
    output = Output.standard(json=json)
    try:
        yield output
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        output.log.print("Stopped.")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        abandon_results()  # whoever read them has seen enough
        raise typer.Exit(ExitCode.DONE) from None
    except Exception as error:  # noqa: BLE001 - the edge: whatever is left is our fault, and said
        complaint = complaint_of(error) or _our_fault(error)
        try:
            output.complain(complaint)
            sys.stdout.flush()
        except OSError:
            abandon_results()  # a full disk: the message is out, the results cannot be
        raise typer.Exit(complaint.code) from None


def attempt(
    output: Output, subject: Mapping[str, str], make: Callable[[], Made]
) -> tuple[Made | None, ExitCode]:
    """What is made of one of several things; a failure is told and does not hide the others.

    Args:
        output: the command's streams.
        subject: what it is about, as in `Output.complain`.
        make: makes it.

    Returns:
        It and 0; or None and the code of the complaint.
    """
    try:
        return make(), ExitCode.DONE
    except Exception as error:
        complaint = complaint_of(error)
        if complaint is None:
            raise
        output.complain(complaint, subject)
        return None, complaint.code


def abandon_results() -> None:
    """Let go of standard output; Python would complain once more at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _our_fault(error: Exception) -> Complaint:
    report = _write_report(error)
    message = f"an unexpected error, {type(error).__name__}: {error}"
    advice = f"This is our fault. Please report it with the file {report}."
    return Complaint("unexpected", message, advice, ExitCode.OUR_FAULT)


def _write_report(error: Exception) -> Path:
    lines = (
        f"command: {sys.argv}",
        f"python: {sys.version}",
        f"system: {platform.platform()}",
        "",
        *traceback.format_exception(error),
    )
    with tempfile.NamedTemporaryFile(
        "w", prefix="wordtray-report-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write("\n".join(lines))
    return Path(file.name)
