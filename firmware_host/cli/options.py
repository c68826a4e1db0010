"""Arguments and options that several commands share, so that they read alike everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from firmware_host.errors import wrong_use
from firmware_host.writing import Writing
from scoring.cubes import cube_sets
from scoring.rules import games

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document a line, for other programs.")
]
CountedDown = Annotated[
    float | None,
    typer.Option("--minutes", metavar="N", min=0, max=1440, help="Counted down from now."),
]
BoardOrPhoto = Annotated[
    str,
    typer.Argument(
        metavar="BOARD|PHOTO",
        help="A board, as IETC/HQuPE/SEYH/TOER or perslatgsineters, or a photo of a tray.",
    ),
]
BOGGLE_GAMES = ", ".join(game.name for game in games() if not game.letter_values)
Game = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="G",
        help=f"The rules: {BOGGLE_GAMES} or worldwinner (else by the board's size).",
    ),
]
Lexicon = Annotated[
    str,
    typer.Option(
        "--lexicon", metavar="L", help="Word list: a name of `lexicon list`, or a text file."
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="RxC", help="Rows and columns, such as 3x4 (else a square)."),
]
EDITIONS = ", ".join(edition.name for edition in cube_sets())
Cubes = Annotated[
    str | None,
    typer.Option(
        "--cubes", metavar="EDITION", help=f"The cube set in the tray: {EDITIONS} (else found out)."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="Roll the same again (else by chance)."),
]
Pictures = Annotated[
    Path,
    typer.Option("--pictures", metavar="FOLDER", help="Where the photos of the round go."),
]


Settings = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="Settings of this machine (else WORDTRAY_SETTINGS, /etc/wordtray/wordtray.toml or "
        "~/.config/wordtray/wordtray.toml).",
    ),
]
Faults = Annotated[
    list[str] | None,
    typer.Option(
        "--fault",
        metavar="NAME[@n][xTIMES]",
        help="With --simulate: what goes wrong, such as motor-stuck@2x1; give it once for each.",
    ),
]
Shaken = Annotated[
    str, typer.Option("--cubes", metavar="EDITION", help=f"The cube set to shake: {EDITIONS}.")
]
OnPaper = Annotated[
    Writing,
    typer.Option(
        "--writing",
        help="How lists on paper are written. Handwriting and print are read alike; "
        "printed has Tesseract read them, hand never.",
    ),
]
SHAKEN = "new_4x4"
PICTURES = Path("wordtray-out")


def parse_size(text: str | None) -> tuple[int, int] | None:
    """Rows and columns of ``"3x4"``.

    Raises:
        CommandError: it is not of that form.
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,4})[x×](\d{1,4})", text.strip().lower())
    if not found:
        raise wrong_use("size", f"{text!r} is no size", "Write rows x columns, such as --size 3x4.")
    return int(found[1]), int(found[2])


def check_seed(seed: int | None, *, simulate: bool) -> None:
    """See that a seed has a tray to roll.

    Raises:
        CommandError: the tray is real.
    """
    if seed is not None and not simulate:
        raise wrong_use("seed", "--seed is that of a simulated tray", "Add --simulate.")


def check_simulation(*, simulate: bool, faults: list[str] | None, settings: Path | None) -> None:
    """See that the options of simulated and real trays are not mixed, and the faults are known.

    Raises:
        CommandError: they are mixed.
        FaultError: there is no such fault.
    """
    if faults and not simulate:
        message = "--fault breaks simulated parts alone"
        raise wrong_use("fault_name", message, "Add --simulate, or leave --fault out.")
    if settings and simulate:
        message = "--settings are those of a real tray"
        raise wrong_use("settings", message, "Leave --simulate or --settings out.")
    if faults:
        from hardware.simulated import Scripted

        for fault in faults:
            Scripted.parse(fault)
