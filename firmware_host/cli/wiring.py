"""``wordtray wiring``: which part is on which pin, as a table and as a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from firmware_host.cli import options
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting
from firmware_host.cli.settings import tell_made_up

if TYPE_CHECKING:
    from firmware_host.settings_file import Loaded
    from hardware.wiring import Wiring

EPILOG = "Examples: wordtray wiring · wordtray wiring -o wiring.svg · wordtray wiring --json"


def wiring(
    drawing: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE.svg", help="Draw the wiring into this file."),
    ] = None,
    settings: options.Settings = None,
    *,
    json: options.Json = False,
) -> None:
    """Show which part goes to which pin, as the settings have it, and draw it."""
    with reporting(json=json) as output:
        from firmware_host import settings_file
        from firmware_host.files import check_ending, write_whole

        check_ending(drawing, ".svg")
        loaded = settings_file.load(settings)
        pins = loaded.settings.wiring
        replaced = drawing is not None and drawing.exists()
        if drawing is not None:
            from hardware.wiring_diagram import draw

            write_whole(drawing, (draw(pins).encode(),))

        def show(out: Console) -> None:
            _show(out, pins)
            tell_made_up(out, loaded.settings)

        output.document(_document(loaded, drawing), show)
        if drawing is not None:
            how = " (in place of the file that was there)" if replaced else ""
            output.log.print(f"drawn: {shown(str(drawing))}{how}")


def _document(loaded: Loaded, drawing: Path | None) -> dict[str, Any]:
    pins = loaded.settings.wiring
    return {
        "settings": None if loaded.file is None else str(loaded.file),
        "simulated": bool(loaded.settings.simulated),
        "driver": pins.driver,
        "drawing": None if drawing is None else str(drawing),
        "wires": [
            {
                "role": wire.role,
                "part": wire.part,
                "label": wire.label,
                "gpio": wire.gpio,
                "pin": wire.pin,
                "use": str(wire.use),
            }
            for wire in pins.wires
        ],
    }


def _show(out: Console, pins: Wiring) -> None:
    table = Table(box=SIMPLE_HEAD)
    for name, justify in (("pin", "right"), ("GPIO", "right"), ("part", "left"), ("wire", "left")):
        table.add_column(name, justify="right" if justify == "right" else "left")
    table.add_column("use")
    table.add_column("setting")
    for wire in sorted(pins.wires, key=lambda wire: wire.pin):
        row = (wire.pin, wire.gpio, wire.part, wire.label, wire.use, wire.role)
        table.add_row(*map(str, row))
    out.print(table)


command = wiring
