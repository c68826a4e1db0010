"""The machine from the command line: its settings, its wiring, a round on it, faults on purpose."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from typer.testing import Result

from hardware.devices import DeviceError
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


Run = Callable[..., Result]


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Plays in a process of its own, with lines to type."""

    def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "firmware_host", "play", *map(str, args)],
            cwd=tmp_path,
            input="\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


Play = Callable[..., subprocess.CompletedProcess[str]]


def document(done: Result | subprocess.CompletedProcess[str]) -> dict[str, Any]:
    return dict(json.loads(done.stdout))


def test_an_example_is_written_checked_and_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "w.toml"
    assert run("settings", "example", "-o", str(file)).exit_code == 0
    again = run("settings", "example", "-o", str(file))
    assert (again.exit_code, "there already" in again.stderr) == (2, True)
    assert run("settings", "example").stdout == file.read_text("utf-8")
    checked = run("settings", "check", "--settings", str(file))
    assert (checked.exit_code, checked.stdout) == (0, f"{file}: all is well\n")
    monkeypatch.setenv("WORDTRAY_SETTINGS", str(file))
    shown = document(run("settings", "show", "--json"))
    assert shown["file"] == str(file)
    assert shown["settings"]["shaker"]["forward_pin"] == 23


def test_settings_that_are_shown_can_be_used(run: Run, tmp_path: Path) -> None:
    shown = run("settings", "show")
    assert shown.stdout.startswith("# no file: the defaults\n")
    file = tmp_path / "shown.toml"
    file.write_text(shown.stdout, encoding="utf-8")
    assert run("settings", "check", "--settings", str(file)).exit_code == 0


