"""Challenges that are on in the hall: so many seconds are left to say which words, or to withdraw.

They lie in a file beside the event, so that all referees see the same clock and a desk that is
begun anew goes on with it. The end of a clock decides nothing, and nothing of it is in the log:
what is decided is entered as such.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from firmware_host.files import locked, write_whole
from firmware_host.tournaments import beside, data_folder
from scoring.match import RuleError

SECONDS = 60.0
"""Of a clock, unless somebody says otherwise."""

MOST = 200
"""Clocks at once: more than there are tables."""

LASTS_S = 3600.0
"""Seconds after its end for which a clock is shown that nobody has stopped."""


@dataclass(frozen=True)
class Challenge:
    """A challenge that is on.

    Attributes:
        id: its own.
        round: number of the round.
        board: number of the board.
        table: number of the table.
        of: whose words they are.
        by: who challenges.
        words: as far as they were said.
        begun: seconds since 1970, by the clock of the desk.
        seconds: how long it lasts.
        referee: who began it.
    """

    id: str
    round: int
    board: int
    table: int
    of: str
    by: str
    words: tuple[str, ...]
    begun: float
    seconds: float
    referee: str

    @property
    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self) | {"words": list(self.words)}


WAIT_S = 5.0
"""Seconds that another program is waited for."""

Challenges = tuple[Challenge, ...]


def begun(running: Challenges, challenge: Challenge) -> Challenges:
    """With one more; those that nobody stopped for long are left out.

    Raises:
        RuleError: kind ``challenge_runs``: one is on at this table, or too many are.
    """
    kept = tuple(each for each in running if challenge.begun < each.begun + each.seconds + LASTS_S)
    other = next((each for each in kept if each.table == challenge.table), None)
    if other is not None:
        message = f"{other.referee} has begun a challenge at table {other.table}"
        raise RuleError("challenge_runs", message, "Decide it, or withdraw it, first.")
    if len(kept) >= MOST:
        raise RuleError("challenge_runs", f"{MOST} challenges are on", "Decide some of them first.")
    return (*kept, challenge)


def ended(running: Challenges, id_: str) -> Challenges:
    """Without one.

    Raises:
        RuleError: kind ``challenge_over``: it is not on, or not any more.
    """
    if all(each.id != id_ for each in running):
        message = "this challenge is over: somebody has decided or withdrawn it"
        raise RuleError("challenge_over", message, "Look at the log for what became of it.")
    return tuple(each for each in running if each.id != id_)


def new_id() -> str:
    """An id that no other challenge has."""
    return secrets.token_hex(8)


class ChallengeFile:
    """The challenges of an event, kept beside it; for any thread and process.

    Args:
        name: of the event.

    Raises:
        CommandError: there is no such event.
    """

    def __init__(self, name: str) -> None:
        self._path = beside(name, "challenges")

    def running(self) -> Challenges:
        """Those that are on; none where the file is gone or damaged: it proves nothing."""
        try:
            kept = json.loads(self._path.read_bytes())
            return tuple(Challenge(**{**each, "words": tuple(each["words"])}) for each in kept)
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def change(self, change: Callable[[Challenges], Challenges]) -> Challenges:
        """Have others be on.

        Raises:
            RuleError: as the change does, or another program is at it; nothing is changed.
            OSError: they cannot be written.
        """
        try:
            with locked(data_folder(), WAIT_S):
                after = change(self.running())
                write_whole(self._path, (_written(after),))
                return after
        except BlockingIOError:
            message = "the event is being continued elsewhere"
            raise RuleError("busy", message, "Try again in a moment.") from None


def _written(running: Sequence[Challenge]) -> bytes:
    return json.dumps([each.document for each in running]).encode()
