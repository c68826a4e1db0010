"""The desk of a tournament: which round it is, what files mean for it, scores with lists."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware_host import lexicons
from firmware_host.errors import wrong_use
from firmware_host.files import read_given
from firmware_host.tournament_intake import Given
from firmware_host.tournaments import OpenEvent, promised
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.match import Event
from scoring.nominated import nominated
from scoring.players import composed
from scoring.tournament.judging import Judge
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from scoring.tournament.state import ROOM, Draw, Place, Round, Shown

LARGEST_PHOTO = 200_000_000
"""Bytes at most."""


def check_complete(log: Log) -> None:
    """See that all rounds before the one to be drawn have all their scores.

    An earlier one may lack some again: what was taken back, or called into question.

    Raises:
        CommandError: kind ``not_complete``.
    """
    lacking = incomplete(log)
    if lacking:
        played, missing = lacking[0]
        place, table = missing[0]
        message = (
            f"round {played.number} has no score for board {place} of table {table}"
            f"{f' and {len(missing) - 1} more' if len(missing) > 1 else ''}"
        )
        raise wrong_use("not_complete", message, "Enter it, with 0 for who was not there.")


def incomplete(log: Log) -> list[tuple[Round, list[Place]]]:
    """Rounds that have started and lack scores: first what is missing longest."""
    started = [played for played in log.state.rounds if played.started]
    lacking = [(played, list(played.missing(log.plan.boards))) for played in started]
    return [(played, missing) for played, missing in lacking if missing]


def round_of(log: Log, number: int | None) -> Round:
    """A round by its number; None is the last that was drawn.

    Raises:
        CommandError: it has not been drawn.
    """
    rounds = log.state.rounds
    if not rounds or (number is not None and number > len(rounds)):
        message = f"round {number or 1} has not been drawn"
        raise wrong_use("round", message, "Draw its tables: wordtray tournament pair")
    return rounds[-1] if number is None else rounds[number - 1]


def tables_of(log: Log, division: str) -> Draw | None:
    """The tables of a division in a round that was drawn and has not started."""
    waiting = [played for played in log.state.rounds if not played.started]
    return waiting[-1].draws.get(division) if waiting else None


def absent_of(log: Log, names: str) -> tuple[str, ...]:
    """Players by their names, commas between.

    Raises:
        CommandError: somebody is not enrolled, and would be drawn for all that.
    """
    absent = tuple(composed(name) for name in names.split(",") if name.strip())
    stranger = next((name for name in absent if name not in log.state.players), None)
    if stranger is not None:
        message = f"nobody called {stranger!r} is enrolled"
        raise wrong_use("unknown_player", message, "Look how they are written.")
    return absent


def results(played: Round, board: int, files: Sequence[Given], why: str | None) -> list[Event]:
    """The events of what files say, each table by itself.

    Args:
        played: the round.
        board: of the round.
        files: what they say.
        why: reason of a correction.

    Raises:
        CommandError: somebody sits at no table, or lists are of another board than the table's.
    """
    boards: dict[int, str] = {}
    events: list[Event] = []
    for given in files:
        for table, made in _by_table(played, given.lists or given.scores).items():
            place = {"round": played.number, "board": board, "table": table, **reason(why)}
            if not given.lists:
                events.append({"type": "scores", **place, "scores": made, "entered": True})
                continue
            if _is_new(given.board, played.shown(board, table), boards, table):
                events.append({"type": "board", **place, "shown": given.board})
            events.append({"type": "lists", **place, "lists": made})
    return events


def _by_table(played: Round, made: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    tables: dict[int, dict[str, Any]] = {}
    for player, value in made.items():
        name = composed(player)
        table = played.table_of.get(name, ROOM)
        if table == ROOM:
            message = f"{player!r} sits at no table in round {played.number}"
            raise wrong_use("unknown_player", message, "Look how they are written.")
        tables.setdefault(table, {})[name] = value
    return tables


def _is_new(text: str | None, shown: Shown | None, boards: dict[int, str], table: int) -> bool:
    """Whether a table is shown its board by these lists; else it must be the same."""
    if text is None:
        return False
    known = boards.get(table) if shown is None else shown.board
    board = str(Board.parse(text))
    if known not in {None, board}:
        message = f"the lists of table {table} are of another board: {board}"
        advice = f"Its board is {known}; look whether --board and --round are right."
        raise wrong_use("other_board", message, advice)
    boards[table] = board
    return known is None


def play_scored(
    event: OpenEvent, number: int, board: int, events: Sequence[Event], why: str | None
) -> None:
    """Play events and, at once with them, the scores that follow; all or none.

    Args:
        event: the tournament.
        number: of the round.
        board: of the round.
        events: what happened.
        why: reason of a correction.

    Raises:
        RuleError, OSError: as `OpenEvent.play`.
        LexiconError: the word list has other words than when the event began.
    """
    after = event.after(*events)
    played = after.state.rounds[number - 1]
    lists = any(place[0] == board for place in played.lists)
    judge = Judge(after.plan, _lexicon(after.plan)) if lists else None
    scores = judge.events(played, board, why or "") if judge else []
    event.play(*events, *scores)


def _lexicon(plan: Plan) -> Lexicon:
    """The nominated word list.

    Raises:
        LexiconError: it has other words now.
    """
    return nominated(plan.setup, lexicons.load)[0]


def board_to_show(
    name: str, given: str | None, number: int, board: int, table: int
) -> dict[str, str]:
    """The board of an event, and its salt where it is the one that was promised.

    Args:
        name: of the event.
        given: the board; None is the one that was promised.
        number: of the round.
        board: of the round.
        table: whose, or 0.

    Raises:
        CommandError: none was given, and none was promised here.
    """
    if given is not None:
        return {"shown": given}
    found = promised(name, place_of(number, board)) if table == ROOM else None
    if found is None:
        message = f"no board {board} of round {number} has been promised here"
        raise wrong_use("no_board", message, "Give the board, or promise one first.")
    return {"shown": found[0], "salt": found[1]}


def digest_of(photo: Path) -> str:
    """SHA-256 of a picture.

    Raises:
        CommandError: it cannot be read.
    """
    data = read_given(photo, LARGEST_PHOTO, "photo_missing", "photo")
    return hashlib.sha256(data).hexdigest()


def reason(why: str | None) -> dict[str, str]:
    """The reason of a correction, as events have it."""
    return {} if why is None else {"why": why}


def place_of(number: int, board: int) -> str:
    """What a promised board is kept under."""
    return f"{number}.{board}"
