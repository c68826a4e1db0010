"""Lists on paper: photographed by a phone, read, and what is doubtful on them looked through."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, File, Form, Path, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field

from firmware_host import rounds
from firmware_host.owner import Meant
from firmware_host.rounds import ListScanned, Phase, RoundState, Scans
from firmware_host.web.guards import LARGEST_PICTURE
from firmware_host.web.names import checked_name
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Role, Session
from firmware_host.web.site import Site
from firmware_host.web.uploads import Read, plain
from firmware_host.web.views import example
from firmware_host.web.visitors import OfSite, Referee, Writer
from scoring.players import LONGEST_NAME, alike

router = APIRouter(prefix="/api", tags=["paper"])

Picture = Annotated[UploadFile, File(description="JPEG, PNG or WebP, at most 25 MB")]
PlayerNamed = Annotated[
    str, Form(max_length=LONGEST_NAME, description="whose it is, where the referee sends it")
]
Id = Annotated[str, Path(pattern=r"^\d{1,4}-\d{1,4}$", examples=["0-3"])]

_OPEN = frozenset({Phase.COLLECTING, Phase.FINISHED})
"""Phases in which lists on paper are taken."""


_LATER = "Send it when the sand is through."


class Alternative(BaseModel):
    """What a word may be."""

    text: str
    probability: float


class Said(BaseModel):
    """What a person said of a word."""

    text: str
    struck: bool
    by: str
    at: float


class PaperWord(BaseModel):
    """A word that was read on paper, small letters."""

    model_config = example(
        id="0-3",
        player="ada",
        text="quiet",
        confidence=0.71,
        alternatives=[{"text": "quiet", "probability": 0.71}],
        struck=False,
        doubtful=True,
        said=None,
        crop_url="/api/review/0-3.png",
    )

    id: str
    player: str
    text: str
    confidence: float
    alternatives: list[Alternative]
    struck: bool
    doubtful: bool
    said: Said | None
    crop_url: str


class WordSaid(BaseModel):
    """What a word is."""

    model_config = example(text="quiet", struck=False)

    text: str = Field(default="", max_length=64, pattern=r"^[\w'-]*$")
    struck: bool = False


@router.post("/paper", status_code=201, responses=answers(401, 403, 409, 413, 415, 422, 429))
async def photograph(
    picture: Picture, site: OfSite, visitor: Writer, player: PlayerNamed = ""
) -> list[PaperWord]:
    """Have a photographed list read: its words come behind those that were typed.

    What is doubtful scores nothing until the referee says what it is. The same picture sent again
    changes nothing.
    """
    number, state = site.round_number(), site.state
    if state.board is None or state.phase not in _OPEN:
        raise Problem(409, "no lists are collected now", _LATER, kind="no_lists")
    data = await picture.read(LARGEST_PICTURE + 1)
    if len(data) > LARGEST_PICTURE:
        raise Problem(413, f"it has more than {LARGEST_PICTURE:,} bytes", "Send a smaller one.")
    read = await site.uploads.read(data, site.lexicon, state.board, state.plan.game)
    events, after = _events(site, read, visitor, player), state
    for event in events:
        after = (await site.take(_in_round(site, number, event))).after
        if not _is_there(after, event):
            raise Problem(409, "the round is over", "It came too late for it.", kind="too_late")
    return [one for one in _words(after) if one.id in _ids(after, events)]


def _events(site: Site, read: Read, visitor: Session, named: str) -> list[ListScanned]:
    at = site.clock.monotonic()
    return [
        ListScanned(_name_of(site, visitor, told), read.photo, plain(one.reading.words), at)
        for one in read.lists
        for told in [named or one.reading.player or ""]
    ]


def _name_of(site: Site, visitor: Session, told: str) -> str:
    """Whose a list is: a player's their own; the referee may bring that of somebody on paper."""
    if visitor.role is Role.PLAYER:
        return visitor.name
    if not told:
        detail = "whose list it is, it does not tell"
        raise Problem(422, detail, "Send it with the name of its player.", kind="player")
    known = {alike(name): name for name in site.state.players}
    return known.get(alike(told)) or checked_name(told)


