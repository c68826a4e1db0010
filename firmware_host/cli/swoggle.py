"""``wordtray swoggle``: words on a board of squares, so many letters as the die shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import kept, options, swoggle_photo
from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.swoggle import Dice, SwoggleMatch, Table
    from scoring.swoggle.moves import Moves

app = typer.Typer(
    help="Swoggle: words on a board of squares, so many letters as the die shows.",
    no_args_is_help=True,
    epilog="Examples: wordtray swoggle new monday --players ann,bob · "
    "wordtray swoggle roll monday --die 6 · "
    "wordtray swoggle turn monday 8 5 across PARADE · wordtray swoggle score monday --explain",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `swoggle list`.")]
Player = Annotated[
    str | None,
    typer.Option("--player", metavar="PLAYER", help="Refuse it unless this player's turn it is."),
]
Die = Annotated[
    int | None,
    typer.Option("--die", metavar="N", help="What the die of the turn shows, thrown by a player."),
]
Photo = Annotated[
    Path | None,
    typer.Option(
        "--photo", metavar="PHOTO", help="A photo of the die of the turn, to read what it shows."
    ),
]
Top = Annotated[int, typer.Option("--top", metavar="N", min=1, help="Name the best N moves.")]

FEW = 5
LONGEST_THROW = 9
"""Digits at most; which numbers a die has is for the rules to say."""


@app.command(
    epilog="Examples: wordtray swoggle new monday --players ann,bob --start 3,5 · "
    "wordtray swoggle new alone --players ann --variant solo --minutes 10"
)
def new(
    name: kept.NewName,
    players: Annotated[
        str, typer.Option("--players", metavar="A,B,…", help="Who plays, in their order.")
    ],
    variant: Annotated[
        str, typer.Option("--variant", help="ordinary, marathon, fours or solo.")
    ] = "ordinary",
    *,
    target: Annotated[
        int | None,
        typer.Option(
            "--target", metavar="N", help="Points that win (else 300; 250 with four players)."
        ),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="N", help="Time limit of the match.")
    ] = None,
    turn_seconds: Annotated[
        float | None,
        typer.Option(
            "--turn-seconds", metavar="N", help="Time limit of a turn, from its throw on."
        ),
    ] = None,
    lexicon: options.Lexicon = "enable",
    board: Annotated[
        Path | None,
        typer.Option("--board", metavar="FILE", help="A board as data (else wordtray's own)."),
    ] = None,
    seed: options.Seed = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="3,5|roll",
            help="Who begins: a throw a player, a tie as 5,5/2,4, or roll to have the program "
            "throw (else the first player).",
        ),
    ] = None,
    challenges: Annotated[
        bool,
        typer.Option(
            "--challenges",
            help="Take any word until it is challenged (else a word that is not in the word list "
            "is refused).",
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Begin a match and keep it under a name.

    The highest throw of --start begins, with that number.
    """
    from firmware_host import lexicons, matches, swoggle
    from scoring.match import Match
    from scoring.swoggle.game import Swoggle
    from scoring.swoggle.plan import Plan

    with reporting(json=json) as output:
        moment = now()
        plan = Plan.agree(
            players.split(","),
            variant,
            target=target,
            minutes=minutes,
            turn_seconds=turn_seconds,
            checked=not challenges,
            started=moment,
        )
        words = lexicons.load(lexicon)
        seed = random.randrange(10**6) if seed is None else seed
        listed = lexicons.listed_as(lexicon)
        rules = Swoggle(plan, swoggle.find_layout(board), words, listed, seed)
        match = Match.new(rules)
        if start is not None:
            throws = _start_throws(start, seed, len(plan.players))
            output.log.print(f"Throws for the start: {' / '.join(map(_commas, throws))}")
            match = match.play({"type": "start", "throws": throws, "at": moment})
        matches.create(name, match)
        _tell(output, name, match)


@app.command(
    epilog="Examples: wordtray swoggle roll monday · wordtray swoggle roll monday --die 4 · "
    "wordtray swoggle roll monday --photo die.jpg"
)
def roll(
    name: Name,
    die: Die = None,
    player: Player = None,
    *,
    photo: Photo = None,
    json: options.Json = False,
) -> None:
    """Throw the die for the next turn, or say with --die or --photo what it shows.

    Where no move is possible with it, that is said.
    """
    from firmware_host import swoggle

    with reporting(json=json) as output, _playing(name, die, photo) as (table, camera):
        given = camera or _dice(table, None if die is None else [die])
        letters = table.roll(given, player)
        moves = swoggle.moves_for(table.match, letters)

        def show(out: Console) -> None:
            out.print(f"[bold]{shown(table.match.state.mover.name)}[/] has a {letters}.")
            if not moves.count:
                out.print(f"No move is possible with {letters}: pass.")

        output.document(_document(name, table.match) | {"possible": moves.count}, show)


