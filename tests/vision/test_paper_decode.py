"""Words decoded from steps made by hand: what is written is what is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board import Board
from scoring.lexicon import Lexicon, builtin_lexicon
from scoring.rules import game
from scoring.solver import solve
from vision.paper.candidates import Candidates
from vision.paper.decode import (
    SURE,
    SURE_OF_NOTHING,
    judgement_of,
    read_word,
    read_words,
    shipped_judgement,
)
from vision.paper.explain import explain
from vision.paper.ppocr import ENGLISH
from vision.paper.reading import WordImage, WordReading
from vision.paper.recogniser import Look, Remembering
from vision.paper.recut import leaned_back, recut
from vision.training.word_boards import without

STEP_PX = 8
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BOARD = Board.parse("TEAM/RSLO/HIND/GUPE")

Seen = Mapping[str, float]


def look_at(*letters: Seen) -> Look:
    """Steps that show letters, a step each, with blanks between; what is left is the blank's."""
    chances = np.full((2 * len(letters) + 1, 1 + len(ENGLISH)), 1e-7)
    for place, seen in enumerate(letters):
        for letter, chance in seen.items():
            chances[2 * place + 1, 1 + ENGLISH.index(letter)] = chance
    chances[:, 0] = 1 - chances[:, 1:].sum(axis=1)
    return Look(np.log(chances), STEP_PX)


def clearly(word: str) -> Look:
    return look_at(*({letter: 0.9995} for letter in word))


def picture(letters: int) -> NDArray[np.uint8]:
    """Ink under each letter."""
    paper = np.full((48, (2 * letters + 1) * STEP_PX), 255, np.uint8)
    for place in range(letters):
        left = (2 * place + 1) * STEP_PX
        paper[10:40, left : left + STEP_PX] = 30
    return paper


def image(size: int, /, **changes: object) -> WordImage:
    return replace(WordImage(picture(size), CORNERS, 3), **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def words() -> Lexicon:
    return builtin_lexicon()


@pytest.fixture(scope="module")
def lexicon(words: Lexicon) -> Candidates:
    return Candidates.of(words.words, ENGLISH)


@pytest.fixture(scope="module")
def on_board(words: Lexicon, lexicon: Candidates) -> Candidates:
    found = solve(BOARD, words, game("boggle")).words
    return lexicon.on(BOARD, (one.word for one in found))


def read(look: Look, candidates: Candidates, of: WordImage | None = None) -> WordReading:
    letters = (len(look.log_probabilities) - 1) // 2
    return read_word(of or image(letters), look, candidates, shipped_judgement())


@pytest.mark.parametrize("word", ["TEAM", "STEAL", "MALES", "HIND"])
def test_a_clear_word_of_the_board_is_accepted(word: str, on_board: Candidates) -> None:
    reading = read(clearly(word), on_board)
    assert (reading.text, reading.doubtful, reading.struck) == (word, False, False)
    assert reading.confidence >= SURE
    assert reading.alternatives[0] == (word, reading.confidence)
    assert (reading.line, reading.quad_px) == (3, CORNERS)


@pytest.mark.parametrize(
    "word",
    ["TEEM", "TEALL", "THEAM", "QZXJ"],
    ids=["a word elsewhere", "a slip", "a misspelling", "no word at all"],
)
def test_what_is_clearly_written_stays_what_it_is(word: str, on_board: Candidates) -> None:
    assert word not in on_board.board_words
    assert read(clearly(word), on_board).text == word


def test_a_word_that_the_lexicon_lacks_is_not_bent_into_its_neighbour(
    on_board: Candidates,
) -> None:
    words = set(on_board.board_words.words)
    assert {"STEAL", "TEAL"} <= words
    reading = read(clearly("STEAL"), without(on_board, "STEAL").on(BOARD, words - {"STEAL"}))
    assert reading.text == "STEAL"


def test_two_near_words_are_asked_about(on_board: Candidates) -> None:
    reading = read(look_at({"T": 0.99}, {"E": 0.99}, {"A": 0.99}, {"M": 0.4, "L": 0.5}), on_board)
    assert {"TEAM", "TEAL"} <= {text for text, _ in reading.alternatives}
    assert reading.doubtful
    assert reading.confidence < SURE
    assert len(reading.alternatives) == 3


def test_alternatives_are_best_first_and_no_more_than_certain(on_board: Candidates) -> None:
    reading = read(look_at({"T": 0.6, "I": 0.3}, {"E": 0.5}, {"A": 0.4, "O": 0.4}), on_board)
    probabilities = [probability for _, probability in reading.alternatives]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) <= 1
    assert reading.text == reading.alternatives[0][0]


