"""Swoggle in a real browser: by tap, by drag, by keys, on a display and on phones."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from firmware_host import swoggle
from scoring.match import RuleError
from scoring.swoggle.board import builtin_layout
from scoring.swoggle.rules import bonus_cells, new_words, score_words
from scoring.swoggle.state import State
from scoring.swoggle.turn import Direction
from tests.browser import screens
from tests.browser.conftest import Visit, scrolls, violations
from tests.browser.screens import match_page
from tests.touch_desk import Desk

URL = "/api/swoggle"
PARADE = [[7, 4 + place, letter] for place, letter in enumerate("PARADE")]


def kept(name: str = "monday") -> State:
    """The match as it is on the disk."""
    return swoggle.load(name, 0.0).state


def done(desk: Desk, type_: str, player: str = "", **rest: object) -> None:
    """Something is done at the display, without its page."""
    view = desk.display.get(f"{URL}/monday").json()
    given = {"seq": view["seq"], "type": type_, "player": player or view["mover"]}
    answer = desk.display.post(f"{URL}/monday/events", given | rest)
    assert answer.status_code == 200, answer.text


def parade(desk: Desk, **rules: object) -> None:
    """A match in which PARADE stands, and bob is to move."""
    asked = {"name": "monday", "players": ["ann", "bob"]} | rules
    assert desk.display.post(URL, asked).status_code == 201
    done(desk, "start", throws=[[6, 3]])
    done(desk, "turn", letters=PARADE)


class Screen(screens.Screen):
    """The page of a Swoggle match."""

    def tap(self, *names: str) -> None:
        for name in names:
            self.at(name).click()

    def spell(self, word: str) -> None:
        self.tap(*(f"key-{letter}" for letter in word))

    def drag(self, from_: str, to: str | screens.Point) -> None:
        """Drag a letter with a mouse."""
        start, end = self.middle(from_), to if isinstance(to, tuple) else self.middle(to)
        self.pull(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)


Open = Callable[..., Screen]


@pytest.fixture
def screen(desk: Desk, address: str, visit: Visit) -> Open:
    """Opens the page of a match: at the display, or on the phone of a player."""

    def opened(size: str = "phone", player: str = "", match: str = "monday") -> Screen:
        return Screen(match_page(visit, desk, f"{address}/swoggle", size, player, match))

    return opened


def test_a_match_by_taps_from_its_beginning(screen: Open) -> None:
    table = screen("small", match="")
    for name in ("ann", "bob"):
        table.at("name").fill(name)
        table.tap("add")
    table.tap("begin")
    table.shows(headline="Who begins?", asked="ann")
    table.tap("die-5", "die-5")
    table.shows(asked="ann")  # they tie, and throw again
    table.tap("die-6", "die-2")
    table.shows(headline="ann is to move", advice="Write 6 letters")
    table.tap("square-7-4")
    table.spell("PARADE")
    table.shows(made="PARADE 17")
    table.tap("submit")
    table.shows(headline="bob is to move", sheet="PARADE 4+1+5+1+5+1 = 17", asked="bob")
    table.tap("die-4")
    table.shows(advice="Write 4 letters")
    table.tap("square-7-10")  # where the cursor is: the direction turns
    table.spell("SEAT")
    table.shows(made="PARADES 21")
    table.tap("submit")
    table.shows(headline="ann is to move", scores="32 / 300")
    assert kept("match-1").points == {"ann": 17, "bob": 32}
    table.tap("throw")
    expect(table.at("asked")).to_be_hidden()
    assert kept("match-1").die in range(1, 7)
    table.tap("pass")
    table.shows(headline="bob is to move", sheet="passes")


def test_points_minutes_and_throws_for_the_start_are_told(screen: Open) -> None:
    table = screen(match="")
    for name in ("ann", "bob"):
        table.at("name").fill(name)
        table.tap("add")
    table.tap("target-100", "variant-marathon")
    expect(table.at("target-100")).to_be_hidden()
    table.tap("variant-ordinary", "minutes-15", "begin", "die-2", "die-5")
    table.shows(advice="ann 2, bob 5.", scores="0 / 100")
    expect(table.at("left")).to_have_text(re.compile("15:00|14:59"))
    assert kept("match-1").mover.name == "bob"


def test_letters_are_dragged_onto_the_board_moved_and_thrown_off(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=2)
    bob = screen("small")
    bob.drag("key-H", "square-6-9")
    bob.drag("key-E", "square-8-8")
    bob.drag("square-8-8", "square-8-9")
    expect(bob.at("square-8-8")).not_to_have_attribute("data-written", "")
    bob.drag("square-8-9", (5, 5))
    bob.shows(made="HE 5")
    bob.drag("key-M", "square-8-9")
    bob.shows(made="HEM 10")
    bob.tap("submit")
    bob.shows(headline="ann is to move", sheet="HEM")
    assert kept().points["bob"] == 10


def test_a_finger_drags_any_letter_onto_the_board_of_a_phone(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=2)
    bob = screen()
    bob.at("square-6-9").click()
    bob.touch(bob.middle("key-H"), bob.middle("square-6-9"))
    bob.shows(made="HE 5")
    bob.touch(bob.middle("key-Z"), bob.middle("square-8-8"))  # of the last row: it is in sight
    bob.touch(bob.middle("square-8-8"), bob.middle("square-8-9"))
    bob.shows(made="HEZ")


def test_keys_alone_play(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=4)
    bob = screen()
    expect(bob.at("key-A")).to_be_visible()
    bob.at("square-7-7").focus()
    for key in (*["ArrowRight"] * 3, "Space", "s", "e", "x", "Backspace", "a", "t"):
        bob.page.keyboard.press(key)
    bob.shows(made="SEAT 11")
    expect(bob.at("square-7-10")).to_have_attribute(
        "aria-label", "row 8, column 11, S, written in this turn, 4 points"
    )
    bob.page.keyboard.press("Enter")
    bob.shows(headline="ann is to move", scores="32 / 300")


def test_what_is_no_word_is_refused_and_stays_to_be_mended(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=2)
    bob = screen()
    bob.tap("square-6-9", "square-6-9")
    bob.spell("XQ")
    bob.tap("submit")
    bob.shows(made="Not in the word list", assertive="XEQ")
    expect(bob.at("square-6-9")).to_have_attribute("data-written", "")
    assert len(kept().letters) == 6
    bob.spell("Z")
    bob.shows(made="All 2 letters are written already")
    bob.tap("back")
    expect(bob.at("submit")).to_have_attribute("aria-disabled", "true")
    bob.at("submit").click(force=True)
    bob.shows(made="Exactly 2 letters")


def test_bonus_squares_are_thrown_for_one_by_one(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=2)
    bob = screen()
    bob.tap("square-8-9", "square-8-9")
    bob.spell("ON")
    bob.shows(made="EON 6 + 1 throw")
    bob.tap("submit")
    bob.shows(asked="orange", advice="bonus squares")
    bob.tap("die-5")
    bob.shows(headline="ann is to move", sheet="EON")
    assert kept().points["bob"] == 11


def test_a_challenge_over_its_whole_way(desk: Desk, screen: Open) -> None:
    parade(desk, challenges=True)
    done(desk, "roll", die=2)
    done(desk, "turn", letters=[[6, 9, "X"], [8, 9, "Q"]])
    ann, bob = screen(player="ann"), screen(player="bob")
    ann.tap("challenge", "challenge-yes")
    for each in (ann, bob):
        each.shows(advice="XEQ is not in the word list", sheet="challenged")
    assert kept().points == {"ann": 17, "bob": 0}
    expect(bob.at("undo")).to_be_visible()
    bob.tap("undo", "undo-yes")
    bob.shows(connection="somebody else")
    ann.tap("undo", "undo-yes")
    for each in (ann, bob):
        expect(each.at("advice")).not_to_contain_text("XEQ")
        expect(each.at("square-6-9")).to_contain_text("X")


def test_letters_that_are_being_written_outlast_what_others_do(desk: Desk, screen: Open) -> None:
    asked = {"name": "monday", "players": ["ann", "bob", "cleo"], "challenges": True}
    assert desk.display.post(URL, asked).status_code == 201
    done(desk, "start", throws=[[6, 3, 1]])
    done(desk, "turn", letters=PARADE)
    done(desk, "roll", die=4)
    bob = screen()
    bob.tap("square-7-10", "square-7-10")
    bob.spell("SE")
    done(desk, "challenge", "cleo", word="parade")
    bob.shows(advice="PARADE", sheet="PARADE")
    bob.shows(made="SE ")
    bob.spell("A")
    bob.page.reload()
    bob.shows(made="SEA ")
    bob.tap("square-10-10")
    bob.spell("T")
    bob.tap("submit")
    bob.shows(headline="ann is to move")
    expect(bob.page.locator("[data-written]")).to_have_count(0)


def test_letters_do_not_outlast_their_turn_or_their_die(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=4)
    bob = screen()
    bob.tap("square-7-10", "square-7-10")
    bob.spell("SE")
    done(desk, "undo")
    bob.shows(asked="bob")
    expect(bob.page.locator("[data-written]")).to_have_count(0)
    done(desk, "roll", die=4)
    bob.spell("SE")
    done(desk, "pass")
    done(desk, "roll", die=4)
    bob.shows(headline="ann is to move", advice="Write 4 letters")
    expect(bob.page.locator("[data-written]")).to_have_count(0)


def test_a_phone_plays_for_its_player_and_the_display_for_the_other(
    desk: Desk, screen: Open
) -> None:
    parade(desk)
    ann, table = screen(player="ann"), screen("large")
    ann.shows(headline="bob is to move", advice="Another phone")
    expect(ann.at("pass")).to_be_hidden()
    table.tap("die-1", "pass")
    ann.shows(headline="ann is to move", asked="ann")
    expect(table.at("pass")).to_be_hidden()


@pytest.mark.parametrize("sender", ["bob", ""])
def test_anyone_of_the_match_and_the_display_throw_for_who_begins(
    desk: Desk, screen: Open, sender: str
) -> None:
    for name in ("ann", "bob"):
        desk.seated(name)
    assert desk.display.post(URL, {"name": "monday", "players": ["ann", "bob"]}).status_code == 201
    page = screen(player=sender)
    page.shows(headline="Who begins?")
    page.tap("die-2", "die-5")
    page.shows(headline="bob is to move")
    assert kept().mover.name == "bob"


def test_refusals_are_told_in_the_language_of_the_page(
    desk: Desk, address: str, visit: Visit
) -> None:
    parade(desk)
    page = visit(f"{address}/swoggle?match=monday", language="de-DE")
    table = Screen(page)
    table.shows(headline="bob")

    def join(route: Route) -> None:
        desk.seated("bob")
        route.continue_()

    page.route("**/events", join, times=1)
    table.tap("pass")
    table.shows(connection="Wer dran ist, spielt am Handy")


def test_a_reload_a_lost_answer_and_a_restart_lose_nothing(desk: Desk, screen: Open) -> None:
    parade(desk)
    done(desk, "roll", die=4)
    bob = screen()
    bob.tap("square-7-10", "square-7-10")
    bob.spell("SEAT")
    bob.page.reload()
    bob.shows(made="SEAT 11")
    desk.restart()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    bob.page.route("**/events", lose, times=1)
    bob.tap("submit")
    bob.shows(headline="ann is to move")
    assert [entry.player for entry in kept().sheet] == ["ann", "bob"]


@pytest.mark.parametrize("size", ["phone", "small", "large"])
def test_every_step_can_be_used_by_everybody(desk: Desk, screen: Open, size: str) -> None:
    parade(desk, challenges=True, turn_seconds=90)
    table = screen(size, match="")
    expect(table.at("view-lobby")).to_be_visible()
    assert violations(table.page) == []
    table.tap("match-monday", "die-4", "square-7-10")
    table.spell("SE")
    assert violations(table.page) == []
    assert scrolls(table.page)[0] == 0
    table.tap("challenge")
    assert violations(table.page) == []


_CUT_OFF = """
() => [...document.querySelectorAll("main *, dialog[open] *")]
  .filter((each) => each.textContent.includes("WWW") && each.getClientRects().length)
  .filter((each) => {
    const frame = (each.closest("dialog") ?? document.documentElement).getBoundingClientRect();
    const box = each.getBoundingClientRect();
    const isWide = each.clientWidth > 1 && each.scrollWidth > each.clientWidth;
    return isWide || box.left < frame.left || box.right > frame.right + 0.5;
  })
  .map((each) => each.outerHTML.slice(0, 120))"""


def test_long_names_break_and_are_not_cut_off(desk: Desk, screen: Open) -> None:
    def is_whole(page: Page) -> None:
        assert scrolls(page)[0] == 0
        assert page.evaluate(_CUT_OFF) == []

    first, second, third = ("W" * 39 + end for end in "ABC")
    asked = {"name": "monday", "players": [first, second, third], "challenges": True}
    assert desk.display.post(URL, asked).status_code == 201
    lobby = screen(match="")
    lobby.at("name").fill(first)
    lobby.tap("add")
    lobby.shows(names=first, matches=third)
    is_whole(lobby.page)
    table = screen()
    table.shows(asked=first, first=first, scores=third)
    is_whole(table.page)
    done(desk, "start", throws=[[6, 3, 1]])
    done(desk, "turn", letters=PARADE)
    table.shows(headline=second, sheet=first)
    is_whole(table.page)
    table.tap("challenge")
    table.shows(challengers=third, challenge_dialog=first)
    is_whole(table.page)


def test_squares_are_enlarged_for_fingers(desk: Desk, screen: Open) -> None:
    parade(desk)
    table = screen()
    expect(table.at("square-0-0")).to_be_visible()
    table.tap("zoom")
    box = table.at("square-7-7").bounding_box()
    assert box is not None
    assert box["width"] >= 44
    assert scrolls(table.page)[0] == 0


# ---- what the page works out is what the rules say ---------------------------------------------

_MADE = """
async ({squares, letters, tries}) => {
  const rules = await import("/static/js/swoggle_rules.js");
  return tries.map((written) => {
    const given = written.map(([row, col, letter]) => ({place: [row, col], letter}));
    const words = rules.wordsMade(squares, letters, given);
    const bonus = rules.bonusSquares(squares, words).map(({place, dice}) => [...place, dice]);
    return [words.map(({word, points}) => [word, points]).sort(), bonus];
  });
}"""

Try = dict[tuple[int, int], str]


def _tried(rng: random.Random, standing: Try) -> Try:
    direction = rng.choice(list(Direction))
    cell = rng.randrange(12), rng.randrange(12)
    written: Try = {}
    for _ in range(rng.randrange(1, 7)):
        while cell in standing:
            cell = direction.step(cell)
        if cell not in builtin_layout().open:
            break
        written[cell] = rng.choice("AEST")
        cell = direction.step(cell)
    return written


def _rules_say(written: Try, standing: Try) -> list[Any] | None:
    layout = builtin_layout()
    try:
        words = new_words(written, layout, standing, len(written))
    except RuleError:
        return None
    scored = score_words(words, layout, {**standing, **written}, {})
    bonus = [[*cell, layout[cell].kind.dice] for cell in bonus_cells(words, layout)]
    return [sorted([each.word.text, each.points] for each in scored), bonus]


def test_words_points_and_bonus_squares_are_those_of_the_rules(address: str, visit: Visit) -> None:
    rng = random.Random(5)
    layout = builtin_layout()
    standing: Try = {}
    for _ in range(12):
        standing |= _tried(rng, standing)
    tries = [tried for _ in range(400) if (tried := _tried(rng, standing))]
    letters = [[standing.get((row, col), "") for col in range(15)] for row in range(15)]
    given = {
        "squares": [list(map(str, row)) for row in layout.squares],
        "letters": letters,
        "tries": [[[*cell, letter] for cell, letter in tried.items()] for tried in tries],
    }
    made = visit(f"{address}/static/icon.svg").evaluate(_MADE, given)
    says = [_rules_say(tried, standing) for tried in tries]
    allowed = [place for place, said in enumerate(says) if said is not None]
    assert len(allowed) > 50
    assert [made[place] for place in allowed] == [says[place] for place in allowed]
