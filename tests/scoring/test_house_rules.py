"""House rules: a game with other values, and every mistake named by section, key and limit."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.rules import fitted, game, games
from scoring.rules.conduct import Cancelling, Check, Conduct, Penalty
from scoring.rules.game import Game
from scoring.rules.house import HouseRulesError, base_name, house_game
from scoring.trie import LONGEST_WORD

BOGGLE = game("boggle")


def test_every_value_can_be_changed() -> None:
    sections = {
        "game": {"base": "big", "title": "Ours"},
        "words": {"min_letters": 4, "handicap_min_letters": 2},
        "points": {"2": 1, "4": 2, "8": 20, "per_letter_from": 10, "per_letter": 3},
        "timer": {"seconds": 90},
        "cancelling": {"rule": "off"},
        "challenge": {
            "check": "challenged",
            "penalty": "word",
            "free_errors": 2,
            "charge": "rejected",
        },
        "match": {"target": 75},
    }
    assert base_name(sections) == "big"
    assert house_game(sections, game("big")) == Game(
        "house",
        "Ours",
        ((5, 5),),
        min_length=2,
        table=((2, 1), (4, 2), (8, 20)),
        per_letter=(10, 3),
        timer_s=90,
        usual_length=4,
        conduct=Conduct(
            Cancelling.OFF, Check.CHALLENGED, Penalty(None, 2, every_rejected=True), 75
        ),
    )


@pytest.mark.parametrize(
    "rules", [each for each in games() if not each.letter_values], ids=lambda rules: rules.name
)
def test_house_rules_that_change_nothing_are_the_game_itself(rules: Game) -> None:
    assert house_game({}, rules) is rules
    assert house_game({"words": {}, "match": {}, "challenge": {}}, rules).points("teams") == (
        rules.points("teams")
    )
    assert house_game({"game": {"base": rules.name}}, rules) is rules


def test_what_is_not_named_stays_as_it_was() -> None:
    ours = house_game({"timer": {"seconds": 60}}, BOGGLE)
    expected = replace(BOGGLE, name="house", title="Boggle by house rules", timer_s=60)
    assert ours == expected


@pytest.mark.parametrize(
    ("words", "lengths"),
    [
        ({"min_letters": 5}, (3, 5)),
        ({"min_letters": 3}, (3, None)),
        ({"min_letters": 5, "handicap_min_letters": 4}, (4, 5)),
        ({"handicap_min_letters": 4}, (4, None)),
    ],
)
def test_the_shortest_word_with_a_handicap_stays_unless_it_is_written(
    words: dict[str, int], lengths: tuple[int, int | None]
) -> None:
    ours = house_game({"words": words}, game("super-big-handicap"))
    assert (ours.min_length, ours.usual_length) == lengths
    without = house_game({"words": {"min_letters": 5}}, BOGGLE)
    assert (without.min_length, without.usual_length) == (5, None)


@pytest.mark.parametrize(
    ("base", "challenge", "every"),
    [
        ("boggle", {"penalty": 1}, False),
        ("boggle", {"penalty": 1, "charge": "rejected"}, True),
        ("ultimate", {"penalty": 1}, True),
        ("ultimate", {"penalty": 1, "charge": "challenged"}, False),
    ],
)
def test_in_ultimate_each_rejected_word_is_charged_unless_it_is_written_otherwise(
    base: str,
    challenge: dict[str, Any],
    every: bool,  # noqa: FBT001
) -> None:
    ours = house_game({"challenge": challenge}, game(base))
    assert ours.conduct.penalty == Penalty(1, every_rejected=every)


def test_a_table_of_points_takes_the_place_of_the_old_one_as_a_whole() -> None:
    ours = house_game({"points": {"4": 7}}, game("super-big"))
    assert [ours.points("a" * length) for length in (3, 4, 9)] == [0, 7, 7]
    falling = house_game({"points": {"3": 5, "5": 1, "7": 9}}, BOGGLE)
    assert [falling.points("a" * length) for length in (3, 4, 5, 6, 7, 16)] == [5, 5, 1, 1, 9, 9]
    letters = house_game({"points": {"per_letter_from": 5, "per_letter": 4}}, BOGGLE)
    assert [letters.points("a" * length) for length in (3, 4, 5, 6)] == [1, 1, 20, 24]


def test_numbers_of_their_own_are_no_longer_those_of_the_tray() -> None:
    board = Board.from_faces([["A"] * 4] * 4)
    target = house_game({"match": {"target": 50}}, game("ultimate"))
    assert fitted(target, board).min_length == 3
    written = house_game({"words": {"min_letters": 5}}, game("ultimate"))
    assert fitted(written, board).min_length == 5


@pytest.mark.parametrize(
    ("sections", "parts"),
    [
        ({"pionts": {}}, ["[pionts]"]),
        ({"words": 3}, ["words", "section"]),
        ({"words": {"min_leters": 3}}, ["'min_leters'", "[words]"]),
        ({"words": {"min_letters": 0}}, ["[words]", "min_letters", "0", f"1 to {LONGEST_WORD}"]),
        ({"words": {"min_letters": 10**6}}, ["min_letters", f"1 to {LONGEST_WORD}"]),
        ({"words": {"min_letters": "3"}}, ["min_letters", "'3'", "whole number"]),
        ({"words": {"min_letters": True}}, ["min_letters", "True", "whole number"]),
        ({"words": {"min_letters": 3.5}}, ["min_letters", "3.5", "whole number"]),
        (
            {"words": {"min_letters": 3, "handicap_min_letters": 4}},
            ["[words]", "handicap_min_letters", "4", "3"],
        ),
        ({"points": {"3": -1}}, ["[points]", "3", "-1", "0 to 1000"]),
        ({"points": {"3": 1001}}, ["[points]", "3", "1001", "0 to 1000"]),
        ({"points": {"0": 1}}, ["[points]", "0", "number of letters"]),
        ({"points": {"3": 5, "03": 1}}, ["[points]", "03", "number of letters", "1 to 64"]),
        ({"points": {"3": 5, "٣": 1}}, ["[points]", "٣", "number of letters"]),
        ({"points": {"9" * 5000: 1}}, ["[points]", "999", "number of letters"]),
        ({"points": {"three": 1}}, ["[points]", "'three'"]),
        ({"points": {"per_letter": 2}}, ["[points]", "per_letter_from", "missing"]),
        ({"points": {"per_letter_from": 9}}, ["[points]", "per_letter", "missing"]),
        ({"points": {"5": 1}}, ["[points]", "5 letters", "3 letters"]),
        ({"words": {"min_letters": 2}}, ["[points]", "3 letters", "2 letters"]),
        ({"timer": {"seconds": 1}}, ["[timer]", "seconds", "5 to 7200"]),
        ({"timer": {"seconds": 7201}}, ["[timer]", "seconds", "5 to 7200"]),
        ({"cancelling": {"rule": "maybe"}}, ["[cancelling]", "rule", "'maybe'", '"literal"']),
        ({"challenge": {"check": "all"}}, ["[challenge]", "check", '"challenged"']),
        ({"challenge": {"penalty": "words"}}, ["[challenge]", "penalty", '"word"', "0 to 1000"]),
        ({"challenge": {"penalty": -1}}, ["[challenge]", "penalty", "-1"]),
        ({"challenge": {"free_errors": 101}}, ["[challenge]", "free_errors", "0 to 100"]),
        ({"challenge": {"charge": "nobody"}}, ["[challenge]", "charge", '"rejected"']),
        ({"match": {"target": 0}}, ["[match]", "target", "1 to 100000"]),
        ({"match": {"rounds": 3}}, ["[match]", "'rounds'"]),
        ({"game": {"base": ""}}, ["[game]", "base"]),
        ({"game": {"base": "nope"}}, ["[game]", "base", "'nope'", '"super-big-team"']),
        ({"game": {"base": "worldwinner"}}, ["[game]", "base", "'worldwinner'"]),
        ({"game": {"title": "x" * 61}}, ["[game]", "title", "1 to 60"]),
    ],
)
def test_a_mistake_is_named_with_its_place_and_limit(
    sections: dict[str, Any], parts: list[str]
) -> None:
    with pytest.raises(HouseRulesError) as caught:
        house_game(sections, BOGGLE)
    assert [part for part in parts if part not in str(caught.value)] == []
    assert len(str(caught.value)) < 250
    assert caught.value.advice


@given(
    st.dictionaries(
        st.sampled_from(["words", "points", "timer", "challenge", "match", "game", "other"]),
        st.dictionaries(
            st.sampled_from(["min_letters", "3", "seconds", "penalty", "target", "base", "²"]),
            st.none() | st.integers() | st.text() | st.booleans() | st.lists(st.integers()),
        )
        | st.integers(),
    )
)
def test_whatever_is_written_gives_a_game_or_a_named_mistake(sections: dict[str, Any]) -> None:
    try:
        ours = house_game(sections, BOGGLE)
    except HouseRulesError:
        return
    assert all(
        ours.points("a" * length) >= 0 for length in range(ours.min_length, LONGEST_WORD + 1)
    )
