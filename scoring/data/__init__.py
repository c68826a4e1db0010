"""Cube sets and the built-in word list, with their provenance."""
