"""What commands print: documents and tables on standard output, everything else on the other."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape

from firmware_host.errors import Complaint


def _console(stream: TextIO) -> Console:
    return Console(file=stream, highlight=False, emoji=False, soft_wrap=not stream.isatty())


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
            sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        else:
            show(self.out)

    def complain(self, complaint: Complaint, subject: Mapping[str, str] | None = None) -> None:
        """An error: for people on standard error, for programs also as a document."""
        if self.json:
            document = {**(subject or {}), "error": complaint.as_json()}
            sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
        named = [value for value in (subject or {}).values() if value not in complaint.message]
        where = "".join(f"{value}: " for value in named) or "Error: "
        self.log.print(f"[bold red]{escape(where)}[/]{escape(complaint.message)}")
        self.log.print(f"  → {complaint.advice}", markup=False)
