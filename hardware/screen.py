"""What the small display shows, drawn as a picture: lines of text, and a QR code to join by."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

LEAST_ROW_PX = 15
"""Height of a line of small letters."""

LARGEST_LETTERS_PX = 24
"""Height of letters where few lines have much room: the time is read across a table."""

_QUIET = 2  # modules around a QR code: half of the norm, on a display that is dark outside


def status_lines(
    state: str, left_s: float | None = None, address: str = "", error: str = ""
) -> tuple[str, ...]:
    """The state of the machine in at most four lines, the most urgent first.

    Args:
        state: what it is doing.
        left_s: seconds left of the round, if one runs.
        address: where its pages are, such as ``192.168.1.20:8000``.
        error: the last error; it stays until there is none.

    Example:
        >>> status_lines("Round 2", 61.2, "192.168.1.20:8000")
        ('1:01', 'Round 2', '192.168.1.20:8000')
    """
    time = "" if left_s is None else f"{int(left_s) // 60}:{int(left_s) % 60:02}"
    return tuple(line for line in (time, state, error, address) if line)


def draw_lines(size: tuple[int, int], lines: Sequence[str]) -> Image.Image:
    """Lines from the top, white on black; what does not fit is cut.

    Args:
        size: (width, height) of the display, pixels.
        lines: the fewer, the larger.
    """
    picture = Image.new("1", size, 0)
    _write(picture, (0, 0, *size), lines)
    return picture


def draw_join(size: tuple[int, int], url: str, lines: Sequence[str]) -> Image.Image:
    """A QR code at the left and lines beside it.

    Where no code that can be read fits, the address stands in the first line instead.

    Args:
        size: (width, height) of the display, pixels.
        url: what the code says.
        lines: beside it, from the top.
    """
    code = _qr(url, size[1])
    if code is None:
        return draw_lines(size, (url.removeprefix("http://"), *lines))
    picture = Image.new("1", size, 0)
    picture.paste(code, (0, (size[1] - code.height) // 2))
    _write(picture, (code.width + 3, 0, *size), lines)
    return picture


def _qr(url: str, height: int) -> Image.Image | None:
    """A code as large as fits, black on white, or None where its modules would be single pixels."""
    import segno

    code = segno.make_qr(url, error="l", boost_error=False)
    rows = [bytes(255 * (1 - dark) for dark in row) for row in code.matrix_iter(border=_QUIET)]
    side = len(rows)
    scale = height // side
    if scale < 2:
        return None
    small = Image.frombytes("L", (side, side), b"".join(rows))
    return small.resize((side * scale, side * scale), Image.Resampling.NEAREST).convert("1")


def _write(picture: Image.Image, box: tuple[int, int, int, int], lines: Sequence[str]) -> None:
    left, top, right, bottom = box
    rows = max(1, min(len(lines), (bottom - top) // LEAST_ROW_PX))
    row_px = (bottom - top) // rows
    pen = ImageDraw.Draw(picture)
    pen.fontmode = "1"  # edges in grey would come out ragged
    for row, line in enumerate(lines[:rows]):
        font = _font(line, right - left, min(LARGEST_LETTERS_PX, row_px - 3))
        pen.text((left, top + row * row_px), line, fill=1, font=font)


def _font(line: str, width: int, largest: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Letters as large as the row allows and the width asks for, but none below a small line's."""
    for size in range(largest, LEAST_ROW_PX - 3, -2):
        font = ImageFont.load_default(size)
        if font.getlength(line) <= width:
            return font
    return ImageFont.load_default(LEAST_ROW_PX - 4)
