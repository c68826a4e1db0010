"""Joint reading: the faces on a board must lie on distinct cubes of one edition.

Each cell's scores alone say what it looks like. An edition adds that its only Qu cannot lie on two
cells, and that no cube of it shows Ä. Which edition lies in the tray, if any that is known, is
weighed as evidence too, so that an unknown edition is read by its looks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Face
from scoring.cubes import CubeSet
from vision.assignment import best_assignment
from vision.matching import log_matchings

LARGEST_GAP = 4.0
"""Nats by which the best assignment may be less probable than the best faces cell by cell.

Measured on real boards: below it the assignment corrects faces, above it the edition is another.
"""

FORGIVEN, LARGEST_UNFORGIVEN_GAP = 1.0, 5.0
"""Where no edition fits so well: nats that each cell may be less probable than its best face for
nothing, and the gap without them. Worn or blurred prints put many cells a little off, another
edition puts a few far off.
"""

SURE_EDITION = 0.9
"""Posterior from which the edition is named."""

LEAST_NAMED = 0.01
"""Posterior from which an edition is among those that fit."""

UNKNOWN_PRIOR = 0.3
"""Prior probability that the tray holds an edition not in the list."""

GIVEN_PRIOR = 0.98
"""Prior probability that the edition a person names is the one in the tray."""

_NOISE = 0.005  # share of cells whose scores mean nothing: an unseen style, a hand, glare
# An underlined N upside down looks like Ñ, and most sets have no accents: they are a tenth as
# common as other letters. The net was shown them a third as often, and so knows the rest.
_ACCENTED = 0.33
_MARKED = 0.02  # probability that a set marks N, and so that the net takes all of them for Ñ
_UNLIKE = 2.6  # nats by which a marked N looks less like an Ñ than one does
_UNMARKED = 0.02  # of its N, share that looks plain all the same
_BARE = 0.5  # of vacant cells, share that looks like a blank face where no cube has one
_MISSING_PRIOR = 0.003  # a cell without a cube
_NEVER = -1e3
_SEEN = float(np.log(0.03))  # of Ñ, from which on it is worth its time
_CONSIDERED = 6  # faces of a cell, at most
_HOPELESS = 7.0  # nats below the best one, from which a face is not considered


@dataclass(frozen=True)
class Decoded:
    """Faces of a board under all evidence.

    Attributes:
        faces: one a cell, row by row.
        probabilities: (cells, labels), rows sum to 1.
        edition: name of the edition, or None where none is sure.
        editions: the names of those that fit, with their probabilities, best first; what is left to
            1 is that of an edition which is not known.
    """

    faces: tuple[Face, ...]
    probabilities: NDArray[np.float64]
    edition: str | None
    editions: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class _Fit:
    """What one edition says of the board."""

    edition: CubeSet
    evidence: float  # log probability of the scores under the edition
    posterior: NDArray[np.float64]  # (cells, labels)
    faces: NDArray[np.int64]  # (cells,), labels of the best assignment


@dataclass(frozen=True)
class _View:
    """The scores of the cells under one view of how the set is printed.

    Attributes:
        scores: (cells, labels), logarithms.
        weight: logarithm of the probability of this view and of what is seen in its light, beside
            that of the scores as they are.
    """

    scores: NDArray[np.float64]
    weight: float = 0.0


@dataclass(frozen=True)
class _Placed:
    """The cells of a board on the cubes of an edition.

    Attributes:
        view: of the cells.
        edition: the edition.
        scores: (cells, labels), logarithms: of what is seen, and of how common it is.
        shares: (cubes, labels), as of `_face_shares`.
        vacant: (cells,), score of no cube.
        places: (cells, cubes + cells), as of `_with_vacancies`.
        faces: (cells,), labels of the best assignment.
        costs: (cells,), nats by which these are less probable than the best face of each cell.
    """

    view: _View
    edition: CubeSet
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    vacant: NDArray[np.float64]
    places: NDArray[np.float64]
    faces: NDArray[np.int64]
    costs: NDArray[np.float64]


def decode(
    log_probabilities: NDArray[np.float64],
    labels: Sequence[Face],
    editions: Sequence[CubeSet],
    given: CubeSet | None = None,
) -> Decoded:
    """Read the cells of one board together.

    Args:
        log_probabilities: (cells, labels), from the classifier, of each cell alone.
        labels: the faces that the columns stand for.
        editions: the editions that may lie in the tray; those with too few cubes are left out.
        given: the edition that a person named, which is nearly believed; else it is found.
    """
    alone = _with_noise(log_probabilities + _log_prior(labels))
    known = [it for it in (editions if given is None else [given]) if len(it.cubes) >= len(alone)]
    views = _views(log_probabilities, labels)
    placed = [_placed(view, labels, it) for view in views for it in known]
    fits = [_fit(one, labels) for one in _fitting(placed, given=given)]
    weights = _weights(alone, labels, fits, given=given is not None)
    by_model = [*(fit.posterior for fit in fits), np.exp(alone)]
    mixed = np.tensordot(weights, np.array(by_model), axes=1)
    named = _by_edition(fits, weights)
    sure = bool(named) and named[0][1] >= SURE_EDITION
    best = [fit for fit in fits if sure and fit.edition.name == named[0][0]]
    chosen = max(best, key=_evidence_of).faces if sure else mixed.argmax(axis=1)
    return Decoded(
        faces=tuple(labels[label] for label in chosen),
        probabilities=mixed,
        edition=named[0][0] if sure else None,
        editions=tuple(each for each in named if each[1] >= LEAST_NAMED),
    )


def _by_edition(fits: Sequence[_Fit], weights: NDArray[np.float64]) -> list[tuple[str, float]]:
    """The editions with their posteriors, best first."""
    shares: dict[str, float] = {}
    for fit, weight in zip(fits, weights.tolist(), strict=False):  # the last is of none
        shares[fit.edition.name] = shares.get(fit.edition.name, 0.0) + weight
    return sorted(shares.items(), key=lambda each: -each[1])


def _evidence_of(fit: _Fit) -> float:
    return fit.evidence


def _views(log_probabilities: NDArray[np.float64], labels: Sequence[Face]) -> list[_View]:
    """The scores as they are and, where a cell looks like Ñ, as they are if this set marks N.

    A set marks all its N or none: where none is plain, what looks like Ñ may be N.
    """
    plain = _View(log_probabilities)
    if not {"N", "Ñ"} <= set(labels):
        return [plain]
    bare, accented = labels.index("N"), labels.index("Ñ")
    if log_probabilities[:, accented].max() < _SEEN:
        return [plain]
    scores = log_probabilities.copy()
    marked = np.minimum(scores[:, accented] - np.log(_ACCENTED), scores[:, bare] + _UNLIKE)
    scores[:, bare] = np.logaddexp(marked, scores[:, bare] + np.log(_UNMARKED))
    prior = _log_prior(labels)
    before, after = (
        np.logaddexp.reduce(one - prior, axis=1).sum() for one in (log_probabilities, scores)
    )
    return [plain, _View(scores, float(np.log(_MARKED) + after - before))]


def _log_prior(labels: Sequence[Face], edition: CubeSet | None = None) -> NDArray[np.float64]:
    """How much rarer faces are than the net takes them for.

    An edition that has a face tells itself how rare it is.
    """
    common = {face for cube in edition.cubes for face in cube} if edition else set()
    rare = [not label.isascii() and label not in common for label in labels]
    return np.log(np.where(rare, _ACCENTED, 1.0))


def _with_noise(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normalised scores, none so sure that it could not mean nothing."""
    normal = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    share = np.log(_NOISE / scores.shape[1])
    return np.asarray(np.logaddexp(normal + np.log(1 - _NOISE), share), np.float64)


