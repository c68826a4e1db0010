"""A match: selecting, submitting, upgrades, the bonus for all letters, rounds and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board, Cell, Path
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.paths import paths
from scoring.rules.worldwinner import ALL_LETTERS
from scoring.worldwinner.events import (
    Clear,
    Deal,
    Deselect,
    EndTurn,
    Event,
    PlayPath,
    PlayWord,
    Select,
    Start,
    Submit,
    Tick,
    as_json,
    from_json,
)
from scoring.worldwinner.match import Match, Plan, Turn, play, potential, step
from scoring.worldwinner.refusals import Rule
from scoring.worldwinner.tiles import Bonus, Tiles
from scoring.worldwinner.words import best_path, score_path

BOARD = Board.parse("CAT/ACS/TSE")
WORDS = ["cat", "cats", "act", "ace", "sat", "at", "set", "tacet", "seat"]
PLAN = Plan(("ada", "ben"), Lexicon.from_words("few", WORDS), seed=1, seconds=90.0)
C, A, T = (0, 0), (0, 1), (0, 2)
OTHER_A, OTHER_C, OTHER_T = (1, 0), (1, 1), (2, 0)


def begun(round_number: int = 1, bonuses: dict[Cell, Bonus] | None = None) -> Match:
    """A match in which ada's clock of this round started at 100 s; its bonus tiles are these."""
    match = Match(PLAN)
    for number in range(1, round_number + 1):
        match = step(match, Deal(10.0 * number, BOARD))
        if number < round_number:
            match = skipped(match)
    match = step(match, Start(100.0, "ada", round_number))
    current = match.rounds[-1]
    if bonuses is not None:
        tiles = Tiles(BOARD, bonuses)
        current = type(current)(current.number, tiles, current.turns)
    return Match(PLAN, (*match.rounds[:-1], current))


def skipped(match: Match) -> Match:
    """The match after all players have given the round up."""
    for player in PLAN.players:
        match = step(match, EndTurn(0.0, player, len(match.rounds)))
    return match


def after(match: Match, *events: Event) -> Match:
    for event in events:
        match = step(match, event)
    return match


def turn(match: Match, player: str = "ada") -> Turn:
    return match.rounds[-1].turns[player]


def paid(match: Match) -> list[tuple[str, int]]:
    return [(payment.score.word, payment.points) for payment in turn(match).payments]


def selecting(*cells: Cell) -> list[Event]:
    return [Select(101.0, "ada", 1, cell) for cell in cells]


def dragged(path: Path, round_number: int = 1) -> PlayPath:
    return PlayPath(101.0, "ada", round_number, path)


def typed(word: str, round_number: int = 1) -> PlayWord:
    return PlayWord(101.0, "ada", round_number, word)


class TestSelecting:
    def test_letters_are_selected_one_by_one_and_submitted(self) -> None:
        match = after(begun(), *selecting(C, A, T))
        assert turn(match).selected == (C, A, T)
        match = step(match, Submit(101.0, "ada", 1))
        assert paid(match) == [("cat", 5)]
        assert turn(match).selected == ()

    def test_the_last_letter_tapped_again_submits(self) -> None:
        assert paid(after(begun(), *selecting(C, A, T, T))) == [("cat", 5)]

    def test_a_drag_submits_when_let_go(self) -> None:
        assert paid(step(begun(), dragged((OTHER_C, OTHER_A, OTHER_T)))) == [("cat", 5)]

    def test_letters_are_taken_back_from_the_last(self) -> None:
        match = after(begun(), *selecting(C, A, T), Deselect(102.0, "ada", 1))
        assert turn(match).selected == (C, A)
        match = after(match, Deselect(102.0, "ada", 1), Deselect(102.0, "ada", 1))
        assert turn(match).selected == ()
        assert step(match, Deselect(102.0, "ada", 1)) == match

    def test_the_selection_goes_back_to_a_letter(self) -> None:
        match = after(begun(), *selecting(C, A, T), Deselect(102.0, "ada", 1, C))
        assert turn(match).selected == (C,)

    def test_the_selection_is_cleared(self) -> None:
        match = after(begun(), *selecting(C, A, T), Clear(102.0, "ada", 1))
        assert turn(match).selected == ()
        assert not turn(match).payments

    def test_a_valid_word_shows_what_it_would_pay(self) -> None:
        match = after(begun(), typed("cat"), *selecting(C, A))
        assert potential(match, "ada") is None
        match = step(match, Select(101.0, "ada", 1, T))
        shown = potential(match, "ada")
        assert shown is not None
        assert (shown.score.word, shown.score.points, shown.points) == ("cat", 5, 0)

    def test_nothing_is_shown_where_nothing_is_selected(self) -> None:
        assert potential(Match(PLAN), "ada") is None
        assert potential(begun(), "ada") is None

    def test_players_do_not_touch_each_others_selection(self) -> None:
        match = after(begun(), Start(100.0, "ben", 1), *selecting(C, A))
        match = step(match, Select(101.0, "ben", 1, T))
        assert (turn(match).selected, turn(match, "ben").selected) == ((C, A), (T,))


