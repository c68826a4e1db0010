"""What is agreed on before a tournament: game, seats, how tables are drawn, what decides a rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from scoring.match import RuleError, Setup, field
from scoring.players import check_names, composed
from scoring.rules import Game, UnknownGameError, game
from scoring.rules.conduct import Cancelling
from scoring.rules.house import HouseRulesError, Sections, house_game

PAIR = 2
"""Seats of a table where two play each other."""
SMALLEST_POD, LARGEST_POD = 3, 8
EVERYBODY = 0
"""Stands for one table with all players of a division."""

MOST_PLAYERS = 2000
MOST_ROUNDS = 50
MOST_BOARDS = 20
MOST_PRIZES = 200
MOST_POINTS = 100_000
"""Of a cap, a bye or an amount of a prize."""
LONGEST_TEXT = 80


class Scope(StrEnum):
    """Whose lists cancel one another's words."""

    POD = "pod"
    """Those of the same table."""
    ROOM = "room"
    """Those of everybody who plays the board, which is one for all tables."""
    NONE = "none"


class Method(StrEnum):
    """How tables are drawn."""

    SWISS = "swiss"
    """Equals meet, nobody meets twice where that can be helped."""
    BALANCED = "balanced"
    """Every pod of the same strength, with the fewest repeated meetings."""
    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody: Berger's tables; in pods as evenly as can be found."""
    KING_OF_THE_HILL = "king-of-the-hill"
    """The first with the second, the third with the fourth, whoever has met before."""
    RANDOM = "random"
    MANUAL = "manual"
    """As the referee says."""
    ALL = "all"
    """Everybody at one table."""


class Criterion(StrEnum):
    """What a rank is decided by."""

    WINS = "wins"
    SPREAD = "spread"
    POINTS = "points"
    STRENGTH = "strength"
    LONG_WORDS = "long_words"


class PrizeKind(StrEnum):
    """Who gets a prize."""

    PLACE = "place"
    """The player of that place."""
    TEAM = "team"
    """The team of that place."""
    BOARD = "board"
    """Whoever has the so-many-th most points on one board."""


BY_WINS = (
    Criterion.WINS,
    Criterion.SPREAD,
    Criterion.POINTS,
    Criterion.STRENGTH,
    Criterion.LONG_WORDS,
)
BY_POINTS = (Criterion.POINTS, Criterion.WINS, Criterion.STRENGTH, Criterion.LONG_WORDS)


@dataclass(frozen=True)
class Bye:
    """What a player without a table gets for a round.

    Attributes:
        wins: half wins: 2 is a win.
        spread: points of spread.
        points: points; None is what the players of the division made on average, rounded down.
    """

    wins: int = 2
    spread: int = 0
    points: int | None = None


@dataclass(frozen=True)
class Prize:
    """A prize.

    Attributes:
        title: for people.
        kind: who gets it.
        place: from 1.
        amount: what it is worth; those who share places share the amounts.
        division: whose players it is for; None is everybody's.
        below: only for players with a rating below this.
    """

    title: str
    kind: PrizeKind = PrizeKind.PLACE
    place: int = 1
    amount: int = 0
    division: str | None = None
    below: int | None = None


