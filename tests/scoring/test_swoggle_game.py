"""Matches of Swoggle: turns, dice, challenges, every variant, and how each of them ends."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypedDict, Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Cell
from scoring.lexicon import Lexicon, LexiconError
from scoring.match import Match, MatchError, RuleError, Setup
from scoring.swoggle.board import Layout, LayoutError, builtin_layout
from scoring.swoggle.game import Swoggle
from scoring.swoggle.moves import WordIndex, find_moves
from scoring.swoggle.plan import Plan
from scoring.swoggle.state import Ending, Outcome, State

WORDS = Lexicon.from_words(
    "mine", ["parade", "parades", "seat", "hem", "me", "merry", "team", "at"]
)
FIRST = ("8 5 across PARADE", 6)


class Agreed(TypedDict, total=False):
    """What `Plan.agree` takes besides the players."""

    variant: str
    target: int
    minutes: float
    turn_seconds: float
    checked: bool


class Play:
    """A match of the tests, with players named by their first letters."""

    def __init__(
        self, players: str = "ab", *, words: Lexicon = WORDS, **agreed: Unpack[Agreed]
    ) -> None:
        plan = Plan.agree(list(players), **agreed)
        rules = Swoggle(plan, builtin_layout(), words, words.name)
        self.match: Match[State] = Match.new(rules)

    @property
    def state(self) -> State:
        return self.match.state

    def do(self, kind: str, at: float = 0.0, **given: object) -> Play:
        self.match = self.match.play({"type": kind, "at": at, **given})
        return self

    def turn(self, turn: str, die: int | None = None, at: float = 0.0, **given: object) -> Play:
        shows = {} if die is None else {"die": die}
        player = given.pop("player", self.state.mover.name)
        return self.do("turn", at, player=player, turn=turn, **shows, **given)

    def skip(self, at: float = 0.0, **given: object) -> Play:
        return self.do("pass", at, player=self.state.mover.name, **given)

    @property
    def end(self) -> tuple[Ending, tuple[str, ...]] | None:
        end = self.state.end
        return None if end is None else (end.ending, end.winners)

    @property
    def points(self) -> list[int]:
        return list(self.state.points.values())


def kind_of(play: Callable[[], object]) -> str:
    with pytest.raises(RuleError) as caught:
        play()
    assert caught.value.advice
    return caught.value.kind


def example() -> Play:
    """The four turns of the rulebook's examples."""
    return (
        Play()
        .turn(*FIRST)
        .turn("8 11 down SEAT", 4)
        .turn("7 10 down H(E)M", 2)
        .turn("9 10 across (ME)RRY", 3)
    )


