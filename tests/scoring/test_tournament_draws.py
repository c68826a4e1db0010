"""Tables of every method: nobody meets twice who need not, byes go round, the seed decides."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.match import RuleError
from scoring.tournament.drawing import draw, draw_event, next_round, remarks
from scoring.tournament.field import Field, Meetings, meetings_before
from scoring.tournament.log import Log
from scoring.tournament.pairs import berger, king_of_the_hill, swiss
from scoring.tournament.plan import EVERYBODY, Criterion, Method, Plan
from scoring.tournament.planes import golfers
from scoring.tournament.pods import pod_sizes
from scoring.tournament.standings import Standings
from scoring.tournament.state import Draw

# Of 8, as printed in the handbook of the chess federation.
BERGER_8 = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""
BERGER_6 = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""


DRAWN = [
    (method, seats)
    for method in Method
    for seats in (2, 4)
    if method not in {Method.ALL, Method.MANUAL} and (method, seats) != (Method.BALANCED, 2)
]


def begun(players: int, seats: int, rounds: int, **agreed: Any) -> Log:  # noqa: ANN401
    """An event with so many players, the first with the highest rating."""
    plan = Plan.agree("Spring", "house", "", seats=seats, rounds=rounds, boards=1, **agreed)
    enrolled = [
        {"type": "enrol", "player": f"p{number}", "rating": 1000 - number}
        for number in range(1, players + 1)
    ]
    return Log.new(plan).play(0.0, *enrolled)


def played(log: Log, drawn: Draw, made: dict[str, int]) -> Log:
    """The log after a round in which everybody makes so many points."""
    number = next_round(log.state)
    log = log.play(0.0, draw_event(number, drawn), {"type": "start", "round": number})
    scores = [
        {
            "type": "scores", "round": number, "board": 1, "table": table, "entered": True,
            "scores": {player: {"points": made.get(player, 0)} for player in seated},
        }
        for table, seated in log.state.rounds[-1].tables.items()
    ]  # fmt: skip
    return log.play(0.0, *scores)


def by_chance(log: Log, rng: random.Random, **more: Any) -> Log:  # noqa: ANN401
    """The log after a round of chance."""
    made = {name: rng.randrange(50) for name in log.state.players}
    return played(log, draw(log.plan, log.state, "main", **more), made)


def kinds(log: Log, drawn: Draw) -> Counter[str]:
    return Counter(remark.kind for remark in remarks(log.plan, log.state, drawn))


def can_all_be_fresh(log: Log) -> bool:
    """Whether pairs can be drawn in which nobody meets, or has a bye, again: found otherwise."""
    met = meetings_before(log.state, next_round(log.state))
    names = list(log.state.active("main"))
    fresh = nx.Graph()
    fresh.add_nodes_from(names)
    fresh.add_edges_from(pair for pair in combinations(names, 2) if not met.between(*pair))
    if len(names) % 2:
        fresh.add_edges_from((name, "bye") for name in names if not met.byes.get(name))
    everybody = len(names) + len(names) % 2
    return 2 * len(nx.max_weight_matching(fresh, maxcardinality=True)) == everybody


def check_no_rematch(players: int, rounds: int, seed: int, method: Method = Method.SWISS) -> None:
    """An event of chance in which nobody meets twice, nor has two byes."""
    log, rng = begun(players, 2, rounds, method=method, seed=seed), random.Random(seed)
    for _ in range(rounds):
        drawn = draw(log.plan, log.state, "main")
        assert kinds(log, drawn) == Counter()
        log = played(log, drawn, {name: rng.randrange(50) for name in log.state.players})


def check_no_needless_rematch(seed: int) -> None:
    """An event with comers and goers in which players meet again only where they must."""
    rng = random.Random(seed)
    rounds = rng.randint(3, 8)
    log = begun(rng.randint(4, 17), 2, rounds, seed=seed)
    for number in range(1, rounds + 1):
        if number > 1 and rng.random() < 0.4:
            log = log.play(0.0, {"type": "enrol", "player": f"late{number}"})
        leaver = rng.choice(log.state.active("main"))
        if rng.random() < 0.4 and len(log.state.active("main")) > 2:
            log = log.play(0.0, {"type": "withdraw", "player": leaver})
        drawn = draw(log.plan, log.state, "main")
        found = kinds(log, drawn)
        assert not (can_all_be_fresh(log) and found["again"] + found["bye_again"])
        log = played(log, drawn, {name: rng.randrange(50) for name in log.state.players})


class TestSwissPairs:
    @pytest.mark.parametrize("method", [Method.SWISS, Method.RANDOM])
    @given(data=st.data())
    @settings(max_examples=15)
    def test_nobody_meets_twice_up_to_the_last_round(
        self, method: Method, data: st.DataObject
    ) -> None:
        players = data.draw(st.integers(3, 12))
        most = players - 1 + players % 2
        rounds = data.draw(st.integers(1, most))
        check_no_rematch(players, rounds, data.draw(st.integers(0, 2**20)), method)

    @given(st.integers(0, 2**20))
    @settings(max_examples=15)
    def test_with_comers_and_goers_nobody_meets_again_who_need_not(self, seed: int) -> None:
        check_no_needless_rematch(seed)

    @pytest.mark.slow
    def test_a_thousand_events_have_no_needless_rematch(self) -> None:
        for seed in range(1000):
            check_no_needless_rematch(seed)
            check_no_rematch(4 + seed % 29, 2 + seed % (2 + seed % 29), seed)

    def test_the_upper_half_meets_the_lower_half_at_first(self) -> None:
        log = begun(8, 2, 3)
        tables = draw(log.plan, log.state, "main").tables
        assert tables == (("p1", "p5"), ("p2", "p6"), ("p3", "p7"), ("p4", "p8"))

    def test_winners_meet_winners(self) -> None:
        log = begun(8, 2, 3)
        first = {f"p{number}": 10 - number for number in range(1, 9)}
        log = played(log, draw(log.plan, log.state, "main"), first)
        wins = Standings(log.plan, log.state).wins
        tables = draw(log.plan, log.state, "main").tables
        assert all(wins[one] == wins[other] for one, other in tables)

    def test_the_bye_goes_to_the_last_and_then_to_another(self) -> None:
        log = begun(5, 2, 2)
        first = draw(log.plan, log.state, "main")
        assert first.byes == ("p5",)
        log = played(log, first, {})
        assert draw(log.plan, log.state, "main").byes != ("p5",)

    def test_who_asked_for_a_bye_has_it(self) -> None:
        log = begun(5, 2, 4).play(0.0, {"type": "ask_bye", "player": "p1", "round": 1})
        assert draw(log.plan, log.state, "main").byes == ("p1",)

    def test_a_larger_hall_is_drawn_from_those_that_fit_best(self) -> None:
        log, rng = begun(100, 2, 3), random.Random(1)
        for _ in range(3):
            drawn = draw(log.plan, log.state, "main")
            assert kinds(log, drawn) == Counter()
            log = played(log, drawn, {name: rng.randrange(50) for name in log.state.players})

    @pytest.mark.parametrize("draw_pairs", [swiss, king_of_the_hill])
    def test_a_safe_leader_meets_the_best_of_those_who_can_win_nothing(
        self, draw_pairs: Callable[[Field], list[tuple[str, ...]]]
    ) -> None:
        field = self.field(safe={"a"}, contenders={"a", "b", "c", "d"})
        assert next(table for table in draw_pairs(field) if "a" in table) == ("a", "e")

    @pytest.mark.parametrize("draw_pairs", [swiss, king_of_the_hill])
    def test_two_who_are_safe_may_meet(
        self, draw_pairs: Callable[[Field], list[tuple[str, ...]]]
    ) -> None:
        field = self.field(safe={"a", "b"}, contenders={"a", "b", "c", "d"})
        assert draw_pairs(field)[0] == ("a", "b")

    @staticmethod
    def field(safe: set[str], contenders: set[str]) -> Field:
        wins = {name: Fraction(12 - 2 * place) for place, name in enumerate("abcdefgh")}
        met = Meetings({}, {})
        order = tuple("abcdefgh")
        given = frozenset(safe), frozenset(contenders)
        return Field(order, wins, met, order, *given, by_wins=True, round=2, rounds=3)


class TestRoundRobin:
    @pytest.mark.parametrize(("printed", "players"), [(BERGER_8, 8), (BERGER_6, 6)])
    def test_rounds_are_those_of_bergers_tables(self, printed: str, players: int) -> None:
        rounds = [
            {frozenset(pair.split("-")) for pair in line.split()}
            for line in printed.strip().splitlines()
        ]
        made = berger([str(number) for number in range(1, players + 1)])
        assert [set(map(frozenset, tables)) for tables in made] == rounds

    @given(st.integers(2, 30))
    def test_everybody_meets_everybody_once(self, players: int) -> None:
        names = [str(number) for number in range(players)]
        met = Counter(frozenset(table) for tables in berger(names) for table in tables)
        assert set(met.values()) == {1}
        assert {frozenset(pair) for pair in combinations(names, 2)} <= set(met)
        assert all(sum(map(len, tables)) == players for tables in berger(names))

    def test_an_event_is_drawn_so(self) -> None:
        log = begun(6, 2, 5, method=Method.ROUND_ROBIN)
        for tables in berger([f"p{number}" for number in range(1, 7)]):
            drawn = draw(log.plan, log.state, "main")
            assert set(map(frozenset, drawn.tables)) == set(map(frozenset, tables))
            log = played(log, drawn, {})

    def test_whose_opponent_left_has_a_bye(self) -> None:
        log = begun(6, 2, 5, method=Method.ROUND_ROBIN)
        log = played(log, draw(log.plan, log.state, "main"), {})
        log = log.play(0.0, {"type": "withdraw", "player": "p6"})
        drawn = draw(log.plan, log.state, "main")
        assert drawn.byes == ("p4",)
        assert kinds(log, drawn) == Counter()


class TestKingOfTheHill:
    def test_neighbours_meet_even_again(self) -> None:
        log = begun(6, 2, 3, method=Method.KING_OF_THE_HILL)
        made = {f"p{number}": 10 - number for number in range(1, 7)}
        log = played(log, draw(log.plan, log.state, "main"), made)
        order = [each.name for each in Standings(log.plan, log.state).of("main")]
        tables = draw(log.plan, log.state, "main").tables
        assert tables == tuple(zip(order[::2], order[1::2], strict=True))

    def test_the_lowest_with_fewest_byes_has_the_bye(self) -> None:
        log = begun(3, 2, 3, method=Method.KING_OF_THE_HILL)
        log = played(log, draw(log.plan, log.state, "main"), {"p1": 2, "p2": 1})
        assert draw(log.plan, log.state, "main").byes == ("p2",)

    def test_in_pods_the_best_sit_at_the_first_table(self) -> None:
        log = begun(9, 3, 3, method=Method.KING_OF_THE_HILL)
        assert draw(log.plan, log.state, "main").tables[0] == ("p1", "p2", "p3")


class TestPods:
    @given(st.integers(3, 700), st.integers(3, 8))
    def test_tables_have_three_to_eight_and_almost_the_same_number(
        self, players: int, seats: int
    ) -> None:
        sizes = pod_sizes(players, seats)
        assert sum(sizes) == players
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= 3
        assert max(sizes) <= 8

    @pytest.mark.parametrize("method", [Method.SWISS, Method.BALANCED, Method.ROUND_ROBIN])
    @pytest.mark.parametrize(
        ("players", "seats", "rounds"), [(9, 3, 4), (16, 4, 5), (32, 4, 8), (25, 5, 6), (40, 4, 5)]
    )
    def test_nobody_meets_twice_where_that_is_known_to_be_possible(
        self, players: int, seats: int, rounds: int, method: Method
    ) -> None:
        log, rng = begun(players, seats, rounds, method=method), random.Random(players)
        for _ in range(rounds):
            assert kinds(log, draw(log.plan, log.state, "main")) == Counter()
            log = by_chance(log, rng)

    @pytest.mark.parametrize("method", [Method.SWISS, Method.BALANCED, Method.ROUND_ROBIN])
    def test_meetings_are_spread_where_they_must_be_repeated(self, method: Method) -> None:
        log, rng = begun(12, 4, 6, method=method), random.Random(3)
        for _ in range(6):
            log = by_chance(log, rng)
        met = meetings_before(log.state, 7)
        counts = [met.between(*pair) for pair in combinations(log.state.players, 2)]
        assert sum(counts) == 6 * 3 * 6  # 1.6 for a pair
        assert max(counts) <= 4

    def test_swiss_tables_are_of_equals(self) -> None:
        log = begun(24, 4, 4)
        alike, mixed = (
            _spread(draw(log.plan, log.state, "main", method=method).tables)
            for method in (Method.SWISS, Method.BALANCED)
        )
        assert alike < mixed / 2

    def test_balanced_tables_are_alike(self) -> None:
        log = begun(24, 4, 4, method=Method.BALANCED)
        tables = draw(log.plan, log.state, "main").tables
        sums = [sum(int(name[1:]) for name in table) for table in tables]
        assert max(sums) - min(sums) <= 2

    def test_a_handful_sits_at_one_table(self) -> None:
        for players in (2, 3, 5):
            log = begun(players, 4, 2)
            assert [len(t) for t in draw(log.plan, log.state, "main").tables] == [players]

    def test_who_is_alone_has_a_bye(self) -> None:
        log = begun(1, 4, 2)
        assert draw(log.plan, log.state, "main").byes == ("p1",)

    @given(st.integers(2, 12), st.integers(2, 8))
    @settings(max_examples=40)
    def test_rounds_from_a_plane_are_rounds_and_repeat_nobody(self, tables: int, rows: int) -> None:
        players = tables * rows
        met: Counter[frozenset[int]] = Counter()
        for drawn in golfers(players, tables):
            assert sorted(player for table in drawn for player in table) == list(range(players))
            met.update(frozenset(pair) for table in drawn for pair in combinations(table, 2))
        assert set(met.values()) <= {1}

    def test_how_many_rounds_a_plane_has(self) -> None:
        sizes = [(9, 3), (16, 4), (32, 8), (81, 9), (35, 7), (24, 6)]
        assert [len(golfers(*size)) for size in sizes] == [4, 5, 8, 10, 7, 1]


class TestEveryMethod:
    @pytest.mark.parametrize(("method", "seats"), DRAWN)
    def test_the_same_seed_draws_the_same(self, method: Method, seats: int) -> None:
        draws = []
        for seed in (1, 1, 2):
            log = begun(13, seats, 4, method=method, seed=seed)
            log = by_chance(log, random.Random(5))
            draws.append(draw(log.plan, log.state, "main"))
        assert draws[0] == draws[1]
        if method is Method.RANDOM:
            assert draws[1] != draws[2]

    def test_all_play_at_one_table(self) -> None:
        log = begun(30, EVERYBODY, 2)
        assert list(map(len, draw(log.plan, log.state, "main").tables)) == [30]

    def test_who_is_absent_is_not_seated(self) -> None:
        log = begun(8, 4, 2)
        drawn = draw(log.plan, log.state, "main", absent=["p3"])
        assert drawn.absent == ("p3",)
        assert sum(map(len, drawn.tables)) == 7
        with pytest.raises(RuleError) as caught:
            draw(log.plan, log.state, "main", absent=["p9"])
        assert caught.value.kind == "unknown_player"

    def test_a_method_that_does_not_fit_the_seats_is_refused(self) -> None:
        log = begun(8, 2, 2)
        with pytest.raises(RuleError):
            draw(log.plan, log.state, "main", method=Method.BALANCED)
        with pytest.raises(RuleError):
            draw(log.plan, log.state, "main", method=Method.MANUAL)

    def test_by_hand_all_that_is_odd_is_told(self) -> None:
        log = begun(9, 3, 3)
        log = played(log, draw(log.plan, log.state, "main"), {})
        again = Draw("main", (*log.state.rounds[0].tables.values(),), method="manual")
        assert kinds(log, again) == Counter({"again": 9})
        few = Draw("main", (("p1", "p2", "p3", "p4", "p5"),), ("p6",), ("p7",), "manual")
        assert {remark.kind for remark in remarks(log.plan, log.state, few)} >= {"size", "absent"}

    def test_divisions_never_meet(self) -> None:
        log = begun(0, 2, 3, divisions=["A", "B"]).play(
            0.0,
            *(
                {"type": "enrol", "player": f"{division}{n}", "division": division}
                for division in "AB"
                for n in range(4)
            ),
        )
        for division in "AB":
            drawn = draw(log.plan, log.state, division)
            assert {name[0] for name in drawn.players} == {division}

    def test_by_points_neighbours_in_points_meet(self) -> None:
        log = begun(8, 2, 3, ranking=[Criterion.POINTS])
        made = {f"p{number}": number for number in range(1, 9)}
        log = played(log, draw(log.plan, log.state, "main"), made)
        tables = draw(log.plan, log.state, "main").tables
        assert all(abs(int(one[1:]) - int(other[1:])) <= 2 for one, other in tables)


def _spread(tables: Sequence[Sequence[str]]) -> int:
    """How far apart neighbours at a table are."""
    ranks = [sorted(int(name[1:]) for name in table) for table in tables]
    return sum(other - one for table in ranks for one, other in pairwise(table))
