"""A tray in a stream of frames: where it lies, whether it rests, and its letters as they settle.

`LiveReader.step` takes one frame after the other; it keeps no time and holds no camera. A tray is
located once and then followed. Each cell is compared with what it looked like before: only one that
has changed and come to rest is read anew, and only a few in a frame, so that a frame takes no
longer than others. What was seen of a cell in several frames is joined by `vision.fuse`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board import BLANK, MISSING, Cell, Face
from scoring.cubes import CubeSet
from vision.confirm import ScoredTray
from vision.errors import NoTrayError
from vision.flatness import WINDOW_PX, FlatnessNet, Pose
from vision.fuse import fused, fused_turns
from vision.hand import View, covered_cells, is_alike, view
from vision.lattice import apply
from vision.locate import LocatedTray
from vision.reading import FaceReading, TrayReading
from vision.rectify import CELL_PX, CROP_PX, RING, cells_of
from vision.track import Track, anchored, follow, renewed
from vision.tray import FindingClassifier, FoundTray, decoded_tray, find_trays

REST_S = 0.5
"""Seconds without any motion, from which a tray is at rest."""

CALM_S = 0.25
"""Seconds without motion, even of a hand, from which what a tray looks like is noted."""

LOOKS = 4
"""Frames in which a cell at rest is read; more would say the same again."""

LOOK_EVERY_S = 0.1
"""Seconds between two looks at a cell at least, for the noise to be another."""

MOST_READ = 12
"""Cells read in one frame, at most: it bounds the time that a frame takes."""

SEEK_EVERY_S = 0.5
"""Seconds between two searches of a whole frame for a tray."""

FORGET_S = 2.0
"""Seconds after which a tray that is lost is forgotten."""

RESTLESS_S = 2.0
"""Seconds without rest, after which a whole frame is searched for the tray that is followed."""

RENEW_S = 1.5
"""Seconds of rest with every cell read, after which what lies around the tray belongs there."""

AGAIN_S = 2.0
"""Seconds after which a cell at rest is looked at again all the same, lest a change was missed."""

_PRINT = slice(CROP_PX // 4, -CROP_PX // 4)  # of a crop: the cube around it is the same for all
_SMALL = 12  # pixels a side of the copy of a print that is compared
_FLAT = 6.0  # grey levels added to its contrast, so that noise on a plain one is no change
_CHANGED = 0.35  # of its contrast
_MOVES = 0.06  # cells a frame that a corner moves: less is a camera held by hand
_FAST = 0.15  # cells a frame: from here on the picture is smeared and nothing is read
_SAME_PLACE = 0.2  # cells by which a corner lies off, at most
_MORE_HIDDEN = 1  # cubes by which two looks at a tray in view may differ
_SURE = 0.9  # probability from which what covers a cell is a cube


class Phase(StrEnum):
    """What a tray is doing."""

    SEEKING = "seeking"
    """No tray is in view."""
    MOVING = "moving"
    """Tray, camera or cubes move, or have done so a moment ago."""
    HAND = "hand"
    """Something reaches over the tray."""
    STILL = "still"
    """At rest; not yet all is read, or not all cubes are seen to lie flat."""
    COCKED = "cocked"
    """At rest, but a cube does not lie flat."""
    FLAT = "flat"
    """At rest, and every cube was seen to lie flat."""


@dataclass(frozen=True, eq=False)
class CellState:
    """What is known of one cell.

    Attributes:
        latest: (12, 12), float32, what it looks like in the latest frame.
        since: seconds; it has looked like that since then.
        shown: the like of ``latest`` that was read, or None before.
        looks: (labels,) each, what was read.
        turns: degrees, of each look.
        looked: seconds, when it was last read.
        pose: how its cube lies, or None before that was judged.
        covered: something lies over it.
    """

    latest: NDArray[np.float32]
    since: float
    shown: NDArray[np.float32] | None = None
    looks: tuple[NDArray[np.float64], ...] = ()
    turns: tuple[float, ...] = ()
    looked: float = -np.inf
    pose: Pose | None = None
    covered: bool = False

    @property
    def is_as_read(self) -> bool:
        """Whether it still looks as when it was read."""
        return self.shown is not None and not _differs(self.shown, self.latest)

    @property
    def is_shown(self) -> bool:
        """Whether it was read as it looks now, and nothing lies over it."""
        return bool(self.looks) and self.is_as_read and not self.covered


@dataclass(frozen=True, eq=False)
class Live:
    """What is known after the latest frame.

    Attributes:
        phase: what the tray is doing.
        track: where it lies, or None where none is in view.
        cells: row by row; empty without a track.
        before: the tray with its surroundings, without a hand over it.
        around: the same in the latest frame.
        calm_since: seconds; nothing has moved there since then, nor a hand.
        anchored: seconds; when the track began, or was renewed.
        seen: seconds; when the tray was last in view.
        sought: seconds; when a whole frame was last searched.
        rest_since: seconds; there was no motion since then.
        rested: seconds; when the tray was last at rest, or found.
        shape: (height, width, 3) of the latest frame.
    """

    phase: Phase = Phase.SEEKING
    track: Track | None = None
    cells: tuple[CellState, ...] = ()
    before: View | None = None
    around: View | None = None
    calm_since: float = np.inf
    anchored: float = -np.inf
    seen: float = -np.inf
    sought: float = -np.inf
    rest_since: float = np.inf
    rested: float = -np.inf
    shape: tuple[int, ...] = ()

    @property
    def cocked(self) -> tuple[Cell, ...]:
        """Cells whose cube is cocked, row by row; only at rest."""
        if self.track is None or self.phase is not Phase.COCKED:
            return ()
        cols = self.track.cols
        return tuple(
            divmod(place, cols) for place, cell in enumerate(self.cells) if cell.pose is Pose.COCKED
        )

    @property
    def shown(self) -> tuple[tuple[bool, ...], ...]:
        """Which cells were read as they look now, with nothing over them; empty without a track."""
        if self.track is None:
            return ()
        cols, read = self.track.cols, [cell.is_shown for cell in self.cells]
        return tuple(tuple(read[start : start + cols]) for start in range(0, len(read), cols))

    @property
    def at_rest(self) -> bool:
        """Whether the tray is at rest and all that can be read of it has been."""
        return self.phase in {Phase.STILL, Phase.COCKED, Phase.FLAT} and self.is_read

    @property
    def is_read(self) -> bool:
        """Whether each cell has been read often enough, and since the latest motion."""
        return all(
            len(cell.looks) >= LOOKS and cell.is_as_read and cell.looked >= self.rest_since
            for cell in self.cells
        )


@dataclass(frozen=True)
class LiveReader:
    """Reads a tray from a stream of frames.

    Args:
        classifier: tells the faces, a `vision.faces.FaceClassifier`.
        flatness: tells how the cubes lie.
        cube_set: the edition in the tray, or None to find it out.

    Example:
        >>> from vision.faces import FaceClassifier
        >>> reader, state = LiveReader(FaceClassifier(), FlatnessNet.load()), Live()
        >>> dark = np.zeros((480, 640, 3), np.uint8)
        >>> reader.step(state, dark, now=0.0).phase
        <Phase.SEEKING: 'seeking'>
    """

    classifier: FindingClassifier
    flatness: FlatnessNet
    cube_set: CubeSet | None = None

    def step(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """Take one more frame into account.

        Args:
            state: what was known before; `Live()` at the beginning.
            frame: (height, width, 3), RGB, upright, of one size throughout.
            now: when it was taken, seconds on any clock that only goes forward.
        """
        state = replace(state, shape=frame.shape)
        track = follow(state.track, frame) if state.track else None
        if track is None:
            return self._sought(state, frame, now)
        state = self._checked(_moved_on(state, track, frame, now), frame, now)
        state = _anchored_anew(state, now)
        return self._renewed(self._judged(self._read(state, now), now), now)

    def faces(self, state: Live) -> tuple[tuple[Face | None, ...], ...]:
        """Letters for a display, each cell for itself; None where there is none to be shown yet."""
        if state.track is None:
            return ()
        faces = [self._likeliest(cell)[0] if cell.is_shown else None for cell in state.cells]
        cols = state.track.cols
        return tuple(tuple(faces[start : start + cols]) for start in range(0, len(faces), cols))

    def reading(self, state: Live) -> TrayReading | None:
        """All that was read so far under joint evidence, or None where a cell was not read at all.

        A cell that is cocked, covered, or otherwise than when it was read, is doubtful.

        Raises:
            WrongCubesError: the tray is not of the size of the cube set.
        """
        track = state.track
        if track is None or not all(cell.looks for cell in state.cells):
            return None
        scores = [_joined(cell) for cell in state.cells]
        scored = ScoredTray(
            LocatedTray(track.homography, track.rows, track.cols, 1.0),
            np.array([logs for logs, _ in scores]),
            np.array([turn for _, turn in scores]),
            letters=1.0,
            gaps=1.0,
        )
        reading = decoded_tray(scored, self.classifier.labels, state.shape, self.cube_set)
        asked = [_must_be_asked(cell) for cell in state.cells]
        return replace(reading, cells=_with_doubts(reading.cells, asked))

    def _sought(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """A tray is not where it was: look for it all over the frame, now and then."""
        if now - state.seen > FORGET_S:
            state = replace(state, track=None, cells=(), before=None)
        phase = Phase.MOVING if state.track else Phase.SEEKING
        state = replace(state, phase=phase, rest_since=np.inf, calm_since=np.inf)
        if now - state.sought < SEEK_EVERY_S:
            return state
        found = self._found(frame)
        state = replace(state, sought=now)
        return state if found is None else _located(state, found.scored.tray, frame, now)

    def _checked(self, state: Live, frame: NDArray[np.uint8], now: float) -> Live:
        """A tray that cannot come to rest may be followed wrongly: look for it all over the frame.

        Its cubes may have been exchanged, or the tray turned, where a hand hid it. A hand that is
        still there hides cubes, or rows: it makes a tray smaller, never larger. Where all cubes are
        seen, what was taken for a hand are other surroundings.
        """
        track = state.track
        if track is None or now - max(state.rested, state.sought) < RESTLESS_S:
            return state
        found = self._found(frame)
        state = replace(state, sought=now)
        if found is None:
            return state
        tray, hidden = found.scored.tray, self._hidden(found, state)
        if hidden > _MORE_HIDDEN:
            return state
        if not _lies_there(track, tray) or (state.phase is Phase.HAND and hidden <= 0):
            return _located(state, tray, frame, now)
        anew = anchored(frame, tray.homography, tray.rows, tray.cols)
        return replace(state, track=anew, anchored=now)

    def _hidden(self, found: FoundTray, state: Live) -> int:
        """How many cubes fewer are seen in a tray than in the one that is followed."""
        known = [self._likeliest(cell) for cell in state.cells if cell.looks]
        cells = [cell for row in found.reading.cells for cell in row]
        seen = _count_seen((cell.face, cell.confidence) for cell in cells)
        return _count_seen(known) + len(state.cells) - len(known) - seen

    def _found(self, frame: NDArray[np.uint8]) -> FoundTray | None:
        try:
            return find_trays(frame, self.classifier)[0]
        except NoTrayError:
            return None

    def _read(self, state: Live, now: float) -> Live:
        """With a look at the cells that have come to rest, those seen least first."""
        if state.track is None or state.track.moved > _FAST:
            return state
        calm = now - state.calm_since > RENEW_S
        due = [
            place
            for place, cell in enumerate(state.cells)
            if _is_due(cell, state.rest_since, now, calm=calm)
        ]
        due = sorted(due, key=lambda place: len(state.cells[place].looks))[:MOST_READ]
        if not due:
            return state
        crops = _inner_crops(state.track)[due]
        scores = self.classifier.classify(crops)
        cells = list(state.cells)
        for place, logs, turn in zip(due, scores.log_probabilities, scores.turns, strict=True):
            cells[place] = _looked_at(cells[place], np.asarray(logs, np.float64), float(turn), now)
        return replace(state, cells=tuple(cells))

    def _judged(self, state: Live, now: float) -> Live:
        """With the phase, and with what belongs to it."""
        if state.phase is Phase.HAND:
            return state
        if now - state.rest_since < REST_S:
            return replace(state, phase=Phase.MOVING)
        if not state.is_read:
            return replace(state, phase=Phase.STILL)
        return self._with_poses(state)

    def _with_poses(self, state: Live) -> Live:
        """With how the cubes lie, judged once after they have come to rest."""
        track = state.track
        if track is not None and any(cell.pose is None for cell in state.cells):
            likeliest = [self._likeliest(cell) for cell in state.cells]
            sure = np.array([0.0 if face == MISSING else share for face, share in likeliest])
            sure[~_in_frame(track, state.shape)] = 0.0
            poses = self.flatness.poses(track.sheet, track.rows, track.cols, sure)
            pairs = zip(state.cells, poses, strict=True)
            cells = tuple(replace(cell, pose=pose) for cell, pose in pairs)
            state = replace(state, cells=cells)
        return replace(state, phase=_resting_phase(state))

    def _likeliest(self, cell: CellState) -> tuple[Face, float]:
        """The likeliest face of a cell that was looked at, and its probability."""
        logs, _ = _joined(cell)
        best = int(logs.argmax())
        return self.classifier.labels[best], float(np.exp(logs[best]))

    def _renewed(self, state: Live, now: float) -> Live:
        """With what lies around the tray taken for what belongs there, after long calm.

        A pen laid down beside the cubes is no hand for ever, and the light may drift. What covers
        cubes must have turned out to be cubes.
        """
        if now - state.calm_since < RENEW_S or not all(
            self._is_cube(cell) for cell in state.cells if cell.covered
        ):
            return state
        return replace(state, before=state.around, calm_since=now)

    def _is_cube(self, cell: CellState) -> bool:
        if not cell.looks or not cell.is_as_read:
            return False
        face, sure = self._likeliest(cell)
        return face not in {BLANK, MISSING} and sure > _SURE


def _located(state: Live, tray: LocatedTray, frame: NDArray[np.uint8], now: float) -> Live:
    track = anchored(frame, tray.homography, tray.rows, tray.cols)
    around = view(frame, track.homography, track.rows, track.cols)
    return replace(
        state,
        phase=Phase.MOVING,
        track=track,
        cells=tuple(CellState(copy, now) for copy in _copies(track)),
        before=around,
        around=around,
        calm_since=now,
        anchored=now,
        seen=now,
        rest_since=now,
        rested=now,
    )


def _count_seen(cells: Iterable[tuple[Face, float]]) -> int:
    """How many of some faces with their probabilities are surely those of cubes."""
    return sum(face != MISSING and share >= _SURE for face, share in cells)


def _lies_there(track: Track, tray: LocatedTray) -> bool:
    """Whether a tray that was found is one that is followed, and turned as that is."""
    if (track.rows, track.cols) != (tray.rows, tray.cols):
        return False
    ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (track.cols, track.rows)
    there = apply(np.linalg.inv(track.homography), apply(tray.homography, ends))
    return float(np.hypot(*(there - ends).T).max()) < _SAME_PLACE


def _moved_on(state: Live, track: Track, frame: NDArray[np.uint8], now: float) -> Live:
    """With the tray where it lies now, its cells compared, and a hand looked for."""
    around = view(frame, track.homography, track.rows, track.cols)
    hand = covered_cells(state.before, around, track.rows, track.cols) if state.before else None
    covered = np.zeros(len(state.cells), bool) if hand is None else hand.ravel()
    cells = tuple(
        _compared(cell, copy, now, covered=bool(hidden))
        for cell, copy, hidden in zip(state.cells, _copies(track), covered, strict=True)
    )
    moves = track.moved > _MOVES or any(cell.since == now for cell in cells)
    calm = state.around is not None and not moves and is_alike(state.around, around)
    rest_since = now if moves else min(state.rest_since, now)
    return replace(
        state,
        phase=Phase.MOVING if hand is None else Phase.HAND,
        track=track,
        cells=cells,
        around=around,
        calm_since=min(state.calm_since, now) if calm else now,
        seen=now,
        rest_since=rest_since,
        rested=now if now - rest_since >= REST_S else state.rested,
    )


def _anchored_anew(state: Live, now: float) -> Live:
    """After each motion the tray is followed by what it looks like since, but not by a hand."""
    outdated = state.anchored < state.calm_since <= now - CALM_S
    if state.track is None or state.phase is Phase.HAND or not outdated:
        return state
    return replace(state, track=renewed(state.track), anchored=now)


def _copies(track: Track) -> NDArray[np.float32]:
    """Small grey copies of the prints, row by row: (cells, 12, 12)."""
    prints = np.ascontiguousarray(_inner_crops(track)[:, _PRINT, _PRINT])
    greys = [cv2.cvtColor(print_, cv2.COLOR_RGB2GRAY) for print_ in prints]
    size = (_SMALL, _SMALL)
    small = [cv2.resize(grey, size, interpolation=cv2.INTER_AREA) for grey in greys]
    return np.array(small, np.float32)


def _inner_crops(track: Track) -> NDArray[np.uint8]:
    """Crops of the cells, row by row: (cells, CROP_PX, CROP_PX, 3)."""
    inner = cells_of(track.sheet)[RING:-RING, RING:-RING]
    return np.ascontiguousarray(inner.reshape(-1, *inner.shape[2:]))


def _differs(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two copies of a print show different things; light and contrast are nothing."""
    first, second = ((copy - copy.mean()) / (copy.std() + _FLAT) for copy in (one, other))
    return float((first - second).std()) > _CHANGED


