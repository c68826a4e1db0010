"""A match of WorldWinner Boggle on simulated devices, and people who type it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from rich.console import Console

from firmware_host import lexicons, matches
from firmware_host.cli.worldwinner import TerminalPlayers, TrayWitness, show_match, tiles_text
from firmware_host.errors import CommandError, ExitCode
from firmware_host.matches import last_moment
from firmware_host.photos import PhotoFolder, Pictures
from firmware_host.presses import Press, listen
from firmware_host.rounds import (
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    Event,
    Phase,
    RoundState,
    TrayRead,
    step,
)
from firmware_host.tray import Tray
from firmware_host.worldwinner import Played, load, open_rules, play_match, sitting
from firmware_host.worldwinner_documents import Possible, match_document
from hardware.clock import ManualClock
from hardware.devices import Photo
from hardware.simulated import Call, Faces, Fault, SimulatedDevices, simulated_devices
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.match import MatchError
from scoring.worldwinner.game import WorldWinner
from scoring.worldwinner.match import Plan
from scoring.worldwinner.tiles import Bonus, Tiles
from vision.errors import NoTrayError
from vision.reading import TrayReading

if TYPE_CHECKING:
    from firmware_host.simulation import Simulation

BOARD = Board.parse("CAT/ACS/TS#")
LEXICON = Lexicon.from_words("few", ["cat", "cats", "sat", "at"])
MakeReading = Callable[..., TrayReading]
Done = str | Callable[[], object] | None


class Lines:
    """Lines that are typed one a second; `PAUSE` is a second without one, and a call is made."""

    PAUSE = None

    def __init__(self, clock: ManualClock, lines: Iterable[Done]) -> None:
        self._clock = clock
        self._lines = list(lines)
        self._presses: list[Press] = []
        self.dropped = 0

    def hear(self, press: Press) -> None:
        self._presses.append(press)

    def next_line(self, timeout: float | None) -> str | Press | None:
        assert timeout is None or timeout > 0
        self._clock.sleep(1.0)
        done = self._lines.pop(0) if self._lines else None
        if callable(done):
            done()
            return self.pressed()
        return done

    def pressed(self) -> Press | None:
        return self._presses.pop(0) if self._presses else None

    @property
    def ended(self) -> bool:
        return not self._lines

    def drop_typed(self) -> None:
        self.dropped += 1

    def put_back(self, line: str) -> bool:
        self._lines.insert(0, line)
        return True


class Confirming:
    """Somebody who settles doubtful cells, and remembers how the tray was laid out."""

    def __init__(self) -> None:
        self.seen: list[tuple[Phase, Event]] = []

    def watch(self, state: RoundState, event: Event) -> None:
        self.seen.append((state.phase, event))

    def next_event(self, state: RoundState) -> Event:
        cell = state.unconfirmed[0]
        return CellConfirmed(cell, BOARD[cell])

    def meanwhile(self, _state: RoundState) -> Event | None:
        return None


def render(faces: Faces, number: int) -> Photo:
    """A picture with edges, so that motion shows; nobody reads it."""
    assert faces == BOARD.faces
    rng = np.random.default_rng(number)
    return np.kron(rng.integers(60, 255, (12, 16, 1)), np.ones((20, 20, 3))).astype(np.uint8)


class Table:
    """A tray, people who type, and what they see."""

    def __init__(self, folder: Path, read: Callable[[Photo], TrayReading]) -> None:
        self.clock = ManualClock()
        self.calls: list[Call] = []
        self.seen = io.StringIO()
        self.console = Console(file=self.seen, width=200, highlight=False)
        self._photos = PhotoFolder(folder)
        self._read = read
        self._sat = False
        self.switch_on()

    def switch_on(self) -> None:
        """Open the devices, which every sitting closes."""
        self.devices: SimulatedDevices = simulated_devices(
            lambda: BOARD.faces, render, self.clock, self.calls.append
        )
        self.tray = Tray(self.devices, self.clock, self._read, self._photos, LEXICON)

    def play(
        self,
        *lines: Done,
        players: tuple[str, ...] = ("ada",),
        name: str | None = None,
        people: Confirming | None = None,
    ) -> Played:
        """Play a match, or go on with the one of this name, until the lines are at their end."""
        offer = WorldWinner(Plan(players, LEXICON, seed=3, seconds=20.0), "few", "new_4x4")
        now, typed = self.clock.monotonic, Lines(self.clock, lines)
        self.typed = typed
        typists = TerminalPlayers(self.console, typed, now, may_leave=name is not None)
        if self._sat:
            self.switch_on()
        self._sat = True
        listen(self.devices.button, self.clock, typed.hear)
        with sitting(name, offer) as log:
            return play_match(log, self.tray, people or Confirming(), typists)


@pytest.fixture
def table(tmp_path: Path, reading: MakeReading) -> Table:
    return Table(tmp_path, lambda _: reading(BOARD))


def test_a_match_of_two_is_played_round_by_round(table: Table) -> None:
    turns = ["", "cat", ".", "", "cats", "."]
    played = table.play(*turns * 3, players=("ada", "ben"))
    match = played.match
    assert match.over
    assert match.winners == ("ben",)
    assert [[*current.turns] for current in match.rounds] == [["ada", "ben"]] * 3
    assert len(played.readings) == 3
    assert not table.devices.lamp.lit


def test_what_was_typed_before_a_clock_is_offered_starts_none(kept: Table) -> None:
    kept.play("", "cat", ".", players=("ada", "ben"), name="m")
    offered, ended = 2, 1
    assert kept.typed.dropped == offered + ended


def test_paths_are_played_as_they_are_typed(table: Table) -> None:
    first = table.play("", "A1→→", "b2 b1 c1", "A1 B1").match.rounds[0].turns["ada"]
    assert [payment.score.path for payment in first.payments] == [
        ((0, 0), (0, 1), (0, 2)),
        ((1, 1), (0, 1), (0, 2)),
    ]
    assert "“ca” is not in the word list few" in table.seen.getvalue()


def test_the_turn_ends_when_its_time_is_over(table: Table) -> None:
    typed = [Lines.PAUSE] * 18
    match = table.play("", "at", *typed, "sat", "", ".", "", "cat", ".").match
    assert [payment.score.word for payment in match.rounds[0].turns["ada"].payments] == ["at"]
    said = table.seen.getvalue()
    assert "the time on ada's clock of round 1 is over" in said


def test_a_word_that_comes_after_its_round_is_one_of_the_wrong_round(table: Table) -> None:
    match = table.play("", "cat", ".", "sat", "", ".", "", ".").match
    said = table.seen.getvalue()
    assert "round 2 is being played, and this was for round 1" in said
    assert not match.rounds[1].turns["ada"].payments


def test_a_word_before_the_start_is_refused(table: Table) -> None:
    table.play("cat", ".", "", "at")
    assert "ada's clock of round 1 has not been started" in table.seen.getvalue()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("a1 b1 a1", "A1 (C) is in the word already: no tile may be selected twice"),
        ("A1 C1", "C1 does not touch A1: each tile must lie beside the one before it"),
        ("A1↑", "there is no A0 on a board of 3×3"),
        ("B3→", "C3 shows no letter"),
        ("c", "“c” has 1 letter: a word has 2 at least"),
        ("tac", "“tac” is not in the word list few"),
        ("dog", "no way from tile to tile spells “dog”"),
        ("B1 and C1", "is no path: write it as B1→↘"),
    ],
)
def test_what_is_not_allowed_is_told_with_its_rule(table: Table, typed: str, said: str) -> None:
    match = table.play("", typed, "at").match
    assert said in table.seen.getvalue()
    assert match.totals == {"ada": 2}


def test_when_the_input_has_ended_nobody_waits_for_the_clock(table: Table) -> None:
    match = table.play("", "cat").match
    assert match.over
    assert match.totals == {"ada": 5}
    assert table.clock.monotonic() < 60


def test_the_tray_shows_the_time_and_plays_the_signals(table: Table) -> None:
    table.play("", *[Lines.PAUSE] * 21, "", ".", "", ".")
    tunes = [
        call.args[0] for call in table.calls if (call.device, call.action) == ("buzzer", "play")
    ]
    assert tunes[:3] == ["start", "ten_seconds", "end"]
    sand = [
        call.args[0] for call in table.calls if (call.device, call.action) == ("sand_timer", "show")
    ]
    assert sand[2:5] == pytest.approx([1.0, 0.95, 0.9])  # it is filled before, and before a turn
    assert table.devices.sand_timer.left is None


def test_the_buttons_start_and_end_the_turns_as_the_display_says(table: Table) -> None:
    button, shown = table.devices.button, table.devices.display
    told: list[tuple[str, ...]] = []

    def press() -> None:
        told.append(shown.lines)
        button.press()

    def hold() -> None:
        told.append(shown.lines)
        button.hold()

    turns: list[Done] = [press, "cat", hold, press, "at", lambda: button.act("done")]
    match = table.play(*turns, players=("ada", "ben")).match
    assert told == [
        ("Ready: ada", "Press to start"),
        ("ada 5", "19 s", "Hold: done"),
        ("Ready: ben", "Press to start"),
    ]
    assert match.totals == {"ada": 5, "ben": 2}


def test_presses_that_mean_nothing_in_a_match_change_nothing(table: Table) -> None:
    button = table.devices.button
    idle = [button.hold, lambda: button.act("pause")]
    match = table.play(*idle, "", button.press, *idle[1:], "cat", ".").match
    assert match.totals == {"ada": 5}


def test_a_real_motor_does_not_run_for_the_next_board_unasked(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Phase] = []

    class Asking(Confirming):
        def next_event(self, state: RoundState) -> Event:
            asked.append(state.phase)
            assert table.devices.display.lines == ("Press to shake",)
            return ButtonPressed(table.clock.monotonic())

    monkeypatch.setattr(table.devices.shaker, "simulated", False)
    assert len(table.play(*["", "."] * 3, people=Asking()).readings) == 3
    assert asked == [Phase.IDLE, Phase.IDLE]


def test_who_gives_up_while_the_board_is_laid_out_leaves_the_match_as_it_is(kept: Table) -> None:
    class Leaving(Confirming):
        def meanwhile(self, state: RoundState) -> Event | None:
            return Cancelled() if state.phase is Phase.SHAKING else None

    played = kept.play("", people=Leaving(), name="m")
    assert (played.readings, played.match.rounds) == ((), ())
    assert kept.play("", "cat", name="m").match.totals == {"ada": 5}


def test_a_tray_that_cannot_be_read_ends_the_match(tmp_path: Path) -> None:
    def read(_: Photo) -> TrayReading:
        raise NoTrayError("no tray was found", "Look whether the lamp is lit.")

    table = Table(tmp_path, read)
    with pytest.raises(CommandError) as ended:
        table.play("", "cat")
    assert ended.value.complaint.code is ExitCode.DEVICE_FAULT
    assert ended.value.complaint.advice == "Look whether the lamp is lit."
    assert not table.devices.lamp.lit


@pytest.mark.parametrize("device", ["shaker", "camera", "sand_timer", "buzzer", "display"])
def test_a_failing_device_ends_the_match_with_the_lamp_off(table: Table, device: str) -> None:
    getattr(table.devices, device).fail(Fault())
    with pytest.raises(CommandError) as ended:
        table.play("", "cat")
    assert ended.value.complaint.kind == "fault"
    assert not table.devices.lamp.lit


def test_a_doubtful_cube_is_confirmed_before_the_round(
    tmp_path: Path, reading: MakeReading
) -> None:
    wrong = Board.parse("GAT/ACS/TS#")
    table = Table(tmp_path, lambda _: reading(wrong, doubtful=[(0, 0)]))
    assert table.play("", "A1→→").match.rounds[0].tiles.board == BOARD


def test_a_witness_says_what_lies_in_the_tray_where_a_cube_is_doubtful(
    table: Table, reading: MakeReading, ready: RoundState
) -> None:
    read = TrayRead(reading(Board.parse("GAT/ACS/TS#"), doubtful=[(0, 0)]), Path("photo.jpg"))
    doubtful, _ = step(replace(ready, phase=Phase.READING), read)
    simulation = cast("Simulation", SimpleNamespace(board=BOARD, pictures=Pictures(Path())))
    witness = TrayWitness(simulation, table.console, Confirming())
    answer = witness.next_event(doubtful)
    assert answer == CellConfirmed((0, 0), "C")
    settled, _ = step(doubtful, answer)
    witness.watch(settled, answer)
    assert settled.board == BOARD
    assert witness.meanwhile(settled) is None
    assert "A1 is confirmed as C" in table.seen.getvalue()


def test_document_and_tables_tell_the_same(table: Table) -> None:
    played = table.play("", "cat", "A1→→", "cats", ".", "", ".", "", ".")
    possible = tuple(Possible.of(current, LEXICON) for current in played.match.rounds)
    document = match_document(played.match, possible)
    first = document["rounds"][0]
    assert first["possible"] == {"points": 2 + 3 + 5 + 6, "count": 4}
    assert [entry["word"] for entry in first["best_missed"]] == ["sat", "at"]
    (ada,) = first["players"]
    assert ada["points"] == sum(word["points"] for word in ada["words"]) == 11
    assert [word["explanation"][-1] for word in ada["words"]] == ["paid: 5", "paid: 0", "paid: 6"]
    assert len(ada["unused"]) == 8 - 4
    assert document["players"] == [{"name": "ada", "points": 11, "rounds": [11, 0, 0]}]
    show_match(table.console, played.match, possible, 0.0, explain=True)
    said = table.seen.getvalue()
    assert "11 + 0 + 0 = 11 points" in said
    assert "Winner: ada" in said
    assert "tiles: C 3 + A 1 + T 1 + S 1 = 6" in said


@pytest.fixture
def kept(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose matches are kept in a folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(lexicons, "load", {"few": LEXICON}.__getitem__)
    return table


ALL_LINES = ["", "cat", "A1→→", ".", "", "cats", ".", "", ".", "", "at", "cats", ".", "", "."]
ALL_LINES += ["", "sat", "."]


@pytest.mark.parametrize("left_after", range(0, len(ALL_LINES), 2))
def test_two_sittings_make_the_match_that_one_makes(kept: Table, left_after: int) -> None:
    pair = ("ada", "ben")
    first = kept.play(*ALL_LINES[:left_after], players=pair, name="two")
    assert not first.match.over
    second = kept.play(*ALL_LINES[left_after:], name="two")
    whole = kept.play(*ALL_LINES, players=pair)
    assert len(first.readings) + len(second.readings) == 3
    assert second.match.over
    assert second.match.totals == whole.match.totals
    possible = tuple(Possible.of(played, LEXICON) for played in whole.match.rounds)
    assert match_document(second.match, possible) == match_document(whole.match, possible)
    assert load("two", 0.0).state == second.match


def test_a_clock_that_was_started_runs_on_while_nobody_plays(kept: Table) -> None:
    started = kept.play("", "cat", name="m").match.rounds[0].turns["ada"].ends_at
    assert started is not None
    kept.clock.sleep(started - 5.0 - kept.clock.monotonic())
    match = kept.play("at", name="m").match
    assert "ada, 5 s: type a word" in kept.seen.getvalue()
    assert match.rounds[0].turns["ada"].ends_at == started
    assert match.totals == {"ada": 5 + 2}


def test_time_that_ran_out_while_nobody_played_ends_the_turn(kept: Table) -> None:
    kept.play("", "cat", name="m")
    kept.clock.sleep(60.0)
    match = kept.play("at", name="m").match
    assert match.rounds[0].turns["ada"].ended
    assert [payment.score.word for payment in match.rounds[0].turns["ada"].payments] == ["cat"]
    assert "Round 1 is over for ada: 5 points." in kept.seen.getvalue()
    assert kept.seen.getvalue().count("type a word") == 1


def test_between_two_turns_no_time_passes(kept: Table) -> None:
    kept.play("", ".", players=("ada", "ben"), name="m")
    kept.clock.sleep(10_000.0)
    match = kept.play("", "cat", ".", name="m").match
    assert match.totals == {"ada": 0, "ben": 5}


def test_who_looks_sees_that_the_time_is_over_and_changes_nothing(kept: Table) -> None:
    played = kept.play("", "cat", name="m").match
    ends_at = played.rounds[0].turns["ada"].ends_at or 0.0
    assert load("m", ends_at - 1).state == played
    assert load("m", ends_at).state.finished
    assert load("m", ends_at - 1).state == played


def test_only_ticks_that_end_a_turn_are_kept(kept: Table) -> None:
    kept.play("", "at", "dog", *[Lines.PAUSE] * 18, "", "cat", name="m")
    log = load("m", 0.0).log
    assert [event["type"] for event in log] == [
        "deal",
        "start",
        "play_word",
        "tick",
        "deal",
        "start",
        "play_word",
    ]
    assert last_moment(load("m", 0.0)) == log[-1]["at"]


def test_a_match_without_events_has_no_last_moment(kept: Table) -> None:
    rules = WorldWinner(Plan(("ada",), LEXICON, seed=3), "few", "new_4x4")
    with sitting("m", rules) as log:
        assert last_moment(log.match) == 0.0
    assert kept.play("", "cat", name="m").match.totals == {"ada": 5}


def test_every_event_is_kept_before_the_next_is_awaited(kept: Table) -> None:
    class UnpluggedError(Exception):
        """The plug was pulled."""

    class Pulling(Lines):
        def next_line(self, timeout: float | None) -> str | Press | None:
            if self.ended:
                raise UnpluggedError
            return super().next_line(timeout)

    offer = WorldWinner(Plan(("ada",), LEXICON, seed=3, seconds=20.0), "few", "new_4x4")
    people = TerminalPlayers(
        kept.console, Pulling(kept.clock, ["", "cat"]), kept.clock.monotonic, may_leave=True
    )
    with pytest.raises(UnpluggedError), sitting("m", offer) as log:
        play_match(log, kept.tray, Confirming(), people)
    assert load("m", 0.0).state.totals == {"ada": 5}
    assert not kept.devices.lamp.lit
    kept.switch_on()
    assert kept.play("at", name="m").match.totals == {"ada": 7}


def test_a_match_that_is_over_is_not_gone_on_with(kept: Table) -> None:
    assert kept.play(*["", "cat", "."] * 3, name="m").match.over
    with pytest.raises(CommandError) as caught:
        kept.play("", name="m")
    assert caught.value.complaint.kind == "match_over"


def test_a_match_that_is_being_played_is_not_played_twice(kept: Table) -> None:
    kept.play("", name="m")
    with matches.held("m", open_rules), pytest.raises(CommandError) as caught:
        kept.play("cat", name="m")
    assert caught.value.complaint.kind == "match_in_play"


def test_matches_of_other_games_and_damaged_setups_are_refused() -> None:
    with pytest.raises(MatchError, match="'swoggle', not of WorldWinner Boggle"):
        open_rules("swoggle", {})
    for setup in ({}, {"players": ["ada"], "seconds": 9.0, "seed": 1, "qu_value": 11}):
        with pytest.raises(MatchError, match="damaged"):
            open_rules("worldwinner", setup)


def test_tiles_are_drawn_with_value_bonus_and_dot() -> None:
    tiles = Tiles(Board.parse("AQu/#_"), {(0, 1): Bonus.TW})
    drawn = io.StringIO()
    Console(file=drawn, width=80).print(tiles_text(tiles, used=[(0, 0), (0, 1)]))
    assert [line.rstrip() for line in drawn.getvalue().splitlines()] == [
        "        A       B",
        "    ┌───────┬───────┐",
        "  1 │  A 1  │ Qu 11 │",
        "    │   •   │  TW • │",
        "    ├───────┼───────┤",
        "  2 │   #   │   _   │",
        "    │       │       │",
        "    └───────┴───────┘",
    ]
