"""How the pages are made: colours that stand out, small, nothing inline, nothing from outside."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_host.web.render import Pages, address, qr_code
from firmware_host.web.texts import LANGUAGES, read_catalogues

STATIC = Path(str(resources.files("firmware_host.web"))) / "static"
JOIN_URL = "http://192.168.1.20:8080/join"
PAGES = ("display", "join", "play", "help", "referee", "maintenance", "touch")
MOST_BYTES = 150_000
"""Of a page with all that it loads, as it is sent."""

TEXT, SIGN = 4.5, 3.0
"""Ratios of contrast that WCAG 2.2 AA asks of text, and of signs and large letters."""

PAIRS = [
    ("ink", "paper", TEXT),
    ("ink", "paper-deep", TEXT),
    ("ink", "card", TEXT),
    ("ink-soft", "paper", TEXT),
    ("ink-soft", "paper-deep", TEXT),
    ("ink-soft", "card", TEXT),
    ("accent", "paper", TEXT),
    ("accent", "card", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-deep", TEXT),
    ("paper", "ink", TEXT),
    ("card", "ink", TEXT),
    ("bad", "paper", TEXT),
    ("bad", "card", TEXT),
    ("on-warn", "warn-ground", TEXT),
    ("on-lid", "lid", TEXT),
    ("on-lid-soft", "lid", TEXT),
    ("on-lid", "tray-rim", TEXT),
    ("cube-ink", "cube", TEXT),
    ("cube-ink", "cube-lit", TEXT),
    ("on-trail", "cube-mark", TEXT),
    ("edge", "paper", SIGN),
    ("edge", "card", SIGN),
    ("focus", "paper", SIGN),
    ("focus", "card", SIGN),
    ("cube-mark", "lid", SIGN),
    ("cube-mark", "tray", SIGN),
    ("cube", "tray", SIGN),
]
"""What is drawn, on what, and the ratio that it needs."""

Tokens = dict[str, str]


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages(read_catalogues())


def _html(pages: Pages, page: str, language: str = "en") -> str:
    texts = pages.catalogues.of(language)
    return pages.html(page, texts, simulated=True, join_url=JOIN_URL, code="K7QM")


def _tokens(css: str) -> Tokens:
    (block,) = re.findall(r":root \{([^}]*)\}", css)
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", block))


def _themes() -> dict[str, Tokens]:
    light = _tokens((STATIC / "base.css").read_text())
    dark = light | _tokens((STATIC / "dark.css").read_text())
    bright, _, night = (STATIC / "contrast.css").read_text().partition("@media")
    high = light | _tokens(bright)
    return {
        "light": light,
        "dark": dark,
        "contrast": high,
        "contrast over dark": dark | _tokens(bright) | _tokens(night),
    }


def _luminance(colour: str) -> float:
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def _ratio(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_all_the_contrast_there_is() -> None:
    assert _ratio("#000000", "#ffffff") == pytest.approx(21)
    assert _ratio("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", _themes())
def test_what_is_drawn_stands_out_from_its_ground(theme: str) -> None:
    tokens = _themes()[theme]

    weak = {
        (drawn, ground): round(_ratio(tokens[drawn], tokens[ground]), 2)
        for drawn, ground, least in PAIRS
        if _ratio(tokens[drawn], tokens[ground]) < least
    }
    assert weak == {}


def test_high_contrast_is_higher() -> None:
    themes = _themes()

    for theme, tokens in (("light", themes["contrast"]), ("dark", themes["contrast over dark"])):
        assert _ratio(tokens["ink-soft"], tokens["paper"]) > 12
        assert _ratio(tokens["ink"], tokens["paper"]) > _ratio(
            themes[theme]["ink"], themes[theme]["paper"]
        )


class _Tags(HTMLParser):
    """All tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_pages_are_whole_in_every_language(pages: Pages, page: str, language: str) -> None:
    html = _html(pages, page, language)
    tags = _Tags(html)

    assert ("html", {"lang": language}) in tags.tags
    assert len(tags.values("id")) == len(set(tags.values("id")))
    assert not re.search(r"\{\w+\}", re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL))


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_inline_and_nothing_comes_from_outside(pages: Pages, page: str) -> None:
    tags = _Tags(_html(pages, page))

    for tag, attributes in tags.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "style"
        if tag == "script":
            assert "src" in attributes or attributes["type"] == "application/json"
    assert all(
        value.startswith(("/", "#", "?")) for name in ("src", "href") for value in tags.values(name)
    )


