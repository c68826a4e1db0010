"""What the service tells of the game that it serves, and of lines that come as it ends."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from pydantic import ValidationError
from rich.console import Console

from firmware_host.cli.lines import DescriptorLines
from firmware_host.cli.output import Output
from firmware_host.cli.pages import Wish
from firmware_host.cli.rounds import Agreed, agreed_rules, announce_game
from firmware_host.cli.serve import Teller, obey
from firmware_host.errors import CommandError
from firmware_host.rounds import ButtonPressed, Phase, RoundState
from firmware_host.settings import WebSection
from hardware.clock import ManualClock
from hardware.simulated import SimulatedDevices, simulated_devices
from scoring.cubes import cube_set
from tests.firmware_host.conftest import BOARD
from tests.firmware_host.test_table import ALONE, render


def agreed(game: str | None, cubes: str = "new_4x4") -> Agreed:
    return Agreed(cubes, "enable", Path("pictures"), (), None, game)


def announced(game: str | None, cubes: str = "new_4x4") -> str:
    out = StringIO()
    rules = agreed_rules(agreed(game, cubes))
    announce_game(Console(file=out, width=200), rules, cube_set(cubes))
    return out.getvalue()


@pytest.mark.parametrize(
    ("game", "cubes", "told"),
    [
        (None, "new_4x4", "Game: Boggle\n"),
        ("big", "new_4x4", "Game: Big Boggle, made for 5×5 cubes; this tray has 4×4\n"),
        ("ultimate", "new_4x4", "Game: Boggle Ultimate\n"),
        ("worldwinner", "big_1979_5x5", "Game: WorldWinner Boggle\n"),
        (
            "worldwinner",
            "super_big_2012_6x6",
            "Game: WorldWinner Boggle, made for 4×4 or 5×5 cubes; this tray has 6×6\n",
        ),
    ],
)
def test_the_game_is_named_and_a_tray_that_is_not_its_own(
    game: str | None, cubes: str, told: str
) -> None:
    assert announced(game, cubes) == told


def test_a_game_that_takes_a_match_is_refused_before_there_is_a_tray() -> None:
    with pytest.raises(CommandError, match="takes teams"):
        agreed_rules(agreed("super-big-team"))


def test_each_phase_is_told_with_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    teller = Teller(Output.standard(json=True), "big", simulated=True)
    teller.watch(RoundState(ALONE, Phase.SHAKING), ButtonPressed(0.0))
    told = json.loads(capsys.readouterr().out)
    assert told == {"phase": "shaking", "simulated": True, "game": "big"}


@pytest.mark.parametrize("given", [(Path("a.pem"), None), (None, Path("a.pem"))])
def test_a_certificate_and_its_key_belong_together(given: tuple[Path | None, Path | None]) -> None:
    with pytest.raises(CommandError, match="belong together"):
        Wish(None, None, *given, new_pin=False)
    certificate, key = given
    with pytest.raises(ValidationError, match="belong together"):
        WebSection(certificate=certificate, key_file=key)


def test_options_win_over_the_settings_of_the_pages() -> None:
    wish = Wish("0.0.0.0", None, None, None, new_pin=False)  # noqa: S104
    web = wish.of(WebSection(port=81, name="hall"))
    assert (web.host, web.port, web.name) == ("0.0.0.0", 81, "hall")  # noqa: S104
    assert wish.of_none().port == 8080


@pytest.fixture
def devices() -> SimulatedDevices:
    return simulated_devices(lambda: BOARD.faces, render, ManualClock())


@pytest.mark.parametrize("ending", [True, False])
def test_a_line_that_comes_as_the_devices_are_let_go_of_is_no_failure(
    devices: SimulatedDevices, *, ending: bool
) -> None:
    devices.close()
    out = StringIO()
    reading, writing = os.pipe()
    os.write(writing, b"reroll\npress\n")
    os.close(writing)
    lines = DescriptorLines(reading, lambda _: None)
    obey(devices, lines, Console(file=out, width=200), lambda: ending)
    assert out.getvalue().count("it was closed before") == (0 if ending else 2)
    os.close(reading)
