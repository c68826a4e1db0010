"""Trains the net while worker processes draw its samples."""

from __future__ import annotations

import copy
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.faces import normalised
from vision.rectify import CELL_PX
from vision.render.typefaces import Typefaces
from vision.training.marred import marred
from vision.training.net import WIDER, WIDTHS, face_net, loss_of
from vision.training.rates import learning_rate, let_follow
from vision.training.samples import DOUBTFUL, ORDINARY, Mix, Samples, draw_samples
from vision.training.start import start_from

_BLOCK = 2000  # samples that a worker draws at a time
_POOL_BLOCKS = 150  # blocks kept to draw batches from: 2 GB
_BATCH = 128
_TO_START = 1000  # samples that the normalisations of a net with a start are set on
_WARM_UP = 300  # steps
_STARK = 0.04  # share of crops shown in black and white alone
_SOFT = 0.15  # share of crops blurred once more
_SOFTEST = 0.08  # standard deviation of that blur, cells


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes:
        seed: of the samples, of the first weights and of the batches.
        samples: how many to draw.
        minutes: the longest that training may take; the learning rate ends with it.
        passes: how often each sample is seen, on average.
        workers: processes that draw samples.
        checkpoint: file to keep the state in and to go on from, or None.
        start: weights to begin with, or None to begin anew.
        peak: the highest learning rate; a third of it is enough where training goes on.
        doubtful: train the net that looks at doubtful cells: it is wider, and its samples are such.
    """

    seed: int = 1
    samples: int = 560_000
    minutes: float = math.inf
    passes: float = 2.0
    workers: int = 1
    checkpoint: Path | None = None
    start: Path | None = None
    peak: float = 3e-3
    doubtful: bool = False

    @property
    def mix(self) -> Mix:
        """What samples are drawn."""
        return DOUBTFUL if self.doubtful else ORDINARY

    @property
    def widths(self) -> tuple[int, int, int]:
        """Of the net."""
        return WIDER if self.doubtful else WIDTHS


@dataclass(frozen=True)
class Progress:
    """Where training stands.

    Attributes:
        samples: drawn so far.
        seconds: since the start.
        accuracy: on the batches of the last block, 0–1; foreign faces count as wrong.
        loss: on the same.
    """

    samples: int
    seconds: float
    accuracy: float
    loss: float


def fit(plan: Plan, typefaces: Typefaces, report: Callable[[Progress], None]) -> nn.Module:
    """Train a net.

    Blocks of samples come in a fixed order from seeds of their own and each is followed by a
    fixed number of steps, so that a plan without a time limit gives the same net whatever the
    number of workers, as far as torch computes alike.

    Args:
        plan: how to train.
        typefaces: what the prints are set in.
        report: called after each block.
    """
    torch.manual_seed(plan.seed)
    trainer = _Trainer(plan, _first_net(plan, typefaces))
    trainer.resume()
    for block in _blocks(plan, typefaces, trainer.blocks_done):
        report(trainer.learn(block))
        if trainer.share_done >= 1:
            break
    return trainer.average


def _first_net(plan: Plan, typefaces: Typefaces) -> nn.Sequential:
    net = face_net(plan.widths)
    if plan.start is not None:
        samples = draw_samples((plan.seed,), _TO_START, typefaces, plan.mix)
        start_from(net, plan.start, samples.crops)
    return net.to(memory_format=torch.channels_last)


def _blocks(plan: Plan, typefaces: Typefaces, done: int) -> Iterator[Samples]:
    """The plan's blocks from the first that is not done, drawn ahead by the workers."""
    total = math.ceil(plan.samples / _BLOCK)
    # a fresh interpreter a worker: a fork of a process that runs torch's threads may hang
    context = multiprocessing.get_context("spawn")
    with context.Pool(plan.workers, initializer=_calm_worker) as workers:
        draw = partial(_draw_block, plan.seed, typefaces, plan.mix)
        yield from workers.imap(draw, range(done, total))


def _calm_worker() -> None:
    cv2.setNumThreads(1)
    os.nice(5)


def _draw_block(seed: int, typefaces: Typefaces, mix: Mix, number: int) -> Samples:
    return draw_samples((seed, number), _BLOCK, typefaces, mix)


