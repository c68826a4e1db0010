"""The owner's maintenance in a browser: the devices while no round is on, restart, safe mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE_MS, SIZES, Serve, Table, Visit, scrolls, violations
from tests.browser.people import entered
from tests.firmware_host.test_updates import release

LONG_MS = 4 * PATIENCE_MS
"""For what takes a minute on a busy machine: a calibration, a restart."""


@pytest.fixture(scope="module")
def table(serve: Serve) -> Table:
    """One whose tray is found in each picture."""
    return serve("--seed", "2")


@pytest.mark.parametrize("size", SIZES)
def test_the_camera_is_looked_through_and_let_go_of(table: Table, visit: Visit, size: str) -> None:
    page = entered(visit, table, "owner", size)
    page.get_by_test_id("look").click()
    expect(page.get_by_test_id("frame")).to_be_visible()
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("no real device")
    expect(page.get_by_test_id("look")).to_be_disabled()
    page.get_by_test_id("halt").click()
    expect(page.get_by_test_id("look")).to_be_enabled()
    assert violations(page) == []  # afterwards: it may keep the page from asking for seconds
    assert scrolls(page)[0] == 0


def test_a_page_that_goes_away_gives_the_tray_back(table: Table, visit: Visit) -> None:
    page = entered(visit, table, "owner")
    page.get_by_test_id("look").click()
    expect(page.get_by_test_id("frame")).to_be_visible()
    page.goto(f"{table.url}help-is-elsewhere")
    page.goto(f"{table.url}maintenance")
    expect(page.get_by_test_id("look")).to_be_enabled()


def test_it_is_calibrated_with_what_was_found_and_stored(table: Table, visit: Visit) -> None:
    page = entered(visit, table, "owner")
    page.get_by_test_id("step-settle").uncheck()
    page.get_by_test_id("calibrate").click()
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("Done", timeout=LONG_MS)
    expect(page.get_by_test_id("stored").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_test_id("told")).to_contain_text("corners: picture 7 of 7")
    assert violations(page) == []


def test_the_motor_runs_after_a_question_and_stops_at_a_word(table: Table, visit: Visit) -> None:
    page = entered(visit, table, "owner")
    page.get_by_test_id("motor-seconds").fill("6")
    page.get_by_test_id("motor").click()
    expect(page.get_by_test_id("sure")).to_contain_text("no hand is in the tray")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("motor")).to_be_enabled()
    page.get_by_test_id("motor").click()
    page.get_by_test_id("sure-yes").click()
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("The motor runs")
    page.get_by_test_id("halt").click()
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("It has ended")
    expect(page.get_by_test_id("upkeep-problem")).to_be_hidden()


def test_what_cannot_begin_as_it_is_filled_in_is_told(table: Table, visit: Visit) -> None:
    page = entered(visit, table, "owner", language="de-DE")
    for step in ("exposure", "corners", "settle"):
        page.get_by_test_id(f"step-{step}").uncheck()
    page.get_by_test_id("calibrate").click()
    expect(page.get_by_test_id("upkeep-note")).to_have_text("Wähle mindestens eines davon.")
    page.get_by_test_id("motor-seconds").fill("-5")
    page.get_by_test_id("motor").click()
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("Sekunden: Möglich sind 0,2 bis")
    expect(page.get_by_test_id("motor-seconds")).to_be_focused()
    expect(page.get_by_test_id("sure")).to_be_hidden()


def test_a_fault_is_told_in_the_language_of_the_page_and_nothing_is_stored(
    serve: Serve, visit: Visit
) -> None:
    table = serve("--seed", "7", "--fault", "camera-unplugged@1")
    page = entered(visit, table, "owner", language="de-DE")
    page.get_by_test_id("calibrate").click()
    expect(page.get_by_test_id("upkeep-problem")).to_contain_text("Kamera: sie wurde abgezogen")
    expect(page.get_by_test_id("upkeep-note")).to_contain_text("nichts wurde gespeichert")
    expect(page.get_by_test_id("stored").get_by_role("listitem")).to_have_count(0)
    assert violations(page) == []


def test_a_release_is_looked_through_and_its_command_shown(
    table: Table, visit: Visit, tmp_path: Path
) -> None:
    page = entered(visit, table, "owner")
    file = tmp_path / "wordtray-99.0.tar.gz"
    file.write_bytes(b"no release")
    page.get_by_test_id("release").set_input_files(file)
    page.get_by_test_id("update").click()
    expect(page.get_by_test_id("update-note")).to_contain_text("no release")
    file.write_bytes(release())
    page.get_by_test_id("release").set_input_files(file)
    page.get_by_test_id("update").click()
    expect(page.get_by_test_id("waiting-version")).to_contain_text("99.0, newer")
    expect(page.get_by_test_id("waiting-command")).to_contain_text("install.sh --update")
    assert violations(page) == []
    page.get_by_test_id("put-away").click()
    expect(page.get_by_test_id("waiting")).to_be_hidden()


def test_the_service_restarts_in_safe_mode_and_out_of_it(
    serve: Serve, visit: Visit, tmp_path: Path
) -> None:
    table = serve("--seed", "7")
    page = entered(visit, table, "owner")
    with page.expect_download() as loading:
        page.get_by_test_id("backup").click()
    backup = tmp_path / "backup.zip"
    loading.value.save_as(backup)
    page.get_by_test_id("restart-safe").click()
    page.get_by_test_id("sure-yes").click()
    expect(page.get_by_test_id("safe")).to_be_visible(timeout=LONG_MS)
    expect(page.get_by_test_id("why")).to_contain_text("safe mode: the tray is off")
    expect(page.get_by_test_id("look")).to_be_disabled()
    assert violations(page) == []
    display = visit(table.url, "small")
    expect(display.locator("[data-slot=fault]")).to_contain_text("safe mode")
    expect(display.get_by_test_id("clear")).to_be_hidden()
    expect(display.get_by_test_id("care")).to_have_attribute("href", "/maintenance")
    assert violations(display) == []
    phone = visit(f"{table.url}join")
    expect(phone.get_by_test_id("off")).to_contain_text("nobody can join")
    assert violations(phone) == []
    page.get_by_test_id("restored").set_input_files(backup)
    page.get_by_test_id("restore-begin").click()
    page.get_by_test_id("sure-yes").click()
    expect(page.get_by_test_id("restore-note")).to_contain_text("Brought back")
    page.get_by_test_id("restart").click()
    page.get_by_test_id("sure-yes").click()
    expect(page.get_by_test_id("look")).to_be_enabled(timeout=LONG_MS)
    expect(page.get_by_test_id("safe")).to_be_hidden()
