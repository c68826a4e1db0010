"""Phones on one tray: how long a word takes to be kept, what is lost, how much memory it takes.

Run: ``.venv/bin/python tests/benchmarks/bench_phones.py [--phones N] [--seconds S]``. It serves a
simulated tray as its own process, lets the phones join, has it shaken and its timer started; then
each phone writes a word a second, all at moments of their own, and hears the stream. The phones are
of this process, and share the processor with the service.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import httpx
import numpy as np
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

_PAGES = re.compile(r"Pages: (\S+?)/ .*code (\w+)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TIMER_MARGIN_S = 20

OK = 200


@dataclass(frozen=True)
class Line:
    """A connection that stays: a whole client for each phone would measure the client."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    address: str

    async def post(self, path: str, document: dict[str, str], cookie: str) -> int:
        """Send a document; the status of the answer."""
        body = json.dumps(document)
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nhost: {self.address}\r\ncookie: {cookie}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = re.search(r"content-length: (\d+)", head)
        await self.reader.readexactly(int(length[1]) if length else 0)
        return int(head.split()[1])


@dataclass
class Phone:
    """A player's phone.

    Attributes:
        name: of the player.
        cookie: of the session.
        kept: words that the service has acknowledged.
        took_ms: milliseconds of each.
        refused: answers that were none.
        heard: messages of the stream.
        seen: the last of them.
    """

    name: str
    cookie: str
    kept: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    heard: int = 0
    seen: str | bytes = ""

    @property
    def headers(self) -> dict[str, str]:
        """What each request carries."""
        return {"cookie": self.cookie}

    async def listen(self, stream: ClientConnection) -> None:
        """Hear the stream until it ends."""
        async for message in stream:
            self.heard += 1
            self.seen = message

    async def write(self, address: str, words: int) -> None:
        """Write a word a second, from a moment of one's own on."""
        host, _, port = address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await asyncio.sleep(random.random())
        for number in range(words):
            begun = perf_counter()
            await self._write_one(Line(reader, writer, address), number)
            await asyncio.sleep(max(0.0, 1 - (perf_counter() - begun)))
        writer.close()

    async def _write_one(self, line: Line, number: int) -> None:
        text = "".join(random.choices(_LETTERS, k=7))
        begun = perf_counter()
        given = {"id": f"{self.name}-{number}", "text": text}
        status = await line.post("/api/words", given, self.cookie)
        self.took_ms.append(1000 * (perf_counter() - begun))
        if status == OK:
            self.kept.append(text)
        else:
            self.refused.append(status)


@dataclass(frozen=True)
class Served:
    """A service.

    Attributes:
        url: of its pages.
        code: lets players join.
        process: its own.
    """

    url: str
    code: str
    process: asyncio.subprocess.Process

    def memory_mb(self, line: str) -> float:
        """A line of the status that the kernel keeps of it, ``VmRSS`` or ``VmHWM``."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"{line}:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) / 1024


async def serve(folder: Path, seconds: int) -> Served:
    """Start a service and wait for its pages."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "firmware_host", "serve", "--simulate", "--seed", "7"),
        *("--port", "0", "--timer", str(seconds + _TIMER_MARGIN_S)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={"XDG_DATA_HOME": str(folder), "PYTHONPATH": ":".join(sys.path), "COLUMNS": "200"},
    )
    assert process.stderr is not None
    async for line in process.stderr:
        found = _PAGES.search(line.decode())
        if found is not None:
            return Served(found[1], found[2], process)
    raise SystemExit("the service did not start")


async def join(client: httpx.AsyncClient, name: str, code: str) -> Phone:
    """Join as a new phone."""
    answer = await client.post("/api/players", json={"name": name, "code": code})
    answer.raise_for_status()
    cookie = answer.headers["set-cookie"].partition(";")[0]
    client.cookies.clear()
    return Phone(name, cookie)


async def start_round(client: httpx.AsyncClient) -> None:
    """Press, until the sand runs."""
    phase = ""
    while phase != "running":
        phase = (await client.get("/api/state")).json()["round"]["phase"]
        if phase in {"idle", "ready"}:
            await client.post("/api/round/press")
        await asyncio.sleep(0.2)


async def run(phones: int, seconds: int, console: Console) -> None:
    """Measure, and print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        served = await serve(Path(folder), seconds)
        try:
            await _measure(served, phones, seconds, console)
        finally:
            served.process.terminate()
            await served.process.wait()


async def _measure(served: Served, phones: int, seconds: int, console: Console) -> None:
    limits = httpx.Limits(max_connections=phones, max_keepalive_connections=phones)
    async with (
        httpx.AsyncClient(base_url=served.url, limits=limits, timeout=60) as client,
        AsyncExitStack() as streams,
    ):
        empty_mb = served.memory_mb("VmRSS")
        players = [await join(client, f"p{number:03}", served.code) for number in range(phones)]
        listening = [await _hear(streams, served, player) for player in players]
        console.print(f"{phones} phones have joined; {seconds} s of writing")
        await start_round(client)
        address = served.url.partition("//")[2]
        await asyncio.gather(*(player.write(address, seconds) for player in players))
        lost = [await _lost(client, player) for player in players]
        console.print(_table(players, lost, empty_mb, served))
    await asyncio.gather(*listening, return_exceptions=True)


async def _hear(streams: AsyncExitStack, served: Served, player: Phone) -> asyncio.Task[None]:
    address = served.url.replace("http", "ws", 1) + "/api/stream"
    stream = await streams.enter_async_context(
        connect(address, additional_headers=player.headers, origin=Origin(served.url))
    )
    return asyncio.create_task(player.listen(stream))


async def _lost(client: httpx.AsyncClient, player: Phone) -> int:
    """How many acknowledged words are not on the list, once each."""
    state = (await client.get("/api/state", headers=player.headers)).json()
    listed = [word["text"] for word in state["you"]["words"]]
    return len(player.kept) - sum(listed.count(text) == 1 for text in player.kept)


def _table(players: Sequence[Phone], lost: Sequence[int], empty_mb: float, served: Served) -> Table:
    took = np.array([ms for player in players for ms in player.took_ms])
    refused = sum(len(player.refused) for player in players)
    heard = np.median([player.heard for player in players])
    table = Table(
        "words", "refused", "lost", "ms, median", "99 %", "most", "messages", "memory, MB"
    )
    table.add_row(
        str(len(took)),
        str(refused),
        str(sum(lost)),
        *(f"{np.percentile(took, share):.1f}" for share in (50, 99, 100)),
        f"{heard:.0f}",
        f"{empty_mb:.0f} → {served.memory_mb('VmRSS'):.0f}, ≤ {served.memory_mb('VmHWM'):.0f}",
    )
    return table


def main() -> None:
    """As the command says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=180)
    given = parser.parse_args()
    asyncio.run(run(given.phones, given.seconds, Console()))


if __name__ == "__main__":
    main()
