"""Lists that users add: kept whole, found by name, loaded from what was compiled, or made again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host import lexicons, own_lists, word_sources
from firmware_host.errors import CommandError
from firmware_host.own_lists import Facts
from firmware_host.word_sources import Wishes, open_source
from scoring.folding import Folding
from scoring.intake import Omission, Reason
from scoring.lexicon import Lexicon, LexiconError

Add = Callable[..., Facts]
PLAIN = Wishes()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data and cache folders of this test alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def add(tmp_path: Path) -> Add:
    """Adds a list of such a text."""

    def adds(name: str, text: str, wishes: Wishes = PLAIN) -> Facts:
        path = tmp_path / "given.txt"
        path.write_text(text, "utf-8")
        facts, _ = word_sources.add(name, open_source(path), wishes, lambda _done, _of: None)
        return facts

    return adds


def stored(name: str) -> Path:
    return own_lists.data_folder() / f"{name}.words"


def compiled(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "cache" / "wordtray").iterdir()
    return found


def test_an_added_list_is_loaded_by_its_name(add: Add, tmp_path: Path) -> None:
    facts = add("mine", "thé\nParis\neat\n", Wishes(folding=Folding(""), licence="free"))
    assert lexicons.names() == ("enable", "mine")
    lexicon = lexicons.load("mine")
    assert lexicon.words == ("eat", "the")
    assert (lexicon.name, lexicon.licence, lexicon.folding) == ("mine", "free", Folding(""))
    assert lexicon.source == str(tmp_path / "given.txt")
    assert lexicons.left_out_of("mine") == (Omission(Reason.NAME, 1, ("Paris",)),)
    assert facts == own_lists.read_facts(stored("mine"))


def test_a_list_needs_its_file_no_longer(add: Add, tmp_path: Path) -> None:
    add("mine", "tea\n")
    (tmp_path / "given.txt").unlink()
    assert lexicons.load("mine").words == ("tea",)


def test_loading_takes_what_was_compiled_when_it_was_added(
    add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("mine", "tea\n")

    def build(*_: object, **__: object) -> Lexicon:
        raise AssertionError("the list was built again")

    monkeypatch.setattr(Lexicon, "from_words", build)
    assert lexicons.load("mine").words == ("tea",)


@pytest.mark.parametrize("damage", [b"", b"x", b"wordtray", None])
def test_a_damaged_or_missing_compiled_form_is_made_again(
    add: Add, tmp_path: Path, damage: bytes | None
) -> None:
    add("mine", "tea\neat\n")
    path = compiled(tmp_path)
    sound = path.read_bytes()
    for broken in (sound[:20], sound[:-1], sound[:-1] + bytes([sound[-1] ^ 1]), damage):
        if broken is None:
            path.unlink()
        else:
            path.write_bytes(broken)
        assert lexicons.load("mine").words == ("eat", "tea")
        assert path.read_bytes() == sound


def test_the_compiled_form_of_another_list_is_not_taken(add: Add, tmp_path: Path) -> None:
    add("first", "tea\n")
    path = compiled(tmp_path)
    other = path.read_bytes()
    add("first", "eat\n", Wishes(replace=True))
    path.write_bytes(other)
    assert lexicons.load("first").words == ("eat",)


def test_a_lexicon_in_use_survives_that_its_list_is_replaced_or_removed(add: Add) -> None:
    add("mine", "tea\nteam\n")
    lexicon = lexicons.load("mine")
    add("mine", "eat\n", Wishes(replace=True))
    assert "team" in lexicon
    lexicons.remove("mine")
    assert lexicon.words == ("tea", "team")


@pytest.mark.parametrize(
    "name",
    ["", "-x", "_x", "Mine", "a b", "../mine", "a/b", "a.b", "mine\n", "é", "x" * 41, "\x00"],
)
def test_odd_names_are_refused(add: Add, name: str) -> None:
    with pytest.raises(CommandError, match="no name") as caught:
        add(name, "tea\n")
    assert caught.value.complaint.kind == "lexicon_name"
    assert not own_lists.names()
    with pytest.raises(LexiconError):
        lexicons.remove(name)


def test_the_name_of_the_built_in_list_is_refused(add: Add) -> None:
    with pytest.raises(CommandError, match="built-in"):
        add("enable", "tea\n", Wishes(replace=True))
    with pytest.raises(LexiconError, match="no word list 'enable' was added"):
        lexicons.remove("enable")


def test_a_taken_name_is_given_again_only_when_asked_for(add: Add) -> None:
    add("mine", "tea\n")
    with pytest.raises(CommandError, match="already") as caught:
        add("mine", "eat\n")
    assert "--replace" in caught.value.complaint.advice
    assert lexicons.load("mine").words == ("tea",)
    add("mine", "eat\n", Wishes(replace=True))
    assert lexicons.load("mine").words == ("eat",)


def test_a_name_comes_before_a_file_of_that_name(
    add: Add, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text("eat\n", "utf-8")
    add("mine", "tea\n")
    assert lexicons.load("mine").words == ("tea",)
    assert lexicons.load("./mine").words == ("eat",)


def test_a_removed_list_is_gone_with_what_was_compiled(add: Add, tmp_path: Path) -> None:
    add("mine", "tea\n")
    lexicons.remove("mine")
    assert lexicons.names() == ("enable",)
    assert list((tmp_path / "cache" / "wordtray").iterdir()) == []
    with pytest.raises(LexiconError, match="cannot be read"):
        lexicons.load("mine")


DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda _: b"",
    lambda _: b"\n",
    lambda _: b"[]\ntea",
    lambda _: b"{}\ntea",
    lambda _: b"\xff\xfe\n",
    lambda sound: sound[:30],
    lambda sound: sound.replace(b'"list"', b'"tree"'),
    lambda sound: sound.replace(b'"name", "count"', b'"whim", "count"'),
    lambda sound: sound[:-1],
    lambda sound: sound + b"x",
    lambda sound: sound.replace(b"\ntea", b"\nteb"),
]


@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_list_is_never_trusted(
    add: Add,
    tmp_path: Path,
    damage: Callable[[bytes], bytes],
    is_compiled: bool,  # noqa: FBT001 - a parameter
) -> None:
    add("mine", "tea\nParis\n")
    if not is_compiled:
        compiled(tmp_path).unlink()
    sound = stored("mine").read_bytes()
    stored("mine").write_bytes(damage(sound))
    os.utime(stored("mine"))
    if stored("mine").read_bytes() == sound:
        pytest.fail("nothing was damaged")
    with pytest.raises(LexiconError, match="is damaged") as caught:
        lexicons.load("mine")
    assert "--replace" in caught.value.advice
    add("mine", "eat\n", Wishes(replace=True))
    assert lexicons.load("mine").words == ("eat",)


def test_a_full_disk_leaves_all_as_it_was(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    add("mine", "tea\n")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, f"No space left on device: {self} {target}")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        for name in ("mine", "other"):
            with pytest.raises(OSError, match="No space left"):
                add(name, "eat\n", Wishes(replace=True))
    assert lexicons.load("mine").words == ("tea",)
    assert list(own_lists.data_folder().iterdir()) == [stored("mine")]


def test_without_a_writable_cache_lists_are_added_and_loaded(
    add: Add, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    add("mine", "tea\n")
    assert lexicons.load("mine").words == ("tea",)
    lexicons.remove("mine")


def test_a_list_that_was_merely_touched_is_compiled_again(add: Add) -> None:
    add("mine", "tea\n")
    os.utime(stored("mine"), (0, 0))
    assert lexicons.load("mine").words == ("tea",)


def test_without_a_writable_data_folder_nothing_is_read_first(
    add: Add, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(OSError, match="Not a directory"):
        add("mine", "123\n")
    assert lexicons.names() == ("enable",)
    assert len(lexicons.load("enable")) == 172_820


def test_other_files_in_the_data_folder_are_no_lists(add: Add) -> None:
    add("mine", "tea\n")
    for other in ("tmpabc", "Odd Name.words", ".words"):
        (own_lists.data_folder() / other).write_text("x", "utf-8")
    assert own_lists.names() == ("mine",)


def test_the_file_is_facts_as_json_and_then_the_words(add: Add) -> None:
    add("mine", "tea\neat\n", Wishes(source="a book"))
    first, *rest = stored("mine").read_text("utf-8").split("\n")
    assert rest == ["eat", "tea"]
    assert json.loads(first)["source"] == "a book"


def test_too_many_letters_are_refused_before_anything_is_kept(add: Add) -> None:
    text = "\n".join(chr(code) * 2 for code in range(0x4E00, 0x4E00 + 64))
    with pytest.raises(LexiconError, match=r"given\.txt: .*different letters"):
        add("mine", text)
    assert own_lists.names() == ()
