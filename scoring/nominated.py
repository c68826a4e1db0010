"""The word list that a match was begun with, and no other.

A match is replayed whenever it is opened. With another word list it would be another match, with
other points and perhaps another winner; so the setup holds a digest of the words.
"""

from __future__ import annotations

from collections.abc import Callable

from scoring.lexicon import Lexicon, LexiconError
from scoring.match import Setup, field

_DIGEST = "lexicon_digest"


def nomination(lexicon: Lexicon, listed_as: str) -> dict[str, str]:
    """The part of a setup that names the word list.

    Args:
        lexicon: the word list.
        listed_as: how to find it again: a name or a file.
    """
    return {"lexicon": listed_as, _DIGEST: lexicon.digest}


def nominated(setup: Setup, find_lexicon: Callable[[str], Lexicon]) -> tuple[Lexicon, str]:
    """The word list of a setup, and how it is listed.

    Args:
        setup: holds what `nomination` gave; without a digest any list of the name is taken.
        find_lexicon: the word list by what ``listed_as`` says.

    Raises:
        RuleError: the setup names none.
        LexiconError: the list is not there any more, or has other words now.
    """
    listed_as = field(setup, "lexicon", str)
    lexicon = find_lexicon(listed_as)
    if setup.get(_DIGEST) not in (None, lexicon.digest):
        raise LexiconError(
            f"the word list {listed_as} has other words now than when the match began, and would "
            "score it otherwise",
            "Give it back the words that it had; an export of the match holds the scores as well.",
        )
    return lexicon, listed_as
