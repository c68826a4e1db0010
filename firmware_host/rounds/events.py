"""Events of a round: what happened. Times are seconds of one clock that only goes forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scoring.board import Cell, Face
from scoring.referee import RoundResult
from scoring.wordlist import Entry
from vision.paper.reading import WordReading
from vision.reading import TrayReading

# ---- of people -------------------------------------------------------------------------------


@dataclass(frozen=True)
class ButtonPressed:
    """A person pressed the button, ``at`` this time of the clock.

    ``by`` says who, here and in what follows; it is empty where that is not known, as at a button.
    """

    at: float
    by: str = ""


@dataclass(frozen=True)
class CellConfirmed:
    """A person said what a doubtful cell shows."""

    cell: Cell
    face: Face
    by: str = ""


@dataclass(frozen=True)
class CellCorrected:
    """The referee found that a cube shows another face than is played with.

    Attributes:
        cell: where it lies.
        was: what the board has there; where it has something else by now, nothing is changed.
        face: what it shows.
        why: the referee's reason.
        by: who says so.
        at: when.
    """

    cell: Cell
    was: Face
    face: Face
    why: str
    by: str
    at: float


@dataclass(frozen=True)
class BackAsked:
    """Offer the reading of a doubtful cell that was offered before."""


@dataclass(frozen=True)
class PlayerJoined:
    """Somebody plays from now on, in this round and those that follow: their list is awaited.

    Attributes:
        player: the name.
        key: proves that it is they; empty where nobody asks.
        on_paper: they write on paper and photograph it: that takes longer than to type.
    """

    player: str
    key: str = ""
    on_paper: bool = False


@dataclass(frozen=True)
class PlayerLeft:
    """Somebody who joined plays no longer.

    ``by`` says who removed them; it is empty where they went themselves.
    """

    player: str
    by: str = ""


@dataclass(frozen=True)
class WordWritten:
    """A player wrote a line of their list.

    Attributes:
        player: who.
        text: the line.
        at: when it came.
        id: of the word; one that came before changes nothing. Empty where nothing comes twice.
        written_at: when it was written, where it was kept back on its way; such a word counts
            after the sand is through, if it was written before.
    """

    player: str
    text: str
    at: float
    id: str = ""
    written_at: float | None = None


@dataclass(frozen=True)
class WordErased:
    """A player took a word back, by its id."""

    player: str
    id: str


@dataclass(frozen=True)
class ListsClosed:
    """What these players have written is what they hand in; without names, all who are awaited."""

    players: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True)
class ListHandedIn:
    """A player's list is complete."""

    player: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class LastChance:
    """A player declared the last chance: the sand runs once, then the writing is over.

    ``player`` is empty where a button was pressed: who did is not known then.
    """

    player: str
    at: float


@dataclass(frozen=True)
class Agreed:
    """A player would end a round that has no timer; it ends when all would.

    ``player`` is empty where all of them agreed at once. ``at`` is None where a log of an earlier
    version does not tell.
    """

    player: str
    at: float | None = None


@dataclass(frozen=True)
class TurnDone:
    """Whose turn it is has finished before the sand is through."""

    at: float


@dataclass(frozen=True)
class PauseAsked:
    """Stop the sand and keep what is left."""

    at: float
    by: str = ""


@dataclass(frozen=True)
class ResumeAsked:
    """Let the sand run on."""

    at: float
    by: str = ""


@dataclass(frozen=True)
class ExtraTime:
    """Somebody was disturbed: so many seconds more, as far as they are granted."""

    seconds: float
    at: float
    by: str = ""


@dataclass(frozen=True)
class RerollAsked:
    """Shake anew, as all have agreed to."""

    by: str = ""


@dataclass(frozen=True)
class Cancelled:
    """Give the round up."""

    by: str = ""


@dataclass(frozen=True)
class WordDecided:
    """A person said what a doubtful word on a paper list is.

    Attributes:
        player: whose list it is; empty where that is not known.
        page: the file of the list, with the number of the page.
        read: what was read, small letters.
        text: what it is.
        struck: it is crossed out.
        changed: the result is another than with what was read.
        by: who says so.
    """

    player: str
    page: str
    read: str
    text: str
    struck: bool
    changed: bool
    by: str


@dataclass(frozen=True)
class Rescored:
    """The referee is done with lists on paper that were read after the round.

    Attributes:
        result: of the round with them.
        lists: of each player whose list that is.
        by: who settled what was doubtful.
    """

    result: RoundResult
    lists: Mapping[str, tuple[Entry, ...]]
    by: str


class Ruling(StrEnum):
    """What a referee says of a word, on every list."""

    STRUCK = "struck"
    """It does not count."""
    ALLOWED = "allowed"
    """It counts where the board has it, whatever the word list says."""
    CHALLENGED = "challenged"
    """Somebody doubts it: the word list decides."""


@dataclass(frozen=True)
class WordRuled:
    """A referee's decision about a word, small letters; ``by`` says whose, ``at`` when."""

    word: str
    ruling: Ruling
    by: str
    at: float


@dataclass(frozen=True)
class ListScanned:
    """A photographed list was read: its words come behind those that the player has typed.

    Attributes:
        player: whose it is.
        photo: its file.
        words: what was read; places are of that photo.
        at: when it was photographed.
    """

    player: str
    photo: Path
    words: tuple[WordReading, ...]
    at: float


@dataclass(frozen=True)
class ScanSettled:
    """A person said what a word of a photographed list is.

    Attributes:
        scan: number of the photo in this round, from 0.
        word: number of the word in it, from 0.
        text: what it is.
        struck: it is crossed out.
        by: who says so.
        at: when.
    """

    scan: int
    word: int
    text: str
    struck: bool
    by: str
    at: float


