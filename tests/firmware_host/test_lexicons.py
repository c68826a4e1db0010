"""Word lists by name or file, and their cache: used when right, never trusted when not."""

import os
import struct
import zlib
from mmap import mmap
from pathlib import Path

import pytest

from firmware_host import lexicons
from scoring.lexicon import Lexicon, LexiconError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "wordtray"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text("tea\nEat\nteam\ndon't\n", "utf-8")
    return path


def compiled(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


def forbid_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object, **__: object) -> Lexicon:
        raise AssertionError("the list was built again")

    monkeypatch.setattr(Lexicon, "from_words", build)


def test_built_in_list_is_loaded_by_name() -> None:
    lexicon = lexicons.load("enable")
    assert lexicons.names()[0] == "enable"
    assert (lexicon.name, len(lexicon), lexicon.licence) == ("enable", 172_820, "public domain")


def test_a_file_is_loaded_by_path_and_named_after_it(words: Path) -> None:
    lexicon = lexicons.load(str(words))
    assert (lexicon.name, lexicon.source) == ("mine", str(words))
    assert lexicon.words == ("tea", "team")


def test_second_load_comes_from_the_cache(
    words: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lexicons.load(str(words))
    assert compiled(cache).suffix == ".lexicon"
    forbid_building(monkeypatch)
    assert lexicons.load(str(words)).words == first.words


def test_a_changed_file_is_compiled_again(words: Path, cache: Path) -> None:
    lexicons.load(str(words))
    words.write_text("steam\n", "utf-8")
    assert lexicons.load(str(words)).words == ("steam",)
    assert compiled(cache).is_file()


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "foreign"])
def test_a_damaged_cache_is_made_again(
    words: Path, cache: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lexicons.load(str(words))
    path = compiled(cache)
    sound = path.read_bytes()
    changed = sound[:-1] + bytes([sound[-1] ^ 1])
    path.write_bytes({"cut": sound[:-9], "changed": changed, "empty": b"", "foreign": b"x"}[damage])
    assert lexicons.load(str(words)).words == first.words
    assert path.read_bytes() == sound
    forbid_building(monkeypatch)
    assert lexicons.load(str(words)).words == first.words


def test_the_compiled_form_is_used_where_it_is_mapped(words: Path) -> None:
    lexicons.load(str(words))
    mapped = lexicons.load(str(words))
    for array in (mapped.trie.masks, mapped.trie.firsts):
        assert isinstance(array.obj, mmap)
    assert mapped.words == ("tea", "team")


def test_a_sound_checksum_over_a_broken_body_is_made_again(words: Path, cache: Path) -> None:
    first = lexicons.load(str(words))
    path = compiled(cache)
    sound = path.read_bytes()
    for body in (b"", b"x", struct.pack("<I", 2) + b"{}", struct.pack("<I", 9) + b"{}"):
        head = struct.pack("<8sII", b"wordtray", 2, zlib.crc32(body))
        path.write_bytes(sound[:32] + head + body)
        assert lexicons.load(str(words)).words == first.words
        assert path.read_bytes() == sound


def test_a_pipe_in_the_place_of_the_cache_is_replaced(words: Path, cache: Path) -> None:
    first = lexicons.load(str(words))
    path = compiled(cache)
    path.unlink()
    os.mkfifo(path)
    assert lexicons.load(str(words)).words == first.words
    assert path.is_file()


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LexiconError, match="holds no words"):
        lexicons.load(str(tmp_path / "pipe"))


@pytest.mark.parametrize("name", ["xx.dic", "xx.aff", "XX.DIC", "dictionary", "dictionary.txt"])
def test_a_hunspell_dictionary_is_no_list(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("3\ntea/S\nthames\nteam/SM po:noun\n", "utf-8")
    with pytest.raises(LexiconError, match="Hunspell") as caught:
        lexicons.load(str(path))
    assert caught.value.advice.endswith(f"wordtray lexicon add NAME {path}")


def test_a_list_may_begin_with_its_length(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("4\ntea\nteam\nmeat\nand/or\n", "utf-8")
    assert lexicons.load(str(path)).words == ("meat", "tea", "team")


@pytest.mark.parametrize("name", ["", "~nobody-of-this-name/list"])
def test_what_names_no_file_is_refused(name: str) -> None:
    with pytest.raises(LexiconError, match=r"no word list is named|no home folder"):
        lexicons.load(name)


def test_files_of_one_name_keep_apart(tmp_path: Path, cache: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.txt").write_text(f"te{folder}\n", "utf-8")
    for _ in range(2):
        assert lexicons.load(str(tmp_path / "a" / "mine.txt")).words == ("tea",)
        assert lexicons.load(str(tmp_path / "b" / "mine.txt")).words == ("teb",)
    assert len(list(cache.iterdir())) == 2


def test_an_unwritable_cache_is_no_error(
    words: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert lexicons.load(str(words)).words == ("tea", "team")


def test_a_full_disk_is_no_error_and_leaves_nothing_behind(
    words: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, f"No space left on device: {self} {target}")

    monkeypatch.setattr(Path, "replace", full)
    assert lexicons.load(str(words)).words == ("tea", "team")
    assert list(cache.iterdir()) == []


def test_cache_lies_in_the_home_folder_unless_set_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert lexicons.cache_folder() == tmp_path / ".cache" / "wordtray"


@pytest.mark.parametrize(
    ("content", "message", "advice"),
    [
        (None, "cannot be read: No such file", "wordtray lexicon list"),
        (b"", "holds no words", "the right file"),
        (b"123\n", "holds no words", "1 was left out: with a digit"),
        (b"so it was\nand so on\n", "running text", "lexicon add NAME"),
        ("tea\n".encode("utf-16"), "seems to be UTF-16", "iconv -f UTF-16 -t UTF-8 /"),
        ("thé\n".encode("latin-1"), "seems to be ISO-8859-1", "iconv -f ISO-8859-1"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "no text", "plain text"),
    ],
)
def test_unusable_files_are_answered_with_what_to_do(
    tmp_path: Path, cache: Path, content: bytes | None, message: str, advice: str
) -> None:
    path = tmp_path / "list.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LexiconError, match=message) as caught:
        lexicons.load(str(path))
    assert str(path) in str(caught.value)
    assert advice in caught.value.advice
    assert not cache.exists()


def test_a_folder_is_no_word_list(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="Is a directory"):
        lexicons.load(str(tmp_path))


def test_a_file_larger_than_any_list_is_refused(
    words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexicons, "LARGEST_FILE", words.stat().st_size - 1)
    with pytest.raises(LexiconError, match="larger than any word list"):
        lexicons.load(str(words))


def test_a_path_that_is_no_text_is_a_path_all_the_same(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/m\xfc.txt")
    Path(path).write_text("tea\n")
    assert lexicons.load(path).words == ("tea",)
