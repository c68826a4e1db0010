"""Text out of bytes: UTF-8, or an error that names what it seems to be; TOML, JSON and numbers."""

from __future__ import annotations

import codecs
import json
import re
import shlex
import tomllib
from typing import Any, Self

_CONVERSION = "FILE > NEW_FILE"
"""Stands in an advice where the file is not known, until `TextError.of_file`."""


class TextError(ValueError):
    """A text cannot be used.

    Args:
        message: what happened and why, one sentence.
        advice: what the user can do, one sentence.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice

    def of_file(self, file: str) -> Self:
        """The same error, which also says which file it is about."""
        conversion = f"{shlex.quote(file)} > {shlex.quote(f'{file}.utf8')}"
        return type(self)(f"{file}: {self}", self.advice.replace(_CONVERSION, conversion))


_MARKED = (  # the longer mark first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HEAD = 4096
"""Bytes looked at where a file is not UTF-8."""


def decode_text(data: bytes, error: type[TextError]) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Args:
        data: a whole file.
        error: what to raise.

    Raises:
        TextError: ``error`` itself: the bytes are UTF-16, UTF-32, Latin-1, Windows-1252 or no
            text at all.
    """
    foreign = _foreign(data)
    if foreign is None:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            foreign = _single_byte(data)
    if foreign == "binary":
        raise error(
            "this is no text: it holds bytes that no text has",
            "Give a plain text file with a word a line, saved as UTF-8.",
        )
    raise error(
        f"the text is not UTF-8; it seems to be {foreign}",
        f"Convert it: iconv -f {foreign} -t UTF-8 {_CONVERSION}",
    )


def decode_toml(data: bytes, error: type[TextError], advice: str) -> dict[str, Any]:
    """Decode TOML in UTF-8.

    Args:
        data: a whole file.
        error: what to raise.
        advice: what to do where it is no TOML.

    Raises:
        TextError: ``error`` itself: the bytes are no UTF-8, or no TOML.
    """
    text = decode_text(data, error)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as found:
        why = str(found)
    except ValueError:  # what else Python does not read
        why = "a number has too many digits"
    except RecursionError:
        why = "its brackets are nested too deeply"
    raise error(f"it is no TOML: {why}", advice)


def canonical(value: Any) -> str:  # noqa: ANN401 - any JSON
    """JSON in one way only: keys sorted, no spaces, ASCII.

    Raises:
        ValueError: a number that is none, or infinite.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def decode_number(text: str) -> int | None:
    """The whole number of 1 to 9 digits that a text is; None where it is none."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _foreign(data: bytes) -> str | None:
    for mark, name in _MARKED:
        if data.startswith(mark):
            return name
    head = data[:_HEAD]
    if head and head.count(0) * 5 > len(head) * 2:  # Latin letters in UTF-16: every second byte
        low, high = head[::2].count(0), head[1::2].count(0)
        if min(low, high) == 0:
            return "UTF-16LE" if high else "UTF-16BE"
    return "binary" if _CONTROL.search(data) else None


def _single_byte(data: bytes) -> str:
    return "WINDOWS-1252" if re.search(rb"[\x80-\x9f]", data) else "ISO-8859-1"
