"""Whether what was read is a list of words at all, and how well pictures of words read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.errors import IllegibleError, ProseError
from vision.paper.ctc import BLANK
from vision.paper.reading import WordReading
from vision.paper.recogniser import Look, Recogniser

_NOTHING = -10.0  # of a picture that shows no letter at all
_FEW = 4  # words of which nothing is said
_UNREADABLE = 0.5  # share of the words of a page that are as good as not read: it is no list
_GUESS = 0.3  # confidence below which a word is as good as not read
_NOT_EVEN = 0.05  # the same below which not even a page of one word is one
_MANY = 40  # words of a page of prose, at least
_PER_LINE = 5.0  # words of its lines
_SHORT, _OFTEN = 2, 0.1  # letters of the words that prose is full of, and their share
_RUN_ON = 15  # letters that only several words have together, whose gaps are too narrow to part


def legibility(look: Look) -> float:
    """How sure the letters of a word are: the middle logarithm of their probabilities, 0 at best.

    Signs that are no letters, such as the number before a word, are unlikely as any letter: they
    must not outweigh letters that are plain.
    """
    logs = look.log_probabilities
    seen = logs.argmax(axis=1) != BLANK
    return float(np.median(logs[seen].max(axis=1))) if seen.any() else _NOTHING


def legibilities(recogniser: Recogniser, pictures: Sequence[NDArray[np.uint8]]) -> list[float]:
    """The same of pictures; it tells which way up a page is read."""
    return [legibility(look) for look in recogniser.looks(pictures)]


def check_is_list(words: Sequence[WordReading]) -> None:
    """See that what was read on free paper can be a list of words.

    Args:
        words: of the page, in order.

    Raises:
        IllegibleError: hardly a word of several could be read: a drawing, or another script.
        ProseError: it is a text: long lines of words, many of them too short for any game.
    """
    some = any(len(word.text) > 1 and word.confidence >= _NOT_EVEN for word in words)
    silent = bool(words) and not some
    if silent or (len(words) >= _FEW and _unread(words) >= _UNREADABLE * len(words)):
        raise IllegibleError(
            f"of what is on the page hardly a word could be read ({len(words)} pieces of writing)",
            "A drawing or another script is not read; photograph a list from nearer by, sharp.",
        )
    if _is_prose(words):
        raise ProseError(
            "this is a text rather than a list of words: its words stand in long lines",
            "Give the page with the list; write a word a line, or words apart in rows.",
        )


def _unread(words: Sequence[WordReading]) -> int:
    """How many are no words, or might as well be: no game has words of one letter."""
    return sum(len(word.text) < 2 or word.confidence < _GUESS for word in words)


def _is_prose(words: Sequence[WordReading]) -> bool:
    run_on = sum(len(word.text) > _RUN_ON for word in words)
    if len(words) >= _FEW and 2 * run_on >= len(words):
        return True
    if len(words) < _MANY:
        return False
    lines = Counter(word.line for word in words)
    short = sum(len(word.text) <= _SHORT for word in words)
    return float(np.median([*lines.values()])) >= _PER_LINE and short >= _OFTEN * len(words)
