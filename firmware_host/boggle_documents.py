"""The JSON documents of ``match``; extend them, never change what is there."""

from __future__ import annotations

from typing import Any

from firmware_host.boggle import BoggleMatch, rules_of
from firmware_host.documents import result_document
from scoring.boggle.match import Boggle, explain_winner
from scoring.boggle.state import Challenge, Round, Standing, State

Document = dict[str, Any]


def state_document(name: str, match: BoggleMatch, now: float) -> Document:
    """Where a match stands."""
    rules, state = rules_of(match), match.state
    plan = rules.plan
    return {
        "match": name,
        "game": plan.game.name,
        "base": plan.base,
        "title": plan.game.title,
        "lexicon": rules.lexicon.name,
        "players": list(plan.players),
        "handicaps": dict(plan.seating.handicaps),
        "target": plan.target,
        "rounds": plan.rounds,
        "events": len(match.events),
        "played": sum(played.result is not None for played in state.rounds),
        "round": _open_round(rules, state, now),
        "standings": [_standing(side) for side in state.standings],
        "over": state.over,
        "winners": list(state.winners),
    }


def ended_document(match: BoggleMatch) -> list[Document]:
    """The results of the rounds that are ended, word by word."""
    rules = rules_of(match)
    return [
        {
            "round": played.number,
            **result_document(played.result, rules.lexicon),
            "challenges": [_challenge(each) for each in played.challenges],
        }
        for played in match.state.rounds
        if played.result is not None
    ]


def explained_document(match: BoggleMatch) -> Document:
    """Every word of every round, and what decided the match."""
    return {"sheet": ended_document(match), "decided": explain_winner(match.state)}


def _open_round(rules: Boggle, state: State, now: float) -> Document | None:
    played = state.open_round
    if played is None:
        return None
    missing = rules.missing(played, now)
    return {
        "number": played.number,
        "board": str(played.board),
        "seconds_left": _seconds_left(played, now),
        "last_chance": played.last_chance,
        "agreed": list(played.agreed),
        "missing": list(missing),
        "reader": None if missing else rules.reader(played),
        "read": list(played.read),
        "struck_out": [
            {"player": out.player, "word": out.word, "reason": out.reason}
            for out in rules.strike_outs(played)
        ],
        "challenges": [_challenge(each) for each in played.challenges],
    }


def _seconds_left(played: Round, now: float) -> float | None:
    return None if played.deadline is None else round(max(0.0, played.deadline - now), 1)


def _challenge(challenge: Challenge) -> Document:
    return {
        "word": challenge.word,
        "of": challenge.of,
        "by": challenge.by,
        "upheld": challenge.upheld,
    }


def _standing(side: Standing) -> Document:
    return {
        "name": side.name,
        "members": list(side.members),
        "by_round": list(side.points),
        "points": side.total,
    }
