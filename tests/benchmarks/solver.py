"""Time the solver beside others, in one run, and say which of its promises hold.

Contestants take turns, round by round, and the best round of each counts: whatever else runs on the
machine weighs on all alike. All must come to the same sum of points. Run from the repository::

    .venv/bin/python tests/benchmarks/solver.py [--json] [--boards 2000] [--rounds 15]
                                                [--only score list python threads load]

``docs/benchmarks.md`` says what each figure means.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from firmware_host import lexicons
from scoring.board import BLANK, Board
from scoring.cubes import cube_set
from scoring.engine import Engine, engines
from scoring.intake import Sieve, take_list
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.python_engine import PythonEngine
from scoring.rolls import Rolls
from scoring.rules import game
from scoring.solver import score_many

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data"
GAME = game("boggle")
WORTH = [points or 0 for points in GAME.points_by_length]

CLASSIC = "rolls_classic_4x4.txt"
BOARD_FILES = {  # with the cubes to roll where the file is absent
    CLASSIC: "classic_4x4",
    "rolls_new_4x4.txt": "new_4x4",
    "rolls_deluxe_5x5.txt": "deluxe_master_5x5",
    "rolls_super_big_6x6.txt": "super_big_2012_6x6",
    "hillclimbed_4x4.tsv": None,
    "hillclimbed_5x5.tsv": None,
}
SLOW_BOARDS = 100
"""Boards at most where Python does the work: enough to tell, and the run stays short."""

THREADED_TIMES = 5
"""How often the boards are repeated for threads: much longer than it takes to start a thread."""

THREADED_ROUNDS = 4
"""Times as many rounds for threads: in few of them are both processors free for us."""

AS_BASELINE = "times as fast as the baseline"
FRESH_PROCESSES = 7
PYPI = ("pyggle==1.2.0", "bogglesolver==0.0.1")
CPU_FEATURES = ("popcnt", "avx2", "avx512f", "avx512vl", "avx512_vpopcntdq", "neon", "asimd")

Round = Callable[[], tuple[float, int]]
"""Solves all boards once: microseconds per board, and the sum of the points."""


@dataclass(frozen=True)
class Row:
    """One figure of the tables.

    Attributes:
        boards: what was solved.
        contestant: by whom.
        figure: in ``unit``.
        ratios: what the figure is beside others, each with its name.
    """

    boards: str
    contestant: str
    figure: float
    unit: str = "µs per board"
    ratios: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Promise:
    """What the solver is to reach, and whether it does.

    Attributes:
        claim: in words.
        figure: as measured.
        limit: of the figure.
        at_least: the limit is the least; else it is the most.
    """

    claim: str
    figure: float
    limit: float
    at_least: bool = True

    @property
    def holds(self) -> bool:
        """Whether the figure keeps the limit."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit


@dataclass(frozen=True)
class Section:
    """Some figures that belong together; the notes say what could not be measured, and why."""

    title: str
    rows: list[Row] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Bench:
    """What all sections share.

    Attributes:
        lexicon: the words.
        engines: all that this machine has, the fastest first.
        boards: how many of each kind at most.
        rounds: how many turns each contestant gets.
        folder: for files of this run.
    """

    lexicon: Lexicon
    engines: tuple[Engine, ...]
    boards: int
    rounds: int
    folder: Path

    @property
    def native(self) -> list[Engine]:
        """The engines that are compiled."""
        return [engine for engine in self.engines if engine.name.startswith("native")]

    def classic(self, most: int) -> list[Board]:
        """Rolls of the classic cubes."""
        return read_boards(CLASSIC, min(most, self.boards))


def read_boards(file: str, most: int) -> list[Board]:
    """The first boards of an evaluation file; rolled here where the file is absent."""
    path, cubes = DATA / "boards" / file, BOARD_FILES[file]
    if path.is_file():
        lines = path.read_text("utf-8").splitlines()[:most]
        return [Board.parse(line.split("\t")[-1]) for line in lines]
    rng = random.Random(1)
    return [cube_set(cubes).roll(rng) for _ in range(most)] if cubes else []


def packed(boards: Sequence[Board]) -> Rolls:
    """Boards of one size, a byte a cell, as boards that are looked for come: nothing to unpack."""
    faces = tuple(sorted({face for board in boards for face in board}))
    number = {face: place for place, face in enumerate(faces)}
    numbers = bytes(number[face] for board in boards for face in board)
    return Rolls(faces, boards[0].rows, boards[0].cols, numbers)


