"""The tunes of the buzzer, as notes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Note = tuple[int, float]
"""Pitch in hertz, 0 for a rest, and length in seconds."""

LONGEST_TUNE_S = 1.0
"""Seconds of any tune, at most: a round waits for it."""

TUNE_NOTES: Mapping[str, tuple[Note, ...]] = MappingProxyType(
    {
        "start": ((1047, 0.08), (1319, 0.08), (1568, 0.14)),
        "half_minute": ((1319, 0.1),),
        "ten_seconds": ((1568, 0.08), (0, 0.06), (1568, 0.08)),
        "end": ((1568, 0.15), (1319, 0.15), (1047, 0.3)),
        "ask": ((1047, 0.08), (1568, 0.12)),
        "fault": ((392, 0.2), (0, 0.08), (392, 0.2), (0, 0.08), (392, 0.3)),
    }
)

QUIET_TUNES = frozenset({"end", "fault"})
"""What a quiet buzzer still plays, softly: who sits at the table must not miss it."""
