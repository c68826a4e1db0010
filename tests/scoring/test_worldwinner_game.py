"""WorldWinner Boggle as the rules of a match that is stored: what comes back, what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.cubes import UnknownCubeSetError
from scoring.lexicon import Lexicon, LexiconError
from scoring.match import Match, MatchError, RuleError, Setup
from scoring.worldwinner.events import Deal, EndTurn, Event, PlayWord, Start, Tick, as_json
from scoring.worldwinner.game import WorldWinner
from scoring.worldwinner.match import Match as State
from scoring.worldwinner.match import Plan, is_due, play, to_play

LEXICON = Lexicon.from_words("few", ["cat", "cats", "act", "ace", "sat", "at", "set", "seat"])
PLAN = Plan(("ada", "ben"), LEXICON, seed=1, seconds=90.0, qu_value=10)
RULES = WorldWinner(PLAN, "few", "new_4x4")
BOARD = Board.parse("CAT/ACS/TSE")


def open_rules(name: str, setup: Setup) -> WorldWinner:
    assert name == "worldwinner"
    return WorldWinner.from_setup(setup, {"few": LEXICON}.__getitem__)


def events_of(words: list[list[str]]) -> list[Event]:
    """A match in which the turns, one after the other, are these words."""
    events: list[Event] = []
    for place, typed in enumerate(words):
        round_number, seat = place // 2 + 1, place % 2
        start, player = 100.0 * place + 0.1, PLAN.players[seat]
        events += [Deal(start, BOARD)] if seat == 0 else []
        events.append(Start(start, player, round_number))
        events += [PlayWord(start + 1 / 3, player, round_number, word) for word in typed]
        events.append(EndTurn(start + 2, player, round_number))
    return events


TURNS = st.lists(
    st.lists(st.sampled_from(["cat", "cats", "act", "ace", "sat"]), max_size=4), max_size=6
)


@given(TURNS)
def test_what_is_replayed_is_what_was_played(words: list[list[str]]) -> None:
    events = events_of(words)
    match: Match[State] = Match.new(RULES)
    for event in events:
        match = match.play(as_json(event))
    assert match.state == play(PLAN, events)
    for again in (
        Match.from_lines(match.to_lines(), open_rules),
        Match.from_document(json.loads(json.dumps(match.document())), open_rules),
    ):
        assert again.state == match.state
        assert again.log == match.log
        assert again.rules == RULES


def test_a_move_that_is_not_allowed_changes_nothing() -> None:
    match = Match.new(RULES).play(as_json(Deal(0.0, BOARD)))
    for event in (as_json(PlayWord(1.0, "ada", 1, "cat")), {"type": "cheat"}, {}):
        with pytest.raises(RuleError):
            match.play(event)
    assert len(match.log) == 1


def test_a_match_whose_word_is_not_in_its_word_list_any_more_is_refused() -> None:
    match: Match[State] = Match.new(RULES)
    for event in events_of([["cat"]]):
        match = match.play(as_json(event))

    def open_poorer(_name: str, setup: Setup) -> WorldWinner:
        return WorldWinner.from_setup(setup, lambda _: Lexicon.from_words("few", ["act"]))

    with pytest.raises(LexiconError, match="other words now"):
        Match.from_lines(match.to_lines(), open_poorer)
    without_digest = match.to_lines().replace("lexicon_digest", "once")
    with pytest.raises(MatchError, match="“cat” is not in the word list few") as caught:
        Match.from_lines(without_digest, open_poorer)
    assert "word list has changed" in caught.value.advice


@pytest.mark.parametrize(
    "change",
    [
        {"players": []},
        {"players": [1]},
        {"players": "ada"},
        {"seconds": 0.0},
        {"seconds": "long"},
        {"seconds": float("nan")},
        {"seconds": 7201.0},
        {"seed": None},
        {"seed": -3},
        {"qu_value": 1.5},
        {"qu_value": 12},
        {"lexicon": 3},
        {"cubes": None},
    ],
)
def test_a_damaged_setup_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RuleError):
        open_rules("worldwinner", {**RULES.setup, **change})


def test_an_unknown_edition_is_refused() -> None:
    with pytest.raises(UnknownCubeSetError):
        open_rules("worldwinner", {**RULES.setup, "cubes": "wooden"})


def test_whose_turn_it_is() -> None:
    events = events_of([[]] * 6)
    turns = [to_play(play(PLAN, events[:count])) for count in range(len(events) + 1)]
    a_round = ["ada", "ada", "ben", "ben"]  # dealt, started, given up, started; then the next deal
    assert turns == [None, *a_round, None, *a_round, None, *a_round, None]


def test_time_is_due_when_a_clock_has_run_out_and_the_turn_has_not_ended() -> None:
    state = play(PLAN, [Deal(0.0, BOARD), Start(10.0, "ada", 1)])
    assert [is_due(state, at) for at in (0.0, 99.9, 100.0, 200.0)] == [False, False, True, True]
    assert not is_due(play(PLAN, []), 1000.0)
    assert not is_due(play(PLAN, [Deal(0.0, BOARD), Start(10.0, "ada", 1), Tick(100.0)]), 200.0)


def test_what_is_left_on_a_clock() -> None:
    state = play(PLAN, [Deal(0.0, BOARD), Start(10.0, "ada", 1)])
    ada, ben = (state.rounds[-1].turns[player] for player in PLAN.players)
    assert [ada.left(at) for at in (10.0, 40.0, 100.0, 130.0)] == [90.0, 60.0, 0.0, 0.0]
    assert ben.left(40.0) is None
