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
        "scoring.solver",
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


def test_the_examples_of_the_page_on_the_solver_give_what_they_show() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "solver.md"
    results = doctest.testfile(str(page), module_relative=False)
    assert results.attempted > 20
    assert results.failed == 0
