"""What commands say of the station of a tournament: where its broker is, and the link beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_host.cli.output import Output, shown
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.owner import Owner
    from firmware_host.settings import StationSection
    from firmware_host.station.serving import Bell
    from firmware_host.store.log import Log

Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:FILE or postgresql://USER@HOST/NAME (else a file beside the tournament).",
    ),
]


def parsed(text: str | None) -> StationSection | None:
    """What ``--station`` names; None where it is not given.

    Raises:
        CommandError: it is no such thing.
    """
    if text is None:
        return None
    where, _, rest = text.partition("/")
    event, _, tray = rest.partition("/")
    return section(where, event=event, tray=tray)


def section(where: str, **given: Any) -> StationSection:  # noqa: ANN401 - its keys
    """Settings of a station from options.

    Args:
        where: host of the broker, perhaps with its port.
        given: other keys.

    Raises:
        CommandError: they do not do.
    """
    from pydantic import ValidationError

    from firmware_host.settings import StationSection
    from firmware_host.settings_file import problem_in

    host, port = host_and_port(where)
    try:
        return StationSection(host=host, port=port, **given)
    except ValidationError as error:
        problem = problem_in(error.errors(include_url=False)[0], StationSection)
        raise wrong_use("station", problem, "Write it as broker.local:1883/spring/7") from error


def host_and_port(text: str) -> tuple[str, int | None]:
    """A host with its port, as in ``broker.local:1883``; None where there is none.

    Raises:
        CommandError: what follows the host is no port.
    """
    host, _, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        message = f"{port!r} is no port"
        raise wrong_use("station", message, "Write it as broker.local:1883")
    return host, int(port) if port else None


@contextmanager
def connected(
    output: Output,
    station: StationSection | None,
    log: Log,
    owner: Owner,
    bell: Bell,
    *,
    simulated: bool,
) -> Iterator[None]:
    """Have a tray connected to the station of a tournament, where one is named.

    Raises:
        CommandError: the password or the certificate cannot be read.
    """
    if station is None or station.host is None:
        yield
        return
    from firmware_host.station.link import Name
    from firmware_host.station.serving import address_of, connected

    name, address = Name(station.event, station.tray, simulated), address_of(station)
    output.log.print(
        f"[bold]Station:[/] {shown(address.host)}:{address.port}, tournament {name.event}, "
        f"table {name.tray}"
    )
    with connected(
        name, address, log.place, owner, log.clock,
        bell=bell, tell=lambda text: output.log.print(f"[bold]Station:[/] {shown(text)}"),
    ):  # fmt: skip
        yield
