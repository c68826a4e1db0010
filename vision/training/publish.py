"""Writes a trained net with its labels, its calibration and its figures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from torch import nn

from vision.faces import FaceClassifier
from vision.render.typefaces import Typefaces
from vision.training.calibration import figures_of, temperature_of
from vision.training.labels import LABELS
from vision.training.net import export
from vision.training.samples import draw_samples

_HELD_OUT_SEED = 987_654


def publish(
    net: nn.Module,
    folder: Path,
    *,
    seen: Typefaces,
    unseen: Typefaces,
    made_by: dict[str, str | int | float],
    count: int = 6000,
) -> Path:
    """Write ``faces.onnx`` and ``faces.json``.

    The temperature is set on renders in typefaces that the net was not trained on.

    Args:
        net: trained.
        folder: where the files go.
        seen: typefaces of training, for figures on fresh renders.
        unseen: typefaces that training left out, for calibration and figures.
        made_by: command, seed and the like, kept beside the weights.
        count: renders that each measurement takes.

    Returns:
        The path of the weights.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights, description = folder / "faces.onnx", folder / "faces.json"
    export(net, weights)
    content = {"labels": list(LABELS), "temperature": 1.0}
    _write(description, content)
    strange = draw_samples((_HELD_OUT_SEED, 0), 2 * count, unseen)
    half, rest = strange.picked(slice(count)), strange.picked(slice(count, None))
    scores = FaceClassifier(weights).classify(half.crops)
    content["temperature"] = temperature_of(scores.log_probabilities, half.labels)
    _write(description, content)
    classifier = FaceClassifier(weights)
    fresh = draw_samples((_HELD_OUT_SEED, 1), count, seen)
    figures = {
        "typefaces of training": asdict(figures_of(classifier, fresh)),
        "typefaces left out": asdict(figures_of(classifier, rest)),
    }
    _write(description, {**content, "made by": made_by, "figures on renders": figures})
    return weights


def _write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
