"""WorldWinner Boggle: its numbers. How it is played stands in `scoring.worldwinner`.

Tiles are worth what they are in English Scrabble. What the rule book leaves open (the length of a
round, how many bonus tiles there are) is decided here and told in ``docs/worldwinner.md``.
"""

from __future__ import annotations

from types import MappingProxyType

from scoring.rules.game import Game
from scoring.trie import LONGEST_WORD

_BY_VALUE = {
    1: "aeilnorstu",
    2: "dg",
    3: "bcmp",
    4: "fhvwy",
    5: "k",
    8: "jx",
    10: "qz",
}

LONG_WORD = 5
"""Letters of the shortest word that gets a bonus for its length."""

LETTER_BONUS = 5
"""Points for each letter of a word from the `LONG_WORD`-th on."""

ALL_LETTERS = 100
"""Points for having used every tile in paid words, once a round."""

ROUNDS = 3

BONUS_TILES_OF_A_KIND = MappingProxyType({1: 0, 2: 1, 3: 2})
"""How many tiles of each kind of bonus the tray has, by the number of the round."""

GAME = Game(
    "worldwinner",
    "WorldWinner Boggle",
    ((4, 4), (5, 5)),
    min_length=2,
    table=tuple(
        (length, LETTER_BONUS * (length - LONG_WORD + 1))
        for length in range(LONG_WORD, LONGEST_WORD + 1)
    ),
    timer_s=120,
    letter_values=MappingProxyType(
        {letter: value for value, letters in _BY_VALUE.items() for letter in letters}
    ),
    letter_limit=(16, 16),
)
"""The rules about words, on plain tiles."""
