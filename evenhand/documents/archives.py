"""The member names of a ZIP file, complete or damaged, without unpacking it."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

_LOCAL = b"PK\x03\x04"
_CENTRAL = b"PK\x01\x02"
_END = b"PK\x05\x06"
_MOST_MEMBERS = 20_000


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    header: int  # offset of its local header


def list_members(data: bytes) -> list[Member]:
    """Members from the central directory, or from the local headers when that is damaged or missing."""
    return _from_directory(data) or _from_local_headers(data)


def _from_directory(data: bytes) -> list[Member]:
    end = data.rfind(_END, max(0, len(data) - 65_557))
    if end < 0 or end + 22 > len(data):
        return []
    size, offset = struct.unpack_from("<II", data, end + 12)
    # Junk before the archive shifts everything; the directory always stands right before its end record.
    at = offset if data[offset : offset + 4] == _CENTRAL else end - size
    shift = at - offset
    members: list[Member] = []
    while at >= 0 and data[at : at + 4] == _CENTRAL and at + 46 <= len(data) and len(members) < _MOST_MEMBERS:
        name_length, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        (header,) = struct.unpack_from("<I", data, at + 42)
        members.append(Member(_name(data[at + 46 : at + 46 + name_length]), header + shift))
        at += 46 + name_length + extra + comment
    return members


def _from_local_headers(data: bytes) -> list[Member]:
    members: list[Member] = []
    at = data.find(_LOCAL)
    while at >= 0 and at + 30 <= len(data) and len(members) < _MOST_MEMBERS:
        (name_length,) = struct.unpack_from("<H", data, at + 26)
        members.append(Member(_name(data[at + 30 : at + 30 + name_length]), at))
        at = data.find(_LOCAL, at + 30)
    return members


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("\\", "/").lstrip("/")


def peek(data: bytes, member: Member, limit_bytes: int) -> bytes:
    """The first bytes of a member, however much it would unpack to; empty when it cannot be unpacked."""
    at = member.header
    if at < 0 or data[at : at + 4] != _LOCAL or at + 30 > len(data):
        return b""
    (method,) = struct.unpack_from("<H", data, at + 8)
    (packed,) = struct.unpack_from("<I", data, at + 18)
    name_length, extra = struct.unpack_from("<HH", data, at + 26)
    start = at + 30 + name_length + extra
    if method == 0:
        return data[start : start + min(limit_bytes, packed or limit_bytes)]
    if method != 8:
        return b""
    try:
        return zlib.decompressobj(-15).decompress(data[start : start + limit_bytes], limit_bytes)
    except zlib.error:
        return b""
