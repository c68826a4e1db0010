"""The application of the pages, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.routing import APIRoute

from firmware_host.web.guards import Guard
from firmware_host.web.problems import tell_problems
from firmware_host.web.routes import lists, pages, sessions, state
from firmware_host.web.routes import round as rounds_routes
from firmware_host.web.site import Site

DESCRIPTION = """The table: its state, its round, its players and their lists.

A stream of the state is at `/api/stream` (WebSocket): messages `{"seq", "state"}`."""


def create_app(site: Site, names: Collection[str], version: str = "") -> FastAPI:
    """The application.

    Args:
        site: what the routes share.
        names: host names of this machine.
        version: of wordtray, for OpenAPI.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        site.hub.attach()
        yield
        site.hub.detach()

    app = FastAPI(
        title="wordtray",
        description=DESCRIPTION,
        version=version,
        docs_url=None,  # they would load scripts from other hosts
        redoc_url=None,
        lifespan=lifespan,
        generate_unique_id_function=_operation,
    )
    app.state.site = site
    tell_problems(app)
    for part in (state, sessions, rounds_routes, lists, pages):
        app.include_router(part.router)
    pages.mount_files(app)
    app.add_middleware(Guard, names=frozenset(names))
    return app


def _operation(route: APIRoute) -> str:
    return route.name
