"""Names of the players of a match: what they may be, and when two are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from scoring.match import RuleError

LONGEST_NAME = 40
"""Characters at most."""


def composed(name: str) -> str:
    """A name as it is kept and compared: NFC, without the space around it."""
    return unicodedata.normalize("NFC", name.strip())


def agreed_names(
    players: Iterable[str], span: tuple[int, int], game: str, advice: str
) -> tuple[str, ...]:
    """The names of those who play, each its own and to be seen.

    Args:
        players: as they were given.
        span: how many play it at least and at most.
        game: what they play, for the message.
        advice: what to do where they are too few or too many.

    Raises:
        RuleError: kind ``players``.
    """
    names = tuple(map(composed, players))
    _check_count(len(names), span, game, advice)
    if len({name.casefold() for name in names}) < len(names):
        raise RuleError("players", "two players share a name", "Give each a name of their own.")
    if not all(0 < len(name) <= LONGEST_NAME for name in names):
        raise RuleError(
            "players", f"a name has 1 to {LONGEST_NAME} characters", "Give another name."
        )
    if not all(any(map(_is_visible, name)) for name in names):
        raise RuleError("players", "a name has no character to be seen", "Give another name.")
    return names


def unknown_player(name: str, players: Sequence[str]) -> RuleError:
    """The error of naming somebody who does not play."""
    return RuleError(
        "unknown_player",
        f"nobody called {name!r} plays in this match",
        f"The players are {', '.join(players)}.",
    )


def _check_count(count: int, span: tuple[int, int], game: str, advice: str) -> None:
    least, most = span
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise RuleError("players", f"{game} is played by {wanted}, not by {count}", advice)


def _is_visible(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS"
