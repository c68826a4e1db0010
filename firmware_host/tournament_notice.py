"""What is announced in the hall: a line of text, and perhaps a moment that is counted down to.

It lies in a file beside the event: it proves nothing, and is no part of the log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from firmware_host.errors import wrong_use
from firmware_host.files import write_whole
from firmware_host.tournaments import beside

LONGEST = 200
"""Signs of an announcement at most."""


@dataclass(frozen=True)
class Notice:
    """An announcement.

    Attributes:
        text: for people.
        until: the moment that is counted down to, seconds since 1970; None for none.
    """

    text: str
    until: float | None = None


def announce(name: str, notice: Notice | None) -> None:
    """Put an announcement up, or take it down.

    Args:
        name: of the event.
        notice: what is announced; None takes it down.

    Raises:
        CommandError: it is empty or too long, or there is no such event.
        OSError: it cannot be written.
    """
    path = beside(name, "notice")
    if notice is None:
        path.unlink(missing_ok=True)
        return
    if not 0 < len(notice.text.strip()) <= LONGEST:
        message = f"an announcement has 1 to {LONGEST} signs"
        raise wrong_use("notice", message, "Make it shorter; take it down with --none.")
    document = {"text": notice.text.strip(), "until": notice.until}
    write_whole(path, (json.dumps(document).encode(),))


def announced(name: str) -> Notice | None:
    """What is announced; None where nothing is, or the file is damaged.

    Raises:
        CommandError: there is no such event.
    """
    try:
        document = json.loads(beside(name, "notice").read_bytes())
        until = document["until"]
        return Notice(str(document["text"]), None if until is None else float(until))
    except (OSError, ValueError, KeyError, TypeError):
        return None
