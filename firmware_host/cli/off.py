"""``wordtray off``: every output off, after a service that did not come to it."""

from __future__ import annotations

import typer

from firmware_host.cli import options
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.errors import ExitCode, complaint_of

EPILOG = (
    "Examples: wordtray off · wordtray off --settings wordtray.toml --json. Systemd calls it "
    "whenever the service has ended, however that came about."
)


def off(settings: options.Settings = None, *, json: options.Json = False) -> None:
    """Drive every output of this machine off: the motor first, then lamp, light bar and buzzer.

    Works where the service was killed. While it runs it has the pins, and this ends with code 5;
    stop it instead: systemctl stop wordtray.
    """
    with reporting(json=json) as output:
        from firmware_host import settings_file
        from firmware_host.outputs import drive_off

        code = ExitCode.DONE
        for driven in drive_off(settings_file.load(settings).settings):
            if driven.error and (complaint := complaint_of(driven.error)):
                output.complain(complaint, {"output": driven.role})
                code = complaint.code
            else:
                _tell_off(output, driven.role)
        raise typer.Exit(code)


def _tell_off(output: Output, role: str) -> None:
    document = {"output": role, "off": True, "error": None}
    output.document(document, lambda out: out.print(f"{shown(role)}: off"))


command = off
