"""The owner: one event after the other, ticks, faults that keep the thread, hangs that are seen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware_host import rounds
from firmware_host.owner import MOST_TOGETHER, SLICE_S, TICK_S, Owner, OwnersClock, Stopped
from firmware_host.presses import listen
from firmware_host.rounds import ButtonPressed, DeviceFailed, Effect, Event, Phase, Plan, RoundState
from firmware_host.store.errors import StorageError
from hardware.clock import ManualClock
from hardware.devices import DeviceError, Devices, Photo
from hardware.simulated import Call, Faces, Fault, SimulatedDevices, simulated_devices
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from tests.firmware_host.conftest import BOARD, after
from vision.reading import TrayReading

PATIENCE_S = 10.0
"""For what comes at once; it bounds a test that would hang."""

IGNORED = rounds.Settled()
"""An event that belongs to no phase of these tests."""


def render(_faces: Faces, _number: int) -> Photo:
    return np.zeros((4, 4, 3), np.uint8)


class Performer:
    """Notes effects; answers, raises or hangs where it was told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.shown: list[tuple[str, ...]] = []
        self.answers: dict[str, Event | Exception | Callable[[], Event | None]] = {}

    def __call__(self, effect: Effect) -> Event | None:
        name = type(effect).__name__
        self.done.append(name)
        if isinstance(effect, rounds.Show):
            self.shown.append(effect.lines)
        match self.answers.get(name):
            case Exception() as error:
                raise error
            case None:
                return None
            case answer:
                return answer() if callable(answer) else answer


class Hang:
    """A call that does not come back until it is let go."""

    def __init__(self, answer: Event | None = None) -> None:
        self.begun = threading.Event()
        self.let_go = threading.Event()
        self._answer = answer

    def __call__(self) -> Event | None:
        self.begun.set()
        assert self.let_go.wait(PATIENCE_S)
        return self._answer


class MeddledClock(ManualClock):
    """Something happens during the next sleep."""

    meddle: Callable[[], None] | None = None

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        meddle, self.meddle = self.meddle, None
        if meddle:
            meddle()


