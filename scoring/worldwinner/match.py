"""A match of WorldWinner Boggle as a pure state machine: `step` takes a state and an event.

Three rounds; in each, every player plays the same tiles against a clock of their own. Nothing here
looks at a clock: times come in with the events. A move that the rules do not allow raises a
`RuleError` and changes nothing.

    Deal → Start → (Select, Deselect, Clear, Submit, PlayPath, PlayWord)* → Tick or EndTurn

and again with the next Deal, up to the third round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from types import MappingProxyType
from typing import Any

from scoring.board import FEWEST_CUBES, Cell, Path, letters
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.notation import cell_name
from scoring.rules.worldwinner import ALL_LETTERS, GAME, ROUNDS
from scoring.worldwinner.events import (
    Clear,
    Deal,
    Deselect,
    EndTurn,
    Event,
    Move,
    PlayPath,
    PlayWord,
    Select,
    Start,
    Submit,
    Tick,
)
from scoring.worldwinner.refusals import Rule, refused
from scoring.worldwinner.tiles import QU_VALUE, Tiles, place_bonuses
from scoring.worldwinner.words import WordScore, best_path, check_step, score_path


@dataclass(frozen=True)
class Plan:
    """What was agreed before the match.

    Attributes:
        players: their names, in the order of the table.
        lexicon: the words that there are.
        seed: places the bonus tiles.
        seconds: length of a round.
        qu_value: what Qu is worth.
    """

    players: tuple[str, ...]
    lexicon: Lexicon
    seed: int
    seconds: float = GAME.timer_s
    qu_value: int = QU_VALUE


@dataclass(frozen=True)
class Payment:
    """A word submitted, and what it pays.

    Attributes:
        score: the word along its path.
        before: the best that the same word had scored in this round; 0 for a new word.
        all_letters: the bonus, where this word used the last unused tile.
    """

    score: WordScore
    before: int
    all_letters: int = 0

    @property
    def points(self) -> int:
        """What the word itself pays: for an upgrade the difference, for a lower score nothing."""
        return max(0, self.score.points - self.before)

    def explain(self) -> tuple[str, ...]:
        """How it comes about, a line a part; the last line is what is paid."""
        lines = [*self.score.explain()]
        if self.before:
            lines.append(
                f"upgrade: {self.score.points} now, {self.before} before, the difference is paid"
                if self.points
                else f"no upgrade: {self.score.points} now, {self.before} before"
            )
        if self.all_letters:
            lines.append(f"all letters used: + {self.all_letters}")
        return (*lines, f"paid: {self.points + self.all_letters}")


@dataclass(frozen=True)
class Turn:
    """What one player has done in one round.

    Attributes:
        ends_at: time of the clock at which the round is over for this player; None until started.
        ended: the time has run out, or the player gave up the rest.
        selected: the tiles selected and not submitted.
        payments: the words submitted, in order.
    """

    ends_at: float | None = None
    ended: bool = False
    selected: Path = ()
    payments: tuple[Payment, ...] = ()

    @property
    def points(self) -> int:
        """Points of the round, bonuses included."""
        return sum(payment.points + payment.all_letters for payment in self.payments)

    @property
    def used(self) -> frozenset[Cell]:
        """The tiles with the dot: those of words that paid."""
        paid = (payment for payment in self.payments if payment.points)
        return frozenset(cell for payment in paid for cell in payment.score.path)

    @property
    def all_letters(self) -> int:
        """The All Letters bonus, if it was earned; else 0."""
        return sum(payment.all_letters for payment in self.payments)

    def best(self, word: str) -> int:
        """The best that a word has scored so far; 0 for a new one."""
        scores = (payment.score for payment in self.payments)
        return max((score.points for score in scores if score.word == word), default=0)

    def left(self, at: float) -> float | None:
        """Seconds left on the player's clock, 0 when it is over; None where it was not started."""
        if self.ended:
            return 0.0
        return None if self.ends_at is None else max(0.0, self.ends_at - at)

    def over(self, at: float) -> bool:
        """Whether nothing more can be played at this time."""
        return self.ended or (self.ends_at is not None and at >= self.ends_at)


@dataclass(frozen=True)
class Round:
    """One round: its number from 1, its tiles and what the players did on them."""

    number: int
    tiles: Tiles
    turns: Mapping[str, Turn]


