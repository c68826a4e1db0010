"""Hunspell dictionaries: every word that the library accepts is made, and no other."""

from __future__ import annotations

import io
import itertools
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spylls.hunspell import Dictionary
from spylls.hunspell.readers import read_aff, read_dic
from spylls.hunspell.readers.file_reader import BaseReader

from scoring.folding import Folding
from scoring.hunspell import Expansion, take_dictionary
from scoring.intake import Intake, Reason, Sieve
from scoring.lexicon import LexiconError

SYSTEM = Path("/usr/share/hunspell")
SHORT = [
    "".join(letters) for length in range(1, 7) for letters in itertools.product("ab", repeat=length)
]


def library(dictionary: str, rules: str) -> Dictionary:
    """The library's own dictionary; it reads text here, and leaves no file open."""
    lines = BaseReader(io.StringIO(rules))
    lines.reset_encoding = lambda _encoding: None
    aff, context = read_aff(lines)
    dic = read_dic(BaseReader(io.StringIO(dictionary)), aff=aff, context=context)
    return Dictionary(aff, dic)


def accepted(dictionary: str, rules: str) -> set[str]:
    """Of all short words, those that the library's own look-up accepts as they are."""
    known = library(dictionary, rules)
    return {word for word in SHORT if known.lookuper(word, capitalization=False)}


def made(dictionary: str, rules: str) -> set[str]:
    expansion = Expansion.read(dictionary.encode(), rules.encode())
    return {form for word in expansion.words for form in expansion.forms(word)}


def test_remarks_at_the_head_of_a_dictionary_are_no_words() -> None:
    remarks = "\tA dictionary of tea\n\tpots\n/ and\n/\n# of more\n"
    sieve = Sieve()
    rules = b"SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n"
    take_dictionary(f"2\n{remarks}tea/S\nteam\n".encode(), rules, sieve)
    assert sieve.intake() == Intake(("tea", "team", "teas"), ())


PREFIXES, SUFFIXES, MARKS = "PQ", "RST", "nco"


def flags_of(allowed: str) -> st.SearchStrategy[str]:
    """Flags of affixes, and sometimes a mark."""
    affixes = (
        st.lists(st.sampled_from(allowed), max_size=2, unique=True) if allowed else st.just([])
    )
    return st.builds(
        lambda flags, mark: "".join(flags) + mark, affixes, st.sampled_from(["", "", "", *MARKS])
    )


def allowed_by(flag: str, *, prefixes_first: bool) -> str:
    """Affixes that may be put on after one: never each on the other.

    Where a prefix and a suffix allow each other and the stem neither, the library lets them lift
    each other up, which Hunspell's manual does not say.
    """
    own, other = (PREFIXES, SUFFIXES) if flag in PREFIXES else (SUFFIXES, PREFIXES)
    crossing = other if (own == PREFIXES) is prefixes_first else ""
    return crossing + "".join(further for further in own if further > flag)


@st.composite
def tables(draw: st.DrawFn) -> str:
    """An .aff file: affixes that strip and add, conditions, flags of their own, and marks.

    Two prefixes on one word and affixes that need another are not drawn together: there the library
    accepts some forms that are not made. No dictionary of the six languages has both.
    """
    lines = ["FULLSTRIP", "CIRCUMFIX c", "ONLYINCOMPOUND o"]
    lines.append(draw(st.sampled_from(["NEEDAFFIX n", "COMPLEXPREFIXES"])))
    prefixes_first = draw(st.booleans())
    for flag in PREFIXES + SUFFIXES:
        kind = "PFX" if flag in PREFIXES else "SFX"
        affix = affixes_of(kind, flag, allowed_by(flag, prefixes_first=prefixes_first))
        affixes = draw(st.lists(affix, min_size=1, max_size=2))
        cross = draw(st.sampled_from("YYN"))
        lines += [f"{kind} {flag} {cross} {len(affixes)}", *affixes]
    return "\n".join(lines)


