"""The service itself: restarted, in safe mode or out of it; updated; brought back from a backup."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from pydantic import BaseModel

from firmware_host import updates
from firmware_host.errors import CommandError
from firmware_host.store.backup import Restored, restore
from firmware_host.store.errors import BackupError
from firmware_host.store.place import Place
from firmware_host.web.guards import FILES
from firmware_host.web.problems import Problem, answers
from firmware_host.web.views import FaultView, example, fault_view
from firmware_host.web.visitors import OfSite, Owner

router = APIRouter(prefix="/api", tags=["care"])

_A_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class ServiceView(BaseModel):
    """How the service is, and how often something was refused since it was started.

    ``run`` is another one after each start.
    """

    model_config = example(
        run="5f1c9a3e",
        version="0.1.0",
        folder="0.1.0+1a2b3c4d",
        safe=False,
        why=None,
        refused={"origin": 3},
    )

    run: str
    version: str
    folder: str
    safe: bool
    why: FaultView | None
    refused: dict[str, int]


class RestartAsked(BaseModel):
    """Begin anew; ``safe`` without devices and rounds."""

    model_config = example(safe=False)

    safe: bool = False


class ReleaseView(BaseModel):
    """A release that waits to be installed, and the command that does it."""

    model_config = example(
        version="0.2.0",
        sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        size=6200000,
        newer=True,
        command="sudo /opt/wordtray/current/systemd/install.sh --update 9f86…",
    )

    version: str
    sha256: str
    size: int
    newer: bool
    command: str


class WaitingView(BaseModel):
    """The release that waits; null for none."""

    model_config = example(release=None)

    release: ReleaseView | None


class RestoredView(BaseModel):
    """What a backup brought back, and where what was there before is kept."""

    model_config = example(events=120, rounds=3, aside="/var/lib/wordtray/aside/1-restored")

    events: int
    rounds: int
    aside: str | None


@router.get("/service", responses=answers(401, 403))
async def service(request: Request, site: OfSite, _visitor: Owner) -> ServiceView:
    """The service."""
    safe = site.machine.safe
    return ServiceView(
        run=request.app.state.run,
        version=updates.installed(),
        folder=await asyncio.to_thread(updates.in_use),
        safe=safe,
        why=fault_view(site.state.fault) if safe else None,
        refused=dict(request.app.state.refused),
    )


@router.post("/service/restart", status_code=204, responses=answers(401, 403, 409, 422))
async def begin_anew(asked: RestartAsked, site: OfSite, _visitor: Owner) -> None:
    """Restart the service; a round that is on goes on afterwards, as after a crash."""
    if site.machine.restart is None:
        raise Problem(409, "it cannot restart itself", "Restart it where it was started.")
    site.machine.restart(asked.safe)


@router.get("/update", responses=answers(401, 403))
async def waiting(site: OfSite, _visitor: Owner) -> WaitingView:
    """The release that waits to be installed."""
    try:
        found = await asyncio.to_thread(updates.prepared, site.machine.place.data)
    except CommandError:
        found = None  # damaged since: another one takes its place
    return WaitingView(release=_release(found) if found else None)


@router.put("/update", responses=answers(401, 403, 409, 413, 415, 422), openapi_extra=_A_FILE)
async def prepare(request: Request, site: OfSite, _visitor: Owner) -> ReleaseView:
    """Look a release through, and lay it where the installer finds it."""
    target = updates.place(site.machine.place.data)
    with tempfile.TemporaryDirectory(dir=_made(site.machine.place.data)) as folder:
        file = Path(folder, "release")
        await _stream(request, file)
        try:
            found = await asyncio.to_thread(updates.looked_through, file)
        except CommandError as error:
            told = error.complaint
            raise Problem(422, told.message, told.advice, kind=told.kind) from error
        target.parent.mkdir(exist_ok=True)
        file.replace(target)
    return _release(found)


@router.delete("/update", status_code=204, responses=answers(401, 403))
async def put_away(site: OfSite, _visitor: Owner) -> None:
    """Delete the release that waits."""
    updates.place(site.machine.place.data).unlink(missing_ok=True)


@router.post("/restore", responses=answers(401, 403, 409, 413, 415, 422), openapi_extra=_A_FILE)
async def bring_back(request: Request, site: OfSite, _visitor: Owner) -> RestoredView:
    """Put what a backup holds in place of what is there, which is kept aside; in safe mode."""
    if not site.machine.safe:
        advice = "Restart the service in safe mode first."
        raise Problem(409, "the log is in use", advice, kind="not_safe")
    with tempfile.TemporaryDirectory(dir=_made(site.machine.place.data)) as folder:
        file = Path(folder, "backup.zip")
        await _stream(request, file)
        done = await asyncio.to_thread(_restored, site.machine.place, file)
    aside = None if done.aside is None else str(done.aside)
    return RestoredView(events=done.proof.events, rounds=done.proof.rounds, aside=aside)


def _restored(place: Place, file: Path) -> Restored:
    """Bring a backup back.

    Raises:
        Problem: it is none; its file is not named, as nobody gave it that name.
    """
    try:
        return restore(place, file)
    except BackupError as error:
        detail = str(error).replace(str(file), "the file")
        raise Problem(422, detail, error.advice, kind="backup") from error


def _made(data: Path) -> Path:
    data.mkdir(parents=True, exist_ok=True)
    return data


async def _stream(request: Request, file: Path) -> None:
    """Write a body as it comes: it may be larger than the memory."""
    most, seen = FILES[request.url.path], 0
    with file.open("wb") as opened:
        async for part in request.stream():
            seen += len(part)
            if seen > most:
                raise Problem(413, f"more than {most:,} bytes were sent", "Send a smaller one.")
            await asyncio.to_thread(opened.write, part)


def _release(found: updates.Release) -> ReleaseView:
    return ReleaseView(
        version=found.version,
        sha256=found.sha256,
        size=found.size,
        newer=found.is_newer,
        command=found.command,
    )
