"""What a table made of a board, word by word; what a correction changes; the log for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from firmware_host.tournament_desk import nominated_words
from scoring.match import Event
from scoring.referee import PlayerResult
from scoring.tournament.changes import Change
from scoring.tournament.document import standing_document
from scoring.tournament.explain import round_text
from scoring.tournament.judging import Judge
from scoring.tournament.log import Entry, Log, is_undo, taken_back
from scoring.tournament.plan import Plan
from scoring.tournament.standings import Standing
from scoring.tournament.state import ROOM, Place, Round, Score

Document = dict[str, Any]

_LONG = frozenset({"lists", "scores", "photos", "tables", "salt"})
"""Parts of an entry that say too much for a line of the log: of some, whose they are is told."""


def table_document(log: Log, number: int, place: Place) -> Document:
    """A table's lists and scores of a board, each word with its verdict.

    Args:
        log: the event.
        number: of a round that was drawn.
        place: board and table; there is such a table.

    Raises:
        LexiconError: the word list has other words than when the event began.
    """
    played = log.state.rounds[number - 1]
    shown, lists = played.shown(*place), played.lists.get(place, {})
    judged = _judged(log, played, place) if lists else {}
    scores = played.scores.get(place, {})
    return {
        "round": number,
        "board": place[0],
        "table": place[1],
        "shown": None if shown is None else shown.board,
        "entered": any(score.entered for score in scores.values()),
        "players": [
            _player(name, lists.get(name), scores.get(name), judged.get(name))
            for name in played.tables[place[1]]
        ],
        "calls": [
            {"word": call.word, "of": call.of, "by": call.by}
            for call in played.calls
            if call.board == place[0] and played.table_of[call.of] == place[1]
        ],
        "mark": mark_of(log, number, place),
    }


def _judged(log: Log, played: Round, place: Place) -> Mapping[str, PlayerResult]:
    result = Judge(log.plan, nominated_words(log.plan)).results(played, place)
    return {player.name: player for player in result.players}


def _player(
    name: str, lines: tuple[str, ...] | None, score: Score | None, judged: PlayerResult | None
) -> Document:
    words = judged.words if judged is not None and lines is not None else ()
    return {
        "name": name,
        "points": None if score is None else score.points,
        "lines": None if lines is None else list(lines),
        "words": [
            {
                "word": word.word,
                "points": word.points,
                "verdict": str(word.verdict),
                "reason": word.reason,
            }
            for word in words
        ],
    }


def mark_of(log: Log, number: int, place: Place) -> int:
    """Number of the last entry that is about a table's board; another one tells of a change."""
    seated = set(log.state.rounds[number - 1].tables.get(place[1], ()))
    about = {each.seq for each in log.entries if _is_about(each.event, number, place, seated)}
    undone = (each for each in log.entries if is_undo(each.event) and each.event["of"] in about)
    return max(about | {each.seq for each in undone}, default=0)


def _is_about(event: Event, number: int, place: Place, seated: set[str]) -> bool:
    if event.get("round") != number or event.get("board") != place[0]:
        return False
    return event.get("table") in {place[1], ROOM} or event.get("of") in seated


def changes_document(plan: Plan, found: tuple[Change, ...]) -> list[Document]:
    """What a correction changes: places before and after, and why, round by round."""
    return [
        {
            "division": each.division,
            "name": each.name,
            "before": _place_document(each.before),
            "after": _place_document(each.after),
            "why": list(_why(plan, each)),
        }
        for each in found
    ]


def _place_document(standing: Standing | None) -> Document | None:
    if standing is None:
        return None
    whole = standing_document(standing)
    return {key: whole[key] for key in whole if key not in {"name", "by_round"}}


def _why(plan: Plan, change: Change) -> Iterator[Document]:
    for number in change.rounds:
        yield {
            "round": number,
            "before": _round_text(plan, change.before, number),
            "after": _round_text(plan, change.after, number),
        }


def _round_text(plan: Plan, standing: Standing | None, number: int) -> str:
    lines = () if standing is None else standing.lines
    found = next((line for line in lines if line.round == number), None)
    if standing is None or found is None:
        return ""
    return round_text(plan, found, standing.strengths.get(number))


def log_page(log: Log, before: int | None, count: int) -> list[Document]:
    """Entries of the log, the last one first, in short: who, when, what, why.

    Args:
        log: the event.
        before: number of the entry before which they are; None for the last ones.
        count: how many.
    """
    last = len(log.entries) if before is None else min(before - 1, len(log.entries))
    gone = taken_back(log.entries)
    chosen = reversed(log.entries[max(0, last - count) : last])
    return [_entry(entry, taken_back=entry.seq in gone) for entry in chosen]


def _entry(entry: Entry, *, taken_back: bool) -> Document:
    event = entry.event
    names = [name for part in ("lists", "scores") for name in event.get(part) or {}]
    return {
        "seq": entry.seq,
        "at": entry.at,
        "type": event["type"],
        "who": event.get("noted_by", ""),
        "why": event.get("why", ""),
        "taken_back": taken_back,
        "players": names,
        "about": {
            key: value
            for key, value in event.items()
            if key not in {"type", "noted_by", "why", *_LONG} and isinstance(value, str | int)
        },
    }
