"""What is installed is what stands in the folders."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware_host", "hardware", "scoring", "vision")


def test_every_package_is_installed() -> None:
    found = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for file in (ROOT / room).rglob("__init__.py")
    }
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert set(listed["packages"]) == found
