"""A net that loses, doubles and mixes up what is said on it; logs and rounds of thin air."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from firmware_host.rounds import Event, RoundState, step
from firmware_host.station.broker import Changed, Hear
from firmware_host.station.wire import OFFLINE, ONLINE
from firmware_host.store.chain import Entry, Moment, linked

MOMENT = Moment(1.0, "boot", 1.0)


def entries(count: int, *, kind: str = "tick", salt: str = "") -> list[Entry]:
    """A log of so many entries that say nothing."""
    made: list[Entry] = []
    for _ in range(count):
        made.append(linked(made[-1] if made else None, 1, kind, MOMENT, f'"{salt}"'))
    return made


@dataclass
class FakeLog:
    """A log in memory."""

    held: list[Entry] = field(default_factory=list)

    @property
    def last_seq(self) -> int:
        return len(self.held)

    def since(self, seq: int, most: int) -> Sequence[Entry]:
        return self.held[seq : seq + most]


@dataclass
class FakeRound:
    """A round whose owner answers at once, or hangs."""

    state: RoundState
    hangs: bool = False
    taken: list[Event] = field(default_factory=list)
    open: list[Future[RoundState]] = field(default_factory=list)

    def take(self, meant: Callable[[RoundState], Event | None]) -> Future[RoundState]:
        answer: Future[RoundState] = Future()
        if self.hangs:
            self.open.append(answer)
            return answer
        event = meant(self.state)
        if event is not None:
            self.taken.append(event)
            self.state, _ = step(self.state, event)
        answer.set_result(self.state)
        return answer


@dataclass
class FakeNet:
    """Carries what its ends say when `deliver` is called.

    Attributes:
        rng: chance of the faults.
        loses, doubles: probability of each for a message.
        mixes: the order is by chance.
        down: nobody is connected.
    """

    rng: random.Random = field(default_factory=lambda: random.Random(1))
    loses: float = 0.0
    doubles: float = 0.0
    mixes: bool = False
    down: bool = False
    said: list[tuple[str, bytes]] = field(default_factory=list)
    ends: list[FakeEnd] = field(default_factory=list)
    retained: dict[str, bytes] = field(default_factory=dict)

    def carry(self, topic: str, payload: bytes, *, retain: bool) -> None:
        if retain:
            self.retained[topic] = payload
        if self.rng.random() >= self.loses:
            copies = 2 if self.rng.random() < self.doubles else 1
            self.said += [(topic, payload)] * copies

    def deliver(self) -> list[tuple[str, bytes]]:
        said, self.said = self.said, []
        if self.mixes:
            self.rng.shuffle(said)
        for topic, payload in said:
            for end in self.ends:
                end.hear_of(topic, payload)
        return said

    def cut(self) -> None:
        self.down = True
        self.said.clear()
        for end in self.ends:
            end.changed(False)  # noqa: FBT003
            self.retained[end.status] = OFFLINE

    def mend(self) -> None:
        self.down = False
        for end in self.ends:
            self.carry(end.status, ONLINE, retain=True)
            end.changed(True)  # noqa: FBT003
            for topic, payload in self.retained.items():
                end.hear_of(topic, payload)


@dataclass
class FakeEnd:
    """An end of the net, as a `firmware_host.station.broker.Broker`.

    Attributes:
        net: what it is an end of.
        status: where its presence is said.
        wants: whether it listens to a topic.
        full: takes nothing at the moment.
    """

    net: FakeNet
    status: str
    wants: Callable[[str], bool]
    full: bool = False
    running: bool = False
    hear: Hear = lambda _topic, _payload: None
    changed: Changed = lambda _connected: None

    @property
    def connected(self) -> bool:
        return self.running and not self.net.down

    def start(self, hear: Hear, changed: Changed) -> None:
        self.hear, self.changed, self.running = hear, changed, True
        self.net.ends.append(self)
        self.net.carry(self.status, ONLINE, retain=True)
        changed(True)  # noqa: FBT003
        for topic, payload in self.net.retained.items():
            self.hear_of(topic, payload)

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        if self.full or not self.connected:
            return False
        self.net.carry(topic, payload, retain=retain)
        return True

    def stop(self) -> None:
        self.running = False
        if self in self.net.ends:
            self.net.ends.remove(self)
            self.net.carry(self.status, OFFLINE, retain=True)

    def hear_of(self, topic: str, payload: bytes) -> None:
        if self.running and self.wants(topic):
            self.hear(topic, payload)
