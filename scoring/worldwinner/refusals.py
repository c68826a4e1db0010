"""What the rules do not allow, each with its own message."""

from __future__ import annotations

from enum import StrEnum


class Rule(StrEnum):
    """The rule that a refused move breaks; a stable word for programs."""

    WRONG_ROUND = "wrong_round"
    MATCH_OVER = "match_over"
    ROUND_GOES_ON = "round_goes_on"
    NOT_STARTED = "not_started"
    STARTED = "started"
    TIME_OVER = "time_over"
    UNKNOWN_PLAYER = "unknown_player"
    OFF_BOARD = "off_board"
    NO_LETTER = "no_letter"
    USED_TWICE = "used_twice"
    NO_NEIGHBOUR = "no_neighbour"
    NOT_SELECTED = "not_selected"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    ONE_TILE = "one_tile"
    NOT_ON_BOARD = "not_on_board"
    NOT_IN_LEXICON = "not_in_lexicon"


class RuleError(ValueError):
    """A move that the rules do not allow; nothing has changed.

    Args:
        rule: which rule.
        message: what was tried, and what the rule says.
    """

    def __init__(self, rule: Rule, message: str) -> None:
        super().__init__(message)
        self.rule = rule
