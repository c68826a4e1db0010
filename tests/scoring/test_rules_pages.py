"""The pages about the rules: what they name is there, what they show works."""

import ast
import re
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from scoring.rules import Game, game, games
from scoring.rules.conduct import Cancelling, Check, Penalty
from scoring.rules.house import base_name, house_game
from scoring.trie import LONGEST_WORD
from scoring.worldwinner.refusals import Rule
from vision import nets, photo
from vision.errors import VisionError

ROOT = Path(__file__).resolve().parents[2]
ERRORS = {"RuleError", "Complaint", "wrong_use", "nothing_found", "unusable_file"}


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def code(name: str, language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", page(name), re.DOTALL)
    return str(found)


def test_every_kind_of_a_broken_rule_of_swoggle_is_on_the_page() -> None:
    sources = (ROOT / "scoring" / "swoggle").glob("*.py")
    kinds = {
        kind
        for source in sources
        for kind in re.findall(r'RuleError\(\s*"(\w+)"', source.read_text("utf-8"))
    }
    assert len(kinds) > 20
    assert [kind for kind in kinds if f"`{kind}`" not in page("rules.md")] == []


def test_every_test_that_shows_a_rule_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", page("rules.md")))
    files = (ROOT / "tests").rglob("test_*.py")
    known = {
        name for file in files for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))
    }
    assert len(named) > 40
    assert named - known == set()


def test_every_file_that_keeps_a_rule_exists() -> None:
    named = set(re.findall(r"`((?:scoring|firmware_host|vision)/[\w/.]*)`", page("rules.md")))
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("rules", [each for each in games() if not each.letter_values])
def test_the_table_of_formats_has_every_game(rules: Game) -> None:
    assert f"| `{rules.name}`" in page("rules.md")


def test_the_example_of_house_rules_says_what_it_does() -> None:
    assert f"1 to {LONGEST_WORD} letters" in page("house-rules.md")
    sections = tomllib.loads(code("house-rules.md", "toml"))
    ours = house_game(sections, game(base_name(sections) or ""))
    assert (ours.title, ours.shortest, ours.min_length) == ("Kitchen Boggle", 3, 2)
    assert [ours.points("a" * n) for n in (2, 4, 5, 7, 8, 9, 10)] == [1, 1, 2, 5, 5, 18, 20]
    assert (ours.timer_s, ours.conduct.target) == (120, 50)
    assert ours.conduct.cancelling is Cancelling.ON
    assert (ours.conduct.check, ours.conduct.penalty) == (Check.CHALLENGED, Penalty(None, 1))


def test_the_program_of_the_page_on_tournaments_runs() -> None:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code("tournaments.md", "python"), {})  # noqa: S102 - our own page
    seats = [line[:1] for line in printed.getvalue().splitlines()]
    assert seats == ["1", "2", "["]


def test_the_program_of_the_page_on_matches_runs() -> None:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code("matches.md", "python"), {})  # noqa: S102 - our own page
    assert printed.getvalue() == "{'ann': 3, 'bob': 1}\n"


def told_by(source: Path) -> Iterator[str]:
    """The kinds that a module gives the errors that it makes, where it writes them out."""
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in ERRORS:
            kind = node.args[0]
            if isinstance(kind, ast.Constant):
                yield str(kind.value)


def last_heirs(error: type[VisionError]) -> set[type[VisionError]]:
    """The errors that are raised, not those that only gather others."""
    heirs = error.__subclasses__()
    return {error} if not heirs else set().union(*map(last_heirs, heirs))


@pytest.mark.parametrize("game", ["boggle", "swoggle", "worldwinner"])
def test_every_rule_of_a_game_that_can_be_broken_is_on_the_page_of_errors(game: str) -> None:
    kinds = {kind for source in (ROOT / "scoring" / game).glob("*.py") for kind in told_by(source)}
    kinds |= set(Rule) if game == "worldwinner" else set()
    assert len(kinds) > 15
    assert [kind for kind in kinds if f"`{kind}`" not in page("exit-codes.md")] == []


def test_every_kind_of_error_is_on_the_page_of_errors() -> None:
    sources = [
        file for room in ("scoring", "firmware_host") for file in (ROOT / room).rglob("*.py")
    ]
    kinds = {kind for source in sources for kind in told_by(source)}
    assert {photo.__name__, nets.__name__} <= {
        error.__module__ for error in last_heirs(VisionError)
    }
    kinds |= {error.kind for error in last_heirs(VisionError)}
    assert len(kinds) > 90
    assert [kind for kind in kinds if f"`{kind}`" not in page("exit-codes.md")] == []
