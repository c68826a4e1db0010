"""Boggle, Big Boggle and Super Big Boggle: one set of rules, three trays.

Points and lengths are those of the rule books; the timer of the two smaller trays runs three
minutes, that of Super Big Boggle four.
"""

from __future__ import annotations

from scoring.rules.game import Game

_BIG_TABLE = ((4, 1), (5, 2), (6, 3), (7, 5), (8, 11))

FAMILY = (
    Game("boggle", "Boggle", ((4, 4),), min_length=3, table=((3, 1), *_BIG_TABLE)),
    Game("big", "Big Boggle", ((5, 5),), min_length=4, table=_BIG_TABLE),
    Game(
        "super-big",
        "Super Big Boggle",
        ((6, 6),),
        min_length=4,
        table=_BIG_TABLE,
        per_letter=(9, 2),
        timer_s=240,
    ),
)
"""The games, smallest tray first."""
