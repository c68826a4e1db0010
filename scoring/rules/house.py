"""House rules: a game of the rule books with some of its values changed.

The values come as sections of keys, as TOML has them; ``docs/house-rules.md`` explains each. A key
that is not known, of another type or out of bounds is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.encoding import TextError
from scoring.rules import games
from scoring.rules.conduct import Cancelling, Check, Penalty
from scoring.rules.game import Game
from scoring.timer import LONGEST_TIMER_S
from scoring.trie import LONGEST_WORD

Sections = Mapping[str, Any]

NAME = "house"
"""What results call a game whose values were changed."""

MOST_POINTS = 1000
SHORTEST_TIMER_S = 5
MOST_FREE = 100
HIGHEST_TARGET = 100_000
LONGEST_TITLE = 60


class HouseRulesError(TextError):
    """House rules name something unknown, or a value out of its bounds."""


@dataclass(frozen=True)
class _Whole:
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int

    def allows(self, value: object) -> bool:
        return isinstance(value, int) and _is_whole(value) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True)
class _OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def allows(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return " or ".join(f'"{word}"' for word in self.words)


@dataclass(frozen=True)
class _Text:
    """Some text of at most so many characters."""

    most: int

    def allows(self, value: object) -> bool:
        return isinstance(value, str) and 0 < len(value.strip()) <= self.most

    def __str__(self) -> str:
        return f"a text of 1 to {self.most} characters"


@dataclass(frozen=True)
class _Either:
    """A number or a word."""

    number: _Whole
    word: _OneOf

    def allows(self, value: object) -> bool:
        return self.number.allows(value) or self.word.allows(value)

    def __str__(self) -> str:
        return f"{self.number}, or {self.word}"


_Kind = _Whole | _OneOf | _Text | _Either

_LETTERS = _Whole(1, LONGEST_WORD)
_LENGTHS = tuple(map(str, range(1, LONGEST_WORD + 1)))
"""Keys for a number of letters: no two for the same number, as 3 and 03 would be."""
_POINTS = _Whole(0, MOST_POINTS)
_KEYS: Mapping[str, Mapping[str, _Kind]] = {
    "game": {
        "base": _OneOf(tuple(game.name for game in games() if not game.letter_values)),
        "title": _Text(LONGEST_TITLE),
    },
    "words": {"min_letters": _LETTERS, "handicap_min_letters": _LETTERS},
    "points": {"per_letter_from": _LETTERS, "per_letter": _POINTS},
    "timer": {"seconds": _Whole(SHORTEST_TIMER_S, LONGEST_TIMER_S)},
    "cancelling": {"rule": _OneOf(tuple(Cancelling))},
    "challenge": {
        "check": _OneOf(tuple(Check)),
        "penalty": _Either(_POINTS, _OneOf(("word",))),
        "free_errors": _Whole(0, MOST_FREE),
        "charge": _OneOf(("challenged", "rejected")),
    },
    "match": {"target": _Whole(1, HIGHEST_TARGET)},
}


def shortened(value: object) -> str:
    """A key or value as it was written; its beginning where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return "too long to be shown"
    return text if len(text) <= LONGEST_TITLE + 2 else f"{text[:LONGEST_TITLE]}…"


def base_name(sections: Sections) -> str | None:
    """Name of the game that house rules begin with, if they name one.

    Raises:
        HouseRulesError: they are not sound.
    """
    _check(sections)
    base: str | None = sections.get("game", {}).get("base")
    return base


def house_game(sections: Sections, base: Game) -> Game:
    """The game that house rules make of another; that game itself where they change nothing.

    Raises:
        HouseRulesError: a section or key is unknown, or a value out of its bounds.

    Example:
        >>> from scoring.rules import game
        >>> ours = house_game({"words": {"min_letters": 5}}, game("boggle"))
        >>> ours.name, ours.points("team"), ours.points("teams")
        ('house', 0, 2)
    """
    _check(sections)
    changed = base
    for section, change in _CHANGES.items():
        if section in sections:
            changed = change(changed, sections[section])
    if changed == base:
        return base
    _check_together(changed)
    title = sections.get("game", {}).get("title", f"{base.title} by house rules")
    return replace(changed, name=NAME, title=title)


def _with_title(game: Game, keys: Mapping[str, Any]) -> Game:
    return replace(game, title=keys.get("title", game.title))


