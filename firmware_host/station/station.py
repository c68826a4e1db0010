"""The station: hears all trays, keeps what they tell, takes their results, gives orders.

One thread does it all, in turns: what has come since the last is kept in one go, and only then the
trays are told that it is there. Whatever ends the station, its database or the broker: the trays
send again what it does not have.
"""

from __future__ import annotations

import queue
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from firmware_host.rounds import TableAssigned
from firmware_host.station.base import Base, Given, Head
from firmware_host.station.broker import Address, Broker, MqttBroker, Will
from firmware_host.station.folding import Fold
from firmware_host.station.hall import Hall, Spot, has_ended, results
from firmware_host.station.intake import taken
from firmware_host.station.monitor import TableMonitor
from firmware_host.station.orders import event_of, order
from firmware_host.station.scribe import Scribe
from firmware_host.station.wire import (
    ANSWERS,
    CLOCK,
    EVENTS,
    HAVE,
    OF_TRAY,
    OFFLINE,
    ONLINE,
    ORDERS,
    STATE,
    STATUS,
    TIME,
    Answer,
    Asked,
    Delivery,
    Have,
    Mark,
    Order,
    Outcome,
    Told,
    TrayState,
    WireError,
    read,
    read_topic,
    station_topic,
    told,
    topic,
)
from firmware_host.store.chain import Entry
from firmware_host.store.errors import StorageError
from hardware.clock import Clock
from scoring.encoding import TextError, canonical

TURN_S = 0.05
"""Seconds between two turns where nothing comes."""

MOST_HEARD = 2000
"""Messages of one turn at most."""

AGAIN_S = 2.0
"""Seconds after which an order that has no answer is sent again."""

SHOW_S = 0.5
"""Seconds between two pictures of the monitor, at least."""

REST_S = 1.0
"""Seconds of rest after the database, or the tournament, has failed."""

BEAT_S = 2.0
"""Seconds between two times at which it says in the database that it is at work."""


def broker_of(address: Address, event: str) -> MqttBroker:
    """The broker as the station sees it."""
    will = Will(station_topic(event), OFFLINE, ONLINE)
    heard = [topic(event, "+", what) for what in OF_TRAY]
    return MqttBroker(address, f"{event}-station", will, heard)


@dataclass
class _Open:
    """An order that has no final answer."""

    given: Given
    sent: float | None = None


