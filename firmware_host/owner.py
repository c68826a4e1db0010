"""The one owner of the devices: a thread with a queue, through which all others reach the round.

Events come in from anywhere (a button's thread, a page, the terminal) and are taken one after the
other. The owner steps the round, carries out the effects, and puts what comes of them into the same
queue, behind what came meanwhile: a press during a shake belongs to the shake, and is over with it.
While the sand runs it ticks.

A device that hangs holds the owner, and nobody else: `Owner.standing` never waits, and
`Owner.beats` counts only while the owner gets on.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from firmware_host import rounds
from firmware_host.errors import complaint_of
from firmware_host.play import Recorder, entered
from firmware_host.presses import Press, listen
from firmware_host.rounds import (
    BoardPrescribed,
    ButtonPressed,
    DeviceFailed,
    Effect,
    Event,
    Phase,
    RoundState,
)
from hardware.clock import Clock
from hardware.devices import DeviceError, Devices

TICK_S = 0.2
"""Seconds between two looks at the clock while nothing else happens."""

SLICE_S = 0.1
"""Longest sleep of the owner without a sign of life."""

LONGEST_TURN_S = 60.0
"""Seconds that one event with its effects may take; beyond, a sign of life is none."""

Perform = Callable[[Effect], Event | None]
"""Carries out one effect, as `firmware_host.tray.Tray.perform`."""

Watch = Callable[[RoundState, Event], None]
"""Hears of every step, before its effects are carried out."""

Meant = Callable[[RoundState], Event | None]
"""What is to be taken: a press means what it does to the round as all before it have left it."""

Job = Callable[[Devices, Callable[[str], None]], None]
"""Uses the devices where no round is on; says what it is at from time to time, which counts as a
sign that it gets on."""

_Asked = tuple[Meant, "Future[RoundState]"] | None

MOST_TOGETHER = 64
"""Words that are kept in one write, at most: many phones must not wait for many writes."""

_BEFORE_A_ROUND = rounds.ENDED | {Phase.IDLE}


class Book(Recorder, Protocol):
    """Keeps the events of one round after the other."""

    def begin(self, before: RoundState) -> None:
        """What is recorded from now on belongs to a new round.

        Args:
            before: the round before, whose seats and word list are taken over.

        Raises:
            StorageError: it cannot be kept.
        """

    def record_all(self, events: Sequence[Event]) -> None:
        """As `record`, of several at once: all of them are kept, or none.

        Raises:
            StorageError: they cannot be kept.
        """


class Stopped(Exception):  # noqa: N818 - no error: the way out of whatever the owner is at
    """The owner was told to stop."""


class OwnersClock:
    """The clock of the owner and its devices: each look at it by the owner is a sign of life.

    Its sleeps are sliced, so that long ones are neither taken for a hang nor outlast a stop.

    Args:
        clock: keeps the time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._owner: int | None = None
        self._stop = threading.Event()
        self.beats = 0

    def belong(self) -> None:
        """Count the signs of life of this thread from now on, and of no other."""
        self._owner = threading.get_ident()

    def retire(self) -> None:
        """Count no more, and break nothing off: on the way out devices may sleep."""
        self._owner = None

    def stop(self) -> None:
        """Break off what the owner is at, with `Stopped` from its next look at the clock."""
        self._stop.set()

    def monotonic(self) -> float:
        """As of `hardware.clock.Clock.monotonic`."""
        self._beat()
        return self._clock.monotonic()

    def sleep(self, seconds: float) -> None:
        """As of `hardware.clock.Clock.sleep`.

        Raises:
            Stopped: in the owner's thread, after `stop`.
        """
        while seconds > 0:
            self._clock.sleep(min(seconds, SLICE_S))
            seconds -= SLICE_S
            self._beat()

    def _beat(self) -> None:
        if threading.get_ident() != self._owner:
            return
        self.beats += 1
        if self._stop.is_set():
            raise Stopped


@dataclass(frozen=True)
class Standing:
    """How the owner stands, for others to look at at any time.

    Attributes:
        state: of the round.
        doing: what it is at, such as ``"Shake"``; empty while it waits for something to happen.
        since: time of the clock at which it began with that.
    """

    state: RoundState
    doing: str
    since: float


