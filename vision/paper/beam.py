"""The likeliest spellings of a row of steps, whatever they spell: a prefix beam search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.paper.ctc import BLANK, FLOOR

Floats = NDArray[np.float64]

_CONSIDERED = 1e-4  # least probability of a letter at a step for which it is tried there

_Beam = dict[tuple[int, ...], list[float]]
"""Of each spelling the probabilities of the ways that end in a blank and in its last letter."""


def likely_spellings(
    log_probabilities: Floats, follows: Floats, alphabet: str, count: int
) -> tuple[str, ...]:
    """Spellings by their probability times that of their letters in a row, best first.

    Args:
        log_probabilities: (steps, 1 + letters), as `vision.paper.ctc.log_likelihoods` takes them.
        follows: (1 + letters, 1 + letters), how much each letter (column) is to be expected after
            each other (row); row 0 stands for the beginning. 0 forbids.
        alphabet: the letters.
        count: how many spellings are kept on the way; no more are returned.
    """
    chances = np.maximum(np.exp(log_probabilities), FLOOR)
    weights = follows.tolist()
    beam: _Beam = {(): [1.0, 0.0]}
    for chance in chances:
        likely = [int(it) + 1 for it in np.flatnonzero(chance[1:] >= _CONSIDERED)]
        beam = _best(_next(beam, chance.tolist(), likely, weights), count)
    return tuple("".join(alphabet[it - 1] for it in spelt) for spelt in beam if spelt)


def _next(beam: _Beam, chance: list[float], likely: list[int], weights: list[list[float]]) -> _Beam:
    """The beam one step on."""
    grown: _Beam = {}
    for spelt, (blank, letter) in beam.items():
        last = spelt[-1] if spelt else BLANK
        stays = grown.setdefault(spelt, [0.0, 0.0])
        stays[0] += (blank + letter) * chance[BLANK]
        stays[1] += letter * chance[last]
        for new in likely:
            weight = weights[last][new]
            if weight:
                before = blank if new == last else blank + letter
                grown.setdefault((*spelt, new), [0.0, 0.0])[1] += before * chance[new] * weight
    return grown


def _best(beam: _Beam, count: int) -> _Beam:
    """The likeliest spellings, as many as are kept, scaled so that the numbers stay near 1."""
    possible = [one for one in beam.items() if sum(one[1]) > 0]
    kept = sorted(possible, key=lambda one: -sum(one[1]))[:count]
    scale = 1 / sum(kept[0][1])
    return {spelt: [blank * scale, letter * scale] for spelt, (blank, letter) in kept}
