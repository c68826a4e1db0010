"""``tournament desk`` as its own process: it serves, tells its PIN once, and ends when asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_host.errors import ExitCode
from tests.end_to_end.conftest import Run, document, refusal

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0


@contextmanager
def served(*options: str) -> Iterator[dict[str, Any]]:
    """What it prints once it serves; asked to end, it ends well, and ``stderr`` is known, too."""
    command = [sys.executable, "-m", "firmware_host", "tournament", "desk", "cup", "--port", "0"]
    with subprocess.Popen(
        [*command, "--json", *options],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            yield told
            process.send_signal(signal.SIGTERM)
            _, told["stderr"] = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == ExitCode.DONE
        finally:
            process.kill()  # of no effect on one that has ended


def test_it_serves_and_tells_its_pin_once(run: Run) -> None:
    document(run("tournament", "new", "cup", "--json"))
    with served() as first:
        asked = {"pin": first["pin"], "name": "Bo"}
        with httpx.Client(base_url=first["address"], timeout=PATIENCE_S) as bo:
            assert bo.post("/api/session", json=asked).json()["name"] == "Bo"
            assert bo.post("/api/players", json={"player": "ann"}).status_code == 201
    entries = document(run("tournament", "log", "cup", "--json"))["entries"]
    assert entries[-1]["event"] == {"type": "enrol", "player": "ann", "noted_by": "Bo"}
    with served() as second:
        assert second["pin"] is None
    with served("--new-pin") as third:
        assert third["pin"] not in {None, first["pin"]}


@pytest.mark.parametrize(
    ("database", "why"),
    [
        ("postgresql://wordtray@127.0.0.1:1/cup", "postgresql"),
        ("sqlite:nowhere.db", "no station has kept anything"),
    ],
    ids=["nothing answers", "no file"],
)
def test_a_database_that_is_not_there_is_told_at_the_start(
    run: Run, database: str, why: str
) -> None:
    document(run("tournament", "new", "cup", "--json"))
    with served("--database", database) as desk:
        pass
    assert f"No station yet: {why}" in " ".join(desk["stderr"].split())


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("tournament", "desk"), "--new-pin makes another"),
        (("tournament", "desk"), "The one of `station serve`"),
        (("tournament",), "wordtray tournament desk spring"),
        (("tournament",), "wordtray tournament hall spring"),
        (("station",), "serve, trays by `serve --station`, `tournament pair`, seat, shake"),
    ],
)
def test_help_tells_how_a_tournament_is_run(run: Run, command: tuple[str, ...], told: str) -> None:
    shown = run(*command, "--help").stdout.replace("│", " ")
    assert told in " ".join(shown.split())


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("autumn",), "unknown_event"),
        (("cup", "--key", "key.pem"), "certificate"),
        (("cup", "--host", "nowhere.invalid"), "host"),
    ],
    ids=["no event", "a key alone", "no address"],
)
def test_what_cannot_be_served_is_told(run: Run, options: tuple[str, ...], kind: str) -> None:
    document(run("tournament", "new", "cup", "--json"))
    told = refusal(run("tournament", "desk", *options, "--port", "0", "--json"))
    assert told["kind"] == kind
