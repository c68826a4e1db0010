"""WorldWinner in a real browser: by finger, by mouse, by keys, and with a connection that goes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Request, Route, expect

from firmware_host.rounds import PlayerLeft
from firmware_host.web.worldwinner_views import NUMBERS, mark_of, tile_views
from scoring.board import Board, Cell
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.worldwinner.events import Deal, EndTurn, PlayPath, Select, Start
from scoring.worldwinner.match import Match, Plan, potential, step
from scoring.worldwinner.tiles import Tiles
from scoring.worldwinner.words import score_path
from tests.browser import screens
from tests.browser.conftest import PATIENCE_MS, SIZES, Serve, Visit, scrolls, violations
from tests.browser.screens import match_page
from tests.touch_desk import BOARD, Desk

CAT = ((0, 0), (0, 1), (0, 2))
CATS = (*CAT, (0, 3))
QUIET = ((1, 0), (1, 1), (1, 2), (1, 3))
EAT = ((1, 2), (0, 1), (0, 2))
"""Over a diagonal."""

SET = ((0, 3), (1, 2), (0, 2)), ((0, 3), (1, 2), (1, 3))
"""The same word twice; the second way ends on a bonus tile of round 2."""

NO_WORD = ((0, 2), (0, 1), (0, 0))


class Screen(screens.Screen):
    """The page of a WorldWinner match."""

    def start(self) -> None:
        """Start the clock, and wait for tiles and their words."""
        with self.page.expect_response("**/marks*"):
            self.at("start").click()
        expect(self.at("tile-0-0")).to_be_visible()

    def start_next(self) -> None:
        """The same where another player has played these tiles here."""
        self.at("start").click()
        expect(self.at("tile-0-0")).to_be_visible()

    def tiles(self, path: Sequence[Cell]) -> list[screens.Point]:
        """The middles of tiles."""
        return [self.middle(f"tile-{row}-{col}") for row, col in path]

    def press(self, path: Sequence[Cell]) -> None:
        """Drag over tiles, and hold."""
        self.hold(*self.tiles(path))

    def drag(self, path: Sequence[Cell]) -> None:
        self.pull(*self.tiles(path))

    def tap(self, path: Sequence[Cell]) -> None:
        for row, col in path:
            self.at(f"tile-{row}-{col}").click()

    def end(self) -> None:
        """End the round early, from the settings."""
        for name in ("open-settings", "end-early", "end-yes"):
            self.at(name).click()

    def look(self) -> None:
        """Come back to the page: it looks at the match at once."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


Open = Callable[..., Screen]


@pytest.fixture
def screen(desk: Desk, address: str, visit: Visit) -> Open:
    """Opens the page of a match: at the display, or on the phone of a player."""

    def opened(size: str = "phone", player: str = "", match: str = "monday") -> Screen:
        return Screen(match_page(visit, desk, f"{address}/touch", size, player, match))

    return opened


def paid(desk: Desk, player: str = "ada") -> list[tuple[str, int]]:
    """The words that the match on the disk has, with their points."""
    turn = desk.kept().rounds[-1].turns[player]
    return [(each.score.word, each.points + each.all_letters) for each in turn.payments]