def _compared(
    cell: CellState, copy: NDArray[np.float32], now: float, *, covered: bool
) -> CellState:
    moved = _differs(cell.latest, copy)
    return replace(
        cell,
        latest=copy if moved else cell.latest,  # compared with the first, slow motion adds up
        since=now if moved else cell.since,
        covered=covered,
    )


def _is_due(cell: CellState, rest_since: float, now: float, *, calm: bool) -> bool:
    """Whether a cell is to be read: at rest, in view, and not read often enough as it is.

    What has covered it for long may be the cube itself, and the hand was there before.
    """
    if (cell.covered and not calm) or now - cell.since < LOOK_EVERY_S:
        return False
    if not cell.is_as_read:
        return True
    if len(cell.looks) < LOOKS:
        return now - cell.looked >= LOOK_EVERY_S
    missed = cell.looked < rest_since <= now - CALM_S
    return missed or now - cell.looked >= AGAIN_S


def _looked_at(cell: CellState, logs: NDArray[np.float64], turn: float, now: float) -> CellState:
    """With one more look, or with a first one where it has changed."""
    if not cell.is_as_read:
        cell = replace(cell, shown=cell.latest, looks=(), turns=(), pose=None)
    elif logs.argmax() != _joined(cell)[0].argmax() and len(cell.looks) >= LOOKS:
        cell = replace(cell, looks=(), turns=(), pose=None)  # it changed unseen
    looks, turns = (*cell.looks, logs)[-LOOKS:], (*cell.turns, turn)[-LOOKS:]
    return replace(cell, looks=looks, turns=turns, looked=now)


