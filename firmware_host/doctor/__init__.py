"""Examines the machine: what is here, what is missing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.doctor.finding import Finding, Grade, carried_out, failed
from firmware_host.errors import CommandError

if TYPE_CHECKING:
    from firmware_host.doctor.system import Host
    from firmware_host.settings import Settings
    from firmware_host.store.place import Place

__all__ = ["Finding", "Grade", "examine", "settings_here"]

_TO_BEGIN = (
    "For the parts: wordtray settings example -o wordtray.toml, then: wordtray doctor --settings "
    "wordtray.toml. Without a tray: wordtray doctor --simulate."
)


def examine(
    settings: Settings | None = None,
    *,
    host: Host | None = None,
    place: Place | None = None,
) -> Iterator[Finding]:
    """Examine everything but the parts, in the order in which one thing needs another.

    Args:
        settings: of this machine, where it has any.
        host: is asked about the system; None is this one.
        place: where log and photos lie; None is the user's.
    """
    from firmware_host.doctor import records, software, system
    from firmware_host.store.place import Place

    where = place or Place.standard()
    needed = system.needed_groups(settings)
    yield from carried_out(software.checks())
    yield from carried_out(system.checks(host or system.Host.here(), where, needed))
    yield from carried_out([("log", lambda: records.log(where))])


def settings_here(named: Path | None = None) -> tuple[Settings | None, Finding]:
    """The settings of this machine; None where there are none, or they are not sound.

    Args:
        named: their file, by ``--settings``.
    """
    from firmware_host import settings_file

    try:
        loaded = settings_file.load(named)
    except CommandError as error:
        return None, failed("settings", error)
    if loaded.file is None:
        text = "there is no file of settings, so no part was tried"
        return None, Finding("settings", Grade.NONE, text, _TO_BEGIN)
    return loaded.settings, Finding("settings", Grade.OK, f"{loaded.file} is sound")
