"""``wordtray tournament hall`` and ``announce``: what everybody in the hall may see."""

from __future__ import annotations

from typing import Annotated

import typer

from firmware_host.cli import options, tournament_pages
from firmware_host.cli.kept import now
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.tournament_files import Name
from firmware_host.errors import wrong_use

HALL = (
    "Examples: wordtray tournament hall spring · "
    "wordtray tournament hall spring --host 0.0.0.0 --port 8090. Ctrl-C ends it."
)
ANNOUNCE = (
    "Examples: wordtray tournament announce spring 'Round 3 begins' --minutes 5 · "
    "wordtray tournament announce spring --none"
)


def hall(
    name: Name,
    *,
    host: tournament_pages.Host = "127.0.0.1",
    port: tournament_pages.Port = 8090,
    certificate: tournament_pages.Certificate = None,
    key_file: tournament_pages.KeyFile = None,
    json: options.Json = False,
) -> None:
    """Serve the pages of the hall: the wall at /, players' phones at /me, an /overlay.

    They follow the event as commands change it, and show nothing that is not public. A feed for
    other programs is at /api/live. Nothing can be changed through them.
    """
    from importlib.metadata import version

    from firmware_host import service, tournaments
    from firmware_host.tournament_wall.app import Hall, hall_app
    from firmware_host.web.render import Pages
    from firmware_host.web.serving import JoinUrl, listening, names_of, running
    from firmware_host.web.texts import read_catalogues

    with reporting(json=json) as output, service.stop_signals() as wait:
        tournaments.load(name)
        web = tournament_pages.web_section(host, port, certificate, key_file)
        with listening(host, port) as listener:
            join = JoinUrl(host, listener.getsockname()[1], secure=certificate is not None)
            address = join().removesuffix("join")
            served = Hall(name, now, Pages(read_catalogues()), lambda: f"{address}me")
            with running(hall_app(served, names_of(web), version("wordtray")), web, listener):
                document = {"event": name, "address": address}
                output.document(document, lambda out: out.print(f"The hall: {shown(address)}"))
                while not wait(tournament_pages.LOOK_S):
                    pass  # the pages answer in a thread of their own


def announce(
    name: Name,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="For everybody.")] = None,
    *,
    minutes: options.CountedDown = None,
    none: Annotated[bool, typer.Option("--none", help="Take it down.")] = False,
    json: options.Json = False,
) -> None:
    """Put an announcement on all pages of the hall, perhaps with a countdown, or take it down."""
    from firmware_host.tournament_notice import Notice
    from firmware_host.tournament_notice import announce as put_up

    with reporting(json=json) as output:
        if none == (text is not None):
            raise wrong_use("notice", "nothing is announced", "Give a text, or --none.")
        until = None if minutes is None else now() + 60 * minutes
        put_up(name, None if text is None else Notice(text, until))
        document = {"event": name, "text": text, "until": until}
        told = "Taken down." if text is None else f"Announced: {shown(text)}"
        output.document(document, lambda out: out.print(told))
