"""Every page, at every size, as somebody sees it who has just come."""

from __future__ import annotations

import pytest

from tests.browser.conftest import SIZES, Serve, Table, Visit, scrolls, violations

PAGES = ("", "join", "referee", "maintenance")


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