@dataclass(frozen=True)
class Match:
    """A match so far.

    Attributes:
        plan: what was agreed.
        rounds: the rounds dealt, the last of which is being played.
    """

    plan: Plan
    rounds: tuple[Round, ...] = field(default=())

    @property
    def over(self) -> bool:
        """Whether all players are done with the last round."""
        return len(self.rounds) == ROUNDS and _all_ended(self.rounds[-1])

    @property
    def finished(self) -> tuple[Round, ...]:
        """The rounds that all players are done with."""
        return tuple(filter(_all_ended, self.rounds))

    @property
    def totals(self) -> Mapping[str, int]:
        """Points by player."""
        return {
            player: sum(played.turns[player].points for played in self.rounds)
            for player in self.plan.players
        }

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has most points: several where they are equal, nobody before the end or at 0."""
        if not self.over:
            return ()
        most = max(self.totals.values(), default=0)
        return tuple(player for player, points in self.totals.items() if points == most > 0)


def to_play(match: Match) -> str | None:
    """Whose turn it is; None where the next round's tiles are to be dealt, or all is over."""
    turns = match.rounds[-1].turns if match.rounds else {}
    return next((player for player, turn in turns.items() if not turn.ended), None)


def is_due(match: Match, at: float) -> bool:
    """Whether a `Tick` at this time ends a turn."""
    turns = match.rounds[-1].turns.values() if match.rounds else ()
    return any(turn.over(at) and not turn.ended for turn in turns)


@dataclass(frozen=True)
class Potential:
    """What a selection would score if it were submitted now, and what it would pay."""

    score: WordScore
    points: int


def potential(match: Match, player: str) -> Potential | None:
    """What the Letter Tray shows beside the selected letters: nothing where they are no word."""
    if not match.rounds:
        return None
    current, lexicon = match.rounds[-1], match.plan.lexicon
    turn = current.turns[player]
    try:
        payment = _payment(current, turn, turn.selected, lexicon)
    except RuleError:
        return None
    return Potential(payment.score, payment.points + payment.all_letters)


def play(plan: Plan, events: Iterable[Event]) -> Match:
    """The match that these events make.

    Raises:
        RuleError: one of them is not allowed.
    """
    return reduce(step, events, Match(plan))


def step(match: Match, event: Event) -> Match:
    """The match after one more event.

    Raises:
        RuleError: the rules do not allow it; the match is as it was.
    """
    match event:
        case Tick(at):
            return _tick(match, at)
        case Deal():
            return _deal(match, event)
        case _:
            return _move(match, event)


def _tick(match: Match, at: float) -> Match:
    if not match.rounds:
        return match
    current = match.rounds[-1]
    ended = {
        name: replace(turn, selected=(), ended=True)
        for name, turn in current.turns.items()
        if turn.over(at)
    }
    return _with_turns(match, {**current.turns, **ended})


def _deal(match: Match, event: Deal) -> Match:
    plan, number = match.plan, len(match.rounds) + 1
    match = _tick(match, event.at)
    if match.rounds and not _all_ended(match.rounds[-1]):
        raise refused(
            Rule.ROUND_GOES_ON,
            f"round {number - 1} is still being played: the next begins when all are done",
        )
    if number > ROUNDS:
        raise _match_over()
    bonuses = place_bonuses(event.board, number, plan.seed)
    tiles = Tiles(event.board, bonuses, plan.qu_value)
    turns = MappingProxyType({player: Turn() for player in plan.players})
    return replace(match, rounds=(*match.rounds, Round(number, tiles, turns)))


def _move(match: Match, event: Move) -> Match:
    current = _current(match, event)
    turn = current.turns[event.player]
    if isinstance(event, Start):
        turn = _started(turn, event, match.plan.seconds)
    elif isinstance(event, EndTurn):  # also without having started
        turn = replace(turn, selected=(), ended=True)
    else:
        _check_clock(turn, event)
        turn = _MOVES[type(event)](current, turn, event, match.plan.lexicon)
    return _with_turns(match, {**current.turns, event.player: turn})


def _current(match: Match, event: Move) -> Round:
    """The round that a move is for."""
    if event.player not in match.plan.players:
        known = ", ".join(match.plan.players)
        message = f"nobody called {event.player!r} plays; the players are {known}"
        raise refused(Rule.UNKNOWN_PLAYER, message)
    if match.over:
        raise _match_over()
    number = len(match.rounds)
    if event.round_number != number or not match.rounds:
        now = f"round {number} is being played" if number else "no round has been dealt"
        raise refused(
            Rule.WRONG_ROUND,
            f"{now}, and this was for round {event.round_number}: a word counts in the round "
            "whose tiles it is made of",
        )
    return match.rounds[-1]


def _started(turn: Turn, event: Start, seconds: float) -> Turn:
    if turn.ends_at is not None or turn.ended:
        message = f"{event.player} has started round {event.round_number} already: once is all"
        raise refused(Rule.STARTED, message)
    return replace(turn, ends_at=event.at + seconds)


def _check_clock(turn: Turn, event: Move) -> None:
    clock = f"{event.player}'s clock of round {event.round_number}"
    if turn.over(event.at):
        late = turn.ends_at is not None and event.at >= turn.ends_at
        ended = "is over" if late else "was given up"
        message = f"the time on {clock} {ended}: words count only while it runs"
        raise refused(Rule.TIME_OVER, message)
    if turn.ends_at is None:
        message = f"{clock} has not been started: words count while it runs"
        raise refused(Rule.NOT_STARTED, message)


