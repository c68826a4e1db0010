"""What ``serve`` has for the pages: its options, and the pages beside the owner."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from firmware_host.cli.output import Output, shown
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.cli.rounds import Seat
    from firmware_host.dictionary import Dictionary
    from firmware_host.keeper import Keeper
    from firmware_host.owner import Owner
    from firmware_host.restart import Restart
    from firmware_host.settings import WebSection
    from firmware_host.store.log import Log
    from firmware_host.store.place import Place
    from firmware_host.upkeep import Bench
    from firmware_host.web.access import Access
    from firmware_host.web.sessions import Role
    from firmware_host.web.stream import Hub
    from scoring.lexicon import Lexicon

Host = Annotated[
    str | None,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="Address for the pages; 0.0.0.0 lets phones in (else as in the settings: 127.0.0.1).",
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        metavar="N",
        min=0,
        max=65535,
        help="Its port; 0 finds a free one (else as in the settings: 8080).",
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option("--certificate", metavar="FILE", help="Serve by TLS with this PEM file."),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="FILE", help="The private key of the certificate, a PEM file."),
]
NewPin = Annotated[
    bool,
    typer.Option(
        "--new-pin", help="Make other PINs and another code; every session of before is over."
    ),
]


Safe = Annotated[
    bool,
    typer.Option(
        "--safe",
        help="Safe mode: no device is opened and no round played; the pages have doctor, settings, "
        "backup and restore.",
    ),
]
BoardMarks = Annotated[
    bool,
    typer.Option(
        "--board-marks",
        help="Phones mark at once whether a word is on the board (else as in the settings: no).",
    ),
]


@dataclass(frozen=True)
class Wish:
    """What the options say of the pages.

    Attributes:
        host: address; None is that of the settings.
        port: of it; the same.
        certificate: of TLS.
        key: of the certificate.
        new_pin: make other PINs.
        board_marks: phones mark whether a word is on the board.
    """

    host: str | None
    port: int | None
    certificate: Path | None
    key: Path | None
    new_pin: bool
    board_marks: bool = False

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            message = "--certificate and --key belong together"
            raise wrong_use("certificate", message, "Give both of them, or neither.")

    def of(self, web: WebSection) -> WebSection:
        """The settings as the options have them."""
        given = {
            "host": self.host,
            "port": self.port,
            "certificate": self.certificate,
            "key_file": self.key,
            "board_marks": self.board_marks or None,
        }
        update = {name: value for name, value in given.items() if value is not None}
        return web.model_copy(update=update)

    def of_none(self) -> WebSection:
        """The same where there are no settings, as of a simulated tray."""
        from firmware_host.settings import WebSection

        return self.of(WebSection())


@dataclass(frozen=True)
class Desk:
    """What the pages need before there is an owner.

    Attributes:
        hub: of the stream.
        access: PINs and code.
        pins: the PINs, where they were made now.
        keeper: knows the number of the round.
        place: where all is kept.
        listed_as: how to find the word list again, as of `firmware_host.lexicons.listed_as`.
    """

    hub: Hub
    access: Access
    pins: dict[Role, str]
    keeper: Keeper
    place: Place
    listed_as: str

    @property
    def welcome(self) -> tuple[str, ...]:
        """New PINs, for the small display of the tray."""
        return tuple(f"{role.value.capitalize()} {pin}" for role, pin in self.pins.items())


def prepare(log: Log, keeper: Keeper, wish: Wish, lexicon: str) -> Desk:
    """Open what the pages keep.

    Args:
        log: of the rounds.
        keeper: of the round.
        wish: the options.
        lexicon: name or file of the word list.

    Raises:
        StorageError: it cannot be read or kept.
    """
    from firmware_host import lexicons
    from firmware_host.web import access
    from firmware_host.web.stream import Hub

    found, pins = access.opened(log.place.data, anew=wish.new_pin)
    hub, listed_as = Hub(keeper.state, log.last_seq), lexicons.listed_as(lexicon)
    return Desk(hub, found, pins, keeper, log.place, listed_as)


@contextmanager
def opened(
    output: Output,
    desk: Desk,
    web: WebSection,
    owner: Owner,
    seat: Seat,
    *,
    bench: Bench,
    restart: Restart,
    settings: Path | None = None,
    long_press: str = "cancel",
) -> Iterator[None]:
    """Serve the pages until this is left.

    Args:
        output: the command's streams.
        desk: what was prepared.
        web: the settings of the pages.
        owner: of the round.
        seat: the tray.
        bench: the machine, as it is looked after.
        restart: begins the service anew.
        settings: their file; None for a tray that has none.
        long_press: the action of a long press of the round's button.

    Raises:
        CommandError: the port is taken, or the certificate cannot be used.
    """
    from firmware_host.swoggle_tables import Tables
    from firmware_host.upkeep import Upkeep
    from firmware_host.web.serving import Served, serving
    from firmware_host.web.site import Machine
    from firmware_host.web.swoggle import Swoggles
    from firmware_host.web.worldwinner import Games
    from firmware_host.worldwinner_sittings import Sittings
    from hardware.clock import WallClock

    seed = partial(random.randrange, 10**6)
    sittings = Sittings(WallClock().monotonic)
    parts = tuple((device.name, device.simulated) for device in seat.tray.devices)
    served = Served(
        owner=owner,
        clock=seat.clock,
        hub=desk.hub,
        access=desk.access,
        lexicon=seat.tray.lexicon,
        size=(seat.cubes.rows, seat.cubes.cols),
        machine=Machine(desk.place, parts, settings, lambda safe: restart.ask(safe=safe)),
        round_number=lambda: desk.keeper.number,
        long_press=long_press,
        matches=Games(
            sittings,
            desk.listed_as,
            seat.cubes.name,
            seed=seed,
        ),
        dictionary=_dictionary(output, seat.tray.lexicon),
        upkeep=Upkeep(owner, bench, seat.clock, time.monotonic),
        swoggles=Swoggles(Tables(WallClock().monotonic), desk.listed_as, seed),
    )
    with closing(sittings), serving(served, web) as address:
        restart.port = urlsplit(address).port or 0
        announce(output, address, desk.access, desk.pins)
        yield


def _dictionary(output: Output, lexicon: Lexicon) -> Dictionary:
    """What is installed; the round goes on without what cannot be read."""
    from firmware_host import dictionary

    try:
        return dictionary.installed(lexicon)
    except (OSError, ValueError) as error:
        output.log.print(f"[yellow]The dictionary[/] cannot be read: {shown(str(error))}.")
        return dictionary.NOTHING


def announce(output: Output, address: str, access: Access, pins: dict[Role, str]) -> None:
    """Say where the pages are, and PINs that were made now."""
    output.log.print(f"[bold]Pages:[/] {shown(address)}  players join with the code {access.code}")
    for role, pin in pins.items():
        output.log.print(f"[bold]PIN of the {role.value}:[/] {pin} (shown now and never again)")
