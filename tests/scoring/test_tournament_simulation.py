"""Made-up players and whole events: the stronger find more, all is proved, methods are compared."""

from __future__ import annotations

import random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from scoring.tournament.document import event_document
from scoring.tournament.finding import Finder, Usualness, chance
from scoring.tournament.plan import EVERYBODY, Method, Plan, Scope
from scoring.tournament.proof import verify
from scoring.tournament.simulation import (
    Comparison,
    Hall,
    Troubles,
    agreement,
    compare,
    spearman,
    strengths_of,
)


@pytest.fixture(scope="module")
def finder(enable: Lexicon) -> Finder:
    return Finder(Usualness.of(enable.words[::50]))


@pytest.fixture(scope="module")
def hall(enable: Lexicon, finder: Finder) -> Hall:
    return Hall(enable, finder, cube_set("new_4x4"))


def agreed(lexicon: Lexicon, method: Method | None = None, **more: int | Scope) -> Plan:
    given_plan = {"seats": 4, "rounds": 3, "boards": 1} | more
    return Plan.agree("Sim", "enable", lexicon.digest, method=method, **given_plan)  # type: ignore[arg-type]


class TestPlayers:
    def test_short_and_usual_words_are_found_first(self, finder: Finder) -> None:
        assert finder.ease("tea") > finder.ease("team") > finder.ease("steamer")
        assert finder.ease("rate") > finder.ease("qoph")

    def test_the_stronger_find_more(self, finder: Finder) -> None:
        eases = {f"word{number}": -1.0 for number in range(500)}
        rng = random.Random(1)
        found = [len(finder.found(eases, strength, rng)) for strength in (-2.0, 0.0, 2.0)]
        assert found == sorted(found)
        assert found[0] < found[2] / 3

    def test_the_chance_is_that_of_the_odds(self) -> None:
        assert chance(0.0) == 0.5
        assert chance(2.0) + chance(-2.0) == pytest.approx(1.0)

    def test_a_list_of_like_words_has_a_mean(self) -> None:
        assert Usualness.of(["tea", "tea"])("tea") == pytest.approx(0.0)
        usual = Usualness.of(["tea", "tea", "team"])
        assert usual("xyz") < usual("tea")

    def test_players_are_the_same_for_the_same_seed(self) -> None:
        assert strengths_of(50, 3) == strengths_of(50, 3) != strengths_of(50, 4)
        assert abs(mean(strengths_of(500, 1).values())) < 0.2


class TestEvents:
    @pytest.mark.parametrize("scope", list(Scope))
    @pytest.mark.parametrize("seats", [2, 4, EVERYBODY])
    def test_every_event_proves_itself(
        self, hall: Hall, enable: Lexicon, seats: int, scope: Scope
    ) -> None:
        plan = agreed(enable, seats=seats, scope=scope, rounds=2)
        log = hall.play(plan, strengths_of(9, 1), 1)
        proof = verify(event_document(log), enable, [log.last_hash])
        assert proof.findings == ()
        assert (proof.entered, proof.uncommitted) == (0, 0)
        assert proof.proved > 0

    def test_what_goes_wrong_leaves_the_event_whole(self, enable: Lexicon, finder: Finder) -> None:
        troubles = Troubles(leaving=0.1, absent=0.1, misread=0.3)
        hall = Hall(enable, finder, cube_set("new_4x4"), troubles)
        for seats in (2, 4):
            log = hall.play(agreed(enable, seats=seats, rounds=4), strengths_of(12, 1), 1)
            kinds = [entry.event["type"] for entry in log.entries]
            assert "withdraw" in kinds
            assert any(entry.event.get("why") == "misread" for entry in log.entries)
            assert any(draw.absent for r in log.state.rounds for draw in r.draws.values())
            assert verify(event_document(log), enable).findings == ()

    def test_the_same_seed_plays_the_same(self, hall: Hall, enable: Lexicon) -> None:
        plan, strengths = agreed(enable), strengths_of(8, 2)
        assert hall.play(plan, strengths, 5) == hall.play(plan, strengths, 5)
        assert hall.play(plan, strengths, 5) != hall.play(plan, strengths, 6)


class TestComparing:
    def test_more_rounds_find_the_strongest_better(self, hall: Hall, enable: Lexicon) -> None:
        few, many = (
            compare(hall, agreed(enable, rounds=rounds), players=12, events=6, seed=1)
            for rounds in (1, 6)
        )
        assert many.mean > few.mean > 0
        assert many.mean > 0.8

    def test_methods_get_the_same_players(self, hall: Hall, enable: Lexicon) -> None:
        told: list[int] = []
        for method in (Method.SWISS, Method.RANDOM):
            plan = agreed(enable, method, rounds=2)
            found = compare(hall, plan, players=8, events=2, seed=1, tell=lambda: told.append(1))
            assert (found.name, len(found.correlations)) == (str(method), 2)
        assert len(told) == 4

    def test_who_left_is_not_compared(self, hall: Hall, enable: Lexicon) -> None:
        strengths = strengths_of(8, 1)
        log = hall.play(agreed(enable), strengths, 1)
        before = agreement(log, strengths)
        best = max(strengths, key=strengths.__getitem__)
        after = log.play(0.0, {"type": "withdraw", "player": best})
        assert agreement(after, strengths) != before

    def test_the_error_of_a_mean(self) -> None:
        assert Comparison("x", (0.5,), 0.0).error == 0.0
        assert Comparison("x", (0.5, 0.7), 0.0).error == pytest.approx(0.1)

    @given(st.lists(st.integers(-9, 9), min_size=2, max_size=12), st.randoms())
    def test_correlation_is_that_of_the_ranks(self, values: list[int], rng: random.Random) -> None:
        xs, ys = [float(value) for value in values], [float(value) for value in values]
        rng.shuffle(ys)
        expected = spearmanr(xs, ys).statistic if len(set(xs)) > 1 else 0.0
        assert spearman(xs, ys) == pytest.approx(expected)
