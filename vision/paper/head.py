"""The head line of a page, where a name stands plainly apart from the list below it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.paper.reading import WordReading

_APART = 1.7  # pitches of the lines below that it stands above them
_FEWEST = 4  # lines below it: of fewer the pitch is not known
_MOST = 3  # words of a name
_LEGIBLE = 0.5  # confidence of each of them, at least


def parted(
    words: Sequence[WordReading], playable: Collection[str]
) -> tuple[str | None, tuple[WordReading, ...]]:
    """The name in the head line, and the words of the list; no name where that is not plain.

    A first line is a name where it stands well above all others, is legible, and no word of it
    could have been found on the board.

    Args:
        words: of a page of free paper, in order.
        playable: the board's words, capitals; none where no board is known.
    """
    head = [word for word in words if word.line == words[0].line] if words else []
    rest = tuple(words[len(head) :])
    if not _is_name(head, playable) or not _is_apart(head, rest):
        return None, tuple(words)
    return " ".join(word.text.capitalize() for word in head), rest


def _is_name(head: Sequence[WordReading], playable: Collection[str]) -> bool:
    return 0 < len(head) <= _MOST and all(
        len(word.text) > 1
        and word.confidence >= _LEGIBLE
        and not word.struck
        and word.text not in playable
        for word in head
    )


def _is_apart(head: Sequence[WordReading], rest: Sequence[WordReading]) -> bool:
    down = _down([*head, *rest])
    lines: dict[int, list[float]] = {word.line: [] for word in rest}
    for word in rest:
        lines[word.line].append(_height(word, down))
    heights = [float(np.mean(lines[line])) for line in sorted(lines)]
    steps = [step for step in np.diff(heights).tolist() if step > 0]  # but not to the next column
    if len(heights) < _FEWEST or not steps:
        return False
    below = min(heights) - float(np.mean([_height(word, down) for word in head]))
    return below >= _APART * float(np.median(steps))


def _down(words: Sequence[WordReading]) -> NDArray[np.float64]:
    """The direction (2,) from the top to the foot of the writing in the photo."""
    quads = np.array([word.quad_px for word in words], np.float64)
    way = (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]).sum(axis=0)
    return np.asarray(way / max(float(np.hypot(*way)), 1e-9), np.float64)


def _height(word: WordReading, down: NDArray[np.float64]) -> float:
    return float(np.mean(np.array(word.quad_px), axis=0) @ down)