def _joined(cell: CellState) -> tuple[NDArray[np.float64], float]:
    """Logarithms (labels,) of the faces' probabilities under all looks, and the turn."""
    looks = np.array(cell.looks)[:, None]
    turns = fused_turns(looks, np.array(cell.turns)[:, None])
    return fused(looks)[0], float(turns[0])


def _in_frame(track: Track, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Whether a frame of this (height, width, …) shows each cell with what is around it, (cells,).

    What is beyond repeats the frame's edge, which looks like all sorts of things.
    """
    row, col = np.divmod(np.arange(track.rows * track.cols), track.cols)
    ends = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * WINDOW_PX / CELL_PX / 2
    corners = np.column_stack([col + 0.5, row + 0.5])[:, None] + ends
    places = apply(track.homography, corners.reshape(-1, 2))
    inside = (places >= 0).all(axis=1) & (places <= (shape[1], shape[0])).all(axis=1)
    return np.asarray(inside.reshape(-1, len(ends)).all(axis=1), np.bool_)


def _resting_phase(state: Live) -> Phase:
    poses = {cell.pose for cell in state.cells}
    if Pose.COCKED in poses:
        return Phase.COCKED
    return Phase.FLAT if poses == {Pose.FLAT} else Phase.STILL


def _must_be_asked(cell: CellState) -> bool:
    return cell.pose is Pose.COCKED or cell.covered or not cell.is_as_read


def _with_doubts(
    rows: tuple[tuple[FaceReading, ...], ...], asked: list[bool]
) -> tuple[tuple[FaceReading, ...], ...]:
    cols = len(rows[0])
    return tuple(
        tuple(
            replace(cell, doubtful=cell.doubtful or asked[row * cols + col])
            for col, cell in enumerate(cells)
        )
        for row, cells in enumerate(rows)
    )
