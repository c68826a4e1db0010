"""The station and its trays on a net that fails: nothing is lost, nothing counts twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import pytest

from firmware_host import tournaments
from firmware_host.errors import CommandError, ExitCode
from firmware_host.rounds import (
    Announced,
    CellCorrected,
    DeviceFailed,
    ExtraTime,
    Phase,
    PlayerJoined,
    RoundState,
    Ruling,
    Seat,
    WordRuled,
    step,
)
from firmware_host.rounds import Plan as RoundPlan
from firmware_host.station.base import Base, Head, open_base
from firmware_host.station.direction import Direction, ToTray
from firmware_host.station.folding import TableResult, result_of, unread_of
from firmware_host.station.link import Name
from firmware_host.station.monitor import TableMonitor
from firmware_host.station.orders import misseated, order
from firmware_host.station.results import CORRECTED, assignments, events_of, ids_of
from firmware_host.station.scribe import Scribe
from firmware_host.station.serving import check_alone
from firmware_host.station.simulated import Connected, Crowd, opened_tray
from firmware_host.station.station import AGAIN_S, Station
from firmware_host.station.wire import (
    OF_STATION,
    OF_TRAY,
    Answer,
    Delivery,
    Mark,
    Outcome,
    read_topic,
    station_topic,
    told,
    topic,
)
from firmware_host.store.chain import Entry
from firmware_host.store.errors import StorageError
from hardware.clock import ManualClock
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.rules import game
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.document import event_document
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.finding import Finder, Usualness
from scoring.tournament.log import Log
from scoring.tournament.plan import Plan
from scoring.tournament.proof import verify
from scoring.wordlist import parse_word_list
from tests.firmware_host.conftest import BOARD, make_reading
from tests.firmware_host.station_fakes import FakeEnd, FakeNet, entries

WORDS = ("tee", "they", "hey", "the", "toe", "ice", "pee", "peyote", "cite", "tie", "equip", "pet")
SALT = "5a" * 16
SAND_S = 10.0


@dataclass
class Hall:
    """Three tables, a station, and a net between them; time passes only as the test has it."""

    event: tournaments.HeldEvent
    base: Base
    net: FakeNet
    clock: ManualClock
    lexicon: Lexicon
    trays: dict[int, Connected] = field(default_factory=dict)
    station: Station | None = None
    given: int = 0

    def open_station(self) -> Station:
        """One that begins, or begins again."""

        def wants(name: str) -> bool:
            found = read_topic(name)
            return found is not None and found[1] in OF_TRAY

        end = FakeEnd(self.net, station_topic("spring"), wants)
        scribe = Scribe(self.event, self.lexicon, self.clock.monotonic)
        self.station = Station("spring", self.base, scribe, end, self.clock)
        self.station.start()
        return self.station

    def turn(self, times: int = 1, seconds: float = 0.5) -> None:
        for _ in range(times):
            self.net.deliver()
            if self.station is not None:
                self.station.turn()
            self.net.deliver()
            for tray in self.trays.values():
                tray.turn()
            self.clock.sleep(seconds)

    def until(self, holds: Callable[[], bool], turns: int = 600) -> None:
        for _ in range(turns):
            if holds():
                return
            self.turn()
        pytest.fail(f"in vain; {self.monitors()}")

    def monitors(self) -> list[TableMonitor]:
        return self.station.monitors() if self.station else []

    def draw(self, *, promised: bool = True) -> None:
        log = self.event.look()
        number = len(log.state.rounds) + 1
        place = {"round": number, "board": 1, "table": 0}
        promise = commitment(BoardPlace("Spring", number, 1, 0), str(BOARD), SALT)
        with self.event.opened(float(number)) as event:
            event.play(draw_event(number, draw(log.plan, log.state, "main")))
            event.play({"type": "start", "round": number})
            if promised:
                event.play(
                    {"type": "commit", **place, "hash": promise},
                    {"type": "board", **place, "shown": str(BOARD), "salt": SALT},
                )

    @property
    def to(self) -> Direction:
        self.given += 1
        log = self.event.look()
        return Direction(log, log.state.rounds[-1], 1, (), self.clock.monotonic(), str(self.given))

    def give(self, orders: Sequence[ToTray]) -> set[str]:
        """Orders that stay valid for long, as the net is bad."""
        lasting = [(tray, replace(each, until=each.until + 900.0)) for tray, each in orders]
        self.base.give(lasting, self.clock.monotonic())
        return {each.id for _, each in lasting}

    def answers(self, ids: set[str]) -> list[Answer]:
        found = [each for each in self.base.orders() if each.order.id in ids]
        return [each.answer for each in found if each.answer is not None]

    def obeyed(self, orders: Sequence[ToTray]) -> None:
        ids = self.give(orders)
        done = [Outcome.DONE] * len(ids)
        self.until(lambda: [each.outcome for each in self.answers(ids)] == done)

    def play(self) -> None:
        """A round of all tables."""
        self.draw()
        self.obeyed(self.to.seat())
        self.obeyed(self.to.prescribe(str(BOARD), SALT))
        self.obeyed(
            [(tray, replace(each, at=None)) for tray, each in self.to.start(self.clock.monotonic())]
        )

    def is_complete(self) -> bool:
        return self.event.look().state.rounds[-1].is_complete(1)

    def check(self) -> None:
        """All is there once, and the tournament proves itself."""
        self.until(lambda: all(each.behind == 0 for each in self.monitors()))
        for table, tray in self.trays.items():
            own = tray.log.since(0, 1000)
            there = [
                e for n in {each.round for each in own} for e in self.base.entries(str(table), n)
            ]
            assert sorted(there, key=lambda entry: entry.seq) == own
        assert self.base.count() == sum(tray.log.last_seq for tray in self.trays.values())
        assert verify(event_document(self.event.look()), self.lexicon).findings == ()


@pytest.fixture(scope="module")
def words() -> Lexicon:
    return Lexicon.from_words("tiny", WORDS)


@pytest.fixture
def hall(words: Lexicon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    players = [f"player {number}" for number in range(9)]
    plan = Plan.agree("Spring", "tiny", words.digest, seats=3, rounds=3, boards=1)
    enrolled = ({"type": "enrol", "player": name} for name in players)
    tournaments.create("spring", Log.new(plan).play(0.0, *enrolled))
    crowd = Crowd(words, Finder(Usualness.of(WORDS)), dict.fromkeys(players, 0.5), 1)
    clock, net = ManualClock(1000.0), FakeNet()
    with ExitStack() as stack:
        base = stack.enter_context(open_base(f"sqlite:{tmp_path / 'station.db'}", "spring"))
        made = Hall(tournaments.HeldEvent("spring"), base, net, clock, words)
        for table in (1, 2, 3):
            name = Name("spring", str(table), simulated=True)
            heard = {*map(name.topic, OF_STATION), station_topic("spring")}
            end = FakeEnd(net, name.topic("status"), heard.__contains__)
            opened = opened_tray(
                tmp_path / str(table), name, RoundPlan(game("boggle"), (), SAND_S), crowd, end,
                clock=clock,
            )  # fmt: skip
            made.trays[table] = stack.enter_context(opened)
        made.open_station()
        yield made


class TestRounds:
    def test_a_round_goes_from_the_seats_to_the_standings(self, hall: Hall) -> None:
        hall.play()
        hall.until(hall.is_complete)
        hall.check()
        assert all(each.taken for each in hall.monitors())

    def test_on_a_net_that_loses_doubles_and_mixes_up(self, hall: Hall) -> None:
        hall.net.loses, hall.net.doubles, hall.net.mixes = 0.3, 0.3, True
        for _ in range(3):
            hall.play()
            hall.until(hall.is_complete)
        hall.net.loses, hall.net.mixes = 0.0, False
        hall.check()

    def test_cut_off_all_tables_play_on(self, hall: Hall) -> None:
        hall.play()
        hall.net.cut()
        hall.turn(40)
        assert {tray.tray.state.phase for tray in hall.trays.values()} == {Phase.FINISHED}
        assert not hall.is_complete()
        hall.net.mend()
        hall.until(hall.is_complete)
        hall.check()

    def test_a_station_that_died_goes_on_where_it_was(self, hall: Hall) -> None:
        hall.play()
        hall.station = None
        hall.net.ends = [end for end in hall.net.ends if end.status != station_topic("spring")]
        hall.turn(40)
        hall.open_station()
        hall.until(hall.is_complete)
        hall.check()

    def test_a_station_that_died_before_it_took_the_results_takes_them(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_self: object, _event: object) -> None:
            raise OSError(28, "no space left")

        hall.play()
        with monkeypatch.context() as patch:
            patch.setattr(Scribe, "take", full)
            hall.turn(40)
        station = hall.station
        assert station is not None
        assert "cannot be continued" in station.fault
        hall.net.ends = [end for end in hall.net.ends if end.status != station_topic("spring")]
        hall.open_station()
        hall.until(hall.is_complete)
        hall.check()

    def test_what_the_database_did_not_keep_comes_again(
        self, hall: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(*_: object) -> None:
            raise StorageError("the database is gone", "Start it.")

        hall.play()
        with monkeypatch.context() as patch:
            patch.setattr(Base, "keep", fails)
            hall.turn(40)
            assert hall.station is not None
            assert "the database is gone" in hall.station.fault
        hall.until(hall.is_complete)
        assert hall.station.fault == ""
        hall.check()

    def test_a_result_that_is_corrected_at_its_table_is_corrected_here(self, hall: Hall) -> None:
        hall.play()
        hall.until(hall.is_complete)
        tray = hall.trays[2].tray
        found = tray.state.result
        assert found is not None
        player = next(each for each in found.players if each.points)
        word = next(each.word for each in player.words if each.points)
        before = hall.event.look().state.rounds[-1].scores[1, 2][player.name].points
        tray.enter(WordRuled(word, Ruling.STRUCK, "referee", hall.clock.monotonic()))
        hall.until(
            lambda: hall.event.look().state.rounds[-1].scores[1, 2][player.name].points < before
        )
        hall.check()

    def test_of_a_round_that_is_not_taken_the_monitor_does_not_say_so(self, hall: Hall) -> None:
        hall.play()
        hall.until(hall.is_complete)
        hall.until(lambda: all(each.taken for each in hall.monitors()))
        hall.play()
        hall.net.cut()
        tray = hall.trays[1].tray
        hall.until(lambda: tray.state.phase is Phase.FINISHED)
        tray.enter(WordRuled("zzz", Ruling.ALLOWED, "referee", hall.clock.monotonic()))
        hall.net.mend()
        hall.until(lambda: "allowed" in hall.monitors()[0].trouble)
        assert not hall.monitors()[0].taken

    def test_a_result_that_is_refused_is_taken_when_the_reason_is_gone(self, hall: Hall) -> None:
        hall.play()
        hall.net.cut()
        tray = hall.trays[1].tray
        ruling = WordRuled("zzz", Ruling.ALLOWED, "referee", hall.clock.monotonic())
        hall.until(lambda: tray.state.phase is Phase.FINISHED)
        tray.enter(ruling)
        hall.net.mend()
        hall.until(lambda: "allowed" in hall.monitors()[0].trouble)
        assert not hall.is_complete()
        tray.enter(replace(ruling, ruling=Ruling.CHALLENGED))
        hall.until(hall.is_complete)
        assert hall.monitors()[0].trouble == ""

    def test_who_moves_to_another_table_is_the_same_and_their_phone_is_known(
        self, hall: Hall
    ) -> None:
        hall.play()
        seat = hall.trays[1].tray.state.seats[0]
        hall.trays[1].tray.enter(PlayerJoined(seat.player, "key of their phone"))
        hall.until(hall.is_complete)
        hall.draw()
        hall.obeyed(hall.to.seat())
        seated = [each for tray in hall.trays.values() for each in tray.tray.state.seats]
        assert PlayerJoined(seat.player, "key of their phone") in seated
        coming = [tray.tray.state.coming for tray in hall.trays.values()]
        ids = {each.player: each.id for one in coming if one for each in one.seats}
        assert ids == {name: id_ for id_, name in ids_of(hall.event.look()).items()}


class TestStart:
    def test_who_was_not_drawn_does_not_start(self, hall: Hall) -> None:
        hall.draw()
        hall.obeyed(hall.to.seat())
        hall.obeyed(hall.to.prescribe(str(BOARD), SALT))
        (tray, right), *_ = hall.to.start(hall.clock.monotonic())
        other = replace(right, at=None, table=f"{right.table}+another")
        ids = hall.give([(tray, other)])
        hall.until(lambda: [each.outcome for each in hall.answers(ids)] == [Outcome.REFUSED])
        assert "older draw" in hall.answers(ids)[0].why
        hall.obeyed([(tray, replace(right, id="right", at=None))])

    def test_nobody_who_was_not_seated_starts(self) -> None:
        state = RoundState(RoundPlan(game("boggle"), (), 60.0))
        assert misseated("", state) == ""
        assert "nobody was seated" in misseated("1.1.1 e3", state)


class TestMonitor:
    def test_it_shows_the_phase_the_time_and_the_clock(self, hall: Hall) -> None:
        hall.play()
        one = hall.monitors()[0]
        assert (one.tray, one.online, one.simulated, one.table, one.round) == (
            "1",
            True,
            True,
            1,
            1,
        )
        assert one.phase == "running"
        assert one.left_s is not None
        assert 0 < one.left_s <= SAND_S
        assert one.skew is not None
        assert one.players == hall.event.look().state.rounds[0].tables[1]

    def test_it_shows_a_table_that_is_offline(self, hall: Hall) -> None:
        hall.turn(5)
        hall.trays[2].link._broker.stop()
        hall.turn(5)
        assert [each.online for each in hall.monitors()] == [True, False, True]

    def test_it_shows_faults_and_what_was_ordered(self, hall: Hall) -> None:
        hall.draw()
        hall.obeyed(hall.to.seat())
        hall.trays[3].tray.enter(DeviceFailed("no lid", "Mend it.", hall.clock.monotonic()))
        hall.turn(5)
        shown = {each.tray: each for each in hall.monitors()}
        assert shown["3"].fault == "no lid Mend it."
        assert shown["1"].order == "table_assigned: done"

    def test_a_desk_reads_it_from_the_database(self, hall: Hall) -> None:
        hall.turn(5)
        assert sorted(hall.base.shown()) == ["1", "2", "3"]
        assert '"online":true' in hall.base.shown()["1"]


class TestOrders:
    def test_extra_time_is_given_once(self, hall: Hall) -> None:
        hall.net.doubles, hall.net.loses = 0.5, 0.3
        hall.play()
        hall.obeyed([each for each in hall.to.extra_time(30.0) if each[0] == "1"])
        assert hall.trays[1].tray.state.extra_s == 30.0

    def test_what_is_announced_is_shown(self, hall: Hall) -> None:
        hall.draw()
        hall.obeyed(hall.to.announce("Lunch"))
        assert {tray.tray.state.announced for tray in hall.trays.values()} == {"Lunch"}

    def test_a_round_is_given_up_and_its_seats_with_it(self, hall: Hall) -> None:
        hall.play()
        hall.obeyed(hall.to.cancel())
        assert {tray.tray.state.phase for tray in hall.trays.values()} == {Phase.CANCELLED}
        ids = hall.give(hall.to.prescribe(str(BOARD), SALT))
        hall.until(lambda: len([a for a in hall.answers(ids) if a.outcome is Outcome.REFUSED]) == 3)

    def test_a_start_is_of_one_moment_whatever_the_tables_clocks_say(self, hall: Hall) -> None:
        hall.draw()
        hall.obeyed(hall.to.seat())
        hall.obeyed(hall.to.prescribe(str(BOARD), SALT))
        at = hall.clock.monotonic() + 20.0
        hall.obeyed(hall.to.start(at))
        ends = [tray.tray.state.ends_at for tray in hall.trays.values()]
        offsets = [each.skew.offset_s if each.skew else 0.0 for each in hall.monitors()]
        assert [end + off for end, off in zip(ends, offsets, strict=True) if end] == [
            pytest.approx(at + SAND_S)
        ] * 3

    def test_one_that_nobody_answers_is_given_up(self, hall: Hall) -> None:
        made = order("lost", Announced("Lunch", 0.0), hall.clock.monotonic() + 5.0)
        hall.base.give([("9", made)], 0.0)
        hall.turn(20, AGAIN_S)
        (answer,) = hall.answers({"lost"})
        assert (answer.outcome, answer.why) == (Outcome.LATE, "no answer came in time")


class TestOddities:
    def test_nonsense_is_counted_and_harms_nothing(self, hall: Hall) -> None:
        for what in OF_TRAY:
            hall.net.carry(topic("spring", "1", what), b"{]", retain=False)
        hall.play()
        hall.until(hall.is_complete)
        assert hall.station is not None
        assert hall.station.odd == len(OF_TRAY) - 1  # presence is no JSON
        hall.check()

    def test_what_is_no_table_is_neither_shown_nor_kept(self, hall: Hall) -> None:
        delivery = Delivery(Mark(), tuple(entries(1)))
        for ghost in ("abc", "station", "0", "07", "12345"):
            hall.net.carry(topic("spring", ghost, "status"), b"online", retain=False)
            hall.net.carry(topic("spring", ghost, "events"), told(delivery), retain=False)
        hall.turn(3)
        assert [each.tray for each in hall.monitors()] == ["1", "2", "3"]
        assert set(hall.base.heads()) <= {"1", "2", "3"}
        hall.check()

    def test_a_second_station_is_told_that_one_is_at_work(self, hall: Hall) -> None:
        @dataclass
        class Busy:
            """A clock during whose sleeps the station goes on."""

            def monotonic(self) -> float:
                return hall.clock.monotonic()

            def sleep(self, seconds: float) -> None:
                hall.turn(1, seconds)
                hall.turn()

        hall.turn(3)
        with pytest.raises(CommandError) as caught:
            check_alone(hall.base, Busy(), "spring")
        assert caught.value.complaint.kind == "station_running"
        assert caught.value.complaint.code is ExitCode.DEVICE_FAULT
        hall.station = None  # killed
        check_alone(hall.base, hall.clock, "spring")
        check_alone(hall.base, hall.clock, "spring")

    def test_a_tray_whose_log_was_lost_is_told_of(self, hall: Hall) -> None:
        other = entries(3, salt="other")
        hall.turn(5)
        hall.base.keep({"1": other}, {"1": Head(Mark(), Mark(3, other[2].hash))})
        hall.net.ends = [end for end in hall.net.ends if end.status != station_topic("spring")]
        hall.open_station()
        hall.draw()
        hall.give(hall.to.seat())
        hall.until(lambda: "another log" in hall.monitors()[0].trouble)

    def test_an_entry_of_a_later_version_is_told_of(self, hall: Hall) -> None:
        later = entries(1, kind="of_a_later_version")
        hall.base.keep({"8": later}, {"8": Head(Mark(), Mark(1, later[0].hash))})
        station = hall.open_station()
        shown = {each.tray: each for each in station.monitors()}
        assert shown["8"].phase == ""

    def test_two_stations_do_not_share_a_base(self, hall: Hall) -> None:
        two = entries(2)
        head = {"1": Head(Mark(), Mark(2, two[1].hash))}
        hall.base.keep({"1": two}, head)
        with pytest.raises(StorageError, match="another station"):
            hall.base.keep({"1": two}, head)
        assert hall.base.count() == 2


class TestBase:
    def test_what_is_kept_is_there(self, hall: Hall) -> None:
        kept: list[Entry] = entries(5)
        head = Head(Mark(0), Mark(5, kept[4].hash))
        hall.base.keep({"7": kept[:3]}, {"7": Head(Mark(), Mark(3, kept[2].hash))})
        hall.base.keep({"7": kept[3:]}, {"7": head})
        assert hall.base.entries("7", 1) == kept
        assert hall.base.heads()["7"] == head

    def test_rounds_that_were_folded_are_not_folded_again(self, hall: Hall) -> None:
        kept = entries(3)
        kept = [replace(entry, round=number) for number, entry in enumerate(kept, 1)]
        hall.base.keep({"7": kept}, {"7": Head(Mark(), Mark(3, ""))})
        hall.base.folded({("7", 1): 1, ("7", 3): 3})
        assert hall.base.unfolded() == [("7", 2), ("7", 3)]

    def test_a_final_answer_stays(self, hall: Hall) -> None:
        hall.base.give([("1", order("a", ExtraTime(1.0, 0.0), 1.0))], 0.0)
        for outcome in (Outcome.PLANNED, Outcome.DONE, Outcome.LATE):
            hall.base.answer([Answer("a", outcome, "", 1.0)])
        assert hall.answers({"a"})[0].outcome is Outcome.DONE

    @pytest.mark.parametrize(
        "url", ["mysql://x/y", "sqlite:", "nonsense", "postgresql://host:port/x"]
    )
    def test_what_is_no_database_is_refused(self, url: str) -> None:
        with pytest.raises(CommandError), open_base(url, "spring"):
            pass

    @pytest.mark.usefixtures("hall")
    def test_each_tournament_has_one_of_its_own(self, tmp_path: Path) -> None:
        with (
            pytest.raises(CommandError, match="spring"),
            open_base(f"sqlite:{tmp_path / 'station.db'}", "autumn"),
        ):
            pass

    def test_a_database_that_is_gone_is_told(self, tmp_path: Path) -> None:
        url = f"sqlite:{tmp_path / 'nowhere' / 'station.db'}"
        with pytest.raises(StorageError, match="nowhere"), open_base(url, "spring"):
            pass


def before_lists(log: Log) -> Log:
    """An event as it was before anybody handed in a list."""
    kept = [each.event for each in log.entries if each.event["type"] not in {"lists", "scores"}]
    return Log.new(log.plan).play(0.0, *kept)


class TestResults:
    @pytest.fixture
    def found(self, hall: Hall) -> tuple[Log, TableResult]:
        hall.play()
        hall.until(lambda: hall.trays[1].tray.state.phase is Phase.FINISHED)
        result = result_of(hall.trays[1].tray.state)
        assert result is not None
        return hall.event.look(), result

    def test_what_is_there_already_makes_no_event(self, found: tuple[Log, TableResult]) -> None:
        log, result = found
        names = ids_of(log)
        events = events_of(log, result, names)
        assert [event["type"] for event in events] in (["lists"], [])
        assert events_of(log.play(0.0, *events), result, names) == []

    def test_a_list_that_has_changed_comes_with_a_reason(
        self, found: tuple[Log, TableResult]
    ) -> None:
        log, result = found
        names = ids_of(log)
        log = log.play(0.0, *events_of(log, result, names))
        id_ = next(iter(result.lists))
        changed = replace(result, lists={**result.lists, id_: ("another",)})
        (event,) = events_of(log, changed, names)
        assert (event["lists"], event["why"]) == ({names[id_]: ["another"]}, CORRECTED)

    def test_what_the_desk_corrected_stands_until_the_table_changes(
        self, found: tuple[Log, TableResult]
    ) -> None:
        log, result = found
        names = ids_of(log)
        log = log.play(0.0, *events_of(log, result, names))
        id_, place = next(iter(result.lists)), result.place
        where = {"round": place.round, "board": place.board, "table": place.table}
        mended = {"type": "lists", **where, "lists": {names[id_]: ["tee"]}, "why": "on paper"}
        log = log.play(1.0, mended)
        assert events_of(log, result, names) == []
        changed = replace(result, lists={**result.lists, id_: ("another",)})
        with pytest.raises(RuleError) as error:
            events_of(log, changed, names)
        assert error.value.kind == "corrected"

    def test_a_board_that_its_table_corrected_comes_with_a_reason_and_new_scores(
        self, hall: Hall
    ) -> None:
        log, result, misread = shaken(hall)
        (event,) = events_of(log, result, ids_of(log))
        assert (event["shown"], event["why"]) == (result.board, CORRECTED)
        after = log.play(2.0, event)
        assert (result.place.board, result.place.table) not in after.state.rounds[-1].scores
        assert events_of(after, result, ids_of(log)) == []
        (taken_back,) = events_of(after, misread, ids_of(log))
        assert taken_back["shown"] == misread.board

    def test_a_board_that_the_desk_corrected_stands_until_the_table_corrects_it_too(
        self, hall: Hall
    ) -> None:
        log, result, misread = shaken(hall)
        place = result.place
        where = {"round": place.round, "board": place.board, "table": place.table}
        shown = {"type": "board", **where, "shown": "ABCD/EFGH/IJKL/MNOP", "photo": misread.photo}
        log = log.play(3.0, shown | {"why": "seen on the photo"})
        assert events_of(log, misread, ids_of(log)) == []
        with pytest.raises(RuleError) as error:
            events_of(log, result, ids_of(log))
        assert error.value.kind == "corrected"

    @pytest.mark.usefixtures("found")
    def test_the_result_of_a_table_has_the_board_that_its_referee_corrected(
        self, hall: Hall
    ) -> None:
        state = hall.trays[1].tray.state
        photo = Path(f"tray-{'a' * 64}.jpg")
        read = replace(state, reading=make_reading(), photo=photo)
        was = BOARD.faces[0][0]
        misread = CellCorrected((0, 0), was, "Z", "worn", "referee", hall.clock.monotonic())
        before, after = result_of(read), result_of(step(read, misread)[0])
        assert before is not None
        assert after is not None
        assert (before.photo, after.photo) == ("a" * 64, "a" * 64)
        assert after.board == str(BOARD).replace(was, "Z", 1)

    def test_another_shake_is_no_correction(self, hall: Hall) -> None:
        log, result, _ = shaken(hall)
        with pytest.raises(RuleError) as error:
            events_of(log, replace(result, photo="f" * 64), ids_of(log))
        assert error.value.kind == "other_board"

    def test_a_first_score_is_no_correction(self, found: tuple[Log, TableResult]) -> None:
        log, _ = found
        scores = [entry.event for entry in log.entries if entry.event["type"] == "scores"]
        assert all("why" not in event for event in scores)

    def test_a_list_that_stays_on_paper_is_not_an_empty_one(self, hall: Hall) -> None:
        hall.play()
        hall.until(lambda: hall.trays[1].tray.state.phase is Phase.FINISHED)
        state = hall.trays[1].tray.state
        first, *others = [seat.player for seat in state.assigned.seats] if state.assigned else []
        on_paper = tuple(replace(s, on_paper=s.player == first) for s in state.seats)
        typed = {**dict.fromkeys(others, parse_word_list("toe")), first: ()}
        closed = replace(state, seats=on_paper, lists=MappingProxyType(typed))
        nobody = replace(state, seats=(), lists=MappingProxyType({}))
        assert (unread_of(closed), unread_of(nobody)) == ((first,), (first, *others))
        result = result_of(closed)
        assert result is not None
        log, names = hall.event.look(), ids_of(hall.event.log)
        bare = before_lists(log)
        with pytest.raises(RuleError, match=f"list of {first} has not been read") as raised:
            events_of(bare, result, names)
        assert raised.value.kind == "unread"
        place = {"round": 1, "board": 1, "table": 1}
        entered = {first: ["hey"], **{name: ["toe"] for name in others}}
        bare = bare.play(9.0, {"type": "lists", **place, "lists": entered})
        assert events_of(bare, result, names) == []

    def test_what_does_not_belong_here_is_refused(self, found: tuple[Log, TableResult]) -> None:
        log, result = found
        place = result.place
        others = (Seat("e99", "stranger"), *place.seats[1:])
        for wrong, kind in [
            (replace(result, open=2), "doubtful"),
            (replace(result, allowed=("zzz",)), "allowed"),
            (replace(result, board="ABCD/EFGH/IJKL/MNOP"), "other_board"),
            (replace(result, place=replace(place, round=9)), "round"),
            (replace(result, place=replace(place, event="Autumn")), "round"),
            (replace(result, place=replace(place, seats=others)), "seats"),
        ]:
            with pytest.raises(RuleError) as raised:
                events_of(log, wrong, ids_of(log))
            assert raised.value.kind == kind


def shaken(hall: Hall) -> tuple[Log, TableResult, TableResult]:
    """A tournament that has a result of a tray's own shake; it corrected, and as it was misread."""
    hall.draw(promised=False)
    log = hall.event.look()
    place = assignments(log, len(log.state.rounds), 1, {})[1]
    lists: dict[str, tuple[str, ...]] = {seat.id: ("tee",) for seat in place.seats}
    misread = TableResult(place, str(BOARD), "a" * 64, lists, (), {}, (), (), 0)
    log = log.play(1.0, *events_of(log, misread, ids_of(log)))
    mended = Board.from_faces([["Z", *BOARD.faces[0][1:]], *BOARD.faces[1:]])
    return log, replace(misread, board=str(mended)), misread


def test_a_held_event_sees_what_others_have_done(hall: Hall) -> None:
    with tournaments.opened("spring", 5.0) as event:
        event.play({"type": "withdraw", "player": "player 1"})
    with hall.event.opened(6.0) as event:
        event.play({"type": "withdraw", "player": "player 2"})
    assert len(tournaments.load("spring").state.active("main")) == 7
    assert hall.event.log == tournaments.load("spring")
