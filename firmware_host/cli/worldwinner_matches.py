"""``wordtray worldwinner``: the matches of WorldWinner Boggle that are kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import kept, options
from firmware_host.cli.kept import now
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting

if TYPE_CHECKING:
    from scoring.match import Match as Log
    from scoring.worldwinner.match import Match

app = typer.Typer(
    help="WorldWinner Boggle: matches that `play --match` keeps.",
    no_args_is_help=True,
    epilog="Examples: wordtray play --game worldwinner --simulate --match monday · "
    "wordtray worldwinner list · wordtray worldwinner score monday --explain",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `worldwinner list`.")]


@app.command(epilog="Example: wordtray worldwinner show monday")
def show(name: Name, *, json: options.Json = False) -> None:
    """Draw the finished rounds of a match, with the words and the best that were missed.

    The tiles of a round that is still being played are not shown.
    """
    from firmware_host import worldwinner
    from firmware_host.cli.worldwinner import show_match
    from firmware_host.worldwinner_documents import possible_of, rounds_document, state_document

    with reporting(json=json) as output:
        moment = now()
        match = worldwinner.load(name, moment).state

        def draw(out: Console) -> None:
            show_match(out, match, possible_of(match), moment, explain=False)

        output.document(state_document(name, match, moment) | rounds_document(match), draw)


@app.command(epilog="Example: wordtray worldwinner score monday --explain")
def score(
    name: Name,
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="Every word, and how its points come about.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Show the scores of a match, and with --explain how each of them came about.

    The words of a round that is still being played are not shown.
    """
    from firmware_host import worldwinner
    from firmware_host.cli.worldwinner import show_sheet, show_totals
    from firmware_host.worldwinner_documents import sheet_document, state_document

    with reporting(json=json) as output:
        moment = now()
        match = worldwinner.load(name, moment).state

        def tell(out: Console) -> None:
            if explain:
                show_sheet(out, match)
            show_totals(out, match, moment)

        sheet = sheet_document(match) if explain else {}
        output.document(state_document(name, match, moment) | sheet, tell)


@app.command("list", epilog="Example: wordtray worldwinner list --json")
def list_matches(*, json: options.Json = False) -> None:
    """List the matches of WorldWinner Boggle that are kept."""
    from firmware_host import matches, worldwinner
    from firmware_host.worldwinner_documents import state_document
    from scoring.worldwinner.game import NAME

    with reporting(json=json) as output:
        moment = now()

        def tell(name: str, log: Log[Match]) -> None:
            listed = partial(_show_listed, name, log.state, moment)
            output.document(state_document(name, log.state, moment), listed)

        load = partial(worldwinner.load, now=moment)
        raise typer.Exit(kept.tell_each(output, matches.names(NAME), load, tell))


@app.command(epilog="Example: wordtray worldwinner export monday -o monday.json")
def export(
    name: Name,
    output_file: kept.ExportFile = None,
    *,
    json: options.Json = False,
) -> None:
    """Export a match as one JSON document: setup, every event, and where it stands.

    It is JSON with and without --json, and holds the tiles of all rounds.
    """
    from firmware_host import worldwinner
    from firmware_host.worldwinner_documents import sheet_document, state_document

    with reporting(json=json) as output:
        moment = now()
        match = worldwinner.load(name, moment)
        state = state_document(name, match.state, moment)
        document = match.document() | {"state": state} | sheet_document(match.state)
        kept.write_export(output, name, document, output_file)


def _show_listed(name: str, match: Match, moment: float, out: Console) -> None:
    from firmware_host.cli.worldwinner import next_text

    points = ", ".join(f"{shown(player)} {won}" for player, won in match.totals.items())
    out.print(f"[bold]{name}[/]  {points}. {next_text(match, moment)}")
