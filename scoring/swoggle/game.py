"""A match of Swoggle as `scoring.match.Rules`: every variant, turn by turn.

The events, each with ``at``, the moment in seconds:

=============  ===================================================================================
``start``      ``throws``: who begins; a list of throws, one a player, then one a tied player
``roll``       ``player``, ``die``, ``by``: a throw before the turn, and who threw or read it
``turn``       ``player``, ``turn`` (the notation), ``die`` unless rolled, ``bonus`` (throws)
``pass``       ``player``, ``die`` where known
``challenge``  ``by``, ``word``
``time_up``    the time of the match is over
=============  ===================================================================================

The game never throws a die itself. What the rulebook leaves open is decided in ``docs/swoggle.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError, Setup, field, moment
from scoring.nominated import nominated, nomination
from scoring.players import composed, unknown_player
from scoring.swoggle.board import Layout
from scoring.swoggle.plan import Plan, Variant
from scoring.swoggle.rules import (
    PIPS,
    Letters,
    Throws,
    Word,
    bonus_cells,
    check_words,
    new_words,
    score_words,
    share_throws,
    shown,
    written_squares,
)
from scoring.swoggle.state import End, Ending, Entry, LastTurn, Outcome, Seat, State
from scoring.swoggle.turn import Turn

NAME = "swoggle"
LETTERS_OF_FOURS = 4
MISSES_OUT = 2
"""Turns in a row without a word after which a player can write none any more."""

THROWN_BY = ("player", "program", "camera")
"""Who may have thrown a die, or read it: the field ``by`` of a ``roll``."""


@dataclass(frozen=True)
class Swoggle:
    """The rules, set up for a match.

    Attributes:
        plan: what the players agreed on.
        layout: the board.
        lexicon: the word list that decides.
        listed_as: how to find the word list again: a name or a file.
        seed: of the throws that the program makes.
    """

    plan: Plan
    layout: Layout
    lexicon: Lexicon
    listed_as: str
    seed: int = 0

    @classmethod
    def from_setup(cls, setup: Setup, find_lexicon: Callable[[str], Lexicon]) -> Swoggle:
        """The rules of a stored match.

        Args:
            setup: as of `setup`.
            find_lexicon: the word list by what `listed_as` says.

        Raises:
            RuleError, LayoutError: the setup is none.
        """
        layout = Layout.from_facts(setup.get("board"))
        plan, seed = Plan.from_setup(setup), field(setup, "seed", int)
        return cls(plan, layout, *nominated(setup, find_lexicon), seed)

    @property
    def name(self) -> str:
        """As of `scoring.match.Rules.name`."""
        return NAME

    @property
    def setup(self) -> Setup:
        """As of `scoring.match.Rules.setup`."""
        rest = {"seed": self.seed, "board": self.layout.facts}
        return self.plan.setup | nomination(self.lexicon, self.listed_as) | rest

    def start(self) -> State:
        """As of `scoring.match.Rules.start`."""
        began = self.plan.started if self._without_die else None
        return State({}, tuple(map(Seat, self.plan.players)), began=began)

    def apply(self, state: State, event: Event) -> State:
        """As of `scoring.match.Rules.apply`."""
        step = self._steps.get(field(event, "type", str))
        if step is None:
            raise RuleError("event", f"{event['type']!r} is no event of Swoggle", "Mend it.")
        return step(state, event, moment(event))

    def letters_to_write(self, state: State) -> int | None:
        """How many letters the next turn writes; None where the die is still to be thrown."""
        return LETTERS_OF_FOURS if self._without_die else state.die

    def letters_to_try(self, state: State, die: int | None) -> int | None:
        """As `letters_to_write`, or what a die shows that a player names.

        Raises:
            RuleError: the match is over, or there is no such die.
        """
        _check_not_over(state, self.plan)
        if self._without_die and die is not None:
            raise _no_die_in_fours()
        return self.letters_to_write(state) if die is None else checked_die(die)

    def throws_needed(self, state: State, event: Event) -> int:
        """How many throws the bonus squares of a turn take; its ``bonus`` may be missing.

        Raises:
            RuleError: as for the turn itself.
        """
        words, _, _ = self._words_of_turn(state, event)
        cells = () if self._without_die else bonus_cells(words, self.layout)
        return sum(self.layout[cell].kind.dice for cell in cells)

    @property
    def _without_die(self) -> bool:
        return self.plan.variant is Variant.FOURS

    @cached_property
    def _steps(self) -> Mapping[str, Callable[[State, Event, float], State]]:
        return {
            "start": self._start,
            "roll": self._roll,
            "turn": self._turn,
            "pass": self._pass,
            "challenge": self._challenge,
            "time_up": self._time_up,
        }

    @property
    def _list_name(self) -> str:
        return f"the word list {self.lexicon.name}"

    def _start(self, state: State, event: Event, at: float) -> State:
        if self.plan.variant in (Variant.FOURS, Variant.SOLO):
            raise RuleError(
                "start", f"nobody throws for the start of {self.plan.variant}", "Leave it out."
            )
        _check_not_over(state, self.plan)
        if state.sheet or state.die:
            raise RuleError("start", "the match has begun already", "Go on.")
        first, pips = thrown_off(field(event, "throws", list), len(state.seats))
        return replace(state, to_move=first, die=pips, began=at)

    def _roll(self, state: State, event: Event, at: float) -> State:
        self._check_open(state, event, at)
        if self._without_die:
            raise _no_die_in_fours()
        if state.die:
            raise RuleError(
                "die",
                f"a turn has one throw, and {state.mover.name} has thrown {state.die}",
                "Write the word, or pass.",
            )
        if event.get("by") not in THROWN_BY:
            raise RuleError("event", f"{event.get('by')!r} throws no dice", "Mend it.")
        die = checked_die(field(event, "die", int))
        return _since(replace(state, die=die, began=at), event)

    def _turn(self, state: State, event: Event, at: float) -> State:
        words, letters, turn = self._words_of_turn(state, event)
        throws = self._throws(words, _given_bonus(event))
        scored = score_words(words, self.layout, letters, throws)
        die = self._die(state, event)
        entry = Entry(state.mover.name, Outcome.SCORED, die, str(turn), scored)
        seat = replace(state.mover, points=state.mover.points + entry.points, misses=0)
        last = LastTurn(entry, replace(state, last=None))
        after = replace(state.noted(entry).seated(seat), letters=letters, last=last)
        return self._after_word(after, at)

    def _words_of_turn(self, state: State, event: Event) -> tuple[tuple[Word, ...], Letters, Turn]:
        """The new words of a turn, the letters on the board after it, and the turn as read."""
        at = field(event, "at", float)
        self._check_open(state, event, at)
        self._check_pace(state, at)
        count = self._count(state, _given_die(event))
        turn = Turn.parse(field(event, "turn", str))
        written = written_squares(turn, self.layout, state.letters, self.lexicon.folding)
        words = new_words(written, self.layout, state.letters, count, together=self._without_die)
        if self.plan.checked:
            check_words(words, self.lexicon.__contains__, self._list_name, written)
        return words, {**state.letters, **written}, turn

    def _pass(self, state: State, event: Event, at: float) -> State:
        self._check_open(state, event, at)
        entry = Entry(state.mover.name, Outcome.PASSED, self._die(state, event))
        return self._after_miss(_since(state.noted(entry), event), at)

    def _challenge(self, state: State, event: Event, at: float) -> State:
        by = _seat_of(state, field(event, "by", str)).name
        word = self.lexicon.folding(field(event, "word", str).strip())
        last = _challenged(state, word, by)
        if word in self.lexicon:
            proven = replace(last, proven=last.proven | {word}, since=(*last.since, event))
            return self._fined(replace(state, last=proven), by, at)
        remark = f"{by} challenged {shown(word)}, which is not in {self._list_name}"
        wiped = replace(last.entry, outcome=Outcome.WIPED, remark=remark)
        after = self._after_miss(last.before.noted(wiped), at)
        for passed in last.since:
            with suppress(RuleError):  # of a player who is out now, or after the end
                after = self._again(after, passed)
        return after

    def _again(self, state: State, event: Event) -> State:
        """What happened since a turn that was wiped off, without it."""
        if event["type"] == "challenge":
            return self._fined(state, _seat_of(state, event["by"]).name, event["at"])
        if event["type"] == "pass" and state.last_chance:
            return replace(state, die=None)  # nobody knew that this was the last throw
        return self.apply(state, event)

    def _fined(self, state: State, name: str, at: float) -> State:
        """A player loses the next turn: this one, if it is theirs."""
        seat = _seat_of(state, name)
        fined = state.seated(replace(seat, skips=seat.skips + 1))
        if state.end or seat != state.mover:
            return fined
        return self._seat_next(fined, state.to_move, at)

    def _time_up(self, state: State, event: Event, at: float) -> State:
        left = self.plan.time_left(at)
        if left is None or left > 0:
            raise RuleError("time", "the time of the match is not over", "Go on.")
        _check_not_over(state, self.plan)
        return _since(state, event).ended(Ending.TIME)

    def _after_word(self, state: State, at: float) -> State:
        mover, target = state.mover, self.plan.target
        if target is not None and mover.points >= target:
            return replace(state, end=End(Ending.TARGET, (mover.name,)), die=None)
        if state.last_chance:
            return state.ended(Ending.NO_WORD)
        return self._seat_next(state, state.to_move + 1, at)

    def _after_miss(self, state: State, at: float) -> State:
        seat = replace(state.mover, misses=state.mover.misses + 1)
        marathon = self.plan.variant is Variant.MARATHON
        if marathon and seat.misses >= MISSES_OUT:
            seat = replace(seat, out=True)
        state = state.seated(seat)
        if state.last_chance or self._nobody_can(state):
            return state.ended(Ending.NO_WORD)
        left = sum(not seat.out for seat in state.seats)
        state = replace(state, last_chance=marathon and left == 1)
        return self._seat_next(state, state.to_move + 1, at)

    def _nobody_can(self, state: State) -> bool:
        if self.plan.variant is Variant.SOLO:
            return bool(state.letters)  # before the first word a throw of 1 can only be passed
        if self.plan.variant is Variant.MARATHON:
            return False
        return all(seat.misses >= MISSES_OUT for seat in state.seats)

    def _seat_next(self, state: State, first: int, at: float) -> State:
        """Give the turn to the first player from a place on who is in and does not lose it."""
        place = first % len(state.seats)
        while (seat := state.seats[place]).out or seat.skips:
            if not seat.out:
                entry = Entry(seat.name, Outcome.SKIPPED, remark="lost by a challenge that failed")
                state = state.seated(replace(seat, skips=seat.skips - 1)).noted(entry)
                if state.last_chance:
                    return state.ended(Ending.NO_WORD)
            place = (place + 1) % len(state.seats)
        return replace(state, to_move=place, die=None, began=at if self._without_die else None)

    def _check_open(self, state: State, event: Event, at: float) -> None:
        _check_not_over(state, self.plan)
        left = self.plan.time_left(at)
        if left is not None and left <= 0:
            raise _time_over(self.plan)
        player = _seat_of(state, field(event, "player", str))
        if player != state.mover:
            raise RuleError(
                "not_your_turn",
                f"players take turns, and it is the turn of {state.mover.name}, not {player.name}",
                f"Let {state.mover.name} write a word, or pass.",
            )

    def _check_pace(self, state: State, at: float) -> None:
        limit = self.plan.turn_seconds
        if limit is not None and state.began is not None and at - state.began > limit:
            raise RuleError(
                "turn_time_over",
                f"a turn has {limit:g} seconds, and {at - state.began:.0f} have gone",
                "Pass.",
            )

    def _count(self, state: State, die: int | None) -> int:
        if self._without_die:
            if die is not None:
                raise _no_die_in_fours()
            return LETTERS_OF_FOURS
        if state.die is not None:
            if die not in (None, state.die):
                raise RuleError(
                    "die",
                    f"the die of this turn shows {state.die}, not {die}",
                    "Leave the die out: it has been thrown.",
                )
            return state.die
        if die is None:
            raise RuleError(
                "no_die",
                f"the die says how many letters to write, and {state.mover.name} has not thrown it",
                "Throw it first, or say what it shows.",
            )
        return checked_die(die)

    def _die(self, state: State, event: Event) -> int | None:
        """What the die of a turn shows; None in Fours, and where nobody has said."""
        given = _given_die(event)
        known = given is not None or self.letters_to_write(state) is not None
        count = self._count(state, given) if known else None
        return None if self._without_die else count

    def _throws(self, words: Sequence[Word], thrown: Sequence[int]) -> Throws:
        cells = bonus_cells(words, self.layout)
        if not self._without_die:
            return share_throws(thrown, cells, self.layout)
        if thrown:
            raise _no_die_in_fours()
        return {cell: (LETTERS_OF_FOURS * self.layout[cell].kind.dice,) for cell in cells}


def thrown_off(throws: Sequence[object], players: int) -> tuple[int, int]:
    """Who begins, and with which number: the highest throw; those who tie throw again.

    Args:
        throws: a list of throws, one a player; while several are highest, one more list with a
            throw for each of those.
        players: how many.

    Raises:
        RuleError: kind ``start``: a throw is missing, too many, or no face of a die.
    """
    tied, pips = list(range(players)), 0
    for thrown in throws:
        if not isinstance(thrown, list) or len(thrown) != len(tied) or len(tied) == 1:
            raise RuleError(
                "start", "each player throws once, and then those who tie", "Throw again."
            )
        numbers = [checked_die(die) for die in thrown]
        pips = max(numbers)
        tied = [player for player, die in zip(tied, numbers, strict=True) if die == pips]
    if len(tied) > 1:
        raise RuleError(
            "start",
            f"the highest throw begins, and {len(tied)} players are equal",
            "Let those throw again.",
        )
    return tied[0], pips


def checked_die(die: object) -> int:
    """What a die shows.

    Raises:
        RuleError: kind ``die``: it is no number from 1 to 6.
    """
    if not isinstance(die, int) or isinstance(die, bool) or die not in PIPS:
        raise RuleError("die", f"a die shows 1 to 6, not {die}", "Look at the die again.")
    return die


def _given_die(event: Event) -> int | None:
    return None if event.get("die") is None else checked_die(event["die"])


def _given_bonus(event: Event) -> Sequence[int]:
    thrown = event.get("bonus", [])
    if not isinstance(thrown, list) or not all(type(pips) is int for pips in thrown):
        raise RuleError("event", "the 'bonus' of the event is no list of throws", "Mend it.")
    return thrown


def _seat_of(state: State, name: str) -> Seat:
    for seat in state.seats:
        if seat.name.casefold() == composed(name).casefold():
            return seat
    raise unknown_player(name, [seat.name for seat in state.seats])


def _since(state: State, event: Event) -> State:
    """Remember an event that leaves the last words open to challenges."""
    last = state.last
    return replace(state, last=last and replace(last, since=(*last.since, event)))


def _challenged(state: State, word: str, by: str) -> LastTurn:
    """The turn that a challenge is about."""
    last = state.last
    if last is None or word not in last.words:
        raise _no_such_word(state, word)
    if _seat_of(state, by).name == last.entry.player:
        raise RuleError(
            "challenge_own", "players challenge the words of others, not their own", "Undo it."
        )
    if word in last.proven:
        raise RuleError(
            "challenge_again",
            f"{shown(word)} has been challenged, and is in the word list",
            "Go on.",
        )
    return last


def _no_such_word(state: State, word: str) -> RuleError:
    written = Counter(
        scored.word.text
        for entry in state.sheet
        if entry.outcome is Outcome.SCORED
        for scored in entry.words
    )
    if word in written:
        return RuleError(
            "challenge_late",
            f"a challenge must be made before the next word is written, and {shown(word)} was "
            "written before the last turn",
            "Let it stand.",
        )
    words = ", ".join(map(shown, state.last.words)) if state.last else "none"
    return RuleError(
        "challenge_word",
        f"{shown(word)} is no new word of the last turn",
        f"Words that can be challenged now: {words}.",
    )


def _check_not_over(state: State, plan: Plan) -> None:
    if state.end is None:
        return
    if state.end.ending is Ending.TIME:
        raise _time_over(plan)
    raise RuleError("match_over", "the match is over", "Look at the scores, or begin another.")


def _time_over(plan: Plan) -> RuleError:
    return RuleError(
        "time_over",
        f"the time that was agreed on, {plan.minutes:g} minutes, is over",
        "Look at the scores, or begin another match.",
    )


def _no_die_in_fours() -> RuleError:
    return RuleError(
        "die", "Fours is played without a die: four letters each turn", "Leave the dice out."
    )
