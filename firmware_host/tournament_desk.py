"""The desk of a tournament: which round it is, what files mean for it, scores with lists."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_host import lexicons
from firmware_host.errors import unusable_file, wrong_use
from firmware_host.files import read_given
from firmware_host.tournament_intake import Given
from firmware_host.tournaments import OpenEvent, promised
from scoring.board import Board, BoardError
from scoring.lexicon import Lexicon
from scoring.match import Event
from scoring.nominated import nominated
from scoring.players import composed
from scoring.tournament.judging import Judge
from scoring.tournament.log import Log, taken_back
from scoring.tournament.plan import Plan
from scoring.tournament.state import ROOM, Draw, Place, Round, Shown, Status

LARGEST_PHOTO = 200_000_000
"""Bytes at most."""

NAME = "NAME"
"""Stands in an advice where the event's is not known."""


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


def incomplete(log: Log, upto: int | None = None) -> list[tuple[Round, list[Place]]]:
    """Rounds that have started and lack scores: first what is missing longest.

    Args:
        log: the event.
        upto: the last round that is looked at; None is all.
    """
    started = [played for played in log.state.rounds[:upto] if played.started]
    lacking = [(played, list(played.missing(log.plan.boards))) for played in started]
    return [(played, missing) for played, missing in lacking if missing]


def round_of(log: Log, number: int | None, name: str = NAME) -> Round:
    """A round by its number; None is the last that was drawn. An advice has the event's name.

    Raises:
        CommandError: it has not been drawn.
    """
    rounds = log.state.rounds
    if not rounds or (number is not None and number > len(rounds)):
        message = f"round {number or 1} has not been drawn"
        raise wrong_use("round", message, f"Draw its tables: wordtray tournament pair {name}")
    return rounds[-1] if number is None else rounds[number - 1]


def check_round(log: Log, number: int | None) -> None:
    """See that standings can be told as they were after a round.

    Raises:
        CommandError: it has not been drawn.
    """
    drawn = len(log.state.rounds)
    if number is not None and number > drawn:
        message = f"round {number} has not been drawn"
        raise wrong_use("round", message, f"Give 0 to {drawn}.")


def tables_of(log: Log, division: str) -> Draw | None:
    """The tables of a division in a round that was drawn and has not started."""
    waiting = [played for played in log.state.rounds if not played.started]
    return waiting[-1].draws.get(division) if waiting else None


def unsettled(log: Log) -> list[str]:
    """What the tables of a round that has not started yet do not know of, in words.

    A bye that was asked for, a player who has left or come: all after the tables were drawn.
    """
    waiting = [played for played in log.state.rounds if not played.started and played.draws]
    return [text for played in waiting for text in _unsettled(log, played)]


def _unsettled(log: Log, played: Round) -> Iterator[str]:
    named = {name for draw in played.draws.values() for name in draw.players}
    for player in log.state.players.values():
        here, table = player.status is Status.ACTIVE, played.table_of.get(player.name)
        if table is not None and not here:
            yield f"{player.name} is {player.status}, and sits at table {table}"
        elif table is not None and played.number in player.byes:
            yield f"{player.name} has asked for a bye, and sits at table {table}"
        elif here and player.division in played.draws and player.name not in named:
            yield f"{player.name} is enrolled, and sits nowhere"


def check_settled(log: Log, name: str = NAME) -> None:
    """See that the tables of a round that is about to start are still right.

    Args:
        log: the event.
        name: of the event, for the advice.

    Raises:
        CommandError: kind ``left_out``.
    """
    for text in unsettled(log):
        message = f"the tables were drawn before: {text}"
        raise wrong_use("left_out", message, f"Draw them again: wordtray tournament pair {name}")


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


def results(
    played: Round,
    board: int,
    files: Sequence[Given],
    why: str | None,
    photos: Mapping[str, str] = MappingProxyType({}),
) -> list[Event]:
    """The events of what files say, each table by itself.

    Args:
        played: the round.
        board: of the round.
        files: what they say.
        why: reason of a correction.
        photos: SHA-256 of photographed lists, by player.

    Raises:
        CommandError: somebody sits at no table or is named by two files, or lists are of another
            board than the table's.
    """
    _check_once(files)
    boards: dict[int, str] = {}
    events: list[Event] = []
    for given in files:
        for table, made in _by_table(played, given.lists or given.scores).items():
            place = {"round": played.number, "board": board, "table": table, **reason(why)}
            if not given.lists:
                events.append({"type": "scores", **place, "scores": made, "entered": True})
                continue
            is_new = _is_new(given.board, played.shown(board, table), boards, table)
            _check_whole(played, (board, table), made)
            if is_new:
                events.append({"type": "board", **place, "shown": given.board})
            shots = {name: digest for name, digest in photos.items() if name in made}
            pictures = {"photos": shots} if shots else {}
            events.append({"type": "lists", **place, "lists": made, **pictures})
    _check_photos(photos, events)
    return events


def _check_whole(played: Round, place: Place, made: Collection[str]) -> None:
    """See that nobody of a table is scored without a list: none is not the same as an empty one."""
    there = {*made, *played.lists.get(place, {})}
    absent = next((name for name in played.tables[place[1]] if name not in there), None)
    if absent is not None:
        message = f"{absent} has no list at table {place[1]}"
        raise wrong_use("list_missing", message, "Give all of a table, an empty one for no words.")


def _check_photos(photos: Mapping[str, str], events: Sequence[Event]) -> None:
    kept = {name for event in events for name in event.get("photos", {})}
    left = sorted(set(photos) - kept)
    if left:
        message = f"a photo is given of {left[0]!r}, whose list is in none of the files"
        raise wrong_use("unknown_player", message, "Give the list of that name with it.")


