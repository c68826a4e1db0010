"""WorldWinner by touch: matches begun, tiles dealt from the tray, moves made, each once.

The service is the referee: clock, rules and points are its own; pages send moves and show what
comes back. Who has joined with a phone plays on it and on nothing else; all others play at the
display, one after the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from firmware_host.rounds import Cancelled, Phase, RoundState
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
from firmware_host.web.views import example
from firmware_host.web.visitors import AtTable, OfSite
from firmware_host.web.worldwinner_views import (
    FinishedRoundsView,
    FinishedView,
    MarksView,
    MatchesView,
    MatchView,
    at_display,
    finished_view,
    marks_view,
    match_view,
    matches_view,
)
from firmware_host.worldwinner_documents import Possible
from firmware_host.worldwinner_sittings import (
    MOST_KNOWN,
    Remembered,
    Seen,
    Sittings,
    dealing,
    readable,
)
from scoring.board import Board
from scoring.cubes import cube_set
from scoring.players import LONGEST_NAME, agreed_names
from scoring.rules.worldwinner import GAME
from scoring.timer import LONGEST_TIMER_S, SHORTEST_TIMER_S
from scoring.worldwinner.events import Deal, Event, from_json
from scoring.worldwinner.game import WorldWinner
from scoring.worldwinner.match import Match, Plan, Round, to_play
from scoring.worldwinner.tiles import QU_VALUE

MOST_PLAYERS = 8
LONGEST_WORD = 64
MOST_CELLS = 64
ID = r"^[A-Za-z0-9_-]{1,64}$"

router = APIRouter(prefix="/api/worldwinner", tags=["worldwinner"])

Index = Annotated[int, Field(ge=0, lt=MOST_CELLS)]
Given = tuple[Index, Index]
"""Row and column from 0."""

Player = Annotated[
    str | None,
    Query(
        max_length=LONGEST_NAME,
        description="whose turn is looked at: at the display anybody without a phone; without it "
        "who is to play there. Of a player always their own.",
    ),
]


class MoveKind(StrEnum):
    """What a player does; see docs/worldwinner.md."""

    START = "start"
    SELECT = "select"
    DESELECT = "deselect"
    CLEAR = "clear"
    SUBMIT = "submit"
    PLAY_PATH = "play_path"
    PLAY_WORD = "play_word"
    END_TURN = "end_turn"


class BeginAsked(BaseModel):
    """A new match; without a name it gets one."""

    model_config = example(name="monday", players=["ada", "ben"], seconds=120)

    name: str | None = Field(default=None, pattern=NAME)
    players: list[str] = Field(min_length=1, max_length=MOST_PLAYERS)
    seconds: float = Field(
        default=GAME.timer_s, ge=SHORTEST_TIMER_S, le=LONGEST_TIMER_S, allow_inf_nan=False
    )


class DealAsked(BaseModel):
    """The tiles of a round; one that was dealt before stays as it is."""

    model_config = example(round=1)

    round: int = Field(ge=1, le=9)


class MoveGiven(BaseModel):
    """A move; one that is sent again has the same id, and is the same move."""

    model_config = example(
        id="k3-0001", type="play_path", player="ada", round=1, path=[[0, 0], [0, 1], [0, 2]]
    )

    id: str = Field(pattern=ID, description="made by the page, another for each move")
    type: MoveKind
    player: str = Field(min_length=1, max_length=LONGEST_NAME)
    round: int = Field(ge=0, le=9)
    cell: Given | None = Field(
        default=None, description="of select, and of deselect if it is given"
    )
    path: list[Given] | None = Field(default=None, max_length=MOST_CELLS)
    word: str | None = Field(default=None, max_length=LONGEST_WORD)

    def event(self, at: float) -> Event:
        """As of `scoring.worldwinner.events`.

        Raises:
            RuleError: kind ``event``: what belongs to its type is missing, or does not belong.
        """
        given = self.model_dump(include={"cell", "path", "word"}, exclude_none=True)
        head: dict[str, Any] = {"type": self.type.value, "at": at}
        return from_json(head | {"player": self.player, "round_number": self.round} | given)


Tiled = tuple[str, int, str]
"""Name of a match, number of a round, its board."""


def _remembered() -> Remembered[Any, Any]:
    return Remembered(MOST_KNOWN)


@dataclass(frozen=True)
class Games:
    """What the routes need.

    Attributes:
        sittings: plays and keeps the matches.
        listed_as: how to find the word list of the start again, as of
            `firmware_host.lexicons.listed_as`.
        cubes: name of the edition in the tray.
        seed: makes the seed of a match.
        offered: what rounds that are over offered.
        marks: of the words on the tiles of a round.
    """

    sittings: Sittings
    listed_as: str
    cubes: str
    seed: Callable[[], int]
    offered: Remembered[Tiled, Possible] = field(default_factory=_remembered)
    marks: Remembered[Tiled, MarksView] = field(default_factory=_remembered)

    def rules(self, asked: BeginAsked, words: Words) -> WorldWinner:
        """The rules of a match as it was asked for.

        Raises:
            RuleError: its players are no names, or two are alike.
        """
        advice = "Name those who play."
        names = agreed_names(asked.players, (1, MOST_PLAYERS), GAME.title, advice)
        plan = Plan(names, words.lexicon, self.seed(), asked.seconds, QU_VALUE)
        return WorldWinner(plan, words.listed_as, self.cubes)


def add_worldwinner(app: FastAPI, games: Games) -> None:
    """Have an application serve WorldWinner by touch."""
    app.state.worldwinner = games
    app.include_router(router, responses=answers(413, 415, 421, 503))


def games_of(connection: HTTPConnection) -> Games:
    """The games of the application that was asked."""
    games: Games = connection.app.state.worldwinner
    return games


OfGames = Annotated[Games, Depends(games_of)]


@router.get("", responses=answers(401))
def list_matches(games: OfGames, _visitor: AtTable) -> MatchesView:
    """The matches that were played last."""
    with refusing():
        return matches_view(islice(readable(games.sittings), LISTED))


@router.post("", status_code=201, responses=answers(401, 403, 409, 422, 429))
def begin_match(asked: BeginAsked, games: OfGames, site: OfSite, visitor: AtTable) -> MatchView:
    """Begin a match; a player begins one that they play in."""
    check_rate(site, visitor)
    with refusing():
        rules = games.rules(asked, coming_words(site, games.listed_as))
        players, sittings = rules.plan.players, games.sittings
        _check_size(site)
        seen = started(sittings, rules, players, wanted=asked.name, visitor=visitor)
        return _view(seen, site, visitor)


@router.get("/{name}", responses=answers(401, 403, 404, 409, 422))
def look_at_match(
    name: Name, games: OfGames, site: OfSite, visitor: AtTable, player: Player = None
) -> MatchView:
    """A match as it stands now."""
    with refusing():
        return _view(games.sittings.look(name), site, visitor, player)


@router.post("/{name}/deal", responses=answers(401, 403, 404, 409, 422))
async def deal_tiles(
    name: Name, asked: DealAsked, games: OfGames, site: OfSite, visitor: AtTable
) -> MatchView:
    """Take the letters that lie in the tray, read and hidden, as the tiles of a round.

    The tray's own round is over with it, so a player has it done at the table: the tray is free for
    the next shake.
    """
    with refusing():
        seen = await asyncio.to_thread(games.sittings.look, name)
        check_plays(visitor, seen.match.plan.players)
        if asked.round > len(seen.match.rounds):
            _check_takes(visitor)
            _check_to_deal(seen.match, asked.round)
            dealt = dealing(asked.round, site.round_number())
            board = await _taken_board(site, str(seen.log.rules.setup["cubes"]))
            seen = await asyncio.to_thread(
                games.sittings.play, name, lambda at: Deal(at, board), dealt
            )
        return _view(seen, site, visitor)


@router.post("/{name}/moves", responses=answers(401, 403, 404, 409, 422, 429))
def make_move(
    name: Name, given: MoveGiven, games: OfGames, site: OfSite, visitor: AtTable
) -> MatchView:
    """Make a move; what the rules do not allow is refused with the rule, and changes nothing."""
    check_rate(site, visitor)
    with refusing():
        check_is(visitor, given.player, site.state.joined)
        seen = games.sittings.play(name, given.event, given.id)
        return _view(seen, site, visitor, given.player)


@router.get("/{name}/marks", responses=answers(401, 403, 404, 409, 422))
def word_marks(
    name: Name, games: OfGames, site: OfSite, visitor: AtTable, player: Player = None
) -> MarksView:
    """The marks of all words on the tiles, for whoever sees them."""
    with refusing():
        seen = games.sittings.look(name)
        view = _view(seen, site, visitor, player)
        if view.turn is None or view.turn.tiles is None:
            raise Problem(409, "no tiles are to be seen now", "Start the clock.", kind="hidden")
        current = seen.match.rounds[-1]
        board, lexicon = current.tiles.board, seen.match.plan.lexicon
        salt = f"{name}/{current.number}/"
        return games.marks.of(
            (name, current.number, str(board)),
            lambda: marks_view(salt, current.number, board, lexicon),
        )


@router.get("/{name}/rounds", responses=answers(401, 404, 409, 422))
def finished_rounds(name: Name, games: OfGames, _visitor: AtTable) -> FinishedRoundsView:
    """The rounds that everybody is done with: tiles, words, and what was missed."""
    with refusing():
        match = games.sittings.look(name).match
        return FinishedRoundsView(
            match=name, rounds=[_finished(games, name, match, played) for played in match.finished]
        )


def _finished(games: Games, name: str, match: Match, played: Round) -> FinishedView:
    offered = games.offered.of(
        (name, played.number, str(played.tiles.board)),
        lambda: Possible.of(played, match.plan.lexicon),
    )
    return finished_view(played, offered)


def _view(seen: Seen, site: Site, visitor: Session, player: str | None = None) -> MatchView:
    """A match as a visitor may see it: a player their own turn, the display that of the others."""
    state = site.state
    players, joined = seen.match.plan.players, state.joined
    if visitor.role is Role.PLAYER:
        check_is(visitor, player or visitor.name, joined)
        shown = visitor.name if visitor.name in players else None
    elif player is None:
        shown = at_display(seen.match, joined)
    else:
        check_is(visitor, player, joined)
        shown = player if player in players else None
    return match_view(seen, shown, joined, state)


def _check_size(site: Site) -> None:
    if site.table.size not in GAME.sizes:
        rows, cols = site.table.size
        detail = f"{GAME.title} is not played on a tray of {rows}×{cols}"
        raise Problem(409, detail, "Play it on 4×4 or 5×5.", kind="other_tray")


def _check_takes(visitor: Session) -> None:
    """A round that stands ready is the table's: no player ends it."""
    if visitor.role is Role.PLAYER:
        detail = "the tray is taken at the display or by the referee"
        raise Problem(403, detail, "Ask there.", kind="forbidden")


