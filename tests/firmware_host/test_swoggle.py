"""Swoggle at the station: dice, stored matches of another kind, boards from files, pictures."""

from __future__ import annotations

import errno
import random
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image, ImageColor

from firmware_host import matches
from firmware_host.errors import CommandError
from firmware_host.swoggle import (
    GivenDice,
    ProgramDice,
    find_layout,
    load,
    open_rules,
    playing,
    program_dice,
)
from firmware_host.swoggle_picture import SQUARE, Box, Label, picture_size, shapes, to_png, to_svg
from scoring.lexicon import BUILT_IN, builtin_lexicon
from scoring.match import Match, MatchError
from scoring.swoggle.board import Kind, LayoutError, builtin_layout
from scoring.swoggle.game import Swoggle, thrown_off
from scoring.swoggle.plan import Plan

LAYOUT = builtin_layout()
LETTERS = {(7, 7): "a", (7, 8): "é", (1, 4): "q"}
FRESH = frozenset({(7, 8)})


def test_the_program_throws_fairly_and_the_same_again() -> None:
    thrown = program_dice(7, 3).throw(6000)
    assert thrown == program_dice(7, 3).throw(6000)
    assert thrown != program_dice(7, 4).throw(6000)
    counts = np.bincount(thrown, minlength=7)[1:]
    assert counts.sum() == 6000
    assert (abs(counts - 1000) < 150).all()


@pytest.mark.parametrize("players", [2, 3, 8])
def test_its_throws_for_the_start_settle_who_begins(players: int) -> None:
    for seed in range(50):
        throws = ProgramDice(random.Random(seed)).throw_off(players)
        first, pips = thrown_off(throws, players)
        assert throws[0][first] == max(throws[0])
        assert pips == max(throws[-1])


def test_given_throws_are_passed_on_as_they_are() -> None:
    assert GivenDice([4, 6]).throw(3) == [4, 6]


def rules() -> Swoggle:
    plan = Plan.agree(["ann", "bob"], minutes=20)
    return Swoggle(plan, LAYOUT, builtin_lexicon(), BUILT_IN, 5)


def test_rules_are_set_up_again_from_what_is_stored() -> None:
    again = open_rules("swoggle", rules().setup)
    assert (again.plan, again.layout, again.seed) == (rules().plan, LAYOUT, 5)
    assert again.lexicon.name == BUILT_IN


@pytest.mark.parametrize(
    "change",
    [
        {"players": 3},
        {"players": [1, 2]},
        {"players": ["ann"]},
        {"variant": "fives"},
        {"target": "300"},
        {"minutes": "ten"},
        {"minutes": ""},
        {"minutes": []},
        {"minutes": {}},
        {"minutes": True},
        {"minutes": 10**400},
        {"turn_seconds": ""},
        {"turn_seconds": False},
        {"checked": 1},
        {"started": None},
        {"started": float("nan")},
        {"started": float("inf")},
        {"seed": "x"},
        {"lexicon": None},
        {"lexicon": "\ud800"},
        {"board": None},
        {"board": {"squares": "1+"}},
    ],
)
def test_a_damaged_setup_is_told(change: dict[str, object]) -> None:
    with pytest.raises(MatchError) as caught:
        open_rules("swoggle", {**rules().setup, **change})
    assert caught.value.advice


def test_matches_of_other_games_are_refused() -> None:
    with pytest.raises(MatchError, match="ludo"):
        open_rules("ludo", {})


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"log": []}', b"\xff"])
def test_what_is_no_exported_match_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.json").write_bytes(content)
    with pytest.raises(MatchError, match=r"m\.json"):
        matches.read_exported(tmp_path / "m.json", open_rules)
    with pytest.raises(MatchError, match="cannot be read"):
        matches.read_exported(tmp_path, open_rules)


def test_an_endless_file_is_no_exported_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LARGEST_FILE", 1000)
    with pytest.raises(MatchError, match="larger than any match"):
        matches.read_exported(Path("/dev/zero"), open_rules)


