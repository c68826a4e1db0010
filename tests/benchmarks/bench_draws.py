"""Tables of a large hall: seconds for each method, and meetings that were repeated.

Run: ``.venv/bin/python tests/benchmarks/bench_draws.py [--players N] [--rounds N]``. Points are by
chance. A draw is to take ten seconds at most for 600 players.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.progress import track
from rich.table import Table

from scoring.tournament.drawing import draw, draw_event, remarks
from scoring.tournament.log import Log
from scoring.tournament.plan import Method, Plan
from scoring.tournament.standings import Standings

CONTESTS = [
    (Method.SWISS, 2),
    (Method.ROUND_ROBIN, 2),
    (Method.KING_OF_THE_HILL, 2),
    (Method.RANDOM, 2),
    (Method.SWISS, 4),
    (Method.SWISS, 6),
    (Method.BALANCED, 6),
    (Method.ROUND_ROBIN, 6),
    (Method.SWISS, 8),
]


@dataclass
class Counts:
    """What an event took."""

    draw_s: float = 0.0
    standings_s: float = 0.0
    replay_s: float = 0.0
    again: int = 0
    meetings: int = 0


def play(players: int, rounds: int, method: Method, seats: int) -> Counts:
    """An event of chance."""
    plan = Plan.agree("Hall", "enable", "", rounds=rounds, boards=1, seats=seats, method=method)
    names = [f"player {number}" for number in range(players)]
    log = Log.new(plan).play(0.0, *({"type": "enrol", "player": name} for name in names))
    rng, counts = random.Random(1), Counts()
    for number in range(1, rounds + 1):
        start = time.process_time()
        drawn = draw(plan, log.state, "main")
        counts.draw_s = max(counts.draw_s, time.process_time() - start)
        counts.again += sum(each.kind == "again" for each in remarks(plan, log.state, drawn))
        counts.meetings += sum(len(table) * (len(table) - 1) // 2 for table in drawn.tables)
        log = log.play(0.0, draw_event(number, drawn))
        log = log.play(0.0, *scores(log, number, rng))
    start = time.process_time()
    Standings(plan, log.state).of("main")
    counts.standings_s = time.process_time() - start
    start = time.process_time()
    Log.from_lines(log.to_lines())
    counts.replay_s = time.process_time() - start
    return counts


def scores(log: Log, number: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """Points by chance for every table."""
    for table, players in log.state.rounds[-1].tables.items():
        made = {player: {"points": rng.randrange(80)} for player in players}
        place = {"round": number, "board": 1, "table": table}
        yield {"type": "scores", **place, "entered": True, "scores": made}


def main() -> None:
    """Measure all methods."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=8)
    asked = parser.parse_args()
    _warm()
    table = Table(
        "method", "seats", "slowest draw, s", "meetings again", "of", "standings, s", "replay, s"
    )
    for method, seats in track(CONTESTS, console=Console(stderr=True)):
        counts = play(asked.players, asked.rounds, method, seats)
        figures = f"{counts.draw_s:.2f}", str(counts.again), str(counts.meetings)
        times = f"{counts.standings_s:.2f}", f"{counts.replay_s:.2f}"
        table.add_row(str(method), str(seats), *figures, *times)
    Console().print(table)


def _warm() -> None:
    """Have networkx loaded."""
    plan = Plan.agree("Hall", "enable", "", rounds=1, boards=1, seats=2)
    log = Log.new(plan).play(0.0, *({"type": "enrol", "player": name} for name in "abcd"))
    draw(plan, log.state, "main")


if __name__ == "__main__":
    main()
