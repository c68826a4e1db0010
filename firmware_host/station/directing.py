"""Orders for tables of a round, checked, and a start with the board that it lays open.

What the desk's pages and its commands do alike.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from firmware_host.errors import wrong_use
from firmware_host.station.direction import Direction, ToTray
from firmware_host.tournament_desk import board_to_show, check_settled, play_scored, round_of
from firmware_host.tournament_notice import LONGEST
from firmware_host.tournaments import OpenEvent
from scoring.match import Event
from scoring.tournament.log import Log
from scoring.tournament.state import ROOM


def directed(log: Log, board: int, only: Collection[int], now: float) -> Direction:
    """Orders to tables of the last round.

    Args:
        log: the tournament.
        board: of the round.
        only: numbers of tables; none is all.
        now: the moment, by the clock of the station.

    Raises:
        CommandError: there is no such round, table or board.
    """
    played = round_of(log, None)
    strange = sorted(set(only) - set(played.tables))
    if strange:
        message = f"round {played.number} has no table {strange[0]}"
        raise wrong_use("table", message, f"Give 1 to {len(played.tables)}.")
    if board > log.plan.boards:
        message = f"a round of this event has no board {board}"
        raise wrong_use("place", message, f"Give 1 to {log.plan.boards}.")
    return Direction(log, played, board, only, now, secrets.token_hex(4))


def seated(to: Direction) -> list[ToTray]:
    """Who plays, told to the trays.

    Raises:
        CommandError: the tables are not right any more.
    """
    check_settled(to.log)
    return to.seat()


def cancelled(to: Direction) -> list[ToTray]:
    """Rounds given up at tables that are named: there is no all.

    Raises:
        CommandError: none is.
    """
    if not to.only:
        raise wrong_use("table", "no table is named", "Give --table once for each.")
    return to.cancel()


def told(to: Direction, text: str, until: float | None = None) -> list[ToTray]:
    """Something for all to read, perhaps counted down to; empty ends what was said.

    Raises:
        CommandError: it is longer than a display has room for.
    """
    if len(text) > LONGEST:
        message = f"an announcement has {LONGEST} signs at most, and this one {len(text)}"
        raise wrong_use("length", message, "Say it in fewer words.")
    return to.announce(text, until)


@dataclass(frozen=True)
class Start:
    """A start on all tables at one moment.

    Attributes:
        orders: for the trays.
        laid: the event that shows the promised board in the tournament, once it is no secret any
            more; None where each tray has a board of its own, or it is shown already.
    """

    orders: list[ToTray]
    laid: Event | None

    def show(self, event: OpenEvent) -> bool:
        """Show the promised board in the tournament; whether that was to be done.

        Raises:
            RuleError, LexiconError, OSError: as `play_scored`.
        """
        if self.laid is None or _is_shown(event.log, self.laid):
            return False
        play_scored(event, self.laid["round"], self.laid["board"], [self.laid], None)
        return True


def started(name: str, to: Direction, at: float, *, promised: bool) -> Start:
    """A start at a moment.

    Args:
        name: of the tournament.
        to: whom it is for.
        at: the moment, by the clock of the station.
        promised: with the board that was promised, which trays are sent before; else each has
            been shaken and read.

    Raises:
        CommandError: the tables are not right any more, the board has been played, or none was
            promised.
    """
    check_settled(to.log)
    if not promised:
        return Start(to.start(at), None)
    number = to.played.number
    if any(place[0] == to.board for place in to.played.scores):
        message = f"board {to.board} of round {number} has been played"
        raise wrong_use("place", message, "Say with --board which one is to be played.")
    shown = board_to_show(name, to.log, None, (to.board, ROOM))
    laid = {"type": "board", "round": number, "board": to.board, "table": ROOM, **shown}
    return Start([*to.prescribe(shown["shown"], shown["salt"]), *to.start(at)], laid)


def _is_shown(log: Log, laid: Event) -> bool:
    return log.state.rounds[laid["round"] - 1].shown(laid["board"], ROOM) is not None