@dataclass
class _Trainer:
    """The state of a training run."""

    plan: Plan
    net: nn.Module
    blocks_done: int = 0
    steps: int = 0
    pool: list[Samples] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.average = copy.deepcopy(self.net)
        self.optimiser = torch.optim.AdamW(self.net.parameters(), weight_decay=2e-3)
        self.rng = np.random.default_rng((self.plan.seed, 0))

    @property
    def share_done(self) -> float:
        """Share of the plan that is done, by samples or by time, whichever is further."""
        seconds = time.monotonic() - self.started
        drawn = self.blocks_done * _BLOCK / self.plan.samples
        return max(drawn, seconds / (60 * self.plan.minutes))

    def learn(self, block: Samples) -> Progress:
        """Take a block into the pool and make its steps."""
        self.pool = [*self.pool[1 - _POOL_BLOCKS :], block]
        right = loss = 0.0
        steps = max(1, round(self.plan.passes * len(block) / _BATCH))
        for _ in range(steps):
            now_right, now_loss = self._step()
            right, loss = right + now_right / steps, loss + now_loss / steps
        self.blocks_done += 1
        self._save()
        seconds = time.monotonic() - self.started
        return Progress(self.blocks_done * _BLOCK, seconds, right, loss)

    def resume(self) -> None:
        """Go on from the checkpoint, where there is one."""
        path = self.plan.checkpoint
        if path is None or not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.blocks_done, self.steps = state["blocks"], state["steps"]

    def _save(self) -> None:
        path = self.plan.checkpoint
        if path is None or self.blocks_done % 10:
            return
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "blocks": self.blocks_done,
            "steps": self.steps,
        }
        torch.save(state, path.with_suffix(".tmp"))
        path.with_suffix(".tmp").replace(path)

    def _step(self) -> tuple[float, float]:
        """One step; the share of its batch that was right, and its loss."""
        crops, labels, turns, symmetries = _batch(self.pool, self.rng, self.plan.mix)
        rate = learning_rate(self.plan.peak, self.share_done, (self.steps + 1) / _WARM_UP)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            outputs = self.net(crops)
        loss = loss_of(outputs.float(), labels, turns, symmetries)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.steps += 1
        let_follow(self.average, self.net, self.steps)
        right = (outputs[:, :-2].argmax(dim=1) == labels).float().mean()
        return float(right), float(loss.detach())


def _batch(
    pool: list[Samples], rng: np.random.Generator, mix: Mix
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """A batch out of four blocks, each quarter in a quarter turn of its own, colours shaken."""
    parts, turns = [], []
    for quarter in rng.integers(4, size=4).tolist():
        block = pool[rng.integers(len(pool))]
        part = block.picked(rng.integers(len(block), size=_BATCH // 4))
        seen = _softened(marred(part.crops, mix.marred, rng), rng)
        parts.append(_shaken(np.rot90(seen, quarter, (1, 2)), rng))
        turns.append((part, np.radians(part.turns + 90 * quarter)))
    crops = torch.from_numpy(normalised(np.concatenate(parts)))
    return (
        crops.contiguous(memory_format=torch.channels_last),
        torch.from_numpy(np.concatenate([part.labels for part, _ in turns])),
        torch.from_numpy(np.concatenate([turn for _, turn in turns])),
        torch.from_numpy(np.concatenate([part.symmetries for part, _ in turns])),
    )


def _softened(crops: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Crops some of which are out of focus: `picked` has copied them, so they are changed."""
    for number in np.flatnonzero(rng.random(len(crops)) < _SOFT):
        spread = CELL_PX * rng.uniform(0.02, _SOFTEST)
        crops[number] = cv2.GaussianBlur(crops[number], (0, 0), spread)
    return crops


def _shaken(crops: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """Crops in other colours: channels weighted, some grey, some with channels exchanged."""
    gains = rng.uniform(0.85, 1.0, (len(crops), 1, 1, 3)).astype(np.float32)
    values = crops.astype(np.float32) * gains
    grey = rng.random(len(crops)) < 0.12
    values[grey] = values[grey].mean(axis=3, keepdims=True)
    exchanged = rng.random(len(crops)) < 0.12
    values[exchanged] = values[exchanged][..., rng.permutation(3)]
    stark = rng.random(len(crops)) < _STARK
    values[stark] = _black_and_white(values[stark], rng)
    return values


def _black_and_white(crops: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Crops as a copier or an overdriven camera shows them: hardly any grey, some inverted."""
    levels = crops.mean(axis=3, keepdims=True)
    middle, spread = (
        measure(axis=(1, 2, 3), keepdims=True) for measure in (levels.mean, levels.std)
    )
    limit = middle + rng.uniform(-0.4, 0.6, middle.shape) * spread
    bright = np.clip((levels - limit) / (0.2 * spread + 1) + 0.5, 0, 1)
    inverted = rng.random(middle.shape) < 0.3
    return np.asarray(255 * np.where(inverted, 1 - bright, bright).repeat(3, axis=3), np.float32)
