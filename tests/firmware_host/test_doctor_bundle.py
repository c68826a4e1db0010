"""The file for a report: all that helps in it, and nobody's name."""

from __future__ import annotations

import json
import os
import resource
import socket
import zipfile
from pathlib import Path

import pytest

from firmware_host.doctor import Finding, Grade, settings_here
from firmware_host.doctor.bundle import (
    Case,
    Scrubber,
    check_new,
    last_report,
    scrubbed_report,
    write_bundle,
)
from firmware_host.doctor.finding import failed
from firmware_host.errors import CommandError, ExitCode
from firmware_host.rounds import ButtonPressed, Plan, WordWritten
from firmware_host.store.log import Setup, open_log
from firmware_host.store.place import Place
from scoring.rules import game

USER, HOST, ADDRESS, ADDRESS_6 = "adalovelace", "babbage-engine", "192.0.2.55", "2001:db8::55"
PLAYERS, WORD = ("Grandma Ruth", "Little Tim"), "zyzzyva"
SECRETS = (USER, HOST, ADDRESS, ADDRESS_6, *PLAYERS, WORD, "Ruth", "diary")

REPORT = f"""\
command: ['/home/{USER}/.venv/bin/wordtray', 'play', '--player', 'Little Tim', '--timer=6', 'diary']
python: 3.13.5 (main, Jun 25 2026) [GCC 14.2.0]
system: Linux-6.12.47-rpi-v8-aarch64-with-glibc2.41

Traceback (most recent call last):
  File "/home/{USER}/wordtray/firmware_host/cli/play.py", line 12, in play
    greet("Grandma Ruth")
  File "/opt/wordtray/1/venv/lib/python3.13/site-packages/typer/main.py", line 7, in <module>
  File "/usr/lib/python3.13/json/decoder.py", line 9, in decode
  File "/home/{USER}/diary/Grandma Ruth.py", line 3, in greet
KeyError: 'Grandma Ruth'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "<string>", line 1, in <module>
scoring.match.MatchError: Little Tim at {HOST} wrote
zyzzyva: which is a word
  of the diary of {USER}
cv2.error: OpenCV(5.0.0) /io/Little Tim.cpp
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home" / USER
    home.mkdir(parents=True)
    return home


@pytest.fixture
def case(home: Path) -> Case:
    """A machine full of names."""
    place = Place(home / "data")
    plan = Plan(game("boggle"), PLAYERS, 60.0)
    with (
        open_log(place) as log,
        log.begin(Setup(plan, "play", True, "new_4x4", "enable")) as recorder,  # noqa: FBT003
    ):
        recorder.record(ButtonPressed(1.0))
        recorder.record(WordWritten(PLAYERS[0], WORD, 2.0))
    (home / "wordtray-report-1.txt").write_text(REPORT, encoding="utf-8")
    file = home / "wordtray.toml"
    camera = f'[camera]\nkind = "folder"\nfolder = "{home}/photos"\n'
    file.write_text(camera + "[lamp]\npin = 22\n", encoding="utf-8")
    settings, found = settings_here(file)
    findings = (
        found,
        Finding("address", Grade.OK, f"{ADDRESS}, {ADDRESS_6}"),
        Finding(
            "disk", Grade.WARN, f"99 MB free for {home}/data, /media/{USER}/stick", "Make room."
        ),
        Finding(
            "lamp", Grade.FAIL, f"{HOST} has no lamp, nor has {ADDRESS} or {ADDRESS_6}", "Look."
        ),
        failed("memory", KeyError(f"{PLAYERS[0]} {WORD}")),
    )
    return Case(findings, settings, place, home)


@pytest.fixture
def scrubber(home: Path) -> Scrubber:
    return Scrubber(str(home), (USER, HOST, "babbage-engine.example"), (ADDRESS, ADDRESS_6))


def test_no_name_address_or_word_gets_into_the_bundle(
    case: Case, scrubber: Scrubber, tmp_path: Path
) -> None:
    file = tmp_path / "report.zip"
    write_bundle(file, case.members(scrubber))
    with zipfile.ZipFile(file) as bundle:
        texts = [bundle.read(name) for name in bundle.namelist()]
    for secret in SECRETS:
        for held in (file.read_bytes(), *texts):
            assert secret.lower().encode() not in held.lower()


def test_the_bundle_holds_what_helps(case: Case, scrubber: Scrubber) -> None:
    members = case.members(scrubber)
    assert list(members) == [
        "versions.json",
        "findings.jsonl",
        "settings.toml",
        "pins.txt",
        "events.json",
        "error.txt",
    ]
    assert json.loads(members["versions.json"])["numpy"]
    told = [json.loads(line) for line in members["findings.jsonl"].splitlines()]
    assert [one["subject"] for one in told] == ["settings", "disk", "lamp", "memory"]
    assert told[3]["text"] == "KeyError"
    assert told[1]["text"] == "99 MB free for ~/data, ~/stick"
    assert 'folder = "~/photos"' in members["settings.toml"]
    assert "GPIO 22  output  lamp.pin\n" in members["pins.txt"]
    counts = {"begun": 1, "button_pressed": 1, "word_written": 1}
    assert json.loads(members["events.json"]) == counts


def test_of_an_error_there_are_kinds_and_places() -> None:
    assert list(scrubbed_report(REPORT)) == [
        "command: play --player --timer",
        "python: 3.13.5 (main, Jun 25 2026) [GCC 14.2.0]",
        "system: Linux-6.12.47-rpi-v8-aarch64-with-glibc2.41",
        "Traceback (most recent call last):",
        "  line 12 of firmware_host/cli/play.py, in play",
        "  line 7 of typer/main.py, in <module>",
        "  line 9 of json/decoder.py, in decode",
        "  line 3 of elsewhere",
        "KeyError",
        "During handling of the above exception, another exception occurred:",
        "Traceback (most recent call last):",
        "  line 1 of elsewhere",
        "scoring.match.MatchError",
        "cv2.error",
    ]


def test_a_command_that_cannot_be_read_is_left_out() -> None:
    assert list(scrubbed_report("command: Ruth's\n")) == ["command: "]


def test_the_last_report_counts_and_of_it_the_end(tmp_path: Path) -> None:
    assert last_report(tmp_path) is None
    for age, (name, line) in enumerate({"old": "OldError", "new": "NewError"}.items()):
        file = tmp_path / f"wordtray-report-{name}.txt"
        file.write_text("IndexError\n" * 200 + line, encoding="utf-8")
        os.utime(file, (age, age))
    report = last_report(tmp_path)
    assert report is not None
    lines = report.splitlines()
    assert (len(lines), lines[-1]) == (60, "NewError")
    assert lines[0].startswith("the last unexpected error on this machine, of 1970-01-01")


def test_a_damaged_log_keeps_nobody_from_reporting_it(case: Case, scrubber: Scrubber) -> None:
    case.place.database.write_bytes(b"no database")
    told = json.loads(case.members(scrubber)["events.json"])
    assert "its header is none of a log" in told["error"]
    assert USER not in told["error"]


def test_a_machine_without_settings_log_and_errors_has_less_to_tell(tmp_path: Path) -> None:
    bare = Case((), None, Place(tmp_path / "none"), tmp_path)
    assert list(bare.members(Scrubber.here())) == ["versions.json", "findings.jsonl"]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("/home/tim/x and /home/tim2", "~/x and ~"),
        ("tim's timer of TIM", "NAME's timer of NAME"),
        ("annabel and Anna", "NAMEbel and NAME"),
        ("root and wordtray", "root and wordtray"),
        ("10.0.0.7 is no 1.2.3", "ADDRESS is no 1.2.3"),
    ],
)
def test_names_are_taken_out(text: str, clean: str) -> None:
    names = ("tim", "anna", "root", "wordtray", "")
    assert Scrubber("/", names).clean(text) == clean


def test_versions_of_four_numbers_are_no_addresses() -> None:
    assert Scrubber("/", ()).without_names("opencv 4.11.0.86") == "opencv 4.11.0.86"


def test_this_machine_and_its_user_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", USER)
    monkeypatch.setenv("SUDO_USER", "ruth")
    scrubber = Scrubber.here([ADDRESS])
    assert {USER, "ruth", socket.gethostname()} <= set(scrubber.names)
    assert scrubber.addresses == (ADDRESS,)


def test_a_user_without_a_name_can_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 1234")

    monkeypatch.setattr("getpass.getuser", nameless)
    monkeypatch.delenv("SUDO_USER", raising=False)
    assert "" in Scrubber.here().names


def test_no_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "report.zip"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(CommandError, match="already") as caught:
        check_new(file)
    assert caught.value.complaint.code is ExitCode.WRONG_USE
    with pytest.raises(CommandError, match="already"):
        write_bundle(file, {"a": "b"})
    assert file.read_text(encoding="utf-8") == "mine"
    check_new(tmp_path / "other.zip")


def test_a_full_disk_leaves_no_half_a_bundle(tmp_path: Path) -> None:
    file = tmp_path / "report.zip"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_bundle(file, {"noise.txt": os.urandom(4000).hex()})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not file.exists()
    write_bundle(file, {"short.txt": "text"})
    assert zipfile.is_zipfile(file)
