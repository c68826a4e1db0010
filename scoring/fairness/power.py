"""How many shakes it takes to see that a shaker is not fair."""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.stats import chi2, ncx2, norm

LEVEL = 0.05
"""Share of fair shakers that one test may call unfair."""

POWER = 0.8
"""Share of unfair shakers that a test is to find, with the shakes that it needs."""


def shakes_for_share(fair: float, unfair: float, cubes: int, blur: float = 1.0) -> int:
    """Shakes in a row until it is found that something happens to the cubes too often.

    It is looked for in each two shakes that follow one another, two-sided.

    Args:
        fair: its probability for a cube, 0–1.
        unfair: its probability as it is.
        cubes: in the tray.
        blur: how many times the shakes that are needed where each cube can be seen for itself.

    Example:
        A cube stays in its cell too often, and the face up is the same as before too often:

        >>> shakes_for_share(1 / 16, 0.0825, 16), shakes_for_share(1 / 6, 1 / 6 + 0.02, 16)
        (79, 176)
    """
    limit = norm.isf(LEVEL / 2) * math.sqrt(fair * (1 - fair))
    reach = norm.ppf(POWER) * math.sqrt(unfair * (1 - unfair))
    return math.ceil(blur * ((limit + reach) / (unfair - fair)) ** 2 / cubes) + 1


def shakes_for_one_more(more: float, kinds: int, each: int = 1, blur: float = 1.0) -> int:
    """Shakes until it is found that one of several equally likely things happens too often.

    Args:
        more: by how much its probability is larger; the others share the loss.
        kinds: how many things there are.
        each: how often a shake shows one of them.
        blur: as of `shakes_for_share`.

    Example:
        A face of a cube comes up at 21.7 % instead of 16.7 %:

        >>> shakes_for_one_more(0.05, 6)
        713
    """
    shift = kinds * (more**2 + (kinds - 1) * (more / (kinds - 1)) ** 2)
    return math.ceil(blur * _noncentrality(kinds - 1) / (shift * each))


def _noncentrality(degrees: int) -> float:
    """How far a chi-square of so many degrees of freedom must be shifted to be found."""
    limit = chi2.isf(LEVEL, degrees)
    return float(brentq(lambda shift: ncx2.sf(limit, degrees, shift) - POWER, 0.1, 1e3))
