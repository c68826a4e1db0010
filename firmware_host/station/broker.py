"""The broker, seen from a tray or the station: what is said goes out, what is heard comes in.

MQTT, by paho-mqtt. Nothing here ever waits for the network: a thread of paho's connects, again and
again where it must, and calls back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

Hear = Callable[[str, bytes], None]
"""Takes topic and payload; in the broker's thread, which it must not keep."""

Changed = Callable[[bool], None]
"""Is told that the broker is there, or gone."""

PORT, TLS_PORT = 1883, 8883

KEEP_ALIVE_S = 10
"""Seconds of silence after which a connection is looked after; at one and a half it is gone."""

FIRST_RETRY_S, LONGEST_RETRY_S = 1, 8
"""Seconds before a connection is tried again."""

IN_FLIGHT = 200
"""Messages that the broker has not confirmed yet, at most, before others wait."""

QUEUED = 2000
"""Messages that wait here at most; others are not taken, and whoever says them says them again."""

SECURITY = 1
"""Quality of service: at least once."""


class Broker(Protocol):
    """Carries messages; at least once, in order, as long as it is connected."""

    @property
    def connected(self) -> bool:
        """Whether what is said now goes out."""

    def start(self, hear: Hear, changed: Changed) -> None:
        """Connect, and go on trying to."""

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """Have a message go out; never waits.

        Args:
            topic: where.
            payload: what.
            retain: whoever comes later hears it, too.

        Returns:
            Whether it was taken: not where there is no connection, or too much waits.
        """

    def stop(self) -> None:
        """Leave in good order: the last will is said."""


@dataclass(frozen=True)
class Address:
    """Where the broker is, and who asks.

    Attributes:
        host: name or address.
        port: of it.
        user: empty where nobody asks.
        password: of the user.
        ca: PEM file of who vouches for the broker: then by TLS. None is in the clear.
    """

    host: str
    port: int = PORT
    user: str = ""
    password: str = ""
    ca: Path | None = None


@dataclass(frozen=True)
class Will:
    """What is said where the connection is lost, and what while it stands; both retained."""

    topic: str
    gone: bytes
    here: bytes


class MqttBroker:
    """A broker by MQTT.

    Args:
        address: where it is.
        name: of this end, one for each.
        will: said of this end.
        topics: what is listened to.

    Raises:
        OSError: the file of the authority cannot be read, or is none.
    """

    def __init__(self, address: Address, name: str, will: Will, topics: Sequence[str]) -> None:
        self._address = address
        self._will = will
        self._topics = [(topic, SECURITY) for topic in topics]
        self._hear: Hear = lambda _topic, _payload: None
        self._changed: Changed = lambda _connected: None
        self._told = ""
        self._client = self._made(name)
        self.refused = ""
        """Why the broker does not let this end in; empty where it does, or is not there."""
        self.tell: Callable[[str], None] = lambda _text: None
        """Is told, once each time it changes, how the connection stands."""

    def _made(self, name: str) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=True)
        client.max_inflight_messages_set(IN_FLIGHT)
        client.max_queued_messages_set(QUEUED)
        client.reconnect_delay_set(FIRST_RETRY_S, LONGEST_RETRY_S)
        client.will_set(self._will.topic, self._will.gone, SECURITY, retain=True)
        if self._address.user:
            client.username_pw_set(self._address.user, self._address.password)
        if self._address.ca is not None:
            client.tls_set(str(self._address.ca))
        client.on_connect = self._on_connect
        client.on_connect_fail = self._on_connect_fail
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        return client

    @property
    def connected(self) -> bool:
        """As of `Broker.connected`."""
        return self._client.is_connected()

    def start(self, hear: Hear, changed: Changed) -> None:
        """As of `Broker.start`."""
        self._hear, self._changed = hear, changed
        self._client.connect_async(self._address.host, self._address.port, KEEP_ALIVE_S)
        self._client.loop_start()

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> bool:
        """As of `Broker.say`."""
        if not self.connected:
            return False
        return self._client.publish(topic, payload, SECURITY, retain).rc == 0

    def stop(self) -> None:
        """As of `Broker.stop`."""
        if self.connected:
            self._client.publish(self._will.topic, self._will.gone, SECURITY, retain=True)
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(
        self, client: Client, _data: object, _flags: object, code: object, *_: object
    ) -> None:
        if getattr(code, "is_failure", False):
            self.refused = str(code)
            self._say(f"refuses: {code}. Look at the user and the password")
            return
        self.refused = ""
        self._say("is there")
        if self._topics:
            client.subscribe(self._topics)
        client.publish(self._will.topic, self._will.here, SECURITY, retain=True)
        self._changed(True)  # noqa: FBT003 - what it is is said by its name

    def _on_connect_fail(self, *_: object) -> None:
        self._say("cannot be reached; it is tried again")

    def _say(self, how: str) -> None:
        if how != self._told:
            self._told = how
            self.tell(f"The broker {self._address.host}:{self._address.port} {how}.")

    def _on_disconnect(self, *_: object) -> None:
        if not self.refused:
            self._say("is gone; it is tried again")
        self._changed(False)  # noqa: FBT003

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self._hear(message.topic, bytes(message.payload))
