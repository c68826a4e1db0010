"""Where a round stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from firmware_host.rounds.confirming import Question, offers
from firmware_host.rounds.events import (
    ChallengeBegun,
    ListScanned,
    PlayerJoined,
    TableAssigned,
    WordDecided,
)
from firmware_host.rounds.lists import Decision, Line, Scans, texts_of
from scoring.board import Board, Cell, Face
from scoring.referee import RoundResult
from scoring.rules import Game
from scoring.wordlist import Entry
from vision.reading import TrayReading


class Phase(StrEnum):
    """Where a round stands."""

    IDLE = "idle"
    SHAKING = "shaking"
    LID_OPEN = "lid_open"
    """The lid was opened during a shake: somebody must close it and press."""
    SETTLING = "settling"
    BY_HAND = "by_hand"
    """Somebody must lay the cubes flat and press."""
    READING = "reading"
    CONFIRMING = "confirming"
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    COLLECTING = "collecting"
    SCORING = "scoring"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAULTED = "faulted"


ENDED = frozenset({Phase.FINISHED, Phase.CANCELLED})
"""Phases in which nothing is left to be done."""

_BOARD_SEEN = frozenset({Phase.RUNNING, Phase.COLLECTING, Phase.SCORING, Phase.FINISHED})

_IN_TURNS = frozenset({Phase.READY, Phase.RUNNING, Phase.PAUSED})


class Timing(StrEnum):
    """How the time is kept."""

    SAND = "sand"
    """One run of the sand for all."""
    LAST_CHANCE = "last_chance"
    """None, until somebody declares the last chance or all agree to end."""
    TURNS = "turns"
    """One run of the sand for each, one after the other."""

    @classmethod
    def of(cls, game: Game) -> Timing:
        """How a game keeps it."""
        if game.conduct.open_ended:
            return cls.LAST_CHANCE
        return cls.TURNS if game.letter_values else cls.SAND


@dataclass(frozen=True)
class Plan:
    """What was agreed before the round.

    Attributes:
        game: the rules.
        players: who plays, in the order of the table: in turns, and whose lists are awaited.
        timer_s: length of the sand timer in seconds; the game's own unless shortened.
        shake_s: length of a shake in seconds.
        timing: how the time is kept.
        on_paper: lists stay on paper: none is awaited, and nobody's points are known.
    """

    game: Game
    players: tuple[str, ...]
    timer_s: float
    shake_s: float = 2.0
    timing: Timing = Timing.SAND
    on_paper: bool = False


@dataclass(frozen=True)
class RoundState:
    """A round so far.

    Attributes:
        plan: what was agreed.
        phase: where it stands.
        shakes: shakes so far.
        nudged: a nudge was tried since the last shake.
        hands: how often a person was asked to lay the cubes flat: then the motor must not move them
            again.
        lids: how often the lid was open where the motor should run.
        photos: photos so far of this shake.
        photo: file of the photo that was read.
        reading: what was read in it.
        cocked: cells whose cubes seem to lie cocked in it.
        displaced: as of `TrayRead.displaced`.
        confirmed: doubtful cells that a person has settled.
        passed: readings of the asked cell that a person passed over; going back counts down.
        board: the board played on; None until every doubtful cell is confirmed.
        turn: whose turn it is, where each has a run of the sand.
        ends_at: time of the clock at which the sand is through; None while it stands.
        rest_s: seconds left while the sand stands in the middle of its run.
        extra_s: seconds that were granted on top of the timer.
        warned: how many of the warnings are over.
        agreed: players who would end a round without a timer.
        seats: those who joined, in order.
        lines: what was written so far, by player.
        over_at: time of the clock at which the writing was over; None before, and where a log of an
            earlier version does not tell.
        closes_at: time of the clock from which lists are awaited no longer of those who type.
        lists: lists handed in, by player.
        result: the scores.
        scans: lists that were photographed for this round.
        rulings: what was decided and holds, in order: the last one may be taken back.
        challenge: the challenge whose clock runs.
        lexicon: name of the word list of this round; empty is the one of the start.
        next_lexicon: that of the rounds to come.
        decisions: what was said of doubtful words on paper afterwards.
        first_result: where the round was scored anew by lists on paper, the result before that.
        fault: what stopped the round, in one sentence, and what to do.
        before: the phase that a fault broke into.
        failures: how often in a row a device failed that may work again by itself.
        trouble: what the last of those failures was, and what to do.
        retry_at: time of the clock before which it is not tried again.
        restarts: how often the program started again in the middle of this round.
        assigned: what the round counts for in a tournament; None where it does not.
        coming: the same of the next round.
        announced: what the station of the tournament has to say.
        announced_until: the time of the clock that this counts down to; None where it does not.
    """

    plan: Plan
    phase: Phase = Phase.IDLE
    shakes: int = 0
    nudged: bool = False
    hands: int = 0
    lids: int = 0
    photos: int = 0
    photo: Path | None = None
    reading: TrayReading | None = None
    cocked: tuple[Cell, ...] = ()
    displaced: float = 0.0
    confirmed: Mapping[Cell, Face] = field(default_factory=lambda: MappingProxyType({}))
    passed: int = 0
    board: Board | None = None
    turn: int = 0
    ends_at: float | None = None
    rest_s: float | None = None
    extra_s: float = 0.0
    warned: int = 0
    agreed: frozenset[str] = frozenset()
    seats: tuple[PlayerJoined, ...] = ()
    lines: Mapping[str, tuple[Line, ...]] = field(default_factory=lambda: MappingProxyType({}))
    over_at: float | None = None
    closes_at: float | None = None
    lists: Mapping[str, tuple[Entry, ...]] = field(default_factory=lambda: MappingProxyType({}))
    result: RoundResult | None = None
    scans: tuple[ListScanned, ...] = ()
    rulings: tuple[Decision, ...] = ()
    challenge: ChallengeBegun | None = None
    lexicon: str = ""
    next_lexicon: str = ""
    decisions: tuple[WordDecided, ...] = ()
    first_result: RoundResult | None = None
    fault: tuple[str, str] | None = None
    before: Phase = Phase.IDLE
    failures: int = 0
    trouble: tuple[str, str] | None = None
    retry_at: float | None = None
    restarts: int = 0
    assigned: TableAssigned | None = None
    coming: TableAssigned | None = None
    announced: str = ""
    announced_until: float | None = None

    @property
    def unconfirmed(self) -> tuple[Cell, ...]:
        """Cells that a person must still settle, row by row."""
        doubtful = self.reading.doubtful if self.reading else ()
        asked = sorted({*doubtful, *self.cocked})
        return tuple(cell for cell in asked if cell not in self.confirmed)

    @property
    def question(self) -> Question | None:
        """What a person is asked of a doubtful cell now; None where nothing is."""
        if self.phase is not Phase.CONFIRMING or self.reading is None:
            return None
        cell, settled = self.unconfirmed[0], len(self.confirmed)
        offered = offers(self.reading, cell)
        count = settled + len(self.unconfirmed)
        return Question(cell, offered, self.passed % len(offered), settled + 1, count)

    @property
    def unhurried(self) -> bool:
        """Whether players write without a timer until one of them declares the last chance."""
        no_sand = self.plan.timing is Timing.LAST_CHANCE and self.ends_at is None
        return no_sand and self.phase is Phase.RUNNING

    @property
    def joined(self) -> tuple[str, ...]:
        """Names of those who joined."""
        return tuple(seat.player for seat in self.seats)

    @property
    def players(self) -> tuple[str, ...]:
        """All who play: those of the plan, then those who joined."""
        return tuple(dict.fromkeys((*self.plan.players, *self.joined)))

    @property
    def awaited(self) -> tuple[str, ...]:
        """Players whose lists are not in; of a plan on paper those alone who joined."""
        expected = self.joined if self.plan.on_paper else self.players
        return tuple(player for player in expected if player not in self.lists)

    @property
    def drafts(self) -> Mapping[str, tuple[str, ...]]:
        """Lines as they stand on the lists so far, by player."""
        return {player: texts_of(lines) for player, lines in self.lines.items()}

    @property
    def scanned(self) -> Scans:
        """The photographed lists, with what was said of their words."""
        return Scans.of(self.scans, self.rulings)

    @property
    def shown_board(self) -> Board | None:
        """The board as far as players may see it: hidden before the sand runs, and in a pause."""
        return self.board if self.phase in _BOARD_SEEN else None

    @property
    def arbitrated_board(self) -> Board | None:
        """The board as far as a referee may see it, who settles things in a pause as well."""
        return self.board if self.phase is Phase.PAUSED else self.shown_board

    @property
    def prescribed(self) -> bool:
        """Whether the board was given, as by a tournament, and not read: it is as it was told."""
        return self.board is not None and self.reading is None

    @property
    def to_play(self) -> str | None:
        """Whose turn it is, or will be with the next start; None where all play at once."""
        if self.plan.timing is not Timing.TURNS or self.phase not in _IN_TURNS:
            return None
        return next(iter(self.plan.players[self.turn :]), None)

    @property
    def offered(self) -> str:
        """The action that a long press of the button of the round takes now; empty for none.

        The display names it, so that one button is enough.
        """
        if self.question is not None:
            return "take"
        if self.unhurried:
            return "last_chance"
        return "done" if self.phase is Phase.RUNNING and self.to_play is not None else ""

    def left(self, at: float) -> float | None:
        """Seconds left at a time of the clock; None where no sand runs or stands."""
        if self.ends_at is None:
            return self.rest_s
        return min(max(0.0, self.ends_at - at), self.plan.timer_s + self.extra_s)
