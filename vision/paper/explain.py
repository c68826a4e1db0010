"""What a written word may be, and how probable each answer is before anything is decided.

Every explanation is weighed alike: by how well the steps spell it, and by how often people write
such a word. That is the sum over the ways in which it may have come about: a word that the board
gives, a word that the lexicon has, letters that lie side by side on the board, letters that sound
like a word, and a word of the board with a slip of the pen. So a scoring word wins over what the
steps spell only as far as people rather write scoring words, and never because it scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.paper.beam import likely_spellings
from vision.paper.candidates import Candidates
from vision.paper.ctc import Spellings, log_likelihoods

Floats = NDArray[np.float64]

_FROM_LEXICON, _FROM_SPEECH, _FROM_PATHS = 120, 48, 24  # explanations of each kind
_READINESS = np.exp(2.5)  # weight of one more letter in a search: engines rather drop than add
_HOPELESS = -300.0  # log-likelihood of a word that has no room in the steps
_NO_WAY = -1e9
_STRUNG = slice(2, 4)  # the ways by paths and by speech
_SLIPS = 50  # a letter more, less, or another one, per letter of a word


@dataclass(frozen=True)
class Habits:
    """How people write and how the engine errs, fitted on rendered words (`vision.training.words`).

    Attributes:
        sharpness: how much of a log-likelihood is believed; steps are not independent.
        letter: nats that each letter is worth, as letters are dropped more often than added.
        board, lexicon, paths, speech, slip: logarithms of how often a word comes about in this way,
            up to a constant.
        strung: nats for each letter of a string that only sounds like a word or lies on the board:
            real words are rarer than such strings, but are what people write.
    """

    sharpness: float
    letter: float
    board: float
    lexicon: float
    paths: float
    speech: float
    slip: float
    strung: float

    @property
    def ways(self) -> Floats:
        """The ways in which a word comes about, in the order of `Explanations.log_priors`."""
        return np.array([self.board, self.lexicon, self.paths, self.speech, self.slip])


@dataclass(frozen=True, eq=False)
class Explanations:
    """What a word may be.

    Attributes:
        spellings: the explanations, each once.
        log_likelihoods: (explanations,), of the steps under each.
        log_priors: (5, explanations): of each in each of the ways in which words come about.
        scores: (explanations,), bool: the lexicon has it, and the board if one is known gives it.
    """

    spellings: Spellings
    log_likelihoods: Floats
    log_priors: Floats
    scores: NDArray[np.bool_]

    def log_posterior(self, habits: Habits, rarer: float = 0.0) -> Floats:
        """Logarithm (explanations,) of the probability of each.

        Args:
            habits: weigh them.
            rarer: nats by which words that score nothing are rarer than under the habits.
        """
        total = self._weighed(habits, rarer)
        return np.asarray(total - np.logaddexp.reduce(total), np.float64)

    def evidence(self, habits: Habits, rarer: float) -> float:
        """How well the word is explained, whatever it is: to choose among pictures of it, in nats.

        Args:
            habits: as of `log_posterior`.
            rarer: as of `log_posterior`.
        """
        return float(np.logaddexp.reduce(self._weighed(habits, rarer)))

    def _weighed(self, habits: Habits, rarer: float) -> Floats:
        lengths = self.spellings.lengths
        spelt = self.log_likelihoods + habits.letter * lengths
        ways = habits.ways[:, None] + self.log_priors
        ways[_STRUNG] += habits.strung * lengths
        ways[1:] -= rarer
        prior = np.logaddexp.reduce(ways, axis=0)
        return np.asarray(habits.sharpness * spelt + prior, np.float64)

    def seen_again(self, log_probabilities: Floats) -> Explanations:
        """The same weighed by two looks at the word alike; no explanation is added.

        Args:
            log_probabilities: (steps, 1 + letters), of the second look.
        """
        return replace(
            self, log_likelihoods=(self.log_likelihoods + self.under(log_probabilities)) / 2
        )

    def under(self, log_probabilities: Floats) -> Floats:
        """Their `log_likelihoods` by another look.

        Args:
            log_probabilities: (steps, 1 + letters), of that look.
        """
        return np.maximum(log_likelihoods(log_probabilities, self.spellings), _HOPELESS)


def explain(
    log_probabilities: Floats, candidates: Candidates, length: int | None = None
) -> Explanations:
    """All explanations of a word that are worth weighing.

    Args:
        log_probabilities: (steps, 1 + letters), of the recogniser.
        candidates: what may have been written.
        length: letters of the word, where that is known: others are then no explanations, unless
            none has so many.
    """
    texts = _texts(log_probabilities, candidates, length)
    fitting = {text for text in texts if length in {None, len(text)}}
    spellings = Spellings.of(fitting or texts, candidates.alphabet)
    likelihoods = log_likelihoods(log_probabilities, spellings)
    on_board = np.array([word in candidates.board_words for word in spellings.words], bool)
    known = np.array([word in candidates.lexicon for word in spellings.words], bool)
    return Explanations(
        spellings=spellings,
        log_likelihoods=np.maximum(likelihoods, _HOPELESS),
        log_priors=_log_priors(spellings, candidates, on_board, known),
        scores=known if candidates.paths is None else on_board,
    )


def _texts(log_probabilities: Floats, candidates: Candidates, length: int | None) -> set[str]:
    texts = set(candidates.board_words.words)
    texts.update(candidates.lexicon.likeliest(log_probabilities, _FROM_LEXICON, length))
    for pairs, count in ((candidates.speech, _FROM_SPEECH), (candidates.paths, _FROM_PATHS)):
        if pairs is not None:
            ready = pairs * _READINESS
            texts.update(likely_spellings(log_probabilities, ready, candidates.alphabet, count))
    return texts


def _log_priors(
    spellings: Spellings,
    candidates: Candidates,
    on_board: NDArray[np.bool_],
    known: NDArray[np.bool_],
) -> Floats:
    """Of each explanation in each way: a board's words are all alike, and so are a lexicon's."""
    priors = np.full((5, len(spellings)), _NO_WAY)
    in_lexicon = -np.log(max(1, len(candidates.lexicon)))
    priors[1, known] = in_lexicon
    priors[3] = _log_chain(spellings, candidates.speech)
    if candidates.paths is None:
        priors[0, known] = in_lexicon
        return priors
    on_one = -np.log(max(1, len(candidates.board_words)))
    priors[0, on_board] = on_one
    priors[2] = _log_chain(spellings, candidates.paths)
    for row in np.flatnonzero(~on_board & (priors[2] > _NO_WAY)):
        if not candidates.is_on_board(spellings.words[row]):  # but by a cube that is used twice
            priors[2, row] = _NO_WAY
    slips = _slips(spellings.words, candidates)
    priors[4, slips] = on_one - np.log(_SLIPS * spellings.lengths[slips])
    return priors


def _slips(words: Iterable[str], candidates: Candidates) -> NDArray[np.bool_]:
    return np.array([candidates.is_slip(word) for word in words], bool)


def _log_chain(spellings: Spellings, pairs: Floats) -> Floats:
    """Log probability of each word's letters in a row, its end included; `_NO_WAY` for none."""
    with np.errstate(divide="ignore"):
        logs = np.maximum(np.log(pairs), _NO_WAY)
    columns = np.pad(spellings.columns, ((0, 0), (1, 1)))
    steps = logs[columns[:, :-1], columns[:, 1:]]
    inside = np.arange(steps.shape[1]) <= spellings.lengths[:, None]
    return np.asarray(np.maximum((steps * inside).sum(axis=1), _NO_WAY), np.float64)
