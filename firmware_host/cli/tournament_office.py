"""``wordtray tournament desk``: the referees' pages of an event."""

from __future__ import annotations

from typing import Annotated

import typer

from firmware_host.cli import options, tournament_pages
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.tournament_files import Name

DESK = (
    "Examples: wordtray tournament desk spring · "
    "wordtray tournament desk spring --host 0.0.0.0 --port 8091 · "
    "wordtray tournament desk spring --new-pin. Ctrl-C ends it."
)


def desk(
    name: Name,
    *,
    host: tournament_pages.Host = "127.0.0.1",
    port: tournament_pages.Port = 8091,
    certificate: tournament_pages.Certificate = None,
    key_file: tournament_pages.KeyFile = None,
    new_pin: Annotated[
        bool, typer.Option("--new-pin", help="Make another PIN; who is signed in must do so anew.")
    ] = False,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="The one of `station serve` (else a file beside the tournament).",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Serve the referees' desk: registration, tables, start, monitor, review, results, exports.

    Whoever has the PIN works there, by a name of their own; several at once. The PIN is told when
    it is made, at the first start, and not again; --new-pin makes another. What needs a station
    says so where none is at work.
    """
    from importlib.metadata import version

    from firmware_host import service
    from firmware_host.tournament_office.app import office_app
    from firmware_host.tournament_office.opening import opened
    from firmware_host.web.serving import JoinUrl, listening, names_of, running

    with reporting(json=json) as output, service.stop_signals() as wait:
        web, secure = (
            tournament_pages.web_section(host, port, certificate, key_file),
            bool(certificate),
        )
        with listening(host, port) as listener:
            office, pin = opened(name, database, secure=secure, new_pin=new_pin)
            address = JoinUrl(host, listener.getsockname()[1], secure=secure)()
            with running(office_app(office, names_of(web), version("wordtray")), web, listener):
                url = address.removesuffix("join")
                output.document(
                    {"event": name, "address": url, "pin": pin},
                    lambda out: out.print(f"The desk: {shown(url)}"),
                )
                if pin is not None:
                    output.log.print(f"PIN of the referees, told once: [bold]{pin}[/]")
                if database is not None and (trouble := office.branch.trouble()):
                    output.log.print(f"[yellow]No station yet:[/] {shown(trouble)}")
                while not wait(tournament_pages.LOOK_S):
                    pass  # the pages answer in a thread of their own
