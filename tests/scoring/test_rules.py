"""The games: lengths, points, timers and which one a board's size means."""

import pytest

from scoring.board import Board
from scoring.rules import Game, UnknownGameError, fitted, game, game_for, games

SMALL_WORDS = {3: 1, 4: 1, 5: 2, 6: 3, 7: 5, 8: 11, 9: 11, 16: 11, 17: 11}
BIG_WORDS = {4: 1, 5: 2, 6: 3, 7: 5, 8: 11, 9: 11, 10: 11, 25: 11}
SUPER_WORDS = {4: 1, 5: 2, 6: 3, 7: 5, 8: 11, 9: 18, 10: 20, 11: 22, 15: 30}


@pytest.mark.parametrize(
    ("name", "length", "points"),
    [("boggle", *row) for row in SMALL_WORDS.items()]
    + [("big", *row) for row in BIG_WORDS.items()]
    + [("super-big", *row) for row in SUPER_WORDS.items()]
    + [("super-big-advanced", *row) for row in SUPER_WORDS.items() if row[0] > 4]
    + [("super-big-handicap", *row) for row in (SUPER_WORDS | {3: 1}).items()]
    + [("super-big-team", *row) for row in SUPER_WORDS.items()]
    + [("ultimate", *row) for row in BIG_WORDS.items()],
)
def test_points_are_those_of_the_rule_book(name: str, length: int, points: int) -> None:
    assert game(name).points("a" * length) == points


@pytest.mark.parametrize(
    ("name", "shortest"),
    [
        *(("boggle", 3), ("big", 4), ("super-big", 4), ("super-big-advanced", 5)),
        *(("super-big-handicap", 3), ("super-big-team", 4), ("ultimate", 4)),
    ],
)
def test_shorter_words_are_worth_nothing(name: str, shortest: int) -> None:
    assert game(name).min_length == shortest
    assert [game(name).points("a" * length) for length in range(shortest)] == [0] * shortest


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        *(("boggle", 180), ("big", 180), ("super-big", 240), ("super-big-advanced", 240)),
        *(("super-big-handicap", 240), ("super-big-team", 240)),
    ],
)
def test_timers_run_as_the_rule_book_says(name: str, seconds: int) -> None:
    assert game(name).timer_s == seconds


def test_all_letters_of_a_double_face_count() -> None:
    assert game("boggle").points("queue") == 2
    assert game("super-big").points("thousandth") == 20


@pytest.mark.parametrize(
    ("rows", "cols", "name"),
    [
        (1, 1, "boggle"),
        (3, 4, "boggle"),
        (4, 4, "boggle"),
        (3, 6, "big"),
        (5, 5, "big"),
        (2, 10, "big"),
        (6, 6, "super-big"),
        (10, 10, "super-big"),
    ],
)
def test_size_of_the_board_decides_the_game(rows: int, cols: int, name: str) -> None:
    assert game_for(Board.from_faces([["A"] * cols] * rows)).name == name


def test_games_are_named_once_and_found_by_name() -> None:
    assert [found.name for found in games()] == [
        "boggle",
        "big",
        "super-big",
        "super-big-advanced",
        "super-big-handicap",
        "super-big-team",
        "ultimate",
        "worldwinner",
    ]
    assert all(game(found.name) is found for found in games())


def test_unknown_game_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match=r"'bogle'.*boggle, big, super-big"):
        game("bogle")


def test_only_players_with_a_handicap_may_find_three_letters() -> None:
    assert (game("super-big-handicap").min_length, game("super-big-handicap").shortest) == (3, 4)
    assert game("super-big").shortest == game("super-big").min_length


@pytest.mark.parametrize(("size", "tray"), [(4, "boggle"), (5, "big"), (6, "super-big")])
def test_ultimate_counts_as_the_tray_that_it_is_played_on(size: int, tray: str) -> None:
    board = Board.from_faces([["A"] * size] * size)
    rules = fitted(game("ultimate"), board)
    assert (rules.name, rules.min_length) == ("ultimate", game(tray).min_length)
    assert rules.points_by_length == game(tray).points_by_length
    assert rules.timer_s == game(tray).timer_s
    assert rules.conduct.open_ended
    assert fitted(game("super-big-advanced"), board) is game("super-big-advanced")


@pytest.mark.parametrize("points", [-1, 1.5, 2**31])
def test_a_word_pays_whole_points_from_nothing_up(points: int) -> None:
    with pytest.raises(ValueError, match="a word pays whole points"):
        Game("odd", "Odd", (), 1, table=((3, points),))
    with pytest.raises(ValueError, match="a word pays whole points"):
        Game("odd", "Odd", (), 1, table=((1, 1),), per_letter=(60, points))
