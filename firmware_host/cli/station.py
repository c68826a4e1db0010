"""``wordtray station``: hears all trays of a tournament, takes their results, gives orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_host.cli import options, stations
from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import ExitCode

if TYPE_CHECKING:
    from firmware_host.service import Wait
    from firmware_host.station.base import Base, Given
    from firmware_host.station.direction import Direction, ToTray
    from firmware_host.station.station import Station

app = typer.Typer(
    help="The station of a tournament: hears all trays by an MQTT broker, keeps what they tell in "
    "SQLite or PostgreSQL, takes their results, gives them orders. In this order: serve, trays by "
    "`serve --station`, `tournament pair`, seat, shake (or start --promised), start.",
    no_args_is_help=True,
    epilog="Examples: wordtray station serve spring --broker 10.0.0.2 · "
    "wordtray station seat spring · wordtray station start spring --in 10 · "
    "wordtray station tables spring",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `tournament list`.")]
Database = stations.Database
BoardNumber = Annotated[
    int, typer.Option("--board", metavar="N", min=1, help="Which board of the round.")
]
Tables = Annotated[
    list[int] | None,
    typer.Option("--table", metavar="N", min=1, help="Only this one; once for each (else all)."),
]

ANSWERS_S = 10.0
"""Seconds that answers of trays are waited for."""

LOOK_S = 0.2


@app.command(
    epilog="Examples: wordtray station serve spring --broker 10.0.0.2 · "
    "wordtray station serve spring --broker broker.local:8883 --ca ca.pem --user desk "
    "--password-file secret --database postgresql://wordtray@localhost/spring"
)
def serve(
    name: Name,
    *,
    broker: Annotated[
        str, typer.Option("--broker", metavar="HOST[:PORT]", help="The MQTT broker.")
    ] = "127.0.0.1",
    user: Annotated[str, typer.Option("--user", metavar="U", help="For the broker.")] = "",
    password_file: Annotated[
        Path | None,
        typer.Option("--password-file", metavar="FILE", help="Holds its password, nothing else."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="PEM of who vouches for it: then by TLS."),
    ] = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Run the station until it is stopped, by Ctrl-C or by SIGTERM.

    It tells how each table stands whenever that changes. Ended and started again, it goes on where
    it was: trays send what it does not have.
    """
    from firmware_host import lexicons, service, tournaments
    from firmware_host.station import serving, station
    from firmware_host.station.scribe import Scribe
    from hardware.clock import WallClock
    from scoring.nominated import nominated

    with reporting(json=json) as output, service.stop_signals() as wait:
        given = stations.section(
            broker, event=name, tray="station", user=user, password_file=password_file, ca=ca
        )
        address, clock = serving.address_of(given), WallClock()
        event = tournaments.HeldEvent(name)
        lexicon = nominated(event.log.plan.setup, lexicons.load)[0]
        with _base(name, database) as base:
            serving.check_alone(base, clock, name)
            scribe = Scribe(event, lexicon, clock.monotonic)
            link = station.broker_of(address, name)
            link.tell = lambda text: output.log.print(shown(text))
            output.log.print(
                f"[bold]Station[/] of {name}, broker {shown(address.host)}:{address.port}"
            )
            _run(output, station.Station(name, base, scribe, link, clock), wait)


def _run(output: Output, station: Station, wait: Wait) -> None:
    """Turn after turn, until a signal; what has changed is told."""
    told: dict[str, Mapping[str, Any]] = {}
    fault = ""
    station.start()
    try:
        while not wait(station.turn()):
            if station.fault != fault:
                fault = station.fault
                output.log.print(f"[bold red]{shown(fault)}[/]" if fault else "It goes on.")
            _tell_changes(output, station, told)
    finally:
        station.leave()


def _tell_changes(output: Output, station: Station, told: dict[str, Mapping[str, Any]]) -> None:
    for each in station.monitors():
        document = each.document
        lasting = {key: value for key, value in document.items() if key not in _FLEETING}
        if told.get(each.tray) != lasting:
            told[each.tray] = lasting
            _tell_table(output, document)


_FLEETING = ("left_s", "seq", "behind", "skew_s", "skew_error_s")
"""What changes all the time."""


