"""One reading from several looks at the same cubes, without taking them for independent.

Looks at one cube share its print, its wear and mostly its light: what is doubtful in all of them is
doubtful still, however many there are. So the looks are averaged and not added up, those that see
little counting little, and the outcome is no surer than half of what was seen. Many looks help
where some are spoilt, by glare, by a blur or by a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.confirm import ScoredTray
from vision.errors import VisionError
from vision.locate import LocatedTray

LEAST_AGREEMENT = 0.6
"""Share of the cells on which two photos of one tray must agree; those that are unsure agree."""

_SURE = 0.8
_CONTRADICTED = 0.5  # at most, where a look is sure of another face: a cube may have been changed
_FLOOR = -60.0  # no look rules a face out for good
_ROUNDING = 1e-9
_LEAST_WEIGHT = 1e-3  # of a look that sees nothing: it counts where no other does


class DifferentTraysError(VisionError):
    """The photos of a burst do not show the same cubes."""

    kind = "different_trays"


def fused(looks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms (cells, labels) of the faces' probabilities under all looks.

    Args:
        looks: (looks, cells, labels), logarithms of the probabilities that each look gives; of the
            same cubes. A single look comes out as it is, and so do any number of equal ones.
    """
    looks = np.maximum(looks, _FLOOR)
    weights = _weights(looks)
    pooled = _pooled(weights, looks)
    best = pooled.argmax(axis=1)
    cap = _weighted_medians(looks[:, np.arange(looks.shape[1]), best], weights)
    contradicted = ((looks.argmax(axis=2) != best) & (np.exp(looks.max(axis=2)) > _SURE)).any(
        axis=0
    )
    return _capped(pooled, np.where(contradicted, np.minimum(cap, np.log(_CONTRADICTED)), cap))


def fused_turns(looks: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Degrees (cells,) of each print: those of the look that sees its face best.

    Args:
        looks: as of `fused`.
        turns: (looks, cells), degrees.
    """
    best = fused(looks).argmax(axis=1)
    cells = np.arange(looks.shape[1])
    chosen = looks[:, cells, best].argmax(axis=0)
    return np.asarray(turns[chosen, cells], np.float64)


def fused_tray(trays: Sequence[ScoredTray]) -> ScoredTray:
    """Several photos of one tray, lying as in the first of them.

    The tray may lie otherwise in each photo, turned by quarters too.

    Args:
        trays: at least one.

    Raises:
        DifferentTraysError: two of them do not show the same cubes.
    """
    first, *others = trays
    alike = [first, *(_as_in(first, other) for other in others)]
    looks = np.array([tray.log_probabilities for tray in alike])
    return replace(
        first,
        log_probabilities=fused(looks),
        turns=fused_turns(looks, np.array([tray.turns for tray in alike])),
        letters=float(np.mean([tray.letters for tray in alike])),
    )


def _weights(looks: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each look tells of each cell, 0–1: (looks, cells)."""
    entropy = -(np.exp(looks) * looks).sum(axis=2)
    told = 1 - entropy / np.log(looks.shape[2])
    return np.asarray(np.maximum(told, _LEAST_WEIGHT), np.float64)


def _pooled(weights: NDArray[np.float64], looks: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = weights / weights.sum(axis=0)
    pooled = np.einsum("nc,ncl->cl", shares, looks)
    return np.asarray(pooled - np.logaddexp.reduce(pooled, axis=1, keepdims=True), np.float64)


def _weighted_medians(
    values: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Of each column: the largest value that half of the weight reaches."""
    order = np.argsort(-values, axis=0)
    reached = np.take_along_axis(weights, order, axis=0).cumsum(axis=0)
    half = (reached >= reached[-1] / 2 - 1e-12).argmax(axis=0)
    columns = np.arange(values.shape[1])
    return np.asarray(values[order[half, columns], columns], np.float64)


def _capped(pooled: NDArray[np.float64], cap: NDArray[np.float64]) -> NDArray[np.float64]:
    """With the best face no more probable than its cap; what it loses all share alike."""
    even = 1 / pooled.shape[1]
    probable = np.exp(pooled)
    top = probable.max(axis=1)
    lost = np.clip((top - np.exp(cap)) / np.maximum(top - even, 1e-12), 0, 1)[:, None]
    return np.where(lost > _ROUNDING, np.log(probable * (1 - lost) + lost * even), pooled)


def _as_in(first: ScoredTray, other: ScoredTray) -> ScoredTray:
    """The other turned by quarters as it agrees best with the first."""
    if (first.tray.rows, first.tray.cols) != (other.tray.rows, other.tray.cols):
        raise _different()
    turned = [_quarters(other, quarters) for quarters in range(4)]
    best = max(turned, key=lambda tray: _likeness(first, tray))
    if _agreement(first, best) < LEAST_AGREEMENT:
        raise _different()
    return best


def _different() -> DifferentTraysError:
    return DifferentTraysError(
        "the photos of the burst show different boards",
        "Give photos of one tray whose cubes lie untouched, or leave out --burst.",
    )


def _likeness(one: ScoredTray, other: ScoredTray) -> float:
    """Mean probability that a cell shows the same face in both."""
    both = np.exp(one.log_probabilities + other.log_probabilities).sum(axis=1)
    return float(both.mean())


def _agreement(one: ScoredTray, other: ScoredTray) -> float:
    """Share of the cells that do not show different faces for sure."""
    faces = [tray.log_probabilities.argmax(axis=1) for tray in (one, other)]
    sure = [tray.log_probabilities.max(axis=1) > np.log(_SURE) for tray in (one, other)]
    return float(1 - ((faces[0] != faces[1]) & sure[0] & sure[1]).mean())


def _quarters(scored: ScoredTray, quarters: int) -> ScoredTray:
    """The same tray with its rows counted from another side, ``quarters`` turned clockwise."""
    side = scored.tray.rows
    order = np.rot90(np.arange(side**2).reshape(side, side), -quarters).ravel()
    quarter = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, side], [0.0, 0.0, 1.0]])
    homography = scored.tray.homography @ np.linalg.matrix_power(quarter, quarters)
    return replace(
        scored,
        tray=LocatedTray(homography, side, side, scored.tray.score),
        log_probabilities=scored.log_probabilities[order],
        turns=(scored.turns[order] - 90.0 * quarters) % 360,
    )
