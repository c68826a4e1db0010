"""What trays and the station of a tournament say to each other: topics, and messages as JSON.

Topics are ``wordtray/EVENT/TRAY/WHAT``:

===========  =======================================================================================
``events``   tray: entries of its log, in order
``have``     station: up to where it has them, and whether to go back there
``state``    tray, retained: `TrayState`
``status``   tray, retained: ``online``, and ``offline`` as its last will
``clock``    tray: what its clock says
``time``     station: the same, with what its own says
``orders``   station: `Order`
``answers``  tray: `Answer`
``wanted``   station: `Wanted`
``crops``    tray: `Crop`
===========  =======================================================================================

``wordtray/EVENT/station`` is the status of the station, retained. Messages are the dataclasses
here, each an object of its fields; a field may be added with a default, and none is ever renamed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from firmware_host.store.chain import FIRST, Entry
from firmware_host.store.codec import CodecError, Decoder, encoded
from scoring.encoding import canonical

ONLINE, OFFLINE = b"online", b"offline"

EVENTS, HAVE = "events", "have"
STATE, STATUS = "state", "status"
CLOCK, TIME = "clock", "time"
ORDERS, ANSWERS = "orders", "answers"
WANTED, CROPS = "wanted", "crops"

OF_TRAY = (EVENTS, STATE, STATUS, CLOCK, ANSWERS, CROPS)
OF_STATION = (HAVE, TIME, ORDERS, WANTED)

BEAT_S = 2.0
"""Seconds between two times at which the station says in its database that it is at work."""

MOST_WANTED = 4
"""Crops that are asked for in one message: entries must not wait long behind them."""

LARGEST_CROP = 32_768
"""Bytes of a crop at most."""

LARGEST_CROP_MESSAGE = LARGEST_CROP * 4 // 3 + 1024
"""Bytes of a message that carries one; larger ones are not read."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_ROOT = "wordtray"

Message = TypeVar("Message")


class WireError(ValueError):
    """What came is no message that this version knows."""


@dataclass(frozen=True)
class Mark:
    """A place in the log of a tray.

    Attributes:
        seq: number of the entry; 0 before the first.
        hash: its hash.
    """

    seq: int = 0
    hash: str = FIRST


@dataclass(frozen=True)
class Delivery:
    """Entries of a tray's log.

    Attributes:
        begins: after which entry the log belongs to this tournament.
        entries: one or more, in order.
    """

    begins: Mark
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Have:
    """Up to where the station has the log of a tray, on its disk.

    Attributes:
        mark: the last entry.
        again: something after it was missing or did not follow: send it from there.
    """

    mark: Mark
    again: bool = False


@dataclass(frozen=True)
class Skew:
    """How far a tray's clock lies off the station's.

    Attributes:
        offset_s: what is to be added to the time of the tray to have that of the station.
        error_s: how wrong that can be at most.
    """

    offset_s: float
    error_s: float


@dataclass(frozen=True)
class TrayState:
    """How a tray's connection to the station stands.

    Attributes:
        at: when it said so, by its own clock.
        last: number of the last entry of its log.
        had: number of the last entry that it knows the station to have.
        skew: of its clock; None while it is not known.
        trouble: why it can deliver nothing; empty where it can.
        simulated: it is no real tray.
    """

    at: float
    last: int
    had: int
    skew: Skew | None = None
    trouble: str = ""
    simulated: bool = False


@dataclass(frozen=True)
class Asked:
    """What the clock of a tray says."""

    sent: float


@dataclass(frozen=True)
class Told:
    """What the clock of the station said when `Asked` came, and when this went."""

    sent: float
    came: float
    went: float


class Kind(StrEnum):
    """What may be doubtful in a photograph."""

    CELL = "cell"
    WORD = "word"


@dataclass(frozen=True)
class Detail:
    """A cube, or a word, of a photograph: to say what it is means no other picture.

    Attributes:
        kind: which of the two.
        photo: name of the file at the tray.
        place: of a cube row and column; of a word the number of the list and that of the word in
            it, all from 0.
    """

    kind: Kind
    photo: str
    place: tuple[int, int]


@dataclass(frozen=True)
class Wanted:
    """Details of which the station wants to see the picture, `MOST_WANTED` at most."""

    details: tuple[Detail, ...]


@dataclass(frozen=True)
class Crop:
    """The picture of a detail that is doubtful.

    Attributes:
        detail: what it shows.
        jpeg: the file in base 64, `LARGEST_CROP` bytes at most; empty where there is no picture.
    """

    detail: Detail
    jpeg: str


@dataclass(frozen=True)
class Order:
    """An event that the station wants to happen at a tray.

    Attributes:
        id: the same id again is the same order, and is carried out once.
        kind: of the event, as the log calls it.
        data: the event as canonical JSON; its times are those of the station.
        until: by the clock of the station; not begun by then it is not carried out.
        at: the moment at which it is to happen, by the same clock; None is at once.
        about: what a decision is about; None of what is none.
        table: of a start: whose round is to start; empty for any. A tray that was seated otherwise
            does not start.
    """

    id: str
    kind: str
    data: str
    until: float
    at: float | None = None
    about: Detail | None = None
    table: str = ""


class Outcome(StrEnum):
    """What became of an order."""

    PLANNED = "planned"
    DONE = "done"
    REFUSED = "refused"
    LATE = "late"


@dataclass(frozen=True)
class Answer:
    """What became of an order, so far.

    Attributes:
        id: of the order.
        outcome: what became of it.
        why: for people; empty where it is done.
        at: when, by the clock of the station as far as the tray knows it.
    """

    id: str
    outcome: Outcome
    why: str
    at: float


def is_name(text: str) -> bool:
    """Whether a text can name an event or a tray: 1 to 40 of a-z, 0-9, - and _."""
    return bool(_ID.fullmatch(text))


def topic(event: str, tray: str, what: str) -> str:
    """Where something of a tray is said; ``+`` is every tray."""
    return f"{_ROOT}/{event}/{tray}/{what}"


def station_topic(event: str) -> str:
    """Where the status of the station is said."""
    return f"{_ROOT}/{event}/station"


def read_topic(text: str) -> tuple[str, str] | None:
    """Tray and kind of a topic; None where it is none of a tray."""
    parts = text.split("/")
    if len(parts) != 4 or not is_name(parts[2]):
        return None
    return parts[2], parts[3]


def told(message: object) -> bytes:
    """A message as it goes over the wire."""
    return canonical(encoded(message)).encode()


def read(form: type[Message], payload: bytes) -> Message:
    """A message.

    Raises:
        WireError: it is none.
    """
    try:
        message: Message = _DECODER.value(form, json.loads(payload))
    except (CodecError, ValueError, RecursionError) as error:
        raise WireError(f"no {form.__name__}: {error}") from error
    return message


_DECODER = Decoder(Path())
