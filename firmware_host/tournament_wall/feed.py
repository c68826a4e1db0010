"""The feed of an event: where it stands, as one document that anybody may have.

Nothing is in it that is not put up on the wall: no board before it is shown, no list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware_host.tournament_notice import Notice
from scoring.tournament.document import award_document, standing_document
from scoring.tournament.log import Log
from scoring.tournament.plan import Criterion
from scoring.tournament.prizes import awards
from scoring.tournament.standings import Standing, Standings
from scoring.tournament.state import Round

Document = dict[str, Any]


def feed(log: Log, notice: Notice | None, now: float) -> Document:
    """Where an event stands.

    Args:
        log: the event.
        notice: what was announced.
        now: seconds since 1970: pages reckon by it, not by their own clocks.
    """
    standings = Standings(log.plan, log.state)
    last = log.state.rounds[-1] if log.state.rounds else None
    return {
        "title": log.plan.name,
        "entries": len(log.entries),
        "head": log.last_hash,
        "now": now,
        "rounds": {"planned": log.plan.rounds, "counted": len(standings.rounds)},
        "criteria": [str(each) for each in _criteria(log)],
        "round": None if last is None else _round(log, last),
        "standings": {
            division: [_standing(log, each) for each in standings.of(division)]
            for division in log.plan.divisions
        },
        "prizes": [award_document(each) for each in awards(standings)] if standings.rounds else [],
        "notice": None if notice is None else {"text": notice.text, "until": notice.until},
    }


def _criteria(log: Log) -> Iterator[Criterion]:
    return (each for each in log.plan.ranking if each is not Criterion.LONG_WORDS)


def _round(log: Log, played: Round) -> Document:
    printed = {name: player.printed for name, player in log.state.players.items()}
    missing = {table for _, table in played.missing(log.plan.boards)}
    return {
        "number": played.number,
        "started": played.started,
        "tables": [
            {
                "table": number,
                "players": [printed[name] for name in players],
                "complete": number not in missing,
            }
            for number, players in played.tables.items()
        ],
        "byes": sorted(printed[name] for name in played.byes),
        "boards": [
            {"board": board, "table": table, "shown": shown.board}
            for (board, table), shown in played.boards.items()
        ],
    }


def _standing(log: Log, standing: Standing) -> Document:
    """A line of the standings: the criteria that are shown, and each round in short."""
    whole = standing_document(standing)
    shown = {str(each): whole[str(each)] for each in _criteria(log)}
    player = log.state.players[standing.name]
    rounds = [
        {key: line[key] for key in ("round", "table", "points", "wins")}
        for line in whole["by_round"]
    ]
    return {"rank": standing.rank, "name": player.printed, "team": player.team, **shown,
            "by_round": rounds}  # fmt: skip
