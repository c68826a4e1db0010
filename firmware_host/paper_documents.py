"""The JSON of lists on paper; extend it, never change what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.documents import Document
from firmware_host.paper import ScannedList
from firmware_host.review import Answer
from vision.paper.reading import WordReading


@dataclass(frozen=True)
class Decided:
    """A decision as it is told.

    Attributes:
        player: whose list it is; empty where that is not known.
        page: the page.
        read: what was read, small letters.
        answer: what it is.
        changed: the result is another than with what was read; None where no board is known.
        by: who said so.
        at: when, seconds since 1970.
    """

    player: str
    page: str
    read: str
    answer: Answer
    changed: bool | None
    by: str
    at: float


def scan_document(scanned: ScannedList, decided: Mapping[int, Decided]) -> Document:
    """A line of ``scan``: one for each list.

    Args:
        scanned: the list, with every decision in it.
        decided: what was decided, by the place of the word.
    """
    reading, sheet = scanned.reading, scanned.sheet
    return {
        "page": scanned.page,
        "player": reading.player,
        "round": reading.round,
        "words": [
            _word(word) | ({"decided": _told(decided[place])} if place in decided else {})
            for place, word in enumerate(reading.words)
        ],
        "seconds": round(scanned.seconds, 3),
        "printed": scanned.printed,
        "read_by": scanned.read_by,
        "sheet": sheet and {"number": sheet.number, "of": sheet.of},
        "lost_rows": list(reading.lost),
    }


def decided_document(decided: Decided) -> Document:
    """A line of what ``score --review`` decided."""
    answer = decided.answer
    names = {"player": decided.player, "page": decided.page}
    told = _told(decided)
    return names | {"text": answer.text.lower(), "struck": answer.struck} | told


def _told(decided: Decided) -> Document:
    return {
        "read": decided.read,
        "changed": decided.changed,
        "by": decided.by,
        "at": round(decided.at, 3),
    }


def _word(word: WordReading) -> Document:
    return {
        "text": word.text.lower(),
        "confidence": round(word.confidence, 4),
        "alternatives": [
            {"text": text.lower(), "probability": round(share, 4)}
            for text, share in word.alternatives
        ],
        "struck": word.struck,
        "doubtful": word.doubtful,
        "doubts": [doubt.name.lower() for doubt in word.doubts],
        "box_px": [[round(x, 1), round(y, 1)] for x, y in word.quad_px],
    }
