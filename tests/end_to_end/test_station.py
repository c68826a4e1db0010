"""The commands of a station, without trays: what is ordered, what is shown, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.cli import station
from firmware_host.errors import ExitCode
from firmware_host.station.base import Base, open_base
from firmware_host.station.monitor import TableMonitor
from firmware_host.station.wire import Answer, Outcome
from scoring.encoding import canonical
from tests.end_to_end.conftest import Run, refusal


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(station, "ANSWERS_S", 0.0)


@pytest.fixture
def spring(run: Run) -> Run:
    """A tournament of two tables, drawn."""
    named = [part for name in ("ann", "bob", "cy", "dee") for part in ("--player", name)]
    for args in (
        ("new", "spring", "--seats", "2", "--rounds", "1", "--boards", "1"),
        ("add", "spring", *named),
        ("pair", "spring", "--start"),
    ):
        assert run("tournament", *args, "--json").exit_code == 0
    return run


def documents(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_orders_that_nobody_answers_are_told_and_end_with_4(spring: Run) -> None:
    result = spring("station", "seat", "spring", "--json")
    assert result.exit_code == ExitCode.DOUBTFUL
    found = documents(result.stdout)
    assert [(each["tray"], each["kind"], each["outcome"]) for each in found] == [
        ("1", "table_assigned", None),
        ("2", "table_assigned", None),
    ]


def test_those_that_are_carried_out_end_with_0(
    spring: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = f"sqlite:{tmp_path / 'other.db'}"
    give = station_answers(monkeypatch, Outcome.DONE)
    result = spring("station", "announce", "spring", "Lunch", "--database", url, "--table", "2")
    assert result.exit_code == 0
    assert "table 2  announced  done" in result.stdout
    assert give == ["2"]


def test_one_that_is_refused_says_why(spring: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    station_answers(monkeypatch, Outcome.REFUSED)
    result = spring("station", "extra-time", "spring", "30")
    assert result.exit_code == ExitCode.DOUBTFUL
    assert "refused: as it is" in result.stdout
    listed = spring("station", "orders", "spring", "--json")
    assert {each["why"] for each in documents(listed.stdout)} == {"as it is"}


def station_answers(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> list[str]:
    """Have each order answered as soon as it is given."""
    give, trays = Base.give, list[str]()

    def answered(base: Base, given, now: float) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        made = list(given)
        give(base, made, now)
        trays.extend(tray for tray, _ in made)
        why = "" if outcome is Outcome.DONE else "as it is"
        base.answer([Answer(each.id, outcome, why, now) for _, each in made])

    monkeypatch.setattr(Base, "give", answered)
    return trays


def test_a_start_by_the_board_that_was_promised_shows_it(
    spring: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    station_answers(monkeypatch, Outcome.DONE)
    assert spring("tournament", "promise", "spring").exit_code == 0
    result = spring("station", "start", "spring", "--promised", "--in", "1", "--json")
    assert result.exit_code == 0
    kinds = [each["kind"] for each in documents(result.stdout)]
    assert kinds == ["board_prescribed"] * 2 + ["button_pressed"] * 2
    shown = json.loads(spring("tournament", "show", "spring", "--json").stdout)
    assert len(shown["round"]["boards"]) == 1


def test_tables_are_shown_as_the_station_saw_them(spring: Run, tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path / 'other.db'}"
    seen = TableMonitor("1", online=False, phase="running", round=1, board=1, table=1, left_s=12.0)
    with open_base(url, "spring") as base:
        base.show({"1": canonical(seen.document)})
    people = spring("station", "tables", "spring", "--database", url).stdout
    assert "table 1  offline  running  round 1, board 1  12 s left" in people
    (programs,) = documents(
        spring("station", "tables", "spring", "--database", url, "--json").stdout
    )
    assert programs == seen.document


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (("tables", "autumn"), "unknown_event"),
        (("seat", "autumn"), "unknown_event"),
        (("serve", "autumn"), "unknown_event"),
        (("cancel", "spring"), "table"),
        (("start", "spring", "--promised"), "no_board"),
        (("tables", "spring", "--database", "mysql://x"), "database"),
        (("serve", "spring", "--broker", "host:port"), "station"),
        (("serve", "spring", "--user", "desk"), "station"),
        (("announce", "spring", "x" * 201), "length"),
        (("tables", "spring"), "database"),
        (("orders", "spring", "--database", "sqlite:nowhere.db"), "database"),
    ],
)
def test_what_does_not_do_is_refused(spring: Run, args: tuple[str, ...], kind: str) -> None:
    assert refusal(spring("station", *args, "--json"))["kind"] == kind


def test_a_database_that_is_only_looked_at_is_not_made(spring: Run, tmp_path: Path) -> None:
    file = tmp_path / "nowhere.db"
    refused = refusal(
        spring("station", "tables", "spring", "--database", f"sqlite:{file}", "--json")
    )
    assert "no station has kept anything" in refused["message"]
    assert not file.exists()


def test_a_user_without_a_password_is_told_how_to_give_it(spring: Run) -> None:
    refused = refusal(spring("station", "serve", "spring", "--user", "desk", "--json"))
    assert "--password-file" in refused["advice"]


@pytest.mark.parametrize("option", ["--password-file", "--ca"])
def test_a_file_that_cannot_be_used_ends_with_6(spring: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "empty").touch()
    file = tmp_path / ("missing" if option == "--password-file" else "empty")
    user = ("--user", "desk") if option == "--password-file" else ()
    result = spring("station", "serve", "spring", *user, option, str(file), "--json")
    assert refusal(result, ExitCode.UNUSABLE_FILE)["kind"] == "broker"


@pytest.mark.parametrize(
    "where",
    [
        "broker",
        "broker/spring",
        "broker:0/spring/1",
        "b/Spring Cup/1",
        "b/spring/abc",
        "b/spring/0",
    ],
)
def test_a_tray_wants_broker_tournament_and_table(run: Run, where: str) -> None:
    result = run("serve", "--simulate", "--station", where, "--json")
    assert refusal(result)["kind"] == "station"
