"""Safe access to the members of a ZIP file held in memory: every limit is checked while a member unpacks."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.documents.draft import ReadLimits
from evenhand.errors import ArchiveBomb, CorruptDocument, EncryptedDocument

LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")
LOCAL_SIGNATURE = b"PK\x03\x04"
STORED, DEFLATED = 0, 8
FLAG_ENCRYPTED, FLAG_SIZES_FOLLOW, FLAG_UTF8 = 0x1, 0x8, 0x800
RATIO_FROM_BYTES = 1_000_000  # below this a high ratio is harmless
MEMBER_BYTES = 40_000_000  # no part of a resume that we unpack is larger
CHUNK_BYTES = 1 << 18
# Pictures of one colour pack far better than text; they are never unpacked here, only counted.
PICTURES = (".emf", ".wmf", ".bmp", ".png", ".gif", ".jpg", ".jpeg", ".tif", ".tiff", ".svg", ".wdp", ".svm")


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of the archive, as its directory (or, in a damaged file, its own header) describes it."""

    name: str
    method: int
    flags: int
    crc: int | None  # unknown when only the local header is left
    packed_bytes: int | None
    unpacked_bytes: int
    offset: int  # of the local header


class Archive:
    """Members by normalised name; nothing is written anywhere, so hostile names can do no harm."""

    def __init__(self, data: bytes, members: list[Member], limits: ReadLimits, *, damaged: bool) -> None:
        self._data = data
        self._limits = limits
        self._spent_bytes = 0
        self._members: dict[str, list[Member]] = {}
        for member in members:
            self._members.setdefault(normal_name(member.name), []).append(member)
        self.damaged = damaged  # something was lost; turns true when a member proves to be broken

    @classmethod
    def open(cls, data: bytes, limits: ReadLimits) -> Archive:
        """Reads the directory, or walks the local headers when the directory is gone."""
        members = _directory(data)
        damaged = members is None
        if members is None:
            members = list(_salvage(data))
        if not members:
            raise CorruptDocument
        if len(members) > limits.members:
            raise ArchiveBomb("The file holds far more parts than a resume can need.")
        if not damaged:  # sizes in a damaged file are chance; what it really unpacks to is still counted
            _check_declared(members, limits)
        return cls(data, members, limits, damaged=damaged)

    def names(self) -> list[str]:
        return list(self._members)

    def __contains__(self, name: str) -> bool:
        return normal_name(name) in self._members

    def read(self, name: str) -> bytes | None:
        """The unpacked member, or None when it is absent or nothing of it can be unpacked."""
        same_name = self._members.get(normal_name(name))
        if not same_name:
            return None
        if len({(member.crc, member.unpacked_bytes) for member in same_name}) > 1 and not self.damaged:
            # Readers disagree on which one counts: a known way to show people and machines different text.
            raise CorruptDocument("The file holds two different parts under the same name.")
        return self._unpack(same_name[0])

    def head(self, name: str, length: int = 4096) -> bytes | None:
        """The first bytes of a member, without unpacking the rest."""
        same_name = self._members.get(normal_name(name))
        packed = self._packed(same_name[0]) if same_name else None
        if not same_name or packed is None or same_name[0].flags & FLAG_ENCRYPTED:
            return None
        if same_name[0].method == STORED:
            return packed[:length]
        try:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed[: 4 * length], length)
        except zlib.error:
            return None

    def _unpack(self, member: Member) -> bytes | None:
        if member.flags & FLAG_ENCRYPTED:
            raise EncryptedDocument
        packed = self._packed(member)
        if packed is None or member.method not in (STORED, DEFLATED):
            self.damaged = True
            return None
        content = b"".join(self._stream(packed, member.method))
        if member.crc is not None and zlib.crc32(content) != member.crc:
            self.damaged = True
        return content or None if self.damaged else content

    def _packed(self, member: Member) -> bytes | None:
        start = _content_start(self._data, member.offset)
        if start is None:
            return None
        end = len(self._data) if member.packed_bytes is None else start + member.packed_bytes
        return self._data[start:end]

    def _stream(self, packed: bytes, method: int) -> Iterator[bytes]:
        unpacked_bytes = 0
        for chunk in (packed,) if method == STORED else self._inflate(packed):
            unpacked_bytes += len(chunk)
            self._spent_bytes += len(chunk)
            over_ratio = unpacked_bytes > max(RATIO_FROM_BYTES, self._limits.ratio * len(packed))
            if over_ratio or unpacked_bytes > MEMBER_BYTES or self._spent_bytes > self._limits.unpacked_bytes:
                raise ArchiveBomb
            yield chunk

    def _inflate(self, packed: bytes) -> Iterator[bytes]:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        rest = packed
        while rest and not inflater.eof:
            try:
                chunk = inflater.decompress(rest, CHUNK_BYTES)
            except zlib.error:
                self.damaged = True
                return
            rest = inflater.unconsumed_tail
            if chunk:
                yield chunk
        if not inflater.eof:
            self.damaged = True


def normal_name(name: str) -> str:
    """Part names compare without case, and some writers use backslashes or a leading slash."""
    return name.replace("\\", "/").lstrip("/").lower()


def _directory(data: bytes) -> list[Member] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [
                Member(
                    info.filename,
                    info.compress_type,
                    info.flag_bits,
                    info.CRC,
                    info.compress_size,
                    info.file_size,
                    info.header_offset,
                )
                for info in archive.infolist()
            ]
    except (zipfile.BadZipFile, struct.error, ValueError, OSError, NotImplementedError, IndexError, EOFError):
        return None


def _salvage(data: bytes) -> Iterator[Member]:
    """Members found by their local headers; the first of a name wins, as archives inside it come later."""
    seen: set[str] = set()
    offset = data.find(LOCAL_SIGNATURE)
    while offset != -1 and offset + LOCAL_HEADER.size <= len(data):
        member = _local_member(data, offset)
        name = normal_name(member.name)
        if name not in seen:
            seen.add(name)
            yield member
        resume = _content_start(data, offset) or offset + 4
        offset = data.find(LOCAL_SIGNATURE, resume + (member.packed_bytes or 0))


def _local_member(data: bytes, offset: int) -> Member:
    _, _, flags, method, _, _, _, packed, unpacked, name_bytes, _ = LOCAL_HEADER.unpack_from(data, offset)
    raw_name = data[offset + LOCAL_HEADER.size : offset + LOCAL_HEADER.size + name_bytes]
    name = raw_name.decode("utf-8" if flags & FLAG_UTF8 else "cp437", "replace")
    unknown = bool(flags & FLAG_SIZES_FOLLOW) and not packed
    return Member(name, method, flags, None, None if unknown else packed, unpacked, offset)


def _content_start(data: bytes, offset: int) -> int | None:
    if offset < 0 or data[offset : offset + 4] != LOCAL_SIGNATURE or offset + LOCAL_HEADER.size > len(data):
        return None
    name_bytes, extra_bytes = struct.unpack_from("<HH", data, offset + 26)
    return offset + LOCAL_HEADER.size + int(name_bytes) + int(extra_bytes)


def _check_declared(members: list[Member], limits: ReadLimits) -> None:
    """What the headers admit is refused before anything is unpacked; what they hide, while unpacking."""
    if sum(member.unpacked_bytes for member in members) > limits.unpacked_bytes:
        raise ArchiveBomb
    for member in members:
        if member.packed_bytes is None or member.name.lower().endswith(PICTURES):
            continue
        if member.unpacked_bytes > max(RATIO_FROM_BYTES, limits.ratio * member.packed_bytes):
            raise ArchiveBomb
