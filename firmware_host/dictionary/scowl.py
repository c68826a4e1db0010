"""How common English words are, by the size classes of SCOWL as Debian's ``scowl`` has them.

A word's class is the smallest of SCOWL's lists that it stands in; those who made them took a word
into a small list if many dictionaries have it and it is much in use.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

FOLDER = Path("/usr/share/dict/scowl")

EVERYDAY, COMMON, FAMILIAR, UNCOMMON, RARE = 5, 4, 3, 2, 1

CLASSES: Mapping[int, int] = MappingProxyType(
    {
        10: EVERYDAY,
        20: EVERYDAY,
        35: COMMON,
        40: FAMILIAR,
        50: FAMILIAR,
        55: UNCOMMON,
        60: UNCOMMON,
        70: UNCOMMON,
        80: RARE,
        95: RARE,
    }
)
"""How common the words of each size are."""

SPELLINGS = ("english", "american", "british", "canadian", "australian")


def levels(words: Collection[str], folder: Path = FOLDER) -> dict[str, int]:
    """How common words are: 5 is everyday, 1 is rare; a word of no list has no level.

    The lists are read line by line: to keep them would cost tens of megabytes for a few words a
    round.

    Args:
        words: in small letters.
        folder: where the lists are.

    Raises:
        OSError: they cannot be read.
    """
    found: dict[str, int] = {}
    wanted = set(words)
    for size, level in CLASSES.items():
        for spelling in SPELLINGS:
            file = folder / f"{spelling}-words.{size}"
            found |= dict.fromkeys(_among(wanted, file), level)
        wanted -= found.keys()
    return found


def _among(wanted: Collection[str], file: Path) -> set[str]:
    with file.open(encoding="latin-1") as lines:
        return {word for line in lines if (word := line.rstrip("\n")) in wanted}
