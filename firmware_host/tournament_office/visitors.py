"""What the desk's routes ask for: the office, and a referee who has signed in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from firmware_host.tournament_office.office import COOKIE, Office
from firmware_host.web.problems import Problem
from firmware_host.web.sessions import Role, Session


async def office_of(connection: HTTPConnection) -> Office:
    """The office of the application that was asked."""
    office: Office = connection.app.state.office
    return office


OfOffice = Annotated[Office, Depends(office_of)]


async def visitor_of(connection: HTTPConnection, office: OfOffice) -> Session | None:
    """Who asks; None where nobody knows. To sit at this machine opens nothing here."""
    session = office.sessions.read(connection.cookies.get(COOKIE))
    return session if session is not None and session.role is Role.REFEREE else None


Anybody = Annotated[Session | None, Depends(visitor_of)]


async def _referee(visitor: Anybody) -> Session:
    if visitor is None:
        raise Problem(401, "nobody knows who asks", "Sign in with the PIN and your name.")
    return visitor


Referee = Annotated[Session, Depends(_referee)]
"""Who works at the desk; ``name`` is who it is."""
