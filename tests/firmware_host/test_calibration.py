"""Calibration: what is chosen, how it is found on twins, and how it is kept."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import rounds
from firmware_host.calibration import choices, steps, stored
from firmware_host.calibration.choices import Lit, Spot, Trial
from firmware_host.calibration.steps import Rig
from firmware_host.calibration.stored import Calibration, Found, Step
from firmware_host.cli.calibrate import _age, _check_file
from firmware_host.doctor.calibrated import OLD_DAYS, calibration
from firmware_host.doctor.finding import Grade
from firmware_host.errors import CommandError, ExitCode, complaint_of
from firmware_host.photos import PhotoFolder
from firmware_host.settings import Settings
from firmware_host.tray import Tray
from hardware.clock import ManualClock
from hardware.devices import DeviceError, Exposure, Photo
from hardware.duty import DutyLimits
from hardware.motion import Motion
from hardware.pins import Pins
from hardware.shaker import MotorPins, MotorShaker
from hardware.simulated import Call, Faces, Script, Scripted, SimulatedDevices, simulated_devices
from hardware.simulated.shaker import THROWS
from scoring.board import Board
from scoring.cubes import cube_set
from scoring.lexicon import Lexicon
from tests.firmware_host.conftest import make_reading
from vision import settle
from vision.errors import NoTrayError
from vision.exposure import Light, light_of
from vision.reading import TrayReading

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
CELL = 40
CORNERS: choices.Corners = ((40.0, 40.0), (200.0, 40.0), (200.0, 200.0), (40.0, 200.0))
SPOT = Spot(CORNERS, 4, 4)

# ---- what is chosen --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "burnt", "lit"),
    [
        (200, 0.0, Lit.GOOD),
        (100, 0.0, Lit.DARK),
        (250, 0.0, Lit.BRIGHT),
        (220, 0.1, Lit.BRIGHT),
        (120, 0.1, Lit.GLARE),
    ],
)
def test_an_exposure_is_judged_by_its_light_faces(level: float, burnt: float, lit: Lit) -> None:
    assert choices.judged(Light(level, burnt)) is lit


def test_light_is_that_of_the_cubes_alone() -> None:
    photo = np.full((240, 240, 3), 255, np.uint8)
    photo[40:201, 40:201] = (200, 150, 100)
    photo[90:110, 90:110] = 255
    light = light_of(photo, CORNERS)
    assert light.level == 200
    assert light.burnt == pytest.approx(400 / 161**2)
    assert light_of(photo, tuple((x + 999, y) for x, y in CORNERS)) == Light(0.0, 0.0)


@given(st.integers(50, 100_000), st.floats(1, 8), st.floats(0, 255), st.floats(0, 1))
def test_the_next_exposure_stays_within_bounds(
    time_us: int, gain: float, level: float, burnt: float
) -> None:
    found = choices.adjusted(Exposure(time_us, gain, (1.5, 2.0), 4.0), Light(level, burnt))
    if found is not None:
        assert choices.SHORTEST_US <= found.exposure_us <= choices.LONGEST_US
        assert 1 <= found.gain <= choices.MOST_GAIN
        assert (found.colour_gains, found.lens_position) == ((1.5, 2.0), 4.0)


@given(st.floats(0.02, 0.9), st.sampled_from([1.0, 1 / 2.2]))
def test_it_gets_good_from_any_exposure_with_any_curve_of_the_sensor(
    bright: float, curve: float
) -> None:
    """A tray whose faces are at ``bright`` of the range at 10 ms."""
    exposure = Exposure(10_000, 1.0)
    for _ in range(steps.TRIES):
        level = min(1.0, bright * exposure.exposure_us * exposure.gain / 10_000) ** curve * 255
        light = Light(level, 1.0 if level >= 255 else 0.0)
        if choices.judged(light) is Lit.GOOD:
            return
        better = choices.adjusted(exposure, light)
        assert better is not None
        exposure = better
    pytest.fail(f"still at {exposure}")


def test_time_is_lengthened_before_the_gain_is_raised() -> None:
    found = choices.adjusted(Exposure(20_000, 1.0), Light(choices.WANTED / 2, 0.0))
    assert found == Exposure(choices.LONG_US, round(40_000 / choices.LONG_US, 3))
    ended = Exposure(choices.LONGEST_US, choices.MOST_GAIN)
    assert choices.adjusted(ended, Light(50.0, 0.0)) is None


def moved(spot: Spot, right: float) -> Spot:
    upper_left, upper_right, lower_right, lower_left = ((x + right, y) for x, y in spot.corners_px)
    return replace(spot, corners_px=(upper_left, upper_right, lower_right, lower_left))


def test_a_place_is_the_median_of_what_was_seen_with_its_spread() -> None:
    found = choices.settled_spot([SPOT, moved(SPOT, 2), moved(SPOT, 3)])
    assert found == replace(moved(SPOT, 2), spread_px=2.0)


@pytest.mark.parametrize("other", [moved(SPOT, 30), replace(SPOT, rows=5)])
def test_a_tray_that_jumps_has_no_place(other: Spot) -> None:
    with pytest.raises(CommandError, match="several places"):
        choices.settled_spot([SPOT, SPOT, other])


def test_two_of_seven_pictures_that_have_it_elsewhere_are_left_out() -> None:
    elsewhere = moved(SPOT, 12)
    found = choices.settled_spot([SPOT, elsewhere, moved(SPOT, 1), SPOT, elsewhere, SPOT, SPOT])
    assert found == replace(SPOT, spread_px=1.0)
    with pytest.raises(CommandError, match="12 pixels apart: only 4 of 7") as caught:
        choices.settled_spot([SPOT] * 4 + [elsewhere] * 3)
    assert "light" in caught.value.complaint.advice


def test_a_tray_that_is_found_anew_in_each_picture_has_no_place() -> None:
    with pytest.raises(CommandError, match="several places"):
        choices.settled_spot([moved(SPOT, 5 * number) for number in range(7)])


def test_a_displacement_is_that_of_the_farthest_corner_in_cells() -> None:
    assert choices.displacement(SPOT, moved(SPOT, 1.5 * CELL)) == pytest.approx(1.5)
    turned = replace(SPOT, corners_px=(*CORNERS[1:], CORNERS[0]))
    assert choices.displacement(SPOT, turned) == 0.0
    assert choices.displacement(SPOT, replace(moved(SPOT, 99), rows=5)) == 0.0


def test_the_threshold_lies_above_what_is_still_and_below_what_moves() -> None:
    assert choices.stillness(0.4) == settle.LEAST_CHANGE
    assert choices.stillness(3.0, 40.0) == pytest.approx(4.5)
    with pytest.raises(CommandError, match="would hide what moves"):
        choices.stillness(6.0)
    with pytest.raises(CommandError, match="cannot be told apart"):
        choices.stillness(4.0, 9.0)


def test_the_gentlest_strength_that_mixes_twice_is_taken() -> None:
    half, more, full = Trial(0.4, (0.9, 0.5)), Trial(0.5, (0.9, 0.8)), Trial(0.8, (1.0, 1.0))
    assert (half.mixes, more.mixes, Trial(0.5, (0.9,)).mixes) == (False, True, None)
    assert choices.gentlest([half, full, more]) == more
    with pytest.raises(CommandError, match=r"even at 40% of full power .* 90% of them changed"):
        choices.gentlest([half])


def test_cells_change_by_their_faces_and_doubtful_ones_do_not_count() -> None:
    before = make_reading(Board.parse("ABCD/EFGH/IJKL/MNOP"))
    after = make_reading(Board.parse("ABXX/EFXX/IJXX/MNXX"), doubtful=[(0, 2), (1, 2)])
    assert choices.changed_share(before, after) == pytest.approx(6 / 14)
    most = [(row, col) for row in range(4) for col in range(3)]
    with pytest.raises(CommandError, match="4 of 16 cubes were read without a doubt"):
        choices.changed_share(before, make_reading(Board.parse("ABXX/EFXX/IJXX/MNXX"), most))
    with pytest.raises(CommandError, match="a part of the tray"):
        choices.changed_share(before, make_reading(Board.parse("ABC/DEF/GHI")))


# ---- how it is found on twins ----------------------------------------------------------------


@dataclass
class Sim:
    """Twins with a tray of squares, and a reader that knows what lies in it."""

    faults: tuple[str, ...] = ()
    shine: float = 200.0
    jump_px: float = 0.0
    settings: Settings = field(default_factory=Settings)
    calls: list[Call] = field(default_factory=list)
    clock: ManualClock = field(default_factory=ManualClock)
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng, cubes = random.Random(1), cube_set("new_4x4")
        self.devices = simulated_devices(
            lambda: cubes.roll(rng).faces,
            self.render,
            self.clock,
            self.calls.append,
            script=Script(map(Scripted.parse, self.faults)),
            render_cocked=self.render,
        )
        self.sights = 0

    def render(self, faces: Faces, _number: int) -> Photo:
        """Light faces with prints of their own, on a dark ground with a grain."""
        cells = [[self.face(face) for face in row] for row in faces]
        picture = np.pad(np.block(cells), CELL, constant_values=20)
        grain = np.random.default_rng(1).integers(0, 12, picture.shape)
        return np.repeat((picture + grain).clip(0, 255).astype(np.uint8)[:, :, None], 3, axis=2)

    def face(self, face: str) -> Any:  # noqa: ANN401 - an array
        cell = np.full((CELL, CELL), self.shine)
        cell[10:30, 8 + ord(face[0]) % 16 : 16 + ord(face[0]) % 16] = 30
        return cell

    def read(self, photo: Photo) -> TrayReading:
        if photo.mean() < 15:
            raise NoTrayError("no tray was found", "Take another photo.")
        self.sights += 1
        far = self.jump_px * (self.sights % 2)
        reading = make_reading(Board.from_faces(self.devices.tray.faces))
        spot = moved(SPOT, far)
        return replace(reading, corners_px=spot.corners_px)

    def rig(self, *, may_move: bool = True) -> Rig:
        return Rig(
            self.devices,
            self.clock,
            lambda: NOW,
            self.read,
            self.settings,
            may_move,
            self.told.append,
        )

    def calibrated(self, *chosen: Step, may_move: bool = True) -> Calibration:
        heard: list[tuple[Step, Found]] = []
        found = steps.calibrate(
            self.rig(may_move=may_move),
            "twin",
            chosen or tuple(Step),
            settle.LEAST_CHANGE,
            lambda step, one: heard.append((step, one)),
        )
        assert found.steps == dict(heard)
        return found

    def powers(self) -> list[object]:
        return [call.args[1] for call in self.calls if call.action == "shake"]


def test_a_sound_machine_is_calibrated_step_by_step_and_the_lamp_is_off_again() -> None:
    sim = Sim()
    found = sim.calibrated()
    assert list(found.steps) == list(Step)
    assert (found.width, found.height, found.oldest) == (240, 240, NOW)
    assert found.exposure is not None
    assert found.exposure.exposure == sim.devices.camera.exposure
    assert found.corners is not None
    assert found.corners.spot == SPOT
    assert found.settle is not None
    assert found.settle.moved is not None
    assert found.settle.still < found.settle.least < found.settle.moved
    assert found.motor is not None
    assert found.motor.power == pytest.approx(0.56)
    assert found.motor.pattern == "bursts"
    assert not sim.devices.lamp.lit


@pytest.mark.parametrize("shine", [60.0, 120.0, 243.0])
def test_the_exposure_is_set_until_the_faces_are_bright_and_not_burnt_out(shine: float) -> None:
    sim = Sim(shine=shine)
    found = sim.calibrated(Step.EXPOSURE).exposure
    assert found is not None
    assert choices.judged(Light(found.level, found.burnt)) is Lit.GOOD
    assert sim.devices.camera.exposure == found.exposure
    assert any("light faces at" in text for text in sim.told)


def test_what_the_settings_fix_is_looked_at_and_not_changed() -> None:
    fixed = Settings.model_validate({"camera": {"exposure_us": 10_000}})
    assert Sim(settings=fixed).calibrated(Step.EXPOSURE).exposure is not None
    dark = Sim(shine=60.0, settings=fixed)
    with pytest.raises(CommandError, match="that the settings fix does not suit"):
        dark.calibrated(Step.EXPOSURE)
    assert not [call for call in dark.calls if call.action == "expose"]


def test_glare_is_no_matter_of_exposure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "light_of", lambda *_: Light(120.0, 0.1))
    sim = Sim()
    with pytest.raises(CommandError, match="glare") as caught:
        sim.calibrated(Step.EXPOSURE)
    assert "diffuser" in caught.value.complaint.advice
    assert not [call for call in sim.calls if call.action == "expose"]


def test_a_tray_that_is_found_here_and_there_is_refused() -> None:
    with pytest.raises(CommandError, match="several places"):
        Sim(jump_px=50.0).calibrated(Step.CORNERS)


def test_without_leave_nothing_moves() -> None:
    sim = Sim()
    found = sim.calibrated(may_move=False)
    assert list(found.steps) == [Step.EXPOSURE, Step.CORNERS, Step.SETTLE]
    assert found.settle is not None
    assert found.settle.moved is None
    assert not [call for call in sim.calls if call.device == "shaker"]


def test_the_motor_is_tried_from_gentle_to_strong_and_never_beyond_the_settings() -> None:
    sim = Sim()
    sim.calibrated(Step.MOTOR)
    gentle, strong = 0.4, 0.56
    assert [power for power in sim.powers() if power] == [gentle, 0.48, strong, strong]
    weak = Sim(settings=Settings.model_validate({"shaker": {"power": THROWS - 0.01}}))
    with pytest.raises(CommandError, match="do not mix: 0% of them changed"):
        weak.calibrated(Step.MOTOR)
    assert weak.powers() == sorted(weak.powers())  # type: ignore[type-var]
    assert max(weak.powers()) == THROWS - 0.01  # type: ignore[type-var]


@pytest.mark.parametrize("power", [0.3, 1.0])
def test_a_motor_that_must_rest_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, power: float
) -> None:
    sim = Sim(settings=Settings.model_validate({"shaker": {"power": power}}))
    shake, refusals = sim.devices.shaker.shake, iter([True, False, True])

    def tired(seconds: float, power: float | None = None) -> None:
        if next(refusals, False):
            raise DeviceError("shaker", "it must rest", "Wait.", retry_after_s=50.0)
        shake(seconds, power)

    monkeypatch.setattr(sim.devices.shaker, "shake", tired)
    begin = sim.clock.monotonic()
    if power == 1.0:
        sim.calibrated(Step.MOTOR)
    else:
        with pytest.raises(CommandError, match="do not mix"):
            sim.calibrated(Step.MOTOR)
    assert sim.clock.monotonic() - begin > 100
    assert "motor: it rests for 50 s" in sim.told


def test_the_budget_of_a_real_motor_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A motor on pins of thin air that may run for 5 s a minute, and whose runs throw the cubes."""
    sim, spans = Sim(), list[tuple[float, float]]()
    pins, limits = (
        Pins(MockFactory(pin_class=MockPWMPin), simulated=True),
        DutyLimits(6, 5, 60, 0.5),
    )
    motor = MotorShaker(
        MotorPins(pins.output("shaker", 23)), sim.devices.lid, sim.clock, Motion("bursts"), limits
    )

    def shake(seconds: float, power: float | None = None) -> None:
        motor.shake(seconds, power)
        spans.append((sim.clock.monotonic() - seconds, sim.clock.monotonic()))
        (sim.devices.tray.shake if power and power >= THROWS else sim.devices.tray.rock)()

    monkeypatch.setattr(sim.devices.shaker, "shake", shake)
    with motor:
        found = sim.calibrated(Step.SETTLE, Step.MOTOR).motor
    assert found is not None
    assert found.power == pytest.approx(0.56)
    assert len(spans) == 5
    for _, end in spans:
        window = [(max(begin, end - 60), stop) for begin, stop in spans if end - 60 < stop <= end]
        assert sum(stop - begin for begin, stop in window) <= 5 + 1e-6


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("camera-hangs", "no picture in 6 s"),
        ("camera-unplugged@9", "unplugged"),
        ("camera-black", "the picture is black"),
        ("camera-fails@20", "failed"),
        ("lamp-dead", "gives no light"),
        ("motor-stuck", "stuck"),
        ("lid-opens", "lid is open"),
        ("cube-spins@2", "does not come to rest"),
        ("shaker-fails", "failed"),
    ],
)
def test_each_fault_ends_it_with_an_advice_and_a_dark_lamp(fault: str, told: str) -> None:
    sim = Sim((fault,))
    with pytest.raises((CommandError, DeviceError), match=told) as caught:
        sim.calibrated()
    complaint = complaint_of(caught.value)
    assert complaint is not None
    assert complaint.advice
    assert complaint.code is ExitCode.DEVICE_FAULT
    assert not sim.devices.lamp.lit


