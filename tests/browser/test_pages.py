"""Every page, at every size, as somebody sees it who has just come."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    MOST_BYTES,
    SIZES,
    Serve,
    Table,
    Visit,
    overlaps,
    scrolls,
    sent_bytes,
    violations,
)
from tests.browser.people import joined

PAGES = ("", "join", "referee", "maintenance", "help", "touch", "swoggle")


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_as_wide_as_its_window(
    table: Table, visit: Visit, name: str, size: str
) -> None:
    page = visit(table.url + name, size)
    page.wait_for_load_state("networkidle")
    assert violations(page) == []
    assert scrolls(page)[0] == 0


@pytest.mark.parametrize("name", [*PAGES, "play", "touch"])
def test_a_page_is_small_as_it_comes_over_the_wire(table: Table, visit: Visit, name: str) -> None:
    page = visit(table.url + name, language="fr-FR")  # the longest texts
    page.wait_for_load_state("networkidle")
    assert sent_bytes(page) <= MOST_BYTES


def test_who_sits_at_the_table_is_shown_their_seat_and_joins_no_second_time(
    table: Table, visit: Visit
) -> None:
    address = f"{table.url}join?code={table.code}"
    phone = joined(visit, table, "Ada")
    phone.goto(address)
    phone.wait_for_url("**/play")
    phone.go_back()
    phone.wait_for_url("**/play")
    expect(phone.get_by_test_id("view-wait")).to_be_visible()


def test_the_welcome_after_a_round_that_was_given_up_fits_the_small_display(
    table: Table, visit: Visit
) -> None:
    display = visit(table.url, "small")
    display.get_by_test_id("start").click()
    display.get_by_test_id("give-up").click()
    display.get_by_test_id("give-up-yes").click()
    expect(display.get_by_test_id("start")).to_be_visible()
    ends = "one => [one.getBoundingClientRect().top, one.getBoundingClientRect().bottom]"
    lid, mark, start, seats = (
        display.locator(place).evaluate(ends)
        for place in (".lid", ".mark", "[data-testid=start]", "[data-slot=seats]")
    )
    assert mark[0] >= lid[1]
    assert start[1] <= seats[0]


NAMES = ["Anna", "Benjamin", "Charlotte", "W" * 40, *(f"Friederike {n}" for n in range(8))]

WELCOME = (
    *(".lid", ".mark", ".tagline", "[data-testid=start]"),
    *("[data-testid=joining]", ".other", ".seats h2", ".guest"),
)


@pytest.mark.parametrize("count", [3, 4, 8, len(NAMES)])
def test_nothing_of_the_welcome_lies_on_another_however_many_have_joined(
    serve: Serve, visit: Visit, count: int
) -> None:
    table = serve()
    for name in NAMES[:count]:
        httpx.post(f"{table.url}api/players", json={"name": name, "code": table.code})
    for size in SIZES:
        display = visit(table.url, size)
        expect(display.locator(".guest")).to_have_count(min(count, 8))
        assert overlaps(display, *WELCOME) == []
        assert scrolls(display) == (0, 0)
        expect(display.get_by_test_id("guests")).to_contain_text(NAMES[count - 1])


def test_the_welcome_after_a_round_that_was_given_up_has_room_for_a_full_table(
    serve: Serve, visit: Visit
) -> None:
    table = serve()
    for name in NAMES:
        httpx.post(f"{table.url}api/players", json={"name": name, "code": table.code})
    display = visit(table.url, "small", "de-DE")
    display.get_by_test_id("start").click()
    display.get_by_test_id("give-up").click()
    display.get_by_test_id("give-up-yes").click()
    for width, height in SIZES.values():
        display.set_viewport_size({"width": width, "height": height})
        expect(display.locator("[data-slot=cancelled]")).to_be_visible()
        assert overlaps(display, *WELCOME, "[data-slot=cancelled]") == []


def test_what_a_fault_refuses_is_not_offered_at_the_display(serve: Serve, visit: Visit) -> None:
    display = visit(serve("--seed", "7", "--fault", "camera-unplugged").url, "small")
    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("clear")).to_be_visible()
    expect(display.get_by_test_id("give-up")).to_be_hidden()


def test_seven_players_of_a_round_are_seen_whole_while_the_sand_runs_and_in_a_pause(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7")
    for name in [*NAMES[:4], *NAMES[-3:]]:
        httpx.post(f"{table.url}api/players", json={"name": name, "code": table.code})
    display = visit(table.url, "small", "de-DE")
    display.get_by_test_id("start").click()
    display.get_by_test_id("turn").click()
    expect(display.get_by_test_id("player")).to_have_count(7)
    for act in ("pause", "resume"):
        expect(display.get_by_test_id(act)).to_be_visible()
        for size in ("small", "large"):
            width, height = SIZES[size]
            display.set_viewport_size({"width": width, "height": height})
            assert not_seen(display) == []
        display.get_by_test_id(act).click()


def not_seen(display: Page) -> list[str]:
    """What lies on another part of a round that is on, or is out of sight."""
    players = display.get_by_test_id("players")
    hidden = players.evaluate("one => one.scrollHeight - one.clientHeight")
    places = (".say:not([hidden])", ".clock", "[data-testid=player]", ".acts .button:not([hidden])")
    return [*(["players scroll"] if hidden > 0 else []), *overlaps(display, *places)]


_BROKEN_HEADS = """heads => heads.filter(head => {
  const range = document.createRange();
  return [...head.textContent.matchAll(/\\S+/g)].some(({0: word, index}) => {
    range.setStart(head.firstChild, index);
    range.setEnd(head.firstChild, index + word.length);
    return range.getClientRects().length > 1;
  });
}).map(head => head.textContent)"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["de-DE", "fr-FR"])
def test_no_head_of_the_standings_is_broken_inside_a_word(
    table: Table, visit: Visit, size: str, language: str
) -> None:
    display = visit(table.url, size, language)
    one = {"name": "W" * 40, "points": 1123, "won": 5, "rounds": 12, "words": 1340}
    told = {"rounds": 12, "found": 340, "possible": 2100, "best": None, "longest": None}
    rounds = told | {"players": [one, one | {"name": "Benjamin"}]}
    display.route(
        "**/api/statistics", lambda route: route.fulfill(json={"evening": rounds, "all": rounds})
    )
    display.get_by_test_id("open-screens").click()
    expect(display.locator(".told thead th")).to_have_count(5)
    assert display.locator(".told thead th").evaluate_all(_BROKEN_HEADS) == []
    assert scrolls(display) == (0, 0)


def test_the_help_leads_to_every_game(table: Table, visit: Visit) -> None:
    page = visit(f"{table.url}help")
    for game in ("/touch", "/swoggle"):
        expect(page.locator(f"nav a[href='{game}']")).to_be_visible()


def test_the_display_names_whose_turn_the_hourglass_begins(serve: Serve, visit: Visit) -> None:
    display = visit(serve("--seed", "7", "--game", "worldwinner", "--player", "ada").url, "small")
    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("turn")).to_be_visible()
    expect(display.locator("[data-slot=advice]")).to_contain_text("It is ada's turn.")
    display.get_by_test_id("turn").click()
    expect(display.get_by_test_id("pause")).to_be_visible()
    expect(display.locator("[data-slot=turn-of]")).to_have_text("It is ada's turn")
    assert scrolls(display) == (0, 0)
