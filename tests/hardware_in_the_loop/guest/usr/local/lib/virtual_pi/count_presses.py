"""Tells each press and release of wordtray's own button on a pin, until a line comes."""

import sys

from hardware.pins import open_pins

with open_pins("lgpio") as pins:
    pin = pins.input("button", int(sys.argv[1]), 0.03)
    pin.watch(lambda low: print("press" if low else "release", flush=True))
    print("begun", flush=True)
    sys.stdin.readline()
