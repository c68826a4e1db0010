"""The solver: rules of the board, agreement with brute force, and the published records."""

import random
import statistics
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path as File
from typing import Protocol

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import solver
from scoring.board import BLANK, MISSING, Board, Path, letters
from scoring.cubes import CubeSet, cube_set
from scoring.engine import Engine, engines
from scoring.lexicon import Lexicon
from scoring.paths import can_make, find_path, first_path, paths
from scoring.quality import counting
from scoring.rolls import roll_many
from scoring.rules import Game, game
from scoring.solution import Solution
from scoring.solver import score_many
from scoring.trie import Trie

BOGGLE = game("boggle")
ANY_LENGTH = Game("any", "Any", (), min_length=1, table=((1, 1),))
ENGINES = ["python", "native avx512", "native avx2", "native portable"]
NO_FACES = [BLANK, MISSING]
FACES = ["A", "B", "H", "T", "U", "Q", "Qu", "Th", "Tha", "Ñ", "Ж", *NO_FACES]
MANY_LETTERS = "abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя"


def simple_paths(board: Board, longest: int = 36) -> Iterator[Path]:
    """Every simple path over cells that carry letters, by trying all steps."""
    cells = [cell for cell in board.cells if letters(board[cell])]
    near = {
        (a, b): [(c, d) for c, d in cells if max(abs(a - c), abs(b - d)) == 1] for a, b in cells
    }
    unfinished: list[Path] = [(cell,) for cell in cells]
    while unfinished:
        path = unfinished.pop()
        yield path
        if len(path) == longest:
            continue
        unfinished += [(*path, cell) for cell in near[path[-1]] if cell not in path]


def spelled(board: Board, path: Path) -> str:
    return "".join(letters(board[cell]) for cell in path)


def spellable(board: Board) -> set[str]:
    """Every string that two cubes or more spell."""
    return {spelled(board, path) for path in simple_paths(board) if len(path) > 1}


def is_proof(board: Board, path: Path, word: str) -> bool:
    return (
        spelled(board, path) == word
        and len(set(path)) == len(path) >= 2
        and all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(path))
    )


class Solve(Protocol):
    """`solve` with one of the engines."""

    def __call__(self, board: Board, lexicon: Lexicon, game: Game) -> Solution: ...


@pytest.fixture(scope="module", params=ENGINES)
def solve(request: pytest.FixtureRequest) -> Solve:
    """Each engine in turn."""
    return solve_with(request.param)


def solve_with(name: str) -> Solve:
    def solve(board: Board, lexicon: Lexicon, game: Game) -> Solution:
        return solver.solve(board, lexicon, game, engine(name, lexicon.trie))

    return solve


def engine(name: str, trie: Trie) -> Engine:
    """The engine of this name; where this machine has none, the test is skipped and says so."""
    for found in engines(trie):
        if found.name == name:
            return found
    pytest.skip(f"no engine {name!r} on this machine")


def solved(solve: Solve, board: str, *words: str, rules: Game = BOGGLE) -> list[str]:
    solution = solve(Board.parse(board), Lexicon.from_words("few", words), rules)
    return [found.word for found in solution.words]


def found_alone(board: str, *words: str) -> list[str]:
    return [word for word in words if find_path(Board.parse(board), word)]