class TestTurns:
    def test_the_examples_of_the_rulebook_in_a_row(self) -> None:
        play = example()
        assert [entry.points for entry in play.state.sheet] == [17, 32, 16, 14]
        assert play.points == [33, 46]
        assert play.state.mover.name == "a"

    def test_a_broken_rule_leaves_the_match_as_it_was(self) -> None:
        play = Play().turn(*FIRST)
        before = play.match
        assert kind_of(lambda: play.turn("8 11 down SEX", 3)) == "not_a_word"
        assert play.match is before

    def test_the_die_may_be_thrown_first(self) -> None:
        thrown = Play().do("roll", player="a", die=6, by="camera")
        assert thrown.state.die == 6
        written = thrown.turn(FIRST[0])
        assert (written.points, written.state.die is None) == ([17, 0], True)

    @pytest.mark.parametrize("by", ["player", "program", "camera"])
    def test_anybody_known_may_throw(self, by: str) -> None:
        assert Play().do("roll", player="a", die=1, by=by).state.die == 1

    def test_players_unknown_or_out_of_turn_are_told(self) -> None:
        play = Play()
        assert kind_of(lambda: play.turn(*FIRST, player="zed")) == "unknown_player"
        assert kind_of(lambda: play.turn(*FIRST, player="b")) == "not_your_turn"
        assert kind_of(lambda: play.do("pass", player="b")) == "not_your_turn"
        assert kind_of(lambda: play.do("roll", player="b", die=1, by="player")) == "not_your_turn"

    def test_a_die_is_needed_once_and_shows_one_to_six(self) -> None:
        play = Play()
        assert kind_of(lambda: play.turn(FIRST[0])) == "no_die"
        assert kind_of(lambda: play.turn(FIRST[0], 7)) == "die"
        play.do("roll", player="a", die=6, by="player")
        assert kind_of(lambda: play.do("roll", player="a", die=6, by="player")) == "die"
        assert kind_of(lambda: play.turn(FIRST[0], 5)) == "die"
        play.turn(FIRST[0], 6)

    @pytest.mark.parametrize(
        "event",
        [
            {},
            {"type": "dance", "at": 0.0},
            {"type": "turn", "at": 0.0},
            {"type": "turn", "player": "a", "turn": FIRST[0], "die": 6},
            {"type": "turn", "player": "a", "turn": 5, "die": 6, "at": 0.0},
            {"type": "turn", "player": "a", "turn": FIRST[0], "die": 6, "at": 0.0, "bonus": [True]},
            {"type": "roll", "player": "a", "die": 6, "by": "wind", "at": 0.0},
            {"type": "pass", "player": "a", "at": float("nan")},
            {"type": "challenge", "by": "a", "at": 0.0},
        ],
    )
    def test_events_of_another_form_are_refused(self, event: dict[str, Any]) -> None:
        assert kind_of(lambda: Play().match.play(event)) == "event"

    def test_a_bonus_square_has_one_value_a_turn_in_both_words(self) -> None:
        words = Lexicon.from_words("mine", ["ac", "bd", "ab", "cd"])
        facts = {"name": "a", "title": "b", "source": "c", "squares": "1+ o\n1 1"}
        rules = Swoggle(Plan.agree(["a", "b"]), Layout.from_facts(facts), words, "mine")
        match = Match.new(rules)
        for player, turn, bonus in (("a", "1 1 down AC", []), ("b", "1 2 down BD", [5])):
            event = {"type": "turn", "player": player, "turn": turn, "die": 2, "bonus": bonus}
            match = match.play({**event, "at": 0.0})
        points = {word.word.text: word.points for word in match.state.sheet[-1].words}
        assert points == {"bd": 6, "ab": 6, "cd": 2}

    def test_a_bonus_square_is_thrown_anew_when_its_letter_is_used_again(self) -> None:
        words = Lexicon.from_words("mine", ["ab", "abc"])
        facts = {"name": "a", "title": "b", "source": "c", "squares": "1+ y 1"}
        rules = Swoggle(Plan.agree(["a", "b"]), Layout.from_facts(facts), words, "mine")
        match = Match.new(rules)
        turns = (("a", "1 1 across AB", 2, [1, 1]), ("b", "1 3 across C", 1, [6, 5]))
        for player, turn, die, bonus in turns:
            event = {"type": "turn", "player": player, "turn": turn, "die": die, "bonus": bonus}
            match = match.play({**event, "at": 0.0})
        assert match.state.points == {"a": 3, "b": 13}


class TestStart:
    def test_the_highest_throw_begins_with_its_number(self) -> None:
        play = Play("abc").do("start", throws=[[2, 5, 4]])
        assert (play.state.mover.name, play.state.die) == ("b", 5)

    def test_those_who_tie_throw_again(self) -> None:
        play = Play("abc").do("start", throws=[[5, 2, 5], [3, 3], [1, 4]])
        assert (play.state.mover.name, play.state.die) == ("c", 4)

    @pytest.mark.parametrize(
        "throws", [[], [[3]], [[3, 3, 1]], [[5, 2, 5], [3]], [[5, 2, 1], [3]], [3], ["abc"]]
    )
    def test_throws_that_settle_nothing_are_refused(self, throws: list[Any]) -> None:
        assert kind_of(lambda: Play("abc").do("start", throws=throws)) in ("start", "die")

    def test_it_is_for_the_beginning_of_a_game_with_a_die(self) -> None:
        assert kind_of(lambda: Play().turn(*FIRST).do("start", throws=[[1, 2]])) == "start"

    @pytest.mark.parametrize(("players", "variant"), [("ab", "fours"), ("a", "solo")])
    def test_the_other_games_have_no_throw_for_the_start(self, players: str, variant: str) -> None:
        play = Play(players, variant=variant)
        assert kind_of(lambda: play.do("start", throws=[[1, 2]])) == "start"


