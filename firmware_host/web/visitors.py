"""What routes ask for: the site, and a visitor who may do what the route does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from firmware_host.web.problems import Problem
from firmware_host.web.sessions import COOKIE, Role, Session, Sessions
from firmware_host.web.site import Site

MAY: dict[Role, str] = {
    Role.DISPLAY: "the display",
    Role.PLAYER: "a player",
    Role.REFEREE: "the referee",
    Role.OWNER: "the owner",
}


# Not async they would each wait for a thread: at 200 phones that is what all would wait for.
async def site_of(connection: HTTPConnection) -> Site:
    """The site of the application that was asked."""
    site: Site = connection.app.state.site
    return site


OfSite = Annotated[Site, Depends(site_of)]


async def visitor_of(connection: HTTPConnection, site: OfSite) -> Session | None:
    """Who asks; None where nobody knows."""
    return site.visitor(connection)


Anybody = Annotated[Session | None, Depends(visitor_of)]


def allowed(*roles: Role) -> Callable[[Session | None], Awaitable[Session]]:
    """Lets these roles in, and the owner wherever the referee may."""
    known = {*roles, Role.OWNER} if Role.REFEREE in roles else {*roles}

    async def visitor(visitor: Anybody) -> Session:
        if visitor is None:
            raise Problem(401, "nobody knows who asks", "Join at /join, or sign in with the PIN.")
        if visitor.role not in known:
            who = " or ".join(MAY[role] for role in roles)
            raise Problem(403, f"that is for {who}", "Sign in as one who may.")
        return visitor

    return visitor


AtTable = Annotated[Session, Depends(allowed(Role.DISPLAY, Role.PLAYER, Role.REFEREE))]
"""Anybody who is known."""

AtControls = Annotated[Session, Depends(allowed(Role.DISPLAY, Role.REFEREE))]
Player = Annotated[Session, Depends(allowed(Role.PLAYER))]
Writer = Annotated[Session, Depends(allowed(Role.PLAYER, Role.REFEREE))]
Referee = Annotated[Session, Depends(allowed(Role.REFEREE))]
Owner = Annotated[Session, Depends(allowed(Role.OWNER))]


class Signs(Protocol):
    """What gives sessions to browsers."""

    @property
    def sessions(self) -> Sessions:
        """Given and read."""

    @property
    def secure(self) -> bool:
        """Whether they go over TLS alone."""


def remember(
    response: Response, site: Signs, session: Session, lasts_s: float, cookie: str = COOKIE
) -> None:
    """Have the browser keep a session."""
    response.set_cookie(
        cookie,
        site.sessions.written(session),
        max_age=int(lasts_s),
        httponly=True,
        samesite="strict",
        secure=site.secure,
    )


def forget(response: Response, site: Signs, cookie: str = COOKIE) -> None:
    """Have the browser forget its session."""
    response.delete_cookie(cookie, httponly=True, samesite="strict", secure=site.secure)
