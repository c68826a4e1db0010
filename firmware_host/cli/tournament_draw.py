"""How tournaments are shown in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli.draw import counted
from firmware_host.cli.output import shown, time_text
from firmware_host.tournament_desk import incomplete, unsettled
from scoring.tournament.document import award_document
from scoring.tournament.drawing import Remark
from scoring.tournament.explain import TITLES, value_text
from scoring.tournament.log import Log, taken_back
from scoring.tournament.plan import EVERYBODY, PAIR, Criterion
from scoring.tournament.prizes import awards, safe
from scoring.tournament.proof import Proof
from scoring.tournament.standings import Standings
from scoring.tournament.state import Place, Round

HASH_DIGITS = 16
"""Digits of a hash that people are shown."""


def show_state(out: Console, name: str, log: Log) -> None:
    """Where an event stands, and what comes next."""
    plan, state = log.plan, log.state
    seats = {EVERYBODY: "all at one table", PAIR: "pairs"}.get(plan.seats, f"pods of {plan.seats}")
    out.print(
        f"[bold]{shown(plan.name)}[/] ({shown(name)}): {counted(len(state.players), 'player')}, "
        f"{counted(plan.rounds, 'round')} of {counted(plan.boards, 'board')}, {seats}, "
        f"{plan.method}"
    )
    if state.rounds:
        show_round(out, log, state.rounds[-1])
        for text in unsettled(log):
            out.print(f"[yellow]Draw again:[/] {shown(text)}")
        _show_missing(out, incomplete(log, len(state.rounds) - 1))
    out.print(f"Entries: {len(log.entries)}, hash {log.last_hash[:HASH_DIGITS]}")


def show_round(out: Console, log: Log, played: Round) -> None:
    """The tables of a round, and what is missing."""
    table = Table(box=SIMPLE_HEAD)
    table.add_column("table", justify="right")
    table.add_column("players")
    for number, players in played.tables.items():
        table.add_row(str(number), shown(", ".join(players)))
    for name in sorted(played.byes):
        table.add_row("bye", shown(name))
    out.print(f"Round {played.number}{'' if played.started else ', not started'}:")
    out.print(table)
    for (board, place), digest in played.commitments.items():
        out.print(f"Board {board}{_at(place)} is promised: {digest}")
    for (board, place), laid in played.boards.items():
        out.print(f"Board {board}{_at(place)}: {shown(laid.board)}")
    if played.started:
        missing = list(played.missing(log.plan.boards))
        out.print(f"Missing: {_places(missing)}" if missing else "All scores are in.")


def _show_missing(out: Console, rounds: Sequence[tuple[Round, Sequence[Place]]]) -> None:
    for played, missing in rounds:
        out.print(f"[yellow]Missing in round {played.number}:[/] {_places(missing)}")


def _places(missing: Sequence[Place]) -> str:
    named = ", ".join(f"board {board} of table {place}" for board, place in missing[:8])
    return f"{named} and {len(missing) - 8} more" if len(missing) > 8 else named


def _at(table: int) -> str:
    return f" of table {table}" if table else ""


def show_remarks(out: Console, remarks: Sequence[Remark]) -> None:
    """What to look at before a round starts."""
    for each in remarks:
        out.print(f"[yellow]Look:[/] {shown(each.text)}")


def show_standings(out: Console, log: Log, upto: int | None) -> None:
    """The ranks of each division, teams and prizes, and what they still lack."""
    standings = Standings(log.plan, log.state, upto)
    for division in log.plan.divisions:
        if len(log.plan.divisions) > 1:
            out.print(f"[bold]{shown(division)}[/]")
        _show_division(out, standings, division)
    for team in standings.teams():
        values = ", ".join(f"{TITLES[c]} {value_text(c, v)}" for c, v in team.values.items())
        out.print(f"Team {team.rank}. {shown(team.name)}: {values}")
    for award in map(award_document, awards(standings)):
        winners = ", ".join(award["winners"]) or award["why"]
        out.print(f"{shown(award['title'])}: {shown(winners)}")
    _show_missing(out, incomplete(log, upto))


def _show_division(out: Console, standings: Standings, division: str) -> None:
    ranked = standings.of(division)
    criteria = [each for each in standings.plan.ranking if each is not Criterion.LONG_WORDS]
    table = Table(box=SIMPLE_HEAD)
    table.add_column("rank", justify="right")
    table.add_column("player")
    for each in criteria:
        table.add_column(TITLES[each], justify="right")
    for standing in ranked:
        values = [value_text(each, standing.values[each]) for each in criteria]
        table.add_row(str(standing.rank), shown(standing.name), *values)
    out.print(table)
    remaining = standings.plan.rounds - len(standings.rounds)
    for place, name in enumerate(safe(standings.plan, ranked, remaining), 1):
        out.print(f"{shown(name)} is sure of place {place}.")


def show_log(out: Console, log: Log) -> None:
    """Every entry, a line each."""
    gone = taken_back(log.entries)
    for entry in log.entries:
        fields = ", ".join(
            f"{key} {value}"
            for key, value in entry.event.items()
            if key != "type" and isinstance(value, str | int)
        )
        back = " (taken back)" if entry.seq in gone else ""
        line = f"{entry.seq:>5}  {time_text(entry.at)}  {entry.event['type']}{back}: {fields}"
        out.print(shown(line))


def show_proof(out: Console, proof: Proof) -> None:
    """What a check of an export came to."""
    for finding in proof.findings:
        out.print(f"[red]{shown(finding.where)}[/]: {shown(finding.message)} ({finding.kind})")
    out.print(
        f"{counted(proof.entries, 'event')}; {counted(proof.proved, 'score')} proved by lists, "
        f"{proof.entered} entered without; {counted(proof.committed, 'board')} promised before, "
        f"{proof.uncommitted} not."
    )
    if proof.missing:
        out.print(f"{counted(proof.missing, 'score')} of a table not in yet.")
    if proof.covered:
        out.print(f"A published hash covers the first {proof.covered} of them.")
    out.print("[red]It does not hold.[/]" if proof.findings else "[green]All of it holds.[/]")