class TestChallenges:
    def open(self, players: str = "ab", **agreed: Unpack[Agreed]) -> Play:
        """A match in which words are taken unseen; the first is none."""
        agreed["checked"] = False
        return Play(players, **agreed).turn("8 5 across PARADX", 6)

    def test_a_word_that_is_none_comes_off_and_scores_nothing(self) -> None:
        play = self.open().do("challenge", by="b", word="Paradx")
        assert (play.state.letters, play.points, play.state.mover.name) == ({}, [0, 0], "b")
        (entry,) = play.state.sheet
        assert entry.outcome is Outcome.WIPED
        assert "PARADX" in entry.remark
        assert entry.points == 0
        assert kind_of(lambda: play.turn("1 1 across TEAM", 4)) == "first_on_cross"

    def test_a_word_that_is_one_costs_the_challenger_the_next_turn(self) -> None:
        play = Play("abc").turn(*FIRST).do("challenge", by="c", word="PARADE")
        play.turn("8 11 down SEAT", 4)
        assert play.state.mover.name == "a"
        assert play.state.sheet[-1].outcome is Outcome.SKIPPED
        assert [seat.skips for seat in play.state.seats] == [0, 0, 0]

    def test_who_is_to_move_loses_this_turn_and_its_throw(self) -> None:
        play = Play().turn(*FIRST).do("roll", player="b", die=4, by="player")
        play.do("challenge", by="b", word="parade")
        assert (play.state.mover.name, play.state.die, play.points) == ("a", None, [17, 0])

    def test_it_may_be_made_after_a_throw_or_a_pass_and_these_stay(self) -> None:
        play = self.open("abc").skip(die=3).do("roll", player="c", die=2, by="program")
        play.do("challenge", by="b", word="paradx")
        assert (play.state.mover.name, play.state.die) == ("c", 2)
        outcomes = [entry.outcome for entry in play.state.sheet]
        assert outcomes == [Outcome.WIPED, Outcome.PASSED]

    def test_it_is_too_late_once_the_next_word_is_written(self) -> None:
        play = Play().turn(*FIRST).turn("8 11 down SEAT", 4)
        assert kind_of(lambda: play.do("challenge", by="b", word="parade")) == "challenge_late"

    def test_other_wrong_challenges_are_told_apart(self) -> None:
        play = Play("abc")
        assert kind_of(lambda: play.do("challenge", by="b", word="seat")) == "challenge_word"
        play.turn(*FIRST)
        assert kind_of(lambda: play.do("challenge", by="b", word="seat")) == "challenge_word"
        assert kind_of(lambda: play.do("challenge", by="a", word="parade")) == "challenge_own"
        assert kind_of(lambda: play.do("challenge", by="z", word="parade")) == "unknown_player"
        play.do("challenge", by="c", word="parade")
        assert kind_of(lambda: play.do("challenge", by="b", word="parade")) == "challenge_again"

    def test_a_fine_stays_when_another_word_of_the_turn_is_wiped(self) -> None:
        play = Play("abc", checked=False).turn(*FIRST).turn("8 11 down SXYZ", 4)
        play.do("challenge", by="c", word="parades").do("challenge", by="a", word="sxyz")
        assert [entry.outcome for entry in play.state.sheet] == [
            Outcome.SCORED,
            Outcome.WIPED,
            Outcome.SKIPPED,
        ]
        assert play.state.mover.name == "a"

    def test_fines_and_throws_since_keep_their_order_when_a_turn_is_wiped(self) -> None:
        play = Play("abcd", checked=False).turn(*FIRST).turn("8 11 down SXYZ", 4)
        play.do("roll", player="c", die=1, by="player")
        play.do("challenge", by="c", word="parades")  # c loses this turn with its throw
        play.skip(die=2).do("roll", player="a", die=3, by="player")  # d passes
        play.do("challenge", by="d", word="sxyz")
        assert (play.state.mover.name, play.state.die, play.points) == ("a", 3, [17, 0, 0, 0])
        assert [(entry.player, entry.outcome) for entry in play.state.sheet] == [
            ("a", Outcome.SCORED),
            ("b", Outcome.WIPED),
            ("c", Outcome.SKIPPED),
            ("d", Outcome.PASSED),
        ]

    def test_a_fine_after_a_pass_is_for_the_next_turn_even_if_a_turn_is_wiped(self) -> None:
        play = Play("abc", checked=False).turn(*FIRST).turn("8 11 down SXYZ", 4).skip()
        play.do("challenge", by="c", word="parades").do("challenge", by="a", word="sxyz")
        assert play.state.mover.name == "a"
        assert [seat.skips for seat in play.state.seats] == [0, 0, 1]

    def test_what_a_player_did_who_is_out_without_the_word_is_left_out(self) -> None:
        play = Play("abc", checked=False, variant="marathon").skip().turn(*FIRST).skip()
        play.turn("8 11 down SXYZ", 4).skip().skip().skip()  # a writes; b, c, a pass
        play.do("challenge", by="b", word="sxyz")
        assert [seat.out for seat in play.state.seats] == [True, False, True]
        assert play.state.mover.name == "b"

    def test_a_winning_word_can_be_challenged_and_the_match_goes_on(self) -> None:
        won = self.open(target=10)
        assert won.end == (Ending.TARGET, ("a",))
        again = won.do("challenge", by="b", word="paradx").state
        assert (again.end is None, again.mover.name) == (True, "b")

    def test_a_list_of_checked_words_can_be_challenged_in_vain_only(self) -> None:
        play = Play().turn(*FIRST).do("challenge", by="b", word="parade")
        assert (play.points, play.state.mover.name) == ([17, 0], "a")

    def test_in_a_marathon_a_wiped_turn_is_one_without_a_word(self) -> None:
        play = self.open(variant="marathon").do("challenge", by="b", word="paradx")
        play.skip().turn("8 5 across PARADX", 6).do("challenge", by="b", word="paradx")
        assert [seat.out for seat in play.state.seats] == [True, False]
        assert play.state.last_chance


