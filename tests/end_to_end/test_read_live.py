"""``read --live`` and ``read --burst`` as a user calls them, on films and photos we render."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import typer
from numpy.typing import NDArray
from PIL import Image
from rich.console import Console
from typer.testing import Result

from firmware_host.cli.output import Output
from firmware_host.cli.read_live import read_live
from firmware_host.errors import ExitCode
from firmware_host.frames import Frame
from hardware.devices import DeviceError
from scoring.board import Board
from vision.render.tray import PhotoOptions, RenderedTray, photograph, render_tray

Run = Callable[..., Result]
Picture = NDArray[np.uint8]
BOARD = "IETC/HAPE/SEYH/TOER"
OTHER = "LMNO/PRST/UVWX/ABCD"
FPS = 10
OPTIONS = PhotoOptions(size=(640, 480), variety=0.0, max_tilt=10, max_yaw=10, share=(0.7, 0.8))


@pytest.fixture(scope="session")
def shot() -> RenderedTray:
    return render_tray(Board.parse(BOARD), np.random.default_rng(7), OPTIONS)


@pytest.fixture(scope="session")
def other(shot: RenderedTray) -> Picture:
    return photograph(Board.parse(OTHER), shot.scene, np.random.default_rng(2)).photo


TABLE = np.full((480, 640, 3), (90, 80, 70), np.uint8)


def held(picture: Picture, seconds: float) -> list[Picture]:
    """Frames with the noise of a sensor."""
    rng = np.random.default_rng(0)
    return [
        (picture + 2.5 * rng.standard_normal(picture.shape, np.float32))
        .clip(0, 255)
        .astype(np.uint8)
        for _ in range(round(seconds * FPS))
    ]


def film(file: Path, frames: Iterable[Picture]) -> str:
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (640, 480))
    for frame in frames:
        writer.write(np.ascontiguousarray(frame[..., ::-1]))
    writer.release()
    return str(file)


def documents(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_film_of_two_throws_gives_a_document_for_each(
    run: Run, tmp_path: Path, shot: RenderedTray, other: Picture
) -> None:
    video = film(tmp_path / "game.avi", held(shot.photo, 1.6) + held(other, 2.0))
    result = run("read", "--live", video, "--json")
    first, second = documents(result)
    keys = "photo rows cols board faces confidence doubtful edition corners_px seconds state cocked"
    assert [key for key in first if key in keys.split()] == keys.split()
    assert (first["board"], second["board"]) == (BOARD, OTHER)
    assert (first["photo"], first["doubtful"], first["cocked"]) == (video, [], [])
    assert 0.4 < first["seconds"] < 1.6 < second["seconds"]
    assert result.exit_code == ExitCode.DONE
    assert result.stderr == ""


def test_people_see_the_board_and_whether_it_lies_flat(
    run: Run, tmp_path: Path, shot: RenderedTray
) -> None:
    result = run("read", "--live", film(tmp_path / "game.avi", held(shot.photo, 2.0)))
    assert BOARD in result.stdout
    assert "all cubes flat" in result.stdout
    assert result.exit_code == ExitCode.DONE


def test_a_film_without_a_tray_says_so(run: Run, tmp_path: Path) -> None:
    result = run("read", "--live", film(tmp_path / "table.avi", held(TABLE, 0.5)), "--json")
    assert documents(result)[0]["error"]["kind"] == "no_tray"
    assert result.exit_code == ExitCode.NOTHING_FOUND


def test_a_tray_that_passes_by_is_told_and_not_guessed(
    run: Run, tmp_path: Path, shot: RenderedTray
) -> None:
    frames = [shot.photo, *[TABLE] * 4]
    result = run("read", "--live", film(tmp_path / "passing.avi", frames), "--json")
    assert documents(result)[0]["error"]["kind"] == "doubtful"
    assert result.exit_code == ExitCode.DOUBTFUL


def test_a_film_that_ends_on_the_way_to_rest_must_be_confirmed(
    run: Run, tmp_path: Path, shot: RenderedTray, other: Picture
) -> None:
    video = film(tmp_path / "game.avi", held(shot.photo, 1.6) + held(other, 0.4))
    result = run("read", "--live", video, "--json")
    _, last = documents(result)
    assert (last["board"], last["state"], last["seconds"]) == (OTHER, "moving", 1.9)
    assert result.exit_code == ExitCode.DOUBTFUL


def test_a_tray_that_is_gone_at_the_end_must_be_confirmed(
    run: Run, tmp_path: Path, shot: RenderedTray
) -> None:
    video = film(tmp_path / "game.avi", held(shot.photo, 1.6) + [TABLE] * 5)
    result = run("read", "--live", video, "--json")
    assert [document["board"] for document in documents(result)] == [BOARD]
    assert result.exit_code == ExitCode.DOUBTFUL


def test_a_camera_that_is_not_there_is_a_device_fault(run: Run) -> None:
    result = run("read", "--live", "/dev/video987", "--json")
    assert documents(result)[0]["error"]["kind"] == "device"
    assert result.exit_code == ExitCode.DEVICE_FAULT


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--live", "0", "photo.jpg"),
        ("--live", "0", "--burst"),
        ("--live", "0", "--annotate", "x"),
        ("--live", ""),
        ("--live", "rtsp://10.0.0.2/stream"),
    ],
)
def test_wrong_use_is_refused(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("read", *arguments, "--json")
    assert documents(result)[0]["error"]["kind"] == "usage"
    assert result.exit_code == ExitCode.WRONG_USE


def test_an_unknown_edition_is_refused_before_the_camera_is_opened(run: Run) -> None:
    assert run("read", "--live", "/dev/video987", "--cubes", "none").exit_code == 2


# A camera that is stopped, or fails, on the way

Watch = Callable[[Iterable[Picture], BaseException | None], None]


@contextmanager
def _camera(
    frames: Iterable[Picture], end: BaseException | None, _source: str
) -> Iterator[Iterator[Frame]]:
    def seen() -> Iterator[Frame]:
        for number, frame in enumerate(frames):
            yield Frame(frame, number / FPS)
        if end is not None:
            raise end

    yield seen()


@pytest.fixture
def terminal() -> Console:
    return Console(force_terminal=True, record=True, width=80, quiet=False)


@pytest.fixture
def watch(terminal: Console) -> Watch:
    """Watches a camera that gives frames and ends by an error."""

    def watched(frames: Iterable[Picture], end: BaseException | None) -> None:
        output = Output(json=False, out=terminal, log=terminal)
        read_live("0", None, output, partial(_camera, frames, end))

    return watched


def test_ctrl_c_ends_with_the_code_of_the_last_reading(
    watch: Watch, shot: RenderedTray, terminal: Console
) -> None:
    with pytest.raises(typer.Exit) as ended:
        watch(held(shot.photo, 1.6), KeyboardInterrupt())
    assert ended.value.exit_code == ExitCode.DONE
    assert BOARD in terminal.export_text()


def test_ctrl_c_after_the_cubes_were_shaken_asks_for_a_look(
    watch: Watch, shot: RenderedTray, other: Picture, terminal: Console
) -> None:
    with pytest.raises(typer.Exit) as ended:
        watch(held(shot.photo, 1.6) + held(other, 0.4), KeyboardInterrupt())
    assert ended.value.exit_code == ExitCode.DOUBTFUL
    assert OTHER in terminal.export_text()


def test_a_camera_that_is_unplugged_ends_with_its_fault_after_what_was_read(
    watch: Watch, shot: RenderedTray, terminal: Console
) -> None:
    with pytest.raises(DeviceError, match="unplugged"):
        watch(held(shot.photo, 1.6), DeviceError("camera", "it was unplugged", "Plug it in."))
    assert BOARD in terminal.export_text()


# Bursts


@pytest.fixture(scope="session")
def burst(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three photos of one tray, in the first of which cubes are hidden by glare."""
    folder = tmp_path_factory.mktemp("burst")
    options = PhotoOptions(size=(1000, 750), variety=0.0, max_tilt=10, max_yaw=5)
    shots = [render_tray(Board.parse(BOARD), np.random.default_rng(4), options)]
    shots += [
        photograph(Board.parse(BOARD), shots[0].scene, np.random.default_rng(k)) for k in (5, 6)
    ]
    x, y = np.mean(shots[0].corners_px, axis=0).astype(int)
    shots[0].photo[y - 90 : y - 10, x - 90 : x - 10] = 255
    files = [folder / f"{number}.jpg" for number in range(len(shots))]
    for file, one in zip(files, shots, strict=True):
        Image.fromarray(one.photo).save(file, quality=92)
    return [str(file) for file in files]


