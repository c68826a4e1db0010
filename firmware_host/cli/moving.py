"""Asks before a motor moves: nobody's fingers may be in the tray."""

from __future__ import annotations

import sys
from collections.abc import Callable

from firmware_host.cli.output import Output
from firmware_host.errors import CommandError, wrong_use

Ask = Callable[[str], bool]
"""Asks a person, and tells whether the answer was yes."""


def can_be_asked(output: Output) -> bool:
    """Whether somebody sits there: not where a program listens, or the input is no terminal."""
    return not output.json and sys.stdin.isatty()


def asking(output: Output, *, yes: bool) -> Ask:
    """Asks at the terminal; where there is none, or a program listens, nobody says yes."""

    def ask(question: str) -> bool:
        if yes:
            return True
        if not can_be_asked(output):
            return False
        output.log.print(question, end="", markup=False)
        return sys.stdin.readline().strip().lower() in {"y", "yes"}

    return ask


def nobody_to_ask(advice: str) -> CommandError:
    """Wrong use: the motor is to move, and nobody can say that it may."""
    message = "nobody is there to be asked whether the motor may move: nothing was moved"
    return wrong_use("move", message, advice)