class TestEnds:
    @pytest.mark.parametrize(("players", "target"), [("ab", 300), ("abcd", 250), ("abcde", 300)])
    def test_points_that_win(self, players: str, target: int) -> None:
        assert Plan.agree(list(players)).target == target

    def test_fours_is_played_to_300_by_four_players_too(self) -> None:
        assert Plan.agree(list("abcd"), "fours").target == 300

    def test_the_first_to_reach_the_target_wins_at_once(self) -> None:
        play = Play(target=30).turn(*FIRST).turn("8 11 down SEAT", 4)
        assert play.end == (Ending.TARGET, ("b",))
        assert kind_of(lambda: play.turn("7 10 down H(E)M", 2)) == "match_over"
        assert kind_of(play.skip) == "match_over"

    def test_when_the_time_is_over_most_points_win(self) -> None:
        play = Play(minutes=1).turn(*FIRST, at=59.0)
        assert kind_of(lambda: play.turn("8 11 down SEAT", 4, at=60.0)) == "time_over"
        assert kind_of(lambda: play.do("time_up", at=59.9)) == "time"
        play.do("time_up", at=60.0)
        assert play.end == (Ending.TIME, ("a",))
        assert kind_of(lambda: play.skip(at=0.0)) == "time_over"
        assert kind_of(lambda: play.do("time_up", at=61.0)) == "time_over"

    def test_without_a_limit_no_time_is_over(self) -> None:
        assert kind_of(lambda: Play().do("time_up", at=1e9)) == "time"

    def test_where_nobody_scored_nobody_wins(self) -> None:
        play = Play(minutes=1).do("time_up", at=60.0)
        assert play.end == (Ending.TIME, ())

    def test_equal_points_share_the_win(self) -> None:
        play = Play(minutes=1, words=Lexicon.from_words("mine", ["at", "ta", "tt"]))
        play.turn("8 8 across AT", 2).turn("9 8 across T", 1).do("time_up", at=60.0)
        assert play.points == [6, 6]
        assert play.end == (Ending.TIME, ("a", "b"))

    def test_the_last_word_can_be_challenged_when_the_time_is_over(self) -> None:
        play = Play(minutes=1, checked=False).turn("8 5 across PARADX", 6).do("time_up", at=60.0)
        play.do("challenge", by="b", word="paradx", at=70.0)
        assert (play.points, play.end) == ([0, 0], (Ending.TIME, ()))

    def test_a_turn_has_its_own_time_from_the_throw_on(self) -> None:
        play = Play(turn_seconds=30).do("roll", 100.0, player="a", die=6, by="player")
        assert kind_of(lambda: play.turn(FIRST[0], at=131.0)) == "turn_time_over"
        play.skip(at=131.0)
        assert play.state.mover.name == "b"
        assert Play(turn_seconds=30).turn(*FIRST, at=999.0).points == [17, 0]

    def test_an_ordinary_match_ends_when_all_have_passed_twice_in_a_row(self) -> None:
        play = Play().turn(*FIRST).skip().skip().skip()
        assert play.end is None
        play.skip()
        assert play.end == (Ending.NO_WORD, ("a",))


