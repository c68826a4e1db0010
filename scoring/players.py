"""Names of the players of a match: what they may be, and when two are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence

from scoring.match import RuleError

LONGEST_NAME = 40
"""Characters at most."""

_SIGNS = "=,"
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_VIRAMA = 9
"""The combining class of the sign that joins the letters of Indian scripts."""


def composed(name: str) -> str:
    """A name as it is kept and compared: NFC, without the space around it."""
    return unicodedata.normalize("NFC", name.strip())


def alike(name: str) -> str:
    """What names have in common that nobody tells apart, such as wide letters and usual ones."""
    bare = composed(name).translate(dict.fromkeys(map(ord, _JOINERS)))
    folded = unicodedata.normalize("NFKC", bare).casefold()
    return unicodedata.normalize("NFKC", folded).strip()


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
    check_names("players", "players", names)
    return names


def check_names(kind: str, who: str, names: Collection[str]) -> None:
    """See that names can be read and written, and that no two are alike.

    No name has a sign that commands put after one, as in ``ann=ann.txt``, nor a character that
    shows as nothing or as another order of the letters.

    Args:
        kind: of the error.
        who: has the names, for the message: ``"players"``.
        names: the names.

    Raises:
        RuleError: of that kind.
    """
    for name in map(composed, names):
        _check_name(kind, name)
    if len(set(map(alike, names))) < len(names):
        raise RuleError(kind, f"two {who} share a name", "Give each a name of their own.")


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


def _check_name(kind: str, name: str) -> None:
    if not name:
        raise RuleError(kind, "a name is missing", "Give one, or take a comma away.")
    if len(name) > LONGEST_NAME:
        advice = "Give a shorter one."
        raise RuleError(kind, f"a name has 1 to {LONGEST_NAME} characters", advice)
    faults = (_fault(name[:place], char) for place, char in enumerate(name))
    if fault := next(filter(None, faults), None):
        raise RuleError(kind, f"the name {name!r} has {fault}", "Leave it out.")
    if not any(map(_is_visible, name)):
        raise RuleError(kind, f"the name {name!r} has nothing to be seen", "Give another name.")


def _fault(before: str, char: str) -> str | None:
    """What is wrong with a character of a name after what stands before it; None: nothing."""
    if char in _SIGNS:
        return f"the sign {char}, which divides names from what belongs to them"
    if unicodedata.category(char) in _UNSEEN and not _joins(before, char):
        return f"the character U+{ord(char):04X}, which is no letter, digit or sign"
    return None


def _joins(before: str, char: str) -> bool:
    """Whether it joins or parts what stands before it: an emoji, or a letter of a joined script."""
    if char not in _JOINERS or not before:
        return False
    base = next((mark for mark in reversed(before) if not _is_mark(mark)), before[-1])
    return (
        unicodedata.combining(before[-1]) == _VIRAMA
        or unicodedata.bidirectional(base) == "AL"
        or unicodedata.category(base) in {"So", "Sk"}
    )


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _is_visible(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS"
