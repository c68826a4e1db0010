"""Tesseract, played by programs that answer, crash, hang and talk nonsense, and the real one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from firmware_host.errors import ExitCode, complaint_of
from firmware_host.tesseract import SeenLetter, Tesseract, TesseractError

Program = Callable[[str], Tesseract]
TWO = np.full((2, 112, 112), 255, np.uint8)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program that runs a line of shell."""

    def made(line: str) -> Tesseract:
        file = tmp_path / "tesseract"
        file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        file.chmod(0o755)
        return Tesseract(str(file), time_out_s=20.0)

    return made


HEAD = r"level\tpage_num\tblock\ttext\n"


def says(*lines: str) -> str:
    """Shell that prints a table; a line is level, page and text."""
    rows = "".join(rf"{level}\t{page}\t0\t{text}\n" for level, page, text in map(str.split, lines))
    return f"cat >/dev/null; printf '{HEAD}{rows}'".replace("-", "")


def test_each_print_gets_its_answer(program: Program) -> None:
    lines = ("1 1 -", "4 1 -", "5 1 A", "1 2 -", "5 2 Q", "5 2 U")
    assert program(says(*lines)).letters(TWO) == ["A", "QU"]


def test_an_empty_page_is_no_opinion_and_shifts_no_other(program: Program) -> None:
    assert program(says("1 1 -", "1 2 -", "5 2 B")).letters(TWO) == ["", "B"]


def test_it_gets_all_prints_as_pages_of_one_picture(program: Program, tmp_path: Path) -> None:
    prints = np.stack([np.full((112, 112), level, np.uint8) for level in (0, 255, 0)])
    program(rf"cat >'{tmp_path}/given.tiff'; {says('1 1 -', '1 2 -', '1 3 -')}").letters(prints)
    with Image.open(tmp_path / "given.tiff") as picture:
        levels = []
        for page in range(3):
            picture.seek(page)
            levels.append(np.asarray(picture).mean())
    assert levels == [0, 255, 0]


def complaint(tesseract: Tesseract, prints: NDArray[np.uint8] = TWO) -> str:
    with pytest.raises(TesseractError) as raised:
        tesseract.letters(prints)
    told = complaint_of(raised.value)
    assert told is not None
    assert (told.kind, told.code) == ("tesseract", ExitCode.DEVICE_FAULT)
    assert told.advice
    return told.message


def test_a_crash_is_told_with_its_last_words(program: Program) -> None:
    message = complaint(program("echo first >&2; echo 'no data for eng' >&2; exit 3"))
    assert message.endswith("failed with code 3: no data for eng")


def test_being_killed_is_told(program: Program) -> None:
    assert "killed by signal 9" in complaint(program("kill -9 $$"))


@pytest.mark.parametrize(
    "line",
    [
        says("1 1 -", "5 1 A"),  # one answer to two prints
        says("1 1 -", "1 2 -", "1 3 -"),
        says("1 2 -", "1 1 -"),
        says("1 one -", "1 2 -"),
        r"cat >/dev/null; printf 'A\n\fB\n'",  # no table
        r"cat >/dev/null; printf '\377\376'",  # no text
        "cat >/dev/null",
    ],
)
def test_nonsense_is_no_answer(line: str, program: Program) -> None:
    assert "gave no table of 2 answers" in complaint(program(line))


def test_a_program_that_hangs_is_ended(program: Program) -> None:
    hanging = Tesseract(program("exec sleep 60").program, time_out_s=0.2)
    assert "no answer in 0.2 s" in complaint(hanging)


def test_a_program_that_does_not_listen_fails_by_its_code(program: Program) -> None:
    many = np.zeros((60, 112, 112), np.uint8)  # more than a pipe holds
    assert "code 1" in complaint(program("exit 1"), many)


def test_a_missing_program_is_told_with_how_to_get_it() -> None:
    with pytest.raises(TesseractError, match="not installed") as raised:
        Tesseract("/nowhere/tesseract").check()
    assert "sudo apt install tesseract-ocr" in raised.value.advice


def test_a_file_that_is_no_program_is_told(tmp_path: Path) -> None:
    (tmp_path / "tesseract").write_bytes(b"\x00\x01")
    (tmp_path / "tesseract").chmod(0o755)
    assert "cannot be started" in complaint(Tesseract(str(tmp_path / "tesseract")))


def sees(*pages: str) -> str:
    """Shell that prints pages; of each letter that and what else it may be, as ``a91/4/oe``."""
    lines = []
    for page in pages:
        lines.append("<div class='ocr_page' id='p' title='x'>")
        for place, letter in enumerate(page.split()):
            seen, others = letter.split("/")
            box = f"{10 * place} 0 {10 * place + 8} 20"
            lines.append(f"<span title='x_bboxes {box}; x_conf {seen[1:]}'>{seen[0]}</span>")
            lines += [f"<span title='x_confs 0'>{other}</span>" for other in seen[0] + others]
    text = "\n".join(lines)
    return f"cat >/dev/null; cat <<'EOF'\n{text}\nEOF"


def test_letters_of_printed_words_come_with_what_else_they_may_be(program: Program) -> None:
    team, nothing = program(sees("t99/ l97/it", "")).words(list(TWO))
    assert team == (
        SeenLetter("t", 0.99, 4.0),
        SeenLetter("l", 0.97, 14.0, ("i", "t")),
    )
    assert nothing == ()


@pytest.mark.parametrize("answer", [sees("t99/"), "cat >/dev/null", sees("t99/", "t99/", "")])
def test_nonsense_is_no_answer_of_printed_words(answer: str, program: Program) -> None:
    with pytest.raises(TesseractError, match="gave no page of 2 answers"):
        program(answer).words(list(TWO))


def test_advice_names_the_option_that_asked_for_it() -> None:
    with pytest.raises(TesseractError) as raised:
        Tesseract("/nowhere/tesseract", option="--writing printed").check()
    assert raised.value.advice.endswith("or leave out --writing printed.")


def capital(letter: str) -> NDArray[np.uint8]:
    picture = Image.new("L", (112, 112), 255)
    font = ImageFont.load_default(70)
    ImageDraw.Draw(picture).text((56, 56), letter, 0, font, "mm")
    return np.asarray(picture, np.uint8)


@pytest.mark.skipif(not shutil.which("tesseract"), reason="the program tesseract is not installed")
def test_the_real_program_reads_capitals() -> None:
    Tesseract().check()
    letters = "ABEKRSX"
    prints = [capital(letter) for letter in letters]
    prints.insert(3, np.full_like(prints[0], 255))
    assert Tesseract().letters(np.stack(prints)) == [*letters[:3], "", *letters[3:]]
