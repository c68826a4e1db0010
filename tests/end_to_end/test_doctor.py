"""``wordtray doctor`` as a user calls it: lines, documents, exit codes, questions and bundles."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import Result

from firmware_host.cli import app
from firmware_host.errors import ExitCode
from hardware.clock import ManualClock
from hardware.real import RealDevice

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No waiting, no rendering, and no checks but those of parts: the others have their tests."""
    row = np.random.default_rng(1).integers(60, 200, (1, 160, 3), np.uint8)
    photo = row.repeat(120, axis=0)
    monkeypatch.setattr(
        "firmware_host.simulation.render_tray", lambda *_: SimpleNamespace(photo=photo)
    )
    monkeypatch.setattr("hardware.clock.SystemClock", ManualClock)
    monkeypatch.setattr("firmware_host.doctor.software.checks", lambda: ())
    monkeypatch.setattr("firmware_host.doctor.system.checks", lambda *_: ())
    monkeypatch.setattr("firmware_host.settings_file.SYSTEM_FILE", tmp_path / "none")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WORDTRAY_SETTINGS", raising=False)


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def grades(result: Result) -> dict[str, str]:
    return {found["subject"]: found["grade"] for found in documents(result)}


@pytest.fixture
def mock(tmp_path: Path) -> str:
    """Settings of a machine on pins of thin air, with a picture for a camera."""
    Image.new("RGB", (640, 480), (90, 120, 40)).save(tmp_path / "tray.png")
    file = tmp_path / "mock.toml"
    file.write_text(
        f'[pins]\nlibrary = "mock"\n[display]\nkind = "none"\n'
        f'[camera]\nkind = "folder"\nfolder = "{tmp_path}"\n',
        encoding="utf-8",
    )
    return str(file)


def test_without_settings_no_part_is_tried_and_it_says_how_to_begin(run: Run) -> None:
    result = run("doctor", "--json")
    assert result.exit_code == 0
    assert grades(result) == {"log": "none", "settings": "none"}
    assert "wordtray settings example" in documents(result)[-1]["advice"]


def test_a_simulated_tray_is_announced_and_tried(run: Run) -> None:
    result = run("doctor", "--simulate", "--json")
    assert result.exit_code == 0
    assert "SIMULATED" in result.stderr
    found = grades(result)
    assert (found["camera"], found["shaker"], found["outputs"]) == ("ok", "none", "ok")


def test_people_get_a_line_a_part_with_what_to_do(run: Run) -> None:
    result = run("doctor", "--simulate", "--fault", "camera-torn", "--fault", "lid-fails")
    assert result.exit_code == ExitCode.DEVICE_FAULT
    lines = result.stdout.splitlines()
    (torn,) = (number for number, line in enumerate(lines) if line.startswith("FAIL  camera"))
    assert lines[torn + 1].startswith("      → ")
    assert any(line.startswith("ok    lamp") for line in lines)
    assert any(line.startswith("FAIL  lid") for line in lines)


def test_parts_of_the_settings_are_tried(run: Run, mock: str) -> None:
    result = run("doctor", "--settings", mock, "--json")
    found = grades(result)
    assert result.exit_code == 0
    assert (found["settings"], found["pins"], found["camera"]) == ("ok", "ok", "ok")
    assert (found["display"], found["lid"]) == ("none", "warn")


def test_the_first_failure_gives_the_exit_code(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[lamp]\npin = 99\n", encoding="utf-8")
    result = run("doctor", "--settings", str(broken), "--json")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert grades(result)["settings"] == "fail"
    (tmp_path / "data/wordtray/log").mkdir(parents=True)
    (tmp_path / "data/wordtray/log/events.db").write_bytes(b"cut")
    result = run("doctor", "--settings", str(broken), "--json")
    assert result.exit_code == ExitCode.STORAGE_FAULT


class Terminal(io.StringIO):
    """A person at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "grade"), [("y\n", "ok  "), ("Yes\n", "ok  "), ("n\n", "none"), ("", "none")]
)
def test_the_motor_waits_for_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str, grade: str
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    app(["doctor", "--simulate", "--move"], standalone_mode=False)
    printed = capsys.readouterr()
    assert "[y/N]" in printed.err
    assert f"\n{grade}  shaker" in printed.out


@pytest.mark.parametrize(
    ("args", "grade"),
    [
        ((), "none"),
        (("--move", "--yes"), "ok"),
    ],
)
def test_for_a_program_the_motor_moves_with_a_yes_alone(
    run: Run, args: tuple[str, ...], grade: str
) -> None:
    assert grades(run("doctor", "--simulate", "--json", *args))["shaker"] == grade


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (("--fault", "camera-torn"), "fault_name"),
        (("--simulate", "--fault", "camera-tron"), "fault_name"),
        (("--simulate", "--settings", "x.toml"), "settings"),
        (("--yes",), "move"),
        (("--simulate", "--move"), "move"),
        (("--bundle", "there.zip"), "bundle_exists"),
    ],
)
def test_wrong_use_is_told_before_anything_is_tried(
    run: Run, tmp_path: Path, args: tuple[str, ...], kind: str
) -> None:
    (tmp_path / "there.zip").touch()
    result = run("doctor", "--json", *args)
    assert result.exit_code == ExitCode.WRONG_USE
    (only,) = documents(result)
    assert only["error"]["kind"] == kind


def test_a_bundle_is_written_also_of_a_machine_that_fails(run: Run, mock: str) -> None:
    result = run("doctor", "--settings", mock, "--json", "--bundle", "report.zip")
    told = documents(result)[-1]
    assert told["bundle"] == "report.zip"
    with zipfile.ZipFile("report.zip") as bundle:
        assert bundle.namelist() == told["members"]
        found = [json.loads(line) for line in bundle.read("findings.jsonl").splitlines()]
    assert found[-1]["subject"] == "outputs"
    assert {"settings.toml", "pins.txt", "versions.json"} <= set(told["members"])

    result = run("doctor", "--simulate", "--fault", "lamp-dead", "--bundle", "faults.zip")
    assert result.exit_code == ExitCode.DEVICE_FAULT
    assert "findings.jsonl" in result.stdout
    assert Path("faults.zip").exists()


def test_ctrl_c_switches_everything_off(
    run: Run, mock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    def close(self: RealDevice) -> None:
        closed.append(self.name)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hardware.real.RealDevice.close", close)
    monkeypatch.setattr("hardware.buzzer.PinBuzzer.play", interrupted)
    result = run("doctor", "--settings", mock)
    assert result.exit_code == 130
    assert {"shaker", "lamp", "buzzer", "sand_timer"} <= set(closed)
