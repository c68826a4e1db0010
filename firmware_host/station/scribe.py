"""Writes the results of tables into the tournament, as ``tournament enter`` would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from firmware_host.station.folding import TableResult
from firmware_host.station.hall import Spot
from firmware_host.station.results import events_of, ids_of, scores_of
from firmware_host.tournaments import HeldEvent, OpenEvent
from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError
from scoring.tournament.judging import Judge
from scoring.tournament.log import Log

Troubles = dict[Spot, str]


class Scribe:
    """Takes results into a tournament; what is refused is tried again when that has changed.

    Args:
        event: the tournament.
        lexicon: its word list.
        now: the moment, seconds since 1970.
    """

    def __init__(self, event: HeldEvent, lexicon: Lexicon, now: Callable[[], float]) -> None:
        self._event = event
        self._lexicon = lexicon
        self._now = now
        self._waiting: dict[Spot, TableResult] = {}
        self._head = ""

    @property
    def log(self) -> Log:
        """The tournament, as it stood when it was last looked at."""
        return self._event.log

    def take(self, results: Mapping[Spot, TableResult]) -> tuple[list[Spot], Troubles]:
        """Take results, with those that were refused before where the tournament has changed.

        Returns:
            Those that are in the tournament now, and why others are not.

        Raises:
            EventError, CommandError, OSError: the tournament cannot be read, or written.
        """
        self._waiting |= results
        due = self._waiting if self._event.look().last_hash != self._head else dict(results)
        if not due:
            return [], {}
        with self._event.opened(self._now()) as event:
            done, refused = self._written(event, dict(due))
        self._head = self._event.log.last_hash
        for spot in done:
            del self._waiting[spot]
        return done, refused

    def _written(
        self, event: OpenEvent, due: dict[Spot, TableResult]
    ) -> tuple[list[Spot], Troubles]:
        """All at once; where one of them is refused, one by one."""
        try:
            self._play(event, due.values())
        except RuleError:
            return self._one_by_one(event, due)
        return list(due), {}

    def _one_by_one(
        self, event: OpenEvent, due: dict[Spot, TableResult]
    ) -> tuple[list[Spot], Troubles]:
        refused: Troubles = {}
        for spot, result in due.items():
            try:
                self._play(event, [result])
            except RuleError as error:
                refused[spot] = f"{error}. {error.advice}"
        return [spot for spot in due if spot not in refused], refused

    def _play(self, event: OpenEvent, results: Iterable[TableResult]) -> None:
        log = event.log
        names, found, changed = ids_of(log), list[Event](), []
        for result in results:
            lacking = events_of(log, result, names)
            found += lacking
            changed += [result.place] if lacking else []
        if found:
            judge = Judge(log.plan, self._lexicon)
            event.play(*found, *scores_of(event.after(*found), judge, changed))
