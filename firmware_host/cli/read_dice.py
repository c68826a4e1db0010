"""``wordtray read --dice``: pips of photographed dice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import attempt
from firmware_host.documents import dice_document
from firmware_host.errors import ExitCode

if TYPE_CHECKING:
    from firmware_host.reading import DiceReader, TimedDice


def read_dice(photo: Path, picture: Path | None, *, reader: DiceReader, output: Output) -> ExitCode:
    """Read the dice of one photo and tell them; where a picture is named, draw it too."""

    def read() -> TimedDice:
        timed = reader.read_file(photo)
        if picture:
            reader.annotate(photo, timed.reading, picture)
        return timed

    timed, code = attempt(output, {"photo": str(photo)}, read)
    if timed is None:
        return code
    output.document(dice_document(photo, timed), lambda out: _show(out, photo, timed, picture))
    return ExitCode.DOUBTFUL if timed.reading.doubtful else ExitCode.DONE


def _show(out: Console, photo: Path, timed: TimedDice, picture: Path | None) -> None:
    reading = timed.reading
    pips = ", ".join(f"{die.pips}{'?' * die.doubtful}" for die in reading.dice)
    total = f", {sum(reading.pips)} in all" if len(reading.dice) > 1 else ""
    out.print(f"[bold]{shown(photo.name)}[/]  {pips}{total}")
    for die in reading.dice:
        for doubt in die.doubts:
            out.print(f"[yellow]the {die.pips} is doubtful:[/] {doubt}")
    for x, y in reading.unread_px:
        out.print(f"[yellow]there may be one more die[/] at {x:.0f}, {y:.0f} px")
    out.print(f"read in {timed.seconds:.1f} s")
    if picture:
        out.print(f"annotated: {shown(str(picture))}")
