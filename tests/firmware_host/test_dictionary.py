"""What is told of English words: base forms, meanings by WordNet, commonness by SCOWL."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.dictionary import NOTHING, Dictionary, installed, is_english, scowl, wordnet
from firmware_host.dictionary.morphy import Part, base_forms
from firmware_host.dictionary.sorted_lines import SortedLines
from firmware_host.dictionary.wordnet import MOST_MEANINGS, Meaning, WordNet
from scoring.lexicon import Lexicon, builtin_lexicon

LICENCE = "  1 This is a licence, which is longer than a few lines are.  \n" * 20


def make_wordnet(folder: Path) -> Path:
    """A WordNet of a few words, in the form of wndb(5WN)."""
    synsets = {
        "noun": (
            ("n", ["tea"], "a beverage; also a meal"),
            ("n", ["ox"], 'an adult castrated bull; "the ox is strong"'),
            ("n", ["China"], "a country"),
            ("n", ["china"], "porcelain"),
            ("n", ["Toe"], "a town"),
        ),
        "verb": (("v", ["see", "behold"], "perceive by sight"), ("v", ["saw"], "cut with a saw")),
        "adj": (("a", ["dry(p)"], "free from liquid"),),
        "adv": (("r", ["yet"], "up to now"),),
    }
    irregular = {"noun": "geese goose\noxen ox\n", "verb": "saw see\nseen see\n"}
    for ending, found in synsets.items():
        lines, places = LICENCE, dict[str, list[int]]()
        for kind, words, gloss in found:
            for word in words:
                places.setdefault(word.partition("(")[0].lower(), []).append(len(lines))
            named = " ".join(f"{word} 0" for word in words)
            lines += f"{len(lines):08} 03 {kind} {len(words):02x} {named} 000 | {gloss}  \n"
        (folder / f"data.{ending}").write_text(lines)
        index = (
            " ".join([word, ending[0], f"{len(at)} 1 @ {len(at)} 0", *(f"{one:08}" for one in at)])
            for word, at in sorted(places.items())
        )
        (folder / f"index.{ending}").write_text(LICENCE + "".join(f"{line}  \n" for line in index))
        (folder / f"{ending}.exc").write_text(irregular.get(ending, "worst bad\n"))
    return folder


def make_scowl(folder: Path) -> Path:
    """A SCOWL of a few words."""
    lists = {"english-words.10": "tea\n", "english-words.50": "seto\ntea\n"}
    lists |= {"british-words.35": "caf\xe9\n", "english-words.95": "quey\n"}
    for size in scowl.CLASSES:
        for spelling in scowl.SPELLINGS:
            name = f"{spelling}-words.{size}"
            (folder / name).write_text(lists.get(name, "zzz\n"), "latin-1")
    return folder


@pytest.mark.parametrize(
    ("word", "part", "base"),
    [
        ("teas", Part.NOUN, "tea"),
        ("boxes", Part.NOUN, "box"),
        ("ladies", Part.NOUN, "lady"),
        ("women", Part.NOUN, "woman"),
        ("hoping", Part.VERB, "hope"),
        ("eaten", Part.VERB, None),
        ("nicest", Part.ADJECTIVE, "nice"),
        ("glass", Part.NOUN, None),
        ("is", Part.NOUN, None),
        ("s", Part.VERB, None),
    ],
)
def test_base_forms(word: str, part: Part, base: str | None) -> None:
    found = list(base_forms(word, part))
    assert base in found if base else found == []


@given(st.sets(st.text("abcz_-.'0", min_size=1), min_size=1), st.text("abcz_-.'0", min_size=1))
def test_a_key_is_found_where_it_is(
    tmp_path_factory: pytest.TempPathFactory, keys: set[str], other: str
) -> None:
    file = tmp_path_factory.mktemp("lines") / "sorted"
    lines = {key: f"{key} of {len(key)}" for key in keys}
    file.write_text(LICENCE + "".join(f"{lines[key]}\n" for key in sorted(keys)))
    found = SortedLines(file)
    assert {key: found.find(key) for key in keys} == lines
    assert found.find(other) == lines.get(other)


class TestWordNet:
    @pytest.fixture
    def net(self, tmp_path: Path) -> WordNet:
        return WordNet(make_wordnet(tmp_path))

    def test_a_word_is_found_under_its_base_form(self, net: WordNet) -> None:
        assert net.meanings("teas") == (Meaning(Part.NOUN, "tea", "a beverage; also a meal"),)
        assert net.meanings("oxen") == (Meaning(Part.NOUN, "ox", "an adult castrated bull"),)
        assert net.meanings("seen") == (Meaning(Part.VERB, "see", "perceive by sight"),)

    def test_what_a_word_is_itself_comes_before_what_it_is_a_form_of(self, net: WordNet) -> None:
        assert [one.base for one in net.meanings("saw")] == ["saw", "see"]

    def test_names_are_no_words(self, net: WordNet) -> None:
        assert [one.gloss for one in net.meanings("china")] == ["porcelain"]
        assert net.meanings("toe") == ()

    def test_where_an_adjective_stands_is_left_out(self, net: WordNet) -> None:
        assert net.meanings("drier") == ()
        assert [one.part for one in net.meanings("dry")] == [Part.ADJECTIVE]

    def test_a_word_that_is_not_there_means_nothing(self, net: WordNet) -> None:
        assert net.meanings("qi") == ()
        assert net.meanings("1") == ()


class TestScowl:
    def test_the_smallest_list_counts(self, tmp_path: Path) -> None:
        found = scowl.levels({"tea", "seto", "quey", "caf\xe9", "hey"}, make_scowl(tmp_path))
        assert found == {"tea": 5, "caf\xe9": 4, "seto": 3, "quey": 1}


class TestInstalled:
    def test_nothing_is_told_where_nothing_is_installed(self, tmp_path: Path) -> None:
        found = installed(builtin_lexicon(), tmp_path / "none", tmp_path / "none")
        assert (found.has_meanings, found.has_levels) == (False, False)
        assert found.meanings("tea") == ()
        assert found.levels({"tea"}) == {}

    def test_either_may_be_there_alone(self, tmp_path: Path) -> None:
        folder, none = make_wordnet(tmp_path), tmp_path / "none"
        assert installed(builtin_lexicon(), folder, none).has_meanings
        assert not installed(builtin_lexicon(), folder, none).has_levels
        assert installed(builtin_lexicon(), none, folder).has_levels

    def test_words_of_other_languages_are_not_looked_up(self, tmp_path: Path) -> None:
        german = Lexicon.from_words("german", ["was", "die", "tee", "hut", "rot"])
        assert not is_english(german)
        assert installed(german, make_wordnet(tmp_path), tmp_path) is NOTHING

    def test_files_that_are_not_whole_are_an_error(self, tmp_path: Path) -> None:
        make_wordnet(tmp_path)
        (tmp_path / "index.verb").unlink()
        with pytest.raises(OSError, match=r"index\.verb"):
            installed(builtin_lexicon(), tmp_path, tmp_path)


@pytest.mark.skipif(not wordnet.FOLDER.is_dir(), reason="no WordNet (apt: wordnet-base)")
def test_debians_wordnet_is_read() -> None:
    net = WordNet()
    assert net.meanings("teas")[0].base == "tea"
    assert {one.part for one in net.meanings("quiet")} == set(Part)
    assert len(net.meanings("better")) <= MOST_MEANINGS
    lines = (wordnet.FOLDER / "index.noun").read_text().splitlines()[29::4999]
    found = SortedLines(wordnet.FOLDER / "index.noun")
    assert [found.find(line.partition(" ")[0]) for line in lines] == lines


@pytest.mark.skipif(not scowl.FOLDER.is_dir(), reason="no SCOWL (apt: scowl)")
def test_debians_scowl_is_read() -> None:
    assert scowl.levels({"tea", "colour", "xyst", "aa"}) == {"tea": 5, "colour": 5, "xyst": 1}


def test_a_dictionary_of_nothing_needs_no_files() -> None:
    assert Dictionary().meanings("tea") == ()
