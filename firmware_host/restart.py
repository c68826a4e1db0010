"""The service begun anew in the same process: with the same options, or in safe mode."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence


def end_by_signal() -> None:
    """Have the service end as by `systemctl stop`, from any thread."""
    os.kill(os.getpid(), signal.SIGTERM)


class Restart:
    """Whether the service is to begin anew when it has ended.

    Args:
        end: ends it.

    Attributes:
        asked: it is to.
        safe: in safe mode.
        port: of the pages, which stays the same.
    """

    def __init__(self, end: Callable[[], None] = end_by_signal) -> None:
        self._end = end
        self.asked = False
        self.safe = False
        self.port = 0

    def ask(self, *, safe: bool) -> None:
        """End it, and have it begin anew."""
        self.asked, self.safe = True, safe
        self._end()

    def command(self, argv: Sequence[str]) -> list[str]:
        """What begins it anew.

        Args:
            argv: what began it, program and all.

        Example:
            >>> restart = Restart(lambda: None)
            >>> restart.port = 8080
            >>> restart.command(["wordtray", "serve", "--new-pin", "--port", "0"])
            ['wordtray', 'serve', '--port', '8080']
        """
        port = ["--port", str(self.port)] if self.port else []
        return [*_kept(argv), *port, *["--safe"] * self.safe]


def _kept(argv: Sequence[str]) -> Iterator[str]:
    """All but what is of one start alone: PINs must not be made again."""
    arguments = iter(argv)
    for argument in arguments:
        if argument == "--port":
            next(arguments, None)
        elif argument not in {"--new-pin", "--safe"} and not argument.startswith("--port="):
            yield argument
