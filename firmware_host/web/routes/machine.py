"""What the referee and the owner look after: the log, the devices, the settings, backups."""

from __future__ import annotations

import asyncio
import json
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field, ValidationError
from starlette.background import BackgroundTask

from firmware_host import settings_file
from firmware_host.doctor import examine
from firmware_host.errors import complaint_of
from firmware_host.files import read_given, write_whole
from firmware_host.rounds import ENDED, RoundState
from firmware_host.settings import Settings
from firmware_host.store.backup import back_up
from firmware_host.store.chain import Entry
from firmware_host.store.errors import StorageError
from firmware_host.store.log import Log, open_log
from firmware_host.store.place import Place
from firmware_host.web.decided import DecidedView, taken_back
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Role
from firmware_host.web.texts import wrong_with
from firmware_host.web.views import FaultView, example, fault_view
from firmware_host.web.visitors import OfSite, Owner, Referee

router = APIRouter(prefix="/api", tags=["machine"])

MOST_ENTRIES = 200
"""Entries of the log in one answer."""

_TELLING = frozenset(
    {
        *("tray_read", "cell_confirmed", "cell_corrected", "word_written", "word_erased"),
        *("list_handed_in", "list_scanned", "scan_settled", "scored"),
    }
)
"""Kinds of events that tell letters or words: of a round in play nobody sees what they hold."""

_LETTERS = frozenset({"tray_read", "cell_confirmed", "cell_corrected"})
"""Kinds that tell letters: of a board that nobody was shown they may be played yet, as tiles."""


_TAKING_BACK = frozenset({"decision_undone", "lists_reopened"})
"""Kinds that take a decision back."""

_DECIDED_BY = {
    "cell": "cell_confirmed",
    "corrected": "cell_corrected",
    "read": "scan_settled",
    "crossed_out": "scan_settled",
}
"""Kinds of events by those of decisions, of which letters or words may be hidden."""


class LogEntry(BaseModel):
    """An event; ``data`` is null where it would tell something of the round in play.

    ``fault`` is what was wrong, of an event that tells it; ``undone`` the decision that it took
    back.
    """

    model_config = example(
        seq=17, round=2, kind="player_left", at=1796050000.25, who="referee", data={"player": "ada"}
    )

    seq: int
    round: int
    kind: str
    at: float
    who: str
    data: dict[str, Any] | None
    fault: FaultView | None = None
    undone: DecidedView | None = None


class DeviceView(BaseModel):
    """A device of the tray."""

    name: str
    simulated: bool


class MachineView(BaseModel):
    """The devices, and what is wrong with one of them."""

    model_config = example(
        devices=[{"name": "shaker", "simulated": True}],
        doing="",
        fault={"message": "shaker: it is stuck", "advice": "Look under the tray."},
    )

    devices: list[DeviceView]
    doing: str
    fault: FaultView | None


class SettingsView(BaseModel):
    """The file of settings as it is, all keys where there is none, and their bounds."""

    model_config = example(file="/etc/wordtray/wordtray.toml", text="[web]\nport = 8080")

    file: str | None
    text: str
    keys: dict[str, Any] = Field(default_factory=dict)


class SettingsGiven(BaseModel):
    """Settings as TOML."""

    model_config = example(text="[web]\nport = 8081")

    text: str = Field(max_length=settings_file.LARGEST_FILE)


class ProblemsView(BaseModel):
    """What is wrong with settings; nothing where they are sound."""

    model_config = example(problems=["[web] port: should be at most 65535, not 70000"])

    problems: list[str]


class FindingView(BaseModel):
    """One thing that was examined, as of `wordtray doctor --json`."""

    model_config = example(subject="log", grade="ok", ok=True, text="17 events", advice="")

    subject: str
    grade: str
    ok: bool | None
    text: str
    advice: str


class LinkView(BaseModel):
    """An address that makes another machine a display of the table."""

    model_config = example(url="http://192.168.1.20:8080/?display=ey…", ends_at=1796050000.25)

    url: str
    ends_at: float


@router.get("/log", responses=answers(401, 403, 422))
async def log(
    site: OfSite,
    _visitor: Referee,
    since: Annotated[int, Query(ge=0, le=2**62, description="number of the last one known")] = 0,
) -> list[LogEntry]:
    """Events after one, the oldest first, 200 at most."""
    found, undone = await asyncio.to_thread(_entries, site.machine.place, since)
    number, state, dealt = site.round_number(), site.state, await asyncio.to_thread(site.dealt)

    def may_tell(round_: int, kind: str) -> bool:
        hidden = round_ == number and _is_hidden(kind, state)
        return not hidden and not (round_ in dealt and kind in _LETTERS)

    return [_entry(one, undone.get(one.seq), may_tell) for one in found]


def _entries(place: Place, since: int) -> tuple[list[Entry], dict[int, DecidedView]]:
    """Entries, and by their number what those took back that took something back."""
    with open_log(place) as opened:
        found = opened.since(since, MOST_ENTRIES)
        back = sorted({one.round for one in found if one.kind in _TAKING_BACK})
        return found, {seq: one for number in back for seq, one in _undone(opened, number)}


def _undone(log: Log, number: int) -> list[tuple[int, DecidedView]]:
    """What was taken back in a round; nothing of one that is damaged, which `doctor` tells."""
    try:
        kept, seqs = log.round(number), [entry.seq for entry in log.entries(number)[1:]]
    except StorageError:
        return []
    told = taken_back(kept.setup.start, [event for _, event in kept.events])
    return [(seq, one) for seq, one in zip(seqs, told, strict=False) if one is not None]