@st.composite
def boards(draw: st.DrawFn, most_cubes: int = 9) -> Board:
    """Boards of 1×1 to 6×6; so few cubes carry letters that every path can be tried."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = st.integers(0, rows * cols - 1)
    lettered = draw(st.sets(cells, max_size=most_cubes)) if rows * cols > most_cubes else None
    faces = [
        draw(st.sampled_from(FACES if lettered is None or cell in lettered else NO_FACES))
        for cell in range(rows * cols)
    ]
    return Board.from_faces(faces[row * cols : (row + 1) * cols] for row in range(rows))


def some_words(board: Board, possible: set[str], rng: random.Random, *, wide: bool) -> Lexicon:
    """Words that the board spells and others that it almost does; 60 letters where wide."""
    near_misses = {word[:-1] + rng.choice("abhtuqñж") for word in possible} | {"tha", "qu", "a"}
    near_misses |= {"".join(map(letters, rng.sample(list(board), min(len(board), 3)))) + "a"}
    everything = sorted(possible | near_misses)
    words = rng.sample(everything, min(len(everything), 60))
    return Lexicon.from_words("some", [*words, MANY_LETTERS] if wide else words)


def check_against_brute_force(
    board: Board, rng: random.Random, shortest: int, *, wide: bool
) -> None:
    possible = spellable(board)
    lexicon = some_words(board, possible, rng, wide=wide)
    rules = Game("any", "Any", (), shortest, table=((1, 1), (4, 2)))
    expected = sorted(word for word in lexicon if word in possible and len(word) >= shortest)
    expected.sort(key=lambda word: (rules.points(word), len(word)), reverse=True)
    for found_by in engines(lexicon.trie):
        solution = found_by.solve(board, rules)
        assert [word for word, _, _ in solution.words] == expected
        assert solution.count == len(expected)
        assert solution.points == sum(map(rules.points, expected))
        assert found_by.scores([board], rules, 1) == [solution.points]
        for word, points, path in solution.words:
            assert points == rules.points(word)
            assert is_proof(board, path, word)


@settings(max_examples=400)
@given(
    board=boards(),
    rng=st.randoms(use_true_random=False),
    shortest=st.integers(1, 4),
    wide=st.booleans(),
)
def test_every_engine_agrees_with_brute_force(
    board: Board, rng: random.Random, shortest: int, *, wide: bool
) -> None:
    check_against_brute_force(board, rng, shortest, wide=wide)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(
    board=boards(10),
    rng=st.randoms(use_true_random=False),
    shortest=st.integers(1, 4),
    wide=st.booleans(),
)
def test_every_engine_agrees_with_brute_force_on_thousands_of_boards(
    board: Board, rng: random.Random, shortest: int, *, wide: bool
) -> None:
    check_against_brute_force(board, rng, shortest, wide=wide)


@settings(max_examples=50)
@given(st.integers(4, 6), st.integers(4, 6), st.randoms(use_true_random=False))
def test_every_engine_agrees_with_brute_force_on_full_boards(
    rows: int, cols: int, rng: random.Random
) -> None:
    """Every cube has letters: all paths are too many, but words of four letters are short ones."""
    board = Board.from_faces([rng.choices(FACES[:-2], k=cols) for _ in range(rows)])
    spelt = {spelled(board, path) for path in simple_paths(board, 4) if len(path) > 1}
    possible = sorted(word for word in spelt if len(word) <= 4)
    others = {"".join(rng.choices("abhtuqñж", k=rng.randint(1, 4))) for _ in range(100)}
    chosen = set(rng.sample(possible, min(len(possible), 200)))
    lexicon = Lexicon.from_words("some", chosen | others)
    for found_by in engines(lexicon.trie):
        solution = found_by.solve(board, ANY_LENGTH)
        assert {word for word, _, _ in solution.words} == chosen | (others & spelt)
        assert all(is_proof(board, path, word) for word, _, path in solution.words)


@given(boards(), st.text("abhtuqñ", max_size=5))
def test_every_path_of_a_word_is_found_once(board: Board, word: str) -> None:
    found = [path for path in simple_paths(board) if spelled(board, path) == word]
    expected = sorted(path for path in found if len(path) > 1)
    assert sorted(paths(board, word)) == expected
    assert can_make(board, word) == bool(expected)
    for path in find_path(board, word), first_path(board, word):
        assert path in expected if expected else path is None


@pytest.mark.slow
def test_simple_paths_of_a_tray_are_as_many_as_others_counted() -> None:
    board = Board.parse("a" * 16)
    counted = sum(1 for length in range(2, 17) for _ in paths(board, "a" * length))
    assert len(board) + counted == 12_029_640


@pytest.mark.parametrize(
    ("rows", "cols", "count"), [(3, 3, 10_305), pytest.param(3, 4, 193_924, marks=pytest.mark.slow)]
)
def test_every_simple_path_of_a_board_of_different_letters_is_a_word(
    solve: Solve, rows: int, cols: int, count: int
) -> None:
    board = Board.parse("abcdefghijkl"[: rows * cols], (rows, cols))
    words = {spelled(board, path): path for path in simple_paths(board)}
    assert len(words) == count
    solution = solve(board, Lexicon.from_words("all", words), ANY_LENGTH)
    assert solution.count == count - len(board)
    assert all(words[word] == path for word, _, path in solution.words)


def test_steps_go_in_all_eight_directions_and_no_further(solve: Solve) -> None:
    words = ["ea", "eb", "ec", "ed", "ef", "eg", "eh", "ei"]
    assert solved(solve, "ABC/DEF/GHI", *words, "ac", "ai", "cg", rules=ANY_LENGTH) == words


def test_a_cube_serves_once_in_a_word(solve: Solve) -> None:
    assert solved(solve, "TO/XX", "toot", "tot", "too") == []
    assert solved(solve, "TO/OT", "toot", "tot", "too") == ["toot", "too", "tot"]


def test_a_word_on_two_paths_counts_once(solve: Solve) -> None:
    assert solved(solve, "TE/AT", "tea", "eat", "tat") == ["eat", "tat", "tea"]
    assert solved(solve, "AA/AA", "aaa") == ["aaa"]


def test_words_inside_words_count(solve: Solve) -> None:
    words = ["turnover", "over", "turn"]
    assert solved(solve, "TURN/REVO", *words) == words


def test_letters_of_a_double_face_count_in_order(solve: Solve) -> None:
    solution = solve(Board.parse("QuE/EU"), Lexicon.from_words("few", ["queue"]), BOGGLE)
    assert [(found.word, found.points) for found in solution.words] == [("queue", 2)]
    assert solved(solve, "ThA/RI", "that", "hat", "rith", "thai") == ["rith", "thai"]
    assert solved(solve, "RI/GTh", "right", "rigth") == ["rigth"]
    assert found_alone("ThA/TI", "that", "hat", "hatt", "tith") == ["that", "tith"]


def test_bare_q_and_qu_are_told_apart(solve: Solve) -> None:
    assert solved(solve, "QI/AT", "qat", "quit", "quat") == ["qat"]
    assert solved(solve, "QuI/AT", "qat", "quit", "quat") == ["quat", "quit"]
    assert solved(solve, "QU/TI", "qat", "quit", "tiqu") == ["quit", "tiqu"]


def test_a_face_of_three_letters_is_one_cube(solve: Solve) -> None:
    assert solved(solve, "SchU/HA", "schuh", "schah", "uschi") == ["schah", "schuh"]


def test_one_face_alone_is_no_word(solve: Solve) -> None:
    assert solved(solve, "HeX/XX", "he", rules=ANY_LENGTH) == []
    assert solved(solve, "HeE/XH", "he", rules=ANY_LENGTH) == ["he"]
    assert solved(solve, "AX/XX", "a", rules=ANY_LENGTH) == []
    assert find_path(Board.parse("HeX/XX"), "he") is None
    assert find_path(Board.parse("HeE/XH"), "he") == ((1, 1), (0, 1))


def test_no_path_goes_through_a_blank_or_a_missing_cube(solve: Solve) -> None:
    assert solved(solve, "SHORT#EN/", "short", "shorten", "ten") == ["short"]
    assert solved(solve, "TE_N/", "ten") == []
    assert found_alone("TE#N/", "ten", "te") == ["te"]


def test_a_diagonal_step_past_a_blank_is_legal(solve: Solve) -> None:
    assert solved(solve, "T#/EN", "ten") == ["ten"]
    assert solved(solve, "T#X/_EX/XXN", "ten") == ["ten"]


def test_accented_letters_are_letters_of_their_own(solve: Solve) -> None:
    assert solved(solve, "AÑO/ANO", "año", "ano") == ["ano", "año"]
    assert solved(solve, "ANO/XXX", "año") == []


def test_a_word_may_be_longer_than_the_board_has_cells(solve: Solve) -> None:
    assert solved(solve, "QuA/ThIn", "quathin") == ["quathin"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("boggle", ["steam", "team", "tea"]),
        ("big", ["steam", "team"]),
        ("super-big", ["steam", "team"]),
    ],
)
def test_the_game_sets_the_shortest_word(solve: Solve, rules: str, expected: list[str]) -> None:
    assert solved(solve, "TEA/SMX", "tea", "team", "steam", "at", rules=game(rules)) == expected


def test_words_come_best_first_then_longer_then_by_alphabet(solve: Solve) -> None:
    solution = solve(
        Board.parse("TEM/SAX"), Lexicon.from_words("few", ["tea", "eat", "team", "steam"]), BOGGLE
    )
    assert [(found.word, found.points) for found in solution.words] == [
        ("steam", 2),
        ("team", 1),
        ("eat", 1),
        ("tea", 1),
    ]
    assert (solution.points, solution.count) == (5, 4)


def test_points_that_fall_with_the_length_are_those_of_the_length(solve: Solve) -> None:
    falling = Game("falling", "Falling", (), 3, table=((3, 5), (5, 1)))
    words = Lexicon.from_words("few", ["tea", "team", "steam"])
    board = Board.parse("TEM/SAX")
    solution = solve(board, words, falling)
    assert [(found.word, found.points) for found in solution.words] == [
        ("team", 5),
        ("tea", 5),
        ("steam", 1),
    ]
    assert (solution.points, score_many([board], words, falling)) == (11, [11])


def test_the_largest_board_is_solved(solve: Solve) -> None:
    board = Board.from_faces([["Th", "A"] * 5] * 10)
    assert find_path(board, "tha" * 12) is not None
    assert solve(board, Lexicon.from_words("few", ["thathatha"]), game("super-big")).points == 18


@pytest.mark.parametrize("board", ["A", "#", "_", "##/##", "Qu"])
def test_a_board_without_a_step_has_no_words(solve: Solve, board: str) -> None:
    assert solved(solve, board, "a", "qu", "aa", rules=ANY_LENGTH) == []


def test_an_empty_lexicon_has_no_words(solve: Solve) -> None:
    solution = solve(Board.parse("TEAS"), Lexicon.from_words("none", []), BOGGLE)
    assert (solution.words, solution.points, solution.count) == ((), 0, 0)
    assert find_path(Board.parse("TEAS"), "") is None


def test_impossible_words_of_few_letters_are_turned_down_at_once() -> None:
    board = Board.from_faces([["A"] * 10] * 9 + [["A"] * 8 + ["#", "B"]])
    assert find_path(board, "a" * 60 + "bab") is None
    assert find_path(board, "a" * 101) is None


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_turning_or_mirroring_a_board_changes_no_word(
    solve: Solve, enable: Lexicon, rng: random.Random
) -> None:
    board = cube_set("super_big_2012_6x6").roll(rng)
    turned = Board.from_faces(zip(*board.faces[::-1], strict=True))
    mirrored = Board.from_faces(row[::-1] for row in board.faces)
    words = [{found.word for found in solve(b, enable, BOGGLE).words} for b in (board, turned)]
    assert words[0] == words[1] == {found.word for found in solve(mirrored, enable, BOGGLE).words}


def mistyped(edition: CubeSet) -> CubeSet:
    """The 1987 set with two faces wrong, as in the copy that published means were taken from."""
    wrong = {tuple("CIMOTU"): tuple("CIIMOT"), tuple("EHRTVW"): tuple("EHRTUV")}
    return replace(edition, cubes=tuple(wrong.get(cube, cube) for cube in edition.cubes))


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("edition", "points", "count"),
    [
        (cube_set("classic_4x4"), 125.02, 90.5),
        (mistyped(cube_set("new_4x4")), 143.84, 99.5),
        (cube_set("new_4x4"), 140.99, 98.56),
        (cube_set("deluxe_master_5x5"), 433.98, 244.9),
    ],
    ids=["classic", "1987 mistyped", "1987", "deluxe"],
)
def test_rolls_are_worth_what_others_counted(
    enable2k: Lexicon, edition: CubeSet, points: float, count: float
) -> None:
    rolls = roll_many(
        edition, 500 if enable2k.engine.name == "python" else 40_000, np.random.default_rng(1)
    )
    for rules, mean in ((BOGGLE, points), (counting(BOGGLE), count)):
        values = score_many(rolls, enable2k, rules)
        error = statistics.stdev(values) / len(values) ** 0.5
        assert abs(statistics.fmean(values) - mean) < 4 * error


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("notation", "size", "points", "count", "longest"),
    [
        ("perslatgsineters", None, 3625, 1045, 12),
        ("streaedlp", None, 545, None, None),
        ("perslatesind", (3, 4), 1651, None, None),
        ("ligdrmanesietildsracsepes", None, 10406, None, None),
        ("hclbaiaertnssese", None, 2149, None, 16),
        ("qaicdrneetasnnil", None, 1391, None, 17),
    ],
)
def test_published_records_are_reproduced(
    solve: Solve,
    enable2k: Lexicon,
    notation: str,
    size: tuple[int, int] | None,
    points: int,
    count: int | None,
    longest: int | None,
) -> None:
    solution = solve(Board.parse(notation, size), enable2k, BOGGLE)
    assert solution.points == points
    assert count in (None, solution.count)
    assert longest in (None, max(len(found.word) for found in solution.words))


@pytest.mark.real_data
@pytest.mark.parametrize("file", ["hillclimbed_4x4.tsv", "hillclimbed_5x5.tsv"])
def test_rich_boards_are_worth_what_others_counted(
    solve: Solve, enable2k: Lexicon, data: File, file: str
) -> None:
    lines = (data / "boards" / file).read_text().splitlines()[::20]
    assert len(lines) == 25
    for line in lines:
        points, notation = line.split("\t")
        assert solve(Board.parse(notation), enable2k, BOGGLE).points == int(points)


@pytest.mark.real_data
@pytest.mark.parametrize(
    "file", ["rolls_classic_4x4.txt", "rolls_deluxe_5x5.txt", "rolls_super_big_6x6.txt"]
)
def test_every_word_of_real_rolls_is_proved_by_its_path(
    solve: Solve, enable2k: Lexicon, data: File, file: str
) -> None:
    for line in (data / "boards" / file).read_text().splitlines()[::50]:
        board = Board.parse(line)
        for word, _, path in solve(board, enable2k, BOGGLE).words:
            assert word in enable2k
            assert is_proof(board, path, word)
