"""A tray's connection to the station: one thread beside the owner, which it never keeps waiting.

It reads the log by a connection of its own and sends what is new, measures how far the tray's clock
lies off, and has the station's orders happen. Without a network all of that rests, and the round
goes on.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from firmware_host.rounds import Event, RoundState
from firmware_host.station.broker import Address, Broker, MqttBroker, Will
from firmware_host.station.clippings import Clippings
from firmware_host.station.notebook import Notebook
from firmware_host.station.orders import LATE_S, UNNOTICED_S, event_of, fitted, misseated, refusal
from firmware_host.station.outbox import Outbox
from firmware_host.station.skew import Samples, sampled
from firmware_host.station.wire import (
    ANSWERS,
    CLOCK,
    CROPS,
    EVENTS,
    HAVE,
    OF_STATION,
    OFFLINE,
    ONLINE,
    ORDERS,
    STATE,
    STATUS,
    TIME,
    WANTED,
    Answer,
    Asked,
    Delivery,
    Have,
    Mark,
    Order,
    Outcome,
    Skew,
    Told,
    TrayState,
    Wanted,
    WireError,
    read,
    read_topic,
    station_topic,
    told,
    topic,
)
from firmware_host.store.chain import Entry
from hardware.clock import Clock

LOOK_S = 1.0
"""Seconds between two looks at the log, where nobody says that it has grown."""

STATE_S = 2.0
"""Seconds between two states, at least."""

ASK_S, ASK_FIRST_S = 15.0, 0.2
"""Seconds between two questions about the time; and as long as there are few answers."""

FIRST_ASKED = 8

GOING_S = 0.01
"""Seconds between two looks whether the round has taken an order."""

Meant = Callable[[RoundState], Event | None]


class Source(Protocol):
    """The log of the tray, read by a connection of its own."""

    @property
    def last_seq(self) -> int:
        """As of `firmware_host.store.log.Log.last_seq`."""

    def since(self, seq: int, most: int) -> Sequence[Entry]:
        """As of `firmware_host.store.log.Log.since`."""


class Round(Protocol):
    """The round at the tray, as its owner has it."""

    def take(self, meant: Meant) -> Future[RoundState]:
        """As of `firmware_host.owner.Owner.take`."""


@dataclass(frozen=True)
class Name:
    """Which tray it is, and of which tournament.

    Attributes:
        event: the tournament.
        tray: unique in it.
        simulated: it is no real tray.
    """

    event: str
    tray: str
    simulated: bool = False

    def topic(self, what: str) -> str:
        """Where this tray says something, or is told."""
        return topic(self.event, self.tray, what)


def broker_of(address: Address, name: Name) -> MqttBroker:
    """The broker as a tray sees it."""
    will = Will(name.topic(STATUS), OFFLINE, ONLINE)
    heard = [*map(name.topic, OF_STATION), station_topic(name.event)]
    return MqttBroker(address, f"{name.event}-{name.tray}", will, heard)


@dataclass(frozen=True)
class _Heard:
    topic: str
    payload: bytes
    at: float


_Going = tuple[Order, list[str], "Future[RoundState]"]


class Link:
    """Connects a tray to its station.

    Args:
        name: which tray it is.
        source: its log.
        notebook: what it remembers.
        broker: not yet started.
        round_: is told what the station wants.
        clock: of the round.
    """

    def __init__(
        self,
        name: Name,
        source: Source,
        notebook: Notebook,
        broker: Broker,
        *,
        round_: Round,
        clock: Clock,
    ) -> None:
        self._name = name
        self._source = source
        self._notebook = notebook
        self._broker = broker
        self._round = round_
        self._clock = clock
        self._inbox: queue.SimpleQueue[_Heard | None] = queue.SimpleQueue()
        self._samples = Samples()
        self._box = Outbox.after(notebook.notes.had, clock.monotonic())
        self._station = False
        self._trouble, self._parted = "", False
        self._last, self._look_at = 0, 0.0
        self._ask_at = 0.0
        self._state: TrayState | None = None
        self._going: list[_Going] = []
        self._interrupted = notebook.notes.planned
        self._clippings = Clippings(lambda: round_.take(lambda _: None), self.wake)
        self._stopped = False

    # From any thread

    def start(self) -> None:
        """Begin to connect."""
        self._broker.start(self._hear, self._changed)

    def wake(self) -> None:
        """The log has grown."""
        self._inbox.put(None)

    def stop(self) -> None:
        """Have `run` end."""
        self._stopped = True
        self._inbox.put(None)

    @property
    def skew(self) -> Skew | None:
        """How far the tray's clock lies off that of the station."""
        return self._samples.skew(self._clock.monotonic())

    def _hear(self, topic_: str, payload: bytes) -> None:
        self._inbox.put(_Heard(topic_, payload, self._clock.monotonic()))

    def _changed(self, _connected: bool) -> None:  # noqa: FBT001 - as the broker calls it
        self._inbox.put(_Heard("", b"", self._clock.monotonic()))

    # In the link's thread

    def run(self) -> None:
        """Serve the connection until `stop`; the body of its thread.

        Raises:
            StorageError: the log cannot be read, or the notes cannot be kept.
        """
        self.start()
        try:
            while not self._stopped:
                self._await(self.turn())
        finally:
            self._broker.stop()
            self._notebook.keep(self._notebook.notes)

    def turn(self) -> float:
        """Do all that is to be done now; gives the seconds after which there may be more."""
        self._take_all()
        self._leave_interrupted()
        self._carry_out()
        self._answer()
        if self._broker.connected and self._station:
            self._send()
            self._ask()
            self._show_crops()
        if self._broker.connected:
            self._tell()
        return self._rest_s()

    def _await(self, seconds: float) -> None:
        try:
            heard = self._inbox.get(timeout=seconds)
        except queue.Empty:
            return
        self._take(heard)

    def _take_all(self) -> None:
        while True:
            try:
                self._take(self._inbox.get_nowait())
            except queue.Empty:
                return

    def _rest_s(self) -> float:
        """Until the next thing that is due."""
        now = self._clock.monotonic()
        moments = [order.at for order in self._planned if order.at is not None]
        due = [self._local(at) for at in moments if self.skew is not None]
        due += [self._look_at, self._ask_at] if self._station else []
        longest = GOING_S if self._going else LOOK_S
        return max(0.0, min([now + longest, *due]) - now)

    def _take(self, heard: _Heard | None) -> None:
        if heard is None:
            self._look_at = 0.0
        elif heard.topic == station_topic(self._name.event):
            self._station = heard.payload == ONLINE
            self._reconnected(heard.at)
        elif heard.topic:
            self._read(heard)
        else:
            self._reconnected(heard.at)

    def _read(self, heard: _Heard) -> None:
        """What is no message is told, and passed over: of a later version, or a mischief."""
        found = read_topic(heard.topic)
        what = found[1] if found else ""
        try:
            if what == HAVE:
                self._had(read(Have, heard.payload), heard.at)
            elif what == TIME:
                self._timed(read(Told, heard.payload), heard.at)
            elif what == ORDERS:
                self._ordered(read(Order, heard.payload))
            elif what == WANTED:
                self._clippings.cut(read(Wanted, heard.payload).details)
        except WireError as error:
            self._trouble = f"the station said what this version does not know: {error}"

    def _reconnected(self, now: float) -> None:
        """After a cut all that was on its way may be lost."""
        self._box = Outbox.after(self._box.had, now)
        self._state = None
        self._ask_at = now
        if not self._broker.connected:
            self._station = False

    # The log

    def _had(self, have: Have, now: float) -> None:
        begins = self._notebook.notes.begins
        if have.mark.seq < begins.seq:  # a station that has nothing yet
            have = Have(begins, have.again)
        if not self._agrees(have.mark):
            self._parted = True
            self._trouble = "the station has another log of this tray: give the tray another name"
            return
        self._parted, self._trouble = False, ""
        self._box = self._box.told(have, now)
        self._notebook.had(self._box.had)

    def _agrees(self, mark: Mark) -> bool:
        if mark.seq == 0 or mark == self._notebook.notes.begins:
            return True
        entries = self._source.since(mark.seq - 1, 1)
        return bool(entries) and (entries[0].seq, entries[0].hash) == (mark.seq, mark.hash)

    def _send(self) -> None:
        now = self._clock.monotonic()
        if now >= self._look_at:
            self._last, self._look_at = self._source.last_seq, now + LOOK_S
        while not self._parted:
            self._box, count = self._box.due(self._last, now)
            if not count:
                return
            entries = tuple(self._source.since(self._box.sent, count))
            delivery = Delivery(self._notebook.notes.begins, entries)
            if not self._broker.say(self._name.topic(EVENTS), told(delivery)):
                return
            self._box = self._box.sending(len(entries), now)

    # The clock

    def _ask(self) -> None:
        now = self._clock.monotonic()
        if now < self._ask_at:
            return
        self._broker.say(self._name.topic(CLOCK), told(Asked(self._clock.monotonic())))
        self._ask_at = now + (ASK_FIRST_S if len(self._samples.kept) < FIRST_ASKED else ASK_S)

    def _timed(self, answer: Told, now: float) -> None:
        sample = sampled(answer, now)
        if sample is not None:
            self._samples = self._samples.joined_by(sample)

    @property
    def _offset_s(self) -> float:
        skew = self.skew
        return skew.offset_s if skew else 0.0

    def _local(self, at: float) -> float:
        return at - self._offset_s

    def _stations_now(self) -> float:
        return self._clock.monotonic() + self._offset_s

    # Orders

    @property
    def _planned(self) -> list[Order]:
        """Those that are not begun."""
        begun = {order.id for order, *_ in self._going}
        return [order for order in self._notebook.notes.planned if order.id not in begun]

    def _ordered(self, order: Order) -> None:
        """Plan an order; one that is known gets its answer once more."""
        known = self._notebook.notes.answer_to(order.id)
        if known is not None:
            self._say(known)
            return
        why = self._hindrance(order)
        if why:
            self._conclude(order, Outcome.LATE if why == _LATE else Outcome.REFUSED, why)
            return
        answer = Answer(order.id, Outcome.PLANNED, "", self._stations_now())
        self._notebook.keep(self._notebook.notes.plan(order).answered(answer))
        self._say(answer)

    def _hindrance(self, order: Order) -> str:
        """Why an order cannot even be planned."""
        if self._is_late(order):
            return _LATE
        try:
            event_of(order, 0.0)
        except WireError as error:
            return str(error)
        return ""

    def _leave_interrupted(self) -> None:
        """Orders of before a restart: of one without a moment nobody knows whether it happened."""
        for order in self._interrupted:
            if order.at is None:
                self._conclude(order, Outcome.REFUSED, "the tray was started anew meanwhile")
        self._interrupted = ()

    def _carry_out(self) -> None:
        for order in self._planned:
            if self._is_late(order):
                self._conclude(order, Outcome.LATE, _LATE)
            elif order.at is None or self._has_come(order.at):
                self._begin(order)

    def _has_come(self, at: float) -> bool:
        """Whether it is that time at the station; never, as long as nobody knows."""
        return self.skew is not None and self._stations_now() >= at

    def _is_late(self, order: Order) -> bool:
        now = self._stations_now()
        if now > order.until:
            return True
        return order.at is not None and self.skew is not None and now > order.at + LATE_S

    def _begin(self, order: Order) -> None:
        event, refused = event_of(order, self._offset_s), list[str]()

        def meant(state: RoundState) -> Event | None:
            why = refusal(event, state, order.about) or misseated(order.table, state)
            refused.extend([why] if why else ())
            return None if why else fitted(event, state, order.about)

        self._going.append((order, refused, self._round.take(meant)))

    def _answer(self) -> None:
        """Tell what became of orders that were begun; the round was not waited for."""
        done = [going for going in self._going if going[-1].done()]
        self._going = [going for going in self._going if not going[-1].done()]
        for order, refused, future in done:
            if future.cancelled() or future.exception() is not None:
                self._conclude(order, Outcome.REFUSED, "the tray has stopped")
            elif refused:
                self._conclude(order, Outcome.REFUSED, refused[0])
            else:
                self._conclude(order, Outcome.DONE, self._delay(order))

    def _delay(self, order: Order) -> str:
        late = 0.0 if order.at is None else self._stations_now() - order.at
        return f"{late:.2f} s after its moment" if late > UNNOTICED_S else ""

    def _conclude(self, order: Order, outcome: Outcome, why: str) -> None:
        answer = Answer(order.id, outcome, why, self._stations_now())
        self._notebook.keep(self._notebook.notes.answered(answer))
        self._say(answer)

    def _say(self, answer: Answer) -> None:
        """If it does not go out, the station gives the order again."""
        self._broker.say(self._name.topic(ANSWERS), told(answer))

    # What is doubtful

    def _show_crops(self) -> None:
        """If one does not go out, the station asks for it again."""
        for crop in self._clippings.done():
            self._broker.say(self._name.topic(CROPS), told(crop))

    # The state

    def _tell(self) -> None:
        now = self._clock.monotonic()
        if self._state is not None and now < self._state.at + STATE_S:
            return
        state = TrayState(
            now, self._last, self._box.had, self.skew, self._trouble, self._name.simulated
        )
        if self._broker.say(self._name.topic(STATE), told(state), retain=True):
            self._state = state


_LATE = "it came too late"
