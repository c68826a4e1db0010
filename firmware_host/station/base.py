"""Where the station keeps what comes: SQLite for small events, PostgreSQL for large ones.

One code for both, by SQLAlchemy. Entries of all trays' logs stay as they came, chained; everything
else follows from them, but for orders and for how far results were taken into the tournament.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    String,
    Table,
    Text,
    and_,
    create_engine,
    func,
    insert,
    make_url,
    or_,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError

from firmware_host.errors import CommandError, wrong_use
from firmware_host.station.wire import Answer, Detail, Mark, Order, Outcome, read, told
from firmware_host.store.chain import Entry
from firmware_host.store.errors import StorageError
from firmware_host.store.schema import open_engine
from firmware_host.store.tables import entry_of, row_of
from firmware_host.tournaments import beside

POSTGRESQL = "postgresql+psycopg"

metadata = MetaData()

events = Table("station_events", metadata, Column("event", String(40), primary_key=True))

trays = Table(
    "station_trays",
    metadata,
    Column("tray", String(40), primary_key=True),
    Column("begins", Integer, nullable=False),
    Column("begins_hash", String(64), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
)

entries = Table(
    "station_entries",
    metadata,
    Column("tray", String(40), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("at", Double, nullable=False),
    Column("boot", String(40), nullable=False),
    Column("uptime", Double, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Index("station_entries_by_round", "tray", "round", "seq"),
)

folds = Table(
    "station_folds",
    metadata,
    Column("tray", String(40), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
)

orders = Table(
    "station_orders",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("tray", String(40), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("data", Text, nullable=False),
    Column("until", Double, nullable=False),
    Column("at", Double),
    Column("given", Double, nullable=False),
    Column("outcome", String(10), nullable=False, default=""),
    Column("why", Text, nullable=False, default=""),
    Column("answered", Double),
    Column("about", Text, nullable=False, default=""),
    Column("whose", Text, nullable=False, default=""),
)

beats = Table(
    "station_beats",
    metadata,
    Column("event", String(40), primary_key=True),
    Column("at", Double, nullable=False),
)

monitors = Table(
    "station_monitors",
    metadata,
    Column("tray", String(40), primary_key=True),
    Column("document", Text, nullable=False),
)

questions = Table(
    "station_questions",
    metadata,
    Column("id", String(120), primary_key=True),
    Column("tray", String(40), nullable=False, index=True),
    Column("document", Text, nullable=False),
)

crops = Table(
    "station_crops",
    metadata,
    Column("question", String(120), primary_key=True),
    Column("tray", String(40), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
)

claims = Table(
    "station_claims",
    metadata,
    Column("question", String(120), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("by", String(64), nullable=False),
    Column("until", Double, nullable=False),
)

decisions = Table(
    "station_decisions",
    metadata,
    Column("question", String(120), primary_key=True),
    Column("document", Text, nullable=False),
    Column("text", String(64), nullable=False),
    Column("struck", Boolean, nullable=False),
    Column("by", String(64), nullable=False),
    Column("at", Double, nullable=False),
    Column("tries", Integer, nullable=False, default=0),
    Column("order", String(64), nullable=False),
)


@dataclass(frozen=True)
class Head:
    """How much of a tray's log is there.

    Attributes:
        begins: after which entry it begins to belong to the tournament.
        mark: the last entry that is there.
    """

    begins: Mark
    mark: Mark


@dataclass(frozen=True)
class Given:
    """An order, to whom it was given, and what became of it.

    Attributes:
        number: in the order of giving.
        tray: to whom.
        order: the order.
        given: when.
        answer: None before there is one.
    """

    number: int
    tray: str
    order: Order
    given: float
    answer: Answer | None

    @property
    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        answer = self.answer
        return {
            "tray": self.tray,
            "order": self.order.id,
            "kind": self.order.kind,
            "given": self.given,
            "at": self.order.at,
            "outcome": None if answer is None else str(answer.outcome),
            "why": "" if answer is None else answer.why,
            "answered": None if answer is None else answer.at,
        }


class Base:
    """An open base; for any thread, as each call has a connection of its own. Made by `open_base`.

    Args:
        engine: of the database.
        named: for messages; without a password.
    """

    def __init__(self, engine: Engine, named: str) -> None:
        self._engine = engine
        self._named = named

    def belong(self, event: str) -> None:
        """Make the tables where there are none, for this tournament and no other.

        Raises:
            CommandError: it is that of another one.
            StorageError: they cannot be made.
        """
        with self._writing() as connection:
            metadata.create_all(connection)
            known = connection.execute(select(events.c.event)).scalar_one_or_none()
            if known is None:
                connection.execute(insert(events).values(event=event))
        if known not in {None, event}:
            message = f"{self._named} is the database of the tournament {known}"
            raise wrong_use("database", message, "Give each tournament one of its own.")

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    # Entries

    def heads(self) -> dict[str, Head]:
        """How much of each tray's log is there."""
        with self._reading() as connection:
            rows = connection.execute(select(trays)).all()
        return {
            row.tray: Head(Mark(row.begins, row.begins_hash), Mark(row.seq, row.hash))
            for row in rows
        }

    def keep(self, new: Mapping[str, Sequence[Entry]], heads: Mapping[str, Head]) -> None:
        """Have new entries of trays on the disk, all of them or none.

        Args:
            new: by tray.
            heads: of these trays, with the new entries.

        Raises:
            StorageError: they could not be kept; or another station keeps them, too.
        """
        rows = [row_of(entry) | {"tray": tray} for tray, held in new.items() for entry in held]
        with self._writing() as connection:
            known = set(connection.execute(select(trays.c.tray)).scalars())
            for tray, head in heads.items():
                _keep_head(connection, tray, head, known=tray in known)
            if rows:
                connection.execute(insert(entries), rows)

    def entries(self, tray: str, round_: int) -> list[Entry]:
        """The entries of a round of a tray, in order."""
        chosen = select(entries).where(entries.c.tray == tray, entries.c.round == round_)
        with self._reading() as connection:
            return [entry_of(row) for row in connection.execute(chosen.order_by(entries.c.seq))]

    def count(self) -> int:
        """How many entries there are."""
        with self._reading() as connection:
            return int(connection.execute(select(func.count()).select_from(entries)).scalar_one())

    # Folds

    def unfolded(self) -> list[tuple[str, int]]:
        """Trays and rounds with entries that were not folded yet, and the last round of each."""
        last = select(
            entries.c.tray, entries.c.round, func.max(entries.c.seq).label("seq")
        ).group_by(entries.c.tray, entries.c.round)
        held = last.subquery()
        newest = (
            select(held.c.tray, func.max(held.c.round).label("round"))
            .group_by(held.c.tray)
            .subquery()
        )
        of_round = and_(folds.c.tray == held.c.tray, folds.c.round == held.c.round)
        chosen = (
            select(held.c.tray, held.c.round)
            .outerjoin(folds, of_round)
            .join(newest, newest.c.tray == held.c.tray)
            .where(
                or_(
                    folds.c.seq.is_(None),
                    folds.c.seq < held.c.seq,
                    newest.c.round == held.c.round,
                )
            )
            .order_by(held.c.tray, held.c.round)
        )
        with self._reading() as connection:
            return [(row.tray, row.round) for row in connection.execute(chosen)]

    def folded(self, done: Mapping[tuple[str, int], int]) -> None:
        """Remember up to which entry rounds of trays were folded into the tournament.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._writing() as connection:
            for (tray, round_), seq in done.items():
                _put(connection, folds, {"tray": tray, "round": round_}, {"seq": seq})

    # Orders

    def give(self, given: Iterable[tuple[str, Order]], now: float) -> None:
        """Have orders given to trays: the station sends them as soon as it runs.

        Raises:
            StorageError: they cannot be kept.
        """
        rows = [order_row(tray, order, now) for tray, order in given]
        if not rows:
            return
        with self.in_turn() as connection:
            connection.execute(insert(orders), rows)

    def orders(self, after: int = 0) -> list[Given]:
        """Orders that were given after another, the first one first."""
        with self._reading() as connection:
            rows = connection.execute(
                select(orders).where(orders.c.number > after).order_by(orders.c.number)
            )
            return [_given(row) for row in rows]

    def given_since(self, moment: float) -> list[Given]:
        """Orders that were given at a moment or later, the first one first."""
        chosen = select(orders).where(orders.c.given >= moment).order_by(orders.c.number)
        with self._reading() as connection:
            return [_given(row) for row in connection.execute(chosen)]

    def answer(self, answers: Iterable[Answer]) -> None:
        """Remember what became of orders; what is final stays.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._writing() as connection:
            for answer in answers:
                connection.execute(
                    update(orders)
                    .where(orders.c.id == answer.id)
                    .where(orders.c.outcome.in_(["", str(Outcome.PLANNED)]))
                    .values(outcome=str(answer.outcome), why=answer.why, answered=answer.at)
                )

    # The monitor

    def show(self, documents: Mapping[str, str]) -> None:
        """Keep what the monitor shows of trays, as JSON.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._writing() as connection:
            for tray, document in documents.items():
                _put(connection, monitors, {"tray": tray}, {"document": document})

    def shown(self) -> dict[str, str]:
        """What the monitor shows of each tray, as JSON."""
        with self._reading() as connection:
            rows = connection.execute(select(monitors).order_by(monitors.c.tray))
            return {row.tray: row.document for row in rows}

    def beat(self, event: str, at: float) -> None:
        """Keep that the station of a tournament is at work at a moment.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._writing() as connection:
            _put(connection, beats, {"event": event}, {"at": at})

    def beaten(self) -> float | None:
        """When the station was last at work, by its clock; None where it never was."""
        with self._reading() as connection:
            return connection.execute(select(beats.c.at)).scalar_one_or_none()

    # For what else keeps its tables here

    @contextmanager
    def in_turn(self) -> Iterator[Connection]:
        """A transaction that writes, one after the other: what was read is so still at its end.

        So orders are numbered as they come to be there, and whoever reads on from the last one
        misses none.

        Raises:
            StorageError: it cannot be.
        """
        with self._writing() as connection:
            connection.execute(update(events).values(event=events.c.event))
            yield connection

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that reads.

        Raises:
            StorageError: it cannot be.
        """
        return self._reading()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._telling(), self._engine.connect() as connection:
            immediate = connection.execution_options(immediate=True)
            with immediate.begin():
                yield immediate

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._telling(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            message = f"{self._named} holds what was to be kept: another station is at work"
            raise StorageError(message, "End the other one.") from error
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            words = " ".join(str(cause).split())
            advice = "Look whether the database runs, and whether its disk is full."
            raise StorageError(f"{self._named}: {words}", advice) from error


def default_url(event: str) -> str:
    """Where the base of a tournament lies if nothing else is said: in a file beside it.

    Raises:
        CommandError: there is no such tournament.
    """
    return f"sqlite:{beside(event, 'station.db')}"


def is_made(url: str) -> bool:
    """Whether there can be a base: of a server only an attempt tells."""
    scheme, _, rest = url.partition(":")
    return scheme != "sqlite" or _file_of(rest).is_file()


def check_made(url: str) -> None:
    """See that there can be a base, where one is not to be made.

    Raises:
        CommandError: there is none.
    """
    if not is_made(url):
        message = f"no station has kept anything in {url}"
        raise wrong_use("database", message, "Give the --database of: wordtray station serve")


def _file_of(rest: str) -> Path:
    return Path(rest.removeprefix("///"))


@contextmanager
def open_base(url: str, event: str) -> Iterator[Base]:
    """Open the base of a station; its tables are made where there are none.

    Args:
        url: ``sqlite:FILE`` or ``postgresql://USER@HOST/NAME``.
        event: name of the tournament.

    Raises:
        CommandError: it is neither, that of another tournament, or psycopg is not there.
        StorageError: it cannot be opened.
    """
    base = Base(*_engine(url))
    try:
        base.belong(event)
        yield base
    finally:
        base.close()


def _engine(url: str) -> tuple[Engine, str]:
    scheme, _, rest = url.partition(":")
    if scheme == "sqlite" and rest:
        file = _file_of(rest)
        return open_engine(file), str(file)
    if scheme != "postgresql":
        raise _no_database(url)
    try:
        parsed = make_url(url).set(drivername=POSTGRESQL)
        return create_engine(parsed, pool_pre_ping=True), parsed.render_as_string()
    except (ArgumentError, ValueError) as error:
        raise _no_database(url) from error
    except ModuleNotFoundError as error:
        message = "PostgreSQL is spoken to by psycopg, which is not installed"
        raise wrong_use(
            "database", message, "Install it: pip install 'wordtray[station]'"
        ) from error


def _no_database(url: str) -> CommandError:
    message = f"{url!r} is no database of a station"
    return wrong_use("database", message, "Give sqlite:FILE or postgresql://HOST/NAME.")


def _put(
    connection: Connection, table: Table, key: Mapping[str, object], values: Mapping[str, object]
) -> None:
    """Have a row of this key with these values, whether there was one or not."""
    where = and_(*(table.c[name] == value for name, value in key.items()))
    changed = connection.execute(update(table).where(where).values(values))
    if not changed.rowcount:
        connection.execute(insert(table).values({**key, **values}))


def _keep_head(connection: Connection, tray: str, head: Head, *, known: bool) -> None:
    values = {"seq": head.mark.seq, "hash": head.mark.hash}
    if known:
        connection.execute(update(trays).where(trays.c.tray == tray).values(values))
        return
    begins = {"begins": head.begins.seq, "begins_hash": head.begins.hash}
    connection.execute(insert(trays).values(tray=tray, **begins, **values))


def order_row(tray: str, order: Order, now: float) -> dict[str, object]:
    """The row of `orders` of one that is given now."""
    return {
        "id": order.id,
        "tray": tray,
        "kind": order.kind,
        "data": order.data,
        "until": order.until,
        "at": order.at,
        "given": now,
        "outcome": "",
        "why": "",
        "about": "" if order.about is None else told(order.about).decode(),
        "whose": order.table,
    }


def answer_of(row: Row[Any]) -> Answer | None:
    """What became of the order of a row of `orders`; None where nothing has yet."""
    if not row.outcome:
        return None
    return Answer(row.id, Outcome(row.outcome), row.why, row.answered or 0.0)


def _given(row: Row[Any]) -> Given:
    about = read(Detail, row.about.encode()) if row.about else None
    order = Order(row.id, row.kind, row.data, row.until, row.at, about, row.whose)
    return Given(row.number, row.tray, order, row.given, answer_of(row))
