"""Synthetic trays: for training, for tests and for the simulated camera."""
