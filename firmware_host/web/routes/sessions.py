"""Who is who: the referee and the owner by their PINs, players by the code of the table."""

from __future__ import annotations

import asyncio
from typing import Annotated, Protocol

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field

from firmware_host import rounds
from firmware_host.rounds import RoundState
from firmware_host.web.access import Access
from firmware_host.web.limits import BackOff, Buckets
from firmware_host.web.names import checked_name
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import LASTS_S, Role, Session
from firmware_host.web.site import Site
from firmware_host.web.views import example
from firmware_host.web.visitors import Anybody, OfSite, forget, remember
from scoring.players import LONGEST_NAME, alike

router = APIRouter(prefix="/api", tags=["people"])

MOST_PLAYERS = 200
"""Players at one table."""

Name = Annotated[str, Path(min_length=1, max_length=LONGEST_NAME, examples=["ada"])]


class PinGiven(BaseModel):
    """The PIN of the referee or of the owner."""

    model_config = example(pin="123456")

    pin: str = Field(min_length=1, max_length=32)


class JoinAsked(BaseModel):
    """Somebody would play."""

    model_config = example(name="ada", code="K7QM", on_paper=False)

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    code: str = Field(min_length=1, max_length=16)
    on_paper: bool = Field(default=False, description="writes on paper and photographs the list")


class SessionView(BaseModel):
    """Who somebody is here; ``role`` is null for a stranger."""

    model_config = example(role="player", name="ada", ends_at=1796136400.0)

    role: Role | None
    name: str = ""
    ends_at: float | None = None


@router.get("/session")
async def who(visitor: Anybody) -> SessionView:
    """Who asks."""
    return _view(visitor)


@router.post("/session", responses=answers(403, 422, 429))
async def sign_in(
    given: PinGiven, request: Request, response: Response, site: OfSite
) -> SessionView:
    """Sign in with a PIN."""
    role = await role_by_pin(site, given.pin, request)
    return _begin(site, response, site.sessions.new(role))


@router.delete("/session", status_code=204, responses=answers(409))
async def sign_out(response: Response, site: OfSite, visitor: Anybody) -> None:
    """End the session; a player leaves the table by it, as nobody else could sit there again."""
    if visitor is not None and visitor.role is Role.PLAYER:
        await site.take(rounds.PlayerLeft(visitor.name))
    if visitor is not None and visitor.id:
        site.sessions.end(visitor)
        site.hub.tell_anew()  # their other pages, too, are out
    forget(response, site)


@router.post("/players", status_code=201, responses=answers(403, 409, 422, 429))
async def join(asked: JoinAsked, request: Request, response: Response, site: OfSite) -> SessionView:
    """Join the table: from now on the list of this player is awaited, round after round."""
    _check_code(site, _address(request), asked.code)
    name = checked_name(asked.name)
    session = site.sessions.new(Role.PLAYER, name)
    event = rounds.PlayerJoined(name, session.key, asked.on_paper)
    taken = await site.take(lambda state: event if _is_free(name, state) else None)
    if not session.sits_in(taken.after):
        raise _refusal(name, taken.after)
    return _begin(site, response, session)


@router.delete("/players/{name:path}", status_code=204, responses=answers(401, 403, 404, 409, 422))
async def remove(name: Name, site: OfSite, visitor: Anybody) -> None:
    """Remove a player: the referee anybody, a player themselves."""
    if visitor is None:
        raise Problem(401, "nobody knows who asks", "Sign in with the PIN.")
    themselves = visitor.role is Role.PLAYER and visitor.name == name
    if not themselves and visitor.role not in {Role.REFEREE, Role.OWNER}:
        raise Problem(403, "that is for the referee", "Sign in with the PIN.")
    by = "" if themselves else visitor.role.value
    taken = await site.take(rounds.PlayerLeft(name, by))
    if not taken.changed:
        raise Problem(404, f"nobody called {name!r} has joined", "See the list of players.")


class Door(Protocol):
    """What knows the PINs, and makes who guesses them wait."""

    @property
    def access(self) -> Access:
        """The PINs."""

    @property
    def guesses(self) -> BackOff:
        """Of PINs, by address."""

    @property
    def all_guesses(self) -> Buckets:
        """By everybody together."""


async def role_by_pin(door: Door, pin: str, request: Request) -> Role:
    """Whose PIN somebody gave.

    Raises:
        Problem: nobody's, or too many were tried.
    """
    address = _address(request)
    _check_guesses(door, address)
    role = await asyncio.to_thread(door.access.role_of, pin)
    if role is None:
        door.guesses.wrong(address)
        raise Problem(403, "that is not the PIN", "It was shown at the first start.", kind="pin")
    door.guesses.right(address)
    return role


def _check_guesses(site: Door, address: str) -> None:
    wait_s = site.guesses.wait_s(address) or site.all_guesses.wait_s("")
    if wait_s:
        raise Problem(
            429, "too many were tried", "Wait, then try again.", retry_after_s=max(1.0, wait_s)
        )


def _check_code(site: Site, address: str, code: str) -> None:
    wait_s = site.guesses.wait_s(address)
    if wait_s:
        raise Problem(
            429, "too many were tried", "Wait, then try again.", retry_after_s=max(1.0, wait_s)
        )
    if code.strip().upper() != site.access.code:
        site.guesses.wrong(address)
        raise Problem(403, "that is not the code", "It is on the table's display.", kind="code")


def _is_free(name: str, state: RoundState) -> bool:
    """Whether a name can be taken.

    Those of the plan, and the seats of a tournament, are no one's until somebody joins as them.
    """
    if rounds.PlayerJoined(name) in state.seats:
        return True
    taken = set(map(alike, state.joined))
    return alike(name) not in taken and len(state.joined) < MOST_PLAYERS


def _refusal(name: str, state: RoundState) -> Problem:
    if len(state.joined) >= MOST_PLAYERS:
        return Problem(409, f"{MOST_PLAYERS} play here already", "Wait for a seat.", kind="full")
    detail = f"somebody called {name!r} plays here already"
    return Problem(
        409, detail, "Take another name, or have the referee remove it.", kind="name_taken"
    )


def _begin(site: Site, response: Response, session: Session) -> SessionView:
    remember(response, site, session, LASTS_S[session.role])
    return _view(session)


def _view(session: Session | None) -> SessionView:
    if session is None:
        return SessionView(role=None)
    ends_at = session.ends_at if session.id else None
    return SessionView(role=session.role, name=session.name, ends_at=ends_at)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
