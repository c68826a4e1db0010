"""The steps of a round: a table of phases and events, and a short function for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from firmware_host.rounds.effects import (
    AwaitRest,
    Clear,
    Effect,
    Light,
    Nudge,
    Play,
    ReadTray,
    Sand,
    Score,
    Shake,
    Show,
    Stop,
    Wait,
)
from firmware_host.rounds.events import (
    Agreed,
    Announced,
    BackAsked,
    BoardPrescribed,
    ButtonPressed,
    Cancelled,
    CellConfirmed,
    CellCorrected,
    ChallengeBegun,
    ChallengeDropped,
    ChallengeJudged,
    DecisionUndone,
    DeviceFailed,
    Event,
    ExtraTime,
    LastChance,
    LexiconChosen,
    LidOpened,
    ListHandedIn,
    ListScanned,
    ListsClosed,
    ListsReopened,
    PauseAsked,
    PlayerJoined,
    PlayerLeft,
    RerollAsked,
    Rescored,
    Restarted,
    ResumeAsked,
    ScanSettled,
    Scored,
    Settled,
    ShakeDone,
    StillMoving,
    TableAssigned,
    Tick,
    TrayNotRead,
    TrayRead,
    TurnDone,
    Waited,
    WordDecided,
    WordErased,
    WordRuled,
    WordWritten,
)
from firmware_host.rounds.lists import (
    Calls,
    Decision,
    Line,
    typed_entries,
    with_scans,
    with_word,
    without_word,
)
from firmware_host.rounds.state import ENDED, Phase, Plan, RoundState, Timing
from scoring.board import Board, BoardError, Cell, Face
from scoring.players import alike
from scoring.referee import RoundResult
from scoring.tournament.commitment import BoardPlace, commitment
from scoring.tournament.state import ROOM
from scoring.wordlist import Entry

MOST_SHAKES = 3
"""Shakes before a person is asked: a cube that is still cocked then wants a hand."""

MOST_HANDS = 3
"""Times that a person is asked to lay the cubes flat: then it is not the cubes."""

MOST_LIDS = 5
"""Times that the lid is open where the motor should run: then it is its switch."""

MOST_PHOTOS = 2
"""Photos of one shake before it counts as unreadable."""

MOST_RETRIES = 5
"""Times in a row that a device is tried again which may work again by itself."""

FIRST_RETRY_S, LONGEST_RETRY_S = 2.0, 20.0
"""Seconds before the first and before the last of them; in between they double."""

MOST_EXTRA_S = 120.0
"""Seconds in all that are granted for disturbances of a round."""

TYPED_S, PAPER_S = 30.0, 300.0
"""Seconds after the sand is through for which lists of those who joined are awaited.

