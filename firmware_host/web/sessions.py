"""Sessions: who somebody is, in a signed cookie that ends by itself."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from itsdangerous import BadSignature, URLSafeSerializer

from firmware_host.rounds import RoundState

COOKIE = "wordtray"

HOUR_S = 3600.0


class Role(StrEnum):
    """What somebody may do; an owner may do all that a referee may."""

    DISPLAY = "display"
    PLAYER = "player"
    REFEREE = "referee"
    OWNER = "owner"


LASTS_S: Mapping[Role, float] = MappingProxyType(
    {
        Role.DISPLAY: 30 * 24 * HOUR_S,
        Role.PLAYER: 24 * HOUR_S,
        Role.REFEREE: 12 * HOUR_S,
        Role.OWNER: 2 * HOUR_S,
    }
)
"""Seconds after which a session is over."""


@dataclass(frozen=True)
class Session:
    """A session.

    Attributes:
        role: what its holder may do.
        id: its own, which nobody can guess.
        ends_at: seconds since 1970.
        name: of a player.
    """

    role: Role
    id: str
    ends_at: float
    name: str = ""

    @property
    def key(self) -> str:
        """What the log keeps of it: it proves the session, and cannot be made into one."""
        return hashlib.sha256(self.id.encode()).hexdigest()

    def sits_in(self, state: RoundState) -> bool:
        """Whether a player still has the seat that the session was given for."""
        return any(seat.player == self.name and seat.key == self.key for seat in state.seats)


class Sessions:
    """Gives and reads sessions.

    Args:
        secret: signs them.
        now: seconds since 1970.
    """

    def __init__(self, secret: str, now: Callable[[], float]) -> None:
        self._signer = URLSafeSerializer(
            secret, salt="session", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._now = now
        self._ended: dict[str, float] = {}

    def new(self, role: Role, name: str = "") -> Session:
        """A session that begins now."""
        return Session(role, secrets.token_urlsafe(18), self._now() + LASTS_S[role], name)

    def written(self, session: Session) -> str:
        """A session as the value of a cookie."""
        return self._signer.dumps([session.role, session.id, session.ends_at, session.name])

    def read(self, cookie: str | None) -> Session | None:
        """The session of a cookie; None where it is none, or over."""
        if not cookie:
            return None
        try:
            role, id_, ends_at, name = self._signer.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        session = Session(Role(role), id_, ends_at, name)
        return session if self.lasts(session) else None

    def lasts(self, session: Session) -> bool:
        """Whether a session is not over."""
        return session.ends_at > self._now() and session.id not in self._ended

    def end(self, session: Session) -> None:
        """Have a session be over, also where its cookie was copied."""
        now = self._now()
        self._ended = {id_: at for id_, at in self._ended.items() if at > now}
        self._ended[session.id] = session.ends_at
