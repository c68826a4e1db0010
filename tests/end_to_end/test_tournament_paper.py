"""Sheets of a tournament on paper: printed for every seat, photographed in any order, entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from typer.testing import CliRunner

from firmware_host import tournaments
from firmware_host.cli import app
from firmware_host.errors import ExitCode
from tests.end_to_end.conftest import Run, document, refusal
from tests.end_to_end.test_tournament import points
from vision.paper.sheet import Form, Label
from vision.render.handwriting import random_hand_of_writer
from vision.render.page_photo import PageView, photograph
from vision.render.word_sheet import Written, print_sheet, write_words

BOARD = "TEAM/RSLO/HIND/GUPE"
WORDS: Mapping[str, Mapping[int, str]] = {
    "ann": {1: "TEAM", 2: "MALE"},
    "bob": {1: "TEAM"},
    "cy": {1: "HIND"},
    "dee": {1: "LEA"},
}


def shot(
    player: str,
    words: Mapping[int, str],
    *,
    round_name: str = "1.1",
    sheet: tuple[int, int] = (1, 1),
    **more: Any,  # noqa: ANN401 - as of Written
) -> str:
    """A photo of a filled sheet; its name."""
    hand = random_hand_of_writer(np.random.default_rng(4), 0.0)
    tidy = replace(hand, line=0.08, cover=0.95, grain=0.0, ink=(28, 36, 110), height=0.6)
    printed = print_sheet(Form("A5"), Label(player, round_name, *sheet), 8.0)
    filled = write_words(printed, Written(dict(words), **more), tidy, np.random.default_rng(3))
    view = PageView((1050, 1480), 0.0)
    photo = photograph(filled.pixels, np.random.default_rng(1), view=view).photo
    name = f"of-{player}-{round_name}-{sheet[0]}-{len(words)}.png"
    Image.fromarray(photo).save(name)
    return name


@pytest.fixture
def hall(run: Run) -> Run:
    """Two tables of two, whose board is shown."""
    args = ("--seats", "2", "--rounds", "2", "--boards", "1", "--json")
    document(run("tournament", "new", "cup", *args))
    named = [part for name in WORDS for part in ("--player", name)]
    document(run("tournament", "add", "cup", *named, "--json"))
    Path("t.csv").write_text("ann,bob\ncy,dee\n", encoding="utf-8")
    document(run("tournament", "pair", "cup", "--tables", "t.csv", "--json"))
    document(run("tournament", "board", "cup", BOARD, "--json"))
    return run


def scanned(run: Run, *args: str, code: ExitCode = ExitCode.DONE) -> dict[str, Any]:
    return document(run("tournament", "scan", "cup", *args, "--json"), code)


class TestAHeap:
    def test_sheets_in_any_order_become_scores(self, hall: Run) -> None:
        files = [shot(name, WORDS[name]) for name in ("dee", "ann", "cy", "bob")]
        found = scanned(hall, *files)
        assert found["sheets"] == 4
        assert [each["table"] for each in found["entered"]] == [1, 2]
        assert found["waiting"] == found["missing"] == found["strays"] == []
        assert found["per_minute"] > 0
        assert points(hall) == {"ann": 1, "bob": 0, "cy": 1, "dee": 1}
        played = tournaments.load("cup").state.rounds[0]
        assert played.lists[1, 1] == {"ann": ("team", "male"), "bob": ("team",)}
        assert set(played.photos[1, 1]) == {"ann", "bob"}

    def test_a_table_waits_for_its_last_sheet(self, hall: Run) -> None:
        files = [shot(name, WORDS[name]) for name in ("ann", "cy", "dee")]
        first = scanned(hall, *files, code=ExitCode.DOUBTFUL)
        assert [each["table"] for each in first["entered"]] == [2]
        assert [each["player"] for each in first["missing"]] == ["bob"]
        told = hall("tournament", "scan", "cup", *files)
        assert "Missing: bob, table 1, board 1 of round 1" in told.stdout
        again = scanned(hall, *files, shot("bob", WORDS["bob"]))
        assert [each["table"] for each in again["entered"]] == [1]

    def test_a_sheet_that_is_there_twice(self, hall: Run) -> None:
        ann, bob = shot("ann", WORDS["ann"]), shot("bob", WORDS["bob"])
        other = shot("ann", {1: "HIND", 2: "TEAM", 3: "LEA"})
        found = scanned(hall, ann, bob, other, code=ExitCode.DOUBTFUL)
        assert found["entered"] == []
        assert ["twice" in each["why"] for each in found["waiting"]] == [True]
        Path("copy.png").write_bytes(Path(ann).read_bytes())
        twice = scanned(hall, ann, "copy.png", bob, code=ExitCode.DOUBTFUL)
        assert [each["table"] for each in twice["entered"]] == [1]

    def test_another_sheet_of_a_list_that_is_in_is_told(self, hall: Run) -> None:
        files = [shot(name, WORDS[name]) for name in WORDS]
        scanned(hall, *files)
        found = scanned(hall, *files, shot("ann", {1: "HIND"}), code=ExitCode.DOUBTFUL)
        assert [each["player"] for each in found["waiting"]] == ["ann"]

    def test_a_list_on_two_sheets_is_one(self, hall: Run) -> None:
        bob = shot("bob", WORDS["bob"])
        second = shot("ann", {1: "LEA"}, sheet=(2, 2))
        found = scanned(hall, second, bob, code=ExitCode.DOUBTFUL)
        assert found["waiting"][0]["why"] == "sheet 1 of 2 is missing"
        scanned(hall, second, bob, shot("ann", {1: "TEAM"}, sheet=(1, 2)), code=ExitCode.DOUBTFUL)
        played = tournaments.load("cup").state.rounds[0]
        assert played.lists[1, 1]["ann"] == ("team", "lea")

    def test_what_belongs_nowhere_is_told(self, hall: Run) -> None:
        files = [
            shot("eve", {1: "TEAM"}),
            shot("ann", {1: "TEAM"}, round_name="7.1"),
            shot("", {1: "TEAM"}),
        ]
        found = scanned(hall, *files, code=ExitCode.DOUBTFUL)
        reasons = [each["why"] for each in found["strays"]]
        assert "eve sits at no table in round 1" in reasons
        assert "it is of 7.1, which is none of this event" in reasons
        assert "it names no player" in reasons

    def test_a_photo_of_something_else_hides_no_other(self, hall: Run) -> None:
        Image.new("RGB", (600, 800), "white").save("blank.png")
        files = [shot(name, WORDS[name]) for name in ("ann", "bob")]
        result = hall("tournament", "scan", "cup", "blank.png", "absent.png", *files, "--json")
        assert result.exit_code == ExitCode.NOTHING_FOUND
        assert tournaments.load("cup").state.rounds[0].scores

    def test_a_sheet_without_a_word_must_be_looked_at(self, hall: Run) -> None:
        files = [shot("ann", {}), shot("bob", WORDS["bob"])]
        found = scanned(hall, *files, code=ExitCode.DOUBTFUL)
        assert found["entered"] == []
        assert "--blank" in found["waiting"][0]["why"]
        scanned(hall, *files, "--blank", code=ExitCode.DOUBTFUL)
        assert tournaments.load("cup").state.rounds[0].lists[1, 1]["ann"] == ()

    def test_doubtful_words_are_settled_by_a_person(self, hall: Run) -> None:
        doubtful = shot("ann", {1: "TEAM", 2: "LEA"}, again={(2, 0): "X", (2, 2): "X"})
        files = [doubtful, shot("bob", WORDS["bob"])]
        found = scanned(hall, *files, code=ExitCode.DOUBTFUL)
        assert "doubtful" in found["waiting"][0]["why"]
        args = ["tournament", "scan", "cup", *files, "--review", "--referee", "Dee", "--json"]
        document(CliRunner().invoke(app, args, input="lea\n"), ExitCode.DOUBTFUL)
        assert tournaments.load("cup").state.rounds[0].lists[1, 1]["ann"] == ("team", "lea")

    def test_lists_that_are_in_are_replaced_with_a_reason(self, hall: Run) -> None:
        files = [shot("ann", WORDS["ann"]), shot("bob", WORDS["bob"])]
        scanned(hall, *files, code=ExitCode.DOUBTFUL)
        other = [shot("ann", {1: "LEA"}), files[1]]
        found = scanned(hall, *other, code=ExitCode.DOUBTFUL)
        assert [each["player"] for each in found["waiting"]] == ["ann"]
        assert tournaments.load("cup").state.rounds[0].lists[1, 1]["ann"] == ("team", "male")
        scanned(hall, *other, "--why", "the wrong sheet", code=ExitCode.DOUBTFUL)
        assert tournaments.load("cup").state.rounds[0].lists[1, 1]["ann"] == ("lea",)

    def test_before_the_board_is_shown_nothing_is_entered(self, run: Run) -> None:
        document(run("tournament", "new", "cup", "--seats", "2", "--boards", "1", "--json"))
        document(run("tournament", "add", "cup", "--player", "ann", "--player", "bob", "--json"))
        document(run("tournament", "pair", "cup", "--json"))
        files = [shot(name, WORDS[name]) for name in ("ann", "bob")]
        found = scanned(run, *files, code=ExitCode.DOUBTFUL)
        assert {each["why"] for each in found["waiting"]} == {"the board has not been shown"}


class TestPrinting:
    def test_a_sheet_for_every_seat(self, hall: Run) -> None:
        args = ("tournament", "sheets", "cup", "-o", "s.pdf", "--sheets", "2", "--json")
        assert document(hall(*args))["pages"] == 8
        texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument("s.pdf")]
        assert ["ann" in text for text in texts] == [True] * 2 + [False] * 6
        assert all("1.1" in text for text in texts)
        assert refusal(hall(*args))["kind"] == "sheet_exists"

    def test_a_board_that_there_is_not(self, hall: Run) -> None:
        args = ("tournament", "sheets", "cup", "-o", "s.pdf", "--board", "4", "--json")
        assert refusal(hall(*args))["kind"] == "place"
