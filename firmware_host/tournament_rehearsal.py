"""Simulated events at the station: which methods, which players, and the hall they play in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from firmware_host import lexicons
from scoring.cubes import cube_set
from scoring.tournament.finding import Finder, Usualness
from scoring.tournament.log import Log
from scoring.tournament.plan import Method, Plan
from scoring.tournament.simulation import Comparison, Hall, Troubles, compare, strengths_of

EVERY = 7
"""Of the words of the list every so many are looked at for how usual pairs of letters are."""


@dataclass(frozen=True)
class Rehearsal:
    """What is simulated.

    Attributes:
        plan: what is agreed on, but for the method.
        players: how many.
        events: of each method.
        cubes: name of the set that is shaken.
        troubles: what goes wrong.
    """

    plan: Plan
    players: int
    events: int
    cubes: str
    troubles: Troubles

    def compared(self, methods: Sequence[Method], tell: Callable[[], None]) -> list[Comparison]:
        """Events of each method with the same players and the same cubes.

        Args:
            methods: to be compared.
            tell: is called after each event.
        """
        hall = self._hall()
        return [
            compare(
                hall,
                replace(self.plan, method=method),
                players=self.players,
                events=self.events,
                seed=self.plan.seed,
                tell=tell,
            )
            for method in methods
        ]

    def event(self, method: Method) -> Log:
        """The first event of a method."""
        plan = replace(self.plan, method=method)
        return self._hall().play(plan, strengths_of(self.players, plan.seed), plan.seed)

    def _hall(self) -> Hall:
        lexicon = lexicons.load(self.plan.lexicon)
        finder = Finder(Usualness.of(lexicon.words[::EVERY]))
        return Hall(lexicon, finder, cube_set(self.cubes), self.troubles)
