"""The review of all tables: one question, one decision, whatever referees, nets and starts do."""

from __future__ import annotations

import base64
import io
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from json import loads
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware_host.crops import CELL_SIDE
from firmware_host.photos import PhotoFolder
from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    DecisionUndone,
    Event,
    ListsClosed,
    Phase,
    RerollAsked,
    RoundState,
    ScanSettled,
    Scored,
    Settled,
    ShakeDone,
    TrayRead,
)
from firmware_host.station.base import Base, open_base
from firmware_host.station.clippings import Clippings, crops_of
from firmware_host.station.folding import Fold
from firmware_host.station.link import Link, Name
from firmware_host.station.notebook import Notebook
from firmware_host.station.orders import event_of, fitted, order, refusal
from firmware_host.station.queue import (
    LONGEST_WORD,
    Question,
    Said,
    SaidError,
    checked,
    decision_order,
    questions_of,
)
from firmware_host.station.review import LEASE_S, Looker, Picture, Review, ReviewError
from firmware_host.station.reviewing import AGAIN_S, LONGEST_SIDE, Reviewing, jpeg_of
from firmware_host.station.station import Station
from firmware_host.station.wire import (
    LARGEST_CROP,
    LARGEST_CROP_MESSAGE,
    MOST_WANTED,
    OF_STATION,
    OF_TRAY,
    Answer,
    Crop,
    Detail,
    Kind,
    Mark,
    Order,
    Outcome,
    Wanted,
    WireError,
    read_topic,
    station_topic,
    told,
)
from firmware_host.store.chain import Entry
from firmware_host.store.codec import Decoder
from firmware_host.store.log import BEGUN
from hardware.clock import ManualClock
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from tests.firmware_host.conftest import BOARD, make_reading
from tests.firmware_host.review_fakes import (
    PAGE,
    PLAN,
    SEATED,
    TRAY,
    LoggedRound,
    NoResults,
    answering,
    begun,
    collecting,
    confirming,
    entries_of,
    fold_of,
    questions,
    settled,
    word,
)
from tests.firmware_host.station_fakes import FakeEnd, FakeNet

BO, ANN, CY = Looker("b", "Bo"), Looker("a", "Ann"), Looker("c", "Cy")


class TestQuestions:
    def test_a_cube_tells_its_table_its_readings_and_how_sure_they_are(self) -> None:
        (one,) = questions(*confirming((1, 0)))
        assert (one.tray, one.table, one.round, one.board, one.log_round) == ("7", 7, 2, 1, 1)
        assert one.detail == Detail(Kind.CELL, TRAY.name, (1, 0))
        assert [(each.text, each.probability) for each in one.readings[:2]] == [
            ("H", 0.6),
            ("#", 0.3),
        ]
        assert one.confidence == 0.6

    def test_a_word_tells_whose_it_is(self) -> None:
        (one,) = questions(*collecting(word("THEY"), word("TEE", doubtful=False)))
        assert (one.player, one.detail.place) == ("ann", (0, 0))
        assert [(each.text, each.probability) for each in one.readings] == [
            ("they", 0.6),
            ("theys", 0.2),
        ]

    def test_the_least_sure_come_first(self) -> None:
        found = questions(*collecting(word("THEY", 0.7), word("TEE", 0.2), word("HEY", 0.5)))
        assert [each.confidence for each in found] == [0.2, 0.5, 0.7]

    def test_one_that_is_settled_is_asked_no_more_and_the_others_keep_their_ids(self) -> None:
        events = collecting(word("THEY", 0.7), word("TEE", 0.2))
        before = questions(*events)
        later = questions(*events, settled(1, "tee", "referee", 63.0))
        assert later == before[1:]

    def test_ids_stay_while_the_round_goes_on(self) -> None:
        events = collecting(word("THEY"))
        result = score_round(BOARD, {}, Lexicon.from_words("tiny", ["they"]), PLAN.game)
        over = [*events, ListsClosed(by="referee"), Scored(result)]
        assert fold_of(*over).state.phase is Phase.FINISHED  # type: ignore[union-attr]
        assert questions(*over) == questions(*events)

    def test_what_is_taken_back_is_another_question(self) -> None:
        events = confirming((1, 0), (2, 2))
        first, second = questions(*events)
        undone = [
            *events,
            CellConfirmed((1, 0), "H", "Bo"),
            CellConfirmed((2, 2), "Y", "Bo"),
            DecisionUndone("Bo", 5.0, 1),
        ]
        (again,) = questions(*undone)
        assert again.detail == second.detail
        assert again.id not in {first.id, second.id}

    def test_the_same_photo_read_once_more_asks_anew_only_what_was_settled(self) -> None:
        """As a folder of photos as camera gives it."""
        events = confirming((1, 0), (2, 2))
        first, second = questions(*events)
        again = [
            *events,
            CellConfirmed((1, 0), "H", "Bo"),
            RerollAsked(),
            ShakeDone(),
            Settled(),
            TrayRead(make_reading(doubtful={(1, 0), (2, 2)}), TRAY),
        ]
        one, two = questions(*again)
        assert one.id != first.id
        assert two.id == second.id

    def test_a_round_that_was_given_up_asks_nothing(self) -> None:
        assert questions(*confirming((1, 0)), Cancelled("Bo")) == ()
        assert questions_of("7", Fold.before(3)) == ()


