"""Let the faces confirm where the board is.

Location sees light squares, not letters: it may take a part of a tray for the whole, lie a row
off, or take a keyboard for a tray. So the cells and the ring around them are classified, and the
square that holds the most letters is the board, if they do not go on beyond it; where it differs
from the square located, the next ring is looked at. Where letters do go on, the look follows them:
they belong to a larger tray, or to a keyboard. Where one edge of a square shows none, a hand may
lie over it; its size is then a guess, and nothing on it is believed unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Face
from vision.faces import FaceScores
from vision.gaps import gap_length
from vision.ink import in_ink
from vision.locate import SIDES, LocatedTray, upright
from vision.rectify import RING, cut_cells
from vision.refine import refined
from vision.second_look import all_sure, looked_again

LEAST_LETTERS = 0.55
"""Mean probability that a cell shows some letter, from which a square is a board."""

_LEAST_WORTH = 0.4
"""Of that probability, by the better of two glances, from which more looks are worth their time. Of
195 proposals in hard scenes that proved to be trays the least had 0.67; of 519 that did not, 379
had less than 0.4."""

_HALF = 0.5  # of that probability: beyond it a cell speaks for the square that it lies in
_PLAIN = 0.8
"""Probability from which one letter beyond an edge makes the size a guess: a hand may lie over the
rest of its row. Around 180 rendered boards, a hand over most of them, none reached it."""

_MOST_MOVES = 4
_MOST_FOLLOWED = 1  # times that letters are followed which go on beyond every square
_STRAIGHT = 0.97  # score from which a located tray lies as well as its prints could tell
_MOST_STRAIGHTENED = 2  # times that a board is moved to where its prints are
_SURE = float(np.log(0.98))
_MOST_UNSURE = 0.2  # share of the cells from which another look is worth its time

_FEW_BEYOND = 0.25
"""Share of the cells along an edge up to which letters beyond it are chance: the most beside 171
windows that were right."""

_MOST_BEYOND = 0.4
"""The share up to which they may be. Beyond each window that cut a tray off there were more."""


class Classifier(Protocol):
    """Tells faces; see `vision.faces`."""

    @property
    def labels(self) -> Sequence[Face]:
        """The faces that the columns of the scores stand for."""
        ...

    def classify(self, crops: NDArray[np.uint8], *, both_ways: bool = True) -> FaceScores:
        """Scores of crops (n, CROP_PX, CROP_PX, 3), RGB; looked at once only, half as good."""
        ...

    def look_closely(self, crops: NDArray[np.uint8]) -> NDArray[np.floating[Any]]:
        """Logarithms (n, labels) for crops as they stand, with more care than `classify` takes."""
        ...


@dataclass(frozen=True)
class ScoredTray:
    """A tray and what its cells look like, row by row.

    Attributes:
        tray: where it lies.
        log_probabilities: (cells, labels).
        turns: (cells,), degrees counter-clockwise from upright as seen in the crops.
        letters: mean probability that a cell shows some letter.
        gaps: length of the holes between the cells, as of `vision.gaps.gap_length`.
        may_go_on: some letters are seen beyond an edge, or none along one: it may be a part of a
            larger tray, or lie a row aside.
    """

    tray: LocatedTray
    log_probabilities: NDArray[np.float64]
    turns: NDArray[np.float64]
    letters: float
    gaps: float
    may_go_on: bool = False


@dataclass(frozen=True)
class _Cut:
    """A tray's cells, cut out with the ring around them.

    Attributes:
        tray: where it lies.
        crops: (rows + 2, cols + 2, CROP_PX, CROP_PX, 3).
    """

    tray: LocatedTray
    crops: NDArray[np.uint8]

    @cached_property
    def inked(self) -> NDArray[np.uint8]:
        """The crops in ink."""
        return in_ink(self.crops)


@dataclass(frozen=True)
class _Glance:
    """What the inner ones of some crops look like one way up."""

    crops: NDArray[np.uint8]
    scores: FaceScores


@dataclass(frozen=True)
class _Look:
    """What is seen at a located tray and in the ring around it.

    Attributes:
        cut: its cells.
        glance: the clearest at them, one way up.
        scores: of them, as far as they have been looked at.
        letters: (rows + 2, cols + 2), how much each looks like a letter.
    """

    cut: _Cut
    glance: _Glance
    scores: FaceScores
    letters: NDArray[np.float64]


def confirm(
    photo: NDArray[np.uint8],
    tray: LocatedTray,
    classifier: Classifier,
    is_worth: Callable[[ScoredTray], bool] = lambda _: True,
) -> ScoredTray | None:
    """The board at or near a located tray, or None where the faces speak against any.

    Args:
        photo: (height, width, 3), RGB.
        tray: as it was located.
        classifier: tells the faces.
        is_worth: whether what the first look saw is worth a second one, which takes longer.
    """
    for moves in range(_MOST_MOVES):
        look = _look(_straight(photo, tray), classifier)
        square = look and _best_square(look.letters, tray.rows)
        if look and square and square.is_all_of(tray):
            look = _both_ways(look, classifier)
            square = _best_square(look.letters, tray.rows)
        if not (look and square and (square.is_whole or moves < _MOST_FOLLOWED)):
            return None
        if square.is_all_of(tray):
            first = _scored(look, square) if square.is_whole else None
            return _looked_again(first, look.cut, classifier) if first and is_worth(first) else None
        tray = _moved(look.cut.tray, square)
    return None


def _straight(photo: NDArray[np.uint8], tray: LocatedTray) -> _Cut:
    """A located tray, moved to where its prints are if it lies askew."""
    cut = _cut(photo, tray)
    for _ in range(_MOST_STRAIGHTENED if tray.score < _STRAIGHT else 0):
        place = refined(cut.inked)
        if place is None:
            break
        tray = replace(tray, homography=tray.homography @ place)
        cut = _cut(photo, tray)
    return cut


def _cut(photo: NDArray[np.uint8], tray: LocatedTray) -> _Cut:
    return _Cut(tray, cut_cells(photo, tray.homography, tray.rows, tray.cols))


def _look(cut: _Cut, classifier: Classifier) -> _Look | None:
    """A look at the cells one way up: it tells whether there are letters, and how far they go.

    Around what hardly shows a letter there is nothing to look for.
    """
    inner = _inside(cut)
    glances = list(_glances(cut, inner, classifier))
    if max(_letters(glance.scores, classifier).mean() for glance in glances) < _LEAST_WORTH:
        return None
    clearest = max(glances, key=lambda glance: _clearness(glance.scores))
    around = classifier.classify(clearest.crops[~inner], both_ways=False)
    letters = np.zeros(inner.shape)
    letters[inner] = _letters(clearest.scores, classifier)
    letters[~inner] = _letters(around, classifier)
    return _Look(cut, clearest, clearest.scores, letters)


def _inside(cut: _Cut) -> NDArray[np.bool_]:
    """Which of the crops are no ring."""
    inner = np.zeros(cut.crops.shape[:2], bool)
    inner[RING:-RING, RING:-RING] = True
    return inner


def _glances(cut: _Cut, inner: NDArray[np.bool_], classifier: Classifier) -> Iterator[_Glance]:
    """The inner cells as they are, and in ink where that may tell more."""
    plain = _Glance(cut.crops, classifier.classify(cut.crops[inner], both_ways=False))
    yield plain
    if (plain.scores.log_probabilities.max(axis=1) < _SURE).mean() >= _MOST_UNSURE:
        yield _Glance(cut.inked, classifier.classify(cut.inked[inner], both_ways=False))


def _both_ways(look: _Look, classifier: Classifier) -> _Look:
    """The look with what is seen of the cells upside down: the ring decides no face."""
    inner, glance = _inside(look.cut), look.glance
    upside_down = np.rot90(glance.crops[inner], 2, (1, 2))
    first, second = glance.scores, classifier.classify(upside_down, both_ways=False)
    logs = (first.log_probabilities + second.log_probabilities) / 2
    logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
    scores = FaceScores(logs, first.arrows - second.arrows)
    letters = look.letters.copy()
    letters[inner] = _letters(scores, classifier)
    return replace(look, scores=scores, letters=letters)


def _clearness(scores: FaceScores) -> float:
    return float(scores.log_probabilities.max(axis=1).mean())


def _letters(scores: FaceScores, classifier: Classifier) -> NDArray[np.float64]:
    """Probability (n,) of the likeliest letter."""
    is_letter = [label not in {BLANK, MISSING} for label in classifier.labels]
    return np.asarray(np.exp(scores.log_probabilities[:, is_letter].max(axis=1)), np.float64)


@dataclass(frozen=True)
class _Square:
    """A square of the cells that are looked at, the ring included, and what speaks for it."""

    row: int
    col: int
    side: int
    weight: float
    beyond: float  # the largest share of letters along an edge, beyond it
    cornered: bool  # letters are seen beyond two neighbouring edges
    followed: bool  # a letter is plain to see beyond an edge
    hidden: int  # edges that show no letter

    @property
    def is_whole(self) -> bool:
        """Whether letters hardly go on beyond it."""
        return self.beyond <= (_FEW_BEYOND if self.hidden else _MOST_BEYOND)

    def is_all_of(self, tray: LocatedTray) -> bool:
        """Whether it is the tray whose cells and ring are looked at."""
        return (self.row, self.col, self.side) == (RING, RING, tray.rows)

    @property
    def may_go_on(self) -> bool:
        """Whether it may be a part of a larger board, or another part of it than it seems."""
        doubted = self.cornered or self.followed or self.hidden > 0
        return doubted or self.beyond > _FEW_BEYOND

    @property
    def rank(self) -> int:
        """How surely it is a board; nine letters are mostly a part of one."""
        if not self.is_whole:
            return 0
        if self.side == min(SIDES):
            return 1 if self.may_go_on else 3
        return 2 if self.hidden else 4 - (self.beyond > _FEW_BEYOND)


def _best_square(letters: NDArray[np.float64], located: int) -> _Square | None:
    """The board that the letters speak for most, if for any; surely whole ones first."""
    squares = [
        square
        for side in SIDES
        if side > min(SIDES) or located == side
        for square in _squares(letters, side)
    ]
    return max(squares, key=lambda square: (square.rank, square.weight), default=None)


def _squares(letters: NDArray[np.float64], side: int) -> Iterator[_Square]:
    """Those that letters speak for, with letters along each edge, or all but one."""
    known = np.pad(letters, 1)  # what is not looked at shows none
    for row, col in product(*(range(count - side + 1) for count in letters.shape)):
        weight = float((letters[row : row + side, col : col + side] - _HALF).sum())
        around = known[row : row + side + 2, col : col + side + 2]
        edges = [np.rot90(around, turn)[:, 1:-1] for turn in range(4)]  # above, right, below, left
        hidden = [edge for edge in edges if edge[1].max() <= _HALF]
        if weight > 0 and len(hidden) <= (side > min(SIDES)) and _are_single(hidden):
            beyond = np.array([edge[0] for edge in edges])
            shares = (beyond > _HALF).mean(axis=1)
            cornered = bool((shares * np.roll(shares, 1)).any())
            followed = bool(beyond.max() > _PLAIN)
            yield _Square(
                row, col, side, weight, float(shares.max()), cornered, followed, len(hidden)
            )


def _are_single(hidden: Sequence[NDArray[np.float64]]) -> bool:
    """Whether letters are seen just within each edge that shows none."""
    return all(edge[2].max() > _HALF for edge in hidden)


def _moved(tray: LocatedTray, square: _Square) -> LocatedTray:
    right, down = square.col - RING, square.row - RING
    shift = np.array([[1.0, 0.0, right], [0.0, 1.0, down], [0.0, 0.0, 1.0]])
    homography = upright(tray.homography @ shift, square.side)
    return replace(tray, homography=homography, rows=square.side, cols=square.side)


def _scored(look: _Look, square: _Square) -> ScoredTray | None:
    share = float(_inner(look.letters).mean())
    if share < LEAST_LETTERS:
        return None
    return ScoredTray(
        tray=look.cut.tray,
        log_probabilities=np.asarray(look.scores.log_probabilities, np.float64),
        turns=look.scores.turns,
        letters=share,
        gaps=gap_length(look.cut.crops),
        may_go_on=square.may_go_on,
    )


def _looked_again(first: ScoredTray, cut: _Cut, classifier: Classifier) -> ScoredTray:
    """The tray after a second look at the cells that are doubtful."""
    logs = first.log_probabilities
    if all_sure(logs):
        return first
    crops, inked = (_inner(one).reshape(-1, *one.shape[2:]) for one in (cut.crops, cut.inked))
    return replace(first, log_probabilities=looked_again(logs, crops, inked, classifier))


def _inner(values: NDArray[Any]) -> NDArray[Any]:
    """Without the ring."""
    return values[RING:-RING, RING:-RING]
