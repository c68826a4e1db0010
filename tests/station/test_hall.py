"""A whole hall: 100 trays, 600 players, eight rounds, a broker, a station and a cable that fail."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from json import loads
from pathlib import Path

import pytest
from conftest_station import Mosquitto, Postgres, free_port, until
from halls import EVENT, Cable, StationProcess, begin, crowd_of, enable, opened_trays

from firmware_host import tournaments
from firmware_host.rounds import BoardPrescribed, ButtonPressed, Event, Phase
from firmware_host.station.base import Base, open_base
from firmware_host.station.direction import tray_of
from firmware_host.station.folding import result_of
from firmware_host.station.orders import order
from firmware_host.station.results import assignments
from firmware_host.station.simulated import Connected
from scoring.cubes import cube_set
from scoring.tournament.document import event_document, results_document
from scoring.tournament.drawing import draw, draw_event
from scoring.tournament.log import Log
from scoring.tournament.proof import verify
