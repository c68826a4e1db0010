"""The buzzer: pitches, quiet modes, and a pin that is low after every note that ends a tune."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.buzzer import MODES, PinBuzzer
from hardware.devices import TUNES
from hardware.tunes import LONGEST_TUNE_S, QUIET_TUNES, TUNE_NOTES

if TYPE_CHECKING:
    from tests.hardware.conftest import Bench, WatchedClock

PIN = 12


def test_every_tune_has_notes_and_no_round_waits_for_one_longer_than_a_second() -> None:
    assert set(TUNE_NOTES) == set(TUNES)
    for notes in TUNE_NOTES.values():
        assert 0 < sum(seconds for _, seconds in notes) <= LONGEST_TUNE_S
    assert set(TUNES) > QUIET_TUNES


@pytest.mark.parametrize("tune", TUNES)
def test_a_tune_sounds_its_pitches_and_leaves_the_pin_low(
    bench: Bench, watched: WatchedClock, tune: str
) -> None:
    buzzer = PinBuzzer(bench.pins.output("buzzer", PIN), watched)
    heard: list[tuple[float, float | None]] = []
    watched.on_sleep = lambda: heard.append((bench.level(PIN), bench.factory.pin(PIN).frequency))
    buzzer.play(tune)
    wanted = [(0.5, pitch) if pitch else (0.0, None) for pitch, _ in TUNE_NOTES[tune]]
    assert [(level, pitch if level else None) for level, pitch in heard] == wanted
    assert bench.level(PIN) == 0


@pytest.mark.parametrize("mode", MODES)
def test_a_quiet_buzzer_plays_few_tunes_softly_and_a_silent_one_none(
    bench: Bench, watched: WatchedClock, mode: str
) -> None:
    buzzer = PinBuzzer(bench.pins.output("buzzer", PIN), watched, mode)
    loudest = {}
    for tune in TUNES:
        bench.factory.pin(PIN).clear_states()
        buzzer.play(tune)
        loudest[tune] = max(state.state for state in bench.factory.pin(PIN).states)
    expected = {"loud": set(TUNES), "quiet": set(QUIET_TUNES), "silent": set()}
    assert {tune for tune, level in loudest.items() if level} == expected[mode]
    if mode == "quiet":
        assert max(loudest.values()) < 0.1


def test_a_buzzer_with_a_pitch_of_its_own_is_switched(bench: Bench, watched: WatchedClock) -> None:
    buzzer = PinBuzzer(bench.pins.output("buzzer", PIN, 400), watched, pitched=False)
    buzzer.play("start")
    assert {state.state for state in bench.factory.pin(PIN).states} == {0, 1}
    assert bench.factory.pin(PIN).frequency == 400
    assert bench.level(PIN) == 0


def test_an_interruption_in_the_midst_of_a_note_leaves_the_pin_low(
    bench: Bench, watched: WatchedClock
) -> None:
    def interrupt() -> None:
        assert bench.level(PIN) > 0
        raise KeyboardInterrupt

    watched.at(0.1, interrupt)
    with pytest.raises(KeyboardInterrupt):
        PinBuzzer(bench.pins.output("buzzer", PIN), watched).play("end")
    assert bench.level(PIN) == 0
