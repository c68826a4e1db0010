"""The station's part of the review: what is open at the tables goes into the base, with pictures.

Questions follow from the rounds of the tables. Their pictures lie at the trays, and are asked for a
few at a time until they are there; what no question asks for is not taken.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware_host.rounds import Phase
from firmware_host.station.folding import Fold
from firmware_host.station.queue import Question, questions_of
from firmware_host.station.review import Picture, Review
from firmware_host.station.wire import (
    LARGEST_CROP,
    LARGEST_CROP_MESSAGE,
    MOST_WANTED,
    Crop,
    Detail,
    Wanted,
    WireError,
    read,
)

WANT_S = 5.0
"""Seconds after which pictures that have not come are asked for again."""

AGAIN_S = 5.0
"""Seconds after which a decision that a tray did not carry out is ordered again."""

LONGEST_SIDE = 2000
"""Pixels of a picture's side at most."""


@dataclass
class _Table:
    """What is known of a tray.

    Attributes:
        fold: its last round, as it was looked at; None before.
        round: number of that round in its log; 0 where none is on.
        open: the questions that are in the base.
        awaited: details whose pictures were asked for.
        want_at: when pictures are asked for next.
    """

    fold: Fold | None = None
    round: int = 0
    open: tuple[Question, ...] = ()
    awaited: set[Detail] = field(default_factory=set)
    want_at: float = 0.0

    def after(self, tray: str, fold: Fold) -> _Table:
        """As it is when its round has gone on."""
        open_ = questions_of(tray, fold)
        awaited = self.awaited & {each.detail for each in open_}
        return _Table(fold, _round_of(fold), open_, awaited, self.want_at if awaited else 0.0)


class Reviewing:
    """Keeps the review of all tables; for the station's thread.

    Args:
        review: where it is kept.
        say: says to a tray what is wanted of it; whether that was taken.
    """

    def __init__(self, review: Review, say: Callable[[str, Wanted], bool]) -> None:
        self._review = review
        self._say = say
        self._tables = {tray: _Table(open=held) for tray, held in review.asked().items()}
        self._pictured = review.pictured()
        self._came: dict[str, Picture] = {}
        self._again_at = 0.0

    def hear(self, tray: str, payload: bytes) -> None:
        """A picture comes from a tray; it is taken where it is asked for.

        Raises:
            WireError: it is none.
        """
        if len(payload) > LARGEST_CROP_MESSAGE:
            raise WireError("it is too large for a crop")
        crop = read(Crop, payload)
        table = self._tables.get(tray, _Table())
        asked = {each.detail: each for each in table.open}.get(crop.detail)
        if asked is None or asked.id in self._pictured:
            return
        self._came[asked.id] = Picture(asked.id, tray, asked.log_round, jpeg_of(crop.jpeg))
        table.awaited.discard(crop.detail)
        if not table.awaited:
            table.want_at = 0.0

    def turn(self, folds: Mapping[str, Fold], now: float) -> None:
        """Do all that is to be done now.

        Args:
            folds: the last round of each tray.
            now: by the clock of the station.

        Raises:
            StorageError: it cannot be kept; nothing is lost by that.
        """
        self._keep()
        self._look(folds)
        self._want(now)
        if now >= self._again_at:
            self._review.give_again(now - AGAIN_S, now)
            self._again_at = now + AGAIN_S

    def _keep(self) -> None:
        if self._came:
            self._review.keep(self._came.values())
            self._pictured |= set(self._came)
            self._came = {}

    def _look(self, folds: Mapping[str, Fold]) -> None:
        """Have in the base what is open now, where a round has gone on."""
        changed: dict[str, _Table] = {}
        for tray, fold in folds.items():
            table = self._tables.setdefault(tray, _Table())
            if table.fold is fold:
                continue
            seen = table.after(tray, fold)
            if (seen.open, seen.round) != (table.open, table.round):
                changed[tray] = seen
            else:
                table.fold = fold
        if changed:
            asked = {tray: table.open for tray, table in changed.items()}
            rounds = {tray: table.round for tray, table in changed.items()}
            self._review.ask(asked, rounds)
            self._tables |= changed

    def _want(self, now: float) -> None:
        for tray, table in self._tables.items():
            if not table.open or now < table.want_at:
                continue
            lacking = [each.detail for each in table.open if each.id not in self._pictured]
            wanted = tuple(lacking[:MOST_WANTED])
            if wanted and self._say(tray, Wanted(wanted)):
                table.awaited = set(wanted)
                table.want_at = now + WANT_S


def jpeg_of(text: str) -> bytes:
    """The file of a crop, looked at as far as its head.

    Raises:
        WireError: it is none, or too large.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise WireError(f"no crop: {error}") from error
    if len(data) > LARGEST_CROP:
        raise WireError("it is too large for a crop")
    if data:
        _check_jpeg(data)
    return data


def _check_jpeg(data: bytes) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            longest = max(picture.size)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise WireError("no crop: it is no JPEG") from error
    if longest > LONGEST_SIDE:
        raise WireError(f"no crop: it has {longest} pixels on a side")


def _round_of(fold: Fold) -> int:
    """The round that pictures are kept for; none where it was given up."""
    over = fold.state is None or fold.state.phase is Phase.CANCELLED
    return 0 if over else fold.round
