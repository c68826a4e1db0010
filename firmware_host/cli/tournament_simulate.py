"""``wordtray tournament simulate``: whole events of made-up players, to rehearse and to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from scoring.tournament.plan import Method
    from scoring.tournament.simulation import Comparison

EPILOG = (
    "Examples: wordtray tournament simulate --players 32 --rounds 6 --events 50 --plot methods.svg"
    " · wordtray tournament simulate --seats 2 --methods swiss,random · "
    "wordtray tournament simulate --leaving 0.02 --misread 0.05 --keep rehearsal"
)
MOST_PLAYERS = 600


def simulate(
    *,
    players: Annotated[
        int, typer.Option("--players", metavar="N", min=4, max=MOST_PLAYERS, help="In each event.")
    ] = 24,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", min=1)] = 5,
    boards: Annotated[int, typer.Option("--boards", metavar="N", min=1, help="Of a round.")] = 1,
    seats: Annotated[
        str, typer.Option("--seats", metavar="N|all", help="Of a table: 2, 3 to 8, or all.")
    ] = "4",
    scope: Annotated[
        str, typer.Option("--scope", metavar="S", help="Who cancels words: pod, room or none.")
    ] = "pod",
    methods: Annotated[
        str | None,
        typer.Option("--methods", metavar="A,B,…", help="To compare (else all for these seats)."),
    ] = None,
    events: Annotated[
        int, typer.Option("--events", metavar="N", min=1, max=10_000, help="Of each method.")
    ] = 10,
    leaving: Annotated[
        float, typer.Option("--leaving", metavar="P", min=0, max=1, help="A player leaves a round.")
    ] = 0.0,
    absent: Annotated[
        float, typer.Option("--absent", metavar="P", min=0, max=1, help="One misses a round.")
    ] = 0.0,
    misread: Annotated[
        float, typer.Option("--misread", metavar="P", min=0, max=1, help="A list is corrected.")
    ] = 0.0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the comparison.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="NAME", help="Keep the first event, to rehearse with it."),
    ] = None,
    cubes: options.Shaken = options.SHAKEN,
    lexicon: options.Lexicon = "enable",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Play whole events with made-up players, and see which method finds the strongest.

    All goes the way of a real event but for the players: they find words by their strength, the
    length of the word, and how usual its pairs of letters are. Each method gets the same players
    and cubes. The figure is the correlation of final ranks with true strengths: 1 is perfect.
    """
    from firmware_host import lexicons, tournaments
    from firmware_host.cli.tournament_options import one_of, parse_seats
    from firmware_host.files import check_ending, write_whole
    from firmware_host.tournament_picture import to_svg
    from firmware_host.tournament_rehearsal import Rehearsal
    from scoring.tournament.plan import Plan, Scope
    from scoring.tournament.simulation import Troubles

    with reporting(json=json) as output:
        check_ending(plot, ".svg")
        number = parse_seats(seats)
        chosen = _methods(methods, number)
        plan = Plan.agree(
            keep or "simulated",
            lexicons.listed_as(lexicon),
            lexicons.load(lexicon).digest,
            seats=number,
            rounds=rounds,
            boards=boards,
            scope=one_of(Scope, scope, "scope"),
            seed=seed or 0,
        )
        rehearsal = Rehearsal(plan, players, events, cubes, Troubles(leaving, absent, misread))
        with _told(output, events * len(chosen)) as tell:
            compared = rehearsal.compared(chosen, tell)
        if plot is not None:
            title = f"{events} events of {players} players, {rounds} rounds"
            write_whole(plot, (to_svg(compared, title).encode(),))
        if keep is not None:
            tournaments.create(keep, rehearsal.event(chosen[0]))
        document = {"players": players, "rounds": rounds, "boards": boards, "seats": number,
                    "events": events, "methods": [_document(each) for each in compared],
                    "plot": plot and str(plot), "kept": keep}  # fmt: skip
        output.document(document, lambda out: _show(out, compared, plot, keep))


def _methods(text: str | None, seats: int) -> list[Method]:
    from firmware_host.cli.tournament_options import one_of
    from scoring.tournament.plan import Method, check_method, methods_for

    if text is None:
        return list(methods_for(seats))
    chosen = [one_of(Method, name.strip(), "method") for name in text.split(",")]
    for each in chosen:
        check_method(each, seats)
        if each is Method.MANUAL:
            raise wrong_use("plan", "nobody draws by hand here", "Name another method.")
    return chosen


@contextmanager
def _told(output: Output, events: int) -> Iterator[Callable[[], None]]:
    with Progress(console=output.log, transient=True, disable=output.json) as progress:
        task = progress.add_task("Playing", total=events)
        yield lambda: progress.advance(task)


def _document(comparison: Comparison) -> dict[str, Any]:
    return {
        "method": comparison.name,
        "mean": round(comparison.mean, 4),
        "error": round(comparison.error, 4),
        "repeats": round(comparison.repeats, 4),
        "correlations": [round(each, 4) for each in comparison.correlations],
    }


def _show(
    out: Console, compared: Sequence[Comparison], plot: Path | None, keep: str | None
) -> None:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("method")
    for column in ("correlation", "±", "worst event", "meetings again"):
        table.add_column(column, justify="right")
    for each in sorted(compared, key=lambda each: -each.mean):
        worst = f"{min(each.correlations):.3f}"
        table.add_row(
            each.name, f"{each.mean:.3f}", f"{each.error:.3f}", worst, f"{each.repeats:.1%}"
        )
    out.print(table)
    if plot is not None:
        out.print(f"Drawn: {shown(str(plot))}")
    if keep is not None:
        out.print(f"Kept: {shown(keep)}; look at it: wordtray tournament standings {shown(keep)}")
