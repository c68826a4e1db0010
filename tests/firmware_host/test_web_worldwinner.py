"""WorldWinner by touch over the routes: the service is the referee, and each move counts once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from firmware_host import lexicons, matches, worldwinner
from firmware_host.rounds import Phase
from firmware_host.web.limits import Rate
from firmware_host.web.worldwinner import router
from firmware_host.web.worldwinner_views import mark_of
from firmware_host.worldwinner_sittings import trays_in_play
from hardware.clock import ManualClock
from scoring.lexicon import Lexicon
from tests.touch_desk import BOARD, URL, Client, Desk

CAT = [[0, 0], [0, 1], [0, 2]]
CATS = [*CAT, [0, 3]]


def make_move(
    client: Client,
    type_: str,
    id_: str,
    player: str = "ada",
    *,
    round_: int = 1,
    **rest: object,
) -> httpx.Response:
    """Make a move; gives the answer."""
    given = {"id": id_, "type": type_, "player": player, "round": round_} | rest
    return client.post(f"{URL}/monday/moves", given)


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("matches")))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes tables whose trays wait."""
    made: list[Desk] = []

    def make_one(**more: Any) -> Desk:  # noqa: ANN401
        made.append(Desk(tmp_path, **more))
        return made[-1]

    yield make_one
    for table in made:
        table.close()


@pytest.fixture
def desk(make: Callable[..., Desk]) -> Desk:
    """A table whose tray waits."""
    return make()


def test_a_whole_match_at_the_display(desk: Desk) -> None:
    desk.begun("ada", "ben")
    for number in (1, 2, 3):
        if number > 1:
            desk.dealt(number)
        for player in ("ada", "ben"):
            view = desk.display.get(f"{URL}/monday").json()
            assert (view["turn"]["player"], view["turn"]["clock"]) == (player, "waiting")
            make_move(desk.display, "start", f"{player}{number}s", player, round_=number)
            word = CATS if player == "ada" else CAT
            id_ = f"{player}{number}w"
            answer = make_move(desk.display, "play_path", id_, player, round_=number, path=word)
            assert answer.json()["turn"]["words"][-1]["word"] == (
                "cats" if player == "ada" else "cat"
            )
            make_move(desk.display, "end_turn", f"{player}{number}e", player, round_=number)
    view = desk.display.get(f"{URL}/monday").json()
    assert view["over"]
    assert view["winners"] == ["ada"]
    assert view["turn"] is None
    assert desk.kept().over


