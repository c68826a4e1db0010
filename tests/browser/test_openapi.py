"""What schemathesis makes of the service's own description: every route, right and wrong."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.browser.conftest import Serve, Table
from tests.browser.desks import served_desk, station

EXAMPLES = 8

WHO = ("referee", "owner", "player")

LEFT_OUT = (
    "/api/doctor",  # it examines the machine: seconds each time
    "/api/backup",
)

NOT_ASKED = (
    "people_sign_out",
    "care_begin_anew",  # it would end what is asked
    "upkeep_begin",  # it takes the tray from all others
)

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    return serve("--seed", "7")


def cookie_of(table: Table, who: str) -> str:
    """The session of one who has just come."""
    with httpx.Client(base_url=table.url) as client:
        if who == "player":
            client.post("/api/players", json={"name": "ada", "code": table.code})
        else:
            client.post("/api/session", json={"pin": table.pins[who]})
        return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


def faults(url: str, cookie: str, folder: Path) -> str:
    """What it finds of the pages at an address; empty where they do what they say."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}openapi.json"]
    left_out = [f"--exclude-path={path}" for path in LEFT_OUT]
    ran = subprocess.run(
        [
            *command,
            *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--no-color"),
            *("--max-examples", str(EXAMPLES), "--generation-deterministic"),
            *(f"--exclude-operation-id={name}" for name in NOT_ASKED),
            *left_out,
            *("--request-timeout", "60", "--suppress-health-check", "all"),
            *("-H", f"cookie: {cookie}"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if ran.returncode == 0 else ran.stdout[-6000:]


@pytest.mark.parametrize("who", WHO)
def test_no_request_breaks_the_service_or_its_description(
    table: Table, tmp_path: Path, who: str
) -> None:
    found = faults(table.url, cookie_of(table, who), tmp_path)
    assert not found, found


@pytest.mark.parametrize("at_work", [False, True], ids=["no station", "a station"])
def test_no_request_breaks_the_desk_of_a_tournament_or_its_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_work: bool
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with ExitStack() as stack:
        desk = stack.enter_context(served_desk())
        if at_work:
            stack.enter_context(station())
        with httpx.Client(base_url=desk.address) as client:
            client.post("/api/session", json={"pin": desk.pin, "name": "Bo"})
            client.post("/api/players", json={"player": "Anna"})
            client.post("/api/players", json={"player": "Bo"})
            client.post("/api/round/draw", json={})
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        found = faults(desk.address, cookie, tmp_path)
    assert not found, found
