"""The JSON documents of ``wordtray swoggle``; rows and columns count from 1, as on the board."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.swoggle import SwoggleMatch, rules_of
from scoring.board import Cell
from scoring.swoggle.board import Kind, Layout
from scoring.swoggle.moves import Move, Moves
from scoring.swoggle.rules import Letters, ScoredSquare, ScoredWord
from scoring.swoggle.state import End, Entry
from scoring.swoggle.turn import capital

if TYPE_CHECKING:
    from firmware_host.swoggle_camera import TimedBoard
    from vision.reading import Point
    from vision.swoggle.compare import Comparison
    from vision.swoggle.reading import SquareReading

Document = dict[str, Any]

EMPTY = "."
BLACK = "#"

_ALTERNATIVES = 3


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
    return _rows(rules_of(match).layout, match.state.letters)


def board_document(photo: Path, layout: Layout, timed: TimedBoard) -> Document:
    """A line of ``swoggle read``: the rows, and every square that is not surely empty."""
    squares = timed.reading.squares
    signs = {cell: square.sign for cell, square in squares.items() if square.sign != EMPTY}
    return {
        "photo": str(photo),
        "board": layout.name,
        "squares": _rows(layout, signs),
        "read": [
            _square_read(cell, square)
            for cell, square in squares.items()
            if cell in signs or square.doubtful
        ],
        "doubtful": [[row + 1, col + 1] for row, col in timed.reading.doubtful],
        "corners_px": _places(timed.reading.corners_px),
        "seconds": round(timed.seconds, 3),
    }


def check_document(
    name: str, photo: Path, compared: Mapping[Cell, Comparison], timed: TimedBoard
) -> Document:
    """The document of ``swoggle check``: the squares that differ, and those to be asked about."""
    from vision.swoggle.compare import Verdict

    told = {cell: one for cell, one in compared.items() if one.verdict is not Verdict.AGREES}
    return {
        "match": name,
        "photo": str(photo),
        "agrees": not told,
        "differences": [
            _compared(cell, one) for cell, one in told.items() if one.verdict is not Verdict.ASKED
        ],
        "doubtful": [
            _compared(cell, one) for cell, one in told.items() if one.verdict is Verdict.ASKED
        ],
        "corners_px": _places(timed.reading.corners_px),
        "seconds": round(timed.seconds, 3),
    }


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


def _rows(layout: Layout, letters: Letters) -> list[str]:
    return [
        "".join(
            BLACK if square.kind is Kind.BLACK else _written(letters, row, col)
            for col, square in enumerate(squares)
        )
        for row, squares in enumerate(layout.squares)
    ]


def _compared(cell: Cell, one: Comparison) -> Document:
    return _square_read(cell, one.read) | {"stored": one.known, "verdict": str(one.verdict)}


def _square_read(cell: Cell, square: SquareReading) -> Document:
    return {
        "row": cell[0] + 1,
        "col": cell[1] + 1,
        "sign": square.sign,
        "confidence": round(square.confidence, 4),
        "alternatives": [
            {"sign": sign, "probability": round(share, 4)}
            for sign, share in square.shares[:_ALTERNATIVES]
        ],
        "doubts": [doubt.name.lower() for doubt in square.doubts],
        "corners_px": _places(square.corners_px),
    }


def _places(corners: tuple[Point, ...]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]


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
