"""``wordtray play --game worldwinner``: a match at the tray and in the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli.draw import names_text, points
from firmware_host.cli.ears import Heard, ears_at
from firmware_host.cli.narrate import Narrator
from firmware_host.cli.output import Output, shown
from firmware_host.cli.rounds import (
    Seat,
    announce_game,
    known_of,
    machine_tray,
    settings_of,
    simulated_tray,
    talk_of,
    tell_faults,
)
from firmware_host.cli.table import TerminalTable
from firmware_host.errors import wrong_use
from firmware_host.presses import Press
from hardware.devices import PRESS
from scoring.board import Cell
from scoring.notation import PathError, parse_path, path_text
from scoring.worldwinner.events import EndTurn, Event, PlayPath, PlayWord, Start, Tick

if TYPE_CHECKING:
    from firmware_host import play
    from firmware_host.photos import Pictures
    from firmware_host.rounds import Event as RoundEvent
    from firmware_host.rounds import RoundState
    from firmware_host.simulation import Simulation
    from firmware_host.worldwinner import Played
    from firmware_host.worldwinner_documents import Possible
    from hardware.clock import Clock
    from scoring.match import RuleError, Setup
    from scoring.worldwinner.match import Match, Payment, Round, Turn
    from scoring.worldwinner.tiles import Tiles

TICK_S = 0.2

_OPTIONS = {
    "players": ("players", "--player"),
    "lexicon": ("lexicon", "--lexicon"),
    "seed": ("seed", "--seed"),
    "seconds": ("timer", "--seconds"),
    "qu_value": ("qu_value", "--qu"),
    "cubes": ("cubes", "--cubes"),
}
"""For each part of the setup the parameter of the command, and the option as it is written."""

GIVE_UP = "."
"""The line that gives up the rest of a round: no word."""

_WIDTH = 7
"""Signs of a tile as it is drawn."""


@dataclass(frozen=True)
class MatchTray:
    """A tray that a match is played on.

    Attributes:
        seat: the tray.
        pictures: its photos, for people to look at.
        known: what a document says of it.
        shake_s: length of a shake in seconds.
        simulation: the same tray where it is simulated, which knows what lies in it.
    """

    seat: Seat
    pictures: Pictures
    known: dict[str, Any]
    shake_s: float
    simulation: Simulation | None = None


OpenTray = Callable[["Match", str, "Clock"], AbstractContextManager[MatchTray]]
"""Opens the tray for a match as it stands, with cubes of an edition."""


def simulated(output: Output, pictures: Path, faults: Sequence[str]) -> OpenTray:
    """A simulated tray; arguments as of `firmware_host.cli.rounds.play_simulated`."""
    from firmware_host.worldwinner import SHAKE_S

    @contextmanager
    def opened(match: Match, cubes: str, clock: Clock) -> Iterator[MatchTray]:
        simulation = simulated_tray(
            talk_of(output),
            cubes,
            match.plan.seed,
            match.plan.lexicon,
            pictures,
            clock=clock,
            shakes=len(match.rounds),
            faults=faults,
        )
        with simulation.devices:
            known = known_of(simulation)
            yield MatchTray(simulation, simulation.pictures, known, SHAKE_S, simulation)

    return opened


def real(output: Output, pictures: Path, settings_file: Path | None) -> OpenTray:
    """The tray of this machine; arguments as of `firmware_host.cli.rounds.play_real`."""
    from firmware_host.photos import PhotoFolder, Pictures

    settings = settings_of(settings_file)
    shake_s, photos = settings.shaker.shake_s, PhotoFolder(pictures)

    @contextmanager
    def opened(match: Match, cubes: str, clock: Clock) -> Iterator[MatchTray]:
        words = match.plan.lexicon
        with machine_tray(output, settings, cubes, words, clock=clock, photos=photos) as (
            machine,
            known,
        ):
            yield MatchTray(machine, Pictures(pictures), known, shake_s)

    return opened


def play_worldwinner(
    output: Output,
    open_tray: OpenTray,
    *,
    cubes: str,
    seed: int | None,
    lexicon: str,
    players: tuple[str, ...],
    seconds: float | None,
    qu_value: int | None,
    explain: bool,
    name: str | None,
    given: Collection[str],
) -> None:
    """Play a match on a tray, tell it and show its result.

    A match that is gone on with is played as it was begun.

    Args:
        output: the command's streams.
        open_tray: opens the tray.
        cubes: name of the edition.
        seed: of everything made up, the places of the bonus tiles too; None draws one.
        lexicon: name or file of the word list.
        players: who plays, one after the other in each round.
        seconds: length of a round; None is the game's own.
        qu_value: what Qu is worth; None is the game's own.
        explain: show how each word's points come about.
        name: what the match is kept under; None keeps it nowhere.
        given: the options that somebody wrote; the rest are values that nobody named.

    Raises:
        CommandError: a device failed, the tray cannot be read, or the match cannot be gone on with.
        DeviceError: a part of the tray cannot be opened.
        MatchError, OSError: the kept match cannot be read, or written.
    """
    from firmware_host import lexicons, matches, worldwinner
    from hardware.clock import WallClock
    from scoring.rules.worldwinner import GAME
    from scoring.worldwinner.game import WorldWinner
    from scoring.worldwinner.match import Plan
    from scoring.worldwinner.tiles import QU_VALUE

    plan = Plan(
        players,
        lexicons.load(lexicon),
        random.randrange(10**6) if seed is None else seed,
        GAME.timer_s if seconds is None else seconds,
        qu_value or QU_VALUE,
    )
    offer = WorldWinner(plan, lexicons.listed_as(lexicon), cubes)
    with worldwinner.sitting(name, offer) as log:
        setup, begun = log.match.rules.setup, log.match.state
        _check_agreed(name, setup, offer.setup, given)
        clock = WallClock(matches.last_moment(log.match))
        with open_tray(begun, setup["cubes"], clock) as tray:
            announce_game(talk_of(output), GAME, tray.seat.cubes)
            if log.match.events:
                now = clock.monotonic()
                talk_of(output).print(f"The match {name} goes on. {next_text(begun, now)}")
            table, people = _people(output, tray, name)
            played = worldwinner.play_match(log, tray.seat.tray, table, people, tray.shake_s)
            _tell_played(output, name, tray, played, explain=explain)


def _people(
    output: Output, tray: MatchTray, name: str | None
) -> tuple[play.Table, TerminalPlayers]:
    """Those at the terminal, who lay the board out and play; a witness for a script."""
    talk, clock = talk_of(output), tray.seat.clock
    heard = ears_at(tray.seat.tray.devices.button, clock)
    way_on = "go on with the same command" if name else "play again"
    table = TerminalTable(clock, talk, heard, tray.pictures, way_on)
    people = TerminalPlayers(talk, heard, clock.monotonic, may_leave=name is not None)
    if tray.simulation is None or sys.stdin.isatty():
        return table, people
    return TrayWitness(tray.simulation, talk, table), people


def _tell_played(
    output: Output, name: str | None, tray: MatchTray, played: Played, *, explain: bool
) -> None:
    from firmware_host.worldwinner_documents import match_document, next_document, possible_of

    match, at = played.match, tray.seat.clock.monotonic()
    possible = possible_of(match)
    kept = {"match": name} | next_document(match, at) if name else {}
    photos = {"photos": [str(state.photo) for state in played.readings]}

    def show(out: Console) -> None:
        show_match(out, match, possible, at, explain=explain)
        if not match.over and name:
            simulate = "--simulate " if tray.simulation else ""
            out.print(f"Go on: wordtray play --game worldwinner {simulate}--match {name}")

    document = match_document(match, possible)
    output.document(document | kept | tray.known | photos, show)
    tell_faults(talk_of(output), tray.known)


def _check_agreed(name: str | None, setup: Setup, offered: Setup, given: Collection[str]) -> None:
    begun = [
        _as_written(option, setup[key])
        for key, (parameter, option) in _OPTIONS.items()
        if parameter in given and setup[key] != offered[key]
    ]
    if begun:
        message = f"the match {name} was begun with {' and '.join(begun)}"
        raise wrong_use(
            "other_options", message, "Leave those options out: it goes on as it was begun."
        )


def _as_written(option: str, value: object) -> str:
    """``--seconds 90``; an option that is given several times as often."""
    if isinstance(value, list):
        return " ".join(_as_written(option, one) for one in value)
    return f"{option} {value:.10g}" if isinstance(value, float) else f"{option} {value}"


class TrayWitness:
    """Somebody who looks at what really lies in the simulated tray where a cube is doubtful.

    Sits at the table where the input is no terminal: a script cannot know what will be asked.

    Args:
        simulation: the tray.
        talk: where the round is told.
        others: do all else.
    """

    def __init__(self, simulation: Simulation, talk: Console, others: play.Table) -> None:
        self._simulation = simulation
        self._others = others
        self._narrator = Narrator(talk, simulation.pictures, moving=False, revealing=True)

    def watch(self, state: RoundState, event: RoundEvent) -> None:
        """As of `firmware_host.play.Table.watch`."""
        self._narrator.tell(state, event)

    def next_event(self, state: RoundState) -> RoundEvent:
        """As of `firmware_host.play.Table.next_event`."""
        from firmware_host.rounds import CellConfirmed

        if state.question is None:
            return self._others.next_event(state)
        cell = state.question.cell
        return CellConfirmed(cell, self._simulation.board[cell])

    def meanwhile(self, state: RoundState) -> RoundEvent | None:
        """As of `firmware_host.play.Table.meanwhile`."""
        return self._others.meanwhile(state)


class TerminalPlayers:
    """People who type words, or paths, one player after the other.

    Args:
        talk: where the match is told.
        heard: what they type and press.
        now: the clock.
        may_leave: whether the end of the input leaves the match, to go on later; else it gives all
            rounds up.
    """

    def __init__(
        self, talk: Console, heard: Heard, now: Callable[[], float], *, may_leave: bool = False
    ) -> None:
        self._talk = talk
        self._heard = heard
        self._now = now
        self._may_leave = may_leave
        self._playing = ""
        self._last_round = 0
        self._seen = (0, "")
        self._asked = (0, "")

    def next_event(self, match: Match, player: str) -> Event | None:
        """As of `firmware_host.worldwinner.Players.next_event`."""
        self._playing = player
        if match.rounds[-1].turns[player].ends_at is None:
            return self._await_start(match, player)
        self._last_round = len(match.rounds)
        if self._seen != (len(match.rounds), player):
            return self._go_on(match, player)
        line = self._heard.next_line(TICK_S)
        if isinstance(line, Press):
            return self._pressed(line, player, len(match.rounds))
        if line is None and self._heard.ended:
            return self._input_ended(match, player)
        return self._event(line or "", player, len(match.rounds))

    def _pressed(self, press: Press, player: str, round_number: int) -> Event:
        """What a press means while a clock runs: its end, or nothing."""
        done = press.long or press.action == "done"
        return EndTurn(self._now(), player, round_number) if done else Tick(self._now())

    def watch(self, match: Match, event: Event) -> None:
        """As of `firmware_host.worldwinner.Players.watch`."""
        current = match.rounds[-1]
        match event:
            case Start(_, player, _):
                self._show_tiles(current, player, f"{match.plan.seconds:g}")
            case PlayWord(_, player, _) | PlayPath(_, player, _):
                self._tell(current.tiles, current.turns[player])
            case Tick() | EndTurn() if current.turns[self._playing].ended:
                self._tell_end(current)

    def refuse(self, error: RuleError) -> None:
        """As of `firmware_host.worldwinner.Players.refuse`."""
        self._talk.print(f"  [yellow]no:[/] {shown(str(error))}")

    def _show_tiles(self, current: Round, player: str, seconds: str) -> None:
        self._seen = (current.number, player)
        self._talk.print(tiles_text(current.tiles, current.turns[player].used))
        self._talk.print(
            f"[bold]{shown(player)}[/], {seconds} s: type a word or a path a line; "
            f"{GIVE_UP} gives up the rest."
        )

    def _go_on(self, match: Match, player: str) -> Event:
        """Back at a clock that ran on: the tiles, if there is time left, and how late it is."""
        current, now = match.rounds[-1], self._now()
        if left := current.turns[player].left(now):
            self._show_tiles(current, player, f"{left:.0f}")
        return Tick(now)

    def _input_ended(self, match: Match, player: str) -> Event | None:
        return None if self._may_leave else EndTurn(self._now(), player, len(match.rounds))

    def _await_start(self, match: Match, player: str) -> Event | None:
        """The start; or what was typed too late, for the round that was played then."""
        number = len(match.rounds)
        self._drop_early((number, player))
        self._talk.print(
            f"[bold]Round {number}[/], {shown(player)}: press Enter, or the button, to start."
        )
        line = self._heard.next_line(None)
        if isinstance(line, Press):
            starts = line.action == PRESS
            return Start(self._now(), player, number) if starts else Tick(self._now())
        if line is None:
            return self._input_ended(match, player)  # nobody is there
        if line.strip() in ("", GIVE_UP):
            return Start(self._now(), player, number) if not line.strip() else Tick(self._now())
        return self._event(line, player, self._last_round or number)

    def _drop_early(self, asked: tuple[int, str]) -> None:
        """What was typed at a terminal while the tray shook starts no clock."""
        if self._asked != asked:
            self._asked = asked
            self._heard.drop_typed()

    def _event(self, line: str, player: str, round_number: int) -> Event:
        """What a line means; an empty one is no move."""
        line, now = line.strip(), self._now()
        if line == GIVE_UP:
            return EndTurn(now, player, round_number)
        if not any(char.isdigit() for char in line):  # no word has digits, and every path
            return PlayWord(now, player, round_number, line) if line else Tick(now)
        try:
            return PlayPath(now, player, round_number, parse_path(line))
        except PathError as error:
            self._talk.print(f"  [yellow]no:[/] {shown(str(error))}")
            return Tick(now)

    def _tell(self, tiles: Tiles, turn: Turn) -> None:
        payment = turn.payments[-1]
        left = len(tiles.lettered) - len(turn.used)
        self._talk.print(
            f"  [bold]+{payment.points + payment.all_letters}[/] {payment.score.word} "
            f"{path_text(payment.score.path)}{_note(payment)}   {points(turn.points)}, "
            f"{left} {'tile' if left == 1 else 'tiles'} unused, "
            f"{max(0.0, (turn.ends_at or 0.0) - self._now()):.0f} s left"
        )

    def _tell_end(self, current: Round) -> None:
        self._heard.drop_typed()  # half a word is none, and none of the next player's
        total = current.turns[self._playing].points
        self._talk.print(
            f"[bold]Round {current.number} is over[/] for {shown(self._playing)}: {points(total)}."
        )


def show_match(
    out: Console, match: Match, possible: tuple[Possible, ...], at: float, *, explain: bool
) -> None:
    """Each finished round with its words; then the totals, and the winner or who is to play."""
    for current, offered in zip(match.finished, possible, strict=True):
        out.print(f"\n[bold]Round {current.number}[/]")
        for name, turn in current.turns.items():
            out.print(tiles_text(current.tiles, turn.used))
            out.print(turn_table(name, turn))
            if explain:
                _explain(out, turn)
        out.print(possible_text(current, offered))
    out.print()
    show_totals(out, match, at)


def show_sheet(out: Console, match: Match) -> None:
    """Each word of the finished rounds, and how its points come about."""
    for current in match.finished:
        for name, turn in current.turns.items():
            heading = f"[bold]Round {current.number}, {shown(name)}[/]"
            out.print(f"{heading}  {points(turn.points)}")
            _explain(out, turn)


def show_totals(out: Console, match: Match, at: float) -> None:
    """The points, and the winner or who is to play."""
    for name, total in match.totals.items():
        rounds = " + ".join(str(current.turns[name].points) for current in match.rounds)
        out.print(f"[bold]{shown(name)}[/]  {rounds or 0} = {points(total)}")
    out.print(next_text(match, at))


def next_text(match: Match, at: float) -> str:
    """The winner, or who is to play and how long."""
    from scoring.worldwinner.match import to_play

    if match.over:
        return f"Winner: [bold green]{shown(names_text(match.winners))}[/]"
    player = to_play(match)
    if player is None:
        return f"Next: the tray is shaken for round {len(match.rounds) + 1}."
    left = match.rounds[-1].turns[player].left(at)
    who = f"Round {len(match.rounds)}: {shown(player)}"
    return f"{who} is to start." if left is None else f"{who} has {left:.0f} s left."


def _explain(out: Console, turn: Turn) -> None:
    for payment in turn.payments:
        out.print(f"  [bold]{payment.score.word}[/] {path_text(payment.score.path)}")
        for line in payment.explain():
            out.print(f"    {line}", markup=False)


def turn_table(name: str, turn: Turn) -> Table:
    """A player's words of a round."""
    title = f"[bold]{shown(name)}[/]  {points(turn.points)}"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", show_edge=False)
    table.add_column("points", justify="right")
    table.add_column("word", style="bold")
    table.add_column("path", style="dim")
    table.add_column("")
    for payment in turn.payments:
        paid = payment.points + payment.all_letters
        path = path_text(payment.score.path)
        table.add_row(str(paid), payment.score.word, path, _note(payment).strip())
    if not turn.payments:
        table.add_row("–", "[dim]no words[/]", "", "")
    return table