class TestPaying:
    def test_an_upgrade_pays_the_difference(self) -> None:
        match = begun(2, {OTHER_C: Bonus.DL})
        match = after(match, dragged((C, A, T), 2), dragged((OTHER_C, A, T), 2))
        assert paid(match) == [("cat", 5), ("cat", 3)]
        assert turn(match).points == 8

    def test_a_lower_or_equal_score_pays_nothing_and_is_no_error(self) -> None:
        match = begun(2, {OTHER_C: Bonus.DL})
        match = after(match, *[dragged((cell, A, T), 2) for cell in (OTHER_C, C, OTHER_C)])
        assert paid(match) == [("cat", 8), ("cat", 0), ("cat", 0)]

    def test_a_typed_word_takes_its_best_path_and_a_given_path_is_respected(self) -> None:
        match = begun(2, {OTHER_C: Bonus.TW})
        assert paid(step(match, typed("cat", 2))) == [("cat", 15)]
        assert paid(step(match, dragged((C, A, T), 2))) == [("cat", 5)]

    def test_a_word_counts_again_in_another_round(self) -> None:
        match = after(begun(), typed("cat"))
        match = after(skipped(match), Deal(200.0, BOARD), Start(200.0, "ada", 2))
        match = step(match, PlayPath(201.0, "ada", 2, (C, A, T)))
        score = score_path(match.rounds[1].tiles, (C, A, T))
        assert match.totals == {"ada": 5 + score.points, "ben": 0}

    def test_qu_is_worth_what_was_agreed(self) -> None:
        board, lexicon = Board.parse("QuIT/"), Lexicon.from_words("few", ["quit"])
        for value in (10, 11):
            plan = Plan(("ada",), lexicon, seed=1, qu_value=value)
            match = play(plan, [Deal(0.0, board), Start(0.0, "ada", 1), typed("quit")])
            assert turn(match).payments[0].points == value + 2

    def test_typed_words_are_folded_as_the_word_list_folds(self) -> None:
        assert paid(step(begun(), typed(" Cat "))) == [("cat", 5)]

    def test_every_payment_is_explained(self) -> None:
        match = begun(2, {OTHER_C: Bonus.DL, A: Bonus.DW})
        match = after(match, *[dragged((cell, A, T), 2) for cell in (C, OTHER_C, C)])
        first, upgrade, none = turn(match).payments
        assert first.explain()[-1] == "paid: 10"
        assert upgrade.explain() == (
            "tiles: C 3 × 2 (DL) + A 1 + T 1 = 8",
            "word bonus: 8 × 2 (DW on A) = 16",
            "upgrade: 16 now, 10 before, the difference is paid",
            "paid: 6",
        )
        assert none.explain()[-2:] == ("no upgrade: 10 now, 16 before", "paid: 0")


CAT_PATHS = sorted(paths(BOARD, "cat"))


