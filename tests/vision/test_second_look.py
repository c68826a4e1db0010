"""A second look at doubtful cells."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.rectify import CROP_PX
from vision.second_look import all_sure, looked_again

SURE, DOUBTFUL, UNSURE = [0.998, 0.001, 0.001], [0.4, 0.59, 0.01], [0.3, 0.3, 0.4]


@dataclass
class Always:
    """Says the same of all crops, and remembers them."""

    says: list[float]
    shown: list[NDArray[np.uint8]] = field(default_factory=list)

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        self.shown.append(crops)
        return np.asarray(np.log(np.tile(self.says, (len(crops), 1))), np.float64)


def crops_of(count: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(1)
    return rng.integers(0, 255, (count, CROP_PX, CROP_PX, 3)).astype(np.uint8)


def test_sure_cells_need_no_second_look() -> None:
    assert all_sure(np.log(np.array([SURE, SURE])))
    assert not all_sure(np.log(np.array([SURE, DOUBTFUL])))


def test_closer_looks_count_with_the_first_where_it_was_doubtful() -> None:
    logs = np.log(np.array([SURE, DOUBTFUL]))
    says = np.array([0.9, 0.05, 0.05])
    together = looked_again(logs, crops_of(2), crops_of(2), Always(says.tolist()))
    np.testing.assert_array_equal(together[0], logs[0])
    joined = says**4 * np.array(DOUBTFUL) ** 2  # four looks, and the first for two
    np.testing.assert_allclose(np.exp(together[1]), joined ** (1 / 6) / (joined ** (1 / 6)).sum())


def test_the_looks_differ_and_show_the_doubtful_cell_alone() -> None:
    classifier = Always(UNSURE)
    crops = crops_of(3)
    inked = 255 - crops
    looked_again(np.log(np.array([SURE, UNSURE, SURE])), crops, inked, classifier)
    (shown,) = classifier.shown
    seen = [np.rot90(crops[1], quarters) for quarters in (0, 1)]
    seen += [np.rot90(inked[1], quarters) for quarters in (0, 2)]
    np.testing.assert_array_equal(shown, seen)


def test_of_many_doubtful_cells_the_least_sure_are_looked_at() -> None:
    classifier = Always(SURE)
    logs = np.log(np.array([DOUBTFUL] * 12 + [UNSURE] * 24))
    changed = (looked_again(logs, crops_of(36), crops_of(36), classifier) != logs).any(axis=1)
    assert changed.tolist() == [False] * 12 + [True] * 24
