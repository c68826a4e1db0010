"""What a referee does to a round before it is played: tables, drawn or by hand, and boards."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Collection, Sequence

from firmware_host.errors import nothing_found, wrong_use
from firmware_host.tournament_desk import (
    board_of,
    check_complete,
    check_settled,
    nominated_words,
    place_of,
    reason,
    round_of,
    tables_of,
)
from firmware_host.tournaments import OpenEvent, keep_promise
from scoring.board import Board
from scoring.cubes import CubeSet, cube_set, cube_sets, usual_set
from scoring.match import Event
from scoring.quality import Wanted, search
from scoring.rolls import roll_batches
from scoring.rules import fitted
from scoring.tournament.commitment import SALT_BYTES, BoardPlace, commitment
from scoring.tournament.drawing import Remark, draw, draw_event, next_round, remarks
from scoring.tournament.log import Log
from scoring.tournament.plan import Method, Plan
from scoring.tournament.state import ROOM, Draw

CONFIRMED = frozenset({"again", "bye_again"})
"""Kinds of remarks that somebody must confirm."""

MOST_ROLLS, ROLLS = 50_000, 500
"""Boards that are rolled to find one of a band, and how many at a time: a second at most."""

Drawing = Callable[[str], Draw]
"""Makes the tables of a division."""


def divisions_of(plan: Plan, division: str | None) -> Sequence[str]:
    """One division, or each.

    Raises:
        CommandError: there is no such division.
    """
    if division is None:
        return plan.divisions
    if division not in plan.divisions:
        message = f"there is no division {division!r}"
        raise wrong_use("division", message, f"Give one of {', '.join(plan.divisions)}.")
    return (division,)


def drawing(log: Log, method: Method | None, away: Collection[str]) -> Drawing:
    """Draws tables by a method; None is that of the event. Who is away sits at none."""

    def drawn(division: str) -> Draw:
        here = _away(log, division, away)
        return draw(log.plan, log.state, division, method=method, absent=here)

    return drawn


def by_hand(log: Log, tables: Sequence[Sequence[str]], away: Collection[str]) -> Drawing:
    """Tables as somebody has set them: who sits alone has a bye, who is away sits at none."""
    seated = tuple(tuple(table) for table in tables if len(table) > 1)
    alone = tuple(table[0] for table in tables if len(table) == 1)

    def drawn(division: str) -> Draw:
        here = _away(log, division, away)
        return Draw(division, seated, alone, here, str(Method.MANUAL))

    return drawn


def kept_or(log: Log, name: str, drawing: Drawing) -> Drawing:
    """Leaves tables as they were drawn, and makes them where there are none.

    It refuses those that do not know of something that has happened since, as `check_settled`.
    """

    def kept(division: str) -> Draw:
        check_settled(log, name)
        return tables_of(log, division) or drawing(division)

    return kept


def drawn(log: Log, divisions: Sequence[str], drawing: Drawing) -> list[Draw]:
    """The tables of the round to come, of divisions in which somebody plays.

    Raises:
        CommandError: the round before lacks scores, or nobody plays.
        RuleError: as `draw`.
    """
    check_complete(log)
    made = [drawing(division) for division in divisions if log.state.active(division)]
    if not made:
        raise wrong_use("players", "nobody is there to be drawn", "Enrol players first.")
    return made


def draw_events(log: Log, draws: Sequence[Draw]) -> list[Event]:
    """The events that seat the players so; none where they sit so already."""
    number = next_round(log.state)
    return [draw_event(number, each) for each in draws if each != tables_of(log, each.division)]


def start_event(log: Log) -> Event:
    """The event that starts the round to come."""
    return {"type": "start", "round": next_round(log.state)}


def odd_about(log: Log, draws: Sequence[Draw]) -> list[Remark]:
    """What to look at before such tables are played."""
    return [remark for each in draws for remark in remarks(log.plan, log.state, each)]


def asks(odd: Sequence[Remark]) -> bool:
    """Whether somebody must confirm that."""
    return any(remark.kind in CONFIRMED for remark in odd)


def promise(event: OpenEvent, name: str, number: int, board: Board, why: str | None = None) -> str:
    """Choose a board of the last round for all tables, and keep it secret.

    Args:
        event: the tournament, opened.
        name: of the event.
        number: of the board.
        board: the board.
        why: reason of another one in place of the first.

    Returns:
        The hash to be published.

    Raises:
        RuleError: it breaks a rule; the board that was promised before is still kept.
        CommandError, OSError: as `OpenEvent.play` and `keep_promise`.
    """
    played, plan = round_of(event.log, None, name), event.log.plan
    salt = secrets.token_hex(SALT_BYTES)
    digest = commitment(BoardPlace(plan.name, played.number, number, ROOM), str(board), salt)
    place = {"round": played.number, "board": number, "table": ROOM}
    commit = {"type": "commit", **place, "hash": digest, **reason(why)}
    event.after(commit)  # refused before the board that was promised is replaced
    keep_promise(name, place_of(played.number, number), str(board), salt)
    event.play(commit)
    return digest


def editions(plan: Plan) -> list[str]:
    """Names of the cube sets of which boards of an event are rolled, the usual one first."""
    sizes = plan.game.sizes
    usual = [edition.name for size in sizes if (edition := usual_set(*size)) is not None]
    fitting = [each.name for each in cube_sets() if (each.rows, each.cols) in sizes]
    return list(dict.fromkeys([*usual, *fitting]))


def chosen_board(
    plan: Plan, given: str | None, cubes: str, band: tuple[int, int] | None = None
) -> Board:
    """A board that somebody gave, or one that is rolled of the cubes of an edition.

    Args:
        plan: of the event: its word list and its game rate a board.
        given: the board; None has one rolled.
        cubes: the edition.
        band: it holds from so many points to so many; None is any.

    Raises:
        CommandError: what was given is no board, or none of the band came up.
        UnknownCubeSetError: there is no such edition.
        LexiconError: as `nominated_words`.
    """
    if given and band:
        raise wrong_use("band", "a board is given, and a band, too", "Give one of them.")
    if given:
        return board_of(given)
    edition = cube_set(cubes)
    return _rated(plan, edition, band) if band else edition.roll(random.SystemRandom())


def _rated(plan: Plan, edition: CubeSet, band: tuple[int, int]) -> Board:
    """The first board of a band that comes up, so that any of it is equally likely."""
    import numpy as np

    least, most = band
    if not 0 <= least <= most:
        message = f"there is nothing from {least} to {most} points"
        raise wrong_use("band", message, "Give the lower number first, such as 150 and 200.")
    rng = np.random.default_rng(secrets.randbits(128))
    game = fitted(plan.game, edition.roll(random.SystemRandom()))
    rolls, wanted = roll_batches(edition, MOST_ROLLS, rng, ROLLS), Wanted(least, most)
    nearest: int | None = None
    for catch in search(rolls, wanted, nominated_words(plan), game):
        if catch.finds:
            return catch.finds[0].board
        nearest = catch.nearest
    message = f"of {MOST_ROLLS:,} boards none holds {least} to {most} points"
    raise nothing_found("band", message, f"The nearest one holds {nearest}: give a wider band.")


def _away(log: Log, division: str, away: Collection[str]) -> tuple[str, ...]:
    active = frozenset(log.state.active(division))
    return tuple(name for name in away if name in active)
