"""The examples in the documentation of this room are true."""

import doctest
import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "scoring.board",
        "scoring.distributions",
        "scoring.folding",
        "scoring.intake",
        "scoring.lexicon",
        "scoring.notation",
        "scoring.paths",
        "scoring.rolls",
        "scoring.rules.game",
        "scoring.rules.house",
        "scoring.solver",
        "scoring.tournament.commitment",
        "scoring.tournament.pairs",
        "scoring.tournament.planes",
        "scoring.tournament.pods",
        "scoring.tournament.simulation",
        "scoring.wordlist",
        "scoring.worldwinner.events",
        "scoring.worldwinner.tiles",
        "scoring.worldwinner.words",
    ],
)
def test_examples_give_what_they_show(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(("name", "least"), [("solver.md", 20), ("worldwinner.md", 12)])
def test_the_examples_of_the_pages_give_what_they_show(name: str, least: int) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / name
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > least
    assert results.failed == 0
