"""``wordtray lexicon``: word lists."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.boards import given_lexicon
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting

if TYPE_CHECKING:
    from scoring.lexicon import Lexicon

app = typer.Typer(
    help="Word lists: what proves a word.",
    no_args_is_help=True,
    epilog="Examples: wordtray lexicon list · wordtray lexicon info enable · "
    "wordtray lexicon info my-words.txt --json",
)


@app.command("list", epilog="Any text file, a word a line, also serves as --lexicon FILE.")
def list_lexicons(*, json: options.Json = False) -> None:
    """List the word lists that have a name."""
    from firmware_host import lexicons

    with reporting(json=json) as output:
        for name in lexicons.names():
            lexicon = lexicons.load(name)
            output.document(_head(lexicon), partial(_show_head, lexicon))


@app.command(epilog="Examples: wordtray lexicon info · wordtray lexicon info my-words.txt")
def info(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A name of `lexicon list`, or a text file.")
    ] = "enable",
    *,
    json: options.Json = False,
) -> None:
    """Show what a word list holds: counts by length, source and licence."""
    with reporting(json=json) as output:
        lexicon = given_lexicon(name)
        lengths = {str(length): count for length, count in lexicon.lengths().items()}

        def show(out: Console) -> None:
            out.print(f"[bold]{shown(lexicon.name)}[/]  {len(lexicon):,} words")
            out.print(f"source   {lexicon.source}", markup=False)
            out.print(f"licence  {lexicon.licence}", markup=False)
            table = Table(box=SIMPLE_HEAD, show_edge=False)
            table.add_column("letters", justify="right")
            table.add_column("words", justify="right")
            for length, count in lengths.items():
                table.add_row(length, f"{count:,}")
            out.print(table)

        output.document(_head(lexicon) | {"lengths": lengths}, show)


def _show_head(lexicon: Lexicon, out: Console) -> None:
    out.print(f"[bold]{shown(lexicon.name)}[/]  {len(lexicon):,} words, {lexicon.licence}")


def _head(lexicon: Lexicon) -> dict[str, Any]:
    return {
        "name": lexicon.name,
        "words": len(lexicon),
        "source": lexicon.source,
        "licence": lexicon.licence,
    }
