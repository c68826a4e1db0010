"""The die of a turn of Swoggle, read from a photo."""

from __future__ import annotations

from pathlib import Path

from firmware_host.errors import CommandError, Complaint, ExitCode
from firmware_host.reading import DiceReader
from firmware_host.swoggle import GivenDice
from vision.dice.reading import DiceReading

_ADVICE = "Say what it shows with --die N, or take another photo of the die alone from above."


def photographed_die(photo: Path) -> GivenDice:
    """The throw that a photo of one die shows.

    Raises:
        CommandError: it shows more than one die, or one that a person must confirm.
        VisionError: the file is no usable photo, or shows no die.
    """
    reading = DiceReader().read_file(photo).reading
    odd = _oddity(reading)
    if odd:
        message = f"{photo}: {odd}"
        raise CommandError(Complaint("doubtful", message, _ADVICE, ExitCode.DOUBTFUL))
    return GivenDice(reading.pips, thrown_by="camera")


def _oddity(reading: DiceReading) -> str | None:
    """Why the photo does not say for sure what the die shows."""
    count = len(reading.dice) + len(reading.unread_px)
    if count > 1:
        return f"it shows {count} dice, where a turn has one"
    if reading.doubtful:
        die = reading.dice[0]
        return f"the die seems to show {die.pips}, but {' and '.join(die.doubts)}"
    return None
