"""Announcements and countdowns on all displays."""

from __future__ import annotations

from fastapi import APIRouter

from firmware_host.tournament_office.office import Document, Office

router = APIRouter(prefix="/api", tags=["notices"])


def state(_office: Office) -> Document:
    """What of it belongs to the state of the desk."""
    return {}
