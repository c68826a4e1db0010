"""Swoggle by touch: the board, the dice, letters, challenges; each event of a match counts once.

The service is the referee: rules, points and word list are its own. Who has joined with a phone
plays on it and on nothing else; all others play at the display, one after the other. Whatever is
done names how much of the match its sender has seen: sent again, or too late, it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from firmware_host import solo_scores
from firmware_host.swoggle import Dice, GivenDice, SwoggleMatch, Table, rules_of
from firmware_host.swoggle_tables import Act, Seen, Tables, readable
from firmware_host.web.matches import (
    LISTED,
    NAME,
    Name,
    Words,
    check_is,
    check_plays,
    check_rate,
    coming_words,
    refusing,
    started,
)
from firmware_host.web.problems import Problem, answers
from firmware_host.web.sessions import Role, Session
from firmware_host.web.site import Site
from firmware_host.web.swoggle_views import (
    ListView,
    SheetView,
    SwoggleView,
    list_view,
    sheet_view,
    swoggle_view,
)
from firmware_host.web.views import example
from firmware_host.web.visitors import AtTable, OfSite
from scoring.match import Event, RuleError
from scoring.players import LONGEST_NAME, alike
from scoring.swoggle.board import LARGEST_SIDE, builtin_layout
from scoring.swoggle.game import Swoggle
from scoring.swoggle.plan import MOST_PLAYERS, Plan, Variant
from scoring.swoggle.turn import Turn

MOST_THROWS = 60
"""Of a turn, or of a round of throws for the start: more than there ever are."""

LONGEST_WORD = 64
MOST_MINUTES = 600
MOST_TURN_S = 3600

router = APIRouter(prefix="/api/swoggle", tags=["swoggle"])

Pips = Annotated[int, Field(ge=1, le=6)]
Side = Annotated[int, Field(ge=0, lt=LARGEST_SIDE)]
Letter = Annotated[str, Field(min_length=1, max_length=1, pattern=r"^[^\W\d_]$")]
Written = tuple[Side, Side, Letter]
"""Row and column from 0, and the letter that is written there."""


class Kind(StrEnum):
    """What somebody does; see docs/swoggle.md."""

    START = "start"
    ROLL = "roll"
    TURN = "turn"
    PASSES = "pass"
    CHALLENGE = "challenge"
    UNDO = "undo"


OF_THE_TABLE = frozenset({Kind.START, Kind.UNDO})
"""What is nobody's own turn: the display does it, and whoever plays in the match."""


class BeginGiven(BaseModel):
    """A new match; without a name it gets one."""

    model_config = example(
        name="monday", players=["ann", "bob"], variant="ordinary", turn_seconds=120, challenges=True
    )

    name: str | None = Field(default=None, pattern=NAME)
    players: list[str] = Field(min_length=1, max_length=MOST_PLAYERS)
    variant: Variant = Variant.ORDINARY
    target: int | None = Field(default=None, ge=1, le=10_000)
    minutes: float | None = Field(default=None, gt=0, le=MOST_MINUTES, allow_inf_nan=False)
    turn_seconds: float | None = Field(default=None, gt=0, le=MOST_TURN_S, allow_inf_nan=False)
    challenges: bool = Field(
        default=False, description="any word stands until somebody challenges it"
    )


class DoneGiven(BaseModel):
    """What somebody does, and how much of the match they have seen."""

    model_config = example(
        seq=3,
        type="turn",
        player="ann",
        letters=[[7, 4, "P"], [7, 5, "A"], [7, 6, "R"], [7, 7, "A"], [7, 8, "D"], [7, 9, "E"]],
    )

    seq: int = Field(ge=0, description="`seq` of the match as it was seen")
    type: Kind
    player: str = Field(
        min_length=1,
        max_length=LONGEST_NAME,
        description="whose turn it is; of a challenge, by whom; of start and undo, "
        "anybody: they are nobody's own turn",
    )
    die: Pips | None = Field(
        default=None, description="of roll: what a player threw; without it the service throws"
    )
    throws: list[list[Pips]] | None = Field(
        default=None,
        max_length=MOST_THROWS,
        description="of start: a list of throws, one a player, then one of those who tie; without "
        "it the service throws",
    )
    letters: list[Written] = Field(
        default=[], max_length=2 * LARGEST_SIDE, description="of turn: the letters that are written"
    )
    bonus: list[Pips] | None = Field(
        default=None,
        max_length=MOST_THROWS,
        description="of turn: throws for its bonus squares, by row and then by column; without it "
        "the service throws",
    )
    word: str = Field(default="", max_length=LONGEST_WORD, description="of challenge")


@dataclass(frozen=True)
class Swoggles:
    """What the routes need.

    Attributes:
        tables: plays and keeps the matches.
        listed_as: how to find the word list of the start again, as of
            `firmware_host.lexicons.listed_as`.
        seed: makes the seed of a match.
    """

    tables: Tables
    listed_as: str
    seed: Callable[[], int]

    def rules(self, given: BeginGiven, words: Words) -> Swoggle:
        """The rules of a match as it was asked for.

        Raises:
            RuleError: its players are no names, too few or too many, or it has no such target.
        """
        plan = Plan.agree(
            given.players,
            given.variant,
            target=given.target,
            minutes=given.minutes,
            turn_seconds=given.turn_seconds,
            checked=not given.challenges,
            started=self.tables.now,
        )
        return Swoggle(plan, builtin_layout(), words.lexicon, words.listed_as, self.seed())


