"""Tests of a shaker: is what its boards show what a fair one would show?

No board tells for sure which cube lies where, so nothing is compared with a formula: what is seen
of each cube is compared with what is seen of the cubes of many made-up shakes, which are fair and
are looked at in the same way. A test finds less in this manner than if it could see the cubes
themselves. By how much is measured on the same made-up shakes, and the number of shakes that a test
needs says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, chisquare, norm

from scoring.board import BLANK, MISSING, Face
from scoring.cubes import CubeSet
from scoring.fairness.evidence import Evidence, FairShakes, evidence_of, fair_shakes
from scoring.fairness.identity import Floats, face_shares
from scoring.fairness.power import LEVEL, shakes_for_one_more, shakes_for_share

MADE_UP = 4000
"""Fair shakes to compare with: their own chance is then small beside that of real ones."""

FEWEST = 30
"""Shakes below which nothing is judged: the tests lean on means being normal."""

TURNLESS = frozenset({*"HINOSXZ", BLANK, MISSING})
"""Faces that look alike after half a turn, or nearly: they do not tell how a cube lies."""

_FACE_MORE = 0.05  # what is to be found: a face at 21.7 % instead of 16.7 %,
_STAY_MORE = 0.02  # a cube that stays in its cell, or shows the same face, by 2 % too often,
_TURN_MORE = 0.02  # or that lies in one of four turns by 2 % too often
_FACES_UP = 1 / 6
_FLAT = 1e-4  # share of the largest variance below which a direction tells nothing


@dataclass(frozen=True)
class Finding:
    """One test.

    Attributes:
        test: ``"faces"`` of a cube, ``"repeats"``, ``"stays"`` or ``"turns"``.
        subject: the cube's faces, or an empty string where all cubes are meant.
        p: probability that a fair shaker looks at least so unfair.
        adjusted_p: the same for the worst of all tests that were made (Holm 1979).
        seen: the share that was seen of what is most unlike a fair shaker, 0–1.
        fair: the share that a fair shaker has of it.
        what: what that is, such as a face; empty where ``test`` says it.
        shakes: how many were looked at.
        needed: shakes from which this test finds a shaker that is unfair by a little.
    """

    test: str
    subject: str
    p: float
    adjusted_p: float
    seen: float
    fair: float
    what: str
    shakes: int
    needed: int

    @property
    def unfair(self) -> bool:
        """Whether chance cannot well explain what was seen."""
        return self.adjusted_p < LEVEL

    @property
    def enough(self) -> bool:
        """Whether there were shakes enough for silence to mean something."""
        return self.shakes >= self.needed


def judge(
    boards: Sequence[Sequence[Face]],
    edition: CubeSet,
    turns: Sequence[Sequence[int]] | None = None,
    seed: int = 1,
) -> tuple[Finding, ...]:
    """All tests of some shakes in a row, the faces of each cube first.

    Args:
        boards: the faces of each, cell by cell, always from the same corner of the tray.
        edition: the cubes in the tray.
        turns: quarter turns (0–3) of the cubes against the tray, as ``boards``; None where they are
            not known.
        seed: of the fair shakes to compare with.

    Raises:
        ValueError: there are fewer than `FEWEST` shakes.
    """
    if len(boards) < FEWEST:
        raise ValueError(f"{len(boards)} shakes say nothing; {FEWEST} at least are needed")
    fair = fair_shakes(edition, MADE_UP, np.random.default_rng(seed))
    seen = evidence_of(boards, edition)
    findings = [
        *_faces_of_all(seen, fair, edition),
        _pairs("repeats", seen.repeats, fair.seen.repeats, fair.true.repeats, edition),
        _pairs("stays", seen.stays, fair.seen.stays, fair.true.stays, edition),
    ]
    if turns is not None:
        findings.append(_turns(boards, turns))
    return _adjusted(findings)


def _faces_of_all(seen: Evidence, fair: FairShakes, edition: CubeSet) -> Iterator[Finding]:
    faces, shares = face_shares(edition)
    for number, cube in enumerate(edition.cubes):
        own = np.flatnonzero(shares[number])
        yield _faces(
            "".join(cube),
            [faces[face] for face in own],
            shares[number, own],
            here=seen.shows[:, number, own],
            there=fair.seen.shows[:, number, own],
            true=fair.true.shows[:, number, own],
        )


def _faces(
    cube: str,
    faces: Sequence[Face],
    shares: Floats,
    *,
    here: Floats,
    there: Floats,
    true: Floats,
) -> Finding:
    """Does each face of a cube come up as often as it should? Hotelling's T², many shakes.

    Args:
        cube: its name.
        faces: on it, each once.
        shares: (faces,), how often each should come up, 0–1.
        here: (shakes, faces), how probable it is that the cube shows a face.
        there: the same of fair shakes.
        true: (fair shakes, faces), whether it does.
    """
    drift = here.mean(axis=0) - there.mean(axis=0)
    spread = np.atleast_2d(np.cov(there, rowvar=False)) * (1 / len(here) + 1 / len(there))
    inverse, degrees = _inverse(spread)
    sure = np.array([_slope(*columns) for columns in zip(there.T, true.T, strict=True)])
    sure = np.maximum(sure, _FLAT)
    blurs = there.var(axis=0) / (true.var(axis=0) * sure**2)
    worst = int(np.argmax(np.abs(drift) / np.sqrt(np.maximum(spread.diagonal(), 1e-12))))
    expected = float(shares[worst])
    return Finding(
        "faces",
        cube,
        float(chi2.sf(drift @ inverse @ drift, degrees)),
        1.0,
        _share(expected + drift[worst] / sure[worst]),
        expected,
        faces[worst],
        len(here),
        shakes_for_one_more(_FACE_MORE, 6, blur=max(1.0, float(np.median(blurs)))),
    )


def _pairs(test: str, seen: Floats, fair: Floats, true: Floats, edition: CubeSet) -> Finding:
    """Do cubes stay in their cells, or show the same face, as often as they should?"""
    cells = edition.rows * edition.cols
    echo = np.corrcoef(fair[1:], fair[:-1])[0, 1]  # two pairs share a shake
    spread = fair.var() * max(1 + 2 * echo, _FLAT)
    drift = seen.mean() - fair.mean()
    score = drift / np.sqrt(spread * (1 / len(seen) + 1 / len(fair)))
    sure = _slope(fair, true)
    expected = float(true.mean() / cells)
    return Finding(
        test,
        "",
        float(2 * norm.sf(abs(score))),
        1.0,
        _share(expected + drift / max(sure, _FLAT) / cells),
        expected,
        "",
        len(seen) + 1,
        shakes_for_share(
            expected, expected + _STAY_MORE, cells, spread / (true.var() * max(sure, _FLAT) ** 2)
        ),
    )


def _turns(boards: Sequence[Sequence[Face]], turns: Sequence[Sequence[int]]) -> Finding:
    """Do the cubes lie in each of four turns equally often?"""
    lying = Counter(
        turn
        for faces, quarters in zip(boards, turns, strict=True)
        for face, turn in zip(faces, quarters, strict=True)
        if face not in TURNLESS
    )
    counts = np.array([lying[quarter] for quarter in range(4)])
    told = int(counts.sum())
    worst = int(np.argmax(np.abs(counts - told / 4)))
    needed = shakes_for_one_more(_TURN_MORE, 4) * len(boards) / max(told, 1)
    return Finding(
        "turns",
        "",
        float(chisquare(counts).pvalue) if told else 1.0,
        1.0,
        float(counts[worst] / max(told, 1)),
        0.25,
        f"{90 * worst}°",
        len(boards),
        int(np.ceil(needed)),
    )


def _adjusted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """With the p-values raised for the number of tests (Holm 1979), in the same order."""
    order = sorted(range(len(findings)), key=lambda number: findings[number].p)
    raised = (
        min(1.0, findings[number].p * (len(findings) - rank)) for rank, number in enumerate(order)
    )
    by_number = dict(zip(order, accumulate(raised, max), strict=True))
    return tuple(
        replace(finding, adjusted_p=by_number[number]) for number, finding in enumerate(findings)
    )


def _slope(seen: Floats, true: Floats) -> float:
    """By how much what is seen grows where what is true grows by one."""
    return float(np.cov(seen, true)[0, 1] / true.var())


def _inverse(spread: Floats) -> tuple[Floats, int]:
    """The inverse of a covariance in the directions in which anything varies, and their number."""
    values, vectors = np.linalg.eigh(spread)
    kept = values > _FLAT * values[-1]
    directions: NDArray[np.float64] = vectors[:, kept]
    return (directions / values[kept]) @ directions.T, int(kept.sum())


def _share(value: float) -> float:
    return float(min(1.0, max(0.0, value)))
