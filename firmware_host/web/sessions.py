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


MOST_ENDED = 2048
"""Ended sessions that are remembered."""

EndedSessions = Mapping[str, tuple[Role, float]]


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


class Ended:
    """Sessions that were ended before their time, as many as can matter.

    Where there are too many, those of players are forgotten first: their seats are what counts.

    Args:
        known: those of before, by `Session.key`: role, and when the session ends by itself.
        keep: has them outlast the program.
    """

    def __init__(
        self,
        known: EndedSessions = MappingProxyType({}),
        keep: Callable[[EndedSessions], None] = lambda _known: None,
    ) -> None:
        self._known = dict(known)
        self._keep = keep

    def __contains__(self, session: Session) -> bool:
        return session.key in self._known

    def add(self, session: Session, now: float) -> None:
        """One more; those that are over by themselves now are forgotten."""
        known = {key: one for key, one in self._known.items() if one[1] > now}
        known[session.key] = (session.role, session.ends_at)
        while len(known) > MOST_ENDED:
            del known[min(known, key=lambda key: (known[key][0] is not Role.PLAYER, known[key][1]))]
        self._known = known
        self._keep(known)


class Sessions:
    """Gives and reads sessions.

    Args:
        secret: signs them.
        now: seconds since 1970.
        ended: remembers those that were ended before their time.
    """

    def __init__(self, secret: str, now: Callable[[], float], ended: Ended | None = None) -> None:
        self._signer = URLSafeSerializer(
            secret, salt="session", signer_kwargs={"digest_method": hashlib.sha256}
        )
        self._now = now
        self._ended = Ended() if ended is None else ended

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
        return session.ends_at > self._now() and session not in self._ended

    def end(self, session: Session) -> None:
        """Have a session be over, also where its cookie was copied.

        Raises:
            StorageError: it is over now, and may not be after a restart.
        """
        self._ended.add(session, self._now())
