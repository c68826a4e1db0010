"""Signals that end the program through every ``finally``."""

from __future__ import annotations

import signal

import pytest

from firmware_host.signals import ENDING, ended_by_signals


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_ends_it_as_ctrl_c_does(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), ended_by_signals():
        signal.raise_signal(number)
    assert signal.getsignal(number) == before
