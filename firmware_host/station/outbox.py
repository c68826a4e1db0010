"""How a tray's log gets to the station: in order, over cuts, nothing lost. Pure.

The log itself is the outbox. Entries are sent without waiting for each other, as many as the window
has room for. What counts is that the station has them on its disk, as it says in `Have`; that the
broker took them says nothing. If nothing moves on for a while, or the station asks for it, they
are sent again from the last that it has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.station.wire import Have

WINDOW = 512
"""Entries on their way at most."""

TOGETHER = 64
"""Entries of one message at most."""

PATIENCE_S = 5.0
"""Seconds without a sign from the station after which entries are sent again."""


@dataclass(frozen=True)
class Outbox:
    """What was sent and what has arrived.

    Attributes:
        had: number of the last entry that the station has.
        sent: of the last that is on its way.
        moved: when something moved on, seconds of the tray's clock.
    """

    had: int
    sent: int
    moved: float

    @classmethod
    def after(cls, had: int, now: float) -> Outbox:
        """Nothing is on its way: at the start, and after a cut."""
        return cls(had, had, now)

    def due(self, last: int, now: float) -> tuple[Outbox, int]:
        """What is to be sent now.

        Args:
            last: number of the last entry of the log.
            now: seconds of the tray's clock.

        Returns:
            The outbox, gone back where nothing moved on, and how many entries follow `sent` now.
        """
        box = self
        if self.sent > self.had and now - self.moved >= PATIENCE_S:
            box = Outbox.after(self.had, now)
        room = WINDOW - (box.sent - box.had)
        return box, max(0, min(last - box.sent, room, TOGETHER))

    def sending(self, count: int, now: float) -> Outbox:
        """So many more are on their way."""
        waiting = self.sent > self.had
        return replace(self, sent=self.sent + count, moved=self.moved if waiting else now)

    def told(self, have: Have, now: float) -> Outbox:
        """After a word of the station, which is only believed where the hashes agree."""
        seq = have.mark.seq
        if have.again:
            return Outbox.after(seq, now)
        if seq <= self.had:
            return self
        return Outbox(seq, max(seq, self.sent), now)
