"""Matches of the Boggle family: rounds, turns to read, challenges, totals, the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.boggle.match import Boggle, explain_winner
from scoring.boggle.plan import Plan
from scoring.boggle.state import State
from scoring.lexicon import Lexicon
from scoring.match import Match, MatchError, RuleError, Rules, Setup
from scoring.referee import PlayerResult, Verdict
from scoring.rules import UnknownGameError, game
from scoring.rules.house import HouseRulesError

BOARD = "STAE/HeEMR/QuITS/#EDL"
WORDS = [
    *("ear", "ears", "her", "met", "meter", "quit", "quite", "tea", "team", "term", "the"),
    *("steam", "steamer", "steams", "hem", "hit", "item", "tie", "tied", "emit", "he"),
]
LEXICON = Lexicon.from_words("house", WORDS)


def new(
    players: str = "ann bob",
    base: str = "boggle",
    **agreed: Any,  # noqa: ANN401 - as of `Plan.agree`
) -> Match[State]:
    """A match of these players."""
    return Match.new(Boggle(Plan.agree(players.split(), base, **agreed), LEXICON, "house"))


def rules_of(match: Match[State]) -> Boggle:
    assert isinstance(match.rules, Boggle)
    return match.rules


def played(
    match: Match[State], *events: tuple[str, Mapping[str, Any]], at: float = 0.0
) -> Match[State]:
    """The match after some events, all at one moment."""
    for kind, given_fields in events:
        match = match.play({"type": kind, **given_fields, "at": float(at)})
    return match


def board(match: Match[State], at: float = 0.0) -> Match[State]:
    return played(match, ("board", {"board": BOARD}), at=at)


def handed_in(match: Match[State], at: float = 0.0, /, **lists: str) -> Match[State]:
    """The match after these lists, words divided by spaces."""
    events = [("list", {"player": name, "lines": text.split()}) for name, text in lists.items()]
    return played(match, *events, at=at)


def round_of(match: Match[State], /, **lists: str) -> Match[State]:
    """The match after one more round."""
    return played(handed_in(board(match), **lists), ("end_round", {}))


def totals(match: Match[State]) -> dict[str, int]:
    return {side.name: side.total for side in match.state.standings}


def refusal(
    match: Match[State],
    kind: str,
    at: float = 0.0,
    /,
    **fields: Any,  # noqa: ANN401 - of any event
) -> RuleError:
    """How an event is refused."""
    with pytest.raises(RuleError) as caught:
        match.play({"type": kind, **fields, "at": float(at)})
    assert caught.value.advice
    return caught.value


def test_one_round_is_a_match_unless_otherwise_agreed() -> None:
    match = round_of(new(), ann="tea quite", bob="tea the")
    assert totals(match) == {"ann": 2, "bob": 1}
    assert (match.state.over, match.state.winners) == (True, ("ann",))
    assert explain_winner(match.state) == "ann has most points: 2."


def test_a_match_of_rounds_adds_them_up() -> None:
    match = round_of(new(rounds=2), ann="quite", bob="the")
    assert (match.state.over, match.state.winners) == (False, ())
    assert explain_winner(match.state) == ""
    match = round_of(match, ann="tea", bob="steamer ear")
    assert totals(match) == {"ann": 3, "bob": 7}
    assert match.state.winners == ("bob",)


def test_the_first_to_reach_the_target_wins() -> None:
    match = new(target=7)
    match = round_of(match, ann="steamer", bob="ear")
    assert not match.state.over
    match = round_of(match, ann="quite", bob="tea")
    assert (match.state.over, match.state.winners) == (True, ("ann",))


def test_of_several_past_the_target_in_one_round_the_highest_wins() -> None:
    match = round_of(new(target=5), ann="steamer", bob="steams steam ear")
    assert totals(match) == {"ann": 5, "bob": 6}
    assert match.state.winners == ("bob",)


def test_rounds_or_target_whichever_comes_first() -> None:
    match = round_of(new(target=50, rounds=1), ann="tea", bob="")
    assert (match.state.over, match.state.winners) == (True, ("ann",))


@pytest.mark.parametrize("target", [1, 50, 100, 99_999])
def test_any_target_may_be_agreed(target: int) -> None:
    match = round_of(new(target=target), ann="steamer", bob="")
    assert match.state.over == (target <= 5)


def test_the_target_of_the_house_rules_holds_unless_another_is_given() -> None:
    house = {"match": {"target": 50}}
    assert rules_of(new(house=house)).plan.target == 50
    assert rules_of(new(house=house, target=20)).plan.target == 20
    assert rules_of(new(house=house)).plan.rounds is None


def test_a_tie_goes_to_the_longer_words_of_all_rounds() -> None:
    match = round_of(new(rounds=2), ann="quite", bob="tea the")
    match = round_of(match, ann="", bob="")
    assert totals(match) == {"ann": 2, "bob": 2}
    assert match.state.winners == ("ann",)
    expected = "ann and bob have 2 points each; ann has the longer scoring words."
    assert explain_winner(match.state) == expected


def test_words_of_the_same_lengths_share_the_win() -> None:
    match = round_of(new(), ann="tea", bob="the")
    assert match.state.winners == ("ann", "bob")
    assert "they share it" in explain_winner(match.state)


def test_where_nobody_has_points_nobody_wins() -> None:
    match = round_of(new(), ann="tea", bob="tea")
    assert (match.state.over, match.state.winners) == (True, ())
    assert explain_winner(match.state) == "Nobody has any points, so nobody wins."


def test_teams_play_for_their_side_and_one_alone_against_them() -> None:
    match = new("ann bob cy", "super-big-team", teams={"red": ["ann", "bob"]})
    match = round_of(match, ann="steamer team", bob="team meter", cy="meter tied")
    assert totals(match) == {"red": 6, "cy": 1}
    assert match.state.winners == ("red",)
    assert match.state.standings[0].members == ("ann", "bob")


def test_a_player_with_a_handicap_scores_shorter_words() -> None:
    match = new("ann kim", "super-big-handicap", handicaps={"kim": 3})
    match = round_of(match, ann="tea steam", kim="tea")
    assert totals(match) == {"ann": 2, "kim": 1}


def test_lists_are_read_in_the_order_of_the_table_and_strike_words_out() -> None:
    match = handed_in(board(new("ann bob cy")), cy="tea the", ann="tea quite", bob="quite tied the")
    rules = rules_of(match)

    def struck(match: Match[State]) -> list[tuple[str, str]]:
        assert match.state.open_round
        return [(out.player, out.word) for out in rules.strike_outs(match.state.open_round)]

    assert match.state.open_round
    assert rules.reader(match.state.open_round) == "ann"
    assert struck(match) == []
    assert refusal(match, "read_aloud", player="bob").kind == "not_your_turn"
    match = played(match, ("read_aloud", {"player": "ann"}))
    assert struck(match) == [("ann", "tea"), ("ann", "quite"), ("bob", "quite"), ("cy", "tea")]
    assert refusal(match, "end_round").kind == "reading"
    match = played(match, ("read_aloud", {"player": "bob"}))
    assert struck(match)[-1] == ("cy", "the")
    match = played(match, ("read_aloud", {"player": "cy"}))
    assert refusal(match, "read_aloud", player="ann").kind == "all_read"
    assert totals(played(match, ("end_round", {}))) == {"ann": 0, "bob": 1, "cy": 0}


def test_after_all_have_read_the_strike_outs_are_the_shared_words_of_the_result() -> None:
    match = handed_in(board(new()), ann="tea quite the", bob="the hem tea")
    match = played(match, *(("read_aloud", {"player": name}) for name in ("ann", "bob")))
    assert match.state.open_round
    struck = {(out.player, out.word) for out in rules_of(match).strike_outs(match.state.open_round)}
    result = played(match, ("end_round", {})).state.rounds[-1].result
    assert result
    assert struck == {
        (player.name, word.word)
        for player in result.players
        for word in player.words
        if word.verdict is Verdict.SHARED
    }


def test_a_list_that_was_typed_is_complete_once_a_word_of_it_was_challenged() -> None:
    match = played(board(new()), ("start", {}), ("word", {"player": "ann", "word": "tea"}))
    match = handed_in(match, bob="")
    match = played(match, ("challenge", {"word": "tea", "of": "ann", "by": "bob"}), at=180.0)
    late = {"type": "list", "player": "ann", "lines": ["ear"], "at": 181.0}
    with pytest.raises(RuleError, match="is complete"):
        match.play(late)


def test_a_contraction_is_challenged_as_it_is_written_and_comes_off() -> None:
    match = handed_in(board(new(house={"challenge": {"penalty": 2}})), ann="don't", bob="")
    event = ("challenge", {"word": "DON\N{RIGHT SINGLE QUOTATION MARK}T", "of": "ann", "by": "bob"})
    ended = played(match, event, ("end_round", {}))
    result = ended.state.rounds[0].result
    assert result is not None
    (word,) = result.players[0].words
    assert (word.verdict, word.points) == (Verdict.STRUCK, -2)


def test_a_moment_that_is_none_is_refused() -> None:
    with pytest.raises(RuleError, match="no moment"):
        new().play({"type": "board", "board": BOARD, "at": float("inf")})


def test_a_challenge_is_decided_by_the_word_list_and_costs_what_was_agreed() -> None:
    house = {"challenge": {"check": "challenged", "penalty": 2}}
    match = handed_in(board(new(house=house)), ann="tems steame", bob="tea")
    match = played(
        match,
        ("challenge", {"word": "TEMS", "of": "ann", "by": "bob"}),
        ("challenge", {"word": "tea", "of": "bob", "by": "ann"}),
    )
    assert match.state.open_round
    assert [each.upheld for each in match.state.open_round.challenges] == [True, False]
    assert totals(played(match, ("end_round", {}))) == {"ann": -2 + 3, "bob": 1}


def test_ultimate_has_no_timer_until_the_last_chance() -> None:
    match = board(new(base="ultimate"))
    match = played(match, ("word", {"player": "ann", "word": "quite"}), at=10_000)
    assert refusal(match, "list", 10_000, player="ann", lines=[]).kind == "writing"
    match = played(match, ("last_chance", {"player": "bob"}), at=20_000)
    match = played(match, ("word", {"player": "bob", "word": "tea"}), at=20_179)
    assert refusal(match, "list", 20_179, player="bob", lines=[]).kind == "writing"
    assert refusal(match, "word", 20_180, player="bob", word="the").kind == "timer_over"
    assert refusal(match, "last_chance", 20_100, player="ann").kind == "timer_running"
    assert refusal(match, "last_chance", 20_180, player="ann").kind == "timer_over"
    assert refusal(match, "agree", 20_180, player="ann").kind == "timer_over"
    assert totals(played(match, ("end_round", {}), at=20_180)) == {"ann": 2, "bob": 1}


def test_ultimate_also_ends_when_both_agree() -> None:
    match = played(board(new(base="ultimate")), ("agree", {"player": "ann"}))
    match = played(match, ("agree", {"player": "ann"}))
    assert refusal(match, "list", player="ann", lines=[]).kind == "writing"
    match = played(match, ("agree", {"player": "bob"}))
    assert refusal(match, "word", player="ann", word="tea").kind == "agreed"
    assert refusal(match, "last_chance", player="ann").kind == "agreed"
    match = played(handed_in(match, ann="tea", bob=""), ("end_round", {}))
    assert match.state.winners == ("ann",)


def test_ultimate_charges_each_rejected_word_and_hears_a_referee() -> None:
    house = {"challenge": {"penalty": 1, "charge": "rejected"}}
    match = played(
        board(new(base="ultimate", house=house)),
        *(("agree", {"player": n}) for n in ("ann", "bob")),
    )
    match = handed_in(match, ann="tems team tea", bob="quite zoo")
    match = played(match, ("reject", {"word": "tea", "of": "ann"}), ("end_round", {}))
    assert totals(match) == {"ann": -1 + 1 - 1, "bob": 2}


def test_words_are_typed_while_the_sand_runs() -> None:
    match = board(new())
    assert refusal(match, "word", player="ann", word="tea").kind == "not_started"
    match = played(match, ("start", {}), at=100)
    assert refusal(match, "start", 101).kind == "timer_running"
    match = played(match, ("word", {"player": "ann", "word": "tea"}), at=279.9)
    assert refusal(match, "word", 280, player="ann", word="the").kind == "timer_over"
    assert refusal(match, "start", 280).kind == "timer_over"
    assert refusal(match, "end_round", 279).kind == "list_missing"
    match = handed_in(match, 290, bob="quite")
    assert totals(played(match, ("end_round", {}), at=290)) == {"ann": 1, "bob": 2}


def test_typed_and_written_words_make_one_list() -> None:
    match = played(board(new()), ("start", {}), ("word", {"player": "ann", "word": "tea"}))
    match = handed_in(match, 500, ann="tea quite", bob="")
    assert totals(played(match, ("end_round", {}), at=500)) == {"ann": 3, "bob": 0}


WAITING = handed_in(board(new(rounds=2)), ann="tea tems two", bob="the")
ENDED = played(WAITING, ("end_round", {}))
OVER = round_of(new(), ann="tea", bob="")


@pytest.mark.parametrize(
    ("match", "event", "kind", "names"),
    [
        (new(), {"type": "start"}, "no_round", "no round"),
        (new(), {"type": "challenge", "word": "a", "of": "ann", "by": "bob"}, "no_round", ""),
        (new(), {"type": "board", "board": "ABC/D"}, "board", "equally long"),
        (WAITING, {"type": "board", "board": BOARD}, "round_open", "round 1"),
        (OVER, {"type": "board", "board": BOARD}, "match_over", "over"),
        (OVER, {"type": "start"}, "match_over", "over"),
        (board(new()), {"type": "end_round"}, "list_missing", "ann and bob"),
        (board(new()), {"type": "read_aloud", "player": "ann"}, "list_missing", "ann and bob"),
        (WAITING, {"type": "list", "player": "cy", "lines": []}, "unknown_player", "'cy'"),
        (
            handed_in(board(new()), ann="tems"),
            {"type": "challenge", "word": "tems", "of": "ann", "by": "bob"},
            "list_missing",
            "the list of bob",
        ),
        (board(new()), {"type": "list", "player": "Ann", "lines": []}, "unknown_player", "'Ann'"),
        (
            WAITING,
            {"type": "list", "player": "ann", "lines": []},
            "list_complete",
            "handed in once",
        ),
        (WAITING, {"type": "read_aloud", "player": "cy"}, "unknown_player", "'cy'"),
        (
            WAITING,
            {"type": "challenge", "word": "quite", "of": "ann", "by": "bob"},
            "not_listed",
            "not on the list of ann",
        ),
        (
            WAITING,
            {"type": "challenge", "word": "the", "of": "ann", "by": "bob"},
            "not_listed",
            "not on the list of ann",
        ),
        (
            WAITING,
            {"type": "challenge", "word": "tea", "of": "ann", "by": "cy"},
            "unknown_player",
            "'cy'",
        ),
        (
            played(WAITING, ("challenge", {"word": "tea", "of": "ann", "by": "bob"})),
            {"type": "challenge", "word": "tea", "of": "ann", "by": "bob"},
            "challenged",
            "once is all",
        ),
        (
            ENDED,
            {"type": "challenge", "word": "tems", "of": "ann", "by": "bob"},
            "too_late",
            "before the round is scored",
        ),
        (
            OVER,
            {"type": "challenge", "word": "tea", "of": "ann", "by": "bob"},
            "too_late",
            "round 1",
        ),
        (
            WAITING,
            {"type": "challenge", "word": "tea", "of": "ann", "by": "ann"},
            "challenge_own",
            "words of others",
        ),
        (
            WAITING,
            {"type": "challenge", "word": "tea ear", "of": "ann", "by": "bob"},
            "no_word",
            "more than one word",
        ),
        (WAITING, {"type": "start"}, "lists_in", "all lists of round 1"),
        (
            played(board(new()), ("start", {})),
            {"type": "word", "player": "ann", "word": "tea\near"},
            "no_word",
            "not one word",
        ),
        (
            played(
                board(new()),
                ("start", {}),
                ("word", {"player": "ann", "word": "tea"}),
                ("list", {"player": "bob", "lines": []}),
                ("list", {"player": "ann", "lines": []}),
                ("challenge", {"word": "tea", "of": "ann", "by": "bob"}),
            ),
            {"type": "word", "player": "ann", "word": "ear"},
            "list_complete",
            "handed in once",
        ),
        (WAITING, {"type": "reject", "word": "tea", "of": "ann"}, "no_referee", "Ultimate"),
        (WAITING, {"type": "last_chance", "player": "ann"}, "not_open_ended", "Ultimate"),
        (WAITING, {"type": "agree", "player": "ann"}, "not_open_ended", "Ultimate"),
        (board(new(base="ultimate")), {"type": "start"}, "open_ended", "without a timer"),
        (WAITING, {"type": "dance"}, "event", "'dance'"),
        (board(new()), {"type": "list", "player": "ann", "lines": [1]}, "event", "line"),
        (board(new()), {"type": "list", "player": "ann"}, "event", "'lines'"),
    ],
)
def test_what_breaks_a_rule_is_refused_by_its_name(
    match: Match[State], event: Mapping[str, Any], kind: str, names: str
) -> None:
    with pytest.raises(RuleError) as caught:
        match.play({**event, "at": 0.0})
    assert caught.value.kind == kind
    assert names in str(caught.value)
    assert caught.value.advice


@pytest.mark.parametrize(
    ("players", "base", "agreed", "kind"),
    [
        ("", "boggle", {}, "players"),
        (" ".join(map(str, range(21))), "boggle", {}, "players"),
        ("ann Ann", "boggle", {}, "players"),
        ("x" * 41, "boggle", {}, "players"),
        ("ann", "ultimate", {}, "players"),
        ("ann bob cy", "ultimate", {}, "players"),
        ("ann bob", "worldwinner", {}, "game"),
        ("ann bob", "super-big-team", {}, "team"),
        ("ann bob", "boggle", {"teams": {"red": ["ann", "bob"]}}, "team"),
        ("ann bob", "boggle", {"teams": {"red": ["ann", "cy"]}}, "team"),
        ("ann bob", "boggle", {"teams": {"red": ["ann"], "blue": ["ann"]}}, "team"),
        ("ann bob", "boggle", {"teams": {"bob": ["ann"]}}, "team"),
        ("ann bob", "boggle", {"teams": {"red": [], "blue": ["bob"]}}, "team"),
        ("ann bob", "boggle", {"handicaps": {"cy": 3}}, "handicap"),
        ("ann bob", "boggle", {"handicaps": {"ann": 2}}, "handicap"),
        ("ann bob", "big", {"handicaps": {"ann": 3}}, "handicap"),
        ("ann bob", "boggle", {"target": 0}, "target"),
        ("ann bob", "boggle", {"target": 100_001}, "target"),
        ("ann bob", "boggle", {"rounds": 0}, "rounds"),
        ("ann bob", "boggle", {"rounds": 1001}, "rounds"),
    ],
)
def test_a_match_that_cannot_be_is_not_begun(
    players: str, base: str, agreed: dict[str, Any], kind: str
) -> None:
    with pytest.raises(RuleError) as caught:
        new(players, base, **agreed)
    assert caught.value.kind == kind
    assert caught.value.advice


def test_unknown_games_and_unsound_house_rules_have_their_own_errors() -> None:
    with pytest.raises(UnknownGameError):
        new(base="ludo")
    with pytest.raises(HouseRulesError):
        new(house={"words": {"min_letters": 0}})


def reopen(_name: str, setup: Setup) -> Rules[State]:
    return Boggle.from_setup(setup, lambda _: LEXICON)


LONG = played(
    handed_in(
        board(
            new(
                "ann bob cy",
                "super-big-handicap",
                teams={"red": ["ann", "cy"]},
                handicaps={"cy": 3},
                house={"challenge": {"penalty": "word", "free_errors": 1}},
                target=50,
            )
        ),
        ann="team tems",
        bob="team",
        cy="tea tea",
    ),
    ("challenge", {"word": "tems", "of": "ann", "by": "bob"}),
    ("end_round", {}),
)


def players_of(match: Match[State]) -> list[tuple[PlayerResult, ...]]:
    return [each.result.players for each in match.state.rounds if each.result]


def test_a_stored_match_is_replayed_as_it_was() -> None:
    again = Match.from_lines(LONG.undo().to_lines(), reopen)
    assert again.state == LONG.states[-2]
    for match in (Match.from_document(LONG.document(), reopen), again.play(LONG.events[-1])):
        assert match.state.standings == LONG.state.standings
        assert players_of(match) == players_of(LONG)


@pytest.mark.parametrize(
    "change",
    [
        {"players": [1]},
        {"teams": {"red": "ann"}},
        {"handicaps": {"cy": "3"}},
        {"handicaps": {"cy": True}},
        {"game": "ludo"},
        {"house_rules": {"x": {}}},
        {"target": "50"},
        {"rounds": 2.5},
        {"lexicon": None},
    ],
)
def test_a_damaged_setup_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RuleError):
        Boggle.from_setup({**LONG.rules.setup, **change}, lambda _: LEXICON)


def test_an_entry_that_breaks_a_rule_makes_the_match_damaged() -> None:
    document = LONG.document()
    document["log"][0]["board"] = "ABC/D"
    with pytest.raises(MatchError, match="entry 1"):
        Match.from_document(document, reopen)


ROUNDS = st.lists(
    st.tuples(*[st.lists(st.sampled_from([*WORDS, "tems"]), max_size=5)] * 3),
    min_size=1,
    max_size=4,
)


@given(ROUNDS, st.integers(1, 12))
def test_a_match_ends_with_the_round_that_reaches_the_target(
    rounds: Sequence[Sequence[Sequence[str]]], target: int
) -> None:
    alone = [
        round_of(new("a b c"), **dict(zip("abc", map(" ".join, lists), strict=True)))
        for lists in rounds
    ]
    sums = {
        name: list(accumulate(totals(match)[name] for match in alone)) for name in ("a", "b", "c")
    }
    match = new("a b c", target=target)
    for number, lists in enumerate(rounds):
        match = round_of(match, **dict(zip("abc", map(" ".join, lists), strict=True)))
        now = {name: each[number] for name, each in sums.items()}
        assert totals(match) == now
        assert match.state.over == (max(now.values()) >= target)
        if match.state.over:
            best = max(now.values())
            assert match.state.winners
            assert all(now[name] == best for name in match.state.winners)
            break


def test_games_of_the_family_can_all_be_played() -> None:
    for name in ("boggle", "big", "super-big", "super-big-advanced", "super-big-handicap"):
        match = round_of(new("ann", name), ann="steamer")
        assert totals(match) == {"ann": game(name).points("steamer")}
