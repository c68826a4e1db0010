"""Faults by keys of the catalogues, so that each page tells them in its own language.

The English catalogue has each text as the devices have it, with what differs in braces: that is how
a text finds its key. One that is not there is told as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field

from firmware_host.web.texts import shipped_texts


class Said(BaseModel):
    """A text by its key, with the device that it is about and what is filled in."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"key": "fault.say.no_picture", "device": "camera", "values": {}}]
        }
    )

    key: str
    device: str = ""
    values: dict[str, str] = Field(default_factory=dict)


def said_of(message: str) -> Said | None:
    """What a message of a fault says; None where the catalogues do not have it.

    Example:
        >>> said_of("camera: it gave no picture in 5 s")
        Said(key='fault.say.no_picture', device='camera', values={'seconds': '5'})
    """
    known = _known()
    device, colon, rest = message.partition(": ")
    if colon and f"fault.device.{device}" in known.devices:
        found = known.found("fault.say.", rest)
        return found and found.model_copy(update={"device": device})
    return known.found("fault.say.", message)


def advised_of(advice: str) -> Said | None:
    """What an advice says; None where the catalogues do not have it."""
    return _known().found("fault.do.", advice)


@dataclass(frozen=True)
class _Known:
    """The texts as patterns by key, those that say most first; and keys of the devices."""

    patterns: Mapping[str, re.Pattern[str]]
    devices: frozenset[str]

    def found(self, table: str, text: str) -> Said | None:
        for key, pattern in self.patterns.items():
            if key.startswith(table) and (fits := pattern.fullmatch(text)):
                return Said(key=key, values=fits.groupdict())
        return None


@cache
def _known() -> _Known:
    texts = shipped_texts("en")
    faults = {key: text for key, text in texts.items() if key.startswith(("fault.say", "fault.do"))}
    by_length = sorted(faults, key=lambda key: -len(re.sub(r"\{\w+\}", "", faults[key])))
    devices = frozenset(key for key in texts if key.startswith("fault.device."))
    return _Known(MappingProxyType({key: _pattern(faults[key]) for key in by_length}), devices)


def _pattern(text: str) -> re.Pattern[str]:
    """A text with any words where it has braces, the same ones for the same name."""
    parts = re.split(r"\{(\w+)\}", text)
    named = (f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.compile("".join(named), re.DOTALL)
