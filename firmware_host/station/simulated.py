"""Simulated trays for a rehearsal of a hall: real logs, real links, made-up players and no devices.

A round goes the way of a real one, event by event; only what people and devices would do is made
up. Many trays share one thread and one process.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.keeper import Keeper
from firmware_host.play import entered
from firmware_host.rounds import (
    BoardPrescribed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    RoundState,
    Score,
    Scored,
    Tick,
)
from firmware_host.station.broker import Broker
from firmware_host.station.link import Link, Name
from firmware_host.station.notebook import Notebook
from firmware_host.station.serving import NOTEBOOK, mark_of
from firmware_host.store.log import Log, Setup, open_log
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.referee import score_round
from scoring.rules import Game, fitted
from scoring.solver import solve
from scoring.tournament.finding import Finder
from scoring.wordlist import parse_word_list

if TYPE_CHECKING:
    from hardware.clock import Clock

BY = "simulated hall"


@dataclass(frozen=True)
class Crowd:
    """Made-up players, who find words by their strength, and the referee of their tables.

    Args:
        lexicon: the word list.
        finder: how words are found.
        strengths: by name of the player; others are average.
        seed: of what they find.
    """

    lexicon: Lexicon
    finder: Finder
    strengths: Mapping[str, float]
    seed: int

    def list_of(self, player: str, board: Board, game: Game) -> tuple[str, ...]:
        """What somebody writes on a board: the same each time."""
        rng = random.Random(f"{self.seed} {player} {board}")
        eases = _eases(self, board, fitted(game, board))
        return tuple(self.finder.found(eases, self.strengths.get(player, 0.0), rng))

    def scored(self, effect: Score) -> Scored:
        """The word of the referee."""
        game = fitted(effect.game, effect.board)
        return Scored(score_round(effect.board, effect.lists, self.lexicon, game))

    def __hash__(self) -> int:
        return id(self)


@lru_cache(64)
def _eases(crowd: Crowd, board: Board, game: Game) -> Mapping[str, float]:
    words = solve(board, crowd.lexicon, game).words
    return {found.word: crowd.finder.ease(found.word) for found in words}


class SimulatedTray:
    """A tray without devices, as the owner of its round. Made by `opened_tray`.

    Args:
        log: open.
        plan: what is agreed for each round.
        crowd: who plays at it, and judges.
        clock: of its own.

    Attributes:
        heard: is called after each event.
    """

    def __init__(self, log: Log, plan: Plan, crowd: Crowd, clock: Clock) -> None:
        self._crowd = crowd
        self._clock = clock
        self.heard: Callable[[], None] = lambda: None
        setup = Setup(plan, BY, simulated=True, cubes="", lexicon=crowd.lexicon.name)
        self.keeper = Keeper(log, setup)
        self.state = self.keeper.state

    def take(self, meant: Callable[[RoundState], Event | None]) -> Future[RoundState]:
        """As of `firmware_host.owner.Owner.take`, at once."""
        answer: Future[RoundState] = Future()
        event = meant(self.state)
        if event is not None:
            self.enter(event)
        answer.set_result(self.state)
        return answer

    def enter(self, event: Event) -> None:
        """Have an event happen, and what the referee says to it."""
        if isinstance(event, BoardPrescribed):
            self.keeper.begin(self.state)
        self.state, effects = entered(self.state, event, self.keeper)
        for effect in effects:
            if isinstance(effect, Score):
                self.state, _ = entered(self.state, self._crowd.scored(effect), self.keeper)
        self.heard()

    def play(self) -> bool:
        """Go on by itself: time runs out, players hand in; whether anything happened."""
        before = self.state
        if self.state.phase is Phase.RUNNING:
            self.enter(Tick(self._clock.monotonic()))
        if self.state.phase is Phase.COLLECTING and self.state.board is not None:
            for player in self.state.awaited:
                lines = self._crowd.list_of(player, self.state.board, self.state.plan.game)
                self.enter(ListHandedIn(player, parse_word_list("\n".join(lines))))
        return self.state is not before


@dataclass(frozen=True)
class Connected:
    """A simulated tray with its link.

    Attributes:
        name: of the tray.
        tray: the tray.
        link: its connection.
        log: of its rounds.
    """

    name: Name
    tray: SimulatedTray
    link: Link
    log: Log

    def turn(self) -> None:
        """Do all that is to be done now."""
        self.link.turn()
        if self.tray.play():
            self.link.turn()


@contextmanager
def opened_tray(
    folder: Path,
    name: Name,
    plan: Plan,
    crowd: Crowd,
    broker: Broker,
    *,
    clock: Clock | None = None,
) -> Iterator[Connected]:
    """A simulated tray, connected until this is left; it goes on where it was.

    Args:
        folder: keeps its log.
        name: which tray it is.
        plan: what is agreed for each round.
        crowd: who plays at it.
        broker: not yet started.
        clock: of its own; None is that of its log.

    Raises:
        StorageError: its log cannot be kept.
    """
    with ExitStack() as stack:
        log = stack.enter_context(open_log(Place(folder)))
        time = clock or log.clock
        tray = SimulatedTray(log, plan, crowd, time)
        stack.enter_context(tray.keeper)
        notebook = Notebook(folder / NOTEBOOK, name.event, lambda: mark_of(log))
        link = Link(name, log, notebook, broker, round_=tray, clock=time)
        tray.heard = link.wake
        stack.callback(broker.stop)
        link.start()
        yield Connected(name, tray, link, log)
