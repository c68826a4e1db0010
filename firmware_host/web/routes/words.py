"""What the words of a result mean, and how common they are: once the round is over, not before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from firmware_host.dictionary import Dictionary, Part
from firmware_host.dictionary.scowl import FAMILIAR
from firmware_host.rounds import Phase, RoundState
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site
from firmware_host.web.views import example
from firmware_host.web.visitors import AtTable, OfSite
from scoring.referee import RoundResult
from scoring.solution import FoundWord
from scoring.trie import LONGEST_WORD

router = APIRouter(prefix="/api", tags=["words"])

MOST_LIKELY = 10
"""Missed words that somebody could have found."""


class MissedView(BaseModel):
    """A word that nobody wrote; row and column of each cube from 0."""

    word: str
    points: int
    path: list[tuple[int, int]]


class CommonnessView(BaseModel):
    """How common the words of a result are: 5 is everyday, 1 rare; of some it is not known."""

    model_config = example(
        meanings=True,
        levels={"quiet": 5, "toea": 2},
        likely=[{"word": "quiet", "points": 2, "path": [[0, 0], [0, 1], [1, 1], [1, 0]]}],
    )

    meanings: bool = Field(description="whether `/api/dictionary` has any")
    levels: dict[str, int]
    likely: list[MissedView] | None = Field(
        description="the best missed words that are familiar; null where nothing tells which are"
    )


class MeaningView(BaseModel):
    """What a word means as one part of speech."""

    part: Part
    base: str = Field(description="the form under which the dictionary has it")
    gloss: str


class WordMeaningsView(BaseModel):
    """What a word means, in English."""

    model_config = example(
        word="teas",
        meanings=[{"part": "noun", "base": "tea", "gloss": "a beverage made by steeping tea"}],
    )

    word: str
    meanings: list[MeaningView]


@router.get("/result/words", responses=answers(401, 403, 409))
async def commonness(site: OfSite, _visitor: AtTable) -> CommonnessView:
    """How common the words of the result are, and which of the missed could have been found."""
    result = _result_of(site.state)
    return await asyncio.to_thread(_commonness, site, result)


@router.get("/dictionary/{word}", responses=answers(401, 403, 404, 409, 422))
async def dictionary(
    site: OfSite,
    _visitor: AtTable,
    word: Annotated[str, Path(min_length=1, max_length=LONGEST_WORD, examples=["teas"])],
) -> WordMeaningsView:
    """What a word of the result means."""
    result = _result_of(site.state)
    found = await asyncio.to_thread(_meanings, site, result, word)
    return WordMeaningsView(word=word, meanings=found)


def _commonness(site: Site, result: RoundResult) -> CommonnessView:
    found: CommonnessView = site.told.words.of(
        result, lambda: commonness_view(result, site.dictionary)
    )
    return found


def _meanings(site: Site, result: RoundResult, word: str) -> list[MeaningView]:
    if word not in words_of(result):
        raise Problem(404, "the result has no such word", "Ask for a word of the result.")
    return [
        MeaningView(part=one.part, base=one.base, gloss=one.gloss)
        for one in site.dictionary.meanings(word)
    ]


def _result_of(state: RoundState) -> RoundResult:
    if state.phase is not Phase.FINISHED or state.result is None:
        raise Problem(409, "no round is over", "Words are told when one is.", kind="not_now")
    return state.result


def words_of(result: RoundResult) -> set[str]:
    """All words of the lists, and all that the board has."""
    written = {judged.word for player in result.players for judged in player.words}
    return written | {found.word for found in result.possible.words}


def commonness_view(result: RoundResult, dictionary: Dictionary) -> CommonnessView:
    """How common the words of a result are, as far as the machine knows."""
    levels = dict(dictionary.levels(words_of(result)))
    written = {judged.word for player in result.players for judged in player.words}
    missed = (found for found in result.possible.words if found.word not in written)
    likely = [found for found in missed if levels.get(found.word, 0) >= FAMILIAR]
    likely.sort(key=lambda found: (-found.points, -levels[found.word]))
    named = written | {found.word for found in (*result.best_missed, *likely[:MOST_LIKELY])}
    return CommonnessView(
        meanings=dictionary.has_meanings,
        levels={word: level for word, level in levels.items() if word in named},
        likely=_views(likely[:MOST_LIKELY]) if dictionary.has_levels else None,
    )


def _views(words: Iterable[FoundWord]) -> list[MissedView]:
    return [MissedView(word=one.word, points=one.points, path=list(one.path)) for one in words]
