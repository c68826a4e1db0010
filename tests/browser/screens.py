"""Pages on which somebody plays a match, by finger, mouse or keys."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from firmware_host.web.sessions import COOKIE
from tests.browser.conftest import Visit
from tests.touch_desk import Desk

Point = tuple[float, float]


class Screen:
    """A page on which somebody plays."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def at(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def middle(self, name: str) -> Point:
        box = self.at(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def hold(self, first: Point, *rest: Point) -> None:
        """Press with a mouse that jumps from one point to the next, and hold."""
        self.page.mouse.move(*first)
        self.page.mouse.down()
        for point in rest:
            self.page.mouse.move(*point)

    def pull(self, *points: Point) -> None:
        """The same, and let go at the last one."""
        self.hold(*points)
        self.page.mouse.up()

    def touch(self, *points: Point) -> None:
        """Drag with a finger."""
        protocol = self.page.context.new_cdp_session(self.page)
        kinds = ["touchStart", *["touchMove"] * (len(points) - 1)]
        for kind, (x, y) in zip(kinds, points, strict=True):
            place = [{"x": x, "y": y}]
            protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": place})
        protocol.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def shows(self, **texts: str) -> None:
        """What some places show."""
        for name, text in texts.items():
            expect(self.at(name.replace("_", "-"))).to_contain_text(text)


def match_page(visit: Visit, desk: Desk, url: str, size: str, player: str, match: str) -> Page:
    """The page of a match: at the display, or on the phone of a player."""
    host = url.rpartition("/")[0]
    page = visit(f"{host}/static/icon.svg", size)
    if player:
        cookie = {"name": COOKIE, "value": desk.seated(player), "url": host}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(url + (f"?match={match}" if match else ""))
    return page