@pytest.mark.parametrize("page", PAGES)
def test_what_a_label_or_a_description_names_is_there(pages: Pages, page: str) -> None:
    tags = _Tags(_html(pages, page))
    named = [*tags.values("for"), *tags.values("aria-labelledby"), *tags.values("data-opens")]
    named += [name for value in tags.values("aria-describedby") for name in value.split()]

    assert set(named) <= set(tags.values("id"))
    signs = {value for value in tags.values("href") if value.startswith("#sign-")}
    assert {sign.removeprefix("#") for sign in signs} <= set(tags.values("id"))


def _imports(script: Path) -> Iterator[Path]:
    """A module and all that it imports."""
    seen, open_ = set(), [script]
    while open_:
        module = open_.pop()
        if module in seen:
            continue
        seen.add(module)
        yield module
        names = re.findall(
            r"^import .*?\"\./([\w.]+)\";", module.read_text(), re.MULTILINE | re.DOTALL
        )
        open_ += [module.parent / name for name in names]


def _loaded(html: str) -> set[Path]:
    tags = _Tags(html)
    named = {value for value in (*tags.values("src"), *tags.values("href")) if "/static/" in value}
    files = {STATIC / value.removeprefix("/static/") for value in named}
    for css in [file for file in files if file.suffix == ".css"]:
        files |= {STATIC / name for name in re.findall(r'url\("([^"]+)"\)', css.read_text())}
    for script in [file for file in files if file.suffix == ".js"]:
        files |= set(_imports(script))
    return files


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_small_with_all_that_it_loads(pages: Pages, page: str, language: str) -> None:
    html = _html(pages, page, language)

    size = len(html.encode()) + sum(map(_sent, _loaded(html)))
    assert size <= MOST_BYTES


def _sent(file: Path) -> int:
    """Bytes of a file as it goes out: fonts are packed already, all others are on their way."""
    data = file.read_bytes()
    return len(data) if file.suffix == ".woff2" else len(gzip.compress(data))


@pytest.mark.parametrize("page", PAGES)
def test_scripts_find_their_places_in_the_page(pages: Pages, page: str) -> None:
    html = _html(pages, page)
    places = set(_Tags(html).values("data-slot"))
    scripts = [file.read_text() for file in _loaded(html) if file.suffix == ".js"]

    wanted = {name for script in scripts for name in re.findall(r'slot\("([\w-]+)"\)', script)}
    assert wanted
    assert wanted <= places


def test_scripts_never_make_html_of_text() -> None:
    scripts = [file.read_text() for file in (STATIC / "js").glob("*.js")]

    assert not [
        one for one in scripts if re.search(r"innerHTML|outerHTML|insertAdjacent|eval\(", one)
    ]


def test_what_is_shown_is_escaped(pages: Pages) -> None:
    html = pages.html("display", pages.catalogues.of("en"), join_url=JOIN_URL, code="<b>&</b>")

    assert "<b>&</b>" not in html
    assert "&lt;b&gt;" in html


def test_a_display_that_may_bring_nobody_shows_no_code(pages: Pages) -> None:
    html = pages.html("display", pages.catalogues.of("en"))

    assert "K7QM" not in html
    assert "<path" not in html.partition('data-testid="qr"')[2].partition("</div>")[0]


@pytest.mark.parametrize("simulated", [False, True])
def test_a_tray_is_called_simulated_where_it_is(pages: Pages, *, simulated: bool) -> None:
    tags = _Tags(pages.html("play", pages.catalogues.of("en"), simulated=simulated))

    (badge,) = [one for _, one in tags.tags if one.get("data-slot") == "simulated"]
    assert ("hidden" in badge) is not simulated


def test_an_address_breaks_before_its_path() -> None:
    assert address(JOIN_URL) == "192.168.1.20:8080<wbr>/join"
    assert address("<&") == "&lt;&amp;<wbr>"


def _picture(svg: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The dark parts of a QR code that is drawn by lines of one module's width."""
    size = int(re.findall(r'viewBox="0 0 (\d+)', svg)[0])
    grid = np.full((size, size), 255, np.uint8)
    x, y = 0.0, 0.0
    for step, values in re.findall(r"([Mmh])([-\d. ]+)", re.findall(r' d="([^"]+)"', svg)[0]):
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", values)]
        if step == "h":
            grid[int(y), int(x) : int(x + numbers[0])] = 0
            x += numbers[0]
        else:
            x, y = numbers if step == "M" else (x + numbers[0], y + numbers[1])
    return np.kron(grid, np.ones((8, 8), np.uint8))


def test_the_qr_code_is_read_by_a_camera() -> None:
    svg = str(qr_code(f"{JOIN_URL}?code=K7QM"))

    text, _, _ = cv2.QRCodeDetector().detectAndDecode(_picture(svg))
    assert text == f"{JOIN_URL}?code=K7QM"
    assert "style" not in svg
