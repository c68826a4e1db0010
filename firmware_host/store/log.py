"""The log of rounds: opened, appended to, read and proved."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from sqlalchemy import Connection, Engine, Row, case, func, insert, select

from firmware_host.photos import is_intact
from firmware_host.rounds import (
    Announced,
    Cancelled,
    CellCorrected,
    ChallengeBegun,
    ChallengeDropped,
    ChallengeJudged,
    DecisionUndone,
    Event,
    LexiconChosen,
    ListScanned,
    Plan,
    PlayerJoined,
    PlayerLeft,
    RoundState,
    ScanSettled,
    Scored,
    TableAssigned,
    TrayNotRead,
    TrayRead,
    WordDecided,
    WordRuled,
    step,
)
from firmware_host.rounds.events import Rescored
from firmware_host.store.ahead import read_ahead
from firmware_host.store.chain import FIRST, Entry, Moment, linked
from firmware_host.store.codec import Decoder, Json, encoded, kind_of, kind_of_type
from firmware_host.store.errors import DamageError, StorageError, storing, told_of
from firmware_host.store.moments import Moments, boot_id, clock_after
from firmware_host.store.place import AHEAD, DATABASE, LOG, Place
from firmware_host.store.salvage import check_header, is_cut, repair, write
from firmware_host.store.schema import HEAD, check_known, events, migrate, open_engine, version_of
from firmware_host.store.tables import (
    Cut,
    check_pages,
    copy_database,
    cuts_of,
    damage_at,
    entry_of,
    last_entry,
    prove_end,
    row_of,
    spare_photos,
)
from hardware.clock import WallClock
from scoring.encoding import canonical
from scoring.referee import RoundResult

BEGUN = "begun"
"""What the first entry of a round is; its data is a `Setup`."""

PROVED = 2000
"""Entries at the end of the log that are proved each time it is opened."""


@dataclass(frozen=True)
class Setup:
    """What a round was begun with.

    Attributes:
        plan: what was agreed.
        by: what plays it, such as ``"play"``.
        simulated: it is no real tray.
        cubes: name of the cube set.
        lexicon: name or file of the word list.
        seed: of what is made up, where something is.
        pictures: folder for pictures that people look at; empty where there are none.
        seats: those who joined before it was begun.
        chosen: name of the word list that somebody chose instead; empty for none.
        assigned: what it counts for in a tournament, where that was said before it was begun.
    """

    plan: Plan
    by: str
    simulated: bool
    cubes: str
    lexicon: str
    seed: int | None = None
    pictures: str = ""
    seats: tuple[PlayerJoined, ...] = ()
    chosen: str = ""
    assigned: TableAssigned | None = None

    @property
    def start(self) -> RoundState:
        """The round before anything has happened in it."""
        return RoundState(
            self.plan,
            seats=self.seats,
            lexicon=self.chosen,
            next_lexicon=self.chosen,
            coming=self.assigned,
        )


@dataclass(frozen=True)
class KeptRound:
    """A round of the log.

    Attributes:
        number: from 1.
        began: when.
        setup: what it was begun with.
        events: what happened, with the moment when it was recorded.
        state: the fold of them.
    """

    number: int
    began: Moment
    setup: Setup
    events: tuple[tuple[Moment, Event], ...]
    state: RoundState

    @property
    def lexicon(self) -> str:
        """Name or file of the word list that proves its words."""
        return self.state.lexicon or self.setup.lexicon


@dataclass(frozen=True)
class Summary:
    """A line about a round.

    Attributes:
        number: from 1.
        began: when, seconds since 1970.
        last: when the last event was recorded.
        events: how many were.
        ended: it needs nothing any more.
    """

    number: int
    began: float
    last: float
    events: int
    ended: bool


@dataclass(frozen=True)
class KeptResult:
    """How a round of the log ended.

    Attributes:
        number: of the round, from 1.
        began: when, seconds since 1970.
        simulated: on no real tray.
        result: the newest that holds.
    """

    number: int
    began: float
    simulated: bool
    result: RoundResult


@dataclass(frozen=True)
class Proof:
    """What was proved of a log.

    Attributes:
        events: how many, each whole and after the one before.
        rounds: how many, each readable.
        last_hash: of the last event.
        photos: how many, each there as it was taken.
        lost_photos: names of those that are not.
        spare_photos: names of photos that no round knows: their rounds may be lost.
        cuts: where the end was damaged and cut off, at any time.
    """

    events: int
    rounds: int
    last_hash: str
    photos: int
    lost_photos: tuple[str, ...]
    spare_photos: tuple[str, ...] = ()
    cuts: tuple[Cut, ...] = ()


_ENDS = frozenset(kind_of_type(form) for form in (Scored, Cancelled))
_SCORES = tuple(kind_of_type(form) for form in (Scored, Rescored))
_AFTERWARDS = tuple(
    kind_of_type(form)
    for form in (
        *(WordDecided, PlayerJoined, PlayerLeft),
        *(ListScanned, ScanSettled, WordRuled, DecisionUndone, Rescored, CellCorrected),
        *(ChallengeBegun, ChallengeDropped, ChallengeJudged, LexiconChosen),
        *(TableAssigned, Announced),
    )
)
"""What may follow the end of a round without opening it again."""

_ROUNDS = (
    select(
        events.c.round,
        func.min(events.c.at).label("began"),
        func.max(events.c.at).label("last"),
        func.count().label("events"),
        func.max(case((events.c.kind.not_in(_AFTERWARDS), events.c.seq))).label("seq"),
    )
    .group_by(events.c.round)
    .subquery()
)


class Log:
    """An open log; for one thread. Made by `open_log`.

    Args:
        place: where it lies.
        engine: its database.
        boot: which start of the machine this is.
        notices: what was found and mended when it was opened.

    Attributes:
        clock: seconds since 1970, from the last entry on: never back.
    """

    def __init__(
        self, place: Place, engine: Engine, boot: str, notices: tuple[str, ...] = ()
    ) -> None:
        self.place = place
        self.notices = notices
        with storing(place.database):
            self._reader = engine.connect()
            self._writer = engine.connect().execution_options(immediate=True)
        self._decoder = Decoder(place.photos.folder)
        with self._reading() as connection:
            last = last_entry(connection)
        self.clock: WallClock = clock_after(last.moment if last else None, boot)
        self._moments = Moments(self.clock, boot)

    def close(self) -> None:
        """Let go of the database; safe to call twice."""
        self._writer.close()
        self._reader.close()

    @contextmanager
    def begin(self, setup: Setup) -> Iterator[Recorder]:
        """Begin a round; it is locked against others until this is left.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._writing() as connection:
            latest = connection.execute(select(func.max(events.c.round))).scalar_one()
            number = int(latest or 0) + 1
            self._append(connection, number, [(BEGUN, encoded(setup))])
        with self.place.playing(number):
            yield Recorder(self, number)

    @contextmanager
    def go_on(self, number: int) -> Iterator[tuple[KeptRound, Recorder]]:
        """Go on with a round that was interrupted.

        Raises:
            StorageError: another program plays it, or it cannot be read.
        """
        with self.place.playing(number):
            yield self.round(number), Recorder(self, number)

    def append(self, number: int, event: Event) -> Entry:
        """Have an event of a round on the disk.

        Raises:
            StorageError: it is not.
        """
        return self.append_all(number, [event])[0]

    def append_all(self, number: int, happened: Sequence[Event]) -> list[Entry]:
        """Have events of a round on the disk, all of them or none.

        Raises:
            StorageError: they are not.
        """
        told = [(kind_of(event), encoded(event)) for event in happened]
        with self._writing() as connection:
            return self._append(connection, number, told)

    def _append(
        self, connection: Connection, number: int, told: Iterable[tuple[str, Json]]
    ) -> list[Entry]:
        last, entries = last_entry(connection), list[Entry]()
        for kind, data in told:
            last = linked(last, number, kind, self._moments.now(), canonical(data))
            entries.append(last)
        connection.execute(insert(events), [row_of(entry) for entry in entries])
        return entries

    def round(self, number: int) -> KeptRound:
        """A round, folded; each of its entries is proved.

        Raises:
            StorageError: there is none, or it is damaged.
        """
        first, *rest = self.entries(number)
        setup = self._decoder.value(Setup, json.loads(first.data))
        happened = tuple(
            (entry.moment, self._decoder.event(entry.kind, json.loads(entry.data)))
            for entry in rest
        )
        state = folded(setup.start, [event for _, event in happened])
        return KeptRound(number, first.moment, setup, happened, state)

    @property
    def last_seq(self) -> int:
        """Number of the last entry; 0 where there is none.

        Raises:
            StorageError: it cannot be read.
        """
        with self._reading() as connection:
            last = last_entry(connection)
        return last.seq if last else 0

    def rounds(self) -> tuple[Summary, ...]:
        """All rounds, the first one first.

        Raises:
            StorageError: they cannot be read.
        """
        with self._reading() as connection:
            latest = select(_ROUNDS, events.c.kind).join(events, events.c.seq == _ROUNDS.c.seq)
            return tuple(map(_summary, connection.execute(latest.order_by(_ROUNDS.c.round))))

    def interrupted(self, by: str) -> int | None:
        """The last round that ``by`` began, if it has not ended and nobody plays it now.

        Raises:
            StorageError: it cannot be read.
        """
        summary = next(self._begun_by(by), None)
        return summary.number if summary and self._may_go_on(summary) else None

    def latest(self, by: str) -> int | None:
        """The last round that ``by`` began, and nobody plays now.

        Raises:
            StorageError: it cannot be read.
        """
        summary = next(self._begun_by(by), None)
        return summary.number if summary and not self.place.is_played(summary.number) else None

    def unfinished(self, by: str) -> int | None:
        """The newest round that ``by`` began, has not ended and nobody plays now.

        Raises:
            StorageError: it cannot be read.
        """
        open_ = (summary for summary in self._begun_by(by) if self._may_go_on(summary))
        return next((summary.number for summary in open_), None)

    def _may_go_on(self, summary: Summary) -> bool:
        return not summary.ended and not self.place.is_played(summary.number)

    def _begun_by(self, by: str) -> Iterator[Summary]:
        """The rounds that ``by`` began, the newest first."""
        chosen = select(events.c.round, events.c.data).where(events.c.kind == BEGUN)
        with self._reading() as connection:
            begun = connection.execute(chosen).all()
        ours = {row.round for row in begun if json.loads(row.data)["by"] == by}
        return (summary for summary in reversed(self.rounds()) if summary.number in ours)

    def results(self, most: int) -> list[KeptResult]:
        """The results of the last rounds that were scored, ``most`` at most; they are not proved.

        Raises:
            StorageError: they cannot be read.
        """
        newest = (
            select(events.c.round, func.max(events.c.seq).label("seq"))
            .where(events.c.kind.in_(_SCORES))
            .group_by(events.c.round)
            .order_by(events.c.round.desc())
            .limit(most)
            .subquery()
        )
        begun = events.alias()
        setup = begun.c.data.label("setup")
        chosen = (
            select(events.c.round, events.c.kind, events.c.data, begun.c.at, setup)
            .join(newest, newest.c.seq == events.c.seq)
            .join(begun, (begun.c.round == events.c.round) & (begun.c.kind == BEGUN))
            .order_by(events.c.round)
        )
        with self._reading() as connection:
            rows = connection.execute(chosen).all()
        return [
            KeptResult(
                one.round, one.at, _is_simulated(one.setup), self._result(one.kind, one.data)
            )
            for one in rows
        ]

    def _result(self, kind: str, data: str) -> RoundResult:
        event = self._decoder.event(kind, json.loads(data))
        assert isinstance(event, Scored | Rescored)  # noqa: S101 - chosen by that
        return event.result

    def since(self, seq: int, most: int) -> list[Entry]:
        """The entries after one, ``most`` at most; they are not proved.

        Raises:
            StorageError: they cannot be read.
        """
        chosen = select(events).where(events.c.seq > seq).order_by(events.c.seq).limit(most)
        with self._reading() as connection:
            return [entry_of(row) for row in connection.execute(chosen)]

    def entries(self, number: int) -> list[Entry]:
        """The entries of a round, each proved by the one before it, which may be of another.

        Raises:
            StorageError: there is no such round, or it is damaged.
        """
        before = events.alias()
        chosen = (
            select(events, before.c.hash.label("before"))
            .outerjoin(before, before.c.seq == events.c.seq - 1)
            .where(events.c.round == number)
            .order_by(events.c.seq)
        )
        with self._reading() as connection:
            rows = connection.execute(chosen).all()
        for row in rows:
            if not entry_of(row).follows(row.before or FIRST, row.seq - 1):
                raise damage_at(self.place.database, row.seq)
        if not rows or rows[0].kind != BEGUN:
            raise StorageError(f"the log has no round {number}", "Its rounds: wordtray log")
        return [entry_of(row) for row in rows]

    def prove(self) -> Proof:
        """Prove every entry, round and photo.

        Raises:
            DamageError: an entry is not whole, or does not follow the one before.
            StorageError: a round cannot be read.
        """
        last = self.check()
        kept = [self.round(summary.number) for summary in self.rounds()]
        photos = sorted({file for one in kept for file in photos_of(one)})
        lost = tuple(file.name for file in photos if not is_intact(file))
        seq, hash_ = (last.seq, last.hash) if last else (0, FIRST)
        spare = self.spare_photos()
        return Proof(seq, len(kept), hash_, len(photos), lost, spare, self._cuts())

    def _cuts(self) -> tuple[Cut, ...]:
        with self._reading() as connection:
            return cuts_of(connection)

    def spare_photos(self) -> tuple[str, ...]:
        """Names of photos that no round knows: their rounds may be lost.

        Raises:
            StorageError: the log cannot be read.
        """
        with self._reading() as connection:
            return spare_photos(connection, self.place)

    def check(self, most: int | None = None) -> Entry | None:
        """Prove the chain, or its last entries; gives the last one.

        Raises:
            DamageError: an entry is not whole, or does not follow the one before.
            StorageError: they cannot be read.
        """
        with self._reading() as connection:
            if most is None:
                check_pages(connection, self.place.database)
            return prove_end(connection, self.place.database, most)

    def copy_to(self, file: Path) -> None:
        """Copy the whole log, as it is now, into a new file.

        Raises:
            StorageError: it cannot be read, or written.
        """
        with self._reading() as source:
            copy_database(source, file)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with storing(self.place.database), self._writer.begin():
            yield self._writer

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with storing(self.place.database), self._reader.begin():
            yield self._reader


