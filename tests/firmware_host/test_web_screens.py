"""Statistics and fairness on the display: from the log, worked out once for each state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.fairness import Report
from firmware_host.fairness_log import Recorded
from firmware_host.rounds import ButtonPressed, Plan, Scored
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from firmware_host.web.routes import screens
from scoring.cubes import cube_set
from scoring.fairness.verdict import Finding
from tests.firmware_host.test_round_statistics import result
from tests.firmware_host.web_site import Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with asyncio.Runner() as runner:
        yield make_desk(tmp_path, runner)


def keep_round(folder: Path, plan: Plan, *, simulated: bool) -> None:
    setup = Setup(plan, "serve", simulated=simulated, cubes="new_4x4", lexicon="enable")
    with open_log(Place(folder)) as log, log.begin(setup) as recorder:
        recorder.record_all((ButtonPressed(1.0), Scored(result({"ada": "seto", "ben": ""}))))


def test_statistics_are_of_rounds_on_trays_of_this_kind(
    desk: Desk, tmp_path: Path, plan: Plan
) -> None:
    assert desk.display().get("/api/statistics").json()["all"]["rounds"] == 0
    for simulated in (True, False):
        keep_round(tmp_path, plan, simulated=simulated)
    desk.play()  # what was told is told again until something happens
    found = desk.display().get("/api/statistics").json()
    assert found["simulated"] is True
    assert found["all"] == found["evening"]
    assert found["all"]["rounds"] == 1
    assert found["all"]["best"] == {"word": "seto", "points": 1, "name": "ada", "number": 1}
    assert [one["name"] for one in found["all"]["players"]] == ["ada", "ben"]


def test_too_few_shakes_say_nothing(desk: Desk) -> None:
    found = desk.display().get("/api/fairness").json()
    assert (found["verdict"], found["shakes"], found["fewest"]) == ("none", 0, 30)
    assert found["tests"] == []


def test_of_the_tests_of_single_cubes_the_least_likely_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finding(test: str, subject: str, p: float) -> Finding:
        return Finding(test, subject, p, min(1.0, 20 * p), 0.2, 0.17, "A", 100, 400)

    findings = (
        finding("faces", "AAEEGN", 0.4),
        finding("faces", "ABBJOO", 0.001),
        *(finding(test, "", 0.5) for test in ("repeats", "stays", "turns")),
    )
    told = Report(cube_set("new_4x4"), 100, 0, findings=findings)
    monkeypatch.setattr(screens, "shakes_of_log", lambda *_, **__: Recorded((), 0))
    monkeypatch.setattr(screens, "report", lambda *_, **__: told)
    found = desk.display().get("/api/fairness").json()
    assert (found["verdict"], found["edition"], found["shakes"]) == ("unfair", "new_4x4", 100)
    assert [one["cube"] for one in found["tests"]] == ["ABBJOO", None, None, None]
    assert [one["unfair"] for one in found["tests"]] == [True, False, False, False]
    assert not any(one["enough"] for one in found["tests"])
