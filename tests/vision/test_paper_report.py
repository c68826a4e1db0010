"""The report on paper: what it writes, and that nobody's writing gets into the repository."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from scoring.lexicon import Lexicon
from vision.paper.boxed_among import KnownWords
from vision.paper.letters import BoxLetters
from vision.training.paper_report import app
from vision.training.report import paper_sheets
from vision.training.report.failures import Failure, Part, contact_sheet, save_pictures
from vision.training.report.page import Table
from vision.training.report.paper_pages import match
from vision.training.report.paper_words import Trial, part

GREY = np.full((20, 60), 90, np.uint8)
FEW = Lexicon.from_words("few", ["tea", "team", "hind", "quest", "later", "stone"])


def trial(written: str, read: str, *, known: bool = True, accepted: bool = True) -> Trial:
    return Trial(
        kind="caps",
        known=known,
        written=written,
        read=read,
        accepted=accepted,
        credited=True,
        best=written == read,
        first_three=True,
        picture=GREY,
        seconds=0.01,
    )


def test_a_word_that_fails_is_told_once_for_each_thing_it_was_taken_for() -> None:
    told = part([trial("TEA", "TEA"), *[trial("SEA", "PEA")] * 2, trial("SEA", "LEA", known=False)])
    assert [one.told for one in told.failures] == [
        "caps: SEA read as PEA, taken",
        "caps: SEA read as LEA, taken",
    ]
    assert not told.ours
    (row,) = [row for row in told.table.rows if row[0].startswith("capitals")]
    assert row[2] == "33.33 / 0.00"
    assert "of all, 75.00 of the accepted" in told.table.text


def test_pictures_are_numbered_as_their_failures_and_an_old_sheet_goes(tmp_path: Path) -> None:
    file = tmp_path / "new" / "words.png"
    assert save_pictures([Failure("lost"), Failure("wrong", GREY)], file)
    assert file.exists()
    one, four = contact_sheet([Failure("", GREY)]), contact_sheet([Failure("", GREY)] * 4)
    assert one is not None
    assert four is not None
    assert four.shape == (2 * one.shape[0], one.shape[1])
    assert not save_pictures([Failure("lost")], file)
    assert not file.exists()


def test_pages_of_sheets_are_added_up() -> None:
    writer = paper_sheets.writers(Path("nowhere"))["tidy"]
    counts = paper_sheets.counted(
        paper_sheets.pages(writer, FEW, 1, (0.0, 0.1)), KnownWords.of(FEW), BoxLetters()
    )
    assert (counts.pages, counts.unread, counts.silent) == (1, 0, 0)
    assert counts.right + counts.asked + counts.lost == counts.words
    told = paper_sheets.part("tidy", counts)
    assert told.ours
    assert told.table.rows[0][0] == "tidy"


def test_a_word_that_is_taken_for_another_is_a_failure_with_its_picture() -> None:
    writer = paper_sheets.writers(Path("nowhere"))["tidy"]
    (page,) = paper_sheets.pages(writer, FEW, 1, (0.0, 0.1))
    wrong = paper_sheets.Page(
        page.photo, page.label, dict.fromkeys(page.words, "QUEST"), page.cancelled
    )
    counts = paper_sheets.counted([wrong], KnownWords.of(FEW), BoxLetters())
    assert counts.silent == len(counts.failures) > 0
    assert counts.credits > 0
    assert all(one.picture is not None for one in counts.failures)
    assert any("read TEAM" in one.told for one in counts.failures)


def test_a_box_matches_the_word_that_it_holds() -> None:
    box = np.array([[0, 0], [10, 0], [10, 4], [0, 4]], np.float32)
    assert match(box, [box + 30, box]) == 1
    assert match(box, [box + 8]) is None


@pytest.mark.parametrize("private", [True, False])
def test_the_page_has_pictures_of_renders_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, private: bool
) -> None:
    def failed(name: str, counts: paper_sheets.Counts) -> Part:
        del counts
        table = Table(name, "What it is.", ("a",), (("1",),))
        failures = (Failure(f"{name} failed", GREY),)
        return Part(f"sheets-{name}", table, failures, ours=name != "tidy")

    monkeypatch.setattr("vision.training.paper_report.paper_sheets.part", failed)
    monkeypatch.setattr(
        "vision.training.paper_report.paper_sheets.counted", lambda *_: paper_sheets.Counts()
    )
    out, folder = tmp_path / "docs" / "page.md", tmp_path / "private"
    more = ["--pictures", str(folder)] if private else []
    args = ["--only", "sheets", "--sheets", "1", "--data", str(tmp_path / "none"), *more]
    told = CliRunner().invoke(app, [*args, "--out", str(out)])
    assert told.exit_code == 0, told.output
    text = out.read_text(encoding="utf-8")
    assert "1. tidy failed" in text
    assert "](pictures/accuracy-paper/sheets-hands.png)" in text
    assert "sheets-tidy.png" not in text
    assert [file.name for file in out.parent.rglob("*.png")] == ["sheets-hands.png"]
    assert (folder / "sheets-tidy.png").exists() == private


def test_a_part_that_is_measured_anew_takes_its_place(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Old\n\n<!-- words -->\n## Words\n\nkept\n\n<!-- sheets-tidy -->\n## Tidy\n\noutdated\n",
        encoding="utf-8",
    )
    args = ["--only", "sheets", "--sheets", "1", "--data", str(tmp_path), "--out", str(page)]
    assert CliRunner().invoke(app, args).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert text.index("# How well paper is read") < text.index("kept") < text.index("| tidy |")
    assert "outdated" not in text
    assert text.count("<!-- sheets-tidy -->") == text.count("<!-- words -->") == 1


def test_a_part_that_does_not_exist_is_refused() -> None:
    told = CliRunner().invoke(app, ["--only", "stamps"])
    assert (told.exit_code, "no part is called stamps" in told.output) == (2, True)
