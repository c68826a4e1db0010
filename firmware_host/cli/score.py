"""``wordtray score``: the result of a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_host.cli import options, reviewing, seating
from firmware_host.cli.boards import given_board, given_game, given_lexicon
from firmware_host.cli.draw import show_result
from firmware_host.cli.output import Output, shown
from firmware_host.cli.reporting import reporting
from firmware_host.documents import result_document
from firmware_host.errors import CommandError, ExitCode, unusable_file, wrong_use
from firmware_host.files import read_given
from firmware_host.writing import Writing

if TYPE_CHECKING:
    from firmware_host.cli.paper_lists import Given, Named
    from firmware_host.paper import PaperReader
    from firmware_host.paper_documents import Decided
    from firmware_host.review import Lists, Score
    from firmware_host.store.log import KeptRound
    from scoring.board import Board
    from scoring.lexicon import Lexicon
    from scoring.referee import RoundResult
    from scoring.rules import Game
    from scoring.wordlist import Entry

_MEND = "Mend typed lines, a word a line; settle those on paper by --review; then score again."
_FORM = "--list NAME=FILE, such as --list red=red.txt, or --list page.jpg where the page is signed"

EPILOG = (
    "Examples: wordtray score IETC/HQuPE/SEYH/TOER --list red=red.txt --list blue=blue.txt "
    "--challenge tpe --rules ours.toml · "
    "wordtray score tray.jpg --list red=red.txt --list blue=page.jpg --list sheets.pdf --review. "
    "A line that is no single word, or is not read for sure, is not guessed: it is doubtful, "
    "scores nothing, and the exit code is 4."
)

LARGEST_LIST = 1_000_000
"""Bytes of a list at most: no player writes a megabyte, and a wrong file is caught early."""


def score(
    board: options.BoardOrPhoto,
    lists: Annotated[
        list[str],
        typer.Option(
            "--list",
            metavar="[NAME=]FILE",
            help="A player's list: text, a word a line, or a photo, scan or PDF of paper. "
            "Without a name it is that on the sheet, or in the head line.",
        ),
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
    writing: options.OnPaper = Writing.AUTO,
    round_name: reviewing.Round = None,
    review: reviewing.Asked = False,
    referee: reviewing.Referee = None,
    json: options.Json = False,
) -> None:
    """Score the word lists of a round: every word with its verdict, path and reason.

    Lists are typed or on paper, in any mixture; a photo may show several.
    """
    from scoring.boggle.plan import check_seating
    from scoring.referee import Seating, score_round

    with reporting(json=json) as output:
        given = given_board(board, size, output)
        played = given_game(game, given.board, rules)
        if played.letter_values:
            raise _no_game_of_lists(played)
        words = given_lexicon(lexicon)
        seats = Seating(seating.parse_teams(team), seating.parse_handicaps(handicap))
        kept = reviewing.kept_round(round_name, given.board, output)
        table = table_of(
            lists,
            Rules(given.board, words, played, writing),
            output,
            form=_FORM,
            round_name=round_name,
        )

        check_seating(seats, table.names, played)
        called = {text: words.folding(text.strip().lower()) for text in challenge or ()}

        def scored(read: Lists) -> RoundResult:
            challenged, entries = called.values(), table.entries(read)
            return score_round(
                given.board, entries, words, played, seating=seats, challenged=challenged
            )

        read, decided = reviewed(table, scored, (referee, kept), output, review=review)
        _check_challenged(called, table.entries(read), words)
        if review and kept is not None:
            written = reviewing.of_players(kept, table.entries(read), output)
            reviewing.rescore(kept, written, referee, output)
        result = scored(read)
        document = result_document(result, words) | _told(decided)
        output.document(document, lambda out: show_result(out, result))
        doubtful = max(given.code, complain_of_doubts(table.entries(read), output, _MEND))
        raise typer.Exit(ExitCode.DOUBTFUL if table.incomplete else doubtful)


@dataclass(frozen=True)
class Rules:
    """What lists on paper are read with.

    Attributes:
        board: that was played on; None where it is not known.
        lexicon: the word list.
        game: the rules; needed with a board.
        writing: how lists on paper are written.
    """

    board: Board | None
    lexicon: Lexicon
    game: Game | None
    writing: Writing


@dataclass(frozen=True)
class Table:
    """The lists of a table.

    Attributes:
        names: of all players, in the order in which their lists were given.
        typed: lists by name.
        paper: lists on paper.
    """

    names: tuple[str, ...]
    typed: Mapping[str, tuple[Entry, ...]]
    paper: tuple[Named, ...]

    @property
    def incomplete(self) -> bool:
        """Whether rows of a sheet could not be seen, or nothing is on one."""
        readings = [one.scanned.reading for one in self.paper]
        return any(reading.lost or not reading.words for reading in readings)

    def entries(self, read: Lists) -> Mapping[str, tuple[Entry, ...]]:
        """Everybody's lines, given what is read on paper."""
        if not self.paper:
            return self.typed
        from firmware_host.cli.paper_lists import entries_by_name

        written = {**self.typed, **entries_by_name([one.name for one in self.paper], read)}
        return {name: written[name] for name in self.names}


