"""An application of pages before it has any."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI
from fastapi.routing import APIRoute

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def plain_app(
    title: str, version: str, description: str = "", lifespan: Lifespan | None = None
) -> FastAPI:
    """An application without pages that would load scripts from other hosts.

    Args:
        title: for OpenAPI.
        version: of wordtray.
        description: for OpenAPI.
        lifespan: what is done as it begins and ends.
    """
    return FastAPI(
        title=title,
        description=description,
        version=version,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        generate_unique_id_function=_operation,
    )


def _operation(route: APIRoute) -> str:
    return f"{route.tags[0]}_{route.name}" if route.tags else route.name
