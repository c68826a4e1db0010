"""What tells whether probabilities mean what they say: bins and their picture."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.training.reliability import Bin, diagram, reliability


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_bins_hold_every_sample_and_keep_the_means(samples: list[tuple[float, bool]]) -> None:
    probabilities = np.array([one for one, _ in samples])
    right = np.array([one for _, one in samples])
    bins = reliability(probabilities, right)
    assert sum(one.count for one in bins) == len(samples)
    assert [one.probability for one in bins] == sorted(one.probability for one in bins)
    mean = sum(one.accuracy * one.count for one in bins) / len(samples)
    assert mean == pytest.approx(right.mean())


def test_honest_probabilities_lie_on_the_diagonal() -> None:
    rng = np.random.default_rng(1)
    probabilities = rng.random(60_000)
    bins = reliability(probabilities, rng.random(60_000) < probabilities)
    assert len(bins) == 14
    gaps = [abs(one.probability - one.accuracy) for one in bins if one.count > 500]
    assert max(gaps) < 0.05


def test_the_diagram_shows_bins_that_say_something() -> None:
    bins = (Bin(0.35, 0.4, 500), Bin(0.75, 0.7, 19), Bin(0.999, 1.0, 900))
    root = ET.fromstring(diagram({"a & b": bins, "other": bins[:1]}))  # noqa: S314
    tags = [one.tag.rpartition("}")[2] for one in root.iter()]
    assert tags.count("circle") == 3
    assert tags.count("polyline") == 2
    texts = ["".join(one.itertext()) for one in root.iter()]
    assert "a & b, 1,419 faces" in texts
