"""The application of the pages, put together from its parts."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from fastapi import FastAPI

from firmware_host.web.guards import Guard
from firmware_host.web.plain import plain_app
from firmware_host.web.problems import answers, tell_problems
from firmware_host.web.routes import (
    care,
    cells,
    lexicon,
    lists,
    machine,
    pages,
    papers,
    photo,
    rulings,
    screens,
    sessions,
    state,
    upkeep,
    words,
)
from firmware_host.web.routes import round as rounds_routes
from firmware_host.web.site import Site

DESCRIPTION = """The table: its state, its round, its players and their lists.

A stream of the state is at `/api/stream` (WebSocket): messages `{"seq", "state"}`."""


PARTS = (
    *(state, sessions, rounds_routes, lists, cells, papers, rulings),
    *(lexicon, photo, words, screens, machine, upkeep, care),
)


def create_app(site: Site, names: Collection[str], version: str = "0") -> FastAPI:
    """The application.

    Args:
        site: what the routes share.
        names: host names of this machine.
        version: of wordtray, for OpenAPI.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        site.hub.attach()
        yield
        site.hub.detach()
        site.uploads.close()

    app = plain_app("wordtray", version, DESCRIPTION, lifespan)
    app.state.site = site
    tell_problems(app)
    for part in PARTS:
        app.include_router(part.router, responses=answers(413, 415, 421, 503))
    app.include_router(pages.router)
    pages.mount_files(app)
    app.state.refused = Counter[str]()
    app.state.run = secrets.token_hex(4)
    app.add_middleware(Guard, names=frozenset(names), refused=app.state.refused)
    return app
