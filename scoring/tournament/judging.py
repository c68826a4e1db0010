"""Lists of a round to scores, by the one referee of all games."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scoring.board import Board
from scoring.lexicon import Lexicon
from scoring.match import Event, RuleError
from scoring.referee import PlayerResult, RoundResult, Verdict, score_round
from scoring.rules import fitted
from scoring.tournament.plan import Plan, Scope
from scoring.tournament.state import Place, Round, Score
from scoring.wordlist import Entry, parse_word_list


@dataclass(frozen=True)
class Judge:
    """Scores tables by what was agreed on.

    Attributes:
        plan: game and scope.
        lexicon: the nominated word list.
    """

    plan: Plan
    lexicon: Lexicon

    def results(self, played: Round, place: Place) -> RoundResult:
        """The words of all lists that are compared with those of a table, judged.

        Args:
            played: the round.
            place: board and table.

        Raises:
            RuleError: kind ``no_board``: the table was shown none.
        """
        shown = played.shown(*place)
        if shown is None:
            message = f"board {place[0]} of table {place[1]} has not been shown"
            raise RuleError("no_board", message, "Give the board first.")
        board = Board.parse(shown.board)
        lists = self._lists(played, place)
        calls = [call for call in played.calls if call.board == place[0] and call.of in lists]
        return score_round(
            board,
            lists,
            self.lexicon,
            fitted(self.plan.game, board),
            challenged=[call.word for call in calls if call.by is not None],
            rejected=[call.word for call in calls if call.by is None],
        )

    def scores(
        self, played: Round, board: int, tables: Collection[int] | None = None
    ) -> Mapping[Place, Mapping[str, Score]]:
        """The scores of every table whose lists of a board are there.

        Through the whole room they are those of the lists that are in: final once all are.

        Args:
            played: the round.
            board: of the round.
            tables: whose lists have changed, where others need not be looked at; through the whole
                room they must be all the same.
        """
        near = None if self.plan.scope is Scope.ROOM else tables
        places = [place for place in played.lists if place[0] == board]
        places = [place for place in places if near is None or place[1] in near]
        if self.plan.scope is Scope.ROOM and places:
            result = self.results(played, places[0])
            return {place: _of_table(played, place, result) for place in places}
        return {place: _of_table(played, place, self.results(played, place)) for place in places}

    def events(
        self, played: Round, board: int, why: str = "", tables: Collection[int] | None = None
    ) -> list[Event]:
        """The events that give a board its scores, where they are not those that it has.

        Through the whole room there are none before the lists of all tables are in.

        Args:
            played: the round.
            board: of the round.
            why: reason of a correction.
            tables: as of `scores`.
        """
        if self.plan.scope is Scope.ROOM and self._waiting(played, board):
            return []
        reason = {"why": why} if why else {}
        return [
            {
                "type": "scores",
                "round": played.number,
                "board": board,
                "table": place[1],
                "scores": {player: score_document(score) for player, score in scores.items()},
                **reason,
            }
            for place, scores in self.scores(played, board, tables).items()
            if played.scores.get(place) != scores
        ]

    def _waiting(self, played: Round, board: int) -> bool:
        """Whether a table has neither lists nor scores of a board."""
        places = {(board, table) for table in played.tables}
        return not places <= {*played.lists, *played.scores}

    def _lists(self, played: Round, place: Place) -> dict[str, tuple[Entry, ...]]:
        board, table = place
        together = played.tables if self.plan.scope is Scope.ROOM else (table,)
        return {
            player: entries_of(played.lists.get((board, each), {}).get(player, ()))
            for each in together
            for player in played.tables[each]
        }


def all_good(lexicon: Lexicon, words: Collection[str]) -> bool:
    """One verdict for a set of challenged words: whether all are in the word list.

    Which of several is bad it does not tell, as word judges have it.
    """
    return all(lexicon.folding(word) in lexicon for word in words)


def score_document(score: Score) -> dict[str, object]:
    """A score as events hold it."""
    return {"points": score.points, "lengths": list(score.lengths)}


def entries_of(lines: tuple[str, ...]) -> tuple[Entry, ...]:
    """The lines of a list as the referee reads them."""
    return parse_word_list("\n".join(lines))


def _of_table(played: Round, place: Place, result: RoundResult) -> dict[str, Score]:
    seated = set(played.tables[place[1]])
    return {
        player.name: Score(player.points, _lengths(player))
        for player in result.players
        if player.name in seated
    }


def _lengths(player: PlayerResult) -> tuple[int, ...]:
    scored = (len(word.word) for word in player.words if word.verdict is Verdict.SCORED)
    return tuple(sorted(scored, reverse=True))
