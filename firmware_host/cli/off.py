"""``wordtray off``: every output off, after a service that did not come to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from firmware_host.cli import options
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import Complaint, ExitCode, complaint_of

if TYPE_CHECKING:
    from firmware_host.outputs import Driven

EPILOG = (
    "Examples: wordtray off · wordtray off --settings wordtray.toml --json. Systemd calls it "
    "whenever the service has ended, however that came about."
)


def off(settings: options.Settings = None, *, json: options.Json = False) -> None:
    """Drive every output of this machine off: the motor first, then lamp, light bar and buzzer.

    Works where the service was killed. While it runs it has the pins, and this ends with code 5;
    stop it instead: systemctl stop wordtray. Pins of thin air are told as simulated.
    """
    with reporting(json=json) as output:
        from firmware_host import settings_file
        from firmware_host.outputs import drive_off

        code = ExitCode.DONE
        for driven in drive_off(settings_file.load(settings).settings):
            if driven.error and (complaint := complaint_of(driven.error)):
                output.complain(_for_real_pins(complaint), {"output": driven.role})
                code = complaint.code
            else:
                _tell_off(output, driven)
        raise typer.Exit(code)


def _for_real_pins(complaint: Complaint) -> Complaint:
    """Leave out the way on without a tray: there is nothing to drive off then."""
    from hardware.pins import WITHOUT_A_TRAY

    return replace(complaint, advice=complaint.advice.removesuffix(WITHOUT_A_TRAY))


def _tell_off(output: Output, driven: Driven) -> None:
    document = {
        "output": driven.role,
        "off": True,
        "simulated": driven.simulated,
        "error": None,
    }
    made_up = "  [bold yellow]SIMULATED[/]" * driven.simulated
    output.document(document, lambda out: out.print(f"{shown(driven.role)}: off{made_up}"))


command = off
