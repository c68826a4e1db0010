"""Files of words: their kind is found out, their origin told, their mistakes named."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host import word_sources
from firmware_host.word_sources import open_source, package_of
from scoring.intake import Kind
from scoring.lexicon import LexiconError

FRENCH = Path("/usr/share/dict/french")


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A Hunspell dictionary, its path without a suffix."""
    (tmp_path / "xx.dic").write_text("1\nfoo/S\n", "utf-8")
    (tmp_path / "xx.aff").write_text("SFX S Y 1\nSFX S 0 s .\n", "utf-8")
    return tmp_path / "xx"


@pytest.mark.parametrize("suffix", ["", ".dic", ".aff"])
def test_a_pair_is_found_by_either_file_or_their_common_name(pair: Path, suffix: str) -> None:
    source = open_source(pair.with_name(f"xx{suffix}"))
    assert (source.kind, source.path) == (Kind.HUNSPELL, pair.with_name("xx.dic"))
    assert (source.data, source.rules[:5]) == (b"1\nfoo/S\n", b"SFX S")


@pytest.mark.parametrize("suffix", [".dic", ".aff"])
def test_half_a_pair_is_told_with_the_file_that_is_missing(pair: Path, suffix: str) -> None:
    pair.with_suffix(suffix).unlink()
    for given in (".dic", ".aff"):
        with pytest.raises(LexiconError, match=rf"has no xx\{suffix} beside it") as caught:
            open_source(pair.with_suffix(given))
        assert "--as list" in caught.value.advice


def test_a_kind_that_is_given_is_not_found_out(pair: Path) -> None:
    assert open_source(pair.with_suffix(".dic"), Kind.LIST).kind is Kind.LIST
    assert open_source(pair.with_suffix(".aff"), Kind.TEXT).kind is Kind.TEXT
    with pytest.raises(LexiconError, match=r"other\.txt\.dic cannot be read"):
        open_source(pair.with_name("other.txt"), Kind.HUNSPELL)
    pair.with_name("other.txt").write_text("tea\n", "utf-8")
    with pytest.raises(LexiconError, match=r"other\.txt is neither a \.dic nor a \.aff"):
        open_source(pair.with_name("other.txt"), Kind.HUNSPELL)


def test_a_dictionary_under_another_name_is_told_to_lack_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("2\ntea/S\nteam/S po:noun\n", "utf-8")
    with pytest.raises(LexiconError, match="without its rules") as caught:
        open_source(path)
    assert "--as list" in caught.value.advice
    assert open_source(path, Kind.LIST).kind is Kind.LIST


def test_a_file_in_another_encoding_is_named_and_its_conversion_told(tmp_path: Path) -> None:
    path = tmp_path / "old list.txt"
    path.write_bytes("thé\n".encode("latin-1"))
    with pytest.raises(LexiconError, match=r"old list\.txt: the text is not UTF-8") as caught:
        open_source(path)
    command = caught.value.advice.removeprefix("Convert it: ")
    assert command == f"iconv -f ISO-8859-1 -t UTF-8 '{path}' > '{path}.utf8'"


def test_advice_on_a_file_is_not_about_names_of_lists(tmp_path: Path) -> None:
    with pytest.raises(LexiconError) as caught:
        open_source(tmp_path / "nowhere.txt")
    assert caught.value.advice == "Give the path of a text file."


@pytest.mark.parametrize("name", ["nowhere.txt", "nowhere.dic", ".", "x" * 300])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(LexiconError, match="cannot be read"):
        open_source(tmp_path / name)


def test_files_of_packages_are_told_apart_from_others(tmp_path: Path) -> None:
    assert package_of(tmp_path / "any") is None
    assert package_of(Path("/usr/share/no/such/file")) is None


def test_a_list_of_a_package_names_it_and_its_licence() -> None:
    if not FRENCH.is_file():
        pytest.skip("Debian's wfrench is not installed")
    assert package_of(FRENCH) == "wfrench"
    origin = word_sources.origin_of(open_source(FRENCH), word_sources.Wishes())
    assert origin.source == "/usr/share/dict/french (Debian package wfrench)"
    assert origin.licence == "see /usr/share/doc/wfrench/copyright"


def test_without_dpkg_nothing_is_known_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert package_of(FRENCH) is None


def test_what_the_user_says_of_a_list_goes_first(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("tea\n", "utf-8")
    source = open_source(tmp_path / "list")
    said = word_sources.origin_of(source, word_sources.Wishes(source="a book", licence="free"))
    assert (said.source, said.licence) == ("a book", "free")
    silent = word_sources.origin_of(source, word_sources.Wishes())
    assert (silent.source, silent.licence) == (str(tmp_path / "list"), "unknown, not given")
