"""Tournaments: who plays whom, what counts, and the proof of every point; pure, without a clock."""