@dataclass(frozen=True)
class Plan:
    """What was agreed on; made by `agree`.

    Attributes:
        name: of the event.
        base: name of the game of the rule books.
        house: house rules that change it, as sections of keys.
        game: the game that the two make, with the cancelling of ``scope``.
        lexicon: how to find the nominated word list: a name or a file.
        digest: of its words.
        divisions: names; players of different divisions never meet.
        rounds: how many.
        boards: boards of a round.
        seats: of a table: `PAIR`, `SMALLEST_POD` to `LARGEST_POD`, or `EVERYBODY`.
        method: how tables are drawn unless a draw says otherwise.
        scope: whose lists cancel one another's words.
        ranking: what decides a rank, first to last.
        spread_cap: of a round; None is none.
        bye: what a player without a table gets.
        counted: players of a team that count, the best ones; None is all.
        prizes: what is given.
        seed: of all draws.
    """

    name: str
    base: str
    house: Sections
    game: Game
    lexicon: str
    digest: str
    divisions: tuple[str, ...] = ("main",)
    rounds: int = 7
    boards: int = 3
    seats: int = 4
    method: Method = Method.SWISS
    scope: Scope = Scope.POD
    ranking: tuple[Criterion, ...] = BY_POINTS
    spread_cap: int | None = None
    bye: Bye = Bye()
    counted: int | None = None
    prizes: tuple[Prize, ...] = ()
    seed: int = 0

    @classmethod
    def agree(
        cls,
        name: str,
        lexicon: str,
        digest: str,
        base: str = "boggle",
        *,
        house: Sections | None = None,
        divisions: Sequence[str] = ("main",),
        rounds: int = 7,
        boards: int = 3,
        seats: int = 4,
        method: Method | None = None,
        scope: Scope = Scope.POD,
        ranking: Sequence[Criterion] | None = None,
        spread_cap: int | None = None,
        bye: Bye = Bye(),
        counted: int | None = None,
        prizes: Sequence[Prize] = (),
        seed: int = 0,
    ) -> Plan:
        """A plan within the rules.

        Without a ranking it is by wins where two play each other, else by points. Without a method
        it is Swiss, or all at one table where there is one.

        Raises:
            RuleError: kind ``plan``, or ``game`` where it is not played with word lists.
            UnknownGameError: no such game.
            HouseRulesError: the house rules are not sound.
        """
        usual = Method.ALL if seats == EVERYBODY else Method.SWISS
        plan = cls(
            composed(name), base, house or {}, _game(base, house or {}, scope), lexicon, digest,
            tuple(map(composed, divisions)), rounds, boards, seats,
            method or usual, scope,
            tuple(ranking or (BY_WINS if seats == PAIR else BY_POINTS)),
            spread_cap, bye, counted, tuple(prizes), seed,
        )  # fmt: skip
        _check(plan)
        return plan

    @classmethod
    def from_setup(cls, setup: Setup) -> Plan:
        """The plan of a stored event.

        Raises:
            RuleError: as `agree`, and kind ``event`` where something is missing.
        """
        try:
            return cls.agree(
                field(setup, "name", str),
                field(setup, "lexicon", str),
                field(setup, "lexicon_digest", str),
                field(setup, "game", str),
                house=field(setup, "house_rules", dict),
                divisions=[str(name) for name in field(setup, "divisions", list)],
                rounds=field(setup, "rounds", int),
                boards=field(setup, "boards", int),
                seats=field(setup, "seats", int),
                method=Method(field(setup, "method", str)),
                scope=Scope(field(setup, "scope", str)),
                ranking=[Criterion(each) for each in field(setup, "ranking", list)],
                spread_cap=optional(setup, "spread_cap"),
                bye=_bye(field(setup, "bye", dict)),
                counted=optional(setup, "counted"),
                prizes=[_prize(prize) for prize in field(setup, "prizes", list)],
                seed=field(setup, "seed", int),
            )
        except (UnknownGameError, HouseRulesError) as error:
            raise RuleError("event", str(error), "Mend the setup.") from None
        except (TypeError, ValueError) as error:
            if isinstance(error, RuleError):
                raise
            raise RuleError("event", f"the setup of the event: {error}", "Mend it.") from None

    @property
    def setup(self) -> dict[str, object]:
        """The plan as `from_setup` reads it."""
        return {
            "name": self.name,
            "game": self.base,
            "house_rules": dict(self.house),
            "lexicon": self.lexicon,
            "lexicon_digest": self.digest,
            "divisions": list(self.divisions),
            "rounds": self.rounds,
            "boards": self.boards,
            "seats": self.seats,
            "method": str(self.method),
            "scope": str(self.scope),
            "ranking": [str(each) for each in self.ranking],
            "spread_cap": self.spread_cap,
            "bye": {name: getattr(self.bye, name) for name in ("wins", "spread", "points")},
            "counted": self.counted,
            "prizes": [_prize_setup(prize) for prize in self.prizes],
            "seed": self.seed,
        }

    @cached_property
    def by_wins(self) -> bool:
        """Whether wins come first: only then a lead can be safe before the end."""
        return self.ranking[0] is Criterion.WINS


def optional(event: Mapping[str, object], name: str) -> int | None:
    """A whole number of an event, or None where it has none.

    Raises:
        RuleError: it is of another type.
    """
    return None if event.get(name) is None else field(event, name, int)


