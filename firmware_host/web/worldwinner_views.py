"""What the pages see of a WorldWinner match: pure functions from the match to documents.

Tiles and words of a round are shown to whoever plays it, while their own clock runs, and to
everybody when all are done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum

from pydantic import BaseModel, Field

from firmware_host.rounds import Phase, RoundState
from firmware_host.web.views import example
from firmware_host.worldwinner_documents import Possible, payment_document
from firmware_host.worldwinner_sittings import Seen
from scoring.board import Board, Cell
from scoring.lexicon import Lexicon
from scoring.rules.worldwinner import ALL_LETTERS, GAME, LETTER_BONUS, LONG_WORD, ROUNDS
from scoring.solver import solve
from scoring.worldwinner.match import Match, Potential, Round, Turn, potential
from scoring.worldwinner.tiles import Bonus, Tiles
from scoring.worldwinner.words import WordScore

Place = tuple[int, int]
"""Row and column from 0."""

NUMBERS = {
    "all_letters": ALL_LETTERS,
    "long_word": LONG_WORD,
    "letter_bonus": LETTER_BONUS,
    "minimum": GAME.min_length,
}


class Clock(StrEnum):
    """How a player's clock of a round stands."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"


class TileView(BaseModel):
    """A tile; ``bonus`` is null on a plain one, ``lettered`` false where a word cannot run."""

    face: str
    value: int
    bonus: Bonus | None
    lettered: bool


class PaidView(BaseModel):
    """A word that was submitted: what it paid, what this path scores, the best before."""

    word: str
    points: int
    score: int
    before: int
    all_letters: int
    path: list[Place]
    explanation: list[str]


class PotentialView(BaseModel):
    """What the letters that are selected would pay now; they are a word."""

    word: str
    points: int


class TurnView(BaseModel):
    """What one player sees of the round: tiles and words while their clock runs, else none."""

    player: str
    clock: Clock
    left_s: float | None = Field(description="null where the clock was not started")
    points: int
    tiles: list[list[TileView]] | None
    used: list[Place]
    selected: list[Place]
    potential: PotentialView | None
    words: list[PaidView]


class SeatView(BaseModel):
    """A player: points of each round and all together, and how their clock stands."""

    name: str
    points: int
    rounds: list[int]
    clock: Clock
    on_phone: bool


class NumbersView(BaseModel):
    """The numbers of the rules."""

    all_letters: int
    long_word: int
    letter_bonus: int
    minimum: int


class MatchView(BaseModel):
    """A match as one player, or the display, sees it."""

    model_config = example(
        match="monday",
        at=1796050000.25,
        lexicon="enable",
        seconds=120.0,
        over=False,
        winners=[],
        round=1,
        rounds=3,
        to_deal=False,
        tray="cancelled",
        players=[
            {"name": "ada", "points": 5, "rounds": [5], "clock": "running", "on_phone": False}
        ],
        turn={
            "player": "ada",
            "clock": "running",
            "left_s": 93.5,
            "points": 5,
            "tiles": [[{"face": "C", "value": 3, "bonus": None, "lettered": True}]],
            "used": [[0, 0], [0, 1], [0, 2]],
            "selected": [],
            "potential": None,
            "words": [
                {
                    "word": "cat",
                    "points": 5,
                    "score": 5,
                    "before": 0,
                    "all_letters": 0,
                    "path": [[0, 0], [0, 1], [0, 2]],
                    "explanation": ["tiles: C 3 + A 1 + T 1 = 5", "paid: 5"],
                }
            ],
        },
        numbers=NUMBERS,
    )

    match: str
    at: float
    lexicon: str
    seconds: float
    over: bool
    winners: list[str]
    round: int = Field(description="the round that is on, or is to be dealt next")
    rounds: int
    to_deal: bool = Field(description="the tiles of this round are still to come from the tray")
    tray: Phase
    players: list[SeatView]
    turn: TurnView | None = Field(description="null where this visitor plays nobody's turn")
    numbers: NumbersView


class ListedView(BaseModel):
    """A match in the list."""

    match: str
    over: bool
    round: int
    rounds: int
    players: list[str]
    points: list[int]


class MatchesView(BaseModel):
    """The matches that were played last, the latest first."""

    model_config = example(
        matches=[
            {
                "match": "monday",
                "over": False,
                "round": 2,
                "rounds": 3,
                "players": ["ada", "ben"],
                "points": [41, 38],
            }
        ]
    )

    matches: list[ListedView]


class MarksView(BaseModel):
    """Marks of all words on the tiles, so that a page knows a word without asking.

    A mark is the 32-bit FNV-1a hash of the salt and the word, as UTF-8.
    """

    model_config = example(round=1, salt="monday/1/", marks=[1234567890])

    round: int
    salt: str
    marks: list[int]


class PlayedView(BaseModel):
    """A player's round that is over."""

    name: str
    points: int
    used: list[Place]
    words: list[PaidView]


class MissedView(BaseModel):
    """A word that nobody submitted."""

    word: str
    points: int
    path: list[Place]


class FinishedView(BaseModel):
    """A round that everybody is done with."""

    round: int
    tiles: list[list[TileView]]
    players: list[PlayedView]
    found: int
    possible: int
    possible_points: int
    best_missed: list[MissedView]


