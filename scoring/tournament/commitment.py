"""A board is promised before it is played: a hash of it is published first, the board after.

The hash is SHA-256 of canonical JSON: a mark, the event, round, board and table, the salt, and the
board in canonical notation. The salt is by chance, so that nobody can try all boards.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from scoring.board import Board
from scoring.encoding import canonical

_MARK = "wordtray board"
SALT_BYTES = 16
"""How much chance a salt is made of; two hexadecimal digits each."""

_SALT = re.compile(r"[0-9a-f]{32,128}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class BoardPlace:
    """Where a board is played.

    Attributes:
        event: name of the tournament.
        round: from 1.
        board: of the round, from 1.
        table: from 1; 0 where all tables play it.
    """

    event: str
    round: int
    board: int
    table: int


def commitment(place: BoardPlace, board: str, salt: str) -> str:
    """What is published before a board is shown: 64 hexadecimal digits.

    Args:
        place: where it is played.
        board: in any notation.
        salt: `is_salt`.

    Raises:
        BoardError: it is no board.

    Example:
        >>> place = BoardPlace("Spring", 1, 1, 0)
        >>> commitment(place, "IETC/HQuPE/SEYH/TOER", "00" * 16)[:16]
        'a9ec0954846d9af0'
    """
    text = str(Board.parse(board))
    parts = [_MARK, place.event, place.round, place.board, place.table, salt, text]
    return hashlib.sha256(canonical(parts).encode()).hexdigest()


def is_salt(text: str) -> bool:
    """Whether a text can be a salt: 32 to 128 small hexadecimal digits."""
    return bool(_SALT.fullmatch(text))


def is_digest(text: str) -> bool:
    """Whether a text can be a SHA-256: 64 small hexadecimal digits."""
    return bool(_DIGEST.fullmatch(text))
