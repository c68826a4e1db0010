"""Who works at the desk: the referees by its PIN, each with a name of their own."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from firmware_host.tournament_office.office import COOKIE
from firmware_host.tournament_office.visitors import Anybody, OfOffice
from firmware_host.web.names import checked_name
from firmware_host.web.problems import answers
from firmware_host.web.routes.sessions import SessionView, role_by_pin
from firmware_host.web.sessions import LASTS_S, Session
from firmware_host.web.views import example
from firmware_host.web.visitors import forget, remember
from scoring.players import LONGEST_NAME

router = APIRouter(prefix="/api", tags=["people"])


class SignInAsked(BaseModel):
    """A referee would work here."""

    model_config = example(pin="123456", name="Bo")

    pin: str = Field(min_length=1, max_length=32)
    name: str = Field(min_length=1, max_length=LONGEST_NAME)


@router.get("/session")
async def who(visitor: Anybody) -> SessionView:
    """Who asks."""
    return _view(visitor)


@router.post("/session", responses=answers(403, 422, 429))
async def sign_in(
    asked: SignInAsked, request: Request, response: Response, office: OfOffice
) -> SessionView:
    """Sign in: what is entered from now on says who did."""
    name = checked_name(asked.name)
    role = await role_by_pin(office, asked.pin, request)
    session = office.sessions.new(role, name)
    remember(response, office, session, LASTS_S[role], COOKIE)
    return _view(session)


@router.delete("/session", status_code=204)
def sign_out(response: Response, office: OfOffice, visitor: Anybody) -> None:
    """End the session."""
    if visitor is not None:
        office.sessions.end(visitor)
    forget(response, office, COOKIE)


def _view(session: Session | None) -> SessionView:
    if session is None:
        return SessionView(role=None)
    return SessionView(role=session.role, name=session.name, ends_at=session.ends_at)
