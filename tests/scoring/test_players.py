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


AGREE = (BogglePlan.agree, SwogglePlan.agree)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "a name is missing"),
        (" ", "a name is missing"),
        ("\u200b", r"'\\u200b' has the character U\+200B"),
        ("a\nb", r"'a\\nb' has the character U\+000A"),
        ("a\x1bb", r"U\+001B"),
        ("a\u202eb", r"U\+202E"),
        ("a\u2028b", r"U\+2028"),
        ("a\ud800", r"U\+D800"),
        ("a\ue000", r"U\+E000"),
        ("a\u0378", r"U\+0378"),
        ("a\u200db", r"U\+200D"),
        ("\u200da", r"U\+200D"),
        ("\u0301", "nothing to be seen"),
        ("a" * (LONGEST_NAME + 1), "a name has 1 to 40 characters"),
        ("a=b", "'a=b' has the sign ="),
        ("a,b", "'a,b' has the sign ,"),
    ],
)
def test_a_name_that_nobody_can_read_or_write_is_refused(name: str, told: str) -> None:
    for agree in AGREE:
        with pytest.raises(RuleError, match=told) as caught:
            agree(["ann", name])
        assert caught.value.kind == "players"


def test_missing_names_are_not_said_to_be_alike() -> None:
    for agree in AGREE:
        with pytest.raises(RuleError, match="a name is missing"):
            agree(["", ""])


@pytest.mark.parametrize(
    "name",
    [
        "Ørn",
        "李 明",
        "O'Neill-Ó",
        "@ann_3!",
        "👩\u200d🚀",
        "🏳\ufe0f\u200d🌈",
        "علی\u200cرضا",
        "ශ්\u200dරී",
    ],
)
def test_a_name_of_any_script_plays(name: str) -> None:
    for agree in AGREE:
        assert agree(["ann", name]).players == ("ann", name)


def test_a_joiner_makes_no_other_name() -> None:
    for agree in AGREE:
        with pytest.raises(RuleError, match="share a name"):
            agree(["👩\u200d🚀", "👩🚀"])


@pytest.mark.parametrize(
    ("teams", "told"),
    [
        ({"": ["ann", "bob"]}, "a name is missing"),
        ({"r" * 500: ["ann", "bob"]}, "1 to 40 characters"),
        ({"\u200b": ["ann", "bob"]}, r"U\+200B"),
        ({"a=b": ["ann", "bob"]}, "the sign ="),
        ({SPLIT: ["ann", "bob"], COMPOSED: ["cy", "dee"]}, "two teams share a name"),
        ({"red": ["ann", "bob"], "Red": ["cy", "dee"]}, "two teams share a name"),
        ({"ann": ["bob", "cy"], "x": ["ann", "dee"]}, "a team has the name of a player"),
        ({"Ann": ["ann", "bob"]}, "a team has the name of a player"),
        ({"dee": ["ann", "bob"]}, "a team has the name of a player"),
    ],
)
def test_a_team_is_named_as_a_player_is_and_as_no_other(
    teams: dict[str, list[str]], told: str
) -> None:
    with pytest.raises(RuleError, match=told) as caught:
        BogglePlan.agree(["ann", "bob", "cy", "dee"], teams=teams)
    assert caught.value.kind == "team"


def test_a_team_with_a_split_accent_is_kept_composed() -> None:
    plan = BogglePlan.agree(["ann", "bob", "cy"], teams={f" {SPLIT}": ["ann", "bob"]})
    assert plan.sides == (COMPOSED, "cy")
    assert BogglePlan.from_setup(plan.setup) == plan


@pytest.mark.parametrize(
    ("base", "teams", "told"),
    [
        ("super-big-team", {}, "Super Big Boggle in teams takes two sides or more"),
        ("boggle", {"red": ["ann", "bob"]}, "Boggle in teams takes two sides or more"),
    ],
)
def test_a_game_in_teams_says_so_once(base: str, teams: dict[str, list[str]], told: str) -> None:
    with pytest.raises(RuleError, match=f"^{told}") as caught:
        BogglePlan.agree(["ann", "bob"], base, teams=teams)
    assert caught.value.kind == "team"


def test_a_handicap_below_the_shortest_word_of_every_tray_is_refused_as_that() -> None:
    with pytest.raises(
        RuleError, match="Boggle Ultimate has points for words of 4 to 64 letters on"
    ):
        BogglePlan.agree(["ann", "bob"], "ultimate", handicaps={"ann": 3})
    assert BogglePlan.agree(["ann", "bob"], "ultimate", handicaps={"ann": 4}).seating.handicaps
