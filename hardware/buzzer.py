"""The buzzer: tunes by pulses, quiet when asked."""

from __future__ import annotations

from hardware.clock import Clock
from hardware.devices import TUNES
from hardware.pins import OutputPin
from hardware.real import RealDevice
from hardware.tunes import QUIET_TUNES, TUNE_NOTES, Note

MODES = ("loud", "quiet", "silent")
"""All tunes; `QUIET_TUNES` alone and softly; none."""

_LOUDNESS = {"loud": 0.5, "quiet": 0.03}
"""Share of a pulse: half of it is as loud as it gets."""


class PinBuzzer(RealDevice):
    """A buzzer on a pin, as of `hardware.devices.Buzzer`.

    gpiozero's own ``TonalBuzzer`` leaves the pin of lgpio high as often as not when it stops: here
    every note ends by writing a level of 0.

    Args:
        pin: open and low.
        clock: the notes last on it.
        mode: one of `MODES`.
        pitched: True for a piezo that is given its pitch, False for a buzzer with a pitch of its
            own, which only knows on and off.
        simulated: True on a pin of thin air.
    """

    def __init__(
        self,
        pin: OutputPin,
        clock: Clock,
        mode: str = "loud",
        *,
        pitched: bool = True,
        simulated: bool = False,
    ) -> None:
        super().__init__("buzzer", (pin,), simulated=simulated)
        self._pin = pin
        self._clock = clock
        self._mode = mode
        self._pitched = pitched

    def play(self, tune: str) -> None:
        """As of `hardware.devices.Buzzer.play`; returns when it is over, within a second."""
        self._check_open()
        if tune not in TUNES:
            raise ValueError(f"there is no tune {tune!r}; the tunes are {', '.join(TUNES)}")
        if self._mode == "loud" or (self._mode == "quiet" and tune in QUIET_TUNES):
            self._sound(TUNE_NOTES[tune])

    def _sound(self, notes: tuple[Note, ...]) -> None:
        try:
            for pitch_hz, seconds in notes:
                self._note(pitch_hz)
                self._clock.sleep(seconds)
        finally:
            self._pin.off()

    def _note(self, pitch_hz: int) -> None:
        if not pitch_hz:
            self._pin.off()
        elif self._pitched:
            self._pin.pitch(pitch_hz)
            self._pin.write(_LOUDNESS[self._mode])
        else:
            self._pin.write(1.0)
