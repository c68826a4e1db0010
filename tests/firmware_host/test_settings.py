"""Settings: bounds, unknown keys and pins that clash, each told with file, section and key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import settings_file
from firmware_host.errors import CommandError, ExitCode
from firmware_host.settings import Action, Settings, WebSection
from firmware_host.settings_file import (
    SettingsError,
    example,
    find,
    load,
    read,
    warnings,
    written,
)
from hardware.devices import ACTIONS
from hardware.wiring_diagram import draw

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "wordtray.toml"


def problems(file: Path, text: str) -> tuple[str, ...]:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read(file)
    assert caught.value.complaint.code is ExitCode.UNUSABLE_FILE
    assert str(caught.value).startswith(f"{file}: ")
    return caught.value.problems


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[shaker]\npower = 2", "[shaker] power: should be less than or equal to 1, not 2"),
        ("[shaker]\npower = 0", "[shaker] power: should be greater than 0, not 0"),
        ("[shaker]\nfrequency_hz = 20000", "[shaker] frequency_hz: should be less than"),
        ("[shaker]\npower = '1'", "[shaker] power: should be a valid number, not '1'"),
        ("[shaker]\npwoer = 1", "[shaker] pwoer: there is no such key; there are driver, "),
        ("[shaker]\nshake_s = 8", "[shaker]: shake_s, longest_s, budget_s"),
        ("[shaker]\ndriver = 'h_bridge'", "[shaker]: driver h_bridge needs a backward_pin"),
        ("[shaker]\nbackward_pin = 24", "[shaker]: driver mosfet turns one way only"),
        ("[shaker]\npattern = 'reversals'", "[shaker]: pattern reversals needs driver h_bridge"),
        ("[shaker]\nforward_pin = 5", "shaker.forward_pin is on GPIO 5, which is high while"),
        ("[station]\nhost = 'broker'", "[station]: host needs event and tray"),
        ("[station]\nuser = 'desk'", "[station]: user and password_file belong together"),
        ("[station]\nevent = 'Spring Cup'", "[station] event: "),
        ("[station]\nport = 0", "[station] port: should be greater than or equal to 1, not 0"),
        ("[lid]\npin = 18", "lid.pin and lamp.pin are both on GPIO 18"),
        ("[lid]\npin = 28", "[lid] pin: should be less than or equal to 27, not 28"),
        ("[lid]\npin = 3", "lid.pin and display (SCL) are both on GPIO 3"),
        ("[lid]\npin = true", "[lid] pin: should be a valid integer, not True"),
        ("lid = 3", "[lid]: should be a section"),
        ("[lids]", "[lids]: there is no such section; there are pins, shaker, lid, "),
        (
            "[buttons.second]\npin = 5\npim = 3",
            "[buttons.second] pim: there is no such key; there are pin",
        ),
        ("[buttons.second]", "[buttons.second] pin: Field required"),
        (
            "[buttons.second]\npin = 27",
            "buttons.start.pin and buttons.second.pin are both on GPIO 27",
        ),
        ("[buttons.start]\nlong = 'fly'", "[buttons.start] long: should be 'press', 'pause'"),
        ("[camera]\nkind = 'folder'", "[camera]: kind folder needs a folder"),
        (
            "[sand_timer]\nkind = 'ws2812'\n[lid]\npin = 9",
            "lid.pin is on GPIO 9, which the spi bus",
        ),
        ("[pins]\nlibrary = 'guess'", "[pins] library: should be 'lgpio', 'rpigpio' or 'mock'"),
        ("x", "it is no TOML: "),
        (f"x = {'[' * 9000}", "it is no TOML: "),
    ],
)
def test_what_is_wrong_is_told_with_its_key(file: Path, text: str, told: str) -> None:
    (problem,) = problems(file, text)
    assert problem.startswith(told)


def test_all_problems_are_told(file: Path) -> None:
    told = problems(file, "[shaker]\npower = 2\nramp_s = 9\n[lid]\npins = 3")
    assert len(told) == 3
    with pytest.raises(SettingsError, match=r"power: .* \(and 2 more\)"):
        read(file)


def test_a_file_in_another_encoding_is_told(file: Path) -> None:
    file.write_bytes("# ü\n".encode("latin-1"))
    with pytest.raises(SettingsError, match="not written in UTF-8"):
        read(file)


def test_a_file_that_is_not_there_is_told(file: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        load(file)


@pytest.mark.parametrize(
    ("text", "made_up"),
    [
        ("", ()),
        ('[pins]\nlibrary = "mock"', ("pins.library",)),
        ('[camera]\nkind = "folder"\nfolder = "/photos"', ("camera.kind",)),
    ],
)
def test_what_is_made_up_is_known(file: Path, text: str, made_up: tuple[str, ...]) -> None:
    file.write_text(text, encoding="utf-8")
    assert read(file).simulated == made_up


def test_a_camera_without_photos_is_warned_of(tmp_path: Path) -> None:
    def warned(folder: Path) -> list[str]:
        camera = {"kind": "folder", "folder": str(folder)}
        return list(warnings(Settings.model_validate({"camera": camera})))

    assert warned(tmp_path / "gone") == [f"[camera] folder: {tmp_path}/gone is no folder here"]
    assert warned(tmp_path) == [f"[camera] folder: {tmp_path} has no photos"]
    (tmp_path / "tray.png").touch()
    assert warned(tmp_path) == []
    assert list(warnings(Settings())) == []


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().shaker.power = 1.0


def test_the_defaults_can_be_wired() -> None:
    wiring = Settings().wiring
    assert {"shaker", "lid", "lamp", "sand_timer", "buzzer", "button", "display"} == set(
        wiring.parts
    )
    assert wiring.driver == "mosfet"


def test_parts_that_are_not_there_have_no_wires(file: Path) -> None:
    kinds = "".join(f"[{part}]\nkind = 'none'\n" for part in ("sand_timer", "buzzer", "display"))
    file.write_text(kinds, encoding="utf-8")
    assert set(read(file).wiring.parts) == {"shaker", "lid", "lamp", "button"}


def test_a_button_whose_pin_alone_is_named_keeps_its_meanings(file: Path) -> None:
    file.write_text("[buttons.start]\npin = 22\n", encoding="utf-8")
    start = read(file).buttons.start
    assert (start.pin, start.short, start.long) == (22, "press", "cancel")


def test_actions_are_those_of_the_buttons() -> None:
    assert set(get_args(Action)) == {*ACTIONS, "none"}


# The file


def test_the_first_place_with_a_file_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, home = tmp_path / "etc.toml", tmp_path / "home"
    monkeypatch.setattr(settings_file, "SYSTEM_FILE", system)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.delenv("WORDTRAY_SETTINGS", raising=False)
    found = [find()]
    user = home / "wordtray" / "wordtray.toml"
    user.parent.mkdir(parents=True)
    for place in (user, system):
        place.write_text("[lid]\npin = 22\n", encoding="utf-8")
        found.append(find())
    monkeypatch.setenv("WORDTRAY_SETTINGS", str(tmp_path / "named.toml"))
    found += [find(), find(tmp_path / "given.toml")]
    names = [place and place.name for place in found]
    assert names == [None, "wordtray.toml", "etc.toml", "named.toml", "given.toml"]


def test_without_a_file_the_defaults_are_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings_file, "SYSTEM_FILE", tmp_path / "none")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WORDTRAY_SETTINGS", raising=False)
    loaded = load()
    assert loaded.file is None
    assert loaded.settings == Settings()


def test_the_example_names_every_key_and_changes_nothing(file: Path) -> None:
    file.write_text(example(), encoding="utf-8")
    assert read(file) == Settings()
    for name, field in Settings.model_fields.items():
        for key in type(field.default).model_fields:
            heading = example().split(f"[{name}]")[1]
            assert (
                f"# {key} =" in heading
                or f"[{name}.{key}]" in heading
                or key in {"second", "third"}
            )


def test_the_example_uncommented_is_the_defaults(file: Path) -> None:
    text = re.sub(r"^# (\w+ = [^…])", r"\1", example(), flags=re.MULTILINE)
    assert len(tomllib.loads(text)["shaker"]) > 10
    file.write_text(text, encoding="utf-8")
    assert read(file) == Settings()


@given(
    st.fixed_dictionaries(
        {
            "power": st.floats(0.01, 1),
            "ramp_s": st.floats(0.05, 2),
            "forward_pin": st.sampled_from([23, 19, 20, 21]),
        }
    ),
    st.sampled_from(["loud", "quiet", "silent"]),
    st.none() | st.tuples(st.floats(0.1, 8), st.floats(0.1, 8)),
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    shaker: dict[str, float],
    mode: str,
    gains: tuple[float, float] | None,
) -> None:
    values = {"shaker": shaker, "buzzer": {"mode": mode}, "camera": {"colour_gains": gains}}
    settings = Settings.model_validate(values)
    file = tmp_path_factory.mktemp("settings") / "written.toml"
    file.write_text(written(settings), encoding="utf-8")
    assert read(file) == settings


# The pages


def test_the_page_has_the_example_as_it_is() -> None:
    assert example() in (DOCS / "settings.md").read_text("utf-8")


def test_the_drawn_wiring_is_that_of_the_defaults() -> None:
    """Made anew by: wordtray wiring -o docs/pictures/wiring.svg."""
    assert (DOCS / "pictures/wiring.svg").read_text("utf-8") == draw(Settings().wiring)


@pytest.mark.parametrize("host", ["300.1.1.1", "1.2.3", "a b", "::g", "-x"])
def test_what_is_no_address_is_refused_before_the_service_cannot_start(host: str) -> None:
    with pytest.raises(ValueError, match="host"):
        WebSection(host=host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "fe80::1", "tray.local", "localhost"])  # noqa: S104
def test_addresses_and_names_are_taken(host: str) -> None:
    assert WebSection(host=host).host == host


def test_a_name_that_cannot_be_seen_is_refused() -> None:
    with pytest.raises(ValueError, match="name"):
        WebSection(name="\u202eevil")
