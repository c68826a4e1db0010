"""The end of a round: every word of every list judged, counted and given its reason.

What the rule books leave open is decided so:

* A void word (too short for its player, not on the board, not in the word list, doubtful) never
  cancels anybody's, unless the game cancels literally.
* Of a word that a player wrote twice the first counts; of a word that two of a team wrote that of
  the first of them.
* The first of these that applies is the verdict: too short, repeated, not on the board, rejected
  by the referee, not in the word list, shared. A word with an apostrophe or a hyphen counts as not
  in the word list.
* A challenge is about a word, not about a list: a false word comes off every list, and each who
  wrote it pays.
* A word that its player crossed out is not played: it scores and costs nothing, cancels nobody's,
  and the same word written again counts.
* A tie goes to whoever has more scoring words of the greatest length, then of the next, and so on
  down; where all are equal the win is shared. Where nobody scored nobody wins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from scoring.board import Board, Path, letters
from scoring.lexicon import Lexicon
from scoring.paths import find_path
from scoring.rules.conduct import Cancelling, Check
from scoring.rules.game import Game
from scoring.solution import FoundWord, Solution
from scoring.solver import solve
from scoring.wordlist import APOSTROPHE, HYPHEN, Entry

MOST_MISSED = 10
"""Best missed words that a result names."""

MOST_NAMED = 20
"""Players that a reason names; in a hall of hundreds the others are counted."""


class Verdict(StrEnum):
    """What became of a word."""

    SCORED = "scored"
    SHARED = "shared"
    TOO_SHORT = "too_short"
    NOT_ON_BOARD = "not_on_board"
    NOT_IN_LEXICON = "not_in_lexicon"
    REPEATED = "repeated"
    STRUCK = "struck"
    """Taken off by a challenge, by the referee of Boggle Ultimate, or by who wrote it."""
    DOUBTFUL = "doubtful"


@dataclass(frozen=True)
class JudgedWord:
    """A line of a list with its verdict.

    Attributes:
        word: the word, accents folded where the word list folds them, or the line as written where
            it is doubtful.
        points: what it adds to the player's points; unless it scored 0, or less than 0 where the
            game has a penalty for it.
        verdict: what became of it.
        path: a path on the board, also of a word that does not score; None where there is none or
            the verdict did not ask for one.
        reason: a few words for the players, such as "also found by blue".
        crossed_out: its player struck it: it is on no list.
    """

    word: str
    points: int
    verdict: Verdict
    path: Path | None
    reason: str
    crossed_out: bool = False


@dataclass(frozen=True)
class PlayerResult:
    """One player's words in the order of the list, and their sum."""

    name: str
    points: int
    words: tuple[JudgedWord, ...]


@dataclass(frozen=True)
class Seating:
    """Who plays with whom, and with which handicap.

    Attributes:
        teams: players by the name of their team; whoever is in none plays alone.
        handicaps: letters of the shortest word of a player, where it is not that of the game.
    """

    teams: Mapping[str, Collection[str]] = field(default_factory=lambda: MappingProxyType({}))
    handicaps: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def side(self, player: str) -> str:
        """Name of the player's team, or of the player."""
        found = (team for team, members in self.teams.items() if player in members)
        return next(found, player)


ALONE = Seating()
"""Everybody plays alone, and all alike."""


@dataclass(frozen=True)
class Side:
    """A team, or a player who is in none.

    Attributes:
        name: of the team or player.
        members: the players.
        points: the sum of theirs.
        lengths: letters of their scoring words, longest first: the greater of two such tuples
            wins a tie.
    """

    name: str
    members: tuple[str, ...]
    points: int
    lengths: tuple[int, ...]


@dataclass(frozen=True)
class RoundResult:
    """A scored round.

    Attributes:
        board: the board.
        game: the rules.
        players: the results in the order in which the lists were given.
        sides: the teams, and the players who are in none.
        winners: one side's name, several where even the tie-break is equal, none where nobody
            scored.
        possible: every word of the board.
        best_missed: the best words that are on nobody's list, `MOST_MISSED` at most, best first.
    """

    board: Board
    game: Game
    players: tuple[PlayerResult, ...]
    sides: tuple[Side, ...]
    winners: tuple[str, ...]
    possible: Solution
    best_missed: tuple[FoundWord, ...]


