"""Properties of the rules about sides, cancelling, handicaps and penalties."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.paths import find_path
from scoring.referee import ALONE, RoundResult, Seating, Verdict, score_round
from scoring.rules import game
from scoring.rules.conduct import Cancelling, Check, Conduct, Penalty
from scoring.rules.game import Game
from scoring.wordlist import parse_word_list

BOARD = Board.parse("STAE/HeEMR/QuITS/#EDL")
WORDS = [
    *("ear", "ears", "her", "met", "meter", "quit", "quite", "tea", "team", "term", "the"),
    *("steam", "steamer", "steams", "hem", "hit", "item", "tie", "tied", "emit", "he"),
]
FALSE = ("tems", "mets", "steame", "quits")
"""Words that are on the board and not in the word list."""
VOID = (*FALSE, "et", "real", "zoo", "te4", "don't")
LEXICON = Lexicon.from_words("house", WORDS)
BOGGLE = game("boggle")
NAMES = "abcd"
Lists = Sequence[Sequence[str]]


def conducted(conduct: Conduct) -> Game:
    """Boggle, conducted so."""
    return replace(BOGGLE, conduct=conduct)


def scored(
    lists: Lists,
    rules: Game = BOGGLE,
    seating: Seating = ALONE,
    challenged: Sequence[str] = (),
    rejected: Sequence[str] = (),
) -> RoundResult:
    """A round of players a, b, c, d."""
    entries = {
        name: parse_word_list("\n".join(words)) for name, words in zip(NAMES, lists, strict=False)
    }
    return score_round(
        BOARD, entries, LEXICON, rules, seating=seating, challenged=challenged, rejected=rejected
    )


def totals(result: RoundResult) -> dict[str, int]:
    return {side.name: side.points for side in result.sides}


def verdicts(result: RoundResult, player: int = 0) -> list[str]:
    return [f"{word.word} {word.verdict}" for word in result.players[player].words]


def is_valid(word: str, shortest: int = 3) -> bool:
    return word in WORDS and len(word) >= shortest and find_path(BOARD, word) is not None


LISTS = st.lists(st.lists(st.sampled_from([*WORDS, *VOID]), max_size=8), min_size=1, max_size=4)
CONDUCTS = st.builds(
    Conduct,
    cancelling=st.sampled_from(Cancelling),
    check=st.sampled_from(Check),
    penalty=st.builds(
        Penalty,
        points=st.none() | st.integers(0, 5),
        free=st.integers(0, 3),
        every_rejected=st.booleans(),
    ),
)
CALLED = st.lists(st.sampled_from([*WORDS, *FALSE]), max_size=4)
SEATINGS = st.sampled_from(
    [
        ALONE,
        Seating({"red": "ab", "blue": "cd"}),
        Seating({"red": "ac"}, {"a": 4}),
        Seating({}, {"a": 4, "b": 5}),
        Seating({"red": "abc"}, {"b": 5}),
    ]
)


@pytest.mark.parametrize(
    ("board", "words", "expected"),
    [
        ("ThAT", "that", ["that scored"]),
        ("RIThX", "right", ["right not_on_board"]),
        ("SHORT#EN", "short shorten", ["short scored", "shorten not_on_board"]),
        ("QuEUEX/", "queue", ["queue scored"]),
        ("TURNOVER/", "turnover turn over", ["turnover scored", "turn scored", "over scored"]),
    ],
)
def test_examples_of_the_rule_books(board: str, words: str, expected: list[str]) -> None:
    lexicon = Lexicon.from_words(
        "standard", ["that", "right", "short", "shorten", "queue", "turnover", "turn", "over"]
    )
    parsed = Board.parse(board if "/" in board else f"{board}/")
    lists = {"a": parse_word_list("\n".join(words.split()))}
    result = score_round(parsed, lists, lexicon, BOGGLE)
    assert verdicts(result) == expected


@given(LISTS, CONDUCTS, CALLED, CALLED, SEATINGS, st.randoms())
def test_neither_order_of_words_nor_of_lists_changes_a_score(
    lists: Lists,
    conduct: Conduct,
    challenged: list[str],
    rejected: list[str],
    seating: Seating,
    rng: Random,
) -> None:
    rules = conducted(conduct)
    entries = {
        name: parse_word_list("\n".join(words)) for name, words in zip(NAMES, lists, strict=False)
    }
    mixed = {
        name: tuple(sorted(listed, key=lambda _: rng.random()))
        for name, listed in reversed(entries.items())
    }
    forth, back = (
        score_round(
            BOARD,
            each,
            LEXICON,
            rules,
            seating=seating,
            challenged=challenged,
            rejected=rejected,
        )
        for each in (entries, mixed)
    )
    assert totals(forth) == totals(back)
    assert set(forth.winners) == set(back.winners)


@given(LISTS, CONDUCTS, CALLED, CALLED, SEATINGS)
def test_only_a_word_that_scored_has_points_and_a_struck_one_never(
    lists: Lists, conduct: Conduct, challenged: list[str], rejected: list[str], seating: Seating
) -> None:
    rules = conducted(conduct)
    result = scored(lists, rules, seating, challenged, rejected)
    for player in result.players:
        assert player.points == sum(word.points for word in player.words)
        for word in player.words:
            assert (word.points > 0) == (word.verdict is Verdict.SCORED)
            if word.verdict is Verdict.STRUCK:
                assert word.word in {*challenged, *rejected}
            if word.word in rejected or (word.word in challenged and word.word in FALSE):
                assert word.verdict is not Verdict.SCORED


@given(LISTS)
def test_a_team_has_the_union_of_its_words_less_those_of_other_teams(lists: Lists) -> None:
    teams = {"red": "ab", "blue": "cd"}
    result = scored(lists, seating=Seating(teams))
    seated = dict(zip(NAMES, lists, strict=False))
    union = {
        team: {word for member in members for word in seated.get(member, ()) if is_valid(word)}
        for team, members in teams.items()
    }
    alone = {"red": union["red"] - union["blue"], "blue": union["blue"] - union["red"]}
    for side in result.sides:
        assert side.points == sum(map(BOGGLE.points, alone[side.name]))
        assert sorted(side.lengths) == sorted(map(len, alone[side.name]))


@given(LISTS, st.sampled_from(VOID))
def test_a_void_word_changes_nobody_elses_points(lists: Lists, void: str) -> None:
    before = totals(scored([*lists[:3], []]))
    after = totals(scored([*lists[:3], [void]]))
    assert before == after


@given(LISTS)
def test_a_literal_word_cancels_wherever_two_wrote_it(lists: Lists) -> None:
    rules = conducted(Conduct(cancelling=Cancelling.LITERAL))
    seating = Seating({}, {"a": 5})
    result = scored(lists, rules, seating)
    for place, (player, words) in enumerate(zip(result.players, lists, strict=True)):
        others = {word for other, each in enumerate(lists) if other != place for word in each}
        shortest = 5 if player.name == "a" else 3
        alone = {word for word in words if is_valid(word, shortest)} - others
        assert player.points == sum(map(BOGGLE.points, alone))


def test_by_default_a_void_word_cancels_nobodys_and_literally_it_does() -> None:
    seating = Seating({}, {"a": 4})
    lists = [["tea", "team"], ["tea"]]
    assert totals(scored(lists, seating=seating)) == {"a": 1, "b": 1}
    literal = scored(lists, conducted(Conduct(cancelling=Cancelling.LITERAL)), seating)
    assert verdicts(literal, 0) == ["tea too_short", "team scored"]
    assert verdicts(literal, 1) == ["tea shared"]


@given(LISTS)
def test_without_cancelling_all_score_what_they_found(lists: Lists) -> None:
    result = scored(lists, conducted(Conduct(cancelling=Cancelling.OFF)))
    for player, words in zip(result.players, lists, strict=True):
        assert player.points == sum(map(BOGGLE.points, {w for w in words if is_valid(w)}))


@given(LISTS)
def test_a_three_letter_word_of_a_senior_is_void_and_cancels_no_juniors(lists: Lists) -> None:
    rules = game("super-big-handicap")
    result = scored(lists, rules, Seating({}, {"a": 3}))
    for number, (player, words) in enumerate(zip(result.players, lists, strict=True)):
        shortest = 4 if number else 3
        valid = {word for word in words if is_valid(word, shortest)}
        others = {
            word
            for other, each in enumerate(lists)
            if other != number
            for word in each
            if is_valid(word, 4 if other else 3)
        }
        assert player.points == sum(map(rules.points, valid - others))


def test_the_seniors_short_word_says_why_and_a_long_one_cancels_for_both() -> None:
    lists = [["tea", "team"], ["tea", "team", "quite"]]
    result = scored(lists, game("super-big-handicap"), Seating({}, {"a": 3}))
    assert verdicts(result, 0) == ["tea scored", "team shared"]
    assert verdicts(result, 1) == ["tea too_short", "team shared", "quite scored"]
    reason = result.players[1].words[0].reason
    assert reason == "3 letters; Super Big Boggle with handicap asks for 4 or more"
    assert totals(result) == {"a": 1, "b": 2}


def test_a_handicap_other_than_the_games_is_told_to_be_the_players() -> None:
    result = scored([["tea"]], seating=Seating({}, {"a": 4}))
    reason = result.players[0].words[0].reason
    assert reason == "3 letters; Boggle asks for 4 or more of this player"


def test_a_word_of_two_of_a_team_counts_once_for_it() -> None:
    result = scored([["tea"], ["tea", "quite"]], seating=Seating({"red": "ab"}))
    assert verdicts(result, 1) == ["tea repeated", "quite scored"]
    assert result.players[1].words[0].reason == "counts once for red, on the list of a"
    assert totals(result) == {"red": 3}
    assert result.winners == ("red",)


def test_a_short_word_of_the_first_of_a_team_leaves_it_to_the_junior() -> None:
    seating = Seating({"red": "ab"}, {"b": 3})
    result = scored([["tea"], ["tea"]], game("super-big-handicap"), seating)
    assert [verdicts(result, 0), verdicts(result, 1)] == [["tea too_short"], ["tea scored"]]


def test_a_team_may_play_against_one_alone() -> None:
    result = scored([["tea"], ["quite"], ["tea"]], seating=Seating({"red": "ab"}))
    assert totals(result) == {"red": 2, "c": 0}
    assert result.players[0].words[0].reason == "also found by c"


def test_a_challenged_word_that_is_not_in_the_word_list_is_struck_and_another_stays() -> None:
    result = scored([["tems", "tea"], ["tems"]], challenged=["tems", "tea"])
    assert verdicts(result, 0) == ["tems struck", "tea scored"]
    assert verdicts(result, 1) == ["tems struck"]
    assert result.players[0].words[0].reason == "challenged; not in the word list house"
    assert totals(result) == {"a": 1, "b": 0}


def test_where_only_challenges_are_looked_up_a_false_word_stands_until_then() -> None:
    rules = conducted(Conduct(check=Check.CHALLENGED))
    assert verdicts(scored([["tems"]], rules)) == ["tems scored"]
    assert verdicts(scored([["tems"]], rules, challenged=["tems"])) == ["tems struck"]
    assert verdicts(scored([["tems"], ["tems"]], rules)) == ["tems shared"]
    assert verdicts(scored([["zoo", "et"]], rules)) == ["zoo not_on_board", "et too_short"]


def test_the_referee_may_reject_what_the_word_list_allows() -> None:
    result = scored([["tea"], ["tea"]], rejected=["tea"])
    assert verdicts(result, 1) == ["tea struck"]
    assert result.players[0].words[0].reason == "rejected by the referee"


@pytest.mark.parametrize(
    ("penalty", "points", "reasons"),
    [
        (Penalty(), [0, 0, 0], [""] * 3),
        (Penalty(2), [-2, -2, 0], ["; penalty 2 points", "; penalty 2 points", ""]),
        (Penalty(1), [-1, -1, 0], ["; penalty 1 point", "; penalty 1 point", ""]),
        (Penalty(None), [-1, -3, 0], ["; penalty 1 point", "; penalty 3 points", ""]),
        (Penalty(None, 1), [-1, 0, 0], ["; penalty 1 point", "; an error that is free", ""]),
        (Penalty(None, 2), [0, 0, 0], ["; an error that is free"] * 2 + [""]),
        (Penalty(2, 0, every_rejected=True), [-2, -2, -2], ["; penalty 2 points"] * 3),
    ],
)
def test_false_words_cost_what_was_agreed(
    penalty: Penalty, points: list[int], reasons: list[str]
) -> None:
    rules = conducted(Conduct(penalty=penalty))
    result = scored(
        [["tems", "steame", "mets", "tea", "zoo"]], rules, challenged=["tems", "steame"]
    )
    words = result.players[0].words
    assert [word.points for word in words] == [*points, 1, 0]
    assert [word.reason.partition("house")[2] for word in words[:3]] == reasons
    assert totals(result) == {"a": sum(points) + 1}


def test_each_who_wrote_a_false_word_pays_and_nobody_wins_below_zero() -> None:
    rules = conducted(Conduct(penalty=Penalty(1)))
    result = scored([["tems"], ["tems"], []], rules, challenged=["tems"])
    assert totals(result) == {"a": -1, "b": -1, "c": 0}
    assert result.winners == ()


def test_a_challenge_that_fails_costs_nothing() -> None:
    rules = conducted(Conduct(penalty=Penalty(5)))
    assert totals(scored([["tea"], ["quite"]], rules, challenged=["tea"])) == {"a": 1, "b": 2}


def test_words_that_no_list_can_hold_cost_as_many_letters_as_they_have() -> None:
    rules = conducted(Conduct(penalty=Penalty(None, every_rejected=True)))
    assert totals(scored([["team's"]], rules)) == {"a": -2}
