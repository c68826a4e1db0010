"""Whether a Pi gets ready-built packages: what is asked of pip, and what its answers mean."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FILE = Path(__file__).resolve().parents[2] / "tools" / "check_wheels.py"

PROJECT: dict[str, Any] = {
    "build-system": {"requires": ["setuptools>=77"]},
    "project": {
        "dependencies": ["numpy>=1.24"],
        "optional-dependencies": {
            "pi": [
                "lgpio>=0.2.2; python_version < '3.13'",
                "pywin32; sys_platform == 'win32'",
            ],
            "strip": ["spidev>=3.6"],
        },
    },
}


@pytest.fixture(scope="module")
def wheels() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_wheels", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def said(code: int, out: str, err: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, out, err)


def test_conditions_are_those_of_the_pi(wheels: ModuleType) -> None:
    always = ["setuptools>=77", "numpy>=1.24"]
    assert wheels.requirements(PROJECT, "3.11") == [*always, "lgpio>=0.2.2"]
    assert wheels.requirements(PROJECT, "3.13") == always


def test_all_there_is_told_with_their_number(wheels: ModuleType) -> None:
    told = wheels.verdict("3.13", said(0, "Collecting x\nWould install numpy-2.2 pillow-12.0\n"))
    assert told.good
    assert told.sentence == "Python 3.13 on aarch64: 2 packages, a wheel for each"


def test_the_package_without_a_wheel_is_named(wheels: ModuleType) -> None:
    told = wheels.verdict("3.13", said(1, "", "ERROR: No matching distribution found for lgpio>=1"))
    assert not told.good
    assert "Python 3.13: there is no wheel for aarch64 that satisfies lgpio>=1." in told.sentence


def test_without_a_network_it_is_skipped_and_says_so(wheels: ModuleType) -> None:
    warning = "WARNING: Retrying after connection broken by 'NewConnectionError'"
    told = wheels.verdict("3.11", said(1, "", f"{warning}\nNo matching distribution found for x"))
    assert told.good
    assert "skipped" in told.sentence


def test_another_failure_is_told_in_the_words_of_pip(wheels: ModuleType) -> None:
    told = wheels.verdict("3.11", said(1, "", "ERROR: ResolutionImpossible"))
    assert not told.good
    assert told.sentence.endswith("ERROR: ResolutionImpossible")
