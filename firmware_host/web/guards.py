"""What every request passes: whose name and origin it has, how large it is, what its answer says.

Pure ASGI, so that a body is refused while it comes, and WebSockets are guarded as well.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.web.problems import Problem

LARGEST_BODY = 64 * 1024
"""Bytes of a body, but that of a picture."""

LARGEST_PICTURE = 25_000_000
"""Bytes of a picture."""

ROOM = 16 * 1024
"""Bytes around a picture in its form."""

PICTURES = "/api/paper"
"""Where pictures are taken."""

FILES = {"/api/update": 60_000_000, "/api/restore": 4_000_000_000}
"""Where files are taken as they are, and how many bytes of one: after it was seen who sends it."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+))(?::\d{1,5})?")

STEADY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True)
class Guard:
    """Guards an application.

    Attributes:
        app: what is guarded.
        names: host names of this machine; addresses are always its own.
        refused: counts what was refused, by the kind of its problem.
        files: where files are taken as they are, and how many bytes of one.
    """

    app: ASGIApp
    names: Collection[str]
    refused: Counter[str] = field(default_factory=Counter)
    files: Mapping[str, int] = field(default_factory=lambda: FILES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As of ASGI."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        host = Headers(scope=scope).get("host", "")
        problem = self._refused(scope, host)
        if problem is not None:
            self.refused[problem.document.type] += 1
            await _refuse(problem, scope, receive, send)
            return
        if scope["type"] == "http":
            body = _Body(receive, self._most_of(scope))
            await self.app(scope, body, _with_headers(send, scope, host))
        else:
            await self.app(scope, receive, send)

    def _refused(self, scope: Scope, host: str) -> Problem | None:
        if not self._is_ours(host):
            # Else a page of another name that is made to lead here could speak for the display.
            return Problem(421, f"no machine {host!r} is here", "Use the address on the display.")
        if not _is_of_same_origin(scope, host):
            return Problem(
                403, "another site asks", "Open the page of the table itself.", kind="origin"
            )
        return self._unfit_body(scope)

    def _unfit_body(self, scope: Scope) -> Problem | None:
        if scope["type"] != "http" or scope["method"] in SAFE:
            return None
        headers = Headers(scope=scope)
        given = headers.get("content-length")
        if given is not None and not given.isdecimal():
            return Problem(422, "the length of the body is no number")
        if given is not None and int(given) > self._most_of(scope):
            return _too_large(scope, self._most_of(scope))
        carries = given not in (None, "0") or "transfer-encoding" in headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        wanted = self._form_of(scope["path"])
        if carries and kind != wanted:
            return Problem(415, f"the body is not of the kind {wanted}", f"Send {wanted}.")
        return None

    def _form_of(self, path: str) -> str:
        if path == PICTURES:
            return "multipart/form-data"
        return "application/octet-stream" if path in self.files else "application/json"

    def _most_of(self, scope: Scope) -> int:
        return self.files.get(scope["path"], _LARGEST.get(scope["path"], LARGEST_BODY))

    def _is_ours(self, host: str) -> bool:
        named = _HOST.fullmatch(host)
        name = (named[1] or named[2]).lower() if named else ""
        return name in self.names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_of_same_origin(scope: Scope, host: str) -> bool:
    """Whether a page of ours asks, or no page; a link or an image changes nothing."""
    if scope["type"] == "http" and scope["method"] in SAFE:
        return True
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in {"same-origin", "none"}
    scheme = "https" if scope.get("scheme") in {"https", "wss"} else "http"
    return origin.lower() == f"{scheme}://{host.lower()}"


_LARGEST = {PICTURES: LARGEST_PICTURE + ROOM}


def _too_large(scope: Scope, most: int) -> Problem:
    most = LARGEST_PICTURE if scope["path"] == PICTURES else most
    return Problem(413, f"more than {most:,} bytes were sent", "Send a smaller one.")


class _Body:
    """The body as it comes; not a byte more than is taken."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = most
        self._seen = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            # No `Problem`: what reads the body passes errors of HTTP on, and makes 400 of others.
            raise HTTPException(413, f"more than {self._most:,} bytes were sent")
        return message


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await problem.answer()(scope, receive, send)
    else:  # with 403 and no document, which uvicorn would take for an error of ours
        await send({"type": "websocket.close", "code": 1008, "reason": problem.document.type})


def _with_headers(send: Send, scope: Scope, host: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["content-security-policy"] = policy(host)
            for name, value in STEADY_HEADERS.items():
                headers[name] = value
            if scope["path"].startswith("/api/"):
                headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent


def policy(host: str) -> str:
    """What a page may do: nothing but with what this machine itself gives.

    The addresses of WebSockets are named, as browsers of some years ago take them for others.
    """
    parts = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "font-src": "'self'",
        "media-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "connect-src": f"'self' ws://{host} wss://{host}",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())
