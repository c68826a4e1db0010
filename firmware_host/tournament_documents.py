"""The JSON documents of ``tournament``; extend them, never change what is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from firmware_host.tournament_desk import incomplete, unsettled
from scoring.tournament.document import results_document
from scoring.tournament.drawing import Remark
from scoring.tournament.explain import explain
from scoring.tournament.log import Log, taken_back
from scoring.tournament.proof import Proof
from scoring.tournament.standings import Standings
from scoring.tournament.state import Round

Document = dict[str, Any]


def event_state(name: str, log: Log) -> Document:
    """Where an event stands."""
    plan, state = log.plan, log.state
    last = state.rounds[-1] if state.rounds else None
    statuses = Counter(str(player.status) for player in state.players.values())
    return {
        "event": name,
        "title": plan.name,
        "players": len(state.players),
        "statuses": dict(statuses),
        "rounds": plan.rounds,
        "boards": plan.boards,
        "seats": plan.seats,
        "method": str(plan.method),
        "scope": str(plan.scope),
        "round": None if last is None else round_document(log, last),
        "entries": len(log.entries),
        "head": log.last_hash,
    }


def round_document(log: Log, played: Round) -> Document:
    """A round: who sits where, and what is missing."""
    missing = [{"board": board, "table": table} for board, table in played.missing(log.plan.boards)]
    return {
        "number": played.number,
        "started": played.started,
        "complete": played.is_complete(log.plan.boards),
        "tables": [list(table) for table in played.tables.values()],
        "byes": sorted(played.byes),
        "boards": [
            {"board": board, "table": table, "shown": shown.board}
            for (board, table), shown in played.boards.items()
        ],
        "promised": [
            {"board": board, "table": table, "hash": digest}
            for (board, table), digest in played.commitments.items()
        ],
        "missing": missing,
        "unsettled": [] if played.started else unsettled(log),
    }


def remarks_document(remarks: Sequence[Remark]) -> list[Document]:
    """What to look at before a round starts."""
    return [
        {"kind": each.kind, "text": each.text, "players": list(each.players)} for each in remarks
    ]


def standings_document(name: str, log: Log, upto: int | None, explained: str | None) -> Document:
    """The standings, and how a player's rank came about."""
    results = results_document(log.plan, log.state, upto)
    missing = [
        {"round": played.number, "board": board, "table": table}
        for played, places in incomplete(log, upto)
        for board, table in places
    ]
    document = {"event": name, "title": log.plan.name, **results, "missing": missing}
    return (
        document if explained is None else document | {"explained": lines_of(log, explained, upto)}
    )


def lines_of(log: Log, player: str, upto: int | None) -> list[str]:
    """How a player's rank came about."""
    division = log.state.players[player].division
    ranked = Standings(log.plan, log.state, upto).of(division)
    return explain(log.plan, ranked, player)


def log_document(log: Log) -> list[Document]:
    """Every entry, and whether it was taken back."""
    gone = taken_back(log.entries)
    return [entry.document | {"taken_back": entry.seq in gone} for entry in log.entries]


def proof_document(file: str, proof: Proof, photos: Document | None) -> Document:
    """What a check of an export came to."""
    return {
        "file": file,
        "holds": not proof.findings,
        "findings": [
            {"kind": each.kind, "where": each.where, "message": each.message}
            for each in proof.findings
        ],
        "entries": proof.entries,
        "covered": proof.covered,
        "proved": proof.proved,
        "entered": proof.entered,
        "committed": proof.committed,
        "uncommitted": proof.uncommitted,
        "missing": proof.missing,
        "photos": photos,
    }