def add_swoggle(app: FastAPI, swoggles: Swoggles) -> None:
    """Have an application serve Swoggle by touch."""
    app.state.swoggle = swoggles
    app.include_router(router, responses=answers(413, 415, 421, 503))


def swoggles_of(connection: HTTPConnection) -> Swoggles:
    """The matches of the application that was asked."""
    swoggles: Swoggles = connection.app.state.swoggle
    return swoggles


OfSwoggles = Annotated[Swoggles, Depends(swoggles_of)]


@router.get("", responses=answers(401))
def list_matches(swoggles: OfSwoggles, _visitor: AtTable) -> ListView:
    """The matches that were played last."""
    with refusing():
        return list_view(islice(readable(swoggles.tables), LISTED))


@router.post("", status_code=201, responses=answers(401, 403, 409, 422, 429))
def begin_match(
    given: BeginGiven, swoggles: OfSwoggles, site: OfSite, visitor: AtTable
) -> SwoggleView:
    """Begin a match; a player begins one that they play in."""
    check_rate(site, visitor)
    with refusing():
        rules = swoggles.rules(given, coming_words(site, swoggles.listed_as))
        players, tables = rules.plan.players, swoggles.tables
        seen = started(tables, rules, players, wanted=given.name, visitor=visitor)
        return _view(seen, site)


@router.get("/{name}", responses=answers(401, 404, 409, 422))
def look_at_match(name: Name, swoggles: OfSwoggles, site: OfSite, _visitor: AtTable) -> SwoggleView:
    """A match as it stands now."""
    with refusing():
        return _view(swoggles.tables.look(name), site)


@router.get("/{name}/sheet", responses=answers(401, 404, 409, 422))
def score_sheet(name: Name, swoggles: OfSwoggles, _visitor: AtTable) -> SheetView:
    """The score sheet: every turn, word and square."""
    with refusing():
        return sheet_view(swoggles.tables.look(name))


@router.post("/{name}/events", responses=answers(401, 403, 404, 409, 422, 429))
def do(
    name: Name, given: DoneGiven, swoggles: OfSwoggles, site: OfSite, visitor: AtTable
) -> SwoggleView:
    """Throw, write, pass, challenge, or take the last of that back.

    What the rules do not allow is refused with the rule, and changes nothing.
    """
    check_rate(site, visitor)
    with refusing():
        joined = site.state.joined
        if given.type not in OF_THE_TABLE:
            check_is(visitor, given.player, joined)
        act = _act(given, visitor)
        keep_time = given.type is not Kind.UNDO
        return _view(swoggles.tables.play(name, given.seq, act, keep_time=keep_time), site)


def _act(given: DoneGiven, visitor: Session) -> Act:
    """What is done at the table."""

    def act(table: Table) -> None:
        match given.type:
            case Kind.START:
                check_plays(visitor, table.match.state.points)
                table.start(given.throws)
            case Kind.ROLL:
                table.roll(_dice(table, None if given.die is None else [given.die]), given.player)
            case Kind.TURN:
                _write(table, given)
            case Kind.PASSES:
                table.pass_on(None, given.player)
            case Kind.CHALLENGE:
                table.challenge(given.word, given.player)
            case Kind.UNDO:
                _undo(table, visitor)

    return act


def _write(table: Table, given: DoneGiven) -> None:
    """Write a turn.

    Raises:
        RuleError: as the rules; kind ``letter`` also for two letters on a square, or none at all;
            ``alphabet`` for one that no word of the list has.
    """
    written = {(row, col): letter.lower() for row, col, letter in given.letters}
    if not written or len(written) < len(given.letters):
        raise RuleError("letter", "one letter is written on each square", "Write them again.")
    alphabet = rules_of(table.match).lexicon.trie.alphabet
    strange = sorted(set(written.values()).difference(alphabet))
    if strange:
        message = f"{strange[0]!r} is in no word of the list"
        raise RuleError("alphabet", message, "Write the letters that the match names.")
    turn = Turn.writing(written, table.match.state.letters)
    table.turn(str(turn), None, _dice(table, given.bonus), given.player)


def _undo(table: Table, visitor: Session) -> None:
    """A player takes back what they did themselves, the table whatever it was."""
    did = _doer(table.match)
    if visitor.role is Role.PLAYER and (did is None or alike(did) != alike(visitor.name)):
        detail = "the last thing that happened was not yours"
        raise Problem(403, detail, "Ask who did it, or at the display.", kind="not_yours")
    table.undo()


def _doer(match: SwoggleMatch) -> str | None:
    """Who did the last thing that happened."""
    event: Event = match.events[-1] if match.events else {}
    doer = event.get("by" if event.get("type") == "challenge" else "player")
    return None if doer is None else str(doer)


def _dice(table: Table, thrown: list[int] | None) -> Dice:
    return table.program_dice if thrown is None else GivenDice(thrown)


def _view(seen: Seen, site: Site) -> SwoggleView:
    return swoggle_view(seen, site.state.joined, _best_before(seen))


def _best_before(seen: Seen) -> int | None:
    """The score that Solo is to beat."""
    if rules_of(seen.match).plan.variant is not Variant.SOLO:
        return None
    best = solo_scores.best(apart_from=seen.name)
    return None if best is None else best.points
