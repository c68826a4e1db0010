"""``wordtray serve --simulate`` as its own process: ready, pressed, stopped by a signal."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from scoring.board import Board
from tests.end_to_end.conftest import Run
from vision.render.tray import render_tray

REPOSITORY = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0
BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
TURNS = {"simulated": True, "game": "worldwinner"}


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The service, and the socket of a systemd that hears it."""
    address = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        address.unlink(missing_ok=True)
        systemd.bind(str(address))
        systemd.settimeout(PATIENCE_S)
        with subprocess.Popen(
            [sys.executable, "-m", "firmware_host", "serve", "--port", "0", *options],
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "NOTIFY_SOCKET": str(address),
                "XDG_DATA_HOME": str(folder / "data"),
            },
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
        assert told(process) == {"phase": "shaking", "simulated": True, "game": "boggle"}
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert out == ""
    assert "SIMULATED" in err
    assert "'dance' is nothing to do. Type one of press" in err
    assert "all outputs are off" in err


def test_an_open_lid_is_asked_to_be_closed_and_a_cancelled_round_is_another(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--simulate", "--seed", "7", "--json") as (process, _):
        say(process, "lid open")
        say(process, "press")
        assert [told(process)["phase"] for _ in range(2)] == ["shaking", "lid_open"]
        say(process, "cancel")
        assert told(process)["phase"] == "cancelled"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0


def test_doubtful_cells_are_confirmed_at_the_button_and_the_board_is_not_told(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--simulate", "--seed", "37", "--json") as (process, _):
        say(process, "press")
        documents = [told(process) for _ in range(4)]
        assert [one["phase"] for one in documents[:3]] == ["shaking", "settling", "reading"]
        asked = documents[3]
        if asked["phase"] == "ready":
            pytest.skip("no cube of this tray is doubtful any more: take another seed")
        assert "board" not in asked
        assert asked["unconfirmed"] == [asked["asked"]]
        say(process, "press")
        other = told(process)
        assert (other["asked"], other["offered"] != asked["offered"]) == (asked["asked"], True)
        say(process, "hold")
        assert told(process) == {"phase": "ready", "simulated": True, "game": "boggle"}
        say(process, "press")
        running = told(process)
        assert str(other["offered"]) in str(running["board"]).split("/")[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


WORLDWINNER = ("--game", "worldwinner", "--player", "ada", "--player", "ben")


def until_ready(process: subprocess.Popen[str]) -> dict[str, object]:
    """The document of a board that is ready; doubtful cubes are taken as they were read."""
    document = told(process)
    while document["phase"] != "ready":
        assert "board" not in document
        if document["phase"] == "confirming":
            say(process, "take")
        document = told(process)
    return document


def test_each_player_has_a_clock_of_their_own_and_the_board_is_hidden_in_between(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--simulate", "--seed", "7", *WORLDWINNER, "--json") as (process, _):
        say(process, "press")
        assert until_ready(process) == {"phase": "ready", **TURNS, "player": "ada"}
        say(process, "press")
        running = told(process)
        assert (running["phase"], running["player"]) == ("running", "ada")
        say(process, "pause")
        assert told(process) == {"phase": "paused", **TURNS, "player": "ada"}
        process.kill()
    with served(tmp_path, "--simulate", "--seed", "7", *WORLDWINNER, "--json") as (process, _):
        assert told(process) == {"phase": "paused", **TURNS, "player": "ada"}
        say(process, "press")
        assert told(process) == running
        say(process, "hold")
        assert told(process) == {"phase": "ready", **TURNS, "player": "ben"}
        say(process, "press")
        assert told(process) == running | {"player": "ben"}
        say(process, "done")
        assert [told(process)["phase"] for _ in range(2)] == ["scoring", "finished"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


def test_without_standard_input_it_serves_on(tmp_path: Path) -> None:
    command = f'exec "{sys.executable}" -m firmware_host serve --simulate --json <&-'
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    with subprocess.Popen(
        ["bash", "-c", command], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert "SIMULATED" in process.stderr.readline()
        process.terminate()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode in {0, -signal.SIGTERM}


def test_after_a_kill_the_round_goes_on(tmp_path: Path) -> None:
    with served(tmp_path, "--simulate", "--seed", "7", "--json") as (process, _):
        say(process, "lid open")
        say(process, "press")
        assert [told(process)["phase"] for _ in range(2)] == ["shaking", "lid_open"]
        process.kill()
    with served(tmp_path, "--simulate", "--seed", "7", "--json") as (process, _):
        assert told(process)["phase"] == "idle"  # nothing moves unasked
        say(process, "press")
        assert told(process)["phase"] == "shaking"
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert "Round 1 goes on where it was." in err


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Settings of a machine on pins of thin air, with a photo of a tray for its camera."""
    photos = tmp_path / "photos"
    photos.mkdir()
    photo = render_tray(BOARD, np.random.default_rng(3)).photo
    Image.fromarray(photo).save(photos / "tray.png")
    settings = tmp_path / "wordtray.toml"
    settings.write_text(
        '[pins]\nlibrary = "mock"\n[display]\nkind = "none"\n'
        f'[camera]\nkind = "folder"\nfolder = "{photos}"\n'
    )
    return settings


def test_the_machine_of_the_settings_is_served_and_says_what_of_it_is_made_up(
    machine: Path, tmp_path: Path
) -> None:
    with served(tmp_path, "--settings", str(machine), "--json") as (process, systemd):
        assert systemd.recv(100) == b"READY=1\nSTATUS=idle"
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert "SIMULATED parts: shaker" in err


def test_off_tells_each_output_and_ends_well(run: Run, machine: Path) -> None:
    result = run("off", "--settings", str(machine), "--json")
    assert result.exit_code == 0
    told = [json.loads(line) for line in result.stdout.splitlines()]
    first = {"output": "shaker.forward_pin", "off": True, "simulated": True, "error": None}
    assert told[0] == first
    assert {"lamp.pin", "buzzer.pin"} <= {one["output"] for one in told}


def test_off_on_pins_of_thin_air_says_so_of_each_output(run: Run, machine: Path) -> None:
    lines = run("off", "--settings", str(machine)).stdout.splitlines()
    assert len(lines) > 4
    assert [line for line in lines if not line.endswith(": off  SIMULATED")] == []


def test_off_without_pins_says_so_and_what_to_do(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "wordtray.toml"
    settings.write_text("[pins]\nchip = 99\n")
    result = run("off", "--settings", str(settings))
    assert result.exit_code == 5
    assert result.stderr.count("this machine has no") == 1
    assert "→ Run it on a Raspberry Pi.\n" in result.stderr  # `off` has no --simulate
    assert result.stdout == ""


def test_off_without_pins_tells_programs_what_every_command_tells(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "wordtray.toml"
    settings.write_text("[pins]\nchip = 99\n")
    (document,) = map(
        json.loads, run("off", "--settings", str(settings), "--json").stdout.splitlines()
    )
    assert document["output"] == "pins"
    assert set(document["error"]) == {"kind", "message", "advice"}
    assert document["error"]["kind"] == "device"


@pytest.mark.parametrize(
    "options",
    [
        ("--fault", "motor-stuck"),
        ("--simulate", "--settings", "wordtray.toml"),
        ("--simulate", "--fault", "dancing"),
        ("--simulate", "--timer", "0"),
        ("--simulate", "--game", "super-big-team"),
        ("--simulate", "--game", "worldwinner"),
        ("--simulate", "--game", "worldwinner", "--player", "ada", "--player", "Ada"),
        ("--simulate", "--player", "ada"),
        ("--seed", "7"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_use(run: Run, options: tuple[str, ...]) -> None:
    refused = run("serve", *options)
    assert refused.exit_code == 2
    assert "SIMULATED tray" not in refused.output


def pages_of(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Address of the pages, and the code of the table, as the service tells them."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"Pages: (\S+) .*code (\w+)", line):
            return found[1], found[2]
    raise AssertionError(line)


def settled(page: httpx.Client) -> dict[str, Any]:
    """The round once the tray has been read, and every doubtful cube settled."""
    while True:
        shown: dict[str, Any] = page.get("/api/state").json()["round"]
        if shown["phase"] == "confirming":
            page.post("/api/round/hold")
        elif shown["phase"] not in {"shaking", "settling", "reading"}:
            return shown


def test_who_joined_and_what_they_wrote_outlives_a_kill(tmp_path: Path) -> None:
    word = {"id": "w1", "text": "hey"}
    options = ("--simulate", "--seed", "7", "--timer", "900")
    with served(tmp_path, *options) as (process, systemd):
        assert systemd.recv(100) == b"READY=1\nSTATUS=idle"
        address, code = pages_of(process)
        with (
            httpx.Client(base_url=address, timeout=PATIENCE_S, trust_env=False) as display,
            httpx.Client(base_url=address, timeout=PATIENCE_S, trust_env=False) as phone,
        ):
            joined = phone.post("/api/players", json={"name": "ada", "code": code})
            assert joined.status_code == 201
            assert display.post("/api/round/press").status_code == 200
            assert settled(display)["phase"] == "ready"
            assert display.post("/api/round/press").json() == {"phase": "running"}
            assert phone.post("/api/words", json=word).status_code == 200
            cookies = phone.cookies
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_S)
    with served(tmp_path, *options) as (process, _):
        address, again = pages_of(process)
        assert again == code
        with httpx.Client(
            base_url=address, timeout=PATIENCE_S, trust_env=False, cookies=cookies
        ) as phone:
            shown = phone.get("/api/state").json()
            assert shown["round"]["phase"] == "running"
            assert shown["you"]["words"] == [word | {"late": False, "on_board": None}]
            assert phone.post("/api/words", json=word).status_code == 200
            assert len(phone.get("/api/state").json()["you"]["words"]) == 1


def test_a_port_that_another_program_has_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        with served(tmp_path, "--simulate", "--port", port, "--json") as (process, _):
            out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 5
    assert json.loads(out)["error"]["kind"] == "port"
    assert "--port 0" in err