def _in_round(site: Site, number: int, event: ListScanned) -> Meant:
    """An event of a round, and of none that began while its picture was read; never twice."""

    def meant(state: RoundState) -> ListScanned | None:
        fits = site.round_number() == number and not _is_there(state, event)
        return event if fits else None

    return meant


def _is_there(state: RoundState, event: ListScanned) -> bool:
    return any(
        (one.player, one.photo, one.words) == (event.player, event.photo, event.words)
        for one in state.scans
    )


def _ids(state: RoundState, sent: list[ListScanned]) -> set[str]:
    """Of the words that were sent: somebody else may have sent the same picture as theirs."""
    lists = {(one.player, one.photo.name) for one in sent}
    return {
        f"{scan}-{place}"
        for scan, one in enumerate(state.scans)
        if (one.player, one.photo.name) in lists
        for place in range(len(one.words))
    }


@router.get("/review", responses=answers(401, 403))
async def review(site: OfSite, _visitor: Referee) -> list[PaperWord]:
    """Every word of the photographed lists of this round; those that are open come first."""
    state = site.state
    open_ = {f"{scan}-{place}" for scan, place in state.scanned.open}
    return sorted(_words(state), key=lambda word: (word.id not in open_, word.confidence))


@router.get(
    "/review/{id_}.png",
    response_class=Response,
    responses=answers(401, 403, 404, 422)
    | {200: {"content": {"image/png": {}}, "description": "the word"}},
)
async def crop(id_: Id, site: OfSite, _visitor: Referee) -> Response:
    """The picture of a word."""
    from firmware_host.crops import word_crop

    scan, place = _place(site.state.scanned, id_)
    taken = site.state.scans[scan]
    data = await asyncio.to_thread(word_crop, taken.photo, taken.words[place].quad_px)
    return Response(data, media_type="image/png")


@router.post("/review/{id_}", responses=answers(401, 403, 404, 409, 422))
async def say(id_: Id, said: WordSaid, site: OfSite, visitor: Referee) -> PaperWord:
    """Say what a word is, or that it is crossed out; the result follows."""
    if not said.text and not said.struck:
        raise Problem(422, "a word that counts has letters", "Give a text, or struck.")
    scan, place = _place(site.state.scanned, id_)
    at, text = site.clock.monotonic(), said.text.lower()
    event = rounds.ScanSettled(scan, place, text, said.struck, visitor.role.value, at)
    taken = await site.take(event)
    if not taken.changed:
        raise Problem(409, f"it cannot be where the round is {taken.before.phase}", "Wait.")
    return next(word for word in _words(taken.after) if word.id == id_)


def _place(scans: Scans, id_: str) -> tuple[int, int]:
    scan, place = map(int, id_.split("-"))
    if not scans.has(scan, place):
        raise Problem(404, f"there is no word {id_}", "See /api/review for those there are.")
    return scan, place


def _words(state: RoundState) -> list[PaperWord]:
    scans = state.scanned
    return [
        _word(scans, scan, place)
        for scan, one in enumerate(scans.taken)
        for place in range(len(one.words))
    ]


def _said(one: rounds.ScanSettled) -> Said:
    return Said(text=one.text, struck=one.struck, by=one.by, at=one.at)


def _word(scans: Scans, scan: int, place: int) -> PaperWord:
    one = scans.taken[scan]
    word, settled = one.words[place], scans.settled.get((scan, place))
    said = None if settled is None else _said(settled)
    return PaperWord(
        id=f"{scan}-{place}",
        player=one.player,
        text=word.text.lower(),
        confidence=word.confidence,
        alternatives=[
            Alternative(text=text.lower(), probability=share) for text, share in word.alternatives
        ],
        struck=word.struck,
        doubtful=word.doubtful,
        said=said,
        crop_url=f"/api/review/{scan}-{place}.png",
    )
