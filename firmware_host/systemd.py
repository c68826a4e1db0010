"""What systemd wants to hear of a service, said by a datagram (sd_notify), and what it asks for."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

RESTART_S = 90.0
"""Seconds that a start may take, as the unit has it."""


@dataclass(frozen=True)
class Notifier:
    """Tells systemd how the service is; says nothing where nobody listens.

    Args:
        address: of systemd's socket, ``@`` for the abstract kind; empty where nobody listens.
        watchdog_s: seconds without a word after which systemd kills the service; None for never.

    Example:
        >>> Notifier.of({"WATCHDOG_USEC": "10000000"}).watchdog_s
        10.0
    """

    address: str = ""
    watchdog_s: float | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str], pid: int | None = None) -> Notifier:
        """From what systemd puts into the environment.

        Args:
            environment: such as ``os.environ``.
            pid: this process; a watchdog that is meant for another is none. None takes any.
        """
        microseconds = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", "") in {"", str(pid)} or pid is None
        watchdog_s = int(microseconds) / 1e6 if microseconds.isdecimal() and meant else None
        return cls(environment.get("NOTIFY_SOCKET", ""), watchdog_s or None)

    def ready(self, status: str) -> None:
        """The service is up."""
        self._send(f"READY=1\nSTATUS={status}")

    def status(self, text: str) -> None:
        """What it does now; ``systemctl status`` shows it."""
        self._send(f"STATUS={text}")

    def alive(self) -> None:
        """It gets on; to be said within `watchdog_s`."""
        self._send("WATCHDOG=1")

    def allowing(self, seconds: float) -> Notifier:
        """Ask for a watchdog that waits at least this long, where there is one.

        Returns:
            The notifier to go on with.
        """
        if self.watchdog_s is None:
            return self
        seconds = max(seconds, self.watchdog_s)  # said in any case: before, it may have been more
        self._send(f"WATCHDOG_USEC={seconds * 1e6:.0f}")
        return replace(self, watchdog_s=seconds)

    def restarting(self) -> None:
        """It begins anew in this very process, which may take as long as a start."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
        if self.watchdog_s is not None:
            self._send(f"WATCHDOG_USEC={RESTART_S * 1e6:.0f}")

    def stopping(self, status: str) -> None:
        """It is on its way out."""
        self._send(f"STOPPING=1\nSTATUS={status}")

    def _send(self, message: str) -> None:
        if not self.address:
            return
        # A service without a supervisor must go on: systemd restarts what it no longer hears.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wire:
                wire.settimeout(1.0)
                wire.sendto(message.encode(), address)
        except OSError:
            return
