"""Made-up players for the demo: lists such as people write, with the mistakes that people make."""

from __future__ import annotations

import random
from collections.abc import Sequence

from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.solver import Solution
from scoring.wordlist import Entry, parse_word_list

COMMON_LENGTH = 5
"""Letters up to which a word is easily seen."""


def write_list(
    board: Board, solution: Solution, lexicon: Lexicon, found: int, rng: random.Random
) -> tuple[Entry, ...]:
    """A player's list.

    Args:
        board: the board that was played.
        solution: its words.
        lexicon: for a word that the board does not hold.
        found: how many words of the board the player finds, if it holds so many.
        rng: chooses.
    """
    words = _seen(solution, found, rng)
    slips = [
        slip
        for slip in (_misspelt(words, lexicon, rng), _short(board, rng), _wished(lexicon, rng))
        if slip
    ]
    written = words + rng.sample(slips, k=min(2, len(slips))) + words[:1]
    rng.shuffle(written)
    return parse_word_list("\n".join(written))


def _seen(solution: Solution, found: int, rng: random.Random) -> list[str]:
    """Short words are seen more often than long ones."""
    pool = {word.word: 1.0 / max(1, len(word.word) - COMMON_LENGTH + 2) for word in solution.words}
    ranked = sorted(pool, key=lambda word: rng.random() ** (1 / pool[word]), reverse=True)
    return ranked[:found]


def _misspelt(words: Sequence[str], lexicon: Lexicon, rng: random.Random) -> str | None:
    """A word found, with a letter doubled that should not be."""
    for word in rng.sample(words, k=len(words)):
        place = rng.randrange(len(word))
        slip = word[:place] + word[place] + word[place:]
        if slip not in lexicon:
            return slip
    return None


def _short(board: Board, rng: random.Random) -> str:
    """Two neighbouring letters: on the board, but no word of any game."""
    first = rng.randrange(len(board))
    row, col = board.cells[first]
    other = board.cells[rng.choice(board.neighbours[first])]
    return (board[row, col] + board[other]).lower()[:2]


def _wished(lexicon: Lexicon, rng: random.Random) -> str:
    """A good word that was hardly on the board."""
    longer = [word for word in lexicon.words if len(word) == COMMON_LENGTH]
    return rng.choice(longer)
