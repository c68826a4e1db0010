"""What the rules do not allow, each with its own message."""

from __future__ import annotations

from enum import StrEnum

from scoring.match import RuleError


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


_ADVICE = {
    Rule.WRONG_ROUND: "Play the round that is on.",
    Rule.MATCH_OVER: "Begin another match.",
    Rule.ROUND_GOES_ON: "Let every player finish the round first.",
    Rule.NOT_STARTED: "Start the player's clock first.",
    Rule.STARTED: "Go on with the round.",
    Rule.TIME_OVER: "Wait for the next round.",
    Rule.UNKNOWN_PLAYER: "Name one of the players of the match.",
    Rule.OFF_BOARD: "Name a tile of the board: its column's letter, then its row.",
    Rule.NO_LETTER: "Go round it.",
    Rule.USED_TWICE: "Take another tile, or another word.",
    Rule.NO_NEIGHBOUR: "Go on to a tile that touches the last one, also at a corner.",
    Rule.NOT_SELECTED: "Deselect a tile of the word.",
    Rule.TOO_SHORT: "Find a longer word.",
    Rule.TOO_LONG: "Find a shorter word.",
    Rule.ONE_TILE: "Find a word of two tiles or more.",
    Rule.NOT_ON_BOARD: "Find a word that a way from tile to tile spells.",
    Rule.NOT_IN_LEXICON: "Find another word.",
}


def refused(rule: Rule, message: str) -> RuleError:
    """The error of a move that breaks a rule.

    Args:
        rule: which rule.
        message: what was tried, and what the rule says.
    """
    return RuleError(str(rule), message, _ADVICE[rule])
