"""Standings, explanations, and files of all of it."""

from __future__ import annotations

from fastapi import APIRouter

from firmware_host.tournament_office.office import Document, Office

router = APIRouter(prefix="/api", tags=["exports"])


def state(_office: Office) -> Document:
    """What of it belongs to the state of the desk."""
    return {}
