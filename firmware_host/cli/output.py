"""What commands print: documents and tables on standard output, everything else on the other."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from firmware_host.errors import Complaint


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
            Console(file=sys.stdout, highlight=False, soft_wrap=True),
            Console(file=sys.stderr, highlight=False, soft_wrap=True),
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
        where = "".join(f"{value}: " for value in (subject or {}).values())
        self.log.print(f"[bold red]{where}[/]{complaint.message}", markup=True)
        self.log.print(f"  → {complaint.advice}", markup=False)
