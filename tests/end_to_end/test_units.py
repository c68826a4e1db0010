"""The units, as systemd itself judges them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
UNITS = (
    SYSTEMD / "tray/etc/systemd/system/wordtray.service",
    SYSTEMD / "kiosk/etc/systemd/system/wordtray-kiosk.service",
)
PROGRAMS = re.compile(r"(?<=[=-])/(opt/wordtray/current/venv/bin/wordtray|usr/bin/labwc)\b")
"""What is not installed here; systemd looks whether it is."""

HIGHEST_EXPOSURE = 2.5

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here"
)


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_has_nothing_to_say_against_a_unit(unit: Path, tmp_path: Path) -> None:
    """Its exit code is 0 even where it does not know a key: what counts is that it is silent."""
    text, found = PROGRAMS.subn("/bin/true", unit.read_text())
    assert found
    (tmp_path / unit.name).write_text(text)
    judged = analyze("verify", "--recursive-errors=no", str(tmp_path / unit.name))
    assert (judged.returncode, judged.stdout, judged.stderr) == (0, "", "")


def test_the_service_is_hardly_exposed(capsys: pytest.CaptureFixture[str]) -> None:
    limit = f"--threshold={HIGHEST_EXPOSURE * 10:.0f}"
    judged = analyze("security", "--offline=true", "--no-pager", limit, str(UNITS[0]))
    score = re.search(r"exposure level .*: ([0-9.]+)", judged.stdout)
    assert score
    with capsys.disabled():
        print(f"\n{UNITS[0].name}: exposure {score[1]} (at most {HIGHEST_EXPOSURE})")
    assert judged.returncode == 0
    assert float(score[1]) <= HIGHEST_EXPOSURE


def test_the_service_reaches_its_devices_and_no_others() -> None:
    allowed = re.findall(r"^DeviceAllow=(\S+) rw$", UNITS[0].read_text(), re.MULTILINE)
    assert {"char-gpiochip", "char-i2c", "char-spi", "char-video4linux"} <= set(allowed)
    assert "DevicePolicy=closed" in UNITS[0].read_text()


def test_the_pi_is_started_anew_within_what_its_watchdog_can_wait() -> None:
    text = (SYSTEMD / "tray/etc/systemd/system.conf.d/wordtray.conf").read_text()
    seconds = re.search(r"^RuntimeWatchdogSec=(\d+)s$", text, re.MULTILINE)
    assert seconds
    assert int(seconds[1]) <= 15
