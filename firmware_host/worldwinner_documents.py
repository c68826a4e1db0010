"""The JSON documents of WorldWinner Boggle; extend them, never change what is there.

Of a round that is still being played they name neither tiles nor words: who is to play must not see
them before the clock runs.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.documents import Document
from scoring.board import Path
from scoring.lexicon import Lexicon
from scoring.worldwinner.match import Match, Payment, Round, Turn, to_play
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


def possible_of(match: Match) -> tuple[Possible, ...]:
    """What each finished round offered."""
    return tuple(Possible.of(played, match.plan.lexicon) for played in match.finished)


def match_document(match: Match, possible: tuple[Possible, ...]) -> Document:
    """The document of a match, with its finished rounds and what each offered."""
    return _agreed(match) | {"rounds": _rounds(match, possible)} | _standing(match)


def state_document(name: str, match: Match, at: float) -> Document:
    """Where a kept match stands at a moment, without the words."""
    return {"match": name} | _agreed(match) | _standing(match) | next_document(match, at)


def rounds_document(match: Match) -> Document:
    """The finished rounds, with what each offered."""
    return {"rounds": _rounds(match, possible_of(match))}


def next_document(match: Match, at: float) -> Document:
    """Whether a match is over; else which round is on, who is to play, and the time left.

    ``player`` is null where the round's tiles are still to be dealt, ``seconds_left`` where the
    player's clock has not been started.
    """
    player = to_play(match)
    number = len(match.rounds) + (player is None)
    left = player and match.rounds[-1].turns[player].left(at)
    playing = {"round": number, "player": player, "seconds_left": left}
    return {"over": match.over, "playing": None if match.over else playing}


def sheet_document(match: Match) -> Document:
    """Each word of the finished rounds, and how its points come about."""
    return {
        "sheet": [
            {"round": played.number, "player": player, **payment_document(payment)}
            for played in match.finished
            for player, turn in played.turns.items()
            for payment in turn.payments
        ]
    }


def _agreed(match: Match) -> Document:
    return {
        "game": "worldwinner",
        "lexicon": match.plan.lexicon.name,
        "seed": match.plan.seed,
        "seconds": match.plan.seconds,
    }


def _rounds(match: Match, possible: tuple[Possible, ...]) -> list[Document]:
    return [
        _round(played, offered) for played, offered in zip(match.finished, possible, strict=True)
    ]


def _standing(match: Match) -> Document:
    return {
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
        "words": [payment_document(payment) for payment in turn.payments],
    }


def payment_document(payment: Payment) -> Document:
    """A word submitted, and what it paid."""
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
