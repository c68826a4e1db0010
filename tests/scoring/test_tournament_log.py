"""Tournaments as a log of events: what the rules allow, corrections, taking back, the text form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError
from scoring.rules.conduct import Cancelling
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.judging import Judge, all_good
from scoring.tournament.log import EventError, Log, linked
from scoring.tournament.plan import (
    BY_POINTS,
    BY_WINS,
    EVERYBODY,
    Bye,
    Criterion,
    Method,
    Plan,
    Prize,
    PrizeKind,
    Scope,
)
from scoring.tournament.state import Score, Status

BOARD = "STAE/HeEMR/QuITS/#EDL"
WORDS = ["ear", "ears", "quit", "quite", "tea", "team", "the", "steam", "steamer", "steams"]
LEXICON = Lexicon.from_words("house", WORDS)


def plan(**agreed: Any) -> Plan:  # noqa: ANN401 - as of `Plan.agree`
    given = {"seats": 2, "rounds": 3, "boards": 1} | agreed
    return Plan.agree("Spring", "house", LEXICON.digest, **given)


def event(kind: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - of any event
    return {"type": kind, **fields}


def with_players(agreed: Plan, names: str = "ann bob cy dee") -> Log:
    enrolled = [event("enrol", player=name) for name in names.split()]
    return Log.new(agreed).play(0.0, *enrolled)


def drawn(log: Log, *tables: str, number: int = 1, **more: Any) -> Log:  # noqa: ANN401
    seated = [table.split() for table in tables]
    draw = event("draw", round=number, division="main", tables=seated, method="manual", **more)
    return log.play(0.0, draw)


def shown(log: Log, number: int = 1, **more: Any) -> Log:  # noqa: ANN401
    return log.play(0.0, event("board", round=number, board=1, table=0, shown=BOARD, **more))


def lists(table: int, number: int = 1, **of: str) -> dict[str, Any]:
    given = {player: words.split() for player, words in of.items()}
    return event("lists", round=number, board=1, table=table, lists=given)


def scored(log: Log, why: str = "") -> Log:
    judge = Judge(log.plan, LEXICON)
    return log.play(0.0, *judge.events(log.state.rounds[-1], 1, why))


def points(log: Log, number: int = 1) -> dict[str, int]:
    played = log.state.rounds[number - 1]
    return {name: s.points for table in played.scores.values() for name, s in table.items()}


def refusal(log: Log, *events: Event) -> RuleError:
    with pytest.raises(RuleError) as caught:
        log.play(0.0, *events)
    assert caught.value.advice
    return caught.value


@pytest.fixture
def log() -> Log:
    """Two tables in their first round, and the board shown to both."""
    return shown(drawn(with_players(plan()), "ann bob", "cy dee"))


class TestPlan:
    def test_a_setup_gives_the_same_plan(self) -> None:
        full = plan(
            seats=4, method=Method.BALANCED, scope=Scope.ROOM, divisions=["A", "B"],
            ranking=[Criterion.WINS, Criterion.LONG_WORDS], spread_cap=20, bye=Bye(1, 2, 3),
            counted=3, prizes=[Prize("Cup", PrizeKind.TEAM, 2, 50, "B", 900)], seed=9,
            house={"challenge": {"penalty": "word", "free_errors": 1}},
        )  # fmt: skip
        assert Plan.from_setup(json.loads(json.dumps(full.setup))) == full

    def test_wins_come_first_where_two_play_each_other(self) -> None:
        assert plan(seats=2).ranking == BY_WINS
        assert plan(seats=4).ranking == BY_POINTS

    def test_without_scope_nobody_cancels(self) -> None:
        assert plan(scope=Scope.NONE).game.conduct.cancelling is Cancelling.OFF
        assert plan(scope=Scope.POD).game.conduct.cancelling is Cancelling.ON

    @pytest.mark.parametrize(
        "unsound",
        [
            {"seats": 1}, {"seats": 9}, {"rounds": 0}, {"boards": 99}, {"divisions": []},
            {"divisions": ["A", "a"]}, {"seats": 2, "method": Method.BALANCED},
            {"seats": EVERYBODY, "method": Method.SWISS}, {"seats": 4, "method": Method.ALL},
            {"ranking": [Criterion.WINS, Criterion.WINS]}, {"spread_cap": 0}, {"bye": Bye(3)},
            {"prizes": [Prize("")]}, {"prizes": [Prize("Cup", division="C")]}, {"seed": -1},
        ],
    )  # fmt: skip
    def test_what_is_unsound_is_refused(self, unsound: dict[str, Any]) -> None:
        with pytest.raises(RuleError) as caught:
            plan(**unsound)
        assert caught.value.kind == "plan"

    def test_ultimate_and_tile_values_are_no_games_for_a_hall(self) -> None:
        for base in ("ultimate", "worldwinner"):
            with pytest.raises(RuleError) as caught:
                plan(base=base)
            assert caught.value.kind == "game"

    def test_a_damaged_setup_is_refused(self) -> None:
        changes: list[dict[str, Any]] = [{"rounds": "7"}, {"method": "chess"}, {"bye": []}]
        for change in [*changes, {"game": "chess"}]:
            with pytest.raises(RuleError) as caught:
                Plan.from_setup(plan().setup | change)
            assert caught.value.kind == "event"


class TestPlayers:
    def test_enrolled_players_are_active_in_their_order(self) -> None:
        log = with_players(plan(divisions=["A", "B"])).play(
            0.0, event("amend", player="bob", division="B", rating=900, team="red", shown="Bob")
        )
        assert log.state.active("A") == ("ann", "cy", "dee")
        bob = log.state.players["bob"]
        assert (bob.division, bob.rating, bob.team, bob.printed) == ("B", 900, "red", "Bob")

    def test_names_that_nobody_tells_apart_are_refused(self) -> None:
        log = with_players(plan())
        assert refusal(log, event("enrol", player="ANN")).kind == "enrolled"
        assert refusal(log, event("enrol", player=" ")).kind == "player"
        assert refusal(log, event("enrol", player="eve", division="C")).kind == "division"
        assert refusal(log, event("enrol", player="eve", rating=-1)).kind == "rating"
        assert refusal(log, event("withdraw", player="eve")).kind == "unknown_player"

    def test_who_left_is_not_drawn_and_may_come_back(self) -> None:
        log = with_players(plan()).play(
            0.0,
            event("withdraw", player="ann"),
            event("suspend", player="bob", why="shouted"),
        )
        assert log.state.active("main") == ("cy", "dee")
        assert log.state.players["bob"].status is Status.SUSPENDED
        assert refusal(log, event("withdraw", player="ann")).kind == "status"
        back = log.play(0.0, event("return", player="ann"), event("return", player="bob"))
        assert back.state.active("main") == ("ann", "bob", "cy", "dee")

    def test_a_suspension_has_a_reason(self) -> None:
        assert refusal(with_players(plan()), event("suspend", player="ann")).kind == "no_reason"

    def test_late_comers_have_not_missed_the_rounds_before(self, log: Log) -> None:
        late = log.play(0.0, event("enrol", player="eve"))
        assert late.state.players["eve"].since == 2
        assert late.state.players["ann"].since == 1

    def test_a_division_is_kept_after_the_first_draw(self) -> None:
        log = with_players(plan(divisions=["main", "B"]))
        moved = log.play(0.0, event("amend", player="ann", division="B"))
        assert moved.state.players["ann"].division == "B"
        seated = drawn(log, "ann bob", "cy dee")
        assert refusal(seated, event("amend", player="ann", division="B")).kind == "division"

    def test_a_bye_is_asked_for_a_round_to_come(self, log: Log) -> None:
        asked = log.play(0.0, event("ask_bye", player="ann", round=2))
        assert asked.state.players["ann"].byes == {2}
        assert refusal(log, event("ask_bye", player="ann", round=1)).kind == "round"
        assert refusal(log, event("ask_bye", player="ann", round=4)).kind == "round"


class TestDraws:
    def test_tables_are_numbered_through_all_divisions(self) -> None:
        log = with_players(plan(divisions=["A", "B"])).play(
            0.0,
            *(event("amend", player=name, division="B") for name in ("ann", "bob")),
            event("draw", round=1, division="B", tables=[["ann", "bob"]], method="manual"),
        )
        assert refusal(log, event("start", round=1)).kind == "not_drawn"
        both = log.play(
            0.0, event("draw", round=1, division="A", tables=[["cy", "dee"]], method="manual")
        )
        assert both.state.rounds[0].tables == {1: ("cy", "dee"), 2: ("ann", "bob")}
        assert both.state.rounds[0].table_of["bob"] == 2

    @pytest.mark.parametrize(
        ("tables", "kind"),
        [
            (["ann bob", "cy"], "left_out"),
            (["ann bob", "cy dee eve"], "unknown_player"),
            (["ann bob", "cy dee ann"], "twice"),
            (["ann bob cy", "dee"], "seats"),
            (["ann bob"], "left_out"),
        ],
    )
    def test_everybody_has_one_place(self, tables: list[str], kind: str) -> None:
        log = with_players(plan())
        seated = [table.split() for table in tables]
        draw = event("draw", round=1, division="main", tables=seated, method="manual")
        assert refusal(log, draw).kind == kind

    def test_byes_and_absent_players_are_named(self) -> None:
        log = drawn(with_players(plan()), "ann bob", byes=["cy"], absent=["dee"])
        assert log.state.rounds[0].byes == {"cy"}
        assert "dee" not in log.state.rounds[0].table_of

    def test_a_round_is_drawn_again_until_it_starts(self, log: Log) -> None:
        fresh = with_players(plan())
        again = drawn(drawn(fresh, "ann bob", "cy dee"), "ann cy", "bob dee")
        assert again.state.rounds[0].tables[1] == ("ann", "cy")
        started = again.play(0.0, event("start", round=1))
        seated = [["ann", "dee"], ["bob", "cy"]]
        for once in (started, log):
            draw = event("draw", round=1, division="main", tables=seated, method="manual")
            assert refusal(once, draw).kind == "round"
        assert refusal(started, event("start", round=1)).kind == "started"

    def test_rounds_are_drawn_in_order(self, log: Log) -> None:
        seated = [["ann", "dee"], ["bob", "cy"]]
        for number in (0, 3, 4):
            draw = event("draw", round=number, division="main", tables=seated, method="manual")
            assert refusal(log, draw).kind == "round"
        assert len(drawn(log, "ann dee", "bob cy", number=2).state.rounds) == 2


class TestBoards:
    SALT = "0f" * 16

    def promise(self, board: str = BOARD, table: int = 0) -> str:
        return commitment(BoardPlace("Spring", 1, 1, table), board, self.SALT)

    def test_a_board_is_what_was_promised(self) -> None:
        log = drawn(with_players(plan()), "ann bob", "cy dee")
        log = log.play(0.0, event("commit", round=1, board=1, table=0, hash=self.promise()))
        assert shown(log, salt=self.SALT).state.rounds[0].shown(1, 2) is not None
        told = event("board", round=1, board=1, table=0, shown=BOARD)
        other = told | {"shown": BOARD.replace("STAE", "TSAE"), "salt": self.SALT}
        assert refusal(log, told).kind == "commitment"
        assert refusal(log, other).kind == "commitment"
        assert refusal(log, told | {"salt": "ff" * 16}).kind == "commitment"

    def test_notation_and_turn_of_phrase_do_not_change_a_promise(self) -> None:
        spaced = "S T A E\nHe E M R\nQu I T S\n# E D L"
        assert self.promise(spaced) == self.promise(BOARD)
        assert self.promise(BOARD, 1) != self.promise(BOARD)

    def test_a_promise_comes_first(self, log: Log) -> None:
        late = event("commit", round=1, board=1, table=0, hash=self.promise())
        assert refusal(log, late).kind == "commitment"
        salted = event("board", round=1, board=1, table=1, shown=BOARD, salt=self.SALT)
        assert refusal(log, salted).kind == "commitment"

    def test_each_table_may_have_its_own_tray(self, log: Log) -> None:
        other = BOARD.replace("STAE", "TSAE")
        own = log.play(0.0, event("board", round=1, board=1, table=2, shown=other))
        played = own.state.rounds[0]
        assert [played.shown(1, table) == played.shown(1, 1) for table in (1, 2)] == [True, False]

    def test_through_the_room_all_play_one_board(self) -> None:
        log = drawn(with_players(plan(scope=Scope.ROOM)), "ann bob", "cy dee")
        own = event("board", round=1, board=1, table=2, shown=BOARD)
        assert refusal(log, own).kind == "place"

    def test_what_is_no_board_photo_or_place_is_refused(self, log: Log) -> None:
        board = event("board", round=1, board=1, table=1, shown=BOARD)
        assert refusal(log, board | {"shown": "A/BC"}).kind == "board"
        assert refusal(log, board | {"photo": "x"}).kind == "photo"
        assert refusal(log, board | {"board": 2}).kind == "place"
        assert refusal(log, board | {"table": 3}).kind == "place"
        assert refusal(log, board | {"round": 2}).kind == "round"
        assert refusal(log, board | {"table": 0}).kind == "no_reason"


class TestLists:
    def test_lists_become_scores(self, log: Log) -> None:
        done = scored(log.play(0.0, lists(1, ann="tea quite", bob="tea the"), lists(2, cy="the")))
        assert points(done) == {"ann": 2, "bob": 1, "cy": 1, "dee": 0}
        assert done.state.rounds[0].is_complete(1)
        assert done.state.rounds[0].scores[1, 1]["ann"].lengths == (5,)

    def test_through_the_room_others_cancel_too(self) -> None:
        log = shown(drawn(with_players(plan(scope=Scope.ROOM)), "ann bob", "cy dee"))
        log = log.play(0.0, lists(1, ann="quite", bob="the"), lists(2, cy="quite", dee="team"))
        assert points(scored(log)) == {"ann": 0, "bob": 1, "cy": 0, "dee": 1}

    def test_without_cancelling_all_count(self) -> None:
        log = shown(drawn(with_players(plan(scope=Scope.NONE)), "ann bob", "cy dee"))
        log = log.play(0.0, lists(1, ann="quite", bob="quite"))
        assert points(scored(log)) == {"ann": 2, "bob": 2}

    @pytest.mark.parametrize(
        ("penalty", "free", "expected"), [(0, 0, 1), (3, 0, -2), ("word", 0, -1), (3, 1, 1)]
    )
    def test_a_challenged_word_costs_what_was_agreed(
        self, penalty: object, free: int, expected: int
    ) -> None:
        house = {"challenge": {"penalty": penalty, "free_errors": free}}
        log = shown(drawn(with_players(plan(house=house)), "ann bob", "cy dee"))
        log = log.play(0.0, lists(1, ann="tea staem", bob="the"), lists(2, cy="the"))
        assert points(scored(log))["ann"] == 1
        call = event("challenge", round=1, board=1, word="STAEM", of="ann", by="bob")
        assert points(scored(log.play(0.0, call)))["ann"] == expected

    def test_a_word_that_is_in_the_list_survives_its_challenge_but_no_rejection(
        self, log: Log
    ) -> None:
        log = log.play(0.0, lists(1, ann="quite", bob="the"), lists(2, cy="the"))
        call = event("challenge", round=1, board=1, word="quite", of="ann", by="bob")
        assert points(scored(log.play(0.0, call)))["ann"] == 2
        rejected = event("reject", round=1, board=1, word="quite", of="ann")
        assert points(scored(log.play(0.0, rejected)))["ann"] == 0
        assert refusal(log.play(0.0, call), rejected).kind == "challenged"

    def test_a_call_is_about_a_word_on_a_list(self, log: Log) -> None:
        log = log.play(0.0, lists(1, ann="quite", bob="the"))
        call = event("challenge", round=1, board=1, word="tea", of="ann", by="bob")
        assert refusal(log, call).kind == "not_listed"
        assert refusal(log, call | {"word": "quite", "by": "ann"}).kind == "challenge_own"
        assert refusal(log, call | {"word": "quite", "by": "eve"}).kind == "unknown_player"
        assert refusal(log, call | {"of": "eve"}).kind == "place"

    def test_the_same_word_is_called_at_each_table_of_its_own(self, log: Log) -> None:
        log = log.play(0.0, lists(1, ann="quite", bob=""), lists(2, cy="quite", dee=""))
        first = event("challenge", round=1, board=1, word="quite", of="ann", by="bob")
        second = event("challenge", round=1, board=1, word="quite", of="cy", by="dee")
        assert len(log.play(0.0, first, second).state.rounds[0].calls) == 2

    def test_a_correction_has_a_reason_and_is_scored_again(self, log: Log) -> None:
        done = scored(log.play(0.0, lists(1, ann="tea", bob="the"), lists(2, cy="the")))
        again = lists(1, ann="steamer")
        assert refusal(done, again).kind == "no_reason"
        mended = done.play(0.0, {**again, "why": "misread"})
        assert (1, 1) not in mended.state.rounds[0].scores
        assert (1, 2) in mended.state.rounds[0].scores
        assert points(scored(mended))["ann"] == 5

    def test_through_the_room_a_correction_is_one_for_all(self) -> None:
        log = shown(drawn(with_players(plan(scope=Scope.ROOM)), "ann bob", "cy dee"))
        log = scored(log.play(0.0, lists(1, ann="quite"), lists(2, cy="quite")))
        assert points(log)["cy"] == 0
        mended = log.play(0.0, {**lists(1, ann="the"), "why": "misread"})
        assert mended.state.rounds[0].scores == {}
        half = shown(drawn(with_players(plan(scope=Scope.ROOM)), "ann bob", "cy dee"))
        waiting = scored(half.play(0.0, lists(1, ann="quite")))
        assert waiting.state.rounds[0].scores == {}
        assert points(scored(mended)) == {"ann": 1, "bob": 0, "cy": 2, "dee": 0}

    def test_lists_take_a_board_and_a_seat(self) -> None:
        log = drawn(with_players(plan()), "ann bob", "cy dee")
        assert refusal(log, lists(1, ann="tea")).kind == "no_board"
        assert refusal(shown(log), lists(1, cy="tea")).kind == "unknown_player"
        assert refusal(shown(log), lists(0, cy="tea")).kind == "place"

    def test_points_can_be_entered_without_lists(self, log: Log) -> None:
        given = {"ann": {"points": 7}, "bob": {"points": 5, "lengths": [3, 5]}}
        entered = event("scores", round=1, board=1, table=1, scores=given, entered=True)
        done = log.play(0.0, entered)
        assert done.state.rounds[0].scores[1, 1]["bob"] == Score(5, (5, 3), entered=True)
        assert refusal(log, {**entered, "entered": False}).kind == "no_lists"
        assert refusal(log, entered | {"scores": {"ann": {"points": 7}}}).kind == "score_missing"
        assert refusal(done, entered).kind == "no_reason"
        listed = log.play(0.0, lists(1, ann="tea"))
        assert refusal(listed, entered).kind == "lists_in"

    @pytest.mark.parametrize("score", [{}, {"points": 1.5}, {"points": 1, "lengths": [0]}, 3])
    def test_a_score_is_points_and_lengths(self, log: Log, score: object) -> None:
        given = {"ann": score, "bob": {"points": 1}}
        entered = event("scores", round=1, board=1, table=1, scores=given, entered=True)
        assert refusal(log, entered).kind == "event"

    def test_the_referee_gives_and_takes_points_with_a_reason(self, log: Log) -> None:
        taken = event("adjust", round=1, player="ann", points=-2, why="late")
        assert log.play(0.0, taken).state.rounds[0].adjustments[0].points == -2
        assert refusal(log, {**taken, "why": " "}).kind == "no_reason"
        assert refusal(log, {**taken, "points": 0}).kind == "points"

    def test_a_set_of_words_has_one_verdict(self) -> None:
        assert all_good(LEXICON, ["tea", "quite"])
        assert not all_good(LEXICON, ["tea", "maestr"])


class TestTakingBack:
    def test_any_entry_can_be_taken_back_that_nothing_rests_on(self) -> None:
        log = with_players(plan())
        gone = log.play(0.0, event("undo", of=2, why="not here"))
        assert list(gone.state.players) == ["ann", "cy", "dee"]
        assert len(gone.entries) == 5
        assert refusal(gone, event("undo", of=2, why="again")).kind == "undo"
        assert refusal(gone, event("undo", of=5, why="no")).kind == "undo"
        assert refusal(gone, event("undo", of=9, why="no")).kind == "undo"
        assert refusal(gone, event("undo", of=1)).kind == "no_reason"

    def test_what_others_rest_on_stays(self, log: Log) -> None:
        error = refusal(log, event("undo", of=1, why="not here"))
        assert error.kind == "undo"
        assert "needs entry 1" in str(error)

    def test_entries_after_the_one_taken_back_still_count(self) -> None:
        log = with_players(plan()).play(0.0, event("undo", of=4, why="left"))
        seated = drawn(log, "ann bob", byes=["cy"]).play(0.0, event("enrol", player="dee"))
        assert Log.from_lines(seated.to_lines()).state == seated.state


class TestTextForm:
    def test_a_stored_event_is_the_same_event(self, log: Log) -> None:
        played = scored(log.play(9.0, lists(1, ann="tea", bob="the"), lists(2, cy="the")))
        assert Log.from_lines(played.to_lines()) == played
        assert played.entries[-1].at == 9.0

    def test_time_never_goes_back(self, log: Log) -> None:
        later = log.play(50.0, event("withdraw", player="ann"))
        earlier = later.play(20.0, event("withdraw", player="bob"))
        assert earlier.entries[-1].at == 50.0

    def test_all_events_of_a_call_or_none(self, log: Log) -> None:
        refusal(log, event("withdraw", player="ann"), event("withdraw", player="ann"))
        assert log.state.players["ann"].status is Status.ACTIVE

    def test_a_changed_line_is_found(self, log: Log) -> None:
        text = log.to_lines()
        for number, line in enumerate(text.splitlines()):
            changed = line.replace("ann", "eve") if "ann" in line else line.replace("1", "2", 1)
            broken = text.replace(line, changed)
            with pytest.raises(EventError):
                Log.from_lines(broken)
            assert number >= 0

    @pytest.mark.parametrize("text", ["", "{}", "[]", "x", '{"wordtray":"match"}'])
    def test_what_is_no_event_is_refused(self, text: str) -> None:
        with pytest.raises(EventError):
            Log.from_lines(text)

    def test_a_later_version_is_refused(self, log: Log) -> None:
        text = log.to_lines().replace('"version":1', '"version":2', 1)
        with pytest.raises(EventError, match="version"):
            Log.from_lines(text)

    def test_the_hash_of_the_head_holds_the_setup(self) -> None:
        assert Log.new(plan()).last_hash != Log.new(plan(seed=1)).last_hash

    def test_an_entry_depends_on_the_one_before(self) -> None:
        one = linked("a" * 64, 1, 0.0, {"type": "start"})
        assert one.hash != linked("b" * 64, 1, 0.0, {"type": "start"}).hash
        assert one.hash != linked("a" * 64, 1, 1.0, {"type": "start"}).hash

    @given(
        st.dictionaries(
            st.sampled_from(["type", "player", "round", "division", "tables", "of", "why"]),
            st.one_of(
                st.sampled_from(["enrol", "draw", "undo", "ann", "main", "start", "scores"]),
                st.integers(-2, 9),
                st.lists(st.lists(st.sampled_from(["ann", "bob", "zoe"]))),
                st.none(),
            ),
        )
    )
    def test_any_event_is_taken_or_refused_as_breaking_a_rule(
        self, given_event: Mapping[str, Any]
    ) -> None:
        log = with_players(plan())
        after = log
        with suppress(RuleError):
            after = log.play(0.0, given_event)
        assert Log.from_lines(after.to_lines()) == after


class TestWhoNotedIt:
    def test_any_entry_may_say_so_and_is_kept_with_it(self) -> None:
        log = with_players(plan()).play(
            9.0,
            event("enrol", player="eve", noted_by="Bo"),
            event("undo", of=5, why="a slip", noted_by="Cy"),
        )
        again = Log.from_lines(log.to_lines())
        assert [each.event.get("noted_by") for each in again.entries[-2:]] == ["Bo", "Cy"]
        assert "eve" not in again.state.players

    @pytest.mark.parametrize("who", ["", "x" * 41, "a=b", 3, None])
    @pytest.mark.parametrize(
        "kind", [{"type": "enrol", "player": "eve"}, {"type": "undo", "of": 1}]
    )
    def test_nobody_is_refused(self, who: object, kind: Event) -> None:
        with pytest.raises(RuleError):
            with_players(plan()).play(9.0, {**kind, "why": "a slip", "noted_by": who})