def _entry(
    one: Entry, undone: DecidedView | None, may_tell: Callable[[int, str], bool]
) -> LogEntry:
    data = json.loads(one.data)
    if undone and not may_tell(one.round, _DECIDED_BY.get(undone.kind, "")):
        undone = None
    return LogEntry(
        seq=one.seq,
        round=one.round,
        kind=one.kind,
        at=one.moment.at,
        who=str(data.get("by") or data.get("player") or ""),
        data=data if may_tell(one.round, one.kind) else None,
        fault=fault_view((data["message"], data["advice"])) if "advice" in data else None,
        undone=undone,
    )


def _is_hidden(kind: str, state: RoundState) -> bool:
    """Whether an event of the round as it stands may tell nobody what it holds."""
    in_play = state.phase not in ENDED
    return (in_play and kind in _TELLING) or (state.shown_board is None and kind in _LETTERS)


@router.get("/devices", responses=answers(401, 403))
async def devices(site: OfSite, _visitor: Referee) -> MachineView:
    """The devices of the tray, what it is at, and its fault."""
    standing = site.owner.standing
    fault = standing.state.fault
    return MachineView(
        devices=[
            DeviceView(name=name, simulated=made_up) for name, made_up in site.machine.devices
        ],
        doing=standing.doing,
        fault=fault_view(fault),
    )


@router.get("/doctor", responses=answers(401, 403))
async def doctor(site: OfSite, _visitor: Owner) -> list[FindingView]:
    """Examine the machine, as `wordtray doctor` does, but for the parts: the round has those."""
    found = await asyncio.to_thread(lambda: list(examine(place=site.machine.place)))
    return [FindingView.model_validate(one.as_json()) for one in found]


@router.get("/settings", responses=answers(401, 403, 422))
async def settings(site: OfSite, _visitor: Owner) -> SettingsView:
    """The settings that are in the file now."""
    file = site.machine.settings_file
    text = await asyncio.to_thread(_text_of, file)
    keys = Settings.model_json_schema()
    return SettingsView(file=None if file is None else str(file), text=text, keys=keys)


def _text_of(file: Path | None) -> str:
    """A file of settings as it is, with what somebody noted in it, sound or not; else all keys."""
    if file is None or not file.exists():
        return settings_file.written(Settings())
    data = read_given(file, settings_file.LARGEST_FILE, "settings", "file of settings")
    return data.decode(errors="replace")


@router.post("/settings/check", responses=answers(401, 403, 422))
async def check_settings(given: SettingsGiven, _visitor: Owner) -> ProblemsView:
    """See whether settings are sound; nothing is changed."""
    return ProblemsView(problems=await asyncio.to_thread(problems_of, given.text))


@router.put("/settings", responses=answers(401, 403, 409, 422))
async def put_settings(given: SettingsGiven, site: OfSite, _visitor: Owner) -> ProblemsView:
    """Write the file of settings; they hold from the next start. The old ones stay beside it."""
    file = site.machine.settings_file
    if file is None:
        raise Problem(409, "a simulated tray has no settings", "Start it without --simulate.")
    problems = await asyncio.to_thread(problems_of, given.text)
    if problems:
        raise Problem(422, problems[0], settings_file.ADVICE, kind="settings")
    await asyncio.to_thread(_write, file, given.text)
    return ProblemsView(problems=[])


def problems_of(text: str) -> list[str]:
    """What is wrong with settings, each with section, key and limit."""
    try:
        settings = Settings.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return [f"it is no TOML: {error}"]
    except ValidationError as error:
        found = error.errors(include_url=False)
        return [settings_file.problem_in(one, Settings) for one in found]
    return [problem] if (problem := wrong_with(settings.web.texts)) else []


def _write(file: Path, text: str) -> None:
    try:
        if file.exists():
            write_whole(file.with_name(f"{file.name}.before"), (file.read_bytes(),))
        write_whole(file, (text.encode(),))
    except OSError as error:
        complaint = complaint_of(error)
        detail = complaint.message if complaint else str(error)
        raise Problem(409, detail, "See who may write there.", kind="storage") from error


@router.get(
    "/backup",
    response_class=FileResponse,
    responses=answers(401, 403)
    | {200: {"content": {"application/zip": {}}, "description": "the backup"}},
)
async def backup(site: OfSite, _visitor: Owner) -> FileResponse:
    """All that is kept, in one file, as `wordtray backup` writes it."""
    folder = tempfile.TemporaryDirectory(prefix="wordtray-")
    file = Path(folder.name, "wordtray-backup.zip")
    try:
        await asyncio.to_thread(_back_up, site.machine.place, file)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        file,
        media_type="application/zip",
        filename=file.name,
        background=BackgroundTask(folder.cleanup),
    )


def _back_up(place: Place, file: Path) -> None:
    with open_log(place) as opened:
        back_up(opened, file)


@router.post("/display-link", responses=answers(401, 403))
async def display_link(site: OfSite, _visitor: Referee) -> LinkView:
    """An address that makes a tablet or a television another display of the table."""
    session = site.sessions.new(Role.DISPLAY)
    lasting = site.sessions.written(session)
    address = site.table.join_url().removesuffix("join")
    return LinkView(url=f"{address}?display={lasting}", ends_at=session.ends_at)
