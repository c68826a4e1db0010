"""All trays of a photo: what location proposes is judged until nothing more is to be expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.locate import CLOSER, GOOD_SCORE, SIDES, WAYS, LocatedTray, Way, locate

LEAST_OTHER = 0.6
"""Side of the smallest tray that is looked for beside a larger one, in sides of that one.

Smaller ones are found if they are plain to see."""

_MOST_REFUSED = 6  # proposals that turn out to be none, from which on no more are judged
_FAIR_SCORE = 0.6  # of a proposal that is worth a look at once, or beside a tray that is found
_LEAST_SMALL = 0.8  # of a proposal of nine cubes

Found = TypeVar("Found")
Judge = Callable[[LocatedTray], tuple[LocatedTray, Found] | None]
"""What is at or near a proposed place, with its true place, or None where it is no tray."""


def search(photo: NDArray[np.uint8], judge: Judge[Found]) -> list[Found]:
    """What a judge finds in a photo, the largest first.

    Args:
        photo: (height, width, 3), RGB.
        judge: looks closely at a proposal; no tray is proposed to it twice.
    """
    findings = _Findings(judge)
    for way in WAYS:
        findings.look(photo, way)
        if findings.found:
            if way != CLOSER and findings.leave_room(photo.shape):
                findings.look(photo, CLOSER)
            break
    findings.settle()
    return [found for _, found in sorted(findings.found, key=lambda pair: -pair[0].area)]


def _is_plain(tray: LocatedTray) -> bool:
    """Whether it need not wait for better ones."""
    return tray.score >= GOOD_SCORE and tray.rows > min(SIDES)


def _is_chance(tray: LocatedTray) -> bool:
    """Whether it is nine spots that happen to lie in a square, often in a larger tray."""
    return tray.rows == min(SIDES) and tray.score < _LEAST_SMALL


def _is_fair(tray: LocatedTray) -> bool:
    """Whether it is worth a look before the photo is looked at in ways that take longer."""
    return tray.score >= _FAIR_SCORE and tray.rows > min(SIDES)


def _weight(tray: LocatedTray) -> float:
    return tray.score * tray.rows


class _Findings(Generic[Found]):
    """What has been found, and what has been refused."""

    def __init__(self, judge: Judge[Found]) -> None:
        self.found: list[tuple[LocatedTray, Found]] = []
        self._judge = judge
        self._refused: list[LocatedTray] = []
        self._waiting: list[LocatedTray] = []

    def look(self, photo: NDArray[np.uint8], way: Way) -> None:
        """Consider what is plain to see in one way, else the best that is fair; the rest waits."""
        for tray in locate(photo, way, [place for place, _ in self.found]):
            if _is_plain(tray):
                self.consider(tray)
            elif not _is_chance(tray):
                self._waiting.append(tray)
        fair = [tray for tray in self._waiting if _is_fair(tray) and not self._is_known(tray)]
        if fair and not self.found:
            self.consider(max(fair, key=_weight))

    def settle(self) -> None:
        """Consider what waits, best first; beside a tray that has been found, the fair ones."""
        for tray in sorted(self._waiting, key=_weight, reverse=True):
            if not self.found or tray.score >= _FAIR_SCORE:
                self.consider(tray)

    def consider(self, tray: LocatedTray) -> None:
        """Have a proposal judged, unless it is known or enough have been refused."""
        if self._is_known(tray) or len(self._refused) >= _MOST_REFUSED:
            return
        judged = self._judge(tray)
        if judged is None:
            self._refused.append(tray)
        elif not self._is_known(judged[0]):
            self.found.append(judged)

    def leave_room(self, shape: tuple[int, ...]) -> bool:
        """Whether another tray has room in a photo of this (height, width, …)."""
        largest = max((place for place, _ in self.found), key=lambda place: place.area)
        low, high = np.min(largest.corners, axis=0), np.max(largest.corners, axis=0)
        beside = np.concatenate([low, np.array(shape[1::-1]) - high])
        return bool(beside.max() > LEAST_OTHER * (high - low).min())

    def _is_known(self, tray: LocatedTray) -> bool:
        """Whether it lies on one that is found, or has been refused when it was as plain to see."""
        found = any(tray.overlaps(place) for place, _ in self.found)
        return found or any(
            tray.is_like(other) and tray.score <= other.score for other in self._refused
        )
