"""The doctor: every check well, ailing and broken; what breaks is told and the others go on."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from firmware_host import doctor
from firmware_host.dictionary import Dictionary
from firmware_host.doctor import records, software, system
from firmware_host.doctor.finding import Finding, Grade, carried_out, guarded
from firmware_host.doctor.system import KEPT, MODEL, Host, Space
from firmware_host.errors import ExitCode
from firmware_host.rounds import ButtonPressed, Plan, ShakeDone
from firmware_host.settings import Settings
from firmware_host.store.chain import Entry, Moment, linked
from firmware_host.store.errors import DamageError
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from firmware_host.store.salvage import write
from firmware_host.store.tables import Cut
from hardware.devices import DeviceError
from scoring.encoding import canonical
from scoring.engine import engines
from scoring.lexicon import LexiconError, builtin_lexicon
from scoring.solution import Solution

OK, WARN, FAIL, NONE = Grade.OK, Grade.WARN, Grade.FAIL, Grade.NONE


def a_host(
    files: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
    nodes: Sequence[str] = (),
    usable: Sequence[str] = (),
    joined: Sequence[str] = (),
) -> Host:
    def found(pattern: str) -> list[str]:
        return [node for node in nodes if Path(node).match(pattern)]

    return Host(
        read=dict(files or {}).get,
        run=lambda command: dict(answers or {}).get(command[0]),
        nodes=found,
        may_use=usable.__contains__,
        joined=lambda: frozenset(joined),
    )


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "data")


def by_subject(place: Place) -> dict[str, Finding]:
    found = doctor.examine(host=a_host(), place=place)
    return {finding.subject: finding for finding in found}


def of_system(place: Place, host: Host) -> dict[str, Finding]:
    found = carried_out(system.checks(host, place, frozenset()))
    return {finding.subject: finding for finding in found}


def test_a_broken_part_is_a_finding_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, place: Place
) -> None:
    def missing(_name: str) -> None:
        raise LexiconError("the word list is gone", "Install anew.")

    monkeypatch.setattr("firmware_host.lexicons.load", missing)
    findings = by_subject(place)
    assert findings["lexicon"].grade is FAIL
    assert findings["lexicon"].advice == "Install anew."
    assert findings["lexicon"].code is ExitCode.UNUSABLE_FILE
    assert findings["machine"].ok
    assert findings["log"].grade is NONE


def test_a_machine_that_tells_nothing_is_no_fault(place: Place) -> None:
    findings = of_system(place, a_host())
    silent = ("groups", "clock", "power", "heat", "address", "strict_gpio", "service")
    assert {findings[subject].grade for subject in silent} == {NONE}
    assert not any(finding.ok is False for finding in findings.values())


def test_this_machine_is_asked_and_answers(place: Place) -> None:
    host = Host.here()
    assert host.read("/proc/self/status")
    assert host.read(str(place.data / "none")) is None
    assert host.run(("wordtray-has-no-such-program",)) is None
    assert host.run(("echo", "yes")) == "yes\n"
    assert "/dev/null" in host.nodes("null")
    assert host.may_use("/dev/null")
    assert isinstance(host.joined(), frozenset)
    assert Space.of(place.data).free_mb > 0
    assert not place.data.exists()


def test_a_program_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(*_: object, **kwargs: float) -> None:
        raise subprocess.TimeoutExpired("systemctl", kwargs["timeout"])

    monkeypatch.setattr("subprocess.run", hangs)
    assert Host.here().run(("systemctl",)) is None


def test_an_error_of_ours_is_told_with_the_way_to_report_it() -> None:
    def broken() -> Finding:
        raise ZeroDivisionError("seven")

    found = guarded("memory", broken)
    assert (found.grade, found.code) == (FAIL, ExitCode.OUR_FAULT)
    assert "ZeroDivisionError: seven" in found.text
    assert "--bundle" in found.advice


def test_a_part_is_not_named_twice() -> None:
    def broken() -> Finding:
        raise DeviceError("lamp", "it is dark", "Look.")

    assert guarded("lamp", broken).text == "it is dark"
    assert guarded("camera", broken).text == "lamp: it is dark"


@pytest.mark.parametrize(("grade", "ok"), [(OK, True), (WARN, True), (FAIL, False), (NONE, None)])
def test_a_document_has_the_grade_and_is_false_for_failures_alone(
    grade: Grade, *, ok: bool | None
) -> None:
    document = Finding("disk", grade, "full", "Make room.").as_json()
    assert document == {
        "subject": "disk",
        "grade": str(grade),
        "ok": ok,
        "text": "full",
        "advice": "Make room.",
    }


@pytest.mark.parametrize(("pages", "grade"), [(2**19, OK), (2**17, WARN)])
def test_memory(monkeypatch: pytest.MonkeyPatch, pages: int, grade: Grade) -> None:
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": pages}
    monkeypatch.setattr("os.sysconf", sizes.__getitem__)
    assert of_software("memory").grade is grade


def of_software(subject: str) -> Finding:
    return guarded(subject, dict(software.checks())[subject])


@pytest.mark.parametrize(
    ("known", "grade", "told"),
    [
        (Dictionary(), Grade.NONE, "pages do not tell what words mean"),
        (Dictionary(commonness=Path()), Grade.NONE, "pages tell only how common they are (SCOWL)"),
    ],
)
def test_what_tells_the_meaning_of_words_is_no_fault_where_it_lacks(
    monkeypatch: pytest.MonkeyPatch, known: Dictionary, grade: Grade, told: str
) -> None:
    monkeypatch.setattr("firmware_host.dictionary.installed", lambda _: known)
    finding = of_software("dictionary")
    assert (finding.grade, finding.text) == (grade, told)
    assert "sudo apt install wordnet-base scowl" in finding.advice


def test_the_solver_in_use_is_named() -> None:
    names = [engine.name for engine in engines(builtin_lexicon().trie)]
    finding = of_software("solver")
    assert finding.text.startswith(names[0])
    assert all(name in finding.text for name in names)


def test_a_solver_without_its_native_part_is_no_fault_but_has_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scoring.engine.find_spec", lambda _: None)
    finding = of_software("solver")
    assert finding.ok is None
    assert "python" in finding.text
    assert "g++" in finding.advice


def test_engines_that_disagree_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Solution(1, 1, tuple)
    monkeypatch.setattr("scoring.python_engine.PythonEngine.solve", lambda *_: wrong)
    finding = of_software("solver")
    assert finding.ok is False
    assert "3623" in finding.text


PI_NODES = ("/dev/gpiochip0", "/dev/i2c-1", "/dev/spidev0.0", "/dev/video0", "/dev/video10")


@pytest.mark.parametrize(
    ("host", "needed", "grade", "told", "advised"),
    [
        (a_host(), {"gpio"}, NONE, "no pins", ""),
        (a_host(nodes=PI_NODES, usable=PI_NODES), {"gpio"}, OK, "gpio, i2c, spi, video", ""),
        (
            a_host(nodes=PI_NODES, usable=PI_NODES[2:]),
            {"gpio", "video"},
            FAIL,
            "not use gpio, i2c",
            "sudo usermod -aG gpio,i2c $USER",
        ),
        (a_host(nodes=PI_NODES, usable=PI_NODES[:3]), {"gpio"}, WARN, "not use video", "-aG video"),
        (
            a_host(nodes=PI_NODES, usable=PI_NODES[1:], joined=["gpio"]),
            {"gpio"},
            FAIL,
            "not use gpio",
            "has joined those groups since: log out",
        ),
    ],
)
def test_groups(host: Host, needed: set[str], grade: Grade, told: str, advised: str) -> None:
    found = system.groups(host, frozenset(needed))
    assert found.grade is grade
    assert told in found.text
    assert advised in found.advice
    assert bool(found.advice) is (grade in {WARN, FAIL})


def test_the_groups_that_are_needed_are_those_of_the_settings() -> None:
    assert system.needed_groups(None) == set()
    assert system.needed_groups(Settings()) == {"gpio", "i2c", "video"}
    built = {
        "pins": {"library": "mock"},
        "sand_timer": {"kind": "apa102"},
        "display": {"kind": "none"},
        "camera": {"kind": "folder", "folder": "photos"},
    }
    assert system.needed_groups(Settings.model_validate(built)) == {"spi"}


@pytest.mark.parametrize(
    ("space", "grade", "told"),
    [
        (Space(500), OK, "500 MB free"),
        (Space(499), WARN, "499 MB free"),
        (Space(100), WARN, "100 MB free"),
        (Space(99), FAIL, "99 MB free"),
        (Space(9000, read_only=True), FAIL, "read-only"),
        (Space(9000, writable=False), FAIL, "may not be written"),
    ],
)
def test_disk(space: Space, grade: Grade, told: str) -> None:
    found = system.disk(Path("/data"), space)
    assert (found.grade, bool(found.advice)) == (grade, grade is not OK)
    assert told in found.text
    assert found.ok or found.code is ExitCode.STORAGE_FAULT


@pytest.mark.parametrize(
    ("year", "told", "grade"),
    [
        (2027, "NTP=yes\nNTPSynchronized=yes\n", OK),
        (2027, "NTP=yes\nNTPSynchronized=no\n", WARN),
        (2025, "NTPSynchronized=yes", WARN),
        (1970, None, WARN),
        (2027, None, NONE),
        (2027, "", NONE),
    ],
)
def test_clock(year: int, told: str | None, grade: Grade) -> None:
    found = system.clock(datetime(year, 3, 4, 5, 6, tzinfo=UTC), told)
    assert found.grade is grade
    assert f"{year}-03-04 05:06" in found.text
    assert bool(found.advice) is (grade is WARN)


@pytest.mark.parametrize(
    ("told", "grade", "text"),
    [
        (None, NONE, "does not tell"),
        ("VCHI initialization failed", NONE, "does not tell"),
        ("throttled=0x0\n", OK, "no undervoltage"),
        ("0\n", OK, "no undervoltage"),
        ("throttled=0x50005", FAIL, "right now: undervoltage, throttling; the supply is too weak"),
        ("50005", FAIL, "the supply is too weak"),
        ("0x10000", WARN, "since the start: undervoltage"),
        ("0x80008", WARN, "right now: throttling by heat"),
        ("0xe0000", WARN, "since the start: a slower processor for want of power or cooling, thr"),
    ],
)
def test_power(told: str | None, grade: Grade, text: str) -> None:
    found = system.power(told)
    assert found.grade is grade
    assert text in found.text
    assert bool(found.advice) is (grade in {WARN, FAIL})
    assert found.ok is not False or found.code is ExitCode.DEVICE_FAULT


def test_undervoltage_calls_for_another_supply_and_heat_for_air() -> None:
    assert "supply" in system.power("10000").advice
    assert "heat sink" in system.power("80000").advice


@pytest.mark.parametrize(
    ("told", "grade"), [("51000\n", OK), ("79999", OK), ("80000", WARN), ("", NONE), (None, NONE)]
)
def test_heat(told: str | None, grade: Grade) -> None:
    found = system.heat(told)
    assert (found.grade, bool(found.advice)) == (grade, grade is WARN)


@pytest.mark.parametrize(
    ("told", "grade", "text"),
    [
        ("192.0.2.7 2001:db8::7 \n", OK, "192.0.2.7, 2001:db8::7"),
        (" \n", WARN, "no network"),
        (None, NONE, "does not tell"),
    ],
)
def test_address(told: str | None, grade: Grade, text: str) -> None:
    found = system.address(told)
    assert found.grade is grade
    assert text in found.text


@pytest.mark.parametrize(
    ("program", "grade", "told"),
    [
        ("true", OK, "answers"),
        ("false", WARN, "failed with code 1"),
        ("wordtray-has-no-such-program", NONE, "not installed"),
    ],
)
def test_tesseract_is_optional(program: str, grade: Grade, told: str) -> None:
    found = system.tesseract(program)
    assert (found.grade, bool(found.advice)) == (grade, grade is not OK)
    assert told in found.text


PI_4 = {MODEL: "Raspberry Pi 4 Model B Rev 1.4"}
PI_5 = {MODEL: "Raspberry Pi 5 Model B Rev 1.0"}
ASKED = {"/boot/firmware/config.txt": "[all]\ndtparam=audio=on,strict_gpiod\n"}
KEPT_4, KEPT_5 = KEPT.format("bcm2835"), KEPT.format("rp1")


@pytest.mark.parametrize(
    ("files", "grade", "told"),
    [
        ({}, NONE, "no Raspberry Pi"),
        ({MODEL: "Some Other Board"}, NONE, "no Raspberry Pi"),
        (PI_4, WARN, "could run on"),
        ({**PI_4, KEPT_4: "Y\n"}, WARN, "could run on"),
        ({**PI_4, KEPT_4: "N\n"}, OK, "fall back"),
        ({**PI_4, **ASKED}, OK, "fall back"),
        ({**PI_4, **ASKED, KEPT_4: "Y\n"}, WARN, "until the next start"),
        ({**PI_4, "/boot/config.txt": "dtparam=strict_gpiod=on"}, OK, "fall back"),
        ({**PI_4, "/boot/config.txt": "#dtparam=strict_gpiod"}, WARN, "could run on"),
        ({**PI_4, "/boot/config.txt": "dtparam=strict_gpiod=off"}, WARN, "could run on"),
        ({**PI_4, "/proc/cmdline": "a=b pinctrl_bcm2835.persist_gpio_outputs=n"}, OK, "fall"),
        ({**PI_5, "/proc/cmdline": "pinctrl_bcm2835.persist_gpio_outputs=n"}, WARN, "run on"),
        ({**PI_5, KEPT_4: "N", KEPT_5: "Y"}, WARN, "could run on"),
        ({**PI_5, KEPT_5: "N"}, OK, "fall back"),
    ],
)
def test_strict_gpio(files: dict[str, str], grade: Grade, told: str) -> None:
    found = system.strict_gpio(files.get)
    assert found.grade is grade
    assert told in found.text
    assert bool(found.advice) is (grade is WARN)


@pytest.mark.parametrize(
    ("told", "grade"),
    [
        ("LoadState=loaded\nActiveState=active\n", OK),
        ("LoadState=loaded\nActiveState=inactive\n", WARN),
        ("LoadState=loaded\nActiveState=activating\n", WARN),
        ("LoadState=loaded\nActiveState=failed\n", FAIL),
        ("LoadState=not-found\nActiveState=inactive\n", NONE),
        ("", NONE),
        (None, NONE),
    ],
)
def test_service(told: str | None, grade: Grade) -> None:
    found = system.service(told)
    assert (found.grade, bool(found.advice)) == (grade, grade in {WARN, FAIL})


def test_what_the_system_says_reaches_its_check(place: Place) -> None:
    host = a_host(
        files={**PI_4, system.HEAT: "85000"},
        answers={
            "timedatectl": "NTPSynchronized=yes",
            "vcgencmd": "throttled=0x1",
            "hostname": "192.0.2.7",
            "systemctl": "LoadState=loaded\nActiveState=active",
        },
    )
    found = of_system(place, host)
    assert found["power"].grade is FAIL
    assert (found["heat"].grade, found["strict_gpio"].grade) == (WARN, WARN)
    assert {found[name].grade for name in ("clock", "address", "service")} == {OK}
    kernel = replace(host, read={**PI_4, system.THROTTLED: "0"}.get)
    assert of_system(place, kernel)["power"].grade is OK


@pytest.fixture
def recorded(place: Place, plan: Plan) -> Place:
    """A log with two rounds."""
    setup = Setup(plan, "play", True, "new_4x4", "enable")  # noqa: FBT003 - simulated
    with open_log(place) as log:
        for _ in range(2):
            with log.begin(setup) as recorder:
                recorder.record(ButtonPressed(1.0))
                recorder.record(ShakeDone())
    return place


def contents(place: Place) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in place.database.parent.iterdir()}


def test_a_log_is_proved_and_counted_without_a_change(recorded: Place) -> None:
    before = contents(recorded)
    found = records.log(recorded)
    assert found.grade is OK
    assert found.text.startswith("6 events are whole")
    counted = records.look(recorded)
    assert counted is not None
    assert counted.counts == {"begun": 2, "button_pressed": 2, "shake_done": 2}
    assert contents(recorded) == before


def test_a_log_that_is_being_played_is_looked_at_as_well(recorded: Place, plan: Plan) -> None:
    setup = Setup(plan, "play", True, "new_4x4", "enable")  # noqa: FBT003 - simulated
    with open_log(recorded) as log, log.begin(setup) as recorder:
        assert records.log(recorded).text.startswith("7 events")
        recorder.record(ButtonPressed(1.0))
        assert records.log(recorded).text.startswith("8 events")


def test_without_a_log_none_is_made(place: Place) -> None:
    assert records.log(place).grade is NONE
    assert not place.data.exists()


def test_an_event_that_was_changed_is_found_and_left(recorded: Place) -> None:
    with sqlite3.connect(recorded.database) as connection:
        connection.execute("UPDATE events SET data = '{}' WHERE seq = 2")
    connection.close()
    before = contents(recorded)
    found = guarded("log", lambda: records.log(recorded))
    assert (found.grade, found.code) == (FAIL, ExitCode.STORAGE_FAULT)
    assert "damaged at event 2" in found.text
    assert found.advice
    assert contents(recorded) == before


@pytest.mark.parametrize("size", [0, 50, 4096, 5000])
def test_a_log_that_was_cut_is_found_and_left(recorded: Place, size: int) -> None:
    recorded.database.write_bytes(recorded.database.read_bytes()[:size])
    before = contents(recorded)
    with pytest.raises(DamageError, match="ends before it should: no event") as told:
        records.look(recorded)
    assert "begin a round, and so a new log" in told.value.advice
    assert contents(recorded) == before


def test_of_a_log_that_was_cut_at_its_end_the_whole_part_is_counted(place: Place) -> None:
    place.database.parent.mkdir(parents=True)
    write(place.database, tuple(_entries(40)))
    data = place.database.read_bytes()
    place.database.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(DamageError, match=r"the first \d+ events are whole") as told:
        records.look(place)
    assert "the whole part goes on" in told.value.advice


def test_a_cut_is_told_for_ever(place: Place) -> None:
    place.database.parent.mkdir(parents=True)
    write(place.database, tuple(_entries(3)), (Cut(3, 1.0),))
    found = records.log(place)
    assert found.grade is WARN
    assert "cut off once" in found.text


def test_a_header_that_is_none_is_found_and_left(recorded: Place) -> None:
    data = bytearray(recorded.database.read_bytes())
    data[17] ^= 1
    recorded.database.write_bytes(data)
    before = contents(recorded)
    with pytest.raises(DamageError, match="header"):
        records.look(recorded)
    assert contents(recorded) == before


def _entries(count: int) -> Iterator[Entry]:
    """Events of one round, each large enough to fill a part of a page."""
    last = None
    for number in range(count):
        kind = "tick" if number else "begun"
        last = linked(last, 1, kind, Moment(1.0, "boot", 1.0), canonical({"x": "y" * 1000}))
        yield last


def test_photos_of_no_round_are_told_for_as_long_as_they_are_there(recorded: Place) -> None:
    """A log that was begun anew tells of it once; its photos go on telling."""
    photo = recorded.photos.save(np.zeros((8, 8, 3), np.uint8))
    found = records.log(recorded)
    assert found.grade is WARN
    assert "1 photo is of none: a part of the log may be lost" in found.text
    assert "restore" in found.advice
    recorded.database.unlink()
    assert records.log(recorded).grade is WARN
    photo.unlink()
    found = records.log(recorded)
    assert (found.grade, found.text) == (NONE, "no round was recorded so far")
    assert "wordtray play" in found.advice


def test_a_log_is_proved_where_nothing_can_be_written(
    recorded: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "is_read_only", property(lambda _: True))
    monkeypatch.setattr(Place, "opened", None)
    assert records.log(recorded).text.startswith("6 events are whole")


def test_a_database_of_something_else_is_none_of_ours(place: Place) -> None:
    place.database.parent.mkdir(parents=True)
    with sqlite3.connect(place.database) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    found = guarded("log", lambda: records.log(place))
    assert (found.grade, found.code) == (FAIL, ExitCode.STORAGE_FAULT)
    assert "no log of wordtray" in found.text


def test_settings_that_are_not_there_are_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.settings_file.SYSTEM_FILE", tmp_path / "none")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WORDTRAY_SETTINGS", raising=False)
    settings, found = doctor.settings_here()
    assert (settings, found.grade) == (None, NONE)
    assert "wordtray settings example" in found.advice


@pytest.mark.parametrize(
    ("text", "grade", "told"),
    [
        ("[lamp]\npin = 18", OK, "is sound"),
        ("[lamp]\npin = 99", FAIL, "[lamp] pin"),
        (None, FAIL, "wordtray.toml"),
    ],
)
def test_settings(tmp_path: Path, text: str | None, grade: Grade, told: str) -> None:
    file = tmp_path / "wordtray.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    settings, found = doctor.settings_here(file)
    assert (found.grade, settings is None) == (grade, grade is FAIL)
    assert told in found.text
    assert found.ok or (found.code is ExitCode.UNUSABLE_FILE and found.advice)
