"""The examples in the documentation of this room are true."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "scoring.board",
        "scoring.distributions",
        "scoring.folding",
        "scoring.intake",
        "scoring.lexicon",
        "scoring.paths",
        "scoring.rolls",
        "scoring.rules.game",
        "scoring.solver",
        "scoring.wordlist",
    ],
)
def test_examples_give_what_they_show(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0
