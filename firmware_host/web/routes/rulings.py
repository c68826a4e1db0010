"""The referee's decisions: words struck, allowed, challenged; and all of it taken back."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field, StringConstraints

from firmware_host import rounds
from firmware_host.documents import result_document
from firmware_host.rounds import Decision, Event, Ruling, WordRuled
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site, Taken
from firmware_host.web.views import example
from firmware_host.web.visitors import AtTable, OfSite, Referee
from scoring.paths import find_path

router = APIRouter(prefix="/api", tags=["referee"])

MOST_CHALLENGED = 50

Word = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[\w'-]+$")]


class Kind(StrEnum):
    """What is decided."""

    STRIKE = "strike"
    ALLOW = "allow"
    CHALLENGE = "challenge"
    UNDO = "undo"


RULINGS = {
    Kind.STRIKE: Ruling.STRUCK,
    Kind.ALLOW: Ruling.ALLOWED,
    Kind.CHALLENGE: Ruling.CHALLENGED,
}


class DecisionAsked(BaseModel):
    """A decision about a word; ``undo`` takes the last one back, and names no word."""

    model_config = example(kind="strike", word="quiet")

    kind: Kind
    word: Word | None = None


class DecisionView(BaseModel):
    """A decision that holds."""

    model_config = example(kind="struck", word="quiet", by="referee", at=1796050000.25)

    kind: str
    word: str
    by: str
    at: float


class Mode(StrEnum):
    """How a challenge is answered."""

    SET = "set"
    """Whether all words are good, and not which."""
    EACH = "each"


class ChallengeAsked(BaseModel):
    """Words that are doubted."""

    model_config = example(words=["quiet", "qi"], mode="each")

    words: list[Word] = Field(min_length=1, max_length=MOST_CHALLENGED)
    mode: Mode = Mode.SET


class Verdict(BaseModel):
    """Of one word; ``on_board`` is null before all may see the board."""

    word: str
    good: bool
    in_lexicon: bool
    on_board: bool | None


class ChallengeView(BaseModel):
    """The verdict; ``words`` is null for a set."""

    model_config = example(good=False, words=None)

    good: bool
    words: list[Verdict] | None


@router.get("/decisions", responses=answers(401, 403))
async def decisions(site: OfSite, _visitor: Referee) -> list[DecisionView]:
    """The decisions of this round, the last one first."""
    return [_view(one) for one in reversed(site.state.rulings)]


@router.post("/decisions", responses=answers(401, 403, 409, 422))
async def decide(asked: DecisionAsked, site: OfSite, visitor: Referee) -> list[DecisionView]:
    """Decide about a word, on every list, or take the last decision back; the result follows."""
    taken = await site.take(_event(asked, visitor.role.value, site.clock.monotonic()))
    _check_changed(taken, asked)
    return [_view(one) for one in reversed(taken.after.rulings)]


@router.post("/challenges", responses=answers(401, 403, 422))
async def challenge(asked: ChallengeAsked, site: OfSite, _visitor: Referee) -> ChallengeView:
    """Whether words are good; it changes nothing."""
    verdicts = [_verdict(site, word) for word in asked.words]
    good = all(one.good for one in verdicts)
    return ChallengeView(good=good, words=verdicts if asked.mode is Mode.EACH else None)


@router.get("/result", responses=answers(401, 403, 404))
async def result(site: OfSite, _visitor: AtTable) -> dict[str, Any]:
    """The whole result of the round, as `wordtray score --json` has it."""
    found = site.state.result
    if found is None:
        raise Problem(404, "there is no result yet", "Wait for the end of the round.")
    return result_document(found, site.table.lexicon)


def _event(asked: DecisionAsked, by: str, at: float) -> Event:
    if asked.kind is Kind.UNDO:
        return rounds.DecisionUndone(by, at)
    if asked.word is None:
        raise Problem(422, f"{asked.kind} what?", "Give a word.")
    return WordRuled(asked.word.lower(), RULINGS[asked.kind], by, at)


def _check_changed(taken: Taken, asked: DecisionAsked) -> None:
    if taken.changed:
        return
    if asked.kind is Kind.UNDO and not taken.before.rulings:
        raise Problem(409, "there is nothing to take back", "See the decisions of this round.")
    phase = taken.before.phase
    raise Problem(409, f"it cannot be where the round is {phase}", "Wait for the lists.")


def _view(one: Decision) -> DecisionView:
    if isinstance(one, WordRuled):
        return DecisionView(kind=one.ruling.value, word=one.word, by=one.by, at=one.at)
    kind = "crossed out" if one.struck else "read"
    return DecisionView(kind=kind, word=one.text, by=one.by, at=one.at)


def _verdict(site: Site, word: str) -> Verdict:
    lexicon, state = site.table.lexicon, site.state
    folded = lexicon.folding(word.lower())
    board = state.shown_board
    on_board = None if board is None else find_path(board, folded) is not None
    known = folded in lexicon
    long_enough = len(folded) >= state.plan.game.shortest
    good = known and on_board is not False and long_enough
    return Verdict(word=word, good=good, in_lexicon=known, on_board=on_board)
