"""The solver benchmark in its smallest form: it runs, and all contestants agree on the points."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.engine import engines
from scoring.lexicon import Lexicon

Report = dict[str, Any]

SCRIPT = Path(__file__).with_name("solver.py")
SECTIONS = ["score", "list", "threads", "load"]  # those of the package index need a network


@pytest.fixture(scope="module")
def report() -> Report:
    """What the benchmark says in JSON, of two boards of a kind and one round."""
    smallest = ["--json", "--boards", "2", "--rounds", "1", "--only", *SECTIONS]
    done = subprocess.run([sys.executable, SCRIPT, *smallest], capture_output=True, check=True)
    found: Report = json.loads(done.stdout)
    return found


def test_every_section_has_figures_or_says_why_not(report: Report) -> None:
    assert len(report["sections"]) == len(SECTIONS)
    assert all(section["rows"] or section["notes"] for section in report["sections"])


def test_the_score_of_each_engine_and_of_the_baseline_is_timed(report: Report) -> None:
    names = {engine.name for engine in engines(Lexicon.from_words("one", ["tea"]).trie)}
    native = {name for name in names if name.startswith("native")}
    expected = native | ({"baseline"} if shutil.which("g++") else set())
    assert {row["contestant"] for row in report["sections"][0]["rows"]} == expected


def test_each_engine_is_held_to_what_a_list_may_cost(report: Report) -> None:
    claims = [str(promise["claim"]) for promise in report["promises"]]
    for engine in engines(Lexicon.from_words("one", ["tea"]).trie):
        assert any(claim.startswith(f"{engine.name}: the list") for claim in claims)
