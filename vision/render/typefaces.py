"""Typefaces that prints are set in; those shipped with the product need no font of the system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np

_SHIPPED = {
    ("font_source_sans_pro", "SourceSansPro-Bold.ttf"): 6.0,
    ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"): 3.0,
    ("font_fredoka_one", "FredokaOne-Regular.ttf"): 1.5,
    ("font_source_serif_pro", "SourceSerifPro-Bold.ttf"): 1.0,
}


@dataclass(frozen=True)
class Typeface:
    """A font file.

    Attributes:
        path: of the file.
    """

    path: str


@dataclass(frozen=True)
class Typefaces:
    """Typefaces and how often each is used.

    Attributes:
        faces: the typefaces.
        weights: as many, in any unit.
    """

    faces: tuple[Typeface, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, weighted: Sequence[tuple[Path, float]]) -> Typefaces:
        """Typefaces of font files, each with its weight."""
        return cls(
            tuple(Typeface(str(path)) for path, _ in weighted),
            tuple(weight for _, weight in weighted),
        )

    def pick(self, rng: np.random.Generator) -> Typeface:
        """One of them, by weight."""
        shares = np.cumsum(self.weights)
        return self.faces[int(np.searchsorted(shares, rng.random() * shares[-1], side="right"))]


@lru_cache(maxsize=1)
def shipped_typefaces() -> Typefaces:
    """The typefaces of the font packages that this product depends on."""
    return Typefaces.of(
        [
            (Path(str(resources.files(package) / "files" / name)), weight)
            for (package, name), weight in _SHIPPED.items()
        ]
    )
