"""Pips of thrown dice in a photo."""
