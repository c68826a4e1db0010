"""Pages in a browser: when the first paint comes, and how many bytes over the wire.

Run: ``.venv/bin/python tests/benchmarks/bench_paint.py [--visits N]``. It serves a simulated tray
as its own process and opens each page in Debian's Chromium as somebody new, so with nothing cached,
several times; times are the browser's own, from the start of the navigation.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from playwright.sync_api import Browser, ViewportSize, sync_playwright
from rich.console import Console
from rich.table import Table

PAGES = ("", "join", "play", "touch", "referee", "maintenance", "help")
SIZE: ViewportSize = {"width": 1920, "height": 1080}

_LOOK = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const loads = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
  return [paint.startTime, loads.reduce((sum, one) => sum + one.transferSize, 0)];
}"""


@dataclass(frozen=True)
class Figures:
    """Of one visit.

    Attributes:
        paint_ms: from the start of the navigation to the first paint of any content.
        sent: bytes of the page with all that it loads, their heads among them.
    """

    paint_ms: float
    sent: int


def visit(browser: Browser, url: str) -> Figures:
    """Open a page as somebody new."""
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    page.goto(url)
    page.wait_for_load_state("networkidle")
    found = Figures(*page.evaluate(_LOOK))
    context.close()
    return found


def measure(url: str, visits: int) -> dict[str, list[Figures]]:
    """All pages, in turns; the first visit of each warms the service and does not count."""
    program = shutil.which("chromium")
    if program is None:
        sys.exit("no chromium: sudo apt install chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        seen = [{name: visit(browser, url + name) for name in PAGES} for _ in range(visits + 1)]
        browser.close()
    return {name: [one[name] for one in seen[1:]] for name in PAGES}


def show(found: dict[str, list[Figures]]) -> None:
    """A line a page."""
    table = Table("page", "first paint, middle", "slowest", "sent")
    for name, visits in found.items():
        times = [one.paint_ms for one in visits]
        sent = max(one.sent for one in visits)
        middle = statistics.median(times)
        table.add_row(
            f"/{name}", f"{middle:.0f} ms", f"{max(times):.0f} ms", f"{sent / 1000:.0f} kB"
        )
    Console().print(table)


def main() -> None:
    """Serve, visit, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=5)
    visits = parser.parse_args().visits
    command = [sys.executable, "-m", "firmware_host", "serve", "--simulate", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command,
            env={**os.environ, "XDG_DATA_HOME": folder, "COLUMNS": "200"},
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        with process:
            assert process.stderr is not None
            heard = (re.search(r"Pages: (\S+)", line) for line in process.stderr)
            try:
                show(measure(next(one for one in heard if one)[1], visits))
            finally:
                process.terminate()


if __name__ == "__main__":
    main()
