"""``wordtray read --live``: a tray under a camera or in a video, its letters as they settle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console
from rich.live import Live as Region
from rich.text import Text

from firmware_host.cli.draw import board_text, edition_text, grid_text
from firmware_host.cli.output import Output, shown
from firmware_host.documents import live_document
from firmware_host.errors import CommandError, Complaint, ExitCode, nothing_found
from firmware_host.frames import CameraFrames, Frame, VideoFrames, camera_device, video_file
from scoring.notation import cell_name

if TYPE_CHECKING:
    from firmware_host.live import Sight, Watcher
    from vision.live import Live, LiveReader
    from vision.reading import TrayReading

_UNREAD = "·"
_SAYINGS = {
    "seeking": "no tray in view",
    "moving": "moving",
    "hand": "something is over the tray",
    "still": "at rest",
    "flat": "at rest, all cubes flat",
}


Opened = Callable[[str], AbstractContextManager[Iterable[Frame]]]


def read_live(
    source: str, edition: str | None, output: Output, opened: Opened | None = None
) -> NoReturn:
    """Watch a source to its end, or until Ctrl-C.

    Args:
        source: number or device of a camera, or a video file.
        edition: the cube set in the tray, or None to have it found out.
        output: the command's streams.
        opened: gives the frames of a source; those of cameras and videos if it is not given.

    Raises:
        DeviceError: the camera fails.
        CommandError: the video cannot be used, no tray was seen, or it did not come to rest.
        typer.Exit: at the end, with the code of the last reading; `ExitCode.DOUBTFUL` also where
            the tray was not at rest then.
    """
    from firmware_host.live import Watcher
    from scoring.cubes import cube_set
    from vision.faces import FaceClassifier
    from vision.flatness import FlatnessNet
    from vision.live import LiveReader

    given = cube_set(edition) if edition else None
    reader = LiveReader(FaceClassifier(), FlatnessNet.load(), given)
    with (opened or _opened)(source) as frames, _screen(output.log) as screen:
        code = _Printer(source, reader, screen, output).follow(Watcher(reader), frames)
    raise typer.Exit(code)


@contextmanager
def _opened(source: str) -> Iterator[Iterable[Frame]]:
    device = camera_device(source)
    if device is None:
        yield VideoFrames(video_file(source))
        return
    from hardware.clock import SystemClock
    from hardware.usb_camera import UsbCamera

    with UsbCamera(device) as camera:
        yield CameraFrames(camera, SystemClock())


@contextmanager
def _screen(console: Console) -> Iterator[Region | None]:
    """A part of the terminal that is drawn again and again; None where there is no terminal."""
    if not console.is_terminal:
        yield None
        return
    with Region(console=console, transient=True, refresh_per_second=10) as region:
        yield region


@dataclass(frozen=True)
class _Printer:
    """Shows what is seen, and prints the readings."""

    source: str
    reader: LiveReader
    screen: Region | None
    output: Output

    def follow(self, watcher: Watcher, frames: Iterable[Frame]) -> ExitCode:
        """Show what is seen in all frames, until Ctrl-C at most; gives how the command ends.

        Raises:
            CommandError: there was no reading.
        """
        seen, sight, reading = False, None, None
        try:
            for sight in watcher.watch(frames):
                seen = seen or sight.state.track is not None
                self._draw(sight.state)
                reading = self._printed(sight) or reading
        except KeyboardInterrupt:
            self.output.log.print("Stopped.")
        if sight is not None:
            reading = self._printed(watcher.at_end(sight, reading)) or reading
        if sight is None or reading is None:
            raise _unsettled(self.source) if seen else _no_tray(self.source)
        must_be_confirmed = reading.doubtful or not sight.state.at_rest
        return ExitCode.DOUBTFUL if must_be_confirmed else ExitCode.DONE

    def _draw(self, state: Live) -> None:
        if self.screen is not None:
            faces = self.reader.faces(state)
            rows = [[face or _UNREAD for face in row] for row in faces]
            board = f"{grid_text(rows)}\n" if rows else ""
            self.screen.update(Text.from_markup(f"{board}{saying(state)}; Ctrl-C ends"))

    def _printed(self, sight: Sight) -> TrayReading | None:
        if sight.reading is not None:
            self._print(sight, sight.reading)
        return sight.reading

    def _print(self, sight: Sight, reading: TrayReading) -> None:
        if self.screen is not None:
            self.screen.stop()  # out of the way; transient, so that nothing of it stays
        document = live_document(self.source, reading, sight.state, sight.seconds)
        self.output.document(document, lambda out: _show(out, self.source, sight, reading))
        if self.screen is not None:
            self.screen.start()


def saying(state: Live) -> str:
    """What the tray is doing, in words."""
    if state.cocked:
        names = ", ".join(map(cell_name, state.cocked))
        return f"[yellow]{names} is cocked: set it flat[/]"
    return _SAYINGS.get(state.phase, str(state.phase))


def _show(out: Console, source: str, sight: Sight, reading: TrayReading) -> None:
    out.print(f"[bold]{shown(source)}[/] after {sight.seconds:.1f} s  {reading.board}")
    out.print(board_text(reading.board, reading.doubtful))
    out.print(f"{saying(sight.state)}; cube set: {edition_text(reading)}")
    if reading.doubtful:
        out.print(f"[yellow]doubtful:[/] {', '.join(map(cell_name, reading.doubtful))}")


def _no_tray(source: str) -> CommandError:
    return nothing_found(
        "no_tray",
        f"no tray of 3×3 to 6×6 cubes came into view of {source}",
        "Hold the camera above the tray in even light, with all cubes in view.",
    )


def _unsettled(source: str) -> CommandError:
    message = f"a tray came into view of {source}, but never lay still for long enough to be read"
    advice = "Keep tray and camera still for two seconds, with no hand over the cubes."
    return CommandError(Complaint("doubtful", message, advice, ExitCode.DOUBTFUL))
