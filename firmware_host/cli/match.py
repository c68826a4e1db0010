"""``wordtray match``: Boggle over several rounds, with teams, handicaps and challenges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import kept, options, reviewing, seating
from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.writing import Writing

if TYPE_CHECKING:
    from firmware_host.boggle import BoggleMatch, Table

app = typer.Typer(
    help="Boggle over several rounds: teams, handicaps, challenges, totals, a winner.",
    no_args_is_help=True,
    epilog="Examples: wordtray match new friday --players ann,bob --target 50 · "
    "wordtray match board friday IETC/HQuPE/SEYH/TOER · "
    "wordtray match hand-in friday ann=ann.txt bob=bob.txt · "
    "wordtray match read-aloud friday · wordtray match challenge friday TPE --of ann --by bob · "
    "wordtray match end-round friday · wordtray match score friday --explain",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `match list`.")]
Word = Annotated[str, typer.Argument(metavar="WORD", help="A word of the round.")]
Of = Annotated[str, typer.Option("--of", metavar="PLAYER", help="On whose list it stands.")]
By = Annotated[str, typer.Option("--by", metavar="PLAYER", help="Who does it.")]


_FORM = "PLAYER=FILE, such as ann=ann.txt, or page.jpg where the page is signed"


@app.command(
    epilog="Examples: wordtray match new friday --players ann,bob,kim --target 50 · "
    "wordtray match new duel --players ann,bob --game ultimate --penalty 1 --lexicon emma · "
    "wordtray match new club --players ann,bob,cy --game super-big-team --team red=ann,bob · "
    "wordtray match new family --players ann,kim --game super-big-handicap --handicap kim=3"
)
def new(
    name: kept.NewName,
    players: Annotated[
        str, typer.Option("--players", metavar="A,B,…", help="Who plays, in the order of reading.")
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="G", help=f"The rules: {options.BOGGLE_GAMES} (else boggle)."
        ),
    ] = None,
    *,
    rules: seating.Rules = None,
    team: seating.Teams = None,
    handicap: seating.Handicaps = None,
    target: Annotated[
        int | None,
        typer.Option("--target", metavar="N", help="Points that end it, such as 50 or 100."),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", metavar="N", help="Rounds (else one, where there is no target)."),
    ] = None,
    penalty: Annotated[
        str | None,
        typer.Option(
            "--penalty",
            metavar="N|word",
            help="What a false word costs: points, or as many as the word is worth (else nothing). "
            "In Boggle Ultimate each rejected word, else one that is challenged, unless house "
            "rules say which.",
        ),
    ] = None,
    free_errors: Annotated[
        int | None,
        typer.Option(
            "--free-errors",
            metavar="N",
            help="Errors of a player in a round that cost no penalty, where there is one.",
        ),
    ] = None,
    lexicon: options.Lexicon = "enable",
    json: options.Json = False,
) -> None:
    """Begin a match and keep it under a name."""
    from firmware_host import house_rules, lexicons, matches
    from firmware_host.cli.match_draw import goal_text, rules_text
    from scoring.boggle.match import Boggle
    from scoring.boggle.plan import Plan
    from scoring.match import Match

    with reporting(json=json) as output:
        base, sections = house_rules.agreed_sections(rules, game, "boggle")
        plan = Plan.agree(
            players.split(","),
            base,
            house=house_rules.with_penalty(sections, base, penalty, free_errors),
            teams=seating.parse_teams(team),
            handicaps=seating.parse_handicaps(handicap),
            target=target,
            rounds=rounds,
        )
        rules_of_match = Boggle(plan, lexicons.load(lexicon), lexicons.listed_as(lexicon))
        match = Match.new(rules_of_match)
        matches.create(name, match)

        def first(out: Console) -> None:
            out.print(f"{rules_text(plan.game, plan.seating)} {goal_text(rules_of_match)}")

        _tell(output, name, match, first=first)


@app.command(
    epilog="Examples: wordtray match board friday IETC/HQuPE/SEYH/TOER --start · "
    "wordtray match board friday tray.jpg"
)
def board(
    name: Name,
    given: options.BoardOrPhoto,
    size: options.Size = None,
    *,
    start: Annotated[
        bool, typer.Option("--start", help="Turn the sand timer at the same moment.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Begin the next round with this board.

    Without --start the table has a sandglass of its own, or turns the timer with `match start`.
    """
    from firmware_host.cli.boards import given_board

    with reporting(json=json) as output:
        read = given_board(given, size, output)
        if read.code is ExitCode.DOUBTFUL:
            message = (
                "a match is played on a board that is sure, and some cells of the photo are not"
            )
            raise CommandError(
                Complaint("doubtful", message, f"Give the board: {read.board}", read.code)
            )
        with _playing(name) as table:
            turned = ({"type": "start"},) if start else ()
            table.enter_all({"type": "board", "board": str(read.board)}, *turned)
            _tell(output, name, table.match)


