"""Words on paper: from their pictures to readings with calibrated doubts.

What is written is what is reported. A misspelt or impossible word is an explanation like any other,
and the likeliest explanation is the reading; the review shows the runners-up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from vision.paper.candidates import Candidates
from vision.paper.ctc import BLANK, letter_places
from vision.paper.explain import Explanations, Habits, explain
from vision.paper.reading import Doubt, WordImage, WordReading
from vision.paper.recogniser import Look, Recogniser
from vision.paper.recut import leaned_back, recut
from vision.paper.standing import Standing

Floats = NDArray[np.float64]

SURE = 0.92
"""Confidence from which a word that scores is not asked about."""

SURE_OF_NOTHING = 0.98
"""The same of a word that scores nothing: there the lexicon does not help, and a slip costs."""

CLEAR = 0.98
"""Confidence from which a word is not looked at a second time."""

FARTHEST = 8.0
"""Nats by which a reading may be less likely, by its strokes alone, than what they spell best."""

OFFERED = 12.0
"""The same of the reading that is offered first, where people are asked: engines are too sure."""

RARER = float(np.log(0.95 / 0.05))
"""Nats by which words that score nothing are rarer on lists than under the habits.

One word in twenty is none that scores; the habits are fitted on words of which every other is.
"""

_PLAIN = np.log(0.98)  # of each letter of what the strokes spell best: it is plain
_ALTERNATIVES = 3
_PAPER_PERCENT, _INK_PERCENT = 80, 2  # of the pixels in order of their light
_INKED = 0.03  # dark share of a column of pixels that is more than a speck
_NO_PLACE = (2.0, 1.5)  # gaps of a word that has no room in the steps
_MOST_SURE = 1e-9


@dataclass(frozen=True)
class Judgement:
    """What the fit on rendered words says of readings.

    Attributes:
        habits: weigh the explanations.
        scoring: coefficients of `features`, for readings that score.
        other: the same for readings that do not.
    """

    habits: Habits
    scoring: Floats
    other: Floats

    def confidence(self, values: Floats, *, scores: bool) -> float:
        """Probability that a reading is right.

        Args:
            values: its `features`.
            scores: the word scores.
        """
        weights = self.scoring if scores else self.other
        return float(1 / (1 + np.exp(-weights @ values)))


def read_words(
    images: Sequence[WordImage], recogniser: Recogniser, candidates: Candidates
) -> Iterator[WordReading]:
    """Read words, in the order in which they are given; what is not clear is looked at twice.

    Args:
        images: the words, cut out of the page.
        recogniser: sees the letters; its alphabet is that of the candidates.
        candidates: what may have been written.

    Raises:
        ValueError: the alphabets differ.
    """
    if recogniser.alphabet != candidates.alphabet:
        raise ValueError("the recogniser and the candidates have different alphabets")
    judgement = shipped_judgement()
    looks = recogniser.looks([image.picture for image in images])
    sights = [_sight(*seen, candidates) for seen in zip(images, looks, strict=True)]
    readings = [sight.reading(judgement) for sight in sights]
    again = [place for place, reading in enumerate(readings) if not _is_clear(reading)]
    second = recogniser.looks([recut(images[place].picture) for place in again])
    for place, look in zip(again, second, strict=True):
        sight = sights[place].with_second(look)
        readings[place] = sight.reading(judgement)
        if Doubt.UNCLEAR in readings[place].doubts:
            readings[place] = _seen_closely(sight, recogniser, candidates).reading(judgement)
    yield from readings


def _seen_closely(sight: _Sight, recogniser: Recogniser, candidates: Candidates) -> _Sight:
    """A word that is asked about, looked at once more: for the order of its readings alone.

    One that touches another line is cut from it in other ways, too; the one that reads best counts.
    """
    sights = [sight]
    for picture in sight.image.otherwise:
        first, second = recogniser.looks([picture, recut(picture)])
        image = replace(sight.image, picture=picture)
        sights.append(_sight(image, first, candidates).with_second(second))
    thirds = recogniser.looks([leaned_back(one.image.picture) for one in sights])
    closer = [one.with_third(look) for one, look in zip(sights, thirds, strict=True)]
    habits = shipped_judgement().habits
    return max(closer, key=lambda one: one.explanations.evidence(habits, RARER))


def read_word(
    image: WordImage, look: Look, candidates: Candidates, judgement: Judgement
) -> WordReading:
    """Read one word by one look.

    Args:
        image: the word.
        look: what the recogniser saw of it.
        candidates: what may have been written.
        judgement: how explanations are weighed.
    """
    return _sight(image, look, candidates).reading(judgement)


@dataclass(frozen=True, eq=False)
class _Sight:
    """A word, the first look at it, and what it may be by all looks.

    Attributes:
        seen: of each look the likelihoods (explanations,).
        asked: somebody is asked about it, whatever it is.
    """

    image: WordImage
    look: Look
    explanations: Explanations
    seen: tuple[Floats, ...]
    asked: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether each letter is plain, and none is of another line."""
        first = self.seen[0]
        letters = self.explanations.spellings.lengths[first.argmax()]
        return bool(first.max() >= letters * _PLAIN) and not self.image.otherwise

    def with_second(self, look: Look) -> _Sight:
        """By two looks that count alike."""
        seen = (*self.seen, self.explanations.under(look.log_probabilities))
        return self._by(seen, np.mean(seen, axis=0))

    def with_third(self, look: Look) -> _Sight:
        """By three looks of which any may be the one that shows the word."""
        seen = (*self.seen, self.explanations.under(look.log_probabilities))
        likelihoods = np.logaddexp.reduce(seen) - np.log(len(seen))
        return replace(self._by(seen, likelihoods), asked=True)

    def _by(self, seen: tuple[Floats, ...], likelihoods: Floats) -> _Sight:
        explanations = replace(self.explanations, log_likelihoods=likelihoods)
        return replace(self, seen=seen, explanations=explanations)

    def reading(self, judgement: Judgement) -> WordReading:
        if _shows_nothing(self.look, self.explanations):
            return _nothing(self.image)
        return _judged(self, judgement)


