"""Files that a tournament takes in: players, tables by hand, points, lists."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_host.errors import unusable_file
from firmware_host.files import read_given
from scoring.encoding import TextError, decode_number, decode_text
from scoring.match import Event, RuleError
from scoring.referee import Verdict
from scoring.tournament.log import Log

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


def enrolments(file: Path, log: Log, of: Event = MappingProxyType({})) -> list[Event]:
    """The events that enrol the players of a CSV file: name, division, rating, team.

    The first line names the columns, in any order; of those only ``name`` must be there.

    Args:
        file: the file.
        log: the event that they are for.
        of: what counts where a line does not say it, as the division.

    Raises:
        CommandError: the file cannot be read, or a line says nothing that can be used.
    """
    return enrolments_of(str(file), _text(file), log, of)


def enrolments_of(file: str, text: str, log: Log, of: Event = MappingProxyType({})) -> list[Event]:
    """The same, of the text of a file of that name.

    Raises:
        CommandError: a line says nothing that can be used.
    """
    rows = _rows(file, text, PLAYER_COLUMNS, "name")
    found = [(number, {**of, **_enrolment(file, number, row)}) for number, row in rows]
    _check_lines(file, log, found)
    return [event for _, event in found]


def _check_lines(file: str, log: Log, found: Iterable[tuple[int, Event]]) -> None:
    """See that the event takes every line; one that it refuses is named."""
    for number, event in found:
        try:
            log = log.play(0.0, event)
        except RuleError as error:
            message = f"line {number} of {file}: {error}"
            raise unusable_file(error.kind, message, error.advice) from None


def tables(file: Path) -> list[list[str]]:
    """Tables by hand: a line a table, names with commas between.

    Raises:
        CommandError: the file cannot be read, or has no table.
    """
    rows = _cells(str(file), _text(file), ",")
    found = [[cell for cell in row if cell] for _, row in rows]
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
    found = _from_csv(file) if file.suffix.lower() == ".csv" else _from_document(file)
    if not found.lists and not found.scores:
        raise unusable_file("results", f"{file} names no player", "Give all of a table.")
    return found


def _from_document(file: Path) -> Given:
    try:
        document = json.loads(_text(file))
        lists = {
            str(player["name"]): _lines(file, player["words"]) for player in document["players"]
        }
        return Given(str(document["board"]), lists, {})
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        message = f"{file} is no document of score --json"
        advice = "Give what score --json printed, or a .csv file with player and points."
        raise unusable_file("results", message, advice) from error


def _lines(file: Path, words: Sequence[Mapping[str, Any]]) -> list[str]:
    """What stands on a list: not what was crossed out, and nothing that is still asked."""
    for word in words:
        if word.get("verdict") == Verdict.DOUBTFUL:
            message = f"{file} has a word that is not settled: {word['word']}, {word.get('reason')}"
            raise unusable_file("results", message, "Settle it by score --review, and enter that.")
    return [str(word["word"]) for word in words if word.get("verdict") != Verdict.STRUCK]


def _from_csv(file: Path) -> Given:
    lists: dict[str, list[str]] = {}
    scores: dict[str, dict[str, Any]] = {}
    named = str(file)
    for number, row in _rows(named, _text(file), SCORE_COLUMNS, "player"):
        _check_once(named, number, row, {**lists, **scores})
        if row.get("words") is not None and not row.get("points"):
            lists[row["player"]] = row["words"].split()
            continue
        points = _points(named, number, row.get("points", ""))
        scores[row["player"]] = {"points": points, "lengths": _lengths(named, number, row)}
    if lists and scores:
        message = f"{file} gives words of some and points of others"
        raise unusable_file("results", message, "Give one of the two for a whole file.")
    return Given(None, lists, scores)


def _check_once(file: str, number: int, row: dict[str, str], before: dict[str, Any]) -> None:
    """See that a line says one thing of somebody of whom no line before says anything."""
    if row["player"] in before:
        message = f"line {number} of {file} names {row['player']} again"
        raise unusable_file("results", message, "Keep one line for each player.")
    if row.get("words") and row.get("points"):
        message = f"line {number} of {file} gives words and points of {row['player']}"
        raise unusable_file("results", message, "Give one of the two: words are scored.")


def _lengths(file: str, number: int, row: dict[str, str]) -> list[int]:
    texts = row.get("lengths", "").split()
    lengths = [length for text in texts if (length := decode_number(text))]
    if len(lengths) < len(texts):
        message = f"line {number} of {file} has no lengths: {row['lengths']!r}"
        advice = "Write the letters of each scoring word, spaces between: 5 3 3"
        raise unusable_file("results", message, advice)
    return lengths


def _points(file: str, number: int, text: str) -> int:
    value = decode_number(text.removeprefix("-"))
    if value is None:
        message = f"line {number} of {file} has no points: {text!r}"
        raise unusable_file("results", message, "Write a whole number.")
    return -value if text.startswith("-") else value


def _enrolment(file: str, number: int, row: dict[str, str]) -> Event:
    event: dict[str, Any] = {"type": "enrol", "player": row["name"]}
    event |= {name: row[name] for name in ("division", "team") if row.get(name)}
    if row.get("rating"):
        rating = decode_number(row["rating"])
        if rating is None:
            message = f"line {number} of {file} has no rating: {row['rating']!r}"
            raise unusable_file("players", message, "Write a whole number, or nothing.")
        event["rating"] = rating
    return event


def _rows(
    file: str, text: str, columns: Sequence[str], needed: str
) -> Iterable[tuple[int, dict[str, str]]]:
    """The lines of a CSV file by the names of its columns, and their numbers.

    Empty lines are passed over. What no column is for, or belongs to nobody, is never dropped.
    """
    head, _, _ = text.partition("\n")
    rows = _cells(file, text, ";" if ";" in head else ",")
    named = [cell.lower() for cell in next(rows, (1, []))[1]]
    _check_columns(file, named, columns, needed)
    for number, row in rows:
        if any(row):
            yield number, _by_column(file, number, named, row, needed)


def _check_columns(file: str, named: Sequence[str], columns: Sequence[str], needed: str) -> None:
    strange = next((name for name in named if name not in columns), None)
    twice = next((name for name in named if named.count(name) > 1), None)
    if strange is None and twice is None and needed in named:
        return
    what = f"the column {twice!r} twice" if twice is not None else f"no column {needed!r}"
    what = what if strange is None else f"a column {strange!r}"
    advice = f"Begin it with a line of these: {','.join(columns)}"
    raise unusable_file("columns", f"{file} has {what}", advice)


def _by_column(
    file: str, number: int, named: Sequence[str], row: Sequence[str], needed: str
) -> dict[str, str]:
    if any(row[len(named) :]):
        message = f"line {number} of {file} has more cells than there are columns"
        advice = 'Put what has a comma in it into "…"; words of a list have spaces between.'
        raise unusable_file("columns", message, advice)
    cells = dict(zip(named, row, strict=False))
    if not cells.get(needed):
        message = f"line {number} of {file} has no {needed}"
        raise unusable_file("columns", message, "Write whose line it is, or take it out.")
    return cells


def _cells(file: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV text, one space for any white in a cell, and the lines they end in."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            yield reader.line_num, [" ".join(cell.split()) for cell in row]
    except csv.Error as error:
        message = f"line {reader.line_num} of {file} cannot be read: {error}"
        raise unusable_file("file", message, 'Look for a lone " before it.') from error


def _text(file: Path) -> str:
    return text_of(str(file), read_given(file, LARGEST_FILE, "file", "file of a tournament"))


def text_of(file: str, data: bytes) -> str:
    """What the bytes of a file say.

    Raises:
        CommandError: they are no text.
    """
    try:
        return decode_text(data, TextError)
    except TextError as error:
        named = error.of_file(file)
        raise unusable_file("file", str(named), named.advice) from None
