"""Sightings of spots gathered to spots."""

from __future__ import annotations

import numpy as np

from vision.blobs import merged


def test_sightings_near_one_another_and_of_one_size_are_one_spot() -> None:
    sightings = np.array(
        [[10, 10, 8, 0.9], [12, 10, 8, 0.5], [10, 11, 16, 0.8], [40, 10, 8, 0.7], [10, 12, 9, 0.6]]
    )
    spots = merged(sightings)
    np.testing.assert_allclose(spots.counts, [3, 1, 1])
    np.testing.assert_allclose(spots.places[0], [32 / 3, 32 / 3])
    np.testing.assert_allclose(spots.sizes, [25 / 3, 16, 8])


def test_a_chain_of_sightings_is_no_single_spot() -> None:
    """Each belongs to the best one near; what is near that one's neighbours alone does not."""
    sightings = np.array([[10, 10, 10, 0.9], [13, 10, 10, 0.8], [16, 10, 10, 0.7]])
    np.testing.assert_allclose(merged(sightings).counts, [2, 1])


def test_the_spots_seen_most_are_kept() -> None:
    seen = np.repeat([[50.0, 50.0, 8.0, 0.5], [90.0, 50.0, 8.0, 0.9]], [3, 1], axis=0)
    np.testing.assert_allclose(merged(seen, most=1).places, [[50, 50]])


def test_without_sightings_there_are_no_spots() -> None:
    assert merged(np.zeros((0, 4))).places.shape == (0, 2)
