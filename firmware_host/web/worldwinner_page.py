"""The page on which WorldWinner is played by touch."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from firmware_host.web.render import Pages
from firmware_host.web.texts import read_catalogues

page_router = APIRouter(include_in_schema=False)


@cache
def _pages() -> Pages:
    return Pages(read_catalogues())


@page_router.get("/touch")
def touch(request: Request, lang: str | None = None) -> HTMLResponse:
    """WorldWinner by touch."""
    pages = _pages()
    texts = pages.catalogues.chosen(lang, None, request.headers.get("accept-language"))
    return HTMLResponse(pages.html("touch", texts), headers={"cache-control": "no-cache"})