def test_a_word_is_dragged_and_paid(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.press(CATS)
    ada.shows(letter_tray="CATS", potential="+6")
    ada.page.mouse.up()
    ada.shows(points="6 points", words="cats+6", unused="12 tiles unused", letter_tray="cats +6")
    expect(ada.at("tile-0-3")).to_have_attribute("data-used", "")
    expect(ada.at("tile-1-0")).not_to_have_attribute("data-used", "")
    assert paid(desk) == [("cats", 6)]


@pytest.mark.parametrize("size", ["phone", "small"])
def test_a_finger_drags_over_a_diagonal(desk: Desk, screen: Open, size: str) -> None:
    desk.begun("ada")
    ada = screen(size)
    ada.start()
    ada.touch(*ada.tiles(EAT))
    ada.shows(words="eat+3", assertive="eat +3")
    assert paid(desk) == [("eat", 3)]


def test_a_finger_that_goes_back_takes_a_letter_back(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.drag((*CATS, CATS[-2]))
    ada.shows(words="cat+5")


def test_a_finger_beside_the_middle_does_not_take_the_tile(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    (x, y), (x2, y2) = ada.tiles(((1, 2), (0, 1)))
    off = (x - x2) * 0.18
    ada.page.mouse.move(x, y)
    ada.page.mouse.down()
    ada.page.mouse.move((x + x2) / 2 + off, (y + y2) / 2, steps=9)  # near the corner of (1, 1)
    ada.page.mouse.move(x2, y2, steps=9)
    expect(ada.at("spelt")).to_have_text("EA")


def test_tapped_letters_are_submitted_by_the_last_again_and_by_the_tick(
    desk: Desk, screen: Open
) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.tap(CAT)
    ada.shows(spelt="CAT", potential="+5")
    ada.tap(CAT[-1:])
    ada.shows(words="cat+5")
    ada.tap(QUIET)
    ada.at("submit").click()
    ada.shows(words="quiet+19", assertive="quiet +19")
    assert paid(desk) == [("cat", 5), ("quiet", 19)]


def test_letters_are_taken_back(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.tap(CATS)
    ada.tap(CAT[1:2])
    expect(ada.at("spelt")).to_have_text("CA")
    ada.at("delete").click()
    ada.shows(spelt="Drag over tiles")
    ada.tap(((0, 0), (3, 3)))
    ada.shows(potential="Tiles must touch")
    assert paid(desk) == []


def test_what_is_no_word_shows_no_points_and_is_refused(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.tap(NO_WORD)
    expect(ada.at("potential")).to_have_text("")
    ada.at("submit").click()
    expect(ada.at("assertive")).to_have_text("tac: not in the word list")
    ada.shows(points="0 points", spelt="TAC")  # they stay, to be mended
    ada.drag(NO_WORD[::-1])
    ada.shows(words="cat+5")


def test_keys_alone_play(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    expect(ada.at("start")).to_be_focused()
    with ada.page.expect_response("**/marks*"):
        ada.page.keyboard.press("Enter")
    expect(ada.at("tile-0-0")).to_be_focused()
    for key in ("Enter", "ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        ada.page.keyboard.press(key)
    ada.shows(spelt="CATE")
    for key in ("Backspace", "ArrowUp", "Enter"):
        ada.page.keyboard.press(key)
    ada.shows(words="cat+5")
    expect(ada.at("assertive")).to_have_text("cat +5")
    ada.page.keyboard.press("Enter")
    ada.page.keyboard.press("Escape")
    ada.shows(spelt="Drag over tiles")


def test_bonus_tiles_and_the_same_word_over_a_better_path(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    desk.display.post("/api/worldwinner/monday/moves", move("end_turn", "e"))
    desk.dealt(2)
    tiles = desk.kept().rounds[-1].tiles
    worse, better = SET
    first, second = (score_path(tiles, way).points for way in SET)
    assert first < second
    ada = screen()
    ada.start()
    for (row, col), bonus in tiles.bonuses.items():
        ada.shows(**{f"tile_{row}_{col}": bonus.value})
    ada.drag(worse)
    ada.shows(words=f"+{first}")
    ada.press(better)
    ada.shows(potential=f"+{second - first}")
    ada.page.mouse.up()
    ada.shows(words="better path", points=f"{second} points")
    ada.press(worse)
    ada.shows(potential="+0")


def test_words_wait_for_the_connection_and_are_sent_once(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.page.context.set_offline(True)
    ada.drag(CAT)
    ada.drag(QUIET)
    ada.shows(words="on its way", points="24 points", connection="No connection")
    assert paid(desk) == []
    ada.page.context.set_offline(False)
    ada.shows(assertive="quiet +19")
    expect(ada.at("words")).not_to_contain_text("on its way")
    assert paid(desk) == [("cat", 5), ("quiet", 19)]


def test_an_answer_that_is_lost_pays_once(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    lost: list[str] = []

    def lose(route: Route) -> None:
        route.fetch()
        lost.append(sent_id(route.request))
        route.abort()

    ada.page.route("**/moves", lose, times=1)
    ada.drag(CAT)
    with ada.page.expect_response("**/moves") as again:
        expect(ada.at("words")).to_contain_text("cat+5")
    assert sent_id(again.value.request) == lost[0]
    ada.shows(assertive="cat +5")
    assert paid(desk) == [("cat", 5)]


def test_a_reload_goes_on(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.drag(CAT)
    ada.shows(words="cat+5")
    ada.tap(QUIET[:2])
    ada.page.route("**/moves", lambda route: route.abort())
    ada.drag(EAT)
    ada.shows(words="on its way")
    ada.tap(QUIET[:2])
    ada.page.unroute("**/moves")
    ada.page.reload()
    ada.shows(words="eat+3", points="8 points", spelt="QuI", assertive="eat +3")
    expect(ada.at("words")).not_to_contain_text("on its way")
    assert paid(desk) == [("cat", 5), ("eat", 3)]


def test_the_service_ends_the_turn(desk: Desk, screen: Open) -> None:
    desk.begun("ada", "ben")
    ada = screen()
    ada.shows(ready_name="ada")
    ada.start()
    desk.clock.sleep(90.0)
    ada.look()
    ada.shows(ready_name="ben", ready_last="ada: 0 points")
    assert desk.kept().rounds[-1].turns["ada"].ended


def test_the_round_is_ended_early_from_the_settings(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.drag(CAT)
    ada.shows(words="cat+5")
    ada.end()
    ada.shows(headline="Round 2 of 3", scores="5", review="1 of 273 words found")


def test_the_table_tells_whose_phone_is_awaited(desk: Desk, screen: Open) -> None:
    desk.seated("ada")
    desk.begun("ada", "ben")
    table = screen("small")
    table.shows(ready_name="ben")
    table.start()
    table.end()
    table.shows(headline="Waiting", advice="ada: play on your phone", scores="done")
    expect(table.at("advice")).to_contain_text("the referee removes")
    desk.tray.take(lambda _: PlayerLeft("ada"))
    table.shows(ready_name="ada")


def test_every_round_that_is_over_can_be_looked_at(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen("small")
    ada.start()
    for path in (CATS, CAT, CATS):
        ada.drag(path)
    ada.shows(points="11 points")
    ada.end()
    desk.dealt(2)
    ada.start()
    ada.end()
    ada.shows(review="Round 2")
    expect(ada.at("review-2")).to_have_attribute("aria-pressed", "true")
    ada.at("review-1").click()
    ada.shows(review="cats+6")
    expect(ada.at("review-1")).to_be_focused()
    expect(ada.at("review")).not_to_contain_text("+0")
    assert scrolls(ada.page) == (0, 0)


def test_another_language_goes_on_with_the_match(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    ada = screen()
    ada.start()
    ada.tap(CAT)
    ada.at("open-settings").click()
    ada.shows(lexicon="Word list of this match: enable")
    ada.page.get_by_text("Deutsch", exact=True).click()
    ada.shows(points="0 Punkte", spelt="CAT")


def test_two_phones_and_a_display_play_at_once(desk: Desk, screen: Open) -> None:
    ada, ben = (screen(player=name, match="") for name in ("ada", "ben"))
    expect(ada.at("to-table")).to_have_attribute("href", "/join")  # which leads to their own page
    desk.begun("ada", "ben", "cleo")
    for each in (ada, ben):
        each.page.goto(each.page.url + "?match=monday")
        each.start()
    cleo = screen("large")
    cleo.shows(ready_name="cleo")
    expect(cleo.at("tile-0-0")).to_be_hidden()
    cleo.start()
    for each, path in ((ada, CAT), (ben, CATS), (cleo, QUIET)):
        each.drag(path)
    ada.shows(points="5 points")
    ben.shows(points="6 points")
    cleo.shows(points="19 points")


def test_a_match_from_its_beginning_to_its_winner(desk: Desk, screen: Open) -> None:
    table = screen("small", match="")
    for name in ("ada", "ben"):
        table.at("name").fill(name)
        table.at("add").click()
    table.at("seconds-90").click()
    table.at("begin").click()
    for number in (1, 2, 3):
        table.shows(headline=f"Round {number} of 3", advice="Shake the cubes")
        with table.page.expect_response("**/api/round/press"):
            table.at("shake").click()
        desk.tray.lay(BOARD)
        for player, path in (("ada", CATS), ("ben", CAT)):
            table.shows(ready_name=player)
            table.start_next()
            table.drag(path)
            table.shows(words="cat")
            table.end()
    table.shows(headline="ada wins", review="Best words missed")
    assert desk.kept("match-1").plan.seconds == 90
    assert desk.kept("match-1").winners == ("ada",)


@pytest.mark.parametrize("size", SIZES)
def test_every_view_fits_and_can_be_used_by_everybody(desk: Desk, screen: Open, size: str) -> None:
    desk.begun("ada", "benedetta-maria")
    table = screen(size, match="")

    def check(view: str) -> None:
        expect(table.at(f"view-{view}")).to_be_visible()
        assert scrolls(table.page) == (0, 0), view
        assert violations(table.page) == [], view

    check("lobby")
    table.at("match-monday").click()
    check("ready")
    table.start()
    table.drag(CAT)
    table.tap(QUIET)
    table.shows(spelt="QuIET", words="cat")
    check("play")
    table.at("open-settings").click()
    assert violations(table.page) == []
    table.page.keyboard.press("Escape")
    desk.clock.sleep(90.0)
    table.look()
    table.shows(ready_name="benedetta-maria")
    table.start_next()
    desk.clock.sleep(90.0)
    table.look()
    expect(table.at("review")).to_be_visible()
    check("between")


def test_tiles_come_from_a_tray_that_is_really_shaken(serve: Serve, visit: Visit) -> None:
    """The whole service, with its simulated tray."""
    table = serve("--seed", "5", "--cubes", "new_4x4")
    screen = Screen(visit(f"{table.url}touch"))
    screen.at("name").fill("ada")
    screen.at("begin").click()
    screen.at("shake").click()
    expect(screen.at("start")).to_be_visible(timeout=PATIENCE_MS)
    screen.start()
    face = screen.at("tile-0-0").locator(".letter").inner_text()
    screen.tap(((0, 0),))
    screen.shows(spelt=face)
    screen.end()
    screen.shows(headline="Round 2 of 3", advice="Shake the cubes", scores="ada")


def test_who_has_left_the_table_is_led_back(desk: Desk, screen: Open) -> None:
    desk.begun("ada")
    eve = screen(player="eve")
    eve.shows(headline="Waiting")
    desk.tray.take(lambda _: PlayerLeft("eve"))
    eve.page.context.clear_cookies()
    eve.page.route("**/api/session", lambda route: route.fulfill(json={"role": None, "name": ""}))
    eve.page.route("**/api/worldwinner/**", lambda route: route.fulfill(status=401, json={}))
    expect(eve.at("view-stranger")).to_be_visible()


def sent_id(request: Request) -> str:
    """The id of the move that was sent."""
    return str((request.post_data_json or {})["id"])


def move(type_: str, id_: str, player: str = "ada", number: int = 1) -> dict[str, Any]:
    return {"id": id_, "type": type_, "player": player, "round": number}


# ---- what the page works out is what the service would say ------------------------------------

_POTENTIALS = """
async ({tiles, words, used, numbers, paths, marks}) => {
  const rules = await import("/static/js/touch_rules.js");
  const known = new Set(marks);
  const turn = {tiles, words, used};
  return paths.map((path) => {
    const paid = rules.payment(path, turn, numbers, (word) => known.has(rules.markOf(word)));
    return paid && [paid.word, paid.points + paid.all_letters];
  });
}"""


def _random_path(board: Board, rng: random.Random) -> list[Cell]:
    path = [rng.choice(board.cells)]
    for _ in range(rng.randrange(6)):
        row, col = path[-1]
        near = [
            cell
            for cell in board.cells
            if cell not in path and max(abs(cell[0] - row), abs(cell[1] - col)) == 1
        ]
        path += rng.sample(near, min(1, len(near)))
    return path


def _service_says(match: Match, path: Sequence[Cell]) -> list[object] | None:
    number = len(match.rounds)
    try:
        for cell in path:
            match = step(match, Select(1.0, "ada", number, cell))
    except RuleError:  # over a blank
        return None
    could = potential(match, "ada")
    return None if could is None else [could.score.word, could.points]


def _played(number: int, rng: random.Random) -> tuple[Match, list[list[Cell]]]:
    """A round with some words, and ways over its tiles: half of them spell words."""
    faces = [[rng.choice(["A", "E", "S", "T", "Qu", "#"]) for _ in range(4)] for _ in range(4)]
    board = Board.from_faces(faces)
    paths = [_random_path(board, rng) for _ in range(150)]
    words = {spelt for path in paths[::2] if len(spelt := Tiles(board).spell(tuple(path))) > 1}
    match = Match(Plan(("ada",), Lexicon.from_words("some", words), seed=number))
    for each in range(1, number + 1):
        match = step(step(match, Deal(0.0, board)), Start(0.0, "ada", each))
        match = step(match, EndTurn(0.0, "ada", each)) if each < number else match
    for path in paths[:60:2]:
        with suppress(RuleError):
            match = step(match, PlayPath(1.0, "ada", number, tuple(path)))
    return match, paths


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_potential_score_is_that_of_the_service(
    address: str, visit: Visit, number: int
) -> None:
    page = visit(f"{address}/static/icon.svg")
    match, paths = _played(number, random.Random(number))
    current, turn = match.rounds[-1], match.rounds[-1].turns["ada"]
    given = {
        "tiles": [
            [tile.model_dump(mode="json") for tile in row] for row in tile_views(current.tiles)
        ],
        "words": [
            {"word": each.score.word, "score": each.score.points, "all_letters": each.all_letters}
            for each in turn.payments
        ],
        "used": [list(cell) for cell in turn.used],
        "numbers": NUMBERS,
        "paths": [[list(cell) for cell in path] for path in paths],
        "marks": [mark_of(word) for word in match.plan.lexicon],
    }
    says = [_service_says(match, path) for path in paths]
    assert page.evaluate(_POTENTIALS, given) == says
    assert len([said for said in says if said]) > 20
