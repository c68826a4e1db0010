"""What a phone keeps of its page: all that it loads, none of what the table tells."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_host.web import offline
from tests.firmware_host.web_site import make_desk


def test_all_that_the_page_loads_is_kept_and_every_file_is_there() -> None:
    kept = offline.shell()
    assert {"/static/base.css", "/static/js/join.js", "/static/js/play.js"} < set(kept)
    assert {"/static/js/stream.js", "/static/js/theme.js"} < set(kept)  # of a script, of the layout
    assert any(path.endswith(".woff2") for path in kept)
    assert not {path for path in kept if "referee" in path or "display.js" in path}
    assert all((offline.HERE / path[1:]).is_file() for path in kept)


def test_another_file_is_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(offline.HERE, tmp_path / "web")
    monkeypatch.setattr(offline, "HERE", tmp_path / "web")
    before = _worker_now()
    assert _worker_now() == before
    sheet = tmp_path / "web/static/play.css"
    sheet.write_text(sheet.read_text() + "\n/* mended */")
    after = _worker_now()
    assert re.search('VERSION = "(.*)"', after) != re.search('VERSION = "(.*)"', before)
    assert after != before


def _worker_now() -> str:
    offline.shell.cache_clear()
    offline.worker.cache_clear()
    try:
        return offline.worker()
    finally:
        offline.shell.cache_clear()
        offline.worker.cache_clear()


def test_it_keeps_no_answer_of_a_route_and_nothing_of_the_table(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        phone = make_desk(tmp_path, runner).browser()
        answer = phone.get("/worker.js")
        kept = re.findall(r'"(/[^"]*)"', answer.text.partition("// @ts-check")[0])
        pages = [phone.get(path).text for path in ("/join", "/play")]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert [path for path in kept if not path.startswith("/static/")] == ["/join", "/play"]
    assert not any("K7QM" in page for page in pages)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_the_worker_is_a_script(tmp_path: Path) -> None:
    file = tmp_path / "worker.js"
    file.write_text(offline.worker())
    subprocess.run([str(shutil.which("node")), "--check", str(file)], check=True)
