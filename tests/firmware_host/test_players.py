"""The made-up players of the demo."""

from __future__ import annotations

import random

import pytest

from firmware_host.players import write_list
from scoring.board import Board
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.solution import Solution
from scoring.solver import solve

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return builtin_lexicon()


@pytest.fixture(scope="module")
def solution(lexicon: Lexicon) -> Solution:
    return solve(BOARD, lexicon, game("boggle"))


def test_a_player_finds_as_many_words_as_told(lexicon: Lexicon, solution: Solution) -> None:
    entries = write_list(BOARD, solution, lexicon, 9, random.Random(1))
    words = {entry.word for entry in entries}
    assert len(words & {found.word for found in solution.words}) >= 9


def test_a_player_makes_mistakes(lexicon: Lexicon, solution: Solution) -> None:
    entries = write_list(BOARD, solution, lexicon, 9, random.Random(1))
    words = [entry.word for entry in entries]
    assert len(set(words)) < len(words)
    assert set(words) - {found.word for found in solution.words}


def test_lists_are_repeatable(lexicon: Lexicon, solution: Solution) -> None:
    first, second = (write_list(BOARD, solution, lexicon, 9, random.Random(4)) for _ in range(2))
    assert first == second


def test_a_board_without_words_still_gives_a_list(lexicon: Lexicon) -> None:
    barren = Board.parse("ZZ/ZZ")
    nothing = solve(barren, lexicon, game("boggle"))
    assert write_list(barren, nothing, lexicon, 9, random.Random(1))