@dataclass(frozen=True)
class Recorder:
    """Keeps the events of one round, as a `firmware_host.play.Recorder`."""

    log: Log
    number: int

    def record(self, event: Event) -> None:
        """As of `firmware_host.play.Recorder.record`."""
        self.log.append(self.number, event)

    def record_all(self, events: Sequence[Event]) -> None:
        """As of `firmware_host.owner.Book.record_all`."""
        if events:
            self.log.append_all(self.number, events)


@contextmanager
def open_log(place: Place, boot: str | None = None) -> Iterator[Log]:
    """Open the log, which is made where there is none.

    What was left by a crash is put in order first, unless another program has the log open: a
    damaged end is cut off, a log of an older version is brought to this one.

    Args:
        place: where it lies.
        boot: as of `firmware_host.store.moments.boot_id`, which is asked where None.

    Raises:
        DamageError: it is damaged where events follow; nothing was changed.
        StorageError: it cannot be read or written, or is of a newer version.
    """
    with ExitStack() as stack:
        with storing(place.database):
            lock = stack.enter_context(place.opened())
            notices = put_in_order(place) if lock.is_alone() else ()
            lock.share()
            engine = open_engine(place.database)
            log = Log(place, engine, boot_id() if boot is None else boot, notices)
        stack.callback(log.close)
        yield log


