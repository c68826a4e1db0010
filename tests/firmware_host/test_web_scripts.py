"""The scripts of the pages: their pure functions, run by node where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

SCRIPTS = Path(str(resources.files("firmware_host.web"))) / "static" / "js"
TESTS = Path(__file__).parent / "scripts"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed (apt: nodejs)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tests beside the scripts, where node takes all of them for modules."""
    place = tmp_path_factory.mktemp("scripts")
    shutil.copytree(SCRIPTS, place / "js")
    for test in TESTS.glob("*.test.js"):
        shutil.copy(test, place)
    (place / "package.json").write_text('{"type": "module"}')
    return place


def _node(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    return subprocess.run(
        [NODE, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.js")), ids=lambda script: script.name)
def test_a_script_is_sound_and_asks_to_be_checked(folder: Path, script: Path) -> None:
    done = _node(folder, "--check", f"js/{script.name}")

    assert done.returncode == 0, done.stderr
    assert script.read_text("utf-8").startswith("// @ts-check\n")


@pytest.mark.parametrize("test", sorted(TESTS.glob("*.test.js")), ids=lambda test: test.name)
def test_scripts_do_what_they_say(folder: Path, test: Path) -> None:
    done = _node(folder, "--test", test.name)

    assert done.returncode == 0, done.stdout
