"""Trains the face classifier on rendered crops; a tool, never imported by the product."""