@contextmanager
def open_to_read(place: Place) -> Iterator[Log]:
    """Open the log for one who only reads it: as of `open_log`, or a copy where that cannot be.

    On a disk that is read-only, or another user's, a log can be neither locked nor mended.

    Raises:
        DamageError, StorageError: as of `open_log`.
    """
    if not place.is_read_only:
        with open_log(place) as log:
            yield log
        return
    with ExitStack() as stack:
        with storing(place.database):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wordtray-")))
            scratch = copied(place, folder)
            with told_of(scratch.data, place.data):
                notices = _of_copy(put_in_order(scratch))
            log = Log(place, open_engine(scratch.database), "", notices)
        stack.callback(log.close)
        yield log


def copied(place: Place, folder: Path) -> Place:
    """A log as it is, with what was written ahead, in another folder.

    Raises:
        OSError: it cannot be read, or written there.
    """
    scratch = Place(folder)
    scratch.database.parent.mkdir(parents=True)
    for file in (place.database, place.ahead):
        if file.exists():
            shutil.copyfile(file, scratch.database.with_name(file.name))
    return scratch


def _of_copy(mended: tuple[str, ...]) -> tuple[str, ...]:
    """What to say of a copy; where the files of the copy are does not matter to anybody."""
    notice = "nothing can be written there, so this is read from a copy of it"
    if not mended:
        return (notice,)
    return (notice, "the copy was damaged or of an older version, and was mended: the log was not")


