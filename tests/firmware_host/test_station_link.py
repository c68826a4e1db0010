"""A tray and its station: what is sent arrives once and in order, whatever the net does."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rounds import (
    Announced,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    Event,
    ExtraTime,
    Phase,
    Plan,
    RoundState,
    Seat,
    TableAssigned,
    Tick,
)
from firmware_host.station.intake import taken
from firmware_host.station.link import Link, Name
from firmware_host.station.notebook import Notebook
from firmware_host.station.orders import BY, event_of, order, refusal
from firmware_host.station.outbox import PATIENCE_S, WINDOW, Outbox
from firmware_host.station.skew import OLDEST_S, Samples, sampled
from firmware_host.station.wire import (
    ANSWERS,
    CLOCK,
    EVENTS,
    HAVE,
    OF_STATION,
    ONLINE,
    ORDERS,
    STATE,
    STATUS,
    TIME,
    Answer,
    Asked,
    Delivery,
    Have,
    Mark,
    Order,
    Outcome,
    Skew,
    Told,
    TrayState,
    WireError,
    read,
    read_topic,
    station_topic,
    told,
    topic,
)
from firmware_host.store.errors import StorageError
from hardware.clock import ManualClock
from scoring.rules import game
from scoring.tournament.commitment import BoardPlace, commitment
from tests.firmware_host.conftest import BOARD, after
from tests.firmware_host.station_fakes import FakeEnd, FakeLog, FakeNet, FakeRound, entries

NAME = Name("spring", "7")
PLAN = Plan(game("boggle"), (), 60.0)
SALT = "00" * 16
PROMISE = commitment(BoardPlace("Spring", 1, 1, 0), str(BOARD), SALT)
SEATED = TableAssigned("Spring", 1, 1, 7, (Seat("e1", "ann"), Seat("e2", "bob")), PROMISE)
PRESCRIBED = BoardPrescribed(str(BOARD), SALT)
FAR = 1e6


class Table:
    """A link on a fake net, and a station that says what the test has it say."""

    def __init__(self, folder: Path, log: FakeLog, clock: ManualClock, begins: Mark) -> None:
        self.net, self.log, self.clock = FakeNet(), log, clock
        self.round = FakeRound(RoundState(PLAN))
        self.notebook = Notebook(folder / "station.json", "spring", lambda: begins)
        heard = {*map(NAME.topic, OF_STATION), station_topic("spring")}
        self.end = FakeEnd(self.net, NAME.topic(STATUS), heard.__contains__)
        self.link = Link(NAME, log, self.notebook, self.end, round_=self.round, clock=clock)
        self.link.start()

    def say(self, what: str, message: object) -> None:
        self.net.carry(NAME.topic(what), told(message), retain=False)

    def turn(self) -> dict[str, list[bytes]]:
        """What the tray says to what came before."""
        self.net.deliver()
        self.link.turn()
        heard: dict[str, list[bytes]] = {}
        for topic_, payload in self.net.said:
            found = read_topic(topic_)
            if found:
                heard.setdefault(found[1], []).append(payload)
        self.net.said.clear()
        return heard

    def meet(self, offset_s: float | None = 0.0) -> None:
        """The station is there, and tells the time."""
        self.net.carry(station_topic("spring"), ONLINE, retain=True)
        self.turn()
        if offset_s is not None:
            now = self.clock.monotonic()
            self.say(TIME, Told(now, now + offset_s, now + offset_s))
            self.turn()

    def order(self, event: object, id_: str = "one", at: float | None = None) -> list[Answer]:
        self.say(ORDERS, order(id_, event, FAR, at))  # type: ignore[arg-type]
        return self.answers()

    def answers(self) -> list[Answer]:
        return [read(Answer, payload) for payload in self.turn().get(ANSWERS, [])]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, FakeLog(entries(10)), ManualClock(1000.0), Mark())


def ready() -> RoundState:
    return after(RoundState(PLAN), SEATED, PRESCRIBED)


class TestOutbox:
    def test_no_more_is_on_its_way_than_the_window_has_room_for(self) -> None:
        box, sent = Outbox.after(0, 0.0), 0
        while True:
            box, count = box.due(10_000, 0.0)
            if not count:
                break
            box, sent = box.sending(count, 0.0), sent + count
        assert sent == WINDOW

    def test_what_the_station_has_makes_room(self) -> None:
        box = Outbox(0, WINDOW, 0.0).told(Have(Mark(100, "")), 1.0)
        assert box.due(10_000, 1.0)[1] > 0
        assert box.sent == WINDOW

    def test_an_old_word_of_the_station_changes_nothing(self) -> None:
        box = Outbox(50, 60, 0.0)
        assert box.told(Have(Mark(40, "")), 1.0) == box

    def test_where_nothing_moves_on_all_is_sent_again(self) -> None:
        box = Outbox(50, 60, 0.0)
        assert box.due(60, PATIENCE_S - 0.1)[1] == 0
        assert box.due(60, PATIENCE_S) == (Outbox.after(50, PATIENCE_S), 10)

    def test_the_station_may_ask_for_more_of_the_past(self) -> None:
        assert Outbox(50, 60, 0.0).told(Have(Mark(20, ""), again=True), 1.0).sent == 20

    @given(st.data())
    def test_whatever_the_net_does_the_station_has_the_log_in_the_end(
        self, data: st.DataObject
    ) -> None:
        log = entries(data.draw(st.integers(1, 150)))
        box, head, now, had = Outbox.after(0, 0.0), Mark(), 0.0, list[object]()
        way: list[Delivery] = []
        for fate in [*data.draw(st.lists(st.sampled_from("delmr"), max_size=40)), *"dddddd" * 3]:
            now += PATIENCE_S / 2
            box, count = box.due(len(log), now)
            if count:
                way.append(Delivery(Mark(), tuple(log[box.sent : box.sent + count])))
                box = box.sending(count, now)
            if fate == "l":
                way = way[1:]
            elif fate == "m":
                way.reverse()
            elif fate == "e":
                way = [each for each in way for _ in range(2)]
            elif fate == "r":
                box = Outbox.after(box.had, now)
            else:
                for each in way:
                    found = taken(head, each)
                    had += found.entries
                    head = found.head
                    box = box.told(Have(head, found.again), now)
                way = []
        assert had == log


class TestIntake:
    def test_what_came_before_is_not_new(self) -> None:
        log = entries(5)
        found = taken(Mark(3, log[2].hash), Delivery(Mark(), tuple(log)))
        assert found.entries == tuple(log[3:])
        assert not found.again

    def test_a_gap_is_asked_for_again(self) -> None:
        log = entries(5)
        found = taken(Mark(1, log[0].hash), Delivery(Mark(), tuple(log[2:])))
        assert (found.entries, found.head.seq, found.again) == ((), 1, True)

    def test_what_does_not_follow_is_not_taken(self) -> None:
        log, other = entries(5), entries(5, salt="x")
        for wrong in (other[3], replace(log[3], data='"changed"')):
            found = taken(Mark(3, log[2].hash), Delivery(Mark(), (wrong,)))
            assert (found.entries, found.again) == ((), True)


class TestSkew:
    @given(st.floats(-1e4, 1e4), st.floats(0, 2), st.floats(0, 2), st.floats(0, 1))
    def test_it_is_never_further_off_than_it_says(
        self, offset: float, there: float, back: float, rest: float
    ) -> None:
        sent, came = 100.0, 100.0 + there + offset
        now = 100.0 + there + rest + back
        sample = sampled(Told(sent, came, came + rest), now)
        assert sample is not None
        assert abs(sample.offset_s - offset) <= sample.error_s(now) + 1e-6

    def test_the_shortest_way_counts(self) -> None:
        samples = Samples()
        for way in (0.4, 0.01, 0.3):
            made = sampled(Told(0.0, 5.0 + way, 5.0 + way), way)
            assert made is not None
            samples = samples.joined_by(made)
        skew = samples.skew(0.4)
        assert skew is not None
        assert skew.error_s < 0.01

    def test_an_old_sample_counts_no_more(self) -> None:
        sample = sampled(Told(0.0, 5.0, 5.0), 0.1)
        assert sample is not None
        assert Samples((sample,)).skew(OLDEST_S + 1) is None

    def test_times_that_cannot_be_are_no_sample(self) -> None:
        assert sampled(Told(10.0, 5.0, 5.0), 9.0) is None
        assert sampled(Told(0.0, 5.0, 4.0), 9.0) is None


class TestOrders:
    def test_the_round_takes_what_fits_it(self) -> None:
        running = after(ready(), ButtonPressed(0.0))
        fits: list[tuple[RoundState, Event]] = [
            (RoundState(PLAN), SEATED),
            (after(RoundState(PLAN), SEATED), PRESCRIBED),
            (ready(), ButtonPressed(0.0)),
            (running, ExtraTime(30.0, 1.0)),
            (running, Announced("Lunch", 1.0)),
            (running, Cancelled()),
        ]
        assert [refusal(event, state) for state, event in fits] == [""] * len(fits)

    def test_what_would_mean_something_else_is_refused(self) -> None:
        running = after(ready(), ButtonPressed(0.0))
        used_up = after(running, ExtraTime(120.0, 1.0))
        unfit: list[tuple[RoundState, Event]] = [
            (RoundState(PLAN), ButtonPressed(0.0)),
            (running, ButtonPressed(0.0)),
            (running, SEATED),
            (RoundState(PLAN), PRESCRIBED),
            (after(RoundState(PLAN), SEATED), BoardPrescribed("nonsense", SALT)),
            (after(RoundState(PLAN), SEATED), BoardPrescribed("ABCD/EFGH/IJKL/MNOP", SALT)),
            (used_up, ExtraTime(30.0, 1.0)),
            (RoundState(PLAN), ExtraTime(30.0, 1.0)),
            (RoundState(PLAN), Cancelled()),
        ]
        assert all(refusal(event, state) for state, event in unfit)

    def test_times_become_those_of_the_tray(self) -> None:
        made = order("one", ButtonPressed(500.0, BY), FAR)
        assert event_of(made, 20.0) == ButtonPressed(480.0, BY)
        said = order("two", Announced("Lunch", 500.0, until=560.0), FAR)
        assert event_of(said, 20.0) == Announced("Lunch", 480.0, until=540.0)
        assert event_of(order("three", Announced("Lunch", 500.0), FAR), 20.0) == Announced(
            "Lunch", 480.0
        )

    @pytest.mark.parametrize(
        ("kind", "data"), [("tick", '{"at":1.0}'), ("nonsense", "{}"), ("announced", "[")]
    )
    def test_a_station_orders_no_other_things(self, kind: str, data: str) -> None:
        with pytest.raises(WireError):
            event_of(Order("one", kind, data, FAR), 0.0)


class TestLink:
    def test_without_a_station_nothing_is_sent(self, table: Table) -> None:
        assert EVENTS not in table.turn()

    def test_the_log_is_sent_in_order(self, table: Table) -> None:
        table.meet(None)
        table.clock.sleep(PATIENCE_S)
        (payload,) = table.turn()[EVENTS]
        assert read(Delivery, payload).entries == tuple(table.log.held)

    def test_only_what_belongs_to_the_tournament_is_sent(self, tmp_path: Path) -> None:
        log = FakeLog(entries(10))
        begins = Mark(4, log.held[3].hash)
        table = Table(tmp_path, log, ManualClock(1000.0), begins)
        table.meet(None)
        table.say(HAVE, Have(Mark(), again=True))
        (payload,) = table.turn()[EVENTS]
        assert read(Delivery, payload) == Delivery(begins, tuple(log.held[4:]))

    def test_what_has_arrived_is_not_sent_again(self, table: Table) -> None:
        table.meet(None)
        table.say(HAVE, Have(Mark(10, table.log.held[9].hash)))
        table.turn()
        table.net.cut()
        table.net.mend()
        assert EVENTS not in table.turn()
        table.log.held += entries(11)[10:]
        table.link.wake()
        (payload,) = table.turn()[EVENTS]
        assert [entry.seq for entry in read(Delivery, payload).entries] == [11]

    def test_after_a_cut_what_was_on_its_way_is_sent_again(self, table: Table) -> None:
        table.meet(None)
        table.net.cut()
        table.link.turn()
        table.net.mend()
        assert EVENTS in table.turn()

    def test_a_broker_that_takes_nothing_loses_nothing(self, table: Table) -> None:
        table.end.full = True
        table.meet(None)
        table.end.full = False
        table.clock.sleep(1.0)
        assert EVENTS in table.turn()

    def test_another_log_than_the_station_has_is_told_and_not_sent(self, table: Table) -> None:
        table.meet(None)
        table.say(HAVE, Have(Mark(10, "f" * 64), again=True))
        table.clock.sleep(PATIENCE_S)
        heard = table.turn()
        assert EVENTS not in heard
        assert "another log" in read(TrayState, heard[STATE][-1]).trouble

    def test_the_clock_is_asked_for_and_known(self, table: Table) -> None:
        table.meet(None)
        table.clock.sleep(PATIENCE_S)
        (payload,) = table.turn()[CLOCK]
        assert read(Asked, payload) == Asked(table.clock.monotonic())
        table.meet(50.0)
        assert table.link.skew == Skew(50.0, 0.0)

    def test_an_order_is_carried_out_and_answered(self, table: Table) -> None:
        table.meet()
        planned, done = table.order(SEATED)
        assert (planned.outcome, done.outcome) == (Outcome.PLANNED, Outcome.DONE)
        assert table.round.taken == [SEATED]

    def test_an_order_that_comes_again_is_answered_again_and_no_more(self, table: Table) -> None:
        table.meet()
        table.order(SEATED)
        (again,) = table.order(SEATED)
        assert again.outcome is Outcome.DONE
        assert table.round.taken == [SEATED]

    def test_it_is_known_after_a_restart_too(self, table: Table, tmp_path: Path) -> None:
        table.meet()
        table.order(SEATED)
        later = Table(tmp_path, table.log, table.clock, Mark())
        later.meet()
        assert [each.outcome for each in later.order(SEATED)] == [Outcome.DONE]
        assert later.round.taken == []

    def test_of_one_that_a_restart_cut_short_it_is_told(self, table: Table, tmp_path: Path) -> None:
        table.meet()
        table.round.hangs = True
        table.order(SEATED)
        later = Table(tmp_path, table.log, table.clock, Mark())
        later.meet()
        assert [each.outcome for each in later.order(SEATED)] == [Outcome.REFUSED]

    def test_an_order_that_does_not_fit_is_refused(self, table: Table) -> None:
        table.meet()
        *_, answer = table.order(ButtonPressed(0.0))
        assert (answer.outcome, table.round.taken) == (Outcome.REFUSED, [])
        assert "idle" in answer.why

    def test_an_order_that_comes_too_late_is_told_and_not_carried_out(self, table: Table) -> None:
        table.meet(100.0)
        table.say(ORDERS, order("old", SEATED, table.clock.monotonic() + 99.0))
        (answer,) = table.answers()
        assert (answer.outcome, table.round.taken) == (Outcome.LATE, [])

    def test_a_start_waits_for_its_moment_at_the_station(self, table: Table) -> None:
        table.meet(100.0)
        table.round.state = ready()
        start = table.clock.monotonic() + 105.0  # by the clock of the station
        (planned,) = table.order(ButtonPressed(start, BY), at=start)
        assert planned.outcome is Outcome.PLANNED
        table.clock.sleep(4.9)
        assert table.answers() == []
        assert table.link.turn() == pytest.approx(0.1)
        table.clock.sleep(0.1)
        (done,) = table.answers()
        assert done.outcome is Outcome.DONE
        assert table.round.taken == [ButtonPressed(start - 100.0, BY)]

    def test_a_start_waits_until_the_clock_is_known(self, table: Table) -> None:
        table.meet(None)
        table.round.state = ready()
        start = table.clock.monotonic() + 0.5
        table.order(ButtonPressed(start, BY), at=start)
        table.clock.sleep(0.6)
        assert table.round.taken == []
        table.meet(0.0)
        assert table.round.taken == [ButtonPressed(start, BY)]

    def test_a_start_a_little_late_says_so_and_one_much_later_is_none(self, table: Table) -> None:
        table.meet()
        table.round.state = ready()
        start = table.clock.monotonic() + 5.0
        table.order(ButtonPressed(start, BY), at=start)
        table.order(ButtonPressed(start - 4.0, BY), id_="other", at=start - 4.0)
        table.clock.sleep(5.5)
        answers = {each.id: each for each in table.answers()}
        assert answers["other"].outcome is Outcome.LATE
        assert answers["one"].why == "0.50 s after its moment"

    def test_an_owner_that_hangs_keeps_nothing_else(self, table: Table) -> None:
        table.meet()
        table.round.hangs = True
        table.order(SEATED)
        table.clock.sleep(PATIENCE_S)
        heard = table.turn()
        assert EVENTS in heard
        assert ANSWERS not in heard
        table.round.open[0].set_result(table.round.state)
        assert [each.outcome for each in table.answers()] == [Outcome.DONE]

    def test_an_owner_that_stops_is_told_of(self, table: Table) -> None:
        table.meet()
        table.round.hangs = True
        table.order(SEATED)
        for future in table.round.open:
            Future.cancel(future)
        assert [each.outcome for each in table.answers()] == [Outcome.REFUSED]

    def test_nonsense_is_told_and_harms_nothing(self, table: Table) -> None:
        table.meet()
        for what in (HAVE, TIME, ORDERS):
            table.net.carry(NAME.topic(what), b"\xff", retain=False)
        table.clock.sleep(PATIENCE_S)
        heard = table.turn()
        assert "does not know" in read(TrayState, heard[STATE][-1]).trouble
        assert EVENTS in heard

    def test_an_order_of_a_moment_is_not_waited_for_in_haste(self, table: Table) -> None:
        table.meet(None)
        table.order(ButtonPressed(0.0, BY), at=table.clock.monotonic() - 1.0)
        table.net.cut()
        table.link.turn()
        assert table.link.turn() > 0.5


class TestNotes:
    def test_another_tournament_begins_anew(self, tmp_path: Path) -> None:
        file = tmp_path / "station.json"
        book = Notebook(file, "spring", lambda: Mark(5, "5" * 64))
        book.had(9)
        book.keep(book.notes)
        assert Notebook(file, "spring", Mark).notes.had == 9
        assert Notebook(file, "autumn", lambda: Mark(12, "c" * 64)).notes.begins.seq == 12

    def test_a_damaged_notebook_is_told(self, tmp_path: Path) -> None:
        file = tmp_path / "station.json"
        file.write_bytes(b"{")
        with pytest.raises(StorageError, match="damaged"):
            Notebook(file, "spring", Mark)


def test_topics_name_their_tray() -> None:
    assert read_topic(topic("spring", "7", EVENTS)) == ("7", EVENTS)
    assert read_topic(station_topic("spring")) is None
    assert read_topic("a/b/C D/e") is None


def test_time_goes_on_at_a_table_that_was_started_by_the_station() -> None:
    running = after(ready(), ButtonPressed(10.0, BY))
    assert running.left(40.0) == 30.0
    assert after(running, Tick(70.0)).phase is Phase.COLLECTING
