"""What goes wrong on a route, told as a problem document (RFC 9457) with advice."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from firmware_host.errors import CommandError, ExitCode, complaint_of
from firmware_host.store.errors import BackupError, StorageError
from vision.errors import VisionError

MEDIA_TYPE = "application/problem+json"

SAYS = {
    401: ("no_session", "You are not known here"),
    403: ("forbidden", "That is not yours to do"),
    404: ("not_found", "There is no such thing"),
    405: ("method", "That cannot be done here"),
    409: ("conflict", "That means nothing now"),
    411: ("length", "The length is missing"),
    413: ("too_large", "That is too large"),
    415: ("media_type", "That is of another kind"),
    421: ("host", "That is another machine's name"),
    422: ("not_valid", "That is not of the right form"),
    429: ("too_many", "That is too much at once"),
    500: ("unexpected", "Something went wrong here"),
    503: ("unavailable", "That cannot be done just now"),
}
"""Kind and title of each status."""


class ProblemDocument(BaseModel):
    """A problem, as of RFC 9457."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "not_now",
                    "title": "That means nothing now",
                    "status": 409,
                    "detail": "no sand runs",
                    "advice": "Start the round first.",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    advice: str


class Problem(Exception):  # noqa: N818 - the name of the standard
    """Ends a request with a problem document.

    Args:
        status: of HTTP.
        detail: what is wrong.
        advice: what to do.
        kind: a stable word for programs; None is that of the status.
        retry_after_s: seconds after which it may be tried again.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        advice: str = "",
        *,
        kind: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(detail)
        usual, title = SAYS[status]
        self.document = ProblemDocument(
            type=kind or usual, title=title, status=status, detail=detail, advice=advice
        )
        self.retry_after_s = retry_after_s

    def answer(self) -> JSONResponse:
        """The answer to the request."""
        later = {} if self.retry_after_s is None else {"retry-after": f"{self.retry_after_s:.0f}"}
        content, status = self.document.model_dump(), self.document.status
        return JSONResponse(content, status, headers=later, media_type=MEDIA_TYPE)


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, for OpenAPI."""
    return {
        status: {
            "description": SAYS[status][1],
            "content": {
                MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}},
            },
            "model": ProblemDocument,
        }
        for status in statuses
    }


def tell_problems(app: FastAPI, *complained: type[Exception]) -> None:
    """Have every failure of a route answered by a problem document.

    Args:
        app: the application.
        complained: errors of the rooms besides those of all pages.
    """
    app.add_exception_handler(Problem, _told)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _of_http)
    for kind in (CommandError, StorageError, BackupError, VisionError, *complained):
        app.add_exception_handler(kind, _complained)
    app.add_exception_handler(Exception, _unexpected)


async def _told(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)  # noqa: S101 - registered for it alone
    return error.answer()


async def _not_valid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return Problem(422, f"{where}: {first['msg']}", "See /openapi.json for its form.").answer()


async def _of_http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    known = {400: 422, **{status: status for status in SAYS}}  # a form that cannot be read
    status = known.get(error.status_code, 500)
    answer = Problem(status, str(error.detail), "See /openapi.json for what there is.").answer()
    answer.headers.update(error.headers or {})
    return answer


async def _complained(_request: Request, error: Exception) -> JSONResponse:
    """What the rooms complain about, with their advice."""
    complaint = complaint_of(error)
    if complaint is None:
        raise error
    status = 503 if complaint.code is ExitCode.STORAGE_FAULT else 409
    return Problem(status, complaint.message, complaint.advice, kind=complaint.kind).answer()


async def _unexpected(_request: Request, error: Exception) -> JSONResponse:
    detail = f"an unexpected error, {type(error).__name__}"
    return Problem(500, detail, "Report it with the service's journal.").answer()