@app.command(epilog="Example: wordtray match start friday")
def start(name: Name, *, json: options.Json = False) -> None:
    """Turn the sand timer of the round."""
    _enter(name, "start", json=json)


@app.command(epilog="Example: wordtray match word friday ann QUEST")
def word(
    name: Name,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who has found it.")],
    written: Annotated[str, typer.Argument(metavar="WORD", help="The word.")],
    *,
    json: options.Json = False,
) -> None:
    """Write a word on a player's list while the sand runs."""
    with reporting(json=json) as output, _playing(name) as table:
        table.enter("word", player=player, word=written)
        event = table.match.events[-1]
        lines = table.match.state.rounds[-1].lines[event["player"].strip()]

        def first(out: Console) -> None:
            out.print(f"{shown(player)} writes {shown(written)}, word {len(lines)} of the list.")

        _tell(output, name, table.match, {"written": len(lines)}, first)


@app.command(
    "hand-in",
    epilog="Examples: wordtray match hand-in friday ann=ann.txt bob=bob.txt · "
    "wordtray match hand-in friday ann=page.jpg sheets.pdf --review",
)
def hand_in(
    name: Name,
    lists: Annotated[
        list[str],
        typer.Argument(
            metavar="[PLAYER=]FILE…",
            help="Lists of players: text, a word a line, or photos, scans and PDFs of paper. "
            "Without a name a list is that of the player on the sheet, or in its head line.",
        ),
    ],
    *,
    writing: options.OnPaper = Writing.AUTO,
    review: reviewing.Asked = False,
    referee: reviewing.Referee = None,
    json: options.Json = False,
) -> None:
    """Hand in lists of the round, as they were written in time.

    A line that is no single word, or is not read for sure, is not guessed: it is doubtful, scores
    nothing, and the exit code is 4. Crossed out words are not played.
    """
    from firmware_host import boggle
    from firmware_host.cli.score import (
        Rules,
        complain_of_doubts,
        doubtful_lines,
        lines_of,
        reviewed,
        table_of,
    )

    with reporting(json=json) as output:
        match = boggle.load(name)
        played, words = match.state.open_round, boggle.rules_of(match).lexicon
        board, game = (played.board, played.game) if played else (None, None)
        rules = Rules(board, words, game, writing)
        handed = table_of(lists, rules, output, form=_FORM)
        read, _ = reviewed(handed, None, (referee, None), output, review=review, note="")
        entries = handed.entries(read)
        with _playing(name) as table:
            table.enter_all(
                *(
                    {"type": "list", "player": player, "lines": lines_of(listed)}
                    for player, listed in entries.items()
                )
            )
            _tell(output, name, table.match, {"doubtful": doubtful_lines(entries)})
        advice = f"Take the list back (wordtray match undo {name}), mend these lines, hand it in."
        doubtful = complain_of_doubts(entries, output, advice)
        raise typer.Exit(ExitCode.DOUBTFUL if handed.incomplete else doubtful)


@app.command("last-chance", epilog="Example: wordtray match last-chance duel --by ann")
def last_chance(name: Name, by: By, *, json: options.Json = False) -> None:
    """Boggle Ultimate: declare the last chance, which turns the sand timer."""
    _enter(name, "last_chance", json=json, player=by)


