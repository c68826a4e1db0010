"""Ranks and prizes: sums done by hand, ties, caps, byes, teams, safe leads, the explanation."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tournament.explain import decided_by, explain, explain_team, number_text
from scoring.tournament.log import Log
from scoring.tournament.plan import (
    BY_WINS,
    EVERYBODY,
    Bye,
    Criterion,
    Plan,
    Prize,
    PrizeKind,
)
from scoring.tournament.prizes import awards, contenders, safe
from scoring.tournament.standings import Standing, Standings


def begun(names: str, **agreed: Any) -> Log:  # noqa: ANN401 - as of `Plan.agree`
    given_plan = {"seats": 2, "rounds": 3, "boards": 1} | agreed
    plan = Plan.agree("Spring", "house", "", **given_plan)
    return Log.new(plan).play(0.0, *({"type": "enrol", "player": n} for n in names.split()))


def round_of(log: Log, *tables: str, byes: str = "", absent: str = "") -> Log:
    """The log after a round; a table is written ``"ann 7 bob 5"``, boards divided by ``+``."""
    number = len(log.state.rounds) + 1
    parts = [table.split() for table in tables]
    seated = [part[::2] for part in parts]
    draw = draw_of(number, *seated, byes=byes.split(), absent=absent.split())
    scores = [
        {
            "type": "scores", "round": number, "board": board, "table": table, "entered": True,
            "scores": {
                name: _score(points.split("+")[board - 1])
                for name, points in zip(part[::2], part[1::2], strict=True)
            },
        }
        for table, part in enumerate(parts, 1)
        for board in range(1, log.plan.boards + 1)
    ]  # fmt: skip
    return log.play(0.0, draw, *scores)


def draw_of(
    number: int, *tables: list[str], byes: Sequence[str] = (), absent: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "type": "draw", "round": number, "division": "main", "method": "manual",
        "tables": list(tables), "byes": list(byes), "absent": list(absent),
    }  # fmt: skip


def _score(text: str) -> dict[str, Any]:
    points, _, lengths = text.partition(":")
    return {"points": int(points), "lengths": [int(digit) for digit in lengths]}


def standings(log: Log) -> tuple[Standing, ...]:
    return Standings(log.plan, log.state).of("main")


def values(log: Log, criterion: Criterion) -> dict[str, Any]:
    return {each.name: each.values[criterion] for each in standings(log)}


def ranks(log: Log) -> dict[str, int]:
    return {each.name: each.rank for each in standings(log)}


def others(wins: str) -> str:
    return f"opponents have {wins} wins each"


def text(log: Log, name: str) -> str:
    return "\n".join(explain(log.plan, standings(log), name))


class TestPairs:
    def test_wins_spread_and_points_add_up(self) -> None:
        log = round_of(begun("ann bob cy dee"), "ann 7 bob 5", "cy 4 dee 4")
        log = round_of(log, "ann 3 cy 9", "bob 8 dee 1")
        assert values(log, Criterion.WINS) == {"cy": 1.5, "bob": 1, "ann": 1, "dee": 0.5}
        assert values(log, Criterion.SPREAD) == {"cy": 6, "bob": 5, "ann": -4, "dee": -7}
        assert values(log, Criterion.POINTS) == {"cy": 13, "bob": 13, "ann": 10, "dee": 5}
        assert values(log, Criterion.STRENGTH) == {"cy": 1.5, "bob": 1.5, "ann": 2.5, "dee": 2.5}
        assert ranks(log) == {"cy": 1, "bob": 2, "ann": 3, "dee": 4}

    def test_spread_is_capped_by_round(self) -> None:
        log = round_of(begun("ann bob", spread_cap=10), "ann 50 bob 5")
        log = round_of(log, "ann 5 bob 9")
        assert values(log, Criterion.SPREAD) == {"ann": 6, "bob": -6}
        assert "spread +10 (of +45, capped at 10)" in text(log, "ann")

    def test_boards_of_a_round_add_up(self) -> None:
        log = round_of(begun("ann bob", boards=3), "ann 7+1+2 bob 5+0+5")
        assert values(log, Criterion.WINS) == {"ann": Fraction(1, 2), "bob": Fraction(1, 2)}
        assert "round 1, table 1, against bob: 7 + 1 + 2 = 10 points; wins 0.5" in text(log, "ann")

    def test_equals_share_a_rank_and_the_next_is_left_out(self) -> None:
        log = round_of(begun("ann bob cy dee"), "ann 7 bob 5", "cy 7 dee 5")
        assert ranks(log) == {"ann": 1, "cy": 1, "bob": 3, "dee": 3}
        assert "rank 1, shared with cy: all is equal" in text(log, "ann")

    def test_a_longer_word_decides_then_one_more(self) -> None:
        only = [Criterion.LONG_WORDS]
        log = round_of(begun("ann bob cy", seats=3, ranking=only), "ann 5:533 bob 5:44 cy 5:5333")
        assert ranks(log) == {"cy": 1, "ann": 2, "bob": 3}
        assert "behind cy: word 4 by length has 3 letters to 0" in text(log, "ann")
        assert "ahead of bob: word 1 by length has 5 letters to 4" in text(log, "ann")
        assert "long words: 1×5 2×3" in text(log, "ann")

    def test_a_bye_gives_what_was_agreed(self) -> None:
        log = round_of(begun("ann bob cy"), "ann 7 bob 4", byes="cy")
        assert values(log, Criterion.POINTS)["cy"] == 5  # the mean of 11, rounded down
        assert values(log, Criterion.WINS)["cy"] == 1
        small = round_of(begun("ann bob cy", bye=Bye(1, 3, 2)), "ann 7 bob 4", byes="cy")
        cy = standings(small)[1]
        assert cy.name == "cy"
        assert [*cy.values.values()][:3] == [Fraction(1, 2), 3, 2]
        assert "round 1, bye: 2 points; wins 0.5; spread +3" in text(small, "cy")

    def test_a_bye_counts_where_nobody_else_plays(self) -> None:
        drawn = round_of(begun("solo"), byes="solo")
        assert values(drawn, Criterion.WINS) == {"solo": 0}  # it has not started
        log = drawn.play(0.0, {"type": "start", "round": 1})
        assert values(log, Criterion.WINS) == {"solo": 1}
        assert "round 1, bye: 0 points; wins 1" in text(log, "solo")

    def test_a_bye_counts_with_the_first_score_of_the_others(self) -> None:
        log = round_of(begun("ann bob cy"), "ann 7 bob 4", byes="cy")
        log = log.play(0.0, draw_of(2, ["ann", "cy"], byes=["bob"]), {"type": "start", "round": 2})
        assert values(log, Criterion.WINS) == {"ann": 1, "cy": 1, "bob": 0}
        made = {"ann": {"points": 1, "lengths": []}, "cy": {"points": 2, "lengths": []}}
        place = {"round": 2, "board": 1, "table": 1}
        log = log.play(0.0, {"type": "scores", **place, "entered": True, "scores": made})
        assert values(log, Criterion.WINS) == {"cy": 2, "ann": 1, "bob": 1}

    def test_who_is_absent_or_late_gets_nothing(self) -> None:
        log = round_of(begun("ann bob cy"), "ann 7 bob 4", absent="cy")
        log = log.play(0.0, {"type": "enrol", "player": "dee"})
        log = round_of(log, "ann 1 dee 2", "bob 3 cy 4")
        assert values(log, Criterion.POINTS) == {"ann": 8, "dee": 2, "cy": 4, "bob": 7}
        assert "round 1, not at a table: 0 points" in text(log, "cy")
        assert "round 1" not in text(log, "dee")

    def test_the_referees_points_count_for_the_table_too(self) -> None:
        log = round_of(begun("ann bob"), "ann 7 bob 5")
        taken = {"type": "adjust", "round": 1, "player": "ann", "points": -3, "why": "late"}
        log = log.play(0.0, taken)
        assert values(log, Criterion.WINS) == {"bob": 1, "ann": 0}
        assert "7 -3 (late) = 4 points" in text(log, "ann")

    def test_a_table_without_scores_counts_for_nobody(self) -> None:
        log = round_of(begun("ann bob cy dee"), "ann 7 bob 5", "cy 7 dee 5")
        mended = {
            "type": "board", "round": 1, "board": 1, "table": 2, "shown": "STAE/HEMR/UITS/XEDL",
        }  # fmt: skip
        log = log.play(0.0, mended)
        assert values(log, Criterion.WINS) == {"ann": 1, "bob": 0, "cy": 0, "dee": 0}

    def test_earlier_standings_can_be_asked_for(self) -> None:
        log = round_of(round_of(begun("ann bob"), "ann 7 bob 5"), "ann 1 bob 9")
        assert Standings(log.plan, log.state, 1).of("main")[0].name == "ann"
        assert standings(log)[0].name == "bob"


class TestPods:
    def test_wins_are_the_share_of_the_others_that_were_beaten(self) -> None:
        log = round_of(begun("ann bob cy dee", seats=4), "ann 9 bob 5 cy 5 dee 1")
        wins = values(log, Criterion.WINS)
        assert wins == {"ann": 1, "bob": Fraction(1, 2), "cy": Fraction(1, 2), "dee": 0}

    def test_spread_is_from_the_mean_of_the_others(self) -> None:
        log = begun("ann bob cy", seats=3, ranking=BY_WINS)
        log = round_of(log, "ann 9 bob 5 cy 0")
        assert values(log, Criterion.SPREAD) == {
            "ann": Fraction(13, 2), "bob": Fraction(1, 2), "cy": -7,
        }  # fmt: skip

    @given(st.lists(st.integers(0, 30), min_size=2, max_size=8))
    def test_wins_of_a_table_are_half_of_it_and_spread_is_nothing(self, made: list[int]) -> None:
        names = [f"p{number}" for number in range(len(made))]
        log = begun(" ".join(names), seats=8, ranking=BY_WINS)
        pairs = zip(names, made, strict=True)
        log = round_of(log, " ".join(f"{name} {points}" for name, points in pairs))
        assert sum(values(log, Criterion.WINS).values()) == Fraction(len(made), 2)
        assert sum(values(log, Criterion.SPREAD).values()) == 0
        best = max(made)
        assert all(made[names.index(n)] == best for n, rank in ranks(log).items() if rank == 1)

    def test_strength_is_the_mean_of_the_others_wins(self) -> None:
        log = round_of(begun("ann bob cy", seats=EVERYBODY), "ann 9 bob 5 cy 1")
        strength = values(log, Criterion.STRENGTH)
        assert strength == {"ann": Fraction(1, 4), "bob": Fraction(1, 2), "cy": Fraction(3, 4)}

    def test_of_many_opponents_some_are_named(self) -> None:
        names = [f"p{number}" for number in range(20)]
        log = begun(" ".join(names), seats=EVERYBODY)
        log = round_of(log, " ".join(f"{name} {place}" for place, name in enumerate(names)))
        assert "and 11 more" in text(log, "p3")


class TestExplanation:
    def test_all_terms_of_a_rank_are_told(self) -> None:
        log = round_of(begun("ann bob cy dee"), "ann 7 bob 5", "cy 4 dee 4")
        log = round_of(log, "ann 3 cy 9", "bob 8 dee 1")
        assert explain(log.plan, standings(log), "bob") == [
            f"round 1, table 1, against ann: 5 points; wins 0; spread -2; {others('1')}",
            f"round 2, table 2, against dee: 8 points; wins 1; spread +7; {others('0.5')}",
            "wins: 1",
            "spread: +5",
            "points: 13",
            "strength of opponents: 1.5",
            "long words: –",
            "rank 2",
            "behind cy: wins 1.5 to 1",
            "ahead of ann: spread +5 to -4",
        ]

    def test_the_terms_of_each_line_add_up(self) -> None:
        log = round_of(begun("ann bob cy", seats=3, boards=2), "ann 9+1 bob 5+2 cy 1+3")
        for each in standings(log):
            assert each.values[Criterion.POINTS] == sum(line.points for line in each.lines)
            assert each.values[Criterion.STRENGTH] == sum(each.strengths.values())

    def test_a_stranger_has_no_explanation(self) -> None:
        log = begun("ann bob")
        with pytest.raises(LookupError):
            explain(log.plan, standings(log), "eve")

    def test_the_first_difference_decides(self) -> None:
        log = round_of(begun("ann bob"), "ann 7 bob 5")
        ann, bob = standings(log)
        assert decided_by(ann, bob) is Criterion.WINS
        assert decided_by(ann, ann) is None

    @pytest.mark.parametrize(
        ("number", "shown"),
        [(Fraction(5, 2), "2.5"), (Fraction(3), "3"), (Fraction(1, 3), "0.33…"), (Fraction(), "0")],
    )
    def test_what_is_cut_off_is_marked(self, number: Fraction, shown: str) -> None:
        assert number_text(number) == shown


class TestTeams:
    def test_the_best_of_a_team_count(self) -> None:
        log = begun("ann bob cy dee", seats=4, counted=2)
        teams = {"ann": "red", "bob": "red", "cy": "red", "dee": "blue"}
        log = log.play(0.0, *({"type": "amend", "player": p, "team": t} for p, t in teams.items()))
        log = round_of(log, "ann 5 bob 3 cy 1 dee 9")
        blue, red = Standings(log.plan, log.state).teams()
        assert blue.name == "blue"
        assert blue.values[Criterion.POINTS] == 9
        assert (red.counted, red.others) == (("ann", "bob"), ("cy",))
        assert red.values[Criterion.POINTS] == 8
        assert explain_team(red)[0] == "counted: ann, bob; not counted: cy"


class TestPrizes:
    PRIZES = (
        Prize("First", place=1, amount=100),
        Prize("Second", place=2, amount=50),
        Prize("Third", place=3, amount=10),
        Prize("Newcomer", below=500, amount=7),
        Prize("Best board", PrizeKind.BOARD, amount=5),
        Prize("Best team", PrizeKind.TEAM),
        Prize("Ninth", place=9),
    )

    def test_prizes_go_to_ranks_and_shared_ranks_share(self) -> None:
        log = begun("ann bob cy dee", prizes=self.PRIZES, boards=2, ranking=[Criterion.POINTS])
        rating = {"ann": 900, "bob": 800, "cy": 400, "dee": 300}
        log = log.play(
            0.0, *({"type": "amend", "player": p, "rating": r} for p, r in rating.items())
        )
        log = round_of(log, "ann 5+5 bob 4+4", "cy 1+7 dee 1+1")
        given_to = {award.prize.title: (award.winners, award.share) for award in self.of(log)}
        assert given_to == {
            "First": (("ann",), 100), "Second": (("bob", "cy"), 30), "Third": (("bob", "cy"), 30),
            "Newcomer": (("cy",), 7), "Best board": (("cy",), 5), "Best team": ((), 0),
            "Ninth": ((), 0),
        }  # fmt: skip

    def test_who_has_no_rating_is_not_rated_below_anything(self) -> None:
        log = begun("ann bob", prizes=[Prize("Newcomer", below=500)], boards=1)
        log = log.play(0.0, {"type": "amend", "player": "bob", "rating": 499})
        log = round_of(log, "ann 9 bob 1")
        assert [award.winners for award in self.of(log)] == [("bob",)]

    @staticmethod
    def of(log: Log) -> tuple[Any, ...]:
        return awards(Standings(log.plan, log.state))

    @given(st.lists(st.integers(0, 3), min_size=3, max_size=9))
    def test_amounts_are_given_out_once(self, made: list[int]) -> None:
        prizes = [Prize(f"{place}", place=place, amount=10 * place) for place in (1, 2, 3)]
        names = [f"p{number}" for number in range(len(made))]
        log = begun(" ".join(names), seats=EVERYBODY, prizes=prizes, ranking=[Criterion.POINTS])
        pairs = zip(names, made, strict=True)
        log = round_of(log, " ".join(f"{name} {points}" for name, points in pairs))
        paid = {name: award.share for award in self.of(log) for name in award.winners}
        assert sum(paid.values()) == 60

    def test_before_anything_was_played_nobody_has_one(self) -> None:
        log = begun("ann bob", prizes=[Prize("Cup")])
        assert [(award.winners, award.why) for award in self.of(log)] == [
            ((), "nothing was played")
        ]


class TestSafe:
    def test_a_lead_of_more_wins_than_rounds_to_come_is_safe(self) -> None:
        log = begun("ann bob cy dee", rounds=4)
        log = round_of(log, "ann 5 bob 1", "cy 1 dee 1")
        log = round_of(log, "ann 5 cy 1", "bob 1 dee 1")
        assert safe(log.plan, standings(log), 2) == ()
        log = round_of(log, "ann 5 dee 1", "bob 1 cy 1")
        assert safe(log.plan, standings(log), 1) == ("ann",)
        assert safe(log.plan, standings(log), 0) == ()

    def test_by_points_no_lead_is_safe(self) -> None:
        log = round_of(begun("ann bob", seats=3, rounds=2), "ann 900 bob 1")
        assert safe(log.plan, standings(log), 1) == ()
        assert contenders(log.plan, standings(log), 1, "main") == {"ann", "bob"}

    def test_who_can_still_have_a_prize_contends(self) -> None:
        log = begun("ann bob cy dee", rounds=4, prizes=[Prize("Cup")])
        for _ in range(3):
            log = round_of(log, "ann 5 bob 1", "cy 5 dee 1")
        assert contenders(log.plan, standings(log), 1, "main") == {"ann", "cy"}
