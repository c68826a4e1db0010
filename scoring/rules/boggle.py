"""Boggle, Big Boggle and Super Big Boggle, and their variants: one set of rules, three trays.

Points and lengths are those of the rule books; the timer of the two smaller trays runs three
minutes, that of Super Big Boggle four.
"""

from __future__ import annotations

from dataclasses import replace

from scoring.rules.conduct import Conduct, Penalty
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

_BIG, _SUPER_BIG = FAMILY[1:]

VARIANTS = (
    replace(
        _SUPER_BIG,
        name="super-big-advanced",
        title="Super Big Boggle, advanced",
        min_length=5,
        table=_BIG_TABLE[1:],
    ),
    replace(
        _SUPER_BIG,
        name="super-big-handicap",
        title="Super Big Boggle with handicap",
        min_length=3,
        table=((3, 1), *_BIG_TABLE),
        usual_length=4,
    ),
    replace(
        _SUPER_BIG,
        name="super-big-team",
        title="Super Big Boggle in teams",
        conduct=Conduct(teams=True),
    ),
    replace(
        _BIG,
        name="ultimate",
        title="Boggle Ultimate",
        conduct=Conduct(penalty=Penalty(every_rejected=True), open_ended=True),
        as_tray=True,
    ),
)
"""Other ways to play; none is meant by the size of a board."""