@dataclass(frozen=True)
class ChallengeBegun:
    """Somebody challenges: so many seconds are left to say which words, or to withdraw it.

    The end of that time decides nothing by itself.
    """

    seconds: float
    by: str
    at: float


@dataclass(frozen=True)
class ChallengeDropped:
    """A challenge was withdrawn before there was a verdict."""

    by: str
    at: float


@dataclass(frozen=True)
class ChallengeJudged:
    """The word list was asked about words, and has answered; no list is changed by that.

    Attributes:
        words: small letters.
        each: each of them was told; else there was one verdict for all of them.
        good: all of them are.
        bad: those that are not; of a verdict for all it is told nowhere.
        by: who asked.
        at: when.
    """

    words: tuple[str, ...]
    each: bool
    good: bool
    bad: tuple[str, ...]
    by: str
    at: float


@dataclass(frozen=True)
class LexiconChosen:
    """Another word list proves the words of the rounds that follow.

    Attributes:
        name: of it; empty is the one that the program was started with.
        rescore: it proves those of the round that is over, too.
        by: who chose it.
        at: when.
    """

    name: str
    rescore: bool
    by: str
    at: float


@dataclass(frozen=True)
class DecisionUndone:
    """The last decision of this round that still holds is taken back.

    Attributes:
        by: who takes it back.
        at: when.
        number: of it, from 0; where another is the last by now, nothing is. None, as in a log of an
            earlier version, is the last one about a word.
    """

    by: str
    at: float
    number: int | None = None


@dataclass(frozen=True)
class ListsReopened:
    """The last decision was to close lists, and is taken back: they are awaited again.

    Attributes as of `DecisionUndone`.
    """

    by: str
    at: float
    number: int


# ---- of the station of a tournament ----------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """A player of a tournament at a table.

    Attributes:
        id: who it is at all tables; given by the station.
        player: the name.
        key: as of `PlayerJoined`, from the table where they joined; empty where nobody knows it.
    """

    id: str
    player: str
    key: str = ""


@dataclass(frozen=True)
class TableAssigned:
    """The station says who plays the next round of this tray, and what it counts for.

    Attributes:
        event: name of the tournament, as its boards are promised under.
        round: of the tournament, from 1.
        board: of the round, from 1.
        table: from 1.
        seats: who plays.
        promised: the commitment to the board that will be prescribed, published before; empty
            where the tray shakes its own.
    """

    event: str
    round: int
    board: int
    table: int
    seats: tuple[Seat, ...]
    promised: str = ""


@dataclass(frozen=True)
class BoardPrescribed:
    """The station gives the board of the round, in the notation, with the salt of its promise."""

    board: str
    salt: str = ""


@dataclass(frozen=True)
class Announced:
    """The station has something to say, ``at`` this time of the clock; empty ends that.

    It may count down: ``until`` this time of the clock.
    """

    text: str
    at: float
    until: float | None = None


# ---- of the machine --------------------------------------------------------------------------


@dataclass(frozen=True)
class Restarted:
    """The program started again in the middle of the round: after a crash, or a pulled plug."""

    at: float


@dataclass(frozen=True)
class ShakeDone:
    """The motor stands still again."""


@dataclass(frozen=True)
class LidOpened:
    """The lid is open where the motor should run, or was opened while it ran."""


@dataclass(frozen=True)
class Settled:
    """The cubes lie still."""


@dataclass(frozen=True)
class StillMoving:
    """The cubes did not come to rest in time."""


@dataclass(frozen=True)
class TrayRead:
    """The photo was read.

    Attributes:
        reading: of it.
        photo: its file.
        cocked: cells in which a cube leans or lies on another.
        displaced: how far the tray lies from where it was calibrated, in cells; 0 where it is about
            there, or nobody knows.
    """

    reading: TrayReading
    photo: Path
    cocked: tuple[Cell, ...] = ()
    displaced: float = 0.0


@dataclass(frozen=True)
class TrayNotRead:
    """The photo shows no tray that could be read.

    Attributes:
        message: what is wrong.
        advice: what to do.
        photo: its file; None where a log of an earlier version does not tell.
    """

    message: str
    advice: str
    photo: Path | None = None


@dataclass(frozen=True)
class Tick:
    """Time went on."""

    at: float


@dataclass(frozen=True)
class Scored:
    """The referee is done."""

    result: RoundResult


@dataclass(frozen=True)
class DeviceFailed:
    """A device failed.

    Attributes:
        message: what happened and why.
        advice: what to do.
        at: when.
        retry_after_s: it may work again by itself after so many seconds; None where a person must
            do something first.
    """

    message: str
    advice: str
    at: float
    retry_after_s: float | None = None


@dataclass(frozen=True)
class Waited:
    """The seconds of a `Wait` are over."""


Event = (
    ButtonPressed
    | CellConfirmed
    | CellCorrected
    | BackAsked
    | PlayerJoined
    | PlayerLeft
    | WordWritten
    | WordErased
    | ListsClosed
    | ListHandedIn
    | LastChance
    | Agreed
    | TurnDone
    | PauseAsked
    | ResumeAsked
    | ExtraTime
    | RerollAsked
    | Cancelled
    | WordDecided
    | WordRuled
    | ListScanned
    | ScanSettled
    | ChallengeBegun
    | ChallengeDropped
    | ChallengeJudged
    | LexiconChosen
    | DecisionUndone
    | ListsReopened
    | Rescored
    | TableAssigned
    | BoardPrescribed
    | Announced
    | Restarted
    | ShakeDone
    | LidOpened
    | Settled
    | StillMoving
    | TrayRead
    | TrayNotRead
    | Tick
    | Scored
    | DeviceFailed
    | Waited
)