class TestMarathon:
    def test_two_turns_without_a_word_put_a_player_out(self) -> None:
        play = Play("abc", variant="marathon").turn(*FIRST)
        for _ in range(3):
            play.skip()  # b, c, a
        play.skip()  # b once more
        assert [seat.out for seat in play.state.seats] == [False, True, False]
        assert play.state.mover.name == "c"

    def test_a_word_between_starts_the_count_again(self) -> None:
        play = Play("ab", variant="marathon").skip().turn(*FIRST).skip().skip()
        assert [seat.out for seat in play.state.seats] == [True, False]
        assert play.state.mover.misses == 1

    def test_the_last_one_left_has_one_last_throw(self) -> None:
        play = Play("ab", variant="marathon").turn(*FIRST).skip()
        play.turn("8 11 down SEAT", 4).skip()
        assert (play.state.last_chance, play.state.mover.name) == (True, "a")
        play.turn("7 10 down H(E)M", 2)
        assert play.end == (Ending.NO_WORD, ("a",))

    def test_whoever_is_out_may_still_have_most_points(self) -> None:
        play = Play("ab", variant="marathon").turn(*FIRST).skip().skip().turn("7 10 down H(E)M", 2)
        play.skip().skip()
        assert play.end == (Ending.NO_WORD, ("a",))

    def test_a_pass_before_a_challenge_was_not_the_last_throw(self) -> None:
        play = Play("ab", variant="marathon", checked=False).turn(*FIRST)
        play.turn("8 11 down SEAT", 4).skip().turn("7 10 down H(E)M", 2)
        play.turn("9 10 across (ME)YYY", 3).do("roll", player="b", die=6, by="player").skip()
        play.do("challenge", by="b", word="meyyy")  # now a has been two turns without a word
        assert [seat.out for seat in play.state.seats] == [True, False]
        assert (play.end, play.state.last_chance, play.state.die) == (None, True, None)
        assert play.state.mover.name == "b"
        play.turn("9 10 across (ME)RRY", 3)
        assert play.end == (Ending.NO_WORD, ("b",))

    def test_no_number_of_points_ends_it(self) -> None:
        assert Plan.agree(["a", "b"], "marathon").target is None
        assert kind_of(lambda: Plan.agree(["a", "b"], "marathon", target=100)) == "target"


class TestFours:
    def test_four_letters_and_no_die(self) -> None:
        play = Play(variant="fours")
        assert kind_of(lambda: play.turn(*FIRST)) == "die"
        assert kind_of(lambda: play.turn(FIRST[0])) == "wrong_count"
        assert kind_of(lambda: play.do("roll", player="a", die=4, by="player")) == "die"
        assert kind_of(lambda: play.turn("8 5 across TEAM", bonus=[4])) == "die"
        assert play.turn("8 5 across TEAM").points == [11, 0]

    def test_the_four_letters_lie_next_to_one_another(self) -> None:
        words = Lexicon.from_words("mine", ["team", "stats", "pasta"])
        play = Play(variant="fours", words=words).turn("8 5 across TEAM")
        assert kind_of(lambda: play.turn("6 7 down ST(A)TS")) == "not_together"
        assert play.turn("4 7 down PAST").state.sheet[-1].words[0].word.text == "pasta"

    def test_bonus_squares_are_worth_4_8_and_12(self) -> None:
        words = Lexicon.from_words("mine", ["team", "at"])
        squares = "1+ o y r\n1 1 1 1"
        facts = {"name": "a", "title": "b", "source": "c", "squares": squares}
        rules = Swoggle(Plan.agree(["a", "b"], "fours"), Layout.from_facts(facts), words, "mine")
        event = {"type": "turn", "player": "a", "turn": "1 1 across TEAM", "at": 0.0}
        (word,) = Match.new(rules).play(event).state.sheet[0].words
        assert [square.points for square in word.squares] == [1, 4, 8, 12]


