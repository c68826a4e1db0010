"""The native engine's own side: limits, batches on threads, and a machine that lacks it.

That it finds the right words is shown in ``test_solver.py``, where all engines take turns.
"""

import itertools
import random
import string
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from scoring.board import Board, letters
from scoring.cubes import cube_set
from scoring.engine import Engine, engines
from scoring.lexicon import Lexicon
from scoring.paths import can_make
from scoring.python_engine import PythonEngine
from scoring.rolls import Rolls
from scoring.rules import Game, game
from scoring.solution import SearchError
from scoring.solver import score_many, solve
from scoring.trie import Trie

BOGGLE = game("boggle")
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(params=["native avx512", "native avx2", "native portable"])
def native(request: pytest.FixtureRequest, enable: Lexicon) -> Engine:
    """Each form of the native engine, with the built-in list."""
    for engine in engines(enable.trie):
        if engine.name == request.param:
            return engine
    pytest.skip(f"no engine {request.param!r} on this machine")


@pytest.fixture(scope="module")
def twin(enable: Lexicon) -> PythonEngine:
    return PythonEngine(enable.trie)


def rolls(edition: str, count: int) -> list[Board]:
    rng = random.Random(1)
    return [cube_set(edition).roll(rng) for _ in range(count)]


@pytest.fixture(scope="module")
def mixed() -> list[Board]:
    """Boards of all sizes, with faces of one and two letters and blanks."""
    editions = ["classic_4x4", "deluxe_master_5x5", "super_big_2012_6x6", "big_2012_5x5"]
    boards = [board for edition in editions for board in rolls(edition, 30)]
    return [*boards, Board.parse("A"), Board.parse("##/##"), Board.parse("SchTh/"), *boards]


@pytest.fixture(scope="module")
def worth(mixed: list[Board], twin: PythonEngine) -> list[int]:
    return twin.scores(mixed, BOGGLE, 1)


@pytest.mark.parametrize("threads", [1, 2, 9])
@pytest.mark.parametrize("times", [1, 20])
def test_a_batch_is_worth_what_its_boards_are(
    native: Engine, mixed: list[Board], worth: list[int], threads: int, times: int
) -> None:
    assert native.scores(mixed * times, BOGGLE, threads) == worth * times


def test_no_boards_have_no_points(native: Engine) -> None:
    assert native.scores([], BOGGLE, 2) == []


def test_boards_beyond_six_by_six_are_solved_as_well(native: Engine, twin: PythonEngine) -> None:
    rng = random.Random(3)
    large = Board.from_faces(rng.choices("ABEEILNORSST", k=7) for _ in range(7))
    assert native.solve(large, BOGGLE).words == twin.solve(large, BOGGLE).words
    small = Board.parse("TEAS")
    assert native.scores([small, large], BOGGLE, 2) == twin.scores([small, large], BOGGLE, 2)


def test_what_is_no_board_is_refused_and_the_next_batch_works(
    native: Engine, mixed: list[Board], worth: list[int]
) -> None:
    broken = [*mixed * 10, None]
    with pytest.raises((TypeError, AttributeError)):
        native.scores(broken, BOGGLE, 3)  # type: ignore[arg-type]
    assert native.scores(mixed, BOGGLE, 3) == worth


@pytest.mark.parametrize("rows", [None, (), (None,), (("A", None),), (("A",), ("A", "B"))])
def test_rows_that_no_board_has_are_refused_by_the_extension_itself(
    enable: Lexicon, rows: object
) -> None:
    native = pytest.importorskip("scoring._native")
    trie = enable.trie
    engine = native.Engine(trie.masks, trie.firsts, letters, trie.bits, "portable")
    errors = (TypeError, ValueError, IndexError, AttributeError)
    with pytest.raises(errors):
        engine.solve(rows, BOGGLE.points_by_length)
    with pytest.raises(errors):
        engine.scores([rows], BOGGLE.points_by_length, 1)
    assert engine.scores([(("T", "E", "A"),)], BOGGLE.points_by_length, 1) == [1]


def test_a_board_too_large_for_the_extension_is_given_back(enable: Lexicon) -> None:
    native = pytest.importorskip("scoring._native")
    trie = enable.trie
    engine = native.Engine(trie.masks, trie.firsts, letters, trie.bits, "portable")
    assert engine.solve((("A",) * 37,), BOGGLE.points_by_length) is None
    with pytest.raises(ValueError, match="size"):
        engine.scores([(("A",) * 37,)], BOGGLE.points_by_length, 1)


