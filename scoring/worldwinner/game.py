"""WorldWinner Boggle as `scoring.match.Rules`, so that its matches are kept as those of all games.

The events are those of `scoring.worldwinner.events` as JSON; the state is a
`scoring.worldwinner.match.Match`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError, Setup, field
from scoring.nominated import nominated, nomination
from scoring.rules.worldwinner import GAME
from scoring.timer import check_timer
from scoring.worldwinner.events import from_json
from scoring.worldwinner.match import Match, Plan, step
from scoring.worldwinner.tiles import QU_VALUES

NAME = GAME.name

ID = "id"
"""Key of an entry that came with an id of its sender: what is sent twice is known by it."""


@dataclass(frozen=True)
class WorldWinner:
    """The rules, set up for a match.

    Attributes:
        plan: what the players agreed on.
        listed_as: how to find the word list again: a name or a file.
        cubes: name of the edition in the tray.

    Raises:
        RuleError: kind ``seconds``: a round too short or too long.
        UnknownCubeSetError: there is no such edition.
    """

    plan: Plan
    listed_as: str
    cubes: str

    def __post_init__(self) -> None:
        check_timer(self.plan.seconds)
        cube_set(self.cubes)

    @classmethod
    def from_setup(cls, setup: Setup, find_lexicon: Callable[[str], Lexicon]) -> WorldWinner:
        """The rules of a stored match.

        Args:
            setup: as of `setup`.
            find_lexicon: the word list by what `listed_as` says.

        Raises:
            RuleError: the setup is none.
            UnknownCubeSetError: its edition is none.
        """
        players, seconds = field(setup, "players", list), field(setup, "seconds", float)
        if not players or not all(isinstance(name, str) for name in players):
            raise RuleError("event", "the players of the setup are no names", "Mend it.")
        seed, qu_value = field(setup, "seed", int), field(setup, "qu_value", int)
        if seed < 0 or qu_value not in QU_VALUES:
            what = f"the seed {seed} or the {qu_value} points for Qu"
            raise RuleError("event", f"{what} of the setup are none", "Mend it.")
        cubes = field(setup, "cubes", str)
        lexicon, listed_as = nominated(setup, find_lexicon)
        plan = Plan(tuple(players), lexicon, seed, seconds, qu_value)
        return cls(plan, listed_as, cubes)

    @property
    def name(self) -> str:
        """As of `scoring.match.Rules.name`."""
        return NAME

    @property
    def setup(self) -> Setup:
        """As of `scoring.match.Rules.setup`."""
        return {
            "players": list(self.plan.players),
            **nomination(self.plan.lexicon, self.listed_as),
            "seed": self.plan.seed,
            "seconds": float(self.plan.seconds),
            "qu_value": self.plan.qu_value,
            "cubes": self.cubes,
        }

    def start(self) -> Match:
        """As of `scoring.match.Rules.start`."""
        return Match(self.plan)

    def apply(self, state: Match, event: Event) -> Match:
        """As of `scoring.match.Rules.apply`; an `ID`, by which its sender knows it, is no part."""
        return step(state, from_json({key: value for key, value in event.items() if key != ID}))
