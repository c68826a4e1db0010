"""Values of a round ↔ JSON, by the types of their fields.

A dataclass is an object of its fields; one that may be one of several is told by ``type``. The
names of fields are the format: a log that was written once must stay readable, so that a field may
be added with a default, and never renamed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from firmware_host.rounds import events
from firmware_host.store.errors import StorageError
from scoring.solution import FoundWord, Solution

Json = Any
"""What JSON can hold."""

_NEWER = "It may be of a newer version of wordtray: install that one."


class CodecError(StorageError):
    """JSON that is not of the form that it should be."""


def kind_of(event: events.Event) -> str:
    """What the log calls an event: ``button_pressed``."""
    return kind_of_type(type(event))


def kind_of_type(form: type[events.Event]) -> str:
    """What the log calls events of a type."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", form.__name__).lower()


def encoded(value: object) -> Json:
    """A value as JSON; a file by its name alone, as the log knows its folder."""
    match value:
        case Path():
            return value.name
        case StrEnum():
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): encoded(inner) for key, inner in value.items()}
        case tuple():
            return [encoded(inner) for inner in value]
    return _encoded_fields(value)


def _encoded_fields(value: Any) -> Json:  # noqa: ANN401 - any dataclass
    if isinstance(value, Solution):
        words = [encoded(word) for word in value.words]
        return {"points": value.points, "count": value.count, "words": words}
    names = [field.name for field in dataclasses.fields(value)]
    return {name: encoded(getattr(value, name)) for name in names}


@dataclasses.dataclass(frozen=True)
class Decoder:
    """Reads what `encoded` wrote.

    Args:
        photos: the folder of the photos that are named.
    """

    photos: Path

    def event(self, kind: str, data: Json) -> events.Event:
        """The event of a kind, as of `kind_of`.

        Raises:
            CodecError: it is no event that this version knows.
        """
        if kind not in _EVENTS:
            raise CodecError(f"the log has an event {kind!r} that is not known", _NEWER)
        event: events.Event = self.value(_EVENTS[kind], data)
        return event

    def value(self, form: Any, data: Json) -> Any:  # noqa: ANN401 - of the given type
        """A value of a type.

        Raises:
            CodecError: it is none.
        """
        try:
            return self._read(form, data)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise CodecError(
                f"the log has something that cannot be read: {error}", _NEWER
            ) from error

    def _read(self, form: Any, data: Json) -> Any:  # noqa: ANN401 - of the given type
        origin, inner = get_origin(form), get_args(form)
        if origin in (Union, UnionType):
            return None if data is None else self._read(_without_none(inner), data)
        if origin is tuple:
            return self._tuple(inner, data)
        if origin is not None:  # of mappings only those are left
            pairs = {key: self._read(inner[1], item) for key, item in data.items()}
            return MappingProxyType(pairs)
        return self._plain(form, data)

    def _tuple(self, inner: tuple[Any, ...], data: Json) -> tuple[Any, ...]:
        forms = inner[:1] * len(data) if inner[-1] is Ellipsis else inner
        return tuple(self._read(form, item) for form, item in zip(forms, data, strict=True))

    def _plain(self, form: Any, data: Json) -> Any:  # noqa: ANN401 - of the given type
        if form is Path:
            return self.photos / Path(_checked(str, data)).name
        if form is Solution:
            words = tuple(self._read(FoundWord, word) for word in data["words"])
            return Solution(data["points"], data["count"], lambda: words)
        if form is FoundWord:
            return FoundWord(*self._tuple(tuple(_hints(form).values()), data))
        if dataclasses.is_dataclass(form):
            return self._fields(form, data)
        return form(data) if issubclass(form, StrEnum) else _checked(form, data)

    def _fields(self, form: Any, data: Json) -> Any:  # noqa: ANN401 - of the given type
        hints = _hints(form)
        return form(**{name: self._read(hints[name], item) for name, item in data.items()})


def _checked(form: type, data: Json) -> Json:
    if form is float and type(data) is int:
        return float(data)
    if type(data) is not form:
        raise TypeError(f"{data!r} is no {form.__name__}")
    return data


def _without_none(forms: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a type
    (only,) = (form for form in forms if form is not NoneType)
    return only


@cache
def _hints(form: Any) -> dict[str, Any]:  # noqa: ANN401 - a type
    return get_type_hints(form)


_EVENTS: Mapping[str, type[events.Event]] = MappingProxyType(
    {kind_of_type(form): form for form in get_args(events.Event)}
)