def test_a_burst_gives_one_document_that_asks_less(run: Run, burst: list[str]) -> None:
    alone = documents(run("read", burst[0], "--json"))[0]
    (together,) = documents(run("read", *burst, "--burst", "--json"))
    assert together["board"] == BOARD
    assert together["photos"] == burst
    assert together["photo"] == burst[0]
    assert len(together["doubtful"]) < len(alone["doubtful"])


def test_a_photo_of_a_burst_without_a_tray_is_left_out_and_named(
    run: Run, burst: list[str], tmp_path: Path
) -> None:
    Image.fromarray(TABLE).save(tmp_path / "table.jpg")
    result = run("read", "table.jpg", *burst[1:], "--burst", "--json")
    assert documents(result)[0]["photos"] == burst[1:]
    assert "table.jpg shows no tray" in result.stderr
    nothing = run("read", "table.jpg", "--burst")
    assert nothing.exit_code == ExitCode.NOTHING_FOUND


def test_a_burst_of_two_boards_is_refused(
    run: Run, burst: list[str], tmp_path: Path, other: Picture
) -> None:
    Image.fromarray(other).save(tmp_path / "other.png")
    result = run("read", burst[1], "other.png", "--burst", "--json")
    assert documents(result)[0]["error"]["kind"] == "different_trays"
    assert result.exit_code == ExitCode.UNUSABLE_FILE


def test_a_burst_is_annotated_on_its_first_photo(
    run: Run, burst: list[str], tmp_path: Path
) -> None:
    result = run("read", *burst[1:], "--burst", "--annotate", "out")
    assert result.exit_code in {ExitCode.DONE, ExitCode.DOUBTFUL}
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["read-1.jpg"]
