"""``wordtray settings``: what is in force, whether a file is sound, and an example."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.output import shown
from firmware_host.cli.reporting import reporting

if TYPE_CHECKING:
    from firmware_host.settings import Settings

app = typer.Typer(
    name="settings",
    help="The settings of this machine: its parts, its pins, how it moves.",
    epilog="Examples: wordtray settings example -o wordtray.toml · "
    "wordtray settings check --settings wordtray.toml · wordtray settings show",
    no_args_is_help=True,
)


@app.command()
def show(settings: options.Settings = None, *, json: options.Json = False) -> None:
    """Show every setting in force, and the file that it is from."""
    with reporting(json=json) as output:
        from firmware_host import settings_file

        loaded = settings_file.load(settings)
        document = {
            "file": None if loaded.file is None else str(loaded.file),
            "simulated": bool(loaded.settings.simulated),
            "settings": loaded.settings.model_dump(mode="json"),
        }

        def tell(out: Console) -> None:
            out.print(f"# {_origin(loaded.file)}", markup=False)
            tell_made_up(out, loaded.settings, "# ")
            out.print(settings_file.written(loaded.settings), markup=False)

        output.document(document, tell)


@app.command()
def check(settings: options.Settings = None, *, json: options.Json = False) -> None:
    """Say whether the settings are sound; else what is wrong with each key."""
    with reporting(json=json) as output:
        from firmware_host import settings_file
        from firmware_host.web.texts import read_catalogues

        try:
            loaded = settings_file.load(settings)
        except settings_file.SettingsError as error:
            for problem in error.problems[1:]:
                output.log.print(f"also: {shown(problem)}")
            raise
        read_catalogues(loaded.settings.web.texts)
        settings_now, warnings = loaded.settings, list(settings_file.warnings(loaded.settings))
        document = {
            "file": None if loaded.file is None else str(loaded.file),
            "sound": True,
            "simulated": bool(settings_now.simulated),
            "warnings": warnings,
        }

        def tell(out: Console) -> None:
            well = "the keys are sound, but look at what follows" if warnings else "all is well"
            out.print(f"{shown(_origin(loaded.file))}: {well}")
            tell_made_up(out, settings_now)
            for warning in warnings:
                out.print(f"[yellow]Warning:[/] {shown(warning)}")

        output.document(document, tell)


@app.command()
def example(
    file: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write it into this new file."),
    ] = None,
) -> None:
    """Give a file with every key, its default and its meaning, to begin with."""
    with reporting(json=False) as output:
        from firmware_host import settings_file

        if file is None:
            output.out.print(settings_file.example(), markup=False, end="")
            return
        settings_file.write_example(file)
        output.out.print(f"written: {shown(str(file))}")


def tell_made_up(out: Console, settings: Settings, comment: str = "") -> None:
    """Say which parts of a machine its settings have made up, if any."""
    if settings.simulated:
        keys = ", ".join(settings.simulated)
        out.print(f"{comment}[bold yellow]SIMULATED[/] by these settings: {keys}")


def _origin(file: Path | None) -> str:
    return "no file: the defaults" if file is None else str(file)
