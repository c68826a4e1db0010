"""Names of players: the same rules in every game that keeps matches."""

import pytest

from scoring.boggle.plan import Plan as BogglePlan
from scoring.lexicon import Lexicon
from scoring.match import Match, RuleError
from scoring.players import LONGEST_NAME, agreed_names
from scoring.swoggle.board import builtin_layout
from scoring.swoggle.game import Swoggle
from scoring.swoggle.plan import Plan as SwogglePlan

SPLIT, COMPOSED = "Jose\u0301", "Jos\u00e9"
LEXICON = Lexicon.from_words("few", ["parade"])


def test_a_split_accent_is_no_other_name() -> None:
    assert agreed_names([f" {SPLIT} ", "ann"], (2, 2), "It", "") == (COMPOSED, "ann")
    assert BogglePlan.agree([SPLIT, "ann", "bob"], teams={"red": [SPLIT, "bob"]}).sides == (
        "red",
        "ann",
    )
    for agree in BogglePlan.agree, SwogglePlan.agree:
        with pytest.raises(RuleError, match="share a name"):
            agree([SPLIT, COMPOSED.upper()])


def test_who_is_named_with_a_split_accent_plays() -> None:
    rules = Swoggle(SwogglePlan.agree([SPLIT, "ann"]), builtin_layout(), LEXICON, "few", 1)
    match = Match.new(rules).play({"type": "pass", "player": SPLIT, "die": 3, "at": 0.0})
    assert match.state.mover.name == "ann"


@pytest.mark.parametrize("name", ["", " ", "\u200b", "a" * (LONGEST_NAME + 1)])
def test_a_name_that_nobody_can_read_is_refused(name: str) -> None:
    for agree in BogglePlan.agree, SwogglePlan.agree:
        with pytest.raises(RuleError, match="a name has") as caught:
            agree(["ann", name])
        assert caught.value.kind == "players"
