"""Checkpoints: signed statements of where the ledger ended at a time, kept where who rewrites it cannot reach."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from evenhand.errors import StoreError
from evenhand.records import canonical_json
from evenhand.settings import Settings
from evenhand.store.store import Store


class SigningKey:
    """An Ed25519 key, made once and readable by its owner only. `public` is its public half, in hexadecimal."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw().hex()

    @classmethod
    def load_or_make(cls, path: Path) -> SigningKey:
        try:
            if not path.exists():
                _make(path)
            return cls(_load(path))
        except OSError as error:
            raise StoreError(f"The signing key {path} cannot be read or made: {error.strerror}.") from error

    def sign(self, data: bytes) -> str:
        return self._key.sign(data).hex()


def public_key_of(path: Path) -> str | None:
    """The public half of the key in a file; None where none was ever made."""
    try:
        return SigningKey(_load(path)).public if path.exists() else None
    except OSError as error:
        raise StoreError(f"The signing key {path} cannot be read: {error.strerror}.") from error


def is_signed(data: bytes, signature: str, public: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def _make(path: Path) -> None:
    """Whole or not at all; of two that make one at once the first wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    handle, temporary = tempfile.mkstemp(dir=path.parent)  # readable by its owner only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(handle)
        if not path.exists():
            os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        Path(temporary).unlink()


def _load(path: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except ValueError as error:
        raise StoreError(f"The file {path} holds no key.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise StoreError(f"The file {path} holds a key of another kind than Ed25519.")
    return key


COMMAND_SECONDS = 30.0
_LINES_BYTES = 4_096  # room for several of the last lines


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`key` is the public key in hexadecimal; the signature is over the canonical JSON of the other four."""

    sequence: int
    hash: str
    time: str
    key: str
    signature: str

    @classmethod
    def make(cls, sequence: int, hash: str, *, time: datetime, key: SigningKey) -> Checkpoint:
        unsigned = cls(sequence, hash, time.astimezone(UTC).isoformat(), key.public, "")
        return cls(sequence, hash, unsigned.time, key.public, key.sign(unsigned.statement()))

    def statement(self) -> bytes:
        value = {"sequence": self.sequence, "hash": self.hash, "time": self.time, "key": self.key}
        return canonical_json(value).encode()

    @property
    def is_signed(self) -> bool:
        return is_signed(self.statement(), self.signature, self.key)

    def line(self) -> str:
        return canonical_json({name: getattr(self, name) for name in self.__slots__})


def make_checkpoint(store: Store, settings: Settings, *, time: datetime | None = None) -> Checkpoint | None:
    """Signs where the ledger stands and hands it out; None where that has been signed already."""
    sequence, hash = store.ledger.head()
    path = settings.checkpoint_path
    newest = last_checkpoint(path)
    if sequence == 0 or (newest and (newest.sequence, newest.hash) == (sequence, hash)):
        return None
    key = SigningKey.load_or_make(settings.signing_key_path)
    made = Checkpoint.make(sequence, hash, time=time or datetime.now(UTC), key=key)
    append_checkpoint(path, made)
    if settings.checkpoint_copy_path:
        append_checkpoint(settings.checkpoint_copy_path, made)
    if settings.checkpoint_command:
        send_checkpoint(settings.checkpoint_command, made)
    return made


def append_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """On the disk when this returns."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # One write: another process may be appending too.
            os.write(handle, (_newline(path) + checkpoint.line() + "\n").encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreError(f"The checkpoint cannot be written to {path}: {error.strerror}.") from error


def send_checkpoint(command: str, checkpoint: Checkpoint) -> None:
    """Gives the line to a command, which keeps it elsewhere."""
    try:
        done = subprocess.run(  # noqa: S603 (the command is a setting of whoever runs Evenhand)
            shlex.split(command),
            input=(checkpoint.line() + "\n").encode(),
            capture_output=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except (OSError, ValueError, IndexError) as error:
        raise StoreError(f"The checkpoint command cannot be run: {error}.") from error
    except subprocess.TimeoutExpired as error:
        raise StoreError(f"The checkpoint command took more than {COMMAND_SECONDS:.0f} seconds.") from error
    if done.returncode:
        errors = done.stderr.decode(errors="replace").strip().splitlines()
        raise StoreError(f"The checkpoint command failed with {done.returncode}: {errors[-1] if errors else ''}")


def read_checkpoints(path: Path) -> Iterator[Checkpoint | int]:
    """In the order written; the number of a line that is none. Nothing where there is no file."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"The checkpoints {path} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(lines, start=1):
        yield _parse(line) or number


def last_checkpoint(path: Path) -> Checkpoint | None:
    """The newest one, without reading the others."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _LINES_BYTES))
            lines = file.read().splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"The checkpoints {path} cannot be read: {error.strerror}.") from error
    return next((checkpoint for line in reversed(lines) if (checkpoint := _parse(line))), None)


def _parse(line: bytes) -> Checkpoint | None:
    try:
        checkpoint = Checkpoint(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None
    if type(checkpoint.sequence) is not int:
        return None
    texts = (checkpoint.hash, checkpoint.time, checkpoint.key, checkpoint.signature)
    return checkpoint if all(isinstance(text, str) for text in texts) else None


def _newline(path: Path) -> str:
    """Where a line was cut off by a loss of power, the next one is not to be lost with it."""
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return ""
        file.seek(-1, os.SEEK_END)
        return "" if file.read(1) == b"\n" else "\n"
