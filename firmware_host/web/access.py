"""Who may do what: PINs, the code of the table, and the secret that signs sessions.

They are made at the first start and lie in one file of the data folder that nobody else may read.
PINs are kept hashed; they are shown once, when they are made.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from firmware_host.errors import DISK_ADVICE
from firmware_host.files import sync_folder
from firmware_host.store.errors import StorageError
from firmware_host.web.sessions import Ended, EndedSessions, Role

FILE = "web.json"
"""In the data folder; no part of a backup."""

DIGITS: Mapping[Role, int] = MappingProxyType({Role.REFEREE: 6, Role.OWNER: 8})
"""Length of each PIN."""

ENDED_FILE = "web-ended.json"
"""Beside it: sessions that were ended before their time, by a digest that proves none."""

CODE_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Signs of the table's code: none that looks like another."""

CODE_LENGTH = 4

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system says where there is no room."""

_COST = {"n": 2**14, "r": 8, "p": 1}
_MODE = 0o600


@dataclass(frozen=True)
class HashedPin:
    """A PIN as it is kept.

    Attributes:
        salt: hexadecimal.
        digest: of scrypt, hexadecimal.
    """

    salt: str
    digest: str

    @classmethod
    def of(cls, pin: str) -> HashedPin:
        """A PIN, hashed with a new salt."""
        salt = secrets.token_bytes(16)
        return cls(salt.hex(), _digest(pin, salt))

    def is_of(self, pin: str) -> bool:
        """Whether it is this one."""
        return hmac.compare_digest(self.digest, _digest(pin, bytes.fromhex(self.salt)))


@dataclass(frozen=True)
class Access:
    """What proves who somebody is.

    Attributes:
        secret: signs the sessions.
        code: of the table, which lets players join.
        pins: by role.
    """

    secret: str
    code: str
    pins: Mapping[Role, HashedPin]

    def role_of(self, pin: str) -> Role | None:
        """Whose PIN it is; every one is tried, so that the time tells nothing."""
        fitting = [role for role, kept in self.pins.items() if kept.is_of(pin)]
        return fitting[0] if fitting else None


def _digest(pin: str, salt: bytes) -> str:
    return hashlib.scrypt(pin.encode(), salt=salt, dklen=32, **_COST).hex()


def made(roles: Iterable[Role] = DIGITS) -> tuple[Access, dict[Role, str]]:
    """A new secret, code and PINs; the PINs themselves beside them, to be shown once."""
    pins = {role: f"{secrets.randbelow(10 ** DIGITS[role]):0{DIGITS[role]}}" for role in roles}
    code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    hashed = MappingProxyType({role: HashedPin.of(pin) for role, pin in pins.items()})
    return Access(secrets.token_hex(32), code, hashed), pins


def opened(data: Path, *, anew: bool = False) -> tuple[Access, dict[Role, str]]:
    """What is kept in the data folder; made where there is nothing, or anew.

    Returns:
        It, and the PINs where they were made now: every session of before is then over.

    Raises:
        StorageError: it cannot be read or kept.
    """
    return opened_file(data / FILE, "wordtray serve --new-pin", anew=anew)


def opened_file(
    file: Path, command: str, *, roles: Iterable[Role] = DIGITS, anew: bool = False
) -> tuple[Access, dict[Role, str]]:
    """The same, of a file; with PINs of some roles alone.

    Args:
        file: where it is kept.
        command: that makes new PINs, for messages.
        roles: who has a PIN, where they are made.
        anew: make it in any case.

    Raises:
        StorageError: it cannot be read or kept.
    """
    try:
        if file.exists() and not anew:
            return _read(file, command), {}
        access, pins = made(roles)
        _write(file, access)
    except OSError as error:
        message = f"{file} cannot be used: {error.strerror}"
        advice = DISK_ADVICE if error.errno in FULL else "See who may read and write it."
        raise StorageError(message, advice) from error
    return access, pins


def _read(file: Path, command: str) -> Access:
    advice = f"Make new PINs: {command}"
    if file.stat().st_mode & 0o077:
        raise StorageError(f"{file} may be read by others", f"Run chmod 600, or: {advice}")
    try:
        kept: dict[str, Any] = json.loads(file.read_bytes())
        pins = {Role(role): HashedPin(**pin) for role, pin in kept["pins"].items()}
        return Access(str(kept["secret"]), str(kept["code"]), MappingProxyType(pins))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise StorageError(f"{file} is damaged", advice) from error


def _write(file: Path, access: Access) -> None:
    pins = {role.value: vars(pin) for role, pin in access.pins.items()}
    _write_privately(file, json.dumps({"secret": access.secret, "code": access.code, "pins": pins}))


def ended_sessions(data: Path) -> Ended:
    """The sessions that were ended, of the data folder.

    Raises:
        StorageError: they cannot be read: each would be good again.
    """
    return ended_of(data / ENDED_FILE, "wordtray serve --new-pin")


def ended_of(file: Path, command: str) -> Ended:
    """The same, of a file; the command makes new PINs.

    Raises:
        StorageError: they cannot be read: each would be good again.
    """
    return Ended(_read_ended(file, command), lambda known: _keep_ended(file, known))


def _read_ended(file: Path, command: str) -> EndedSessions:
    try:
        kept = json.loads(file.read_bytes())
        return {str(key): (Role(role), float(ends_at)) for key, (role, ends_at) in kept.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        advice = f"End every session: delete it, then {command}"
        raise StorageError(f"{file} cannot be used", advice) from error


def _keep_ended(file: Path, known: EndedSessions) -> None:
    try:
        _write_privately(file, json.dumps(known))
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}"
        raise StorageError(message, "Make room, or see who may write there.") from error


def _write_privately(file: Path, data: str) -> None:
    """Written beside it first, so that it is whole, and readable by nobody else at any time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    with os.fdopen(descriptor, "w") as opened_file:
        opened_file.write(data)
        opened_file.flush()
        os.fsync(opened_file.fileno())
    part.replace(file)
    sync_folder(file.parent)
