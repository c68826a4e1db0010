"""What is wrong with a picture of a camera: black, white, or put together of two halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.devices import Photo

BLACK = 40
"""Grey level that a hundredth of the pixels exceed in any picture that shows something."""

WHITE, MOST_WHITE = 250, 0.4
"""A level at which all is lost, and the share of such pixels that makes a picture over-exposed."""

_WIDTH = 160  # pixels of the picture in which a seam is looked for
_STEP = 12.0  # grey levels from one row to the next that make a seam
_CONTRAST = 10.0  # deviation within the rows, without which a shift cannot be told
_BETTER = 0.4  # share of the step that is left when the lower half is put back
_LEAST_SHIFT = 4
_SEAMS = 3


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a picture.

    Attributes:
        text: what.
        advice: what to do.
        useless: nothing can be read in it.
    """

    text: str
    advice: str
    useless: bool


def fault_of(photos: Sequence[Photo]) -> Fault | None:
    """What is wrong with the pictures of a camera, the worst first; None where they look sound.

    Light is judged by the last one: a camera that wakes up begins dark or glaring. A picture that
    is torn is never right.

    Args:
        photos: one after the other, at least one.
    """
    last = photos[-1]
    if np.percentile(_grey(last), 99) < BLACK:
        advice = "See that the lamp shines and that no cap or cover is before the lens."
        return Fault("the picture is black", advice, useless=True)
    if any(is_torn(_grey(photo)) for photo in photos):
        advice = (
            "Push its cable in anew at both ends; a USB camera wants a port of its own, without a "
            "hub. Then try again."
        )
        return Fault("the picture is torn: its lower part is out of place", advice, useless=True)
    white = float((last.min(axis=2) >= WHITE).mean())
    if white > MOST_WHITE:
        advice = "Shade the tray, or set a shorter exposure_us or a lower level of the lamp."
        return Fault(f"{white:.0%} of the picture is over-exposed", advice, useless=False)
    return None


def _grey(photo: Photo) -> NDArray[np.float32]:
    return np.asarray(photo.mean(axis=2, dtype=np.float32), np.float32)


def is_torn(grey: NDArray[np.float32]) -> bool:
    """Whether the lower part of a picture is that of another place or moment, moved sideways.

    At such a seam the rows differ, and agree when one of them is moved. At the edge of a thing they
    differ as well, but no move makes them agree.

    Args:
        grey: (height, width).
    """
    narrow = _narrowed(grey)
    steps = np.abs(np.diff(narrow, axis=0)).mean(axis=1)
    seams = np.argsort(steps)[-_SEAMS:]
    return any(_is_seam(narrow[seam], narrow[seam + 1]) for seam in seams)


def _narrowed(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """All rows, of fewer and calmer pixels."""
    factor = max(1, grey.shape[1] // _WIDTH)
    width = grey.shape[1] // factor
    columns = grey[:, : width * factor].reshape(len(grey), width, factor)
    return np.asarray(columns.mean(axis=2), np.float32)


def _is_seam(above: NDArray[np.float32], below: NDArray[np.float32]) -> bool:
    step = float(np.abs(above - below).mean())
    if step < _STEP:
        return False
    farthest = len(above) * 2 // 5
    shifts = (*range(-farthest, -_LEAST_SHIFT), *range(_LEAST_SHIFT, farthest))
    return any(_agree(above, below, shift, step * _BETTER) for shift in shifts)


def _agree(
    above: NDArray[np.float32], below: NDArray[np.float32], shift: int, within: float
) -> bool:
    """Whether two rows agree where they overlap when the lower one is moved."""
    size = len(above) - abs(shift)
    one = above[max(shift, 0) :][:size]
    other = below[max(-shift, 0) :][:size]
    telling = min(float(one.std()), float(other.std())) > _CONTRAST
    return telling and float(np.abs(one - other).mean()) < within
