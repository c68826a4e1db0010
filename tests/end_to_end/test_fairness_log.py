"""``wordtray fairness`` of the rounds in a real log."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import Result

from firmware_host.errors import ExitCode
from firmware_host.fairness import Shake
from firmware_host.fairness_log import shakes_of_log
from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    Event,
    Plan,
    RerollAsked,
    Settled,
    ShakeDone,
    StillMoving,
    TrayRead,
)
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.cubes import cube_set
from scoring.rules import game
from tests.firmware_host.conftest import make_reading

Run = Callable[..., Result]
PHOTO = Path("photo.jpg")
SETUP = Setup(
    Plan(game("boggle"), ("ann",), 180.0),
    "play",
    simulated=False,
    cubes="new_4x4",
    lexicon="enable",
)
MADE_UP = replace(SETUP, simulated=True)
OLD = replace(SETUP, cubes="classic_4x4")
BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
PRESSED = ButtonPressed(0.0)
SHAKEN: tuple[Event, ...] = (ShakeDone(), Settled())


def rolled(seed: int, cubes: str = "new_4x4") -> Board:
    return Board.from_faces(cube_set(cubes).roll(random.Random(seed)).faces)


def read(board: Board, *doubtful: tuple[int, int]) -> TrayRead:
    return TrayRead(make_reading(board, doubtful), PHOTO)


@dataclass
class Kept:
    """The log in a folder of the user."""

    place: Place

    def record(self, setup: Setup, *rounds: Iterable[Event]) -> None:
        with open_log(self.place, "boot") as log:
            for events in rounds:
                with log.begin(setup) as recorder:
                    for event in events:
                        recorder.record(event)

    def shakes(self) -> tuple[Shake, ...]:
        with open_log(self.place, "boot") as log:
            return shakes_of_log(log).shakes


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(Place(tmp_path / "data/wordtray"))


def test_each_shake_that_was_read_counts_also_of_rounds_given_up(kept: Kept) -> None:
    one, two, three = (rolled(seed) for seed in range(3))
    given_up = (PRESSED, *SHAKEN, read(one), Cancelled())
    again = (PRESSED, *SHAKEN, read(two), RerollAsked(), *SHAKEN, read(three))
    kept.record(SETUP, given_up, again, (PRESSED, ShakeDone()))
    shakes = kept.shakes()
    assert [shake.faces for shake in shakes] == [tuple(board) for board in (one, two, three)]
    assert {(shake.edition, shake.rows, shake.doubtful) for shake in shakes} == {("new_4x4", 4, 0)}
    assert shakes[0].quarters == (0,) * 16


def test_what_people_confirmed_counts_as_they_said(kept: Kept) -> None:
    first, second = read(BOARD, (0, 0), (1, 1)), read(BOARD, (2, 2))
    said = (CellConfirmed((0, 0), "A"), CellConfirmed((3, 3), "X"))  # the last is not asked for
    kept.record(SETUP, (PRESSED, *SHAKEN, first, *said, RerollAsked(), *SHAKEN, second))
    one, two = kept.shakes()
    assert (one.faces[0], one.faces[-1], one.doubtful) == ("A", "R", 1)
    assert (two.faces, two.doubtful) == (tuple(BOARD), 1)


def test_a_nudged_tray_is_one_shake_and_one_laid_by_hand_none(kept: Kept) -> None:
    cocked = replace(read(rolled(1)), cocked=((0, 0),))
    nudged = (PRESSED, *SHAKEN, cocked, Settled(), read(rolled(2)))
    restless = (ShakeDone(), StillMoving(), StillMoving())
    by_hand = (PRESSED, *restless * 3, PRESSED, Settled(), read(rolled(3)))
    kept.record(SETUP, nudged, by_hand)
    (only,) = kept.shakes()
    assert (only.faces, only.doubtful) == (tuple(rolled(2)), 0)


def played(setup: Setup, seeds: Iterable[int]) -> list[tuple[Event, ...]]:
    return [(PRESSED, *SHAKEN, read(rolled(seed, setup.cubes)), Cancelled()) for seed in seeds]


def test_the_log_is_judged_and_simulated_rounds_are_left_out_with_a_word(
    run: Run, kept: Kept
) -> None:
    kept.record(SETUP, *played(SETUP, range(32)))
    kept.record(MADE_UP, *played(MADE_UP, range(50, 53)))
    kept.record(OLD, *played(OLD, range(2)))
    document = json.loads(run("fairness", "--json").stdout)
    assert document["edition"] == "new_4x4"
    assert (document["shakes"], document["rounds"], document["simulated"]) == (32, 34, False)
    assert document["left_out"] == {"a simulated tray": 3, "another cube set": 2}
    unfair = {test["test"] for test in document["tests"] if test["unfair"]}
    assert unfair == {"turns"}  # every print lies upright
    told = run("fairness").stdout
    assert "32 shakes of Boggle, new, in 34 rounds of the log" in told
    assert "left out: 3 with a simulated tray, 2 with another cube set" in told


def test_simulated_rounds_are_judged_alone_where_they_are_asked_for(run: Run, kept: Kept) -> None:
    kept.record(MADE_UP, *played(MADE_UP, range(31)))
    result = run("fairness", "--json")
    error = json.loads(result.stdout)["error"]
    assert (error["kind"], result.exit_code) == ("no_rounds", ExitCode.NOTHING_FOUND)
    assert "31 with a simulated tray" in error["message"]
    assert "--simulated" in error["advice"]
    result = run("fairness", "--simulated", "--json")
    assert json.loads(result.stdout)["simulated"] is True
    assert "SIMULATED" in result.stderr


def test_rounds_of_a_day_and_later_are_taken(run: Run, kept: Kept) -> None:
    kept.record(SETUP, *played(SETUP, range(31)))
    today = datetime.now(UTC).astimezone()
    assert run("fairness", "--since", f"{today:%Y-%m-%d}").exit_code == ExitCode.DONE
    later = f"{today + timedelta(days=2):%Y-%m-%d}"
    result = run("fairness", "--since", later, "--json")
    assert json.loads(result.stdout)["error"]["kind"] == "no_rounds"
    assert "since then" in result.stderr


@pytest.mark.parametrize(
    ("args", "kind", "code"),
    [
        ((), "no_rounds", ExitCode.NOTHING_FOUND),
        (("x.jsonl", "--since", "2026-11-30"), "log", ExitCode.WRONG_USE),
        (("x.jsonl", "--simulated"), "log", ExitCode.WRONG_USE),
    ],
)
def test_an_empty_log_and_wrong_use_are_told(
    run: Run, args: tuple[str, ...], kind: str, code: ExitCode
) -> None:
    result = run("fairness", *args, "--json")
    assert (json.loads(result.stdout)["error"]["kind"], result.exit_code) == (kind, code)


def test_too_few_shakes_tell_what_was_left_out(run: Run, kept: Kept) -> None:
    kept.record(SETUP, *played(SETUP, range(3)))
    kept.record(MADE_UP, *played(MADE_UP, range(2)))
    result = run("fairness", "--json")
    error = json.loads(result.stdout)["error"]
    assert (error["kind"], result.exit_code) == ("too_few_shakes", ExitCode.NOTHING_FOUND)
    assert "2 with a simulated tray" in error["message"]
