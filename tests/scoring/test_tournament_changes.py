"""What a correction changes: whose place is another one, and by which rounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.tournament.changes import changes
from scoring.tournament.log import Log
from scoring.tournament.plan import Criterion
from scoring.tournament.standings import Standings
from tests.scoring.test_tournament_standings import begun, round_of

POINTS = st.lists(st.integers(0, 9), min_size=4, max_size=4)


def played(first: list[int], second: list[int]) -> Log:
    """Two rounds of pairs."""
    log = begun("ann bob cy dee", rounds=2, boards=1, ranking=[Criterion.POINTS, Criterion.WINS])
    a, b, c, d = first
    log = round_of(log, f"ann {a} bob {b}", f"cy {c} dee {d}")
    a, b, c, d = second
    return round_of(log, f"ann {a} cy {b}", f"bob {c} dee {d}")


@given(POINTS, POINTS)
def test_nothing_changes_where_nothing_has(first: list[int], second: list[int]) -> None:
    log = played(first, second)
    assert changes(log.plan, log.state, log.state) == ()


@given(POINTS, POINTS, st.sampled_from(["ann", "bob", "cy", "dee"]), st.integers(1, 9))
def test_whoever_is_not_named_stands_where_they_stood(
    first: list[int], second: list[int], name: str, points: int
) -> None:
    log = played(first, second)
    after = log.play(9.0, {"type": "adjust", "round": 1, "player": name, "points": points,
                           "why": "x"})  # fmt: skip
    found = changes(log.plan, log.state, after.state)
    named = {each.name for each in found}
    before, now = (Standings(log.plan, each.state).of("main") for each in (log, after))
    assert name in named
    assert all(each in now for each in before if each.name not in named)
    assert all(each.before != each.after for each in found)
    assert 1 in next(each.rounds for each in found if each.name == name)
    ranks = [each.after.rank for each in found if each.after is not None]
    assert ranks == sorted(ranks)


def test_the_rounds_are_told_that_make_the_difference() -> None:
    log = played([5, 3, 2, 1], [5, 3, 2, 1])
    after = log.play(9.0, {"type": "adjust", "round": 2, "player": "ann", "points": 2, "why": "x"})
    found = {each.name: each for each in changes(log.plan, log.state, after.state)}
    assert {name: each.rounds for name, each in found.items()} == {"ann": (2,), "cy": (2,)}


def test_who_is_new_has_no_place_before() -> None:
    log = played([5, 3, 2, 1], [5, 3, 2, 1])
    after = log.play(9.0, {"type": "enrol", "player": "eve"})
    (eve,) = changes(log.plan, log.state, after.state)
    assert (eve.before, eve.name, eve.division) == (None, "eve", "main")
    (gone,) = changes(log.plan, after.state, log.state)
    assert (gone.after, gone.name) == (None, "eve")
