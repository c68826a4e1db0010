"""``wordtray lexicon``: word lists."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.boards import given_lexicon
from firmware_host.cli.draw import counted
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import attempt, reporting
from firmware_host.errors import ExitCode
from scoring.intake import Kind, Reason

if TYPE_CHECKING:
    from firmware_host.own_lists import Facts
    from scoring.folding import Folding
    from scoring.intake import Omission
    from scoring.intake import Progress as Told
    from scoring.lexicon import Lexicon

_SLOW_S = 2.0
"""What takes longer shows how far it is."""

app = typer.Typer(
    help="Word lists: what proves a word.",
    no_args_is_help=True,
    epilog="Examples: wordtray lexicon list · wordtray lexicon info enable · "
    "wordtray lexicon add french /usr/share/dict/french --cubes french_4x4",
)

_NAMES = (Reason.NAME, Reason.SENTENCE_START)
_MANY = 5
"""Names left out are many when this times their number is more than the words."""

_KINDS = {
    Kind.LIST: "a word a line",
    Kind.TEXT: "running text",
    Kind.HUNSPELL: "Hunspell dictionary with all its forms",
}

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `lexicon list`.")]


@app.command(
    "list",
    epilog="Example: wordtray lexicon list --json. Any text file, a word a line, also serves as "
    "--lexicon FILE.",
)
def list_lexicons(*, json: options.Json = False) -> None:
    """List the word lists that have a name: the built-in one, then those that were added."""
    from firmware_host import lexicons

    with reporting(json=json) as output:
        codes = [_list_one(name, output) for name in lexicons.names()]
        raise typer.Exit(max(codes))


def _list_one(name: str, output: Output) -> ExitCode:
    lexicon, code = attempt(output, {"name": name}, partial(given_lexicon, name))
    if lexicon is not None:
        output.document(_head(lexicon), partial(_show_head, lexicon))
    return code


@app.command(epilog="Examples: wordtray lexicon info · wordtray lexicon info my-words.txt")
def info(
    name: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A name of `lexicon list`, or a text file.")
    ] = "enable",
    *,
    json: options.Json = False,
) -> None:
    """Show what a word list holds: counts by length, source, licence, and what was left out."""
    from firmware_host import lexicons

    with reporting(json=json) as output:
        lexicon = given_lexicon(name)
        _tell(output, lexicon, lexicons.left_out_of(name))


@app.command(
    epilog="Examples: wordtray lexicon add french /usr/share/dict/french --cubes french_4x4 · "
    "wordtray lexicon add czech /usr/share/hunspell/cs_CZ.dic --cubes czech_4x4 · "
    "wordtray lexicon add novel novel.txt --licence 'public domain'"
)
def add(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What to call it: a-z, 0-9, - and _.")
    ],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A text file in UTF-8, or the .dic or .aff of a Hunspell pair."
        ),
    ],
    kind: Annotated[
        Kind | None,
        typer.Option("--as", help="What the file is (else found out).", case_sensitive=False),
    ] = None,
    *,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="TEXT", help="Where the words are from (else the file)."),
    ] = None,
    licence: Annotated[
        str | None, typer.Option("--licence", metavar="TEXT", help="What one may do with them.")
    ] = None,
    cubes: Annotated[
        str | None,
        typer.Option(
            "--cubes",
            metavar="EDITION",
            help="Fold the accents that no face of this cube set shows, as é to e (else all are "
            f"kept): {options.EDITIONS}.",
        ),
    ] = None,
    keep_capitals: Annotated[
        bool,
        typer.Option(
            "--keep-capitals", help="Words with a capital are words, as German nouns are."
        ),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of a list of this name.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Add a word list under a name: from a list, a Hunspell dictionary, or any text.

    Left out, and told with their number, are the words that rulebooks forbid: with a capital, an
    apostrophe, a hyphen, a dot, a digit; single letters; more than 64 letters.

    A list has a word a line. Of a Hunspell dictionary every form is taken, compounds aside. Of a
    text, such as a novel, every word is taken that stands in it somewhere in small letters; what is
    only ever seen with a capital counts as a name.
    """
    from firmware_host import lexicons, word_sources
    from scoring.cubes import cube_set
    from scoring.folding import Folding

    with reporting(json=json) as output:
        faces = [face for cube in cube_set(cubes).cubes for face in cube] if cubes else None
        folding = Folding() if faces is None else Folding.for_faces(faces)
        wishes = word_sources.Wishes(source, licence, folding, keep_capitals, replace)
        opened = word_sources.open_source(lexicons.path_of(file), kind)
        output.log.print(
            f"Reading {shown(str(opened.path))} as {opened.kind}: {_KINDS[opened.kind]}"
        )
        with shown_if_slow(output) as told:
            facts, lexicon = word_sources.add(name, opened, wishes, told)
        _tell(output, lexicon, facts.left_out)
        _hint_at_capitals(output, facts)


