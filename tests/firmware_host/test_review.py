"""The review of doubtful words: sorted, decided, and what a decision changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.paper import entries_of
from firmware_host.review import Answer, Lists, Review, offers
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.referee import RoundResult, Verdict, score_round
from scoring.rules import game
from vision.paper.reading import Doubt, WordListReading, WordReading

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BOARD = Board.parse("TEAM/RSLO/HIND/GUPE")
LEXICON = Lexicon.from_words("few", ["tea", "team", "hind", "gup"])

texts = st.text("AEMST", max_size=5)
words = st.builds(
    WordReading,
    text=texts,
    confidence=st.floats(0, 1),
    alternatives=st.lists(st.tuples(texts, st.floats(0, 1)), max_size=3).map(tuple),
    struck=st.booleans(),
    doubtful=st.booleans(),
    quad_px=st.just(QUAD),
    line=st.integers(0, 9),
)
readings = st.builds(WordListReading, words=st.lists(words, max_size=5).map(tuple))
all_lists = st.lists(readings, max_size=3).map(tuple)
answers = st.builds(Answer, st.text("AEMST", min_size=1, max_size=5), st.booleans())


def word(
    text: str, confidence: float = 0.5, *, struck: bool = False, doubtful: bool = True
) -> WordReading:
    return WordReading(text, confidence, ((text, confidence),), struck, doubtful, QUAD, line=0)


def listed(*words: WordReading) -> WordListReading:
    return WordListReading(words)


def score(lists: Lists) -> RoundResult:
    entries = {f"p{place}": entries_of(one.words) for place, one in enumerate(lists)}
    return score_round(BOARD, entries, LEXICON, game("boggle"))


@given(all_lists)
def test_exactly_the_doubtful_words_are_asked_about_least_sure_first(lists: Lists) -> None:
    review = Review(lists)
    asked = [review.word(place) for place in review.open]
    assert sorted(one.confidence for one in asked) == [one.confidence for one in asked]
    doubtful = [place for place in review.places if review.word(place).doubtful]
    assert sorted(review.open) == doubtful


@given(all_lists, st.data())
def test_a_decision_settles_its_word_and_no_other(lists: Lists, data: st.DataObject) -> None:
    review = Review(lists)
    if not review.places:
        return
    place = data.draw(st.sampled_from(review.places))
    answer = data.draw(answers)
    later = review.decided(place, answer)
    assert set(later.open) == set(review.open) - {place}
    settled = Review(later.settled)
    assert settled.word(place).text == answer.text
    assert (settled.word(place).struck, settled.word(place).doubtful) == (answer.struck, False)
    others = [other for other in review.places if other != place]
    assert [settled.word(other) for other in others] == [review.word(other) for other in others]
    assert review.decisions == {}


@given(all_lists, st.data())
def test_the_order_of_decisions_does_not_matter(lists: Lists, data: st.DataObject) -> None:
    places = Review(lists).places
    if not places:
        return
    said = {place: data.draw(answers) for place in places}
    one, other = Review(lists), Review(lists)
    for place in places:
        one = one.decided(place, said[place])
    for place in reversed(places):
        other = other.decided(place, Answer("TEA")).decided(place, said[place])
    assert one.settled == other.settled
    assert one.open == ()


@given(words)
def test_what_is_offered_is_distinct_and_begins_with_what_was_read(read: WordReading) -> None:
    offered = offers(read)
    assert len(set(offered)) == len(offered)
    assert all(answer.text or answer.struck for answer in offered)
    if read.text:
        assert offered[0] == Answer(read.text, read.struck)


@given(readings)
def test_doubtful_words_never_score_until_they_are_confirmed(reading: WordListReading) -> None:
    (player,) = score((reading,)).players
    for read, judged in zip(reading.words, player.words, strict=True):
        if read.doubtful:
            assert (judged.verdict, judged.points) == (Verdict.DOUBTFUL, 0)
        elif read.struck:
            assert (judged.verdict, judged.points) == (Verdict.STRUCK, 0)


def test_a_word_without_letters_is_refused() -> None:
    with pytest.raises(ValueError, match="letters"):
        Review((listed(word("TEA")),)).decided((0, 0), Answer(""))
    with pytest.raises(IndexError):
        Review((listed(word("TEA")),)).decided((0, 1), Answer("TEA"))


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ("nothing", Answer("TEA")),  # as it was read
        ("nothing", Answer("TEAM")),  # another word of as many points
        ("something", Answer("TEAX")),
        ("something", Answer("TEA", struck=True)),
        ("something", Answer("HIND")),  # which the other player has as well
    ],
)
def test_a_decision_is_marked_where_it_changes_points_or_a_verdict(
    changes: str, answer: Answer
) -> None:
    others = listed(word("HIND", doubtful=False), word("GUP", doubtful=False))
    review = Review((listed(word("TEA")), others))
    assert review.changes((0, 0), answer, score) is (changes == "something")


def test_what_may_be_crossed_out_is_offered_so_after_what_was_read() -> None:
    asked = replace(word("TEA"), alternatives=(("TEA", 0.6), ("SEA", 0.3)))
    struck = Answer("TEA", struck=True)
    assert offers(asked) == (Answer("TEA"), Answer("SEA"))
    for doubt in (Doubt.CROSSED_OUT, Doubt.CIRCLE):
        perhaps = replace(asked, doubts=(doubt,))
        assert offers(perhaps) == (Answer("TEA"), struck, Answer("SEA"))
    assert offers(replace(asked, struck=True))[0] == struck


def test_what_could_not_be_read_at_all_changes_the_result_when_it_scores() -> None:
    nothing = WordReading("", 0.0, (), struck=False, doubtful=True, quad_px=QUAD, line=0)
    review = Review((listed(nothing),))
    assert offers(nothing) == ()
    assert review.changes((0, 0), Answer("TEA"), score)
