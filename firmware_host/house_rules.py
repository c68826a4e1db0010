"""House rules from a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firmware_host.errors import wrong_use
from firmware_host.files import read_given
from scoring.encoding import decode_number, decode_toml
from scoring.rules import Game, game
from scoring.rules.house import (
    MOST_FREE,
    MOST_POINTS,
    HouseRulesError,
    base_name,
    house_game,
    shortened,
)

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
        _check_family(game(base))
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
        base: the game that they change.
        penalty: a number, ``"word"``, or None where the option is not given.
        free_errors: how many, or None.

    Raises:
        CommandError: they are out of bounds, or errors are free of no penalty.
    """
    given = _penalty_key(penalty) | _free_key(free_errors)
    if not given:
        return sections
    changed = sections | {"challenge": sections.get("challenge", {}) | given}
    if free_errors is not None and house_game(changed, game(base)).conduct.penalty.points == 0:
        message = "free errors are free of a penalty, and none was agreed on"
        raise wrong_use("penalty", message, "Give --penalty too, or leave --free-errors out.")
    return changed


def _penalty_key(penalty: str | None) -> dict[str, Any]:
    if penalty is None:
        return {}
    points = penalty if penalty == "word" else decode_number(penalty)
    if points is None or (points != "word" and points not in range(MOST_POINTS + 1)):
        advice = f"Give --penalty a number of points from 0 to {MOST_POINTS}, or word."
        raise wrong_use("penalty", f"{shortened(penalty)} is no penalty", advice)
    return {"penalty": points}


def _free_key(free_errors: int | None) -> dict[str, Any]:
    if free_errors is None:
        return {}
    if free_errors not in range(MOST_FREE + 1):
        advice = f"Give --free-errors a number from 0 to {MOST_FREE}."
        raise wrong_use("penalty", f"{free_errors} errors cannot be free", advice)
    return {"free_errors": free_errors}


def _check_family(base: Game) -> None:
    if base.letter_values:
        message = f"house rules change games of the Boggle family, not {base.title}"
        raise wrong_use("game", message, "Leave --rules or --game out.")


def _one_of(written: str | None, name: str | None) -> str | None:
    if written and name and written != name:
        raise wrong_use(
            "game",
            f"--game says {name}, and the house rules begin with {written}",
            "Leave --game out, or change base under [game].",
        )
    return written or name
