"""What players agree on before a match of Boggle: who plays with whom, by which rules, how long."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.match import RuleError, Setup, field
from scoring.players import agreed_names, alike, check_names, composed
from scoring.referee import Seating
from scoring.rules import Game, UnknownGameError, game
from scoring.rules.house import HouseRulesError, Sections, house_game
from scoring.trie import LONGEST_WORD

MOST_PLAYERS = 20
MOST_ROUNDS = 1000
MOST_TARGET = 100_000


@dataclass(frozen=True)
class Plan:
    """What was agreed on; made by `agree`.

    Attributes:
        players: in the order of the table, in which they also read their lists aloud.
        seating: teams and handicaps.
        base: name of the game of the rule books.
        house: house rules that change it, as sections of keys.
        game: the game that the two make.
        target: points that end the match, or None.
        rounds: after so many it ends, or None.
    """

    players: tuple[str, ...]
    seating: Seating
    base: str
    house: Sections
    game: Game
    target: int | None
    rounds: int | None

    @classmethod
    def agree(
        cls,
        players: Sequence[str],
        base: str = "boggle",
        *,
        house: Sections | None = None,
        teams: Mapping[str, Sequence[str]] | None = None,
        handicaps: Mapping[str, int] | None = None,
        target: int | None = None,
        rounds: int | None = None,
    ) -> Plan:
        """A plan within the rules.

        A target that is not given is that of the house rules; without target and rounds it is one
        round.

        Raises:
            RuleError: kinds ``players``, ``team``, ``handicap``, ``target``, ``rounds``, ``game``.
            UnknownGameError: no such game.
            HouseRulesError: the house rules are not sound.
        """
        rules = house_game(house or {}, game(base))
        seating = Seating(
            {team: tuple(map(composed, members)) for team, members in (teams or {}).items()},
            {composed(player): letters for player, letters in (handicaps or {}).items()},
        )
        _check_game(rules)
        names = agreed_names(
            players,
            (2, 2) if rules.conduct.open_ended else (1, MOST_PLAYERS),
            rules.title,
            "Give the names with commas between, as ann,bob.",
        )
        check_seating(seating, names, rules)
        named = {composed(team): members for team, members in seating.teams.items()}
        seating = replace(seating, teams=named)
        goal = rules.conduct.target if target is None else target
        _check_number("target", goal, MOST_TARGET)
        _check_number("rounds", rounds, MOST_ROUNDS)
        count = 1 if goal is None and rounds is None else rounds
        return cls(names, seating, base, house or {}, rules, goal, count)

    @classmethod
    def from_setup(cls, setup: Setup) -> Plan:
        """The plan in the setup of a match.

        Raises:
            RuleError: as `agree`, and kind ``event`` where something is missing.
        """
        teams = field(setup, "teams", dict)
        try:
            return cls.agree(
                _texts(setup, "players"),
                field(setup, "game", str),
                house=field(setup, "house_rules", dict),
                teams={name: _texts(teams, name) for name in teams},
                handicaps=field(setup, "handicaps", dict),
                target=None if setup.get("target") is None else field(setup, "target", int),
                rounds=None if setup.get("rounds") is None else field(setup, "rounds", int),
            )
        except UnknownGameError as error:
            raise RuleError("event", str(error), "Mend it.") from None
        except HouseRulesError as error:
            raise RuleError("event", str(error), error.advice) from None

    @property
    def setup(self) -> dict[str, object]:
        """The plan as `from_setup` reads it."""
        return {
            "players": list(self.players),
            "teams": {team: list(members) for team, members in self.seating.teams.items()},
            "handicaps": dict(self.seating.handicaps),
            "game": self.base,
            "house_rules": dict(self.house),
            "target": self.target,
            "rounds": self.rounds,
        }

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of the teams, and of the players who are in none, in the order of the table."""
        return tuple(dict.fromkeys(map(self.seating.side, self.players)))


def check_seating(seating: Seating, players: Collection[str], rules: Game) -> None:
    """See that teams and handicaps are such as the game has.

    Raises:
        RuleError: kinds ``team`` and ``handicap``.
    """
    _check_teams(seating, players, rules)
    for player, letters in seating.handicaps.items():
        if player not in players:
            raise RuleError(
                "handicap",
                f"there is a handicap for {player!r}, who does not play",
                f"The players are {', '.join(players)}.",
            )
        _check_letters(player, letters, rules)


def _check_letters(player: str, letters: object, rules: Game) -> None:
    whole = isinstance(letters, int) and not isinstance(letters, bool)
    if not whole or not rules.min_length <= int(str(letters)) <= LONGEST_WORD:
        trays = " on every tray" if rules.as_tray else ""
        raise RuleError(
            "handicap",
            f"{rules.title} has points for words of {rules.min_length} to {LONGEST_WORD} letters"
            f"{trays}, so {player} cannot play with {letters} or more",
            "Give another number; house rules can give points to shorter words.",
        )


def _check_teams(seating: Seating, players: Collection[str], rules: Game) -> None:
    members = [member for team in seating.teams.values() for member in team]
    strangers = [member for member in members if member not in players]
    if strangers:
        raise RuleError(
            "team",
            f"{strangers[0]!r} is in a team and does not play",
            f"The players are {', '.join(players)}.",
        )
    if len(set(members)) < len(members):
        raise RuleError("team", "a player is in two teams, or twice in one", "One team for each.")
    if not all(seating.teams.values()):
        raise RuleError("team", "a team has no members", "Write NAME=A,B.")
    _check_team_names(seating.teams, players)
    sides = {seating.side(player) for player in players}
    if (rules.conduct.teams and not seating.teams) or (seating.teams and len(sides) < 2):
        played = rules.title if rules.conduct.teams else f"{rules.title} in teams"
        raise RuleError(
            "team",
            f"{played} takes two sides or more, a team at least among them",
            "Give teams as NAME=A,B; whoever is in none plays alone.",
        )


def _check_team_names(teams: Collection[str], players: Collection[str]) -> None:
    check_names("team", "teams", teams)
    if not {alike(team) for team in teams}.isdisjoint(map(alike, players)):
        raise RuleError("team", "a team has the name of a player", "Rename the team.")


def _check_game(rules: Game) -> None:
    if rules.letter_values:
        raise RuleError(
            "game",
            f"{rules.title} is not played with word lists",
            "Give a game of the Boggle family.",
        )


def _check_number(what: str, number: int | None, most: int) -> None:
    if number is not None and not 1 <= number <= most:
        raise RuleError(what, f"{what} {number} is not from 1 to {most}", "Give another number.")


def _texts(setup: Setup, name: str) -> list[str]:
    values: list[object] = field(setup, name, list)
    if not all(isinstance(value, str) for value in values):
        raise RuleError("event", f"a name in {name!r} of the setup is no text", "Mend it.")
    return [str(value) for value in values]
