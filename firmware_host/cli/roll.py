"""``wordtray roll``: random boards, or those among millions that are as wanted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options
from firmware_host.cli.boards import given_lexicon
from firmware_host.cli.draw import points, some_words
from firmware_host.cli.output import Output
from firmware_host.cli.reporting import reporting
from firmware_host.documents import find_document, roll_document
from firmware_host.errors import CommandError, nothing_found, wrong_use
from scoring.rules import Game, game_for_cells
from scoring.rules import game as game_of

if TYPE_CHECKING:
    from scoring.cubes import CubeSet
    from scoring.lexicon import Lexicon
    from scoring.quality import Catch, Find, Wanted

EPILOG = (
    "Examples: wordtray roll · wordtray roll --cubes super_big_2012_6x6 --seed 7 -n 3 --json · "
    "wordtray roll --between 150 200 --has-word-of 8 -n 5 · "
    "wordtray roll --cubes deluxe_master_5x5 --at-least 1500. "
    "With a condition, the boards of a seed are others than without; 3 is the exit code where too "
    "few such boards came up."
)
TRIES = 10_000_000
BUILT_IN = "enable"


def roll(
    cubes: options.Shaken = options.SHAKEN,
    seed: options.Seed = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many boards.")] = 1,
    *,
    at_least: Annotated[
        int | None,
        typer.Option("--at-least", metavar="POINTS", min=1, help="Only boards that hold so many."),
    ] = None,
    between: Annotated[
        tuple[int, int] | None,
        typer.Option("--between", metavar="A B", help="Only boards that hold A to B points."),
    ] = None,
    has_word_of: Annotated[
        int | None,
        typer.Option(
            "--has-word-of",
            metavar="LENGTH",
            min=1,
            help="Only boards with a word of so many letters or more.",
        ),
    ] = None,
    game: options.Game = None,
    lexicon: options.Lexicon = BUILT_IN,
    tries: Annotated[
        int,
        typer.Option(
            "--tries",
            metavar="N",
            min=1,
            help="Boards to try at most where there is a condition; ten million take one minute "
            "(4×4) to five (6×6) on two cores of a PC.",
        ),
    ] = TRIES,
    json: options.Json = False,
) -> None:
    """Roll random boards: real cubes, each face equally likely.

    With conditions, millions are rolled and scored to find the boards that meet all of them.
    """
    from scoring.cubes import cube_set

    with reporting(json=json) as output:
        edition = cube_set(cubes)
        rules = game_of(game) if game else game_for_cells(edition.rows * edition.cols)
        wanted = _wanted(at_least, between, has_word_of)
        if wanted:
            hunt = Hunt(edition, wanted, rules, given_lexicon(lexicon))
            hunt.run(count, tries, seed, output)
        elif game or lexicon != BUILT_IN or tries != TRIES:
            raise wrong_use(
                "condition",
                "--game, --lexicon and --tries are about boards of a wanted kind, and any will do",
                "Say what is wanted, such as --at-least 100.",
            )
        else:
            _roll_any(edition, count, seed, output)


def _roll_any(edition: CubeSet, count: int, seed: int | None, output: Output) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        board = edition.roll(rng)
        output.document(roll_document(board, edition), partial(_show, str(board)))


def _wanted(
    at_least: int | None, between: tuple[int, int] | None, has_word_of: int | None
) -> Wanted | None:
    """What the options ask for, or None where they ask for nothing.

    Raises:
        CommandError: no board can be so.
    """
    from scoring.quality import Wanted

    if at_least is None and between is None and has_word_of is None:
        return None
    low, high = between or (0, None)
    if high is not None and not 0 <= low <= high:
        raise wrong_use(
            "points",
            f"there is nothing from {low} to {high} points",
            "Give the lower number first, as in --between 150 200.",
        )
    least = max(low, at_least or 0)
    if high is not None and least > high:
        raise wrong_use(
            "points",
            f"no board holds {least} points or more and {high} or less",
            "Leave out --at-least or --between, or give others.",
        )
    return Wanted(least, high, has_word_of)


@dataclass(frozen=True)
class Hunt:
    """Rolls boards until enough of them are as wanted."""

    edition: CubeSet
    wanted: Wanted
    game: Game
    lexicon: Lexicon

    def run(self, count: int, tries: int, seed: int | None, output: Output) -> None:
        """Print so many boards as they are found.

        Raises:
            CommandError: no board can be so, or the tries did not bring that many.
        """
        import numpy as np

        from firmware_host.cli.rolling import RollingBar, pace
        from scoring.quality import search
        from scoring.rolls import roll_batches

        self._check_possible()
        rng, batch = np.random.default_rng(seed), pace(self.lexicon.engine, self.game).batch
        found = 0
        with RollingBar(output.log, "Looking", tries) as bar:
            batches = bar.over(roll_batches(self.edition, tries, rng, batch))
            for catch in search(batches, self.wanted, self.lexicon, self.game):
                for find in catch.finds[: count - found]:
                    bar.hide()
                    self._print(find, output)
                    found += 1
                if found == count:
                    return
                bar.remark(f"found {found} of {count}")
        raise self._too_few(found, count, catch)

    def _print(self, find: Find, output: Output) -> None:
        from scoring.quality import quality
        from scoring.solver import solve

        offered = quality(find.board, solve(find.board, self.lexicon, self.game))
        document = roll_document(find.board, self.edition) | find_document(
            find, offered, self.game, self.lexicon
        )
        text = f"{find.board}  {points(offered.points)}; longest {some_words(offered.longest)}"
        output.document(document, partial(_show, f"{text}; board {find.tried:,}"))

    def _check_possible(self) -> None:
        """See that it is not certain that no board is as wanted, wherever some word is needed."""
        from scoring.quality import possible_lengths

        if self.wanted.least == 0 and self.wanted.word_of is None:
            return
        possible = possible_lengths(self.edition, self.lexicon)
        shortest = max(self.wanted.word_of or 0, self.game.min_length)
        if not possible or possible[-1] < shortest:
            raise self._no_such_word(shortest, max(possible, default=0))
        self._check_points(possible, shortest)

    def _no_such_word(self, shortest: int, longest: int) -> CommandError:
        words = f"the word list {self.lexicon.name}"
        why = f"it has the cubes for no word of {words}"
        if longest:
            why = f"the longest of {words} for which it has the cubes has {longest}"
        return wrong_use(
            "length",
            f"{self.edition.name} has no board with a word of {shortest} letters: {why}",
            "Ask for a shorter word, or of another word list.",
        )

    def _check_points(self, possible: Sequence[int], shortest: int) -> None:
        worth, wanted, counts = self.game.points_for, self.wanted, self.lexicon.lengths()
        length = min((length for length in possible if length >= shortest), key=worth)
        if wanted.most is not None and wanted.most < worth(length):
            raise wrong_use(
                "points",
                f"no board has {_in_words(wanted)}: a word of {length} letters is worth "
                f"{points(worth(length))}",
                "Ask for more points, or for a shorter word.",
            )
        dearest = max(self.game.letter_values.values(), default=0)
        together = sum((worth(length) + dearest * length) * counts[length] for length in possible)
        if wanted.least > together:
            raise wrong_use(
                "points",
                f"no board has {_in_words(wanted)}: all words of the word list "
                f"{self.lexicon.name} together are worth {points(together)}",
                "Ask for fewer points.",
            )

    def _too_few(self, found: int, count: int, last: Catch) -> CommandError:
        rolls = f"{last.tried:,} rolls of {self.edition.name}"
        message = f"none of {rolls} has {_in_words(self.wanted)}"
        if found:
            message = f"{found}, not {count}, of {rolls} have {_in_words(self.wanted)}"
        elif last.nearest is not None and self.wanted.misses_by(last.nearest):
            message += f"; the nearest has {points(last.nearest)}"
        elif last.nearest is not None:
            message += "; some have such points, but not such a word"
        return nothing_found("no_board", message, "Ask for less, or for more boards with --tries.")


def _in_words(wanted: Wanted) -> str:
    asked = []
    if wanted.most is not None:
        least = "" if wanted.least == wanted.most else f"{wanted.least:,} to "
        asked.append(f"{least}{points(wanted.most)}")
    elif wanted.least:
        asked.append(f"{points(wanted.least)} or more")
    if wanted.word_of is not None:
        asked.append(f"a word of {wanted.word_of} letters or more")
    return " and ".join(asked)


def _show(text: str, out: Console) -> None:
    out.print(text, markup=False)


command = roll
