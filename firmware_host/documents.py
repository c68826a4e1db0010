"""The JSON documents that other programs rely on; extend them, never change what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.board import Board
from scoring.cubes import CubeSet
from scoring.lexicon import Lexicon
from scoring.referee import PlayerResult, RoundResult, Side
from scoring.rules import Game
from scoring.solution import FoundWord, Solution

if TYPE_CHECKING:
    from firmware_host.reading import BurstReading, TimedDice, TimedReading
    from scoring.distributions import Comparison, Histogram
    from scoring.quality import Find, Quality
    from vision.live import Live
    from vision.reading import TrayReading

Document = dict[str, Any]


def reading_document(photo: Path, timed: TimedReading) -> Document:
    """A line of ``read``: the largest tray, with ``others`` where there are several."""
    others = {"others": [_tray(other) for other in timed.others]} if timed.others else {}
    return {
        "photo": str(photo),
        **_tray(timed.reading),
        "seconds": round(timed.seconds, 3),
        **others,
    }


def burst_document(burst: BurstReading) -> Document:
    """The line of ``read --burst``: that of the first photo in use, and which are."""
    return reading_document(burst.used[0], burst.timed) | {"photos": [*map(str, burst.used)]}


def live_document(source: str, reading: TrayReading, state: Live, seconds: float) -> Document:
    """A line of ``read --live``; ``seconds`` are those since the first frame."""
    return {
        "photo": source,
        **_tray(reading),
        "seconds": round(seconds, 3),
        "state": str(state.phase),
        "cocked": [list(cell) for cell in state.cocked],
    }


def _tray(reading: TrayReading) -> Document:
    return {
        "rows": reading.board.rows,
        "cols": reading.board.cols,
        "board": str(reading.board),
        "faces": [list(row) for row in reading.board.faces],
        "quarters": [list(row) for row in reading.quarters],
        "confidence": [[round(cell.confidence, 4) for cell in row] for row in reading.cells],
        "doubtful": [list(cell) for cell in reading.doubtful],
        "edition": reading.edition,
        "cut_off": reading.cut_off,
        "corners_px": [[round(x, 1), round(y, 1)] for x, y in reading.corners_px],
        "editions": [
            {"name": name, "probability": round(share, 4)} for name, share in reading.editions
        ],
        **_shortage(reading),
        **_second_opinion(reading),
    }


def _second_opinion(reading: TrayReading) -> Document:
    """What another reader says of each cell, where it says anything."""
    said = [[cell.second for cell in row] for row in reading.cells]
    return {"second_opinion": said} if any(map(any, said)) else {}


def _shortage(reading: TrayReading) -> Document:
    """Cells and cubes that show that the set is not the one that was named, where they do."""
    if reading.shortage is None:
        return {}
    cells = reading.board.cells
    return {
        "shortage": {
            "edition": reading.shortage.edition,
            "cells": [list(cells[place]) for place in reading.shortage.places],
            "faces": list(reading.shortage.faces),
            "cubes": [list(cube) for cube in reading.shortage.cubes],
        }
    }


def dice_document(photo: Path, timed: TimedDice) -> Document:
    """A line of ``read --dice``; ``doubtful`` where a person must confirm the throw."""
    reading = timed.reading
    return {
        "photo": str(photo),
        "dice": list(reading.pips),
        "doubtful": reading.doubtful,
        "read": [
            {
                "pips": die.pips,
                "confidence": round(die.confidence, 4),
                "doubts": [doubt.name.lower() for doubt in die.doubts],
                "corners_px": [[round(x, 1), round(y, 1)] for x, y in die.corners_px],
            }
            for die in reading.dice
        ],
        "unread_px": [[round(x, 1), round(y, 1)] for x, y in reading.unread_px],
        "seconds": round(timed.seconds, 3),
    }


def solution_document(
    board: Board, game: Game, lexicon: Lexicon, solution: Solution, top: int | None = None
) -> Document:
    """The document of ``solve``: ``count`` and ``points`` of all words, the best ``top`` listed."""
    return {
        "board": str(board),
        "game": game.name,
        "lexicon": lexicon.name,
        "points": solution.points,
        "count": solution.count,
        "words": [_word(found) for found in solution.words[:top]],
    }


def stats_document(offered: Quality, compared: Comparison | None) -> Document:
    """The ``stats`` of ``solve``; ``compared`` is None where no cube set has boards so large."""
    return {
        "points": offered.points,
        "count": offered.count,
        "by_length": {str(length): count for length, count in offered.by_length.items()},
        "longest": list(offered.longest),
        "vowels": offered.vowels,
        "y": offered.ys,
        "compared": compared and _compared(offered, compared),
    }


def _compared(offered: Quality, compared: Comparison) -> Document:
    found = compared.distribution
    return {
        "edition": compared.edition.name,
        "rolls": found.rolls,
        "stored": compared.stored,
        "points": _standing(found.points, offered.points),
        "words": _standing(found.words, offered.count),
    }


def _standing(histogram: Histogram, value: int) -> Document:
    standing = histogram.standing(value)
    return {
        "mean": round(histogram.mean, 2),
        "poorer": round(standing.poorer, 6),
        "rich_in": standing.rich_in and round(standing.rich_in, 3),
        "poor_in": standing.poor_in and round(standing.poor_in, 3),
    }


def roll_document(board: Board, edition: CubeSet) -> Document:
    """A line of ``roll``."""
    return {
        "board": str(board),
        "rows": board.rows,
        "cols": board.cols,
        "edition": edition.name,
    }


def find_document(find: Find, offered: Quality, game: Game, lexicon: Lexicon) -> Document:
    """What a line of ``roll`` says besides where there are conditions."""
    return {
        "game": game.name,
        "lexicon": lexicon.name,
        "points": offered.points,
        "count": offered.count,
        "longest": list(offered.longest),
        "tried": find.tried,
    }


def result_document(result: RoundResult, lexicon: Lexicon) -> Document:
    """The document of ``score``, and of a round played."""
    teams = [side for side in result.sides if side.members != (side.name,)]
    return {
        "board": str(result.board),
        "game": result.game.name,
        "lexicon": lexicon.name,
        "players": [_player(player) for player in result.players],
        "winners": list(result.winners),
        "possible": {"points": result.possible.points, "count": result.possible.count},
        "best_missed": [_word(found) for found in result.best_missed],
    } | ({"teams": [_team(team) for team in teams]} if teams else {})


def _team(team: Side) -> Document:
    return {"name": team.name, "members": list(team.members), "points": team.points}


def _word(found: FoundWord) -> Document:
    return {"word": found.word, "points": found.points, "path": [list(cell) for cell in found.path]}


def _player(player: PlayerResult) -> Document:
    return {
        "name": player.name,
        "points": player.points,
        "words": [
            {
                "word": judged.word,
                "points": judged.points,
                "verdict": str(judged.verdict),
                "path": None if judged.path is None else [list(cell) for cell in judged.path],
                "reason": judged.reason,
            }
            for judged in player.words
        ],
    }
