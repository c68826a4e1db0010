"""Names that players give."""

from __future__ import annotations

from firmware_host.web.problems import Problem
from scoring.match import RuleError
from scoring.players import check_names, composed

_STEPS = frozenset({".", ".."})
"""Ways through folders: whatever asks for an address takes them out, so that it names nobody."""


def checked_name(name: str) -> str:
    """A name as it is kept.

    Raises:
        Problem: it cannot be one.
    """
    try:
        check_names("name", "players", [name])
    except RuleError as error:
        raise Problem(422, str(error), error.advice, kind="name") from None
    if name.strip() in _STEPS:
        raise Problem(422, f"{name!r} is no name", "Put a letter into it.", kind="name")
    return composed(name)
