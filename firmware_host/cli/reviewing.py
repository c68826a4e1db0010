"""Doubtful words shown one by one in the terminal, and what a person says of them."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_host.cli.kept import now
from firmware_host.cli.output import Output, shown
from firmware_host.cli.rounds import opened_log
from firmware_host.errors import wrong_use

if TYPE_CHECKING:
    from firmware_host.paper import ScannedList
    from firmware_host.paper_documents import Decided
    from firmware_host.review import Answer, Place, Review, Score
    from firmware_host.store.log import KeptRound
    from scoring.board import Board
    from scoring.wordlist import Entry
    from vision.paper.reading import WordListReading

Asked = Annotated[
    bool, typer.Option("--review", help="Settle doubtful words here, the least sure first.")
]
Referee = Annotated[
    str | None,
    typer.Option("--referee", metavar="NAME", help="Who decides (else who is logged in)."),
]
Round = Annotated[
    str | None,
    typer.Option(
        "--round",
        metavar="R",
        help="Printed sheets must be of this round. The number of a round of `wordtray log` also "
        "gives its board, and --review is recorded there.",
    ),
]

NOT_KEPT = "Decisions are in the result alone: --round with one of the log keeps them."

_STRUCK, _LEAVE = "-", "q"
_HELP = (
    "Enter takes 1, a number another reading, or type the word; - is crossed out, q leaves the rest"
)
_WIDEST = 100  # signs of a drawn word


def kept_round(name: str | None, board: Board | None, output: Output) -> KeptRound | None:
    """The round of the log that is meant, where there is such a one.

    Args:
        name: the option ``--round``.
        board: the board that was named; None for none, and then that of the round is taken.
        output: is told where a round of the log is not this one.

    Raises:
        CommandError: it has not ended.
        StorageError: the log cannot be read.
    """
    from firmware_host.rounds import Phase
    from firmware_host.store.place import Place

    if name is None or not name.isdecimal() or not Place.standard().database.exists():
        return None
    with opened_log(output, reading=True) as log:
        if int(name) not in {summary.number for summary in log.rounds()}:
            return None
        kept = log.round(int(name))
    if board is not None and board != kept.state.board:
        output.log.print(
            f"Round {name} of the log has another board: it is not this one, and nothing is "
            "recorded there."
        )
        return None
    if kept.state.phase is not Phase.FINISHED:
        message = f"round {name} of the log is not finished: {kept.state.phase}"
        raise wrong_use("round_open", message, "Scan its lists when it is over.")
    return kept


@dataclass(frozen=True)
class Reviewed:
    """Lists after a review.

    Attributes:
        lists: with every decision in them.
        decided: what was decided, by place of list and word.
    """

    lists: tuple[ScannedList, ...]
    decided: dict[Place, Decided]


def review(
    lists: Sequence[ScannedList],
    score: Score | None,
    referee: str | None,
    kept: KeptRound | None,
    output: Output,
    *,
    note: str = NOT_KEPT,
) -> Reviewed:
    """Have a person settle the doubtful words of lists.

    Args:
        lists: as they were read.
        score: of the lists, where a board is known: marks decisions that change the result.
        referee: who decides; None for who is logged in.
        kept: the round of the log in which decisions are recorded; None for none.
        output: pictures and questions go to its log.
        note: what is said where decisions are not recorded.

    Raises:
        StorageError: a decision cannot be recorded.
    """
    from firmware_host.paper_documents import Decided
    from firmware_host.review import Review

    by = referee or getpass.getuser()
    told: dict[Place, Decided] = {}
    looked = Review(tuple(one.reading for one in lists))
    if looked.open and kept is None and note:
        output.log.print(note)
    with _recording(kept, output) as record:
        for place in looked.open:
            _draw(looked, place, lists, output)
            answer = _ask(looked, place, output)
            if answer is None:
                break
            changed = None if score is None else looked.changes(place, answer, score)
            looked = looked.decided(place, answer)
            told[place] = Decided(
                player=lists[place[0]].reading.player or "",
                page=lists[place[0]].page,
                read=looked.word(place).text.lower(),
                answer=answer,
                changed=changed,
                by=by,
                at=now(),
            )
            record(told[place])
            if changed:
                output.log.print("[bold]This changes the result.[/]")
    settled = zip(lists, looked.settled, strict=True)
    return Reviewed(tuple(replace(one, reading=reading) for one, reading in settled), told)


def rescore(
    kept: KeptRound,
    written: Mapping[str, tuple[Entry, ...]],
    referee: str | None,
    output: Output,
) -> None:
    """Score a round of the log anew with other lists, and keep that beside its first result.

    Nothing is kept where the result is the same.

    Args:
        kept: the round; it has ended.
        written: lines of its players, with every decision in them; the lists of others stay.
        referee: who decided; None for who is logged in.
        output: is told of the new result.

    Raises:
        LexiconError: the word list of the round is not there any more.
        StorageError: it cannot be recorded.
    """
    from firmware_host.lexicons import load
    from firmware_host.review import outcome
    from firmware_host.rounds import Rescored
    from scoring.referee import score_round

    plan, state = kept.setup.plan, kept.state
    if state.board is None or state.result is None or not written:
        return
    known = {name: state.lists.get(name, ()) for name in plan.players}
    result = score_round(state.board, {**known, **written}, load(kept.lexicon), plan.game)
    if outcome(result) == outcome(state.result):
        return
    with opened_log(output) as log, log.go_on(kept.number) as (_, recorder):
        recorder.record(Rescored(result, dict(written), referee or getpass.getuser()))
    points = ", ".join(f"{player.name} {player.points}" for player in result.players)
    output.log.print(f"Round {kept.number} is scored anew: {shown(points)}. The log keeps both.")


def on_pages(
    kept: KeptRound, lists: Sequence[ScannedList], output: Output
) -> Mapping[str, tuple[Entry, ...]]:
    """The lines of each player of a round whose pages are there; other pages are told."""
    from firmware_host.cli.paper_lists import entries_by_name

    own: list[tuple[str, WordListReading]] = []
    for one in lists:
        player = one.reading.player
        name = _in_round(kept, player or "")
        if name is not None:
            own.append((name, one.reading))
            continue
        whose = f"of {player}" if player else "of nobody who is named"
        output.log.print(f"{shown(one.page)} is {shown(whose)}: the round is not scored by it.")
    return entries_by_name([name for name, _ in own], [reading for _, reading in own])


def of_players(
    kept: KeptRound, written: Mapping[str, tuple[Entry, ...]], output: Output
) -> Mapping[str, tuple[Entry, ...]]:
    """The lines of those who are in a round, by their names there; others are told."""
    own: dict[str, tuple[Entry, ...]] = {}
    for given, entries in written.items():
        name = _in_round(kept, given)
        if name is None:
            output.log.print(f"{shown(given)} is not in round {kept.number}: left out there.")
        else:
            own[name] = entries
    return own


def _in_round(kept: KeptRound, name: str) -> str | None:
    """How a player is named in a round; capitals do not count."""
    names = {player.casefold(): player for player in kept.setup.plan.players}
    return names.get(name.casefold())


@contextmanager
def _recording(kept: KeptRound | None, output: Output) -> Iterator[Callable[[Decided], None]]:
    if kept is None:
        yield lambda _: None
        return
    from firmware_host.rounds import WordDecided

    with opened_log(output) as log, log.go_on(kept.number) as (_, recorder):

        def record(one: Decided) -> None:
            text, struck = one.answer.text.lower(), one.answer.struck
            changed = bool(one.changed)
            recorder.record(
                WordDecided(one.player, one.page, one.read, text, struck, changed, one.by)
            )

        yield record


def _draw(looked: Review, place: Place, lists: Sequence[ScannedList], output: Output) -> None:
    from firmware_host.cli.crops import crop_lines
    from firmware_host.paper_entries import why_else
    from firmware_host.review import offers

    one, word, talk = lists[place[0]], looked.word(place), output.log
    whose = f"{one.reading.player}, " if one.reading.player else ""
    left = len(looked.open)
    talk.print(f"\n[bold]{shown(whose + one.page)}[/], word {place[1] + 1} ({left} to settle)")
    for doubt in why_else(word):
        talk.print(f"[yellow]{doubt.capitalize()}.[/]")
    width = min(talk.width - 1, _WIDEST)
    plain = not talk.encoding.lower().startswith("utf")
    for line in crop_lines(one.crops[place[1]], width, plain=plain):
        talk.print(line, markup=False, no_wrap=True)
    shares = dict(word.alternatives)
    for number, answer in enumerate(offers(word), 1):
        text = f"{answer.text.lower()}{', crossed out' if answer.struck else ''}"
        share = f"  {shares[answer.text]:.0%}" if answer.text in shares else ""
        talk.print(f"  {number}  {shown(text)}{share}")


def _ask(looked: Review, place: Place, output: Output) -> Answer | None:
    """What a person says; None where the rest is to be left."""
    while True:
        output.log.print(f"{_HELP}: ", end="")
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text == _LEAVE:
            output.log.print()
            return None
        answer, problem = _understood(text, looked, place)
        if answer is not None:
            return answer
        output.log.print(f"[yellow]{shown(problem)}[/]")


def _understood(text: str, looked: Review, place: Place) -> tuple[Answer | None, str]:
    """What a line means, or what is wrong with it."""
    from firmware_host.review import Answer, offers
    from scoring.wordlist import parse_word_list

    word = looked.word(place)
    offered = offers(word)
    if text == _STRUCK:
        return Answer(word.text, struck=True), ""
    if not text or text.isdecimal():
        number = int(text or 1)
        if 1 <= number <= len(offered):
            return offered[number - 1], ""
        return None, f"there is no reading {number}: type the word, or {_LEAVE} to leave it"
    entry = next(iter(parse_word_list(text)), None)
    if entry is None or entry.word is None:
        return None, (entry and entry.problem) or "there is no word in it"
    return Answer(entry.word.upper()), ""
