"""Whatever happens in a round, in whatever order: no error, no lost latch, no motor in a fault.

The events go through the form of the log on their way, so that the fold of what is recorded is the
state that is played.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_host import rounds
from firmware_host.rounds import (
    Agreed,
    Announced,
    AwaitRest,
    BackAsked,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    ChallengeBegun,
    ChallengeDropped,
    ChallengeJudged,
    DecisionUndone,
    DeviceFailed,
    Effect,
    Event,
    ExtraTime,
    LastChance,
    LexiconChosen,
    LidOpened,
    ListHandedIn,
    ListScanned,
    ListsClosed,
    ListsReopened,
    Nudge,
    PauseAsked,
    Phase,
    Plan,
    PlayerJoined,
    PlayerLeft,
    ReadTray,
    RerollAsked,
    Restarted,
    ResumeAsked,
    RoundState,
    Ruling,
    ScanSettled,
    Score,
    Scored,
    Seat,
    Settled,
    Shake,
    ShakeDone,
    StillMoving,
    Stop,
    TableAssigned,
    Tick,
    Timing,
    TrayNotRead,
    TrayRead,
    TurnDone,
    Wait,
    Waited,
    WordErased,
    WordRuled,
    WordWritten,
    step,
)
from firmware_host.store.codec import Decoder, encoded, kind_of
from scoring.board import Board, Cell
from scoring.cubes import Shortage
from scoring.encoding import canonical
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import game
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.wordlist import parse_word_list
from vision.paper.reading import WordReading
from vision.reading import FaceReading, TrayReading

PHOTOS = Path("/kept/photos")
LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe", "rehs"])
BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
RESULT = score_round(BOARD, {"red": parse_word_list("hey\nzebra\na b")}, LEXICON, game("boggle"))
DECODER = Decoder(PHOTOS)
NAMES = st.sampled_from(["red", "blue", "stranger"])
WRITTEN_AT = st.none() | st.floats(999_000.0, 1_001_000.0)
SCANNED = tuple(
    WordReading(text, 0.5, ((text, 0.5),), False, doubtful, ((0.0, 0.5),) * 4, 0)  # noqa: FBT003
    for text, doubtful in (("HEY", False), ("TOE", True))
)
NAMES_OR_NOBODY = NAMES | st.just("")
CELLS = st.tuples(st.integers(0, 3), st.integers(0, 3))
NEVER_BOARD = {Phase.RUNNING, Phase.PAUSED, Phase.COLLECTING, Phase.SCORING, Phase.FINISHED}
MOVES = Shake | Nudge


@st.composite
def readings(draw: st.DrawFn) -> TrayReading:
    shortage = (
        Shortage("new_4x4", (1, 2), ("A", "Qu"), (("A", "B"),)) if draw(st.booleans()) else None
    )
    return make_reading(draw(st.sets(CELLS, max_size=2)), shortage)


def make_reading(doubtful: Collection[Cell] = (), shortage: Shortage | None = None) -> TrayReading:
    cells = tuple(
        tuple(
            FaceReading(face, 0.99, 1.5, ((face, 0.99), ("#", 0.01)), (row, col) in doubtful)
            for col, face in enumerate(faces)
        )
        for row, faces in enumerate(BOARD.faces)
    )
    corners = ((0.0, 0.5), (99.25, 0.0), (100.0, 100.0), (0.1, 100.0))
    return TrayReading(cells, corners, "new_4x4", editions=(("new_4x4", 0.9),), shortage=shortage)


SURE = make_reading()


SEATS = st.lists(st.builds(Seat, st.just("p1"), NAMES), max_size=2).map(tuple)
PROMISES = st.sampled_from(
    ["0" * 64, commitment(BoardPlace("Spring", 1, 1, 0), str(BOARD), "00" * 16)]
)


def failures(at: float) -> st.SearchStrategy[Event]:
    return st.builds(
        DeviceFailed, st.just("lid: no"), st.just("Mend it."), st.just(at), st.none() | st.just(0.5)
    )


def decisions(at: float) -> st.SearchStrategy[Event]:
    """What a referee does, at this time."""
    photo, by = PHOTOS / "list-0123456789ab.jpg", st.just("referee")
    numbers = st.integers(-1, 2)
    return st.one_of(
        st.builds(WordRuled, st.just("hey"), st.sampled_from(Ruling), by, st.just(at)),
        st.builds(ListScanned, NAMES, st.just(photo), st.just(SCANNED), st.just(at)),
        st.builds(
            ScanSettled,
            numbers,
            numbers,
            st.sampled_from(["hey", ""]),
            st.booleans(),
            by,
            st.just(at),
        ),
        st.builds(DecisionUndone, by, st.just(at), st.none() | st.integers(-1, 3)),
        st.builds(ListsReopened, by, st.just(at), st.integers(-1, 3)),
        st.builds(ChallengeBegun, st.just(60.0), by, st.just(at)),
        st.builds(ChallengeDropped, by, st.just(at)),
        st.builds(
            ChallengeJudged,
            st.just(("hey",)),
            st.booleans(),
            st.booleans(),
            st.just(()),
            by,
            st.just(at),
        ),
        st.builds(LexiconChosen, st.sampled_from(["", "tiny"]), st.booleans(), by, st.just(at)),
    )


def anything(at: float) -> st.SearchStrategy[Event]:
    """An event of any kind, at this time."""
    photo = PHOTOS / "photo-0123456789ab.jpg"
    cocked = st.tuples(CELLS) | st.just(())
    return st.one_of(
        st.builds(TrayRead, readings(), st.just(photo), cocked),
        failures(at),
        st.builds(CellConfirmed, CELLS, st.sampled_from(["A", "Qu", "", "nonsense"])),
        st.builds(ListHandedIn, NAMES, st.just(parse_word_list("1. hey\ntwo words"))),
        st.builds(WordWritten, NAMES, st.sampled_from(["hey", " ", "é\u202e"]), st.just(at)),
        st.builds(
            WordWritten, NAMES, st.just("toe"), st.just(at), st.sampled_from("ab"), WRITTEN_AT
        ),
        st.builds(WordErased, NAMES, st.sampled_from(["a", "b", ""])),
        st.builds(PlayerJoined, NAMES, st.just("key"), st.booleans()),
        st.builds(PlayerLeft, NAMES),
        st.builds(TableAssigned, *map(st.just, ("Spring", 1, 1, 3)), SEATS, st.just("") | PROMISES),
        st.builds(BoardPrescribed, st.sampled_from([str(BOARD), "nonsense"]), st.just("00" * 16)),
        st.builds(Announced, st.sampled_from(["Lunch", ""]), st.just(at)),
        st.builds(ListsClosed, st.tuples(NAMES) | st.just(()), st.sampled_from(["", "referee"])),
        decisions(at),
        st.builds(LastChance, NAMES_OR_NOBODY, st.just(at)),
        st.builds(Agreed, NAMES_OR_NOBODY, st.just(at) | st.none()),
        st.builds(ExtraTime, st.floats(-10, 500), st.just(at)),
        st.sampled_from(
            [
                *(kind(at) for kind in (ButtonPressed, Tick, PauseAsked, ResumeAsked)),
                *(kind(at) for kind in (Restarted, TurnDone)),
                *(kind() for kind in (ShakeDone, LidOpened, Settled, StillMoving, Waited)),
                *(kind() for kind in (RerollAsked, Cancelled, BackAsked)),
                TrayNotRead("no tray", "light"),
                Scored(RESULT),
            ]
        ),
    )


def proper_answer(effect: Effect, draw: st.DataObject) -> Event | None:
    """What a tray without fault says to an effect; None where it says nothing."""
    match effect:
        case Shake():
            return ShakeDone()
        case AwaitRest():
            return Settled()
        case ReadTray():
            return TrayRead(draw.draw(readings()), PHOTOS / "photo-0123456789ab.jpg")
        case Score(board, lists, rules):
            return Scored(score_round(board, lists, LEXICON, rules))
        case Wait():
            return Waited()
    return None


def proper_round(at: float) -> list[Event]:
    press = ButtonPressed(at)
    read = TrayRead(SURE, PHOTOS / "photo-0123456789ab.jpg")
    handed_in: list[Event] = [ListHandedIn(name, ()) for name in ("red", "blue")]
    sand = [press, WordWritten("red", "hey", at), Tick(at + 200), *handed_in, Scored(RESULT)]
    return [press, ShakeDone(), Settled(), read, *sand]


class Rounds(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.state = RoundState(Plan(game("boggle"), (), 60.0))
        self.at = 1_000_000.0
        self.replayed = self.state
        self.asked: Effect | None = None
        self.moving = False

    @initialize(
        timing=st.sampled_from(Timing),
        players=st.sampled_from([(), ("red",), ("red", "blue")]),
        timer=st.sampled_from([5.0, 60.0, 180.0]),
        steps=st.integers(0, 9),
        on_paper=st.booleans(),
    )
    def begin(
        self,
        timing: Timing,
        players: tuple[str, ...],
        timer: float,
        steps: int,
        *,
        on_paper: bool,
    ) -> None:
        """Begin anywhere on the way of a proper round."""
        rules = game("worldwinner" if timing is Timing.TURNS else "boggle")
        self.replayed = self.state = RoundState(
            Plan(rules, players, timer, timing=timing, on_paper=on_paper)
        )
        for event in proper_round(self.at)[:steps]:
            self.take(event)

    @rule(data=st.data(), seconds=st.sampled_from([0.0, 0.2, 5.0, 40.0]))
    def something_happens(self, data: st.DataObject, seconds: float) -> None:
        self.at += seconds
        self.take(data.draw(anything(self.at)))

    @rule(data=st.data())
    def the_tray_answers(self, data: st.DataObject) -> None:
        asked, self.asked = self.asked, None
        answer = None if asked is None else proper_answer(asked, data)
        if answer is not None:
            self.take(answer)

    @rule()
    def somebody_presses(self) -> None:
        self.take(ButtonPressed(self.at))

    @rule(player=NAMES)
    def somebody_hands_in(self, player: str) -> None:
        self.take(ListHandedIn(player, ()))

    @rule()
    def time_goes_on(self) -> None:
        self.at += 61.0
        self.take(Tick(self.at))

    @rule()
    def somebody_takes_the_last_decision_back(self) -> None:
        before, event = self.state, rounds.taking_back(self.state, "referee", self.at)
        if event is not None:
            self.take(event)
            assert self.state.rulings == before.rulings[:-1]

    def take(self, event: Event) -> None:
        before = self.state
        self.state, effects = step(before, event)
        if self.state != before:
            kept = canonical(encoded(event))
            self.replayed, _ = step(self.replayed, DECODER.event(kind_of(event), json.loads(kept)))
        if isinstance(event, ShakeDone | LidOpened | Restarted):  # a restart finds the motor off
            self.moving = False
        if before.phase is Phase.FAULTED:
            self.check_latch(before, event, effects)
        self.perform(effects)

    def check_latch(self, before: RoundState, event: Event, effects: tuple[Effect, ...]) -> None:
        assert not any(isinstance(effect, MOVES) for effect in effects)
        if not isinstance(event, ButtonPressed):
            assert self.state.phase is Phase.FAULTED
            assert self.state.fault == before.fault

    def perform(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Shake):
                self.moving = True
            if isinstance(effect, Stop):
                self.moving = False
        self.asked = effects[-1] if effects else self.asked

    @invariant()
    def no_motor_runs_where_it_must_not(self) -> None:
        assert not (self.moving and self.state.phase is not Phase.SHAKING)

    @invariant()
    def a_fault_is_told_as_long_as_it_lasts(self) -> None:
        assert (self.state.fault is not None) == (self.state.phase is Phase.FAULTED)

    @invariant()
    def nobody_plays_without_a_board_or_sees_it_too_early(self) -> None:
        assert self.state.board is not None or self.state.phase not in NEVER_BOARD
        if self.state.phase in {Phase.READY, Phase.PAUSED, Phase.CONFIRMING}:
            assert self.state.shown_board is None

    @invariant()
    def a_doubtful_cube_is_asked_as_long_as_one_is_open(self) -> None:
        asked = self.state.phase is Phase.CONFIRMING
        assert (self.state.question is not None) == asked

    @invariant()
    def what_is_bounded_stays_so(self) -> None:
        assert self.state.shakes <= rounds.MOST_SHAKES
        assert self.state.hands <= rounds.MOST_HANDS
        assert self.state.lids <= rounds.MOST_LIDS
        assert self.state.failures <= rounds.MOST_RETRIES
        assert 0 <= self.state.extra_s <= rounds.MOST_EXTRA_S
        left = self.state.left(self.at)
        assert left is None or 0 <= left <= self.state.plan.timer_s + self.state.extra_s

    @invariant()
    def nobody_is_awaited_without_end(self) -> None:
        if self.state.phase is Phase.COLLECTING:
            assert len(self.state.awaited) > 0

    @invariant()
    def what_is_late_was_written_in_time_and_no_id_is_there_twice(self) -> None:
        for lines in self.state.lines.values():
            ids = [line.id for line in lines if line.id]
            assert len(ids) == len(set(ids))
            over_at = self.state.over_at
            assert all(over_at is None or line.at <= over_at for line in lines if line.late)

    @invariant()
    def the_log_tells_the_state(self) -> None:
        assert comparable(self.replayed) == comparable(self.state)


def comparable(state: RoundState) -> tuple[RoundState, Any]:
    """A state whose result is compared by its form, as solutions are only equal to themselves."""
    return replace(state, result=None), encoded(state.result) if state.result else None


TestRounds = Rounds.TestCase
TestRounds.settings = settings(max_examples=50, stateful_step_count=30)