def _weights(
    alone: NDArray[np.float64], labels: Sequence[Face], fits: Sequence[_Fit], *, given: bool
) -> NDArray[np.float64]:
    """Posterior of each edition, and last of none of them."""
    known = GIVEN_PRIOR if given else 1 - UNKNOWN_PRIOR
    editions = {fit.edition.name for fit in fits}
    priors = [known / max(1, len(editions))] * len(fits) + [1 - known]
    evidence = [fit.evidence for fit in fits] + [_evidence_of_none(alone, labels)]
    logs = np.log(priors) + evidence
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs)), np.float64)


def _evidence_of_none(alone: NDArray[np.float64], labels: Sequence[Face]) -> float:
    """Log probability of the scores when each cell shows any face, independently of the others."""
    faces = len(labels) - 1
    shares = np.log([_MISSING_PRIOR if label == MISSING else 1 / faces for label in labels])
    return float(np.logaddexp.reduce(alone + shares, axis=1).sum())


def _placed(view: _View, labels: Sequence[Face], edition: CubeSet) -> _Placed:
    """The cells on the cubes of an edition, as well as they fit."""
    looks = _with_noise(view.scores + _log_prior(labels, edition))
    shares = _face_shares(labels, edition)
    vacant = looks[:, labels.index(MISSING)]
    if not shares[:, labels.index(BLANK)].any():
        vacant = np.logaddexp(vacant, looks[:, labels.index(BLANK)] + np.log(_BARE))
    scores = looks + _commonness(shares)
    on_cube = np.where(shares > 0, scores[:, None, :], _NEVER)  # (cells, cubes, labels)
    places = _with_vacancies(on_cube.max(axis=2), vacant)
    cells, columns = best_assignment(places)
    missing = np.full((len(scores),) * 2, labels.index(MISSING))
    faces = np.append(on_cube.argmax(axis=2), missing, axis=1)[cells, columns]
    seen = np.where(faces == labels.index(MISSING), vacant, looks[cells, faces])
    return _Placed(
        view=view,
        edition=edition,
        scores=scores,
        shares=shares,
        vacant=vacant,
        places=places,
        faces=faces,
        costs=looks.max(axis=1) - seen,
    )


