"""Whether a shaker is fair: what the boards of many shakes say about it."""
