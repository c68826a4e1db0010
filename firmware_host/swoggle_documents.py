"""The JSON documents of ``wordtray swoggle``; rows and columns count from 1, as on the board."""

from __future__ import annotations

from typing import Any

from firmware_host.swoggle import SwoggleMatch, rules_of
from scoring.swoggle.board import Kind
from scoring.swoggle.moves import Move, Moves
from scoring.swoggle.rules import Letters, ScoredSquare, ScoredWord
from scoring.swoggle.state import End, Entry
from scoring.swoggle.turn import capital

Document = dict[str, Any]

EMPTY = "."
BLACK = "#"


def state_document(name: str, match: SwoggleMatch) -> Document:
    """Where a match stands."""
    rules, state = rules_of(match), match.state
    return {
        "match": name,
        "variant": str(rules.plan.variant),
        "lexicon": rules.listed_as,
        "board": rules.layout.name,
        "target": rules.plan.target,
        "minutes": rules.plan.minutes,
        "players": [
            {
                "name": seat.name,
                "points": seat.points,
                "misses": seat.misses,
                "skips": seat.skips,
                "out": seat.out,
            }
            for seat in state.seats
        ],
        "to_move": None if state.end else state.mover.name,
        "die": state.die,
        "letters": None if state.end else rules.letters_to_write(state),
        "turns": len(state.sheet),
        "over": _end(state.end),
        "squares": written_rows(match),
    }


def written_rows(match: SwoggleMatch) -> list[str]:
    """What is written on the board, a text a row; `EMPTY` and `BLACK` squares besides."""
    layout, letters = rules_of(match).layout, match.state.letters
    return [
        "".join(
            BLACK if square.kind is Kind.BLACK else _written(letters, row, col)
            for col, square in enumerate(squares)
        )
        for row, squares in enumerate(layout.squares)
    ]


def entry_document(entry: Entry) -> Document:
    """A line of the score sheet."""
    return {
        "player": entry.player,
        "outcome": str(entry.outcome),
        "die": entry.die,
        "turn": entry.turn or None,
        "points": entry.points,
        "remark": entry.remark or None,
        "words": list(map(_word, entry.words)),
    }


def moves_document(moves: Moves, top: int) -> Document:
    """All that can be said of the moves for a throw, the best few of them named."""
    return {"count": moves.count, "moves": list(map(_move, moves.best(top)))}


def _move(move: Move) -> Document:
    slot = move.slot
    return {
        "turn": str(move.turn),
        "word": move.word,
        "points": slot.points,
        "throws": slot.throws,
        "mean": slot.mean,
    }


def _written(letters: Letters, row: int, col: int) -> str:
    return capital(letters[row, col]) if (row, col) in letters else EMPTY


def _end(end: End | None) -> Document | None:
    if end is None:
        return None
    return {"ending": str(end.ending), "winners": list(end.winners)}


def _word(scored: ScoredWord) -> Document:
    return {
        "word": scored.word.text,
        "direction": str(scored.word.direction),
        "points": scored.points,
        "squares": list(map(_square, scored.squares)),
    }


def _square(square: ScoredSquare) -> Document:
    return {
        "row": square.cell[0] + 1,
        "col": square.cell[1] + 1,
        "letter": capital(square.letter),
        "kind": square.kind.name.lower(),
        "throws": list(square.throws),
        "points": square.points,
    }
