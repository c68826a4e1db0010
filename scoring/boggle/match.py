"""A match of the Boggle family as `scoring.match.Rules`: round by round to the winner.

The events, each with ``at``, the moment in seconds:

===============  =================================================================================
``board``        ``board``: a round begins
``start``        the sand timer is turned
``word``         ``player``, ``word``: typed while the sand runs
``list``         ``player``, ``lines``: a list as it was written in time
``last_chance``  ``player`` turns the sand timer (Boggle Ultimate)
``agree``        ``player`` agrees to end the writing (Boggle Ultimate)
``read_aloud``   ``player``: whose turn it is reads the list
``challenge``    ``word``, ``of``, ``by``: the word list decides
``reject``       ``word``, ``of``: the referee decides (Boggle Ultimate)
``end_round``    the lists are scored
===============  =================================================================================

A match without anybody at a timer is a board, lists and an end; all else is for the table that
wants it. What the rule books leave open is decided in ``docs/rules.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.board import Board, BoardError
from scoring.boggle.plan import Plan
from scoring.boggle.state import Challenge, Round, Standing, State
from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError, Setup, field, moment
from scoring.nominated import nominated, nomination
from scoring.players import composed, unknown_player
from scoring.referee import JudgedWord, RoundResult, Verdict, leaders, score_round
from scoring.rules import fitted
from scoring.wordlist import parse_word_list

NAME = "boggle"


@dataclass(frozen=True)
class StrikeOut:
    """A word that is off a list already, while lists are read aloud.

    Attributes:
        player: whose list.
        word: the word.
        reason: who has it too.
    """

    player: str
    word: str
    reason: str


@dataclass(frozen=True)
class Boggle:
    """The rules, set up for a match.

    Attributes:
        plan: what the players agreed on.
        lexicon: the nominated word list.
        listed_as: how to find it again: a name or a file.
    """

    plan: Plan
    lexicon: Lexicon
    listed_as: str

    @classmethod
    def from_setup(cls, setup: Setup, find_lexicon: Callable[[str], Lexicon]) -> Boggle:
        """The rules of a stored match.

        Args:
            setup: as of `setup`.
            find_lexicon: the word list by what `listed_as` says.

        Raises:
            RuleError: the setup is none.
        """
        return cls(Plan.from_setup(setup), *nominated(setup, find_lexicon))

    @property
    def name(self) -> str:
        """As of `scoring.match.Rules.name`."""
        return NAME

    @property
    def setup(self) -> Setup:
        """As of `scoring.match.Rules.setup`."""
        return self.plan.setup | nomination(self.lexicon, self.listed_as)

    def start(self) -> State:
        """As of `scoring.match.Rules.start`."""
        return State((), self._standings(()))

    def apply(self, state: State, event: Event) -> State:
        """As of `scoring.match.Rules.apply`."""
        kind, at = field(event, "type", str), moment(event)
        if kind == "board":
            return self._board(state, event)
        step = self._steps.get(kind)
        if step is None:
            raise RuleError("event", f"{kind!r} is no event of Boggle", "Mend it.")
        return self._with(state, step(self._open(state, kind), event, at))

    def score(self, played: Round) -> RoundResult:
        """The result of a round by the lists and challenges so far."""
        lists = {player: played.entries(player) for player in self.plan.players}
        return score_round(
            played.board,
            lists,
            self.lexicon,
            played.game,
            seating=self.plan.seating,
            challenged=played.challenged,
            rejected=played.rejected,
        )

    def strike_outs(self, played: Round) -> tuple[StrikeOut, ...]:
        """What the lists read aloud so far have struck, off all lists."""
        shared = [
            (player.name, word)
            for player in self.score(played).players
            for word in player.words
            if word.verdict is Verdict.SHARED
        ]
        heard = {word.word for player, word in shared if player in played.read}
        return tuple(
            StrikeOut(player, word.word, word.reason)
            for player, word in shared
            if word.word in heard
        )

    def reader(self, played: Round) -> str | None:
        """Who reads next; None where all have."""
        return next((name for name in self.plan.players if name not in played.read), None)

    def missing(self, played: Round, at: float) -> tuple[str, ...]:
        """Whose list is not complete: not handed in, nor typed until the writing was over."""
        complete = set(played.handed_in)
        if self._writing_over(played, at):
            complete |= set(played.lines)
        return tuple(name for name in self.plan.players if name not in complete)

    @cached_property
    def _steps(self) -> Mapping[str, Callable[[Round, Event, float], Round]]:
        return {
            "start": self._start,
            "word": self._word,
            "list": self._list,
            "last_chance": self._last_chance,
            "agree": self._agree,
            "read_aloud": self._read_aloud,
            "challenge": self._challenge,
            "reject": self._reject,
            "end_round": self._end_round,
        }

    def _board(self, state: State, event: Event) -> State:
        if state.over:
            raise _match_over()
        if state.open_round is not None:
            raise RuleError(
                "round_open",
                f"round {state.open_round.number} is still being played",
                "End it first, or take its board back.",
            )
        try:
            board = Board.parse(field(event, "board", str))
        except BoardError as error:
            raise RuleError("board", str(error), "Write it as IETC/HQuPE/SEYH/TOER.") from None
        played = Round(len(state.rounds) + 1, board, fitted(self.plan.game, board))
        return replace(state, rounds=(*state.rounds, played))

    def _open(self, state: State, kind: str) -> Round:
        played = state.open_round
        if played is not None:
            return played
        if kind in ("challenge", "reject") and state.rounds:
            raise RuleError(
                "too_late",
                f"round {state.rounds[-1].number} is ended: a word is challenged before the round "
                "is scored",
                "Take the end of the round back if all agree to it.",
            )
        if state.over:
            raise _match_over()
        raise RuleError("no_round", "no round is being played", "Give the board of the next one.")

    def _start(self, played: Round, _event: Event, at: float) -> Round:
        if played.game.conduct.open_ended:
            raise RuleError(
                "open_ended",
                f"{played.game.title} opens without a timer",
                "It is turned by whoever declares the last chance.",
            )
        return self._turned(played, at)

    def _last_chance(self, played: Round, event: Event, at: float) -> Round:
        self._check_open_ended(played, at)
        declared = replace(played, last_chance=self._player(event, "player"))
        return self._turned(declared, at)

    def _turned(self, played: Round, at: float) -> Round:
        _check_sand(played, at)
        if played.deadline is not None:
            raise RuleError(
                "timer_running",
                f"the sand timer of round {played.number} runs already: it is turned once",
                "Write on.",
            )
        if not self.missing(played, at):
            raise RuleError(
                "lists_in",
                f"all lists of round {played.number} are in: the sand runs while they are written",
                "Read them aloud, or end the round.",
            )
        return replace(played, deadline=at + played.game.timer_s)

    def _agree(self, played: Round, event: Event, at: float) -> Round:
        self._check_open_ended(played, at)
        player = self._player(event, "player")
        agreed = played.agreed if player in played.agreed else (*played.agreed, player)
        return replace(played, agreed=agreed)

    def _check_open_ended(self, played: Round, at: float) -> None:
        if not played.game.conduct.open_ended:
            raise RuleError(
                "not_open_ended",
                f"{played.game.title} is played against the sand timer from the start: last chance "
                "and agreeing to end belong to Boggle Ultimate",
                "Turn the timer with the beginning of the round.",
            )
        _check_sand(played, at)
        if self._agreed(played):
            raise RuleError(
                "agreed", f"all agreed that round {played.number} is over", "Hand in the lists."
            )

    def _word(self, played: Round, event: Event, at: float) -> Round:
        player = self._player(event, "player")
        _check_sand(played, at)
        if self._agreed(played):
            raise RuleError(
                "agreed", f"all agreed that round {played.number} is over", "Hand in the lists."
            )
        if played.deadline is None and not played.game.conduct.open_ended:
            raise RuleError(
                "not_started",
                f"the sand timer of round {played.number} has not been turned: words are written "
                "while it runs",
                "Turn it first.",
            )
        self._check_not_handed_in(played, player)
        lines = {**played.lines, player: (*played.lines.get(player, ()), _single(event))}
        return replace(played, lines=lines)

    def _list(self, played: Round, event: Event, at: float) -> Round:
        player = self._player(event, "player")
        written = field(event, "lines", list)
        if not all(isinstance(line, str) for line in written):
            raise RuleError("event", "a line of the list is no text", "Mend it.")
        self._check_not_handed_in(played, player)
        self._check_writing_over(played, at)
        lines = {**played.lines, player: (*played.lines.get(player, ()), *written)}
        return replace(played, lines=lines, handed_in=(*played.handed_in, player))

    def _check_not_handed_in(self, played: Round, player: str) -> None:
        if player in played.handed_in or played.read or played.challenges:
            raise RuleError(
                "list_complete",
                f"the list of {player} in round {played.number} is complete: it is handed in once",
                "Take that back first, if it was a mistake.",
            )

    def _check_writing_over(self, played: Round, at: float) -> None:
        """In Boggle Ultimate nobody hands in while writing may go on."""
        if played.game.conduct.open_ended and not self._writing_over(played, at):
            raise RuleError(
                "writing",
                f"round {played.number} is still being written: it ends when the sand of the last "
                "chance has run through, or when both agree",
                "Declare the last chance, or agree to end.",
            )

    def _writing_over(self, played: Round, at: float) -> bool:
        sand_through = played.deadline is not None and at >= played.deadline
        return sand_through or self._agreed(played)

    def _agreed(self, played: Round) -> bool:
        return set(played.agreed) == set(self.plan.players)

    def _read_aloud(self, played: Round, event: Event, at: float) -> Round:
        player = self._player(event, "player")
        self._check_lists(played, at)
        reader = self.reader(played)
        if reader is None:
            raise RuleError("all_read", "all lists have been read", "End the round.")
        if player != reader:
            raise RuleError(
                "not_your_turn",
                f"it is the turn of {reader} to read, not of {player}: lists are read in the order "
                "of the table",
                f"Let {reader} read.",
            )
        return replace(played, read=(*played.read, player))

    def _challenge(self, played: Round, event: Event, at: float) -> Round:
        self._check_lists(played, at)
        word, of = self._listed(played, event)
        by = self._player(event, "by")
        if by == of:
            raise RuleError(
                "challenge_own", "players challenge the words of others, not their own", "Go on."
            )
        upheld = word not in self.lexicon
        return self._called(played, Challenge(word, of, by, upheld))

    def _reject(self, played: Round, event: Event, at: float) -> Round:
        if not played.game.conduct.open_ended:
            raise RuleError(
                "no_referee",
                f"in {played.game.title} the word list decides: a referee at the table belongs to "
                "Boggle Ultimate",
                "Challenge the word.",
            )
        self._check_lists(played, at)
        word, of = self._listed(played, event)
        return self._called(played, Challenge(word, of, None, upheld=True))

    def _called(self, played: Round, challenge: Challenge) -> Round:
        if any(earlier.word == challenge.word for earlier in played.challenges):
            raise RuleError(
                "challenged",
                f"{challenge.word!r} has been decided on in this round: once is all",
                "Go on.",
            )
        return replace(played, challenges=(*played.challenges, challenge))

    def _listed(self, played: Round, event: Event) -> tuple[str, str]:
        """The word that an event is about, and on whose list it stands."""
        word, of = _single(event), self._player(event, "of")
        folded = self.lexicon.folding(parse_word_list(word)[0].word or "")
        words = (entry.word for entry in played.entries(of))
        if folded not in {self.lexicon.folding(each) for each in words if each}:
            raise RuleError(
                "not_listed",
                f"{word!r} is not on the list of {of} in round {played.number}: only a word that "
                "somebody wrote can be challenged",
                "Look at the lists, and name whose list it stands on.",
            )
        return folded, of

    def _end_round(self, played: Round, _event: Event, at: float) -> Round:
        self._check_lists(played, at)
        reader = self.reader(played)
        if played.read and reader is not None:
            raise RuleError(
                "reading",
                f"the lists are being read aloud, and {reader} has not read yet",
                f"Let {reader} read first.",
            )
        return replace(played, result=self.score(played))

    def _check_lists(self, played: Round, at: float) -> None:
        missing = self.missing(played, at)
        if missing:
            raise RuleError(
                "list_missing",
                f"the list of {' and '.join(missing)} is not in: all lists of a round are compared",
                "Hand it in; an empty one will do.",
            )

    def _player(self, event: Event, name: str) -> str:
        player = composed(field(event, name, str))
        if player not in self.plan.players:
            raise unknown_player(player, self.plan.players)
        return player

    def _with(self, state: State, played: Round) -> State:
        rounds = (*state.rounds[:-1], played)
        if played.result is None:
            return replace(state, rounds=rounds)
        standings = self._standings(rounds)
        over = self._over(len(rounds), standings)
        ranks = {side.name: (side.total, side.lengths) for side in standings}
        return State(rounds, standings, leaders(ranks) if over else (), over)

    def _over(self, rounds: int, standings: tuple[Standing, ...]) -> bool:
        if self.plan.rounds is not None and rounds >= self.plan.rounds:
            return True
        target = self.plan.target
        return target is not None and any(side.total >= target for side in standings)

    def _standings(self, rounds: tuple[Round, ...]) -> tuple[Standing, ...]:
        results = [played.result for played in rounds if played.result is not None]
        return tuple(self._standing(name, results) for name in self.plan.sides)

    def _standing(self, name: str, results: list[RoundResult]) -> Standing:
        members = tuple(p for p in self.plan.players if self.plan.seating.side(p) == name)
        sides = [side for result in results for side in result.sides if side.name == name]
        lengths = sorted((length for side in sides for length in side.lengths), reverse=True)
        return Standing(name, members, tuple(side.points for side in sides), tuple(lengths))


def _single(event: Event) -> str:
    """The single word of an event, as it was written."""
    word = field(event, "word", str)
    entries = parse_word_list(word)
    if len(entries) != 1 or entries[0].word is None:
        why = entries[0].problem if len(entries) == 1 else "not one word"
        raise RuleError("no_word", f"{word!r} is no word: {why}", "Give one word of letters.")
    return word


def explain_word(word: JudgedWord) -> str:
    """A word's line of the score sheet, such as ``"quest: +2, 2 points for 5 letters"``."""
    points = f"{word.points:+d}" if word.points else "0"
    return f"{word.word}: {points}, {word.reason}"


def explain_winner(state: State) -> str:
    """How the match was decided, one sentence; empty while it goes on."""
    if not state.over:
        return ""
    if not state.winners:
        return "Nobody has any points, so nobody wins."
    most = max(side.total for side in state.standings)
    tied = [side for side in state.standings if side.total == most]
    who = " and ".join(state.winners)
    if len(tied) == 1:
        return f"{who} has most points: {most}."
    names = " and ".join(side.name for side in tied)
    if len(state.winners) == len(tied):
        return f"{names} have {most} points each and words of the same lengths: they share it."
    return f"{names} have {most} points each; {who} has the longer scoring words."


def _check_sand(played: Round, at: float) -> None:
    if played.deadline is not None and at >= played.deadline:
        raise RuleError(
            "timer_over",
            f"the sand of round {played.number} has run through: when the timer is over everyone "
            "stops writing",
            "Hand in the lists.",
        )


def _match_over() -> RuleError:
    return RuleError("match_over", "the match is over", "Begin another one.")
