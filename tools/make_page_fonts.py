"""Make the fonts of the pages: of the shipped typefaces the signs that five languages need.

A page must stay small on a phone, so each typeface is cut down to its Latin signs. Their licence
reserves the name Source to whole copies: these are called Wordtray. Run from the repository, with
fonttools and brotli installed::

    python tools/make_page_fonts.py
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).resolve().parent.parent / "firmware_host" / "web" / "static" / "fonts"

FONTS = {
    "sans-regular": ("font_source_sans_pro", "SourceSansPro-Regular.ttf", "Wordtray Sans"),
    "sans-bold": ("font_source_sans_pro", "SourceSansPro-Bold.ttf", "Wordtray Sans Bold"),
    "serif-bold": ("font_source_serif_pro", "SourceSerifPro-Bold.ttf", "Wordtray Serif Bold"),
}

SIGNS = [
    *range(0x20, 0x7F),
    *range(0xA0, 0x100),
    *map(ord, "ŒœŸẞ‘’‚“”„‹›–—…•−\u2009\u202f"),
]

FEATURES = ["kern", "tnum"]
"""Pairs of letters at their distance, and figures of one width for times that count down."""

NAMES = {1, 3, 4, 6, 16}
"""Records of a font that hold its name."""


def rename(font: TTFont, name: str) -> None:
    """Give a font another name, as its licence asks of a changed one."""
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = name.replace(" ", "") if record.nameID == 6 else name


def cut_down(font: TTFont) -> None:
    """Leave the signs and features that pages use."""
    options = subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=SIGNS)
    cutter.subset(font)


def make(package: str, file: str, name: str, target: Path) -> None:
    """Write one font of the pages."""
    with resources.as_file(resources.files(package) / "files" / file) as source:
        font = TTFont(source)
        cut_down(font)
        rename(font, name)
        font.flavor = "woff2"
        font.save(target)


def main() -> None:
    """Make them all, with the licence beside them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for short, (package, file, name) in FONTS.items():
        make(package, file, name, FOLDER / f"{short}.woff2")
    for package in ("font_source_sans_pro", "font_source_serif_pro"):
        licence = (resources.files(package) / "files" / "LICENSE.txt").read_text("utf-8")
        kind = package.split("_")[2]
        (FOLDER / f"LICENSE-{kind}.txt").write_text(licence, "utf-8")


if __name__ == "__main__":
    main()