def _check_once(files: Sequence[Given]) -> None:
    named = Counter(composed(name) for given in files for name in given.lists or given.scores)
    twice = next((name for name, times in named.items() if times > 1), None)
    if twice is not None:
        message = f"two files name {twice!r}"
        raise wrong_use("twice", message, "Enter one of them; join the lines of two pages first.")


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
    event.play(*with_scores(event.after(*events), number, board, events, why))


def with_scores(
    after: Log, number: int, board: int, events: Sequence[Event], why: str | None
) -> list[Event]:
    """Events, and the scores of a board that follow from them.

    Args:
        after: the tournament as it stands after the events.
        number: of the round.
        board: of the round.
        events: what happened.
        why: reason of a correction.

    Raises:
        LexiconError: the word list has other words than when the event began.
    """
    played = after.state.rounds[number - 1]
    lists = any(place[0] == board for place in played.lists)
    judge = Judge(after.plan, nominated_words(after.plan)) if lists else None
    return [*events, *(judge.events(played, board, why or "") if judge else [])]


def undoing(log: Log, number: int, why: str | None, after: Callable[[Event], Log]) -> list[Event]:
    """The events that take an entry back: scores that rested on a word in question follow anew.

    Args:
        log: the event.
        number: of the entry.
        why: the reason.
        after: the event as it would stand after one of them.

    Raises:
        RuleError: there is no such entry, or something rests on it.
        LexiconError: as `with_scores`.
    """
    undo = {"type": "undo", "of": number, **reason(why)}
    stands = after(undo)
    gone = log.entries[number - 1].event
    if gone["type"] not in _CALLS:
        return [undo]
    return with_scores(stands, gone["round"], gone["board"], [undo], why)


_CALLS = frozenset({"challenge", "reject"})
"""Entries on which scores rest that can stand without them, and would be others."""


def nominated_words(plan: Plan) -> Lexicon:
    """The nominated word list.

    Raises:
        LexiconError: it has other words now.
    """
    return nominated(plan.setup, lexicons.load)[0]


def board_to_show(name: str, log: Log, given: str | None, place: Place) -> dict[str, str]:
    """A board of the last round, and its salt where it is the one that was promised.

    Args:
        name: of the event.
        log: the event.
        given: the board; None is the one that was promised.
        place: which board, and whose.

    Raises:
        CommandError: none was given and none was promised here, or not the one that was promised.
    """
    played = log.state.rounds[-1]
    found = promised(name, place_of(played.number, place[0])) if place[1] == ROOM else None
    if place in played.commitments:
        return _promised_board(name, log, given, place, found)
    if given is None:
        message = f"no board {place[0]} of round {played.number} has been promised here"
        raise wrong_use("no_board", message, "Give the board, or promise one first.")
    return {"shown": given}


def _promised_board(
    name: str, log: Log, given: str | None, place: Place, found: tuple[str, str] | None
) -> dict[str, str]:
    entry = _commitment_entry(log, place)
    back = f"or take the promise back: wordtray tournament undo {name} {entry} --why …"
    if found is None:
        message = f"board {place[0]} was promised, and is not kept on this machine"
        raise wrong_use("no_board", message, f"Show it where it was promised, {back}")
    if given is not None and str(board_of(given)) != found[0]:
        message = f"board {place[0]} is not the one that was promised"
        raise wrong_use("no_board", message, f"Give no board to show that one, {back}")
    return {"shown": found[0], "salt": found[1]}


def board_of(text: str) -> Board:
    """The board of a text.

    Raises:
        CommandError: it is none.
    """
    try:
        return Board.parse(text)
    except BoardError as error:
        raise wrong_use("board", str(error), "Write it as IETC/HQuPE/SEYH/TOER.") from None


def _commitment_entry(log: Log, place: Place) -> int:
    """Number of the entry that promised a board of the last round."""
    board, table = place
    return last_entry(log, type="commit", round=len(log.state.rounds), board=board, table=table)


def last_entry(log: Log, **wanted: object) -> int:
    """Number of the last entry that has these values and counts; 0 where there is none."""
    gone = taken_back(log.entries)
    found = (
        entry.seq
        for entry in reversed(log.entries)
        if entry.seq not in gone and wanted.items() <= entry.event.items()
    )
    return next(found, 0)


def photos_of(named: Sequence[str]) -> dict[str, str]:
    """SHA-256 of photographed lists by player, from ``PLAYER=FILE``.

    Raises:
        CommandError: it is not of that form, or a file cannot be read.
    """
    photos: dict[str, str] = {}
    for text in named:
        player, _, file = text.partition("=")
        if not player.strip() or not file:
            advice = "Write --photo PLAYER=FILE, such as --photo Anna=anna.jpg."
            raise wrong_use("photo", f"{text!r} names no photo of a player", advice)
        photos[composed(player)] = digest_of(Path(file))
    return photos


def digest_of(photo: Path) -> str:
    """SHA-256 of a picture.

    Raises:
        CommandError: it cannot be read, or is empty: that would prove nothing.
    """
    data = read_given(photo, LARGEST_PHOTO, "photo_missing", "photo")
    if not data:
        message = f"{photo} is empty: it is no photo"
        raise unusable_file("photo_missing", message, "Take it again, or copy it again.")
    return hashlib.sha256(data).hexdigest()


def reason(why: str | None) -> dict[str, str]:
    """The reason of a correction, as events have it."""
    return {} if why is None else {"why": why}


def place_of(number: int, board: int) -> str:
    """What a promised board is kept under."""
    return f"{number}.{board}"
