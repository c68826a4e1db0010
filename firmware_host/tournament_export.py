"""What a tournament gives out, and the check of what it gave."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from firmware_host import lexicons
from firmware_host.errors import unusable_file, wrong_use
from scoring.lexicon import Lexicon, LexiconError
from scoring.tournament.document import event_document
from scoring.tournament.explain import value_text
from scoring.tournament.log import Log
from scoring.tournament.proof import Proof, verify
from scoring.tournament.standings import Standings

PAGES = ("standings", "pairings", "scores", "certificates")
"""What there is as pages to print."""


def exported(log: Log, ending: str, what: str) -> bytes:
    """A file of an event.

    Args:
        log: the event.
        ending: ``.json``, ``.csv`` or ``.pdf``.
        what: of a PDF, one of `PAGES`; of a table for spreadsheets, one of `TABLES`.

    Raises:
        CommandError: there is no such file, or no round has been drawn.
    """
    match ending:
        case ".json":
            return json.dumps(event_document(log), indent=1).encode() + b"\n"
        case ".csv":
            return _table(log, what)
        case ".pdf":
            return _pages(log, what)
    message = f"an event is not exported as {ending or 'a file without an ending'}"
    raise wrong_use("export_kind", message, "Give a name that ends in .json, .csv or .pdf.")


TABLES = ("standings", "pairings", "scores")
"""What there is for spreadsheets."""


def _table(log: Log, what: str) -> bytes:
    match what:
        case "standings":
            return standings_csv(log).encode()
        case "pairings":
            return _csv(["round", "table", "player"], _seats(log)).encode()
        case "scores":
            head = ["round", "board", "table", "player", "points", "entered"]
            return _csv(head, _scores(log)).encode()
    advice = f"Give one of {', '.join(TABLES)}, or a name that ends in .pdf."
    raise wrong_use("export_kind", f"there is no table of {what!r}", advice)


def _seats(log: Log) -> Iterator[list[object]]:
    """Who sits where, round by round; the table of who has a bye is 0."""
    for played in log.state.rounds:
        for table, players in played.tables.items():
            yield from ([played.number, table, _plain(name)] for name in players)
        yield from ([played.number, 0, _plain(name)] for name in sorted(played.byes))


def _scores(log: Log) -> Iterator[list[object]]:
    """Points of every board, and whether they were entered without a list."""
    for played in log.state.rounds:
        for (board, table), scores in sorted(played.scores.items()):
            for name, score in scores.items():
                entered = "yes" if score.entered else ""
                yield [played.number, board, table, _plain(name), score.points, entered]


def _csv(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(head)
    writer.writerows(rows)
    return target.getvalue()


def standings_csv(log: Log) -> str:
    """The standings of all divisions, a player a line, with the points of each round."""
    standings = Standings(log.plan, log.state)
    criteria = [str(each) for each in log.plan.ranking]
    numbers = [played.number for played in standings.rounds]
    head = ["division", "rank", "player", "team", *criteria, *(f"round {n}" for n in numbers)]
    return _csv(head, _ranks(log, standings, numbers))


def _ranks(log: Log, standings: Standings, numbers: Sequence[int]) -> Iterator[list[object]]:
    for division in log.plan.divisions:
        for each in standings.of(division):
            points = {line.round: line.points for line in each.lines}
            yield [
                division,
                each.rank,
                _plain(each.name),
                _plain(log.state.players[each.name].team),
                *(value_text(c, v) for c, v in each.values.items()),
                *(points.get(n, "") for n in numbers),
            ]


def check(data: bytes, file: Path, published: Collection[str], lexicon: str | None) -> Proof:
    """Check an exported event.

    Args:
        data: what ``export`` wrote.
        file: where it was.
        published: hashes that were made known.
        lexicon: the word list, by name or file; None is the one that the event names.

    Raises:
        CommandError: it is no JSON.
        LexiconError: the word list that was named is not there.
    """
    document = parsed(data, file)
    return verify(document, _words(document, lexicon), published)


def parsed(data: bytes, file: Path) -> Any:  # noqa: ANN401 - JSON
    """The document of an exported event.

    Raises:
        CommandError: it is no JSON.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        message = f"{file} is no JSON: {error}"
        raise unusable_file("event_file", message, "Give what export wrote.") from error


def _words(document: object, named: str | None) -> Lexicon | None:
    """The word list; None where the event names one that is not here."""
    if named is not None:
        return lexicons.load(named)
    setup = document.get("setup") if isinstance(document, dict) else None
    listed = setup.get("lexicon") if isinstance(setup, dict) else None
    try:
        return lexicons.load(listed) if isinstance(listed, str) else None
    except LexiconError:
        return None


def _pages(log: Log, what: str) -> bytes:
    from firmware_host import tournament_pdf as pdf

    match what:
        case "standings":
            return pdf.to_pdf(log, pdf.standings_sheets(log))
        case "scores":
            return pdf.to_pdf(log, pdf.score_sheets(log))
        case "certificates":
            return _certificates(log)
        case "pairings":
            if not log.state.rounds:
                raise wrong_use("round", "no round has been drawn", "Draw one, and then print it.")
            return pdf.to_pdf(log, pdf.pairings(log, len(log.state.rounds)))
    advice = f"Give one of {', '.join(PAGES)}."
    raise wrong_use("export_kind", f"there are no pages of {what!r}", advice)


def _certificates(log: Log) -> bytes:
    from firmware_host.tournament_certificates import certificates, to_pdf
    from firmware_host.tournament_pdf import HASH_DIGITS

    pages = certificates(log)
    if not pages:
        message = "nobody has a prize, or a place, so far"
        raise wrong_use("export_kind", message, "Enter the scores first.")
    return to_pdf(log, pages, HASH_DIGITS)


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
