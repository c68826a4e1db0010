"""A player's own list: words one by one, taken back, handed in."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from firmware_host import rounds
from firmware_host.owner import Meant
from firmware_host.rounds import MOST_LINES, Event, Phase, RoundState
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site
from firmware_host.web.views import WordView, YouView, example, line_of, word_view, you_view
from firmware_host.web.visitors import OfSite, Player
from scoring.wordlist import parse_word_list

router = APIRouter(prefix="/api", tags=["lists"])

LONGEST_WORD = 64
ID = r"^[A-Za-z0-9_-]{1,64}$"
Id = Annotated[str, Path(pattern=ID, examples=["k3-0001"])]


class WordGiven(BaseModel):
    """A word; one that is sent again has the same id, and is the same word."""

    model_config = example(id="k3-0001", text="quiet", written_at=1796050000.25)

    id: str = Field(pattern=ID, description="made by the phone, another for each word")
    text: str = Field(min_length=1, max_length=LONGEST_WORD)
    written_at: float | None = Field(
        default=None,
        allow_inf_nan=False,
        description="time of the table's clock (`at` of the state) at which it was written, where "
        "it was kept back on its way",
    )


class ListGiven(BaseModel):
    """The list is complete."""

    model_config = example(id="k3-list")

    id: str = Field(pattern=ID)


@router.post("/words", responses=answers(401, 403, 409, 422, 429))
async def write(given: WordGiven, site: OfSite, player: Player) -> WordView:
    """Write a word; the answer is the same however often it is sent."""
    _check_rate(site, player.name)
    text = _checked(given.text)
    event = rounds.WordWritten(
        player.name, text, site.clock.monotonic(), given.id, given.written_at
    )
    taken = await site.take(_unless_paused(event))
    line = line_of(taken.after.lines, player.name, given.id)
    if line is None:
        raise _not_taken(taken.after, player.name)
    return word_view(line, on_board=site.scene().mark(line.text))


@router.delete("/words/{id_}", status_code=204, responses=answers(401, 403, 404, 409, 422, 429))
async def erase(id_: Id, site: OfSite, player: Player) -> None:
    """Take a word back."""
    _check_rate(site, player.name)
    taken = await site.take(_unless_paused(rounds.WordErased(player.name, id_)))
    line = line_of(taken.after.lines, player.name, id_)
    if line is None:
        raise Problem(404, "no such word is on your list", "See your list in the state.")
    if not line.erased:
        raise _not_taken(taken.after, player.name)


@router.post("/list", responses=answers(401, 403, 409, 422))
async def hand_in(_given: ListGiven, site: OfSite, player: Player) -> YouView:
    """Hand the list in, as it stands; the answer is the same however often it is sent."""
    taken = await site.take(rounds.ListsClosed((player.name,), player.name))
    if player.name not in taken.after.lists:
        raise _not_taken(taken.after, player.name)
    return you_view(replace(site.scene(), state=taken.after), player.name)


def _unless_paused(event: Event) -> Meant:
    """Nobody writes in a pause; what reaches the owner before it is taken, and no later one."""
    return lambda state: None if state.phase is Phase.PAUSED else event


def _check_rate(site: Site, name: str) -> None:
    wait_s = site.words.wait_s(name)
    if wait_s:
        raise Problem(429, "words come too fast", "Send them slower.", retry_after_s=wait_s + 1)


def _checked(text: str) -> str:
    """A text that is one word, by its form."""
    entries = parse_word_list(text)
    problem = entries[0].problem if len(entries) == 1 else "no single word"
    if problem:
        raise Problem(422, f"{text!r} is no word: {problem}", "Write one word.", kind="word")
    return entries[0].text


def _not_taken(state: RoundState, name: str) -> Problem:
    """Why a list does not take anything now."""
    if state.phase is Phase.PAUSED:
        return Problem(409, "the sand stands still", "Send it when it runs again.", kind="paused")
    if name in state.lists:
        return Problem(409, "your list is handed in", "See the result.", kind="handed_in")
    if len(state.lines.get(name, ())) >= MOST_LINES:
        return Problem(409, f"your list holds {MOST_LINES} words", "Hand it in.", kind="full")
    if state.phase in {Phase.COLLECTING, Phase.SCORING, Phase.FINISHED}:
        return Problem(409, "the time is up", "Hand your list in.", kind="too_late")
    return Problem(409, f"the round is {state.phase}", "Wait for the sand.", kind="not_now")
