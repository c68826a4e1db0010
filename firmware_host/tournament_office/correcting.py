"""Corrections by a referee: what they change is told before they are entered, if one likes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.errors import CommandError, wrong_use
from firmware_host.tournament_desk import round_of, with_scores
from firmware_host.tournament_office.office import Document, Office
from firmware_host.tournament_results import changes_document, mark_of
from firmware_host.web.problems import Problem
from firmware_host.web.sessions import Session
from scoring.match import Event
from scoring.tournament.changes import changes
from scoring.tournament.log import Log
from scoring.tournament.state import Place


@dataclass(frozen=True)
class Correction:
    """Events about a board of a round.

    Attributes:
        number: of the round.
        board: of the round.
        events: what happened.
        why: the reason; None where there was nothing before.
    """

    number: int
    board: int
    events: tuple[Event, ...]
    why: str | None = None

    def events_at(self, after: Callable[..., Log]) -> list[Event]:
        """The events, and the scores that follow from them.

        Args:
            after: the event as it would stand after some events.

        Raises:
            RuleError, LexiconError: as `with_scores`.
        """
        return with_scores(after(*self.events), self.number, self.board, self.events, self.why)


Wanted = Callable[[Log, Callable[..., Log]], list[Event]]
"""What is to be entered, given the event, and the event as it would stand after some events."""


def corrected(office: Office, referee: Session, wanted: Wanted, *, preview: bool) -> Document:
    """Enter something and tell what it changes; or, as a preview, what it would change.

    Raises:
        RuleError, LexiconError, CommandError, OSError, Problem: as what is wanted, and
            `Office.continuing`; nothing is changed.
    """
    if preview:
        before, now = office.log, office.clock()
        events = wanted(before, lambda *first: before.play(now, *first))
        return _told(before, before.play(now, *events), preview=True)
    with office.continuing(referee) as event:
        before = event.log
        event.play(*wanted(before, event.after))
        return _told(before, event.log, preview=False)


def _told(before: Log, after: Log, *, preview: bool) -> Document:
    """What has changed, or would."""
    found = changes(after.plan, before.state, after.state)
    return {
        "entered": not preview,
        "entries": [each.seq for each in after.entries[len(before.entries) :]],
        "changes": changes_document(after.plan, found),
        "criteria": [str(each) for each in after.plan.ranking],
    }


def check_place(log: Log, number: int, place: Place) -> None:
    """See that there is such a table and board.

    Raises:
        CommandError: there is none.
    """
    played = round_of(log, number)
    if place[1] not in played.tables:
        raise _none(f"round {number} has no table {place[1]}", len(played.tables))
    if not 1 <= place[0] <= log.plan.boards:
        raise _none(f"a round of this event has no board {place[0]}", log.plan.boards)


def check_mark(log: Log, number: int, place: Place, mark: int | None) -> None:
    """See that nobody has changed a table since a referee looked at it; None looks away.

    Raises:
        Problem: somebody has; it says who.
    """
    now = mark_of(log, number, place)
    if mark is None or mark == now:
        return
    who = log.entries[now - 1].event.get("noted_by") or "another program"
    detail = f"{who} has changed this table meanwhile (entry {now})"
    raise Problem(409, detail, "Look at it again, then correct it.", kind="changed_meanwhile")


def _none(message: str, last: int) -> CommandError:
    return wrong_use("place", message, f"Give 1 to {last}.")