def affixes_of(kind: str, flag: str, allowed: str) -> st.SearchStrategy[str]:
    """A line of the table of an affix."""
    strip = st.sampled_from(["0", "0", "a", "b", "ab"])
    add = st.sampled_from(["a", "b", "ba", "aab"])
    condition = st.sampled_from([".", ".", "a", "b", "[^a]", "[ab]b", "a[^b]"])
    return st.builds(
        lambda *parts: "{} {} {} {}/{} {}".format(kind, flag, *parts).replace("/ ", " "),
        strip,
        add,
        flags_of(allowed),
        condition,
    )


@st.composite
def stems(draw: st.DrawFn) -> str:
    """A .dic file."""
    entry = st.tuples(st.text("ab", min_size=1, max_size=3), flags_of(PREFIXES + SUFFIXES))
    entries = draw(st.lists(entry, min_size=1, max_size=3))
    return "\n".join([str(len(entries)), *(f"{stem}/{marks}" for stem, marks in entries)])


@given(stems(), tables())
def test_what_is_made_is_what_the_library_accepts(dictionary: str, rules: str) -> None:
    assert made(dictionary, rules) & set(SHORT) == accepted(dictionary, rules)


@pytest.mark.parametrize(
    ("dictionary", "rules", "words"),
    [
        ("1\nwork/S", "SFX S Y 1\nSFX S 0 s .", {"work", "works"}),
        ("1\nfly/S", "SFX S Y 2\nSFX S y ies [^aeiou]y\nSFX S 0 s [aeiou]y", {"fly", "flies"}),
        (
            "1\nlock/UA",
            "PFX U Y 1\nPFX U 0 un .\nSFX A Y 1\nSFX A 0 able .",
            {"lock", "unlock", "lockable", "unlockable"},
        ),
        (
            "1\nlock/UA",
            "PFX U N 1\nPFX U 0 un .\nSFX A Y 1\nSFX A 0 able .",
            {"lock", "unlock", "lockable"},
        ),
        (
            "1\nuse/F",
            "SFX F Y 1\nSFX F 0 ful/L .\nSFX L Y 1\nSFX L 0 ly .",
            {"use", "useful", "usefully"},
        ),
        ("1\nfoo/NS", "NEEDAFFIX N\nSFX S Y 1\nSFX S 0 s .", {"foos"}),
        ("2\nfoo/O\nbar", "ONLYINCOMPOUND O", {"bar"}),
        ("2\nbar/S\nfoo/F", "FORBIDDENWORD F\nSFX S Y 1\nSFX S 0 s .", {"bar", "bars"}),
        ("2\nbar/S\nbars/F", "FORBIDDENWORD F\nSFX S Y 1\nSFX S 0 s .", {"bar"}),
        ("2\nbar/S\nbar/FS", "FORBIDDENWORD F\nSFX S Y 1\nSFX S 0 s .", {"bar"}),
        ("1\nfoo/1", "AF 1\nAF S\nSFX S Y 1\nSFX S 0 s .", {"foo", "foos"}),
        (
            "1\nfoo/AaBb",
            "FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .\nSFX Bb Y 1\nSFX Bb 0 ed .",
            {"foo", "foos", "fooed"},
        ),
        (
            "1\nfoo/12,7",
            "FLAG num\nSFX 12 Y 1\nSFX 12 0 s .\nSFX 7 Y 1\nSFX 7 0 t .",
            {"foo", "foos", "foot"},
        ),
        ("2\nfoot/C\nball/C", "COMPOUNDFLAG C", {"foot", "ball"}),
        ("1\nfoo po:noun\nbar\tpo:noun", "", {"foo", "bar"}),
    ],
)  # fmt: skip
def test_rules_of_the_manual(dictionary: str, rules: str, words: set[str]) -> None:
    assert made(dictionary, rules) == words
    known = library(dictionary, rules)
    assert all(known.lookup(word) for word in words)