class TestAnswers:
    @given(st.text(max_size=6), st.booleans())
    def test_what_passes_is_taken_by_the_round(self, text: str, struck: bool) -> None:  # noqa: FBT001
        """Else the order of it would be given for ever."""
        for events in (confirming((1, 0)), collecting(word("THEY"))):
            (question,), state = questions(*events), begun(*events)[0]
            try:
                said = checked(question, Said(text, struck))
            except SaidError:
                continue
            made = decision_order(question, said, "Bo", 5.0)
            assert refusal(event_of(made, 0.0), state, made.about) == ""

    @pytest.mark.parametrize(
        ("text", "struck"), [("", False), ("two words", False), ("x" * (LONGEST_WORD + 1), True)]
    )
    def test_a_word_has_letters(self, text: str, struck: bool) -> None:  # noqa: FBT001
        (question,) = questions(*collecting(word("THEY")))
        with pytest.raises(SaidError):
            checked(question, Said(text, struck))

    def test_a_cube_is_not_crossed_out(self) -> None:
        (question,) = questions(*confirming((1, 0)))
        with pytest.raises(SaidError):
            checked(question, Said("H", struck=True))


def said_of(question: Question, text: str, by: str = "Bo") -> Order:
    return decision_order(question, Said(text), by, 70.0)