@app.command(epilog="Example: wordtray match agree duel --by ann")
def agree(name: Name, by: By, *, json: options.Json = False) -> None:
    """Boggle Ultimate: agree to end; when both have, the writing is over."""
    _enter(name, "agree", json=json, player=by)


@app.command(
    "read-aloud",
    epilog="Examples: wordtray match read-aloud friday · wordtray match read-aloud friday --by ann",
)
def read_aloud(
    name: Name,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="PLAYER", help="Refuse it unless this player's turn it is."),
    ] = None,
    *,
    json: options.Json = False,
) -> None:
    """Have the next player read the list aloud: see what it strikes out, and whose turn is next."""
    from firmware_host import boggle

    with reporting(json=json) as output, _playing(name) as table:
        rules, played = boggle.rules_of(table.match), table.match.state.open_round
        reader = (played and rules.reader(played)) or rules.plan.players[-1]
        table.enter("read_aloud", player=by or reader)
        listed = [entry.text for entry in played.entries(reader)] if played else []

        def first(out: Console) -> None:
            out.print(f"[bold]{shown(reader)}[/] reads: {shown(', '.join(listed) or '–')}")

        _tell(output, name, table.match, {"read_aloud": listed}, first)


@app.command(epilog="Example: wordtray match challenge friday TPE --of ann --by bob")
def challenge(name: Name, word: Word, of: Of, by: By, *, json: options.Json = False) -> None:
    """Challenge a word before the round is ended; the word list decides.

    If it is not in the word list it comes off every list, and whoever wrote it pays the penalty.
    """
    _call(name, "challenge", json=json, word=word, of=of, by=by)


@app.command(epilog="Example: wordtray match reject duel TPE --of ann")
def reject(name: Name, word: Word, of: Of, *, json: options.Json = False) -> None:
    """Boggle Ultimate: the referee rejects a word, whatever the word list says."""
    _call(name, "reject", json=json, word=word, of=of)


@app.command("end-round", epilog="Example: wordtray match end-round friday")
def end_round(name: Name, *, json: options.Json = False) -> None:
    """End the round: score its lists and add up the totals."""
    from firmware_host.boggle_documents import ended_document
    from firmware_host.cli.draw import show_result

    with reporting(json=json) as output, _playing(name) as table:
        table.enter("end_round")
        result = table.match.state.rounds[-1].result

        def first(out: Console) -> None:
            if result is not None:
                show_result(out, result)

        more = {"result": ended_document(table.match)[-1]}
        _tell(output, name, table.match, more, first)


@app.command(
    epilog="Examples: wordtray match show friday · wordtray match show friday --after 3 --json"
)
def show(
    name: Name,
    after: kept.After = None,
    *,
    json: options.Json = False,
) -> None:
    """Show where a match stands: the board, whose turn it is, what is struck out."""
    from firmware_host import boggle, matches

    with reporting(json=json) as output:
        match = boggle.load(name)
        if after is None:
            _tell(output, name, match)
        else:
            then = kept.as_after(match, after)
            _tell(output, name, then, moment=matches.last_moment(then))


