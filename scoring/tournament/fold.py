"""The rules of a tournament: a state and an event give the next state, or the event is refused.

The events:

============  =====================================================================================
``enrol``     ``player``, ``division``, ``rating``, ``team``, ``shown``: also in the middle
``amend``     ``player`` and what changes of the above
``withdraw``  ``player``: is not drawn any more
``suspend``   ``player``, ``why``
``return``    ``player``: is drawn again
``ask_bye``   ``player``, ``round``: will not be there for a round to come
``draw``      ``round``, ``division``, ``tables``, ``byes``, ``absent``, ``method``; again before
              the round starts in place of the first
``start``     ``round``: tables are not drawn again
``commit``    ``round``, ``board``, ``table``, ``hash``
``board``     ``round``, ``board``, ``table``, ``shown``, ``salt``, ``photo``
``lists``     ``round``, ``board``, ``table``, ``lists``, ``photos``: lines by player
``challenge`` ``round``, ``board``, ``word``, ``of``, ``by``: the word list decides
``reject``    ``round``, ``board``, ``word``, ``of``: the referee decides
``scores``    ``round``, ``board``, ``table``, ``scores``, ``entered``
``adjust``    ``round``, ``player``, ``points``, ``why``
============  =====================================================================================

Any event may say with ``noted_by`` who at the desk entered it.
``table`` is 0 where a board is that of all tables. What is there already is replaced only with a
``why``. Lists, a board or a word called into question take away the scores that they change: they
are given again. The fold knows no word list: `scoring.tournament.proof` sees whether scores are
those of the lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scoring.board import Board, BoardError
from scoring.match import Event, RuleError, field
from scoring.players import alike, check_names, composed
from scoring.tournament.commitment import BoardPlace, commitment, is_digest, is_salt
from scoring.tournament.plan import (
    EVERYBODY,
    LARGEST_POD,
    LONGEST_TEXT,
    MOST_PLAYERS,
    MOST_POINTS,
    Method,
    Plan,
    Scope,
    optional,
)
from scoring.tournament.state import (
    ROOM,
    Adjustment,
    Call,
    Draw,
    Place,
    Player,
    Round,
    Score,
    Shown,
    State,
    Status,
    with_item,
    without,
)
from scoring.trie import LONGEST_WORD
from scoring.wordlist import parse_word_list

MOST_RATING = 10_000


@dataclass(frozen=True)
class Tournament:
    """The rules, set up.

    Attributes:
        plan: what was agreed on.
    """

    plan: Plan

    def start(self) -> State:
        """The state before anything has happened."""
        return State()

    def apply(self, state: State, event: Event) -> State:
        """The state after an event.

        Raises:
            RuleError: the event breaks a rule, or is none; nothing was changed.
        """
        check_noted(event)
        kind = field(event, "type", str)
        if kind in self._of_players:
            return self._of_players[kind](state, event)
        if kind not in self._of_rounds:
            raise RuleError("event", f"{kind!r} is no event of a tournament", "Mend it.")
        played = self._round(state, event)
        changed = self._of_rounds[kind](state, played, event)
        return replace(state, rounds=_replaced(state.rounds, changed))

    @cached_property
    def _of_players(self) -> Mapping[str, Callable[[State, Event], State]]:
        return {
            "enrol": self._enrol,
            "amend": self._amend,
            "withdraw": self._withdraw,
            "suspend": self._suspend,
            "return": self._return,
            "ask_bye": self._ask_bye,
            "draw": self._draw,
        }

    @cached_property
    def _of_rounds(self) -> Mapping[str, Callable[[State, Round, Event], Round]]:
        return {
            "start": self._start,
            "commit": self._commit,
            "board": self._board,
            "lists": self._lists,
            "challenge": self._challenge,
            "reject": self._challenge,
            "scores": self._scores,
            "adjust": self._adjust,
        }

    # Players

    def _enrol(self, state: State, event: Event) -> State:
        name = composed(field(event, "player", str))
        check_names("player", "players", [name])
        if any(alike(name) == alike(known) for known in state.players):
            message = f"somebody called {name!r} is enrolled already"
            raise RuleError("enrolled", message, "Tell them apart, as by an initial.")
        if len(state.players) >= MOST_PLAYERS:
            raise RuleError("player", f"{MOST_PLAYERS} players are enrolled", "That is the most.")
        since = sum(played.started for played in state.rounds) + 1
        player = self._amended(Player(name, self.plan.divisions[0], since=since), event)
        return _with_player(state, player)

    def _amend(self, state: State, event: Event) -> State:
        player = _player(state, event)
        amended = self._amended(player, event)
        drawn = any(player.name in draw.players for r in state.rounds for draw in r.draws.values())
        if drawn and amended.division != player.division:
            message = f"{player.name} has been drawn in the division {player.division}"
            raise RuleError("division", message, "Divisions are changed before the first draw.")
        return _with_player(state, amended)

    def _amended(self, player: Player, event: Event) -> Player:
        given: dict[str, Any] = {
            name: composed(_short(event, name))
            for name in ("division", "team", "shown")
            if event.get(name) is not None
        }
        rating = optional(event, "rating")
        if rating is not None:
            if not 0 <= rating <= MOST_RATING:
                raise RuleError("rating", f"{rating} is no rating", f"Give 0 to {MOST_RATING}.")
            given["rating"] = rating
        amended = replace(player, **given)
        if amended.division not in self.plan.divisions:
            known = ", ".join(self.plan.divisions)
            message = f"there is no division {amended.division!r}"
            raise RuleError("division", message, f"Give one of {known}.")
        check_names("team", "teams", [amended.team] if amended.team else [])
        return amended

    def _withdraw(self, state: State, event: Event) -> State:
        return _with_status(state, _player(state, event), Status.WITHDRAWN)

    def _suspend(self, state: State, event: Event) -> State:
        _why(event)
        return _with_status(state, _player(state, event), Status.SUSPENDED)

    def _return(self, state: State, event: Event) -> State:
        return _with_status(state, _player(state, event), Status.ACTIVE)

    def _ask_bye(self, state: State, event: Event) -> State:
        player, number = _player(state, event), field(event, "round", int)
        first = sum(played.started for played in state.rounds) + 1
        if not first <= number <= self.plan.rounds:
            message = f"round {number} is none of those to come"
            raise RuleError("round", message, _to_come(first, self.plan.rounds))
        return _with_player(state, replace(player, byes=player.byes | {number}))

    # Tables

    def _draw(self, state: State, event: Event) -> State:
        played = self._to_be_drawn(state, field(event, "round", int))
        division = field(event, "division", str)
        if division not in self.plan.divisions:
            raise RuleError("division", f"there is no division {division!r}", "Mend it.")
        draw = _read_draw(division, event)
        check_draw(self.plan, state, draw)
        draws = with_item(played.draws, division, draw)
        ordered = {name: draws[name] for name in self.plan.divisions if name in draws}
        return replace(state, rounds=_replaced(state.rounds, replace(played, draws=ordered)))

    def _to_be_drawn(self, state: State, number: int) -> Round:
        last = state.rounds[-1] if state.rounds else None
        if last is not None and number == last.number and not last.started:
            return last
        following = len(state.rounds) + 1
        if number != following or following > self.plan.rounds:
            message = f"round {number} is not to be drawn now"
            raise RuleError("round", message, _next_round(state, self.plan))
        if last is not None and not last.started:
            message = f"round {last.number} has not been played"
            raise RuleError("round", message, "Play it, or draw it again.")
        return Round(number)

    def _round(self, state: State, event: Event) -> Round:
        number = field(event, "round", int)
        if not 1 <= number <= len(state.rounds):
            message = f"round {number} has not been drawn"
            raise RuleError("round", message, "Draw its tables first.")
        played = state.rounds[number - 1]
        without_draw = [
            division
            for division in self.plan.divisions
            if division not in played.draws and not played.started and state.active(division)
        ]
        if without_draw:
            message = f"the division {without_draw[0]} has no tables in round {number}"
            raise RuleError("not_drawn", message, "Draw them first.")
        return played

    def _start(self, _state: State, played: Round, _event: Event) -> Round:
        if played.started:
            raise RuleError("started", f"round {played.number} is being played", "Go on.")
        return replace(played, started=True)

    # Boards

    def _commit(self, _state: State, played: Round, event: Event) -> Round:
        place = self._place(played, event)
        digest = field(event, "hash", str)
        if not is_digest(digest):
            raise RuleError("commitment", "this is no SHA-256", "Give 64 hexadecimal digits.")
        if place in played.boards:
            message = f"{_named(played, place)} has been shown already"
            raise RuleError("commitment", message, "Commit to a board before it is shown.")
        self._check_anew(played.commitments, place, event, "a commitment to", played)
        return replace(played, commitments=with_item(played.commitments, place, digest))

    def _board(self, _state: State, played: Round, event: Event) -> Round:
        place = self._place(played, event)
        shown = self._shown(event)
        self._check_anew(played.boards, place, event, "", played)
        self._check_commitment(played, place, shown)
        boards = with_item(played.boards, place, shown)
        return self._unscored(replace(played, boards=boards, started=True), place)

    def _shown(self, event: Event) -> Shown:
        try:
            board = str(Board.parse(field(event, "shown", str)))
        except BoardError as error:
            raise RuleError("board", str(error), "Write it as IETC/HQuPE/SEYH/TOER.") from None
        salt, photo = event.get("salt"), event.get("photo")
        if salt is not None and not is_salt(field(event, "salt", str)):
            raise RuleError("commitment", "this is no salt", "Give 32 hexadecimal digits.")
        if photo is not None and not is_digest(field(event, "photo", str)):
            raise RuleError("photo", "this is no SHA-256 of a photo", "Mend it.")
        return Shown(board, salt, photo)

    def _check_commitment(self, played: Round, place: Place, shown: Shown) -> None:
        promised = played.commitments.get(place)
        if (promised is None) != (shown.salt is None):
            message = f"{_named(played, place)} and its commitment do not go together"
            raise RuleError("commitment", message, "Give the salt of the board committed to.")
        if promised is None or shown.salt is None:
            return
        where = BoardPlace(self.plan.name, played.number, *place)
        if commitment(where, shown.board, shown.salt) != promised:
            message = f"{_named(played, place)} is not the board committed to"
            raise RuleError("commitment", message, "Show the board of the commitment.")

    def _place(self, played: Round, event: Event) -> Place:
        board, table = field(event, "board", int), field(event, "table", int)
        if not 1 <= board <= self.plan.boards:
            message = f"a round of this event has no board {board}"
            raise RuleError("place", message, _to_come(1, self.plan.boards))
        if table != ROOM and table not in played.tables:
            raise RuleError("place", f"there is no table {table}", "Give another number.")
        if table != ROOM and self.plan.scope is Scope.ROOM and "shown" in event:
            message = "words are cancelled through the whole room, so all tables play one board"
            raise RuleError("place", message, "Give the board for all tables.")
        return board, table

    def _check_anew(
        self, known: Mapping[Place, Any], place: Place, event: Event, what: str, played: Round
    ) -> None:
        if place in known:
            named = " ".join(filter(None, [what, _named(played, place)]))
            _check_reason(event, f"{named} is there already")

    # Lists and scores

    def _lists(self, _state: State, played: Round, event: Event) -> Round:
        place = self._at_table(played, event)
        given = field(event, "lists", dict)
        lists = {player: _lines(lines) for player, lines in given.items()}
        photos = _photos(event)
        self._check_seated(played, place, [*lists, *photos])
        if played.shown(*place) is None:
            message = f"the board of {_named(played, place)} has not been shown"
            raise RuleError("no_board", message, "Give the board first.")
        before = played.lists.get(place, {})
        twice = next((player for player in lists if player in before), None)
        if twice is not None:
            _check_reason(event, f"the list of {twice} is in already")
        kept = with_item(played.lists, place, {**before, **lists})
        shots = with_item(played.photos, place, {**played.photos.get(place, {}), **photos})
        return self._unscored(replace(played, lists=kept, photos=shots, started=True), place)

    def _challenge(self, _state: State, played: Round, event: Event) -> Round:
        of = field(event, "of", str)
        by = field(event, "by", str) if event["type"] == "challenge" else None
        board = field(event, "board", int)
        table = played.table_of.get(of, ROOM)
        if not 1 <= board <= self.plan.boards or table == ROOM:
            raise RuleError("place", f"{of!r} has played no such board", "Mend it.")
        if by == of:
            message = "players challenge the words of others, not their own"
            raise RuleError("challenge_own", message, "Go on.")
        if by is not None and by not in played.table_of:
            raise RuleError("unknown_player", f"{by!r} sits at no table", "Mend it.")
        word = _listed(played, (board, table), of, field(event, "word", str))
        call = Call(board, word, of, by)
        if any(self._same(played, call, earlier) for earlier in played.calls):
            raise RuleError("challenged", f"{word!r} has been decided on", "Once is all.")
        if (board, table) in played.scores:
            _check_reason(event, f"board {board} of table {table} is scored")
        changed = replace(played, calls=(*played.calls, call))
        return self._unscored(changed, (board, table))

    def _same(self, played: Round, call: Call, earlier: Call) -> bool:
        """Whether two calls are about one word of lists that are compared."""
        together = self.plan.scope is Scope.ROOM or (
            played.table_of[call.of] == played.table_of[earlier.of]
        )
        return together and (call.board, call.word) == (earlier.board, earlier.word)

    def _scores(self, _state: State, played: Round, event: Event) -> Round:
        place = self._at_table(played, event)
        entered = event.get("entered", False) is True
        given = field(event, "scores", dict)
        scores = {player: _score(found, entered=entered) for player, found in given.items()}
        self._check_seated(played, place, scores)
        left_out = [player for player in played.tables[place[1]] if player not in scores]
        if left_out:
            message = f"{left_out[0]} has no score at table {place[1]}"
            raise RuleError("score_missing", message, "Give all of a table, 0 where there is none.")
        if not entered and place not in played.lists:
            message = f"{_named(played, place)} has no lists"
            raise RuleError("no_lists", message, "Hand in lists, or enter the points alone.")
        if entered and place in played.lists:
            message = f"{_named(played, place)} has lists, and they give its points"
            raise RuleError("lists_in", message, "Correct a list, or adjust points with a reason.")
        self._check_anew(played.scores, place, event, "the score of", played)
        return replace(played, scores=with_item(played.scores, place, scores), started=True)

    def _at_table(self, played: Round, event: Event) -> Place:
        board, table = self._place(played, event)
        if table == ROOM:
            raise RuleError("place", "lists and scores are those of a table", "Name the table.")
        return board, table

    def _check_seated(self, played: Round, place: Place, players: Iterable[str]) -> None:
        stranger = next((name for name in players if name not in played.tables[place[1]]), None)
        if stranger is not None:
            message = f"{stranger!r} does not sit at table {place[1]} in round {played.number}"
            raise RuleError("unknown_player", message, "Look at the tables of the round.")

    def _unscored(self, played: Round, place: Place) -> Round:
        """The round without the scores that lists and boards of a place change.

        Through the whole room a list changes those of all tables, but not points that were entered.
        """
        board, table = place
        if table == ROOM or self.plan.scope is Scope.ROOM:
            gone = [each for each in played.scores if each[0] == board]
            gone = [each for each in gone if each == place or not _is_entered(played, each)]
        else:
            gone = [place]
        return replace(played, scores=without(played.scores, *gone))

    def _adjust(self, state: State, played: Round, event: Event) -> Round:
        player, points = _player(state, event), field(event, "points", int)
        if not 0 < abs(points) <= MOST_POINTS:
            message = f"{points} points are none to be given or taken"
            advice = f"Give 1 to {MOST_POINTS}, or -1 to -{MOST_POINTS} to take them."
            raise RuleError("points", message, advice)
        adjustment = Adjustment(player.name, points, _why(event))
        return replace(played, adjustments=(*played.adjustments, adjustment))


def check_noted(event: Event) -> None:
    """See that who entered an event is somebody, where it is said at all.

    Raises:
        RuleError: kind ``noted_by``.
    """
    if "noted_by" in event:
        check_names("noted_by", "referees", [field(event, "noted_by", str)])


def check_draw(plan: Plan, state: State, draw: Draw) -> None:
    """See that a draw seats everybody of a division once, and nobody else.

    Raises:
        RuleError: kinds ``unknown_player``, ``twice``, ``left_out``, ``seats``.
    """
    active, named = state.active(draw.division), draw.players
    strangers = [name for name in named if name not in set(active)]
    if strangers:
        message = f"{strangers[0]!r} is not to be drawn in the division {draw.division}"
        raise RuleError("unknown_player", message, "Look at who is enrolled, and who has left.")
    twice = [name for name, times in Counter(named).items() if times > 1]
    if twice:
        raise RuleError("twice", f"{twice[0]} is named twice", "Seat everybody once.")
    left_out = sorted(set(active).difference(named))
    if left_out:
        message = f"{', '.join(left_out[:5])} {'is' if len(left_out) == 1 else 'are'} left out"
        raise RuleError("left_out", message, "Seat everybody, give a bye, or name them absent.")
    most = MOST_PLAYERS if plan.seats == EVERYBODY else LARGEST_POD
    if any(not 2 <= len(table) <= most for table in draw.tables):
        raise RuleError("seats", f"a table has 2 to {most} players", "Seat them otherwise.")


def _next_round(state: State, plan: Plan) -> str:
    following = len(state.rounds) + 1
    return f"The next is {following}." if following <= plan.rounds else "All have been drawn."


def _to_come(first: int, last: int) -> str:
    """Which numbers there are, as an advice."""
    if first > last:
        return "There is none any more."
    return f"Give {first}." if first == last else f"Give {first} to {last}."


def _read_draw(division: str, event: Event) -> Draw:
    tables = tuple(_names(table) for table in field(event, "tables", list))
    method = str(Method(field(event, "method", str)))
    byes, absent = (_names(event.get(name, [])) for name in ("byes", "absent"))
    return Draw(division, tables, byes, absent, method)


def _names(given: object) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise RuleError("event", f"{given!r} is no list of names", "Mend it.")
    return tuple(map(composed, given))


def _lines(given: object) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(line, str) for line in given):
        raise RuleError("event", "a line of a list is no text", "Mend it.")
    return tuple(given)


def _photos(event: Event) -> dict[str, str]:
    given = field(event, "photos", dict) if "photos" in event else {}
    if not all(isinstance(each, str) and is_digest(each) for each in given.values()):
        raise RuleError("photo", "this is no SHA-256 of a photo", "Mend it.")
    return given


def _listed(played: Round, place: Place, of: str, written: str) -> str:
    """The word that a call is about, in small letters; it stands on the list."""
    word = _word(written)
    if word not in {_word(line) for line in played.lists.get(place, {}).get(of, ())} - {None}:
        message = f"{written!r} is not on the list of {of} on board {place[0]}"
        raise RuleError("not_listed", message, "Only a word that somebody wrote is challenged.")
    return str(word)


def _word(line: str) -> str | None:
    entries = parse_word_list(line)
    return entries[0].word if len(entries) == 1 else None


def _score(given: object, *, entered: bool) -> Score:
    if not isinstance(given, dict):
        raise RuleError("event", "a score is no object", "Mend it.")
    points, lengths = field(given, "points", int), given.get("lengths", [])
    whole = isinstance(lengths, list | tuple) and all(type(each) is int for each in lengths)
    if not whole or not all(0 < each <= LONGEST_WORD for each in lengths):
        raise RuleError("event", "the lengths of a score are no numbers of letters", "Mend it.")
    if not abs(points) <= MOST_POINTS:
        raise RuleError("points", f"{points} are no points of a board", "Mend it.")
    return Score(points, tuple(sorted(lengths, reverse=True)), entered)


def _is_entered(played: Round, place: Place) -> bool:
    return any(score.entered for score in played.scores[place].values())


def _player(state: State, event: Event) -> Player:
    name = composed(field(event, "player", str))
    if name not in state.players:
        message = f"nobody called {name!r} is enrolled"
        raise RuleError("unknown_player", message, "Enrol them, or look how they are written.")
    return state.players[name]


def _with_player(state: State, player: Player) -> State:
    return replace(state, players=with_item(state.players, player.name, player))


def _with_status(state: State, player: Player, status: Status) -> State:
    if player.status is status:
        raise RuleError("status", f"{player.name} is {status} already", "Nothing is to be done.")
    return _with_player(state, replace(player, status=status))


def _short(event: Event, name: str) -> str:
    text = field(event, name, str)
    if len(text) > LONGEST_TEXT:
        raise RuleError("event", f"the {name} is very long", f"Give {LONGEST_TEXT} characters.")
    return text


def _why(event: Event) -> str:
    why = _short(event, "why").strip() if event.get("why") is not None else ""
    if not why:
        raise RuleError("no_reason", "no reason is given", "Say why: it is kept and shown.")
    return why


def _check_reason(event: Event, message: str) -> None:
    if not str(event.get("why") or "").strip():
        raise RuleError("no_reason", message, "To correct it say why: it is kept and shown.")


def _named(played: Round, place: Place) -> str:
    board, table = place
    where = "" if table == ROOM else f" of table {table}"
    return f"board {board}{where} in round {played.number}"


def _replaced(rounds: tuple[Round, ...], played: Round) -> tuple[Round, ...]:
    return (*rounds[: played.number - 1], played, *rounds[played.number :])
