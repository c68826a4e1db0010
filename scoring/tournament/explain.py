"""How a rank came about, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest

from scoring.tournament.plan import Criterion, Plan
from scoring.tournament.standings import AWAY, BYE, Line, Standing, TeamStanding, Value

TITLES: Mapping[Criterion, str] = {
    Criterion.WINS: "wins",
    Criterion.SPREAD: "spread",
    Criterion.POINTS: "points",
    Criterion.STRENGTH: "strength of opponents",
    Criterion.LONG_WORDS: "long words",
}
MOST_NAMED = 8
"""Opponents that a line names."""


def explain(plan: Plan, standings: Sequence[Standing], name: str) -> list[str]:
    """The lines that make a player's rank: a line a round, the sums, what decided.

    Args:
        plan: what was agreed on.
        standings: of the player's division, best first.
        name: the player.

    Raises:
        LookupError: the player is not among them.
    """
    place = next((n for n, each in enumerate(standings) if each.name == name), None)
    if place is None:
        raise LookupError(f"{name!r} is not in these standings")
    standing = standings[place]
    return [
        *(round_text(plan, line, standing.strengths.get(line.round)) for line in standing.lines),
        *(f"{TITLES[each]}: {value_text(each, value)}" for each, value in standing.values.items()),
        *_decided(standings, place),
    ]


def round_text(plan: Plan, line: Line, strength: Fraction | None) -> str:
    """What a round gave: ``"round 2, table 1, against bob: 12 + 9 = 21 points; wins 1"``."""
    return "; ".join(
        [
            f"{_where(line)}: {_points_text(line)}",
            *([f"wins {number_text(line.wins)}"] if line.opponents or line.table == BYE else []),
            *([_spread_text(plan, line)] if Criterion.SPREAD in plan.ranking else []),
            *(
                [f"opponents have {number_text(strength)} wins each"]
                if strength is not None and Criterion.STRENGTH in plan.ranking
                else []
            ),
        ]
    )


def explain_team(team: TeamStanding) -> list[str]:
    """The lines that make a team's rank."""
    others = f"; not counted: {', '.join(team.others)}" if team.others else ""
    return [
        f"counted: {', '.join(team.counted)}{others}",
        *(f"{TITLES[each]}: {value_text(each, value)}" for each, value in team.values.items()),
    ]


def decided_by(better: Standing, worse: Standing) -> Criterion | None:
    """The first criterion in which two differ; None where they share a rank."""
    return next(
        (each for each, value in better.values.items() if value != worse.values[each]), None
    )


def number_text(number: Fraction, *, signed: bool = False) -> str:
    """A number with two decimals at most, such as ``"2.5"``; of those cut off ``…`` tells."""
    places = Fraction(round(number * 100), 100)
    text = f"{float(places):{'+' if signed else ''}.2f}".rstrip("0").rstrip(".")
    return text if places == number else f"{text}…"


def value_text(criterion: Criterion, value: Value) -> str:
    """The value of a criterion for people."""
    if isinstance(value, tuple):
        return lengths_text(value)
    return number_text(value, signed=criterion is Criterion.SPREAD)


def lengths_text(lengths: Sequence[int]) -> str:
    """How many words of which length, such as ``"1×7 3×5"``; ``–`` where there are none."""
    counts = {length: lengths.count(length) for length in sorted(set(lengths), reverse=True)}
    return " ".join(f"{count}×{length}" for length, count in counts.items()) or "–"


def _where(line: Line) -> str:
    if line.table == BYE:
        return f"round {line.round}, bye"
    if line.table == AWAY:
        return f"round {line.round}, not at a table"
    named = ", ".join(line.opponents[:MOST_NAMED])
    more = len(line.opponents) - MOST_NAMED
    against = f"{named} and {more} more" if more > 0 else named
    return f"round {line.round}, table {line.table}, against {against}"


def _points_text(line: Line) -> str:
    terms = ["–" if points is None else str(points) for points in line.boards]
    if line.table in {BYE, AWAY}:
        terms = []
    given = [f"{each.points:+d} ({each.why})" for each in line.adjustments]
    made = " + ".join(terms)
    total = f"{line.points} points"
    parts = [part for part in (made, *given) if part]
    return f"{' '.join(parts)} = {total}" if len(terms) + len(given) > 1 else total


def _spread_text(plan: Plan, line: Line) -> str:
    capped = "" if line.spread == line.margin else f", capped at {plan.spread_cap}"
    margin = number_text(line.margin, signed=True)
    return f"spread {number_text(line.spread, signed=True)}" + (
        f" (of {margin}{capped})" if capped else ""
    )


def _decided(standings: Sequence[Standing], place: int) -> Iterator[str]:
    standing = standings[place]
    shared = [s.name for s in standings if s.rank == standing.rank and s.name != standing.name]
    if shared:
        yield f"rank {standing.rank}, shared with {', '.join(shared[:MOST_NAMED])}: all is equal"
    else:
        yield f"rank {standing.rank}"
    ahead = [each for each in standings if each.rank < standing.rank][-1:]
    behind = [each for each in standings if each.rank > standing.rank][:1]
    yield from (f"behind {each.name}: {_between(each, standing)}" for each in ahead)
    yield from (f"ahead of {each.name}: {_between(standing, each)}" for each in behind)


def _between(better: Standing, worse: Standing) -> str:
    criterion = decided_by(better, worse)
    if criterion is None:
        return "all is equal"
    first, second = better.values[criterion], worse.values[criterion]
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = enumerate(zip_longest(first, second, fillvalue=0), 1)
        number, lengths = next((n, pair) for n, pair in pairs if pair[0] != pair[1])
        return f"word {number} by length has {lengths[0]} letters to {lengths[1]}"
    texts = [value_text(criterion, value) for value in (first, second)]
    return f"{TITLES[criterion]} {texts[0]} to {texts[1]}"