A list that is typed is on its way by then, or its phone went away; paper is to be photographed."""

WARNINGS = ((30.0, "half_minute"), (10.0, "ten_seconds"))
"""Seconds left at which a tune is played."""

Step = tuple[RoundState, tuple[Effect, ...]]


def step(state: RoundState, event: Event) -> Step:
    """The state after ``event``, and what must be done now."""
    handler = handled(state.phase, type(event))
    if handler is None:
        return state, ()
    if isinstance(event, _ANSWERS):
        state = replace(state, failures=0, retry_at=None)
    step: Step = handler(state, event)
    return step


def handled(phase: Phase, kind: type[Event]) -> Callable[[RoundState, Any], Step] | None:
    """What takes this kind of event in this phase; None where it changes nothing."""
    return _TABLE.get((phase, kind)) or _ANYWHERE.get(kind)


def retry_delay(failures: int) -> float:
    """Seconds before a device is tried again that has failed so often before."""
    return min(FIRST_RETRY_S * 2.0**failures, LONGEST_RETRY_S)


def _enter(state: RoundState, phase: Phase, *first: Effect) -> Step:
    """Go on to a phase; ``first`` is done before what that phase begins with."""
    entered = replace(state, phase=phase)
    return entered, (*first, *_beginning(entered))


def _beginning(state: RoundState) -> tuple[Effect, ...]:
    """What a phase begins with; also what is done again after a pause of any kind."""
    match state.phase:
        case Phase.SHAKING | Phase.SETTLING | Phase.READING:
            return _moving(state)
        case Phase.RUNNING | Phase.PAUSED:
            # Of running sand only `_run` knows the time.
            return _time_shown(state, 0.0) if state.phase is Phase.PAUSED else ()
        case Phase.READY:
            return Sand(1.0), Show(_start_lines(state))
        case Phase.SCORING if state.board is not None:
            return Sand(None), *_scoring(state)
        case Phase.FAULTED:
            what = state.fault[0] if state.fault else ""
            return Stop(what), Show(("Fault", what))
    return (Show(waiting_lines(state)),)


def _moving(state: RoundState) -> tuple[Effect, ...]:
    acts: dict[Phase, Effect] = {Phase.SETTLING: AwaitRest(), Phase.READING: ReadTray()}
    act = acts.get(state.phase, Shake(state.plan.shake_s))
    return Show((str(state.phase).capitalize(),)), Light(on=True), act


def waiting_lines(state: RoundState) -> tuple[str, ...]:
    """What the display says where the round waits for somebody, or is over."""
    if state.question is not None:
        return state.question.lines
    if state.phase is Phase.FINISHED and state.result is not None:
        return _result_lines(state.plan, state.result)
    return _LINES.get(state.phase, ("Press to shake",))


def _result_lines(plan: Plan, result: RoundResult) -> tuple[str, ...]:
    """Who has won; where nobody hands a list in, what there was to find."""
    if plan.players and not plan.on_paper:
        return "Winner", " and ".join(result.winners) or "nobody"
    return f"{result.possible.count} words,", f"{result.possible.points} points"


_LINES: Mapping[Phase, tuple[str, ...]] = MappingProxyType(
    {
        Phase.LID_OPEN: ("Close the lid", "and press"),
        Phase.BY_HAND: ("Lay the cubes flat,", "close the lid, press"),
        Phase.COLLECTING: ("Time is up",),
        Phase.CANCELLED: ("Given up", "Press to shake"),
    }
)


def _start_lines(state: RoundState) -> tuple[str, ...]:
    ready = f"Ready: {state.to_play}" if state.to_play else "Ready"
    return ready, "Press to start", *(("Camera has moved",) if state.displaced else ())


def _time_shown(state: RoundState, at: float) -> tuple[Effect, ...]:
    """The sand and the clock at a time, standing or running."""
    left = state.left(at)
    if left is None:
        return Sand(1.0), Show(("No timer: write", "Hold: last chance"))
    return Sand(min(1.0, left / state.plan.timer_s)), Show(tuple(_clock_lines(state, left)))


def _clock_lines(state: RoundState, left: float) -> Iterator[str]:
    if state.phase is Phase.PAUSED:
        yield "Paused"
    if state.to_play is not None:
        yield state.to_play
    yield _clock_face(left)
    if state.offered == "done":
        yield "Hold: done"


def _clock_face(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"


# ---- from the shake to the board -------------------------------------------------------------


def _fresh(state: RoundState) -> RoundState:
    """Begun anew; a round that follows one that ended counts only for what is coming."""
    kept = None if state.phase in ENDED else state.assigned
    return RoundState(
        state.plan,
        seats=state.seats,
        restarts=state.restarts,
        lexicon=state.next_lexicon,
        next_lexicon=state.next_lexicon,
        assigned=state.coming or kept,
        announced=state.announced,
        announced_until=state.announced_until,
    )


def _press_to_shake(state: RoundState, _event: ButtonPressed | RerollAsked) -> Step:
    return _shake(_fresh(state), Clear())


def _shake(state: RoundState, *first: Effect) -> Step:
    fresh = replace(_fresh(state), shakes=state.shakes + 1, lids=state.lids)
    return _enter(fresh, Phase.SHAKING, *first)


def _shaken(state: RoundState, _event: ShakeDone) -> Step:
    return _enter(state, Phase.SETTLING)


def _lid_opened(state: RoundState, _event: LidOpened) -> Step:
    state = replace(state, lids=state.lids + 1)
    if state.lids >= MOST_LIDS:
        message = f"the lid was open {state.lids} times where the tray was to be shaken"
        return _fault(state, message, "Leave it closed; else look at its switch and the wire.")
    return _enter(state, Phase.LID_OPEN, Stop("the lid was opened"), Play("ask"))


def _lid_closed(state: RoundState, _event: ButtonPressed) -> Step:
    """The same shake again: an open lid is no fault of the cubes."""
    return _shake(replace(state, shakes=state.shakes - 1), Clear())


def _settled(state: RoundState, _event: Settled) -> Step:
    return _photograph(state)


def _restless(state: RoundState, _event: StillMoving) -> Step:
    return _unsettle(state)


def _unsettle(state: RoundState) -> Step:
    """Cubes that do not lie flat and still: a nudge, then another shake, then a person."""
    if state.hands:
        return _ask_for_hands(state)
    if not state.nudged:
        nudged = replace(state, nudged=True, photos=0, phase=Phase.SETTLING)
        return nudged, (Nudge(), AwaitRest())
    return _shake(state) if state.shakes < MOST_SHAKES else _ask_for_hands(state)


def _ask_for_hands(state: RoundState) -> Step:
    if state.hands >= MOST_HANDS:
        message = f"the cubes do not come to rest, laid by hand {state.hands} times"
        return _fault(state, message, "Look whether the lamp is lit and nothing moves in view.")
    asking = replace(state, hands=state.hands + 1, photos=0)
    return _enter(asking, Phase.BY_HAND, Light(on=False), Play("ask"))


def _laid_by_hand(state: RoundState, _event: ButtonPressed) -> Step:
    return _enter(state, Phase.SETTLING)


def _photograph(state: RoundState) -> Step:
    return _enter(replace(state, photos=state.photos + 1), Phase.READING)


def _read(state: RoundState, event: TrayRead) -> Step:
    if event.cocked and not state.hands:
        return _unsettle(state)
    # A person has laid the cubes: what still seems cocked is asked, not moved.
    state = replace(
        state,
        reading=event.reading,
        photo=event.photo,
        cocked=event.cocked,
        displaced=event.displaced,
    )
    if state.unconfirmed:
        return _enter(state, Phase.CONFIRMING, Light(on=False), Play("ask"))
    return _enter(replace(state, board=event.reading.board), Phase.READY, Light(on=False))


def _not_read(state: RoundState, event: TrayNotRead) -> Step:
    if state.photos < MOST_PHOTOS:
        return _photograph(state)
    if not state.hands and state.shakes < MOST_SHAKES:
        return _shake(state)
    return _fault(state, f"{event.message}, {state.shakes} shakes long", event.advice)


def _passed_over(state: RoundState, _event: ButtonPressed) -> Step:
    return _enter(replace(state, passed=state.passed + 1), Phase.CONFIRMING)


def _gone_back(state: RoundState, _event: BackAsked) -> Step:
    return _enter(replace(state, passed=state.passed - 1), Phase.CONFIRMING)


def _confirmed(state: RoundState, event: CellConfirmed) -> Step:
    reading = state.reading
    if reading is None or event.cell not in state.unconfirmed or not _is_face(event.face):
        return state, ()
    settled = MappingProxyType({**state.confirmed, event.cell: event.face})
    state = _decided(replace(state, confirmed=settled, passed=0), event)
    if state.unconfirmed:
        return _enter(state, Phase.CONFIRMING)
    board = _with_confirmed(reading.board, settled)
    return _enter(replace(state, board=board), Phase.READY)


def _is_face(text: str) -> bool:
    try:
        Board(((text,),))
    except BoardError:
        return False
    return True


def _with_confirmed(board: Board, confirmed: Mapping[Cell, Face]) -> Board:
    return Board.from_faces(
        [confirmed.get((row, col), face) for col, face in enumerate(faces)]
        for row, faces in enumerate(board.faces)
    )


# ---- while time runs -------------------------------------------------------------------------


def _start(state: RoundState, event: ButtonPressed) -> Step:
    if state.plan.timing is Timing.LAST_CHANCE:
        return _run(state, event.at, Play("start"))
    return _turn_sand(state, event.at)


def _turn_sand(state: RoundState, at: float) -> Step:
    timer = state.plan.timer_s
    # A warning that the timer starts below, or at, is none.
    running = replace(state, ends_at=at + timer, warned=_warned(timer))
    return _run(running, at, Play("start"))


def _run(state: RoundState, at: float, *then: Effect) -> Step:
    running = replace(state, phase=Phase.RUNNING)
    return running, (*_time_shown(running, at), *then)


def _warned(left: float) -> int:
    return sum(mark >= left for mark, _ in WARNINGS)


def _tick(state: RoundState, event: Tick) -> Step:
    left = state.left(event.at)
    if left is None:
        return state, ()
    if left == 0:
        return _time_up(state, state.ends_at)
    warned = max(state.warned, _warned(left))
    tunes = [Play(tune) for _, tune in WARNINGS[state.warned : warned]]
    after = _tried_again(replace(state, warned=warned), event.at)
    if after.retry_at is not None:
        return after, ()
    return after, (*_time_shown(after, event.at), *tunes)


def _tried_again(state: RoundState, at: float) -> RoundState:
    """Whether a device that failed while the sand runs is tried again; it does not stop the sand.

    The failures are over when a tick has passed since the last trial, without another.
    """
    if state.retry_at is None:
        return replace(state, failures=0)
    return replace(state, retry_at=None) if at >= state.retry_at else state


def _time_up(state: RoundState, at: float | None) -> Step:
    over = replace(state, ends_at=None, rest_s=None, warned=0, failures=0, retry_at=None)
    if state.plan.timing is Timing.TURNS:
        # What this turn was granted is none of the next one's.
        kept = tuple(one for one in state.rulings if not isinstance(one, ExtraTime))
        over = replace(over, turn=state.turn + 1, rulings=kept)
        if over.to_play is not None:
            return _enter(over, Phase.READY, Sand(0.0), Play("end"))
    over = replace(over, over_at=at, closes_at=None if at is None else at + TYPED_S)
    collecting, effects = _enter(over, Phase.COLLECTING, Sand(0.0), Play("end"))
    scoring, more = _complete(collecting)
    return scoring, (*effects, *more)


def _turn_done(state: RoundState, event: TurnDone) -> Step:
    return _time_up(state, event.at) if state.to_play is not None else (state, ())


def _last_chance(state: RoundState, event: LastChance) -> Step:
    if not state.unhurried or event.player not in ("", *state.players):
        return state, ()
    return _turn_sand(state, event.at)


def _agreed(state: RoundState, event: Agreed) -> Step:
    everybody = frozenset(state.players)
    if state.plan.timing is not Timing.LAST_CHANCE or event.player not in ("", *everybody):
        return state, ()
    state = replace(state, agreed=state.agreed | ({event.player} if event.player else everybody))
    return (state, ()) if everybody - state.agreed else _time_up(state, event.at)


def _pause(state: RoundState, event: PauseAsked) -> Step:
    left = state.left(event.at)
    if left == 0:
        return _time_up(state, state.ends_at)
    return _enter(replace(state, ends_at=None, rest_s=left), Phase.PAUSED)


def _resume(state: RoundState, event: ResumeAsked | ButtonPressed) -> Step:
    if state.rest_s is None:
        return _run(state, event.at)
    return _run(replace(state, ends_at=event.at + state.rest_s, rest_s=None), event.at)


def _extra_time(state: RoundState, event: ExtraTime) -> Step:
    left = state.left(event.at)
    if left == 0 and state.phase is Phase.RUNNING:
        return _time_up(state, state.ends_at)
    granted = min(event.seconds, MOST_EXTRA_S - state.extra_s)
    if left is None or not granted > 0:  # no number is not either
        return state, ()
    longer = replace(state, extra_s=state.extra_s + granted, warned=_warned(left + granted))
    longer = _decided(longer, replace(event, seconds=granted))
    if state.ends_at is None:
        return _enter(replace(longer, rest_s=left + granted), state.phase)
    return replace(longer, ends_at=state.ends_at + granted), ()


# ---- lists and result ------------------------------------------------------------------------


def _joined(state: RoundState, event: PlayerJoined) -> Step:
    if PlayerJoined(event.player) in state.seats:  # of the station; nobody has come to it yet
        claimed = (event if seat.player == event.player else seat for seat in state.seats)
        return replace(state, seats=tuple(claimed)), ()
    taken = set(map(alike, state.joined))
    if alike(event.player) in taken:
        return state, ()
    return replace(_forgetting(state, event.player), seats=(*state.seats, event)), ()


def _forgetting(state: RoundState, player: str) -> RoundState:
    """Without the list of whoever sat there before: it is neither to be seen nor to be counted."""
    if state.result is not None:
        return state
    lines = {name: kept for name, kept in state.lines.items() if name != player}
    lists = {name: kept for name, kept in state.lists.items() if name != player}
    return replace(state, lines=MappingProxyType(lines), lists=MappingProxyType(lists))


def _left(state: RoundState, event: PlayerLeft) -> Step:
    seats = tuple(seat for seat in state.seats if seat.player != event.player)
    if seats == state.seats:
        return state, ()
    return _complete(replace(state, seats=seats))


def _written(state: RoundState, event: WordWritten) -> Step:
    if state.phase is Phase.RUNNING and state.left(event.at) == 0:
        over, effects = _time_up(state, state.ends_at)
        if not event.id or over.phase is not Phase.COLLECTING:
            return over, effects  # too late to count
        return _written(over, event)[0], effects
    writers = state.awaited if state.to_play is None else (state.to_play,)
    late = state.phase is Phase.COLLECTING and bool(event.id)
    if event.player not in writers or (late and not _in_time(state, event)):
        return state, ()
    lines = with_word(state.lines.get(event.player, ()), event, late=late)
    return _with_lines(state, event.player, lines), ()


def _written_in_fault(state: RoundState, event: WordWritten) -> Step:
    """As in what the fault broke into: what somebody has written is not its fault."""
    before = Phase.PAUSED if state.before is Phase.RUNNING else state.before
    if handled(before, WordWritten) is None:
        return state, ()
    written, _ = _written(replace(state, phase=before), event)
    return replace(written, phase=Phase.FAULTED), ()


def _in_time(state: RoundState, event: WordWritten) -> bool:
    """Whether a word that came late was written before the writing was over."""
    if event.written_at is None:
        return False
    return state.over_at is None or event.written_at <= state.over_at


def _erased(state: RoundState, event: WordErased) -> Step:
    if event.player not in state.awaited or not event.id:
        return state, ()
    lines = without_word(state.lines.get(event.player, ()), event.id)
    return _with_lines(state, event.player, lines), ()


def _with_lines(state: RoundState, player: str, lines: tuple[Line, ...]) -> RoundState:
    if lines == state.lines.get(player, ()):
        return state
    return replace(state, lines=MappingProxyType({**state.lines, player: lines}))


def _handed_in(state: RoundState, event: ListHandedIn) -> Step:
    if event.player not in state.awaited:
        return state, ()
    return _complete(_with_lists(state, {event.player: event.entries}))


def _closed(state: RoundState, event: ListsClosed) -> Step:
    closing = tuple(name for name in state.awaited if not event.players or name in event.players)
    written = {name: typed_entries(state.lines.get(name, ())) for name in closing}
    if not written:
        return state, ()
    # By nobody it was the time, or a player handed in: that is no decision.
    decided = (
        state
        if event.by in ("", *event.players)
        else _decided(state, replace(event, players=closing))
    )
    return _complete(_with_lists(decided, written))


def _with_lists(state: RoundState, lists: Mapping[str, tuple[Entry, ...]]) -> RoundState:
    return replace(state, lists=MappingProxyType({**state.lists, **lists}))


def _complete(state: RoundState) -> Step:
    """On to the referee, where lists are collected and none is awaited any longer."""
    if state.phase is not Phase.COLLECTING or state.awaited:
        return state, ()
    return _enter(state, Phase.SCORING)


def _no_longer_awaited(state: RoundState, event: Tick) -> Step:
    """A phone that went away must not keep the table from its result."""
    if not state.seats:
        return state, ()
    if state.closes_at is None:
        return replace(state, closes_at=event.at + TYPED_S), ()
    on_paper = {seat.player for seat in state.seats if seat.on_paper}
    longer = PAPER_S - TYPED_S if on_paper.intersection(state.awaited) else 0.0
    return _closed(state, ListsClosed()) if event.at >= state.closes_at + longer else (state, ())


def _scanned(state: RoundState, event: ListScanned) -> Step:
    return _reconsidered(replace(state, scans=(*state.scans, event)))


def _scan_settled(state: RoundState, event: ScanSettled) -> Step:
    if not state.scanned.has(event.scan, event.word) or not (event.text or event.struck):
        return state, ()
    return _reconsidered(_decided(state, event))


def _word_ruled(state: RoundState, event: WordRuled) -> Step:
    return _reconsidered(_decided(state, event))


def _corrected(state: RoundState, event: CellCorrected) -> Step:
    """Another board, read from the same photo; a prescribed one was read from none."""
    row, col = event.cell
    board = state.board
    if board is None or state.prescribed or event.cell not in board.cells:
        return state, ()
    if board.faces[row][col] != event.was or event.face == event.was or not _is_face(event.face):
        return state, ()
    return _reconsidered(_decided(_with_face(state, event.cell, event.face), event))


def _with_face(state: RoundState, cell: Cell, face: Face) -> RoundState:
    return replace(state, board=state.board and _with_confirmed(state.board, {cell: face}))


def _decided(state: RoundState, decision: Decision) -> RoundState:
    return replace(state, rulings=(*state.rulings, decision))


def _reconsidered(state: RoundState) -> Step:
    """To the referee once more, where the result is known already."""
    return state, _scoring(state) if state.phase is Phase.FINISHED else ()


def _scoring(state: RoundState) -> tuple[Effect, ...]:
    if state.board is None:
        return ()
    lists = with_scans(state.lists, state.scanned)
    calls = Calls.of(state.rulings)
    return (Score(state.board, lists, state.plan.game, calls, state.lexicon),)


def _scored(state: RoundState, event: Scored) -> Step:
    return _enter(replace(state, result=event.result), Phase.FINISHED)


def _word_decided(state: RoundState, event: WordDecided) -> Step:
    return replace(state, decisions=(*state.decisions, event)), ()


def _rescored(state: RoundState, event: Rescored) -> Step:
    """The first result is kept beside the new one."""
    first = state.result if state.first_result is None else state.first_result
    lists = MappingProxyType({**state.lists, **event.lists})
    return replace(state, result=event.result, first_result=first, lists=lists), ()


# ---- challenges, word lists, decisions taken back --------------------------------------------


def _challenge_begun(state: RoundState, event: ChallengeBegun) -> Step:
    return replace(state, challenge=state.challenge or event), ()


def _challenge_dropped(state: RoundState, _event: ChallengeDropped) -> Step:
    return replace(state, challenge=None), ()


def _challenge_judged(state: RoundState, event: ChallengeJudged) -> Step:
    return _decided(replace(state, challenge=None), event), ()


def _lexicon_chosen(state: RoundState, event: LexiconChosen) -> Step:
    """A result that is known stays as it is, unless it is to be scored anew."""
    chosen = replace(state, next_lexicon=event.name)
    if state.phase is Phase.FINISHED and not event.rescore:
        return chosen, ()
    return _reconsidered(replace(chosen, lexicon=event.name))


def taking_back(state: RoundState, by: str, at: float) -> DecisionUndone | ListsReopened | None:
    """The event that takes the last decision back; None where that cannot be, as things stand."""
    if not state.rulings:
        return None
    number = len(state.rulings) - 1
    kind = ListsReopened if isinstance(state.rulings[-1], ListsClosed) else DecisionUndone
    event = kind(by, at, number)
    return event if step(state, event)[0] != state else None


def _undone(state: RoundState, event: DecisionUndone | ListsReopened) -> Step:
    place = _undone_place(state.rulings, event.number)
    if place is None or isinstance(state.rulings[place], ListsClosed) != isinstance(
        event, ListsReopened
    ):
        return state, ()
    without = replace(state, rulings=(*state.rulings[:place], *state.rulings[place + 1 :]))
    undo: Callable[[RoundState, Any, float], Step | None]
    undo = _UNDOERS[type(state.rulings[place])]
    return undo(without, state.rulings[place], event.at) or (state, ())


def _undone_place(decisions: tuple[Decision, ...], number: int | None) -> int | None:
    """Which decision is meant, if it is the last one; see `DecisionUndone.number`."""
    if number is not None:
        return number if 0 <= number == len(decisions) - 1 else None
    of_words = [
        place for place, one in enumerate(decisions) if isinstance(one, WordRuled | ScanSettled)
    ]
    return of_words[-1] if of_words else None


def _undo_words(state: RoundState, _decision: WordRuled | ScanSettled, _at: float) -> Step | None:
    return _reconsidered(state) if state.phase in _WITH_LISTS else None


def _undo_challenge(state: RoundState, _decision: ChallengeJudged, _at: float) -> Step:
    return state, ()


def _undo_cell(state: RoundState, decision: CellConfirmed, _at: float) -> Step | None:
    """Ask again; once the sand has run the board is what was played on."""
    if state.phase not in {Phase.CONFIRMING, Phase.READY} or state.turn:
        return None
    settled = {cell: face for cell, face in state.confirmed.items() if cell != decision.cell}
    asking = replace(state, confirmed=MappingProxyType(settled), board=None, passed=0)
    return _enter(asking, Phase.CONFIRMING)


def _undo_correction(state: RoundState, decision: CellCorrected, _at: float) -> Step:
    return _reconsidered(_with_face(state, decision.cell, decision.was))


def _undo_extra(state: RoundState, decision: ExtraTime, at: float) -> Step | None:
    """What of it has run through is gone."""
    left = state.left(at)
    if state.phase not in _TIMED or left is None or left <= decision.seconds:
        return None
    left -= decision.seconds
    extra_s = max(0.0, state.extra_s - decision.seconds)
    shorter = replace(state, extra_s=extra_s, warned=_warned(left))
    if state.ends_at is None:
        return _enter(replace(shorter, rest_s=left), state.phase)
    return replace(shorter, ends_at=state.ends_at - decision.seconds), ()


def _undo_closing(state: RoundState, decision: ListsClosed, at: float) -> Step | None:
    """Await those lists again, for as long as at the end of the time."""
    if state.phase not in _WITH_LISTS or state.first_result is not None:
        return None
    lists = {name: kept for name, kept in state.lists.items() if name not in decision.players}
    open_ = replace(state, lists=MappingProxyType(lists), result=None, closes_at=at + TYPED_S)
    return _enter(open_, Phase.COLLECTING) if open_.awaited else None


_WITH_LISTS = frozenset({Phase.COLLECTING, Phase.FINISHED})
_TIMED = frozenset({Phase.RUNNING, Phase.PAUSED})

_UNDOERS: Mapping[type[Decision], Callable[[RoundState, Any, float], Step | None]]
_UNDOERS = MappingProxyType(
    {
        WordRuled: _undo_words,
        ScanSettled: _undo_words,
        ChallengeJudged: _undo_challenge,
        CellConfirmed: _undo_cell,
        CellCorrected: _undo_correction,
        ExtraTime: _undo_extra,
        ListsClosed: _undo_closing,
    }
)
"""What takes back each kind of decision; None where that cannot be, where the round stands."""


# ---- what the station of a tournament says ---------------------------------------------------


def _assigned(state: RoundState, event: TableAssigned) -> Step:
    """These and no others are seated; whoever sat here before keeps the key and the paper."""
    before = {seat.player: seat for seat in state.seats}
    joined = [PlayerJoined(seat.player, seat.key) for seat in event.seats]
    seats = tuple(before.get(seat.player, seat) for seat in joined)
    return replace(state, coming=event, seats=seats), ()


def _prescribed(state: RoundState, event: BoardPrescribed) -> Step:
    """The board, hidden until the start, where it is the one that was promised."""
    fresh = _fresh(state)
    if fresh.assigned is None or not _is_promised(fresh.assigned, event):
        return state, ()
    return _enter(replace(fresh, board=Board.parse(event.board)), Phase.READY, Clear())


def _is_promised(to: TableAssigned, event: BoardPrescribed) -> bool:
    place = BoardPlace(to.event, to.round, to.board, ROOM)
    try:
        promise = commitment(place, event.board, event.salt)
    except BoardError:
        return False
    return to.promised in {"", promise}


def _announced(state: RoundState, event: Announced) -> Step:
    told = replace(state, announced=event.text, announced_until=event.until)
    quiet = state.phase is Phase.RUNNING or not event.text
    return told, () if quiet else (Show((event.text,)),)


# ---- what may happen anywhere ----------------------------------------------------------------


def _cancel(state: RoundState, _event: Cancelled) -> Step:
    given_up = replace(state, ends_at=None, rest_s=None, failures=0, retry_at=None, challenge=None)
    return _enter(given_up, Phase.CANCELLED, Stop("the round was given up"))


def _device_failed(state: RoundState, event: DeviceFailed) -> Step:
    """Try again by itself what may work by itself, at ever longer intervals; else stop."""
    if event.retry_after_s is None or state.failures >= MOST_RETRIES:
        return _fault(_standing(state, event.at), event.message, event.advice)
    delay = max(event.retry_after_s, retry_delay(state.failures))
    trouble = event.message, event.advice
    count = state.failures + 1
    state = replace(state, failures=count, trouble=trouble, retry_at=event.at + delay)
    # While the sand runs each tick tries again.
    return state, () if state.phase is Phase.RUNNING else (Wait(delay),)


def _waited(state: RoundState, _event: Waited) -> Step:
    if state.retry_at is None:
        return state, ()
    return replace(state, retry_at=None), _beginning(state)


def _standing(state: RoundState, at: float) -> RoundState:
    """With the sand stopped."""
    return replace(state, ends_at=None, rest_s=state.left(at))


def _fault(state: RoundState, message: str, advice: str) -> Step:
    faulted = replace(state, fault=(message, advice), before=state.phase, failures=0, retry_at=None)
    faulted, effects = _enter(faulted, Phase.FAULTED)
    return faulted, (*effects, Play("fault"))


def _still_faulted(state: RoundState, _event: DeviceFailed) -> Step:
    """The first fault stays; to stop again what cannot be stopped would never end."""
    return state, ()


def _cleared(state: RoundState, _event: ButtonPressed) -> Step:
    """The press clears a fault, and no more: nothing moves at once, no sand runs."""
    cleared = replace(state, fault=None, before=Phase.IDLE)
    before = Phase.PAUSED if state.before is Phase.RUNNING else state.before
    return _go_on(cleared, before, Clear())


def _restarted(state: RoundState, event: Restarted) -> Step:
    """What must not be repeated unasked, as the motor, is not; the sand has run on meanwhile."""
    counted = replace(state, restarts=state.restarts + 1, failures=0, retry_at=None)
    if state.phase is Phase.RUNNING:
        return _run(counted, event.at)
    if state.phase is Phase.COLLECTING:  # phones must find the way back first
        counted = replace(counted, closes_at=event.at + TYPED_S)
    return _go_on(counted, state.phase)


def _go_on(state: RoundState, phase: Phase, *first: Effect) -> Step:
    if phase in _ON_THE_MOVE:
        return _enter(_fresh(state), Phase.IDLE, *first, Light(on=False))
    return _enter(state, phase, *first)


_ON_THE_MOVE = frozenset({Phase.SHAKING, Phase.LID_OPEN, Phase.SETTLING, Phase.READING})
"""Phases in which cubes move or are about to: after an interruption all begin with a press."""

_BETWEEN = (Phase.IDLE, Phase.FINISHED, Phase.CANCELLED)
"""Phases in which another round may begin."""

_IN_PLAY = frozenset(Phase) - {Phase.IDLE, Phase.FINISHED, Phase.CANCELLED, Phase.FAULTED}

_DECIDING = (Phase.CONFIRMING, Phase.READY, Phase.RUNNING, Phase.PAUSED, *_WITH_LISTS)
"""Phases in which people decide."""

BETWEEN = ENDED | {Phase.IDLE}
"""Phases between two rounds."""

_ANSWERS = (ShakeDone, LidOpened, Settled, StillMoving, TrayRead, TrayNotRead, Scored)
"""Events that show that a device works."""

_TABLE: Mapping[tuple[Phase, type[Event]], Callable[[RoundState, Any], Step]] = MappingProxyType(
    {
        (Phase.IDLE, ButtonPressed): _press_to_shake,
        (Phase.SHAKING, ShakeDone): _shaken,
        (Phase.SHAKING, LidOpened): _lid_opened,
        (Phase.LID_OPEN, ButtonPressed): _lid_closed,
        (Phase.SETTLING, Settled): _settled,
        (Phase.SETTLING, StillMoving): _restless,
        (Phase.SETTLING, LidOpened): _lid_opened,
        (Phase.BY_HAND, ButtonPressed): _laid_by_hand,
        (Phase.BY_HAND, RerollAsked): _press_to_shake,
        (Phase.READING, TrayRead): _read,
        (Phase.READING, TrayNotRead): _not_read,
        (Phase.CONFIRMING, ButtonPressed): _passed_over,
        (Phase.CONFIRMING, BackAsked): _gone_back,
        (Phase.CONFIRMING, CellConfirmed): _confirmed,
        (Phase.CONFIRMING, RerollAsked): _press_to_shake,
        (Phase.READY, ButtonPressed): _start,
        (Phase.READY, RerollAsked): _press_to_shake,
        (Phase.RUNNING, Tick): _tick,
        (Phase.RUNNING, WordWritten): _written,
        (Phase.RUNNING, WordErased): _erased,
        (Phase.RUNNING, PauseAsked): _pause,
        (Phase.RUNNING, ExtraTime): _extra_time,
        (Phase.RUNNING, LastChance): _last_chance,
        (Phase.RUNNING, Agreed): _agreed,
        (Phase.RUNNING, TurnDone): _turn_done,
        (Phase.RUNNING, RerollAsked): _press_to_shake,
        (Phase.PAUSED, WordWritten): _written,
        (Phase.PAUSED, WordErased): _erased,
        (Phase.PAUSED, ResumeAsked): _resume,
        (Phase.PAUSED, ButtonPressed): _resume,
        (Phase.PAUSED, ExtraTime): _extra_time,
        (Phase.PAUSED, RerollAsked): _press_to_shake,
        (Phase.COLLECTING, WordWritten): _written,
        (Phase.COLLECTING, WordErased): _erased,
        (Phase.COLLECTING, ListHandedIn): _handed_in,
        (Phase.COLLECTING, ListsClosed): _closed,
        (Phase.COLLECTING, Tick): _no_longer_awaited,
        (Phase.COLLECTING, ListScanned): _scanned,
        (Phase.COLLECTING, ScanSettled): _scan_settled,
        (Phase.COLLECTING, WordRuled): _word_ruled,
        (Phase.SCORING, Scored): _scored,
        (Phase.FINISHED, ButtonPressed): _press_to_shake,
        (Phase.FINISHED, WordDecided): _word_decided,
        (Phase.FINISHED, ListScanned): _scanned,
        (Phase.FINISHED, ScanSettled): _scan_settled,
        (Phase.FINISHED, WordRuled): _word_ruled,
        (Phase.FINISHED, Scored): _scored,
        (Phase.FINISHED, Rescored): _rescored,
        (Phase.CANCELLED, ButtonPressed): _press_to_shake,
        (Phase.FAULTED, ButtonPressed): _cleared,
        (Phase.FAULTED, DeviceFailed): _still_faulted,
        (Phase.FAULTED, WordWritten): _written_in_fault,
        **{(phase, Cancelled): _cancel for phase in _IN_PLAY},
        **{(phase, DecisionUndone): _undone for phase in _DECIDING},
        **{(phase, ListsReopened): _undone for phase in _WITH_LISTS},
        **{(phase, CellCorrected): _corrected for phase in {*_TIMED, *_WITH_LISTS}},
        **{(phase, ChallengeBegun): _challenge_begun for phase in _DECIDING},
        **{(phase, ChallengeDropped): _challenge_dropped for phase in _DECIDING},
        **{(phase, ChallengeJudged): _challenge_judged for phase in _DECIDING},
        **{(phase, LexiconChosen): _lexicon_chosen for phase in BETWEEN},
        **{(phase, TableAssigned): _assigned for phase in _BETWEEN},
        **{(phase, BoardPrescribed): _prescribed for phase in _BETWEEN},
    }
)
"""What takes each event in each phase; where there is nothing, the event changes nothing."""

_ANYWHERE: Mapping[type[Event], Callable[[RoundState, Any], Step]] = MappingProxyType(
    {
        DeviceFailed: _device_failed,
        Waited: _waited,
        Restarted: _restarted,
        PlayerJoined: _joined,
        PlayerLeft: _left,
        Announced: _announced,
    }
)