def test_a_camera_that_cannot_be_told_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("hardware.simulated.camera.SimulatedCamera.expose")
    found = Sim().calibrated(Step.EXPOSURE).exposure
    assert found is not None
    assert found.exposure is None
    assert "sets its exposure itself" in str(found)
    with pytest.raises(CommandError, match="no exposure suits"):
        Sim(shine=60.0).calibrated(Step.EXPOSURE)


# ---- how it is kept --------------------------------------------------------------------------


@pytest.fixture
def found() -> Calibration:
    return Sim().calibrated()


def test_what_is_kept_is_read_back_the_same(found: Calibration, tmp_path: Path) -> None:
    file = tmp_path / "data" / "calibration.json"
    assert stored.load(file) is None
    stored.save(file, found)
    assert stored.load(file) == found
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"exposure": {"gain": 0.5}}, r"\[exposure\] gain: .*greater than or equal to 1, not 0\.5"),
        ({"settle": {"least": 99}}, r"\[settle\] least"),
        ({"motor": {"power": 2}}, r"\[motor\] power"),
        ({"corners": {"corners_px": [[1, 1]] * 4}}, r"corners_px: they lie on one another"),
        ({"colour": 1}, "colour.*there is no such"),
        ({"format": 2}, "format"),
        ({"exposure": {"at": "2026-11-30T12:00:00"}}, r"\[exposure\] at"),
    ],
)
def test_a_key_that_is_wrong_is_named(
    found: Calibration, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    document = json.loads(found.model_dump_json())
    for key, value in change.items():
        document[key] = {**document[key], **value} if isinstance(value, dict) else value
    file = tmp_path / "calibration.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(CommandError, match=told) as caught:
        stored.load(file)
    assert caught.value.complaint.code is ExitCode.UNUSABLE_FILE
    file.write_text(found.model_dump_json()[:99], encoding="utf-8")
    with pytest.raises(CommandError, match="is no JSON"):
        stored.load(file)


def test_steps_that_were_not_taken_stay_unless_the_camera_is_another(found: Calibration) -> None:
    later = NOW + timedelta(days=3)
    assert found.corners is not None
    corners = found.corners.model_copy(update={"at": later})
    only = Calibration(format=1, camera="twin", width=240, height=240, corners=corners)
    both = stored.merged(found, only)
    assert both.corners == corners
    assert (both.exposure, both.motor, both.oldest) == (found.exposure, found.motor, NOW)
    assert stored.merged(None, only) == only
    for other in ({"camera": "usb /dev/video0"}, {"width": 640}):
        changed = only.model_copy(update=other)
        assert stored.merged(found, changed) == changed


def test_it_stands_in_where_the_settings_say_nothing(found: Calibration) -> None:
    assert found.exposure is not None
    used = found.applied_to(Settings())
    assert used.camera.exposure_us == found.exposure.exposure_us
    assert used.camera.colour_gains == found.exposure.colour_gains
    assert used.shaker.power == 0.56
    assert found.overruled_by(Settings()) == ()


def test_the_settings_win(found: Calibration) -> None:
    named = Settings.model_validate({"camera": {"gain": 3.0}, "shaker": {"power": 0.9}})
    used = found.applied_to(named)
    assert (used.camera.gain, used.shaker.power) == (3.0, 0.9)
    assert found.overruled_by(named) == ("[camera] gain", "[shaker] power")
    other = Settings.model_validate({"shaker": {"shake_s": 3.0}})
    assert found.applied_to(other).shaker.power == 0.8  # the power was of two seconds


# ---- how it is used --------------------------------------------------------------------------


def tray_of(sim: Sim, found: Calibration | None, tmp_path: Path) -> Tray:
    return Tray(
        sim.devices,
        sim.clock,
        sim.read,
        PhotoFolder(tmp_path),
        Lexicon.from_words("none", ["cat"]),
        calibration=found,
    )


@pytest.mark.parametrize(("away", "told"), [(0.0, 0.0), (0.9, 0.0), (1.5, 1.5)])
def test_a_reading_says_how_far_the_tray_lies_from_its_place(
    found: Calibration, tmp_path: Path, away: float, told: float
) -> None:
    sim = Sim(jump_px=away * CELL)
    sim.devices.lamp.on()
    event = tray_of(sim, found, tmp_path).perform(rounds.ReadTray())
    assert isinstance(event, rounds.TrayRead)
    assert event.displaced == pytest.approx(told)
    sim.sights = 0
    other = found.model_copy(update={"width": 999})
    for calibrated in (None, other):
        event = tray_of(sim, calibrated, tmp_path).perform(rounds.ReadTray())
        assert isinstance(event, rounds.TrayRead)
        assert event.displaced == 0.0


def test_the_threshold_of_stillness_is_used(found: Calibration, tmp_path: Path) -> None:
    seen: list[float] = []

    def start(now: float, least: float) -> settle.Settling:
        seen.append(least)
        return settle.Settling(now, settle.Outcome.SETTLED)

    calmer = found.model_copy(
        update={"settle": stored.FoundStillness(at=NOW, least=5.0, still=3.0)}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settle, "start", start)
        for one in (calmer, None):
            tray_of(Sim(), one, tmp_path).perform(rounds.AwaitRest())
    assert seen == [5.0, settle.LEAST_CHANGE]


# ---- what the doctor says --------------------------------------------------------------------


def test_the_doctor_tells_how_it_stands(found: Calibration, tmp_path: Path) -> None:
    file, camera = tmp_path / "calibration.json", Settings().camera
    told = calibration(file, "pi 0", NOW, camera)
    assert (told.grade, told.advice) == (Grade.WARN, "Calibrate: wordtray calibrate")
    told = calibration(file, "simulated, seed 1", NOW)
    assert (told.grade, told.advice) == (Grade.NONE, "Calibrate: wordtray calibrate --simulate")

    size = {"camera": "pi 0", "width": camera.width, "height": camera.height}
    stored.save(file, found.model_copy(update=size))
    told = calibration(file, "pi 0", NOW + timedelta(days=OLD_DAYS), camera)
    assert told.grade is Grade.OK
    assert told.text.startswith("of 2026-11-30, camera pi 0: exposure, corners")

    for doubt in (
        calibration(file, "pi 0", NOW + timedelta(days=OLD_DAYS + 1), camera),
        calibration(file, "usb /dev/video0", NOW, camera),
        calibration(file, "pi 0", NOW, camera.model_copy(update={"width": 999})),
    ):
        assert doubt.grade is Grade.WARN
        assert doubt.advice


# ---- the twins -------------------------------------------------------------------------------


def test_gentle_shakes_rock_the_cubes_and_leave_them() -> None:
    def thrown(devices: SimulatedDevices, power: float) -> bool:
        before = devices.tray.faces
        devices.shaker.shake(1.0, power)
        return devices.tray.faces != before

    devices = Sim().devices
    assert not thrown(devices, THROWS - 0.01)
    assert settle.change(devices.tray.look(), devices.tray.look()) > settle.MOST_CHANGE
    assert thrown(devices, THROWS)


def test_a_file_that_is_no_section_is_told_in_words_with_its_own_command(tmp_path: Path) -> None:
    file = tmp_path / "calibration-simulated.json"
    file.write_text("null")
    with pytest.raises(CommandError) as caught:
        stored.load(file)
    assert ".json: it should hold sections with keys" in caught.value.complaint.message
    assert "wordtray calibrate --simulate;" in caught.value.complaint.advice


def test_an_age_before_its_time_is_told() -> None:
    assert _age(1) == "1 day ago"
    assert "to come" in _age(-36_524)


def test_a_folder_in_place_of_the_file_is_told_before_anything_moves(tmp_path: Path) -> None:
    _check_file(tmp_path / "calibration.json")
    with pytest.raises(CommandError, match="is a folder"):
        _check_file(tmp_path)