def test_an_affix_strips_a_whole_stem_only_where_the_file_says_so() -> None:
    rules = "SFX S Y 1\nSFX S go went go"
    assert made("1\ngo/S", rules) == {"go"}
    assert made("1\ngo/S", f"FULLSTRIP\n{rules}") == {"go", "went"}


def test_elided_forms_are_named_for_the_stem_alone_and_left_out() -> None:
    rules = "PFX L Y 1\nPFX L 0 l' [aeiou]\nSFX I Y 1\nSFX I o i o"
    sieve = Sieve()
    take_dictionary(b"1\namico/LI", rules.encode(), sieve)
    intake = sieve.intake()
    assert intake.words == ("amici", "amico")
    (left,) = intake.left_out
    assert (left.reason, left.count, left.examples) == (Reason.APOSTROPHE, 1, ("l'amico",))


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("latin-1", "SET ISO8859-1\n"),
        ("iso8859-2", "SET ISO8859-2\n"),
        ("cp1250", "SET microsoft-cp1250\n"),
        ("utf-8", "SET UTF-8\n"),
        ("utf-8", "\ufeffSET UTF-8\n"),
        ("cp1252", ""),
    ],
)
def test_the_file_names_its_encoding(encoding: str, line: str) -> None:
    rules = f"{line}SFX S Y 1\nSFX S 0 ä ."
    sieve = Sieve()
    take_dictionary("1\nmöd/S".encode(encoding), rules.encode(encoding), sieve)
    assert sieve.intake().words == ("möd", "mödä")


def test_accents_are_folded_while_the_forms_are_made() -> None:
    sieve = Sieve(Folding("ñ"))
    take_dictionary("2\naño\náé".encode(), b"SET UTF-8", sieve)
    assert sieve.intake().words == ("ae", "año")


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    words = "\n".join(["2500", *(f"w{'x' * (number % 7)}" for number in range(2500))])
    take_dictionary(words.encode(), b"", Sieve(), lambda done, of: told.append((done, of)))
    assert told == [(0, 2500), (1000, 2500), (2000, 2500), (2500, 2500)]


@pytest.mark.parametrize(
    "rules",
    [
        "SFX S Y many\nSFX S 0 s .",
        "SFX S Y 1\nSFX S",
        "SFX S Y 1\nSFX S 0 s [ab",
        "SET klingon\nSFX S",
        "FLAG runes",
        "NEEDAFFIX",
        "BREAK",
        "SFX",
        "AF 1\nAF",
    ],
)
def test_damaged_rules_are_refused_with_advice(rules: str) -> None:
    with pytest.raises(LexiconError, match="no Hunspell dictionary") as caught:
        take_dictionary(b"2\nfoo/S\nbar/S", rules.encode(), Sieve())
    assert ".aff" in caught.value.advice


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes_are_refused_or_read(dictionary: bytes, rules: bytes) -> None:
    with suppress(LexiconError):  # anything else would be our fault
        take_dictionary(b"1\nfoo/S\n" + dictionary, b"SFX S Y 1\n" + rules, Sieve())


@pytest.mark.parametrize("language", ["en_US", "de_DE", "es_ES", "fr", "it_IT", "cs_CZ"])
def test_forms_of_debian_dictionaries_are_accepted_by_the_library(language: str) -> None:
    files = [SYSTEM / f"{language}.{suffix}" for suffix in ("dic", "aff")]
    if not all(file.is_file() for file in files):
        pytest.skip(f"no hunspell dictionary {language} is installed")
    dictionary, rules = (file.read_text("utf-8", errors="surrogateescape") for file in files)
    lines = dictionary.split("\n")
    few = "\n".join(["0", *lines[40::4000]])
    known = library(few, rules)
    expansion = Expansion.read(few.encode(), rules.encode())
    for word in expansion.words:
        forms = set(expansion.forms(word))
        wrong = {form for form in forms if not known.lookuper(form, capitalization=False)}
        assert not wrong, word