@given(
    ways=st.lists(st.sampled_from(CAT_PATHS), min_size=1, max_size=8),
    bonuses=st.dictionaries(st.sampled_from(BOARD.cells), st.sampled_from([*Bonus])),
)
def test_upgrades_sum_to_the_best_configuration_played(
    ways: list[Path], bonuses: dict[Cell, Bonus]
) -> None:
    match = begun(2, bonuses)
    for way in ways:
        match = step(match, dragged(way, 2))
    scores = [score_path(match.rounds[-1].tiles, way).points for way in ways]
    assert turn(match).points - turn(match).all_letters == max(scores)


@given(bonuses=st.dictionaries(st.sampled_from(BOARD.cells), st.sampled_from([*Bonus])))
def test_no_path_pays_more_after_the_best_one(bonuses: dict[Cell, Bonus]) -> None:
    match = step(begun(2, bonuses), typed("cat", 2))
    best = best_path(match.rounds[-1].tiles, "cat")
    assert best is not None
    assert turn(match).points == best.points
    for way in CAT_PATHS:
        assert turn(step(match, dragged(way, 2))).payments[-1].points == 0


class TestAllLetters:
    BOARD = Board.parse("CAT/#S_")
    PLAN = Plan(("ada",), Lexicon.from_words("few", ["cat", "sat", "at"]), seed=1)

    def play(self, *paths: Path) -> Match:
        events: list[Event] = [Deal(0.0, self.BOARD), Start(0.0, "ada", 1)]
        return play(self.PLAN, [*events, *(PlayPath(1.0, "ada", 1, path) for path in paths)])

    def test_tiles_of_paid_words_get_a_dot(self) -> None:
        assert turn(self.play(((0, 0), (0, 1), (0, 2)))).used == {(0, 0), (0, 1), (0, 2)}

    def test_the_word_that_uses_the_last_tile_gets_a_hundred_points_once(self) -> None:
        cat, sat = ((0, 0), (0, 1), (0, 2)), ((1, 1), (0, 1), (0, 2))
        match = self.play(cat, sat, ((0, 1), (0, 2)))
        assert [payment.all_letters for payment in turn(match).payments] == [0, ALL_LETTERS, 0]
        assert turn(match).points == 5 + 3 + 100 + 2
        assert "all letters used: + 100" in turn(match).payments[1].explain()
        assert turn(match).payments[1].explain()[-1] == "paid: 103"

    def test_a_word_that_pays_nothing_uses_no_tile(self) -> None:
        board = Board.parse("CAT/CAT")
        plan = Plan(("ada",), Lexicon.from_words("few", ["cat"]), seed=1)
        rows = [tuple((row, col) for col in range(3)) for row in range(2)]
        events = [PlayPath(1.0, "ada", 1, path) for path in rows]
        match = play(plan, [Deal(0.0, board), Start(0.0, "ada", 1), *events])
        assert turn(match).used == set(rows[0])
        assert turn(match).points == 5

    def test_each_round_has_its_own(self) -> None:
        cat, sat = ((0, 0), (0, 1), (0, 2)), ((1, 1), (0, 1), (0, 2))
        match = self.play(cat, sat)
        for number in (2, 3):
            match = after(match, EndTurn(1.0, "ada", number - 1), Deal(1.0, self.BOARD))
            words = [PlayPath(1.0, "ada", number, path) for path in (cat, sat)]
            match = after(match, Start(1.0, "ada", number), *words)
        assert [played.turns["ada"].all_letters for played in match.rounds] == [ALL_LETTERS] * 3


