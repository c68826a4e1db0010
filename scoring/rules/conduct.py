"""What players agree on besides which words count: cancelling, checking, penalties, the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Cancelling(StrEnum):
    """Which words that several players wrote are struck from all their lists."""

    ON = "on"
    """Words that are not void for any of those who wrote them; a void word cancels nobody's."""
    LITERAL = "literal"
    """Whatever several wrote alike, even where it is void on one of the lists."""
    OFF = "off"
    """None: everybody scores."""


class Check(StrEnum):
    """Which words the word list is asked about."""

    EVERY = "every"
    CHALLENGED = "challenged"
    """Those that somebody challenges; any other word on the board stands."""


@dataclass(frozen=True)
class Penalty:
    """What a false word costs, which is a word that is not in the word list.

    Attributes:
        points: a fixed number; None is as many as the word would have scored.
        free: errors of each player in a round that cost nothing: the dearest ones, so that the
            order of a list changes nothing.
        every_rejected: also a false word that nobody challenged costs as much; so it is in Boggle
            Ultimate.
    """

    points: int | None = 0
    free: int = 0
    every_rejected: bool = False


@dataclass(frozen=True)
class Conduct:
    """How the end of a round and of a match are held.

    Attributes:
        cancelling: which words cancel one another.
        check: which words the word list is asked about.
        penalty: what a false word costs.
        target: points that end a match; None where rounds are counted.
        teams: whether it is played in teams.
        open_ended: no timer until somebody declares the last chance, or both agree to end; for two.
    """

    cancelling: Cancelling = Cancelling.ON
    check: Check = Check.EVERY
    penalty: Penalty = field(default_factory=Penalty)
    target: int | None = None
    teams: bool = False
    open_ended: bool = False
