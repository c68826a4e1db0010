"""Word sheets as a PDF: pages, fonts, size of the file, lists of players."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_host.errors import CommandError
from firmware_host.sheets import Player, labels_of, missing_signs, players_in, sheets_pdf
from vision.paper.sheet import Form, Label


def _untold(_: int) -> None:
    pass


def test_every_player_gets_every_sheet_as_often_as_asked() -> None:
    labels = labels_of([Player("Anna", "Table 1"), Player("Bo")], "Final", sheets=2, copies=2)
    assert [(one.player, one.number) for one in labels] == [
        ("Anna", 1), ("Anna", 1), ("Anna", 2), ("Anna", 2),
        ("Bo", 1), ("Bo", 1), ("Bo", 2), ("Bo", 2),
    ]  # fmt: skip
    assert labels[0] == Label("Anna", "Final", 1, 2, "Table 1")


def test_a_page_for_each_label_and_its_progress_is_told() -> None:
    told: list[int] = []
    data = sheets_pdf(Form("A5"), labels_of([Player("Zoë Łuk"), Player("Bo")], "", 2), told.append)
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", data)) == 4
    assert told == [1, 2, 3, 4]
    assert b"/FontFile2" in data  # the font is in the file
    assert b"Helvetica" not in data


def test_a_page_has_the_size_of_its_paper() -> None:
    data = sheets_pdf(Form("Letter"), [Label()], _untold)
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    assert box is not None
    assert [float(side) for side in box.groups()] == pytest.approx([612, 792], abs=0.1)


def test_the_sheets_of_many_players_stay_small() -> None:
    one = len(sheets_pdf(Form(), labels_of([Player("Player 0")], "", 1), _untold))
    players = [Player(f"Player {number}") for number in range(11)]
    eleven = len(sheets_pdf(Form(), labels_of(players, "", 1), _untold))
    assert (eleven - one) / 10 < 4000


def test_the_same_sheets_give_the_same_file() -> None:
    first, second = (sheets_pdf(Form("A5"), [Label("Anna")], _untold) for _ in range(2))
    assert first == second


def test_signs_that_the_font_lacks_are_told() -> None:
    labels = [Label("Zoë Łukasiewicz", "Финал"), Label("李小龙")]
    assert missing_signs(labels) == "".join(sorted("李小龙"))


def _write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "text", "players"),
    [
        ("a.txt", "Anna\n\n  Bo, the younger \n", [Player("Anna"), Player("Bo, the younger")]),
        ("a.csv", "Name,Table\nAnna,Table 1\nBo\n", [Player("Anna", "Table 1"), Player("Bo")]),
        ("a.csv", "Anna;Table 1;x\n;\n", [Player("Anna", "Table 1")]),
        ("a.csv", '\ufeff"Smith, Jo",4\n', [Player("Smith, Jo", "4")]),
    ],
)
def test_players_are_read_from_a_file(
    tmp_path: Path, name: str, text: str, players: list[Player]
) -> None:
    assert players_in(_write(tmp_path, name, text)) == players


@pytest.mark.parametrize("data", [b"", b"\n \n", b"Zo\xeb\n"])
def test_a_file_without_names_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "players.txt"
    file.write_bytes(data)
    with pytest.raises(CommandError) as refused:
        players_in(file)
    assert refused.value.complaint.kind == "players"


def test_what_is_alike_on_all_pages_is_stored_once() -> None:
    data = sheets_pdf(Form(), labels_of([Player("A"), Player("B")], "", 1), _untold)
    forms = re.findall(rb"/Subtype /Form", data)
    assert len(forms) == 1
