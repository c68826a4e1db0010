"""A match is the fold of its events, replays from its text, and says what is wrong with a text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.match import UNDO, Event, Match, MatchError, RuleError, Rules, Setup
from scoring.match import field as field_of


@dataclass(frozen=True)
class Counting:
    """A game for the tests: add numbers, never beyond the limit."""

    setup: Setup = field(default_factory=lambda: {"limit": 100})
    name: str = "counting"

    def start(self) -> int:
        return 0

    def apply(self, state: int, event: Event) -> int:
        total = state + field_of(event, "add", int)
        if total > field_of(self.setup, "limit", int):
            raise RuleError("limit", "the limit is passed", "Add less.")
        return total


def open_counting(name: str, setup: Setup) -> Rules[int]:
    if name != "counting":
        raise MatchError(f"no game {name}", "Give another.")
    return Counting(setup)


def played(*numbers: int) -> Match[int]:
    match: Match[int] = Match.new(Counting())
    for number in numbers:
        match = match.play({"type": "add", "add": number})
    return match


def test_the_state_is_the_fold_of_the_events() -> None:
    assert played(1, 2, 3).states == (0, 1, 3, 6)


def test_a_broken_rule_changes_nothing() -> None:
    match = played(99)
    with pytest.raises(RuleError, match="limit") as caught:
        match.play({"add": 2})
    assert (caught.value.kind, caught.value.advice) == ("limit", "Add less.")
    assert (match.state, len(match.log)) == (99, 1)


def test_undo_takes_back_one_event_and_stays_in_the_log() -> None:
    match = played(1, 2).undo()
    assert match.state == 1
    assert [entry == UNDO for entry in match.log] == [False, False, True]


def test_a_match_can_be_seen_as_it_stood_after_some_of_its_events() -> None:
    match = played(3, 4).undo().play({"add": 5}).play({"add": 6})
    assert [match.after(events).state for events in range(4)] == [0, 3, 8, 14]
    assert match.after(2).log == match.after(2).events == match.events[:2]


def test_there_is_nothing_before_the_first_event() -> None:
    with pytest.raises(RuleError, match="nothing"):
        played(1).undo().undo()


@given(st.lists(st.integers(-9, 9) | st.none(), max_size=30))
def test_a_replay_gives_the_same_match(entries: list[int | None]) -> None:
    match = played()
    for entry in entries:
        if entry is not None:
            match = match.play({"add": entry})
        elif match.events:
            match = match.undo()
    assert Match.from_lines(match.to_lines(), open_counting) == match
    through_json = json.loads(json.dumps(match.document()))
    assert Match.from_document(through_json, open_counting) == match


@pytest.mark.parametrize("sign", ["\n", "\u2028", "\x85", "é", '"'])
def test_no_sign_of_an_event_breaks_its_line(sign: str) -> None:
    match = played().play({"add": 1, "by": sign})
    assert Match.from_lines(match.to_lines(), open_counting).events == match.events


@pytest.mark.parametrize(
    "text",
    ["", "hello\n", "[]\n", "{}\n", '{"wordtray": "lexicon"}\n', '{"a":' * 99_999, "null\n", "7\n"],
)
def test_a_foreign_text_is_told_as_such(text: str) -> None:
    with pytest.raises(MatchError, match="no match that wordtray stored"):
        Match.from_lines(text, open_counting)


@pytest.mark.parametrize("document", [None, [], {}, {"log": 3}, {"log": []}, "match"])
def test_a_foreign_document_is_told_as_such(document: object) -> None:
    with pytest.raises(MatchError, match="no match that wordtray stored"):
        Match.from_document(document, open_counting)


@pytest.mark.parametrize("entry", ["x", None, 1, []])
def test_an_entry_of_a_document_that_is_none_is_named(entry: object) -> None:
    document = played(1).document()
    document["log"].append(entry)
    with pytest.raises(MatchError, match="entry 2"):
        Match.from_document(document, open_counting)


def test_a_later_version_is_refused() -> None:
    text = played(1).to_lines().replace('"version":1', '"version":2')
    with pytest.raises(MatchError, match="version 2"):
        Match.from_lines(text, open_counting)


def test_a_version_that_is_no_number_is_refused() -> None:
    text = played(1).to_lines().replace('"version":1', '"version":true')
    with pytest.raises(MatchError, match="version True"):
        Match.from_lines(text, open_counting)


@pytest.mark.parametrize("line", ["{", "[]", "7", "", '{"add": 1'])
def test_a_damaged_line_is_named(line: str) -> None:
    text = played(1).to_lines() + line + "\n" + '{"add":1}\n'
    with pytest.raises(MatchError, match="line 3"):
        Match.from_lines(text, open_counting)


@pytest.mark.parametrize("entry", ['{"add":200}', '{"add":"1"}', '{"add":true}', '{"type":"x"}'])
def test_an_entry_that_cannot_be_replayed_is_named(entry: str) -> None:
    with pytest.raises(MatchError, match="entry 2"):
        Match.from_lines(played(1).to_lines() + entry + "\n", open_counting)


def test_more_undone_than_done_is_damage() -> None:
    with pytest.raises(MatchError, match="entry 1"):
        Match.from_lines(played().to_lines() + '{"type":"undo"}\n', open_counting)
