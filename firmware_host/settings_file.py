"""The file of settings: where it is, what is wrong with it, and an example to begin with."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_host.errors import CommandError, Complaint, ExitCode, wrong_use
from firmware_host.files import read_given, write_whole, xdg_folder

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from firmware_host.settings import Settings

SYSTEM_FILE = Path("/etc/wordtray/wordtray.toml")
VARIABLE = "WORDTRAY_SETTINGS"
LARGEST_FILE = 100_000
"""Bytes at most: settings are two pages."""

ADVICE = "Mend it; `wordtray settings example` shows every key with its meaning."


class SettingsError(CommandError):
    """A file of settings that is not sound.

    Args:
        file: the file.
        problems: each with section, key and limit.
    """

    def __init__(self, file: Path, problems: tuple[str, ...]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        message = f"{file}: {problems[0]}{more}"
        super().__init__(Complaint("settings", message, ADVICE, ExitCode.UNUSABLE_FILE))
        self.problems = problems


@dataclass(frozen=True)
class Loaded:
    """Settings, and the file that they are from; None where there is none."""

    settings: Settings
    file: Path | None


def find(named: Path | None = None) -> Path | None:
    """The file of settings.

    The first of: the one that is named, that of ``WORDTRAY_SETTINGS``, that of the system, that of
    the user. The last two need not be there.
    """
    if named is not None:
        return named
    if from_environment := os.environ.get(VARIABLE):
        return Path(from_environment)
    places = (SYSTEM_FILE, users_file())
    return next((place for place in places if place.exists()), None)


def users_file() -> Path:
    """The file of settings of the user."""
    return xdg_folder("XDG_CONFIG_HOME", ".config") / "wordtray.toml"


def load(named: Path | None = None) -> Loaded:
    """The settings of this machine; without a file, the defaults.

    Args:
        named: the file, by ``--settings``.

    Raises:
        CommandError: the file cannot be read.
        SettingsError: it is not sound.
    """
    from firmware_host.settings import Settings

    file = find(named)
    return Loaded(Settings() if file is None else read(file), file)


def warnings(settings: Settings) -> Iterator[str]:
    """What sound settings name that this machine does not have now."""
    from hardware.photo_folder import photos_in

    camera = settings.camera
    if camera.simulated and camera.folder is not None and not photos_in(camera.folder):
        what = "has no photos" if camera.folder.is_dir() else "is no folder here"
        yield f"[camera] folder: {camera.folder} {what}"


def read(file: Path) -> Settings:
    """The settings of a file.

    Raises:
        CommandError: it cannot be read.
        SettingsError: it is no TOML, or a key is unknown or out of bounds.
    """
    from pydantic import ValidationError

    from firmware_host.settings import Settings

    data = read_given(file, LARGEST_FILE, "settings", "file of settings")
    try:
        return Settings.model_validate(tomllib.loads(data.decode()))
    except UnicodeDecodeError:
        raise SettingsError(file, ("it is not written in UTF-8",)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(file, (f"it is no TOML: {error}",)) from None
    except RecursionError:
        raise SettingsError(file, ("it is no TOML: brackets in brackets without end",)) from None
    except ValidationError as error:
        problems = tuple(problem_in(one, Settings) for one in error.errors(include_url=False))
        raise SettingsError(file, problems) from None


def problem_in(error: ErrorDetails, model: type[BaseModel]) -> str:
    """One thing that is wrong with a file of some model: ``[shaker] power: …``."""
    from pydantic import BaseModel

    *sections, last = [str(part) for part in error["loc"]] or [""]
    where = f"[{'.'.join(sections)}] {last}" if sections else last and f"[{last}]"
    if error["type"] == "extra_forbidden":
        known = ", ".join(_model_at(model, sections).model_fields)
        return f"{where}: there is no such {'key' if sections else 'section'}; there are {known}"
    if error["type"] == "model_type":
        if not where:
            return "it should hold sections with keys, and holds none"
        return f"{where}: should be a section with keys, not {error['input']!r}"
    text = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    given = error["input"]
    shown = "" if isinstance(given, Mapping | BaseModel) else f", not {given!r}"
    return f"{where}: {text}{shown}" if where else text


def _model_at(model: type[BaseModel], sections: list[str]) -> type[BaseModel]:
    for section in sections:
        model = next(iter(_models_in(model.model_fields[section].annotation)), model)
    return model


def _models_in(annotation: Any) -> list[type[BaseModel]]:  # noqa: ANN401 - any annotation
    """The model of a field, also of one that may be absent."""
    from typing import get_args

    from pydantic import BaseModel

    found = (annotation, *get_args(annotation))
    return [one for one in found if isinstance(one, type) and issubclass(one, BaseModel)]


def example() -> str:
    """A file with every key at its default, commented out."""
    from firmware_host.settings import Settings

    lines = _lines(Settings(), mark="# ")
    return "\n".join(["# Settings of wordtray. What is left out is as shown.", *lines, ""])


def written(settings: Settings) -> str:
    """Settings as a file that gives the same."""
    return "\n".join(_lines(settings, mark="")).strip()


def write_example(file: Path) -> None:
    """Write the example into a new file.

    Raises:
        CommandError: the file is there already.
        OSError: it cannot be written.
    """
    if file.exists():
        message = f"{file} is there already"
        raise wrong_use("settings", message, "Name a new file; this one may hold your settings.")
    write_whole(file, (example().encode(),))


def _lines(settings: BaseModel, mark: str) -> Iterator[str]:
    for name in type(settings).model_fields:
        yield from _section(name, getattr(settings, name), mark)


def _section(name: str, section: BaseModel, mark: str) -> Iterator[str]:
    """A section with its keys, then those within it.

    Args:
        name: as in its heading.
        section: its values.
        mark: before a key that has a value; one without is always commented out.
    """
    fields = type(section).model_fields
    inner = {key for key, field in fields.items() if _models_in(field.annotation)}
    yield from ("", f"# {(type(section).__doc__ or '').strip()}", f"[{name}]")
    for key, field in fields.items():
        if key not in inner:
            value = _toml(getattr(section, key))
            yield f"{mark if value else '# '}{key} = {value or '…'}  # {field.description}"
    for key in fields:
        held = getattr(section, key)
        if key in inner and held is not None:
            yield from _section(f"{name}.{key}", held, mark)


def _toml(value: Any) -> str:  # noqa: ANN401 - any value of a key
    """A value as TOML has it; empty for none."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value}"
        case tuple():
            return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"'
