"""Results of tables into the tournament: the events that are lacking there. Pure.

What is there already makes no event, so that a result may be taken as often as one likes: after a
crash, or when a list was corrected at its table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.rounds import Ruling, Seat, TableAssigned
from firmware_host.station.folding import TableResult
from scoring.match import Event, RuleError
from scoring.players import composed
from scoring.tournament.judging import Judge, entries_of
from scoring.tournament.log import Log, is_undo, taken_back
from scoring.tournament.state import ROOM, Place, Round

CORRECTED = "corrected at the table"
"""Why a list is replaced."""

TABLE = "table"
"""What stands in ``by`` of lists and boards that came from their table, and not from the desk."""


@dataclass(frozen=True)
class Trouble:
    """A result that is not taken, and why; for the desk."""

    place: TableAssigned
    why: str


def ids_of(log: Log) -> dict[str, str]:
    """Who is who at all tables: names by id, the number of the entry that enrolled them."""
    gone = taken_back(log.entries)
    return {
        f"e{entry.seq}": composed(str(entry.event["player"]))
        for entry in log.entries
        if not is_undo(entry.event) and entry.event.get("type") == "enrol" and entry.seq not in gone
    }


def assignments(
    log: Log, number: int, board: int, keys: Mapping[str, str]
) -> dict[int, TableAssigned]:
    """Who plays what, by table.

    Args:
        log: the tournament.
        number: of a round that was drawn.
        board: of the round.
        keys: of phones by id of the player, as far as they are known.
    """
    played = log.state.rounds[number - 1]
    id_of = {name: id_ for id_, name in ids_of(log).items()}
    promised = played.commitments.get((board, ROOM), "")
    return {
        table: TableAssigned(
            log.plan.name,
            number,
            board,
            table,
            tuple(Seat(id_of[name], name, keys.get(id_of[name], "")) for name in names),
            promised,
        )
        for table, names in played.tables.items()
    }


def events_of(log: Log, result: TableResult, names: Mapping[str, str]) -> list[Event]:
    """The events that a result lacks in the tournament, but for its scores.

    Args:
        log: the tournament.
        result: of a table.
        names: as of `ids_of`.

    Raises:
        RuleError: it does not belong to this tournament, or something must be settled before.
    """
    place = result.place
    played = _round(log, result, names)
    where = {"round": place.round, "board": place.board, "table": place.table}
    _check_read(played, result, names)
    return [
        *_board(log, played, result, where),
        *_lists(log, played, result, names, where),
        *_calls(played, result, names),
    ]


def scores_of(log: Log, judge: Judge, places: Collection[TableAssigned]) -> list[Event]:
    """The scores that follow at some tables."""
    boards = sorted({(place.round, place.board) for place in places})
    events: list[Event] = []
    for number, board in boards:
        tables = [place.table for place in places if (place.round, place.board) == (number, board)]
        played = log.state.rounds[number - 1]
        anew = [table for table in tables if (board, table) in played.scores]
        first = [table for table in tables if table not in anew]
        events += judge.events(played, board, CORRECTED, anew)
        events += judge.events(played, board, "", first)
    return events


def _round(log: Log, result: TableResult, names: Mapping[str, str]) -> Round:
    place = result.place
    if place.event != log.plan.name or not 1 <= place.round <= len(log.state.rounds):
        raise RuleError("round", "its round is none of this tournament", "Seat the table again.")
    if result.open:
        message = f"{result.open} words on paper are not settled"
        raise RuleError("doubtful", message, "Settle them at the table, or at the desk.")
    if result.allowed:
        message = f"words were allowed against the word list: {', '.join(result.allowed)}"
        raise RuleError("allowed", message, "A tournament keeps to it: take that back.")
    played = log.state.rounds[place.round - 1]
    seated = {names.get(seat.id) for seat in place.seats}
    if set(played.tables.get(place.table, ())) != seated:
        raise RuleError("seats", "others sit at this table now", "Seat the table again.")
    return played


def _check_read(played: Round, result: TableResult, names: Mapping[str, str]) -> None:
    """See that no list stays on paper at its table, but for one that the desk has entered."""
    known = played.lists.get((result.place.board, result.place.table), {})
    unread = [names[id_] for id_ in result.unread if names[id_] not in known]
    if unread:
        message = f"the list of {', '.join(unread)} has not been read"
        advice = "Photograph it there, or enter all of the table at the desk, empty for no words."
        raise RuleError("unread", message, advice)


def _board(
    log: Log, played: Round, result: TableResult, where: Mapping[str, int]
) -> Iterator[Event]:
    """The board of the table, or its correction there; what the desk corrected stands."""
    shown = played.shown(result.place.board, result.place.table)
    photo = {"photo": result.photo} if result.photo else {}
    event = {"type": "board", **where, "shown": result.board, **photo, "by": TABLE}
    if shown is None:
        yield event
    elif shown.board != result.board:
        told = _boards_told(log, where)
        of_table = [board for by_table, board in told if by_table]
        if not of_table or result.photo is None or shown.photo != result.photo:
            message = f"it played {result.board}, and its board is {shown.board}"
            raise RuleError("other_board", message, "Look which of the two is right.")
        if of_table[-1] == result.board:
            return
        if not told[-1][0]:
            message = f"the desk has corrected the board to {shown.board}, its table otherwise"
            raise RuleError("corrected", message, "Enter the right one once more, with --why.")
        yield event | {"why": CORRECTED}


def _boards_told(log: Log, where: Mapping[str, int]) -> list[tuple[bool, str]]:
    """Every board of a place, first to last, and whether the table itself gave it."""
    return [(event.get("by") == TABLE, event["shown"]) for event in _standing(log, "board", where)]


def _standing(log: Log, kind: str, where: Mapping[str, int]) -> Iterator[Event]:
    """The events of a kind at a place that were not taken back."""
    gone = taken_back(log.entries)
    for entry in log.entries:
        event = entry.event
        of_kind = event["type"] == kind and entry.seq not in gone
        if of_kind and all(event[key] == value for key, value in where.items()):
            yield event


def _lists(
    log: Log,
    played: Round,
    result: TableResult,
    names: Mapping[str, str],
    where: Mapping[str, int],
) -> Iterator[Event]:
    """All lists of the table, or those that have changed there; what the desk corrected stands."""
    place: Place = (result.place.board, result.place.table)
    known, photos = played.lists.get(place, {}), played.photos.get(place, {})
    lists = {names[id_]: lines for id_, lines in result.lists.items()}
    shots = {names[id_]: digest for id_, digest in result.photos.items()}
    other = {name: lines for name, lines in lists.items() if known.get(name) != lines}
    told = _told(log, where) if any(name in known for name in other) else {}
    changed = {
        name: list(lines)
        for name, lines in other.items()
        if _is_news(name, lines, told.get(name, []))
    }
    taken = {
        name: digest
        for name, digest in shots.items()
        if photos.get(name) != digest and (name in changed or known.get(name) == lists.get(name))
    }
    if changed or taken:
        reason = {"why": CORRECTED} if known else {}
        lists_of = {"lists": changed, "photos": taken, "by": TABLE}
        yield {"type": "lists", **where, **lists_of, **reason}


def _told(log: Log, where: Mapping[str, int]) -> dict[str, list[tuple[bool, tuple[str, ...]]]]:
    """Every list of a place by player, first to last, and whether the table itself gave it."""
    told: dict[str, list[tuple[bool, tuple[str, ...]]]] = {}
    for event in _standing(log, "lists", where):
        for name, lines in event["lists"].items():
            told.setdefault(name, []).append((event.get("by") == TABLE, tuple(lines)))
    return told


def _is_news(name: str, lines: Sequence[str], told: Sequence[tuple[bool, tuple[str, ...]]]) -> bool:
    """Whether the table has another list than it had given, and nobody at the desk changed that.

    Raises:
        RuleError: kind ``corrected``: both have changed it.
    """
    of_table = [before for by_table, before in told if by_table]
    if of_table and of_table[-1] == tuple(lines):
        return False
    if told and not told[-1][0]:
        message = f"the list of {name} was entered at the desk, and its table has another"
        raise RuleError("corrected", message, "Enter the right one once more, with --why.")
    return True


def _calls(played: Round, result: TableResult, names: Mapping[str, str]) -> Iterator[Event]:
    """What the table's referee said of words; by whom one was challenged nobody knows."""
    place = result.place
    of_table = {names[seat.id] for seat in place.seats}
    known = {
        call.word for call in played.calls if call.board == place.board and call.of in of_table
    }
    for word, ruling in result.calls:
        writers = list(_writers(result, word))
        if word in known or not writers:
            continue
        call: dict[str, object] = {
            "round": place.round, "board": place.board, "word": word, "of": names[writers[0]],
            "why": CORRECTED,
        }  # fmt: skip
        others = [names[seat.id] for seat in place.seats if seat.id != writers[0]]
        if ruling is Ruling.CHALLENGED and others:
            yield {"type": "challenge", **call, "by": others[0]}
        elif ruling is Ruling.STRUCK:
            yield {"type": "reject", **call}


def _writers(result: TableResult, word: str) -> Iterable[str]:
    for id_, lines in result.lists.items():
        if any(entry.word == word for entry in entries_of(lines)):
            yield id_