def read_lexicon() -> Lexicon:
    """The list behind the published figures; the built-in one where it is absent."""
    path = DATA / "enable2k.txt"
    if not path.is_file():
        return builtin_lexicon()
    sieve = Sieve()
    take_list(path.read_bytes(), sieve)
    return Lexicon.from_words(path.stem, sieve.intake().words)


def timed(
    solve_all: Callable[[], int], boards: int, clock: Callable[[], float] = time.thread_time
) -> Round:
    """A round in this process; by the processor's time, which other programs take nothing off."""

    def play() -> tuple[float, int]:
        start = clock()
        points = solve_all()
        return (clock() - start) * 1e6 / boards, points

    return play


def best_of(rounds: int, contestants: Mapping[str, Round]) -> dict[str, float]:
    """Microseconds per board of each contestant's best round; they take turns.

    A turn is two rounds, of which the second counts: it finds the processor's caches as they are in
    a long run, and not as the contestant before left them.

    Raises:
        SystemExit: they do not agree on the points.
    """
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        sums = {}
        for name, play in contestants.items():
            play()
            microseconds, sums[name] = play()
            times[name].append(microseconds)
        if len(set(sums.values())) > 1:
            raise SystemExit(f"the contestants disagree: {sums}")
    return {name: min(of_one) for name, of_one in times.items()}


def batch(engine: Engine, boards: Sequence[Board]) -> Round:
    """All boards in one call, on one thread."""
    return timed(lambda: sum(engine.scores(boards, GAME, 1)), len(boards))


def one_by_one(engine: Engine, boards: Sequence[Board]) -> Round:
    """The score alone, a call a board."""
    return timed(lambda: sum(engine.scores([board], GAME, 1)[0] for board in boards), len(boards))


def listed(engine: Engine, boards: Sequence[Board]) -> Round:
    """The list of (word, points, path), a call a board."""

    def solve_all() -> int:
        points = 0
        for board in boards:
            solution = engine.solve(board, GAME)
            tuple(solution.words)
            points += solution.points
        return points

    return timed(solve_all, len(boards))


# ---- the score alone, beside the baseline ----


def score_section(bench: Bench) -> Section:
    """Native engines beside the plain recursive search in C++."""
    section = Section("Score alone, all boards in one call, one thread")
    program = compile_baseline(bench.folder, section.notes)
    if not bench.native:
        section.notes.append("No native engine here: nothing to set beside the baseline.")
    for file in BOARD_FILES:
        every = read_boards(file, bench.boards)
        boards = [board for board in every if baseline_text(board)]
        if boards and (program or bench.native):
            times = score_times(bench, boards, program)
            section.rows.extend(score_rows(f"{Path(file).stem} ({len(boards)})", times))
            if file == CLASSIC and "baseline" in times:
                section.promises.extend(score_promises(times))
    return section


def score_times(bench: Bench, boards: list[Board], program: Path | None) -> dict[str, float]:
    """Time the boards, after a check that all engines agree on each of the first."""
    first = boards[:SLOW_BOARDS]
    if len({tuple(engine.scores(first, GAME, 1)) for engine in bench.engines}) > 1:
        raise SystemExit("the engines disagree")
    contestants = {engine.name: batch(engine, packed(boards)) for engine in bench.native}
    with ExitStack() as stack:
        if program:
            contestants["baseline"] = stack.enter_context(baseline(program, bench, boards))
        return best_of(bench.rounds, contestants)


def score_rows(boards: str, times: dict[str, float]) -> Iterator[Row]:
    """A row a contestant, with the ratio to the baseline where there is one."""
    yardstick = times.get("baseline")
    for name, figure in times.items():
        yield Row(
            boards, name, figure, ratios={AS_BASELINE: yardstick / figure} if yardstick else {}
        )


def score_promises(times: dict[str, float]) -> Iterator[Promise]:
    """What is promised of the native engines on classic rolls."""
    for name, figure in times.items():
        if name.startswith("native"):
            limit = 3.5 if name == "native portable" else 7.0
            claim = f"{name}: so many times as fast as the baseline, classic rolls"
            yield Promise(claim, times["baseline"] / figure, limit)


def compile_baseline(folder: Path, notes: list[str]) -> Path | None:
    """The program, or None and a note why not."""
    compiler = shutil.which("g++")
    if compiler is None:
        notes.append("No baseline: there is no g++ here (sudo apt install g++).")
        return None
    program = folder / "baseline"
    options = ["-std=c++17", "-O3", "-march=native", "-o", str(program)]
    subprocess.run([compiler, *options, str(HERE / "baseline.cc")], check=True)
    return program


