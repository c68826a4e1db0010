"""Simulated twins of all devices, for a laptop and for tests."""
