"""What the pages see of a round: pure functions from its state to documents.

Nobody is shown more than they may see: no letter before the sand runs, no list of another player
before the end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from firmware_host.documents import result_document
from firmware_host.rounds import Line, Phase, RoundState
from firmware_host.web.faults import Said, advised_of, said_of
from firmware_host.web.sessions import Role, Session
from firmware_host.web.stream import WATCHED
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.paths import find_path

LANGUAGES = ("en", "de", "fr", "es", "it")
"""Languages of the pages."""

MOST_MARKED = 20_000
"""Words whose marks are remembered: every page is told them again and again."""


def example(**values: Any) -> ConfigDict:  # noqa: ANN401 - any JSON
    """The configuration of a model that has an example."""
    return ConfigDict(json_schema_extra={"examples": [values]})


class GameView(BaseModel):
    """The rules that are played by."""

    name: str
    title: str
    timer_s: float
    minimum: int
    rows: int
    cols: int


class BoardView(BaseModel):
    """The letters."""

    rows: int
    cols: int
    faces: list[list[str]]


class QuestionView(BaseModel):
    """A doubtful cube that somebody must settle; rows and columns from 0."""

    row: int
    col: int
    offers: list[str]
    shown: int
    number: int
    of: int
    crop_url: str


class TimerView(BaseModel):
    """The sand: seconds left, None where there is none."""

    left_s: float | None
    running: bool
    total_s: float


class PlayerView(BaseModel):
    """A player, as all may see them."""

    name: str
    found: int
    handed_in: bool
    points: int | None
    online: bool
    on_paper: bool


class FaultView(BaseModel):
    """What stopped the round, and what to do: in English, and by keys of the catalogues."""

    message: str
    advice: str
    said: Said | None = None
    advised: Said | None = None


class ChallengeClockView(BaseModel):
    """The clock of a challenge: its end decides nothing."""

    model_config = example(left_s=41.5, total_s=60.0, by="referee")

    left_s: float
    total_s: float
    by: str


class AnnouncedView(BaseModel):
    """What the station of a tournament has to say; seconds left where that counts down."""

    model_config = example(text="Round 3 begins", left_s=95.5)

    text: str
    left_s: float | None


class RoundView(BaseModel):
    """The round; ``lexicon`` names the word list that proves its words."""

    number: int
    game: GameView
    lexicon: str
    phase: Phase
    offered: str
    to_play: str | None
    unhurried: bool
    board: BoardView | None
    prescribed: bool = Field(description="the board was given, not read: no cube can be misread")
    cells_read: list[list[bool]] | None
    question: QuestionView | None
    timer: TimerView
    challenge: ChallengeClockView | None
    announced: AnnouncedView | None
    decided: int = Field(description="decisions that hold; another number: look at them again")
    players: list[PlayerView]
    fault: FaultView | None
    waits_for: FaultView | None = Field(
        description="a device that failed and is tried again by itself"
    )
    result: dict[str, Any] | None


class TableView(BaseModel):
    """The table; its address to join and its code are for those who sit at it.

    ``lexicon`` names the word list of the rounds to come.
    """

    name: str
    lexicon: str
    join_url: str | None
    code: str | None


class WordView(BaseModel):
    """A word of one's own list."""

    model_config = example(id="k3-0001", text="quiet", late=False, on_board=None)

    id: str
    text: str
    late: bool = False
    on_board: bool | None = Field(
        default=None,
        description="whether the board gives it; null unless the table tells that. Whether it is "
        "in the word list is never told before the end",
    )


class YouView(BaseModel):
    """What a player sees of themselves."""

    model_config = example(
        name="ada", words=[{"id": "k3-0001", "text": "quiet", "late": False}], handed_in=False
    )

    name: str
    words: list[WordView]
    handed_in: bool


class HeadView(BaseModel):
    """What a page needs to know besides the round and its visitor."""

    seq: int
    at: float
    simulated: bool
    role: Role
    languages: list[str]
    table: TableView