def _sight(image: WordImage, look: Look, candidates: Candidates) -> _Sight:
    explanations = explain(look.log_probabilities, candidates, image.letters)
    return _Sight(image, look, explanations, (explanations.log_likelihoods,))


def _is_clear(reading: WordReading) -> bool:
    """Whether a second look would change nothing that counts."""
    is_out = reading.struck and not reading.doubtful
    return is_out or reading.confidence >= CLEAR


def _judged(sight: _Sight, judgement: Judgement) -> WordReading:
    image, explanations = sight.image, sight.explanations
    best, shares, contested = _chosen(sight, judgement.habits)
    scores = bool(explanations.scores[best])
    values = features(explanations, shares, best, sight.look, image.picture)
    confidence = judgement.confidence(values, scores=scores)
    text = explanations.spellings.words[best]
    sure = confidence >= (SURE if scores else SURE_OF_NOTHING)
    asked = contested or sight.asked or not sure or _no_such_length(text, image)
    standing = Standing(image.struck, image.cancelled)
    unclear = (Doubt.UNCLEAR,) if asked else ()
    doubts = () if standing.is_surely_out else (*standing.doubts, *unclear)
    return WordReading(
        text=text,
        confidence=confidence,
        alternatives=_alternatives(explanations, shares, best, confidence),
        struck=standing.is_out,
        doubtful=bool(doubts),
        quad_px=image.quad_px,
        line=image.line,
        doubts=doubts,
    )


def _chosen(sight: _Sight, habits: Habits) -> tuple[int, Floats, bool]:
    """The row of the first reading, all rows' shares, and whether there are two opinions on it.

    What is taken unasked must be the likeliest whether wrong words are as usual or every other
    word is one. Where these differ the usual decides what is offered first, but what is plain to
    see stays what it is.
    """
    explanations = sight.explanations
    wary = np.exp(explanations.log_posterior(habits))
    careful = likeliest(explanations, wary)
    if sight.is_plain:
        return careful, wary, False
    usual = np.exp(explanations.log_posterior(habits, RARER))
    offered = likeliest(explanations, usual, OFFERED)
    contested = careful != offered
    return offered, (wary + usual) / 2 if contested else wary, contested


