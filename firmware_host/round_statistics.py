"""What the results of many rounds come to: words, points, the best of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from firmware_host.store.log import KeptResult
from scoring.referee import JudgedWord, PlayerResult, RoundResult, Verdict

EVENING_S = 6 * 3600.0
"""Seconds without a round after which another evening begins."""

_FOUND = frozenset({Verdict.SCORED, Verdict.SHARED})


@dataclass(frozen=True)
class Credit:
    """A word, and whose it was.

    Attributes:
        word: the word.
        points: what it scored.
        name: of the player.
        number: of the round.
    """

    word: str
    points: int
    name: str
    number: int


@dataclass(frozen=True)
class Standing:
    """What a player has come to.

    Attributes:
        name: of the player.
        points: in all rounds.
        rounds: played.
        won: of those.
        words: that scored.
    """

    name: str
    points: int
    rounds: int
    won: int
    words: int


@dataclass(frozen=True)
class Statistics:
    """What rounds have come to.

    Attributes:
        rounds: how many.
        found: words that somebody found, each once a round.
        possible: words that there were on their boards.
        best: the word with the most points.
        longest: the word with the most letters that was found.
        players: from the most points to the fewest.
    """

    rounds: int
    found: int
    possible: int
    best: Credit | None
    longest: Credit | None
    players: tuple[Standing, ...]


def evening(rounds: Sequence[KeptResult]) -> Sequence[KeptResult]:
    """The rounds of the last evening, of rounds in their order."""
    first = len(rounds) - 1
    while first > 0 and rounds[first].began - rounds[first - 1].began < EVENING_S:
        first -= 1
    return rounds[max(0, first) :]


def statistics(rounds: Sequence[KeptResult]) -> Statistics:
    """What rounds have come to; those in which nobody handed a list in are left out."""
    played = [one for one in rounds if one.result.players]
    credits_ = [credit for one in played for credit in _credits(one)]
    return Statistics(
        rounds=len(played),
        found=sum(len(_words_found(one.result)) for one in played),
        possible=sum(one.result.possible.count for one in played),
        best=max(_scored(credits_), key=lambda one: (one.points, len(one.word)), default=None),
        longest=max(credits_, key=lambda one: (len(one.word), one.points), default=None),
        players=tuple(_standings(played)),
    )


def _scored(credits_: Iterable[Credit]) -> Iterator[Credit]:
    return (one for one in credits_ if one.points > 0)


def _words_found(result: RoundResult) -> set[str]:
    return {word.word for player in result.players for word in _found(player)}


def _found(player: PlayerResult) -> Iterator[JudgedWord]:
    return (word for word in player.words if word.verdict in _FOUND)


def _credits(one: KeptResult) -> Iterator[Credit]:
    for player in one.result.players:
        for word in _found(player):
            yield Credit(word.word, word.points, player.name, one.number)


def _standings(rounds: Sequence[KeptResult]) -> list[Standing]:
    names = dict.fromkeys(player.name for one in rounds for player in one.result.players)
    return sorted((_standing(name, rounds) for name in names), key=lambda one: -one.points)


def _standing(name: str, rounds: Sequence[KeptResult]) -> Standing:
    mine = [
        (player, one.result)
        for one in rounds
        for player in one.result.players
        if player.name == name
    ]
    return Standing(
        name,
        points=sum(player.points for player, _ in mine),
        rounds=len(mine),
        won=sum(_won(name, result) for _, result in mine),
        words=sum(word.verdict is Verdict.SCORED for player, _ in mine for word in player.words),
    )


def _won(name: str, result: RoundResult) -> bool:
    return any(name in side.members for side in result.sides if side.name in result.winners)