class Owner:
    """Owns the devices from `run` to its end; all else only posts events.

    Args:
        state: of the round at the start; one in play was interrupted, and goes on.
        devices: closed at the end, on every way out.
        perform: carries out an effect.
        clock: the clock that the devices sleep on, too.
        book: keeps every event that changes anything.
        watch: hears of every step, in the owner's thread.
        welcome: lines that the display shows above the first others, until somebody presses.
    """

    def __init__(
        self,
        state: RoundState,
        devices: Devices,
        perform: Perform,
        clock: OwnersClock,
        *,
        book: Book,
        watch: Watch = lambda _state, _event: None,
        welcome: tuple[str, ...] = (),
    ) -> None:
        self._devices = devices
        self._perform = perform
        self._clock = clock
        self._book = book
        self._watch = watch
        self._welcome = welcome
        self._wake_at: float | None = None
        self._inbox: queue.SimpleQueue[tuple[Meant, Future[RoundState]]]
        self._inbox = queue.SimpleQueue()
        self._tick_at = 0.0
        self._ending = False
        self._lent = False
        self._standing = Standing(state, "", 0.0)
        self.begun: Future[None] = Future()
        """Done when it listens to the button, or with the error that kept it from that."""

    @property
    def standing(self) -> Standing:
        """How it stands; never waits."""
        return self._standing

    @property
    def beats(self) -> int:
        """Signs of life so far; stands still while the owner hangs."""
        return self._clock.beats

    @property
    def lent(self) -> bool:
        """Whether something else than a round has the devices now: presses count for nothing."""
        return self._lent

    @property
    def ending(self) -> bool:
        """Whether it lets go of the devices, or has: what comes now comes too late."""
        return self._ending

    def post(self, event: Event) -> Future[RoundState]:
        """Have an event taken in its turn; from any thread, never waits.

        Returns:
            The state that it led to, once its effects are carried out; cancelled where the owner
            stops before.
        """
        return self.take(lambda _: event)

    def take(self, meant: Meant) -> Future[RoundState]:
        """As `post`, of what is meant where the round then stands."""
        answer: Future[RoundState] = Future()
        self._inbox.put((meant, answer))
        if self._ending:
            self._refuse_rest()
        return answer

    def lend(self, job: Job) -> Future[bool]:
        """Have a job use the devices in the owner's thread; from any thread, never waits.

        Returns:
            Whether it did: False where a round is on. What the job raises is its exception;
            cancelled where the owner stops before.
        """
        done: Future[bool] = Future()

        def meant(state: RoundState) -> None:
            done.set_running_or_notify_cancel()
            if state.phase in rounds.BETWEEN:
                self._use(job, done)
            else:
                done.set_result(False)

        answer = self.take(meant)
        answer.add_done_callback(lambda one: done.cancel() if one.cancelled() else None)
        return done

    def _use(self, job: Job, done: Future[bool]) -> None:
        state, self._lent = self._standing.state, True

        def mark(text: str) -> None:
            self._standing = Standing(state, text, self._clock.monotonic())

        try:
            mark("upkeep")
            job(self._devices, mark)
            done.set_result(True)
        except Stopped:
            done.set_exception(Stopped())
            raise
        except Exception as error:  # noqa: BLE001 - a thread that died would leave a dead machine
            done.set_exception(error)
        finally:
            self._lent = False
        self._carry_out([rounds.Show(rounds.waiting_lines(state))])
        self._standing = Standing(self._standing.state, "", self._clock.monotonic())

    def stop(self) -> None:
        """Have `run` break off and end; from any thread, never waits."""
        self._ending = True
        self._clock.stop()
        self._inbox.put((lambda _: None, Future()))  # wakes it

    def run(self) -> None:
        """Own the devices until `stop`; the body of the owner's thread.

        Raises:
            DeviceError: a device could not be closed.
            StorageError: an event could not be kept, and so has not happened.
        """
        self._clock.belong()
        try:
            with self._devices:
                self._serve()
        except BaseException as error:
            if not self.begun.done():
                self.begun.set_exception(error)
            raise
        finally:
            self._ending = True
            self._refuse_rest()

    def turn(self) -> None:
        """Tick where that is due, then take an event, if one comes before the next tick is."""
        now = self._clock.monotonic()
        if now >= self._tick_at:
            self._tick(now)
        if self._wake_at is not None and now >= self._wake_at:
            self._wake_at = None
            self._advance(rounds.Waited())
        try:
            asked = self._inbox.get(timeout=max(0.0, self._tick_at - now))
        except queue.Empty:
            return
        self._take(asked)

    def _serve(self) -> None:
        try:
            self._greet()
            listen(self._devices.button, self._clock, self._hear)
            self.begun.set_result(None)
            while not self._ending:
                self.turn()
        except Stopped:
            pass
        finally:
            self._clock.retire()
            self._say_stopped()

    def _greet(self) -> None:
        """Say that it is there and how the last round ended, or go on with an interrupted one."""
        state = self._standing.state
        if state.phase in _BEFORE_A_ROUND:
            self._carry_out([rounds.Show((*self._welcome, *rounds.waiting_lines(state)))])
        else:
            self._advance(rounds.Restarted(self._clock.monotonic()))

    def _hear(self, press: Press) -> None:
        if not self._lent:  # else it would begin a round when the devices come back
            self.take(press.meant)

    def _say_stopped(self) -> None:
        # Whatever fails here: what matters is that all outputs go off now.
        with suppress(DeviceError):
            self._devices.display.show("Stopped")

    def _tick(self, now: float) -> None:
        state = self._standing.state
        if state.phase is Phase.RUNNING or (state.phase is Phase.COLLECTING and state.seats):
            self._advance(rounds.Tick(now))
        self._tick_at = now + TICK_S

    def _take(self, asked: _Asked) -> None:
        """Take what was asked; words that wait behind a word are kept with it, in one write."""
        words, last = _Words(self._standing.state), None
        try:
            while asked is not None and last is None:
                last = words.rest_of(asked)
                asked = self._waiting() if words.taken and last is None else None
            self._keep(words)
            if last is not None:
                last.answer.set_result(self._led_to(last.event))
        except BaseException as error:
            words.fail(error)
            if last is not None:
                last.answer.set_exception(error)
            raise

    def _waiting(self) -> _Asked:
        try:
            return self._inbox.get_nowait()
        except queue.Empty:
            return None

    def _keep(self, words: _Words) -> None:
        self._book.record_all(words.changing)
        for answer, event, state in words.taken:
            self._standing = Standing(state, "", self._clock.monotonic())
            self._watch(state, event)
            answer.set_result(state)

    def _led_to(self, event: Event | None) -> RoundState:
        return self._standing.state if event is None else self._advance(event)

    def _advance(self, event: Event) -> RoundState:
        before = self._standing.state
        if _begins_a_round(before, event):
            self._book.begin(before)
        state, effects = entered(before, event, self._book)
        self._standing = Standing(state, type(event).__name__, self._clock.monotonic())
        self._watch(state, event)
        self._carry_out(effects)
        self._standing = Standing(state, "", self._clock.monotonic())
        return state

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        """What comes of the effects goes into the queue, and ends them: it changes what is to do.

        Only after `Stop` the rest follows all the same, so that a fault is shown.
        """
        for effect in effects:
            came = self._try(effect)
            if came is not None:
                self.post(came)
                if not isinstance(effect, rounds.Stop):
                    return

    def _try(self, effect: Effect) -> Event | None:
        state = self._standing.state
        self._standing = Standing(state, type(effect).__name__, self._clock.monotonic())
        if isinstance(effect, rounds.Wait):  # by the way: who waits must hear the button
            self._wake_at = self._clock.monotonic() + effect.seconds
            return None
        try:
            return self._perform(self._announced(effect))
        except Stopped:
            raise
        except Exception as error:  # noqa: BLE001 - a thread that died would leave a dead machine
            return _failure(error, self._clock.monotonic())

    def _announced(self, effect: Effect) -> Effect:
        """What a display shows, with a word that its machine is made up, where it is."""
        if isinstance(effect, rounds.Show) and self._devices.simulated:
            return rounds.Show((*effect.lines, "SIMULATED"))
        return effect

    def _refuse_rest(self) -> None:
        while True:
            try:
                _, answer = self._inbox.get_nowait()
            except queue.Empty:
                return
            answer.cancel()


