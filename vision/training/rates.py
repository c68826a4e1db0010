"""How fast a net learns as training goes on, and the running average of its weights."""

from __future__ import annotations

import math

import torch
from torch import nn

_AVERAGED = 0.998  # of the running average of the weights that is kept a step


def learning_rate(peak: float, done: float, rise: float) -> float:
    """The learning rate: a short rise, a level quarter, then half a cosine down.

    Args:
        peak: the highest.
        done: share of the training that is done; beyond 1 counts as 1.
        rise: share of the rise that is done; beyond 1 counts as 1.
    """
    fall = max(0.0, (min(done, 1.0) - 0.25) / 0.75)
    return peak * min(1.0, rise) * (0.5 + 0.5 * math.cos(math.pi * fall)) + 1e-6


def let_follow(average: nn.Module, net: nn.Module, steps: int) -> None:
    """Let an average follow a net after so many steps; it stands in for the last at a low rate."""
    keep = min(_AVERAGED, (steps + 1) / (steps + 10))
    current = net.state_dict()
    with torch.no_grad():
        for name, value in average.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(current[name], 1 - keep)
            else:
                value.copy_(current[name])
