"""Pages as HTML: templates, texts, and the picture of an address."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from firmware_host.web.texts import Catalogues, Texts
from scoring.players import LONGEST_NAME

PARTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "display": (
            *("common", "board", "display", "result", "words"),
            *("screens", "stats", "fairness", "problem", "hall.now", "hall.in"),
        ),
        "help": ("common",),
        "off": ("common",),
        "join": ("common", "join", "problem"),
        "play": (
            *("common", "board", "display.time", "result", "words", "play", "problem"),
            *("display.slow", "hall.now", "hall.in"),
        ),
        "touch": ("common", "board", "touch", "problem"),
        "wall": ("common", "hall"),
        "seat": ("common", "hall"),
        "overlay": ("common", "hall"),
        "desk": (
            *("common", "desk", "referee.pin", "referee.verdict", "referee.challenge"),
            *("referee.doubts", "display.question", "board.blank", "board.missing", "problem.word"),
            *("hall.rank", "hall.player", "hall.points", "hall.wins", "hall.spread"),
            *("hall.strength", "hall.now", "hall.in"),
            *("problem.name", "problem.too_large", "problem.too_many", "problem.unexpected"),
        ),
        "swoggle": (
            *("common", "swoggle", "problem", "touch.winner", "touch.no_winner"),
            *("touch.winner_mark", "touch.seat", "touch.too_many", "touch.nobody"),
            *("touch.lexicon", "touch.phone_gone"),
        ),
        "referee": (
            *("common", "board", "problem", "referee", "fault.device"),
            *("display.phase", "display.button", "display.question", "display.player"),
            *("display.time", "display.start", "display.slow", "hall.now", "hall.in"),
            *("play.photo_large", "play.photo_none", "play.photo_reading"),
        ),
        "maintenance": ("common", "problem", "referee", "maintenance", "fault"),
    }
)
"""Tables of texts, and single texts, that a page's scripts need; all for one that is not named."""


def templates_of(package: str) -> Environment:
    """The templates of a package, as all pages of ours are made: escaped, and nothing undefined.

    What they hand to scripts as JSON is as short as it can be: an é is two bytes, not six.
    """
    templates = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.policies["json.dumps_kwargs"] = {
        "sort_keys": True,
        "ensure_ascii": False,
        "separators": (",", ":"),
    }
    return templates


def _environment() -> Environment:
    environment = templates_of("firmware_host.web")
    environment.globals |= {"address": address, "icon": icon, "qr": qr_code}
    return environment


@dataclass(frozen=True)
class Pages:
    """The pages in every language.

    Attributes:
        catalogues: their texts.
    """

    catalogues: Catalogues
    environment: Environment = field(default_factory=_environment)

    def html(self, page: str, texts: Texts, **values: object) -> str:
        """A page.

        Args:
            page: name of its template, such as ``display``.
            texts: in whose language.
            values: whatever else the template shows. ``simulated`` marks a tray that is not real;
                the display shows ``join_url`` and ``code``, which it may not know. ``besides`` is
                the query of its address without the language.
        """
        tables = PARTS.get(page, ())
        return self.environment.get_template(f"{page}.html").render(
            {"simulated": False, "join_url": "", "code": None, "longest_name": LONGEST_NAME}
            | {"challenge_s": 60.0, "besides": ""}
            | values,
            t=texts,
            page=page,
            parts=texts.parts(*tables) if tables else dict(texts.entries),
            languages=self.catalogues.offered,
        )


def icon(name: str) -> Markup:
    """A sign of ``signs.svg``, as decoration beside a text."""
    return Markup('<svg class="icon" aria-hidden="true"><use href="#sign-{}"/></svg>').format(name)


def address(url: str) -> Markup:
    """A URL as people type it; a narrow page breaks it before its path."""
    host, slash, path = url.removeprefix("http://").partition("/")
    return Markup("{}<wbr>{}{}").format(host, slash, path)


def qr_code(text: str) -> Markup:
    """A text as a QR code that stands in the page itself: an SVG without any style."""
    drawing = io.BytesIO()
    segno.make(text, error="m").save(
        drawing, kind="svg", xmldecl=False, svgns=False, border=2, omitsize=True, nl=False
    )
    return Markup(drawing.getvalue().decode())  # noqa: S704 - of segno, which draws no text