@app.command(epilog="Example: wordtray station seat spring --board 2")
def seat(
    name: Name,
    *,
    board: BoardNumber = 1,
    table: Tables = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Tell the trays who plays the last round that was drawn, and what it counts for."""
    from firmware_host.station.directing import seated

    _direct(name, board, table, database, seated, json=json)


@app.command(
    epilog="Examples: wordtray station start spring --in 10 · "
    "wordtray station start spring --promised --board 2"
)
def start(
    name: Name,
    *,
    seconds: Annotated[
        float, typer.Option("--in", metavar="SECONDS", min=1, max=600, help="From now.")
    ] = 10.0,
    promised: Annotated[
        bool, typer.Option("--promised", help="With the board that was promised, not the trays'.")
    ] = False,
    board: BoardNumber = 1,
    table: Tables = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Start the sand at the same moment on all tables.

    With --promised the board of `tournament promise` is sent before, hidden; at the start it is
    shown in the tournament, too. Else each tray must have been shaken and read.
    """
    from firmware_host.station.directing import directed, started
    from firmware_host.tournaments import load, opened

    with reporting(json=json) as output:
        to = directed(load(name), board, table or (), now())
        begun = started(name, to, now() + seconds, promised=promised)
        code = _carried_out(output, name, database, begun.orders, until_s=seconds)
        if begun.laid is not None:
            with opened(name, now()) as event:
                if begun.show(event):
                    output.log.print(f"Board {board} of round {to.played.number} is shown.")
        raise typer.Exit(code)


@app.command("extra-time", epilog="Example: wordtray station extra-time spring 30 --table 4")
def extra_time(
    name: Name,
    seconds: Annotated[
        float, typer.Argument(metavar="SECONDS", min=1, max=120, help="More of them.")
    ],
    *,
    table: Tables = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Give more time to tables, for a disturbance."""
    _direct(name, 1, table, database, lambda to: to.extra_time(seconds), json=json)


@app.command(
    epilog="Examples: wordtray station announce spring 'Lunch until two' · "
    "wordtray station announce spring 'Round 3 begins' --minutes 5"
)
def announce(
    name: Name,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Empty ends what was said.")],
    *,
    minutes: options.CountedDown = None,
    table: Tables = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Have something shown at the tables, perhaps with a countdown."""
    from firmware_host.station.directing import told

    until = None if minutes is None else now() + 60 * minutes
    _direct(name, 1, table, database, lambda to: told(to, text, until), json=json)


@app.command(epilog="Example: wordtray station cancel spring --table 4")
def cancel(
    name: Name,
    *,
    table: Annotated[
        list[int] | None,
        typer.Option("--table", metavar="N", min=1, help="Which; once for each. There is no all."),
    ] = None,
    database: Database = None,
    json: options.Json = False,
) -> None:
    """Give up the round at tables; seat them again before they play it anew."""
    from firmware_host.station.directing import cancelled

    _direct(name, 1, table, database, cancelled, json=json)


@app.command(epilog="Example: wordtray station tables spring --json")
def tables(name: Name, *, database: Database = None, json: options.Json = False) -> None:
    """Show how each table stood when the station looked last."""
    with reporting(json=json) as output, _base(name, database, made=True) as base:
        for text in base.shown().values():
            document = loads(text)
            _tell_table(output, document)


@app.command(epilog="Example: wordtray station orders spring")
def orders(name: Name, *, database: Database = None, json: options.Json = False) -> None:
    """List the orders that were given, and what became of them."""
    with reporting(json=json) as output, _base(name, database, made=True) as base:
        for given in base.orders():
            _tell_order(output, given)


@contextmanager
def _base(name: str, database: str | None, *, made: bool = False) -> Iterator[Base]:
    """The base of a station; one that is only looked at is not made."""
    from firmware_host.station.base import check_made, default_url, open_base

    default = default_url(name)  # in any case: it sees that there is such an event
    if made:
        check_made(database or default)
    with open_base(database or default, name) as base:
        yield base


@dataclass(frozen=True)
class _Waiting:
    """Orders whose answers are waited for."""

    ids: frozenset[str]
    until: float

    def open(self, given: Sequence[Given]) -> bool:
        final = [each for each in given if each.answer and each.answer.outcome != "planned"]
        return len(final) < len(self.ids) and now() < self.until


def _direct(
    name: str,
    board: int,
    only: Collection[int] | None,
    database: str | None,
    orders: Callable[[Direction], list[ToTray]],
    *,
    json: bool,
) -> None:
    from firmware_host.station.directing import directed
    from firmware_host.tournaments import load

    with reporting(json=json) as output:
        to = directed(load(name), board, only or (), now())
        raise typer.Exit(_carried_out(output, name, database, orders(to)))


def _carried_out(
    output: Output,
    name: str,
    database: str | None,
    given: Sequence[ToTray],
    *,
    until_s: float = 0.0,
) -> ExitCode:
    """Have orders given, and tell what became of each; 4 where one was not carried out.

    Answers are waited for, from so many seconds on at which they are to happen.
    """
    import time

    with _base(name, database) as base:
        base.give(given, now())
        waiting = _Waiting(frozenset(order.id for _, order in given), now() + until_s + ANSWERS_S)
        while waiting.open(found := _found(base, waiting.ids)):
            time.sleep(LOOK_S)
        for each in found:
            _tell_order(output, each)
    done = all(each.answer and each.answer.outcome == "done" for each in found)
    return ExitCode.DONE if done else ExitCode.DOUBTFUL


def _found(base: Base, ids: Collection[str]) -> list[Given]:
    return [each for each in base.orders() if each.order.id in ids]


def _tell_order(output: Output, given: Given) -> None:
    answer = given.answer
    said = "no answer" if answer is None else ": ".join(filter(None, [answer.outcome, answer.why]))
    line = f"table {shown(given.tray)}  {given.order.kind}  {shown(said)}"
    output.document(given.document, lambda out: out.print(line))


def _tell_table(output: Output, document: Mapping[str, Any]) -> None:
    output.document(document, lambda out: out.print(_line(document)))


def _line(document: Mapping[str, Any]) -> str:
    """A table in one line, for people."""
    parts = [f"[bold]table {shown(document['tray'])}[/]", _presence(document), document["phase"]]
    if document["round"] is not None:
        parts.append(f"round {document['round']}, board {document['board']}")
    if document["left_s"] is not None:
        parts.append(f"{document['left_s']:.0f} s left")
    parts += [_count(document["doubtful"], "doubtful cube"), _words(document["doubtful_words"])]
    if document["skew_s"] is not None:
        parts.append(f"clock {document['skew_s']:+.3f} s")
    parts += ["result taken"] if document["taken"] else []
    parts += [f"[red]{shown(document[key])}[/]" for key in ("fault", "trouble") if document[key]]
    return "  ".join(part for part in parts if part)


def _presence(document: Mapping[str, Any]) -> str:
    if document["online"] is None:
        return "never seen"
    made_up = " (simulated)" if document["simulated"] else ""
    return ("online" if document["online"] else "[red]offline[/]") + made_up


def _count(cells: Sequence[object], what: str) -> str:
    return f"{len(cells)} {what}{'s' * (len(cells) != 1)}" if cells else ""


def _words(count: int) -> str:
    return f"{count} doubtful word{'s' * (count != 1)}" if count else ""
