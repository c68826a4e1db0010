"""The scores of solo matches that were played to their end: a record to beat.

One file in the user's data folder holds a score for each match, so that a match whose end is taken
back loses its entry, and one whose file is deleted keeps it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from firmware_host.files import locked, write_whole, xdg_folder
from scoring.match import MatchError


@dataclass(frozen=True)
class SoloScore:
    """A finished solo match.

    Attributes:
        match: its name.
        player: who played.
        points: the score.
    """

    match: str
    player: str
    points: int


def best(apart_from: str | None = None) -> SoloScore | None:
    """The highest score, the first of equal ones; None where there is none.

    Args:
        apart_from: name of a match that does not count.

    Raises:
        MatchError: the file is damaged.
        OSError: it cannot be read.
    """
    kept = [score for score in _read() if score.match != apart_from]
    return max(kept, key=lambda score: score.points, default=None)


def keep(match: str, score: SoloScore | None) -> None:
    """Put the score of a match in the place of the one that it had, or of none.

    Raises:
        MatchError, OSError: as `best`, and where it cannot be written.
    """
    if score is None and not _path().exists():
        return
    with locked(_path().parent):
        others = [kept for kept in _read() if kept.match != match]
        scores = others if score is None else [*others, score]
        write_whole(_path(), (json.dumps([asdict(kept) for kept in scores]).encode(),))


def _path() -> Path:
    return xdg_folder("XDG_DATA_HOME", ".local/share") / "swoggle-solo.json"


def _read() -> list[SoloScore]:
    if not _path().exists():
        return []
    try:
        return [_score(**kept) for kept in json.loads(_path().read_bytes())]
    except (TypeError, ValueError, RecursionError) as error:
        raise MatchError(
            f"the scores of solo matches are damaged: {_path()}",
            "Delete the file, and the record with it.",
        ) from error


def _score(match: object, player: object, points: object) -> SoloScore:
    if not isinstance(match, str) or not isinstance(player, str) or type(points) is not int:
        raise TypeError("a score is of another type")
    return SoloScore(match, player, points)
