"""The review of all tables: what is asked, who looks at what, and what was decided, in the base.

Several referees work at once. Each question is leased to one of them for a while, and is decided
once: whoever writes does so in turn, so that the first decision wins, in SQLite as in PostgreSQL.
With the decision its order to the tray is kept, or neither is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Join, Row, Select, delete, func, insert, select, update

from firmware_host.station.base import (
    Base,
    answer_of,
    claims,
    crops,
    decisions,
    order_row,
    orders,
    questions,
)
from firmware_host.station.queue import (
    Question,
    Said,
    checked,
    decision_order,
    in_order,
    undo_order,
    undo_prefix,
)
from firmware_host.station.wire import Answer, Outcome, read, told

LEASE_S = 45.0
"""Seconds for which a question is one referee's; the page renews it while it is looked at."""

FAILED = (str(Outcome.REFUSED), str(Outcome.LATE))

MOST_DECISIONS = 50
"""Decisions that are told again, the last ones."""


class ReviewError(Exception):
    """A question cannot be had, or decided.

    Attributes:
        kind: ``held``, ``decided``, ``gone`` or ``undo``.
        advice: what to do.
        by: of whom it is, or who has decided; empty where nobody at the desk has.
    """

    def __init__(self, kind: str, message: str, advice: str, by: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.advice = advice
        self.by = by


@dataclass(frozen=True)
class Looker:
    """Who looks at questions, and decides.

    Attributes:
        holder: of the session: two of the same name are two.
        name: as it is kept in the log.
    """

    holder: str
    name: str


@dataclass(frozen=True)
class Claim:
    """A lease of a question.

    Attributes:
        holder: of the session.
        by: who looks at it.
        until: when that ends, by the clock of the station.
    """

    holder: str
    by: str
    until: float


@dataclass(frozen=True)
class Decision:
    """What a referee said of a question.

    Attributes:
        question: what was asked.
        said: the answer.
        by: who.
        at: when, by the clock of the station.
        answer: what the tray said to it; None before.
        undo: what the tray said to the last order to take it back, perhaps None; empty where nobody
            has asked for that.
    """

    question: Question
    said: Said
    by: str
    at: float
    answer: Answer | None
    undo: tuple[Answer | None, ...] = ()


@dataclass(frozen=True)
class Standing:
    """How an open question stands.

    Attributes:
        question: the question.
        claim: whose it is at the moment; None where it is nobody's.
        decision: what was said, and is on its way to the tray; None where nothing was.
        crop: SHA-256 of its picture; empty where the tray has none, None where it has not come.
    """

    question: Question
    claim: Claim | None
    decision: Decision | None
    crop: str | None


@dataclass(frozen=True)
class Stamp:
    """What changes of an open question.

    Attributes:
        id: of the question.
        looker: who looks at it.
        decided: the order of its decision, and what became of that; None before.
        crop: as of `Standing`.
    """

    id: str
    looker: str | None
    decided: str | None
    crop: str | None

    @property
    def waits(self) -> bool:
        """Whether nobody has decided it."""
        return self.decided is None


@dataclass(frozen=True)
class Picture:
    """A picture of a question.

    Attributes:
        question: its id.
        tray: where it lay.
        log_round: number of the round in the log of that tray.
        jpeg: the file; empty where there is none.
    """

    question: str
    tray: str
    log_round: int
    jpeg: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the file; empty where there is none."""
        return hashlib.sha256(self.jpeg).hexdigest() if self.jpeg else ""


class Review:
    """The review in a base.

    Args:
        base: open.
    """

    def __init__(self, base: Base) -> None:
        self._base = base

    # For the station

    def ask(self, asked: Mapping[str, Sequence[Question]], rounds: Mapping[str, int]) -> None:
        """Keep what is open at some trays, and forget pictures of rounds that are over.

        Args:
            asked: all that is open, by tray.
            rounds: of the same trays: the number of the round in the log; 0 where none is on.

        Raises:
            StorageError: it cannot be kept.
        """
        rows = [
            {"id": each.id, "tray": tray, "document": told(each).decode()}
            for tray, held in asked.items()
            for each in held
        ]
        with self._base.in_turn() as connection:
            connection.execute(delete(questions).where(questions.c.tray.in_(list(asked))))
            if rows:
                connection.execute(insert(questions), rows)
            for tray, round_ in rounds.items():
                over = (crops.c.tray == tray) & (crops.c.round != round_)
                connection.execute(delete(crops).where(over))
            open_ = select(questions.c.id)
            connection.execute(delete(claims).where(claims.c.question.not_in(open_)))

    def asked(self) -> dict[str, tuple[Question, ...]]:
        """All that is open, by tray, the most urgent first."""
        with self._base.reading() as connection:
            rows = connection.execute(select(questions)).all()
        found: dict[str, list[Question]] = {}
        for row in rows:
            found.setdefault(row.tray, []).append(_question(row))
        return {tray: in_order(held) for tray, held in found.items()}

    def pictured(self) -> set[str]:
        """Ids of the questions whose pictures are there."""
        with self._base.reading() as connection:
            return set(connection.execute(select(crops.c.question)).scalars())

    def keep(self, pictures: Iterable[Picture]) -> None:
        """Keep pictures; one that is there already stays.

        Raises:
            StorageError: they cannot be kept.
        """
        with self._base.in_turn() as connection:
            known = set(connection.execute(select(crops.c.question)).scalars())
            new = {each.question: each for each in pictures if each.question not in known}
            rows = [
                {
                    "question": each.question,
                    "tray": each.tray,
                    "round": each.log_round,
                    "digest": each.digest,
                    "jpeg": each.jpeg,
                }
                for each in new.values()
            ]
            if rows:
                connection.execute(insert(crops), rows)

    def give_again(self, before: float, now: float) -> int:
        """Order once more what a tray did not carry out and is open still; gives how many.

        Args:
            before: only what was answered before.
            now: by the clock of the station.

        Raises:
            StorageError: it cannot be kept.
        """
        failed = orders.c.outcome.in_(FAILED) & (orders.c.answered < before)
        with self._base.in_turn() as connection:
            rows = connection.execute(_standings().where(failed)).all()
            for row in rows:
                _order_again(connection, row, now)
        return len(rows)

    # For the desk

    def standings(self, now: float) -> list[Standing]:
        """All that is open, the most urgent first.

        Args:
            now: by the clock of the station.
        """
        with self._base.reading() as connection:
            rows = connection.execute(_standings()).all()
        found = [_standing(row, now) for row in rows]
        return sorted(found, key=lambda standing: standing.question.urgency)

    def stamps(self, now: float) -> list[Stamp]:
        """What changes of each open question, without reading the questions themselves."""
        chosen = (
            select(
                questions.c.id,
                claims.c.by,
                claims.c.until,
                decisions.c.order,
                orders.c.outcome,
                crops.c.digest,
            )
            .select_from(_open())
            .order_by(questions.c.id)
        )
        with self._base.reading() as connection:
            rows = connection.execute(chosen).all()
        return [
            Stamp(
                row.id,
                row.by if row.until is not None and row.until > now else None,
                f"{row.order} {row.outcome}" if row.order else None,
                row.digest,
            )
            for row in rows
        ]

    def answered(self) -> int:
        """How many orders of the review have become something: another number tells of news."""
        final = orders.c.outcome.not_in(["", str(Outcome.PLANNED)])
        of_review = select(func.count()).select_from(orders).where(final, orders.c.about != "")
        with self._base.reading() as connection:
            return int(connection.execute(of_review).scalar_one())

    def decided(self) -> list[Decision]:
        """The last decisions, the newest first."""
        with self._base.reading() as connection:
            rows = connection.execute(_decisions().limit(MOST_DECISIONS)).all()
            undone = {row.question: _undos(connection, row.question)[-1:] for row in rows}
        return [replace(_decision(row, _question(row)), undo=undone[row.question]) for row in rows]

    def picture(self, id_: str) -> bytes | None:
        """The picture of a question as JPEG; None where there is none."""
        with self._base.reading() as connection:
            chosen = select(crops.c.jpeg).where(crops.c.question == id_)
            return connection.execute(chosen).scalar_one_or_none() or None

    def claim(self, id_: str, who: Looker, now: float) -> Standing:
        """Lease a question, or lease it for longer; what somebody leased before is let go.

        Raises:
            ReviewError: it is another's, decided, or open no more.
            StorageError: it cannot be kept.
        """
        with self._base.in_turn() as connection:
            standing = _free(connection, id_, who, now)
            return _leased(connection, standing, who, now)

    def claim_next(self, who: Looker, now: float, skipped: Collection[str] = ()) -> Standing | None:
        """Lease the most urgent question that is nobody's; None where there is none.

        Args:
            who: for whom.
            now: by the clock of the station.
            skipped: ids of those that are not wanted now.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._base.in_turn() as connection:
            found = [_standing(row, now) for row in connection.execute(_standings())]
            free = [
                standing
                for standing in found
                if standing.decision is None
                and standing.question.id not in skipped
                and (standing.claim is None or standing.claim.holder == who.holder)
            ]
            if not free:
                return None
            first = min(free, key=lambda standing: standing.question.urgency)
            return _leased(connection, first, who, now)

    def release(self, who: Looker) -> None:
        """Let go of what somebody has leased.

        Raises:
            StorageError: it cannot be kept.
        """
        with self._base.in_turn() as connection:
            connection.execute(delete(claims).where(claims.c.holder == who.holder))

    def decide(self, id_: str, who: Looker, said: Said, now: float) -> Decision:
        """Decide a question, and have its tray ordered so; the first decision wins.

        Args:
            id_: of the question.
            who: decides.
            said: the answer.
            now: by the clock of the station.

        Raises:
            SaidError: that cannot be an answer to it.
            ReviewError: it is another's, decided, or open no more.
            StorageError: it cannot be kept.
        """
        with self._base.in_turn() as connection:
            question = _free(connection, id_, who, now).question
            said = checked(question, said)
            given = decision_order(question, said, who.name, now)
            connection.execute(insert(orders), [order_row(question.tray, given, now)])
            row = {
                "question": id_,
                "document": told(question).decode(),
                "text": said.text,
                "struck": said.struck,
                "by": who.name,
                "at": now,
                "tries": 0,
                "order": given.id,
            }
            connection.execute(insert(decisions), [row])
            connection.execute(delete(claims).where(claims.c.question == id_))
        return Decision(question, said, who.name, now, None)

    def undo(self, id_: str, who: Looker, now: float) -> str:
        """Have a decision taken back, where the rules of its table let; gives the id of the order.

        Args:
            id_: of the question.
            who: takes it back.
            now: by the clock of the station.

        Raises:
            ReviewError: kind ``undo``: there is none that was carried out, or that is on its way.
            StorageError: it cannot be kept.
        """
        with self._base.in_turn() as connection:
            question = _carried_out(connection, id_)
            before = _undos(connection, id_)
            if any(answer is None or answer.outcome in _STANDS for answer in before):
                raise ReviewError("undo", "it is being taken back, or was", "Wait.")
            given = undo_order(question, who.name, now, len(before))
            connection.execute(insert(orders), [order_row(question.tray, given, now)])
        return given.id


_STANDS = frozenset({Outcome.PLANNED, Outcome.DONE})

_OF_ORDER = (orders.c.id, orders.c.outcome, orders.c.why, orders.c.answered)


def _open() -> Join:
    """Every open question with its lease, its decision, the order of that, and its picture."""
    return (
        questions.outerjoin(claims, claims.c.question == questions.c.id)
        .outerjoin(crops, crops.c.question == questions.c.id)
        .outerjoin(decisions, decisions.c.question == questions.c.id)
        .outerjoin(orders, orders.c.id == decisions.c.order)
    )


def _standings() -> Select[Any]:
    """What a `Standing` is made of."""
    return select(
        questions.c.document,
        claims.c.holder,
        claims.c.by.label("looker"),
        claims.c.until,
        crops.c.digest,
        decisions.c.text,
        decisions.c.struck,
        decisions.c.by,
        decisions.c.at,
        decisions.c.tries,
        *_OF_ORDER,
    ).select_from(_open())


def _decisions() -> Select[Any]:
    """Decisions with what became of them, the newest first."""
    return (
        select(decisions, *_OF_ORDER)
        .join(orders, orders.c.id == decisions.c.order)
        .order_by(decisions.c.at.desc(), decisions.c.question)
    )


def _undos(connection: Connection, id_: str) -> tuple[Answer | None, ...]:
    """What became of the orders to take a decision back, the first one first."""
    of_it = orders.c.id.startswith(undo_prefix(id_), autoescape=True)
    chosen: Select[Any] = select(*_OF_ORDER).where(of_it).order_by(orders.c.number)
    return tuple(answer_of(row) for row in connection.execute(chosen))


def _question(row: Row[Any]) -> Question:
    return read(Question, row.document.encode())


def _standing(row: Row[Any], now: float) -> Standing:
    question = _question(row)
    claim = None
    if row.holder is not None and row.until > now:
        claim = Claim(row.holder, row.looker, row.until)
    decision = None if row.by is None else _decision(row, question)
    return Standing(question, claim, decision, row.digest)


def _decision(row: Row[Any], question: Question) -> Decision:
    return Decision(question, Said(row.text, row.struck), row.by, row.at, answer_of(row))


def _free(connection: Connection, id_: str, who: Looker, now: float) -> Standing:
    """A question that this referee may have.

    Raises:
        ReviewError: it is none.
    """
    row = connection.execute(_standings().where(questions.c.id == id_)).one_or_none()
    if row is None:
        raise _closed(connection, id_)
    standing = _standing(row, now)
    if standing.decision is not None:
        raise _decided_before(standing.decision.by, standing.decision.said)
    if standing.claim is not None and standing.claim.holder != who.holder:
        by = standing.claim.by
        raise ReviewError("held", f"{by} is looking at it", "Take another one.", by)
    return standing


def _closed(connection: Connection, id_: str) -> ReviewError:
    decided = connection.execute(select(decisions).where(decisions.c.question == id_)).one_or_none()
    if decided is not None:
        return _decided_before(decided.by, Said(decided.text, decided.struck))
    message = "it is not asked any more: it was settled at its table, or its round is over"
    return ReviewError("gone", message, "Take another one.")


def _decided_before(by: str, said: Said) -> ReviewError:
    what = f"{said.text} is crossed out" if said.struck else f"it is {said.text}"
    return ReviewError("decided", f"{by} has decided: {what}", "Take another one.", by)


def _leased(connection: Connection, standing: Standing, who: Looker, now: float) -> Standing:
    id_, until = standing.question.id, now + LEASE_S
    old = (claims.c.holder == who.holder) | (claims.c.question == id_)
    connection.execute(delete(claims).where(old))
    row = {"question": id_, "holder": who.holder, "by": who.name, "until": until}
    connection.execute(insert(claims), [row])
    claim = Claim(who.holder, who.name, until)
    return Standing(standing.question, claim, standing.decision, standing.crop)


def _order_again(connection: Connection, row: Row[Any], now: float) -> None:
    question, said, tries = _question(row), Said(row.text, row.struck), row.tries + 1
    given = decision_order(question, said, row.by, now, tries)
    connection.execute(insert(orders), [order_row(question.tray, given, now)])
    connection.execute(
        update(decisions)
        .where(decisions.c.question == question.id)
        .values(tries=tries, order=given.id)
    )


def _carried_out(connection: Connection, id_: str) -> Question:
    row = connection.execute(_decisions().where(decisions.c.question == id_)).one_or_none()
    if row is None:
        raise ReviewError("undo", "nobody at the desk has decided that", "See the decisions.")
    if row.outcome != str(Outcome.DONE):
        message = "its table has not carried it out"
        raise ReviewError("undo", message, "Wait until it has; else nothing is to be taken back.")
    return _question(row)
