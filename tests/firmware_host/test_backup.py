"""Backups: everything comes back, nothing that is damaged does, nothing is destroyed."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from firmware_host.rounds import ButtonPressed, Plan, Settled, ShakeDone, TrayRead
from firmware_host.store.backup import MANIFEST, back_up, read_backup, restore
from firmware_host.store.errors import BackupError, StorageError
from firmware_host.store.log import Log, Setup, open_log
from firmware_host.store.place import Place
from scoring.rules import game
from vision.reading import TrayReading

SETUP = Setup(
    Plan(game("boggle"), ("red",), 60.0), "play", simulated=True, cubes="new_4x4", lexicon="enable"
)
OLD_LOG = Path(__file__).with_name("log-0001.sql")
MakeReading = Callable[..., TrayReading]


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of settings, with something in it."""
    file = tmp_path / "settings.toml"
    file.write_text("[lamp]\npin = 17\n")
    monkeypatch.setenv("WORDTRAY_SETTINGS", str(file))
    return file


@pytest.fixture
def place(tmp_path: Path, reading: MakeReading) -> Place:
    """A round with its photo, a match, and a word list."""
    place = Place(tmp_path / "data")
    with open_log(place) as log:
        play(log, reading)
    for name in ("matches/friday.match", "lexicons/novel.words"):
        file = place.data / name
        file.parent.mkdir()
        file.write_text(f"the content of {name}")
    return place


def play(log: Log, reading: MakeReading, brightness: int = 100) -> None:
    photo = log.place.photos.save(np.full((8, 8, 3), brightness, np.uint8))
    with log.begin(SETUP) as recorder:
        for event in (ButtonPressed(1.0), ShakeDone(), Settled(), TrayRead(reading(), photo)):
            recorder.record(event)


@pytest.fixture
def backup(place: Place, tmp_path: Path) -> Path:
    file = tmp_path / "backup.zip"
    with open_log(place) as log:
        made = back_up(log, file)
    assert made.events == 5
    return file


def kept(place: Place) -> dict[str, bytes]:
    """All files but the log and what it needs while it is open."""
    parts = [place.data / name for name in ("photos", "matches", "lexicons")]
    found = (file for part in parts for file in part.rglob("*") if file.is_file())
    return {str(file.relative_to(place.data)): file.read_bytes() for file in found}


def test_everything_comes_back_in_another_place(
    place: Place, backup: Path, settings: Path, tmp_path: Path
) -> None:
    settings.unlink()
    other = Place(tmp_path / "other")
    done = restore(other, backup)
    assert kept(other) == kept(place)
    assert settings.read_text() == "[lamp]\npin = 17\n"
    assert done.aside is None
    assert (done.proof.events, done.proof.photos, done.proof.lost_photos) == (5, 1, ())
    with open_log(other) as log:
        assert log.notices == ()
        photo = log.round(1).state.photo
        assert photo is not None
        assert photo.parent == other.photos.folder
        assert photo.exists()


def test_what_was_there_is_kept_aside(
    place: Place, backup: Path, settings: Path, reading: MakeReading
) -> None:
    with open_log(place) as log:
        play(log, reading, brightness=200)
    (place.data / "matches" / "friday.match").write_text("another")
    settings.write_text("[lamp]\npin = 18\n")
    done = restore(place, backup)
    assert done.proof.events == 5
    assert done.aside is not None
    assert (done.aside / "matches" / "friday.match").read_text() == "another"
    assert len(list((done.aside / "photos").iterdir())) == 2
    copy = sqlite3.connect(done.aside / "log" / "events.db")
    assert copy.execute("SELECT count(*) FROM events").fetchone() == (10,)
    copy.close()
    assert settings.read_text() == "[lamp]\npin = 17\n"
    assert any("settings are restored" in notice for notice in done.notices)
    (before,) = place.data.glob("aside/*/before.toml")
    assert before.read_text() == "[lamp]\npin = 18\n"


