"""Fonts that training crops are set in: files of the system, by patterns of their names.

They come from Debian packages (``docs/training.md`` lists them) and are needed for training alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from vision.render.typefaces import Typefaces

FONT_FOLDER = Path("/usr/share/fonts")


@dataclass(frozen=True)
class Group:
    """Fonts of one manner.

    Attributes:
        share: of all prints that are set in this group.
        patterns: of file names without their endings.
    """

    share: float
    patterns: tuple[str, ...]


GROUPS = {
    "grotesque": Group(
        0.32,
        (
            *("LiberationSans-Bold", "NimbusSans-Bold", "FreeSansBold"),
            *("Arimo-Bold", "LiberationSans-Regular", "NimbusSans-Regular", "FreeSans"),
            *("Inter-Bold", "Inter-SemiBold"),
        ),
    ),
    "sans": Group(
        0.22,
        (
            *("Roboto-Regular", "Roboto-Medium", "Roboto-Bold", "Roboto-Black"),
            *("OpenSans-Regular", "OpenSans-Semibold", "OpenSans-Bold", "OpenSans-ExtraBold"),
            *("DejaVuSans", "DejaVuSans-Bold", "Cantarell-Bold", "Cantarell-ExtraBold"),
            *("Carlito-Bold", "Andika-Bold", "B612-Bold", "PTS75F", "PTC75F", "Oxygen-Sans-Bold"),
            *("LeagueSpartan-SemiBold", "LeagueSpartan-Bold", "Play-Bold", "LinBiolinum_RB"),
            *("URWGothic-Demi", "NotoSans-Bold", "NotoSansDisplay-Bold"),
            *("OSP-DIN", "NimbusSansNarrow-Bold", "RobotoCondensed-Bold", "Hack-Bold"),
        ),
    ),
    "light": Group(
        0.05,
        (
            *("Roboto-Light", "OpenSans-Light", "Cantarell-Regular", "Inter-Regular"),
            *("Oxygen-Sans", "Andika-Regular", "URWGothic-Book", "Jura-Medium", "Play-Regular"),
            *("NotoSans-Regular", "Carlito-Regular", "LeagueSpartan-Regular"),
        ),
    ),
    "rounded": Group(
        0.09,
        (
            *("Comfortaa-Bold", "Quicksand-Medium", "Quicksand-Bold", "Dosis-SemiBold"),
            *("Dosis-Bold", "Dosis-ExtraBold", "Comfortaa-Regular"),
        ),
    ),
    "serif": Group(
        0.20,
        (
            *("LiberationSerif-Bold", "LiberationSerif-Regular", "NimbusRoman-Bold", "C059-Bold"),
            *("P052-Bold", "P052-Roman", "C059-Roman", "LinLibertine_RB", "LinLibertine_R"),
            *("DejaVuSerif", "DejaVuSerif-Bold", "FreeSerifBold", "EBGaramond12-Bold"),
            *("CharisSIL-Bold", "NotoSerif-Bold", "Century-Catalogue", "Prociono", "Tinos-Bold"),
            *("GoudyBookletter1911", "PTF75F", "PTF55F", "LinLibertine_RZ", "NimbusRoman-Regular"),
            *("DejaVuSerifCondensed-Bold", "CharisSIL-Regular"),
        ),
    ),
    "slab": Group(
        0.12,
        (
            *("RobotoSlab-Bold", "RobotoSlab-Regular", "Courier Prime Bold", "NimbusMonoPS-Bold"),
            *("FreeMonoBold", "LiberationMono-Bold", "URWBookman-Demi", "PTM75F"),
        ),
    ),
}

HELD_OUT = Group(
    1.0,
    (
        *("Lato-Regular", "Lato-Bold", "Lato-Black", "Cabin-Bold", "Cabin-SemiBold"),
        *("Vollkorn-Bold", "Vollkorn-Regular", "Caladea-Bold"),
        *("mononoki-Bold", "Gentium-R", "LinBiolinum_R"),
    ),
)
"""Families that no training print is set in: they tell how the net meets a strange set."""


class FontsMissingError(Exception):
    """No font of a group is installed."""


def training_typefaces(folder: Path = FONT_FOLDER) -> Typefaces:
    """The fonts of all groups, by the groups' shares.

    Raises:
        FontsMissingError: a group has no font in the folder.
    """
    return _typefaces(list(GROUPS.values()), folder)


def held_out_typefaces(folder: Path = FONT_FOLDER) -> Typefaces:
    """Fonts of families that training leaves out.

    Raises:
        FontsMissingError: the folder has none.
    """
    return _typefaces([HELD_OUT], folder)


def _typefaces(groups: list[Group], folder: Path) -> Typefaces:
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".ttf", ".otf"})
    weighted: list[tuple[Path, float]] = []
    for group in groups:
        found = _matching(files, group.patterns)
        if not found:
            raise FontsMissingError(
                f"none of the fonts {', '.join(group.patterns[:4])} … is in {folder}; "
                "docs/training.md names the packages to install"
            )
        weighted += [(path, group.share / len(found)) for path in found]
    return Typefaces.of(weighted)


def _matching(files: list[Path], patterns: tuple[str, ...]) -> list[Path]:
    """Files whose names match, one a name: packages overlap."""
    by_name = {path.stem: path for path in reversed(files)}
    return sorted(
        path for name, path in by_name.items() if any(fnmatch(name, one) for one in patterns)
    )
