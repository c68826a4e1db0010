"""Words in letter boxes where it is known what can score: doubts, and never another reading."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from vision.paper.boxed import BoxedWord, read_word
from vision.paper.reading import Doubt, WordReading

_NEAR = 8.0
"""Nats by which a word that scores may be less likely, by its boxes alone, than what they spell.

People write words that score many hundred times as often as any other string of letters.
"""
_BEST = 3  # readings that are told


def read_word_among(word: BoxedWord, scoring: Collection[str]) -> WordReading:
    """What is written, box by box; doubtful also where a word that scores fits nearly as well.

    Args:
        word: of the sheet.
        scoring: capitals; none where no board is known.
    """
    reading = read_word(word)
    if (reading.struck and not reading.doubtful) or reading.text in scoring:
        return reading
    near = _near(word, reading.text, scoring)
    if not near:
        return reading
    told = dict(reading.alternatives) | near
    best = sorted(told.items(), key=lambda one: (one[0] != reading.text, -one[1]))[:_BEST]
    if not near.keys() & {text for text, _ in best}:
        best[-1] = max(near.items(), key=lambda one: one[1])
    doubts = tuple(dict.fromkeys((*reading.doubts, Doubt.UNCLEAR)))
    return replace(reading, doubtful=True, doubts=doubts, alternatives=tuple(best))


def _near(word: BoxedWord, text: str, scoring: Collection[str]) -> dict[str, float]:
    """The words that fit nearly as well, with their probabilities by the boxes alone."""
    boxes = len(word.log_probabilities)
    fits = {
        other: word.log_probability_of(other)
        for other in scoring
        if abs(len(other) - len(text)) <= 1 and len(other) <= boxes
    }
    least = word.log_probability_of(text) - _NEAR
    return {other: float(np.exp(fit)) for other, fit in fits.items() if fit >= least}
