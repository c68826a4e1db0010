"""What many rounds come to, and how the log gives their results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware_host.round_statistics import Credit, Standing, evening, statistics
from firmware_host.rounds import ButtonPressed, Cancelled, Plan, Rescored, Scored
from firmware_host.store.log import KeptResult, Setup, open_log
from firmware_host.store.place import Place
from scoring.lexicon import Lexicon
from scoring.referee import RoundResult, score_round
from scoring.rules import game
from scoring.wordlist import parse_word_list
from tests.firmware_host.conftest import BOARD

WORDS = Lexicon.from_words("tiny", ["they", "hey", "toe", "seto", "quey"])


def result(lists: Mapping[str, str]) -> RoundResult:
    entries = {name: parse_word_list("\n".join(text.split())) for name, text in lists.items()}
    return score_round(BOARD, entries, WORDS, game("boggle"))


def kept(number: int, began: float, **lists: str) -> KeptResult:
    return KeptResult(number, began, simulated=True, result=result(lists))


def test_nothing_comes_of_no_rounds() -> None:
    found = statistics(())
    assert (found.rounds, found.best, found.longest, found.players) == (0, None, None, ())
    assert evening(()) == ()


def test_words_points_and_the_best_of_them() -> None:
    first, second = kept(3, 0.0, ada="seto hey", ben="hey zebra"), kept(4, 60.0, ada="toe")
    found = statistics((first, second, kept(5, 90.0)))
    assert (found.rounds, found.found) == (2, 3)
    assert found.possible == 2 * first.result.possible.count
    assert found.best == found.longest == Credit("seto", 1, "ada", 3)
    assert found.players == (Standing("ada", 2, 2, 2, 2), Standing("ben", 0, 1, 0, 0))


def test_a_word_that_two_have_found_may_be_the_longest_and_not_the_best() -> None:
    found = statistics((kept(1, 0.0, ada="seto hey", ben="seto"),))
    assert found.best is not None
    assert found.longest is not None
    assert (found.best.word, found.longest.word) == ("hey", "seto")


@pytest.mark.parametrize(("gaps", "last"), [((), 1), ((60.0,), 2), ((60.0, 90_000.0, 60.0), 2)])
def test_an_evening_ends_where_nobody_has_played_for_long(
    gaps: tuple[float, ...], last: int
) -> None:
    begins = [0.0]
    for gap in gaps:
        begins.append(begins[-1] + gap)
    rounds = [kept(number, at, ada="toe") for number, at in enumerate(begins, start=1)]
    assert list(evening(rounds)) == rounds[-last:]


def test_the_log_gives_the_newest_result_of_each_round(tmp_path: Path, plan: Plan) -> None:
    old, new, other = (result({"red": word}) for word in ("hey", "toe", "seto"))
    setup = Setup(plan, "serve", simulated=True, cubes="new_4x4", lexicon="enable")
    with open_log(Place(tmp_path)) as log:
        for happened in (
            (Scored(old), Rescored(new, {}, "referee")),
            (Cancelled(),),
            (Scored(other),),
        ):
            with log.begin(setup) as recorder:
                recorder.record(ButtonPressed(1.0))
                recorder.record_all(happened)
        found = log.results(10)
        assert [one.number for one in found] == [1, 3]
        assert [one.result.players for one in found] == [new.players, other.players]
        assert all(one.simulated for one in found)
        assert [one.number for one in log.results(1)] == [3]
