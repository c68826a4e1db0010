"""The end of a round: verdicts, cancelling, points and winners, as the rule books have it."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.folding import Folding
from scoring.lexicon import Lexicon
from scoring.paths import find_path
from scoring.referee import MOST_MISSED, JudgedWord, RoundResult, Verdict, score_round
from scoring.rules import game
from scoring.wordlist import Entry, parse_word_list

BOARD = Board.parse("STAE/HeEMR/QuITS/#EDL")
WORDS = [
    *("ear", "ears", "her", "met", "meter", "quit", "quite", "tea", "team", "term", "the"),
    *("steam", "steamer", "steams", "hem", "hit", "item", "tie", "tied", "emit", "he", "zoo"),
]
LEXICON = Lexicon.from_words("house", WORDS)
BOGGLE = game("boggle")


def scored(
    *lists: str, board: Board = BOARD, lexicon: Lexicon = LEXICON, rules: str = "boggle"
) -> RoundResult:
    """A round of players a, b, c, their words divided by spaces."""
    entries = {
        name: parse_word_list("\n".join(words.split()))
        for name, words in zip("abcdef", lists, strict=False)
    }
    return score_round(board, entries, lexicon, game(rules))


def verdicts(result: RoundResult, player: int = 0) -> list[str]:
    return [f"{word.word} {word.verdict}" for word in result.players[player].words]


def only(result: RoundResult) -> JudgedWord:
    (word,) = result.players[0].words
    return word


def test_verdicts_are_those_that_other_programs_rely_on() -> None:
    assert {str(verdict) for verdict in Verdict} == {
        "scored",
        "shared",
        "too_short",
        "not_on_board",
        "not_in_lexicon",
        "repeated",
        "struck",
        "doubtful",
    }


def test_a_word_alone_scores_by_its_letters() -> None:
    word = only(scored("quite"))
    assert (word.verdict, word.points) == (Verdict.SCORED, 2)
    assert word.reason == "2 points for 5 letters"
    assert word.path == find_path(BOARD, "quite") is not None


def test_accents_that_the_list_folds_make_no_difference() -> None:
    board = Board.parse("ETE/ANO")
    folded = Lexicon.from_words("pliée", ["été", "año"], folding=Folding("ñ"))
    result = scored("été ano", "ETE", board=board, lexicon=folded)
    assert verdicts(result) == ["ete shared", "ano not_in_lexicon"]
    assert verdicts(scored("ete été", board=board, lexicon=folded)) == [
        "ete scored",
        "ete repeated",
    ]
    kept = Lexicon.from_words("accentuée", ["été"])
    assert verdicts(scored("été ete", board=board, lexicon=kept)) == [
        "été not_on_board",
        "ete not_in_lexicon",
    ]


def test_a_word_of_two_players_is_struck_from_both() -> None:
    result = scored("tea quite", "steam tea", "the")
    assert verdicts(result, 0) == ["tea shared", "quite scored"]
    assert verdicts(result, 1) == ["steam scored", "tea shared"]
    assert [player.points for player in result.players] == [2, 2, 1]
    assert result.players[0].words[0].reason == "also found by b"
    assert result.players[0].words[0].path is not None


def test_a_shared_word_names_all_who_have_it() -> None:
    result = scored("tea", "tea", "tea", "tea")
    reasons = [player.words[0].reason for player in result.players]
    assert reasons[0] == "also found by b, c and d"
    assert reasons[3] == "also found by a, b and c"
    assert scored("tea", "tea", "tea").players[1].words[0].reason == "also found by a and c"


@pytest.mark.parametrize(
    ("text", "verdict", "reason", "cubes"),
    [
        ("he", Verdict.TOO_SHORT, "2 letters; Boggle asks for 3 or more", 0),
        ("et", Verdict.TOO_SHORT, "2 letters; Boggle asks for 3 or more", 2),
        ("x", Verdict.TOO_SHORT, "1 letter; Boggle asks for 3 or more", 0),
        ("zoo", Verdict.NOT_ON_BOARD, "the board has no O or Z", 0),
        ("real", Verdict.NOT_ON_BOARD, "no way across the board spells it", 0),
        ("tems", Verdict.NOT_IN_LEXICON, "not in the word list house", 4),
        ("don't", Verdict.NOT_IN_LEXICON, "words with an apostrophe do not count", 0),
        ("te-am", Verdict.NOT_IN_LEXICON, "words with a hyphen do not count", 0),
        ("te4", Verdict.DOUBTFUL, "a digit in the word", 0),
    ],
)
def test_a_void_word_says_why(text: str, verdict: Verdict, reason: str, cubes: int) -> None:
    word = only(scored(text))
    assert (word.word, word.points, word.verdict, word.reason) == (text, 0, verdict, reason)
    assert len(word.path or ()) == cubes


def test_one_face_alone_is_no_word() -> None:
    word = only(scored("the", board=Board.parse("TheX/XX")))
    assert (word.verdict, word.reason) == (Verdict.NOT_ON_BOARD, "a word takes two cubes or more")


def test_the_first_of_a_repeated_word_counts() -> None:
    result = scored("tea TEA quite tea")
    assert verdicts(result) == ["tea scored", "tea repeated", "quite scored", "tea repeated"]
    assert result.players[0].words[3].reason == "already on line 1"
    assert result.players[0].words[3].path is not None
    assert result.players[0].points == 3


def test_a_repeated_word_is_not_shared_with_oneself_but_with_others_once() -> None:
    result = scored("tea tea", "tea")
    assert verdicts(result) == ["tea shared", "tea repeated"]
    assert result.players[1].words[0].reason == "also found by a"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("et et", ["et too_short"] * 2),
        ("zoo zoo", ["zoo not_on_board", "zoo repeated"]),
        ("zzz zzz", ["zzz not_on_board", "zzz repeated"]),
        ("tems tems", ["tems not_in_lexicon", "tems repeated"]),
        ("don't don't", ["don't not_in_lexicon", "don't repeated"]),
    ],
)
def test_the_first_objection_that_applies_is_the_verdict(words: str, expected: list[str]) -> None:
    assert verdicts(scored(words, words)) == expected


def test_a_void_word_never_cancels_anybody() -> None:
    for void in ("et", "zoo", "tems", "don't", "te4"):
        result = scored(f"{void} tea", f"{void} quite")
        assert [player.points for player in result.players] == [1, 2]
        assert not any("shared" in line for line in verdicts(result, 0) + verdicts(result, 1))


def test_a_line_that_cannot_be_decided_is_left_to_a_person() -> None:
    lists = {"a": parse_word_list("1. tea\n2. quite ears"), "b": parse_word_list("quite")}
    result = score_round(BOARD, lists, LEXICON, BOGGLE)
    doubtful = result.players[0].words[1]
    assert (doubtful.word, doubtful.verdict) == ("2. quite ears", Verdict.DOUBTFUL)
    assert doubtful.reason == "more than one word on the line"
    assert result.players[1].points == 2


def test_words_keep_the_order_of_the_list() -> None:
    words = ["tea", "zoo", "quite", "et", "tea"]
    assert [word.word for word in scored(" ".join(words)).players[0].words] == words


def test_games_set_length_and_points() -> None:
    board = Board.parse("TEAMSTERS/")
    lexicon = Lexicon.from_words("few", ["tea", "teams", "teamsters"])
    results = {
        rules: scored("tea teams teamsters", board=board, lexicon=lexicon, rules=rules)
        for rules in ("boggle", "big", "super-big")
    }
    assert {
        rules: [word.points for word in result.players[0].words]
        for rules, result in results.items()
    } == {"boggle": [1, 2, 11], "big": [0, 2, 11], "super-big": [0, 2, 18]}
    too_short = results["super-big"].players[0].words[0]
    assert too_short.verdict is Verdict.TOO_SHORT
    assert too_short.reason == "3 letters; Super Big Boggle asks for 4 or more"
    assert too_short.path is not None


def test_most_points_win() -> None:
    assert scored("tea", "quite", "the").winners == ("b",)


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        ("quite", "tea team", ("a",)),
        ("tea team", "ears the", ("a", "b")),
        ("tea the", "team item", ("b",)),
        ("tea the", "ears met", ("b",)),
        ("quite tea", "steam ears", ("b",)),
        ("quite tea", "steam the", ("a", "b")),
    ],
)
def test_a_tie_goes_to_the_longer_words(first: str, second: str, winners: tuple[str, ...]) -> None:
    result = scored(first, second)
    assert result.players[0].points == result.players[1].points
    assert result.winners == winners


def test_shared_words_do_not_break_a_tie() -> None:
    assert scored("quite tea", "quite the").winners == ("a", "b")


def test_a_longer_word_does_not_beat_more_points() -> None:
    assert scored("quite", "tea the ears").winners == ("b",)


@pytest.mark.parametrize("lists", [(), ("",), ("", ""), ("zoo", "et"), ("tea", "tea")])
def test_where_nobody_scores_nobody_wins(lists: tuple[str, ...]) -> None:
    result = scored(*lists)
    assert result.winners == ()
    assert [player.points for player in result.players] == [0] * len(lists)


def test_possible_words_are_all_of_the_board() -> None:
    result = scored("tea")
    assert (result.board, result.game) == (BOARD, BOGGLE)
    assert {found.word for found in result.possible.words} == {
        word for word in WORDS if len(word) >= 3 and find_path(BOARD, word)
    }


def test_best_missed_are_the_best_words_on_nobodys_list() -> None:
    best = [found.word for found in scored().possible.words]
    assert [found.word for found in scored().best_missed] == best[:MOST_MISSED]
    result = scored(f"{best[0]} zoo {best[1]}", f"{best[1]} {best[1]}")
    assert [found.word for found in result.best_missed] == best[2 : 2 + MOST_MISSED]


def test_a_word_that_was_written_and_scored_nothing_was_not_missed() -> None:
    best = scored().possible.words[0].word
    lists = {"ann": parse_word_list(best)}
    result = score_round(BOARD, lists, LEXICON, BOGGLE, rejected=[best])
    assert result.players[0].points == 0
    assert best not in {found.word for found in result.best_missed}


def test_players_keep_the_order_of_the_table() -> None:
    lists: dict[str, tuple[Entry, ...]] = {"zoe": (), "adam": (), "mia": ()}
    result = score_round(BOARD, lists, LEXICON, BOGGLE)
    assert [player.name for player in result.players] == ["zoe", "adam", "mia"]


LISTS = st.lists(st.lists(st.sampled_from([*WORDS, "tems", "et", "real", "te4"])), max_size=4)


@given(LISTS)
def test_points_are_those_of_the_sets_of_words(lists: list[list[str]]) -> None:
    result = scored(*[" ".join(words) for words in lists])
    valid = {word for word in WORDS if len(word) >= 3 and find_path(BOARD, word)}
    holders = Counter(word for words in lists for word in set(words) & valid)
    for player, words in zip(result.players, lists, strict=True):
        alone = {word for word in set(words) & valid if holders[word] == 1}
        assert player.points == sum(BOGGLE.points(word) for word in alone)
        assert player.points == sum(word.points for word in player.words)
        assert [word.word for word in player.words] == words
        assert all((word.points > 0) == (word.verdict is Verdict.SCORED) for word in player.words)
    best = max((player.points for player in result.players), default=0)
    assert bool(result.winners) == (best > 0)
    assert all(p.points == best for p in result.players if p.name in result.winners)


@given(LISTS)
def test_the_order_of_the_players_changes_no_result(lists: list[list[str]]) -> None:
    entries = {
        name: parse_word_list("\n".join(words)) for name, words in zip("abcd", lists, strict=False)
    }
    forth = score_round(BOARD, entries, LEXICON, BOGGLE)
    back = score_round(BOARD, dict(reversed(entries.items())), LEXICON, BOGGLE)
    assert set(forth.winners) == set(back.winners)
    assert {p.name: p.points for p in forth.players} == {p.name: p.points for p in back.players}


def crossed(*words: str) -> list[Entry]:
    return [Entry(number, word, word, None, struck=True) for number, word in enumerate(words, 1)]


def test_a_word_that_its_player_crossed_out_is_not_played() -> None:
    lists = {"a": [*crossed("quite"), Entry(2, "quite", "quite", None)], "b": crossed("team")}
    result = score_round(BOARD, lists, LEXICON, BOGGLE)
    assert verdicts(result) == ["quite struck", "quite scored"]
    assert verdicts(result, 1) == ["team struck"]
    assert [player.points for player in result.players] == [2, 0]
    assert "team" in {found.word for found in result.possible.words}


def test_a_crossed_out_word_cancels_nobodys_and_costs_nothing() -> None:
    rules = game("ultimate")
    lists = {"a": crossed("quite", "zzz"), "b": [Entry(1, "quite", "quite", None)]}
    result = score_round(BOARD, lists, LEXICON, rules, challenged=["quite", "zzz"])
    assert [word.points for word in result.players[0].words] == [0, 0]
    assert verdicts(result, 1) == ["quite scored"]


def test_of_a_hall_that_found_a_word_some_are_named_and_the_rest_counted() -> None:
    names = [f"p{number}" for number in range(30)]
    lists = {name: parse_word_list("tea") for name in names}
    lexicon = Lexicon.from_words("few", ["tea"])
    result = score_round(Board.parse("TE/#A"), lists, lexicon, game("boggle"))
    assert result.players[0].words[0].reason.endswith("p18, p19 and 10 others")
