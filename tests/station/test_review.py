"""The review over a real broker and into a real database: referees at once, each word once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
import pytest

from firmware_host.photos import PhotoFolder
from firmware_host.station.base import Base, open_base
from firmware_host.station.link import Link, Name, broker_of
from firmware_host.station.notebook import Notebook
from firmware_host.station.queue import Said
from firmware_host.station.review import Looker, Review, ReviewError
from firmware_host.station.station import Station
from firmware_host.station.station import broker_of as stations_broker
from firmware_host.station.wire import Mark
from hardware.clock import WallClock
from tests.firmware_host.review_fakes import (
    LoggedRound,
    NoResults,
    begun,
    collecting,
    entries_of,
    settled,
    word,
)
from tests.station.servers import Mosquitto, Postgres, until

WORDS = 24
REFEREES = 4
TABLE_SETTLES = 5


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def base(request: pytest.FixtureRequest, tmp_path: Path, stack: ExitStack) -> Base:
    if request.param == "sqlite":
        return stack.enter_context(open_base(f"sqlite:{tmp_path / 'station.db'}", "spring"))
    postgres: Postgres = request.getfixturevalue("postgres")
    name = f"review_{abs(hash(request.node.name))}"
    return stack.enter_context(open_base(postgres.database(name), "spring"))


def opened_tray(mosquitto: Mosquitto, folder: Path, stack: ExitStack) -> LoggedRound:
    """A tray with a photographed list, connected by a link in a thread of its own."""
    page = np.full((200, 300, 3), 255, np.uint8)
    photo = PhotoFolder(folder / "photos", digits=64).save(page, "list")
    events = collecting(*(word(f"W{n}", 0.3 + n / 100) for n in range(WORDS)), photo=photo)
    round_ = LoggedRound(begun(*events)[0], entries_of(events))
    name = Name("spring", "7")
    notebook = Notebook(folder / "7.json", "spring", Mark)
    link = Link(
        name, round_, notebook, broker_of(mosquitto.address, name), round_=round_, clock=WallClock()
    )
    thread = threading.Thread(target=link.run)
    thread.start()
    stack.callback(thread.join)
    stack.callback(link.stop)
    return round_


def opened_station(mosquitto: Mosquitto, base: Base, stack: ExitStack) -> Station:
    broker = stations_broker(mosquitto.address, "spring")
    station = Station("spring", base, NoResults(), broker, WallClock())  # type: ignore[arg-type]
    station.start()
    stack.callback(station.leave)
    return station


def test_many_referees_decide_each_word_once_with_its_picture(
    mosquitto: Mosquitto, base: Base, tmp_path: Path, stack: ExitStack
) -> None:
    round_ = opened_tray(mosquitto, tmp_path, stack)
    station = opened_station(mosquitto, base, stack)
    review = Review(base)
    until(lambda: len(review.pictured()) == WORDS, "pictures are there", station.turn)
    asked = [each.question.id for each in review.standings(0.0)]
    assert {review.picture(id_) is not None for id_ in asked} == {True}

    # At its own table some are settled meanwhile, of which the station hears later.
    for place in range(TABLE_SETTLES):
        round_.enter(settled(place, "table", "referee", 1.0))
    won: list[str] = []
    threads = [
        threading.Thread(target=decide_all, args=(Review(base), asked, f"r{n}", won))
        for n in range(REFEREES)
    ]
    for thread in threads:
        thread.start()
    until(lambda: not review.standings(0.0), "all is settled", station.turn)
    for thread in threads:
        thread.join()
    until(lambda: base.count() == round_.last_seq, "all of it is heard", station.turn)

    assert len(won) == len(set(won))
    assert round_.state.scanned.open == ()
    ruled = [(one.word, one.by) for one in round_.state.rulings]  # type: ignore[union-attr]
    assert sorted(place for place, _ in ruled) == list(range(WORDS))
    at_table = {place for place, by in ruled if by == "referee"}
    assert at_table == set(range(TABLE_SETTLES))
    late = [each for each in review.decided() if each.question.detail.place[1] in at_table]
    assert all(each.answer and "by referee" in each.answer.why for each in late)
    assert base.entries("7", 1) == round_.held


def decide_all(review: Review, asked: list[str], name: str, won: list[str]) -> None:
    """Decide every question, whoever else does at the same moment."""
    clock, who = WallClock(), Looker(name, name)
    for id_ in asked:
        with suppress(ReviewError):
            review.decide(id_, who, Said(name), clock.monotonic())
            won.append(id_)


def test_a_station_that_dies_between_decision_and_answer_loses_neither(
    mosquitto: Mosquitto, base: Base, tmp_path: Path, stack: ExitStack
) -> None:
    round_ = opened_tray(mosquitto, tmp_path, stack)
    clock, review = WallClock(), Review(base)
    with ExitStack() as life:
        station = opened_station(mosquitto, base, life)
        until(lambda: len(review.standings(0.0)) == WORDS, "all is asked", station.turn)
        for each in review.standings(0.0):
            review.decide(each.question.id, Looker("b", "Bo"), Said("bo"), clock.monotonic())
        station.turn()  # the orders are on their way
    later = opened_station(mosquitto, base, stack)
    until(lambda: not review.standings(0.0), "all is settled", later.turn)
    assert [one.text for one in round_.state.rulings] == ["bo"] * WORDS  # type: ignore[union-attr]
    until(lambda: all(each.answer for each in review.decided()), "answered", later.turn)
    assert {str(each.answer.outcome) for each in review.decided() if each.answer} == {"done"}