@app.command(epilog="Example: wordtray match score friday --explain")
def score(
    name: Name,
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="Every word of every round, and why.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Show the points of a match, and with --explain how each of them came about."""
    from firmware_host import boggle, matches
    from firmware_host.boggle_documents import explained_document, state_document
    from firmware_host.cli.match_draw import next_text, sheet_lines, show_standings

    with reporting(json=json) as output:
        match = boggle.load(name)
        moment = matches.moment_of(match, now())
        more = explained_document(match) if explain else {}

        def show(out: Console) -> None:
            for line in sheet_lines(match) if explain else ():
                out.print(line)
            show_standings(out, match)
            out.print(next_text(match, moment))

        output.document(state_document(name, match, moment) | more, show)


_EVENTS = {
    "board": "the board",
    "start": "the start of the timer",
    "word": "the word",
    "list": "the list",
    "last_chance": "the last chance",
    "agree": "the agreement",
    "read_aloud": "the reading aloud",
    "challenge": "the challenge",
    "reject": "the rejection",
    "end_round": "the end of the round",
}


@app.command(epilog="Example: wordtray match undo friday")
def undo(name: Name, *, json: options.Json = False) -> None:
    """Take back the last event; the log keeps it."""
    with reporting(json=json) as output, _playing(name) as table:
        taken = dict(table.match.events[-1]) if table.match.events else {}
        table.undo()

        def first(out: Console) -> None:
            kept.tell_undone(out, taken, _EVENTS)

        _tell(output, name, table.match, {"undone": taken}, first)


@app.command("list", epilog="Example: wordtray match list --json")
def list_matches(*, json: options.Json = False) -> None:
    """List the matches of the Boggle family that are kept."""
    from firmware_host import boggle, matches
    from firmware_host.boggle_documents import state_document
    from firmware_host.cli.match_draw import show_state_line
    from scoring.boggle.match import NAME

    with reporting(json=json) as output:

        def tell(name: str, match: BoggleMatch) -> None:
            moment = matches.moment_of(match, now())
            line = partial(show_state_line, name=name, match=match, now=moment)
            output.document(state_document(name, match, moment), line)

        raise typer.Exit(kept.tell_each(output, matches.names(NAME), boggle.load, tell))


@app.command(epilog="Example: wordtray match export friday -o friday.json")
def export(
    name: Name,
    output_file: kept.ExportFile = None,
    *,
    json: options.Json = False,
) -> None:
    """Export a match as one JSON document: setup, every event, and where it stands.

    It is JSON with and without --json.
    """
    from firmware_host import boggle, matches
    from firmware_host.boggle_documents import explained_document, state_document

    with reporting(json=json) as output:
        match = boggle.load(name)
        state = state_document(name, match, matches.moment_of(match, now()))
        document = match.document() | {"state": state} | explained_document(match)
        kept.write_export(output, name, document, output_file)


@app.command("import", epilog="Example: wordtray match import saturday friday.json")
def import_match(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it from now on.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `match export` wrote.")],
    *,
    json: options.Json = False,
) -> None:
    """Replay an exported match, keep it under a name, and go on with it."""
    from firmware_host import boggle, matches

    with reporting(json=json) as output:
        match = matches.read_exported(file, boggle.open_rules)
        matches.create(name, match)
        _tell(output, name, match)


@contextmanager
def _playing(name: str) -> Iterator[Table]:
    from firmware_host import boggle

    with boggle.playing(name, now()) as table:
        yield table


def _enter(name: str, kind: str, *, json: bool, **given: str) -> None:
    """Play an event and tell where the match stands."""
    with reporting(json=json) as output, _playing(name) as table:
        table.enter(kind, **given)
        _tell(output, name, table.match)


def _call(name: str, kind: str, *, json: bool, **given: str) -> None:
    """Call a word into question and tell what became of it."""
    from firmware_host.cli.match_draw import challenge_text

    with reporting(json=json) as output, _playing(name) as table:
        table.enter(kind, **given)
        called = table.match.state.rounds[-1].challenges[-1]
        _tell(
            output,
            name,
            table.match,
            {"word": called.word, "upheld": called.upheld},
            lambda out: out.print(challenge_text(called)),
        )


def _tell(
    output: Output,
    name: str,
    match: BoggleMatch,
    more: dict[str, Any] | None = None,
    first: Callable[[Console], None] | None = None,
    *,
    moment: float | None = None,
) -> None:
    """Tell where a match stands.

    Args:
        output: the command's streams.
        name: of the match.
        match: the match.
        more: of the document, besides.
        first: what people are told before.
        moment: at which it stands so; None is now.
    """
    from firmware_host import matches
    from firmware_host.boggle_documents import state_document
    from firmware_host.cli.match_draw import show_match

    at = matches.moment_of(match, now()) if moment is None else moment

    def show(out: Console) -> None:
        if first:
            first(out)
        show_match(out, match, at)

    output.document(state_document(name, match, at) | (more or {}), show)
