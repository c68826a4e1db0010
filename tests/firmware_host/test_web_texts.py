"""The texts of the pages: every language whole, anybody's own wording, and whose language it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import ExitCode, complaint_of
from firmware_host.rounds import Event
from firmware_host.store.codec import kind_of_type
from firmware_host.web import texts as module
from firmware_host.web.texts import (
    LANGUAGES,
    Catalogues,
    TextsError,
    accepted_languages,
    placeholders,
    read_catalogues,
    shipped_texts,
)
from vision import photo as _photo  # noqa: F401 - has its errors known
from vision.errors import PhotoError

ENGLISH = shipped_texts("en")
WEB = Path(module.__file__).parent


@pytest.fixture(scope="module")
def catalogues() -> Catalogues:
    return read_catalogues()


def test_every_refusal_of_a_picture_that_is_sent_has_a_text() -> None:
    of_files = {"photo_missing", "photo_is_folder", "photo_unreadable"}  # of no upload
    of_paper = {
        *("no_page", "no_writing", "illegible", "prose", "tray_not_paper", "sheet_cut_off"),
        *("not_installed", "no_recogniser"),
    }
    of_photos = {one.kind for one in PhotoError.__subclasses__()} - of_files

    assert {f"problem.{kind}" for kind in of_photos | of_paper} <= ENGLISH.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_placeholders(language: str) -> None:
    entries = shipped_texts(language)

    assert entries.keys() == ENGLISH.keys()
    assert all(text.strip() for text in entries.values())
    assert {key: placeholders(text) for key, text in entries.items()} == {
        key: placeholders(text) for key, text in ENGLISH.items()
    }


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_texts_are_translated(language: str) -> None:
    entries = shipped_texts(language)
    same = [
        key
        for key, text in entries.items()
        if text == ENGLISH[key] and len(re.sub(r"{\w+}", "", text)) > 16
    ]

    assert same == []


STRANGE = {
    "de": r"[a-zäöü]en Sie\b|\bIhnen\b|Bildschirm|Telefon",
    "fr": r"\b(tu|toi|ton|tes)\b|\bcubes?\b",
    "es": r"\busted(es)?\b|\b[Cc]ubos?\b|\b(Espere|Elija|Mire|Pulse|Cierre|Ponga|Compare)\b",
    "it": r"\bvoi\b|\b[Cc]ub[oi]\b|\b(Aspettate|Scegliete|Controllate|Premete|Chiudete)\b",
}
"""What another address, or another word for the same thing, looks like."""

TRAYS = {"de": ("Tablett", "Brett"), "es": ("bandeja", "tablero"), "it": ("vassoio", "tabellone")}
"""The word for the tray, and that for a board, of which faults and maintenance never speak."""


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_people_are_spoken_to_in_one_way_and_a_thing_has_one_name(language: str) -> None:
    strange = re.compile(STRANGE[language])
    texts = {key: re.sub(r"{\w+}", "", text) for key, text in shipped_texts(language).items()}
    found = {key: text for key, text in texts.items() if strange.search(text)}
    assert found == {}


@pytest.mark.parametrize("language", TRAYS)
def test_what_shakes_is_a_tray(language: str) -> None:
    tray, board = TRAYS[language]
    texts = shipped_texts(language)
    of_machine = {key: text for key, text in texts.items() if key.startswith(("fault", "maint"))}
    assert any(tray in text for text in of_machine.values())
    assert [key for key, text in of_machine.items() if board.lower() in text.lower()] == []


def test_the_log_names_every_kind_of_event() -> None:
    kinds = {kind_of_type(form) for form in get_args(Event)}
    assert {kind for kind in kinds if f"referee.log.kind.{kind}" not in ENGLISH} == set()


def _sources() -> dict[str, str]:
    files = [*(WEB / "templates").glob("*.html"), *(WEB / "static/js").glob("*.js")]
    files.append(WEB / "faults.py")  # which knows the keys that pages are told
    return {file.name: file.read_text("utf-8") for file in files}


def _names(source: str) -> set[str]:
    """Keys and beginnings of keys that a source writes out."""
    tables = "|".join(sorted({key.partition(".")[0] for key in ENGLISH}))
    return set(re.findall(rf"[\"'`]((?:{tables})\.[a-z_.]*)", source))


def test_every_text_that_a_page_names_is_there() -> None:
    known = {*ENGLISH, *(key.rpartition(".")[0] for key in ENGLISH)}
    named = {(file, name) for file, text in _sources().items() for name in _names(text)}

    lost = {
        (file, name)
        for file, name in named
        if name not in known and not any(key.startswith(name) for key in ENGLISH)
    }
    assert named
    assert lost == set()


def test_no_text_is_there_for_nothing() -> None:
    named = {name for text in _sources().values() for name in _names(text)}

    def is_used(key: str) -> bool:
        table = key.rpartition(".")[0]
        beginnings = [name for name in named if name.endswith((".", "_"))]
        return key in named or table in named or any(map(key.startswith, beginnings))

    assert [key for key in ENGLISH if not is_used(key)] == []


def test_a_text_that_a_language_lacks_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = {"en": {"common.language": "English", "a.b": "One"}, "de": {"common.language": "D"}}
    monkeypatch.setattr(module, "shipped_texts", lambda language: shipped.get(language, {}))

    assert read_catalogues().of("de")("a.b") == "One"


def test_placeholders_are_filled_in(catalogues: Catalogues) -> None:
    text = catalogues.of("de")("display.question.place", row=2, col=3)

    assert text == "Zeile 2, Spalte 3"


def test_a_value_that_is_missing_is_an_error(catalogues: Catalogues) -> None:
    with pytest.raises(KeyError):
        catalogues.of("en")("display.question.place", row=2)


def test_values_are_not_filled_in_again(catalogues: Catalogues) -> None:
    assert catalogues.of("en")("play.hello", name="{name}") == "Hello {name}!"


def test_parts_are_whole_tables(catalogues: Catalogues) -> None:
    parts = catalogues.of("fr").parts("join")

    assert parts.keys() == {key for key in ENGLISH if key.startswith("join.")}


def _wording(folder: Path, text: str) -> Path:
    (folder / "de.toml").write_text(text, "utf-8")
    return folder


def test_own_wording_takes_the_place_of_single_texts(tmp_path: Path) -> None:
    own = read_catalogues(_wording(tmp_path, '[display]\nstart = "Los!"\n'))

    assert own.of("de")("display.start") == "Los!"
    assert own.of("de")("display.title") == shipped_texts("de")["display.title"]
    assert own.of("en")("display.start") == ENGLISH["display.start"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[display]\nstrat = "Los!"', "display.strat"),
        ('[display]\nstart = "Los {name}!"', "{name}"),
        ("[display]\nstart = 3", "should be a text"),
        ("[display", "no TOML"),
    ],
    ids=["a key that is not known", "a placeholder that is not known", "no text", "no TOML"],
)
def test_own_wording_that_is_not_sound_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(TextsError) as raised:
        read_catalogues(_wording(tmp_path, text))

    complaint = complaint_of(raised.value)
    assert complaint is not None
    assert complaint.code is ExitCode.UNUSABLE_FILE
    assert told in complaint.message
    assert "de.toml" in complaint.message


def test_a_folder_without_files_changes_nothing(tmp_path: Path, catalogues: Catalogues) -> None:
    assert read_catalogues(tmp_path) == catalogues


@pytest.mark.parametrize(
    ("asked", "kept", "accepted", "language"),
    [
        ("it", "de", "fr", "it"),
        (None, "de", "fr", "de"),
        (None, None, "fr-CH, en;q=0.9", "fr"),
        (None, None, "en;q=0.3, es;q=0.8", "es"),
        ("xx", "yy", "nl, pl", "en"),
        (None, None, None, "en"),
        (None, None, "de;q=0, it;q=0.1", "it"),
    ],
)
def test_the_language_is_asked_for_kept_or_accepted(
    catalogues: Catalogues, asked: str | None, kept: str | None, accepted: str | None, language: str
) -> None:
    assert catalogues.chosen(asked, kept, accepted).language == language


@given(st.text(max_size=200))
def test_any_header_is_read(header: str) -> None:
    assert all(code.isalpha() for code in accepted_languages(header))


def test_languages_are_offered_by_their_own_names(catalogues: Catalogues) -> None:
    assert dict(catalogues.offered)["fr"] == "Français"