def table_of(
    texts: Sequence[str],
    rules: Rules,
    output: Output,
    *,
    form: str,
    round_name: str | None = None,
) -> Table:
    """The lists of all arguments.

    Args:
        texts: the arguments.
        rules: what those on paper are read with.
        output: is told of each page.
        form: how arguments are written, with an example.
        round_name: that printed sheets must be of; None for any.

    Raises:
        CommandError, VisionError: one cannot be used.
    """
    from firmware_host.cli.paper_lists import (
        check_given_once,
        check_one_round,
        check_sheets,
        in_order,
        parse_given,
        tell_joined,
    )

    typed: dict[str, tuple[Entry, ...]] = {}
    paper: list[Named] = []
    names: dict[str, None] = {}
    read = _paper_reader(rules, round_name, output)
    lists = [parse_given(text, form) for text in texts]
    check_given_once(lists)
    spelt = _Spelling()
    for given in lists:
        if given.on_paper:
            found = [replace(one, name=spelt(one.name)) for one in read(given)]
            paper += found
            names |= dict.fromkeys(one.name for one in found)
        elif given.name is not None:
            name = spelt(given.name)
            if name in typed:
                raise _two_lists(name)
            typed[name] = read_list(given.file)
            names[name] = None
    for name in typed.keys() & {one.name for one in paper}:
        raise _two_lists(name)
    check_sheets(paper)
    check_one_round(paper)
    ordered = tuple(in_order(paper))
    tell_joined(ordered, output)
    return Table(tuple(names), typed, ordered)


class _Spelling:
    """Names that are alike but for capitals are one player's, spelt as the first of them."""

    def __init__(self) -> None:
        self._seen: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """The name as it was first spelt."""
        return self._seen.setdefault(name.casefold(), name)


def _paper_reader(
    rules: Rules, round_name: str | None, output: Output
) -> Callable[[Given], list[Named]]:
    """Reads files on paper; what that needs is loaded with the first one."""

    @cache
    def reader() -> PaperReader:
        from firmware_host.paper import PaperReader

        return PaperReader(rules.lexicon, rules.board, rules.game, writing=rules.writing)

    def read(given: Given) -> list[Named]:
        from firmware_host.cli.paper_lists import read_given

        return read_given(given, reader(), round_name, output)

    return read


def reviewed(
    table: Table,
    score: Score | None,
    who: tuple[str | None, KeptRound | None],
    output: Output,
    *,
    review: bool,
    note: str = reviewing.NOT_KEPT,
) -> tuple[Lists, Sequence[Decided]]:
    """What is read on paper, settled by a person where that is asked for.

    Args:
        table: the lists.
        score: of the lists: marks decisions that change the result.
        who: decides, and the round of the log in which that is recorded.
        output: pictures and questions go to its log.
        review: a person is to be asked.
        note: what is said where decisions are not recorded.
    """
    if not review:
        return tuple(one.scanned.reading for one in table.paper), ()
    lists = [one.scanned.as_of(one.name) for one in table.paper]
    looked = reviewing.review(lists, score, *who, output, note=note)
    return tuple(one.reading for one in looked.lists), tuple(looked.decided.values())


def _told(decided: Sequence[Decided]) -> dict[str, Any]:
    if not decided:
        return {}
    from firmware_host.paper_documents import decided_document

    return {"decided": [decided_document(one) for one in decided]}


def _two_lists(name: str) -> CommandError:
    advice = "Give each player one list and a name of their own."
    return wrong_use("list", f"two lists for {name!r}", advice)


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


def _check_challenged(
    called: Mapping[str, str], lists: Mapping[str, Sequence[Entry]], lexicon: Lexicon
) -> None:
    """See that the words challenged, given with how the word list folds them, are on a list.

    Raises:
        CommandError: one is on nobody's list.
    """
    written = (entry.word for entries in lists.values() for entry in entries)
    known = {lexicon.folding(word) for word in written if word}
    for text, word in called.items():
        if word not in known:
            raise wrong_use(
                "not_listed",
                f"{text!r} is on nobody's list: only a word that somebody wrote can be challenged",
                "Look at the lists.",
            )


def read_list(file: Path) -> tuple[Entry, ...]:
    """The entries of one list file."""
    from scoring.wordlist import WordListError, decode_word_list, parse_word_list

    data = read_given(file, LARGEST_LIST, "list", "player's list")
    try:
        return parse_word_list(decode_word_list(data))
    except WordListError as error:
        named = error.of_file(str(file))
        raise unusable_file("word_list", str(named), named.advice) from None


def lines_of(entries: tuple[Entry, ...]) -> list[str]:
    """The lines of a list, those without a word empty, so that every line keeps its number."""
    texts = {entry.line_number: _line(entry) for entry in entries}
    return [texts.get(number, "") for number in range(1, max(texts, default=0) + 1)]


def _line(entry: Entry) -> str:
    """A line that says the same when it is read as text; crossed out words are not played."""
    from scoring.wordlist import parse_word_list

    if entry.struck:
        return ""
    again = parse_word_list(entry.text)
    is_lost = entry.word is None and (not again or again[0].word is not None)
    return f"{entry.text} | ?" if is_lost else entry.text  # a doubt on paper stays one


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
