"""Speeds over a run: ramped, bounded, zero at both ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.motion import PATTERNS, Motion

motions = st.builds(
    Motion,
    st.sampled_from(PATTERNS),
    power=st.floats(0.1, 1),
    ramp_s=st.floats(0.05, 2),
    burst_s=st.floats(0.1, 5),
    pause_s=st.floats(0.05, 5),
)
lengths = st.floats(0.01, 10)
shares = st.floats(0, 1)


@given(motions, lengths, shares, st.floats(0, 0.02))
def test_speed_never_jumps(motion: Motion, length_s: float, share: float, step_s: float) -> None:
    at = share * length_s
    change = abs(motion.speed(at + step_s, length_s) - motion.speed(at, length_s))
    assert change <= motion.power * step_s / motion.ramp_s + 1e-9


@given(motions, lengths, shares)
def test_speed_stays_within_its_power_and_is_zero_at_both_ends(
    motion: Motion, length_s: float, share: float
) -> None:
    assert abs(motion.speed(share * length_s, length_s)) <= motion.power
    assert motion.speed(0, length_s) == 0
    assert abs(motion.speed(length_s, length_s)) < 1e-9
    assert motion.speed(-0.1, length_s) == motion.speed(length_s + 0.1, length_s) == 0


@pytest.mark.parametrize(
    ("pattern", "signs"), [("steady", "+++++"), ("bursts", "+0+0+"), ("reversals", "+0-0+")]
)
def test_patterns_by_their_directions(pattern: str, signs: str) -> None:
    motion = Motion(pattern, power=1, ramp_s=0.1, burst_s=1.0, pause_s=0.5)
    speeds = [motion.speed(at, 4.0) for at in (0.5, 1.25, 2.0, 2.75, 3.5)]
    assert "".join("+" if speed > 0 else "-" if speed < 0 else "0" for speed in speeds) == signs


def test_a_run_too_short_for_its_ramps_is_a_triangle_below_full_speed() -> None:
    motion = Motion("steady", power=1, ramp_s=1.0)
    assert motion.speed(0.25, 0.5) == pytest.approx(0.25)
