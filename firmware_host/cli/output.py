"""What commands print: documents and tables on standard output, everything else on the other."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape

from firmware_host.errors import Complaint

_SURROGATE = "\\ud"
"""How JSON writes half a character; whole ones beyond 16 bits are written as two halves."""


class _PipeConsole(Console):
    """A console that leaves a closed pipe to `reporting`; Rich would end the command with 1."""

    def on_broken_pipe(self) -> None:
        """Pass the error on."""
        raise BrokenPipeError


def _console(stream: TextIO) -> Console:
    wrap = not stream.isatty()
    return _PipeConsole(file=stream, highlight=False, emoji=False, soft_wrap=wrap)


def shown(text: str) -> str:
    """What users wrote, safe for Rich markup and for terminals: no control characters."""
    return escape(
        "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    )


def time_text(at: float) -> str:
    """A moment, seconds since 1970, by the clock on the wall."""
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M:%S}"


@dataclass(frozen=True)
class Output:
    """The two streams of a command.

    Attributes:
        json: print one JSON document a line and nothing else on standard output.
        out: results for people.
        log: progress and messages, standard error.
    """

    json: bool
    out: Console
    log: Console

    @classmethod
    def standard(cls, *, json: bool) -> Output:
        """The process's own streams."""
        return cls(
            json,
            _console(sys.stdout),
            _console(sys.stderr),
        )

    def document(self, document: Mapping[str, Any], show: Callable[[Console], None]) -> None:
        """One result: ``document`` for programs, or ``show`` prints it for people."""
        if self.json:
            write_json(document)
        else:
            show(self.out)

    def complain(self, complaint: Complaint, subject: Mapping[str, str] | None = None) -> None:
        """An error: for people on standard error, for programs also as a document."""
        named = [value for value in (subject or {}).values() if value not in complaint.message]
        where = "".join(f"{value}: " for value in named) or "Error: "
        self.log.print(f"[bold red]{shown(where)}[/]{shown(complaint.message)}")
        self.log.print(f"  → {shown(complaint.advice)}")
        if self.json:
            write_json({**(subject or {}), "error": complaint.as_json()})


def write_json(document: Mapping[str, Any]) -> None:
    r"""Print a line of JSON, in ASCII: it survives any encoding.

    Of file names that are no UTF-8 the odd bytes are written out, as ``\udcfc``: what is no
    character most readers of JSON refuse.
    """
    line = json.dumps(document)
    if _SURROGATE in line:
        line = json.dumps(_whole_characters(document))
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _whole_characters(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case Mapping():
            return {key: _whole_characters(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_whole_characters(inner) for inner in value]
    return value
