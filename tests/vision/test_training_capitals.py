"""Training the reader of capitals: the net, its export, a run that learns."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install wordtray[train]")
pytest.importorskip("onnx", reason="onnx is not installed: pip install wordtray[train]")

from vision.rectify import CROP_PX  # noqa: E402 - only where torch is there
from vision.swoggle.capitals import CapitalClassifier, normalised  # noqa: E402
from vision.training.capitals import calibrate, capital_net, fit  # noqa: E402
from vision.training.net import export_to  # noqa: E402
from vision.training.squares import draw_squares  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def test_the_net_is_small() -> None:
    assert sum(one.numel() for one in capital_net().parameters()) < 70_000


def test_opencv_runs_the_exported_net_as_torch_does_and_calibration_describes_it(
    tmp_path: Path,
) -> None:
    torch.manual_seed(0)
    net = capital_net().eval()
    weights = tmp_path / "capitals.onnx"
    export_to(net, weights, (1, CROP_PX, CROP_PX))
    calibrate(weights, {"command": "none"}, count=60)
    description = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    assert description["made by"] == {"command": "none"}
    assert set(description["figures on renders"]) >= {"capitals_right", "silent", "odd_taken"}
    inks = np.random.default_rng(0).integers(0, 256, (3, CROP_PX, CROP_PX), np.uint8)
    with torch.no_grad():
        outputs = net(torch.from_numpy(normalised(inks))) / description["temperature"]
    expected = torch.log_softmax(outputs, dim=1).numpy()
    np.testing.assert_allclose(CapitalClassifier(weights).classify(inks), expected, atol=1e-3)


@pytest.mark.slow
def test_a_short_run_learns() -> None:
    told: list[str] = []
    torch.manual_seed(1)
    fit(capital_net(), normalised, draw_squares((5,), 400), 1, 65, report=told.append)
    first, last = (float(re.findall(r"loss ([\d.]+)", line)[0]) for line in (told[0], told[-1]))
    assert len(told) == 2
    assert last < 0.8 * first
