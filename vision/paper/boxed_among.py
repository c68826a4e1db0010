"""Words in letter boxes where the word list is known: fewer doubts, and no word bent into another.

What stands in each box is told by its letter alone, and one box in twenty errs. Hardly ever do the
errors make another word: so the word of the list that fits best is taken where none else fits
nearly as well and the boxes spell it, or all but.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.paper.boxed import BARE, ODD, BoxedWord, is_sure, read_word
from vision.paper.reading import Doubt, WordReading

_AHEAD = 7.0
"""Nats by which the word that is taken must fit better than any other word of the list."""

_SPELT = 1.0
"""Nats by which it may be less likely, by the boxes alone, than what they spell."""

_OFFERED = 3.0
"""The same for a word that is asked about to be the first that is offered."""

_FAR = 16.0
"""The same from which what the boxes plainly spell is taken, though it is no word of the list."""

_NEAR = 8.0
"""Nats by which a word that scores may be less likely than what is read, so that it is asked about.

People write words that score many hundred times as often as any other string of letters.
"""
_ODD = (np.log(0.8), np.log(0.1))
"""Probabilities of no letter in one box, and in two of them, from which a word is asked about.

So look letters that are written over, and what a pale pen has crossed out.
"""
_BEST = 3  # readings that are told
_MAY_BE_BARE = np.log(0.01)  # probability of a box at an end that the word may end before it

Fit = tuple[str, float]
"""A word, and the logarithm of its probability by the boxes alone."""


@dataclass(frozen=True, eq=False)
class KnownWords:
    """The words that may stand in boxes.

    Attributes:
        words: of each length, capitals A to Z.
        letters: of each length (words, length), their letters from 0 for A.
        scoring: the words that score, capitals; none where no board is known.
    """

    words: Mapping[int, tuple[str, ...]]
    letters: Mapping[int, NDArray[np.uint8]]
    scoring: frozenset[str]

    @classmethod
    def of(cls, lexicon: Iterable[str], scoring: Iterable[str] = ()) -> KnownWords:
        """Those of a word list that boxes can spell, in any case."""
        playable = frozenset(word.upper() for word in scoring)
        by_length: dict[int, list[str]] = {}
        for word in sorted(playable.union(word.upper() for word in lexicon)):
            if word.isascii() and word.isalpha():
                by_length.setdefault(len(word), []).append(word)
        letters = {
            length: np.frombuffer("".join(words).encode("ascii"), np.uint8).reshape(-1, length)
            - np.uint8(ord("A"))
            for length, words in by_length.items()
        }
        return cls({it: tuple(words) for it, words in by_length.items()}, letters, playable)

    @cached_property
    def playable(self) -> KnownWords:
        """The words that score, alone."""
        return KnownWords.of(self.scoring)

    def __contains__(self, word: str) -> bool:
        return word in self.words.get(len(word), ())

    def best(self, word: BoxedWord) -> list[Fit]:
        """The likeliest words, best first."""
        found = [fit for length in _lengths(word) for fit in self._best(word, length)]
        return sorted(found, key=lambda fit: (-fit[1], fit[0]))[:_BEST]

    def _best(self, word: BoxedWord, length: int) -> Iterator[Fit]:
        if length in self.letters:
            fits = word.log_probabilities_of(self.letters[length])
            for row in np.argpartition(-fits, min(_BEST, len(fits)) - 1)[:_BEST].tolist():
                yield self.words[length][row], float(fits[row])


def read_word_among(word: BoxedWord, known: KnownWords) -> WordReading:
    """What is written, box by box, and which word of the list that plainly is.

    Doubtful is what fits two words nearly alike, what is hardly spelt, and what scores nothing
    where a word that scores fits nearly as well.

    Args:
        word: of the sheet.
        known: the words that may stand there.
    """
    reading = read_word(word)
    if reading.struck and not reading.doubtful:
        return reading
    best = known.best(word)
    if not best:
        return _beside_scoring(word, reading, known)
    spelt = (reading.text, _log_spelt(word))
    behind = spelt[1] - best[0][1]
    first = best[0][0] if behind <= _OFFERED else reading.text
    told = _told({spelt[0]: spelt[1], **dict(best)}, first)
    taken = _is_plain(word, best, behind) or (behind > _FAR and is_sure(word.log_probabilities))
    doubts = (*_of_standing(reading), *(() if taken else (Doubt.UNCLEAR,)))
    done = replace(
        reading,
        text=first,
        confidence=told[0][1],
        alternatives=told,
        doubtful=bool(doubts),
        doubts=doubts,
    )
    return _beside_scoring(word, done, known)


def _of_standing(reading: WordReading) -> Iterator[Doubt]:
    """Whether it counts is asked however plain its letters are."""
    return (doubt for doubt in reading.doubts if doubt is not Doubt.UNCLEAR)


def _lengths(word: BoxedWord) -> range:
    """How long the word may be: boxes at its ends may be bare."""
    count = len(word.log_probabilities)
    full = np.flatnonzero(word.log_probabilities[:, BARE] < _MAY_BE_BARE)
    return range(int(full[-1] - full[0]) + 1 if full.size else 1, count + 1)


def _log_spelt(word: BoxedWord) -> float:
    """Logarithm of the probability of what the boxes spell, whatever word that is."""
    logs = word.log_probabilities
    return float(np.maximum(logs[:, :BARE].max(axis=1), logs[:, BARE]).sum())


def _is_plain(word: BoxedWord, best: list[Fit], behind: float) -> bool:
    """Whether it is the best of the words, and no other word and no other letters."""
    ahead = best[0][1] - best[1][1] if len(best) > 1 else np.inf
    return bool(ahead >= _AHEAD and behind <= _SPELT and not _is_odd(word))


def _is_odd(word: BoxedWord) -> bool:
    """Whether a box, or two of them, may hold what is no letter."""
    worst = np.sort(word.log_probabilities[:, ODD])[::-1]
    return any(seen >= limit for seen, limit in zip(worst, _ODD, strict=False))


def _told(fits: Mapping[str, float], first: str) -> tuple[tuple[str, float], ...]:
    """Readings with their shares, the one that is reported first."""
    total = float(np.logaddexp.reduce([*fits.values()]))
    texts = sorted(fits, key=lambda text: (text != first, -fits[text]))[:_BEST]
    return tuple((text, float(np.exp(fits[text] - total))) for text in texts)


def _beside_scoring(word: BoxedWord, reading: WordReading, known: KnownWords) -> WordReading:
    """The reading, doubtful if it scores nothing and a word that does fits nearly as well."""
    near = {} if reading.text in known.scoring else _near(word, reading.text, known.playable)
    if not near:
        return reading
    told = dict(reading.alternatives) | near
    best = sorted(told.items(), key=lambda one: (one[0] != reading.text, -one[1]))[:_BEST]
    if not near.keys() & {text for text, _ in best}:
        best[-1] = max(near.items(), key=lambda one: one[1])
    doubts = tuple(dict.fromkeys((*reading.doubts, Doubt.UNCLEAR)))
    return replace(reading, doubtful=True, doubts=doubts, alternatives=tuple(best))


def _near(word: BoxedWord, text: str, playable: KnownWords) -> dict[str, float]:
    """The words that fit nearly as well, with their probabilities by the boxes alone."""
    least = word.log_probability_of(text) - _NEAR
    longest = min(len(text) + 1, len(word.log_probabilities))
    lengths = playable.letters.keys() & set(range(len(text) - 1, longest + 1))
    fits = {it: word.log_probabilities_of(playable.letters[it]) for it in sorted(lengths)}
    return {
        playable.words[length][row]: float(np.exp(some[row]))
        for length, some in fits.items()
        for row in np.flatnonzero(some >= least).tolist()
    }