class Station:
    """The station of a tournament.

    Args:
        event: its name.
        base: keeps what comes.
        scribe: takes results into the tournament.
        broker: not yet started.
        clock: seconds since 1970.
    """

    def __init__(
        self, event: str, base: Base, scribe: Scribe, broker: Broker, clock: Clock
    ) -> None:
        self._event = event
        self._base = base
        self._scribe = scribe
        self._broker = broker
        self._clock = clock
        self._inbox: queue.SimpleQueue[tuple[str, str, bytes]] = queue.SimpleQueue()
        self._heads: dict[str, Head] = base.heads()
        self._hall = Hall(base.entries)
        self._changed: dict[Spot, Fold] = self._hall.load(base.unfolded())
        self._orders: dict[str, _Open] = {}
        self._last_order = 0
        self._shown: dict[str, str] = {}
        self._show_at = 0.0
        self._beat_at = 0.0
        self.fault = ""
        """What keeps it from its work now; empty where nothing does."""
        self.odd = 0
        """Messages that were none."""

    # From any thread

    def start(self) -> None:
        """Begin to connect."""
        self._broker.start(self._hear, lambda _connected: None)

    def leave(self) -> None:
        """Let go of the broker."""
        self._broker.stop()

    def _hear(self, topic_: str, payload: bytes) -> None:
        """Clocks are answered at once: what waits in between would be taken for the way."""
        came, found = self._clock.monotonic(), read_topic(topic_)
        if found is None:
            return
        if found[1] == CLOCK:
            self._tell_time(found[0], payload, came)
            return
        self._inbox.put((*found, payload))

    def _tell_time(self, tray: str, payload: bytes, came: float) -> None:
        try:
            asked = read(Asked, payload)
        except WireError:
            self.odd += 1
            return
        answer = Told(asked.sent, came, self._clock.monotonic())
        self._broker.say(topic(self._event, tray, TIME), told(answer))

    # In the station's thread

    def turn(self) -> float:
        """Do all that is to be done now; gives the seconds to rest."""
        try:
            busy = self._work(self._heard())
        except StorageError as error:
            self.fault = f"{error}. {error.advice}"
        except (TextError, OSError) as error:
            self.fault = f"the tournament cannot be continued: {error}"
        else:
            self.fault = ""
            return 0.0 if busy else TURN_S
        return REST_S

    def monitors(self) -> list[TableMonitor]:
        """How all tables stand now."""
        return self._hall.monitors(self._clock.monotonic())

    def _heard(self) -> list[tuple[str, str, bytes]]:
        heard: list[tuple[str, str, bytes]] = []
        while len(heard) < MOST_HEARD:
            try:
                heard.append(self._inbox.get_nowait())
            except queue.Empty:
                break
        return heard

    def _work(self, heard: Sequence[tuple[str, str, bytes]]) -> bool:
        deliveries: dict[str, list[Delivery]] = {}
        answers: list[tuple[str, Answer]] = []
        for tray, what, payload in heard:
            try:
                self._sort(tray, what, payload, deliveries, answers)
            except WireError:
                self.odd += 1
        self._keep(deliveries)
        self._write()
        self._conclude(answers)
        self._send()
        self._show()
        return bool(heard)

    def _sort(
        self,
        tray: str,
        what: str,
        payload: bytes,
        deliveries: dict[str, list[Delivery]],
        answers: list[tuple[str, Answer]],
    ) -> None:
        if what == EVENTS:
            delivery = read(Delivery, payload)
            deliveries.setdefault(tray, []).append(delivery)
        elif what == ANSWERS:
            answers.append((tray, read(Answer, payload)))
        elif what == STATE:
            self._compare(tray, read(TrayState, payload))
        elif what == STATUS:
            self._hall.present(tray, payload)

    # Entries

    def _compare(self, tray: str, state: TrayState) -> None:
        """Tell a tray up to where its log is here, if it takes that to be elsewhere."""
        self._hall.told(tray, state)
        head = self._heads.get(tray)
        mark = head.mark if head else Mark()
        if state.had != mark.seq:
            self._say(tray, HAVE, Have(mark, again=state.had > mark.seq))

    def _keep(self, deliveries: Mapping[str, Sequence[Delivery]]) -> None:
        """Have all new entries on the disk, then tell the trays, then fold them."""
        new: dict[str, list[Entry]] = {}
        heads: dict[str, Head] = {}
        again: set[str] = set()
        for tray, delivered in deliveries.items():
            head = self._heads.get(tray) or Head(delivered[0].begins, delivered[0].begins)
            for delivery in delivered:
                found = taken(head.mark, delivery)
                new.setdefault(tray, []).extend(found.entries)
                head = replace(head, mark=found.head)
                again |= {tray} if found.again else set()
            heads[tray] = head
        kept = {tray: held for tray, held in new.items() if held}
        if kept:
            self._base.keep(kept, {tray: heads[tray] for tray in kept})
        self._heads |= heads
        for tray, head in heads.items():
            self._say(tray, HAVE, Have(head.mark, again=tray in again))
        for tray, held in kept.items():
            self._changed |= self._hall.take(tray, held)

    def _write(self) -> None:
        """Take results into the tournament; only then their rounds count as folded."""
        changed, found = self._changed, results(self._changed)
        done, refused = self._scribe.take(found)
        for (tray, _), why in refused.items():
            self._hall.trouble(tray, why)
        for spot in done:
            self._hall.taken(spot)
        over = {
            spot: fold.seq
            for spot, fold in changed.items()
            if has_ended(fold) and (spot in done or spot not in found)
        }
        if over:
            self._base.folded(over)
        self._changed = {}

    # Orders

    def _conclude(self, answers: Sequence[tuple[str, Answer]]) -> None:
        if not answers:
            return
        self._base.answer([answer for _, answer in answers])
        for tray, answer in answers:
            held = self._orders.get(answer.id)
            if held is None:
                continue
            self._hall.ordered(tray, _told_of(held.given.order, answer))
            held.given = replace(held.given, answer=answer)
            if answer.outcome is not Outcome.PLANNED:
                del self._orders[answer.id]

    def _send(self) -> None:
        """Send new orders, and those again that have no answer; give up on those that are late."""
        now = self._clock.monotonic()
        for given in self._base.orders(self._last_order):
            self._last_order = given.number
            if given.answer is None or given.answer.outcome is Outcome.PLANNED:
                self._orders[given.order.id] = _Open(given)
        for held in list(self._orders.values()):
            if now > _last_moment(held.given.order) + AGAIN_S:
                self._give_up(held, now)
            elif held.sent is None or now >= held.sent + AGAIN_S:
                self._send_one(held, now)

    def _send_one(self, held: _Open, now: float) -> None:
        if self._say(held.given.tray, ORDERS, self._with_keys(held.given.order)):
            held.sent = now
            if held.given.answer is None:
                self._hall.ordered(held.given.tray, f"{held.given.order.kind}: sent")

    def _give_up(self, held: _Open, now: float) -> None:
        why = "no answer came in time"
        answer = Answer(held.given.order.id, Outcome.LATE, why, now)
        self._conclude([(held.given.tray, answer)])

    def _with_keys(self, given: Order) -> Order:
        """With the keys of phones, of those who move here from another table."""
        event = event_of(given, 0.0)
        if not isinstance(event, TableAssigned):
            return given
        keys = self._hall.keys
        seats = tuple(replace(seat, key=keys.get(seat.id, seat.key)) for seat in event.seats)
        return order(given.id, replace(event, seats=seats), given.until, given.at)

    def _say(self, tray: str, what: str, message: object) -> bool:
        return self._broker.say(topic(self._event, tray, what), told(message))

    # The monitor

    def _show(self) -> None:
        now = self._clock.monotonic()
        if now < self._show_at:
            return
        self._show_at = now + SHOW_S
        documents = {each.tray: canonical(each.document) for each in self._hall.monitors(now)}
        changed = {tray: text for tray, text in documents.items() if self._shown.get(tray) != text}
        if changed:
            self._base.show(changed)
            self._shown |= changed
        if now >= self._beat_at:
            self._base.beat(self._event, now)
            self._beat_at = now + BEAT_S


def _last_moment(given: Order) -> float:
    return given.until if given.at is None else max(given.until, given.at)


def _told_of(given: Order, answer: Answer) -> str:
    return f"{given.kind}: {answer.outcome}{f', {answer.why}' if answer.why else ''}"
