"""``wordtray tournament``: from registration to the prize list, with a proof of every point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from firmware_host.cli import (
    kept,
    options,
    seating,
    tournament_files,
    tournament_hall,
    tournament_office,
    tournament_paper,
    tournament_simulate,
)
from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import ExitCode, wrong_use

if TYPE_CHECKING:
    from firmware_host.tournaments import OpenEvent
    from scoring.match import Event
    from scoring.tournament.log import Log

app = typer.Typer(
    help="Tournaments: players, tables of every round, boards promised before they are shown, "
    "scores, standings with every term, exports that prove themselves.",
    no_args_is_help=True,
    epilog="Examples: wordtray tournament new spring --seats 4 --rounds 5 · "
    "wordtray tournament add spring players.csv · wordtray tournament pair spring · "
    "wordtray tournament promise spring · wordtray tournament board spring · "
    "wordtray tournament enter spring table1.json · wordtray tournament standings spring · "
    "wordtray tournament desk spring · wordtray tournament hall spring · "
    "wordtray tournament export spring -o spring.json · "
    "wordtray tournament verify spring.json",
)

Name = tournament_files.Name
Player = Annotated[str, typer.Argument(metavar="PLAYER", help="Somebody who is enrolled.")]
Round_ = Annotated[
    int | None,
    typer.Option("--round", metavar="N", min=1, help="Which (else the last that was drawn)."),
]
BoardNumber = Annotated[
    int, typer.Option("--board", metavar="N", min=1, help="Which board of the round.")
]
Why = Annotated[
    str | None, typer.Option("--why", metavar="TEXT", help="Of a correction: kept and shown.")
]
Division = Annotated[
    str | None, typer.Option("--division", metavar="D", help="One of the event (else each).")
]


@app.command(
    epilog="Examples: wordtray tournament new spring --seats 4 --rounds 5 --boards 3 · "
    "wordtray tournament new cup --seats 2 --rounds 7 --division A --division B --spread-cap 50 · "
    "wordtray tournament new open --seats all --scope room --prize 'Cup=1' --prize 'Newcomer=1<900'"
)
def new(
    name: kept.NewName,
    *,
    title: Annotated[
        str | None, typer.Option("--title", metavar="T", help="For people (else the name).")
    ] = None,
    seats: Annotated[
        str, typer.Option("--seats", metavar="N|all", help="Of a table: 2, 3 to 8, or all.")
    ] = "4",
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", min=1)] = 5,
    boards: Annotated[int, typer.Option("--boards", metavar="N", min=1, help="Of a round.")] = 3,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="M",
            help="How tables are drawn: swiss, balanced, round-robin, king-of-the-hill, random, "
            "manual (else swiss).",
        ),
    ] = None,
    scope: Annotated[
        str, typer.Option("--scope", metavar="S", help="Who cancels words: pod, room or none.")
    ] = "pod",
    ranking: Annotated[
        str | None,
        typer.Option(
            "--ranking",
            metavar="A,B,…",
            help="What decides: wins, spread, points, strength, long_words (else by wins for "
            "pairs, by points for pods).",
        ),
    ] = None,
    division: Annotated[
        list[str] | None, typer.Option("--division", metavar="D", help="Once for each.")
    ] = None,
    spread_cap: Annotated[
        int | None, typer.Option("--spread-cap", metavar="N", min=1, help="Of a round.")
    ] = None,
    counted: Annotated[
        int | None,
        typer.Option("--team-counts", metavar="N", min=1, help="Of a team the best so many."),
    ] = None,
    prize: Annotated[
        list[str] | None,
        typer.Option(
            "--prize",
            metavar="TITLE=PLACE[<RATING]",
            help="Such as 'Cup=1' or 'Newcomer=1<900'; team:1 for teams, board:1 for the best "
            "board; once for each.",
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="G", help=f"{options.BOGGLE_GAMES}.")
    ] = None,
    rules: seating.Rules = None,
    penalty: Annotated[
        str | None,
        typer.Option("--penalty", metavar="N|word", help="What a challenged false word costs."),
    ] = None,
    free_errors: Annotated[
        int | None,
        typer.Option("--free-errors", metavar="N", help="Errors on a board that cost nothing."),
    ] = None,
    lexicon: options.Lexicon = "enable",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Begin a tournament and keep it under a name."""
    from firmware_host import house_rules, lexicons, tournaments
    from firmware_host.cli.tournament_options import (
        one_of,
        parse_prize,
        parse_ranking,
        parse_seats,
    )
    from scoring.tournament.log import Log
    from scoring.tournament.plan import Method, Plan, Scope

    with reporting(json=json) as output:
        base, sections = house_rules.agreed_sections(rules, game, "boggle")
        plan = Plan.agree(
            title or name,
            lexicons.listed_as(lexicon),
            lexicons.load(lexicon).digest,
            base,
            house=house_rules.with_penalty(sections, base, penalty, free_errors),
            divisions=division or ["main"],
            rounds=rounds,
            boards=boards,
            seats=parse_seats(seats),
            method=None if method is None else one_of(Method, method, "method"),
            scope=one_of(Scope, scope, "scope"),
            ranking=parse_ranking(ranking),
            spread_cap=spread_cap,
            counted=counted,
            prizes=[parse_prize(text) for text in prize or ()],
            seed=seed or 0,
        )
        log = Log.new(plan)
        tournaments.create(name, log)
        _tell(output, name, log)