def score_round(
    board: Board,
    lists: Mapping[str, Sequence[Entry]],
    lexicon: Lexicon,
    game: Game,
    *,
    seating: Seating = ALONE,
    challenged: Collection[str] = (),
    rejected: Collection[str] = (),
    allowed: Collection[str] = (),
) -> RoundResult:
    """Judge and score the lists of a round.

    Args:
        board: the board as it was read and confirmed.
        lists: each player's list by name, in the order of the table.
        lexicon: the nominated word list.
        game: the rules.
        seating: teams and handicaps.
        challenged: words that somebody challenged; the word list decides.
        rejected: words that a referee at the table does not allow, whatever the word list says.
        allowed: words that a referee allows where the board has them, whatever the list says.
    """
    called = (challenged, rejected, allowed)
    calls = _Calls(*(frozenset(map(lexicon.folding, words)) for words in called))
    shortest = {name: seating.handicaps.get(name, game.shortest) for name in lists}
    judged = {
        name: _Judge(board, lexicon, game, shortest[name], calls).words(entries)
        for name, entries in lists.items()
    }
    players = tuple(_settled(judged, seating, game.conduct.cancelling))
    sides = _sides(players, seating)
    possible = solve(board, lexicon, game)
    written = {word.word for words in judged.values() for word in words if not word.crossed_out}
    missed = [found for found in possible.words if found.word not in written]
    winners = leaders({side.name: (side.points, side.lengths) for side in sides})
    return RoundResult(board, game, players, sides, winners, possible, tuple(missed[:MOST_MISSED]))


@dataclass(frozen=True)
class _Calls:
    """Words that were called into question at the table."""

    challenged: frozenset[str]
    rejected: frozenset[str]
    allowed: frozenset[str]


@dataclass(frozen=True)
class _Judge:
    """Judges each list by itself: whatever is not void scores until it turns out shared."""

    board: Board
    lexicon: Lexicon
    game: Game
    shortest: int
    calls: _Calls

    def words(self, entries: Sequence[Entry]) -> list[JudgedWord]:
        judged = []
        lines: dict[str, int] = {}
        for entry in entries:
            if entry.struck:
                judged.append(self._crossed_out(entry))
            elif entry.word is None:
                reason = entry.problem or "not readable"
                judged.append(JudgedWord(entry.text, 0, Verdict.DOUBTFUL, None, reason))
            else:
                word = self.lexicon.folding(entry.word)  # as the cubes spell it: été as ete
                judged.append(self.word(word, lines.get(word)))
                lines.setdefault(word, entry.line_number)
        return self._penalised(judged)

    def _crossed_out(self, entry: Entry) -> JudgedWord:
        word = entry.text if entry.word is None else self.lexicon.folding(entry.word)
        return JudgedWord(word, 0, Verdict.STRUCK, None, "crossed out", crossed_out=True)

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
        if length < self.shortest:
            whose = "" if self.shortest == self.game.shortest else " of this player"
            asked = f"{self.game.title} asks for {self.shortest} or more{whose}"
            return Verdict.TOO_SHORT, f"{_counted(length, 'letter')}; {asked}"
        if earlier is not None:
            return Verdict.REPEATED, f"already on line {earlier}"
        if length < len(word):
            struck = word in self.calls.challenged | self.calls.rejected
            verdict = Verdict.STRUCK if struck else Verdict.NOT_IN_LEXICON
            return verdict, _punctuated(word)
        if path is None:
            return Verdict.NOT_ON_BOARD, _why_not_on(self.board, word)
        return self._rejection(word)

    def _rejection(self, word: str) -> tuple[Verdict, str] | None:
        absent = f"not in the word list {self.lexicon.name}"
        if word in self.calls.rejected:
            return Verdict.STRUCK, "rejected by the referee"
        if word in self.lexicon or word in self.calls.allowed:
            return None
        if word in self.calls.challenged:
            return Verdict.STRUCK, f"challenged; {absent}"
        if self.game.conduct.check is Check.CHALLENGED:
            return None
        return Verdict.NOT_IN_LEXICON, absent

    def _penalised(self, judged: list[JudgedWord]) -> list[JudgedWord]:
        """The words with what false ones cost; the dearest errors are the free ones."""
        penalty = self.game.conduct.penalty
        fined = [Verdict.STRUCK, *([Verdict.NOT_IN_LEXICON] if penalty.every_rejected else [])]
        errors = [
            place
            for place, word in enumerate(judged)
            if word.verdict in fined and not word.crossed_out
        ]
        errors.sort(key=lambda place: (-self._cost(judged[place].word), judged[place].word))
        for number, place in enumerate(errors):
            judged[place] = self._fined(judged[place], free=number < penalty.free)
        return judged

    def _fined(self, word: JudgedWord, *, free: bool) -> JudgedWord:
        cost = self._cost(word.word)
        if not cost:
            return word
        if free:
            return replace(word, reason=f"{word.reason}; an error that is free")
        reason = f"{word.reason}; penalty {_counted(cost, 'point')}"
        return replace(word, points=-cost, reason=reason)

    def _cost(self, word: str) -> int:
        fixed = self.game.conduct.penalty.points
        return self.game.points("".join(filter(str.isalpha, word))) if fixed is None else fixed


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


