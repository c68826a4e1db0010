"""Reads SQLite's write-ahead file, to tell whether all of it was written.

SQLite itself leaves out what does not end in a whole commit, and says nothing. The format is that
of https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_LITTLE, _BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Ahead:
    """What a write-ahead file holds.

    Attributes:
        page_bytes: size of a page; 0 where the file has no sound header.
        pages: pages of the database after the last whole commit; 0 where there is none.
        torn_bytes: bytes after that commit that belong to a write which was not finished.
    """

    page_bytes: int = 0
    pages: int = 0
    torn_bytes: int = 0


def read_ahead(data: bytes) -> Ahead:
    """Look through the content of a write-ahead file."""
    if len(data) < _HEADER.size:
        return Ahead(torn_bytes=len(data))
    magic, _, page_bytes, _, *salts, first, second = _HEADER.unpack_from(data)
    big = magic == _BIG
    sums = _checksum(data[: _HEADER.size - 8], (0, 0), big=big)
    if magic not in (_LITTLE, _BIG) or sums != (first, second):
        return Ahead(torn_bytes=len(data))
    return _frames(data, page_bytes, tuple(salts), sums, big=big)


def _frames(
    data: bytes, page_bytes: int, salts: tuple[int, ...], sums: tuple[int, int], *, big: bool
) -> Ahead:
    place, end, pages = _HEADER.size, _HEADER.size, 0
    while len(data) - place >= _FRAME.size + page_bytes:
        _, size, *head = _FRAME.unpack_from(data, place)
        sums = _checksum(data[place : place + 8], sums, big=big)
        page = place + _FRAME.size
        sums = _checksum(data[page : page + page_bytes], sums, big=big)
        if tuple(head) != (*salts, *sums):
            break
        place = page + page_bytes
        if size:
            end, pages = place, size
    return Ahead(page_bytes, pages, _torn(data[end:], salts))


def _torn(rest: bytes, salts: tuple[int, ...]) -> int:
    """How much of what follows the last commit is of this round of the file, not of one before."""
    begun = rest[8:16]
    return len(rest) if struct.pack(">2I", *salts)[: len(begun)] == begun and rest else 0


def _checksum(data: bytes, sums: tuple[int, int], *, big: bool) -> tuple[int, int]:
    words = array("I", data)
    if big != (struct.pack("=H", 1) == b"\0\1"):
        words.byteswap()
    one, two = sums
    for place in range(0, len(words), 2):
        one = (one + words[place] + two) & _WORD
        two = (two + words[place + 1] + one) & _WORD
    return one, two
