"""Tile values, bonus tiles, the best path: the table of the rules, and brute force beside it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board, Cell
from scoring.cubes import cube_set
from scoring.engine import engines
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.paths import paths
from scoring.quality import counting
from scoring.rules import game
from scoring.rules.worldwinner import GAME
from scoring.solution import SearchError
from scoring.solver import score_many, solve
from scoring.worldwinner.refusals import Rule
from scoring.worldwinner.tiles import Bonus, Tiles, place_bonuses
from scoring.worldwinner.words import best_path, best_words, score_path

SCRABBLE = "A1 B3 C3 D2 E1 F4 G2 H4 I1 J8 K5 L1 M3 N1 O1 P3 Q10 R1 S1 T1 U1 V4 W4 X8 Y4 Z10"
"""As the rules write the values of the tiles."""

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")

DL, TL, DW, TW = Bonus.DL, Bonus.TL, Bonus.DW, Bonus.TW


def in_a_row(faces: str, *bonuses: Bonus | None) -> Tiles:
    """Tiles side by side, the first of them with these bonuses."""
    placed = {(0, col): bonus for col, bonus in enumerate(bonuses) if bonus}
    return Tiles(Board.parse(f"{faces}/"), placed)


def points(tiles: Tiles, word: str) -> int:
    score = best_path(tiles, word)
    assert score is not None
    assert score.word == word
    return score.points


@pytest.mark.parametrize("entry", SCRABBLE.split())
def test_a_tile_is_worth_what_it_is_in_scrabble(entry: str) -> None:
    assert Tiles(Board.parse(entry[0]))[0, 0].value == int(entry[1:])


@pytest.mark.parametrize(
    ("face", "value"),
    [("Qu", 11), ("Th", 5), ("He", 5), ("In", 2), ("An", 2), ("Er", 2), ("Ñ", 1), ("#", 0)],
)
def test_a_face_of_several_letters_is_worth_all_of_them(face: str, value: int) -> None:
    assert Tiles(Board.parse(f"{face}A/"))[0, 0].value == value


def test_qu_may_be_agreed_to_be_worth_ten() -> None:
    tiles = Tiles(Board.parse("QuIT/"), qu_value=10)
    assert points(tiles, "quit") == 12
    assert tiles[0, 0].value == 10


@pytest.mark.parametrize(
    ("tiles", "word", "expected"),
    [
        (in_a_row("CAT"), "cat", 5),
        (in_a_row("CAT", DL), "cat", 8),
        (in_a_row("QuIT"), "quit", 13),
        (in_a_row("QuIET"), "quiet", 19),
        (in_a_row("PLANET"), "planet", 18),
        (in_a_row("PLANET", DW), "planet", 26),
        (in_a_row("CAT", DL, DW), "cat", 16),
        (in_a_row("CAT", DW, TW), "cat", 30),
    ],
)
def test_table_of_the_rules(tiles: Tiles, word: str, expected: int) -> None:
    assert points(tiles, word) == expected


@pytest.mark.parametrize("word", ["planet", "jockey", "zephyr", "bronze"])
def test_any_plain_word_of_six_letters_gets_ten_more_than_its_tiles(word: str) -> None:
    values = {entry[0].lower(): int(entry[1:]) for entry in SCRABBLE.split()}
    assert points(in_a_row(word.upper()), word) == sum(values[letter] for letter in word) + 10


@pytest.mark.parametrize(("letters", "bonus"), [(2, 0), (4, 0), (5, 5), (6, 10), (8, 20), (16, 60)])
def test_the_bonus_for_length_is_five_points_a_letter_from_the_fifth_on(
    letters: int, bonus: int
) -> None:
    tiles = Tiles(Board.from_faces([["E"] * 4] * 4))
    assert points(tiles, "e" * letters) == letters + bonus


def test_letter_bonuses_come_first_then_word_bonuses_then_the_length() -> None:
    score = best_path(in_a_row("PLANET", TL, None, DW, None, None, TW), "planet")
    assert score is not None
    assert (score.tile_sum, score.times, score.length_bonus) == (14, 6, 10)
    assert score.points == 14 * 6 + 10
    assert score.explain() == (
        "tiles: P 3 × 3 (TL) + L 1 + A 1 + N 1 + E 1 + T 1 = 14",
        "word bonus: 14 × 2 (DW on A) × 3 (TW on T) = 84",
        "length: 6 letters, (6 − 4) × 5 = 10, together 94",
    )


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        (((0, 0), (0, 1), (0, 0)), Rule.USED_TWICE),
        (((0, 0), (0, 2)), Rule.NO_NEIGHBOUR),
        (((0, 2), (0, 3)), Rule.NO_LETTER),
        (((0, 0), (1, 0)), Rule.OFF_BOARD),
        (((0, 0), (0, -1)), Rule.OFF_BOARD),
    ],
)
def test_a_path_that_breaks_a_rule_has_no_points(path: tuple[Cell, ...], rule: Rule) -> None:
    with pytest.raises(RuleError) as refused:
        score_path(in_a_row("CAT#"), path)
    assert refused.value.kind == rule


def test_one_tile_is_no_word() -> None:
    assert best_path(Tiles(Board.parse("HeA/")), "he") is None
    assert points(Tiles(Board.parse("HeA/")), "hea") == 6


@st.composite
def tiles_of_few_letters(draw: st.DrawFn) -> Tiles:
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    face = st.sampled_from(["A", "B", "Qu", "Q", "U", "#"])
    faces = draw(st.lists(face, min_size=rows * cols, max_size=rows * cols))
    board = Board.from_faces(faces[start : start + cols] for start in range(0, rows * cols, cols))
    placed: Mapping[Cell, Bonus] = draw(
        st.dictionaries(st.sampled_from(board.cells), st.sampled_from([*Bonus]), max_size=6)
    )
    return Tiles(board, placed, draw(st.sampled_from([10, 11])))


@given(tiles=tiles_of_few_letters(), word=st.text("abqu", max_size=6))
def test_the_best_path_pays_what_the_best_of_all_paths_pays(tiles: Tiles, word: str) -> None:
    all_points = [score_path(tiles, path).points for path in paths(tiles.board, word)]
    best = best_path(tiles, word)
    assert (best.points if best else None) == max(all_points, default=None)
    if best:
        assert best.word == word
        assert best == score_path(tiles, best.path)


def test_the_best_path_of_real_words_is_that_of_brute_force(enable: Lexicon) -> None:
    for seed in range(3):
        board = cube_set("new_4x4").roll(random.Random(seed))
        tiles = Tiles(board, place_bonuses(board, 3, seed))
        for score in best_words(tiles, enable):
            ways = (score_path(tiles, path).points for path in paths(board, score.word))
            assert score.points == max(ways)


@pytest.mark.parametrize(("rows", "length"), [(4, 8), (4, 16), (5, 12), (5, 25)])
def test_a_word_of_countless_paths_is_scored_at_once(rows: int, length: int) -> None:
    board = Board.from_faces([["E"] * rows] * rows)
    tiles = Tiles(board, place_bonuses(board, 3, seed=4))
    every_bonus = points(tiles, "e" * length)
    assert every_bonus > length * 36


def test_a_word_for_which_the_tray_lacks_letters_is_refused_at_once() -> None:
    board = Board.from_faces([["A", "B", "A", "B", "A"]] * 5)
    assert best_path(Tiles(board, place_bonuses(board, 3, seed=4)), "ab" * 8 + "aaaaaaaaa") is None


def test_a_search_without_end_is_given_up() -> None:
    board = Board.from_faces([list("BAAAA"), *[list("AAAAA")] * 3, list("AAAAB")])
    with pytest.raises(SearchError, match="too many ways"):
        best_path(Tiles(board, {}), "a" * 15 + "bab")  # steps back onto the B, which no path may


@pytest.mark.parametrize(("round_number", "of_each_kind"), [(1, 0), (2, 1), (3, 2)])
@pytest.mark.parametrize("edition", ["new_4x4", "deluxe_master_5x5"])
def test_bonus_tiles_come_in_rounds_two_and_three(
    edition: str, round_number: int, of_each_kind: int
) -> None:
    board = cube_set(edition).roll(random.Random(1))
    placed = place_bonuses(board, round_number, seed=5)
    assert Counter(placed.values()) == Counter(dict.fromkeys(Bonus, of_each_kind))
    assert len(placed) == 4 * of_each_kind
    assert place_bonuses(board, round_number, seed=5) == placed
    if of_each_kind:
        others = {tuple(place_bonuses(board, round_number, seed)) for seed in range(20)}
        assert len(others) > 10


def test_a_bonus_is_put_on_tiles_with_letters_only() -> None:
    board = Board.parse("A#_B/####/C##_")
    for seed in range(10):
        placed = place_bonuses(board, 3, seed)
        assert set(placed) == {(0, 0), (0, 3), (2, 0)}
        assert sorted(placed.values()) == [DL, DW, TL]


class TestSolving:
    def test_plain_words_are_paid_as_on_their_tiles(self, enable: Lexicon) -> None:
        solution = solve(BOARD, enable, GAME)
        scores = best_words(Tiles(BOARD), enable)
        assert [(found.word, found.points) for found in solution.words] == [
            (score.word, score.points) for score in scores
        ]
        assert solution.points == sum(score.points for score in scores)
        assert solution.count == len(scores) == len(solution.words)
        assert score_many([BOARD] * 2, enable, GAME) == [solution.points] * 2

    def test_words_of_two_letters_count(self, enable: Lexicon) -> None:
        words = {found.word for found in solve(BOARD, enable, GAME).words}
        assert {"he", "et", "pe"} <= words
        assert not any(len(word) < 2 for word in words)

    def test_all_engines_agree(self, enable: Lexicon) -> None:
        totals = {solve(BOARD, enable, GAME, engine).points for engine in engines(enable.trie)}
        assert len(totals) == 1

    def test_counting_counts_the_words(self, enable: Lexicon) -> None:
        count = solve(BOARD, enable, GAME).count
        assert solve(BOARD, enable, counting(GAME)).points == count

    def test_sixteen_letters_are_the_most_on_four_by_four(self) -> None:
        sixteen, seventeen = "consequentialnes", "consequentialness"
        lexicon = Lexicon.from_words("long", [sixteen, seventeen])
        small = Board.parse("CONS/NEQuE/TIAL/SSEN")
        large = Board.parse("CONSA/NEQuEA/TIALA/SSENA/AAAAA")
        longest = [solve(board, lexicon, GAME).words[0].word for board in (small, large)]
        assert longest == [sixteen, seventeen]
        assert solve(small, lexicon, game("boggle")).count == 2