@pytest.mark.parametrize(
    "command", [("settings", "check"), ("settings", "show"), ("wiring",), ("play",)]
)
def test_what_is_wrong_ends_every_command_with_file_section_key_and_limit(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "w.toml"
    file.write_text("[shaker]\npower = 2\nramp_s = 9\n", encoding="utf-8")
    done = run(*command, "--settings", str(file), "--json")
    assert done.exit_code == 6
    error = document(done)["error"]
    assert error["kind"] == "settings"
    assert error["message"].startswith(f"{file}: [shaker] power: should be less than or equal to 1")
    assert "(and 1 more)" in error["message"]
    assert ("also: [shaker] ramp_s" in done.stderr) == (command[-1] == "check")


def test_a_drawing_takes_no_other_file_s_place(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text("# mine", encoding="utf-8")
    done = run("wiring", "-o", str(settings), "--json")
    assert json.loads(done.stdout)["error"]["kind"] == "picture_name"
    assert settings.read_text("utf-8") == "# mine"


def test_the_wiring_is_told_and_drawn(run: Run, tmp_path: Path) -> None:
    drawing = tmp_path / "wiring.svg"
    done = run("wiring", "-o", str(drawing), "--json")
    assert done.exit_code == 0
    wires = {wire["role"]: wire for wire in document(done)["wires"]}
    assert wires["shaker.forward_pin"] == {
        "role": "shaker.forward_pin",
        "part": "shaker",
        "label": "gate",
        "gpio": 23,
        "pin": 16,
        "use": "pwm",
    }
    assert ET.parse(drawing).getroot().tag.endswith("svg")  # noqa: S314 - our own
    assert "shaker.forward_pin" in run("wiring").stdout


@pytest.mark.parametrize("command", [("settings", "check"), ("settings", "show"), ("wiring",)])
def test_settings_of_a_simulated_machine_are_told_as_such(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "w.toml"
    file.write_text(THIN_AIR.format(folder=tmp_path), encoding="utf-8")
    told = run(*command, "--settings", str(file))
    assert "SIMULATED by these settings: pins.library, camera.kind" in told.stdout
    assert document(run(*command, "--settings", str(file), "--json"))["simulated"] is True
    assert "SIMULATED" not in run(*command).stdout
    assert document(run(*command, "--json"))["simulated"] is False


def test_a_folder_without_photos_is_not_well(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text(THIN_AIR.format(folder=tmp_path / "gone"), encoding="utf-8")
    told = run("settings", "check", "--settings", str(file))
    assert told.exit_code == 0
    assert "all is well" not in told.stdout
    assert "Warning: [camera] folder:" in told.stdout
    checked = document(run("settings", "check", "--settings", str(file), "--json"))
    assert len(checked["warnings"]) == 1


def test_a_machine_without_pins_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_chip: int | None) -> None:
        raise DeviceError("pins", "this machine has no /dev/gpiochip", "Use --simulate.")

    monkeypatch.setattr("hardware.pins.check_chips", none)
    done = run("play", "--json")
    assert done.exit_code == 5
    assert document(done)["error"] == {
        "kind": "device",
        "message": "pins: this machine has no /dev/gpiochip",
        "advice": "Use --simulate.",
    }


@pytest.mark.parametrize(
    ("game", "advice"),
    [
        ((), "go on with the same command and --resume"),
        (("--game", "worldwinner"), "See to it, then play again"),
        (("--game", "worldwinner", "--match", "m"), "then go on with the same command."),
    ],
)
def test_a_round_on_pins_of_thin_air_is_announced_and_stops_at_the_open_lid(
    play: Play, tmp_path: Path, game: tuple[str, ...], advice: str
) -> None:
    file = tmp_path / "w.toml"
    file.write_text(THIN_AIR.format(folder=tmp_path), encoding="utf-8")
    done = play("--settings", file, *game)
    assert done.returncode == 5
    assert "SIMULATED parts: shaker, lamp, buzzer, camera, button, lid" in done.stdout
    assert "lid is open" in done.stderr
    assert advice in done.stderr


def test_faults_are_announced_before_and_with_the_result(play: Play) -> None:
    options = ("--seed", "7", "--timer", "0.5", "--fault", "buzzer-fails@99x1", "--json")
    done = play("--simulate", *options)
    assert done.returncode == 0, done.stderr
    assert document(done)["simulated"] is True
    assert document(done)["faults"] == ["buzzer-fails@99x1"]
    assert done.stderr.count("SIMULATED") == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("motor-stuck", "the motor is stuck, as the simulation was told to"),
        ("pins-busy", "GPIO busy, as the simulation was told to"),
    ],
)
def test_faults_end_the_round_with_what_to_do(play: Play, fault: str, told: str) -> None:
    done = play("--simulate", "--fault", fault, "--json")
    assert done.returncode == 5
    assert told in document(done)["error"]["message"]


def test_boards_of_a_match_come_from_a_tray_that_can_fail(
    play: Play, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    options = ("--game", "worldwinner", "--simulate", "--seed", "3", "--match", "m", "--json")
    stuck = play(*options, "--fault", "motor-stuck")
    assert stuck.returncode == 5
    assert "the motor is stuck" in document(stuck)["error"]["message"]
    opened = play(*options, "--fault", "lid-opens@1x1")
    assert opened.returncode == 5
    assert "then go on with the same command." in document(opened)["error"]["advice"]
    done = play(*options, "--fault", "buzzer-fails@99x1")
    assert done.returncode == 0, done.stderr
    assert document(done)["faults"] == ["buzzer-fails@99x1"]
    assert document(done)["playing"]["round"] == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--simulate", "--fault", "fire"),
        ("--fault", "motor-stuck"),
        ("--simulate", "--settings", "w.toml"),
        ("--game", "worldwinner", "--fault", "motor-stuck"),
        ("--game", "worldwinner", "--simulate", "--fault", "fire"),
        ("--seed", "7"),
        ("--simulate", "--game", "super-big-team"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_use(run: Run, options: tuple[str, ...]) -> None:
    done = run("play", *options, "--json")
    assert done.exit_code == 2
    assert document(done)["error"]["advice"]
    assert "SIMULATED tray" not in done.stderr


def test_a_fault_that_there_is_none_of_is_told_with_all_that_are(run: Run) -> None:
    told = run("play", "--simulate", "--fault", "?", "--json")
    assert all(name in document(told)["error"]["advice"] for name in FAULTS)


def test_commands_without_a_machine_do_not_load_what_it_needs() -> None:
    heavy = "pydantic", "gpiozero", "luma", "segno", "fastapi", "uvicorn", "jinja2"
    script = (
        f"import firmware_host.cli, sys; print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "[]\n"
