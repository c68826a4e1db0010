"""The tables of the log, and how a database of any version becomes one of this version."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    create_engine,
    event,
    insert,
    inspect,
    select,
)
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from firmware_host.store.errors import StorageError

HEAD = "0003"
"""Version of the schema that this version of wordtray writes: the last of the migrations."""

LOCKED_S = 5.0
"""Seconds that a lock of another program is waited for."""

WAL_PAGES = 200
"""Pages written ahead at most, about: what is ahead must be read again after a crash."""

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("at", Float, nullable=False),
    Column("boot", String(40), nullable=False),
    Column("uptime", Float, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    Index("events_by_round", "round", "seq"),
)

cuts = Table(
    "cuts",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("after", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

version = Table(
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def open_engine(file: Path, *, wal: bool = True) -> Engine:
    """The database of a file; it is made where there is none.

    Every commit is on the disk when it returns. With the option ``immediate`` a transaction holds
    the right to write from its beginning, so that what it reads is still so when it writes.

    Args:
        file: the database.
        wal: write ahead, as the log does; else into the file itself, which is then whole alone.
    """
    url = URL.create("sqlite", database=str(file))
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": LOCKED_S})
    mode = "WAL" if wal else "DELETE"

    @event.listens_for(engine, "connect")
    def _connected(connection, _record):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        connection.isolation_level = None  # the driver must not begin and end transactions itself
        for pragma in (
            f"journal_mode={mode}",
            "synchronous=FULL",
            "cell_size_check=ON",
            f"wal_autocheckpoint={WAL_PAGES}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("immediate")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def create(connection: Connection) -> None:
    """Make the tables of this version; the migrations make the same ones."""
    metadata.create_all(connection)
    connection.execute(insert(version).values(version_num=HEAD))


def version_of(connection: Connection) -> str | None:
    """Version of a database's schema; None where it has no tables."""
    if not inspect(connection).has_table(version.name):
        return None
    return connection.execute(select(version.c.version_num)).scalar_one_or_none()


def check_known(found: str | None, file: Path) -> None:
    """See that a version can be brought to this one.

    Raises:
        StorageError: it is newer, or none.
    """
    if found is None or not found.isdecimal():
        message = f"{file} is a database, but no log of wordtray"
        raise StorageError(message, "Move it away, or restore a backup: wordtray restore FILE")
    if found > HEAD:
        message = f"{file} is of a newer version of wordtray (schema {found}, known is {HEAD})"
        raise StorageError(
            message, "Install that version again, or restore a backup: wordtray restore FILE"
        )


def migrate(connection: Connection) -> None:
    """Bring a database to this version, in the transaction that is open."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "firmware_host:store/migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
