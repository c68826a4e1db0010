"""What is doubtful at all tables, decided by several referees at once; no question twice."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import BaseModel, Field

from firmware_host.station.base import Base
from firmware_host.station.queue import Question, Said, SaidError
from firmware_host.station.review import Decision, Looker, Review, ReviewError, Standing
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_office.visitors import OfOffice, Referee
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Session
from firmware_host.web.views import example

router = APIRouter(prefix="/api", tags=["review"])

MOST_SHOWN = 100
"""Questions in one answer, the most urgent, beside those that somebody looks at."""

MOST_SKIPPED = 200

PLACE = r"[a-z0-9_-]{1,40}\.\d{1,9}\.(cell|word)\.\d{1,4}-\d{1,4}\.[0-9a-f]{12}(\.\d{1,4})?"

EXAMPLE_ID = "7.3.word.0-4.9f86d081884c"

Skipped = Annotated[str, Field(max_length=120)]

Id = Annotated[str, Path(pattern=rf"^{PLACE}$", examples=[EXAMPLE_ID])]


class ReadingView(BaseModel):
    """What a cube or a word may be; ``probability`` is null where it is not known."""

    text: str
    struck: bool
    probability: float | None


class SaidView(BaseModel):
    """What somebody decided, and what became of it.

    ``outcome`` is null before the table has answered, else planned, done, refused or late; ``why``
    tells of the last two.
    """

    text: str
    struck: bool
    by: str
    at: float
    outcome: str | None
    why: str


class QuestionView(BaseModel):
    """A doubtful cube or word.

    ``place`` is row and column of a cube, else the number of the list and that of the word in it.
    ``looker`` is who looks at it, ``yours`` whether that is who asks, ``said`` what is on its way
    to the table. ``crop_url`` is null where there is no picture (yet).
    """

    model_config = example(
        id=EXAMPLE_ID, kind="word", tray="7", table=7, round=2, board=1, player="Anna",
        place=[0, 4], confidence=0.61, cocked=False,
        readings=[{"text": "quiet", "struck": False, "probability": 0.61}],
        crop_url=f"/api/review/{EXAMPLE_ID}.jpg", looker="Bo", yours=True, until=1796050045.0,
        said=None,
    )  # fmt: skip

    id: str
    kind: Literal["cell", "word"]
    tray: str
    table: int | None
    round: int | None
    board: int | None
    player: str
    place: tuple[int, int]
    confidence: float
    cocked: bool
    readings: list[ReadingView]
    crop_url: str | None
    looker: str
    yours: bool
    until: float | None
    said: SaidView | None


class DecidedView(BaseModel):
    """A decision of the desk.

    ``undo`` is null where nobody has asked to take it back, empty as long as its table has not
    answered to that, else as `SaidView.outcome`.
    """

    id: str
    kind: Literal["cell", "word"]
    table: int | None
    tray: str
    player: str
    place: tuple[int, int]
    said: SaidView
    undo: str | None
    undo_why: str


class QueueView(BaseModel):
    """What is open, the most urgent first, and the last decisions.

    ``open`` counts those that nobody has decided; shown are a hundred, and all that somebody looks
    at.
    """

    open: int
    questions: list[QuestionView]
    decided: list[DecidedView]


class NextAsked(BaseModel):
    """Another question; none of those that are skipped now."""

    model_config = example(skipped=[EXAMPLE_ID])

    skipped: list[Annotated[str, Field(max_length=120)]] = Field(
        default=[], max_length=MOST_SKIPPED
    )


class SaidAsked(BaseModel):
    """What it is: a face such as A or Qu, # for a blank, _ for no cube; or a word."""

    model_config = example(text="quiet", struck=False)

    text: str = Field(default="", max_length=64)
    struck: bool = False


def state(office: Office) -> Document:
    """How many questions are open, and a tag that changes whenever anything about them does."""
    base = office.branch.base()
    if base is None:
        return {"open": 0, "tag": ""}
    review = Review(base)
    rows = review.stamps(office.clock())
    tag = hashlib.sha256(repr((rows, review.answered())).encode()).hexdigest()[:16]
    return {"open": sum(row.waits for row in rows), "tag": tag}


@router.get("/review", responses=answers(401, 409))
def queue(office: OfOffice, referee: Referee) -> QueueView:
    """All that is doubtful, who looks at what, and the last decisions."""
    held, now = _review(office), office.clock()
    found = held.standings(now)
    shown = [each for place, each in enumerate(found) if place < MOST_SHOWN or each.claim]
    views = [_view(standing, referee) for standing in shown]
    open_ = sum(standing.decision is None for standing in found)
    return QueueView(open=open_, questions=views, decided=[_decided(d) for d in held.decided()])


