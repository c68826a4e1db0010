"""``wordtray calibrate`` as a user calls it, on a simulated tray and on pins of thin air."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from firmware_host.calibration.stored import load
from firmware_host.cli import app
from firmware_host.cli.calibrate import Bench
from firmware_host.errors import ExitCode
from hardware.clock import ManualClock
from tests.end_to_end.test_serve import say, served, told

Run = Callable[..., Result]

SEED = "2"


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No waiting, and no settings of a user."""
    monkeypatch.setattr("hardware.clock.SystemClock", ManualClock)
    monkeypatch.setattr("firmware_host.calibration.steps.SIGHTS", 2)
    monkeypatch.setattr("firmware_host.calibration.steps.STILL_FRAMES", 3)
    monkeypatch.setattr("firmware_host.doctor.software.checks", lambda: ())
    monkeypatch.setattr("firmware_host.doctor.system.checks", lambda *_: ())
    monkeypatch.setattr("firmware_host.settings_file.SYSTEM_FILE", tmp_path / "none")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "data/wordtray/calibration-simulated.json"


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_simulated_tray_is_calibrated_shown_used_and_missed(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    """From nothing: all steps, what is stored, the doctor, and a camera that is moved."""
    result = run("calibrate", "--simulate", "--seed", SEED, "--json")
    assert result.exit_code == 0, result.stderr
    assert "SIMULATED" in result.stderr
    *steps, last = documents(result)
    assert [one["step"] for one in steps] == ["exposure", "corners", "settle", "motor"]
    assert all(one["simulated"] for one in (*steps, last))
    assert last["stored"] == [one["step"] for one in steps]
    assert last["overruled"] == []
    assert Path(last["file"]) == kept
    stored = load(kept)
    assert stored is not None
    assert (stored.camera, stored.simulated) == ("simulated, seed 2", True)

    result = run("calibrate", "--simulate", "--show", "--json")
    (shown,) = documents(result)
    assert list(shown["steps"]) == last["stored"]
    assert shown["steps"]["motor"]["days"] == 0
    assert "motor" in run("calibrate", "--simulate", "--show").stdout

    result = run("doctor", "--simulate", "--json")
    found = next(one for one in documents(result) if one["subject"] == "calibration")
    assert found["grade"] == "warn"  # it is of another seed than the doctor's tray
    assert "simulated, seed 1" in found["text"]

    with served(tmp_path, "--simulate", "--seed", SEED, "--fault", "camera-moved", "--json") as (
        process,
        _,
    ):
        say(process, "press")
        *before, read = (told(process) for _ in range(4))
    assert [one["phase"] for one in before] == ["shaking", "settling", "reading"]
    assert float(str(read["displaced"])) > 1


def test_a_step_alone_keeps_the_others(run: Run, kept: Path) -> None:
    only = ("calibrate", "--simulate", "--seed", SEED, "--only")
    assert run(*only, "exposure").exit_code == 0
    assert run(*only, "corners").exit_code == 0
    stored = load(kept)
    assert stored is not None
    assert list(stored.steps) == ["exposure", "corners"]
    result = run("calibrate", "--simulate", "--seed", "1", "--only", "exposure")
    assert "calibrated of another camera goes" in result.stderr
    stored = load(kept)
    assert stored is not None
    assert list(stored.steps) == ["exposure"]


@pytest.mark.parametrize(
    "fault",
    ["camera-hangs", "camera-black", "camera-unplugged", "camera-torn", "lamp-dead", "pins-busy"],
)
def test_whatever_fails_nothing_is_stored(run: Run, kept: Path, fault: str) -> None:
    result = run("calibrate", "--simulate", "--seed", SEED, "--fault", fault, "--json")
    assert result.exit_code == ExitCode.DEVICE_FAULT
    (only,) = documents(result)
    assert only["error"]["advice"]
    assert "Nothing was stored." in result.stderr
    assert not kept.exists()


def test_a_stuck_motor_leaves_what_was_stored_before(run: Run, kept: Path) -> None:
    assert run("calibrate", "--simulate", "--seed", SEED, "--only", "exposure").exit_code == 0
    before = kept.read_bytes()
    stuck = ("--only", "motor", "--fault", "motor-stuck")
    result = run("calibrate", "--simulate", "--seed", SEED, *stuck)
    assert result.exit_code == ExitCode.DEVICE_FAULT
    assert "the motor is stuck" in result.stderr
    assert kept.read_bytes() == before


def test_one_that_is_damaged_is_told_left_out_and_replaced(run: Run, kept: Path) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text("{}", encoding="utf-8")
    result = run("calibrate", "--simulate", "--show")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert "format" in result.stderr
    result = run("doctor", "--simulate")
    assert result.exit_code == ExitCode.UNUSABLE_FILE
    assert "FAIL  calibration" in result.stdout
    assert "The calibration is left out" in result.stderr + result.stdout
    result = run("calibrate", "--simulate", "--seed", SEED, "--only", "exposure")
    assert result.exit_code == 0
    assert "Calibrated anew" in result.stderr
    assert load(kept)


@pytest.mark.parametrize(
    ("args", "kind", "code"),
    [
        (("--show",), "no_calibration", ExitCode.NOTHING_FOUND),
        (("--yes", "--fault", "camera-torn"), "fault_name", ExitCode.WRONG_USE),
        (("--simulate", "--settings", "x.toml"), "settings", ExitCode.WRONG_USE),
        (("--seed", "1"), "seed", ExitCode.WRONG_USE),
        (("--only", "colour"), "step", ExitCode.WRONG_USE),
        ((), "move", ExitCode.WRONG_USE),
        (("--only", "motor"), "move", ExitCode.WRONG_USE),
    ],
)
def test_wrong_use_is_told_before_anything_is_tried(
    run: Run, args: tuple[str, ...], kind: str, code: ExitCode
) -> None:
    result = run("calibrate", "--json", *args)
    assert result.exit_code == code
    (only,) = documents(result)
    assert only["error"]["kind"] == kind


def test_an_open_lid_keeps_the_motor_from_moving(run: Run, tmp_path: Path) -> None:
    """On pins of thin air the switch of the lid reads as open."""
    file = tmp_path / "mock.toml"
    file.write_text(
        f'[pins]\nlibrary = "mock"\n[display]\nkind = "none"\n'
        f'[camera]\nkind = "folder"\nfolder = "{tmp_path}"\n',
        encoding="utf-8",
    )
    result = run("calibrate", "--settings", str(file))
    assert result.exit_code == ExitCode.DEVICE_FAULT
    assert "the lid is open: nothing was moved" in result.stderr


class Terminal(io.StringIO):
    """A person at a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_person_is_asked_before_the_motor_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run: Run, tmp_path: Path
) -> None:
    """Of a motor that is real, as far as the command knows; the answer is no."""
    assert run("calibrate", "--show").exit_code == ExitCode.NOTHING_FOUND
    monkeypatch.setattr("firmware_host.cli.calibrate.Bench", _real_motor)
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    asked = ["calibrate", "--simulate", "--seed", SEED, "--only", "exposure", "--only", "motor"]
    app(asked, standalone_mode=False)
    printed = capsys.readouterr()
    assert "[y/N]" in printed.err
    assert "The motor was not moved" in printed.err
    stored = load(tmp_path / "data/wordtray/calibration-simulated.json")
    assert stored is not None
    assert list(stored.steps) == ["exposure"]


def _real_motor(*args: Any, **known: Any) -> Bench:  # noqa: ANN401 - as of Bench
    return Bench(*args, **{**known, "made_up": False})
