"""Writes a trained net with its labels, its calibration and its figures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from vision.faces import FaceClassifier, described_in
from vision.render.typefaces import Typefaces
from vision.training.calibration import figures_of, numbered_for, temperature_of
from vision.training.labels import FOREIGN, LABELS
from vision.training.reliability import Bin, reliability
from vision.training.samples import draw_samples

_SEED = 987_654  # of renders that no training run draws
_COUNT = 6000


def describe(weights: Path, made_by: dict[str, str | int]) -> None:
    """Write the description beside exported weights, not calibrated yet.

    Args:
        weights: the ONNX file.
        made_by: command, seed and the like, kept in the description.
    """
    content = {"labels": list(LABELS), "temperature": 1.0, "made by": made_by}
    _write(described_in(weights), content)


def calibrate(weights: Path, *, seen: Typefaces, unseen: Typefaces, count: int = _COUNT) -> None:
    """Set the temperature in the description of weights, and measure them.

    The temperature is set on renders in typefaces that the net was not trained on.

    Args:
        weights: the ONNX file, its description beside it.
        seen: typefaces of training, for figures on fresh renders.
        unseen: typefaces that training left out, for calibration and for figures.
        count: renders that each measurement takes.
    """
    path = described_in(weights)
    content = json.loads(path.read_text(encoding="utf-8")) | {"temperature": 1.0}
    _write(path, content)
    half, rest = (draw_samples((_SEED, number), count, unseen) for number in (0, 1))
    raw = FaceClassifier(weights)
    half = numbered_for(raw, half)
    known = half.picked(np.flatnonzero(half.labels != FOREIGN))
    scores = raw.classify(known.crops)
    content["temperature"] = temperature_of(scores.log_probabilities, known.labels)
    _write(path, content)
    classifier = FaceClassifier(weights)
    content["figures on renders"] = {
        "typefaces of training": asdict(
            figures_of(classifier, draw_samples((_SEED, 2), count, seen))
        ),
        "typefaces left out": asdict(figures_of(classifier, rest)),
    }
    _write(path, content)


def reliability_of(
    weights: Path | None, typefaces: Typefaces, count: int = _COUNT
) -> tuple[Bin, ...]:
    """How far the probabilities of weights mean what they say, on fresh renders.

    Args:
        weights: the ONNX file, or None for the shipped one.
        typefaces: that the renders are set in.
        count: how many.
    """
    classifier = FaceClassifier(weights)
    samples = numbered_for(classifier, draw_samples((_SEED, 3), count, typefaces))
    samples = samples.picked(np.flatnonzero(samples.labels != FOREIGN))
    scores = classifier.classify(samples.crops).log_probabilities
    return reliability(np.exp(scores.max(axis=1)), scores.argmax(axis=1) == samples.labels)


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