def test_settings_that_may_not_be_written_are_told(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORDTRAY_SETTINGS", "/proc/nowhere/settings.toml")
    done = restore(Place(tmp_path / "other"), backup)
    assert "could not be written" in done.notices[0]
    (file,) = (tmp_path / "other").glob("aside/*/restored.toml")
    assert file.read_text() == "[lamp]\npin = 17\n"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_backup_that_was_cut_is_refused_and_nothing_is_touched(
    place: Place, backup: Path, share: float
) -> None:
    data, before = backup.read_bytes(), kept(place)
    backup.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(BackupError):
        restore(place, backup)
    assert kept(place) == before
    assert not (place.data / "aside").exists()


def test_any_changed_byte_is_found(backup: Path) -> None:
    data = backup.read_bytes()
    for place in range(0, len(data), len(data) // 40):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        backup.write_bytes(changed)
        try:
            made = read_backup(backup)
        except BackupError:
            continue
        # What may change is what is about the members, such as their times: none of them itself.
        assert made.events == 5


def repacked(backup: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(backup, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("told", "change"),
    [
        ("no backup of wordtray", lambda members: members.update({MANIFEST: b"{}"})),
        ("no backup of wordtray", lambda members: members.update({MANIFEST: b"[]"})),
        ("no backup of wordtray", lambda members: members.update({MANIFEST: b"[" * 100_000})),
        ("no backup of wordtray", lambda members: told_otherwise(members, made=10**30)),
        ("no backup of wordtray", lambda members: told_otherwise(members, format="new")),
        ("no backup of wordtray", lambda members: members.pop(MANIFEST)),
        ("does not hold", lambda members: members.pop("data/matches/friday.match")),
        ("does not hold", lambda members: members.update({"data/more": b""})),
        ("is damaged", lambda members: members.update({"data/matches/friday.match": b"x"})),
    ],
)
def test_an_archive_that_is_no_backup_is_refused(
    backup: Path, told: str, change: Callable[[dict[str, bytes]], None]
) -> None:
    repacked(backup, change)
    with pytest.raises(BackupError, match=told):
        read_backup(backup)


@pytest.mark.parametrize(
    "name", ["../outside", "data/../../outside", "data/log/other.db", "data/aside/x", "/etc/x"]
)
def test_a_backup_writes_nowhere_else(backup: Path, name: str) -> None:
    def smuggle(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST])
        manifest["files"][name] = "0" * 64
        members[MANIFEST] = json.dumps(manifest).encode()
        members[name] = b"x"

    repacked(backup, smuggle)
    with pytest.raises(BackupError, match="none of wordtray's"):
        read_backup(backup)


def test_a_backup_of_a_newer_form_is_refused(backup: Path) -> None:
    def renew(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST]) | {"format": 2, "version": "9.9"}
        members[MANIFEST] = json.dumps(manifest).encode()

    repacked(backup, renew)
    with pytest.raises(BackupError, match=r"newer version of wordtray \(9\.9\)"):
        read_backup(backup)


def test_a_backup_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = Place(tmp_path / "old")
    old.database.parent.mkdir(parents=True)
    connection = sqlite3.connect(old.database)
    connection.executescript(OLD_LOG.read_text("utf-8"))
    connection.close()
    database = old.database.read_bytes()
    with open_log(old) as log:
        back_up(log, tmp_path / "old.zip")
    repacked(tmp_path / "old.zip", lambda members: with_database(members, database))
    done = restore(Place(tmp_path / "new"), tmp_path / "old.zip")
    assert done.proof.events == 11
    assert "older version" in done.notices[0]
    with open_log(Place(tmp_path / "new")) as log:
        assert log.notices == ()


def told_otherwise(members: dict[str, bytes], **head: object) -> None:
    """Change what a manifest says."""
    members[MANIFEST] = json.dumps(json.loads(members[MANIFEST]) | head).encode()


@pytest.mark.parametrize("database", [b"hello", b""])
def test_a_backup_whose_log_is_gone_changes_nothing(
    place: Place, backup: Path, database: bytes
) -> None:
    before = place.database.read_bytes()
    repacked(backup, lambda members: with_database(members, database))
    with pytest.raises(BackupError, match=r"but holds 0|header is none of a log"):
        restore(place, backup)
    assert place.database.read_bytes() == before


def with_database(members: dict[str, bytes], database: bytes) -> None:
    """Put another log into a backup."""
    manifest = json.loads(members[MANIFEST])
    manifest["files"]["data/log/events.db"] = sha256(database).hexdigest()
    members[MANIFEST] = json.dumps(manifest).encode()
    members["data/log/events.db"] = database


def test_a_backup_whose_log_is_damaged_is_refused(place: Place, backup: Path) -> None:
    copy = place.data.parent / "copy.db"
    shutil.copyfile(place.database, copy)
    connection = sqlite3.connect(copy)
    connection.execute("UPDATE events SET at = 0 WHERE seq = 2")
    connection.commit()
    connection.close()
    before = place.database.read_bytes()
    repacked(backup, lambda members: with_database(members, copy.read_bytes()))
    with pytest.raises(
        BackupError, match=r"backup\.zip cannot be restored: .*damaged at event 2"
    ) as told:
        restore(place, backup)
    assert "restoring.part" not in str(told.value) + told.value.advice
    assert place.database.read_bytes() == before


def test_a_backup_whose_log_is_of_a_newer_version_names_itself(
    place: Place, backup: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copyfile(place.database, copy)
    connection = sqlite3.connect(copy)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    repacked(backup, lambda members: with_database(members, copy.read_bytes()))
    with pytest.raises(BackupError, match=r"the log in it is of a newer version") as told:
        restore(place, backup)
    assert "restoring.part" not in str(told.value)
    assert "Install that version" in told.value.advice


def test_a_fault_of_this_machine_is_none_of_the_backup(
    place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_staged: Place) -> tuple[str, ...]:
        raise StorageError("no space left on device", "Make room.") from OSError()

    monkeypatch.setattr("firmware_host.store.backup.put_in_order", full)
    with pytest.raises(StorageError, match="no space left"):
        restore(place, backup)


def test_what_this_version_does_not_know_is_left_out_with_a_word(
    backup: Path, tmp_path: Path
) -> None:
    strange = ("data/start.sh", "data/plugins/more.py")

    def add(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST])
        manifest["files"] |= {name: sha256(b"x").hexdigest() for name in strange}
        members[MANIFEST] = json.dumps(manifest).encode()
        members.update(dict.fromkeys(strange, b"x"))

    repacked(backup, add)
    other = Place(tmp_path / "other")
    done = restore(other, backup)
    assert done.proof.events == 5
    assert "holds data/start.sh and 1 more, which this version does not know" in done.notices[0]
    assert not {"start.sh", "plugins"} & {part.name for part in other.data.iterdir()}


def test_a_restore_that_failed_leaves_nothing_behind(place: Place, backup: Path) -> None:
    repacked(backup, lambda members: with_database(members, b""))
    with pytest.raises(BackupError):
        restore(place, backup)
    assert not list(place.data.glob("restoring*"))


def test_parts_that_are_none_are_left_out_with_a_word(place: Place, tmp_path: Path) -> None:
    place.calibration().write_text("garbage")
    spare = place.photos.save(np.full((8, 8, 3), 7, np.uint8))
    made_up = place.photos.folder / f"photo-{'1' * 64}.jpg"
    made_up.write_bytes(b"no photo")
    (place.photos.folder / "notes.txt").write_text("x")
    with open_log(place) as log:
        known = log.round(1).state.photo
        back_up(log, tmp_path / "b.zip")
    assert known is not None
    other = Place(tmp_path / "other")
    notices = restore(other, tmp_path / "b.zip").notices
    assert any("calibration.json of the backup is not sound" in notice for notice in notices)
    assert any("2 of its files in photos/" in notice for notice in notices)
    assert any("1 of its photos are of no round" in notice for notice in notices)
    assert not other.calibration().exists()
    there = {file.name for file in other.photos.folder.iterdir()}
    assert there == {known.name, spare.name}


def test_what_is_kept_is_backed_up_and_nothing_else(place: Place, tmp_path: Path) -> None:
    for name in ("calibration.json", "calibration-simulated.json", "swoggle-solo.json", "notes"):
        (place.data / name).write_text(name)
    with open_log(place) as log:
        made = back_up(log, tmp_path / "all.zip")
    assert {name for name in made.files if name.count("/") == 1} == {
        "data/calibration.json",
        "data/calibration-simulated.json",
        "data/swoggle-solo.json",
        "settings/wordtray.toml",
    }


def test_a_folder_that_is_not_there_is_named_as_it_is(place: Place, tmp_path: Path) -> None:
    with open_log(place) as log, pytest.raises(StorageError) as told:
        back_up(log, tmp_path / "none" / "b.zip")
    assert str(told.value) == f"{tmp_path / 'none'}: No such file or directory"


def test_nothing_is_restored_while_a_round_is_played(place: Place, backup: Path) -> None:
    with open_log(place), pytest.raises(StorageError, match="another program"):
        restore(place, backup)


def test_no_backup_replaces_a_file(place: Place, backup: Path) -> None:
    before = backup.read_bytes()
    with open_log(place) as log, pytest.raises(StorageError, match="exists"):
        back_up(log, backup)
    assert backup.read_bytes() == before


def test_without_room_nothing_is_touched(
    place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(place.data)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10))
    with pytest.raises(StorageError, match="are free"):
        restore(place, backup)
    assert not (place.data / "aside").exists()


def test_a_file_that_is_not_there_is_told(place: Place, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be read"):
        restore(place, tmp_path / "none.zip")
