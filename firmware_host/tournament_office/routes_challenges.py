"""Words that are called into question: clocks that all referees see, verdicts, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from firmware_host.tournament_challenges import (
    SECONDS,
    Challenge,
    ChallengeFile,
    begun,
    ended,
    new_id,
)
from firmware_host.tournament_desk import nominated_words, reason, round_of
from firmware_host.tournament_office.correcting import Correction, check_place, corrected
from firmware_host.tournament_office.entered import Text
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.routes_corrections import Name
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.web.problems import answers
from firmware_host.web.routes.rulings import MOST_CHALLENGED, Mode, Verdict, Word, verdict_of
from firmware_host.web.views import example
from scoring.board import Board
from scoring.match import Event, RuleError
from scoring.rules import fitted
from scoring.tournament.log import Log
from scoring.tournament.state import ROOM

router = APIRouter(prefix="/api", tags=["challenges"])

Words = Annotated[list[Word], Field(max_length=MOST_CHALLENGED)]


def state(office: Office) -> Document:
    """The clocks that run, or have run out: all referees see the same."""
    return {"running": [each.document for each in ChallengeFile(office.name).running()]}


class OnBoard(BaseModel):
    """Somebody's words on a board of a round."""

    round: int = Field(ge=1)
    board: int = Field(ge=1)
    of: Name


class ChallengeAsked(OnBoard):
    """Begin the clock of a challenge; the words may be said later."""

    model_config = example(round=2, board=1, of="Anna", by="Bo", words=["tye"], seconds=60)

    by: Annotated[str, Field(max_length=40)] = ""
    words: Words = []
    seconds: float = Field(default=SECONDS, ge=5, le=600, allow_inf_nan=False)


class JudgementAsked(OnBoard):
    """Words that are doubted: one verdict for all of them, or one for each."""

    model_config = example(round=2, board=1, of="Anna", words=["tye", "qi"], mode="set")

    words: Words = Field(min_length=1)
    mode: Mode = Mode.SET


class JudgementView(BaseModel):
    """The verdict; ``words`` is null for a set: which of it is bad is not told."""

    model_config = example(good=False, words=None)

    good: bool
    words: list[Verdict] | None


class RulingAsked(OnBoard):
    """Enter a challenge: the word list decides. Without ``by`` the referee rejects the words."""

    model_config = example(round=2, board=1, of="Anna", by="Bo", words=["tye"], why="heard late")

    words: Words = Field(min_length=1)
    by: Name | None = None
    challenge: str | None = Field(default=None, max_length=40, description="id of its clock")
    why: Text | None = Field(default=None, description="where the table is scored already")
    preview: bool = False


@router.post(
    "/challenges", response_model=None, status_code=201, responses=answers(401, 403, 409, 422)
)
def begin(asked: ChallengeAsked, office: OfOffice, referee: Referee) -> Document:
    """Begin the clock of a challenge. Its end decides nothing."""
    table = _table_of(office.log, asked)
    challenge = Challenge(
        new_id(), asked.round, asked.board, table, asked.of, asked.by, tuple(asked.words),
        office.clock(), asked.seconds, referee.name,
    )  # fmt: skip
    ChallengeFile(office.name).change(lambda running: begun(running, challenge))
    return challenge.document


@router.delete("/challenges/{id_}", status_code=204, responses=answers(401, 403, 409, 422))
def withdraw(id_: Annotated[str, Path(max_length=40)], office: OfOffice, _referee: Referee) -> None:
    """Withdraw a challenge: nothing is decided, and nothing entered."""
    ChallengeFile(office.name).change(lambda running: ended(running, id_))


@router.post("/judgements", responses=answers(401, 403, 409, 422))
def judge(asked: JudgementAsked, office: OfOffice, _referee: Referee) -> JudgementView:
    """Say whether words hold; nothing is entered."""
    log = office.log
    table, plan = _table_of(log, asked), log.plan
    shown = round_of(log, asked.round).shown(asked.board, table)
    board = None if shown is None else Board.parse(shown.board)
    shortest = (plan.game if board is None else fitted(plan.game, board)).shortest
    lexicon = nominated_words(plan)
    verdicts = [verdict_of(word, lexicon, board, shortest) for word in asked.words]
    good = all(each.good for each in verdicts)
    return JudgementView(good=good, words=verdicts if asked.mode is Mode.EACH else None)


@router.post("/rulings", response_model=None, responses=answers(401, 403, 409, 422))
def rule(asked: RulingAsked, office: OfOffice, referee: Referee) -> Document:
    """Enter what was challenged, or rejected; scores and standings follow, and its clock ends."""
    _table_of(office.log, asked)

    def wanted(_log: Log, after: Callable[..., Log]) -> list[Event]:
        calls = _calls(asked)
        return Correction(asked.round, asked.board, calls, asked.why or None).events_at(after)

    done = corrected(office, referee, wanted, preview=asked.preview)
    if asked.challenge is not None and not asked.preview:
        _end(office, asked.challenge)
    return done


def _calls(asked: RulingAsked) -> tuple[Event, ...]:
    kind: Event = {"type": "reject"} if asked.by is None else {"type": "challenge", "by": asked.by}
    place = {"round": asked.round, "board": asked.board, "of": asked.of}
    words = dict.fromkeys(asked.words)
    return tuple({**kind, **place, "word": word, **reason(asked.why or None)} for word in words)


def _end(office: Office, id_: str) -> None:
    """End a clock; what was entered stands, also where somebody has just withdrawn it."""
    try:
        ChallengeFile(office.name).change(lambda running: ended(running, id_))
    except RuleError as error:
        if error.kind != "challenge_over":
            raise


def _table_of(log: Log, asked: OnBoard) -> int:
    """Where somebody sits.

    Raises:
        CommandError, RuleError: there is no such round or board, or they sit at no table.
    """
    table = round_of(log, asked.round).table_of.get(asked.of, ROOM)
    if table == ROOM:
        message = f"{asked.of!r} sits at no table in round {asked.round}"
        raise RuleError("unknown_player", message, "Look how they are written.")
    check_place(log, asked.round, (asked.board, table))
    return table
