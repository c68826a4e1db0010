"""How all tables stand, as the station sees them."""

from __future__ import annotations

import json

from fastapi import APIRouter

from firmware_host.tournament_office.office import Document, Office

router = APIRouter(prefix="/api", tags=["tables"])


def state(office: Office) -> Document:
    """Every tray as of `wordtray station tables`; ``station`` says whether there is one.

    ``silent`` tells that it says nothing any more: what it showed last is then old.
    """
    base = office.branch.base()
    if base is None:
        return {"station": False, "silent": False, "tables": []}
    return {
        "station": True,
        "silent": office.pulse.is_silent(base.beaten(), office.clock()),
        "tables": [json.loads(text) for text in base.shown().values()],
    }
