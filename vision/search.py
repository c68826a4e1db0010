"""All trays of a photo: what location proposes is judged until nothing more is to be expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.locate import GOOD_SCORE, SIDES, WAYS, LocatedTray, locate

LEAST_OTHER = 0.6
"""Side of the smallest tray that is looked for beside a larger one, in sides of that one.

Smaller ones are found if they are plain to see."""

_MOST_REFUSED = 6  # proposals that turn out to be none, from which on no more are judged
_FAIR_SCORE = 0.6  # of a proposal beside a tray that has been found
_WAYS_FOR_MORE = 3  # ways to look at a photo in which one tray has been found

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
    waiting: list[LocatedTray] = []
    for ways_tried, way in enumerate(WAYS, start=1):
        for tray in locate(photo, way, findings.trays):
            if _is_plain(tray):
                findings.consider(tray)
            else:
                waiting.append(tray)
        enough = ways_tried >= _WAYS_FOR_MORE or not findings.leave_room(photo.shape)
        if findings.found and enough:
            break
    for tray in sorted(waiting, key=lambda tray: -tray.score * tray.rows):
        if not findings.found or tray.score >= _FAIR_SCORE:
            findings.consider(tray)
    return [found for _, found in sorted(findings.found, key=lambda pair: -pair[0].area)]


def _is_plain(tray: LocatedTray) -> bool:
    """Whether it need not wait for better ones; nine spots in a square are often mere chance."""
    return tray.score >= GOOD_SCORE and tray.rows > min(SIDES)


class _Findings(Generic[Found]):
    """What has been found, and what has been refused."""

    def __init__(self, judge: Judge[Found]) -> None:
        self.found: list[tuple[LocatedTray, Found]] = []
        self._judge = judge
        self._refused: list[LocatedTray] = []

    def consider(self, tray: LocatedTray) -> None:
        """Have a proposal judged, unless it is known or enough have been refused."""
        if self._is_known(tray) or len(self._refused) >= _MOST_REFUSED:
            return
        judged = self._judge(tray)
        if judged is None:
            self._refused.append(tray)
        elif not self._is_known(judged[0]):
            self.found.append(judged)

    @property
    def trays(self) -> list[LocatedTray]:
        """The places of what has been found."""
        return [tray for tray, _ in self.found]

    def leave_room(self, shape: tuple[int, ...]) -> bool:
        """Whether another tray has room in a photo of this (height, width, …)."""
        if not self.found:
            return True
        largest = max(self.trays, key=lambda tray: tray.area)
        low, high = np.min(largest.corners, axis=0), np.max(largest.corners, axis=0)
        beside = np.concatenate([low, np.array(shape[1::-1]) - high])
        return bool(beside.max() > LEAST_OTHER * (high - low).min())

    def _is_known(self, tray: LocatedTray) -> bool:
        found = any(tray.overlaps(other) for other in self.trays)
        return found or any(tray.is_like(other) for other in self._refused)