class StateView(HeadView):
    """All that a page needs to know; complete each time."""

    model_config = example(
        seq=17,
        at=1796050000.25,
        simulated=True,
        role="player",
        languages=list(LANGUAGES),
        table={"name": "wordtray", "lexicon": "enable", "join_url": None, "code": None},
        round={
            "number": 12,
            "game": {
                "name": "boggle",
                "title": "Boggle",
                "timer_s": 180.0,
                "minimum": 3,
                "rows": 4,
                "cols": 4,
            },
            "lexicon": "enable",
            "phase": "running",
            "offered": "",
            "to_play": None,
            "unhurried": False,
            "board": {
                "rows": 4,
                "cols": 4,
                "faces": [["I", "E", "T", "C"], ["H", "Qu", "P", "E"], list("SEYH"), list("TOER")],
            },
            "prescribed": False,
            "cells_read": None,
            "question": None,
            "timer": {"left_s": 123.4, "running": True, "total_s": 180.0},
            "challenge": None,
            "announced": None,
            "decided": 0,
            "players": [
                {
                    "name": "ada",
                    "found": 1,
                    "handed_in": False,
                    "points": None,
                    "online": True,
                    "on_paper": False,
                }
            ],
            "fault": None,
            "waits_for": None,
            "result": None,
        },
        you={"name": "ada", "words": [{"id": "k3-0001", "text": "hey"}], "handed_in": False},
    )

    round: RoundView
    you: YouView | None


@dataclass(frozen=True)
class Scene:
    """A state with what is around it.

    Attributes:
        state: of the round.
        seq: number of the last event.
        at: time of the clock.
        number: of the round in the log.
        online: names of players whose phones are connected.
        table: name of the table.
        join_url: where players join.
        code: that lets them.
        simulated: the tray is made up.
        lexicon: the word list of the round.
        next_lexicon: name of that of the rounds to come.
        size: rows and columns of the tray.
        board_marks: players are told at once whether a word is on the board.
        glimpse: as of `firmware_host.web.stream.Hub.glimpse`.
        recovered: as of `firmware_host.web.stream.Hub.recovered`.
    """

    state: RoundState
    seq: int
    at: float
    number: int
    online: Collection[str]
    table: str
    join_url: str
    code: str
    simulated: bool
    lexicon: Lexicon
    next_lexicon: str
    size: tuple[int, int]
    board_marks: bool = False
    glimpse: tuple[tuple[bool, ...], ...] = ()
    recovered: bool = False

    @property
    def awaits_device(self) -> bool:
        """Whether a device that failed is waited for, and is not back yet."""
        return self.state.failures > 0 and not self.recovered

    def mark(self, text: str) -> bool | None:
        """Whether a word is on the board; None where the table does not tell that, or not now."""
        board = self.state.shown_board if self.board_marks else None
        return None if board is None else _is_on(board, self.lexicon.folding(text.lower()))


@lru_cache(maxsize=MOST_MARKED)
def _is_on(board: Board, word: str) -> bool:
    return find_path(board, word) is not None


def state_view(scene: Scene, viewer: Session) -> StateView:
    """What somebody may see."""
    is_player = viewer.role is Role.PLAYER
    return StateView(
        **dict(head_view(scene, viewer)),
        round=round_view(scene, viewer),
        you=you_view(scene, viewer.name) if is_player else None,
    )


def head_view(scene: Scene, viewer: Session) -> HeadView:
    """What somebody may see besides the round."""
    return HeadView(
        seq=scene.seq,
        at=scene.at,
        simulated=scene.simulated,
        role=viewer.role,
        languages=list(LANGUAGES),
        table=table_view(scene, open_=viewer.role is not Role.PLAYER),
    )


def table_view(scene: Scene, *, open_: bool) -> TableView:
    """The table; ``open_`` to those who may bring others to it."""
    return TableView(
        name=scene.table,
        lexicon=scene.next_lexicon,
        join_url=scene.join_url if open_ else None,
        code=scene.code if open_ else None,
    )


def round_view(scene: Scene, viewer: Session) -> RoundView:
    """The round as somebody may see it."""
    state = scene.state
    rows, cols = scene.size
    game = state.plan.game
    return RoundView(
        number=scene.number,
        game=GameView(
            name=game.name,
            title=game.title,
            timer_s=state.plan.timer_s,
            minimum=game.shortest,
            rows=rows,
            cols=cols,
        ),
        lexicon=scene.lexicon.name,
        phase=state.phase,
        offered=state.offered,
        to_play=state.to_play,
        unhurried=state.unhurried,
        board=board_view(state, viewer.role),
        prescribed=state.prescribed,
        cells_read=cells_read(scene),
        question=None if viewer.role is Role.PLAYER else question_view(state),
        timer=timer_view(state, scene.at),
        challenge=challenge_view(state, scene.at),
        announced=announced_view(state, scene.at),
        decided=len(state.rulings),
        players=list(player_views(state, scene.online)),
        fault=fault_view(state.fault),
        waits_for=fault_view(state.trouble if scene.awaits_device else None),
        result=result_view(scene, viewer),
    )


def board_view(state: RoundState, role: Role) -> BoardView | None:
    """The board, where players may see it; for the referee in a pause, too."""
    arbiter = role in {Role.REFEREE, Role.OWNER}
    board = state.arbitrated_board if arbiter else state.shown_board
    if board is None:
        return None
    return BoardView(rows=board.rows, cols=board.cols, faces=[list(row) for row in board.faces])


