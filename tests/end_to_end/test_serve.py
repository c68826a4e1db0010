"""``wordtray serve --simulate`` as its own process: ready, pressed, stopped by a signal."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.end_to_end.conftest import Run

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The service, and the socket of a systemd that hears it."""
    address = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(address))
        systemd.settimeout(PATIENCE_S)
        with subprocess.Popen(
            [sys.executable, "-m", "firmware_host", "serve", *options],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "NOTIFY_SOCKET": str(address)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process, systemd
            finally:
                process.kill()  # of no effect on one that has ended


def say(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{words}\n")
    process.stdin.flush()


def told(process: subprocess.Popen[str]) -> dict[str, object]:
    """The next document."""
    assert process.stdout is not None
    document: dict[str, object] = json.loads(process.stdout.readline())
    return document


def test_a_press_begins_a_round_and_sigterm_ends_it_with_all_off(tmp_path: Path) -> None:
    with served(tmp_path, "--simulate", "--seed", "7", "--json") as (process, systemd):
        assert systemd.recv(100) == b"READY=1\nSTATUS=idle"
        say(process, "dance")
        say(process, "press")
        assert told(process) == {"phase": "shaking", "simulated": True}
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert out == ""
    assert "SIMULATED" in err
    assert "'dance' is nothing to do. Type one of press" in err
    assert "all outputs are off" in err


def test_an_open_lid_is_a_fault_that_a_press_clears(tmp_path: Path) -> None:
    with served(tmp_path, "--simulate", "--seed", "7", "--json") as (process, _):
        say(process, "lid open")
        say(process, "press")
        assert told(process)["phase"] == "shaking"
        fault = told(process)
        assert fault["phase"] == "faulted"
        assert "lid is open" in str(fault["fault"])
        say(process, "press")
        assert told(process)["phase"] == "idle"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def test_without_a_tray_it_says_what_to_do(run: Run) -> None:
    result = run("serve")
    assert result.exit_code == 5
    assert "wordtray serve --simulate" in result.stderr


def test_a_timer_out_of_bounds_is_wrong_use(run: Run) -> None:
    assert run("serve", "--simulate", "--timer", "0").exit_code == 2
