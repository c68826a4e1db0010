"""The shakes of a tray, taken from what was read of it, and what they say of the shaker."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from firmware_host.errors import CommandError, nothing_found, unusable_file, wrong_use
from scoring.board import MISSING, Board, Face
from scoring.cubes import CubeSet, cube_set

if TYPE_CHECKING:
    from firmware_host.documents import Document
    from scoring.fairness.verdict import Finding

_NONE: Mapping[str, int] = MappingProxyType({})

REPEATED = "a board that was there before in the same turns"
IMPOSSIBLE = "faces that cannot be of the set"
"""Why shakes are left out."""

MOST_IMPOSSIBLE = 0.05
"""Share of shakes that may be misread; where it is more, the cubes are of another set."""

FEW = 2
"""Shakes that may be impossible however few there are in all."""

POOLED = ("repeats", "stays", "turns")
"""The tests that look at all cubes at once: they need the fewest shakes."""


@dataclass(frozen=True)
class Shake:
    """What lay in the tray after a shake.

    Attributes:
        faces: row by row.
        quarters: quarter turns of the prints against the rows, as ``faces``; None where unknown.
        edition: the cube set that was found, or None.
        rows: of the board.
        doubtful: faces that nobody has confirmed.
        named: the cube set was named, not found.
    """

    faces: tuple[Face, ...]
    quarters: tuple[int, ...] | None
    edition: str | None
    rows: int
    doubtful: int = 0
    named: bool = False


@dataclass(frozen=True)
class Report:
    """What the shakes of a tray say.

    Attributes:
        edition: the cubes in the tray.
        shakes: that were looked at.
        doubtful: faces among them that nobody has confirmed.
        left_out: shakes that were not looked at, by reason.
        findings: the tests, those of single cubes first.
    """

    edition: CubeSet
    shakes: int
    doubtful: int
    left_out: Counter[str] = field(default_factory=Counter)
    findings: tuple[Finding, ...] = ()

    @property
    def verdict(self) -> str:
        """``"unfair"``, ``"fair"`` as far as can be seen, or ``"too_few"`` shakes to say."""
        if any(finding.unfair for finding in self.findings):
            return "unfair"
        pooled = [finding for finding in self.findings if finding.test in POOLED]
        return "fair" if all(finding.enough for finding in pooled) else "too_few"


def shakes_of_lines(lines: Iterable[str], name: str) -> list[Shake]:
    """The shakes that ``read`` or ``roll`` printed with ``--json``; failures are left out.

    Args:
        lines: of the file.
        name: of the file, for errors.

    Raises:
        CommandError: a line is none of theirs.
    """
    shakes = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            shakes.extend(_shakes_of_line(line, f"line {number} of {name}"))
    return shakes


def _shakes_of_line(line: str, place: str) -> list[Shake]:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        raise _no_reading(place, "it is no JSON") from None
    if not isinstance(document, dict):
        raise _no_reading(place, "it is no object of JSON")
    if "error" in document:
        return []
    try:
        return [_shake(document)]
    except ValueError as error:
        raise _no_reading(place, str(error)) from None


def _shake(document: Mapping[str, object]) -> Shake:
    """The shake of a reading.

    Raises:
        ValueError: it is none, with the reason.
    """
    board = document.get("board")
    if not isinstance(board, str):
        raise ValueError("it has no board")  # noqa: TRY004 - one kind for all that it may lack
    parsed, edition = Board.parse(board), document.get("edition")
    if edition is not None and not isinstance(edition, str):
        raise ValueError("its edition is no name")
    doubtful = document.get("doubtful") or ()
    if not isinstance(doubtful, Sequence):
        raise ValueError("its doubtful cells are no list")  # noqa: TRY004 - as above
    quarters = _quarters(document.get("quarters"), parsed)
    return Shake(tuple(parsed), quarters, edition, parsed.rows, len(doubtful))


def _quarters(given: object, board: Board) -> tuple[int, ...] | None:
    if not given:
        return None
    rows = given if isinstance(given, list) else []
    turns = [turn for row in rows if isinstance(row, list) for turn in row]
    if len(turns) != len(tuple(board)) or not all(isinstance(turn, int) for turn in turns):
        raise ValueError("its quarters are no whole numbers, one a cell")
    return tuple(turn % 4 for turn in turns)


def _no_reading(place: str, why: str) -> CommandError:
    advice = "Give what `wordtray read PHOTO… --json` prints, a line a shake."
    return unusable_file("readings", f"{place} is no reading of a tray: {why}", advice)


def once(shakes: Iterable[Shake]) -> tuple[list[Shake], Counter[str]]:
    """Shakes of files, each once, and how many were given more than once.

    Chance does not shake the same board in the same turns again: that is a photo or a file that was
    given twice.
    """
    first: dict[tuple[object, object], Shake] = {}
    count = 0
    for count, shake in enumerate(shakes, start=1):  # noqa: B007 - it is used after the loop
        first.setdefault((shake.faces, shake.quarters), shake)
    return list(first.values()), +Counter({REPEATED: count - len(first)})


def report(
    shakes: Sequence[Shake], named: str | None = None, left_out_before: Mapping[str, int] = _NONE
) -> Report:
    """Judge the shaker.

    Args:
        shakes: in the order in which they were made.
        named: the cube set in the tray, or None for the one that most readings found.
        left_out_before: shakes that are not among them, by reason.

    Raises:
        CommandError: the set is not known or not that of the tray, or there are too few shakes.
        UnknownCubeSetError: there is no set of this name.
    """
    from scoring.fairness.verdict import FEWEST, judge

    edition = cube_set(named or _found_set(shakes))
    kept, left_out = _usable(shakes, edition)
    _check_set(edition, len(kept), left_out[IMPOSSIBLE])
    left_out += Counter(left_out_before)
    if len(kept) < FEWEST:
        message = f"{len(kept)} shakes with {edition.name} say nothing about a shaker"
        if left_out:
            message += f"; left out: {reasons(left_out)}"
        advice = f"Play on: it takes {FEWEST} to begin with, and some hundred to be sure."
        raise nothing_found("too_few_shakes", message, advice)
    quarters = [shake.quarters for shake in kept if shake.quarters]
    findings = judge(
        [shake.faces for shake in kept],
        edition,
        quarters if len(quarters) == len(kept) else None,
    )
    return Report(edition, len(kept), sum(one.doubtful for one in kept), left_out, findings)


def _found_set(shakes: Sequence[Shake]) -> str:
    found = Counter(shake.edition for shake in shakes if shake.edition)
    if not found:
        message = "no reading tells which cube set lies in the tray"
        raise wrong_use("cubes", message, "Name it, such as --cubes new_4x4.")
    return found.most_common(1)[0][0]


def _check_set(edition: CubeSet, kept: int, impossible: int) -> None:
    """See that the set is that of the tray: of another, what is left says nothing."""
    if impossible <= max(FEW, MOST_IMPOSSIBLE * (kept + impossible)):
        return
    raise wrong_use(
        "wrong_cubes",
        f"{impossible} of {kept + impossible} boards have faces that cannot be of {edition.name}: "
        "other cubes lie in the tray, or many faces were misread",
        "Name the set in the tray by --cubes, or read the photos again in better light.",
    )


def _usable(shakes: Sequence[Shake], edition: CubeSet) -> tuple[list[Shake], Counter[str]]:
    """The shakes of trays with all cubes of the set's size, and why the others are not."""
    kept, left_out = [], Counter[str]()
    for shake in shakes:
        if (shake.rows, len(shake.faces)) != (edition.rows, edition.rows * edition.cols):
            left_out["another size"] += 1
        elif shake.named and shake.edition != edition.name:
            left_out["another cube set"] += 1
        elif MISSING in shake.faces:
            left_out["a cube missing"] += 1
        elif edition.shortage(shake.faces):  # misread, or a cube of another set
            left_out[IMPOSSIBLE] += 1
        else:
            kept.append(shake)
    return kept, left_out


def reasons(left_out: Counter[str]) -> str:
    """Why shakes were left out, in words."""
    return ", ".join(f"{count} with {why}" for why, count in left_out.most_common())


def fairness_document(told: Report) -> Document:
    """The document of ``fairness``."""
    return {
        "verdict": told.verdict,
        "edition": told.edition.name,
        "shakes": told.shakes,
        "doubtful": told.doubtful,
        "left_out": dict(told.left_out),
        "tests": [
            {
                "test": finding.test,
                "cube": finding.subject or None,
                "what": finding.what or None,
                "seen": round(finding.seen, 4),
                "fair": round(finding.fair, 4),
                "p": float(f"{finding.p:.3g}"),
                "adjusted_p": float(f"{finding.adjusted_p:.3g}"),
                "unfair": finding.unfair,
                "shakes_needed": finding.needed,
            }
            for finding in told.findings
        ],
    }
