"""Trains the net that finds cells, on photos that lie in a folder."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader

from vision.cell_finder import normalised
from vision.training.cell_net import CellNet, loss_of, targets_of
from vision.training.cell_photos import CellPhoto, StoredPhotos
from vision.training.rates import learning_rate, let_follow

_CROP = 320  # pixels of the squares that are learnt from
_BATCH = 16
_SCALES = (0.65, 1.4)  # of a crop
_LEAST_CELL = 9.0  # pixels: smaller ones are not looked for
_WARM_UP = 200  # steps
_REPORTED = 100  # steps between reports
_AHEAD = 6  # batches that each worker has ready


@dataclass(frozen=True)
class CellPlan:
    """How to train.

    Attributes:
        photos: folder of the photos.
        seed: of the first weights and of the batches.
        steps: of so many batches.
        minutes: the longest that training may take; the learning rate ends with it.
        peak: the highest learning rate.
        workers: processes that make batches, or 0 to have them made in between.
    """

    photos: Path
    seed: int = 1
    steps: int = 12_000
    minutes: float = math.inf
    peak: float = 3e-3
    workers: int = 1


def fit_cells(plan: CellPlan, report: Callable[[int, float], None]) -> CellNet:
    """Train a net.

    Args:
        plan: how.
        report: called now and then with the steps made and the mean loss since the last call.
    """
    torch.manual_seed(plan.seed)
    trainer = _Trainer(plan)
    losses = []
    for pictures, targets in _batches(plan):
        losses.append(trainer.learn(pictures, targets))
        if len(losses) == _REPORTED:
            report(trainer.steps, sum(losses) / len(losses))
            losses.clear()
        if trainer.share_done >= 1:
            break
    return trainer.average


def _batches(plan: CellPlan) -> Iterable[tuple[Tensor, Tensor]]:
    # a fresh interpreter a worker: a fork of a process that runs torch's threads may hang
    how = {"prefetch_factor": _AHEAD, "multiprocessing_context": "spawn"} if plan.workers else {}
    loader: Iterable[tuple[Tensor, Tensor]] = DataLoader(
        _Batches(plan), batch_size=None, num_workers=plan.workers, **how
    )
    return loader


@dataclass(frozen=True)
class _Batches:
    """The batches of a plan: (n, side, side, 3) pictures and (n, 4, …) targets."""

    plan: CellPlan

    def __len__(self) -> int:
        return self.plan.steps

    def __getitem__(self, number: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        cv2.setNumThreads(1)
        rng = np.random.default_rng((self.plan.seed, number))
        photos = self._photos
        chosen = rng.integers(len(photos), size=_BATCH).tolist()
        samples = [altered(photos[one], rng, _CROP) for one in chosen]
        targets = [targets_of(cells, (_CROP, _CROP)) for _, cells in samples]
        return np.stack([picture for picture, _ in samples]), np.stack(targets)

    @cached_property
    def _photos(self) -> StoredPhotos:
        return StoredPhotos(self.plan.photos)


@dataclass
class _Trainer:
    """The state of a training run."""

    plan: CellPlan
    net: CellNet = field(default_factory=CellNet)
    steps: int = 0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), weight_decay=2e-3)

    @property
    def share_done(self) -> float:
        """Share of the plan that is done, by steps or by time, whichever is further."""
        seconds = time.monotonic() - self.started
        return max(self.steps / self.plan.steps, seconds / (60 * self.plan.minutes))

    def learn(self, pictures: Tensor, targets: Tensor) -> float:
        """Make a step; its loss."""
        shown = np.stack([normalised(picture) for picture in pictures.numpy()])
        inputs = torch.from_numpy(shown).contiguous(memory_format=torch.channels_last)
        rate = learning_rate(self.plan.peak, self.share_done, (self.steps + 1) / _WARM_UP)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            told = self.net(inputs)
        loss = loss_of(told.float(), targets)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self.steps += 1
        let_follow(self.average, self.net, self.steps)
        return float(loss.detach())


def altered(
    sample: CellPhoto, rng: np.random.Generator, side: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A square out of a photo at any turn, scale and side, in other light, with its cells.

    Returns:
        (side, side, 3), uint8, RGB; and (n, 3) as of `CellPhoto`, pixels of the square.
    """
    scale = float(np.exp(rng.uniform(*np.log(_SCALES))))
    if len(sample.cells):
        scale = max(scale, _LEAST_CELL / float(sample.cells[:, 2].min()))
    warp = _random_warp(sample, scale, rng, side)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    ground = rng.uniform(0, 255, 3).tolist()
    square = cv2.warpAffine(sample.photo, warp, (side, side), flags=method, borderValue=ground)
    places = sample.cells[:, :2] @ warp[:, :2].T + warp[:, 2]
    cells = np.column_stack([places, sample.cells[:, 2] * scale])
    inside = ((places > 0) & (places < side)).all(axis=1)
    picture = _relit(square.astype(np.float32), rng)
    return picture, cells[inside].astype(np.float32)


def _random_warp(
    sample: CellPhoto, scale: float, rng: np.random.Generator, side: int
) -> NDArray[np.float64]:
    """From a photo to a square around any place of it, mostly around one of its cells."""
    height, width = sample.photo.shape[:2]
    middle = rng.uniform(0, (width, height))
    if len(sample.cells) and rng.random() < 0.7:
        middle = np.asarray(sample.cells[rng.integers(len(sample.cells)), :2], np.float64)
    middle = middle + rng.uniform(-0.3, 0.3, 2) * side / scale
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else np.pi / 2 * rng.integers(4)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
    spin[:, 0] *= rng.choice([-1, 1])
    return np.column_stack([spin, np.full(2, side / 2) - spin @ middle])


def _relit(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A picture in other colours and contrast, blurred, noisy or grey by chance."""
    picture = picture * rng.uniform(0.8, 1.1, 3).astype(np.float32)
    if rng.random() < 0.15:
        picture = picture[..., rng.permutation(3)]
    if rng.random() < 0.1:
        grey = picture.mean(axis=2, keepdims=True)
        picture = np.asarray(grey.repeat(3, axis=2), np.float32)
    if rng.random() < 0.3:
        bent = (np.clip(picture, 0, 255) / 255) ** rng.uniform(0.6, 1.7)
        picture = np.asarray(255 * bent, np.float32)
    if rng.random() < 0.2:
        blurred = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 2.0))
        picture = np.asarray(blurred, np.float32)
    if rng.random() < 0.2:
        picture = picture * np.float32(rng.uniform(0.1, 0.6))
    if rng.random() < 0.3:
        noise = rng.standard_normal(picture.shape, np.float32)
        picture = picture + np.float32(rng.uniform(1, 10)) * noise
    return np.clip(picture, 0, 255).astype(np.uint8)
