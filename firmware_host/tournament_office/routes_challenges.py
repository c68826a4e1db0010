"""Words that are called into question."""

from __future__ import annotations

from fastapi import APIRouter

from firmware_host.tournament_office.office import Document, Office

router = APIRouter(prefix="/api", tags=["challenges"])


def state(_office: Office) -> Document:
    """What of it belongs to the state of the desk."""
    return {}