class TestOrders:
    def test_the_round_takes_what_is_open(self) -> None:
        for events, text in ((confirming((1, 0)), "H"), (collecting(word("THEY")), "they")):
            (question,), state = questions(*events), begun(*events)[0]
            made = said_of(question, text)
            event = fitted(event_of(made, 0.0), state, made.about)
            assert event is not None
            assert questions(*events, event) == ()

    def test_what_was_settled_at_the_table_stays_and_it_is_told_by_whom(self) -> None:
        events = collecting(word("THEY"))
        (question,) = questions(*events)
        state = begun(*events, settled(0, "hey", "referee", 63.0))[0]
        made = said_of(question, "they")
        assert "by referee" in refusal(event_of(made, 0.0), state, made.about)

    def test_the_same_once_more_is_done_and_changes_nothing(self) -> None:
        events = collecting(word("THEY"))
        (question,) = questions(*events)
        made = said_of(question, "they")
        state = begun(*events, settled(0, "they", "Bo", 1.0))[0]
        event = event_of(made, 0.0)
        assert refusal(event, state, made.about) == ""
        assert fitted(event, state, made.about) is None

    def test_of_another_photo_nothing_is_meant(self) -> None:
        (cube,) = questions(*confirming((1, 0)))
        (paper,) = questions(*collecting(word("THEY")))
        other_cubes = begun(*confirming((1, 0), photo=Path("tray-2.jpg")))[0]
        other_paper = begun(*collecting(word("THEY"), photo=Path("list-2.jpg")))[0]
        for question, text, state in ((cube, "H", other_cubes), (paper, "they", other_paper)):
            made = said_of(question, text)
            assert refusal(event_of(made, 0.0), state, made.about) == "that is not asked now"

    def test_only_the_last_decision_is_taken_back(self) -> None:
        events = collecting(word("THEY"), word("TEE"))
        first, second = sorted(questions(*events), key=lambda each: each.detail.place)
        state = begun(
            *events,
            settled(0, "they", "Bo", 63.0),
            settled(1, "tee", "Bo", 64.0),
        )[0]
        undo = DecisionUndone("Ann", 65.0)
        assert "another decision" in refusal(undo, state, first.detail)
        assert refusal(undo, state, second.detail) == ""
        assert fitted(undo, state, second.detail) == DecisionUndone("Ann", 65.0, 1)
        assert "no such decision" in refusal(undo, begun(*events)[0], first.detail)

    def test_of_a_board_that_is_played_on_nothing_is_taken_back(self) -> None:
        (question,) = questions(*confirming((1, 0)))
        state = begun(*confirming((1, 0)), CellConfirmed((1, 0), "H", "Bo"), ButtonPressed(9.0))[0]
        assert "effect" in refusal(DecisionUndone("Bo", 10.0), state, question.detail)

    @pytest.mark.parametrize(
        ("event", "about"),
        [
            (DecisionUndone("Bo", 1.0), None),
            (CellConfirmed((1, 0), "H"), None),
            (CellConfirmed((1, 0), "H"), Detail(Kind.CELL, "x", (1, 1))),
            (settled(0, "x", "Bo", 1.0), Detail(Kind.CELL, "x", (1, 0))),
        ],
    )
    def test_a_decision_says_what_it_is_about(self, event: Event, about: Detail | None) -> None:
        with pytest.raises(WireError):
            event_of(order("one", event, 9.0, about=about), 0.0)


@contextmanager
def opened_base() -> Iterator[Base]:
    with (
        TemporaryDirectory() as folder,
        open_base(f"sqlite:{Path(folder) / 'station.db'}", "spring") as base,
    ):
        yield base


@pytest.fixture
def base() -> Iterator[Base]:
    with opened_base() as made:
        yield made


@pytest.fixture
def review(base: Base) -> Review:
    made = Review(base)
    made.ask({"7": questions(*collecting(word("THEY", 0.7), word("TEE", 0.2)))}, {"7": 1})
    return made