class TestSolo:
    def test_it_goes_on_until_a_throw_cannot_be_placed(self) -> None:
        play = Play("a", variant="solo").turn(*FIRST).turn("8 11 down SEAT", 4).skip(die=6)
        assert (play.end, play.points) == ((Ending.NO_WORD, ("a",)), [49])

    def test_a_one_on_the_empty_board_is_only_passed(self) -> None:
        play = Play("a", variant="solo")
        assert kind_of(lambda: play.turn("8 8 across A", 1)) == "one_letter"
        assert play.skip(die=1).end is None

    def test_nobody_challenges_themselves(self) -> None:
        play = Play("a", variant="solo").turn(*FIRST)
        assert kind_of(lambda: play.do("challenge", by="a", word="parade")) == "challenge_own"


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 8)
    | st.floats()
    | st.sampled_from(["a", "b", "8 5 across PARADE", "8 11 down SEAT", "parade", "player", ""])
    | st.lists(st.integers(0, 7) | st.lists(st.integers(0, 7), max_size=2), max_size=3)
    | st.dictionaries(st.text(max_size=2), st.none(), max_size=1)
)
EVENTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["start", "roll", "turn", "pass", "challenge", "time_up"])},
    optional=dict.fromkeys(("player", "turn", "die", "bonus", "by", "word", "throws"), VALUES)
    | {"at": st.just(0.0) | VALUES},
)


@given(st.sampled_from(["ordinary", "marathon", "fours"]), st.lists(EVENTS, max_size=8))
def test_whatever_comes_is_played_or_refused(variant: str, events: list[dict[str, Any]]) -> None:
    play = Play("ab", variant=variant, minutes=1)
    for event in events:
        before = play.match
        try:
            play.match = play.match.play(event)
        except RuleError:
            assert play.match is before
    assert_replays(play.match, WORDS)


@given(st.integers(0, 2000), st.binary(min_size=1, max_size=3))
def test_a_damaged_text_is_replayed_or_told(place: int, damage: bytes) -> None:
    played = example().match
    text = played.to_lines().encode()
    broken = (text[:place] + damage + text[place + len(damage) :]).decode("latin-1")

    def open_rules(_name: str, setup: Setup) -> Swoggle:
        try:
            return Swoggle.from_setup(setup, lambda _: WORDS)
        except (RuleError, LayoutError) as error:
            raise MatchError(str(error), error.advice) from error

    with suppress(MatchError, LexiconError):
        match = Match.from_lines(broken, open_rules)
        assert match.states == played.states or match.to_lines() != played.to_lines()


@pytest.mark.parametrize(
    ("kind", "players", "agreed"),
    [
        ("players", ["a"], {}),
        ("players", list("abcdefghi"), {}),
        ("players", ["a", "A"], {}),
        ("players", ["a", " "], {}),
        ("players", ["a", "b" * 41], {}),
        ("players", ["\N{LATIN SMALL LETTER E WITH ACUTE}", "e\N{COMBINING ACUTE ACCENT}"], {}),
        ("players", ["a", "\N{ZERO WIDTH SPACE}"], {}),
        ("players", ["a", "\N{COMBINING ACUTE ACCENT}\N{ZERO WIDTH JOINER}"], {}),
        ("players", ["a", "b"], {"variant": "solo"}),
        ("variant", ["a", "b"], {"variant": "fives"}),
        ("target", ["a", "b"], {"target": 0}),
        ("target", ["a"], {"variant": "solo", "target": 100}),
        ("minutes", ["a", "b"], {"minutes": 0.0}),
        ("minutes", ["a", "b"], {"minutes": float("nan")}),
        ("minutes", ["a", "b"], {"turn_seconds": -1.0}),
    ],
)
def test_plans_outside_the_rules_are_refused(
    kind: str, players: list[str], agreed: dict[str, Any]
) -> None:
    assert kind_of(lambda: Plan.agree(players, **agreed)) == kind


