"""``wordtray log``: the rounds that were recorded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown, time_text
from firmware_host.cli.reporting import reporting
from firmware_host.cli.rounds import opened_log
from firmware_host.errors import ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.store.chain import Entry
    from firmware_host.store.log import KeptRound, Log, Proof

SPARE_ADVICE = (
    "Look into the folder aside beside it, or restore a backup; if nothing is missed, delete those "
    "photos (log --verify --json names them)."
)

_CUT_ADVICE = (
    "what came after it was damaged. It is in the folder aside; restore a backup if it is missed."
)

EPILOG = "Examples: wordtray log · wordtray log 12 --json · wordtray log --verify"


def log(
    number: Annotated[
        int | None, typer.Argument(metavar="ROUND", min=1, help="Its events (else all rounds).")
    ] = None,
    last: Annotated[
        int, typer.Option("--last", "-n", metavar="N", min=1, help="The last N rounds.")
    ] = 20,
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Prove every event, round and photo instead.")
    ] = False,
    json: options.Json = False,
) -> None:
    """List the rounds that were recorded, or the events of one of them.

    Each event holds a hash of itself and of the one before, so that --verify finds whatever was
    changed or lost.
    """
    with reporting(json=json) as output, opened_log(output, reading=True) as kept:
        if verify and number is not None:
            message = f"--verify proves the whole log, not round {number} alone"
            raise wrong_use("verify", message, "Leave the round or --verify out.")
        if verify:
            _verify(output, kept)
        elif number is None:
            _list_rounds(output, kept, last)
        else:
            _list_events(output, kept, number)


def _verify(output: Output, kept: Log) -> None:
    with output.log.status("Proving every event …"):
        proof = kept.prove()
    document = {
        "events": proof.events,
        "rounds": proof.rounds,
        "last_hash": proof.last_hash,
        "photos": proof.photos,
        "lost_photos": list(proof.lost_photos),
        "spare_photos": list(proof.spare_photos),
        "cuts": [asdict(cut) for cut in proof.cuts],
        "notices": list(kept.notices),
    }
    output.document(document, lambda out: _tell_proof(out, proof))
    if proof.lost_photos or proof.cuts:
        raise typer.Exit(ExitCode.STORAGE_FAULT)


def _tell_proof(out: Console, proof: Proof) -> None:
    out.print(
        f"{counted(proof.events, 'event')} of {counted(proof.rounds, 'round')} "
        f"{'is' if proof.events == 1 else 'are'} whole, each after the one before; "
        f"the last hash is {proof.last_hash}."
    )
    whole = proof.photos - len(proof.lost_photos)
    out.print(f"{whole} of {proof.photos} photos are as they were taken.")
    for name in proof.lost_photos:
        out.print(f"[yellow]lost or changed:[/] {shown(name)}")
    for cut in proof.cuts:
        out.print(f"[yellow]cut off after event {cut.after}[/], {time_text(cut.at)}: {_CUT_ADVICE}")
    _tell_spare(out, proof.spare_photos)


def _tell_spare(out: Console, photos: Collection[str]) -> None:
    """That rounds may be lost, for as long as there are photos of them."""
    if photos:
        spare = counted(len(photos), "photo")
        out.print(f"[yellow]{spare} of no round:[/] a part of the log may be lost. {SPARE_ADVICE}")


def _list_rounds(output: Output, kept: Log, last: int) -> None:
    found = kept.rounds()[-last:]
    if not (found and kept.place.is_played(found[-1].number)):  # whose last photo is being read
        _tell_spare(output.log, kept.spare_photos())
    rounds = [(_state(kept, one), one) for one in (kept.round(line.number) for line in found)]
    if output.json:
        for state, one in rounds:
            output.document(_round_document(state, one), Console.clear)
    elif rounds:
        _show_rounds(output.out, rounds)
    else:
        output.log.print("No round was recorded so far: wordtray play --simulate")


def _state(kept: Log, one: KeptRound) -> str:
    """Where a round stands; one that stands open is played right now, or was interrupted."""
    from firmware_host.rounds import ENDED

    if one.state.phase in ENDED:
        return str(one.state.phase)
    return "playing" if kept.place.is_played(one.number) else "interrupted"


def _round_document(state: str, one: KeptRound) -> dict[str, Any]:
    plan, board, result = one.setup.plan, one.state.board, one.state.result
    return {
        "round": one.number,
        "began": one.began.at,
        "state": state,
        "phase": str(one.state.phase),
        "by": one.setup.by,
        "simulated": one.setup.simulated,
        "game": plan.game.name,
        "players": list(one.state.players),
        "board": None if board is None else str(board),
        "winners": list(result.winners) if result else [],
        "rescored": one.state.first_result is not None,
        "events": 1 + len(one.events),
    }


def _show_rounds(out: Console, rounds: list[tuple[str, KeptRound]]) -> None:
    table = Table(box=SIMPLE_HEAD)
    for heading in ("round", "began", "game", "players", "board", "state"):
        table.add_column(heading)
    for state, one in rounds:
        made_up = " (simulated)" if one.setup.simulated else ""
        board = str(one.state.board or "–")
        players = shown(", ".join(one.state.players))
        stands = f"{state}, scored anew" if one.state.first_result is not None else state
        game = f"{shown(one.setup.plan.game.title)}{made_up}"
        table.add_row(str(one.number), time_text(one.began.at), game, players, board, stands)
    out.print(table)


def _list_events(output: Output, kept: Log, number: int) -> None:
    if number > len(kept.rounds()):
        message = f"the log has no round {number}"
        raise wrong_use("no_round", message, "See which there are: wordtray log")
    for entry in kept.entries(number):
        output.document(_event_document(entry), partial(_show_event, entry))


def _event_document(entry: Entry) -> dict[str, Any]:
    from json import loads

    return {
        "seq": entry.seq,
        "round": entry.round,
        "kind": entry.kind,
        "at": entry.moment.at,
        "data": loads(entry.data),
        "hash": entry.hash,
    }


def _show_event(entry: Entry, out: Console) -> None:
    data = entry.data if len(entry.data) <= _WIDTH else f"{entry.data[:_WIDTH]}…"
    out.print(f"{entry.seq:>6}  {time_text(entry.moment.at)}  {entry.kind:<16}  {shown(data)}")


_WIDTH = 80  # signs of an event's data that are shown


command = log
