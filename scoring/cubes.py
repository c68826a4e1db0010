"""The cubes of the known editions, and how to roll them.

The editions are data: ``scoring/data/cubes.json`` says for each where its faces come from and how
sure they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from scoring.board import MISSING, Board, Face

Cube = tuple[Face, ...]
"""The faces of one cube, six as a rule."""


_USUAL = ("new_4x4", "deluxe_master_5x5", "super_big_2012_6x6")


class UnknownCubeSetError(LookupError):
    """No edition has this name."""


@dataclass(frozen=True)
class Shortage:
    """Faces that cannot all be up at once, since a set has too few cubes that show them.

    Attributes:
        edition: name of the set.
        places: of the faces in what was looked at, in order.
        faces: they themselves.
        cubes: all cubes of the set that show any of them: one fewer than the faces; none where
            the face is foreign to the set.
    """

    edition: str
    places: tuple[int, ...]
    faces: tuple[Face, ...]
    cubes: tuple[Cube, ...]


@dataclass(frozen=True)
class CubeSet:
    """The cubes of one edition.

    Attributes:
        name: short name for commands and files, such as ``"classic_4x4"``.
        title: name for people.
        rows: rows of its tray.
        cols: columns of its tray.
        cubes: its cubes; more than cells where the box holds a spare.
        year: when it was sold, empty where unknown.
        confidence: how sure the faces are: ``"firm"``, ``"agreed"`` (probably one origin),
            ``"two lists"``, ``"one list"`` or ``"weak"``.
        provenance: where the faces come from, one or two sentences.
    """

    name: str
    title: str
    rows: int
    cols: int
    cubes: tuple[Cube, ...]
    year: str
    confidence: str
    provenance: str

    def roll(self, rng: random.Random) -> Board:
        """Shake: which cubes lie in the tray, where, and which face is up, each equally likely."""
        tray = rng.sample(self.cubes, self.rows * self.cols)
        up = [rng.choice(cube) for cube in tray]
        return Board.from_faces(
            up[start : start + self.cols] for start in range(0, len(up), self.cols)
        )

    def shortage(self, faces: Sequence[Face]) -> Shortage | None:
        """Why these faces cannot lie on distinct cubes of the set; None where they can.

        Augmenting paths find a cube for each face in turn. By Hall's theorem the faces and cubes
        of a search that fails are the proof. Missing cubes are left out.

        Example:
            >>> short = cube_set("classic_4x4").shortage(["A", "Qu", "Qu"])
            >>> short.places, ["".join(cube) for cube in short.cubes]
            ((1, 2), ['ABJMOQu'])
        """
        lies: dict[int, int] = {}  # number of a cube: place of the face that lies on it
        for place, face in enumerate(faces):
            tried: list[int] = []
            if face != MISSING and not self._finds_cube(place, faces, lies, tried):
                places = tuple(sorted({place, *(lies[cube] for cube in tried)}))
                cubes = tuple(self.cubes[cube] for cube in sorted(tried))
                return Shortage(self.name, places, tuple(faces[each] for each in places), cubes)
        return None

    def _finds_cube(
        self, place: int, faces: Sequence[Face], lies: dict[int, int], tried: list[int]
    ) -> bool:
        for number, cube in enumerate(self.cubes):
            if faces[place] in cube and number not in tried:
                tried.append(number)
                if number not in lies or self._finds_cube(lies[number], faces, lies, tried):
                    lies[number] = place
                    return True
        return False


@cache
def cube_sets() -> tuple[CubeSet, ...]:
    """All known editions, those in English first."""
    text = resources.files("scoring.data").joinpath("cubes.json").read_text("utf-8")
    return tuple(_cube_set(entry) for entry in json.loads(text))


def cube_set(name: str) -> CubeSet:
    """The edition of this name.

    Raises:
        UnknownCubeSetError: no such edition; the message names the known ones.
    """
    for edition in cube_sets():
        if edition.name == name:
            return edition
    known = ", ".join(edition.name for edition in cube_sets())
    raise UnknownCubeSetError(f"no cube set {name!r}; known are {known}")


def usual_set(rows: int, cols: int) -> CubeSet | None:
    """The set to think of for a tray of this size: the latest in English whose faces are sure."""
    for name in _USUAL:
        edition = cube_set(name)
        if (edition.rows, edition.cols) == (rows, cols):
            return edition
    return None


def all_faces() -> tuple[Face, ...]:
    """Every face on any cube of any edition, blank included, sorted."""
    return tuple(
        sorted({face for edition in cube_sets() for cube in edition.cubes for face in cube})
    )


def _cube_set(entry: dict[str, Any]) -> CubeSet:
    cubes = tuple(tuple(cube.split()) for cube in entry["cubes"])
    return CubeSet(**(entry | {"cubes": cubes}))