def _with_words(game: Game, keys: Mapping[str, Any]) -> Game:
    usual = keys.get("min_letters", game.shortest)
    old = usual if game.usual_length is None else min(game.min_length, usual)
    least = keys.get("handicap_min_letters", old)
    if least > usual:
        raise _refused(
            "words",
            "handicap_min_letters",
            f"is {least}, more than the {usual} of players without a handicap",
        )
    usual_length = usual if least < usual else None
    return replace(game, min_length=least, usual_length=usual_length, as_tray=False)


def _with_points(game: Game, keys: Mapping[str, Any]) -> Game:
    table = tuple(sorted((int(key), points) for key, points in keys.items() if key.isdecimal()))
    given = ("per_letter_from" in keys) + ("per_letter" in keys)
    if given == 1:
        missing = "per_letter" if "per_letter_from" in keys else "per_letter_from"
        raise _refused("points", missing, "is missing: per_letter and per_letter_from go together")
    per_letter = (keys["per_letter_from"], keys["per_letter"]) if given else None
    if not table:
        return replace(game, per_letter=per_letter or game.per_letter, as_tray=False)
    return replace(game, table=table, per_letter=per_letter, as_tray=False)


def _with_timer(game: Game, keys: Mapping[str, Any]) -> Game:
    return replace(game, timer_s=keys.get("seconds", game.timer_s), as_tray=False)


def _with_cancelling(game: Game, keys: Mapping[str, Any]) -> Game:
    rule = Cancelling(keys.get("rule", game.conduct.cancelling))
    return replace(game, conduct=replace(game.conduct, cancelling=rule))


def _with_challenge(game: Game, keys: Mapping[str, Any]) -> Game:
    old = game.conduct.penalty
    points = keys.get("penalty", old.points)
    penalty = Penalty(
        None if points == "word" else points,
        keys.get("free_errors", old.free),
        keys["charge"] == "rejected" if "charge" in keys else old.every_rejected,
    )
    check = Check(keys.get("check", game.conduct.check))
    return replace(game, conduct=replace(game.conduct, check=check, penalty=penalty))


def _with_target(game: Game, keys: Mapping[str, Any]) -> Game:
    target = keys.get("target", game.conduct.target)
    return replace(game, conduct=replace(game.conduct, target=target))


_CHANGES: Mapping[str, Callable[[Game, Mapping[str, Any]], Game]] = {
    "game": _with_title,
    "words": _with_words,
    "points": _with_points,
    "timer": _with_timer,
    "cancelling": _with_cancelling,
    "challenge": _with_challenge,
    "match": _with_target,
}


def _check(sections: Sections) -> None:
    for section, keys in sections.items():
        if section not in _KEYS:
            raise HouseRulesError(
                f"house rules have no section [{section}]",
                f"The sections are {', '.join(f'[{known}]' for known in _KEYS)}.",
            )
        if not isinstance(keys, Mapping):
            raise HouseRulesError(
                f"{section} is a section of house rules, not a value",
                f"Write [{section}] on a line of its own, and its keys below.",
            )
        for key, value in keys.items():
            _check_key(section, key, value)


def _check_key(section: str, key: str, value: object) -> None:
    kind = _KEYS[section].get(key)
    if section == "points" and key in _LENGTHS:
        kind = _POINTS
    elif section == "points" and key.isdecimal():
        raise _refused(section, shortened(key), f"is no number of letters: {_LETTERS}, as 3")
    if kind is None:
        counts = ["a number of letters such as 3"] if section == "points" else []
        known = ", ".join([*counts, *_KEYS[section]])
        raise HouseRulesError(
            f"house rules have no key {shortened(key)} in [{section}]", f"Its keys are {known}."
        )
    if not kind.allows(value):
        raise _refused(section, key, f"is {shortened(value)}, and must be {kind}")


def _check_together(game: Game) -> None:
    """See that every word that counts has points."""
    starts = [letters for letters, _ in game.table]
    if game.per_letter is not None:
        starts.append(game.per_letter[0])
    if min(starts) > game.min_length:
        raise HouseRulesError(
            f"[points] begin at {min(starts)} letters, and words of {game.min_length} letters "
            "count by [words]",
            f"Say under [points] what {game.min_length} letters get: {game.min_length} = 1.",
        )


def _refused(section: str, key: str, what: str) -> HouseRulesError:
    return HouseRulesError(f"[{section}] {key} {what}", "Mend this line of the house rules.")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