@app.command(
    epilog="Examples: wordtray tournament add spring players.csv · "
    "wordtray tournament add spring --player Anna --player 'Bo Lee' --division B"
)
def add(
    name: Name,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE.csv]", help="Columns name, division, rating, team."),
    ] = None,
    *,
    player: Annotated[
        list[str] | None, typer.Option("--player", metavar="P", help="Once for each.")
    ] = None,
    division: Division = None,
    json: options.Json = False,
) -> None:
    """Enrol players, all or none; also in the middle: they have not lost the rounds before."""
    from firmware_host.tournament_intake import enrolments

    with reporting(json=json) as output, _playing(name) as event:
        of = {} if division is None else {"division": division}
        events = [
            *(enrolments(file, event.log, of) if file else ()),
            *({"type": "enrol", "player": p, **of} for p in player or ()),
        ]
        if not events:
            raise wrong_use("players", "no player is named", "Name a file, or give --player.")
        event.play(*events)
        _tell(output, name, event.log)


@app.command(epilog="Example: wordtray tournament withdraw spring Anna")
def withdraw(name: Name, player: Player, *, json: options.Json = False) -> None:
    """A player leaves, and is not drawn any more; what they played counts."""
    _enter(name, {"type": "withdraw", "player": player}, json=json)


@app.command("return", epilog="Example: wordtray tournament return spring Anna")
def return_(name: Name, player: Player, *, json: options.Json = False) -> None:
    """A player who left, or was suspended, is drawn again."""
    _enter(name, {"type": "return", "player": player}, json=json)


@app.command(epilog="Example: wordtray tournament suspend spring Anna --why 'looked at a phone'")
def suspend(name: Name, player: Player, why: Why = None, *, json: options.Json = False) -> None:
    """A player is not drawn until `return`."""
    _enter(name, {"type": "suspend", "player": player, "why": why}, json=json)


@app.command(epilog="Example: wordtray tournament bye spring Anna 3")
def bye(
    name: Name,
    player: Player,
    number: Annotated[int, typer.Argument(metavar="ROUND", min=1, help="A round to come.")],
    *,
    json: options.Json = False,
) -> None:
    """A player asks for a bye in a round to come."""
    _enter(name, {"type": "ask_bye", "player": player, "round": number}, json=json)