def likeliest(explanations: Explanations, shares: Floats, farthest: float = FARTHEST) -> int:
    """The row of the likeliest explanation that is not too far from what the strokes spell.

    Args:
        explanations: of the word; one at least.
        shares: (explanations,), their probabilities.
        farthest: nats that it may be less likely by its strokes alone.
    """
    behind = explanations.log_likelihoods.max() - explanations.log_likelihoods
    return int(np.where(behind <= farthest, shares, -1).argmax())


def features(
    explanations: Explanations,
    shares: Floats,
    best: int,
    look: Look,
    picture: NDArray[np.uint8],
) -> Floats:
    """What the confidence in an explanation depends on, the constant 1 first.

    Args:
        explanations: of the word.
        shares: (explanations,), their probabilities.
        best: the row of the explanation.
        look: what the recogniser saw.
        picture: the word, (height, width), grey.
    """
    letters = int(explanations.spellings.lengths[best])
    likelihood = explanations.log_likelihoods[best]
    behind = explanations.log_likelihoods.max() - likelihood
    rest = np.clip(1 - shares[best], _MOST_SURE, 1 - _MOST_SURE)
    columns = explanations.spellings.columns[best, :letters].tolist()
    gaps = _gaps(letter_places(look.log_probabilities, columns), look.step_px, picture)
    odds = np.log1p(-rest) - np.log(rest)
    fit = (behind, np.sqrt(behind), likelihood / letters)
    return np.array([1, odds, *fit, letters, *gaps])


@cache
def shipped_judgement() -> Judgement:
    """The one that comes with the product."""
    return judgement_of((resources.files("vision.models") / "words.json").read_text("utf-8"))


def judgement_of(text: str) -> Judgement:
    """A judgement as its training wrote it, in JSON."""
    told = json.loads(text)
    scoring, other = (np.array(told[name], np.float64) for name in ("scoring", "other"))
    return Judgement(Habits(**told["habits"]), scoring, other)


def _shows_nothing(look: Look, explanations: Explanations) -> bool:
    """Whether no letter at all explains the steps better than any word."""
    none_at_all = look.log_probabilities[:, BLANK].sum()
    return bool(none_at_all > explanations.log_likelihoods.max(initial=-np.inf))


def _nothing(image: WordImage) -> WordReading:
    """Of a word that shows no letter at all."""
    standing = Standing(image.struck, image.cancelled)
    return WordReading(
        text="",
        confidence=0.0,
        alternatives=(),
        struck=standing.is_out,
        doubtful=not standing.is_surely_out,
        quad_px=image.quad_px,
        line=image.line,
        doubts=() if standing.is_surely_out else (*standing.doubts, Doubt.UNCLEAR),
    )


def _no_such_length(text: str, image: WordImage) -> bool:
    return image.letters is not None and len(text) != image.letters


def _alternatives(
    explanations: Explanations, shares: Floats, best: int, confidence: float
) -> tuple[tuple[str, float], ...]:
    """The readings with their probabilities: the others share what the confidence leaves to 1."""
    others = [int(row) for row in np.argsort(-shares, kind="stable")[:_ALTERNATIVES] if row != best]
    left = (1 - confidence) / max(1 - shares[best], _MOST_SURE)
    chances = [confidence, *(min(left * float(shares[row]), confidence) for row in others)]
    words = explanations.spellings.words
    rows = (best, *others)[:_ALTERNATIVES]
    return tuple((words[row], chance) for row, chance in zip(rows, chances, strict=False))


def _gaps(places: Floats | None, step_px: float, picture: NDArray[np.uint8]) -> tuple[float, float]:
    """The widest gap between letters, and the wider one to an end of the ink, in letters.

    A letter that was not seen leaves such a gap.
    """
    inked = np.flatnonzero(_dark(picture).mean(axis=0) > _INKED)
    if places is None or not inked.size:
        return _NO_PLACE
    left, right = float(inked[0]), float(inked[-1] + 1)
    pitch = max((right - left) / len(places), 1.0)
    middles = (places + 0.5) * step_px
    widest = float(np.diff(middles).max(initial=0)) / pitch
    return widest, float(max(middles[0] - left, right - middles[-1])) / pitch


def _dark(picture: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where there is ink: darker than midway between the paper and the darkest pixels."""
    paper, ink = np.percentile(picture, (_PAPER_PERCENT, _INK_PERCENT))
    return np.asarray(picture < (paper + ink) / 2, np.bool_)
