"""Kills a program that records rounds at random moments, and counts what was lost.

``python crashes.py FOLDER KILLS SEED`` prints JSON. The program prints the number of each event
once the log has acknowledged it; it is killed after some of them, wherever it is then. What is
left must hold all of these, be whole, and be gone on with.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from operator import add
from pathlib import Path

from firmware_host.rounds import (
    ButtonPressed,
    Event,
    ListHandedIn,
    Phase,
    Plan,
    Restarted,
    Settled,
    ShakeDone,
    Tick,
    TrayRead,
    WordWritten,
)
from firmware_host.store.log import Log, Recorder, Setup, open_log
from firmware_host.store.place import Place
from scoring.board import Board
from scoring.rules import game
from vision.reading import FaceReading, TrayReading

SETUP = Setup(
    Plan(game("boggle"), ("red", "blue"), 60.0),
    by="play",
    simulated=True,
    cubes="new_4x4",
    lexicon="enable",
)
BATCH = 25
"""Kills on the same log, so that to prove all of it takes no longer and longer."""

BOARD = Board.parse("IETC/HQuPE/SEYH/TOER")


def reading() -> TrayReading:
    cells = tuple(
        tuple(FaceReading(face, 0.99, 0.0, ((face, 0.99),), doubtful=False) for face in row)
        for row in BOARD.faces
    )
    return TrayReading(cells, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), None)


def a_round() -> list[Event]:
    words = [WordWritten("red", f"word{number}", 3.0) for number in range(20)]
    read = TrayRead(reading(), Path(f"photo-{'0' * 64}.jpg"))
    begin: list[Event] = [ButtonPressed(1.0), ShakeDone(), Settled(), read, ButtonPressed(2.0)]
    return [*begin, *words, Tick(62.0), ListHandedIn("red", ())]


def record_for_ever(place: Place, acknowledge: int) -> None:
    """Go on with the round that was interrupted, then play one after the other."""
    with open_log(place) as log:
        number = log.interrupted("play")
        if number is not None:
            with log.go_on(number) as (_, recorder):
                tell(acknowledge, recorder, [Restarted(log.clock.monotonic())])
        while True:
            with log.begin(SETUP) as recorder:
                tell(acknowledge, recorder, a_round())


def tell(acknowledge: int, recorder: Recorder, happened: list[Event]) -> None:
    for event in happened:
        entry = recorder.log.append(recorder.number, event)
        os.write(acknowledge, f"{entry.seq} {entry.hash}\n".encode())


def killed(place: Place, rng: random.Random) -> list[str]:
    """Start the program, kill it somewhere; gives what it had acknowledged."""
    reading_end, writing_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading_end)
        record_for_ever(place, writing_end)
    os.close(writing_end)
    with os.fdopen(reading_end) as lines:
        told = [lines.readline() for _ in range(rng.randrange(1, 60))]
        for _ in range(rng.randrange(20_000)):  # so that it is killed anywhere
            pass
        os.kill(child, signal.SIGKILL)
        told += list(lines)
    os.waitpid(child, 0)
    return [line for line in told if line.endswith("\n")]


@dataclass(frozen=True)
class Count:
    """What came of some kills."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    resumed: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*(map(add, astuple(self), astuple(other))))


def survived(place: Place, kills: int, rng: random.Random) -> Count:
    """Kill the program some times on the same log, which is proved after each."""
    known: list[str] = []
    lost = 0
    for _ in range(kills):
        known += killed(place, rng)
        with open_log(place) as log:
            log.prove()
            held = set(told_of(log))
        lost += sum(line not in held for line in known)
    with open_log(place) as log:
        rounds = [log.round(summary.number).state for summary in log.rounds()]
    assert all(state.phase is not Phase.FAULTED for state in rounds)
    return Count(kills, len(known), lost, sum(state.restarts for state in rounds))


def told_of(log: Log) -> Iterator[str]:
    for summary in log.rounds():
        for entry in log.entries(summary.number):
            yield f"{entry.seq} {entry.hash}\n"


def main(folder: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    batches = [min(BATCH, kills - start) for start in range(0, kills, BATCH)]
    counts = [survived(Place(folder / str(n)), some, rng) for n, some in enumerate(batches)]
    print(json.dumps(asdict(sum(counts, Count()))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
