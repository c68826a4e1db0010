"""The head line of a page: a name only where it is plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from vision.paper.head import parted
from vision.paper.reading import Quad, WordReading

PITCH = 50.0


def word(text: str, line: int, y: float, x: float = 0.0, confidence: float = 0.9) -> WordReading:
    """A word whose upper left corner is at (x, y)."""
    quad: Quad = ((x, y), (x + 90, y), (x + 90, y + 30), (x, y + 30))
    return WordReading(text, confidence, (), struck=False, doubtful=False, quad_px=quad, line=line)


def page(
    head: Sequence[str] = ("ANNA",), gap: float = 2.0, lines: int = 6, confidence: float = 0.9
) -> list[WordReading]:
    """A page with a head line a few pitches above its words."""
    top = [word(text, 0, 0.0, 100.0 * place, confidence) for place, text in enumerate(head)]
    below = [word("TEA", line, (gap + line - 1) * PITCH) for line in range(1, lines + 1)]
    return [*top, *below]


def test_a_line_set_apart_is_the_name() -> None:
    words = page(("ANNA", "LEE"))
    assert parted(words, ["TEA"]) == ("Anna Lee", tuple(words[2:]))


def test_so_it_is_on_a_page_that_lies_upside_down() -> None:
    def over(one: WordReading) -> WordReading:
        first, second, third, fourth = ((900 - x, 900 - y) for x, y in one.quad_px)
        return replace(one, quad_px=(first, second, third, fourth))

    assert parted([over(one) for one in page()], [])[0] == "Anna"


@pytest.mark.parametrize(
    "words",
    [
        [],
        page(gap=1.0),
        page(gap=1.4),
        page(lines=3),
        page(("MY", "LONG", "HEAD", "LINE")),
        page(("TEAM",)),
        page(("A",)),
        page(confidence=0.4),
    ],
)
def test_what_is_not_plain_stays_on_the_list(words: list[WordReading]) -> None:
    assert parted(words, ["TEA", "TEAM"]) == (None, tuple(words))


def test_the_first_of_several_columns_is_no_head() -> None:
    left = [word("TEA", line, line * PITCH) for line in range(5)]
    right = [word("EAT", line + 5, line * PITCH, 300.0) for line in range(5)]
    assert parted([*left, *right], [])[0] is None
