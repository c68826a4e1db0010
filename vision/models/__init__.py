"""Weights of the face classifier, with the command that makes them."""