def cells_read(scene: Scene) -> list[list[bool]] | None:
    """Which cells are settled from the end of the shake to the start; no letter of them.

    First those that are seen to rest, as they are; then those of the photo, by which is played.
    """
    state = scene.state
    if state.phase in WATCHED:
        return _glimpsed(scene)
    if state.phase not in {Phase.CONFIRMING, Phase.READY} or state.reading is None:
        return None
    board = state.reading.board
    return [
        [(row, col) not in state.unconfirmed for col in range(board.cols)]
        for row in range(board.rows)
    ]


def _glimpsed(scene: Scene) -> list[list[bool]]:
    """Nothing where a device has failed, or what was seen is of another size than the tray."""
    rows, cols = scene.size
    fits = not scene.awaits_device and [len(row) for row in scene.glimpse] == [cols] * rows
    return [list(row) for row in scene.glimpse] if fits else [[False] * cols for _ in range(rows)]


def question_view(state: RoundState) -> QuestionView | None:
    """What is asked of a doubtful cube."""
    question = state.question
    if question is None:
        return None
    row, col = question.cell
    return QuestionView(
        row=row,
        col=col,
        offers=[str(offer) for offer in question.offers],
        shown=question.place,
        number=question.number,
        of=question.count,
        crop_url=f"/api/cells/{row}/{col}.png",
    )


def timer_view(state: RoundState, at: float) -> TimerView:
    """The sand at a time."""
    return TimerView(
        left_s=state.left(at),
        running=state.phase is Phase.RUNNING and state.ends_at is not None,
        total_s=state.plan.timer_s + state.extra_s,
    )


def fault_view(fault: tuple[str, str] | None) -> FaultView | None:
    """A fault, in English as the devices tell it, and by its keys for every language."""
    if fault is None:
        return None
    message, advice = fault
    return FaultView(
        message=message, advice=advice, said=said_of(message), advised=advised_of(advice)
    )


def challenge_view(state: RoundState, at: float) -> ChallengeClockView | None:
    """The clock of a challenge at a time."""
    begun = state.challenge
    if begun is None:
        return None
    left = min(max(0.0, begun.at + begun.seconds - at), begun.seconds)
    return ChallengeClockView(left_s=left, total_s=begun.seconds, by=begun.by)


def announced_view(state: RoundState, at: float) -> AnnouncedView | None:
    """What the station has to say at a time."""
    if not state.announced:
        return None
    until = state.announced_until
    left = None if until is None else max(0.0, until - at)
    return AnnouncedView(text=state.announced, left_s=left)


def player_views(state: RoundState, online: Collection[str]) -> list[PlayerView]:
    """All who play; their points once there is a result."""
    points = {one.name: one.points for one in state.result.players} if state.result else {}
    on_paper = {seat.player for seat in state.seats if seat.on_paper}
    return [
        PlayerView(
            name=name,
            found=sum(not line.erased for line in state.lines.get(name, ())),
            handed_in=name in state.lists,
            points=points.get(name),
            online=name in online,
            on_paper=name in on_paper or (state.plan.on_paper and name not in state.joined),
        )
        for name in state.players
    ]


def result_view(scene: Scene, viewer: Session) -> dict[str, Any] | None:
    """The result; a player gets the words of their own list alone: all of them are at its route."""
    if scene.state.result is None:
        return None
    document = result_document(scene.state.result, scene.lexicon)
    if viewer.role is not Role.PLAYER:
        return document
    mine = [
        player if player["name"] == viewer.name else player | {"words": []}
        for player in document["players"]
    ]
    return document | {"players": mine}


def you_view(scene: Scene, name: str) -> YouView:
    """A player's own list."""
    state = scene.state
    words = [
        word_view(line, on_board=scene.mark(line.text))
        for line in standing(state.lines.get(name, ()))
    ]
    return YouView(name=name, words=words, handed_in=name in state.lists)


def word_view(line: Line, *, on_board: bool | None) -> WordView:
    """A word of a list, and whether it is on the board where that is told."""
    return WordView(id=line.id, text=line.text, late=line.late, on_board=on_board)


def standing(lines: Collection[Line]) -> list[Line]:
    """The lines that were not taken back."""
    return [line for line in lines if not line.erased]


def line_of(lines: Mapping[str, tuple[Line, ...]], name: str, id_: str) -> Line | None:
    """The line of an id on a player's list, also one that was taken back."""
    return next((line for line in lines.get(name, ()) if line.id == id_), None)
