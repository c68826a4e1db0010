"""Options of the commands that serve pages of a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.settings import WebSection

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="0.0.0.0 or :: lets others in.")
]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 finds a free one.")
]
Certificate = Annotated[
    Path | None, typer.Option("--certificate", metavar="FILE", help="Of TLS, PEM.")
]
KeyFile = Annotated[
    Path | None, typer.Option("--key", metavar="FILE", help="Of the certificate, PEM.")
]

LOOK_S = 60.0
"""Seconds of a wait for the end; a signal ends it at once."""


def web_section(
    host: str, port: int, certificate: Path | None, key_file: Path | None
) -> WebSection:
    """What these options say, as settings have it.

    Raises:
        CommandError: there is a certificate without its key, or the other way round.
    """
    from firmware_host.settings import WebSection

    if (certificate is None) != (key_file is None):
        message = "--certificate and --key belong together"
        raise wrong_use("certificate", message, "Give both, or neither.")
    return WebSection(host=host, port=port, certificate=certificate, key_file=key_file)
