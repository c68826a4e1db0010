"""The log of rounds: chain, damage, crashes, full disks, older versions."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import inspect

from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    Scored,
    Settled,
    ShakeDone,
    Tick,
    TrayRead,
    WordWritten,
)
from firmware_host.store import schema
from firmware_host.store.ahead import read_ahead
from firmware_host.store.chain import FIRST, Moment, linked, whole
from firmware_host.store.codec import CodecError, Decoder, encoded, kind_of
from firmware_host.store.errors import DamageError, StorageError, damaged_pages
from firmware_host.store.log import Log, Setup, folded, open_log
from firmware_host.store.moments import clock_after
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.encoding import canonical
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import game
from scoring.wordlist import parse_word_list
from vision.reading import TrayReading

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")
LEXICON = Lexicon.from_words("tiny", ["they", "hey", "toe"])
SETUP = Setup(Plan(game("boggle"), ("red", "blue"), 60.0), "play", True, "new_4x4", "enable", 7)  # noqa: FBT003
OLD_LOG = Path(__file__).with_name("log-0001.sql")
MakeReading = Callable[..., TrayReading]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "data")


@pytest.fixture(scope="session")
def happened(reading: MakeReading) -> list[Event]:
    """A whole round; its photo is named and not there."""
    lists = {name: parse_word_list("hey\ntoe") for name in ("red", "blue")}
    result = score_round(BOARD, lists, LEXICON, game("boggle"))
    photo = Path("photos", f"photo-{'0' * 64}.jpg")
    return [
        ButtonPressed(1.0),
        ShakeDone(),
        Settled(),
        TrayRead(reading(doubtful=[(0, 0)]), photo),
        CellConfirmed((0, 0), "I"),
        ButtonPressed(5.0),
        WordWritten("red", "hey", 6.0),
        Tick(65.0),
        *(ListHandedIn(name, entries) for name, entries in lists.items()),
        Scored(result),
    ]


def play(log: Log, happened: list[Event]) -> int:
    """Record a round; gives its number."""
    with log.begin(SETUP) as recorder:
        for event in happened:
            recorder.record(event)
    return recorder.number


def recorded(log: Log) -> list[str]:
    """What is in the log, without the moments."""
    return [
        f"{entry.seq} {entry.kind} {entry.data}"
        for summary in log.rounds()
        for entry in log.entries(summary.number)
    ]


def copied(place: Place, folder: Path) -> Place:
    """The files as they are, as if the plug was pulled."""
    shutil.copytree(place.data, folder)
    return Place(folder)


class TestChain:
    MOMENT = Moment(1.5, "boot", 2.5)

    def test_entries_follow_each_other_until_one_was_changed(self) -> None:
        entries = [first := linked(None, 1, "begun", self.MOMENT, "{}")]
        for number in range(4):
            entries.append(linked(entries[-1], 1, "tick", self.MOMENT, canonical({"at": number})))
        assert list(whole(entries)) == entries
        assert first.follows(FIRST, 0)
        for part in ({"data": "{}"}, {"seq": 4}, {"kind": "tack"}, {"round": 2}, {"hash": FIRST}):
            assert (
                list(whole([*entries[:2], replace(entries[2], **part), *entries[3:]]))
                == (entries[:2])
            )
        later = replace(entries[2], moment=Moment(1.5, "boot", 2.6))
        assert list(whole([*entries[:2], later])) == entries[:2]

    def test_a_part_can_be_proved_from_the_entry_before(self) -> None:
        first = linked(None, 1, "begun", self.MOMENT, "{}")
        second = linked(first, 1, "tick", self.MOMENT, "{}")
        assert list(whole([second], first)) == [second]
        assert list(whole([second])) == []

    @pytest.mark.parametrize("number", [float("nan"), float("inf")])
    def test_what_is_no_number_is_not_kept(self, number: float) -> None:
        with pytest.raises(ValueError, match="JSON"):
            canonical(number)


class TestCodec:
    DECODER = Decoder(Path("photos"))

    def test_every_event_comes_back_as_it_was(self, happened: list[Event]) -> None:
        for event in happened[:-1]:
            data = json.loads(canonical(encoded(event)))
            assert self.DECODER.event(kind_of(event), data) == event

    def test_a_result_keeps_every_word(self, happened: list[Event]) -> None:
        data = encoded(happened[-1])
        again = self.DECODER.event("scored", data)
        assert isinstance(again, Scored)
        assert encoded(again) == data
        assert again.result.possible.words
        assert again.result.winners == ()

    def test_a_setup_comes_back_as_it_was(self) -> None:
        assert self.DECODER.value(Setup, json.loads(canonical(encoded(SETUP)))) == SETUP

    @pytest.mark.parametrize(
        ("kind", "data"),
        [
            ("invented", {}),
            ("tick", {}),
            ("tick", {"at": "late"}),
            ("tick", {"at": True}),
            ("tick", {"at": 1.0, "more": 2}),
            ("tick", []),
            ("cell_confirmed", {"cell": [1], "face": "A"}),
            ("cell_confirmed", {"cell": None, "face": "A"}),
            ("scored", {"result": {"board": "nonsense"}}),
        ],
    )
    def test_what_is_no_event_is_told(self, kind: str, data: object) -> None:
        with pytest.raises(CodecError, match="the log has"):
            self.DECODER.event(kind, data)

    def test_no_photo_lies_outside_its_folder(self, happened: list[Event]) -> None:
        data = encoded(happened[3]) | {"photo": "../../secret.jpg"}
        event = self.DECODER.event("tray_read", data)
        assert isinstance(event, TrayRead)
        assert event.photo == Path("photos/secret.jpg")


class TestLog:
    def test_the_state_of_a_round_is_the_fold_of_its_events(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as log:
            number = play(log, happened)
        with open_log(place) as log:
            kept = log.round(number)
        live = folded(SETUP.start, happened)
        assert kept.setup == SETUP
        assert kept.state.phase is Phase.FINISHED
        assert encoded(kept.state.result) == encoded(live.result)
        assert kept.state.photo == place.photos.folder / f"photo-{'0' * 64}.jpg"
        assert kept.state.drafts == live.drafts

    def test_rounds_are_listed_with_how_they_ended(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as log:
            rounds: list[list[Event]] = [happened, [], [ButtonPressed(1.0), Cancelled()]]
            for events in rounds:
                play(log, events)
            found = [(one.number, one.events, one.ended) for one in log.rounds()]
        assert found == [(1, 12, True), (2, 1, False), (3, 3, True)]

    def test_rounds_that_are_played_at_once_are_kept_apart(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as one, open_log(place) as other:
            with one.begin(SETUP) as first, other.begin(SETUP) as second:
                for event in happened:
                    first.record(event)
                    second.record(event)
            assert one.round(1).state.photo == one.round(2).state.photo
            assert one.prove().events == 24

    def test_only_what_is_interrupted_is_gone_on_with(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as log:
            assert log.interrupted("play") is None
            play(log, happened)
            assert log.interrupted("play") is None
            play(log, happened[:5])
            assert log.interrupted("demo") is None
            with log.go_on(2) as (kept, recorder):
                assert kept.state.phase is Phase.READY
                assert log.interrupted("play") is None
                with pytest.raises(StorageError, match="another program"), log.go_on(2):
                    pass
                recorder.record(happened[5])
            assert log.round(2).state.phase is Phase.RUNNING
            assert log.interrupted("play") == 2

    def test_an_older_round_that_has_not_ended_does_not_hide_behind_a_later_one(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as log:
            assert log.unfinished("play") is None
            for events in (happened[:4], happened[:5], happened):
                play(log, events)
            assert (log.unfinished("play"), log.unfinished("demo")) == (2, None)
            assert log.interrupted("play") is None
            with log.go_on(2) as (_, recorder):
                assert log.unfinished("play") == 1
                recorder.record(Cancelled())
            assert log.unfinished("play") == 1

    def test_no_round_of_that_number_is_told(self, place: Place) -> None:
        with open_log(place) as log, pytest.raises(StorageError, match="no round 3"):
            log.round(3)

    def test_a_proof_names_photos_that_are_lost(self, place: Place, happened: list[Event]) -> None:
        with open_log(place) as log:
            play(log, happened)
            proof = log.prove()
        assert (proof.events, proof.rounds, proof.photos) == (12, 1, 1)
        assert proof.lost_photos == (f"photo-{'0' * 64}.jpg",)
        assert len(proof.last_hash) == 64

    def test_every_commit_is_on_the_disk(self, place: Place) -> None:
        with open_log(place) as log, log._reading() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2


class TestMoments:
    def test_the_clock_counts_on_within_one_start_whatever_the_time_of_day_does(self) -> None:
        last = Moment(5_000_000_000.0, "this", 100.0)
        at = clock_after(last, "this", lambda: 130.0).monotonic()
        assert 5_000_000_030.0 <= at < 5_000_000_060.0

    def test_after_another_start_it_is_the_time_of_day_but_never_earlier(self) -> None:
        past, future = Moment(1000.0, "that", 9e9), Moment(5e9, "that", 100.0)
        assert clock_after(past, "this", lambda: 1.0).monotonic() > 1.7e9
        assert 5e9 <= clock_after(future, "this", lambda: 1.0).monotonic() < 5e9 + 60

    def test_a_round_goes_on_with_the_right_time_left(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place, boot="this") as log, log.begin(SETUP) as recorder:
            for event in happened[:5]:
                recorder.record(event)
            started = log.clock.monotonic()
            recorder.record(ButtonPressed(started))
        with open_log(place, boot="this") as log:
            left = log.round(1).state.left(log.clock.monotonic())
            gone = log.clock.monotonic() - started
        assert left == pytest.approx(60.0 - gone, abs=0.5)


# ---- damage ----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def pulled(
    happened: list[Event], tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Place, list[str]]]:
    """The files as they were after some events of three rounds, and what had been recorded."""
    folder = tmp_path_factory.mktemp("pulled")
    place, moments = Place(folder / "live"), []
    with open_log(place) as log:
        moments.append((copied(place, folder / "0"), recorded(log)))
        for number in range(3):
            with log.begin(SETUP) as recorder:
                for step, event in enumerate(happened):
                    recorder.record(event)
                    if step % 4 == number:
                        copy = copied(place, folder / f"{number}-{step}")
                        moments.append((copy, recorded(log)))
    moments.append((copied(place, folder / "closed"), moments[-1][1]))
    with open_log(moments[-1][0]) as log:
        moments[-1] = (log.place, recorded(log))
    return moments


def cut_and_open(source: Place, target: Path, name: str, keep: float) -> tuple[list[str], Place]:
    """What a log holds of which a file was cut, at this share of its length."""
    shutil.rmtree(target, ignore_errors=True)
    place = copied(source, target)
    file = place.database.with_name(name)
    with file.open("r+b") as opened:
        opened.truncate(int(keep * file.stat().st_size))
    with open_log(place) as log:
        assert log.prove().events == len(recorded(log))
        return recorded(log), place


@pytest.mark.parametrize("moment", range(10))
def test_after_a_pulled_plug_all_is_there(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path, moment: int
) -> None:
    source, known = pulled[moment]
    with open_log(copied(source, tmp_path / "data")) as log:
        assert recorded(log) == known
        assert log.notices == ()
        assert log.prove().events == len(known)


@settings(max_examples=60)
@given(data=st.data(), share=st.floats(0, 1))
def test_of_a_file_that_was_cut_anywhere_the_beginning_is_left(
    pulled: list[tuple[Place, list[str]]],
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    share: float,
) -> None:
    source, known = pulled[data.draw(st.integers(0, len(pulled) - 1))]
    names = [file.name for file in (source.database, source.ahead) if file.exists()]
    folder = tmp_path_factory.getbasetemp() / "cut"
    left, place = cut_and_open(source, folder, data.draw(st.sampled_from(names)), share)
    assert left == known[: len(left)]
    if len(left) < len(known) and (place.data / "aside").exists():
        assert any((place.data / "aside").iterdir())


def test_a_cut_end_is_told_and_kept_aside(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path
) -> None:
    source, known = pulled[-1]
    place = copied(source, tmp_path / "data")
    whole_file = place.database.read_bytes()
    place.database.write_bytes(whole_file[: int(len(whole_file) * 0.7)])
    with open_log(place) as log:
        (notice,) = log.notices
        left = recorded(log)
        assert 0 < len(left) < len(known)
        assert f"cut off after event {len(left)}" in notice
        with log.begin(SETUP):  # and it goes on
            assert log.prove().events == len(left) + 1
    aside = place.data / "aside" / "1-damaged" / "log" / "events.db"
    assert aside.read_bytes() == whole_file[: int(len(whole_file) * 0.7)]


def test_a_write_that_was_cut_short_is_left_out_and_told(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path
) -> None:
    source, known = pulled[-2]
    place = copied(source, tmp_path / "data")
    data = place.ahead.read_bytes()
    place.ahead.write_bytes(data[:-100])
    with open_log(place) as log:
        assert "unfinished write" in log.notices[0]
        assert recorded(log) == known[: len(recorded(log))]
    assert (place.data / "aside" / "1-unfinished" / "events.db-wal").read_bytes() == data[:-100]


def changed(place: Place, statement: str) -> None:
    connection = sqlite3.connect(place.database)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET data = replace(data, '5.0', '6.0') WHERE seq = 7",
        "UPDATE events SET at = at + 1 WHERE seq = 3",
        "UPDATE events SET data = x'ff00' WHERE seq = 3",
        "UPDATE events SET hash = NULL WHERE seq = 3",
        "DELETE FROM events WHERE seq = 4",
        "DELETE FROM events WHERE seq = 1",
    ],
)
def test_damage_in_the_middle_is_told_and_nothing_is_changed(
    place: Place, happened: list[Event], statement: str
) -> None:
    with open_log(place) as log:
        play(log, happened)
    if "NULL" in statement:
        statement = statement.replace("NULL", "'none'")
    changed(place, statement)
    before = place.database.read_bytes()
    with pytest.raises(DamageError, match="damaged at event") as caught, open_log(place):
        pass
    assert "wordtray restore" in caught.value.advice
    assert place.database.read_bytes() == before


def test_a_page_in_the_middle_that_is_bad_is_told(place: Place, happened: list[Event]) -> None:
    with open_log(place) as log:
        for _ in range(4):
            play(log, happened)
    data = bytearray(place.database.read_bytes())
    data[4096 * 6 : 4096 * 7] = bytes(4096)
    place.database.write_bytes(data)
    with pytest.raises(DamageError, match="is there after it"), open_log(place):
        pass
    assert place.database.read_bytes() == data


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize(
    ("byte", "bit"),
    [(0, 0), (16, 4), (17, 0), (18, 0), (21, 3), (31, 0), (47, 0), (55, 7), (60, 0)],
)
def test_one_bit_of_the_header_costs_no_event(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path, byte: int, bit: int, *, ahead: bool
) -> None:
    """Also where the plug was pulled while pages were still written ahead."""
    source, known = pulled[-2 if ahead else -1]
    place = copied(source, tmp_path / "data")
    assert (place.ahead.exists(), len(known)) == (ahead, 36)
    data = bytearray(place.database.read_bytes())
    data[byte] ^= 1 << bit
    place.database.write_bytes(data)
    if byte == 31:  # one page more than there are: nothing is missing of it
        with open_log(place) as log:
            assert recorded(log) == known
        return
    with pytest.raises(DamageError, match="header") as caught, open_log(place):
        pass
    assert "wordtray restore" in caught.value.advice
    assert place.database.read_bytes() == data
    assert not (place.data / "aside").exists()


def test_what_sqlite_says_of_its_pages_is_told_without_control_characters(place: Place) -> None:
    error = damaged_pages(place.database, "*** in database ***\nPage 0:\x08 bad\t")
    assert str(error).endswith("the log is damaged (*** in database *** Page 0: bad)")
    assert "log --verify" not in error.advice


def test_every_event_before_the_damage_is_left(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path
) -> None:
    place = copied(pulled[-1][0], tmp_path / "data")
    data = place.database.read_bytes()
    place.database.write_bytes(data[:-1])
    torn = tmp_path / "torn.db"
    torn.write_bytes(data[:-4096] + bytes(4096))
    readable = rows_until_damage(torn)
    assert readable > 6
    with open_log(place) as log:
        assert len(recorded(log)) == readable


def rows_until_damage(database: Path) -> int:
    """How many events SQLite itself can read, one by one."""
    connection, count = sqlite3.connect(database), 0
    try:
        for _ in connection.execute("SELECT * FROM events ORDER BY seq"):
            count += 1
    except sqlite3.DatabaseError:
        pass
    connection.close()
    return count


@pytest.mark.parametrize("size", [0, 50, 4096, 2 * 4096])
def test_a_file_of_which_only_the_beginning_is_left_was_cut(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path, size: int
) -> None:
    place = copied(pulled[-1][0], tmp_path / "data")
    with place.database.open("r+b") as file:
        file.truncate(size)
    with open_log(place) as log:
        assert "a new log is begun" in log.notices[0]
        assert [cut.after for cut in log.prove().cuts] == [0]


def test_a_cut_is_never_forgotten(pulled: list[tuple[Place, list[str]]], tmp_path: Path) -> None:
    place = copied(pulled[-1][0], tmp_path / "data")
    with place.database.open("r+b") as file:
        file.truncate(place.database.stat().st_size * 7 // 10)
    with open_log(place) as log:
        (first,) = log.prove().cuts
        assert first.after == len(recorded(log)) > 0
        with log.begin(SETUP):
            pass
    with place.database.open("r+b") as file:
        file.truncate(place.database.stat().st_size - 1)
    with open_log(place) as log:
        cuts = log.prove().cuts
        log.copy_to(tmp_path / "copy.db")
    with open_log(place) as log:
        assert log.notices == ()
        assert log.prove().cuts == cuts
    assert cuts[0] == first
    assert len(cuts) == 2


def test_an_entry_at_the_end_that_was_changed_is_cut_off_and_told(
    place: Place, happened: list[Event]
) -> None:
    with open_log(place) as log:
        play(log, happened)
    changed(place, "UPDATE events SET data = '{}' WHERE seq = 12")
    with open_log(place) as log:
        assert "cut off after event 11" in log.notices[0]
        assert log.round(1).state.phase is Phase.SCORING


@pytest.mark.parametrize("content", [b"", b"no database at all", bytes(100_000)])
def test_what_is_no_log_is_told_or_replaced_but_never_lost(place: Place, content: bytes) -> None:
    place.database.parent.mkdir(parents=True)
    place.database.write_bytes(content)
    try:
        with open_log(place) as log:
            assert "damaged" in log.notices[0]
    except StorageError:
        assert place.database.read_bytes() == content
    else:
        assert (place.data / "aside" / "1-damaged" / "log" / "events.db").read_bytes() == content


def test_another_database_is_no_log(place: Place) -> None:
    place.database.parent.mkdir(parents=True)
    changed(place, "CREATE TABLE other (thing)")
    with pytest.raises(StorageError, match="no log of wordtray"), open_log(place):
        pass


def test_what_was_written_ahead_of_a_log_that_is_gone_is_kept_aside(
    pulled: list[tuple[Place, list[str]]], tmp_path: Path
) -> None:
    place = copied(pulled[-2][0], tmp_path / "data")
    place.database.unlink()
    with open_log(place) as log:
        assert "kept in" in log.notices[0]
        assert log.rounds() == ()
    assert (place.data / "aside" / "1-orphaned" / "events.db-wal").exists()


def test_an_exchange_that_was_interrupted_is_finished(place: Place, happened: list[Event]) -> None:
    with open_log(place) as log:
        play(log, happened)
    with place.staged() as folder:
        shutil.copytree(place.database.parent, folder / "log")
    (place.data / "aside").mkdir()
    place.database.parent.rename(place.data / "aside" / "log")  # and then the plug is pulled
    with open_log(place) as log:
        assert log.prove().events == 12


class TestAhead:
    def test_a_whole_file_has_no_torn_end(self, pulled: list[tuple[Place, list[str]]]) -> None:
        ahead = read_ahead(pulled[-2][0].ahead.read_bytes())
        assert ahead.page_bytes == 4096
        assert ahead.pages > 3
        assert ahead.torn_bytes == 0

    @pytest.mark.parametrize("data", [b"x", bytes(32), bytes(5000)])
    def test_without_a_sound_header_all_is_torn(self, data: bytes) -> None:
        assert read_ahead(data).torn_bytes == len(data)

    def test_a_changed_byte_makes_the_rest_torn(
        self, pulled: list[tuple[Place, list[str]]]
    ) -> None:
        data = bytearray(pulled[-2][0].ahead.read_bytes())
        data[len(data) // 2] ^= 1
        torn = read_ahead(bytes(data)).torn_bytes
        assert len(data) // 2 <= torn < len(data)


# ---- disks and crashes -----------------------------------------------------------------------


class TestFullDisk:
    def test_what_was_not_kept_is_told_and_not_there(
        self, place: Place, happened: list[Event]
    ) -> None:
        with open_log(place) as log:
            log._writer.exec_driver_sql("PRAGMA max_page_count=12")
            log._writer.rollback()
            acknowledged, error = until_refused(log, happened)
            assert "disk is full" in str(error)
            assert "Free some space" in error.advice
            assert log.prove().events == acknowledged
            log._writer.exec_driver_sql("PRAGMA max_page_count=10000")
            log._writer.rollback()
            play(log, happened)  # and it goes on when there is room again
            assert log.prove().events == acknowledged + 12

    def test_a_real_limit_of_the_system_loses_nothing_that_was_acknowledged(
        self, place: Place, happened: list[Event]
    ) -> None:
        """The file may not grow beyond some pages; events are recorded until it is refused."""
        with open_log(place) as log:
            before = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
            try:
                acknowledged, error = until_refused(log, happened)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert "disk" in error.advice
        with open_log(place) as log:
            assert log.prove().events >= acknowledged > 0

    def test_a_folder_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("a file")
        with pytest.raises(StorageError) as caught, open_log(Place(tmp_path / "data")):
            pass
        assert caught.value.advice

    def test_a_locked_log_is_told(self, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(schema, "LOCKED_S", 0.0)
        with (
            open_log(place) as log,
            open_log(place) as other,
            log._writing(),
            pytest.raises(StorageError, match="locked") as caught,
            other.begin(SETUP),
        ):
            pass
        assert "Another program" in caught.value.advice


def until_refused(log: Log, happened: list[Event]) -> tuple[int, StorageError]:
    """Record rounds until the disk refuses; how many events were acknowledged, and the refusal."""
    acknowledged = 0
    try:
        while True:
            with log.begin(SETUP) as recorder:
                for event in happened:
                    acknowledged = log.append(recorder.number, event).seq
    except StorageError as error:
        return acknowledged, error


CRASH = Path(__file__).with_name("crashes.py")


def crash(folder: Path, moments: int, seed: int) -> dict[str, int]:
    """Kill a program that records at random moments; gives what came of it."""
    command = [sys.executable, str(CRASH), str(folder), str(moments), str(seed)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, int] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize(
    ("moments", "seed"), [(15, 1), pytest.param(500, 2, marks=pytest.mark.slow)]
)
def test_whatever_was_acknowledged_is_there_after_a_kill(
    tmp_path: Path, moments: int, seed: int
) -> None:
    found = crash(tmp_path, moments, seed)
    assert found["kills"] == moments
    assert found["acknowledged"] > moments
    assert found["lost"] == 0
    assert found["resumed"] > 0


# ---- versions --------------------------------------------------------------------------------


@pytest.fixture
def old(place: Place) -> Place:
    """A log of the first version of the schema."""
    place.database.parent.mkdir(parents=True)
    connection = sqlite3.connect(place.database)
    connection.executescript(OLD_LOG.read_text("utf-8"))
    connection.close()
    return place


def test_a_log_of_an_older_version_is_brought_up_to_date_after_a_copy(old: Place) -> None:
    with open_log(old) as log:
        assert "from version 0001 to 0003" in log.notices[0]
        assert log.prove().events == 11
        assert log.round(1).state.phase is Phase.FINISHED
    with open_log(old) as log:
        assert log.notices == ()
    (kept,) = (old.data / "aside").iterdir()
    copy = sqlite3.connect(kept / "events.db")
    assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]
    assert copy.execute("SELECT count(*) FROM events").fetchall() == [(11,)]
    copy.close()


def test_a_migration_that_fails_changes_nothing(
    old: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(connection: object) -> None:
        schema.migrate(connection)  # type: ignore[arg-type]
        raise StorageError("no room", "Make some.")

    monkeypatch.setattr("firmware_host.store.log.migrate", fail)
    with pytest.raises(StorageError, match="no room"), open_log(old):
        pass
    monkeypatch.undo()
    with open_log(old) as log:
        assert "from version 0001" in log.notices[0]


def test_a_log_of_a_newer_version_is_refused_and_left_alone(place: Place) -> None:
    with open_log(place):
        pass
    changed(place, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageError, match="newer version"), open_log(place):
        pass


def test_a_new_log_has_the_tables_that_the_migrations_make(tmp_path: Path) -> None:
    def tables(name: str, make: Callable[..., None]) -> list[object]:
        engine = schema.open_engine(tmp_path / name)
        with engine.connect().execution_options(immediate=True) as connection:
            with connection.begin():
                make(connection)
            assert schema.version_of(connection) == schema.HEAD
            look = inspect(connection)
            return [
                [
                    str(look.get_columns(table)),
                    look.get_pk_constraint(table),
                    look.get_indexes(table),
                ]
                for table in sorted(look.get_table_names())
            ]

    assert tables("new.db", schema.create) == tables("migrated.db", schema.migrate)
