"""``wordtray score``: the result of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from firmware_host.cli import options, seating
from firmware_host.cli.boards import PICTURE_SUFFIXES, given_board, given_game, given_lexicon
from firmware_host.cli.draw import board_text, player_table, summary_lines, words_table
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, ExitCode, unusable_file, wrong_use
from firmware_host.files import read_given

if TYPE_CHECKING:
    from scoring.lexicon import Lexicon
    from scoring.referee import RoundResult
    from scoring.rules import Game
    from scoring.wordlist import Entry

_MEND = "Mend these lines, a word a line, and score again."

EPILOG = (
    "Example: wordtray score IETC/HQuPE/SEYH/TOER --list red=red.txt --list blue=blue.txt "
    "--challenge tpe --rules ours.toml. "
    "A line that is no single word is not guessed: it is doubtful, scores nothing, and the exit "
    "code is 4."
)

LARGEST_LIST = 1_000_000
"""Bytes of a list at most: no player writes a megabyte, and a wrong file is caught early."""


def score(
    board: options.BoardOrPhoto,
    lists: Annotated[
        list[str],
        typer.Option("--list", metavar="NAME=FILE", help="A player's list: text, a word a line."),
    ],
    game: options.Game = None,
    lexicon: options.Lexicon = "enable",
    size: options.Size = None,
    *,
    rules: seating.Rules = None,
    team: seating.Teams = None,
    handicap: seating.Handicaps = None,
    challenge: Annotated[
        list[str] | None,
        typer.Option(
            "--challenge", metavar="WORD", help="A word that somebody challenged; once for each."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Score the word lists of a round: every word with its verdict, path and reason."""
    from scoring.boggle.plan import check_seating
    from scoring.referee import Seating, score_round

    with reporting(json=json) as output:
        given = given_board(board, size, output)
        played = given_game(game, given.board, rules)
        if played.letter_values:
            raise _no_game_of_lists(played)
        words = given_lexicon(lexicon)
        entries = read_lists(lists, "--list NAME=FILE, such as --list red=red.txt")
        seats = Seating(seating.parse_teams(team), seating.parse_handicaps(handicap))
        check_seating(seats, entries, played)
        called = _challenged(challenge or [], entries, words)
        result = score_round(given.board, entries, words, played, seating=seats, challenged=called)
        output.document(result_document(result, words), lambda out: show_result(out, result))
        raise typer.Exit(max(given.code, complain_of_doubts(entries, output, _MEND)))


def _no_game_of_lists(rules: Game) -> CommandError:
    message = (
        f"{rules.title} pays each word as it is played, for the tiles that it runs over, and a "
        "list does not tell these"
    )
    advice = (
        f"Play it: wordtray play --game {rules.name} --simulate. What words are worth on plain "
        f"tiles tells wordtray solve --game {rules.name}."
    )
    return wrong_use("game", message, advice)


def show_result(out: Console, result: RoundResult) -> None:
    """The board, each player's words, the winner and what was missed."""
    out.print(board_text(result.board))
    for player in result.players:
        out.print()
        out.print(player_table(player))
    out.print()
    for line in summary_lines(result):
        out.print(line)
    if result.best_missed:
        out.print(words_table(result.best_missed, "Best words missed"))


def _challenged(
    texts: list[str], lists: Mapping[str, Sequence[Entry]], lexicon: Lexicon
) -> frozenset[str]:
    """The words challenged, as the word list folds them.

    Raises:
        CommandError: one is on nobody's list.
    """
    written = (entry.word for entries in lists.values() for entry in entries)
    known = {lexicon.folding(word) for word in written if word}
    called = {text: lexicon.folding(text.strip().lower()) for text in texts}
    for text, word in called.items():
        if word not in known:
            raise wrong_use(
                "not_listed",
                f"{text!r} is on nobody's list: only a word that somebody wrote can be challenged",
                "Look at the lists.",
            )
    return frozenset(called.values())


def read_lists(texts: list[str], form: str) -> Mapping[str, tuple[Entry, ...]]:
    """The lists of ``NAME=FILE`` arguments, by name.

    Args:
        texts: the arguments.
        form: how they are written, with an example.

    Raises:
        CommandError: not of that form, a name twice, or a file that cannot be used.
    """
    lists: dict[str, tuple[Entry, ...]] = {}
    for text in texts:
        name, equals, file = text.partition("=")
        if not (name.strip() and equals and file):
            raise wrong_use("list", f"{text!r} names no player and file", f"Write {form}.")
        if name.strip() in lists:
            advice = "Give each player one list and a name of their own."
            raise wrong_use("list", f"two lists for {name.strip()!r}", advice)
        lists[name.strip()] = read_list(Path(file))
    return lists


def read_list(file: Path) -> tuple[Entry, ...]:
    """The entries of one list file."""
    from scoring.wordlist import WordListError, decode_word_list, parse_word_list

    if file.suffix.lower() in PICTURE_SUFFIXES:
        raise unusable_file(
            "list",
            f"{file} is a picture, and lists on paper cannot be read yet",
            "Type the list into a text file, a word a line.",
        )
    data = read_given(file, LARGEST_LIST, "list", "player's list")
    try:
        return parse_word_list(decode_word_list(data))
    except WordListError as error:
        named = error.of_file(str(file))
        raise unusable_file("word_list", str(named), named.advice) from None


def lines_of(entries: tuple[Entry, ...]) -> list[str]:
    """The lines of a list, those without a word empty, so that every line keeps its number."""
    texts = {entry.line_number: entry.text for entry in entries}
    return [texts.get(number, "") for number in range(1, max(texts, default=0) + 1)]


def doubtful_lines(lists: Mapping[str, tuple[Entry, ...]]) -> dict[str, list[int]]:
    """For each player who has such the numbers of the lines that are no single word."""
    doubts = {
        name: [entry.line_number for entry in entries if entry.word is None]
        for name, entries in lists.items()
    }
    return {name: lines for name, lines in doubts.items() if lines}


def complain_of_doubts(
    lists: Mapping[str, tuple[Entry, ...]], output: Output, advice: str
) -> ExitCode:
    """Name the lines that are no single word; gives how the command ends."""
    for name, entries in lists.items():
        for entry in entries:
            if entry.problem and entry.word is None:
                output.log.print(
                    f"[yellow]{shown(name)}, line {entry.line_number}:[/] {shown(entry.problem)}"
                )
    if not doubtful_lines(lists):
        return ExitCode.DONE
    output.log.print(f"  → {shown(advice)}")
    return ExitCode.DOUBTFUL


command = score