class TestReferees:
    def test_each_is_given_another_question_the_most_urgent_first(self, review: Review) -> None:
        one, two = review.claim_next(BO, 10.0), review.claim_next(ANN, 10.0)
        assert one is not None
        assert two is not None
        assert (one.question.confidence, two.question.confidence) == (0.2, 0.7)
        assert review.claim_next(CY, 10.0) is None
        shown = [each.claim.by for each in review.standings(11.0) if each.claim]
        assert shown == ["Bo", "Ann"]

    def test_what_somebody_looks_at_nobody_else_decides(self, review: Review) -> None:
        held = review.claim_next(BO, 10.0)
        assert held is not None
        id_ = held.question.id
        with pytest.raises(ReviewError, match="Bo is looking at it") as caught:
            review.claim(id_, ANN, 11.0)
        assert (caught.value.kind, caught.value.by) == ("held", "Bo")
        with pytest.raises(ReviewError, match="Bo is looking at it"):
            review.decide(id_, ANN, Said("x"), 11.0)

    def test_a_lease_ends_unless_it_is_renewed(self, review: Review) -> None:
        held = review.claim_next(BO, 10.0)
        assert held is not None
        review.claim(held.question.id, BO, 10.0 + LEASE_S - 1)
        with pytest.raises(ReviewError):
            review.claim(held.question.id, ANN, 10.0 + LEASE_S + 1)
        assert review.claim(held.question.id, ANN, 10.0 + 3 * LEASE_S).claim is not None

    def test_who_takes_another_or_leaves_lets_go(self, review: Review) -> None:
        first = review.claim_next(BO, 10.0)
        assert first is not None
        second = review.claim_next(BO, 10.0, {first.question.id})
        assert second is not None
        assert second.question.id != first.question.id
        review.release(BO)
        assert not [each for each in review.standings(11.0) if each.claim]

    def test_the_first_decision_wins_and_the_second_is_told_whose_it_was(
        self, review: Review, base: Base
    ) -> None:
        id_ = review.standings(10.0)[0].question.id
        review.decide(id_, BO, Said("tee"), 10.0)
        with pytest.raises(ReviewError, match="Bo has decided: it is tee") as caught:
            review.decide(id_, ANN, Said("toe"), 10.1)
        assert (caught.value.kind, caught.value.by) == ("decided", "Bo")
        (given_,) = base.orders()
        assert given_.tray == "7"
        assert event_of(given_.order, 0.0) == settled(1, "tee", "Bo", 10.0)

    def test_many_at_the_same_moment_make_one_decision(self, review: Review, base: Base) -> None:
        id_ = review.standings(10.0)[0].question.id
        won: list[str] = []

        def decide(who: str) -> None:
            with suppress(ReviewError):
                review.decide(id_, Looker(who, who), Said("tee"), 10.0)
                won.append(who)

        threads = [threading.Thread(target=decide, args=(f"r{n}",)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        assert len(base.orders()) == 1

    def test_a_decision_that_cannot_be_keeps_nothing(self, review: Review, base: Base) -> None:
        id_ = review.standings(10.0)[0].question.id
        with pytest.raises(SaidError):
            review.decide(id_, BO, Said("two words"), 10.0)
        assert base.orders() == []
        assert review.standings(10.0)[0].decision is None

    def test_what_its_table_settled_is_gone(self, review: Review) -> None:
        id_ = review.standings(10.0)[0].question.id
        review.ask({"7": ()}, {"7": 1})
        with pytest.raises(ReviewError, match="settled at its table") as caught:
            review.decide(id_, BO, Said("tee"), 10.0)
        assert caught.value.kind == "gone"

    def test_one_that_its_table_did_not_carry_out_is_ordered_again(
        self, review: Review, base: Base
    ) -> None:
        id_ = review.standings(10.0)[0].question.id
        review.decide(id_, BO, Said("tee"), 10.0)
        (first,) = base.orders()
        answers_with(base, first.order.id, Outcome.REFUSED)
        assert review.give_again(20.0, 21.0) == 1
        assert review.give_again(20.0, 21.0) == 0
        (second,) = base.orders(first.number)
        assert second.order.id != first.order.id
        answers_with(base, second.order.id, Outcome.REFUSED)
        review.ask({"7": ()}, {"7": 1})  # it was settled there
        assert review.give_again(30.0, 31.0) == 0

    def test_only_what_its_table_has_is_taken_back_and_once(
        self, review: Review, base: Base
    ) -> None:
        id_ = review.standings(10.0)[0].question.id
        with pytest.raises(ReviewError, match="nobody at the desk"):
            review.undo(id_, ANN, 11.0)
        review.decide(id_, BO, Said("tee"), 10.0)
        with pytest.raises(ReviewError, match="has not carried it out"):
            review.undo(id_, ANN, 11.0)
        answers_with(base, base.orders()[0].order.id, Outcome.DONE)
        first = review.undo(id_, ANN, 12.0)
        with pytest.raises(ReviewError, match="being taken back"):
            review.undo(id_, BO, 12.0)
        answers_with(base, first, Outcome.REFUSED)
        (decided,) = review.decided()
        assert decided.undo[-1].outcome is Outcome.REFUSED  # type: ignore[union-attr]
        assert review.undo(id_, BO, 13.0) != first

    def test_a_stamp_changes_with_all_that_is_shown(self, review: Review, base: Base) -> None:
        stamps = [review.stamps(10.0)]
        held = review.claim_next(BO, 10.0)
        assert held is not None
        stamps.append(review.stamps(10.0))
        review.decide(held.question.id, BO, Said("tee"), 10.0)
        stamps.append(review.stamps(10.0))
        answers_with(base, base.orders()[0].order.id, Outcome.DONE)
        stamps.append(review.stamps(10.0))
        review.keep([Picture(held.question.id, "7", 1, b"x")])
        stamps.append(review.stamps(10.0))
        assert len({repr(each) for each in stamps}) == len(stamps)
        assert [sum(one.waits for one in each) for each in stamps] == [2, 2, 1, 1, 1]


def answers_with(base: Base, id_: str, outcome: Outcome) -> None:
    base.answer([Answer(id_, outcome, "as it is", 12.0)])


# ---- pictures -------------------------------------------------------------------------------


@pytest.fixture
def photos(tmp_path: Path) -> PhotoFolder:
    return PhotoFolder(tmp_path / "photos", digits=64)


def page(photos: PhotoFolder) -> Path:
    """White, and what `word` says to be there is green."""
    pixels = np.full((200, 300, 3), 255, np.uint8)
    pixels[10:30, 10:70] = (0, 160, 0)
    return photos.save(pixels, "list")


def tray_photo(photos: PhotoFolder) -> Path:
    """Grey; the cube of the second row and first column is red."""
    pixels = np.full((100, 100, 3), 128, np.uint8)
    pixels[25:50, 0:25] = (200, 0, 0)
    return photos.save(pixels, "tray")


def shown(crop: Crop) -> np.ndarray:
    with Image.open(io.BytesIO(base64.b64decode(crop.jpeg))) as picture:
        assert picture.format == "JPEG"
        return np.asarray(picture.convert("RGB"))


class TestCrops:
    def test_a_cube_is_shown_from_above(self, photos: PhotoFolder) -> None:
        state = begun(*confirming((1, 0), photo=tray_photo(photos)))[0]
        (question,) = questions_of("7", Fold(1, 1, 0.0, state))
        (crop,) = crops_of(state, [question.detail])
        pixels = shown(crop)
        assert pixels.shape == (CELL_SIDE, CELL_SIDE, 3)
        red, green, _ = pixels[CELL_SIDE // 2, CELL_SIDE // 2]
        assert (red > 150, green < 60) == (True, True)

    def test_a_word_is_shown(self, photos: PhotoFolder) -> None:
        state = begun(*collecting(word("THEY"), photo=page(photos)))[0]
        (question,) = questions_of("7", Fold(1, 1, 0.0, state))
        (crop,) = crops_of(state, [question.detail])
        height, width, _ = shown(crop).shape
        red, green, _ = shown(crop)[height // 2, width // 2]
        assert (red < 60, green > 120) == (True, True)

    def test_only_what_is_open_is_shown(self, photos: PhotoFolder) -> None:
        photo = page(photos)
        state = begun(*collecting(word("THEY"), word("TEE", doubtful=False), photo=photo))[0]
        asked = [Detail(Kind.WORD, photo.name, (0, 1)), Detail(Kind.WORD, "other.jpg", (0, 0))]
        assert list(crops_of(state, asked)) == []

    def test_of_a_photo_that_is_gone_it_is_told(self) -> None:
        state = begun(*collecting(word("THEY"), photo=Path("/nowhere/list-1.jpg")))[0]
        (detail,) = (each.detail for each in questions_of("7", Fold(1, 1, 0.0, state)))
        assert list(crops_of(state, [detail])) == [Crop(detail, "")]

    def test_however_rich_a_picture_it_fits(self, photos: PhotoFolder) -> None:
        noise = np.random.default_rng(1).integers(0, 255, (400, 2000, 3), np.uint8)
        wide = replace(word("THEY"), quad_px=((0, 0), (1999, 0), (1999, 399), (0, 399)))
        state = begun(*collecting(wide, photo=photos.save(noise, "list")))[0]
        (question,) = questions_of("7", Fold(1, 1, 0.0, state))
        (crop,) = crops_of(state, [question.detail])
        assert len(jpeg_of(crop.jpeg)) <= LARGEST_CROP
        assert len(told(crop)) <= LARGEST_CROP_MESSAGE

    def test_one_request_is_worked_at_after_the_other(self, photos: PhotoFolder) -> None:
        state = begun(*collecting(*map(word, ("AB", "CD")), photo=page(photos)))[0]
        jobs, rung = list[Callable[[], None]](), list[bool]()
        clippings = Clippings(lambda: answering(state), lambda: rung.append(True), jobs.append)
        details = [each.detail for each in questions_of("7", Fold(1, 1, 0.0, state))]
        clippings.cut(details)
        clippings.cut(details)  # while that is worked at
        assert len(jobs) == 1
        jobs.pop()()
        assert [crop.detail for crop in clippings.done()] == sorted(
            details, key=lambda each: each.place
        )
        assert (clippings.done(), rung) == ([], [True])
        clippings.cut(details)
        assert len(jobs) == 1

    def test_a_few_at_a_time(self, photos: PhotoFolder) -> None:
        state = begun(*collecting(*map(word, "ABCDEFGH"), photo=page(photos)))[0]
        clippings = Clippings(lambda: answering(state), lambda: None, lambda job: job())
        clippings.cut([each.detail for each in questions_of("7", Fold(1, 1, 0.0, state))])
        assert len(clippings.done()) == MOST_WANTED

    def test_an_owner_that_has_ended_shows_nothing(self) -> None:
        ended: Future[RoundState] = Future()
        ended.set_exception(RuntimeError("no camera"))
        clippings = Clippings(lambda: ended, lambda: None, lambda job: job())
        clippings.cut([Detail(Kind.CELL, "x", (0, 0))])
        assert clippings.done() == []


def jpeg(width: int = 8, height: int = 8, form: str = "JPEG") -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, form)
    return base64.b64encode(buffer.getvalue()).decode()


def saying(said: list[tuple[str, Wanted]]) -> Callable[[str, Wanted], bool]:
    def say(tray: str, wanted: Wanted) -> bool:
        said.append((tray, wanted))
        return True

    return say


class TestReviewing:
    @pytest.fixture
    def said(self) -> list[tuple[str, Wanted]]:
        return []

    @pytest.fixture
    def reviewing(self, base: Base, said: list[tuple[str, Wanted]]) -> Reviewing:
        return Reviewing(Review(base), saying(said))

    def test_pictures_are_asked_for_until_they_are_there(
        self, reviewing: Reviewing, said: list[tuple[str, Wanted]], base: Base
    ) -> None:
        folds = {"7": fold_of(*collecting(*map(word, ("AB", "CD", "EF", "GH", "IJ", "KL"))))}
        reviewing.turn(folds, 10.0)
        reviewing.turn(folds, 11.0)
        assert len(said) == 1
        reviewing.turn(folds, 16.0)
        assert said[1] == said[0]
        for detail in said[0][1].details:
            reviewing.hear("7", told(Crop(detail, jpeg())))
        reviewing.turn(folds, 16.1)
        assert len(said[2][1].details) == 2
        assert not set(said[2][1].details) & set(said[0][1].details)
        for detail in said[2][1].details:
            reviewing.hear("7", told(Crop(detail, "")))  # it has none
        reviewing.turn(folds, 90.0)
        assert len(said) == 3
        crops = [each.crop for each in Review(base).standings(90.0)]
        assert [bool(each) for each in crops] == [True] * 4 + [False] * 2
        assert None not in crops

    def test_they_are_forgotten_when_the_round_is_over(
        self, reviewing: Reviewing, said: list[tuple[str, Wanted]], base: Base
    ) -> None:
        fold = fold_of(*collecting(word("AB")))
        reviewing.turn({"7": fold}, 10.0)
        reviewing.hear("7", told(Crop(said[0][1].details[0], jpeg())))
        reviewing.turn({"7": fold}, 10.1)
        id_ = Review(base).standings(11.0)[0].question.id
        assert Review(base).picture(id_) is not None
        reviewing.turn({"7": Fold(2, 99, 0.0, begun(SEATED)[0])}, 12.0)
        assert Review(base).picture(id_) is None
        assert Review(base).pictured() == set()

    @pytest.mark.parametrize(
        "payload",
        [
            b"{]",
            b"x" * (LARGEST_CROP_MESSAGE + 1),
            told(Crop(Detail(Kind.WORD, PAGE.name, (0, 0)), "no base 64!")),
            told(Crop(Detail(Kind.WORD, PAGE.name, (0, 0)), base64.b64encode(b"text").decode())),
            told(Crop(Detail(Kind.WORD, PAGE.name, (0, 0)), jpeg(form="PNG"))),
            told(Crop(Detail(Kind.WORD, PAGE.name, (0, 0)), jpeg(LONGEST_SIDE + 1, 1))),
        ],
    )
    def test_what_is_no_crop_is_not_taken(self, reviewing: Reviewing, payload: bytes) -> None:
        reviewing.turn({"7": fold_of(*collecting(word("AB")))}, 10.0)
        with pytest.raises(WireError):
            reviewing.hear("7", payload)

    def test_what_nobody_asks_for_is_not_kept(self, reviewing: Reviewing, base: Base) -> None:
        folds = {"7": fold_of(*collecting(word("AB")))}
        reviewing.turn(folds, 10.0)
        detail = Detail(Kind.WORD, PAGE.name, (0, 0))
        reviewing.hear("8", told(Crop(detail, jpeg())))
        reviewing.hear("7", told(Crop(replace(detail, place=(0, 1)), jpeg())))
        reviewing.turn(folds, 10.1)
        assert Review(base).pictured() == set()

    def test_one_that_begins_again_goes_on_where_it_was(
        self, reviewing: Reviewing, said: list[tuple[str, Wanted]], base: Base
    ) -> None:
        folds = {"7": fold_of(*collecting(word("AB"), word("CD")))}
        reviewing.turn(folds, 10.0)
        reviewing.hear("7", told(Crop(said[0][1].details[0], jpeg())))
        reviewing.turn(folds, 10.1)
        before = said.copy()
        later = Reviewing(Review(base), saying(said))
        later.turn(folds, 11.0)
        assert [each.details for _, each in said[1:]] == [before[0][1].details[1:]]


# ---- all of it, by any order of things ---------------------------------------------------------


WORDS = ("THEY", "TEE", "HEY")
REFEREES = (BO, ANN, CY)


@dataclass
class World:
    """A tray with doubtful words, a station, a net that fails, referees; no time but the test's."""

    folder: Path
    base: Base
    clock: ManualClock = field(default_factory=lambda: ManualClock(1000.0))
    net: FakeNet = field(default_factory=FakeNet)
    decided: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        events = collecting(*map(word, WORDS))
        self.round = LoggedRound(begun(*events)[0], entries_of(events))
        self.review = Review(self.base)
        self.link, self.station = self.open_link(), self.open_station()

    def open_link(self) -> Link:
        name = Name("spring", "7")
        self._leave(name.topic("status"))
        heard = {*map(name.topic, OF_STATION), station_topic("spring")}
        end = FakeEnd(self.net, name.topic("status"), heard.__contains__)
        notebook = Notebook(self.folder / "station.json", "spring", Mark)
        link = Link(name, self.round, notebook, end, round_=self.round, clock=self.clock)
        link.start()
        return link

    def open_station(self) -> Station:
        self._leave(station_topic("spring"))

        def wants(name: str) -> bool:
            found = read_topic(name)
            return found is not None and found[1] in OF_TRAY

        end = FakeEnd(self.net, station_topic("spring"), wants)
        station = Station("spring", self.base, NoResults(), end, self.clock)  # type: ignore[arg-type]
        station.start()
        return station

    def _leave(self, status: str) -> None:
        self.net.ends = [end for end in self.net.ends if end.status != status]

    def turn(self, seconds: float = 1.0) -> None:
        self.net.deliver()
        self.station.turn()
        self.net.deliver()
        self.link.turn()
        self.link.turn()
        self.clock.sleep(seconds)

    def do(self, act: str, who: int, which: int) -> None:
        """What a referee does, or what happens."""
        happen: dict[str, Callable[[], None]] = {
            "table": lambda: self.settle_at_table(which),
            "tray starts anew": lambda: setattr(self, "link", self.open_link()),
            "station starts anew": lambda: setattr(self, "station", self.open_station()),
            "cut": self.net.cut,
            "mend": self.net.mend,
            "wait": lambda: self.turn(LEASE_S / 2),
            "turn": self.turn,
        }
        if act in happen:
            happen[act]()
            return
        with suppress(ReviewError):
            self.referee_does(act, REFEREES[who], which)

    def referee_does(self, act: str, referee: Looker, which: int) -> None:
        now = self.clock.monotonic()
        known = sorted({*(each.id for each in self.review.stamps(now)), *self.decided})
        id_ = known[which % len(known)] if known else "none"
        if act == "claim":
            self.review.claim(id_, referee, now)
        elif act == "next":
            self.review.claim_next(referee, now)
        elif act == "undo":
            self.review.undo(id_, referee, now)
        else:
            self.decide(id_, referee, f"word{len(self.decided)}")

    def decide(self, id_: str, referee: Looker, text: str) -> None:
        self.review.decide(id_, referee, Said(text), self.clock.monotonic())
        assert id_ not in self.decided
        self.decided[id_] = (referee.name, text)

    def settle_at_table(self, which: int) -> None:
        if self.round.state.scanned.open:
            _, place = self.round.state.scanned.open[0]
            self.round.enter(settled(place, "table", "referee", float(which)))

    def finish(self) -> None:
        """The net is sound again, and somebody goes on deciding until nothing is open."""
        self.net.loses, self.net.mixes = 0.0, False
        self.net.mend()
        for _ in range(200):
            self.turn(AGAIN_S / 2)
            standing = self.review.claim_next(CY, self.clock.monotonic())
            if standing is not None:
                self.decide(standing.question.id, CY, f"last{len(self.decided)}")
            elif not self.review.standings(self.clock.monotonic()) and self.is_heard():
                return
        pytest.fail(f"something stays open: {self.review.standings(self.clock.monotonic())}")

    def is_heard(self) -> bool:
        return self.base.count() == self.round.last_seq


ACTS = (
    *("claim", "next", "next", "decide", "decide", "decide", "undo", "table", "cut", "mend"),
    *("tray starts anew", "station starts anew", "wait", "turn", "turn", "turn"),
)


class TestAllTogether:
    @settings(max_examples=20, deadline=None)
    @given(
        st.lists(
            st.tuples(st.sampled_from(ACTS), st.integers(0, 2), st.integers(0, 5)), max_size=30
        ),
        st.sampled_from([0.0, 0.3]),
        st.integers(0, 99),
    )
    def test_no_question_is_decided_twice_and_none_is_lost(
        self, acts: list[tuple[str, int, int]], loss: float, seed: int
    ) -> None:
        with TemporaryDirectory() as folder, opened_base() as base:
            world = World(Path(folder), base)
            world.net.rng = random.Random(seed)
            for _ in range(3):
                world.turn()
            world.net.loses = world.net.doubles = loss
            world.net.mixes = loss > 0
            for act in acts:
                world.do(*act)
            world.finish()
            check(world)


def check(world: World) -> None:
    """Each word is settled, and never again unless that was taken back."""
    assert world.round.state.scanned.open == ()
    held: dict[tuple[int, int], ScanSettled] = {}
    rulings: list[ScanSettled] = []
    taken: list[tuple[str, str]] = []
    for event in events_of(world.round.held):
        if isinstance(event, ScanSettled):
            place = (event.scan, event.word)
            assert place not in held
            held[place] = event
            rulings.append(event)
            taken.append((event.by, event.text))
        elif isinstance(event, DecisionUndone):
            last = rulings.pop()
            del held[last.scan, last.word]
    refused = [said for said in world.decided.values() if said not in taken]
    at_table = sum(by == "referee" for by, _ in taken)
    assert len(refused) <= at_table  # the table itself was first
    assert len(taken) == len(world.decided) - len(refused) + at_table


def events_of(entries: Sequence[Entry]) -> Iterator[Event]:
    for entry in entries:
        if entry.kind != BEGUN:
            yield Decoder(Path()).event(entry.kind, loads(entry.data))
