"""Files are written whole or not at all, and folders locked against other processes."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.errors import CommandError, ExitCode
from firmware_host.files import (
    check_ending,
    check_writable,
    locked,
    naming,
    open_now,
    read_bounded,
    read_given,
    write_whole,
    xdg_folder,
)


def test_a_file_is_written_with_its_folder_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_whole(path, [b"a", b"b"])
    write_whole(path, [b"c"])
    assert path.read_bytes() == b"c"
    assert list(path.parent.iterdir()) == [path]


def test_what_fails_halfway_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def parts() -> list[bytes]:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_whole(path, (part for _ in (1,) for part in parts()))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_and_none_that_is_there_for_the_moment(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    (path / "full").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as told:
        write_whole(path, [b"a"])
    assert told.value.filename == str(path)
    with pytest.raises(PermissionError) as refused, naming(path):
        raise PermissionError(13, "Permission denied", str(path / "tmpabc" / "part"))
    assert refused.value.filename == str(path)
    with pytest.raises(OSError, match="fileno"), naming(path):
        raise io.UnsupportedOperation("fileno")


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_files_are_as_readable_as_the_user_has_it(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "file", [b"a"])
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == mode


def test_nobody_is_waited_for_to_write_to_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with open_now(tmp_path / "pipe") as pipe:
        assert pipe.read() == b""


def test_of_a_pipe_that_is_written_to_all_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    late = "import sys; f = open(sys.argv[1], 'wb'); print(flush=True); input(); f.write(b'a')"
    keeper = os.open(path, os.O_RDWR)  # else neither end could be opened first
    with subprocess.Popen(
        [sys.executable, "-c", late, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        with open_now(path) as pipe:
            os.close(keeper)
            writer.stdin.write(b"\n")
            writer.stdin.flush()
            assert pipe.read() == b"a"


def test_a_folder_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "under", Path("/proc/nothing")):
        with pytest.raises(OSError, match=r"Not a directory|No such file"):
            check_writable(place)


def test_checking_leaves_nothing_behind(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_lock_keeps_other_processes_out_until_it_is_left(tmp_path: Path) -> None:
    code = (
        "import fcntl, os, sys; d = os.open(sys.argv[1], os.O_RDONLY);"
        "fcntl.flock(d, fcntl.LOCK_EX | fcntl.LOCK_NB)"
    )
    other = [sys.executable, "-c", code, str(tmp_path)]
    with locked(tmp_path):
        assert subprocess.run(other, capture_output=True, check=False).returncode != 0
    assert subprocess.run(other, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("value", [None, "relative/path", ""])
def test_base_folders_are_those_of_the_rules(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if value is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert xdg_folder("XDG_CACHE_HOME", ".cache") == tmp_path / ".cache" / "wordtray"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert xdg_folder("XDG_CACHE_HOME", ".cache") == Path("/elsewhere/wordtray")


def test_a_file_is_read_up_to_its_bound_and_no_further(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"four")
    assert read_bounded(tmp_path / "file", 4) == b"four"
    assert read_bounded(tmp_path / "file", 3) is None
    assert read_bounded(Path("/dev/zero"), 1000) is None


def test_a_file_that_a_user_named_is_complained_of_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"four")
    assert read_given(tmp_path / "file", 4, "list", "player's list") == b"four"
    for file, told in ((tmp_path / "file", "larger than any player's list"), (tmp_path, "read")):
        with pytest.raises(CommandError, match=told) as caught:
            read_given(file, 3, "list", "player's list")
        assert str(file) in caught.value.complaint.message
        assert (caught.value.complaint.kind, caught.value.complaint.code) == (
            "list",
            ExitCode.UNUSABLE_FILE,
        )


def test_a_slip_in_the_name_of_a_picture_makes_no_folder(tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    for name, said in (("pcitures/a.svg", "there is no folder"), ("folder.svg", "is a folder")):
        with pytest.raises(CommandError, match=said) as caught:
            check_ending(tmp_path / name, ".svg")
        assert caught.value.complaint.code is ExitCode.WRONG_USE
    check_ending(tmp_path / "a.svg", ".svg")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.svg"]
