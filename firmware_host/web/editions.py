"""A state as it is told to many pages at once: what they share is written once.

Two hundred phones see the same board, the same players and the same sand; only their own lists
differ. What is written is the same as of `firmware_host.web.views.state_view`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from firmware_host.documents import result_document
from firmware_host.web.sessions import Role, Session
from firmware_host.web.views import Scene, head_view, round_view, you_view


class Edition:
    """One state for all who listen.

    Args:
        scene: the state with what is around it.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._rounds: dict[Role, str] = {}
        self._result: _Result | None = None

    def message(self, viewer: Session) -> str:
        """The message of the stream to somebody."""
        scene = self._scene
        head = head_view(scene, viewer).model_dump_json()
        you = _you(scene, viewer)
        state = f'{head[:-1]},"round":{self._round(viewer)},"you":{you}}}'
        return f'{{"seq":{scene.seq},"state":{state}}}'

    def _round(self, viewer: Session) -> str:
        if viewer.role not in self._rounds:
            view = round_view(self._scene, viewer)
            self._rounds[viewer.role] = view.model_dump_json(exclude={"result"})
        return f'{self._rounds[viewer.role][:-1]},"result":{self._of_result(viewer)}}}'

    def _of_result(self, viewer: Session) -> str:
        found = self._scene.state.result
        if found is None:
            return "null"
        if self._result is None:
            self._result = _Result(result_document(found, self._scene.lexicon))
        return self._result.for_(viewer)


class _Result:
    """A result, in pieces: a player gets their own words, the table those of all."""

    def __init__(self, document: dict[str, Any]) -> None:
        players = document["players"]
        rest = {key: value for key, value in document.items() if key != "players"}
        self._head = _json(rest)[:-1]
        self._names = [player["name"] for player in players]
        self._whole = [_json(player) for player in players]
        self._bare = [_json(player | {"words": []}) for player in players]

    def for_(self, viewer: Session) -> str:
        shown = self._whole
        if viewer.role is Role.PLAYER:
            pairs = zip(self._names, self._whole, self._bare, strict=True)
            shown = [whole if name == viewer.name else bare for name, whole, bare in pairs]
        return f'{self._head},"players":[{",".join(shown)}]}}'


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _you(scene: Scene, viewer: Session) -> str:
    if viewer.role is not Role.PLAYER:
        return "null"
    return you_view(scene, viewer.name).model_dump_json()


class Editions:
    """Makes an edition whenever there is another number."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._edition: Edition | None = None

    def of(self, number: int, scene: Callable[[], Scene]) -> Edition:
        """The edition of a number; the scene is asked for once for each."""
        if self._edition is None or number != self._number:
            self._edition, self._number = Edition(scene()), number
        return self._edition
