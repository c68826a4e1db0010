"""Joint reading: distinct cubes, found or given editions, and the right amount of doubt."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Face
from scoring.cubes import CubeSet, all_faces, cube_set, cube_sets
from vision.decode import LARGEST_GAP, LEAST_NAMED, decode

LABELS: tuple[Face, ...] = (*all_faces(), "Ä", MISSING)


def scores(*cells: dict[Face, float], labels: tuple[Face, ...] = LABELS) -> NDArray[np.float64]:
    """Log probabilities of cells, each given by its likely faces; the rest share what is left."""
    table = np.zeros((len(cells), len(labels)))
    for row, likely in zip(table, cells, strict=True):
        row[:] = max(1e-6, 1 - sum(likely.values())) / len(labels)
        for face, share in likely.items():
            row[labels.index(face)] += share
    return np.asarray(np.log(table / table.sum(axis=1, keepdims=True)), np.float64)


def edition(*cubes: str) -> CubeSet:
    faces = tuple(tuple(cube.split()) for cube in cubes)
    return CubeSet("made_up", "Made up", 2, len(cubes) // 2, faces, "", "firm", "")


def sure(faces: list[Face]) -> list[dict[Face, float]]:
    return [{face: 0.99} for face in faces]


@pytest.mark.parametrize("name", [edition.name for edition in cube_sets()])
def test_boards_of_every_edition_are_read_as_they_look(name: str) -> None:
    cubes = cube_set(name)
    peers = [other for other in cube_sets() if other.rows == cubes.rows]
    for seed in range(2):
        board = list(cubes.roll(random.Random(seed)))
        read = decode(scores(*sure(board)), LABELS, peers)
        assert list(read.faces) == board
        assert read.edition in {name, None}
        assert np.allclose(read.probabilities.sum(axis=1), 1)


def test_a_given_edition_is_named_and_settles_what_looks_alike() -> None:
    cubes = edition("M A", "W B", "C D", "E F")
    looks = scores({"M": 0.55, "W": 0.44}, {"M": 0.52, "W": 0.47}, {"C": 0.9}, {"E": 0.9})
    read = decode(looks, LABELS, [], given=cubes)
    assert sorted(read.faces[:2]) == ["M", "W"]
    assert read.faces[2:] == ("C", "E")
    assert read.edition == "made_up"


def test_editions_that_fit_are_given_with_probabilities() -> None:
    board = list(cube_set("new_4x4").roll(random.Random(3)))
    peers = [other for other in cube_sets() if other.rows == 4]
    read = decode(scores(*sure(board)), LABELS, peers)
    shares = [share for _, share in read.editions]
    assert "new_4x4" in dict(read.editions)
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1
    assert all(share >= LEAST_NAMED for share in shares)


def test_what_is_settled_by_little_stays_doubtful() -> None:
    cubes = edition("M A", "W B", "C D", "E F")
    looks = scores({"M": 0.51, "W": 0.48}, {"M": 0.49, "W": 0.50}, {"C": 0.9}, {"E": 0.9})
    read = decode(looks, LABELS, [], given=cubes)
    assert read.probabilities[0].max() < 0.7


def test_a_face_that_no_cube_shows_is_not_forced_into_an_edition() -> None:
    """A German board: Ä is on no cube of the known editions."""
    board: list[Face] = ["Ä", *"BCDEFGHIJKLMNO", "Ä"]
    peers = [cubes for cubes in cube_sets() if cubes.rows == 4]
    read = decode(scores(*sure(board)), LABELS, peers)
    assert list(read.faces) == board
    assert read.edition is None


def test_an_accent_is_believed_of_a_set_that_has_it() -> None:
    """Upside down an underlined N looks like Ñ: by itself the plain letter is the likelier one."""
    looks = [{"Ñ": 0.7, "N": 0.29}, *sure([*"ABC"])]
    plain, spanish = edition("N A", "A B", "B C", "C D"), edition("Ñ N", "A B", "B C", "C D")
    faces = [decode(scores(*looks), LABELS, [], given=one).faces[0] for one in (plain, spanish)]
    assert faces == ["N", "Ñ"]


def test_an_accented_look_speaks_for_the_set_that_has_it() -> None:
    looks = [{"Ñ": 0.75, "N": 0.24}, *sure([*"ABC"])]
    plain = replace(edition("N A", "A B", "B C", "C D"), name="plain")
    spanish = replace(edition("Ñ A", "A B", "B C", "C D"), name="spanish")
    shares = dict(decode(scores(*looks), LABELS, [plain, spanish]).editions)
    assert shares["spanish"] > 6 * shares["plain"]


def test_of_two_that_look_alike_the_commoner_face_is_read() -> None:
    cubes = edition("E A", "E B", "E C", "F D")
    looks = scores({"E": 0.47, "F": 0.52}, *sure([*"ABC"]))
    assert decode(looks, LABELS, [], given=cubes).faces[0] == "F"  # all cubes with E are taken
    looks = scores({"E": 0.44, "F": 0.55}, *sure([*"AB"]))
    assert decode(looks, LABELS, [], given=cubes).faces[0] == "E"


def test_a_set_may_mark_all_its_n() -> None:
    cubes = cube_set("super_big_2012_6x6")
    board = list(cubes.roll(random.Random(5)))
    marked: list[dict[Face, float]] = [
        {"Ñ": 0.985, "N": 0.01} if face == "N" else {face: 0.99} for face in board
    ]
    assert board.count("N") >= 2
    read = decode(scores(*marked), LABELS, [cubes])
    assert list(read.faces) == board
    assert read.edition == cubes.name


def test_what_looks_like_no_n_at_all_is_no_marked_n() -> None:
    """A net tells a tilde from a mark by more than nothing: here no set has an Ñ."""
    plain = edition("N A", "N B", "B C", "C D")
    accented = LABELS.index("Ñ")
    marked, foreign = (
        decode(scores(*[{"Ñ": 0.998 - share, "N": share}] * 2, *sure([*"BC"])), LABELS, [plain])
        for share in (0.3, 0.003)
    )
    assert marked.faces[:2] == ("N", "N")
    assert marked.probabilities[0, accented] < 0.1
    assert foreign.faces[:2] == ("Ñ", "Ñ")
    assert foreign.edition is None


def test_a_plain_n_shows_that_the_set_does_not_mark_them() -> None:
    spanish = edition("Ñ N", "N B", "A C", "D E")
    looks = {"Ñ": 0.8, "N": 0.19}
    alone, beside_plain = (
        decode(scores(looks, {other: 0.99}, *sure([*"AD"])), LABELS, [spanish]).probabilities[0]
        for other in "BN"
    )
    accented = LABELS.index("Ñ")
    assert beside_plain[accented] > alone[accented] > 0.5


def test_many_cells_that_are_a_little_off_do_not_hide_the_edition() -> None:
    """Blurred O that look more like Q than not: no cube of the set has a Q alone."""
    cubes = cube_set("super_big_2012_6x6")
    board = list(cubes.roll(random.Random(5)))
    round_ones = [number for number, face in enumerate(board) if face in "OCDG"]
    looks: list[dict[Face, float]] = [{face: 0.99} for face in board]
    for number in round_ones:
        looks[number] = {"Q": 0.7, board[number]: 0.25}
    read = decode(scores(*looks), LABELS, [cubes])
    assert len(round_ones) * np.log(0.7 / 0.25) > LARGEST_GAP
    assert list(read.faces) == board
    assert read.edition == cubes.name


def test_few_cells_that_are_far_off_do() -> None:
    cubes = cube_set("super_big_2012_6x6")
    board = list(cubes.roll(random.Random(5)))
    board[3] = "Q"
    read = decode(scores(*sure(board)), LABELS, [cubes])
    assert list(read.faces) == board
    assert read.edition is None


def test_a_wrongly_given_edition_does_not_break_a_clear_board() -> None:
    board: list[Face] = ["Ä"] * 16
    read = decode(scores(*sure(board)), LABELS, [], given=cube_set("classic_4x4"))
    assert list(read.faces) == board


def test_a_missing_cube_leaves_the_others_as_they_are() -> None:
    board = list(cube_set("new_4x4").roll(random.Random(2)))
    board[5] = MISSING
    read = decode(scores(*sure(board)), LABELS, [], given=cube_set("new_4x4"))
    assert list(read.faces) == board


def test_what_looks_blank_is_a_missing_cube_where_no_cube_is_blank() -> None:
    board = list(cube_set("new_4x4").roll(random.Random(2)))
    looks = sure(board)
    looks[5] = {BLANK: 0.8}
    board[5] = MISSING
    assert list(decode(scores(*looks), LABELS, [], given=cube_set("new_4x4")).faces) == board


def test_a_spare_cube_is_no_hindrance() -> None:
    cubes = cube_set("big_2012_5x5")
    assert len(cubes.cubes) == 26
    board = list(cubes.roll(random.Random(4)))
    read = decode(scores(*sure(board)), LABELS, [], given=cubes)
    assert list(read.faces) == board
    assert read.edition == cubes.name


def test_an_edition_with_too_few_cubes_is_left_out() -> None:
    looks = scores(*sure(list("ABCDEF")))
    assert decode(looks, LABELS, [edition("A B", "C D")]).edition is None


def test_faces_are_the_best_assignment_to_distinct_cubes() -> None:
    """Against every layout of every face of four cubes that show each face as often."""
    labels: tuple[Face, ...] = ("A", "B", "C", "D", "E", BLANK, MISSING)
    cubes = edition("A B", "B C", "C D", "D A")
    layouts = [faces for order in permutations(cubes.cubes) for faces in product(*order)]
    compared = 0
    for seed in range(20):
        looks = random_looks(seed, labels)
        read = decode(looks, labels, [], given=cubes)
        if read.edition is not None:
            compared += 1
            assert read.faces == max(layouts, key=lambda faces: total(looks, labels, faces))
    assert compared >= 10


def random_looks(seed: int, labels: tuple[Face, ...]) -> NDArray[np.float64]:
    """Four cells of random scores, hardly any without a cube."""
    table = np.random.default_rng(seed).dirichlet(np.full(len(labels), 3.0), size=4)
    table[:, [labels.index(BLANK), labels.index(MISSING)]] *= 1e-6
    table = np.maximum(table, 1e-6)
    return np.asarray(np.log(table / table.sum(axis=1, keepdims=True)), np.float64)


def total(looks: NDArray[np.float64], labels: tuple[Face, ...], faces: tuple[Face, ...]) -> float:
    """Log probability, as `decode` sees it: no score is quite sure."""
    softened = np.log(0.99 * np.exp(looks) + 0.01 / len(labels))
    return float(sum(softened[cell, labels.index(face)] for cell, face in enumerate(faces)))
