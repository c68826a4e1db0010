"""Names that players give."""

from __future__ import annotations

from firmware_host.web.problems import Problem
from scoring.match import RuleError
from scoring.players import check_names, composed


def checked_name(name: str) -> str:
    """A name as it is kept.

    Raises:
        Problem: it cannot be one.
    """
    try:
        check_names("name", "players", [name])
    except RuleError as error:
        raise Problem(422, str(error), error.advice, kind="name") from None
    return composed(name)
