"""Boards on which a word can be found, and lexicons that lack it: to fit and measure readings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.board import Board
from scoring.cubes import cube_set
from vision.paper.candidates import Candidates, Shortlist
from vision.paper.decode import shipped_judgement
from vision.paper.explain import explain
from vision.paper.recogniser import Look

_SIDE = 4
_CUBES = "new_4x4"
_TRIES = 3000


def board_with(word: str, rng: np.random.Generator) -> Board:
    """A 4 × 4 board, rolled, on which a random path spells the word.

    Args:
        word: small letters.
        rng: source of chance.

    Raises:
        ValueError: the word is too long for the board.
    """
    faces = _faces_of(word)
    path = _path(len(faces), rng)
    rolled = [str(rng.choice(cube)) for cube in cube_set(_CUBES).cubes]
    cells = [rolled[place] for place in rng.permutation(_SIDE * _SIDE)]
    for cell, face in zip(path, faces, strict=True):
        cells[cell] = face
    return Board.from_faces(cells[start : start + _SIDE] for start in range(0, len(cells), _SIDE))


def without(candidates: Candidates, word: str) -> Candidates:
    """The same candidates as if the lexicon did not have the word, in capitals."""
    length = len(word)
    words = candidates.lexicon.by_length.get(length)
    if words is None or word not in words:
        return candidates
    rows = np.delete(np.arange(len(words)), words.words.index(word))
    by_length = {**candidates.lexicon.by_length, length: words.take(rows)}
    parts = {**candidates.lexicon.parts, length: candidates.lexicon.parts[length][:, rows]}
    return replace(candidates, lexicon=Shortlist(by_length, parts))


def _faces_of(word: str) -> list[str]:
    parts = word.replace("qu", "q").upper()
    return ["Qu" if part == "Q" and "qu" in word else part for part in parts]


def _path(length: int, rng: np.random.Generator) -> list[int]:
    """Cells that lie side by side, none twice."""
    neighbours = Board.from_faces(["A" * _SIDE] * _SIDE).neighbours
    for _ in range(_TRIES):
        path = [int(rng.integers(_SIDE * _SIDE))]
        while len(path) < length:
            onward = [cell for cell in neighbours[path[-1]] if cell not in path]
            if not onward:
                break
            path.append(int(rng.choice(onward)))
        if len(path) == length:
            return path
    raise ValueError(f"a word of {length} faces has no room on the board")


def best_on_board(first: Look, second: Look, candidates: Candidates) -> str:
    """The likeliest of the board's words alone, whatever else may have been written.

    Args:
        first: what the recogniser saw.
        second: what it saw of the word cut out once more.
        candidates: of a board that is known.
    """
    found = explain(first.log_probabilities, candidates).seen_again(second.log_probabilities)
    spelt = found.log_likelihoods + shipped_judgement().habits.letter * found.spellings.lengths
    row = int(np.where(found.scores, spelt, -np.inf).argmax())
    return found.spellings.words[row]
