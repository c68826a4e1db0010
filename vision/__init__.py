"""Pixels to readings: pure, no devices."""
