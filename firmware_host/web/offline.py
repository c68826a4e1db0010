"""What a phone keeps of its pages for a reload without a connection.

They are the pages themselves and what they load, by a service worker. It keeps no state, and the
network comes first each time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
PAGES = ("join", "play")
"""The pages that are kept: those of players."""

_LOADED = re.compile(r"""["'(]([\w./-]+\.(?:css|js|svg|woff2))["')]""")
"""Files that a template, a script or a sheet names."""

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
"""Where scripts name the types of others, which they do not load."""


@cache
def worker() -> str:
    """The script of the service worker: another text wherever a file that it keeps is another."""
    files = shell()
    digest = hashlib.sha256()
    for path in (*files, *_templates(), "/static/js/worker.js"):
        digest.update(_file(path).read_bytes())
    pages = [f"/{page}" for page in PAGES]
    told = {"VERSION": digest.hexdigest()[:16], "PAGES": pages, "SHELL": files}
    head = [f"const {name} = {json.dumps(value)};" for name, value in told.items()]
    return "\n".join([*head, _file("/static/js/worker.js").read_text("utf-8")])


@cache
def shell() -> tuple[str, ...]:
    """All that the pages load, by paths of the service, in order."""
    known: dict[str, None] = {}
    waiting = [path for name in _templates() for path in _named_in(name)]
    while waiting:
        path = waiting.pop()
        if path not in known:
            known[path] = None
            waiting += _named_in(path)
    return tuple(sorted(known))


def _templates() -> tuple[str, ...]:
    return ("templates/layout.html", *(f"templates/{page}.html" for page in PAGES))


def _named_in(path: str) -> Iterator[str]:
    """The files that one names, which are there."""
    file = _file(path)
    if file.suffix not in {".html", ".js", ".css"}:
        return
    for name in _LOADED.findall(_COMMENT.sub("", file.read_text("utf-8"))):
        found = _file(name) if name.startswith("/") else (file.parent / name).resolve()
        if found.is_relative_to(HERE / "static") and found.is_file():
            yield f"/{found.relative_to(HERE).as_posix()}"


def _file(path: str) -> Path:
    return HERE / path.removeprefix("/")