@app.command(
    epilog="Examples: wordtray swoggle turn monday 8 5 across PARADE --die 6 · "
    "wordtray swoggle turn monday '7 10 down H(E)M' · "
    "wordtray swoggle turn monday 6 3 down LO --bonus 4,6"
)
def turn(
    name: Name,
    written: Annotated[
        list[str],
        typer.Argument(
            metavar="ROW COLUMN across|down LETTERS",
            help="The square of the first letter that you write, counted from 1, and the letters "
            "that you write; letters that stand already are left out, or in brackets.",
        ),
    ],
    die: Die = None,
    bonus: Annotated[
        str | None,
        typer.Option(
            "--bonus",
            metavar="4,6,…",
            help="Throws for the bonus squares, by row and then by column: one for orange, two for "
            "yellow, three for red (else the program throws).",
        ),
    ] = None,
    player: Player = None,
    *,
    photo: Photo = None,
    json: options.Json = False,
) -> None:
    """Write a turn on the board and score it.

    What the die of --photo shows is kept as thrown, also where the turn is then refused.
    """
    from firmware_host.cli.swoggle_draw import entry_text, word_text
    from firmware_host.swoggle_documents import entry_document

    with reporting(json=json) as output, _playing(name, die, photo) as (table, camera):
        if camera:
            table.roll(camera, player)
        dice = _dice(table, None if bonus is None else _numbers(bonus, "--bonus"))
        entry = table.turn(" ".join(written), die, dice, player)

        def show(out: Console) -> None:
            out.print(entry_text(entry))
            for word in entry.words:
                out.print(f"  {word_text(word)}")
            if any(square.throws for word in entry.words for square in word.squares):
                out.print(f"  bonus squares thrown by the {dice.thrown_by}")

        _tell(output, name, table.match, {"played": entry_document(entry)}, show)


@app.command(
    "pass", epilog="Examples: wordtray swoggle pass monday · wordtray swoggle pass monday --die 5"
)
def pass_on(
    name: Name,
    die: Die = None,
    player: Player = None,
    *,
    photo: Photo = None,
    json: options.Json = False,
) -> None:
    """Pass for want of a word, and hear whether one was possible."""
    from firmware_host import swoggle
    from firmware_host.swoggle_documents import moves_document

    with reporting(json=json) as output, _playing(name, die, photo) as (table, camera):
        if camera:
            table.roll(camera, player)
        before = table.match
        count = swoggle.rules_of(before).letters_to_write(before.state) or die
        table.pass_on(die, player)
        moves = swoggle.moves_for(before, count) if count else None

        def show(out: Console) -> None:
            out.print(f"[bold]{shown(before.state.mover.name)}[/] passes. {_possible(moves)}")

        possible = moves and moves_document(moves, FEW)
        _tell(output, name, table.match, {"possible": possible}, show)


@app.command(epilog="Example: wordtray swoggle challenge monday MERRY --by ann")
def challenge(
    name: Name,
    word: Annotated[str, typer.Argument(metavar="WORD", help="A new word of the last turn.")],
    by: Annotated[str, typer.Option("--by", metavar="PLAYER", help="Who challenges it.")],
    *,
    json: options.Json = False,
) -> None:
    """Challenge a word of the last turn.

    If it is not in the word list, the turn comes off the board; if it is, the challenger loses the
    next turn.
    """
    from firmware_host import swoggle

    with reporting(json=json) as output, swoggle.playing(name, now()) as table:
        letters = len(table.match.state.letters)
        table.challenge(word, by)
        state, lexicon = table.match.state, swoggle.rules_of(table.match).lexicon.name
        upheld = len(state.letters) < letters

        def show(out: Console) -> None:
            verdict = "is not in" if upheld else "is in"
            effect = "the turn comes off the board" if upheld else f"{by} loses a turn"
            out.print(shown(f"{word.upper()} {verdict} the word list {lexicon}: {effect}."))

        _tell(output, name, table.match, {"word": word.lower(), "upheld": upheld}, show)


