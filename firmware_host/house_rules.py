"""House rules from a TOML file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from firmware_host.errors import unusable_file, wrong_use
from scoring.encoding import decode_text
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
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        raise unusable_file("house_rules", message, "Check its name and your rights.") from None
    if len(data) > LARGEST_FILE:
        message = f"{file} is over {LARGEST_FILE:,} bytes long, which is more than house rules"
        raise unusable_file("house_rules", message, "Look whether this is the right file.")
    try:
        return tomllib.loads(decode_text(data, HouseRulesError))
    except HouseRulesError as error:
        raise HouseRulesError(f"{file}: {error}", error.advice) from None
    except tomllib.TOMLDecodeError as error:
        raise HouseRulesError(
            f"{file} is no TOML: {error}", "Mend that line; docs/house-rules.md has an example."
        ) from None


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
    sections = {} if file is None else read(file)
    try:
        base = _base(base_name(sections), name, otherwise)
        return house_game(sections, base)
    except HouseRulesError as error:
        raise HouseRulesError(f"{file}: {error}", error.advice) from None


def _base(written: str | None, name: str | None, otherwise: Game) -> Game:
    if written and name and written != name:
        raise wrong_use(
            "game",
            f"--game says {name}, and the house rules begin with {written}",
            "Leave --game out, or change base under [game].",
        )
    named = written or name
    return game(named) if named else otherwise