class FinishedRoundsView(BaseModel):
    """The rounds that everybody is done with."""

    model_config = example(
        match="monday",
        rounds=[
            {
                "round": 1,
                "tiles": [[{"face": "C", "value": 3, "bonus": None, "lettered": True}]],
                "players": [{"name": "ada", "points": 0, "used": [], "words": []}],
                "found": 0,
                "possible": 140,
                "possible_points": 812,
                "best_missed": [{"word": "cat", "points": 5, "path": [[0, 0], [0, 1], [0, 2]]}],
            }
        ],
    )

    match: str
    rounds: list[FinishedView]


def match_view(
    seen: Seen, player: str | None, on_phones: Collection[str], tray: RoundState
) -> MatchView:
    """A match at a moment.

    Args:
        seen: the match.
        player: whose turn is looked at; None of nobody.
        on_phones: who plays on a phone of their own.
        tray: the round of the tray.
    """
    match = seen.match
    to_deal = _is_to_deal(match)
    return MatchView(
        match=seen.name,
        at=seen.at,
        lexicon=match.plan.lexicon.name,
        seconds=match.plan.seconds,
        over=match.over,
        winners=list(match.winners),
        round=len(match.rounds) + to_deal,
        rounds=ROUNDS,
        to_deal=to_deal,
        tray=tray.phase,
        players=[_seat(match, name, seen.at, on_phones) for name in match.plan.players],
        turn=None if player is None else _turn_view(match, player, seen.at),
        numbers=NumbersView(**NUMBERS),
    )


def at_display(match: Match, on_phones: Collection[str]) -> str | None:
    """Whose turn the display shows: who plays on no phone and is not done, one after the other."""
    here = [name for name in match.plan.players if name not in on_phones]
    turns = match.rounds[-1].turns if match.rounds else {}
    unfinished = (name for name in here if name in turns and not turns[name].ended)
    return next(unfinished, None)


def matches_view(seen: Iterable[Seen]) -> MatchesView:
    """The list of matches."""
    return MatchesView(
        matches=[
            ListedView(
                match=each.name,
                over=each.match.over,
                round=len(each.match.rounds) + _is_to_deal(each.match),
                rounds=ROUNDS,
                players=list(each.match.plan.players),
                points=list(each.match.totals.values()),
            )
            for each in seen
        ]
    )


def finished_view(played: Round, offered: Possible) -> FinishedView:
    """A round that everybody is done with."""
    found = {paid.score.word for turn in played.turns.values() for paid in turn.payments}
    return FinishedView(
        round=played.number,
        tiles=tile_views(played.tiles),
        players=[
            PlayedView(
                name=player,
                points=turn.points,
                used=sorted(turn.used),
                words=_paid_views(turn),
            )
            for player, turn in played.turns.items()
        ],
        found=len(found),
        possible=len(offered.words),
        possible_points=offered.points,
        best_missed=[_missed(score) for score in offered.missed],
    )


def marks_view(salt: str, number: int, board: Board, lexicon: Lexicon) -> MarksView:
    """The marks of all words on a board."""
    words = {found.word for found in solve(board, lexicon, GAME).words}
    return MarksView(round=number, salt=salt, marks=sorted(mark_of(salt + word) for word in words))


def mark_of(text: str) -> int:
    """The 32-bit FNV-1a hash of a text.

    Example:
        >>> mark_of("a")
        3826002220
    """
    mark = 0x811C9DC5
    for byte in text.encode():
        mark = (mark ^ byte) * 0x01000193 & 0xFFFFFFFF
    return mark


def clock_of(turn: Turn, at: float) -> Clock:
    """How the clock of a turn stands."""
    if turn.over(at):
        return Clock.OVER
    return Clock.WAITING if turn.ends_at is None else Clock.RUNNING


def _is_to_deal(match: Match) -> bool:
    return len(match.finished) == len(match.rounds) < ROUNDS


def _seat(match: Match, name: str, at: float, on_phones: Collection[str]) -> SeatView:
    rounds = [played.turns[name] for played in match.rounds]
    return SeatView(
        name=name,
        points=match.totals[name],
        rounds=[turn.points for turn in rounds],
        clock=clock_of(rounds[-1], at) if rounds else Clock.WAITING,
        on_phone=name in on_phones,
    )


def _turn_view(match: Match, player: str, at: float) -> TurnView | None:
    if not match.rounds:
        return None
    current = match.rounds[-1]
    turn = current.turns[player]
    clock = clock_of(turn, at)
    plays = clock is Clock.RUNNING
    could = potential(match, player) if plays else None
    return TurnView(
        player=player,
        clock=clock,
        left_s=turn.left(at),
        points=turn.points,
        tiles=tile_views(current.tiles) if plays else None,
        used=sorted(turn.used) if plays else [],
        selected=list(turn.selected),
        potential=_potential_view(could),
        words=_paid_views(turn) if plays else [],
    )


def _potential_view(could: Potential | None) -> PotentialView | None:
    return None if could is None else PotentialView(word=could.score.word, points=could.points)


def tile_views(tiles: Tiles) -> list[list[TileView]]:
    """The tiles, row by row."""
    board = tiles.board
    return [
        [_tile_view(tiles, (row, col)) for col in range(board.cols)] for row in range(board.rows)
    ]


def _tile_view(tiles: Tiles, cell: Cell) -> TileView:
    tile = tiles[cell]
    lettered = bool(tiles.spell((cell,)))
    return TileView(face=tile.face, value=tile.value, bonus=tile.bonus, lettered=lettered)


def _paid_views(turn: Turn) -> list[PaidView]:
    return [PaidView(**payment_document(payment)) for payment in turn.payments]


def _missed(score: WordScore) -> MissedView:
    return MissedView(word=score.word, points=score.points, path=list(score.path))