class Notebook:
    """Notes what is kept; cannot, where it was told so."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.full = False

    def begin(self, _before: RoundState | None = None) -> None:
        self.kept.append("begin")

    def record(self, event: Event) -> None:
        if self.full:
            raise StorageError("the disk is full", "Make room.")
        self.kept.append(type(event).__name__)

    def record_all(self, events: Sequence[Event]) -> None:
        if events and self.full:
            raise StorageError("the disk is full", "Make room.")
        if events:
            self.kept.append(" ".join(type(event).__name__ for event in events))


@pytest.fixture
def book() -> Notebook:
    return Notebook()


@pytest.fixture
def clock() -> MeddledClock:
    return MeddledClock(100.0)


@pytest.fixture
def own_clock(clock: ManualClock) -> OwnersClock:
    return OwnersClock(clock)


@pytest.fixture
def calls() -> list[Call]:
    return []


@pytest.fixture
def devices(own_clock: OwnersClock, calls: list[Call]) -> SimulatedDevices:
    return simulated_devices(lambda: (("A",),), render, own_clock, calls.append)


@pytest.fixture
def perform() -> Performer:
    return Performer()


@pytest.fixture
def watched() -> list[Phase]:
    return []


MakeOwner = Callable[[RoundState], Owner]


@pytest.fixture
def make(
    devices: SimulatedDevices,
    perform: Performer,
    own_clock: OwnersClock,
    book: Notebook,
    watched: list[Phase],
) -> MakeOwner:
    """Makes an owner of a round that stands like this."""

    def owner(state: RoundState) -> Owner:
        return Owner(
            state,
            devices,
            perform,
            own_clock,
            book=book,
            watch=lambda state, _event: watched.append(state.phase),
        )

    return owner


@pytest.fixture
def owner(make: MakeOwner, plan: Plan) -> Owner:
    return make(RoundState(plan))


@pytest.fixture
def running(owner: Owner) -> Iterator[Owner]:
    """An owner at work in its thread."""
    thread = threading.Thread(target=owner.run)
    thread.start()
    yield owner
    owner.stop()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def press(owner: Owner, at: float = 100.0) -> Future[RoundState]:
    return owner.post(ButtonPressed(at))


def test_an_event_is_answered_with_the_state_it_led_to(owner: Owner, perform: Performer) -> None:
    answer = press(owner)
    assert not answer.done()
    owner.turn()
    assert answer.result().phase is Phase.SHAKING
    assert perform.done == ["Clear", "Show", "Light", "Shake"]
    assert owner.standing.state.phase is Phase.SHAKING


def test_a_press_during_the_shake_is_over_with_the_shake(
    owner: Owner, perform: Performer, ready: RoundState
) -> None:
    """Taken behind the answers instead, it would start the sand of a board that nobody saw."""
    assert ready.reading is not None
    assert ready.photo is not None
    meddling: list[Future[RoundState]] = []

    def shake() -> Event:
        meddling.append(press(owner))
        return rounds.ShakeDone()

    perform.answers = {
        "Shake": shake,
        "AwaitRest": rounds.Settled(),
        "ReadTray": rounds.TrayRead(ready.reading, ready.photo),
    }
    press(owner)
    for _ in range(5):
        owner.turn()
    assert owner.standing.state.phase is Phase.READY
    assert meddling[0].result().phase is Phase.SHAKING


def test_it_ticks_while_the_sand_runs_and_else_not(
    make: MakeOwner, perform: Performer, ready: RoundState, clock: ManualClock
) -> None:
    owner = make(ready)
    owner.post(IGNORED)
    owner.turn()
    assert perform.done == []
    press(owner)
    owner.turn()
    for _ in range(2):
        clock.sleep(TICK_S)
        owner.post(IGNORED)
        owner.turn()
    assert perform.done[-2:] == ["Sand", "Show"]
    assert perform.shown[-1][0] == "1:00"
    clock.sleep(60)
    owner.post(IGNORED)
    owner.turn()
    assert owner.standing.state.phase is Phase.COLLECTING


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (DeviceError("camera", "it is gone", "Plug it in."), ("camera: it is gone", "Plug it in.")),
        (OSError(28, "No space left on device"), ("the system refused it", "disk is full")),
        (ZeroDivisionError("1/0"), ("an unexpected error, ZeroDivisionError: 1/0", "report")),
    ],
)
def test_whatever_an_effect_raises_is_a_fault_and_the_owner_lives(
    owner: Owner, perform: Performer, error: Exception, told: tuple[str, str]
) -> None:
    perform.answers = {"Light": error}
    press(owner)
    owner.turn()
    assert perform.done == ["Clear", "Show", "Light"]
    owner.turn()
    fault = owner.standing.state.fault
    assert fault is not None
    assert told[0] in fault[0]
    assert told[1] in fault[1]
    assert perform.done[3:] == ["Stop", "Show", "Play"]


def test_what_fails_in_a_fault_neither_hides_it_nor_keeps_the_machine_from_telling(
    owner: Owner, perform: Performer
) -> None:
    perform.answers = {
        "Stop": DeviceError("lamp", "it is gone", "Look."),
        "Show": DeviceFailed("display: dead", "Look.", 100.0),
    }
    owner.post(DeviceFailed("lid: open", "Close it.", 100.0))
    for _ in range(3):
        owner.turn()
    assert perform.done == ["Stop", "Show"]
    assert owner.standing.state.fault == ("lid: open", "Close it.")
    press(owner)
    owner.turn()
    assert owner.standing.state.phase is Phase.IDLE


def test_who_waits_to_try_again_hears_the_button(
    owner: Owner, perform: Performer, clock: MeddledClock
) -> None:
    perform.answers = {"Light": DeviceFailed("lamp: busy", "Wait.", 100.0, retry_after_s=2.0)}
    press(owner)
    for _ in range(2):
        owner.turn()
    perform.answers = {}
    done = len(perform.done)
    press(owner).add_done_callback(lambda _: clock.sleep(2.0))
    owner.turn()
    assert len(perform.done) == done
    owner.post(IGNORED)
    owner.turn()
    assert perform.done[done:] == ["Show", "Light", "Shake"]


def test_each_round_is_kept_as_its_own_and_each_event_before_it_counts(
    owner: Owner, book: Notebook
) -> None:
    for event in (ButtonPressed(0.0), rounds.Cancelled(), ButtonPressed(0.0)):
        owner.post(event)
        owner.turn()
    assert book.kept == ["begin", "ButtonPressed", "Cancelled", "begin", "ButtonPressed"]


def test_what_cannot_be_kept_does_not_happen_and_all_goes_off(
    owner: Owner, book: Notebook, devices: SimulatedDevices, perform: Performer
) -> None:
    devices.lamp.on()
    book.full = True
    answer = press(owner)
    with pytest.raises(StorageError, match="full"):
        owner.run()
    assert isinstance(answer.exception(), StorageError)
    assert perform.done == ["Show"]
    assert owner.standing.state.phase is Phase.IDLE
    assert not devices.lamp.lit


def test_every_step_is_told_before_its_effects(
    owner: Owner, perform: Performer, watched: list[Phase]
) -> None:
    told: list[int] = []
    perform.answers = {"Show": lambda: told.append(len(watched))}
    press(owner)
    owner.turn()
    assert watched == [Phase.SHAKING]
    assert told == [1]


def test_a_display_of_a_simulated_machine_says_so(owner: Owner, perform: Performer) -> None:
    press(owner)
    owner.turn()
    assert perform.shown == [("Shaking", "SIMULATED")]


def test_what_is_shown_once_at_the_start_stands_above_the_rest(
    devices: SimulatedDevices,
    perform: Performer,
    own_clock: OwnersClock,
    book: Notebook,
    plan: Plan,
) -> None:
    welcome = ("Referee 123456",)
    owner = Owner(RoundState(plan), devices, perform, own_clock, book=book, welcome=welcome)
    owner.begun.add_done_callback(lambda _: owner.stop())
    owner.run()
    assert perform.shown == [("Referee 123456", "Press to shake", "SIMULATED")]


def test_a_start_after_a_round_tells_how_it_ended_and_records_nothing(
    make: MakeOwner, ready: RoundState, perform: Performer, book: Notebook
) -> None:
    result = score_round(BOARD, {}, Lexicon.from_words("tiny", ["hey"]), ready.plan.game)
    alone = replace(ready, plan=replace(ready.plan, players=()))
    owner = make(after(alone, ButtonPressed(0.0), rounds.Tick(99.0), rounds.Scored(result)))
    owner.begun.add_done_callback(lambda _: owner.stop())
    owner.run()
    assert perform.shown == [("1 words,", "1 points", "SIMULATED")]
    assert book.kept == []


def test_what_is_meant_is_taken_where_the_round_then_stands(owner: Owner) -> None:
    seen: list[Phase] = []

    def meant(state: RoundState) -> Event | None:
        seen.append(state.phase)
        return None

    press(owner)
    answer = owner.take(meant)
    for _ in range(2):
        owner.turn()
    assert seen == [Phase.SHAKING]
    assert answer.result().phase is Phase.SHAKING


class TestWords:
    """Phones send many at once, and each write to the disk takes its time."""

    @pytest.fixture
    def playing(self, make: MakeOwner, ready: RoundState) -> Owner:
        return make(after(ready, ButtonPressed(100.0)))

    def write(self, owner: Owner, id_: str, at: float = 101.0) -> Future[RoundState]:
        return owner.post(rounds.WordWritten("red", "hey", at, id_))

    def test_words_that_wait_are_kept_together_and_each_has_its_answer(
        self, playing: Owner, book: Notebook, watched: list[Phase]
    ) -> None:
        answers = [self.write(playing, id_) for id_ in ("1", "2", "1", "3")]
        playing.turn()
        assert book.kept == [" ".join(["WordWritten"] * 3)]
        assert [len(one.result().lines["red"]) for one in answers] == [1, 2, 2, 3]
        assert len(watched) == 1 + 4  # behind a tick

    def test_what_is_no_word_comes_after_them_in_its_turn(
        self, playing: Owner, book: Notebook
    ) -> None:
        self.write(playing, "1")
        paused = playing.post(rounds.PauseAsked(102.0))
        later = self.write(playing, "2")
        playing.turn()
        assert book.kept == ["WordWritten", "PauseAsked"]
        assert (paused.result().phase, later.done()) == (Phase.PAUSED, False)

    def test_a_word_that_ends_the_round_is_no_quiet_one(
        self, playing: Owner, book: Notebook, perform: Performer
    ) -> None:
        self.write(playing, "1")
        late = self.write(playing, "2", at=160.0)
        playing.turn()
        assert late.result().phase is Phase.COLLECTING
        assert book.kept == ["WordWritten", "WordWritten"]
        assert "Play" in perform.done

    def test_where_they_cannot_be_kept_none_has_happened(
        self, playing: Owner, book: Notebook
    ) -> None:
        book.full = True
        answers = [self.write(playing, id_) for id_ in ("1", "2")]
        with pytest.raises(StorageError, match="full"):
            playing.turn()
        assert all(isinstance(one.exception(), StorageError) for one in answers)
        assert playing.standing.state.lines == {}

    def test_one_that_was_given_up_is_left_out(self, playing: Owner) -> None:
        first, second, third = (self.write(playing, id_) for id_ in ("1", "2", "3"))
        assert second.cancel()
        playing.turn()
        assert [line.id for line in third.result().lines["red"]] == ["1", "3"]
        assert first.done()

    def test_no_more_are_kept_together_than_is_good(self, playing: Owner, book: Notebook) -> None:
        for number in range(MOST_TOGETHER + 5):
            self.write(playing, str(number))
        playing.turn()
        assert [len(kept.split()) for kept in book.kept] == [MOST_TOGETHER, 1]


def test_it_ticks_while_lists_of_those_who_joined_are_awaited(
    make: MakeOwner, ready: RoundState, clock: ManualClock
) -> None:
    alone = replace(ready, plan=replace(ready.plan, players=()))
    owner = make(after(alone, rounds.PlayerJoined("ada"), ButtonPressed(40.0), rounds.Tick(100.0)))
    for phase in (Phase.COLLECTING, Phase.SCORING):
        owner.post(IGNORED)
        owner.turn()
        assert owner.standing.state.phase is phase
        clock.sleep(rounds.TYPED_S)


def test_a_press_that_means_to_cancel_reaches_the_round(
    owner: Owner, devices: SimulatedDevices
) -> None:
    press(owner)
    owner.begun.add_done_callback(lambda _: devices.button.act("cancel"))
    owner.begun.add_done_callback(lambda _: last(owner))
    owner.run()
    assert owner.standing.state.phase is Phase.CANCELLED


@pytest.fixture
def confirming(plan: Plan, reading: Callable[..., TrayReading]) -> RoundState:
    """Two cubes are doubtful."""
    photo = rounds.TrayRead(reading(doubtful=[(0, 0), (1, 1)]), Path("photo.jpg"))
    events = (ButtonPressed(0.0), rounds.ShakeDone(), rounds.Settled(), photo)
    return after(RoundState(replace(plan, players=())), *events)


Serve = Callable[[RoundState, Callable[[], None]], Owner]


@pytest.fixture
def serve(make: MakeOwner) -> Serve:
    """Serves a round while somebody does something, until all of it is taken."""

    def through(state: RoundState, do: Callable[[], None]) -> Owner:
        owner = make(state)
        owner.begun.add_done_callback(lambda _: do())
        owner.begun.add_done_callback(lambda _: last(owner))
        owner.run()
        return owner

    return through


def test_doubtful_cubes_are_confirmed_with_one_button(
    serve: Serve,
    confirming: RoundState,
    devices: SimulatedDevices,
    perform: Performer,
    book: Notebook,
) -> None:
    def confirm() -> None:
        devices.button.press()
        devices.button.hold()  # means to cancel, where nothing is asked
        devices.button.hold()

    state = serve(confirming, confirm).standing.state
    assert state.phase is Phase.READY
    assert state.confirmed == {(0, 0): "#", (1, 1): "Qu"}
    assert book.kept == ["Restarted", "ButtonPressed", "CellConfirmed", "CellConfirmed"]
    assert [lines[:2] for lines in perform.shown] == [
        ("Row 1, column 1", "I? (1/2)"),
        ("Row 1, column 1", "Blank? (1/2)"),
        ("Row 2, column 2", "Qu? (2/2)"),
        ("Ready", "Press to start"),
    ]
    assert all(lines[-1] == "SIMULATED" for lines in perform.shown)


def test_a_question_waits_for_ever(
    make: MakeOwner,
    confirming: RoundState,
    perform: Performer,
    clock: MeddledClock,
    book: Notebook,
) -> None:
    owner = make(confirming)
    for _ in range(3):
        clock.sleep(100_000.0)
        owner.post(IGNORED)
        owner.turn()
    assert owner.standing.state == confirming
    assert (perform.done, book.kept) == ([], [])


@pytest.mark.parametrize(
    ("action", "phase"), [("reroll", Phase.SHAKING), ("cancel", Phase.CANCELLED)]
)
def test_while_a_cube_is_asked_other_buttons_mean_what_they_do(
    serve: Serve, confirming: RoundState, devices: SimulatedDevices, action: str, phase: Phase
) -> None:
    owner = serve(confirming, lambda: devices.button.act(action))
    assert owner.standing.state.phase is phase


def test_further_buttons_take_and_go_back(
    serve: Serve, confirming: RoundState, devices: SimulatedDevices
) -> None:
    def confirm() -> None:
        for action in ("back", "take", "take"):
            devices.button.act(action)

    assert serve(confirming, confirm).standing.state.confirmed == {(0, 0): "_", (1, 1): "Qu"}


@pytest.mark.parametrize(
    ("action", "phase"), [("cancel", Phase.CANCELLED), ("press", Phase.RUNNING)]
)
def test_where_nothing_is_asked_a_long_press_means_what_was_wired(
    serve: Serve, ready: RoundState, devices: SimulatedDevices, action: str, phase: Phase
) -> None:
    assert serve(ready, lambda: devices.button.hold(action)).standing.state.phase is phase


def test_a_press_means_what_it_does_to_the_round_as_those_before_have_left_it(
    make: MakeOwner,
    confirming: RoundState,
    devices: SimulatedDevices,
    perform: Performer,
    clock: MeddledClock,
) -> None:
    """Behind a slow display a long press would else take what was passed over before it."""
    owner = make(confirming)
    listen(devices.button, clock, owner._hear)

    def meddle() -> None:
        if len(perform.shown) == 1:
            devices.button.press()
            devices.button.hold()

    perform.answers = {"Show": meddle}
    press(owner)
    for _ in range(3):
        owner.turn()
    assert owner.standing.state.phase is Phase.SHAKING
    assert [lines[1] for lines in perform.shown[:2]] == ["Blank? (1/2)", "Shake again? (1/2)"]


def test_without_a_timer_a_long_press_is_the_last_chance(
    serve: Serve,
    ready: RoundState,
    devices: SimulatedDevices,
    perform: Performer,
    clock: MeddledClock,
) -> None:
    plan = replace(ready.plan, players=(), timing=rounds.Timing.LAST_CHANCE)
    running = replace(ready, plan=plan, phase=Phase.RUNNING)
    state = serve(running, devices.button.hold).standing.state
    assert state.left(clock.monotonic()) == 60.0
    assert perform.shown[0] == ("No timer: write", "Hold: last chance", "SIMULATED")
    assert perform.shown[-1][0] == "1:00"


def test_in_turns_a_press_starts_each_clock_and_a_long_one_ends_it(
    serve: Serve,
    ready: RoundState,
    devices: SimulatedDevices,
    perform: Performer,
    book: Notebook,
) -> None:
    plan = replace(ready.plan, timing=rounds.Timing.TURNS, on_paper=True)

    def play() -> None:
        for _ in plan.players:
            devices.button.press()
            devices.button.hold()

    state = serve(replace(ready, plan=plan), play).standing.state
    assert state.phase is Phase.SCORING
    assert book.kept[-4:] == ["ButtonPressed", "TurnDone"] * 2
    assert ("red", "1:00", "Hold: done", "SIMULATED") in perform.shown
    assert ("Ready: blue", "Press to start", "SIMULATED") in perform.shown


def last(owner: Owner) -> None:
    """Stops the owner when all that was posted so far is done."""
    owner.post(IGNORED).add_done_callback(lambda _: owner.stop())


def test_a_device_that_hangs_holds_nobody_else_and_is_seen(
    running: Owner, perform: Performer
) -> None:
    hang = Hang()
    perform.answers = {"Shake": hang}
    press(running)
    assert hang.begun.wait(PATIENCE_S)
    beats = running.beats
    waiting = press(running)
    assert running.standing.doing == "Shake"
    assert running.standing.state.phase is Phase.SHAKING
    assert running.beats == beats
    hang.let_go.set()
    waiting.result(PATIENCE_S)
    assert running.beats > beats


def test_stopping_breaks_off_a_shake_and_drives_all_off(
    owner: Owner,
    devices: SimulatedDevices,
    perform: Performer,
    clock: MeddledClock,
    calls: list[Call],
) -> None:
    devices.lamp.on()
    late: list[Future[RoundState]] = []

    def stop() -> None:
        late.append(press(owner))
        owner.stop()

    def shake() -> Event:
        clock.meddle = stop
        devices.shaker.shake(10.0)
        return pytest.fail("it shook to the end")

    perform.answers = {"Shake": shake}
    press(owner)
    owner.run()
    assert clock.monotonic() < 101.0
    assert not devices.lamp.lit
    assert [str(call) for call in calls[-10:]] == [
        "shaker: shake 10.0",
        "display: show Stopped",
        *(f"{device.name}: close" for device in devices),
    ]
    for answer in (*late, press(owner)):
        with pytest.raises(CancelledError):
            answer.result(PATIENCE_S)


def test_a_dead_display_keeps_nothing_on(
    owner: Owner, devices: SimulatedDevices, calls: list[Call]
) -> None:
    devices.display.fail(Fault())
    owner.stop()
    owner.run()
    assert calls[-1].action == "close"
    with pytest.raises(DeviceError, match="closed"):
        devices.lamp.on()


def test_a_round_that_was_interrupted_is_taken_up(
    make: MakeOwner, ready: RoundState, clock: MeddledClock, book: Notebook
) -> None:
    interrupted = replace(ready, phase=Phase.RUNNING, ends_at=clock.monotonic() + 5)
    owner = make(interrupted)
    owner.post(IGNORED).add_done_callback(lambda _: owner.stop())
    owner.run()
    assert book.kept[0] == "Restarted"
    assert owner.standing.state.phase is Phase.RUNNING
    assert owner.standing.state.restarts == 1
    assert owner.standing.state.ends_at == interrupted.ends_at


def test_the_clock_counts_the_looks_of_its_owner_alone(own_clock: OwnersClock) -> None:
    own_clock.monotonic()
    assert own_clock.beats == 0
    own_clock.belong()
    own_clock.monotonic()
    other = threading.Thread(target=lambda: own_clock.sleep(1.0))
    other.start()
    other.join(PATIENCE_S)
    assert own_clock.beats == 1


def test_a_long_sleep_is_no_hang(own_clock: OwnersClock, clock: ManualClock) -> None:
    own_clock.belong()
    own_clock.sleep(10.0)
    assert own_clock.beats >= 10.0 / SLICE_S
    assert clock.monotonic() == pytest.approx(110.0)


def test_after_a_stop_the_owner_breaks_off_until_it_retires(own_clock: OwnersClock) -> None:
    own_clock.belong()
    own_clock.stop()
    with pytest.raises(Stopped):
        own_clock.sleep(1.0)
    own_clock.retire()
    own_clock.sleep(1.0)


class TestLending:
    def test_a_job_has_the_devices_where_no_round_is_on(
        self, running: Owner, devices: SimulatedDevices
    ) -> None:
        doing: list[str] = []

        def job(lent: Devices, mark: Callable[[str], None]) -> None:
            mark("looking")
            assert running.lent
            doing.append(running.standing.doing)
            lent.lamp.on()

        assert running.lend(job).result(PATIENCE_S)
        assert (doing, devices.lamp.lit) == (["looking"], True)
        assert not running.lent

    def test_a_round_that_is_on_keeps_them(self, running: Owner) -> None:
        press(running).result(PATIENCE_S)
        assert not running.lend(lambda *_: pytest.fail("it was lent")).result(PATIENCE_S)

    def test_a_press_meanwhile_begins_no_round_afterwards(
        self, running: Owner, devices: SimulatedDevices
    ) -> None:
        running.lend(lambda *_: devices.button.press()).result(PATIENCE_S)
        assert running.take(lambda _: None).result(PATIENCE_S).phase is Phase.IDLE

    def test_an_error_of_a_job_is_its_own(self, running: Owner) -> None:
        def fail(_devices: Devices, _mark: Callable[[str], None]) -> None:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            running.lend(fail).result(PATIENCE_S)
        assert running.take(lambda _: None).result(PATIENCE_S).phase is Phase.IDLE

    def test_one_that_comes_too_late_is_cancelled(self, owner: Owner) -> None:
        done = owner.lend(lambda *_: None)
        owner.stop()
        owner.run()
        assert done.cancelled()
