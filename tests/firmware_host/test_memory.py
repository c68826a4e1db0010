"""Pools of memory that threads share, where the C library can."""

from __future__ import annotations

import ctypes

import pytest

from firmware_host.memory import ARENAS, give_back, share_arenas


class Library:
    """A C library that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def mallopt(self, option: int, value: int) -> int:
        self.told.append((option, value))
        return 1

    def malloc_trim(self, pad: int) -> int:
        self.told.append((0, pad))
        return 1


def test_glibc_is_told_how_many_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: library)
    share_arenas()
    assert library.told == [(-8, ARENAS)]


def test_a_library_that_knows_no_pools_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    monkeypatch.setattr(ctypes, "CDLL", asked.append)  # gives None, which has no such function
    share_arenas()
    assert asked == [None]


def test_what_is_free_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    monkeypatch.setattr(ctypes, "CDLL", lambda _: library)
    give_back()
    assert library.told == [(0, 0)]


def test_a_library_that_gives_nothing_back_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    monkeypatch.setattr(ctypes, "CDLL", asked.append)
    give_back()
    assert asked == [None]
