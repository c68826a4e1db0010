"""Files that a tournament takes in: players, tables by hand, points, lists."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.errors import CommandError, unusable_file
from firmware_host.files import read_given
from scoring.encoding import TextError, decode_number, decode_text
from scoring.match import Event

LARGEST_FILE = 8_000_000
"""Bytes at most."""

PLAYER_COLUMNS = ("name", "division", "rating", "team")
SCORE_COLUMNS = ("player", "points", "lengths", "words")


@dataclass(frozen=True)
class Given:
    """What a file says of a board.

    Attributes:
        board: in the notation, where it says so.
        lists: lines by player; empty where it gives points.
        scores: points and lengths by player; empty where it gives lists.
    """

    board: str | None
    lists: dict[str, list[str]]
    scores: dict[str, dict[str, Any]]


def enrolments(file: Path) -> list[Event]:
    """The events that enrol the players of a CSV file: name, division, rating, team.

    The first line names the columns, in any order; of those only ``name`` must be there.

    Raises:
        CommandError: the file cannot be read, or a line says nothing that can be used.
    """
    return [_enrolment(file, number, row) for number, row in _rows(file, PLAYER_COLUMNS, "name")]


def tables(file: Path) -> list[list[str]]:
    """Tables by hand: a line a table, names with commas between.

    Raises:
        CommandError: the file cannot be read, or has no table.
    """
    lines = csv.reader(_text(file).splitlines())
    found = [[cell.strip() for cell in row if cell.strip()] for row in lines]
    kept = [table for table in found if table]
    if not kept:
        raise unusable_file("tables", f"{file} has no table", "Write a table a line: ann,bob")
    return kept


def given(file: Path) -> Given:
    """What was made of a board: a document of ``score --json``, or a CSV file.

    The columns of the CSV file are ``player`` and ``points``, perhaps ``lengths`` (letters of the
    scoring words, spaces between), or ``player`` and ``words`` (spaces between).

    Raises:
        CommandError: the file cannot be read, or is neither.
    """
    if file.suffix.lower() == ".csv":
        return _from_csv(file)
    try:
        document = json.loads(_text(file))
        lists = {
            str(player["name"]): [str(word["word"]) for word in player["words"]]
            for player in document["players"]
        }
        return Given(str(document["board"]), lists, {})
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"{file} is no document of score --json"
        advice = "Give what score --json printed, or a .csv file with player and points."
        raise unusable_file("results", message, advice) from error


def _from_csv(file: Path) -> Given:
    lists: dict[str, list[str]] = {}
    scores: dict[str, dict[str, Any]] = {}
    for number, row in _rows(file, SCORE_COLUMNS, "player"):
        if row.get("words") is not None and not row.get("points"):
            lists[row["player"]] = row["words"].split()
            continue
        points = _points(file, number, row.get("points", ""))
        lengths = [decode_number(text) or 0 for text in row.get("lengths", "").split()]
        scores[row["player"]] = {"points": points, "lengths": lengths}
    if lists and scores:
        message = f"{file} gives words of some and points of others"
        raise unusable_file("results", message, "Give one of the two for a whole file.")
    return Given(None, lists, scores)


def _points(file: Path, number: int, text: str) -> int:
    value = decode_number(text.removeprefix("-"))
    if value is None:
        message = f"line {number} of {file} has no points: {text!r}"
        raise unusable_file("results", message, "Write a whole number.")
    return -value if text.startswith("-") else value


def _enrolment(file: Path, number: int, row: dict[str, str]) -> Event:
    event: dict[str, Any] = {"type": "enrol", "player": row["name"]}
    event |= {name: row[name] for name in ("division", "team") if row.get(name)}
    if row.get("rating"):
        rating = decode_number(row["rating"])
        if rating is None:
            message = f"line {number} of {file} has no rating: {row['rating']!r}"
            raise unusable_file("players", message, "Write a whole number, or nothing.")
        event["rating"] = rating
    return event


def _rows(file: Path, columns: Sequence[str], needed: str) -> Iterable[tuple[int, dict[str, str]]]:
    """The lines of a CSV file by the names of its columns, and their numbers."""
    text = _text(file)
    head, _, _ = text.partition("\n")
    reader = csv.reader(text.splitlines(), delimiter=";" if ";" in head else ",")
    named = [cell.strip().lower() for cell in next(reader, [])]
    strange = [name for name in named if name not in columns]
    if needed not in named or strange:
        what = f"a column {strange[0]!r}" if strange else f"no column {needed!r}"
        message = f"{file} has {what}"
        advice = f"Begin it with a line of these: {','.join(columns)}"
        raise unusable_file("columns", message, advice)
    for number, row in enumerate(reader, 2):
        cells = dict(zip(named, (" ".join(cell.split()) for cell in row), strict=False))
        if cells.get(needed):
            yield number, cells


def _text(file: Path) -> str:
    data = read_given(file, LARGEST_FILE, "file", "file of a tournament")
    try:
        return decode_text(data, TextError)
    except TextError as error:
        message, advice = str(error.of_file(str(file))), error.of_file(str(file)).advice
        raise _unreadable(message, advice) from None


def _unreadable(message: str, advice: str) -> CommandError:
    return unusable_file("file", message, advice)
