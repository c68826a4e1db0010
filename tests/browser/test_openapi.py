"""What schemathesis makes of the service's own description: every route, right and wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.browser.conftest import Serve, Table

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


@pytest.mark.parametrize("who", WHO)
def test_no_request_breaks_the_service_or_its_description(
    table: Table, tmp_path: Path, who: str
) -> None:
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{table.url}openapi.json"]
    left_out = [f"--exclude-path={path}" for path in LEFT_OUT]
    ran = subprocess.run(
        [
            *command,
            *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--no-color"),
            *("--max-examples", str(EXAMPLES), "--generation-deterministic"),
            *(f"--exclude-operation-id={name}" for name in NOT_ASKED),
            *left_out,
            *("--request-timeout", "60", "--suppress-health-check", "all"),
            *("-H", f"cookie: {cookie_of(table, who)}"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-6000:]
