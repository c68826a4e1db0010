"""The machine from the command line: its settings, its wiring, a round on it, faults on purpose."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hardware.simulated.faults import FAULTS

THIN_AIR = """
[pins]
library = "mock"
[display]
kind = "none"
[sand_timer]
kind = "none"
[camera]
kind = "folder"
folder = "{folder}"
"""


def wordtray(
    *args: str | Path, cwd: Path, answers: str = "", settings: str = ""
) -> subprocess.CompletedProcess[str]:
    named = {"WORDTRAY_SETTINGS": settings} if settings else {}
    return subprocess.run(
        [sys.executable, "-m", "firmware_host", *map(str, args)],
        cwd=cwd,
        env=os.environ | named,
        input=answers,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    return dict(json.loads(done.stdout))


def test_an_example_is_written_checked_and_shown(tmp_path: Path) -> None:
    written = wordtray("settings", "example", "-o", "w.toml", cwd=tmp_path)
    assert written.returncode == 0
    again = wordtray("settings", "example", "-o", "w.toml", cwd=tmp_path)
    assert (again.returncode, "there already" in again.stderr) == (2, True)
    printed = wordtray("settings", "example", cwd=tmp_path)
    assert printed.stdout == (tmp_path / "w.toml").read_text("utf-8")
    checked = wordtray("settings", "check", "--settings", "w.toml", cwd=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "w.toml: all is well\n")
    shown = wordtray("settings", "show", "--json", cwd=tmp_path, settings="w.toml")
    assert document(shown)["file"] == "w.toml"
    assert document(shown)["settings"]["shaker"]["forward_pin"] == 23


def test_settings_that_are_shown_can_be_used(tmp_path: Path) -> None:
    shown = wordtray("settings", "show", cwd=tmp_path)
    assert shown.stdout.startswith("# no file: the defaults\n")
    (tmp_path / "shown.toml").write_text(shown.stdout, encoding="utf-8")
    assert wordtray("settings", "check", "--settings", "shown.toml", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "command", [("settings", "check"), ("settings", "show"), ("wiring",), ("play",)]
)
def test_what_is_wrong_ends_every_command_with_file_section_key_and_limit(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "w.toml").write_text("[shaker]\npower = 2\nramp_s = 9\n", encoding="utf-8")
    done = wordtray(*command, "--settings", "w.toml", "--json", cwd=tmp_path)
    assert done.returncode == 6
    error = document(done)["error"]
    assert error["kind"] == "settings"
    assert error["message"].startswith("w.toml: [shaker] power: should be less than or equal to 1")
    assert "(and 1 more)" in error["message"]
    assert ("also: [shaker] ramp_s" in done.stderr) == (command[-1] == "check")


def test_the_wiring_is_told_and_drawn(tmp_path: Path) -> None:
    done = wordtray("wiring", "-o", "wiring.svg", "--json", cwd=tmp_path)
    assert done.returncode == 0
    wires = {wire["role"]: wire for wire in document(done)["wires"]}
    assert wires["shaker.forward_pin"] == {
        "role": "shaker.forward_pin",
        "part": "shaker",
        "label": "gate",
        "gpio": 23,
        "pin": 16,
        "use": "pwm",
    }
    assert ET.parse(tmp_path / "wiring.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own
    table = wordtray("wiring", cwd=tmp_path)
    assert "shaker.forward_pin" in table.stdout


def test_a_machine_without_pins_says_what_to_do(tmp_path: Path) -> None:
    done = wordtray("play", "--json", cwd=tmp_path)
    assert done.returncode == 5
    error = document(done)["error"]
    assert error["kind"] == "device"
    assert error["advice"]


def test_a_round_on_pins_of_thin_air_is_announced_and_stops_at_the_open_lid(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(THIN_AIR.format(folder=tmp_path), encoding="utf-8")
    done = wordtray("play", "--settings", "w.toml", cwd=tmp_path)
    assert done.returncode == 5
    assert "SIMULATED parts: shaker, lamp, buzzer, camera, button, lid" in done.stdout
    assert "lid is open" in done.stderr


def test_faults_are_announced_before_and_with_the_result(tmp_path: Path) -> None:
    options = ("--seed", "7", "--timer", "0.5", "--fault", "buzzer-fails@99x1", "--json")
    done = wordtray("play", "--simulate", *options, cwd=tmp_path, answers="\n")
    assert done.returncode == 0, done.stderr
    assert document(done)["simulated"] is True
    assert document(done)["faults"] == ["buzzer-fails@99x1"]
    assert done.stderr.count("SIMULATED") == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("motor-stuck", "the motor is stuck, as the simulation was told to"),
        ("camera-unplugged", "it was unplugged, as the simulation was told to"),
        ("pins-busy", "GPIO busy, as the simulation was told to"),
    ],
)
def test_faults_end_the_round_with_what_to_do(tmp_path: Path, fault: str, told: str) -> None:
    done = wordtray("play", "--simulate", "--fault", fault, "--json", cwd=tmp_path)
    assert done.returncode == 5
    assert told in document(done)["error"]["message"]


@pytest.mark.parametrize(
    "options",
    [
        ("--simulate", "--fault", "fire"),
        ("--fault", "motor-stuck"),
        ("--simulate", "--settings", "w.toml"),
        ("--game", "worldwinner"),
        ("--game", "worldwinner", "--simulate", "--fault", "motor-stuck"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_use(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    done = wordtray("play", *options, "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert document(done)["error"]["advice"]


def test_the_help_leads_to_the_faults(tmp_path: Path) -> None:
    done = wordtray("play", "--simulate", "--fault", "?", cwd=tmp_path)
    assert all(name in done.stderr for name in FAULTS)


def test_commands_without_a_machine_do_not_load_what_it_needs() -> None:
    script = (
        "import firmware_host.cli, sys; "
        "print([name for name in ('pydantic', 'gpiozero', 'luma', 'segno') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "[]\n"
