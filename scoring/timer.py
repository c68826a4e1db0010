"""The sand timer: how short and how long it may be, the same in every game."""

from __future__ import annotations

from scoring.match import RuleError

SHORTEST_TIMER_S = 0.5
LONGEST_TIMER_S = 7200
TIMER_LIMITS = f"{SHORTEST_TIMER_S:g} to {LONGEST_TIMER_S:g}"
"""The limits in seconds, for messages and help."""


def check_timer(seconds: float) -> None:
    """See that a timer runs for some time, and not for ever.

    Raises:
        RuleError: kind ``seconds``.
    """
    if not SHORTEST_TIMER_S <= seconds <= LONGEST_TIMER_S:  # no number is not either
        raise RuleError(
            "seconds", f"a timer cannot run for {seconds:g} s", f"Give {TIMER_LIMITS} seconds."
        )