def baseline_text(board: Board) -> str:
    """The board for the baseline: a letter a cell; empty where it has faces that it cannot read."""
    readable = {"Qu": "q", BLANK: "."}
    cells = [readable.get(face) or face.lower() for face in board]
    return "".join(cells) if all(len(cell) == 1 and cell.isascii() for cell in cells) else ""


@contextmanager
def baseline(program: Path, bench: Bench, boards: Sequence[Board]) -> Iterator[Round]:
    """Rounds of the baseline, which waits in a process of its own meanwhile."""
    words, lines = bench.folder / "words.txt", bench.folder / "boards.txt"
    words.write_text("".join(f"{word}\n" for word in bench.lexicon))
    lines.write_text("".join(f"{baseline_text(board)}\n" for board in boards))
    size = (str(boards[0].rows), str(boards[0].cols))
    command = [str(program), str(words), str(lines), *size, ",".join(map(str, WORTH))]
    with subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        stdin, stdout = run.stdin, run.stdout
        assert stdin is not None
        assert stdout is not None
        if stdout.readline() != "ready\n":
            raise SystemExit("the baseline did not start")

        def play() -> tuple[float, int]:
            print(file=stdin, flush=True)
            nanoseconds, points = stdout.readline().split()
            return float(nanoseconds) / 1000, int(points)

        yield play


# ---- words with points and paths ----


def list_section(bench: Bench) -> Section:
    """What the list of words costs beside the score."""
    section = Section("List of (word, points, path), a call a board, classic rolls")
    slow = [engine for engine in bench.engines if engine not in bench.native]
    # Of a few boards all that the native search touches would stay in the processor's cache.
    for group, boards in (
        (bench.native, bench.classic(2000)),
        (slow, bench.classic(SLOW_BOARDS)),
    ):
        contestants = {}
        for engine in group:
            contestants[f"{engine.name}, list"] = listed(engine, boards)
            contestants[f"{engine.name}, score"] = one_by_one(engine, boards)
            contestants[f"{engine.name}, score in one call"] = batch(engine, boards)
        times = best_of(bench.rounds, contestants)
        for engine in group:
            section.rows.extend(list_rows(f"classic ({len(boards)})", engine.name, times))
            ratio = times[f"{engine.name}, list"] / times[f"{engine.name}, score"]
            claim = f"{engine.name}: the list takes so many times the score alone"
            section.promises.append(Promise(claim, ratio, 3.0, at_least=False))
    return section


def list_rows(boards: str, engine: str, times: dict[str, float]) -> Iterator[Row]:
    """The rows of one engine."""
    whole, single, batched = (
        times[f"{engine}, {kind}"] for kind in ("list", "score", "score in one call")
    )
    ratios = {"times the score": whole / single, "times the score in one call": whole / batched}
    yield Row(boards, f"{engine}, list", whole, ratios=ratios)
    yield Row(boards, f"{engine}, score", single)
    yield Row(boards, f"{engine}, score in one call", batched)


# ---- solvers in Python ----


@dataclass(frozen=True)
class PypiSolver:
    """A solver from the package index.

    Attributes:
        call: what is timed; its trie is built before.
        prepare: the board as it wants it, made outside the timing.
        solve: finds the words of three letters or more.
    """

    call: str
    prepare: Callable[[Board], object]
    solve: Callable[[Any], Sequence[str] | Mapping[str, object]]


def python_section(bench: Bench) -> Section:
    """The engine in Python beside the solvers of the package index."""
    # pyggle cannot read a face of two letters.
    boards = [board for board in read_boards(CLASSIC, SLOW_BOARDS) if "Qu" not in board]
    boards = boards[: bench.boards]
    title = f"Python solvers, a call a board, classic rolls without Qu ({len(boards)})"
    section = Section(f"{title}: the words, and the sum of their points")
    words = [word for word in bench.lexicon if len(word) >= GAME.min_length]
    engine = PythonEngine(Lexicon.from_words("all that count", words).trie)
    ours = {"python, list": listed(engine, boards), "python, score": one_by_one(engine, boards)}
    theirs = {}
    for solver in pypi_solvers(words, section.notes):
        check_words(solver, boards, engine)
        theirs[solver.call] = pypi_round(solver, boards)
    gc.freeze()  # their tries are a million objects, for the collector to leave alone
    times = best_of(bench.rounds, ours | theirs)
    best = min((times[name] for name in theirs), default=None)
    for name, figure in times.items():
        ratios = {"times as fast as the best of theirs": best / figure} if best else {}
        section.rows.append(Row("classic", name, figure, ratios=ratios))
    section.promises.extend(python_promises(times, best))
    return section


