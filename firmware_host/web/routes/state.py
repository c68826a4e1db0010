"""The state of the table, once and as a stream."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket
from pydantic import RootModel
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocketState

from firmware_host.web.editions import Edition
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Role, Session
from firmware_host.web.site import Site
from firmware_host.web.views import StateView, example, state_view
from firmware_host.web.visitors import AtTable, OfSite

router = APIRouter(prefix="/api", tags=["state"])

NOT_KNOWN = 4401
"""Code that a stream ends with where nobody knows who listens, or does any longer."""


class FaultTexts(RootModel[dict[str, str]]):
    """Texts by key."""

    model_config = example(**{"fault.device.camera": "camera"})


As = Annotated[
    Role | None,
    Query(alias="as", description="display: what the table sees, and no more; of a referee too."),
]


@router.get("/state", responses=answers(401, 403, 422))
async def state(site: OfSite, visitor: AtTable, as_: As = None) -> StateView:
    """All that a page needs to know, as its visitor may see it."""
    return state_view(site.scene(), seen_as(visitor, as_))


@router.get("/texts/faults", responses=answers(401, 403, 422))
async def fault_texts(
    site: OfSite, _visitor: AtTable, lang: Annotated[str, Query(max_length=8)] = "en"
) -> FaultTexts:
    """What faults are told by, in a language: text by key, as of ``said`` in a fault."""
    catalogues = site.pages.catalogues
    return FaultTexts(dict(catalogues.chosen(lang, None, None).parts("fault")))


def seen_as(visitor: Session, wanted: Role | None) -> Session:
    """A visitor who would see less than they may.

    Raises:
        Problem: it would be more, or another's.
    """
    if wanted in (None, visitor.role):
        return visitor
    if wanted is not Role.DISPLAY or visitor.role is Role.PLAYER:
        raise Problem(403, f"you do not see what {wanted} sees", "Leave ?as= out.")
    return Session(Role.DISPLAY, visitor.id, visitor.ends_at)


@router.websocket("/stream")
async def stream(socket: WebSocket) -> None:
    """The state, whenever it changes."""
    site: Site = socket.app.state.site
    await socket.accept()
    visitor = _viewer(site, socket)
    if visitor is None:
        await socket.close(NOT_KNOWN, "no_session")
        return
    telling = asyncio.create_task(_tell(site, socket, visitor))
    try:
        # Nothing that is said counts, text or bytes: it is for the end.
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    finally:
        telling.cancel()


def _viewer(site: Site, connection: HTTPConnection) -> Session | None:
    """As which the stream is seen; ``?as=display`` as of the route of the state."""
    visitor = site.visitor(connection)
    if connection.query_params.get("as") != Role.DISPLAY or visitor is None:
        return visitor
    return None if visitor.role is Role.PLAYER else seen_as(visitor, Role.DISPLAY)


async def _tell(site: Site, socket: WebSocket, visitor: Session) -> None:
    edition: Edition | None = None
    with site.hub.listening(visitor.name):
        async for _ in site.hub.changes():
            if not site.holds(visitor):
                await socket.close(NOT_KNOWN, "no_session")
                return
            if socket.application_state is not WebSocketState.CONNECTED:
                return
            # The first is of now: the last edition may be old, and the sand has run since.
            edition = site.edition() if edition else Edition(site.scene())
            await socket.send_text(edition.message(visitor))
