"""The referee's decisions: words struck, allowed, challenged; and all of it taken back."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field, StringConstraints

from firmware_host import rounds
from firmware_host.documents import result_document
from firmware_host.owner import Meant
from firmware_host.rounds import Decision, RoundState, Ruling, WordRuled
from firmware_host.web.decided import DecidedView, decided_view
from firmware_host.web.problems import Problem, answers
from firmware_host.web.site import Site, Taken
from firmware_host.web.views import ChallengeClockView, challenge_view, example
from firmware_host.web.visitors import AtTable, OfSite, Referee
from scoring.board import Board
from scoring.lexicon import Lexicon
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
    number: int | None = Field(
        default=None,
        ge=0,
        le=2**31,
        description="of the decision that `undo` means, from 0 in its round: where another is the "
        "last one by now, nothing is taken back",
    )


class DecisionView(DecidedView):
    """A decision that holds.

    ``word`` is what it is about; ``at`` is null where that is not known; ``undoable`` says whether
    it can be taken back now: only the last one may, and not once it has had its effect.
    """

    model_config = example(
        kind="struck", word="quiet", player="", by="referee", at=1796050000.25, undoable=True
    )

    by: str
    at: float | None
    undoable: bool


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
    """Of one word; ``on_board`` is null before the referee may see the board."""

    word: str
    good: bool
    in_lexicon: bool
    on_board: bool | None


class ChallengeView(BaseModel):
    """The verdict; ``words`` is null for a set. ``logged`` says whether a round is on to log it."""

    model_config = example(good=False, words=None, logged=True)

    good: bool
    words: list[Verdict] | None
    logged: bool


class ClockAsked(BaseModel):
    """Begin the clock of a challenge; without seconds, those of the house."""

    model_config = example(seconds=60)

    seconds: float | None = Field(default=None, ge=5, le=600, allow_inf_nan=False)


@router.get("/decisions", responses=answers(401, 403))
async def decisions(site: OfSite, _visitor: Referee) -> list[DecisionView]:
    """The decisions of this round, the last one first."""
    return _views(site.state, site.clock.monotonic())


@router.post("/decisions", responses=answers(401, 403, 409, 422))
async def decide(asked: DecisionAsked, site: OfSite, visitor: Referee) -> list[DecisionView]:
    """Decide about a word, on every list, or take the last decision back; the result follows."""
    by, at = visitor.role.value, site.clock.monotonic()
    taken = await site.take(_meant(asked, by, at))
    if not taken.changed:
        raise _unchanged(taken, asked)
    return _views(taken.after, at)


@router.put("/challenges/clock", responses=answers(401, 403, 409, 422))
async def begin_clock(asked: ClockAsked, site: OfSite, visitor: Referee) -> ChallengeClockView:
    """Begin the clock of a challenge, which all pages show. Its end decides nothing."""
    seconds = site.table.challenge_s if asked.seconds is None else asked.seconds
    at = site.clock.monotonic()
    begun = rounds.ChallengeBegun(seconds, visitor.role.value, at)
    taken = await site.take(lambda state: begun if state.challenge is None else None)
    if taken.before.challenge is not None:
        detail = "the clock of a challenge runs"
        raise Problem(409, detail, "Withdraw that challenge first.", kind="clock_runs")
    view = challenge_view(taken.after, at)
    if view is None:
        raise _no_round()
    return view


@router.delete("/challenges/clock", status_code=204, responses=answers(401, 403, 409))
async def drop(site: OfSite, visitor: Referee) -> None:
    """Withdraw a challenge before there is a verdict."""
    event = rounds.ChallengeDropped(visitor.role.value, site.clock.monotonic())
    if not (await site.take(event)).changed:
        raise Problem(409, "there is no challenge", "Begin one.")


@router.post("/challenges", responses=answers(401, 403, 422))
async def challenge(asked: ChallengeAsked, site: OfSite, visitor: Referee) -> ChallengeView:
    """Whether words are good; it is kept in the log, and changes no list."""
    verdicts = [_verdict(site, word) for word in asked.words]
    good, each = all(one.good for one in verdicts), asked.mode is Mode.EACH
    event = rounds.ChallengeJudged(
        tuple(word.lower() for word in asked.words),
        each,
        good,
        tuple(one.word.lower() for one in verdicts if each and not one.good),
        visitor.role.value,
        site.clock.monotonic(),
    )
    logged = (await site.take(event)).changed
    return ChallengeView(good=good, words=verdicts if each else None, logged=logged)


@router.get("/result", responses=answers(401, 403, 404))
async def result(site: OfSite, _visitor: AtTable) -> dict[str, Any]:
    """The whole result of the round, as `wordtray score --json` has it."""
    found = site.state.result
    if found is None:
        raise Problem(404, "there is no result yet", "Wait for the end of the round.")
    return result_document(found, site.lexicon)


def _meant(asked: DecisionAsked, by: str, at: float) -> Meant:
    if asked.kind is Kind.UNDO:
        return lambda state: (
            rounds.taking_back(state, by, at) if _is_last(asked.number, state) else None
        )
    if asked.word is None:
        raise Problem(422, f"{asked.kind} what?", "Give a word.")
    ruled = WordRuled(asked.word.lower(), RULINGS[asked.kind], by, at)
    return lambda _: ruled


def _is_last(number: int | None, state: RoundState) -> bool:
    return number is None or number == len(state.rulings) - 1


def _unchanged(taken: Taken, asked: DecisionAsked) -> Problem:
    phase, undo = taken.before.phase, asked.kind is Kind.UNDO
    if undo and not taken.before.rulings:
        advice = "See the decisions of this round."
        return Problem(409, "there is nothing to take back", advice, kind="nothing_to_undo")
    if undo and not _is_last(asked.number, taken.before):
        detail = "another decision is the last one by now"
        return Problem(409, detail, "See the decisions of this round.", kind="decided_since")
    if undo:
        detail = f"the last decision has had its effect where the round is {phase}"
        return Problem(409, detail, "It stays in the log.", kind="cannot_undo")
    return Problem(409, f"it cannot be where the round is {phase}", "Wait for the lists.")


def _no_round() -> Problem:
    return Problem(409, "no round is on", "Begin one.")


def _views(state: RoundState, at: float) -> list[DecisionView]:
    last = len(state.rulings) - 1
    undoable = rounds.taking_back(state, "", at) is not None
    told = [
        _view(one, state, undoable=undoable and place == last)
        for place, one in enumerate(state.rulings)
    ]
    return told[::-1]


def _view(one: Decision, state: RoundState, *, undoable: bool) -> DecisionView:
    about = decided_view(one, state).model_dump()
    return DecisionView(**about, by=one.by, at=getattr(one, "at", None), undoable=undoable)


def _verdict(site: Site, word: str) -> Verdict:
    return verdict_of(
        word, site.lexicon, site.state.arbitrated_board, site.state.plan.game.shortest
    )


def verdict_of(word: str, lexicon: Lexicon, board: Board | None, shortest: int) -> Verdict:
    """Whether a word that is doubted holds.

    Args:
        word: as somebody says it.
        lexicon: the word list.
        board: that was played on; None before the referee may see it.
        shortest: letters of a word at least.
    """
    folded = lexicon.folding(word.lower())
    on_board = None if board is None else find_path(board, folded) is not None
    known = folded in lexicon
    long_enough = len(folded) >= shortest
    good = known and on_board is not False and long_enough
    return Verdict(word=word, good=good, in_lexicon=known, on_board=on_board)
