"""The shakes of a tray, taken from what was read of it, and what they say of the shaker."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from firmware_host.errors import nothing_found, unusable_file, wrong_use
from scoring.board import MISSING, Board, Face
from scoring.cubes import CubeSet, cube_set

if TYPE_CHECKING:
    from firmware_host.documents import Document
    from scoring.fairness.verdict import Finding

_NONE: Mapping[str, int] = MappingProxyType({})

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
        if "error" in document:
            return []
        board = Board.parse(document["board"])
        quarters = document.get("quarters")
        return [
            Shake(
                tuple(board),
                quarters and tuple(int(turn) % 4 for row in quarters for turn in row),
                document.get("edition"),
                board.rows,
                len(document.get("doubtful", ())),
            )
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"{place} is no reading of a tray: {type(error).__name__} {error}"
        advice = "Give what `wordtray read PHOTO… --json` prints, a line a shake."
        raise unusable_file("readings", message, advice) from None


def report(
    shakes: Sequence[Shake], named: str | None = None, left_out_before: Mapping[str, int] = _NONE
) -> Report:
    """Judge the shaker.

    Args:
        shakes: in the order in which they were made.
        named: the cube set in the tray, or None for the one that most readings found.
        left_out_before: shakes that are not among them, by reason.

    Raises:
        CommandError: the set is not known, or there are too few shakes.
        UnknownCubeSetError: there is no set of this name.
    """
    from scoring.fairness.verdict import FEWEST, judge

    edition = cube_set(named or _found_set(shakes))
    kept, left_out = _usable(shakes, edition)
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
            left_out["faces that cannot be of the set"] += 1
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
