"""Words, boards and rules: pure, no clock, no devices."""
