"""Safe access to the members of a ZIP file held in memory: every limit is checked while a member unpacks."""

from __future__ import annotations

import io
import re
import struct
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from lxml import etree

from evenhand.documents.draft import ReadLimits
from evenhand.errors import ArchiveBomb, CorruptDocument, EncryptedDocument, XmlDtdForbidden
from evenhand.records.document import Warning

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
class ZipMember:
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

    def __init__(self, data: bytes, members: list[ZipMember], limits: ReadLimits, *, damaged: bool) -> None:
        self._data = data
        self._limits = limits
        self._spent_bytes = 0
        self._members: dict[str, list[ZipMember]] = {}
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
        # What the headers admit is refused before anything is unpacked; what they hide, while unpacking. Sizes in a
        # damaged file are chance; what it really unpacks to is still counted.
        if not damaged:
            dense = any(
                member.unpacked_bytes > max(RATIO_FROM_BYTES, limits.ratio * member.packed_bytes)
                for member in members
                if member.packed_bytes is not None and not member.name.lower().endswith(PICTURES)
            )
            if dense or sum(member.unpacked_bytes for member in members) > limits.unpacked_bytes:
                raise ArchiveBomb
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
        member = same_name[0]
        if member.flags & FLAG_ENCRYPTED:
            raise EncryptedDocument
        packed = self._packed(member)
        if packed is None or member.method not in (STORED, DEFLATED):
            self.damaged = True
            return None
        content = bytearray()
        for chunk in (packed,) if member.method == STORED else self._inflate(packed):
            content += chunk
            self._spent_bytes += len(chunk)
            over_ratio = len(content) > max(RATIO_FROM_BYTES, self._limits.ratio * len(packed))
            if over_ratio or len(content) > MEMBER_BYTES or self._spent_bytes > self._limits.unpacked_bytes:
                raise ArchiveBomb
        if member.crc is not None and zlib.crc32(content) != member.crc:
            self.damaged = True
        return bytes(content) or (None if self.damaged else b"")

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

    def _packed(self, member: ZipMember) -> bytes | None:
        start = _content_start(self._data, member.offset)
        if start is None:
            return None
        end = len(self._data) if member.packed_bytes is None else start + member.packed_bytes
        return self._data[start:end]

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