def test_the_match_is_the_one_that_the_command_shows(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    make_move(desk.display, "play_path", "b", path=CAT)
    shown = worldwinner.load("monday", desk.clock.monotonic()).state
    turn = shown.rounds[-1].turns["ada"]
    assert (shown.totals, sorted(turn.used)) == ({"ada": 5}, [tuple(cell) for cell in CAT])
    assert turn.left(desk.clock.monotonic()) == 90


def test_no_tiles_before_the_clock_runs_and_none_afterwards(desk: Desk) -> None:
    desk.begun("ada", "ben")
    assert desk.display.get(f"{URL}/monday").json()["turn"]["tiles"] is None
    turn = make_move(desk.display, "start", "a").json()["turn"]
    assert [tile["face"] for tile in turn["tiles"][1]] == ["Qu", "I", "E", "T"]
    assert turn["left_s"] == 90
    make_move(desk.display, "play_path", "b", path=CAT)
    turn = make_move(desk.display, "end_turn", "c").json()["turn"]
    assert (turn["tiles"], turn["used"], turn["words"], turn["points"]) == (None, [], [], 5)
    assert desk.display.get(f"{URL}/monday/rounds").json()["rounds"] == []


def test_a_move_that_is_sent_again_changes_nothing(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    first = make_move(desk.display, "play_path", "b", path=CAT).json()
    assert make_move(desk.display, "play_path", "b", path=CAT).json() == first
    assert len(first["turn"]["words"]) == 1


def test_a_move_is_known_again_after_a_restart(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    for id_, cell in (("b", [0, 0]), ("c", [0, 1])):
        make_move(desk.display, "select", id_, cell=cell)
    desk.restart()
    again = make_move(desk.display, "select", "c", cell=[0, 1])  # else it would be submitted
    assert again.json()["turn"]["selected"] == [[0, 0], [0, 1]]


def test_the_same_id_of_another_player_is_another_move(desk: Desk) -> None:
    desk.begun("ada", "ben")
    make_move(desk.display, "start", "a", "ada")
    assert make_move(desk.display, "start", "a", "ben").json()["turn"]["clock"] == "running"


def test_tiles_are_tapped_and_the_last_again_submits(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    answers = [
        make_move(desk.display, "select", f"t{number}", cell=cell)
        for number, cell in enumerate(CAT)
    ]
    turn = answers[-1].json()["turn"]
    assert turn["potential"] == {"word": "cat", "points": 5}
    turn = make_move(desk.display, "select", "again", cell=CAT[-1]).json()["turn"]
    assert (turn["points"], turn["selected"], turn["used"]) == (5, [], CAT)


def test_a_refused_move_names_its_rule(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    answer = make_move(desk.display, "play_path", "b", path=[[0, 0], [0, 1], [1, 0]])
    assert (answer.status_code, answer.json()["type"]) == (409, "not_in_lexicon")
    answer = make_move(desk.display, "play_path", "c", path=[[0, 0], [3, 3]])
    assert (answer.status_code, answer.json()["type"]) == (409, "no_neighbour")
    assert "D4 does not touch A1" in answer.json()["detail"]
    assert desk.kept().totals == {"ada": 0}


@pytest.mark.parametrize(
    "rest",
    [
        {"type_": "select"},
        {"type_": "play_path"},
        {"type_": "play_word", "path": CAT},
        {"type_": "start", "cell": [0, 0]},
        {"type_": "shout"},
        {"type_": "select", "cell": [0]},
        {"type_": "select", "cell": [0, -1]},
        {"type_": "select", "cell": [0, 10**9]},
        {"type_": "play_path", "path": [[0, 0]] * 65},
    ],
)
def test_a_move_without_its_parts_is_none(desk: Desk, rest: dict[str, Any]) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    assert make_move(desk.display, id_="b", **rest).status_code == 422


def test_the_service_ends_a_turn_whose_clock_is_through(desk: Desk) -> None:
    desk.begun("ada", "ben", seconds=30)
    make_move(desk.display, "start", "a")
    desk.clock.sleep(29.9)
    assert make_move(desk.display, "play_path", "b", path=CAT).status_code == 200
    desk.clock.sleep(0.1)
    late = make_move(desk.display, "play_path", "c", path=CATS)
    assert (late.status_code, late.json()["type"]) == (409, "time_over")
    view = desk.display.get(f"{URL}/monday").json()
    assert [seat["clock"] for seat in view["players"]] == ["over", "waiting"]
    assert view["turn"]["player"] == "ben"
    assert desk.kept().rounds[-1].turns["ada"].ended


def test_the_clock_runs_on_while_the_service_is_down(desk: Desk) -> None:
    desk.begun("ada", seconds=60)
    make_move(desk.display, "start", "a")
    desk.clock.sleep(25)
    desk.restart()
    assert desk.display.get(f"{URL}/monday").json()["turn"]["left_s"] == 35
    desk.clock.sleep(40)
    desk.restart()
    assert desk.display.get(f"{URL}/monday").json()["turn"] is None


def test_a_clock_that_was_set_back_gives_no_time(desk: Desk) -> None:
    desk.begun("ada", seconds=60)
    make_move(desk.display, "start", "a")
    desk.sittings.close()
    desk.clock = ManualClock(1000.0)
    desk.start()
    make_move(desk.display, "play_path", "b", path=CAT)
    desk.clock.sleep(59.9)
    assert desk.display.get(f"{URL}/monday").json()["turn"]["left_s"] == pytest.approx(0.1)


def test_nobody_else_plays_while_a_clock_runs(desk: Desk) -> None:
    desk.begun("ada")
    with matches.held("monday", worldwinner.open_rules):
        answer = make_move(desk.display, "start", "a")
        assert (answer.status_code, answer.json()["type"]) == (409, "match_in_play")
    make_move(desk.display, "start", "a")
    with pytest.raises(Exception, match="is being played elsewhere"):
        matches.held("monday", worldwinner.open_rules).__enter__()
    make_move(desk.display, "end_turn", "b")
    with matches.held("monday", worldwinner.open_rules) as free:
        assert free.match.state.rounds[-1].turns["ada"].ended


def test_tiles_come_from_the_tray_which_is_free_afterwards(desk: Desk) -> None:
    desk.display.post(URL, {"name": "monday", "players": ["ada"]})
    answer = desk.display.post(f"{URL}/monday/deal", {"round": 1})
    assert (answer.status_code, answer.json()["type"]) == (409, "not_read")
    desk.dealt(1)
    assert desk.tray.state.phase is Phase.CANCELLED
    assert desk.kept().rounds[0].tiles.board == BOARD
    again = desk.display.post(f"{URL}/monday/deal", {"round": 1})
    assert again.status_code == 200
    assert len(desk.kept().rounds) == 1


@pytest.mark.parametrize(("number", "kind"), [(2, "round_goes_on"), (9, "round_goes_on")])
def test_letters_stay_in_the_tray_while_a_round_is_played(
    desk: Desk, number: int, kind: str
) -> None:
    desk.begun("ada")
    desk.tray.lay(BOARD)
    answer = desk.display.post(f"{URL}/monday/deal", {"round": number})
    assert (answer.status_code, answer.json()["type"]) == (409, kind)
    assert desk.tray.state.phase is Phase.READY


def test_a_round_is_not_dealt_before_its_turn(desk: Desk) -> None:
    desk.display.post(URL, {"name": "monday", "players": ["ada"]})
    desk.tray.lay(BOARD)
    answer = desk.display.post(f"{URL}/monday/deal", {"round": 2})
    assert (answer.status_code, answer.json()["type"]) == (409, "wrong_round")
    assert desk.tray.state.phase is Phase.READY


def test_another_tray_deals_no_tiles(make: Callable[..., Desk]) -> None:
    desk = make(size=(5, 5))
    answer = desk.display.post(URL, {"name": "monday", "players": ["ada"]})
    assert answer.status_code == 201
    answer = desk.display.post(f"{URL}/monday/deal", {"round": 1})
    assert (answer.status_code, answer.json()["type"]) == (409, "other_tray")


def test_no_match_on_a_tray_that_the_game_does_not_know(make: Callable[..., Desk]) -> None:
    answer = make(size=(6, 6)).display.post(URL, {"players": ["ada"]})
    assert (answer.status_code, answer.json()["type"]) == (409, "other_tray")


def test_a_player_plays_their_own_turn_and_sees_no_other(desk: Desk) -> None:
    ada = desk.phone("ada")
    desk.begun("ada", "ben")
    assert make_move(ada, "start", "a").json()["turn"]["tiles"]
    answer = make_move(ada, "start", "b", "ben")
    assert (answer.status_code, answer.json()["type"]) == (403, "not_you")
    assert ada.get(f"{URL}/monday", player="ben").status_code == 403
    assert ada.get(f"{URL}/monday/marks", player="ben").status_code == 403


def test_who_has_a_phone_plays_on_it_alone(desk: Desk) -> None:
    ada = desk.phone("ada")
    desk.begun("ada", "ben")
    make_move(ada, "start", "a")
    view = desk.display.get(f"{URL}/monday").json()
    assert view["turn"]["player"] == "ben"
    assert [seat["on_phone"] for seat in view["players"]] == [True, False]
    answer = make_move(desk.display, "play_path", "b", "ada", path=CAT)
    assert (answer.status_code, answer.json()["type"]) == (403, "plays_on_phone")
    assert desk.display.get(f"{URL}/monday", player="ada").status_code == 403


def test_phones_play_at_the_same_time(desk: Desk) -> None:
    ada, ben = desk.phone("ada"), desk.phone("ben")
    desk.begun("ada", "ben")
    make_move(ada, "start", "a", "ada")
    make_move(ben, "start", "a", "ben")
    make_move(ada, "play_path", "b", "ada", path=CAT)
    view = make_move(ben, "play_path", "b", "ben", path=CAT).json()
    assert [seat["points"] for seat in view["players"]] == [5, 5]


def test_a_player_who_looks_on_sees_no_turn(desk: Desk) -> None:
    cleo = desk.phone("cleo")
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    assert cleo.get(f"{URL}/monday").json()["turn"] is None
    assert cleo.get(f"{URL}/monday/marks").json()["type"] == "hidden"
    answer = cleo.post(f"{URL}/monday/deal", {"round": 2})
    assert (answer.status_code, answer.json()["type"]) == (403, "not_you")


def test_a_player_begins_what_they_play_in(desk: Desk) -> None:
    ada = desk.phone("ada")
    assert ada.post(URL, {"players": ["ben"]}).status_code == 403
    begun = ada.post(URL, {"players": ["ada"]})
    assert (begun.status_code, begun.json()["match"]) == (201, "match-1")
    assert ada.post(URL, {"players": ["ada"]}).json()["match"] == "match-2"


def test_no_player_ends_a_round_that_stands_ready(desk: Desk) -> None:
    ada = desk.phone("ada")
    assert desk.display.post(URL, {"name": "monday", "players": ["ada"]}).status_code == 201
    desk.tray.lay(BOARD)
    answer = ada.post(f"{URL}/monday/deal", {"round": 1})
    assert (answer.status_code, answer.json()["type"]) == (403, "forbidden")
    assert desk.tray.state.phase is Phase.READY
    desk.dealt(1)
    assert ada.post(f"{URL}/monday/deal", {"round": 1}).status_code == 200  # as it lies


def test_whose_letters_are_still_played_is_known_until_all_are_done(desk: Desk) -> None:
    number = desk.site.round_number()
    assert trays_in_play(desk.sittings) == frozenset()
    desk.begun("ada")
    assert trays_in_play(desk.sittings) == {number}
    desk.restart()
    assert trays_in_play(desk.sittings) == {number}
    make_move(desk.display, "end_turn", "e")
    assert trays_in_play(desk.sittings) == frozenset()


def test_strangers_see_nothing(desk: Desk) -> None:
    desk.begun("ada")
    stranger = desk.stranger()
    for path in ("", "/monday", "/monday/rounds", "/monday/marks"):
        assert stranger.get(URL + path).status_code == 401
    assert stranger.post(URL, {"players": ["eve"]}).status_code == 401
    assert make_move(stranger, "start", "a").status_code == 401


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"players": []}, 422),
        ({"players": ["ada", "ADA"]}, 422),
        ({"players": [" "]}, 422),
        ({"players": ["ada"], "name": "../x"}, 422),
        ({"players": ["ada"], "seconds": 0.1}, 422),
        ({"players": ["ada"], "seconds": "inf"}, 422),
        ({"players": ["ada"], "name": "monday"}, 409),
    ],
)
def test_what_is_no_match_is_not_begun(desk: Desk, asked: dict[str, Any], status: int) -> None:
    desk.begun("ada")
    assert desk.display.post(URL, asked).status_code == status
    assert matches.names("worldwinner") == ("monday",)


def test_marks_know_every_word_of_the_tiles_and_no_other(desk: Desk) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    view = desk.display.get(f"{URL}/monday/marks").json()
    known = set(view["marks"])
    assert mark_of(view["salt"] + "cat") in known
    assert mark_of(view["salt"] + "quiet") in known
    assert mark_of(view["salt"] + "zebra") not in known


def test_the_round_is_shown_to_all_when_it_is_over(desk: Desk) -> None:
    desk.begun("ada", "ben")
    for player in ("ada", "ben"):
        make_move(desk.display, "start", "a", player)
        make_move(desk.display, "play_path", "b", player, path=CAT)
        make_move(desk.display, "end_turn", "c", player)
    (played,) = desk.display.get(f"{URL}/monday/rounds").json()["rounds"]
    assert [seat["words"][0]["word"] for seat in played["players"]] == ["cat", "cat"]
    assert played["found"] == 1
    assert played["possible"] > 100
    assert played["best_missed"][0]["points"] >= played["best_missed"][1]["points"]
    assert "cat" not in [missed["word"] for missed in played["best_missed"]]


def test_matches_are_listed_the_last_played_first(desk: Desk) -> None:
    desk.begun("ada", name="monday")
    desk.begun("ben", name="tuesday")
    damaged = matches.data_folder() / "broken.match"
    damaged.write_text("{}\n")
    listed = desk.display.get(URL).json()["matches"]
    assert {each["match"] for each in listed} == {"monday", "tuesday"}
    assert desk.display.get(f"{URL}/broken").json()["type"] == "match"
    assert desk.display.get(f"{URL}/none").status_code == 404


def test_moves_that_come_too_fast_wait(make: Callable[..., Desk]) -> None:
    desk = make(rate=Rate(burst=3, per_s=1))
    desk.begun("ada")
    make_move(desk.display, "start", "a")
    make_move(desk.display, "clear", "b")
    answer = make_move(desk.display, "clear", "c")
    assert answer.status_code == 429
    assert float(answer.headers["retry-after"]) > 0
    desk.clock.sleep(1)
    assert make_move(desk.display, "clear", "c").status_code == 200


def test_a_match_is_begun_by_the_word_list_that_the_referee_chose_last(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Lexicon.from_words("short", ["cat"])
    desk.site.table.shelf._loaded["short"] = other
    monkeypatch.setattr(lexicons, "listed_as", lambda name: name)
    monkeypatch.setattr(lexicons, "load", lambda _: other)
    desk.tray.state = replace(desk.tray.state, next_lexicon="short")
    desk.begun("ada")
    (match,) = (desk.sittings.look(name).match for name in desk.sittings.names())
    assert match.plan.lexicon.name == "short"


def test_a_disk_that_takes_nothing_loses_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.begun("ada")
    make_move(desk.display, "start", "a")

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("firmware_host.files.os.fsync", full)
        answer = make_move(desk.display, "play_path", "b", path=CAT)
    assert (answer.status_code, answer.json()["type"]) == (503, "storage")
    assert make_move(desk.display, "play_path", "b", path=CAT).json()["turn"]["points"] == 5
    assert desk.kept().totals == {"ada": 5}


def test_every_answer_has_an_example() -> None:
    app = FastAPI()
    app.include_router(router)
    document = app.openapi()
    assert len(document["paths"]) == 6
    schemas = document["components"]["schemas"]
    for name in ("MatchView", "MatchesView", "MarksView", "FinishedRoundsView", "MoveGiven"):
        assert schemas[name]["examples"]