def python_promises(times: dict[str, float], best: float | None) -> Iterator[Promise]:
    """What is promised of the engine in Python: equal work, words and not the score alone."""
    if best is not None:
        claim = "python, list: so many times as fast as the best solver of the package index"
        yield Promise(claim, best / times["python, list"], 2.5)


def pypi_round(solver: PypiSolver, boards: Sequence[Board]) -> Round:
    """All boards; the points by length are added up as for our own words."""
    prepared = [solver.prepare(board) for board in boards]

    def solve_all() -> int:
        return sum(sum(WORTH[len(word)] for word in solver.solve(board)) for board in prepared)

    return timed(solve_all, len(boards))


def check_words(solver: PypiSolver, boards: Sequence[Board], engine: Engine) -> None:
    """All must find the same words.

    Raises:
        SystemExit: they do not.
    """
    for board in boards:
        ours = {found.word for found in engine.solve(board, GAME).words}
        theirs = set(solver.solve(solver.prepare(board)))
        if ours != theirs:
            raise SystemExit(f"{solver.call} and ours disagree on {board}: {ours ^ theirs}")


def pypi_solvers(words: list[str], notes: list[str]) -> list[PypiSolver]:
    """Those that could be installed, into a folder of their own; else a note why not."""
    folder = lexicons.cache_folder().with_name("wordtray-benchmarks")
    folder /= f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not all((folder / name.partition("=")[0]).is_dir() for name in PYPI):
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--retries", "0"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), *PYPI]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            why = done.stderr.strip().splitlines()[-1:]
            notes.append(f"No solvers of the package index: pip failed. {' '.join(why)}")
            return []
    sys.path.append(str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # theirs
        return [pyggle(words), bogglesolver(words)]


def pyggle(words: list[str]) -> PypiSolver:
    """As its documentation says, but for one board after another with the same trie."""
    solver: Any = importlib.import_module("pyggle").Boggle([["a"]], words)

    def solve(rows: list[list[str]]) -> Mapping[str, object]:
        solver.board = rows
        found: Mapping[str, object] = solver.solve()
        return found

    def prepare(board: Board) -> list[list[str]]:
        return [[face.lower() for face in row] for row in board.faces]

    return PypiSolver("pyggle, Boggle.solve", prepare, solve)


def bogglesolver(words: list[str]) -> PypiSolver:
    """Its own list of words replaced, by the means that it has for that."""
    module: Any = importlib.import_module("bogglesolver.solve_boggle")
    solver = module.SolveBoggle(use_test_words=True)
    solver.edict = module.Edict()
    for word in words:
        solver.edict.add_word(word)

    def solve(board: tuple[int, int, list[str]]) -> Sequence[str]:
        solver.set_board(*board)
        found: Sequence[str] = solver.solve()
        return found

    def prepare(board: Board) -> tuple[int, int, list[str]]:
        return board.cols, board.rows, [face.lower() for face in board]

    return PypiSolver("bogglesolver, SolveBoggle.solve", prepare, solve)


# ---- threads ----


def threads_section(bench: Bench) -> Section:
    """One thread beside two."""
    boards = bench.classic(bench.boards) * THREADED_TIMES
    engine = bench.engines[0]
    section = Section(f"Threads: score_many with {engine.name}, classic rolls ({len(boards)})")
    if len(os.sched_getaffinity(0)) < 2:
        section.notes.append("Threads are not measured: this process has one processor.")
        return section
    if not bench.native:
        section.notes.append("Threads are not measured: the engine in Python has one.")
        return section

    def on(threads: int) -> Round:
        def solve_all() -> int:
            return sum(score_many(boards, bench.lexicon, GAME, threads, engine))

        return timed(solve_all, len(boards), time.perf_counter)

    times = best_of(bench.rounds * THREADED_ROUNDS, {"1 thread": on(1), "2 threads": on(2)})
    ratio = times["1 thread"] / times["2 threads"]
    ratios = {"times as fast as one": ratio}
    section.rows.append(Row("classic", "1 thread", times["1 thread"]))
    section.rows.append(Row("classic", "2 threads", times["2 threads"], ratios=ratios))
    section.promises.append(Promise("two threads: so many times as fast as one", ratio, 1.8))
    return section


# ---- the compiled lexicon ----


def load_section(bench: Bench) -> Section:
    """What the compiled lexicon costs a fresh process."""
    processes = min(FRESH_PROCESSES, bench.rounds)
    environment = os.environ | {"XDG_CACHE_HOME": str(bench.folder)}
    command = [sys.executable, str(HERE / "load_once.py")]

    def load() -> dict[str, float]:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        figures: dict[str, float] = json.loads(done.stdout)
        return figures

    load()  # compiles
    runs = [load() for _ in range(processes)]
    seconds, resident, private = (
        statistics.median(run[name] for run in runs) for name in ("seconds", "resident", "private")
    )
    section = Section(f"Built-in word list, compiled, median of {processes} fresh processes")
    section.rows.append(Row("", "load", seconds * 1e3, "ms"))
    section.rows.append(Row("", "memory, resident", resident / 1e6, "MB"))
    section.rows.append(Row("", "memory, of this process alone", private / 1e6, "MB"))
    section.promises.append(
        Promise("load of the compiled lexicon, ms", seconds * 1e3, 25, at_least=False)
    )
    section.promises.append(
        Promise("memory that it holds, resident, MB", resident / 1e6, 12, at_least=False)
    )
    return section


SECTIONS = {
    "score": score_section,
    "list": list_section,
    "threads": threads_section,
    "load": load_section,
    "python": python_section,  # last: it leaves a million objects behind
}


# ---- output ----


def machine(bench: Bench) -> dict[str, str]:
    """What the figures were measured on and with."""
    cpu = cpu_facts()
    features = cpu.get("flags", cpu.get("Features", "")).split()
    return {
        "processor": cpu.get("model name", cpu.get("Model", platform.machine())),
        "features": " ".join(name for name in CPU_FEATURES if name in features),
        "processors": str(len(os.sched_getaffinity(0))),
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "python": platform.python_version(),
        "engines": ", ".join(engine.name for engine in bench.engines),
        "words": f"{bench.lexicon.name}, {len(bench.lexicon)}",
        "boards": "evaluation files" if DATA.is_dir() else "own rolls",
        "rounds": str(bench.rounds),
    }


def cpu_facts() -> dict[str, str]:
    """What the kernel says of the first processor, and on a Pi of the model."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    pairs = [line.partition(":") for line in lines if ":" in line]
    return {name.strip(): value.strip() for name, _, value in reversed(pairs)}


def print_report(facts: dict[str, str], sections: Sequence[Section]) -> None:
    """The report for people."""
    console = Console(highlight=False)
    for name, value in facts.items():
        console.print(f"{name:10} {value}", soft_wrap=True)
    for section in sections:
        print_section(console, section)
    console.print("\nPromises")
    for promise in (promise for section in sections for promise in section.promises):
        sign, verdict = "≥" if promise.at_least else "≤", "holds" if promise.holds else "DOES NOT"
        console.print(
            f"{verdict:8} {promise.figure:6.2f} {sign} {promise.limit:<4g} {promise.claim}",
            soft_wrap=True,
        )


def print_section(console: Console, section: Section) -> None:
    """One table, then its notes."""
    console.print(f"\n{section.title}", soft_wrap=True)
    for row in section.rows:
        ratios = ", ".join(f"{ratio:.2f} {name}" for name, ratio in row.ratios.items())
        figure = f"{row.figure:9.2f} {row.unit:12}"
        line = f"  {row.boards:28} {row.contestant:32} {figure}  {ratios}"
        console.print(line.rstrip(), soft_wrap=True)
    for note in section.notes:
        console.print(f"  {note}", soft_wrap=True)


def as_json(facts: dict[str, str], sections: Sequence[Section]) -> str:
    """The report for programs."""
    promises = [
        asdict(promise) | {"holds": promise.holds}
        for section in sections
        for promise in section.promises
    ]
    return json.dumps(
        {"machine": facts, "sections": [asdict(s) for s in sections], "promises": promises},
        indent=2,
    )


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--boards", type=positive, default=2000, help="boards of a kind, at most")
    parser.add_argument("--rounds", type=positive, default=15, help="turns of each contestant")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    return parser.parse_args()


def positive(text: str) -> int:
    """A whole number from 1.

    Raises:
        ValueError: it is none; argparse says so.
    """
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main() -> None:
    """Run the sections asked for and print what they found."""
    options = read_options()
    lexicon = read_lexicon()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(lexicon, engines(lexicon.trie), options.boards, options.rounds, Path(folder))
        sections = [
            make_section(bench) for name, make_section in SECTIONS.items() if name in options.only
        ]
    if options.json:
        sys.stdout.write(f"{as_json(machine(bench), sections)}\n")
    else:
        print_report(machine(bench), sections)


if __name__ == "__main__":
    main()
