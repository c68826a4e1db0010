"""Cubes that cannot be of a set, told from what is plain to see by its looks alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board import MISSING, Face
from scoring.cubes import CubeSet, Shortage
from vision.decode import SURE_EDITION, Decoded, decode

_PLAIN = 0.98
"""Probability, by its looks alone, from which a face is plain to see."""

_MAY_BE_KNOWN = 0.5
"""Probability from which some known set, which all faces fit, may be the one in the tray."""


def find_shortage(
    log_probabilities: NDArray[np.float64],
    labels: Sequence[Face],
    editions: Sequence[CubeSet],
    decoded: Decoded,
    given: CubeSet | None,
) -> Shortage | None:
    """Faces that speak against the set in the tray; None where none do.

    Args:
        log_probabilities: (cells, labels), from the classifier, of each cell alone.
        labels: the faces that the columns stand for.
        editions: the sets that may lie in the tray.
        decoded: the joint reading of the cells.
        given: the set that a person named, or None. Then it is the one that was found, or, where
            no known set fits, the one that fits best without a single cube.
    """
    faces = _plain_faces(log_probabilities, labels)
    if given is not None:
        return given.shortage(faces)
    if decoded.edition is not None:
        return _named(decoded.edition, editions).shortage(faces)
    if _known_share(decoded) >= _MAY_BE_KNOWN:
        return None
    for edition in editions:
        shortage = edition.shortage(faces)
        if shortage is not None:
            rest = np.delete(log_probabilities, shortage.places[-1], axis=0)
            if _is_likeliest(edition, decode(rest, labels, editions)):
                return shortage
    return None


def _plain_faces(log_probabilities: NDArray[np.float64], labels: Sequence[Face]) -> list[Face]:
    """Each cell's face where it is plain, else `MISSING`, which speaks against no set."""
    plain = np.exp(log_probabilities.max(axis=1)) >= _PLAIN
    looks = (labels[label] for label in log_probabilities.argmax(axis=1))
    return [look if sure else MISSING for look, sure in zip(looks, plain, strict=True)]


def _named(name: str, editions: Sequence[CubeSet]) -> CubeSet:
    return next(edition for edition in editions if edition.name == name)


def _is_likeliest(edition: CubeSet, decoded: Decoded) -> bool:
    """Whether it is sure that one of the known sets fits, and this one is the best of them."""
    return _known_share(decoded) >= SURE_EDITION and decoded.editions[0][0] == edition.name


def _known_share(decoded: Decoded) -> float:
    """Probability that it is any of the known sets."""
    return sum(share for _, share in decoded.editions)
