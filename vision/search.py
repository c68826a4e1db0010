"""All trays of a photo: what location proposes is judged until nothing more is to be expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.locate import GOOD_SCORE, SIDES, LocatedTray, Way, locate

LEAST_OTHER = 0.6
"""Side of the smallest tray that is looked for beside a larger one, in sides of that one.

Smaller ones are found if they are plain to see."""

_BESIDE_PX = 45  # from cube to cube of a known tray: smaller cubes beside it are seen as well
_MOST_REFUSED = 3
"""Proposals that turn out to be none, from which on no more are judged. Of 999 rendered trays that
were found none came after more than two of them."""

_FAIR_SCORE = 0.6  # of a proposal that is worth a look at once, or beside a tray that is found
_LEAST_SMALL = 0.8  # of a proposal of nine cubes
_MOST_CHANCES = 3  # proposals of nine cubes that are looked at where there is no other tray

LEAST_CLEAR = 0.85
"""Clearness of a tray from which its place needs no second look. Of 600 rendered scenes 25 were
less clear; two of them were read without a mistake."""

Found = TypeVar("Found")
Judge = Callable[[LocatedTray], tuple[LocatedTray, Found] | None]
"""What is at or near a proposed place, with its true place, or None where it is no tray."""


def search(
    photo: NDArray[np.uint8],
    ways: Sequence[Way],
    judge: Judge[Found],
    clearness: Callable[[Found], float] = lambda _: 1.0,
) -> list[Found]:
    """What a judge finds in a photo, the largest first.

    Args:
        photo: (height, width, 3), RGB.
        ways: to look for trays. The first is quick, but may miss a tray beside another.
        judge: looks closely at a proposal; no tray is proposed to it twice.
        clearness: how clearly something that was found is seen, 0–1. Below `LEAST_CLEAR` its place
            may be off, and what the first way found is looked at in the next one, too. What a later
            way found lies where it is: of 98 hard scenes another look bettered none.
    """
    findings = _Findings(judge, clearness)
    quick, *others = ways
    findings.look(photo, quick)
    if findings.found:
        findings.look_further(photo, others)
    for way in others:
        if findings.found:
            break
        findings.look(photo, way)
    findings.settle()
    return [found for _, found in sorted(findings.found, key=lambda pair: -pair[0].area)]


def _just_enough(way: Way, known: LocatedTray, shape: tuple[int, ...]) -> Way:
    """A way at the size that suffices for cubes like those of a known tray, or half as large."""
    long_side = max(shape) * _BESIDE_PX / known.pitch
    return replace(way, long_side=min(way.long_side, round(long_side)))


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

    def __init__(self, judge: Judge[Found], clearness: Callable[[Found], float]) -> None:
        self.found: list[tuple[LocatedTray, Found]] = []
        self._judge = judge
        self._clearness = clearness
        self._refused: list[LocatedTray] = []
        self._judged: list[LocatedTray] = []
        self._waiting: list[LocatedTray] = []
        self._chances: list[LocatedTray] = []

    @property
    def is_blurred(self) -> bool:
        """Whether something that is found may lie elsewhere."""
        return not all(map(self._is_clear, self.found))

    @property
    def largest(self) -> LocatedTray:
        """The largest tray that is found; there must be one."""
        return max((place for place, _ in self.found), key=lambda place: place.area)

    def look(self, photo: NDArray[np.uint8], way: Way) -> None:
        """Consider what is plain to see in one way, else the best that is fair; the rest waits."""
        for tray in locate(photo, way, [each[0] for each in self.found if self._is_clear(each)]):
            if _is_plain(tray):
                self.consider(tray)
            elif _is_chance(tray):
                self._chances.append(tray)
            else:
                self._waiting.append(tray)
        fair = [tray for tray in self._waiting if _is_fair(tray) and not self._is_known(tray)]
        if fair and (not self.found or self.is_blurred):
            self.consider(max(fair, key=_weight))

    def look_further(self, photo: NDArray[np.uint8], others: Sequence[Way]) -> None:
        """Look at what was found in the next way where it is not clear, else for more beside it."""
        for way in others[:1]:
            if self.is_blurred:
                self.look(photo, way)
            elif self.leave_room(photo.shape):
                self.look(photo, _just_enough(way, self.largest, photo.shape))

    def settle(self) -> None:
        """Consider what waits, best first; beside a tray that has been found, the fair ones.

        Where there is none, nine spots in a square may be a part of one.
        """
        for tray in sorted(self._waiting, key=_weight, reverse=True):
            beside = not any(tray.overlaps(place) for place, _ in self.found)
            if not self.found or (tray.score >= _FAIR_SCORE and beside):
                self.consider(tray)
        most = len(self._refused) + _MOST_CHANCES
        for tray in sorted(self._chances, key=_weight, reverse=True):
            if not self.found:
                self.consider(tray, most)

    def consider(self, tray: LocatedTray, most: int = _MOST_REFUSED) -> None:
        """Have a proposal judged, unless it is known or so many have been refused.

        It takes the place of a tray there that is less clear.
        """
        if self._is_known(tray) or len(self._refused) >= most:
            return
        judged = self._judge(tray)
        if judged is None:
            self._refused.append(tray)
            return
        self._judged.append(tray)
        place, found = judged
        known = [each for each in self.found if place.overlaps(each[0])]
        if all(self._is_worse(each, place, found) for each in known):
            self.found = [each for each in self.found if each not in known] + [judged]

    def leave_room(self, shape: tuple[int, ...]) -> bool:
        """Whether another tray has room in a photo of this (height, width, …)."""
        low, high = (end(self.largest.corners, axis=0) for end in (np.min, np.max))
        beside = np.concatenate([low, np.array(shape[1::-1]) - high])
        return bool(beside.max() > LEAST_OTHER * (high - low).min())

    def _is_clear(self, each: tuple[LocatedTray, Found]) -> bool:
        return self._clearness(each[1]) >= LEAST_CLEAR

    def _is_worse(self, each: tuple[LocatedTray, Found], place: LocatedTray, found: Found) -> bool:
        """Whether what was found before is less clear than what is found now, and no larger."""
        clearer = self._clearness(found) > self._clearness(each[1])
        return clearer and not self._is_clear(each) and place.rows >= each[0].rows

    def _is_known(self, tray: LocatedTray) -> bool:
        """Whether it lies on one that is clear, or was judged when it was as plain to see."""
        found = any(tray.overlaps(each[0]) for each in self.found if self._is_clear(each))
        return found or any(
            tray.is_like(other) and tray.score <= other.score
            for other in (*self._refused, *self._judged)
        )
