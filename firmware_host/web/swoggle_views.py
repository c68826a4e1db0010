"""What the pages see of a Swoggle match: pure functions from the match to documents.

All of it lies open on the table; nothing is hidden from anybody who sits at it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pydantic import BaseModel, Field

from firmware_host.swoggle import WORTH_IN_FOURS, SwoggleMatch, rules_of
from firmware_host.swoggle_tables import Seen
from firmware_host.web.views import example
from scoring.swoggle.board import Layout
from scoring.swoggle.game import Swoggle
from scoring.swoggle.plan import Variant
from scoring.swoggle.rules import Letters, ScoredWord
from scoring.swoggle.state import Ending, Entry, Outcome, State
from scoring.swoggle.turn import capital

Place = tuple[int, int]
"""Row and column from 0."""

LATEST = 12
"""Lines of the score sheet that the view of a match has."""


class SquareView(BaseModel):
    """What a word takes of a square: its value, and what was thrown for a bonus square."""

    place: Place
    letter: str
    kind: str
    throws: list[int]
    points: int


class WordView(BaseModel):
    """A new word of a turn, and what it scores."""

    word: str
    points: int
    squares: list[SquareView]


class EntryView(BaseModel):
    """A line of the score sheet."""

    player: str
    outcome: Outcome
    die: int | None
    points: int
    words: list[WordView]


class SeatView(BaseModel):
    """A player: points, turns that are lost and still to come, and whether they are out."""

    name: str
    points: int
    skips: int
    out: bool
    on_phone: bool


class VerdictView(BaseModel):
    """What came of the challenge that was the last thing to happen."""

    word: str
    by: str
    holds: bool


class OverView(BaseModel):
    """How a match ended."""

    ending: Ending
    winners: list[str]


class SwoggleView(BaseModel):
    """A match as everybody at the table sees it."""

    model_config = example(
        match="monday",
        at=1796050000.25,
        seq=2,
        variant="ordinary",
        lexicon="enable",
        alphabet="abcdefghijklmnopqrstuvwxyz",
        checked=True,
        target=300,
        match_left_s=None,
        turn_seconds=None,
        turn_left_s=None,
        worth=0,
        squares=[["4", "1", "o"], ["1", "1+", "#"]],
        letters=[["", "", ""], ["A", "T", ""]],
        fresh=[[1, 0], [1, 1]],
        players=[{"name": "ann", "points": 2, "skips": 0, "out": False, "on_phone": False}],
        mover="ann",
        may_start=False,
        turns=1,
        die=3,
        count=3,
        last_chance=False,
        challengeable=["at"],
        challenged="bob",
        thrown=[],
        best_before=None,
        verdict=None,
        undoes="roll",
        sheet=[
            {
                "player": "bob",
                "outcome": "scored",
                "die": 2,
                "points": 2,
                "words": [
                    {
                        "word": "AT",
                        "points": 2,
                        "squares": [
                            {
                                "place": [1, 0],
                                "letter": "A",
                                "kind": "plain",
                                "throws": [],
                                "points": 1,
                            }
                        ],
                    }
                ],
            }
        ],
        over=None,
    )

    match: str
    at: float
    seq: int = Field(description="entries of its log: what is done next must name it")
    variant: Variant
    lexicon: str
    alphabet: str = Field(description="the letters that words of the list have")
    checked: bool = Field(description="a word that is not in the list is refused at once")
    target: int | None
    match_left_s: float | None
    turn_seconds: float | None
    turn_left_s: float | None
    worth: int = Field(description="points for each throw of a bonus square; 0 where it is thrown")
    squares: list[list[str]] = Field(
        description="what is printed: a number, # black, o orange, y yellow, r red, + of the cross"
    )
    letters: list[list[str]] = Field(description="what is written, capitals; empty squares besides")
    fresh: list[Place] = Field(description="squares of the words that can be challenged")
    players: list[SeatView]
    mover: str | None
    may_start: bool = Field(description="the players may throw for who begins")
    turns: int = Field(description="lines of the whole score sheet: turns that are over")
    die: int | None
    count: int | None = Field(description="letters to be written; null before the die is thrown")
    last_chance: bool
    challengeable: list[str] = Field(description="new words that nobody has proved")
    challenged: str | None = Field(description="who wrote them")
    thrown: list[list[int]] = Field(
        description="throws for who begins, until the first turn is over: one a player, then one "
        "of those who tie"
    )
    best_before: int | None = Field(
        description="the best score of all other matches of Solo; null in other variants"
    )
    verdict: VerdictView | None
    undoes: str | None = Field(description="type of the event that would be taken back")
    sheet: list[EntryView] = Field(description="the latest lines, the last one first")
    over: OverView | None


class SheetView(BaseModel):
    """The whole score sheet, in order."""

    model_config = example(match="monday", sheet=[])

    match: str
    sheet: list[EntryView]


class ListedView(BaseModel):
    """A match in the list."""

    match: str
    variant: Variant
    over: bool
    players: list[str]
    points: list[int]


class ListView(BaseModel):
    """The matches that were played last, the latest first."""

    model_config = example(
        matches=[
            {
                "match": "monday",
                "variant": "ordinary",
                "over": False,
                "players": ["ann", "bob"],
                "points": [17, 32],
            }
        ]
    )

    matches: list[ListedView]


def swoggle_view(seen: Seen, on_phones: Collection[str], best_before: int | None) -> SwoggleView:
    """A match at a moment.

    Args:
        seen: the match.
        on_phones: who plays on a phone of their own.
        best_before: the best score of all other matches of Solo; None where there is none, and in
            other variants.
    """
    match, at = seen.match, seen.at
    rules, state = rules_of(match), match.state
    last = state.last
    return SwoggleView(
        match=seen.name,
        at=at,
        seq=seen.seq,
        variant=rules.plan.variant,
        lexicon=rules.lexicon.name,
        alphabet="".join(sorted(rules.lexicon.trie.alphabet)),
        checked=rules.plan.checked,
        target=rules.plan.target,
        match_left_s=rules.plan.time_left(at),
        turn_seconds=rules.plan.turn_seconds,
        turn_left_s=_turn_left(rules, state, at),
        worth=WORTH_IN_FOURS if rules.plan.variant is Variant.FOURS else 0,
        squares=[list(map(str, row)) for row in rules.layout.squares],
        letters=_letters(rules.layout, state.letters),
        fresh=sorted({cell for word in last.entry.words for cell in word.word.cells})
        if last
        else [],
        players=[
            SeatView(
                name=seat.name,
                points=seat.points,
                skips=seat.skips,
                out=seat.out,
                on_phone=seat.name in on_phones,
            )
            for seat in state.seats
        ],
        mover=None if state.end else state.mover.name,
        may_start=_may_start(rules, state),
        turns=len(state.sheet),
        die=state.die,
        count=None if state.end else rules.letters_to_write(state),
        last_chance=state.last_chance,
        challengeable=[word for word in last.words if word not in last.proven] if last else [],
        challenged=last.entry.player if last else None,
        thrown=_thrown(match),
        best_before=best_before,
        verdict=_verdict(match),
        undoes=str(match.events[-1]["type"]) if match.events else None,
        sheet=[entry_view(entry) for entry in reversed(state.sheet[-LATEST:])],
        over=OverView(ending=state.end.ending, winners=list(state.end.winners))
        if state.end
        else None,
    )


def sheet_view(seen: Seen) -> SheetView:
    """The whole score sheet."""
    return SheetView(match=seen.name, sheet=list(map(entry_view, seen.match.state.sheet)))


def list_view(seen: Iterable[Seen]) -> ListView:
    """The list of matches."""
    return ListView(
        matches=[
            ListedView(
                match=each.name,
                variant=rules_of(each.match).plan.variant,
                over=each.match.state.end is not None,
                players=list(each.match.state.points),
                points=list(each.match.state.points.values()),
            )
            for each in seen
        ]
    )


def entry_view(entry: Entry) -> EntryView:
    """A line of the score sheet."""
    return EntryView(
        player=entry.player,
        outcome=entry.outcome,
        die=entry.die,
        points=entry.points,
        words=list(map(_word_view, entry.words)),
    )


def _word_view(scored: ScoredWord) -> WordView:
    return WordView(
        word="".join(map(capital, scored.word.text)),
        points=scored.points,
        squares=[
            SquareView(
                place=square.cell,
                letter=capital(square.letter),
                kind=square.kind.name.lower(),
                throws=list(square.throws),
                points=square.points,
            )
            for square in scored.squares
        ],
    )


def _letters(layout: Layout, letters: Letters) -> list[list[str]]:
    return [
        [capital(letters.get((row, col), "")) for col in range(layout.cols)]
        for row in range(layout.rows)
    ]


def _may_start(rules: Swoggle, state: State) -> bool:
    throws = rules.plan.variant in (Variant.ORDINARY, Variant.MARATHON)
    return throws and not state.sheet and state.die is None and state.end is None


def _turn_left(rules: Swoggle, state: State, at: float) -> float | None:
    limit = rules.plan.turn_seconds
    runs = state.end is None and rules.letters_to_write(state) is not None
    if limit is None or state.began is None or not runs:
        return None
    return max(0.0, state.began + limit - at)


def _thrown(match: SwoggleMatch) -> list[list[int]]:
    starts = [event["throws"] for event in match.events if event["type"] == "start"]
    return starts[-1] if starts and not match.state.sheet else []


def _verdict(match: SwoggleMatch) -> VerdictView | None:
    if not match.events or match.events[-1]["type"] != "challenge":
        return None
    event, (*_, before, after) = match.events[-1], match.states
    holds = len(after.letters) == len(before.letters)
    return VerdictView(word=str(event["word"]), by=str(event["by"]), holds=holds)