@pytest.mark.parametrize(
    ("agreed", "told"),
    [
        ({"minutes": 1e6}, "minutes is below 1,000,000"),
        ({"minutes": float("nan")}, "minutes is a number above 0"),
        ({"turn_seconds": 1e6}, "seconds is below 1,000,000"),
        ({"turn_seconds": 0.0}, "seconds is a number above 0"),
    ],
)
def test_the_limit_that_a_time_breaks_is_named(agreed: dict[str, Any], told: str) -> None:
    with pytest.raises(RuleError, match=told):
        Plan.agree(["a", "b"], **agreed)


def recount(
    layout: Layout, before: dict[Cell, str], after: dict[Cell, str], value: dict[Cell, int]
) -> int:
    """Points of a turn, counted anew: every run of letters that was not there before."""
    total = 0
    lines = [[(row, col) for col in range(layout.cols)] for row in range(layout.rows)]
    lines += [[(row, col) for row in range(layout.rows)] for col in range(layout.cols)]
    for line in lines:
        text = "".join(after.get(cell, " ") for cell in line)
        place = 0
        for piece in text.split(" "):
            cells = line[place : place + len(piece)]
            place += len(piece) + 1
            if len(cells) > 1 and any(cell not in before for cell in cells):
                total += sum(value[cell] for cell in cells)
    return total


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("players", "variant"), [("ab", "ordinary"), ("abc", "fours")])
def test_random_matches_score_as_a_naive_recount_does(
    enable: Lexicon, seed: int, players: str, variant: str
) -> None:
    rng, layout = random.Random(seed), builtin_layout()
    index = WordIndex.of(enable, layout.cols)
    play = Play(players, words=enable, variant=variant, target=10_000)
    expected = dict.fromkeys(players, 0)
    dice_points = {cell: 4 * layout[cell].kind.dice for cell in layout.cells}
    for _ in range(20):
        before, mover = dict(play.state.letters), play.state.mover.name
        fours = variant == "fours"
        die = 4 if fours else rng.randint(1, 6)
        moves = find_moves(index, layout, before, die, together=fours)
        if not moves.count:
            play.skip()
            if play.state.end:
                break
            continue
        slot = rng.choice(moves.slots)
        word = rng.choice(index.words(len(slot.run)).spelt(slot.words))
        row, col = slot.run[0]
        signs = "".join(
            letter if cell in slot.written else f"({letter})"
            for cell, letter in zip(slot.run, word, strict=True)
        )
        event = {
            "type": "turn",
            "player": mover,
            "turn": f"{row + 1} {col + 1} {slot.direction} {signs}",
            "at": 0.0,
        }
        thrown: list[int] = []
        if variant != "fours":
            event["die"] = die
            rules = play.match.rules
            assert isinstance(rules, Swoggle)
            thrown = [rng.randint(1, 6) for _ in range(rules.throws_needed(play.state, event))]
        play.match = play.match.play({**event, "bonus": thrown})
        value = {cell: layout[cell].value + dice_points[cell] for cell in layout.cells}
        if variant != "fours":
            value |= thrown_values(layout, before, dict(play.state.letters), thrown)
        expected[mover] += recount(layout, before, dict(play.state.letters), value)
    assert play.state.points == expected
    assert max(expected.values()) > 0
    assert_replays(play.match, enable)


def thrown_values(
    layout: Layout, before: dict[Cell, str], after: dict[Cell, str], thrown: list[int]
) -> dict[Cell, int]:
    """What each bonus square is worth: those in new runs, by row and column, take the throws."""
    values, rest = {}, list(thrown)
    for cell in layout.cells:
        dice = layout[cell].kind.dice
        counts = {other: 1 if other == cell else 0 for other in layout.cells}
        if dice and cell in after and recount(layout, before, after, counts):
            values[cell] = sum(rest[:dice])
            rest = rest[dice:]
    assert rest == []
    return values


def assert_replays(match: Match[State], lexicon: Lexicon) -> None:
    def open_rules(_name: str, setup: Setup) -> Swoggle:
        return Swoggle.from_setup(setup, lambda _: lexicon)

    again = Match.from_document(json.loads(json.dumps(match.document())), open_rules)
    assert again.states == match.states
    assert Match.from_lines(match.to_lines(), open_rules).state == match.state