@app.command(
    epilog="Examples: wordtray swoggle show monday · wordtray swoggle show monday --png b.png"
)
def show(
    name: Name,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Also draw it as SVG.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Also draw it as PNG.")
    ] = None,
    after: kept.After = None,
    *,
    json: options.Json = False,
) -> None:
    """Draw the board of a match, with the players and whose turn it is."""
    from firmware_host import swoggle
    from firmware_host.cli.swoggle_draw import show_match

    with reporting(json=json) as output:
        match = swoggle.load(name, now())
        if after is not None:
            match = kept.as_after(match, after)
        _draw(match, svg, png)
        output.document(_document(name, match), partial(show_match, match=match))


@app.command(epilog="Examples: wordtray swoggle hint monday · wordtray swoggle hint monday --die 4")
def hint(
    name: Name,
    die: Die = None,
    top: Top = 10,
    *,
    json: options.Json = False,
) -> None:
    """Name the best of all legal moves for the die; nothing is played.

    A throw on a bonus square counts as 3.5 in the order; the column of points is without throws.
    """
    from firmware_host import swoggle
    from firmware_host.cli.swoggle_draw import moves_table
    from firmware_host.swoggle_documents import moves_document

    with reporting(json=json) as output:
        match = swoggle.load(name, now())
        count = _count_for_hint(match, die)
        moves = swoggle.moves_for(match, count)

        def show(out: Console) -> None:
            if moves.count:
                out.print(moves_table(moves, top))
            out.print(_counted_moves(moves, count))

        document = {"match": name, "letters": count} | moves_document(moves, top)
        output.document(document, show)


@app.command(epilog="Example: wordtray swoggle score monday --explain")
def score(
    name: Name,
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="Every turn, word and square of the score sheet.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Show the scores of a match, and with --explain how each of them came about."""
    from firmware_host import swoggle
    from firmware_host.cli.swoggle_draw import sheet_lines, show_standing
    from firmware_host.swoggle_documents import entry_document

    with reporting(json=json) as output:
        match = swoggle.load(name, now())
        document = _document(name, match)
        if explain:
            document["sheet"] = list(map(entry_document, match.state.sheet))

        def show(out: Console) -> None:
            for line in sheet_lines(match) if explain else ():
                out.print(line)
            show_standing(out, match)
            _show_record(out, document)

        output.document(document, show)


app.command("read", epilog=swoggle_photo.READ_EPILOG)(swoggle_photo.read)
app.command("check", epilog=swoggle_photo.CHECK_EPILOG)(swoggle_photo.check)


_EVENTS = {
    "start": "the throws for the start",
    "roll": "the throw",
    "turn": "the turn",
    "pass": "the pass",
    "challenge": "the challenge",
    "time_up": "the end of the time",
}


@app.command(epilog="Example: wordtray swoggle undo monday")
def undo(name: Name, *, json: options.Json = False) -> None:
    """Take back the last throw, turn, pass or challenge; the log keeps it."""
    from firmware_host import swoggle

    with (
        reporting(json=json) as output,
        swoggle.playing(name, now(), keep_time=False) as table,
    ):
        taken = dict(table.match.events[-1]) if table.match.events else {}
        table.undo()

        def show(out: Console) -> None:
            kept.tell_undone(out, taken, _EVENTS)

        _tell(output, name, table.match, {"undone": taken}, show)


@app.command("list", epilog="Example: wordtray swoggle list --json")
def list_matches(*, json: options.Json = False) -> None:
    """List the matches of Swoggle that are kept."""
    from firmware_host import matches, swoggle
    from scoring.swoggle.game import NAME

    with reporting(json=json) as output:

        def tell(name: str, match: SwoggleMatch) -> None:
            output.document(_document(name, match), partial(_show_listed, name, match))

        load = partial(swoggle.load, now=now())
        raise typer.Exit(kept.tell_each(output, matches.names(NAME), load, tell))


@app.command(epilog="Example: wordtray swoggle export monday -o monday.json")
def export(
    name: Name,
    output_file: kept.ExportFile = None,
    *,
    json: options.Json = False,
) -> None:
    """Export a match as one JSON document: setup, every event, and where it stands.

    It is JSON with and without --json.
    """
    from firmware_host import swoggle
    from firmware_host.swoggle_documents import entry_document

    with reporting(json=json) as output:
        match = swoggle.load(name, now())
        document = match.document() | {
            "state": _document(name, match),
            "sheet": list(map(entry_document, match.state.sheet)),
        }
        kept.write_export(output, name, document, output_file)


@app.command("import", epilog="Example: wordtray swoggle import tuesday monday.json")
def import_match(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it from now on.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `swoggle export` wrote.")],
    *,
    json: options.Json = False,
) -> None:
    """Replay an exported match, keep it under a name, and go on with it."""
    from firmware_host import matches, swoggle

    with reporting(json=json) as output:
        match = matches.read_exported(file, swoggle.open_rules)
        matches.create(name, match)
        _tell(output, name, match)


def _tell(
    output: Output,
    name: str,
    match: SwoggleMatch,
    more: dict[str, Any] | None = None,
    first: Callable[[Console], None] | None = None,
) -> None:
    from firmware_host.cli.swoggle_draw import show_match

    document = _document(name, match) | (more or {})

    def show(out: Console) -> None:
        if first:
            first(out)
        show_match(out, match)
        _show_record(out, document)

    output.document(document, show)


def _document(name: str, match: SwoggleMatch) -> dict[str, Any]:
    """Where a match stands; of a solo match also the best score of all others."""
    from firmware_host import solo_scores, swoggle
    from firmware_host.swoggle_documents import state_document
    from scoring.swoggle.plan import Variant

    document = state_document(name, match)
    if swoggle.rules_of(match).plan.variant is Variant.SOLO:
        best = solo_scores.best(apart_from=name)
        document["best_before"] = best.points if best else None
        points = match.state.seats[0].points
        document["record"] = bool(match.state.end) and points > (best.points if best else 0)
    return document


def _show_record(out: Console, document: dict[str, Any]) -> None:
    if document.get("record"):
        out.print("[bold]The best solo score so far.[/]")
    elif document.get("best_before") is not None:
        out.print(f"The best solo score so far is {document['best_before']}.")


def _show_listed(name: str, match: SwoggleMatch, out: Console) -> None:
    from firmware_host import swoggle
    from firmware_host.cli.swoggle_draw import next_text

    points = ", ".join(f"{shown(player)} {won}" for player, won in match.state.points.items())
    variant = swoggle.rules_of(match).plan.variant
    out.print(f"[bold]{name}[/]  {variant}: {points}. {next_text(match)}")


@contextmanager
def _playing(name: str, die: int | None, photo: Path | None) -> Iterator[tuple[Table, Dice | None]]:
    """Continue a match, with the throw that a photo shows where there is one."""
    from firmware_host import swoggle

    if die is not None and photo is not None:
        raise wrong_use("usage", "--die and --photo both say what the die shows", "Give one.")
    camera = None
    if photo is not None:
        from firmware_host.swoggle_camera import photographed_die

        camera = photographed_die(photo)  # before the match is held: reading takes a while
    with swoggle.playing(name, now()) as table:
        yield table, camera


def _dice(table: Table, given: list[int] | None) -> Dice:
    from firmware_host.swoggle import GivenDice

    return table.program_dice if given is None else GivenDice(given)


def _start_throws(text: str, seed: int, players: int) -> list[list[int]]:
    from firmware_host.swoggle import program_dice

    if text == "roll":
        return program_dice(seed, 0).throw_off(players)
    return [_numbers(part, "--start") for part in text.split("/")]


def _numbers(text: str, option: str) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() and len(part) <= LONGEST_THROW for part in parts):
        raise wrong_use(
            "throws", f"{text[:40]!r} are no throws", f"Write {option} 4,6 for a 4 and a 6."
        )
    return list(map(int, parts))