def _game(base: str, house: Sections, scope: Scope) -> Game:
    rules = house_game(house, game(base))
    if rules.letter_values or rules.conduct.open_ended:
        message = f"{rules.title} is not played in a tournament of lists against the sand timer"
        raise RuleError("game", message, "Give another game of the Boggle family.")
    if scope is not Scope.NONE:
        return rules
    return replace(rules, conduct=replace(rules.conduct, cancelling=Cancelling.OFF))


def _check(plan: Plan) -> None:
    check_names("plan", "events", [plan.name])
    check_names("plan", "divisions", plan.divisions)
    if not plan.divisions:
        raise _unsound("an event has one division at least", "Leave it out, and it is called main.")
    _check_span("rounds", plan.rounds, 1, MOST_ROUNDS)
    _check_span("boards", plan.boards, 1, MOST_BOARDS)
    _check_span("seed", plan.seed, 0, 2**63 - 1)
    for what, number in (("spread cap", plan.spread_cap), ("counted", plan.counted)):
        if number is not None:
            _check_span(what, number, 1, MOST_POINTS)
    _check_seats(plan)
    if len(set(plan.ranking)) < len(plan.ranking):
        raise _unsound("a criterion of the ranking is named twice", "Name each once.")
    _check_span("wins of a bye, in halves,", plan.bye.wins, 0, 2)
    for number in (plan.bye.spread, plan.bye.points or 0):
        _check_span("spread and points of a bye", number, 0, MOST_POINTS)
    _check_span("number of prizes", len(plan.prizes), 0, MOST_PRIZES)
    if len(set(plan.prizes)) < len(plan.prizes):
        raise _unsound("a prize is named twice", "Name each once: who ties shares it.")
    for prize in plan.prizes:
        _check_prize(plan, prize)


def _check_seats(plan: Plan) -> None:
    if plan.seats not in {EVERYBODY, PAIR, *range(SMALLEST_POD, LARGEST_POD + 1)}:
        advice = f"Give 2, {SMALLEST_POD} to {LARGEST_POD}, or all."
        raise _unsound(f"a table has no {plan.seats} seats", advice)
    check_method(plan.method, plan.seats)


def methods_for(seats: int) -> tuple[Method, ...]:
    """How tables of so many seats can be drawn without a hand."""
    if seats == EVERYBODY:
        return (Method.ALL,)
    others = {Method.ALL, Method.MANUAL, *([Method.BALANCED] if seats == PAIR else [])}
    return tuple(method for method in Method if method not in others)


def check_method(method: Method, seats: int) -> None:
    """See that tables of so many seats can be drawn so.

    Raises:
        RuleError: kind ``plan``: they cannot.
    """
    fitting = {*methods_for(seats), *([] if seats == EVERYBODY else [Method.MANUAL])}
    if method not in fitting:
        known = ", ".join(sorted(map(str, fitting)))
        raise _unsound(f"tables of these seats are not drawn by {method}", f"Give one of {known}.")


def _check_prize(plan: Plan, prize: Prize) -> None:
    if not 0 < len(prize.title.strip()) <= LONGEST_TEXT:
        raise _unsound("a prize has no title, or a very long one", "Give each a short title.")
    _check_span("place of a prize", prize.place, 1, MOST_PLAYERS)
    _check_span("amount of a prize", prize.amount, 0, MOST_POINTS * 100)
    if prize.division is not None and prize.division not in plan.divisions:
        raise _unsound(f"there is no division {prize.division!r}", "Name one of the event.")


def _check_span(what: str, number: int, low: int, high: int) -> None:
    if not low <= number <= high:
        raise _unsound(f"{what} {number} is not from {low} to {high}", "Give another number.")


def _unsound(message: str, advice: str) -> RuleError:
    return RuleError("plan", message, advice)


def _bye(setup: Setup) -> Bye:
    return Bye(field(setup, "wins", int), field(setup, "spread", int), optional(setup, "points"))


def _prize(setup: Setup) -> Prize:
    division = setup.get("division")
    return Prize(
        field(setup, "title", str),
        PrizeKind(field(setup, "kind", str)),
        field(setup, "place", int),
        field(setup, "amount", int),
        None if division is None else str(division),
        optional(setup, "below"),
    )


def _prize_setup(prize: Prize) -> dict[str, object]:
    return {
        "title": prize.title,
        "kind": str(prize.kind),
        "place": prize.place,
        "amount": prize.amount,
        "division": prize.division,
        "below": prize.below,
    }
