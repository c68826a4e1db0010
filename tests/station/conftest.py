"""A broker and a database for each test, or for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.station.servers import MOSQUITTO, Mosquitto, Postgres, postgres_programs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.station)


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    if MOSQUITTO is None:
        pytest.skip("no mosquitto: sudo apt install mosquitto")
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Mosquitto(folder)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL: sudo apt install postgresql")
    with TemporaryDirectory(prefix="wordtray-") as folder:  # another user must come to it
        Path(folder).chmod(0o755)
        server = Postgres(programs, Path(folder) / "server")
        server.create()
        server.start()
        yield server
        server.kill()