def _begins_a_round(before: RoundState, event: Event) -> bool:
    """Whether it is a press that shakes, or a board that is taken: one not promised is none."""
    if before.phase not in _BEFORE_A_ROUND:
        return False
    prescribed = isinstance(event, BoardPrescribed) and rounds.step(before, event)[0] != before
    return prescribed or isinstance(event, ButtonPressed)


_WORD = (rounds.WordWritten, rounds.WordErased)


@dataclass(frozen=True)
class _Last:
    """An event that is no word, or has something done; or none."""

    answer: Future[RoundState]
    event: Event | None


class _Words:
    """Words that wait one behind the other, and ask for nothing to be done.

    Args:
        state: of the round before them.
    """

    def __init__(self, state: RoundState) -> None:
        self._before = state
        self.taken: list[tuple[Future[RoundState], Event, RoundState]] = []

    @property
    def state(self) -> RoundState:
        """Of the round after them."""
        return self.taken[-1][2] if self.taken else self._before

    @property
    def changing(self) -> list[Event]:
        """Those that change anything."""
        before = [self._before, *(state for _, _, state in self.taken)]
        pairs = zip(before, self.taken, strict=False)
        return [event for earlier, (_, event, state) in pairs if state != earlier]

    def rest_of(self, asked: tuple[Meant, Future[RoundState]]) -> _Last | None:
        """Take one more; give it back where it is not of their kind."""
        meant, answer = asked
        if not answer.set_running_or_notify_cancel():
            return None
        try:
            event = meant(self.state)
        except BaseException as error:
            answer.set_exception(error)
            raise
        if not isinstance(event, _WORD) or len(self.taken) >= MOST_TOGETHER:
            return _Last(answer, event)
        state, effects = rounds.step(self.state, event)
        if effects:
            return _Last(answer, event)
        self.taken.append((answer, event, state))
        return None

    def fail(self, error: BaseException) -> None:
        """Answer all that have no answer yet."""
        for answer, _, _ in self.taken:
            if not answer.done():
                answer.set_exception(error)


def _failure(error: Exception, at: float) -> DeviceFailed:
    complaint = complaint_of(error)
    if complaint is not None:
        return DeviceFailed(complaint.message, complaint.advice, at)
    message = f"an unexpected error, {type(error).__name__}: {error}"
    return DeviceFailed(message, "Press to try again; if it stays, report it with the log.", at)
