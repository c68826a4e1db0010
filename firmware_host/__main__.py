"""``python -m firmware_host`` is ``wordtray``."""

from firmware_host.cli import main

main()
