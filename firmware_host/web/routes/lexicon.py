"""The word list: which there are, and which one proves the words of the rounds to come."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel, Field

from firmware_host import lexicons, rounds
from firmware_host.rounds import RoundState
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site
from firmware_host.web.views import example
from firmware_host.web.visitors import OfSite, Referee
from scoring.lexicon import LexiconError

router = APIRouter(prefix="/api/lexicon", tags=["referee"])


class LexiconsView(BaseModel):
    """Word lists that are installed; that of this round, and that of the rounds to come."""

    model_config = example(names=["enable", "club"], current="enable", next="club")

    names: list[str]
    current: str
    next: str


class LexiconAsked(BaseModel):
    """A word list for the rounds to come; ``rescore`` has it prove those of the result, too."""

    model_config = example(name="club", rescore=False)

    name: str = Field(min_length=1, max_length=200)
    rescore: bool = False


@router.get("", responses=answers(401, 403))
async def word_lists(site: OfSite, _visitor: Referee) -> LexiconsView:
    """The word lists that are installed."""
    return _view(site, site.state, await asyncio.to_thread(lexicons.names))


@router.put("", responses=answers(401, 403, 404, 409, 422))
async def choose(asked: LexiconAsked, site: OfSite, visitor: Referee) -> LexiconsView:
    """Choose a word list, between two rounds."""
    shelf, names = site.table.shelf, await asyncio.to_thread(lexicons.names)
    name = "" if asked.name == shelf.first.name else asked.name
    if name and name not in names:
        raise _not_there(asked.name)
    try:
        await asyncio.to_thread(shelf, name)
    except LexiconError as error:
        raise Problem(409, str(error), error.advice, kind="lexicon") from error
    at = site.clock.monotonic()
    event = rounds.LexiconChosen(name, asked.rescore, visitor.role.value, at)
    taken = await site.take(event)
    if taken.before.phase not in rounds.BETWEEN:
        raise Problem(409, "a round is on", "Choose it before the next one.", kind="not_now")
    return _view(site, taken.after, names)


def _not_there(name: str) -> Problem:
    advice = "Add it: wordtray lexicon add NAME FILE"
    return Problem(404, f"there is no word list {name!r}", advice, kind="lexicon")


def _view(site: Site, state: RoundState, installed: tuple[str, ...]) -> LexiconsView:
    first = site.table.shelf.first.name
    return LexiconsView(
        names=list(dict.fromkeys((first, *installed))),
        current=state.lexicon or first,
        next=state.next_lexicon or first,
    )