def _select(current: Round, turn: Turn, event: Select, lexicon: Lexicon) -> Turn:
    if turn.selected and event.cell == turn.selected[-1]:
        return _submitted(current, turn, turn.selected, lexicon)
    check_step(current.tiles, turn.selected, event.cell)
    return replace(turn, selected=(*turn.selected, event.cell))


def _deselect(_current: Round, turn: Turn, event: Deselect, _lexicon: Lexicon) -> Turn:
    if event.cell is None:
        return replace(turn, selected=turn.selected[:-1])
    if event.cell not in turn.selected:
        message = f"{cell_name(event.cell)} is not selected, so the selection cannot go back to it"
        raise refused(Rule.NOT_SELECTED, message)
    return replace(turn, selected=turn.selected[: turn.selected.index(event.cell) + 1])


def _clear(_current: Round, turn: Turn, _event: Clear, _lexicon: Lexicon) -> Turn:
    return replace(turn, selected=())


def _submit(current: Round, turn: Turn, _event: Submit, lexicon: Lexicon) -> Turn:
    return _submitted(current, turn, turn.selected, lexicon)


def _play_path(current: Round, turn: Turn, event: PlayPath, lexicon: Lexicon) -> Turn:
    return _submitted(current, turn, event.path, lexicon)


def _play_word(current: Round, turn: Turn, event: PlayWord, lexicon: Lexicon) -> Turn:
    word = lexicon.folding(event.word.strip())
    _check_length(word, current.tiles)
    best = best_path(current.tiles, word)
    if best is None:
        raise _no_way(word, current.tiles)
    return _submitted(current, turn, best.path, lexicon)


_MOVES: Mapping[type[Move], Callable[[Round, Turn, Any, Lexicon], Turn]] = MappingProxyType(
    {
        Select: _select,
        Deselect: _deselect,
        Clear: _clear,
        Submit: _submit,
        PlayPath: _play_path,
        PlayWord: _play_word,
    }
)


def _submitted(current: Round, turn: Turn, path: Path, lexicon: Lexicon) -> Turn:
    payment = _payment(current, turn, path, lexicon)
    return replace(turn, selected=(), payments=(*turn.payments, payment))


def _payment(current: Round, turn: Turn, path: Path, lexicon: Lexicon) -> Payment:
    """What the word of a path pays.

    Raises:
        RuleError: it is no path or no word.
    """
    score = score_path(current.tiles, path)
    _check_length(score.word, current.tiles)
    if len(path) < FEWEST_CUBES:
        raise _one_tile(score.word)
    if score.word not in lexicon:
        message = f"“{score.word}” is not in the word list {lexicon.name}"
        raise refused(Rule.NOT_IN_LEXICON, message)
    payment = Payment(score, turn.best(score.word))
    after = replace(turn, payments=(*turn.payments, payment))
    complete = after.used.issuperset(current.tiles.lettered)
    earned = complete and payment.points > 0 and not turn.all_letters
    return replace(payment, all_letters=ALL_LETTERS if earned else 0)


def _check_length(word: str, tiles: Tiles) -> None:
    length, most = len(word), GAME.longest(len(tiles.board))
    if length < GAME.min_length:
        count = f"{length} letter{'' if length == 1 else 's'}"
        message = f"“{word}” has {count}: a word has {GAME.min_length} at least"
        raise refused(Rule.TOO_SHORT, message)
    if length > most:
        size = f"{tiles.board.rows}×{tiles.board.cols}"
        message = f"“{word[:most]}…” has {length} letters: on {size} a word has {most} at most"
        raise refused(Rule.TOO_LONG, message)


def _no_way(word: str, tiles: Tiles) -> RuleError:
    if any(word == letters(face) for face in tiles.board):
        return _one_tile(word)
    message = (
        f"no way from tile to tile spells “{word}”: letters must be connected, none used twice"
    )
    return refused(Rule.NOT_ON_BOARD, message)


def _one_tile(word: str) -> RuleError:
    return refused(Rule.ONE_TILE, f"“{word}” is one tile: a word takes {FEWEST_CUBES} at least")


def _match_over() -> RuleError:
    return refused(Rule.MATCH_OVER, f"the match is over: it has {ROUNDS} rounds")


def _all_ended(played: Round) -> bool:
    return all(turn.ended for turn in played.turns.values())


def _with_turns(match: Match, turns: Mapping[str, Turn]) -> Match:
    current = replace(match.rounds[-1], turns=MappingProxyType(dict(turns)))
    return replace(match, rounds=(*match.rounds[:-1], current))
