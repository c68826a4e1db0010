"""The referee's desk and the owner's maintenance: their templates, in every language."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import pytest

from firmware_host import rounds
from firmware_host.store.codec import kind_of_type
from firmware_host.store.log import BEGUN
from firmware_host.web.render import Pages
from firmware_host.web.texts import LANGUAGES, read_catalogues

WEB = Path(str(resources.files("firmware_host.web")))
PAGES = ("referee", "maintenance")
SHARED = ("dom", "page", "api", "texts", "stream", "state", "board")


class Elements(HTMLParser):
    """All elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.found if name in attributes]


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages(read_catalogues())


def elements(pages: Pages, page: str, language: str = "en") -> Elements:
    return Elements(pages.html(page, pages.catalogues.of(language)))


def scripts(page: str) -> str:
    """All scripts of a page but the shared ones."""
    own = [WEB / "static" / "js" / f"{page}.js"]
    for script in own:
        for name in re.findall(r'from "\./(\w+)\.js"', script.read_text("utf-8")):
            other = script.with_name(f"{name}.js")
            if name not in SHARED and other not in own:
                own.append(other)
    return "".join(script.read_text("utf-8") for script in own)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_nothing_that_its_policy_forbids(pages: Pages, page: str, language: str) -> None:
    found = elements(pages, page, language).found
    for tag, attributes in found:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            assert "src" in attributes or attributes["type"] == "application/json"
    assert ("html", {"lang": language}) in found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_each_part_that_its_scripts_write_into(pages: Pages, page: str) -> None:
    wanted = set(re.findall(r'slot\("([\w-]+)"\)', scripts(page)))
    assert wanted
    assert wanted <= set(elements(pages, page).values("data-slot"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_carries_each_text_that_its_scripts_say(pages: Pages, page: str) -> None:
    html = pages.html(page, pages.catalogues.of("en"))
    said = set(re.findall(r'\.say\(\s*"([\w.]+)"', scripts(page)))
    counted = {f"{key}.other" for key in re.findall(r'\.count\(\s*"([\w.]+)"', scripts(page))}
    assert said
    assert {key for key in said | counted if f'"{key}"' not in html} == set()


@pytest.mark.parametrize("page", PAGES)
def test_ids_are_there_once_and_what_is_named_by_them_is_there(pages: Pages, page: str) -> None:
    found = elements(pages, page)
    ids = found.values("id")
    assert len(ids) == len(set(ids))
    naming = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "data-opens")
    named = {id_ for name in naming for value in found.values(name) for id_ in value.split()}
    assert named <= set(ids)


def test_every_act_that_is_asked_about_says_what_it_would_lose() -> None:
    script = (WEB / "static" / "js" / "referee_state.js").read_text("utf-8")
    asked = set(re.findall(r'name: "([\w-]+)"[^}]*asks: true', script))
    texts = read_catalogues().of("en")
    assert {"cancel", "reroll", "close_lists"} <= asked
    assert {name for name in asked if f"referee.sure.{name}" not in texts.entries} == set()


def test_kinds_of_the_log_are_those_that_the_log_knows() -> None:
    known = {kind_of_type(form) for form in rounds.Event.__args__} | {BEGUN}
    entries = read_catalogues().of("en").entries
    named = {key.rpartition(".")[2] for key in entries if key.startswith("referee.log.kind.")}
    assert named <= known
