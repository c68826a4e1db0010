"""wordtray on a virtual Pi: real gpiozero on a kernel's pins, real Picamera2, real systemd.

The command is ``./test --virtual-pi``; ``check.py`` in the guest does what is judged here.
"""

from __future__ import annotations

import pytest

from tests.hardware_in_the_loop.conftest import BOARD, Report, exposure

pytestmark = pytest.mark.virtual_pi

LID_MS = 50.0
POWER = 0.8
"""Highest speed of the motor, as of the settings' default."""

EXPOSURE = 2.5

DARK = {"motor": False, "lamp": False, "buzzer": False, "red": False, "green": False}


def test_no_check_broke(report: Report) -> None:
    broken = {name: told["error"] for name, told in report.items() if "error" in told}
    assert not broken


def test_the_installed_service_starts_with_the_pi_and_nothing_moves(report: Report) -> None:
    told = report["start"]
    assert told["active"]
    assert told["status"] == "idle"
    assert told["levels"] == DARK


def test_a_press_ramps_the_motor_up_and_down(report: Report) -> None:
    """Shares of a quarter of a second: a second up, two at speed, a second down, then nothing."""
    duties = report["ramp"]["duties"]
    rising, plateau = duties[:4], duties[5:11]
    assert rising[0] < rising[3]
    assert rising[0] < POWER * 0.6
    assert sum(rising) / 4 < sum(plateau) / 6 - 0.1
    assert sum(plateau) / 6 == pytest.approx(POWER, abs=0.15)
    falling = duties[12:16]
    assert falling[3] < falling[0]
    assert falling[3] < POWER / 2
    assert duties[20:] == [0.0] * len(duties[20:])
    assert report["ramp"]["lamp"]


def test_an_open_lid_stops_the_motor_at_once(report: Report) -> None:
    told = report["lid"]["tries"][-1]
    assert not told["held_up"], "the machine is too busy for any times to be told"
    assert told["ran"]
    assert told["samples"] > 100
    assert told["stopped_after_ms"] <= LID_MS
    assert report["lid"]["status"] == "lid_open"


def test_the_photo_of_picamera2_is_read_right(report: Report) -> None:
    """The board is told when the sand runs, and not before."""
    told = report["photo"]
    assert told["status"] == "ready", "\n".join(told["journal"])
    assert told["restarts"] == 1, "the kill alone may have started it anew"
    assert not told["levels"]["lamp"]
    ready, running = report["sand"]["journal"]
    assert ready.endswith(": ready")
    assert running.endswith(f": running  {BOARD}")


def test_the_sand_runs_and_the_buzzer_sounds(report: Report) -> None:
    told = report["sand"]
    assert told["status"].startswith("running")
    assert any(0.1 < duty < 0.9 for duty in told["buzzer"])
    assert told["buzzer"][-1] == 0.0
    assert max(told["green"]) > 0.05


def test_a_killed_service_is_followed_by_what_drives_its_outputs_off(report: Report) -> None:
    """Its lines were pulled up then: low means that they were driven so."""
    told = report["kill"]
    assert told["ran"]
    assert told["left_high"]
    assert told["driven_low_after_s"] is not None
    assert any("shaker.forward_pin: off" in line for line in told["journal"])
    assert told["active_again"]
    assert told["levels"] == DARK


def test_a_hang_is_noticed_and_the_round_goes_on(report: Report) -> None:
    told = report["hang"]
    assert told["status_before"].startswith("running")
    assert told["restarted"]
    assert any("Watchdog timeout" in line or "watchdog" in line for line in told["journal"])
    assert told["status"].startswith("running")
    resumed, running = told["journal"][-2:]
    assert resumed.endswith("goes on where it was.")
    assert running.endswith(f": running  {BOARD}")


def test_stopping_is_clean(report: Report) -> None:
    told = report["stop"]
    assert (told["result"], told["exit_code"]) == ("success", "0")
    assert told["levels"] == DARK


def test_a_bouncing_press_is_one(report: Report) -> None:
    assert report["bounce"]["told"] == ["press", "release"]


def test_systemd_has_nothing_to_say_against_the_unit(report: Report) -> None:
    told = report["units"]
    assert told["verify"] == ""
    assert exposure(report) <= EXPOSURE
