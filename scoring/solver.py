"""Solves boards: every word of one, or the points of many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from scoring.board import Board
from scoring.engine import Engine
from scoring.lexicon import Lexicon
from scoring.rules.game import Game
from scoring.solution import FoundWord, Solution


def solve(board: Board, lexicon: Lexicon, game: Game, engine: Engine | None = None) -> Solution:
    """Find all words that count in this game.

    Args:
        board: the board.
        lexicon: the words that there are.
        game: which of them count, and how much.
        engine: searches; that of the lexicon if not given.

    Raises:
        SearchError: as `Engine.solve`.

    Example:
        >>> from scoring.rules import game
        >>> few = Lexicon.from_words("few", ["tea", "eat", "at"])
        >>> solution = solve(Board.parse("TE/#A"), few, game("boggle"))
        >>> solution.count, solution.words[0]
        (2, FoundWord(word='eat', points=1, path=((0, 1), (1, 1), (0, 0))))
    """
    solution = (engine or lexicon.engine).solve(board, game)
    return _by_letters(solution, game, len(board)) if _minds_letters(game) else solution


def score_many(
    boards: Iterable[Board],
    lexicon: Lexicon,
    game: Game,
    threads: int | None = None,
    engine: Engine | None = None,
) -> list[int]:
    """Points of all words of each board.

    Args:
        boards: any number, of any sizes; `scoring.rolls.Rolls` are scored quickest.
        lexicon: the words that there are.
        game: which of them count, and how much.
        threads: how many to use at most, and never more than there are processors.
        engine: searches; that of the lexicon if not given. The one in Python uses one thread.

    Raises:
        ValueError: no threads.
        SearchError: as `Engine.solve`.

    Example:
        >>> from scoring.rules import game
        >>> few = Lexicon.from_words("few", ["tea", "eat", "at"])
        >>> score_many([Board.parse("TE/#A"), Board.parse("TE/#S")], few, game("boggle"))
        [2, 0]
    """
    if threads is not None and threads < 1:
        raise ValueError(f"{threads} threads: there must be one at least")
    processors = len(os.sched_getaffinity(0))
    sequence = boards if isinstance(boards, Sequence) else list(boards)
    if _minds_letters(game):
        return [solve(board, lexicon, game, engine).points for board in sequence]
    return (engine or lexicon.engine).scores(sequence, game, min(threads or processors, processors))


def _minds_letters(game: Game) -> bool:
    """Whether points are more than the engines know of, which look at lengths alone."""
    return bool(game.letter_values) or game.letter_limit is not None


def _by_letters(solution: Solution, game: Game, cells: int) -> Solution:
    """The words of an engine, paid for their letters too."""
    longest = game.longest(cells)
    words = [
        FoundWord(found.word, game.points(found.word), found.path)
        for found in solution.words
        if len(found.word) <= longest
    ]
    words.sort(key=lambda found: (-found.points, -len(found.word), found.word))
    return Solution(sum(found.points for found in words), len(words), lambda: tuple(words))
