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
from firmware_host.store.log import Recorder, Setup, open_log
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


def main(folder: Path, kills: int, seed: int) -> None:
    rng, place = random.Random(seed), Place(folder / "data")
    known: list[str] = []
    resumed = lost = 0
    for _ in range(kills):
        known += killed(place, rng)
        with open_log(place) as log:
            proof = log.prove()
            rounds = [log.round(summary.number) for summary in log.rounds()[-3:]]
            held = {
                f"{entry.seq} {entry.hash}\n" for one in rounds for entry in log.entries(one.number)
            }
        oldest = min(int(line.split()[0]) for line in held)
        due = [line for line in known if int(line.split()[0]) >= oldest]
        lost += sum(line not in held for line in due)
        lost += proof.events < int(known[-1].split()[0])
        resumed += any(one.state.restarts for one in rounds)
        assert all(one.state.phase is not Phase.FAULTED for one in rounds)
    found = {"kills": kills, "acknowledged": len(known), "lost": lost, "resumed": resumed}
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
