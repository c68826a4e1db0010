"""Letter boxes that are drawn to train on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.letters_net import LABELS
from vision.paper.letters import GLYPH_PX
from vision.swoggle.reading import EMPTY, OTHER
from vision.training.boxes import draw_boxes


def test_boxes_have_all_labels_and_come_again_from_their_seed() -> None:
    drawn, again = draw_boxes((5,), 400), draw_boxes((5,), 400)
    np.testing.assert_array_equal(drawn.inks, again.inks)
    assert drawn.inks.shape == (400, GLYPH_PX, GLYPH_PX)
    told = [LABELS[label] for label in drawn.labels]
    assert set(told) == set(LABELS)
    assert told.count(OTHER) == pytest.approx(60, abs=25)
    empty = drawn.inks[[label == EMPTY for label in told]]
    assert (empty.max(axis=(1, 2)) > 0).mean() < 0.8  # some hold dirt