def put_in_order(place: Place) -> tuple[str, ...]:
    """Make the log one that can be used; gives notices of what was done.

    The caller has it alone.

    Raises:
        DamageError, StorageError: as `open_log`.
    """
    place.exchange("replaced")
    if not place.database.exists():
        notices = _orphaned(place)
        _make(place, (Cut(0, time.time()),) if notices else ())
        return notices
    check_header(place)
    if is_cut(place.database):  # to open it would change it
        return (repair(place),)
    notices = _unfinished(place)
    try:
        found = _proved_version(place, thorough=place.ahead.exists())
    except DamageError:
        return (*notices, repair(place))
    return (*notices, *(_migrated(place, found) if found != HEAD else ()))


def _orphaned(place: Place) -> tuple[str, ...]:
    """What was written ahead of a log that is gone: with a new one it would do harm."""
    leftovers = [place.database.with_name(DATABASE + suffix) for suffix in AHEAD]
    found = [file for file in leftovers if file.exists()]
    if not found:
        return ()
    aside = place.keep_aside("orphaned")
    for file in found:
        file.rename(aside / file.name)
    return (f"the log itself is gone; what was left of it is kept in {aside}",)


def _make(place: Place, known: tuple[Cut, ...]) -> None:
    with place.staged() as folder:
        write(folder / LOG / DATABASE, (), known)
    place.exchange("empty")


