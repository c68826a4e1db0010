"""What the routes of matches share: who may play for whom, how fast, and how refusals are told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Annotated, Protocol, TypeVar

from fastapi import Path

from firmware_host import lexicons, matches
from firmware_host.errors import CommandError
from firmware_host.web.problems import Problem
from firmware_host.web.sessions import Role, Session
from firmware_host.web.site import Site
from scoring.encoding import TextError
from scoring.lexicon import Lexicon, LexiconError
from scoring.match import RuleError

_Rules_contra = TypeVar("_Rules_contra", contravariant=True)
_Seen_co = TypeVar("_Seen_co", covariant=True)

LISTED = 30
"""Matches that a list shows."""

MOST_MATCHES = 1000
"""Matches of a game that are kept before no more are begun here."""

NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"

STATUS = {
    "unknown_match": 404,
    "match_name": 422,
    "event": 422,
    "players": 422,
    "name": 422,
    "seconds": 422,
    "timer": 422,
    "target": 422,
    "minutes": 422,
}
"""Status of what is refused, by its kind; 409 for all others."""

Name = Annotated[str, Path(pattern=NAME, examples=["monday"], description="of the match")]


def check_is(visitor: Session, player: str, joined: Collection[str]) -> None:
    """A player plays their own turn; the display that of those who have no phone."""
    if visitor.role is Role.PLAYER and visitor.name != player:
        raise Problem(403, f"you are not {player!r}", "Play your own turn.", kind="not_you")
    if visitor.role is not Role.PLAYER and player in joined:
        detail = f"{player!r} plays on a phone"
        raise Problem(403, detail, "Play it there.", kind="plays_on_phone")


def check_plays(visitor: Session, players: Collection[str]) -> None:
    """A player has to do with matches of their own alone."""
    if visitor.role is Role.PLAYER and visitor.name not in players:
        detail = "you do not play in this match"
        raise Problem(403, detail, "Begin one of your own.", kind="not_you")


def check_rate(site: Site, visitor: Session) -> None:
    """Nobody sends faster than people play."""
    wait_s = site.words.wait_s(f"moves/{visitor.name}")
    if wait_s:
        raise Problem(429, "moves come too fast", "Send them slower.", retry_after_s=wait_s + 1)


class Tables(Protocol[_Rules_contra, _Seen_co]):
    """Where the matches of a game are kept."""

    def names(self) -> Collection[str]:
        """Of all of them."""

    def begin(self, name: str, rules: _Rules_contra) -> _Seen_co:
        """Keep a new match."""


def started(
    tables: Tables[_Rules_contra, _Seen_co],
    rules: _Rules_contra,
    players: Collection[str],
    *,
    wanted: str | None,
    visitor: Session,
) -> _Seen_co:
    """Begin a match as somebody asked for it, who plays in it if they are a player.

    Args:
        tables: keep it.
        rules: of the match.
        players: who play in it.
        wanted: its name, or None.
        visitor: who asks.

    Raises:
        Problem: the visitor does not play in it, or there are too many matches.
    """
    check_plays(visitor, players)
    return tables.begin(new_name(wanted, tables.names()), rules)


def new_name(wanted: str | None, names: Collection[str]) -> str:
    """The name of a new match: as wanted, else the next of match-1, match-2 and so on.

    Args:
        wanted: by whoever begins it.
        names: of the matches of this game.

    Raises:
        Problem: there are too many.
    """
    if len(names) >= MOST_MATCHES:
        detail = f"{len(names)} matches are kept here"
        raise Problem(409, detail, "Take some away from the folder of the matches.", kind="full")
    free = (name for number in count(1) if not matches.exists(name := f"match-{number}"))
    return wanted or next(free)


@dataclass(frozen=True)
class Words:
    """The word list of a new match.

    Attributes:
        lexicon: it.
        listed_as: how to find it again, as of `firmware_host.lexicons.listed_as`.
    """

    lexicon: Lexicon
    listed_as: str


def coming_words(site: Site, first_as: str) -> Words:
    """The word list of what is begun now: the one that the referee chose last.

    Args:
        site: whose referee.
        first_as: how to find that of the start again.

    Raises:
        Problem: it is gone.
    """
    name, shelf = site.state.next_lexicon, site.table.shelf
    try:
        return Words(shelf(name), lexicons.listed_as(name) if name else first_as)
    except LexiconError as error:
        raise Problem(409, str(error), error.advice, kind="lexicon") from error


@contextmanager
def refusing() -> Iterator[None]:
    """Tell as problems what the rules, the matches and the disk refuse."""
    try:
        yield
    except RuleError as error:
        raise _problem(error.kind, str(error), error.advice) from error
    except CommandError as error:
        complaint = error.complaint
        raise _problem(complaint.kind, complaint.message, complaint.advice) from error
    except TextError as error:
        raise _problem("match", str(error), error.advice) from error
    except OSError as error:
        advice = "Look whether the disk is full."
        detail = f"the match cannot be kept: {error.strerror}"
        raise Problem(503, detail, advice, kind="storage") from error


def _problem(kind: str, detail: str, advice: str) -> Problem:
    return Problem(STATUS.get(kind, 409), detail, advice, kind=kind)