REFUSALS: list[tuple[Event, Rule, str]] = [
    (typed("cat", 2), Rule.WRONG_ROUND, "round 1 is being played, and this was for round 2"),
    (Submit(191.0, "ada", 1), Rule.TIME_OVER, "time on ada's clock of round 1 is over"),
    (Select(190.0, "ada", 1, C), Rule.TIME_OVER, "only while it runs"),
    (dragged((C, A, C)), Rule.USED_TWICE, r"A1 \(C\) is in the word already"),
    (dragged((C, T)), Rule.NO_NEIGHBOUR, "C1 does not touch A1"),
    (dragged((C, (0, 3))), Rule.OFF_BOARD, "no D1 on a board of 3×3"),
    (dragged((C,)), Rule.TOO_SHORT, "“c” has 1 letter: a word has 2 at least"),
    (dragged(()), Rule.TOO_SHORT, "0 letters"),
    (Submit(101.0, "ada", 1), Rule.TOO_SHORT, "0 letters"),
    (dragged((C, A)), Rule.NOT_IN_LEXICON, "“ca” is not in the word list few"),
    (typed("c"), Rule.TOO_SHORT, "“c” has 1 letter"),
    (typed("caters" * 3), Rule.TOO_LONG, "18 letters: on 3×3 a word has 16 at most"),
    (typed("dog"), Rule.NOT_ON_BOARD, "no way from tile to tile spells “dog”"),
    (typed("tac"), Rule.NOT_IN_LEXICON, "“tac” is not in the word list"),
    (Start(101.0, "ada", 1), Rule.STARTED, "has started round 1 already"),
    (PlayWord(101.0, "ben", 1, "cat"), Rule.NOT_STARTED, "ben's clock of round 1"),
    (PlayWord(101.0, "eve", 1, "cat"), Rule.UNKNOWN_PLAYER, "'eve' plays; the players are ada, b"),
    (Deselect(101.0, "ada", 1, C), Rule.NOT_SELECTED, "A1 is not selected"),
    (Deal(101.0, BOARD), Rule.ROUND_GOES_ON, "round 1 is still being played"),
]


@pytest.mark.parametrize(("event", "rule", "message"), REFUSALS)
def test_each_refusal_names_its_rule(event: Event, rule: Rule, message: str) -> None:
    with pytest.raises(RuleError, match=message) as refused:
        step(begun(), event)
    assert refused.value.kind == rule


def test_no_two_rules_say_the_same() -> None:
    said: dict[str, set[Rule]] = {}
    for event, rule, _ in REFUSALS:
        with pytest.raises(RuleError) as refused:
            step(begun(), event)
        said.setdefault(str(refused.value), set()).add(rule)
    assert all(len(rules) == 1 for rules in said.values())


def test_a_refused_move_leaves_the_selection() -> None:
    match = after(begun(), *selecting(C, A))
    with pytest.raises(RuleError):
        step(match, Select(101.0, "ada", 1, C))
    assert turn(match).selected == (C, A)


def test_a_face_alone_and_a_blank_are_refused() -> None:
    plan = Plan(("ada",), Lexicon.from_words("few", ["he"]), seed=1)
    match = play(plan, [Deal(0.0, Board.parse("He#/")), Start(0.0, "ada", 1)])
    for event, rule in (
        (PlayWord(1.0, "ada", 1, "he"), Rule.ONE_TILE),
        (PlayPath(1.0, "ada", 1, ((0, 0),)), Rule.ONE_TILE),
        (Select(1.0, "ada", 1, (0, 1)), Rule.NO_LETTER),
    ):
        with pytest.raises(RuleError) as refused:
            step(match, event)
        assert refused.value.kind == rule


class TestClock:
    def test_words_count_until_the_time_is_over(self) -> None:
        late = PlayWord(189.9, "ada", 1, "cat")
        assert paid(step(begun(), late)) == [("cat", 5)]

    def test_a_tick_ends_the_turns_whose_time_is_over(self) -> None:
        match = after(begun(), Start(120.0, "ben", 1), *selecting(C))
        match = step(match, Tick(195.0))
        assert (turn(match).ended, turn(match, "ben").ended) == (True, False)
        assert turn(match).selected == ()

    def test_a_tick_before_the_first_round_changes_nothing(self) -> None:
        assert step(Match(PLAN), Tick(5.0)) == Match(PLAN)

    def test_who_gives_up_the_rest_plays_no_more(self) -> None:
        match = step(begun(), EndTurn(110.0, "ada", 1))
        with pytest.raises(RuleError, match="was given up") as refused:
            step(match, PlayWord(111.0, "ada", 1, "cat"))
        assert refused.value.kind == Rule.TIME_OVER

    def test_who_gives_up_before_starting_cannot_start(self) -> None:
        match = step(step(Match(PLAN), Deal(0.0, BOARD)), EndTurn(0.0, "ada", 1))
        with pytest.raises(RuleError):
            step(match, Start(1.0, "ada", 1))

    def test_nothing_can_be_played_before_the_first_round(self) -> None:
        with pytest.raises(RuleError, match="no round has been dealt") as refused:
            step(Match(PLAN), typed("cat"))
        assert refused.value.kind == Rule.WRONG_ROUND