def _finders(
    judged: Mapping[str, Sequence[JudgedWord]], cancelling: Cancelling
) -> dict[str, list[str]]:
    """For each word that can cancel others the names of those who have it."""
    silent = {Verdict.REPEATED, Verdict.DOUBTFUL}
    finders: dict[str, list[str]] = {}
    for name, words in judged.items():
        for word in words:
            heard = word.verdict not in silent and not word.crossed_out
            literal = cancelling is Cancelling.LITERAL and heard
            if word.verdict is Verdict.SCORED or literal:
                finders.setdefault(word.word, []).append(name)
    return finders


def _settled(
    judged: Mapping[str, Sequence[JudgedWord]], seating: Seating, cancelling: Cancelling
) -> Iterable[PlayerResult]:
    """The players' words after those of other sides have cancelled some of them."""
    finders = {} if cancelling is Cancelling.OFF else _finders(judged, cancelling)
    valid = _finders(judged, Cancelling.ON)
    for name, words in judged.items():
        settled = tuple(_cancelled(word, name, finders, valid, seating) for word in words)
        yield PlayerResult(name, sum(word.points for word in settled), settled)


def _cancelled(
    word: JudgedWord,
    name: str,
    finders: Mapping[str, Sequence[str]],
    valid: Mapping[str, Sequence[str]],
    seating: Seating,
) -> JudgedWord:
    if word.verdict is not Verdict.SCORED:
        return word
    side = seating.side(name)
    others = [other for other in finders.get(word.word, ()) if seating.side(other) != side]
    if others:
        reason = f"also found by {_listed(_few(others), 'and')}"
        return replace(word, points=0, verdict=Verdict.SHARED, reason=reason)
    first = next(mate for mate in valid[word.word] if seating.side(mate) == side)
    if first != name:
        reason = f"counts once for {side}, on the list of {first}"
        return replace(word, points=0, verdict=Verdict.REPEATED, reason=reason)
    return word


def _sides(players: Sequence[PlayerResult], seating: Seating) -> tuple[Side, ...]:
    members: dict[str, list[PlayerResult]] = {}
    for player in players:
        members.setdefault(seating.side(player.name), []).append(player)
    return tuple(_side(name, playing) for name, playing in members.items())


def _side(name: str, members: Sequence[PlayerResult]) -> Side:
    scored = [
        len(word.word)
        for player in members
        for word in player.words
        if word.verdict is Verdict.SCORED
    ]
    return Side(
        name,
        tuple(player.name for player in members),
        sum(player.points for player in members),
        tuple(sorted(scored, reverse=True)),
    )


def leaders(ranks: Mapping[str, tuple[int, tuple[int, ...]]]) -> tuple[str, ...]:
    """Names of those who are first.

    Args:
        ranks: by name the points, and the letters of the scoring words, longest first.

    Returns:
        One name, several where all is equal, none where nobody has any points.
    """
    best = max(ranks.values(), default=(0, ()))
    return tuple(name for name, rank in ranks.items() if rank == best and rank[0] > 0)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _few(names: Sequence[str]) -> Sequence[str]:
    if len(names) <= MOST_NAMED:
        return names
    return [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]


def _listed(names: Sequence[str], joiner: str) -> str:
    return f" {joiner} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
