"""Made-up players for the demo: lists such as people write, with the mistakes that people make."""

from __future__ import annotations

import random
from collections.abc import Sequence

from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.solution import Solution
from scoring.wordlist import Entry, parse_word_list

WISHED_LENGTH = 5
"""Letters of the words that players only believe to have seen."""


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
    """Words seen: each letter more makes a word half as easy, so that players share short ones."""
    ranked = sorted(
        (found.word for found in solution.words),
        key=lambda word: rng.random() ** (2.0 ** len(word)),
        reverse=True,
    )
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
    longer = [word for word in lexicon.words if len(word) == WISHED_LENGTH]
    return rng.choice(longer)