def _commas(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


def _count_for_hint(match: SwoggleMatch, die: int | None) -> int:
    from firmware_host.swoggle import rules_of

    letters = rules_of(match).letters_to_try(match.state, die)
    if letters is None:
        raise wrong_use("no_die", "the die has not been thrown", "Say what it shows with --die N.")
    return letters


def _possible(moves: Moves | None) -> str:
    if moves is None:
        return ""
    if not moves.count:
        return "No move was possible."
    (best,) = moves.best(1)
    return f"{moves.count:,} moves were possible, such as {best.turn}."


def _counted_moves(moves: Moves, count: int) -> str:
    letters = f"{count} letter{'s' * (count > 1)}"
    if not moves.count:
        return f"No move is possible with {letters}."
    return f"{moves.count:,} moves are possible with {letters}."


def _draw(match: SwoggleMatch, svg: Path | None, png: Path | None) -> None:
    from firmware_host.cli.swoggle_draw import fresh_cells
    from firmware_host.files import check_ending
    from firmware_host.swoggle import rules_of
    from firmware_host.swoggle_picture import to_png, to_svg

    check_ending(svg, ".svg")
    check_ending(png, ".png")
    state, layout = match.state, rules_of(match).layout
    for file, draw in ((svg, to_svg), (png, to_png)):
        if file is not None:
            _write(file, draw(layout, state.letters, fresh_cells(state)))


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
