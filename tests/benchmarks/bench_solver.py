"""Time the solver: milliseconds a board, beside a plain recursive solver in the same run.

Both find all words of the same rolls under the built-in list, in turns; the best of the rounds
counts, so that whatever else runs on the machine weighs on both alike. Run from the repository::

    python tests/benchmarks/bench_solver.py [--boards 200] [--rounds 7]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterable
from typing import Any

from scoring.board import Board, letters
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.solver import solve

EDITIONS = ("classic_4x4", "new_4x4", "deluxe_master_5x5", "super_big_2012_6x6")
BOGGLE = game("boggle")
DictTrie = dict[str, Any]


def dict_trie(words: Iterable[str]) -> DictTrie:
    """Words as nested dictionaries; the key "" marks the end of a word."""
    root: DictTrie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = word
    return root


def plain_words(board: Board, trie: DictTrie) -> set[str]:
    """All words of three letters or more: the textbook search, without points or paths."""
    found: set[str] = set()
    for cell in range(len(board)):
        visit(board, [letters(face) for face in board], cell, trie, frozenset(), found)
    return {word for word in found if len(word) >= BOGGLE.min_length}


def visit(
    board: Board,
    faces: list[str],
    cell: int,
    node: DictTrie | None,
    used: frozenset[int],
    found: set[str],
) -> None:
    """Add all words that go on from the node through this cell."""
    for letter in faces[cell]:
        node = node.get(letter) if node else None
    if not node or not faces[cell]:
        return
    if "" in node:
        found.add(node[""])
    for other in board.neighbours[cell]:
        if other not in used:
            visit(board, faces, other, node, used | {cell}, found)


def seconds(run: Callable[[], object]) -> float:
    """Processor time of one run."""
    start = time.process_time()
    run()
    return time.process_time() - start


def compare(edition: str, lexicon: Lexicon, trie: DictTrie, boards: int, rounds: int) -> str:
    """One line of the table."""
    rng = random.Random(1)
    rolls = [cube_set(edition).roll(rng) for _ in range(boards)]
    for roll in rolls:
        solution = solve(roll, lexicon, BOGGLE)
        if {found.word for found in solution.words} != plain_words(roll, trie):
            raise SystemExit(f"the solvers disagree on {roll}")
    ours, plain = [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: [solve(roll, lexicon, BOGGLE) for roll in rolls]))
        plain.append(seconds(lambda: [plain_words(roll, trie) for roll in rolls]))
    ours_ms, plain_ms = (min(times) * 1000 / boards for times in (ours, plain))
    return f"{edition:20} {ours_ms:8.3f} {plain_ms:8.3f} {plain_ms / ours_ms:7.1f}"


def main() -> None:
    """Print the table, and what it costs to get a lexicon ready."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    lexicon = builtin_lexicon()
    compiled = lexicon.to_bytes()
    build = min(seconds(builtin_lexicon) for _ in range(3))
    load = min(seconds(lambda: Lexicon.from_buffer(compiled)) for _ in range(7))
    print(
        f"lexicon: build {build * 1000:.0f} ms, load of {len(compiled) / 1e6:.1f} MB "
        f"compiled {load * 1000:.1f} ms"
    )
    print(f"{'edition':20} {'ms':>8} {'plain ms':>8} {'ratio':>7}")
    trie = dict_trie(lexicon)
    for edition in EDITIONS:
        print(compare(edition, lexicon, trie, options.boards, options.rounds))


if __name__ == "__main__":
    main()