def whole_match(words: dict[str, Iterable[str]]) -> list[Event]:
    events: list[Event] = []
    for number in (1, 2, 3):
        start = 1000.0 * number
        events.append(Deal(start, BOARD))
        for player in PLAN.players:
            events.append(Start(start, player, number))
            events += [PlayWord(start + 1, player, number, word) for word in words[player]]
        events.append(Tick(start + PLAN.seconds))
    return events


class TestMatch:
    def test_the_higher_total_of_three_rounds_wins(self) -> None:
        match = play(PLAN, whole_match({"ada": ["cat"], "ben": ["cat", "sat"]}))
        assert match.over
        assert match.winners == ("ben",)
        assert match.totals["ben"] > match.totals["ada"] > 0

    def test_equal_totals_share_the_win_and_nothing_wins_nothing(self) -> None:
        assert play(PLAN, whole_match({"ada": ["act"], "ben": ["act"]})).winners == ("ada", "ben")
        assert play(PLAN, whole_match({"ada": [], "ben": []})).winners == ()

    def test_nobody_has_won_before_the_end(self) -> None:
        assert step(begun(), typed("cat")).winners == ()

    def test_there_is_no_fourth_round_and_no_word_after_the_third(self) -> None:
        match = play(PLAN, whole_match({"ada": ["cat"], "ben": []}))
        for event in (Deal(9000.0, BOARD), PlayWord(9000.0, "ada", 3, "cat")):
            with pytest.raises(RuleError, match="it has 3 rounds") as refused:
                step(match, event)
            assert refused.value.kind == Rule.MATCH_OVER

    def test_the_first_round_has_plain_tiles_and_the_others_bonus_tiles(self) -> None:
        match = play(PLAN, whole_match({"ada": [], "ben": []}))
        assert [len(played.tiles.bonuses) for played in match.rounds] == [0, 4, 8]

    def test_events_can_be_stored_as_json_and_played_again(self) -> None:
        events = whole_match({"ada": ["cat", "act"], "ben": ["sat"]})
        stored = json.loads(json.dumps([as_json(event) for event in events]))
        assert [from_json(entry) for entry in stored] == events
        assert play(PLAN, map(from_json, stored)) == play(PLAN, events)


@pytest.mark.parametrize(
    "event",
    [
        Deal(1.0, Board.parse("AQu#/_BC")),
        Tick(1.0),
        Start(1.0, "ada", 1),
        Select(1.0, "ada", 1, (0, 1)),
        Deselect(1.0, "ada", 1),
        Deselect(1.0, "ada", 1, (0, 1)),
        Clear(1.0, "ada", 1),
        Submit(1.0, "ada", 1),
        PlayPath(1.0, "ada", 1, ((0, 1), (1, 1))),
        PlayWord(1.0, "ada", 1, "cat"),
        EndTurn(1.0, "ada", 1),
    ],
)
def test_every_event_comes_back_from_json(event: Event) -> None:
    assert from_json(json.loads(json.dumps(as_json(event)))) == event


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"type": "cheat", "at": 1.0},
        {"type": "tick"},
        {"type": "tick", "at": "soon"},
        {"type": "tick", "at": float("nan")},
        {"type": "tick", "at": 1.0, "player": "ada"},
        {"type": "tick", "at": 1.0, "speed": 2},
        {"type": "select", "at": 1.0, "player": "ada", "round_number": 1, "cell": [1]},
        {"type": "tick", "at": 10**400},
        {"type": "deal", "at": 1.0, "board": "AB/C"},
        {"type": "deal", "at": 1.0, "board": 7},
        {"type": "play_word", "at": 1.0, "player": "ada", "round_number": 1, "word": 7},
    ],
)
def test_what_is_no_event_is_refused(stored: dict[str, object]) -> None:
    with pytest.raises(RuleError, match="no event"):
        from_json(stored)
