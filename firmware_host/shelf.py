"""The word lists that a service proves words by: each is loaded once."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host import lexicons
from scoring.lexicon import Lexicon, LexiconError


class Shelf:
    """Word lists by name; the empty name is the one that the program was started with.

    Args:
        first: that one.
        load: loads another.
    """

    def __init__(self, first: Lexicon, load: Callable[[str], Lexicon] = lexicons.load) -> None:
        self._load = load
        self._loaded = {"": first}

    @property
    def first(self) -> Lexicon:
        """The one of the start."""
        return self._loaded[""]

    def __call__(self, name: str) -> Lexicon:
        """The word list of a name.

        Raises:
            LexiconError: there is none, or it cannot be read.
        """
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def or_first(self, name: str) -> Lexicon:
        """The same, for what tells of words and decides nothing: one that is gone is the first."""
        try:
            return self(name)
        except LexiconError:
            return self.first