def test_words_longer_than_any_are_refused_by_the_extension_itself() -> None:
    native = pytest.importorskip("scoring._native")
    masks, firsts = np.full(66, 2, np.uint64), np.arange(1, 67, dtype=np.uint32)
    with pytest.raises(ValueError, match="too long"):
        native.Engine(masks.data, firsts.data, letters, {"a": 2}, "portable")


def test_there_must_be_a_thread(enable: Lexicon) -> None:
    with pytest.raises(ValueError, match="one at least"):
        score_many([], enable, BOGGLE, threads=0)


def test_each_game_has_its_own_points(native: Engine, twin: PythonEngine) -> None:
    board = Board.parse("perslatgsineters")
    for rules in (game("boggle"), game("super-big"), game("boggle"), game("big")):
        assert native.solve(board, rules).points == twin.solve(board, rules).points
        assert native.scores([board], rules, 1) == twin.scores([board], rules, 1)


def strange_faces(count: int) -> list[str]:
    """Different faces of four letters."""
    combinations = itertools.product(string.ascii_lowercase, repeat=4)
    return ["".join(some).capitalize() for some in itertools.islice(combinations, count)]


def boards_of(faces: list[str]) -> list[Board]:
    """6×6, each face once."""
    return [
        Board.from_faces(faces[start + row * 6 : start + row * 6 + 6] for row in range(6))
        for start in range(0, len(faces) - 35, 36)
    ]


def test_faces_that_nobody_has_seen_do_not_pile_up(native: Engine) -> None:
    for board in boards_of(strange_faces(100_000)):
        assert native.scores([board], BOGGLE, 1) == [0]
    with pytest.raises(ValueError, match="different faces"):
        native.scores(boards_of(strange_faces(100_000)), BOGGLE, 1)
    assert native.scores([Board.parse("TEAS")], BOGGLE, 1) == [18]


def test_rolls_keep_their_faces_when_others_are_forgotten(native: Engine) -> None:
    rolls = Rolls(("Qu", "I", "T", "E"), 2, 2, bytes([0, 1, 2, 3] * 5))
    worth = native.scores(rolls, BOGGLE, 1)
    native.scores(boards_of(strange_faces(50_000)), BOGGLE, 1)
    assert native.scores(rolls, BOGGLE, 1) == worth


def test_games_are_not_mixed_up_between_threads(native: Engine) -> None:
    """Looking up a face that is new runs Python, and there another thread may come in."""
    games = [game("boggle"), Game("odd", "Odd", (), min_length=3, table=((3, 7),))]
    boards = [Board.from_faces(["TEAS", [face] * 4]) for face in strange_faces(300)]
    worth = [native.solve(Board.parse("TEAS/####"), rules).points for rules in games]

    def work(number: int) -> bool:
        rules, expected = games[number % 2], worth[number % 2]
        return all(native.solve(board, rules).points == expected for board in boards)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            assert all(pool.map(work, range(6)))
    finally:
        sys.setswitchinterval(interval)


def test_a_word_that_the_letters_do_not_suffice_for_is_turned_down_at_once() -> None:
    assert not can_make(Board.parse("a" * 25), "a" * 26)
    assert can_make(Board.parse("a" * 25), "a" * 25)


