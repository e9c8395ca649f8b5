"""The Ed25519 key under the checkpoints: made once, readable by its owner only."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from evenhand.errors import StoreError


class SigningKey:
    """`public` is the other half, in hexadecimal: what others need to check a signature."""

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