def _directory(data: bytes) -> list[ZipMember] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [
                ZipMember(
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


def _salvage(data: bytes) -> Iterator[ZipMember]:
    """Members found by their local headers; the first of a name wins, as archives inside it come later."""
    seen: set[str] = set()
    offset = data.find(LOCAL_SIGNATURE)
    while offset != -1 and offset + LOCAL_HEADER.size <= len(data):
        _, _, flags, method, _, _, _, packed, unpacked, name_bytes, _ = LOCAL_HEADER.unpack_from(data, offset)
        raw_name = data[offset + LOCAL_HEADER.size : offset + LOCAL_HEADER.size + name_bytes]
        name = raw_name.decode("utf-8" if flags & FLAG_UTF8 else "cp437", "replace")
        unknown = bool(flags & FLAG_SIZES_FOLLOW) and not packed
        member = ZipMember(name, method, flags, None, None if unknown else packed, unpacked, offset)
        if normal_name(name) not in seen:
            seen.add(normal_name(name))
            yield member
        resume = _content_start(data, offset) or offset + 4
        offset = data.find(LOCAL_SIGNATURE, resume + (member.packed_bytes or 0))


def _content_start(data: bytes, offset: int) -> int | None:
    if offset < 0 or data[offset : offset + 4] != LOCAL_SIGNATURE or offset + LOCAL_HEADER.size > len(data):
        return None
    name_bytes, extra_bytes = struct.unpack_from("<HH", data, offset + 26)
    return offset + LOCAL_HEADER.size + int(name_bytes) + int(extra_bytes)


# Safe XML parsing: no document type, no entities, no network, bounded depth, whatever the encoding.

Element: TypeAlias = etree._Element

MAX_DEPTH = 250
PROLOG_BYTES = 1 << 16
DECLARED_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
# Encodings in which markup is spelled in ASCII, so that a document type cannot hide from the scan below;
# UTF-7 and EBCDIC, which libxml2 also knows, are not among them.
PLAIN_ENCODINGS = re.compile(
    rb"(?i)utf-?8|utf-?16(-?[lb]e)?|us-ascii|ascii|iso-?8859-?\d{1,2}|windows-125\d|cp125\d|latin-?1|koi8-[ru]"
    rb"|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr|cn)"
)
DECLARATION = re.compile(rb"(?i)<!\s*(doctype|entity)")
STRICT_NAMESPACE = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
TOO_DEEP = etree.XPath("boolean(" + "/*" * MAX_DEPTH + ")")


class ParsedXml(NamedTuple):
    root: Element
    damaged: bool  # parts of the source were not well-formed and are missing


def parse_xml(source: bytes) -> ParsedXml:
    """Parses one part; raises XmlDtdForbidden or CorruptDocument, never anything of lxml."""
    prolog = source[:PROLOG_BYTES].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    if not prolog.lstrip().startswith(b"<"):
        raise CorruptDocument
    if DECLARATION.search(prolog):
        raise XmlDtdForbidden
    encoding = DECLARED_ENCODING.search(prolog)
    if encoding and not PLAIN_ENCODINGS.fullmatch(encoding.group(1)):
        raise CorruptDocument("The file uses a character encoding that Office files never use.")
    # Strict Office Open XML uses other namespace names for the same words; give it the usual ones.
    if b"purl.oclc.org/ooxml" in source:
        source = STRICT_NAMESPACE.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", source)
    root, damaged = _parse(source, recover=False), False
    if root is None:
        root, damaged = _parse(source, recover=True), True
    if root is None:
        raise CorruptDocument
    document = root.getroottree().docinfo
    if document.internalDTD is not None or document.doctype:
        raise XmlDtdForbidden
    if TOO_DEEP(root):
        raise CorruptDocument("The file nests its content deeper than any resume does.")
    return ParsedXml(root, damaged)


def _parse(source: bytes, *, recover: bool) -> Element | None:
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        no_network=True,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        return etree.fromstring(source, parser)
    except (etree.LxmlError, ValueError, LookupError):
        return None


# How much of a file may still be read: characters, cells, pages, nesting, seconds; and what was left out.

CLOCK_EVERY = 64  # looking at the clock for every paragraph would cost more than it saves


class Budget:
    """Counts down while a body is walked; once `spent` is set the walkers stop and the draft is partial."""

    def __init__(self, limits: ReadLimits) -> None:
        self.limits = limits
        self.spent: str | None = None
        self.too_deep = False
        self._characters = limits.characters
        self._cells = limits.table_cells
        self._deadline = time.monotonic() + limits.seconds
        self._ticks = 0

    def take_text(self, text: str, page: int = 1) -> str:
        """`text`, or what of it still fits."""
        if page > self.limits.pages:
            self.spent = self.spent or f"Only the first {self.limits.pages} pages were read."
            return ""
        self._look_at_clock()
        self._characters -= len(text)
        if self._characters >= 0:
            return text
        self.spent = self.spent or f"Only the first {self.limits.characters} characters were read."
        return text[: max(0, len(text) + self._characters)]

    def take_cell(self) -> bool:
        self._cells -= 1
        if self._cells < 0:
            self.spent = self.spent or f"Only the first {self.limits.table_cells} table cells were read."
        return self._cells >= 0

    def may_enter(self, depth: int) -> bool:
        if depth > self.limits.nesting:
            self.too_deep = True
            return False
        return True

    def go_on(self, page: int) -> bool:
        """Asked before every block."""
        if page > self.limits.pages:
            self.spent = self.spent or f"Only the first {self.limits.pages} pages were read."
        self._look_at_clock()
        return self.spent is None

    def _look_at_clock(self) -> None:
        self._ticks += 1
        if self._ticks % CLOCK_EVERY == 0 and time.monotonic() > self._deadline:
            self.spent = self.spent or f"Reading stopped after {self.limits.seconds:g} seconds."

    def warnings(self) -> list[Warning]:
        warnings = [Warning("truncated", self.spent)] if self.spent else []
        if self.too_deep:
            warnings.append(Warning("truncated", "Content nested too deeply was left out."))
        return warnings
