"""Every page, at every size, as somebody sees it who has just come."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZES, Serve, Table, Visit, overlaps, scrolls, violations
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


MOST_BYTES = 150_000
"""Of a page with all that it loads, as they come over the wire."""


@pytest.mark.parametrize("name", [*PAGES, "play", "touch"])
def test_a_page_is_small_as_it_comes_over_the_wire(table: Table, visit: Visit, name: str) -> None:
    page = visit(table.url + name, language="fr-FR")  # the longest texts
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate(
        "() => ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind))"
        ".map(one => one.transferSize)"
    )
    assert len(sizes) > 5
    assert all(sizes)
    assert sum(sizes) <= MOST_BYTES


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
        places = (".lid", ".mark", ".tagline", "[data-testid=start]", "[data-testid=joining]")
        assert overlaps(display, *places, ".other", ".seats h2", ".guest") == []
        assert scrolls(display) == (0, 0)
    expect(display.get_by_test_id("guests")).to_contain_text(NAMES[count - 1])


def test_the_display_names_whose_turn_the_hourglass_begins(serve: Serve, visit: Visit) -> None:
    display = visit(serve("--seed", "7", "--game", "worldwinner", "--player", "ada").url, "small")
    display.get_by_test_id("start").click()
    expect(display.get_by_test_id("turn")).to_be_visible()
    expect(display.locator("[data-slot=advice]")).to_contain_text("It is ada's turn.")
    display.get_by_test_id("turn").click()
    expect(display.get_by_test_id("pause")).to_be_visible()
    expect(display.locator("[data-slot=turn-of]")).to_have_text("It is ada's turn")
    assert scrolls(display) == (0, 0)
