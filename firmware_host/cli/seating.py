"""Options about who plays with whom, by which rules, that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from firmware_host.errors import wrong_use
from scoring.encoding import decode_number
from scoring.players import composed
from scoring.rules.house import shortened

Rules = Annotated[
    Path | None,
    typer.Option(
        "--rules", metavar="FILE", help="House rules: TOML, as docs/house-rules.md explains."
    ),
]
Teams = Annotated[
    list[str] | None,
    typer.Option("--team", metavar="NAME=A,B", help="A team and its players; once for each team."),
]
Handicaps = Annotated[
    list[str] | None,
    typer.Option(
        "--handicap",
        metavar="NAME=N",
        help="A player whose words may have N letters or more, other than those of the rest.",
    ),
]


def parse_teams(texts: list[str] | None) -> dict[str, tuple[str, ...]]:
    """The teams of ``NAME=A,B`` options.

    Raises:
        CommandError: one is not of that form, or a name comes twice.
    """
    teams: dict[str, tuple[str, ...]] = {}
    for text in texts or ():
        name, members = _halves(text, "team", "--team NAME=A,B, such as --team red=ann,bob")
        if name in teams:
            raise wrong_use("team", f"two teams are called {name!r}", "Rename one.")
        teams[name] = tuple(member.strip() for member in members.split(","))
    return teams


def parse_handicaps(texts: list[str] | None) -> dict[str, int]:
    """The handicaps of ``NAME=N`` options.

    Raises:
        CommandError: one is not of that form, or a name comes twice.
    """
    handicaps: dict[str, int] = {}
    for text in texts or ():
        usage = "--handicap NAME=N, such as --handicap kim=3"
        name, letters = _halves(text, "handicap", usage)
        number = decode_number(letters)
        if number is None:
            message = f"{shortened(letters)} is no number of letters"
            raise wrong_use("handicap", message, f"Write {usage}.")
        if name in handicaps:
            raise wrong_use("handicap", f"two handicaps for {name!r}", "Give one.")
        handicaps[name] = number
    return handicaps


def _halves(text: str, kind: str, usage: str) -> tuple[str, str]:
    name, equals, rest = (part.strip() for part in text.partition("="))
    if not (name and equals and rest):
        raise wrong_use(kind, f"{text!r} does not say who and what", f"Write {usage}.")
    return composed(name), rest