def _check_to_deal(match: Match, number: int) -> None:
    """Before the letters are taken from the tray: they are gone from it then."""
    if match.over:
        raise Problem(409, "the match is over", "Begin another one.", kind="match_over")
    if to_play(match) is not None:
        detail = f"round {len(match.rounds)} is still being played"
        raise Problem(409, detail, "Let everybody finish it first.", kind="round_goes_on")
    if number != len(match.rounds) + 1:
        detail = f"round {len(match.rounds) + 1} comes next"
        raise Problem(409, detail, "Deal that one.", kind="wrong_round")


async def _taken_board(site: Site, cubes: str) -> Board:
    """The letters in the tray, which is free afterwards."""
    edition = cube_set(cubes)
    if site.table.size != (edition.rows, edition.cols):
        detail = f"the match is played with the cubes {cubes}, and another tray stands here"
        raise Problem(409, detail, "Go on where it was begun.", kind="other_tray")
    taken = await site.take(lambda state: Cancelled() if _is_read(state) else None)
    if taken.before.board is None or not _is_read(taken.before):
        detail = f"the tray is {taken.before.phase}: no letters lie there to be dealt"
        advice = "Shake the tray, and wait until its letters are read."
        raise Problem(409, detail, advice, kind="not_read")
    return taken.before.board


def _is_read(state: RoundState) -> bool:
    return state.phase is Phase.READY and state.board is not None