def test_a_likelier_word_is_offered_first_but_never_taken(on_board: Candidates) -> None:
    odd = look_at({"T": 0.9}, {"E": 0.9}, {"U": 0.95, "A": 0.0002}, {"M": 0.9})
    reading = read(odd, on_board)
    assert (reading.text, reading.doubtful) == ("TEAM", True)
    assert "TEUM" in {text for text, _ in reading.alternatives}
    assert read(clearly("TEUM"), on_board).text == "TEUM"


def test_letters_that_no_path_joins_are_not_thought_written_along_one(
    on_board: Candidates,
) -> None:
    assert on_board.is_on_board("MALO")
    assert not on_board.is_on_board("MALM")  # of one M alone
    found = explain(look_at(*({it: 0.9} for it in "MALM")).log_probabilities, on_board)
    along = found.log_priors[2] > -100
    assert along.any()
    assert all(on_board.is_on_board(word) for word in np.array(found.spellings.words)[along])


def test_the_board_helps_where_the_writing_is_unclear(
    lexicon: Candidates, on_board: Candidates
) -> None:
    unclear = look_at({"M": 0.9}, {"I": 0.5, "A": 0.4}, {"L": 0.9}, {"E": 0.9}, {"S": 0.9})
    assert "MALES" in on_board.board_words
    assert "MILES" not in on_board.board_words
    assert read(unclear, on_board).text == "MALES"
    assert read(unclear, lexicon).text in {"MALES", "MILES"}
    assert read(unclear, lexicon).doubtful


def test_what_scores_nothing_must_be_surer(on_board: Candidates) -> None:
    reading = read(clearly("XYLQ"), on_board)
    assert reading.text == "XYLQ"
    assert reading.doubtful == (reading.confidence < SURE_OF_NOTHING)


def test_a_gap_in_the_ink_makes_doubt(on_board: Candidates) -> None:
    look = clearly("TEAM")
    wide = np.full((48, 20 * STEP_PX), 255, np.uint8)
    wide[10:40, STEP_PX : 19 * STEP_PX] = 30  # as much ink again behind the last letter seen
    reading = read(look, on_board, WordImage(wide, CORNERS, 0))
    assert reading.confidence < read(look, on_board).confidence


def test_letter_boxes_tell_the_length(on_board: Candidates) -> None:
    unclear = look_at({"T": 0.6}, {"E": 0.99}, {"A": 0.99}, {"L": 0.99})
    assert {text for text, _ in read(unclear, on_board, image(4, letters=4)).alternatives} >= {
        "TEAL"
    }
    assert read(unclear, on_board, image(4, letters=3)).text == "EAL"


def test_a_reading_that_cannot_fill_its_boxes_is_asked_about(on_board: Candidates) -> None:
    reading = read(clearly("TEAM"), on_board, image(4, letters=15))
    assert reading.doubtful


@pytest.mark.parametrize(
    ("struck", "expected"), [(0.0, (False, False)), (0.5, (True, True)), (0.95, (True, False))]
)
def test_struck_words_are_told_and_asked_about_where_unsure(
    struck: float, expected: tuple[bool, bool], on_board: Candidates
) -> None:
    reading = read(clearly("TEAM"), on_board, image(4, struck=struck))
    assert (reading.struck, reading.doubtful) == expected


