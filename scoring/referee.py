"""The end of a round: every word of every list judged, counted and given its reason.

What the rule books leave open is decided so:

* A void word (too short, not on the board, not in the word list, doubtful) never cancels anybody's.
* Of a word that a player wrote twice the first counts.
* The first of these that applies is the verdict: too short, repeated, not on the board, not in the
  word list, shared. A word with an apostrophe or a hyphen counts as not in the word list.
* A tie goes to whoever has more scoring words of the greatest length, then of the next, and so on
  down; where all are equal the win is shared. Where nobody scored nobody wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.board import Board, Path, letters
from scoring.lexicon import Lexicon
from scoring.paths import find_path
from scoring.rules.game import Game
from scoring.solution import FoundWord, Solution
from scoring.solver import solve
from scoring.wordlist import APOSTROPHE, HYPHEN, Entry

MOST_MISSED = 10
"""Best missed words that a result names."""


class Verdict(StrEnum):
    """What became of a word."""

    SCORED = "scored"
    SHARED = "shared"
    TOO_SHORT = "too_short"
    NOT_ON_BOARD = "not_on_board"
    NOT_IN_LEXICON = "not_in_lexicon"
    REPEATED = "repeated"
    STRUCK = "struck"
    """Taken off by a challenge; `score_round` hears none and never gives it."""
    DOUBTFUL = "doubtful"


@dataclass(frozen=True)
class JudgedWord:
    """A line of a list with its verdict.

    Attributes:
        word: the word, accents folded where the word list folds them, or the line as written where
            it is doubtful.
        points: what it adds to the player's points; 0 unless it scored.
        verdict: what became of it.
        path: a path on the board, also of a word that does not score; None where there is none or
            the verdict did not ask for one.
        reason: a few words for the players, such as "also found by blue".
    """

    word: str
    points: int
    verdict: Verdict
    path: Path | None
    reason: str


@dataclass(frozen=True)
class PlayerResult:
    """One player's words in the order of the list, and their sum."""

    name: str
    points: int
    words: tuple[JudgedWord, ...]


@dataclass(frozen=True)
class RoundResult:
    """A scored round.

    Attributes:
        board: the board.
        game: the rules.
        players: the results in the order in which the lists were given.
        winners: one name, several where even the tie-break is equal, none where nobody scored.
        possible: every word of the board.
        best_missed: the best words that are on nobody's list, `MOST_MISSED` at most, best first.
    """

    board: Board
    game: Game
    players: tuple[PlayerResult, ...]
    winners: tuple[str, ...]
    possible: Solution
    best_missed: tuple[FoundWord, ...]


def score_round(
    board: Board, lists: Mapping[str, Sequence[Entry]], lexicon: Lexicon, game: Game
) -> RoundResult:
    """Judge and score the lists of a round.

    Args:
        board: the board as it was read and confirmed.
        lists: each player's list by name, in the order of the table.
        lexicon: the nominated word list.
        game: the rules.
    """
    judge = _Judge(board, lexicon, game)
    judged = {name: judge.words(entries) for name, entries in lists.items()}
    finders = _finders(judged)
    players = tuple(_player(name, words, finders) for name, words in judged.items())
    possible = solve(board, lexicon, game)
    missed = [found for found in possible.words if found.word not in finders]
    return RoundResult(
        board, game, players, _winners(players), possible, tuple(missed[:MOST_MISSED])
    )


