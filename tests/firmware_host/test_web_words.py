"""Words of a result: their meanings and how common they are, once the round is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from firmware_host.dictionary import Dictionary
from firmware_host.dictionary.wordnet import WordNet
from firmware_host.web.latest import Latest
from tests.firmware_host.test_dictionary import make_scowl, make_wordnet
from tests.firmware_host.web_site import Browser, Desk, make_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    folders = [tmp_path / name for name in ("wordnet", "scowl")]
    for folder in folders:
        folder.mkdir()
    known = Dictionary(WordNet(make_wordnet(folders[0])), make_scowl(folders[1]))
    with asyncio.Runner() as runner:
        made = make_desk(tmp_path, runner)
        yield replace(made, site=replace(made.site, dictionary=known))


@pytest.fixture
def ada(desk: Desk) -> Browser:
    """A player, after a round in which she wrote three words."""
    browser = desk.player("ada")
    desk.play()
    for id_, text in (("1", "seto"), ("2", "teas"), ("3", "toe")):
        browser.post("/api/words", {"id": id_, "text": text})
    desk.end()
    browser.post("/api/list", {"id": "4"})
    return browser


def test_nothing_is_told_of_words_while_they_are_looked_for(desk: Desk) -> None:
    browser = desk.player("ada")
    steps: tuple[Callable[[], None] | None, ...] = (None, desk.play, desk.end)
    for happens in steps:
        if happens is not None:
            happens()
        for path in ("/api/dictionary/tea", "/api/result/words"):
            answer = browser.get(path)
            assert (answer.status_code, answer.json()["type"]) == (409, "not_now")


def test_a_word_of_the_result_has_its_meanings(ada: Browser) -> None:
    assert ada.get("/api/dictionary/teas").json() == {
        "word": "teas",
        "meanings": [{"part": "noun", "base": "tea", "gloss": "a beverage; also a meal"}],
    }
    assert ada.get("/api/dictionary/hey").json()["meanings"] == []


def test_the_dictionary_is_for_the_words_of_the_result(ada: Browser) -> None:
    assert ada.get("/api/dictionary/saw").status_code == 404
    assert ada.get(f"/api/dictionary/{'a' * 100}").status_code == 422


def test_how_common_words_are_and_which_could_have_been_found(desk: Desk, ada: Browser) -> None:
    found = ada.get("/api/result/words").json()
    assert found["meanings"] is True
    assert found["levels"] == {"seto": 3, "quey": 1}
    assert found["likely"] == []
    assert desk.display().get("/api/result/words").json() == found


def test_missed_words_that_are_familiar_could_have_been_found(desk: Desk) -> None:
    desk.player("ben")
    desk.play()
    desk.end()
    desk.display().post("/api/round/close_lists")
    likely = desk.display().get("/api/result/words").json()["likely"]
    assert [one["word"] for one in likely] == ["seto"]
    assert likely[0]["points"] == 1
    assert len(likely[0]["path"]) == 4


def test_without_a_dictionary_nothing_is_said(desk: Desk) -> None:
    bare = replace(desk, site=replace(desk.site, dictionary=Dictionary()))
    bare.play()
    bare.end()
    found = bare.display().get("/api/result/words").json()
    assert found == {"meanings": False, "levels": {}, "likely": None}


def test_what_takes_long_is_found_out_once_for_each_key() -> None:
    asked: list[int] = []
    latest = Latest[int]()

    def find(key: int) -> int:
        asked.append(key)
        return key

    for key in (1, 1, 2, 2, 1):
        assert latest.of(key, partial(find, key)) == key
    assert asked == [1, 2, 1]