def test_where_nothing_is_seen_nothing_is_read() -> None:
    few = Candidates.of(["tea", "team"], ENGLISH)
    reading = read(look_at(), few, image(1))
    assert (reading.text, reading.confidence, reading.doubtful) == ("", 0.0, True)


class Told:
    """A recogniser that sees what it was told, each time that it is asked."""

    alphabet = ENGLISH

    def __init__(self, *times: Sequence[Look]) -> None:
        self._times = list(times)
        self.shown: list[Sequence[NDArray[np.uint8]]] = []

    def looks(self, pictures: Sequence[NDArray[np.uint8]]) -> Sequence[Look]:
        self.shown.append(pictures)
        return self._times.pop(0)


def test_words_are_read_in_order(on_board: Candidates) -> None:
    images = [image(4), image(5)]
    recogniser = Told([clearly("TEAM"), clearly("STEAL")], [])
    readings = list(read_words(images, recogniser, on_board))
    assert [reading.text for reading in readings] == ["TEAM", "STEAL"]
    with pytest.raises(ValueError, match="different alphabets"):
        list(read_words(images, recogniser, replace(on_board, alphabet="ABC")))


def test_what_is_not_clear_is_looked_at_twice(on_board: Candidates) -> None:
    unclear = look_at({"T": 0.9}, {"E": 0.9}, {"O": 0.5, "A": 0.4}, {"M": 0.9})
    images = [image(4), image(5), image(4)]
    first = [unclear, clearly("STEAL"), unclear]
    images[2] = replace(images[2], struck=1.0)
    recogniser = Told(first, [clearly("TEAM")])
    team, steal, _ = read_words(images, recogniser, on_board)
    assert [len(pictures) for pictures in recogniser.shown] == [3, 1]
    alone = read(unclear, on_board)
    assert (team.text, steal.text) == ("TEAM", "STEAL")
    assert team.confidence > alone.confidence


def test_what_stays_unclear_is_looked_at_once_more_for_its_order(on_board: Candidates) -> None:
    unclear = look_at({"T": 0.9}, {"E": 0.9}, {"O": 0.5, "A": 0.4}, {"M": 0.4, "L": 0.4})
    recogniser = Told([unclear], [unclear], [clearly("TEAM")])
    (team,) = read_words([image(4)], recogniser, on_board)
    assert [len(pictures) for pictures in recogniser.shown] == [1, 1, 1]
    assert (team.text, team.doubtful) == ("TEAM", True)


def test_of_the_ways_to_cut_a_word_from_another_line_the_most_legible_counts(
    on_board: Candidates,
) -> None:
    unclear = look_at({"T": 0.9}, {"E": 0.3}, {"O": 0.2}, {"Q": 0.4}, {"L": 0.4})
    touching = image(4, otherwise=(picture(4), picture(5)))
    team = [clearly("TEAM")] * 2
    thirds = [unclear, clearly("TEAM"), unclear]
    recogniser = Told([unclear], [unclear], team, [unclear, unclear], thirds)
    (reading,) = read_words([touching], recogniser, on_board)
    assert (reading.text, reading.doubtful) == ("TEAM", True)


def test_a_second_look_weighs_as_much_as_the_first(on_board: Candidates) -> None:
    looks = [look_at({"T": 0.9}, {"E": 0.9}, {last: 0.6}, {"M": 0.9}) for last in "AE"]
    both = [
        explain(one.log_probabilities, on_board).seen_again(other.log_probabilities)
        for one, other in (looks, looks[::-1])
    ]
    likelihoods = [found.log_likelihoods[found.spellings.words.index("TEAM")] for found in both]
    assert likelihoods[0] == pytest.approx(likelihoods[1])


