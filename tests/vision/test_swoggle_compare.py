"""Paper beside a match: what is read for sure stands, what is in doubt is weighed."""

from __future__ import annotations

import pytest

from vision.swoggle.compare import Verdict, compare, probability_of
from vision.swoggle.reading import EMPTY, OTHER, BoardReading, Doubt, SquareReading

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def square(*doubts: Doubt, **shares: float) -> SquareReading:
    signs = {"empty": EMPTY, "other": OTHER}
    told = sorted(
        ((signs.get(sign, sign), share) for sign, share in shares.items()), key=lambda one: -one[1]
    )
    return SquareReading(told[0][0], told[0][1], tuple(told), CORNERS, doubts)


def verdict(read: SquareReading, known: str | None) -> Verdict:
    reading = BoardReading({(0, 0): read}, CORNERS)
    return compare(reading, {(0, 0): known} if known else {})[0, 0].verdict


@pytest.mark.parametrize(
    ("read", "known", "expected"),
    [
        (square(A=0.995), "A", Verdict.AGREES),
        (square(empty=0.995), None, Verdict.AGREES),
        (square(empty=0.995), "A", Verdict.MISSING),
        (square(B=0.995), "A", Verdict.OTHER),
        (square(B=0.995), None, Verdict.EXTRA),
    ],
)
def test_what_is_read_for_sure_stands(
    read: SquareReading, known: str | None, expected: Verdict
) -> None:
    assert verdict(read, known) is expected


def test_what_is_known_decides_between_readings_that_are_both_likely() -> None:
    read = square(Doubt.UNCLEAR, O=0.6, Q=0.35, D=0.05)
    assert verdict(read, "O") is verdict(read, "Q") is Verdict.AGREES
    assert verdict(read, "X") is verdict(read, None) is Verdict.ASKED


def test_what_is_known_never_outweighs_a_plain_other_letter() -> None:
    read = square(Doubt.UNCLEAR, O=0.97, Q=0.005, D=0.025)
    assert verdict(read, "Q") is Verdict.ASKED
    assert verdict(read, "E") is Verdict.ASKED


def test_a_struck_letter_is_asked_about() -> None:
    assert verdict(square(Doubt.NO_CAPITAL, other=0.9, A=0.1), "A") is Verdict.ASKED


@pytest.mark.parametrize("doubt", [Doubt.COVERED, Doubt.OUTSIDE, Doubt.TURN, Doubt.ON_CROSS])
def test_what_cannot_be_seen_is_asked_about_whatever_is_known(doubt: Doubt) -> None:
    assert verdict(square(doubt, A=0.999), "A") is Verdict.ASKED


def test_nothing_is_known_of_a_square_that_was_not_read() -> None:
    assert probability_of(SquareReading(OTHER, 0.0, (), CORNERS, (Doubt.OUTSIDE,)), "A") == 0
