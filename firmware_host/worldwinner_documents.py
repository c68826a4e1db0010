"""The JSON document of a match of WorldWinner Boggle; extend it, never change what is there."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.documents import Document
from scoring.board import Path
from scoring.lexicon import Lexicon
from scoring.worldwinner.match import Match, Payment, Round, Turn
from scoring.worldwinner.words import WordScore, best_words

MOST_MISSED = 10
"""Best missed words that a round names."""


@dataclass(frozen=True)
class Possible:
    """What a round's tiles offered.

    Attributes:
        words: every word along its best path, best first.
        missed: the best of those that nobody submitted, `MOST_MISSED` at most.
    """

    words: tuple[WordScore, ...]
    missed: tuple[WordScore, ...]

    @classmethod
    def of(cls, played: Round, lexicon: Lexicon) -> Possible:
        """Of a round played."""
        words = best_words(played.tiles, lexicon)
        found = {payment.score.word for turn in played.turns.values() for payment in turn.payments}
        missed = [score for score in words if score.word not in found]
        return cls(words, tuple(missed[:MOST_MISSED]))

    @property
    def points(self) -> int:
        """Of all words; without the bonus for all letters."""
        return sum(score.points for score in self.words)


def match_document(match: Match, possible: tuple[Possible, ...]) -> Document:
    """The document of a match, with what each round offered."""
    return {
        "game": "worldwinner",
        "lexicon": match.plan.lexicon.name,
        "seed": match.plan.seed,
        "seconds": match.plan.seconds,
        "rounds": [
            _round(played, offered) for played, offered in zip(match.rounds, possible, strict=True)
        ],
        "players": [
            {
                "name": player,
                "points": points,
                "rounds": [played.turns[player].points for played in match.rounds],
            }
            for player, points in match.totals.items()
        ],
        "winners": list(match.winners),
    }


def _round(played: Round, possible: Possible) -> Document:
    return {
        "round": played.number,
        "board": str(played.tiles.board),
        "bonuses": [
            {"cell": list(cell), "bonus": str(bonus)}
            for cell, bonus in played.tiles.bonuses.items()
        ],
        "players": [_turn(name, turn, played) for name, turn in played.turns.items()],
        "possible": {"points": possible.points, "count": len(possible.words)},
        "best_missed": [
            {"word": score.word, "points": score.points, "path": _path(score.path)}
            for score in possible.missed
        ],
    }


def _turn(name: str, turn: Turn, played: Round) -> Document:
    return {
        "name": name,
        "points": turn.points,
        "all_letters": turn.all_letters,
        "unused": [list(cell) for cell in played.tiles.lettered if cell not in turn.used],
        "words": [_payment(payment) for payment in turn.payments],
    }


def _payment(payment: Payment) -> Document:
    return {
        "word": payment.score.word,
        "points": payment.points,
        "score": payment.score.points,
        "before": payment.before,
        "all_letters": payment.all_letters,
        "path": _path(payment.score.path),
        "explanation": list(payment.explain()),
    }


def _path(path: Path) -> list[list[int]]:
    return [list(cell) for cell in path]