def test_ctrl_c_ends_the_search_for_a_path() -> None:
    """Two blind alleys that a word must pass through both: no way, and endless ways to try."""
    pytest.importorskip("scoring._native")
    code = """if True:
        import signal
        from scoring.board import Board
        from scoring.paths import can_make
        board = Board.parse("baaaab" + "aaaaaa" * 3 + "#a##a#" * 2, (6, 6))
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        can_make(board, "b" + "a" * 26 + "b")
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert "KeyboardInterrupt" in done.stderr


def test_too_many_ways_are_an_error_that_says_so(enable: Lexicon) -> None:
    board = Board.parse("a" * 25)
    alike = Lexicon.from_words("alike", ["a" * 14])
    for engine in engines(alike.trie):
        with pytest.raises(SearchError, match="too many ways"):
            engine.solve(board, BOGGLE)
        with pytest.raises(SearchError, match="too many ways"):
            engine.scores([board] * 600, BOGGLE, 2)
    assert enable.engine.solve(board, BOGGLE).count == 0


def test_python_threads_may_share_an_engine(
    native: Engine, mixed: list[Board], worth: list[int]
) -> None:
    def work(number: int) -> list[int]:
        if number % 2:
            return native.scores(mixed * 5, BOGGLE, 2)
        return [native.solve(board, BOGGLE).points for board in mixed] * 5

    with ThreadPoolExecutor(4) as pool:
        assert all(points == worth * 5 for points in pool.map(work, range(8)))


def test_words_of_a_solution_outlive_the_next_boards(native: Engine, twin: PythonEngine) -> None:
    boards = rolls("classic_4x4", 20)
    solutions = [native.solve(board, BOGGLE) for board in boards]
    for board, solution in zip(boards, solutions, strict=True):
        assert [found[:2] for found in solution.words] == [
            found[:2] for found in twin.solve(board, BOGGLE).words
        ]


@pytest.fixture(scope="module")
def all_of_five_letters() -> Trie:
    """Every string of five letters: twelve million nodes, three times what 6×6 has room for."""
    counts = [26**depth for depth in range(6)]
    masks = np.repeat(np.array([*[((1 << 26) - 1) << 1] * 5, 1], np.uint64), counts)
    firsts = np.minimum(1 + 26 * np.arange(len(masks)), len(masks)).astype(np.uint32)
    return Trie(string.ascii_lowercase, masks.data, firsts.data)


@pytest.mark.parametrize("board", ["ABC/DEF", "ZYX/WVQu", "AB#C/_DEZ/FGHI/JKLM/NOPQ"])
def test_a_huge_list_is_searched_on_boards_that_leave_room(
    all_of_five_letters: Trie, board: str
) -> None:
    best, *others = (
        engine.solve(Board.parse(board), BOGGLE) for engine in engines(all_of_five_letters)
    )
    assert best.count > 100
    for other in others:
        assert [found[:2] for found in other.words] == [found[:2] for found in best.words]


def test_a_huge_list_is_left_to_python_where_there_is_no_room(all_of_five_letters: Trie) -> None:
    board = Board.parse("#" * 31 + "ABCDE", (6, 6))
    for engine in engines(all_of_five_letters):
        assert "abcde" in [found.word for found in engine.solve(board, BOGGLE).words]
        assert engine.scores([board], BOGGLE, 1) == [engine.solve(board, BOGGLE).points]


def test_without_the_extension_all_works_in_python(
    monkeypatch: pytest.MonkeyPatch, enable: Lexicon
) -> None:
    monkeypatch.setattr("scoring.engine.find_spec", lambda _: None)
    alone = Lexicon(enable.name, enable.source, enable.licence, enable.trie)
    assert alone.engine.name == "python"
    assert solve(Board.parse("perslatgsineters"), alone, BOGGLE).points == 3623
    assert score_many([Board.parse("TEAS")], alone, BOGGLE) == [18]


CHECK = """
import importlib.util, random, sys
spec = importlib.util.spec_from_file_location("scoring._native", sys.argv[1])
native = importlib.util.module_from_spec(spec)
spec.loader.exec_module(native)
sys.modules["scoring._native"] = native

from scoring.board import Board, letters
from scoring.cubes import cube_set
from scoring.engine import engines
from scoring.lexicon import builtin_lexicon
from scoring.rolls import Rolls
from scoring.rules import Game, game
from scoring.solution import SearchError

rng, rules = random.Random(5), game("boggle")
names = ["classic_4x4", "big_2012_5x5", "super_big_2012_6x6"]
boards = [cube_set(name).roll(rng) for name in names for _ in range(60)]
boards += map(Board.parse, ["SchA#/Th_E", "A", "ST/"])
*natives, twin = engines(builtin_lexicon().trie)
assert natives
expected = [twin.solve(board, rules) for board in boards]
for engine in natives:
    for board, solution in zip(boards, expected):
        assert [w[:2] for w in engine.solve(board, rules).words] == [w[:2] for w in solution.words]
    points = [solution.points for solution in expected]
    assert engine.scores(boards * 4, rules, 3) == points * 4
print("sound", *(engine.name for engine in natives))
"""


@pytest.fixture(scope="module")
def sanitised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension compiled to notice every access out of bounds and undefined operation."""
    pybind11 = pytest.importorskip("pybind11")
    include = subprocess.run(
        [sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    module = tmp_path_factory.mktemp("sanitised") / "_native.so"
    options = ["-std=c++20", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden"]
    sanitisers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    includes = [f"-I{include}", f"-I{pybind11.get_include()}"]
    source = REPOSITORY / "scoring" / "native" / "module.cc"
    subprocess.run(["g++", *options, *sanitisers, *includes, "-o", module, source], check=True)
    return module


@pytest.mark.slow
def test_the_native_search_touches_nothing_that_is_not_its_own(sanitised: Path) -> None:
    runtime = [
        subprocess.run(
            ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    done = subprocess.run(
        [sys.executable, "-c", CHECK, sanitised],
        env={"LD_PRELOAD": " ".join(runtime), "ASAN_OPTIONS": "detect_leaks=0"},
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("sound")
