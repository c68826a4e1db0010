"""The static pages of an event: standings, rounds, players, and the export that proves them.

They need no script, no other host and no server: opened from a stick they are the same. Nothing is
in them that an export does not hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from importlib import resources
from pathlib import Path

from jinja2 import Environment

from firmware_host.tournament_desk import incomplete
from firmware_host.web.render import templates_of
from scoring.tournament.document import award_document, event_document
from scoring.tournament.explain import TITLES, explain, value_text
from scoring.tournament.log import Log
from scoring.tournament.plan import Criterion
from scoring.tournament.prizes import awards
from scoring.tournament.standings import Standing, Standings
from scoring.tournament.state import Place, Round, Shown

EXPORT = "event.json"
"""The file with the whole event, for ``verify``."""


def is_of(log: Log, folder: Path) -> bool:
    """Whether a folder holds the pages of this event, or nothing at all."""
    if folder.is_dir() and not any(folder.iterdir()):
        return True
    try:
        before = json.loads(folder.joinpath(EXPORT).read_bytes())
        return bool(before["setup"] == log.head["setup"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


@dataclass(frozen=True)
class ShownBoard:
    """A board of a round, as a page tells of it.

    Attributes:
        number: of the board.
        table: whose; 0 where it is that of all.
        shown: the board; None while it is only promised.
        promised: its hash; empty where it was not promised.
    """

    number: int
    table: int
    shown: Shown | None
    promised: str


@dataclass(frozen=True)
class Site:
    """All pages of an event.

    Attributes:
        log: the event.
    """

    log: Log

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Names within the folder and what they hold; the page to begin with comes last."""
        yield "site.css", resources.files(__package__).joinpath("site.css").read_bytes()
        yield EXPORT, json.dumps(event_document(self.log), indent=1).encode() + b"\n"
        for played in self.log.state.rounds:
            yield self.round_file(played.number), self._round(played)
        for division in self.log.plan.divisions:
            ranked = self.ranked[division]
            for standing in ranked:
                yield self.player_file(standing.name), self._player(standing, ranked)
        yield "index.html", self._index()

    @cached_property
    def ranked(self) -> Mapping[str, tuple[Standing, ...]]:
        """The standings of each division."""
        return {name: self._standings.of(name) for name in self.log.plan.divisions}

    @staticmethod
    def round_file(number: int) -> str:
        """Name of a round's page."""
        return f"round-{number}.html"

    def player_file(self, name: str) -> str:
        """Name of a player's page: their number, as names may hold anything."""
        return f"player-{self._numbers[name]}.html"

    def printed(self, name: str) -> str:
        """A player's name for people."""
        return self.log.state.players[name].printed

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.log.state.players, 1)}

    @cached_property
    def _standings(self) -> Standings:
        return Standings(self.log.plan, self.log.state)

    @cached_property
    def _environment(self) -> Environment:
        return templates_of(__package__)

    def _html(self, page: str, **values: object) -> bytes:
        template = self._environment.get_template(f"{page}.html")
        moment = datetime.fromtimestamp(self.log.last_moment, UTC)
        shared = {"site": self, "plan": self.log.plan, "log": self.log, "export": EXPORT}
        return template.render(**shared, stand=f"{moment:%Y-%m-%d %H:%M} UTC", **values).encode()

    def _index(self) -> bytes:
        criteria = [each for each in self.log.plan.ranking if each is not Criterion.LONG_WORDS]
        return self._html(
            "index",
            ranked=self.ranked,
            teams=self._standings.teams(),
            prizes=[award_document(each) for each in awards(self._standings)],
            criteria=criteria,
            titles=TITLES,
            value_text=value_text,
            rounds=self.log.state.rounds,
            counted=len(self._standings.rounds),
            missing=incomplete(self.log),
        )

    def _round(self, played: Round) -> bytes:
        return self._html(
            "round",
            played=played,
            boards=list(_boards(played)),
            numbers=range(1, self.log.plan.boards + 1),
            missing=set(played.missing(self.log.plan.boards)) if played.started else set(),
        )

    def _player(self, standing: Standing, ranked: tuple[Standing, ...]) -> bytes:
        player = self.log.state.players[standing.name]
        lists = [
            (played.number, board, lines[standing.name])
            for played in self.log.state.rounds
            for (board, _), lines in sorted(played.lists.items())
            if standing.name in lines
        ]
        lines = explain(self.log.plan, ranked, standing.name)
        return self._html("player", player=player, standing=standing, lines=lines, lists=lists)


def _boards(played: Round) -> Iterator[ShownBoard]:
    places: list[Place] = sorted({*played.boards, *played.commitments})
    for number, table in places:
        place = (number, table)
        shown, promised = played.boards.get(place), played.commitments.get(place, "")
        yield ShownBoard(number, table, shown, promised)