@dataclass(frozen=True)
class _Judge:
    """Judges each list by itself: whatever is not void scores until it turns out shared."""

    board: Board
    lexicon: Lexicon
    game: Game

    def words(self, entries: Sequence[Entry]) -> list[JudgedWord]:
        judged = []
        lines: dict[str, int] = {}
        for entry in entries:
            if entry.word is None:
                reason = entry.problem or "not readable"
                judged.append(JudgedWord(entry.text, 0, Verdict.DOUBTFUL, None, reason))
            else:
                word = self.lexicon.folding(entry.word)  # as the cubes spell it: été as ete
                judged.append(self.word(word, lines.get(word)))
                lines.setdefault(word, entry.line_number)
        return judged

    def word(self, word: str, earlier: int | None) -> JudgedWord:
        path = find_path(self.board, word)
        objection = self._objection(word, path, earlier)
        if objection is not None:
            return JudgedWord(word, 0, objection[0], path, objection[1])
        points = self.game.points(word)
        reason = f"{_counted(points, 'point')} for {_counted(len(word), 'letter')}"
        return JudgedWord(word, points, Verdict.SCORED, path, reason)

    def _objection(
        self, word: str, path: Path | None, earlier: int | None
    ) -> tuple[Verdict, str] | None:
        length = sum(char.isalpha() for char in word)
        if length < self.game.min_length:
            asked = f"{self.game.title} asks for {self.game.min_length} or more"
            return Verdict.TOO_SHORT, f"{_counted(length, 'letter')}; {asked}"
        if earlier is not None:
            return Verdict.REPEATED, f"already on line {earlier}"
        if length < len(word):
            return Verdict.NOT_IN_LEXICON, _punctuated(word)
        if path is None:
            return Verdict.NOT_ON_BOARD, _why_not_on(self.board, word)
        if word not in self.lexicon:
            return Verdict.NOT_IN_LEXICON, f"not in the word list {self.lexicon.name}"
        return None


def _punctuated(word: str) -> str:
    kinds = [(APOSTROPHE, "words with an apostrophe"), (HYPHEN, "words with a hyphen")]
    return " and ".join(kind for char, kind in kinds if char in word) + " do not count"


def _why_not_on(board: Board, word: str) -> str:
    shown = "".join(letters(face) for face in board)
    lacking = sorted({letter for letter in word if letter not in shown})
    if lacking:
        return f"the board has no {_listed([_capital(letter) for letter in lacking], 'or')}"
    if any(word == letters(face) for face in board):
        return "a word takes two cubes or more"
    return "no way across the board spells it"


def _capital(letter: str) -> str:
    """The letter as on a cube; as it is where its capital would be another, such as ß and ı."""
    return letter.upper() if letter.upper().lower() == letter else letter


def _finders(judged: Mapping[str, Sequence[JudgedWord]]) -> dict[str, list[str]]:
    """For each word that is not void the names of those who have it."""
    finders: dict[str, list[str]] = {}
    for name, words in judged.items():
        for word in words:
            if word.verdict is Verdict.SCORED:
                finders.setdefault(word.word, []).append(name)
    return finders


def _player(
    name: str, judged: Sequence[JudgedWord], finders: Mapping[str, Sequence[str]]
) -> PlayerResult:
    words = tuple(_cancelled(word, name, finders) for word in judged)
    return PlayerResult(name, sum(word.points for word in words), words)


def _cancelled(word: JudgedWord, name: str, finders: Mapping[str, Sequence[str]]) -> JudgedWord:
    others = [other for other in finders.get(word.word, ()) if other != name]
    if word.verdict is not Verdict.SCORED or not others:
        return word
    reason = f"also found by {_listed(others, 'and')}"
    return replace(word, points=0, verdict=Verdict.SHARED, reason=reason)


def _winners(players: Sequence[PlayerResult]) -> tuple[str, ...]:
    """Names of those who are first, by points and then by their longest scoring words."""
    ranks = {player.name: (player.points, _lengths(player)) for player in players}
    best = max(ranks.values(), default=(0, []))
    return tuple(name for name, rank in ranks.items() if rank == best and rank[0] > 0)


def _lengths(player: PlayerResult) -> list[int]:
    """Lengths of the scoring words, longest first: the greater of two such lists wins a tie."""
    scored = (word.word for word in player.words if word.verdict is Verdict.SCORED)
    return sorted(map(len, scored), reverse=True)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _listed(names: Sequence[str], joiner: str) -> str:
    return f" {joiner} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