def _unfinished(place: Place) -> tuple[str, ...]:
    """Keep what SQLite is about to leave out: a write that a crash, or worse, cut short."""
    if not place.ahead.exists():
        return ()
    torn = read_ahead(place.ahead.read_bytes()).torn_bytes
    if not torn:
        return ()
    aside = place.keep_aside("unfinished")
    for file in (place.database, place.ahead):
        shutil.copyfile(file, aside / file.name)
    return (f"{torn} bytes of an unfinished write are left out; the files are kept in {aside}",)


def _proved_version(place: Place, *, thorough: bool) -> str | None:
    """Version of the log, whose last entries are proved."""
    with storing(place.database), open_engine(place.database).connect() as connection:
        found = version_of(connection)
        check_known(found, place.database)
        if thorough:
            check_pages(connection, place.database)
        prove_end(connection, place.database, PROVED)
    return found


def _migrated(place: Place, found: str | None) -> tuple[str, ...]:
    """Bring the log to this version, after a copy was made and read back."""
    aside = place.keep_aside(f"before-{HEAD}")
    with storing(place.database), open_engine(place.database).connect() as connection:
        copy_database(connection, aside / DATABASE)
        connection.rollback()
        with connection.execution_options(immediate=True).begin():
            migrate(connection)
            prove_end(connection, place.database)
    return (f"the log was brought from version {found} to {HEAD}; the old is kept in {aside}",)


def folded(begun: RoundState, happened: Iterable[Event]) -> RoundState:
    """The state that events lead to; what was to be done at the time is done no more."""
    return reduce(lambda state, event: step(state, event)[0], happened, begun)


def _is_simulated(setup: str) -> bool:
    return bool(json.loads(setup)["simulated"])


def _summary(row: Row[tuple[object, ...]]) -> Summary:
    return Summary(row.round, row.began, row.last, row.events, row.kind in _ENDS)


def photos_of(kept: KeptRound) -> list[Path]:
    """The photos that a round refers to."""
    kinds = TrayRead | TrayNotRead | ListScanned
    taken = (event for _, event in kept.events if isinstance(event, kinds))
    return [event.photo for event in taken if event.photo is not None]
