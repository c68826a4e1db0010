"""Opens the desk of an event: its file, its PIN, the way to its station."""

from __future__ import annotations

import time

from firmware_host import tournaments
from firmware_host.station.base import default_url
from firmware_host.tournament_checkin import Roll
from firmware_host.tournament_office.branch import Branch
from firmware_host.tournament_office.office import Office
from firmware_host.tournaments import HeldEvent
from firmware_host.web import access
from firmware_host.web.limits import BackOff, Buckets
from firmware_host.web.render import Pages
from firmware_host.web.serving import ALL_GUESSES
from firmware_host.web.sessions import Role, Sessions
from firmware_host.web.texts import read_catalogues

PIN_FILE = "desk"
"""Ending of the file of the PIN, beside the event; no part of an archive."""

ENDED_FILE = "desk-ended"
"""Of the sessions that were ended before their time."""


def opened(
    name: str, database: str | None, *, secure: bool = False, new_pin: bool = False
) -> tuple[Office, str | None]:
    """The desk of an event.

    Args:
        name: of the event.
        database: of its station; None is a file beside the event.
        secure: sessions go over TLS alone.
        new_pin: make another PIN, which ends every session of before.

    Returns:
        It, and the PIN where it was made now.

    Raises:
        CommandError, EventError, OSError: as `HeldEvent`.
        StorageError: the PIN cannot be read or kept.
    """
    event, command = HeldEvent(name), new_pin_command(name)
    pin_file, ended_file = (tournaments.beside(name, ending) for ending in (PIN_FILE, ENDED_FILE))
    known, pins = access.opened_file(pin_file, command, roles=[Role.REFEREE], anew=new_pin)
    office = Office(
        name=name,
        event=event,
        branch=Branch(database or default_url(name), name),
        roll=Roll(name),
        clock=time.time,
        pages=Pages(read_catalogues()),
        access=known,
        sessions=Sessions(known.secret, time.time, access.ended_of(ended_file, command)),
        guesses=BackOff(time.monotonic),
        all_guesses=Buckets(ALL_GUESSES, time.monotonic),
        secure=secure,
    )
    return office, pins.get(Role.REFEREE)


def new_pin_command(name: str) -> str:
    """The command that makes another PIN."""
    return f"wordtray tournament desk {name} --new-pin"
