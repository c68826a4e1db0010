"""A table that is really served, and a real browser that looks at it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

import pytest
import uvicorn
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.touch_desk import Desk, application

REPOSITORY = Path(__file__).resolve().parents[2]
SIZES = {"phone": (360, 740), "small": (800, 480), "large": (1920, 1080)}
"""Of a phone, of the small display of a Pi, and of a television."""

PATIENCE_MS = 60_000
"""No figure of the product: it ends a test that would wait for ever."""

_PAGES = re.compile(r"Pages: (\S+) .*code (\w+)")
_PIN = re.compile(r"PIN of the (\w+): (\d+)")


expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


class Visit(Protocol):
    """Opens a page as somebody new: its address, a size of `SIZES`, their language."""

    def __call__(self, url: str, size: str = "phone", language: str = "en-GB") -> Page:
        """The page, loaded."""
        ...


@dataclass
class Table:
    """``wordtray serve --simulate`` as its own process.

    Attributes:
        folder: its data is kept below.
        options: for ``serve``.
        url: of its pages.
        code: lets players join.
        pins: by role.
        process: now.
    """

    folder: Path
    options: tuple[str, ...]
    url: str = ""
    code: str = ""
    pins: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin, or begin again at the same address."""
        port = self.url.rstrip("/").rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "firmware_host", "serve", "--simulate", "--port", port]
        self.process = subprocess.Popen(
            [*command, *self.options],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "XDG_DATA_HOME": str(self.folder / "data"),
                "COLUMNS": "200",
            },
            stdin=subprocess.PIPE,  # one that is closed would be nobody at the tray
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._hear(self.process)

    def kill(self) -> None:
        """Pull the plug."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdin is not None
            self.process.stdin.close()

    def _hear(self, process: subprocess.Popen[str]) -> None:
        """Take address, code and PINs from what it says; then let it talk."""
        assert process.stderr is not None
        heard = ""
        for line in process.stderr:
            heard += line
            if self._knows(heard):
                break
        else:
            pytest.fail(f"no pages: {heard}")
        threading.Thread(target=_drain, args=(process.stderr,)).start()

    def _knows(self, heard: str) -> bool:
        pages = _PAGES.search(heard)
        if pages is None:
            return False
        self.url, self.code = pages[1], pages[2]
        self.pins |= dict(_PIN.findall(heard))
        return {"referee", "owner"} <= self.pins.keys()


def _drain(stream: IO[str]) -> None:
    with stream:
        deque(stream, 0)


Serve = Callable[..., Table]
"""Starts a table with options for ``serve``."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium: sudo apt install chromium")
    with sync_playwright() as play:
        # The sandbox of the browser cannot be had as root; the pages are our own.
        found = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Starts tables, each with options for ``serve``; they end with the module."""
    with ExitStack() as stack:

        def start(*options: str) -> Table:
            table = Table(tmp_path_factory.mktemp("table"), options)
            stack.callback(table.kill)
            table.start()
            return table

        yield start


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The pages of play by touch, really served."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(application(), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield f"http://localhost:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A table for play by touch, with matches of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    table = Desk(tmp_path)
    yield table
    table.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens a page as somebody new, with cookies of their own.

    A page that throws, that asks another host for anything, or that breaks its own policy fails
    the test.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(url: str, size: str = "phone", language: str = "en-GB") -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=size != "large",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{url}: {error}"))
        page.on("console", lambda said: _note_refusal(said.text, faults))
        page.on("request", lambda asked: _note_foreign(asked.url, url, faults))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


def _note_refusal(said: str, faults: list[str]) -> None:
    if "Content Security Policy" in said:
        faults.append(said)


def _note_foreign(asked: str, own: str, faults: list[str]) -> None:
    host = own.partition("//")[2].partition("/")[0]
    if not re.match(rf"((http|ws)s?://{re.escape(host)}/|data:|blob:|about:)", asked):
        faults.append(f"asked another host: {asked}")


STILL = """() => Promise.race([
    new Promise(given => setTimeout(given, 5000)),
    Promise.allSettled(document.getAnimations()
        .filter(one => one.effect.getComputedTiming().endTime < 5000).map(one => one.finished)),
])"""
"""Awaits the end of what moves for a moment, as words that fly and buttons that change colour."""


def violations(page: Page) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA, each with the places, once nothing moves any more.

    A place that the page has replaced meanwhile is called ``:root`` by axe: it is looked at again.
    """
    page.evaluate(STILL)
    page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    found = _looked_at(page)
    if any("[':root']" in each for each in found):
        found = _looked_at(page)
    return found


def _looked_at(page: Page) -> list[str]:
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
    return [
        f"{rule['id']}: {rule['help']} at {[node['target'] for node in rule['nodes']]}"
        for rule in found["violations"]
    ]


MOST_BYTES = 150_000
"""Of a page with all that it loads, as they come over the wire."""


def sent_bytes(page: Page) -> int:
    """Bytes of a page and of all that it has loaded as they came over the wire, each once."""
    sizes = page.evaluate(
        "() => Object.fromEntries(['navigation', 'resource']"
        ".flatMap(kind => performance.getEntriesByType(kind)).reverse()"
        ".map(one => [one.name, one.transferSize]))"
    )
    assert len(sizes) > 5
    assert all(sizes.values())
    return int(sum(sizes.values()))


def scrolls(page: Page) -> tuple[int, int]:
    """Pixels by which the page is wider and higher than its window."""
    wide, high = page.evaluate(
        "() => { const e = document.documentElement;"
        " return [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]; }"
    )
    return int(wide), int(high)


_OVERLAPS = """places => {
  const all = places.flatMap(place => [...document.querySelectorAll(place)]);
  const box = one => one.getBoundingClientRect();
  const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
    || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const outside = one => box(one).left < 0 || box(one).top < 0
    || box(one).right > innerWidth || box(one).bottom > innerHeight;
  const said = one => one.textContent.trim().slice(0, 20);
  return all.flatMap((one, at) => [
    ...(outside(one) ? [`outside: ${said(one)}`] : []),
    ...all.slice(at + 1).filter(other => !apart(box(one), box(other)))
      .map(other => `${said(one)} on ${said(other)}`)]);
}"""


def overlaps(page: Page, *places: str) -> list[str]:
    """Which elements lie on one another, or reach out of the window, of those in some places."""
    found: list[str] = page.evaluate(_OVERLAPS, list(places))
    return found
