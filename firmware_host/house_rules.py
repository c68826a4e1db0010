"""House rules from a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_host.errors import wrong_use
from firmware_host.files import read_given
from scoring.encoding import decode_number, decode_toml
from scoring.rules import Game, game
from scoring.rules.house import HouseRulesError, base_name, house_game

LARGEST_FILE = 100_000
"""Bytes at most: house rules are a page."""


def read(file: Path) -> dict[str, Any]:
    """The sections of a file of house rules; whether they are sound is seen when they are used.

    Raises:
        CommandError: the file cannot be read.
        HouseRulesError: it is no TOML in UTF-8.
    """
    data = read_given(file, LARGEST_FILE, "house_rules", "house rules")
    try:
        return decode_toml(
            data, HouseRulesError, "Mend that line; docs/house-rules.md has an example."
        )
    except HouseRulesError as error:
        raise error.of_file(str(file)) from None


def agreed_game(file: Path | None, name: str | None, otherwise: Game) -> Game:
    """The game of the options ``--game`` and ``--rules``.

    Args:
        file: house rules, if there are any.
        name: of the game, if it was named.
        otherwise: the game where neither names one.

    Raises:
        CommandError: the file cannot be read, or names another game.
        HouseRulesError: it is not sound.
        UnknownGameError: no such game.
    """
    base, sections = agreed_sections(file, name, otherwise.name)
    return house_game(sections, game(base))


def agreed_sections(
    file: Path | None, name: str | None, otherwise: str
) -> tuple[str, dict[str, Any]]:
    """Name of the game that is played, and the house rules that change it.

    Raises:
        CommandError, HouseRulesError, UnknownGameError: as `agreed_game`.
    """
    if file is None:
        return name or otherwise, {}
    sections = read(file)
    try:
        written = base_name(sections)
        base = _one_of(written, name) or otherwise
        house_game(sections, game(base))
    except HouseRulesError as error:
        raise error.of_file(str(file)) from None
    return base, sections


def with_penalty(
    sections: dict[str, Any], base: str, penalty: str | None, free_errors: int | None
) -> dict[str, Any]:
    """House rules with what the options say of the penalty.

    Args:
        sections: the house rules.
        base: the game that they change; in Boggle Ultimate each rejected word is charged.
        penalty: a number, ``"word"``, or None where the option is not given.
        free_errors: how many, or None.

    Raises:
        CommandError: the penalty is neither.
    """
    given: dict[str, Any] = {}
    if penalty is not None:
        points = penalty if penalty == "word" else decode_number(penalty)
        if points is None:
            message = f"{penalty!r} is no penalty"
            raise wrong_use("penalty", message, "Give a number of points, or word.")
        given["penalty"] = points
        if game(base).conduct.open_ended:
            given["charge"] = "rejected"
    if free_errors is not None:
        given["free_errors"] = free_errors
    if not given:
        return sections
    return sections | {"challenge": sections.get("challenge", {}) | given}


def _one_of(written: str | None, name: str | None) -> str | None:
    if written and name and written != name:
        raise wrong_use(
            "game",
            f"--game says {name}, and the house rules begin with {written}",
            "Leave --game out, or change base under [game].",
        )
    return written or name
