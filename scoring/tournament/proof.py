"""Checks an exported event from nothing but itself: chain, rules, boards, scores, results.

What is proved, and against whom:

* Who changes the export without care breaks the chain of hashes, or the head that closes it.
* Who writes the whole chain anew still has to have boards that fit their commitments, scores that
  the referee gives for the lists, events that the rules allow in this order, and results that
  follow from them.
* Who makes all of that fit as well is caught by a hash that was published while the event went on,
  as every printed page has one.

Points that were entered without lists are counted, for nothing proves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from scoring.encoding import canonical
from scoring.lexicon import Lexicon
from scoring.match import RuleError
from scoring.solution import SearchError
from scoring.tournament.document import results_document
from scoring.tournament.fold import Tournament
from scoring.tournament.judging import Judge
from scoring.tournament.log import (
    Entry,
    EventError,
    broken_links,
    entry_of,
    hash_of_head,
    is_undo,
    plan_of,
    refolded,
    taken_back,
)
from scoring.tournament.plan import Plan
from scoring.tournament.state import Place, Round, Score, State

SHORTEST_HASH = 12
"""Digits of a published hash at least: as many as a printed page has."""


@dataclass(frozen=True)
class Finding:
    """Something that does not hold.

    Attributes:
        kind: ``"form"``, ``"chain"``, ``"head"``, ``"published"``, ``"time"``, ``"rule"``,
            ``"board"``, ``"lexicon"``, ``"score"``, ``"results"``.
        where: such as ``"entry 12"``.
        message: what does not hold.
    """

    kind: str
    where: str
    message: str


@dataclass(frozen=True)
class Proof:
    """What a check came to.

    Attributes:
        findings: what does not hold; none where all does.
        entries: how many there are.
        proved: scores of a player on a board that follow from lists.
        entered: scores that were entered without lists.
        committed: boards that were committed to before they were shown.
        uncommitted: boards that were not.
        covered: entries up to the last hash that was published: later ones have the chain alone.
        missing: scores that rounds which have started do not have.
        photos: SHA-256 of all pictures that the event refers to.
    """

    findings: tuple[Finding, ...]
    entries: int = 0
    proved: int = 0
    entered: int = 0
    committed: int = 0
    uncommitted: int = 0
    covered: int = 0
    missing: int = 0
    photos: frozenset[str] = frozenset()


def verify(
    document: Any,  # noqa: ANN401 - JSON
    lexicon: Lexicon | None = None,
    published: Collection[str] = (),
) -> Proof:
    """Check the document of an event.

    Args:
        document: as `scoring.tournament.document.event_document` gives it.
        lexicon: the nominated word list; without it scores are not proved, and that is a finding.
        published: hashes that were made known, or their first `SHORTEST_HASH` digits or more.
    """
    try:
        plan = plan_of(document)
        entries = _entries(document)
    except EventError as error:
        return Proof((Finding("form", "document", str(error)),))
    head = {key: document[key] for key in ("wordtray", "version", "setup")}
    folded = _fold(plan, entries)
    findings = [
        *_of_form(document),
        *_of_chain(hash_of_head(head), entries, document.get("head")),
        *_of_published(hash_of_head(head), entries, published),
        *folded.findings,
        *_of_scores(plan, folded.state, lexicon, _scores_taken_back(entries)),
        *_of_results(plan, folded.state, document.get("results")),
    ]
    proof = _counted(findings, entries, folded.state)
    missing = sum(
        len(list(played.missing(plan.boards))) for played in folded.state.rounds if played.started
    )
    return replace(proof, covered=_covered(entries, published), missing=missing)


def _of_form(document: Mapping[str, Any]) -> Iterator[Finding]:
    """What neither a hash nor a computation covers must not stand there as if it were proved."""
    for name in sorted(set(document) - _PARTS):
        yield Finding("form", "document", f"nothing proves its part {name!r}")
    for piece in document["log"]:
        for name in sorted(set(piece) - _ENTRY_PARTS):
            yield Finding("form", f"entry {piece['seq']}", f"nothing proves its part {name!r}")


_PARTS = {"wordtray", "version", "setup", "log", "head", "results"}
_ENTRY_PARTS = {"seq", "at", "event", "hash"}


@dataclass(frozen=True)
class _Folded:
    state: State
    findings: tuple[Finding, ...]


def _entries(document: Mapping[str, Any]) -> list[Entry]:
    log = document.get("log")
    if not isinstance(log, list):
        raise EventError("the document has no log", "Give what export wrote.")
    return [entry_of(piece) for piece in log]


def _of_chain(start: str, entries: Sequence[Entry], head: object) -> Iterator[Finding]:
    for number in broken_links(start, entries):
        message = "it was changed, or does not follow the one before"
        yield Finding("chain", f"entry {number}", message)
    last = entries[-1].hash if entries else start
    if head != last:
        yield Finding("head", "document", "the last hash is not that of the last entry")
    for before, entry in pairwise(entries):
        if entry.at < before.at:
            message = f"it was made before entry {before.seq}"
            yield Finding("time", f"entry {entry.seq}", message)


def _of_published(
    start: str, entries: Sequence[Entry], published: Iterable[str]
) -> Iterator[Finding]:
    known = [start, *(entry.hash for entry in entries)]
    for text in published:
        digits = text.strip().lower()
        if len(digits) < SHORTEST_HASH or not any(each.startswith(digits) for each in known):
            yield Finding("published", text, "no entry has this hash")


def _covered(entries: Sequence[Entry], published: Iterable[str]) -> int:
    texts = (text.strip().lower() for text in published)
    digits = tuple(text for text in texts if len(text) >= SHORTEST_HASH)
    return max((each.seq for each in entries if digits and each.hash.startswith(digits)), default=0)


def _fold(plan: Plan, entries: Sequence[Entry]) -> _Folded:
    """The state after all entries; one that breaks a rule is told and left out."""
    rules = Tournament(plan)
    state, findings, sound = rules.start(), [], list[Entry]()
    for entry in entries:
        sound.append(entry)
        try:
            state = (
                refolded(rules, sound) if is_undo(entry.event) else rules.apply(state, entry.event)
            )
        except RuleError as error:
            sound.pop()
            kind = "board" if error.kind == "commitment" else "rule"
            findings.append(Finding(kind, f"entry {entry.seq}", str(error)))
    return _Folded(state, tuple(findings))


def _scores_taken_back(entries: Sequence[Entry]) -> frozenset[tuple[int, Place]]:
    """Round and place of scores that the log itself takes back: they are missing, not hidden."""
    gone = taken_back(entries)
    events = [entry.event for entry in entries if entry.seq in gone]
    return frozenset(
        (event["round"], (event["board"], event["table"]))
        for event in events
        if event["type"] == "scores"
    )


def _of_scores(
    plan: Plan,
    state: State,
    lexicon: Lexicon | None,
    undone: Collection[tuple[int, Place]],
) -> Iterator[Finding]:
    if not any(played.lists for played in state.rounds):
        return
    if lexicon is None or lexicon.digest != plan.digest:
        message = f"scores cannot be proved without the words of {plan.lexicon} as they were"
        yield Finding("lexicon", "document", message)
        return
    judge = Judge(plan, lexicon)
    for played in state.rounds:
        for board in range(1, plan.boards + 1):
            yield from _of_board(judge, played, board, undone)


def _of_board(
    judge: Judge, played: Round, board: int, undone: Collection[tuple[int, Place]]
) -> Iterator[Finding]:
    where = f"round {played.number}, board {board}"
    try:
        made = judge.scores(played, board)
    except (RuleError, SearchError) as error:
        yield Finding("score", where, str(error))
        return
    for place, scores in made.items():
        kept = played.scores.get(place)
        at = partial(Finding, "score", f"{where}, table {place[1]}")
        if kept is None:
            if (played.number, place) not in undone:
                yield at("the lists have no scores")
            continue
        for player, score in scores.items():
            if kept[player] != score:
                told = f"{player} has {_told(kept[player])}, and the list gives {_told(score)}"
                yield at(told)


def _told(score: Score) -> str:
    entered = " as entered" if score.entered else ""
    return f"{score.points} points of words of {list(score.lengths)} letters{entered}"


def _of_results(plan: Plan, state: State, given: object) -> Iterator[Finding]:
    made = results_document(plan, state)
    if not isinstance(given, dict):
        yield Finding("results", "document", "there are none")
        return
    for part in sorted({*made, *given}):
        if part not in made or _text(given.get(part)) != canonical(made[part]):
            yield Finding("results", part, "they do not follow from the log")


def _text(value: object) -> str:
    try:
        return canonical(value)
    except ValueError:
        return ""


def _counted(findings: Sequence[Finding], entries: Sequence[Entry], state: State) -> Proof:
    scores = [
        (place in played.lists and not score.entered)
        for played in state.rounds
        for place, table in played.scores.items()
        for score in table.values()
    ]
    boards = [shown for played in state.rounds for shown in played.boards.values()]
    committed = sum(shown.salt is not None for shown in boards)
    return Proof(
        tuple(findings),
        len(entries),
        sum(scores),
        len(scores) - sum(scores),
        committed,
        len(boards) - committed,
        photos=pictures_of(state),
    )


def pictures_of(state: State) -> frozenset[str]:
    """SHA-256 of all pictures that an event refers to."""
    return frozenset(_photos(state))


def _photos(state: State) -> Iterator[str]:
    for played in state.rounds:
        yield from (shown.photo for shown in played.boards.values() if shown.photo)
        photos: Mapping[Place, Mapping[str, str]] = played.photos
        for table in photos.values():
            yield from table.values()
