"""The move finder: equal to trying everything, true to the scores, and fast."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board import Cell
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.swoggle.board import Layout, builtin_layout
from scoring.swoggle.moves import WordIndex, find_moves
from scoring.swoggle.rules import (
    Letters,
    bonus_cells,
    check_words,
    new_words,
    score_words,
    written_squares,
)
from scoring.swoggle.turn import Turn

ALPHABET = "abc"
WORDS = ("ab", "ba", "aa", "ca", "cab", "abc", "bac", "aba", "caba", "abac", "abaca", "baa")
LEXICON = Lexicon.from_words("small", WORDS)
INDEX = WordIndex.of(LEXICON, 5)
SQUARES = ("1", "4", "#", "o", "y", "r")


def layout_of(rows: list[list[str]]) -> Layout:
    text = "\n".join(" ".join(row) for row in rows)
    return Layout.from_facts({"name": "a", "title": "b", "source": "c", "squares": text})


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    signs = st.sampled_from(SQUARES)
    grid = [[draw(signs) for _ in range(cols)] for _ in range(rows)]
    grid[draw(st.integers(0, rows - 1))][draw(st.integers(0, cols - 1))] = "1+"
    return layout_of(grid)


def brute_force(
    layout: Layout, letters: Letters, count: int, *, together: bool
) -> dict[frozenset[tuple[Cell, str]], int]:
    """Every legal way to write letters, and its points with each throw a 2, by trying all."""
    found = {}
    free = [cell for cell in sorted(layout.open) if cell not in letters]
    for chosen in product((False, True), repeat=len(free)):
        cells = [cell for cell, taken in zip(free, chosen, strict=True) if taken]
        if len(cells) != count:
            continue
        for signs in product(ALPHABET, repeat=count):
            written = dict(zip(cells, signs, strict=True))
            points = tried(layout, letters, written, count, together=together)
            if points is not None:
                found[frozenset(written.items())] = points
    return found


def tried(
    layout: Layout, letters: Letters, written: Letters, count: int, *, together: bool
) -> int | None:
    try:
        words = new_words(written, layout, letters, count, together=together)
        check_words(words, LEXICON.__contains__, "small", written)
    except RuleError:
        return None
    throws = {cell: (2,) * layout[cell].kind.dice for cell in bonus_cells(words, layout)}
    return sum(word.points for word in score_words(words, layout, {**letters, **written}, throws))


@settings(max_examples=60)
@given(layouts(), st.randoms(use_true_random=False), st.integers(0, 3), st.booleans())
def test_it_finds_what_trying_everything_finds(
    layout: Layout,
    rng: random.Random,
    turns: int,
    together: bool,  # noqa: FBT001 - hypothesis gives it
) -> None:
    letters: Letters = {}
    for _ in range(turns):
        moves = list(find_moves(INDEX, layout, letters, rng.randint(1, 3)))
        if moves:
            letters = {**letters, **written_squares(rng.choice(moves).turn, layout, letters)}
    for count in (1, 2, 3):
        found = {}
        moves_found = find_moves(INDEX, layout, letters, count, together=together)
        for move in moves_found:
            written = written_squares(move.turn, layout, letters)
            found[frozenset(written.items())] = move.slot.points + 2 * move.slot.throws
        assert len(found) == moves_found.count, "a move was named twice"
        assert found == brute_force(layout, letters, count, together=together)


def mid_game(enable: Lexicon, turns: int = 14, seed: int = 1) -> tuple[WordIndex, Layout, Letters]:
    """A board with so many turns of random legal moves."""
    rng, layout, index = random.Random(seed), builtin_layout(), WordIndex.of(enable, 15)
    letters: Letters = {}
    for _ in range(turns):
        moves = find_moves(index, layout, letters, rng.randint(2, 6))
        if not moves.slots:
            continue
        slot = rng.choice(moves.slots)
        words = index.words(len(slot.run)).spelt(slot.words)
        written = dict(zip(slot.run, rng.choice(words), strict=True))
        letters = {**letters, **written}
    return index, layout, letters


def test_every_move_it_names_is_legal_and_the_best_come_first(enable: Lexicon) -> None:
    index, layout, letters = mid_game(enable)
    for count in range(1, 7):
        moves = find_moves(index, layout, letters, count)
        means = [move.slot.mean for move in moves]
        assert len(means) == moves.count
        assert means == sorted(means, reverse=True)
        for move in moves.best(200):
            turn = Turn.parse(str(move.turn))
            written = written_squares(turn, layout, letters)
            words = new_words(written, layout, letters, count)
            check_words(words, enable.__contains__, "enable", written)


def test_without_throws_a_bonus_square_has_its_fixed_worth(enable: Lexicon) -> None:
    index, layout, letters = mid_game(enable)
    thrown = find_moves(index, layout, letters, 4)
    fixed = find_moves(index, layout, letters, 4, worth=4)
    totals = {(slot.run, slot.written): slot.points + 4 * slot.throws for slot in thrown.slots}
    assert {(slot.run, slot.written): slot.points for slot in fixed.slots} == totals
    assert any(slot.throws for slot in thrown.slots)


def test_no_move_is_possible_where_none_is() -> None:
    layout = layout_of([["1+", "1"], ["#", "1"]])
    assert find_moves(INDEX, layout, {}, 3).count == 0
    assert find_moves(INDEX, layout, {}, 1).count == 0
    assert [str(move.turn) for move in find_moves(INDEX, layout, {}, 2).best(9)] == [
        "1 1 across AA",
        "1 1 across AB",
        "1 1 across BA",
        "1 1 across CA",
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_throw_has_moves_in_mid_game_each_named_once(enable: Lexicon, seed: int) -> None:
    index, layout, letters = mid_game(enable, seed=seed)
    for count in range(1, 7):
        moves = find_moves(index, layout, letters, count)
        turns = [str(move.turn) for move in moves]
        assert len(turns) == len(set(turns)) == moves.count > 0


def test_the_index_holds_the_words_of_the_list(enable: Lexicon) -> None:
    index = WordIndex.of(enable, 5)
    for length in range(7):
        words = index.words(length)
        expected = [word for word in enable if len(word) == length] if length < 6 else []
        assert words.spelt(words.every) == expected


def test_a_list_with_other_letters_works() -> None:
    index = WordIndex.of(Lexicon.from_words("own", ["éñ", "ñé", "щит"]), 5)
    layout = layout_of([["1+", "1", "1"]])
    assert [str(move.turn) for move in find_moves(index, layout, {}, 3)] == ["1 1 across ЩИТ"]
    assert find_moves(index, layout, {}, 2).count == 2
