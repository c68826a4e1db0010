"""Lines typed with a time-out."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator

import pytest

from firmware_host.cli.lines import DescriptorLines


class Pipe:
    """A pipe whose reading end is a `DescriptorLines`."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._reading, self._writing = os.pipe()
        self.lines = DescriptorLines(self._reading, self.slept.append)

    def type(self, text: str) -> None:
        os.write(self._writing, text.encode())

    def end(self) -> None:
        os.close(self._writing)

    def close(self) -> None:
        os.close(self._reading)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


def test_lines_come_one_by_one_even_when_typed_at_once(pipe: Pipe) -> None:
    pipe.type("tree\r\nétoile\n")
    pipe.end()
    assert [pipe.lines.next_line(0), pipe.lines.next_line(0)] == ["tree", "étoile"]


def test_half_a_line_is_kept_until_it_is_whole(pipe: Pipe) -> None:
    pipe.type("tr")
    assert pipe.lines.next_line(0) is None
    pipe.type("ee\n")
    assert pipe.lines.next_line(0) == "tree"
    pipe.end()


def test_a_last_line_without_its_end_counts(pipe: Pipe) -> None:
    pipe.type("tree")
    pipe.end()
    assert pipe.lines.next_line(None) == "tree"
    assert pipe.lines.next_line(None) is None


def test_what_was_typed_at_a_terminal_can_be_dropped() -> None:
    person, terminal = pty.openpty()
    lines = DescriptorLines(terminal, lambda _: None)
    os.write(person, b"first\nsec")
    assert lines.next_line(1) == "first"
    lines.drop_typed()
    os.write(person, b"third\n")
    assert lines.next_line(1) == "third"
    os.close(person)
    os.close(terminal)


def test_a_pipe_keeps_its_lines(pipe: Pipe) -> None:
    pipe.type("tree\nbark\n")
    assert pipe.lines.next_line(0) == "tree"
    pipe.lines.drop_typed()
    assert pipe.lines.next_line(0) == "bark"
    pipe.end()


def test_after_the_end_the_time_still_passes(pipe: Pipe) -> None:
    pipe.end()
    assert pipe.lines.next_line(0.2) is None
    assert pipe.slept == [0.2]