def _commonness(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much likelier a face is (labels,) since the cubes show it more often than others.

    It counts by half: that the cubes are distinct says some of it.
    """
    common = shares.mean(axis=0)
    return np.log(np.where(common > 0, common * (common > 0).sum(), 1.0)) / 2


def _fitting(placed: Sequence[_Placed], *, given: CubeSet | None) -> list[_Placed]:
    """Those whose best assignment is not far less probable than the looks.

    The gap is the nats between the best faces cell by cell and the best assignment.
    """
    if given is not None:
        return list(placed)
    close = [one for one in placed if one.costs.sum() < LARGEST_GAP]
    return close or [
        one for one in placed if np.maximum(one.costs - FORGIVEN, 0).sum() < LARGEST_UNFORGIVEN_GAP
    ]


def _fit(placed: _Placed, labels: Sequence[Face]) -> _Fit:
    """What an edition says.

    It tells itself how rare an accented letter is; what it looks like is not made rarer before, not
    even as the net does, which was shown few.
    """
    looks, vacant = _with_noise(placed.view.scores - _log_prior(labels)), placed.vacant
    return _Fit(
        edition=placed.edition,
        evidence=placed.view.weight
        + _evidence(looks, placed.shares, vacant + np.log(_MISSING_PRIOR)),
        posterior=_posterior(
            placed.scores, placed.places, placed.shares, vacant, labels.index(MISSING)
        ),
        faces=placed.faces,
    )


def _face_shares(labels: Sequence[Face], edition: CubeSet) -> NDArray[np.float64]:
    """Probability that a cube shows a label when it is thrown: (cubes, labels)."""
    return np.array([[cube.count(label) / len(cube) for label in labels] for cube in edition.cubes])


def _with_vacancies(
    on_cubes: NDArray[np.float64], missing: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scores (cells, cubes + cells): each cell on each cube, or without one, at its own column."""
    vacancies = np.full((len(missing),) * 2, _NEVER)
    np.fill_diagonal(vacancies, missing)
    return np.hstack([on_cubes, vacancies])


def _evidence(
    alone: NDArray[np.float64], shares: NDArray[np.float64], vacant: NDArray[np.float64]
) -> float:
    """Log probability of the scores under an edition, averaged over all layouts of its cubes."""
    on_cubes = np.log(np.exp(alone) @ shares.T)
    return _log_layouts(on_cubes, vacant) - _log_full_layouts(*on_cubes.shape)


@cache
def _log_full_layouts(cells: int, cubes: int) -> float:
    """Log of the number of layouts without a vacancy, in the same approximation as the others."""
    return _log_layouts(np.zeros((cells, cubes)), np.full(cells, _NEVER))


def _log_layouts(on_cubes: NDArray[np.float64], vacant: NDArray[np.float64]) -> float:
    """Log of the summed weights of all layouts, a cell lying on one cube or vacant."""
    square = np.ones((sum(on_cubes.shape),) * 2)  # rows of ones take the cubes left over
    square[: len(vacant)] = np.exp(_with_vacancies(on_cubes, vacant))
    return log_matchings(square)


def _posterior(
    alone: NDArray[np.float64],
    places: NDArray[np.float64],
    shares: NDArray[np.float64],
    vacant: NDArray[np.float64],
    missing: int,
) -> NDArray[np.float64]:
    """Probability of each cell's likeliest faces, each by the best assignment that holds it."""
    logs = np.full(alone.shape, -np.inf)
    scores = alone.copy()
    scores[:, missing] = vacant
    fits = np.vstack([shares > 0, np.zeros((len(alone), alone.shape[1]), bool)])
    for cell in range(len(alone)):
        likely = np.argsort(-scores[cell])[:_CONSIDERED]
        for label in {*likely[scores[cell, likely] > scores[cell].max() - _HOPELESS], missing}:
            forced = places.copy()
            columns = fits[:, label].copy()
            columns[len(shares) + cell] = label == missing
            forced[cell] = np.where(columns, scores[cell, label], _NEVER)
            logs[cell, label] = forced[best_assignment(forced)].sum()
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)), np.float64)
