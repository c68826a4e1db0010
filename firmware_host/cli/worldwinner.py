"""``wordtray play --game worldwinner``: a match in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli.draw import names_text, points
from firmware_host.cli.lines import Lines
from firmware_host.cli.narrate import Narrator
from firmware_host.cli.output import Output, shown
from firmware_host.cli.rounds import simulated_tray
from scoring.board import Cell
from scoring.notation import PathError, parse_path, path_text
from scoring.worldwinner.events import EndTurn, Event, PlayPath, PlayWord, Start, Tick

if TYPE_CHECKING:
    from firmware_host import play
    from firmware_host.rounds import Event as RoundEvent
    from firmware_host.rounds import RoundState
    from firmware_host.simulation import Simulation
    from firmware_host.worldwinner import Played
    from firmware_host.worldwinner_documents import Possible
    from scoring.match import RuleError
    from scoring.worldwinner.match import Match, Payment, Round, Turn
    from scoring.worldwinner.tiles import Tiles

TICK_S = 0.2

GIVE_UP = "."
"""The line that gives up the rest of a round: no word."""

_WIDTH = 7
"""Signs of a tile as it is drawn."""


def play_worldwinner(
    output: Output,
    *,
    cubes: str,
    seed: int | None,
    lexicon: str,
    pictures: Path,
    players: tuple[str, ...],
    seconds: float | None,
    qu_value: int | None,
    explain: bool,
    seat: Callable[[Simulation, Console], play.Table],
    lines: Lines,
) -> None:
    """Play a match on a simulated tray, tell it and show its result.

    Args:
        output: the command's streams.
        cubes: name of the edition.
        seed: of everything made up, the places of the bonus tiles too; None draws one.
        lexicon: name or file of the word list.
        pictures: folder for the photos.
        players: who plays, one after the other in each round.
        seconds: length of a round; None is the game's own.
        qu_value: what Qu is worth; None is the game's own.
        explain: show how each word's points come about.
        seat: makes the people who settle doubtful cubes.
        lines: what the players type.

    Raises:
        CommandError: a device failed, or the tray cannot be read.
    """
    from firmware_host.worldwinner import play_match
    from firmware_host.worldwinner_documents import Possible, match_document
    from scoring.rules.worldwinner import GAME
    from scoring.worldwinner.match import Plan
    from scoring.worldwinner.tiles import QU_VALUE

    talk = output.log if output.json else output.out
    simulation = simulated_tray(talk, cubes, seed, lexicon, pictures)
    words = simulation.tray.lexicon
    plan = Plan(players, words, simulation.seed, seconds or GAME.timer_s, qu_value or QU_VALUE)
    people = TerminalPlayers(talk, lines, simulation.clock.monotonic)
    played = play_match(plan, simulation.tray, seat(simulation, talk), people)
    possible = tuple(Possible.of(each, words) for each in played.match.rounds)
    document = match_document(played.match, possible) | {
        "simulated": True,
        "edition": simulation.cubes.name,
        "photos": [str(state.photo) for state in played.readings],
    }
    output.document(document, lambda out: show_match(out, played, possible, explain=explain))


class TrayWitness:
    """Somebody who looks at what really lies in the simulated tray where a cube is doubtful.

    Sits at the table where the input is no terminal: a script cannot know what will be asked.

    Args:
        simulation: the tray.
        talk: where the round is told.
    """

    def __init__(self, simulation: Simulation, talk: Console) -> None:
        self._simulation = simulation
        self._narrator = Narrator(talk, moving=False)

    def watch(self, state: RoundState, event: RoundEvent) -> None:
        """As of `firmware_host.play.Table.watch`."""
        self._narrator.tell(state, event)

    def next_event(self, state: RoundState) -> RoundEvent:
        """As of `firmware_host.play.Table.next_event`."""
        from firmware_host.rounds import CellConfirmed

        cell = state.unconfirmed[0]
        return CellConfirmed(cell, self._simulation.board[cell])


class TerminalPlayers:
    """People who type words, or paths, one player after the other.

    Args:
        talk: where the match is told.
        lines: what they type.
        now: the clock.
    """

    def __init__(self, talk: Console, lines: Lines, now: Callable[[], float]) -> None:
        self._talk = talk
        self._lines = lines
        self._now = now
        self._playing = ""
        self._last_round = 0

    def next_event(self, match: Match, player: str) -> Event:
        """As of `firmware_host.worldwinner.Players.next_event`."""
        self._playing = player
        if match.rounds[-1].turns[player].ends_at is None:
            return self._await_start(match, player)
        self._last_round = len(match.rounds)
        line = self._lines.next_line(TICK_S)
        if line is None and self._lines.ended:
            return EndTurn(self._now(), player, len(match.rounds))
        return self._event(line or "", player, len(match.rounds))

    def watch(self, match: Match, event: Event) -> None:
        """As of `firmware_host.worldwinner.Players.watch`."""
        current = match.rounds[-1]
        match event:
            case Start(_, player, _):
                self._talk.print(tiles_text(current.tiles))
                self._talk.print(
                    f"[bold]{shown(player)}[/], {match.plan.seconds:g} s: type a word or a path "
                    f"a line; {GIVE_UP} gives up the rest."
                )
            case PlayWord(_, player, _) | PlayPath(_, player, _):
                self._tell(current.tiles, current.turns[player])
            case Tick() | EndTurn() if current.turns[self._playing].ended:
                self._tell_end(current)

    def refuse(self, error: RuleError) -> None:
        """As of `firmware_host.worldwinner.Players.refuse`."""
        self._talk.print(f"  [yellow]no:[/] {shown(str(error))}")

    def _await_start(self, match: Match, player: str) -> Event:
        """The start; or what was typed too late, for the round that was played then."""
        number = len(match.rounds)
        self._talk.print(f"[bold]Round {number}[/], {shown(player)}: press Enter to start.")
        line = self._lines.next_line(None)
        if line is None:
            return EndTurn(self._now(), player, number)  # nobody is there
        if line.strip() in ("", GIVE_UP):
            return Start(self._now(), player, number) if not line.strip() else Tick(self._now())
        return self._event(line, player, self._last_round or number)

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
        self._lines.drop_typed()  # half a word is none, and none of the next player's
        total = current.turns[self._playing].points
        self._talk.print(
            f"[bold]Round {current.number} is over[/] for {shown(self._playing)}: {points(total)}."
        )


def show_match(
    out: Console, played: Played, possible: tuple[Possible, ...], *, explain: bool
) -> None:
    """Each round with its words, the totals and the winner."""
    for current, offered in zip(played.match.rounds, possible, strict=True):
        out.print(f"\n[bold]Round {current.number}[/]")
        for name, turn in current.turns.items():
            out.print(tiles_text(current.tiles, turn.used))
            out.print(turn_table(name, turn))
            if explain:
                _explain(out, turn)
        out.print(possible_text(current, offered))
    out.print()
    for name, total in played.match.totals.items():
        rounds = " + ".join(str(current.turns[name].points) for current in played.match.rounds)
        out.print(f"[bold]{shown(name)}[/]  {rounds} = {points(total)}")
    out.print(f"Winner: [bold green]{shown(names_text(played.match.winners))}[/]")


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