@router.post("/review/next", responses=answers(401, 409, 422))
def take_next(asked: NextAsked, office: OfOffice, referee: Referee) -> QuestionView | None:
    """The most urgent question that nobody looks at; it is yours for a while, or null for none."""
    found = _review(office).claim_next(_who(referee), office.clock(), frozenset(asked.skipped))
    return None if found is None else _view(found, referee)


@router.delete("/review/claim", status_code=204, responses=answers(401, 409))
def release(office: OfOffice, referee: Referee) -> None:
    """Let others have what is yours."""
    _review(office).release(_who(referee))


@router.post("/review/{id_}/claim", responses=answers(401, 409, 422))
def claim(id_: Id, office: OfOffice, referee: Referee) -> QuestionView:
    """Take this question, or keep it for longer; it must be asked for while it is looked at."""
    try:
        standing = _review(office).claim(id_, _who(referee), office.clock())
    except ReviewError as error:
        raise _problem(error) from error
    return _view(standing, referee)


@router.get(
    "/review/{id_}.jpg",
    response_class=Response,
    responses=answers(401, 404, 409, 422)
    | {200: {"content": {"image/jpeg": {}}, "description": "the cube from above, or the word"}},
)
def crop(id_: Id, office: OfOffice, _referee: Referee) -> Response:
    """The picture of a question, as its tray has cut it out."""
    data = _review(office).picture(id_)
    if data is None:
        raise Problem(404, "there is no picture of it", "It may come yet: its tray is asked.")
    headers = {"cache-control": "private, max-age=3600"}  # another question has another address
    return Response(data, media_type="image/jpeg", headers=headers)


@router.post("/review/{id_}", responses=answers(401, 409, 422))
def decide(id_: Id, asked: SaidAsked, office: OfOffice, referee: Referee) -> SaidView:
    """Decide; the first decision wins, and its tray is ordered so at once."""
    said = Said(asked.text, asked.struck)
    try:
        decision = _review(office).decide(id_, _who(referee), said, office.clock())
    except SaidError as error:
        raise Problem(422, str(error), "Look at the readings.", kind="said") from error
    except ReviewError as error:
        raise _problem(error) from error
    return _said(decision)


@router.post("/review/{id_}/undo", status_code=202, responses=answers(401, 409, 422))
def undo(id_: Id, office: OfOffice, referee: Referee) -> None:
    """Have a decision taken back; its table refuses that where another one came after it."""
    try:
        _review(office).undo(id_, _who(referee), office.clock())
    except ReviewError as error:
        raise _problem(error) from error


def _review(office: Office) -> Review:
    base: Base = office.base()
    return Review(base)


def _who(session: Session) -> Looker:
    return Looker(session.key, session.name)


def _problem(error: ReviewError) -> Problem:
    return Problem(409, str(error), error.advice, kind=f"review_{error.kind}")


def _view(standing: Standing, referee: Session) -> QuestionView:
    question, held = standing.question, standing.claim
    return QuestionView(
        **_place(question),
        round=question.round,
        board=question.board,
        confidence=question.confidence,
        cocked=question.cocked,
        readings=[
            ReadingView(text=each.text, struck=each.struck, probability=each.probability)
            for each in question.readings
        ],
        crop_url=f"/api/review/{question.id}.jpg" if standing.crop else None,
        looker=held.by if held else "",
        yours=held is not None and held.holder == referee.key,
        until=held.until if held else None,
        said=_said(standing.decision) if standing.decision else None,
    )


def _place(question: Question) -> Document:
    return {
        "id": question.id,
        "kind": str(question.detail.kind),
        "tray": question.tray,
        "table": question.table,
        "player": question.player,
        "place": question.detail.place,
    }


def _decided(decision: Decision) -> DecidedView:
    answer = decision.undo[-1] if decision.undo else None
    outcome = str(answer.outcome) if answer else ""
    return DecidedView(
        **_place(decision.question),
        said=_said(decision),
        undo=outcome if decision.undo else None,
        undo_why=answer.why if answer else "",
    )


def _said(decision: Decision) -> SaidView:
    answer = decision.answer
    return SaidView(
        text=decision.said.text,
        struck=decision.said.struck,
        by=decision.by,
        at=decision.at,
        outcome=None if answer is None else str(answer.outcome),
        why="" if answer is None else answer.why,
    )