@app.command(epilog="Example: wordtray lexicon remove french")
def remove(name: Name, *, json: options.Json = False) -> None:
    """Remove a word list that was added."""
    from firmware_host import lexicons

    with reporting(json=json) as output:
        lexicons.remove(name)

        def show(out: Console) -> None:
            out.print(f"Removed {shown(name)}.")

        output.document({"name": name, "removed": True}, show)


@contextmanager
def shown_if_slow(output: Output) -> Iterator[Told]:
    """A progress bar that comes only where the work takes long."""
    began = time.monotonic()
    with Progress(console=output.log, transient=True, disable=not output.log.is_terminal) as bar:
        task = bar.add_task("Reading", visible=False)

        def tell(done: int, of: int) -> None:
            slow = time.monotonic() - began > _SLOW_S
            step = "Reading" if done < of else "Compiling"
            bar.update(task, completed=done, total=of, visible=slow, description=step)

        yield tell


def _hint_at_capitals(output: Output, facts: Facts) -> None:
    names = sum(left.count for left in facts.left_out if left.reason in _NAMES)
    if names * _MANY > facts.words:
        output.log.print(
            f"Left out as names: {counted(names, 'word')} with a capital. If they are words, as "
            "German nouns are, add the list with --keep-capitals."
        )


def _tell(output: Output, lexicon: Lexicon, left_out: Sequence[Omission]) -> None:
    from firmware_host.own_lists import omission_document

    document = _head(lexicon) | {
        "keeps": lexicon.folding.keeps,
        "letters": len(lexicon.trie.alphabet),
        "lengths": {str(length): count for length, count in lexicon.lengths().items()},
        "left_out": [omission_document(omission) for omission in left_out],
    }
    output.document(document, partial(_show, lexicon, left_out))


def _show(lexicon: Lexicon, left_out: Sequence[Omission], out: Console) -> None:
    out.print(f"[bold]{shown(lexicon.name)}[/]  {counted(len(lexicon), 'word')}")
    out.print(f"source   {shown(lexicon.source)}")
    out.print(f"licence  {shown(lexicon.licence)}")
    out.print(f"letters  {len(lexicon.trie.alphabet)}; {_accents(lexicon.folding)}")
    lengths = Table(box=SIMPLE_HEAD, show_edge=False)
    lengths.add_column("letters", justify="right")
    lengths.add_column("words", justify="right")
    for length, count in lexicon.lengths().items():
        lengths.add_row(str(length), f"{count:,}")
    out.print(lengths)
    if left_out:
        out.print(_left_out_table(left_out))


def _left_out_table(left_out: Sequence[Omission]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False)
    table.add_column("left out", justify="right")
    table.add_column("because")
    table.add_column("such as")
    for left in left_out:
        examples = ", ".join(map(shown, left.examples))
        table.add_row(f"{left.count:,}", left.reason.label, examples)
    return table


def _show_head(lexicon: Lexicon, out: Console) -> None:
    words = counted(len(lexicon), "word")
    out.print(f"[bold]{shown(lexicon.name)}[/]  {words}, {shown(lexicon.licence)}")


def _head(lexicon: Lexicon) -> dict[str, Any]:
    return {
        "name": lexicon.name,
        "words": len(lexicon),
        "source": lexicon.source,
        "licence": lexicon.licence,
    }


def _accents(folding: Folding) -> str:
    if folding.keeps is None:
        return "accents kept"
    return f"accents folded, but for {folding.keeps}" if folding.keeps else "accents folded"
