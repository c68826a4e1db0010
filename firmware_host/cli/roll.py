"""``wordtray roll``: random boards."""

from __future__ import annotations

import random
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.reporting import reporting

EPILOG = "Examples: wordtray roll · wordtray roll --cubes super_big_2012_6x6 --seed 7 -n 3 --json"


def roll(
    cubes: options.Shaken = options.SHAKEN,
    seed: options.Seed = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many boards.")] = 1,
    *,
    json: options.Json = False,
) -> None:
    """Roll random boards: real cubes, each face equally likely."""
    from scoring.cubes import cube_set

    with reporting(json=json) as output:
        edition = cube_set(cubes)
        rng = random.Random(seed)
        for _ in range(count):
            board = edition.roll(rng)
            document = {
                "board": str(board),
                "rows": board.rows,
                "cols": board.cols,
                "edition": edition.name,
            }
            output.document(document, partial(_show, str(board)))


def _show(board: str, out: Console) -> None:
    out.print(board, markup=False)


command = roll
