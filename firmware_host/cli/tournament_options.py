"""Options of ``tournament`` that are read by hand."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from firmware_host.errors import wrong_use
from scoring.encoding import decode_number
from scoring.tournament.plan import EVERYBODY, Criterion, Prize, PrizeKind

Choice = TypeVar("Choice", bound=StrEnum)


def parse_seats(text: str) -> int:
    """Seats of a table: a number, or ``all``.

    Raises:
        CommandError: it is neither.
    """
    number = EVERYBODY if text == "all" else decode_number(text)
    if number is None or (number == EVERYBODY and text != "all"):
        raise wrong_use("plan", f"{text!r} is no number of seats", "Give 2, 3 to 8, or all.")
    return number


def one_of(kind: type[Choice], text: str, what: str) -> Choice:
    """The member of an enumeration that a text names.

    Raises:
        CommandError: it names none.
    """
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(kind)
        raise wrong_use("plan", f"{text!r} is no {what}", f"Give one of {known}.") from None


def parse_ranking(text: str | None) -> list[Criterion] | None:
    """What decides a rank, as ``wins,spread``; None where nothing is said.

    Raises:
        CommandError: there is no such criterion.
    """
    if text is None:
        return None
    names = (part.strip() for part in text.split(","))
    return [one_of(Criterion, name, "criterion") for name in names]


def parse_prize(text: str) -> Prize:
    """A prize as the option has it: ``TITLE=PLACE``, ``TITLE=team:1``, ``TITLE=1<900``.

    Raises:
        CommandError: it is not of that form.
    """
    title, _, rest = text.rpartition("=")
    kind, _, place = rest.rpartition(":")
    place, _, below = place.partition("<")
    number, rating = decode_number(place), decode_number(below)
    if not title or number is None or (below and rating is None):
        advice = "Write TITLE=PLACE, such as 'Cup=1', 'Best team=team:1' or 'Newcomer=1<900'."
        raise wrong_use("plan", f"{text!r} is no prize", advice)
    of = one_of(PrizeKind, kind, "kind of prize") if kind else PrizeKind.PLACE
    return Prize(title.strip(), of, number, below=rating)
