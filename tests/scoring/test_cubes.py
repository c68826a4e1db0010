"""Editions of cubes: the data file is sound, and rolls are fair."""

import random
from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import BLANK, MISSING, Board
from scoring.cubes import CubeSet, UnknownCubeSetError, all_faces, cube_set, cube_sets

EDITIONS = cube_sets()
NAMES = [edition.name for edition in EDITIONS]


@pytest.fixture(params=EDITIONS, ids=NAMES)
def edition(request: pytest.FixtureRequest) -> CubeSet:
    found: CubeSet = request.param
    return found


def test_all_known_editions_are_there_once() -> None:
    assert NAMES == [
        "classic_4x4",
        "new_4x4",
        "big_1979_5x5",
        "big_challenge_5x5",
        "deluxe_master_5x5",
        "big_2012_5x5",
        "super_big_2012_6x6",
        "french_4x4",
        "italian_4x4",
        "italian_5x5",
        "spanish_5x5",
        "czech_4x4",
    ]


def test_every_cube_has_six_faces_that_a_board_accepts(edition: CubeSet) -> None:
    assert all(len(cube) == 6 for cube in edition.cubes)
    assert all(len(Board.from_faces([cube])) == 6 for cube in edition.cubes)


def test_cubes_fill_the_tray_with_one_spare_at_most(edition: CubeSet) -> None:
    assert len(edition.cubes) - edition.rows * edition.cols in (0, 1)
    assert edition.name.endswith(f"_{edition.rows}x{edition.cols}")


def test_every_edition_tells_where_its_faces_come_from(edition: CubeSet) -> None:
    assert edition.title
    assert edition.confidence in {"firm", "agreed", "two lists", "one list", "weak"}
    assert edition.provenance.endswith(".")


def test_known_cubes_are_as_sold() -> None:
    assert ("A", "B", "J", "M", "O", "Qu") in cube_set("classic_4x4").cubes
    assert ("H", "I", "M", "N", "Qu", "U") in cube_set("new_4x4").cubes
    assert ("An", "Er", "He", "In", "Qu", "Th") in cube_set("super_big_2012_6x6").cubes
    assert ("E", "I", "O", BLANK, BLANK, BLANK) in cube_set("super_big_2012_6x6").cubes
    assert ("Ch", "L", "N", "S", "U", "V") in cube_set("czech_4x4").cubes


def test_challenge_cube_is_a_spare_to_big_boggle() -> None:
    plain, challenge = cube_set("big_1979_5x5").cubes, cube_set("big_challenge_5x5").cubes
    assert Counter(challenge) - Counter(plain) == Counter([("I", "K", "L", "M", "Qu", "U")])


def test_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownCubeSetError, match=r"'clasic'.*classic_4x4.*czech_4x4"):
        cube_set("clasic")


def test_all_faces_are_sorted_and_complete() -> None:
    faces = all_faces()
    assert list(faces) == sorted(set(faces))
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZÑ#") <= set(faces)
    assert {"Qu", "Th", "He", "In", "An", "Er", "Ch"} <= set(faces)
    assert "_" not in faces


def test_same_seed_gives_the_same_roll(edition: CubeSet) -> None:
    first, second = (edition.roll(random.Random(7)) for _ in range(2))
    assert first == second
    assert (first.rows, first.cols) == (edition.rows, edition.cols)


def test_every_cube_visits_every_cell_and_shows_every_face_equally() -> None:
    numbered = CubeSet(
        "t",
        "T",
        2,
        2,
        tuple(tuple(pair) for pair in ("AB", "CD", "EF", "GH", "IJ")),
        "",
        "firm",
        "Made up.",
    )
    rng = random.Random(2)
    seen: Counter[tuple[int, str]] = Counter()
    for _ in range(10_000):
        seen.update(enumerate(numbered.roll(rng)))
    assert len(seen) == 4 * 10
    assert all(abs(times - 1000) < 150 for times in seen.values())  # five standard deviations


@given(st.data())
def test_faces_that_lie_on_distinct_cubes_are_no_shortage(data: st.DataObject) -> None:
    edition = data.draw(st.sampled_from(cube_sets()))
    board = edition.roll(random.Random(data.draw(st.integers(0, 10**6))))
    faces = [face if data.draw(st.integers(0, 9)) else MISSING for face in board]
    assert edition.shortage(faces) is None


@given(st.lists(st.sampled_from("ABCDE"), max_size=6), st.data())
def test_a_shortage_is_found_where_no_assignment_is_there(
    faces: list[str], data: st.DataObject
) -> None:
    sides = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=3).map(tuple)
    cubes = tuple(data.draw(st.lists(sides, min_size=1, max_size=5)))
    short = replace(cube_set("new_4x4"), cubes=cubes).shortage(faces)
    ways = permutations(range(len(cubes)), len(faces))
    possible = any(
        all(face in cubes[n] for face, n in zip(faces, way, strict=True)) for way in ways
    )
    assert (short is None) == possible
    if short:
        assert short.faces == tuple(faces[place] for place in short.places)
        showing = [cube for cube in cubes if set(cube) & set(short.faces)]
        assert sorted(short.cubes) == sorted(showing)
        assert len(short.cubes) == len(short.faces) - 1


def test_a_face_that_no_cube_shows_is_foreign() -> None:
    short = cube_set("new_4x4").shortage(["A", "Ä", "E"])
    assert short is not None
    assert (short.faces, short.cubes) == (("Ä",), ())