def possible_text(current: Round, offered: Possible) -> str:
    """What was found of what there was, and the best that was missed."""
    found = {payment.score.word for turn in current.turns.values() for payment in turn.payments}
    missed = ", ".join(f"{score.word} {score.points}" for score in offered.missed)
    return (
        f"Found {len(found)} of {len(offered.words)} possible words, which are worth "
        f"{points(offered.points)}.\nBest words missed: {missed or 'none'}"
    )


def tiles_text(tiles: Tiles, used: Collection[Cell] = ()) -> str:
    """The tiles in a frame, with Rich markup: face and value; below, bonus and the dot of use."""
    board = tiles.board
    columns = "".join(chr(ord("A") + col).center(_WIDTH + 1) for col in range(board.cols))
    lines = [f"     {columns}".rstrip(), _rule("┌", "┬", "┐", board.cols)]
    for row in range(board.rows):
        cells = [(row, col) for col in range(board.cols)]
        upper = "│".join(f"[bold]{_face_text(tiles, cell)}[/]" for cell in cells)
        lower = "│".join(_bonus_text(tiles, cell, used=cell in used) for cell in cells)
        lines += [f" {row + 1:2} │{upper}│", f"    │{lower}│", _rule("├", "┼", "┤", board.cols)]
    lines[-1] = _rule("└", "┴", "┘", board.cols)
    return "\n".join(lines)


def _rule(left: str, middle: str, right: str, cols: int) -> str:
    return f"    {left}{middle.join(['─' * _WIDTH] * cols)}{right}"


def _face_text(tiles: Tiles, cell: Cell) -> str:
    tile = tiles[cell]
    return (f"{tile.face} {tile.value}" if tile.value else tile.face).center(_WIDTH)


def _bonus_text(tiles: Tiles, cell: Cell, *, used: bool) -> str:
    signs = [f"{tiles[cell].bonus or ''}", "•" if used else ""]
    return f"[magenta]{' '.join(filter(None, signs)).center(_WIDTH)}[/]"


def _note(payment: Payment) -> str:
    parts = []
    if payment.before:
        now = payment.score.points
        parts.append(f"{now} now, {payment.before} before")
    if payment.all_letters:
        parts.append(f"all letters used: + {payment.all_letters}")
    return f" ({'; '.join(parts)})" if parts else ""