@app.command(
    epilog="Examples: wordtray tournament pair spring · "
    "wordtray tournament pair spring --method king-of-the-hill --absent Anna,Bob · "
    "wordtray tournament pair spring --tables by-hand.csv"
)
def pair(
    name: Name,
    *,
    method: Annotated[
        str | None, typer.Option("--method", metavar="M", help="Of this round (else the event's).")
    ] = None,
    division: Division = None,
    absent: Annotated[
        str | None, typer.Option("--absent", metavar="A,B,…", help="Who sits this round out.")
    ] = None,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables", metavar="FILE.csv", help="By hand: a table a line; a lone name has a bye."
        ),
    ] = None,
    start: Annotated[
        bool, typer.Option("--start", help="Start the round: its tables stay as they are.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Draw the tables of the next round; until it starts, again.

    A round starts with --start, or with its first board; --start alone draws only where there are
    no tables yet. The round before must be complete. Who meets whom again, or has a second bye, is
    told, and the exit code is 4 then.
    """
    from firmware_host.cli.tournament_draw import show_remarks
    from firmware_host.cli.tournament_options import one_of
    from firmware_host.tournament_desk import absent_of
    from firmware_host.tournament_documents import remarks_document
    from firmware_host.tournament_intake import tables as seated
    from firmware_host.tournament_rounds import (
        asks,
        by_hand,
        divisions_of,
        draw_events,
        drawing,
        drawn,
        kept_or,
        odd_about,
        start_event,
    )
    from scoring.tournament.plan import Method

    with reporting(json=json) as output, _playing(name) as event:
        log = event.log
        if tables and division is None and len(log.plan.divisions) > 1:
            message = "tables by hand are those of one division, and there are several"
            raise wrong_use("division", message, "Say with --division which.")
        away = absent_of(log, absent or "")
        chosen = None if method is None else one_of(Method, method, "method")
        how = by_hand(log, seated(tables), away) if tables else drawing(log, chosen, away)
        if start and not (method or away or tables):
            how = kept_or(log, name, how)
        draws = drawn(log, divisions_of(log.plan, division), how)
        odd = odd_about(log, draws)
        event.play(*draw_events(log, draws), *([start_event(log)] if start else []))
        more = {"remarks": remarks_document(odd)}
        _tell(output, name, event.log, more, lambda out: show_remarks(out, odd))
        raise typer.Exit(ExitCode.DOUBTFUL if asks(odd) else ExitCode.DONE)


@app.command(
    epilog="Examples: wordtray tournament promise spring --board 2 · "
    "wordtray tournament promise spring --between 150 200 · "
    "wordtray tournament promise spring --given IETC/HQuPE/SEYH/TOER"
)
def promise(
    name: Name,
    *,
    board: BoardNumber = 1,
    given: Annotated[
        str | None, typer.Option("--given", metavar="BOARD", help="This one (else rolled).")
    ] = None,
    cubes: options.Shaken = options.SHAKEN,
    between: Annotated[
        tuple[int, int] | None,
        typer.Option("--between", metavar="A B", help="Rolled until it holds A to B points."),
    ] = None,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Choose a board for all tables, keep it secret, and publish its hash.

    `board` without a board shows it, and whoever has the hash can prove that it is the same.
    """
    from firmware_host import tournaments
    from firmware_host.tournament_rounds import chosen_board
    from firmware_host.tournament_rounds import promise as promised

    with reporting(json=json) as output:
        chosen = chosen_board(tournaments.load(name).plan, given, cubes, between)
        with _playing(name) as event:
            digest = promised(event, name, board, chosen, why)
            _tell(output, name, event.log, {"hash": digest})


@app.command(
    epilog="Examples: wordtray tournament board spring --board 2 · "
    "wordtray tournament board spring IETC/HQuPE/SEYH/TOER --table 3"
)
def board(
    name: Name,
    given: Annotated[
        str | None, typer.Argument(metavar="[BOARD]", help="Else the one that was promised.")
    ] = None,
    *,
    board: BoardNumber = 1,
    table: Annotated[
        int, typer.Option("--table", metavar="N", min=0, help="Whose tray (else all tables).")
    ] = 0,
    photo: Annotated[
        Path | None, typer.Option("--photo", metavar="FILE", help="Its hash is kept as proof.")
    ] = None,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Show a board of the round: it starts with the first."""
    from firmware_host.tournament_desk import (
        board_to_show,
        check_settled,
        digest_of,
        play_scored,
        reason,
        round_of,
    )

    with reporting(json=json) as output, _playing(name) as event:
        number = round_of(event.log, None, name).number
        check_settled(event.log, name)
        board_shown = board_to_show(name, event.log, given, (board, table))
        picture = {} if photo is None else {"photo": digest_of(photo)}
        place = {"round": number, "board": board, "table": table}
        laid = {"type": "board", **place, **board_shown, **picture, **reason(why)}
        play_scored(event, number, board, [laid], why)
        _tell(output, name, event.log)


@app.command(
    epilog="Examples: wordtray tournament enter spring table1.json table2.json --board 2 · "
    "wordtray tournament enter spring table1.json --photo Anna=anna.jpg --photo Bo=bo.jpg · "
    "wordtray tournament enter spring points.csv --round 2 --why 'table 3 was mixed up'"
)
def enter(
    name: Name,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="What `score --json` printed, or CSV: player,points[,lengths] or player,words.",
        ),
    ],
    *,
    photo: Annotated[
        list[str] | None,
        typer.Option(
            "--photo", metavar="PLAYER=FILE", help="Of a list: its hash is kept; once for each."
        ),
    ] = None,
    number: Round_ = None,
    board: BoardNumber = 1,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Enter lists or points of a board, all files or none; lists are scored.

    Points without lists count, and no proof covers them. What is there already is replaced only
    with --why.
    """
    from firmware_host.tournament_desk import photos_of, play_scored, results, round_of
    from firmware_host.tournament_intake import given

    with reporting(json=json) as output, _playing(name) as event:
        played = round_of(event.log, number, name)
        shots = photos_of(photo or ())
        made = results(played, board, [given(file) for file in files], why, shots)
        play_scored(event, played.number, board, made, why)
        _tell(output, name, event.log)


@app.command(epilog="Example: wordtray tournament challenge spring TPE --of Anna --by Bob")
def challenge(
    name: Name,
    word: Annotated[str, typer.Argument(metavar="WORD", help="A word of the list.")],
    of: Annotated[str, typer.Option("--of", metavar="PLAYER", help="On whose list it stands.")],
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="PLAYER", help="Who challenges (else the referee rejects)."),
    ] = None,
    *,
    number: Round_ = None,
    board: BoardNumber = 1,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Challenge a word: the word list decides, and a false one costs what was agreed.

    Without --by the referee rejects it, whatever the word list says.
    """
    from firmware_host.tournament_desk import play_scored, reason, round_of
    from scoring.players import composed

    with reporting(json=json) as output, _playing(name) as event:
        played = round_of(event.log, number, name)
        kind = {"type": "reject"} if by is None else {"type": "challenge", "by": composed(by)}
        call = {"round": played.number, "board": board, "word": word, "of": composed(of)}
        play_scored(event, played.number, board, [{**kind, **call, **reason(why)}], why)
        _tell(output, name, event.log)


@app.command(
    epilog="Examples: wordtray tournament judge spring quiz qat · "
    "wordtray tournament judge spring quiz qat --each"
)
def judge(
    name: Name,
    words: Annotated[list[str], typer.Argument(metavar="WORD…", help="Of one play.")],
    *,
    each: Annotated[bool, typer.Option("--each", help="A verdict for each word.")] = False,
    json: options.Json = False,
) -> None:
    """Say whether a challenged play is good: one verdict for all its words, by the word list.

    Which of several words is bad is not told, but with --each. No list and no score is changed:
    `challenge` is for a word that stands on one.
    """
    from firmware_host import tournaments
    from firmware_host.tournament_desk import nominated_words
    from scoring.tournament.judging import all_good

    with reporting(json=json) as output:
        lexicon = nominated_words(tournaments.load(name).plan)
        verdicts = {word: all_good(lexicon, [word]) for word in words}
        good = all(verdicts.values())
        document = {"event": name, "good": good, "words": verdicts if each else list(words)}

        def show(out: Console) -> None:
            for word, verdict in verdicts.items() if each else ():
                out.print(f"{shown(word)}: {'good' if verdict else 'no good'}")
            out.print("The play is good." if good else "The play is no good.")

        output.document(document, show)


@app.command(
    epilog="Example: wordtray tournament adjust spring Anna -5 --why 'late' --round 2",
    context_settings={"ignore_unknown_options": True},  # -5 is a number here
)
def adjust(
    name: Name,
    player: Player,
    points: Annotated[int, typer.Argument(metavar="POINTS", help="More, or less than nothing.")],
    *,
    number: Round_ = None,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Give a player points in a round, or take some."""
    from firmware_host.tournament_desk import reason, round_of

    with reporting(json=json) as output, _playing(name) as event:
        played = round_of(event.log, number, name)
        event.play(
            {"type": "adjust", "round": played.number, "player": player, "points": points,
             **reason(why)}
        )  # fmt: skip
        _tell(output, name, event.log)


@app.command(epilog="Example: wordtray tournament undo spring 17 --why 'wrong player'")
def undo(
    name: Name,
    entry: Annotated[int, typer.Argument(metavar="ENTRY", min=1, help="Its number in `log`.")],
    *,
    why: Why = None,
    json: options.Json = False,
) -> None:
    """Take an entry back on which nothing rests; the log keeps both."""
    from firmware_host.tournament_desk import undoing

    with reporting(json=json) as output, _playing(name) as event:
        event.play(*undoing(event.log, entry, why, event.after))
        _tell(output, name, event.log)


@app.command(
    epilog="Examples: wordtray tournament standings spring · "
    "wordtray tournament standings spring --explain Anna · "
    "wordtray tournament standings spring --after 3 --json"
)
def standings(
    name: Name,
    *,
    after: Annotated[
        int | None, typer.Option("--after", metavar="ROUND", min=0, help="As they were then.")
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="PLAYER", help="How this rank came about, all terms."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Show the ranks, teams, prizes, and whose place is sure already."""
    from firmware_host import tournaments
    from firmware_host.cli.tournament_draw import show_standings
    from firmware_host.tournament_desk import check_round
    from firmware_host.tournament_documents import lines_of, standings_document
    from scoring.players import composed

    with reporting(json=json) as output:
        log = tournaments.load(name)
        check_round(log, after)
        explain = None if explain is None else composed(explain)
        if explain is not None and explain not in log.state.players:
            message = f"nobody called {explain!r} is enrolled"
            raise wrong_use("unknown_player", message, "Look how they are written.")

        def show(out: Console) -> None:
            if explain is None:
                show_standings(out, log, after)
            else:
                for line in lines_of(log, explain, after):
                    out.print(shown(line))

        output.document(standings_document(name, log, after, explain), show)


@app.command(epilog="Example: wordtray tournament show spring --json")
def show(name: Name, *, json: options.Json = False) -> None:
    """Show where an event stands: tables of the round, and what is missing."""
    from firmware_host import tournaments

    with reporting(json=json) as output:
        _tell(output, name, tournaments.load(name))


@app.command("log", epilog="Example: wordtray tournament log spring")
def show_log(name: Name, *, json: options.Json = False) -> None:
    """List every entry with its number, time and hash; what was taken back is marked."""
    from firmware_host import tournaments
    from firmware_host.cli import tournament_draw
    from firmware_host.tournament_documents import log_document

    with reporting(json=json) as output:
        log = tournaments.load(name)
        document = {"event": name, "entries": log_document(log)}
        output.document(document, lambda out: tournament_draw.show_log(out, log))


@app.command("list", epilog="Example: wordtray tournament list --json")
def list_events(*, json: options.Json = False) -> None:
    """List the events that are kept."""
    from firmware_host import tournaments
    from firmware_host.tournament_documents import event_state

    with reporting(json=json) as output:

        def tell(name: str, log: Log) -> None:
            line = f"{name}: {log.plan.name}, {len(log.state.players)} players"
            output.document(event_state(name, log), lambda out: out.print(shown(line)))

        code = kept.tell_each(output, tournaments.names(), tournaments.load, tell, "event")
        raise typer.Exit(code)


app.command(epilog=tournament_office.DESK)(tournament_office.desk)
app.command(epilog=tournament_hall.HALL)(tournament_hall.hall)
app.command(epilog=tournament_hall.ANNOUNCE)(tournament_hall.announce)
app.command(epilog=tournament_paper.SHEETS)(tournament_paper.sheets)
app.command(epilog=tournament_paper.SCAN)(tournament_paper.scan)
app.command(epilog=tournament_files.EXPORT)(tournament_files.export)
app.command(epilog=tournament_files.SITE)(tournament_files.site)
app.command(epilog=tournament_files.ARCHIVE)(tournament_files.archive)
app.command(epilog=tournament_files.RESTORE)(tournament_files.restore)
app.command(epilog=tournament_files.VERIFY)(tournament_files.verify)
app.command(epilog=tournament_simulate.EPILOG)(tournament_simulate.simulate)


@contextmanager
def _playing(name: str) -> Iterator[OpenEvent]:
    from firmware_host import tournaments

    with tournaments.opened(name, now()) as event:
        yield event


def _enter(name: str, given: Event, *, json: bool) -> None:
    with reporting(json=json) as output, _playing(name) as event:
        event.play({key: value for key, value in given.items() if value is not None})
        _tell(output, name, event.log)


def _tell(
    output: Output,
    name: str,
    log: Log,
    more: dict[str, Any] | None = None,
    last: Callable[[Console], None] | None = None,
) -> None:
    """Tell where an event stands."""
    from firmware_host.cli.tournament_draw import show_state
    from firmware_host.tournament_documents import event_state

    def show(out: Console) -> None:
        show_state(out, name, log)
        if last:
            last(out)

    output.document(event_state(name, log) | (more or {}), show)