def test_what_was_seen_is_remembered() -> None:
    one, two = picture(4), picture(4)
    told = Told([clearly("TEAM")], [clearly("STEAL")], [])
    recogniser = Remembering(told)
    assert recogniser.alphabet == ENGLISH
    (team,) = recogniser.looks([one])
    again, steal = recogniser.looks([one, two])
    assert again is team
    assert recogniser.looks([two, one]) == [steal, team]
    assert [len(pictures) for pictures in told.shown] == [1, 1, 0]


def test_a_word_is_cut_out_once_more_with_even_margins() -> None:
    paper = np.full((60, 100), 255, np.uint8)
    paper[5:55, 30:90] = 20
    assert recut(paper).shape == (62, 72)
    assert recut(paper).min() == 20
    empty = np.full((9, 9), 255, np.uint8)
    assert recut(empty) is empty


def test_a_leaning_word_is_stood_upright() -> None:
    paper = np.full((60, 80), 255, np.uint8)
    for row in range(10, 50):
        paper[row, 50 - row // 4 : 54 - row // 4] = 0
    upright = leaned_back(paper)
    across = [np.flatnonzero(row < 128).mean() for row in upright if (row < 128).any()]
    assert np.ptp(across) < 2


def test_the_whole_lexicon_is_searched_where_no_board_is_known(lexicon: Candidates) -> None:
    reading = read(clearly("PENDULUM"), lexicon)
    assert (reading.text, reading.doubtful) == ("PENDULUM", False)


def test_words_of_other_letters_are_left_out() -> None:
    few = Candidates.of(["tea", "thé", "o'clock"], ENGLISH)
    assert len(few.lexicon) == 1
    assert "TEA" in few.lexicon


def test_a_shortlist_holds_the_word_that_is_seen(lexicon: Candidates) -> None:
    for word in ("TEAM", "BANANAS", "MISSISSIPPI"):
        look = clearly(word)
        likely = lexicon.lexicon.likeliest(look.log_probabilities, 100, None)
        assert (word in likely) == (word in lexicon.lexicon)
        assert len(likely) == len(set(likely)) == 100


def test_explanations_of_every_kind_are_weighed(on_board: Candidates) -> None:
    found = explain(
        look_at({"T": 0.9}, {"E": 0.9}, {"E": 0.6, "A": 0.3}, {"M": 0.9}).log_probabilities,
        on_board,
    )
    kinds = {
        word: found.log_priors[:, row] > -1e8 for row, word in enumerate(found.spellings.words)
    }
    assert kinds["TEAM"].tolist() == [True, True, True, True, False]  # of the board
    assert kinds["TEEM"].tolist() == [False, True, False, True, True]  # a word, a slip of TEAM
    assert not found.scores[found.spellings.words.index("TEEM")]
    assert np.exp(found.log_posterior(shipped_judgement().habits)).sum() == pytest.approx(1)


def test_faces_of_two_letters_are_paths() -> None:
    board = Board.parse("QuI/TE")
    paths = Candidates.of(["quit"], ENGLISH).on(board, ["quit"]).paths
    assert paths is not None
    place = {letter: 1 + ENGLISH.index(letter) for letter in ENGLISH}
    assert paths[place["Q"], place["U"]] > 0
    assert paths[place["U"], place["I"]] > 0
    assert paths[place["Q"], place["I"]] == 0
    on_it = [0, *(place[letter] for letter in "QUITE" if letter != "Q"), place["Q"]]
    np.testing.assert_allclose(paths[on_it].sum(axis=1), 1)


def test_a_judgement_is_what_its_training_wrote() -> None:
    told = judgement_of(
        '{"habits": {"sharpness": 1, "letter": 2, "board": 0, "lexicon": -1, "paths": -2,'
        ' "speech": -3, "slip": -4, "strung": 1}, "scoring": [1, 0], "other": [-1, 0]}'
    )
    assert told.habits.ways.tolist() == [0, -1, -2, -3, -4]
    assert told.confidence(np.array([1.0, 5.0]), scores=True) == pytest.approx(0.7311, abs=1e-4)
    assert told.confidence(np.array([1.0, 5.0]), scores=False) == pytest.approx(0.2689, abs=1e-4)
