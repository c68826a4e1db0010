"""Where the desk stands, as one document: what every section needs to know that it must look again.

Pages ask for it twice a second with the tag of what they have, so that an answer is empty for as
long as nothing has changed. What is long a section asks for itself, when this tells of a change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Header, Response
from fastapi.responses import JSONResponse

from firmware_host.store.errors import StorageError
from firmware_host.tournament_documents import event_state
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.web.problems import answers
from scoring.encoding import canonical

Part = Callable[[Office], Document]
"""What a section adds: short, and cheap to find out; ``trouble`` tells what keeps it from that."""


def state_router(parts: Mapping[str, Part]) -> APIRouter:
    """The route of the state.

    Args:
        parts: what each section adds to it, by its name.
    """
    router = APIRouter(prefix="/api", tags=["desk"])

    @router.get(
        "/desk",
        response_model=None,
        responses={
            304: {"description": "Nothing has changed since the answer of this tag."},
            **answers(401, 422, 503),
        },
    )
    def desk(
        office: OfOffice,
        referee: Referee,
        if_none_match: Annotated[str | None, Header(max_length=200)] = None,
    ) -> Response:
        """Where the desk stands; with ``If-None-Match`` only where that has changed."""
        document = document_of(office, parts)
        headers = {"etag": f'"{_tag(document)}"', "cache-control": "no-cache"}
        if if_none_match == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return JSONResponse(document | {"me": referee.name, "now": office.clock()}, headers=headers)

    return router


def document_of(office: Office, parts: Mapping[str, Part]) -> Document:
    """The state but for the moment, and who asks."""
    log = office.log
    event = office.told.of(log.last_hash, lambda: event_state(office.name, log))
    return {"event": event} | {name: _told(office, of) for name, of in parts.items()}


def _told(office: Office, of: Part) -> Document:
    """A part, or why it cannot be told: a database that is gone must not stop the others."""
    try:
        return of(office)
    except StorageError as error:
        return {"trouble": f"{error}. {error.advice}"}


def _tag(document: Document) -> str:
    return hashlib.sha256(canonical(document).encode()).hexdigest()[:32]
