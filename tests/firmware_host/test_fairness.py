"""Readings of files: what is none, what was given twice, and what is of other cubes."""

from __future__ import annotations

import json
import random

import pytest

from firmware_host.errors import CommandError, ExitCode
from firmware_host.fairness import IMPOSSIBLE, REPEATED, Shake, once, report, shakes_of_lines
from scoring.cubes import cube_set

BOARD = "IETC/HQuPE/SEYH/TOER"
QUARTERS = [[0, 1, 2, 3]] * 4


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "it is no object of JSON"),
        ("3", "it is no object of JSON"),
        ("{}", "it has no board"),
        (json.dumps({"board": 3}), "it has no board"),
        (json.dumps({"board": "AB/C"}), "row"),
        (json.dumps({"board": BOARD, "quarters": [[1, 2]]}), "quarters"),
        (json.dumps({"board": BOARD, "quarters": 7}), "quarters"),
        (json.dumps({"board": BOARD, "quarters": [["a"] * 4] * 4}), "quarters"),
        (json.dumps({"board": BOARD, "edition": ["x"]}), "edition"),
        (json.dumps({"board": BOARD, "doubtful": 3}), "doubtful"),
    ],
)
def test_a_line_that_is_no_reading_is_told_in_words(line: str, why: str) -> None:
    good = json.dumps({"board": BOARD})
    with pytest.raises(CommandError) as caught:
        shakes_of_lines([good, line], "f.jsonl")
    complaint = caught.value.complaint
    assert complaint.message.startswith("line 2 of f.jsonl is no reading of a tray: ")
    assert why in complaint.message
    assert "Error" not in complaint.message
    assert complaint.code is ExitCode.UNUSABLE_FILE


def test_a_reading_that_comes_again_counts_once() -> None:
    lines = [
        json.dumps({"board": BOARD, "quarters": quarters})
        for quarters in (QUARTERS, QUARTERS, [[1] * 4] * 4, QUARTERS)
    ]
    kept, left_out = once(shakes_of_lines(lines, "f"))
    assert len(kept) == 2
    assert left_out == {REPEATED: 2}
    assert once([]) == ([], {})


def rolled(name: str, count: int) -> list[Shake]:
    edition, rng = cube_set(name), random.Random(1)
    return [Shake(tuple(edition.roll(rng)), None, None, edition.rows) for _ in range(count)]


def test_boards_of_another_set_are_no_shakes_of_this_one() -> None:
    with pytest.raises(CommandError, match="cannot be of czech_4x4") as caught:
        report(rolled("new_4x4", 60), "czech_4x4")
    assert caught.value.complaint.kind == "wrong_cubes"
    assert "--cubes" in caught.value.complaint.advice


def test_a_few_that_were_misread_are_left_out() -> None:
    shakes = rolled("new_4x4", 40)
    odd = Shake(("Qu",) * 16, None, None, 4)
    assert report([*shakes, odd, odd], "new_4x4").left_out == {IMPOSSIBLE: 2}
    with pytest.raises(CommandError, match="3 of 43 boards"):
        report([*shakes, odd, odd, odd], "new_4x4")
