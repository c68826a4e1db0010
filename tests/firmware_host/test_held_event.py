"""An event that a program holds for long, while other programs and threads continue it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from firmware_host import tournaments
from firmware_host.files import locked
from scoring.tournament.log import EventError
from tests.firmware_host.office import event


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    tournaments.create("spring", event("ann", "bob"))
    return tmp_path / "wordtray/tournaments/spring.tournament"


@pytest.fixture
def held(file: Path) -> tournaments.HeldEvent:
    assert file.exists()
    return tournaments.HeldEvent("spring")


def elsewhere(*events: dict[str, object]) -> None:
    with tournaments.opened("spring", 9.0) as opened:
        opened.play(*events)


def enrol(name: str) -> dict[str, object]:
    return {"type": "enrol", "player": name}


def test_what_others_have_entered_is_taken_in_without_replaying_all(
    held: tournaments.HeldEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere(enrol("cy"))
    elsewhere({"type": "undo", "of": 1, "why": "a slip"}, enrol("dee"))
    whole = tournaments.load("spring")

    def replayed(_path: Path) -> None:
        pytest.fail("all of it was replayed")

    monkeypatch.setattr(tournaments, "_replayed", replayed)
    assert held.look() == whole
    assert held.look() is held.log


def test_a_line_that_is_cut_off_does_not_count_and_is_replaced(
    held: tournaments.HeldEvent, file: Path
) -> None:
    before = held.log
    with file.open("ab") as opened:
        opened.write(b'{"seq": 3, "at"')
    assert held.look() == before
    with held.opened(9.0, by="Bo") as opened_event:
        opened_event.play(enrol("cy"))
    assert tournaments.load("spring") == held.log
    assert held.log.entries[-1].event["noted_by"] == "Bo"


def test_an_event_that_was_put_back_from_a_copy_is_read_anew(
    held: tournaments.HeldEvent, file: Path
) -> None:
    head = file.with_suffix(".head")
    copies = [(one, one.read_bytes()) for one in (file, head)]
    elsewhere(enrol("cy"))
    assert len(held.look().entries) == 3
    for one, copy in copies:
        one.write_bytes(copy)
    assert len(held.look().entries) == 2


@pytest.mark.parametrize(
    "more",
    [b"nonsense\n", b"\n", b'{"seq": 3, "at": 9.0, "event": {"type": "enrol"}, "hash": "0"}\n'],
)
def test_what_does_not_follow_is_told(held: tournaments.HeldEvent, file: Path, more: bytes) -> None:
    with file.open("ab") as opened:
        opened.write(more)
    with pytest.raises(EventError, match=r"spring\.tournament"):
        held.look()


def test_threads_continue_it_one_after_the_other(held: tournaments.HeldEvent) -> None:
    ready = threading.Barrier(4)

    def continue_it(name: str) -> None:
        ready.wait()
        with held.opened(9.0) as opened:
            opened.play(enrol(name))

    threads = [threading.Thread(target=continue_it, args=(name,)) for name in ("c", "d", "e", "f")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held.log.entries) == 6
    assert held.log == tournaments.load("spring")


def test_another_program_is_waited_for_as_long_as_is_said(held: tournaments.HeldEvent) -> None:
    with locked(tournaments.data_folder()):
        with pytest.raises(BlockingIOError), held.opened(9.0, wait_s=0.1):
            pytest.fail("it was opened")
        assert held.look() == held.log
    with held.opened(9.0, wait_s=0.1) as opened:
        opened.play(enrol("cy"))
