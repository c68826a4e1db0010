"""Files of sorted lines, looked up without reading them: the system holds what of them is used."""

from __future__ import annotations

import mmap
from pathlib import Path


class SortedLines:
    """Lines in the order of their bytes, each with a key up to its first space.

    Args:
        file: not empty; lines that begin with a space, as a licence does, are of no key.

    Raises:
        OSError: it cannot be read.
        ValueError: it is empty.
    """

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._content = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)

    def find(self, key: str) -> str | None:
        """The line of a key."""
        wanted, low, high = key.encode(), 0, len(self._content)
        while low < high:
            begin = self._begin_of_line((low + high) // 2)
            line = self.line_at(begin)
            found = line.partition(b" ")[0]
            if found == wanted:
                return line.decode()
            if found < wanted:
                low = begin + len(line) + 1
            else:
                high = begin
        return None

    def line_at(self, offset: int) -> bytes:
        """The rest of the line from here on, without its end."""
        end = self._content.find(b"\n", offset)
        return self._content[offset : end if end >= 0 else len(self._content)]

    def _begin_of_line(self, offset: int) -> int:
        return self._content.rfind(b"\n", 0, offset) + 1
