"""Training itself: the net, its export, a run that learns and one that is taken up again."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install wordtray[train]")
pytest.importorskip("onnx", reason="onnx is not installed: pip install wordtray[train]")

from torch import nn  # noqa: E402 - only where torch is there

from vision.faces import FaceClassifier, described_in, normalised  # noqa: E402
from vision.paper.letters import normalised as boxes_normalised  # noqa: E402
from vision.render.typefaces import shipped_typefaces  # noqa: E402
from vision.training.box_letters import box_letter_net  # noqa: E402
from vision.training.boxes import draw_boxes  # noqa: E402
from vision.training.fit import Plan, Progress, fit  # noqa: E402
from vision.training.labels import FOREIGN, LABELS  # noqa: E402
from vision.training.net import export, face_net, loss_of  # noqa: E402
from vision.training.pack import pack, rounded  # noqa: E402
from vision.training.publish import calibrate, describe  # noqa: E402
from vision.training.samples import draw_samples  # noqa: E402
from vision.training.start import go_on_from, start_from  # noqa: E402

SHIPPED = Path(str(resources.files("vision.models") / "faces.onnx.gz"))
BOXES = Path(str(resources.files("vision.models") / "box_letters.onnx"))

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


def test_the_net_is_small() -> None:
    assert sum(one.numel() for one in face_net().parameters()) < 520_000


def test_opencv_runs_the_exported_net_as_torch_does(tmp_path: Path) -> None:
    torch.manual_seed(0)
    net = face_net().eval()
    export(net, tmp_path / "faces.onnx")
    (tmp_path / "faces.json").write_text(json.dumps({"labels": LABELS, "temperature": 1.0}))
    crop = np.random.default_rng(0).integers(0, 256, (1, 48, 48, 3), np.uint8)
    views = np.concatenate([crop, np.rot90(crop, 2, (1, 2))])
    with torch.no_grad():
        outputs = net(torch.from_numpy(normalised(views)))[:, :-2].mean(dim=0)
    expected = torch.log_softmax(outputs, dim=0).numpy()
    scores = FaceClassifier(tmp_path / "faces.onnx").classify(crop)
    np.testing.assert_allclose(scores.log_probabilities[0], expected, atol=1e-3)


def test_packed_weights_are_small_and_say_the_same(tmp_path: Path) -> None:
    torch.manual_seed(0)
    weights = tmp_path / "faces.onnx"
    export(face_net().eval(), weights)
    packed = pack(weights)
    assert packed.stat().st_size < 0.6 * weights.stat().st_size
    assert pack(weights).read_bytes() == packed.read_bytes()
    described_in(packed).write_text(json.dumps({"labels": LABELS, "temperature": 1.0}))
    crops = np.random.default_rng(0).integers(0, 256, (3, 48, 48, 3), np.uint8)
    exact, rounded = (
        FaceClassifier(file).classify(crops).log_probabilities for file in (weights, packed)
    )
    np.testing.assert_allclose(rounded, exact, atol=0.02)


def test_rounding_keeps_the_first_bits() -> None:
    values = np.array([0.0, 1.0, -0.375, 1 / 3, 1e-30, -12345.678], np.float32)
    assert rounded(values)[:3].tolist() == [0.0, 1.0, -0.375]
    np.testing.assert_allclose(rounded(values), values, rtol=2**-9)
    assert (rounded(values) != values)[3:].all()


def test_the_net_for_doubtful_cells_is_wider_and_can_start_from_the_other() -> None:
    plan = Plan(doubtful=True)
    assert all(a > b for a, b in zip(plan.widths, Plan().widths, strict=True))
    assert plan.mix != Plan().mix
    crops = draw_samples((3,), 60, shipped_typefaces(), plan.mix).crops
    net = face_net(plan.widths)
    start_from(net, SHIPPED, crops)
    with torch.no_grad():
        scores = net.eval()(torch.from_numpy(normalised(crops)))[:, :-2].numpy()
    said = FaceClassifier(SHIPPED).classify(crops, both_ways=False).log_probabilities
    assert (scores.argmax(axis=1) == said.argmax(axis=1)).all()


def small_net(first: int, second: int, hidden: int, labels: int) -> nn.Sequential:
    """A net of the kind of `face_net`, its normalisations as after some training."""
    net = nn.Sequential(
        *(nn.Conv2d(3, first, 5, 2, 2, bias=False), nn.BatchNorm2d(first), nn.ReLU()),
        nn.MaxPool2d(2),
        *(nn.Conv2d(first, second, 3, 1, 1, bias=False), nn.BatchNorm2d(second), nn.ReLU()),
        *(nn.MaxPool2d(4), nn.Flatten(), nn.Linear(9 * second, hidden), nn.ReLU()),
        nn.Linear(hidden, labels + 2),
    )
    for module in net:
        if isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.bias)
            nn.init.uniform_(module.running_var, 0.2, 2.0)
    return net


def test_a_wider_net_that_starts_from_weights_answers_as_they_do(tmp_path: Path) -> None:
    torch.manual_seed(0)
    old, new = small_net(8, 8, 10, 3).eval(), small_net(12, 16, 14, len(LABELS))
    weights = tmp_path / "old.onnx"
    export(old, weights)
    weights.with_suffix(".json").write_text(json.dumps({"labels": ["C", "_", "A"]}))
    crops = draw_samples((3,), 60, shipped_typefaces()).crops
    start_from(new, weights, crops)
    columns = [LABELS.index("C"), LABELS.index("_"), LABELS.index("A"), -2, -1]
    with torch.no_grad():
        values = torch.from_numpy(normalised(crops))
        before, after, in_training = old(values), new.eval()(values), new.train()(values)
    np.testing.assert_allclose(after[:, columns], before, atol=1e-4)
    np.testing.assert_allclose(in_training[:, columns], before, atol=0.05)
    assert before.std(dim=0).min() > 0.01


def test_the_net_of_letter_boxes_goes_on_from_its_weights() -> None:
    glyphs = boxes_normalised(draw_boxes((3,), 200).inks)
    net = box_letter_net()
    go_on_from(net, BOXES, glyphs)
    with torch.no_grad():
        scores = net.eval()(torch.from_numpy(glyphs)).numpy()
    said = cv2.dnn.readNetFromONNX(str(BOXES))
    said.setInput(glyphs[:64])
    np.testing.assert_allclose(scores[:64], said.forward(), atol=1e-2)


def test_the_loss_takes_a_half_turn_for_right_where_the_print_looks_alike() -> None:
    outputs = torch.zeros(1, len(LABELS) + 2)
    outputs[0, -2] = 1.0  # turned by 0°
    label, upside_down = torch.tensor([0]), torch.tensor([torch.pi])
    told, alike, untold = (
        float(loss_of(outputs, label, upside_down, torch.tensor([symmetry])))
        for symmetry in (1, 2, 0)
    )
    assert told > alike + 1
    assert alike == pytest.approx(untold, abs=1e-5)


def test_a_foreign_face_costs_least_where_all_labels_are_alike() -> None:
    foreign, no_turn = torch.tensor([FOREIGN]), torch.tensor([0])
    alike = torch.zeros(1, len(LABELS) + 2)
    sure = alike.clone()
    sure[0, 3] = 5.0
    costs = [float(loss_of(one, foreign, torch.zeros(1), no_turn)) for one in (alike, sure)]
    assert costs[0] == pytest.approx(np.log(len(LABELS)), abs=1e-5)
    assert costs[0] < costs[1] - 1


@pytest.mark.slow
def test_a_minute_of_training_beats_chance_by_far(tmp_path: Path) -> None:
    drawn: list[Progress] = []
    net = fit(Plan(seed=3, samples=12_000), shipped_typefaces(), drawn.append)
    weights = tmp_path / "faces.onnx"
    export(net, weights)
    describe(weights, {"command": "test"})
    calibrate(weights, seen=shipped_typefaces(), unseen=shipped_typefaces(), count=300)
    content = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    figures = content["figures on renders"]["typefaces left out"]
    assert drawn[-1].loss < drawn[0].loss
    assert figures["accuracy"] > 8 / len(LABELS)


@pytest.mark.slow
def test_a_run_that_goes_on_from_weights_starts_where_they_are() -> None:
    drawn: list[Progress] = []
    fit(Plan(samples=2000, passes=0.1, start=SHIPPED), shipped_typefaces(), drawn.append)
    assert drawn[0].accuracy > 0.6


@pytest.mark.slow
def test_a_run_cut_short_goes_on_where_it_was(tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint.pt"
    plan = Plan(seed=4, samples=20_000, passes=0.05, checkpoint=checkpoint)
    fit(plan, shipped_typefaces(), lambda _: None)
    assert checkpoint.exists()
    later: list[Progress] = []
    fit(replace(plan, samples=22_000), shipped_typefaces(), later.append)
    assert [one.samples for one in later] == [22_000]
