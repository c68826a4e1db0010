"""What a turn of Swoggle may be, and what it scores; by the rulebook's section "How to play".

`written_squares` puts the notation on the board, `new_words` sees to the rules and gives the words
that the turn makes, `score_words` adds them up. Each rule that can be broken has a kind of its own,
told by `scoring.match.RuleError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.board import Cell
from scoring.match import RuleError
from scoring.swoggle.board import Kind, Layout, square_name, square_names
from scoring.swoggle.turn import Direction, Piece, Turn, capital

PIPS = range(1, 7)
"""What a die can show."""

Letters = Mapping[Cell, str]
"""The letters on the board, small, one a square."""

Throws = Mapping[Cell, tuple[int, ...]]
"""For each bonus square what was thrown for it, or its fixed worth alone."""


@dataclass(frozen=True)
class Word:
    """A word on the board.

    Attributes:
        text: in small letters.
        cells: its squares in order.
        direction: which way it runs.
    """

    text: str
    cells: tuple[Cell, ...]
    direction: Direction


@dataclass(frozen=True)
class ScoredSquare:
    """What a square adds to a word.

    Attributes:
        cell: the square.
        letter: what stands on it, small.
        kind: plain or a bonus colour.
        throws: what was thrown for a bonus square; empty for a plain one.
        points: its worth in this turn.
    """

    cell: Cell
    letter: str
    kind: Kind
    throws: tuple[int, ...]
    points: int


@dataclass(frozen=True)
class ScoredWord:
    """A new word with the worth of each of its squares."""

    word: Word
    squares: tuple[ScoredSquare, ...]

    @property
    def points(self) -> int:
        """Their sum."""
        return sum(square.points for square in self.squares)


def written_squares(
    turn: Turn, layout: Layout, letters: Letters, fold: Callable[[str], str] = str.lower
) -> dict[Cell, str]:
    """The squares that a turn writes on, in order, with the letters.

    Args:
        turn: as the player wrote it.
        layout: the board.
        letters: what stands on it.
        fold: brings a letter to those of the word list.

    Raises:
        RuleError: kinds ``off_board``, ``black_square``, ``occupied``, ``standing``, ``letter``.
    """
    written: dict[Cell, str] = {}
    for piece in turn.pieces:
        _write(piece, layout, {**letters, **written}, written, fold)
    return written


def new_words(
    written: Letters, layout: Layout, letters: Letters, count: int, *, together: bool = False
) -> tuple[Word, ...]:
    """The words that letters make, the one in their own line first, the crossing ones in order.

    Args:
        written: the letters of the turn; on open, empty squares of the board.
        layout: the board.
        letters: what stands on it.
        count: how many letters the die asks for.
        together: the letters must lie next to one another, as in Fours.

    Raises:
        RuleError: kinds ``not_one_line``, ``split``, ``not_together``, ``wrong_count``,
            ``one_letter``, ``first_on_cross``, ``not_joined``.
    """
    _check_count(len(written), count)
    direction = _line_of(written)
    after = {**letters, **written}
    first = min(written)
    run = run_through(first, direction, after)
    if not set(written) <= set(run):
        raise RuleError(
            "split",
            "the letters of a turn stand together, not split between separate words: "
            f"{square_names(cell for cell in written if cell not in run)} is apart from the rest",
            "Write them next to one another, or with standing letters between.",
        )
    if together:
        _check_together(written, direction)
    _check_place(written, layout, letters)
    crossing = (run_through(cell, direction.other, after) for cell in sorted(written))
    runs = [(run, direction), *((cells, direction.other) for cells in crossing)]
    return tuple(_word(cells, way, after) for cells, way in runs if len(cells) > 1)


def check_words(
    words: Iterable[Word], is_word: Callable[[str], bool], lexicon: str, written: Letters
) -> None:
    """See that every new word is in the word list.

    Raises:
        RuleError: kind ``not_a_word``.
    """
    wrong = [word for word in words if not is_word(word.text)]
    if wrong:
        named = " and ".join(f"{shown(word.text)} ({word.direction})" for word in wrong)
        raise RuleError(
            "not_a_word",
            "every new word, across and down, must be in the word list: "
            f"{named} {'is' if len(wrong) == 1 else 'are'} not in {lexicon}",
            "Find another place or another word."
            if len(written) > 1
            else "Find another letter or another square.",
        )


def bonus_cells(words: Iterable[Word], layout: Layout) -> tuple[Cell, ...]:
    """The bonus squares that count in words, by row and column, each once."""
    cells = {cell for word in words for cell in word.cells if layout[cell].kind.dice}
    return tuple(sorted(cells))


def share_throws(thrown: Sequence[int], cells: Sequence[Cell], layout: Layout) -> Throws:
    """Deal what was thrown to the bonus squares, in their order.

    Raises:
        RuleError: kind ``bonus``: too many or too few, or no face of a die.
    """
    if any(pips not in PIPS for pips in thrown):
        raise RuleError(
            "bonus", f"a die shows 1 to 6, not {_listed(thrown)}", "Look at the dice again."
        )
    wanted = [layout[cell].kind.dice for cell in cells]
    if len(thrown) != sum(wanted):
        squares = "; ".join(
            f"{square_name(cell)} is {layout[cell].kind.name.lower()}: {dice}"
            for cell, dice in zip(cells, wanted, strict=True)
        )
        raise RuleError(
            "bonus",
            f"the bonus squares of this turn take {sum(wanted)} throws, and {len(thrown)} were "
            f"given ({squares or 'no bonus square counts'})",
            "Throw orange once, yellow twice, red three times, by row and then by column.",
        )
    rest = iter(thrown)
    return {
        cell: tuple(next(rest) for _ in range(dice))
        for cell, dice in zip(cells, wanted, strict=True)
    }


def score_words(
    words: Iterable[Word], layout: Layout, letters: Letters, throws: Throws
) -> tuple[ScoredWord, ...]:
    """The worth of every square of every word: a square in two words counts in both.

    Args:
        words: the new words.
        layout: the board.
        letters: what stands on it after the turn.
        throws: of every bonus square that counts; one value a square and turn.
    """

    def scored(cell: Cell) -> ScoredSquare:
        square, thrown = layout[cell], throws.get(cell, ())
        return ScoredSquare(cell, letters[cell], square.kind, thrown, square.value + sum(thrown))

    return tuple(ScoredWord(word, tuple(map(scored, word.cells))) for word in words)


def run_through(cell: Cell, direction: Direction, letters: Letters) -> tuple[Cell, ...]:
    """The unbroken run of letters in a line through a cell, whatever stands on the cell."""
    start = cell
    while direction.step(start, -1) in letters:
        start = direction.step(start, -1)
    end = cell
    while direction.step(end) in letters:
        end = direction.step(end)
    length = max(end[0] - start[0], end[1] - start[1]) + 1
    return tuple(direction.step(start, steps) for steps in range(length))


def shown(word: str) -> str:
    """A word as it stands on the board."""
    return "".join(map(capital, word))


def _write(
    piece: Piece,
    layout: Layout,
    standing: Letters,
    written: dict[Cell, str],
    fold: Callable[[str], str],
) -> None:
    cell = piece.start
    for place, sign in enumerate(piece.signs):
        letter = fold(sign.letter)
        if len(letter) != 1:
            raise RuleError(
                "letter",
                f"one letter stands on a square, and {capital(sign.letter)} counts as "
                f"{shown(letter)} in this word list",
                "Write its letters one by one.",
            )
        if sign.stands:
            _check_standing(cell, letter, layout, standing)
        else:
            if place:
                cell = _past_standing(cell, piece.direction, standing)
            _check_free(cell, layout, standing)
            written[cell] = letter
        cell = piece.direction.step(cell)


def _past_standing(cell: Cell, direction: Direction, standing: Letters) -> Cell:
    while cell in standing:
        cell = direction.step(cell)
    return cell


def _check_standing(cell: Cell, letter: str, layout: Layout, standing: Letters) -> None:
    _check_on_board(cell, layout)
    if standing.get(cell) != letter:
        there = capital(standing[cell]) if cell in standing else "nothing"
        raise RuleError(
            "standing",
            f"a letter in brackets stands on the board already: at {square_name(cell)} stands "
            f"{there}, not {capital(letter)}",
            "Compare the turn with the board.",
        )


def _check_free(cell: Cell, layout: Layout, standing: Letters) -> None:
    _check_on_board(cell, layout)
    if layout[cell].kind is Kind.BLACK:
        raise RuleError(
            "black_square",
            f"no letter can be written on a black square, and {square_name(cell)} is one",
            "Find another place.",
        )
    if cell in standing:
        raise RuleError(
            "occupied",
            f"one letter stands on a square, and {square_name(cell)} already has "
            f"{capital(standing[cell])}",
            "Name the square of the first letter that you write; letters that stand already are "
            "left out, or put in brackets.",
        )


def _check_on_board(cell: Cell, layout: Layout) -> None:
    if cell not in layout:
        raise RuleError(
            "off_board",
            f"letters are written on the board, and {square_name(cell)} is beyond its "
            f"{layout.rows} rows and {layout.cols} columns",
            "Count rows from the top and columns from the left, both from 1.",
        )


def _line_of(written: Letters) -> Direction:
    """The direction of the letters; of a single one, across."""
    if len({row for row, _ in written}) == 1:
        return Direction.ACROSS
    if len({col for _, col in written}) == 1:
        return Direction.DOWN
    raise RuleError(
        "not_one_line",
        "letters are written in one line and one direction in a turn, and these lie in several "
        f"rows and columns: {square_names(sorted(written))}",
        "Write them all across in one row, or all down in one column.",
    )


def _check_count(letters: int, count: int) -> None:
    if letters != count:
        raise RuleError(
            "wrong_count",
            f"exactly {count} letter{'s' * (count != 1)} must be written, no more and no fewer, "
            f"and this turn writes {letters}",
            "Letters that stand on the board already do not count.",
        )


def _check_together(written: Letters, direction: Direction) -> None:
    """Fours: "placed together, next to one another"; elsewhere standing letters may lie between."""
    for cell in sorted(written)[:-1]:
        if direction.step(cell) not in written:
            raise RuleError(
                "not_together",
                "the four letters are written next to one another, and a letter that stands lies "
                f"behind {square_name(cell)}",
                "Write all four before, or all four behind the letters that stand.",
            )


def _check_place(written: Letters, layout: Layout, letters: Letters) -> None:
    if letters:
        if not any(neighbour in letters for cell in written for neighbour in neighbours(cell)):
            raise RuleError(
                "not_joined",
                "new words must join on to words already on the board, and this one touches none",
                "Write it so that a letter lies beside one that stands.",
            )
        return
    if not any(layout[cell].cross for cell in written):
        raise RuleError(
            "first_on_cross",
            "the first word must touch the cross in the centre of the board: "
            f"{square_names(layout.cross)}",
            "Write it through the cross.",
        )
    if len(written) == 1:
        raise RuleError(
            "one_letter",
            "a word has two letters or more, and on an empty board one letter makes none",
            "Pass.",
        )


def neighbours(cell: Cell) -> tuple[Cell, ...]:
    """The cells beside, above and below, on the board or not."""
    row, col = cell
    return (row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)


def _word(cells: tuple[Cell, ...], direction: Direction, letters: Letters) -> Word:
    return Word("".join(letters[cell] for cell in cells), cells, direction)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
