"""What a correction changes: ranks and values before and after, and the rounds that make them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.tournament.plan import Plan
from scoring.tournament.standings import Standing, Standings
from scoring.tournament.state import State


@dataclass(frozen=True)
class Change:
    """What became of a player's place.

    Attributes:
        division: whose standings they are.
        before: None where the player was not enrolled.
        after: None where the player is not any more.
    """

    division: str
    before: Standing | None
    after: Standing | None

    @property
    def name(self) -> str:
        """Whose place it is."""
        found = self.after or self.before
        return "" if found is None else found.name

    @property
    def rounds(self) -> tuple[int, ...]:
        """Numbers of the rounds in which something of the player is another one."""
        kept = [_terms(standing) for standing in (self.before, self.after)]
        numbers = sorted({*kept[0], *kept[1]})
        return tuple(number for number in numbers if kept[0].get(number) != kept[1].get(number))


def changes(plan: Plan, before: State, after: State) -> tuple[Change, ...]:
    """The players whose rank, values or rounds differ, best first as they stand then.

    Args:
        plan: what was agreed on.
        before: the event as it stood.
        after: the event as it stands then.
    """
    then, now = Standings(plan, before), Standings(plan, after)
    found = [
        each
        for division in plan.divisions
        for each in _of_division(division, then.of(division), now.of(division))
    ]
    return tuple(found)


def _of_division(
    division: str, before: tuple[Standing, ...], after: tuple[Standing, ...]
) -> list[Change]:
    then, now = ({each.name: each for each in standings} for standings in (before, after))
    pairs = [Change(division, then.get(name), now.get(name)) for name in {**now, **then}]
    return [each for each in pairs if each.before != each.after]


def _terms(standing: Standing | None) -> dict[int, object]:
    """What each round is to a rank: its line, and how strong the others at the table were."""
    if standing is None:
        return {}
    return {line.round: (line, standing.strengths.get(line.round)) for line in standing.lines}
