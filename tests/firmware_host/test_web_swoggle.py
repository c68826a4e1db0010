"""Swoggle by touch over the routes: the service is the referee, and what is done counts once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host import lexicons, matches, solo_scores, swoggle
from firmware_host.solo_scores import SoloScore
from firmware_host.web.texts import shipped_texts
from scoring.lexicon import Lexicon
from scoring.swoggle.board import builtin_layout
from scoring.swoggle.rules import written_squares
from scoring.swoggle.state import State
from scoring.swoggle.turn import Direction, Turn
from tests.touch_desk import Client, Desk

URL = "/api/swoggle"
ROOT = Path(__file__).parents[2]
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("matches")))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    table = Desk(tmp_path)
    yield table
    table.close()


def begun(desk: Desk, *players: str, **rest: object) -> Json:
    asked = {"name": "monday", "players": players or ("ann", "bob")} | rest
    answer = desk.display.post(URL, asked)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def seen(client: Client) -> Json:
    return dict(client.get(f"{URL}/monday").json())


def done(client: Client, type_: str, player: str = "", **rest: object) -> httpx.Response:
    """Do something as one who has just looked at the match."""
    view = seen(client)
    given = {"seq": view["seq"], "type": type_, "player": player or view["mover"] or "ann"}
    return client.post(f"{URL}/monday/events", given | rest)


def on(row: int, col: int, direction: str, word: str) -> list[list[object]]:
    """The letters of a word, from a square that is counted from 1."""
    cells = (Direction(direction).step((row - 1, col - 1), step) for step in range(len(word)))
    return [[*cell, letter] for cell, letter in zip(cells, word, strict=True)]


PARADE = on(8, 5, "across", "PARADE")


def kept() -> State:
    return swoggle.load("monday", 0.0).state


def parade(desk: Desk, player: str = "ann", **rules: object) -> Json:
    """A match in which PARADE stands."""
    begun(desk, **rules)
    done(desk.display, "start", throws=[[6, 3]])
    answer = done(desk.display, "turn", player, letters=PARADE)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_first_example_of_the_rulebook(desk: Desk) -> None:
    view = parade(desk)
    assert view["letters"][7][4:10] == list("PARADE")
    assert [(seat["name"], seat["points"]) for seat in view["players"]] == [("ann", 17), ("bob", 0)]
    (word,) = view["sheet"][0]["words"]
    assert [square["points"] for square in word["squares"]] == [4, 1, 5, 1, 5, 1]
    assert (view["mover"], view["die"], view["count"]) == ("bob", None, None)
    assert view["fresh"] == [[7, col] for col in range(4, 10)]


def test_the_board_is_the_one_that_is_printed(desk: Desk) -> None:
    view = begun(desk)
    assert view["squares"] == [list(map(str, row)) for row in builtin_layout().squares]
    assert view["may_start"]
    assert view["alphabet"] == "abcdefghijklmnopqrstuvwxyz"


def test_words_across_and_down_are_one_turn(desk: Desk) -> None:
    parade(desk)
    done(desk.display, "roll", die=4)
    view = done(desk.display, "turn", letters=on(8, 11, "down", "SEAT")).json()
    assert [word["word"] for word in view["sheet"][0]["words"]] == ["SEAT", "PARADES"]
    assert view["players"][1]["points"] == 32


def test_letters_that_stand_are_stepped_over(desk: Desk) -> None:
    parade(desk)
    done(desk.display, "roll", die=2)
    view = done(desk.display, "turn", letters=[[6, 9, "h"], [8, 9, "M"]]).json()
    assert view["sheet"][0]["words"][0]["word"] == "HEM"


@pytest.mark.parametrize(
    ("letters", "rule"),
    [
        ([[0, 0, "a"], [0, 1, "t"]], "not_joined"),
        ([[6, 4, "a"], [5, 5, "t"]], "not_one_line"),
        ([[6, 4, "a"], [6, 6, "t"]], "split"),
        ([[6, 4, "x"], [6, 5, "q"]], "not_a_word"),
        ([[7, 4, "x"], [7, 5, "q"]], "occupied"),
        ([[6, 4, "a"]], "wrong_count"),
        ([], "letter"),
        ([[6, 4, "a"], [6, 4, "b"]], "letter"),
    ],
)
def test_what_breaks_a_rule_changes_nothing(desk: Desk, letters: object, rule: str) -> None:
    parade(desk)
    done(desk.display, "roll", die=2)
    answer = done(desk.display, "turn", letters=letters)
    assert (answer.status_code, answer.json()["type"]) == (409, rule)
    assert len(kept().letters) == 6


@pytest.mark.parametrize("letter", ["ß", "я", "İ", "ª"])
def test_a_letter_of_no_word_is_refused(desk: Desk, letter: str) -> None:
    begun(desk)
    done(desk.display, "roll", die=2)
    answer = done(desk.display, "turn", letters=[[7, 7, "A"], [7, 8, letter]])
    assert (answer.status_code, answer.json()["type"]) == (409, "alphabet")


def test_what_is_sent_again_counts_once(desk: Desk) -> None:
    begun(desk, "ann", variant="solo")
    given = {"seq": 0, "type": "roll", "player": "ann", "die": 6}
    assert desk.display.post(f"{URL}/monday/events", given).status_code == 200
    again = desk.display.post(f"{URL}/monday/events", given)
    assert (again.status_code, again.json()["type"]) == (409, "moved_on")
    assert seen(desk.display)["seq"] == 1


def test_bonus_squares_take_the_throws_of_the_players_or_of_the_service(desk: Desk) -> None:
    parade(desk)
    letters = on(8, 10, "down", "XON")[1:]  # E stands; row 10, column 10 is orange
    assert builtin_layout()[9, 9].kind.dice == 1
    done(desk.display, "roll", die=2)
    asked = done(desk.display, "turn", letters=letters, bonus=[])
    assert asked.json()["type"] == "bonus"
    view = done(desk.display, "turn", letters=letters, bonus=[5]).json()
    assert view["sheet"][0]["words"][0]["squares"][2]["throws"] == [5]
    done(desk.display, "undo")
    view = done(desk.display, "turn", letters=letters).json()
    (thrown,) = view["sheet"][0]["words"][0]["squares"][2]["throws"]
    assert thrown in range(1, 7)


def test_the_service_throws_where_it_is_asked_to(desk: Desk) -> None:
    begun(desk)
    view = done(desk.display, "start").json()
    assert view["die"] in range(1, 7)
    done(desk.display, "pass")
    assert done(desk.display, "roll").json()["die"] in range(1, 7)
    assert kept().sheet[0].die == view["die"]


def test_a_challenge_that_holds_and_one_that_does_not(desk: Desk) -> None:
    begun(desk, challenges=True)
    done(desk.display, "start", throws=[[6, 3]])
    done(desk.display, "turn", letters=on(8, 5, "across", "XXXXXX"))
    view = done(desk.display, "challenge", "bob", word="xxxxxx").json()
    assert view["verdict"] == {"word": "xxxxxx", "by": "bob", "holds": False}
    assert (view["players"][0]["points"], view["mover"]) == (0, "bob")
    assert view["sheet"][0]["outcome"] == "wiped"
    assert view["turns"] == 1
    done(desk.display, "roll", die=6)
    done(desk.display, "turn", letters=PARADE)
    view = done(desk.display, "challenge", "ann", word="parade").json()
    assert view["verdict"]["holds"]
    assert (view["players"][1]["points"], view["mover"]) == (17, "bob")  # ann loses this turn
    assert view["challengeable"] == []
    view = done(desk.display, "undo").json()
    assert (view["mover"], view["challengeable"]) == ("ann", ["parade"])


def test_nobody_challenges_their_own_word(desk: Desk) -> None:
    parade(desk, challenges=True)
    answer = done(desk.display, "challenge", "ann", word="parade")
    assert (answer.status_code, answer.json()["type"]) == (409, "challenge_own")


def test_phones_play_for_themselves_and_the_display_for_the_rest(desk: Desk) -> None:
    ann, eve = desk.phone("ann"), desk.phone("eve")
    begun(desk)
    assert done(desk.display, "roll", "ann", die=6).json()["type"] == "plays_on_phone"
    assert done(ann, "roll", "bob", die=6).json()["type"] == "not_you"
    assert done(eve, "start", "eve").json()["type"] == "not_you"
    assert done(ann, "roll", "ann", die=6).status_code == 200
    assert done(ann, "turn", "ann", letters=PARADE).json()["mover"] == "bob"
    assert done(ann, "roll", "ann", die=1).json()["type"] == "not_your_turn"
    assert done(desk.display, "roll", "bob", die=1).status_code == 200
    assert [seat["on_phone"] for seat in seen(eve)["players"]] == [True, False]


@pytest.mark.parametrize("sender", ["ann", "bob", "the display"])
def test_anyone_of_the_match_and_the_display_may_say_who_begins(desk: Desk, sender: str) -> None:
    clients = {"ann": desk.phone("ann"), "bob": desk.phone("bob"), "the display": desk.display}
    begun(desk)
    answer = done(clients[sender], "start", throws=[[3, 6]])
    assert (answer.status_code, answer.json()["mover"]) == (200, "bob")


def test_who_plays_in_another_match_does_not_say_who_begins(desk: Desk) -> None:
    eve = desk.phone("eve")
    begun(desk)
    answer = done(eve, "start", "ann", throws=[[3, 6]])
    assert (answer.status_code, answer.json()["type"]) == (403, "not_you")
    assert seen(eve)["may_start"]


def test_a_phone_takes_back_what_was_done_on_it_and_nothing_else(desk: Desk) -> None:
    ann, bob = desk.phone("ann"), desk.phone("bob")
    begun(desk)
    done(ann, "roll", "ann", die=6)
    refused = done(bob, "undo", "bob")
    assert (refused.status_code, refused.json()["type"]) == (403, "not_yours")
    assert done(ann, "undo", "ann").json()["die"] is None
    done(ann, "roll", "ann", die=6)
    assert done(desk.display, "undo", "ann").json()["die"] is None
    assert done(ann, "undo", "ann").status_code == 403
    assert done(desk.display, "undo").json()["type"] == "undo"


def test_strangers_see_nothing(desk: Desk) -> None:
    begun(desk)
    for path in ("", "/monday", "/monday/sheet"):
        assert desk.stranger().get(URL + path).status_code == 401
    assert desk.display.get(f"{URL}/tuesday").status_code == 404


def test_a_match_goes_on_after_a_restart(desk: Desk) -> None:
    parade(desk)
    done(desk.display, "roll", die=4)
    before = seen(desk.display)
    desk.restart()
    assert seen(desk.display) == before


def test_it_is_the_match_of_the_command(desk: Desk) -> None:
    parade(desk)
    with swoggle.playing("monday", desk.clock.monotonic()) as table:
        table.roll(swoggle.GivenDice([4]), "bob")
    assert seen(desk.display)["die"] == 4


def test_a_turn_and_a_match_have_their_time(desk: Desk) -> None:
    begun(desk, minutes=5, turn_seconds=60)
    done(desk.display, "start", throws=[[6, 3]])
    desk.clock.sleep(45)
    view = seen(desk.display)
    assert (view["turn_left_s"], view["match_left_s"]) == (15, 255)
    desk.clock.sleep(16)
    assert done(desk.display, "turn", letters=PARADE).json()["type"] == "turn_time_over"
    desk.clock.sleep(240)
    assert seen(desk.display)["over"] == {"ending": "time", "winners": []}
    assert kept().end is not None


def test_what_was_thrown_for_the_start_is_told_until_the_first_turn_is_over(desk: Desk) -> None:
    begun(desk, "ann", "bob", "cleo")
    assert seen(desk.display)["thrown"] == []
    done(desk.display, "start", throws=[[6, 3, 6], [2, 5]])
    assert seen(desk.display)["thrown"] == [[6, 3, 6], [2, 5]]
    done(desk.display, "pass")
    assert seen(desk.display)["thrown"] == []


def test_solo_tells_the_score_that_is_to_be_beaten(desk: Desk) -> None:
    solo_scores.keep("sunday", SoloScore("sunday", "ann", 61))
    assert begun(desk, "ann", variant="solo")["best_before"] == 61
    asked = {"name": "tuesday", "players": ["ann", "bob"]}
    assert desk.display.post(URL, asked).json()["best_before"] is None


def test_points_and_minutes_that_were_agreed_on_hold(desk: Desk) -> None:
    view = begun(desk, target=100, minutes=15)
    assert (view["target"], view["match_left_s"]) == (100, 900)


def test_matches_are_listed_with_their_points(desk: Desk) -> None:
    parade(desk)
    assert desk.display.post(URL, {"players": ["cleo"], "variant": "solo"}).status_code == 201
    listed = {each["match"]: each for each in desk.display.get(URL).json()["matches"]}
    assert listed["monday"]["points"] == [17, 0]
    assert listed["match-1"]["variant"] == "solo"


def test_a_match_is_begun_by_the_word_list_that_the_referee_chose_last(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lexicon.from_words("short", ["hey"])
    desk.site.table.shelf._loaded["short"] = other
    monkeypatch.setattr(lexicons, "listed_as", lambda name: name)
    monkeypatch.setattr(lexicons, "load", lambda _: other)
    desk.tray.state = replace(desk.tray.state, next_lexicon="short")
    assert begun(desk)["lexicon"] == "short"


@pytest.mark.parametrize("error", [28, 30])
def test_a_disk_that_fails_is_told_as_what_passes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(error, "the disk fails")

    monkeypatch.setattr(matches, "create", full)
    answer = desk.display.post(URL, {"players": ["ann", "bob"]})
    assert (answer.status_code, answer.json()["type"]) == (503, "storage")


def test_the_score_sheet_is_whole(desk: Desk) -> None:
    parade(desk)
    (entry,) = desk.display.get(f"{URL}/monday/sheet").json()["sheet"]
    assert (entry["player"], entry["points"], entry["words"][0]["word"]) == ("ann", 17, "PARADE")


@pytest.mark.parametrize(
    ("players", "more"),
    [
        (("ann",), {}),
        (("ann", "ann"), {}),
        (("ann", "bob"), {"variant": "marathon", "target": 100}),
        (("ann", "bob"), {"minutes": 0}),
        (("ann", "bob"), {"name": "../etc"}),
    ],
)
def test_matches_that_cannot_be_are_refused(
    desk: Desk, players: tuple[str, ...], more: dict[str, object]
) -> None:
    answer = desk.display.post(URL, {"players": players} | more)
    assert answer.status_code == 422


NOT_OF_THE_PAGE = {
    "event",  # a file of a match that somebody wrote by hand
    "bonus",  # has the page ask for throws
    "notation",  # of the command line, as all that follow
    "standing",
    "time",
    "minutes",
    "target",
    "variant",
}


def _refusals() -> set[str]:
    """The kinds that are written out where matches of Swoggle are played, kept and served."""
    folders = [ROOT / "scoring/swoggle", ROOT / "scoring/match.py", ROOT / "scoring/players.py"]
    parts = ["web/swoggle.py", "web/matches.py", "matches.py", "swoggle_tables.py"]
    files = [
        file for place in folders for file in (place.glob("*.py") if place.is_dir() else [place])
    ]
    files += [ROOT / "firmware_host" / part for part in parts]
    told = re.compile(
        r"""(?:RuleError\(|wrong_use\(|nothing_found\(|kind=|_problem\()\s*"([a-z_]+)\""""
    )
    return {kind for file in files for kind in told.findall(file.read_text("utf-8"))}


def test_every_refusal_has_a_text_in_every_language() -> None:
    kinds = _refusals()
    assert {"not_you", "plays_on_phone", "not_your_turn", "moved_on", "match_over"} < kinds
    for language in ("en", "de", "fr", "es", "it"):
        texts = shipped_texts(language)
        silent = {
            kind
            for kind in kinds - NOT_OF_THE_PAGE
            if not {f"problem.{kind}", f"swoggle.refused.{kind}"} & texts.keys()
        }
        assert silent == set(), language


def test_what_a_turn_writes_is_where_it_was_written() -> None:
    standing = {(7, 7): "a", (7, 9): "b"}
    for written in ({(7, 6): "x", (7, 8): "y", (7, 10): "z"}, {(3, 1): "p", (9, 3): "q"}):
        turn = Turn.parse(str(Turn.writing(written, standing)))
        assert written_squares(turn, builtin_layout(), standing) == written