def test_a_damaged_record_is_told_before_anything_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    solo = Swoggle(Plan.agree(["ann"], "solo"), LAYOUT, builtin_lexicon(), BUILT_IN, 5)
    matches.create("alone", Match.new(solo))
    (tmp_path / "wordtray" / "swoggle-solo.json").write_bytes(b"{")
    with pytest.raises(MatchError, match="scores"), playing("alone", 0.0) as table:
        table.turn("8 5 across PARADE", 6, GivenDice([]), None)
    assert matches.load("alone", open_rules).events == ()


@pytest.mark.parametrize(("number", "looks"), [(errno.EROFS, True), (errno.EIO, False)])
def test_a_match_whose_time_is_over_is_looked_at_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, number: int, *, looks: bool
) -> None:
    plan = Plan.agree(["ann", "bob"], minutes=1.0)
    matches.create(f"shown{number}", Match.new(Swoggle(plan, LAYOUT, builtin_lexicon(), BUILT_IN)))

    def refuse(*_: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(matches, "opened", refuse)
    if looks:
        assert load(f"shown{number}", 60.0).state.end
    else:
        with pytest.raises(OSError, match="no"):
            load(f"shown{number}", 60.0)


def test_a_clock_set_back_does_not_bring_back_the_time_of_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan.agree(["ann", "bob"], minutes=1.0)
    matches.create("setback", Match.new(Swoggle(plan, LAYOUT, builtin_lexicon(), BUILT_IN)))

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "no")

    monkeypatch.setattr(matches, "opened", refuse)
    monkeypatch.setattr(matches, "last_moment", lambda _: 60.0)
    assert load("setback", 10.0).state.end


def test_boards_from_files(tmp_path: Path) -> None:
    assert find_layout(None) == LAYOUT
    own = tmp_path / "own.toml"
    own.write_text('name="a"\ntitle="b"\nsource="c"\nsquares="1+ 2"\n', encoding="utf-8")
    assert find_layout(own).cols == 2
    own.write_text("nothing", encoding="utf-8")
    with pytest.raises(LayoutError, match=r"own\.toml"):
        find_layout(own)
    own.write_bytes(b"#" * 100_001)
    for file, told in ((own, "larger"), (tmp_path, "cannot be read"), (tmp_path / "no", "No such")):
        with pytest.raises(CommandError, match=told):
            find_layout(file)


def parsed(svg: bytes) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - of our own drawing


class TestPicture:
    def test_every_square_letter_and_value_is_drawn(self) -> None:
        drawn = list(shapes(LAYOUT, LETTERS, FRESH))
        squares = [s for s in drawn if isinstance(s, Box) and s.width == s.height == SQUARE]
        assert len(squares) == len(LAYOUT.cells)
        texts = [s.text for s in drawn if isinstance(s, Label)]
        plain = sum(LAYOUT[cell].kind is Kind.PLAIN for cell in LAYOUT.cells)
        assert len(texts) == 2 * 15 + plain + len(LETTERS)
        assert {"A", "É", "Q"} <= set(texts)

    def test_svg_is_sound_and_holds_the_letters(self) -> None:
        root = parsed(to_svg(LAYOUT, LETTERS, FRESH))
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"A", "É", "Q", "15"} <= set(texts)
        width, height = picture_size(LAYOUT)
        assert root.attrib["viewBox"] == f"0 0 {width} {height}"

    def test_png_shows_colours_and_letters_in_their_places(self) -> None:
        with Image.open(BytesIO(to_png(LAYOUT, LETTERS, FRESH))) as image:
            pixels = np.asarray(image.convert("RGB"))
        empty = np.asarray(Image.open(BytesIO(to_png(LAYOUT, {}, frozenset()))).convert("RGB"))
        assert pixels.shape[:2] == picture_size(LAYOUT)[::-1]
        differing = np.argwhere((pixels != empty).any(axis=2))
        cells = {tuple(cell) for cell in (differing - 0.8 * SQUARE).astype(int) // SQUARE}
        assert cells == set(LETTERS)
        corner = round(0.8 * SQUARE + SQUARE / 2)
        assert tuple(pixels[corner, corner]) == ImageColor.getrgb("#e5484d")

    def test_markup_in_a_title_stays_text(self) -> None:
        facts = LAYOUT.facts | {"title": "<b>&"}
        root = parsed(to_svg(type(LAYOUT).from_facts(facts), {}, frozenset()))
        assert root[0].text == "<b>&"
