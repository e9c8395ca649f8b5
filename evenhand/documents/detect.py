"""What kind of file this is, by its bytes alone; the file name is the sender's claim and is never asked."""

from __future__ import annotations

import codecs
import re
import struct
import zlib

import olefile

from evenhand.documents.charsets import decode
from evenhand.errors import EmptyDocument, EncryptedDocument, UnsupportedFormat

# The member names of a ZIP file, complete or damaged, without unpacking it.


_LOCAL = b"PK\x03\x04"
_CENTRAL = b"PK\x01\x02"
_END = b"PK\x05\x06"
_MAX_MEMBERS = 20_000


def _from_directory(data: bytes) -> list[tuple[str, int]]:
    """Name and offset of the local header of each member."""
    end = data.rfind(_END, max(0, len(data) - 65_557))
    if end < 0 or end + 22 > len(data):
        return []
    size, offset = struct.unpack_from("<II", data, end + 12)
    # Junk before the archive shifts everything; the directory always stands right before its end record.
    at = offset if data[offset : offset + 4] == _CENTRAL else end - size
    shift = at - offset
    members: list[tuple[str, int]] = []
    while at >= 0 and data[at : at + 4] == _CENTRAL and at + 46 <= len(data) and len(members) < _MAX_MEMBERS:
        name_length, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        (header,) = struct.unpack_from("<I", data, at + 42)
        members.append((data[at + 46 : at + 46 + name_length].decode("utf-8", "replace"), header + shift))
        at += 46 + name_length + extra + comment
    return members


def _from_local_headers(data: bytes) -> list[tuple[str, int]]:
    members: list[tuple[str, int]] = []
    at = data.find(_LOCAL)
    while at >= 0 and at + 30 <= len(data) and len(members) < _MAX_MEMBERS:
        (name_length,) = struct.unpack_from("<H", data, at + 26)
        members.append((data[at + 30 : at + 30 + name_length].decode("utf-8", "replace"), at))
        at = data.find(_LOCAL, at + 30)
    return members


def peek(data: bytes, at: int, limit_bytes: int) -> bytes:
    """The first bytes of the member at `at`, however much it would unpack to; empty when it cannot be unpacked."""
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


_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"8BPS", "a Photoshop picture"),
    (b"AT&TFORM", "a DjVu document"),
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a Linux program"),
    (b"\xca\xfe\xba\xbe", "a Java or macOS program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xffWPC", "a WordPerfect document"),
    (b"\xdb\xa5-\x00", "a Word 2 document"),
    (b"1\xbe\x00\x00", "a Windows Write document"),
    (b"%!PS", "a PostScript file"),
    (b"%FDF-", "a PDF form data file"),
    (b"ID3", "an audio file"),
    (b"OggS", "an audio or video file"),
    (b"fLaC", "an audio file"),
    (b"#!", "a program"),
    (b"<?php", "a program"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SPACE = b" \t\r\n\f\v\x00"
_PDF_WITHIN = 1024
_PDF_REMAINS = re.compile(rb"(?:^|[\r\n])[^\S\r\n]*+-?\d++\s++\d++\s++obj\b|\btrailer\s*<<|\bstartxref\s+-?\d")
_PEEK_BYTES = 65_536
_PROLOGUE = re.compile(r"\s*(?:<\?xml[^>]*\?>|<\?[^>]*\?>|<!--.*?-->|<!doctype[^>]*>|\s)*", re.S | re.I)
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)([^>]*)")
_HTML_START = re.compile(
    r"<(?:!doctype\s+html|(?:html|head|body|title|meta|link|style|script|div|p|table|tr|td|tbody|h[1-6]|span|br|hr|"
    r"ul|ol|li|b|i|u|strong|em|font|center|a|img|pre|section|article|header|main|form|base)(?=[\s/>]))",
    re.I,
)
_HTML_SURE = re.compile(r"<!doctype\s+html|<html[\s>]|<body[\s>]", re.I)
_HTML_CLOSING = re.compile(r"</(?:p|div|li|ul|ol|table|tr|td|h[1-6]|b|i|u|a|span|font|strong|em)>|<br\s*/?>", re.I)
_MAIL_HEADER = re.compile(r"(?:[A-Za-z][A-Za-z-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def detect(data: bytes) -> str:
    """ "pdf", "docx", "doc", "odt", "fodt", "rtf", "html" or "txt"; anything else raises."""
    start = data[:_PEEK_BYTES].lstrip(_SPACE)
    if not start and not data.strip(_SPACE):
        raise EmptyDocument
    if data.startswith(_OLE):
        return _detect_ole(data)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK")):
        return _detect_zip(data)
    # A header is missing where a converter wrote a fragment; its first paragraph tells as much.
    if start.removeprefix(codecs.BOM_UTF8).lstrip(_SPACE).startswith((b"{\\rt", b"{\\pard")):
        return "rtf"
    at = data.find(b"%PDF-", 0, _PDF_WITHIN + 5)
    # Viewers skip junk before the header; a text that merely mentions it has no objects.
    if at == 0 or (at > 0 and b" obj" in data):
        return "pdf"
    # What is left of a PDF must not pass for plain text: its reader will call it damaged.
    if data.startswith(b"%PDF") or _PDF_REMAINS.search(data, 0, _PDF_WITHIN):
        return "pdf"
    _reject_known(data)
    return _detect_text(data)


def _reject_known(data: bytes) -> None:
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            raise _unsupported(name)
    if data[:4] == b"RIFF" and data[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        raise _unsupported("a WebP picture" if data[8:12] == b"WEBP" else "an audio or video file")
    if data[4:8] == b"ftyp":
        picture = data[8:12] in (b"heic", b"heix", b"mif1", b"avif")
        raise _unsupported("a HEIF picture" if picture else "an audio or video file")
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        raise _unsupported("a BMP picture")
    if data[257:262] == b"ustar":
        raise _unsupported("a tar archive")


def _unsupported(what: str) -> UnsupportedFormat:
    return UnsupportedFormat(f"This is {what}, not a PDF, DOCX, DOC, ODT, RTF, HTML or text file.")


_OLE_KINDS = (
    ("Workbook", "an Excel workbook"),
    ("Book", "an Excel workbook"),
    ("PowerPoint Document", "a PowerPoint presentation"),
    ("__properties_version1.0", "an Outlook message"),
    ("VisioDocument", "a Visio drawing"),
    ("Quill", "a Publisher document"),
    ("MatOST", "a Works document"),
    ("HwpSummaryInformation", "a Hangul document"),
    ("FileHeader", "a Hangul document"),
)
_SEALED = ("EncryptedPackage", "EncryptionInfo", "\tDRMContent", "\x06DataSpaces")


def _detect_ole(data: bytes) -> str:
    names = _ole_names(data)
    if any(name.lower() in names for name in _SEALED):
        raise EncryptedDocument
    if "worddocument" in names:
        return "doc"
    for name, what in _OLE_KINDS:
        if name.lower() in names:
            raise _unsupported(what)
    # A damaged directory hides what the file was; the reader will call it damaged.
    if not names or "WordDocument".encode("utf-16-le") in data:
        return "doc"
    raise _unsupported("an OLE file without a Word document")


def _ole_names(data: bytes) -> set[str]:
    """Top-level entries in lower case, which Word does not mind.

    In a file too damaged to open, the names that can still be found in it.
    """
    try:
        with olefile.OleFileIO(data) as ole:
            return {path[0].lower() for path in ole.listdir(streams=True, storages=True)}
    except Exception:  # whatever a damaged directory provokes, its names may still stand there
        candidates = ("WordDocument", *_SEALED, *(name for name, _ in _OLE_KINDS))
        return {name.lower() for name in candidates if name.encode("utf-16-le") + b"\0\0" in data}


_ZIP_KINDS = (
    ("xl/", "an Excel workbook"),
    ("ppt/", "a PowerPoint presentation"),
    ("visio/", "a Visio drawing"),
    ("Index/Document.iwa", "an Apple Pages document"),
    ("index.xml", "an Apple Pages document"),
    ("FixedDocSeq", "an XPS document"),
    ("AndroidManifest.xml", "an Android program"),
    ("META-INF/MANIFEST.MF", "a Java archive"),
)


def _detect_zip(data: bytes) -> str:
    # From the local headers where the central directory is damaged or missing.
    members = _from_directory(data) or _from_local_headers(data)
    by_name = {name.replace("\\", "/").lstrip("/"): header for name, header in members}
    if "mimetype" in by_name:
        kind = peek(data, by_name["mimetype"], 200).strip().decode("ascii", "replace")
        if kind.startswith("application/vnd.oasis.opendocument.text") or not kind:
            return "odt"
        if kind.startswith("application/vnd.sun.xml.writer"):
            raise _unsupported("an OpenOffice 1 document")
        names = {"spreadsheet": "a spreadsheet", "presentation": "a presentation", "epub": "an e-book"}
        raise _unsupported(next((what for key, what in names.items() if key in kind), "a ZIP archive"))
    if any(name.startswith("word/") for name in by_name):
        return "docx"
    for prefix, what in _ZIP_KINDS:
        if any(name.startswith(prefix) for name in by_name):
            raise _unsupported(what)
    if "[Content_Types].xml" in by_name:
        return _detect_by_content(data, by_name["[Content_Types].xml"], b"wordprocessingml", "docx")
    if "content.xml" in by_name:
        return _detect_by_content(data, by_name["content.xml"], b"office:text", "odt")
    raise _unsupported("a ZIP archive")


def _detect_by_content(data: bytes, member: int, sign: bytes, format_name: str) -> str:
    content = peek(data, member, _PEEK_BYTES)
    # A member that cannot be unpacked still shows what the file was; its reader will call it damaged.
    if not content or sign in content:
        return format_name
    raise _unsupported("a ZIP archive")


def _detect_text(data: bytes) -> str:
    text = decode(data[:_PEEK_BYTES])
    if len(_CONTROL.findall(text)) > 0.01 * len(text) + 1:
        raise _unsupported("a file of unknown binary content")
    body = text.lstrip("\ufeff \t\r\n\f\v\0")
    if not body:
        raise EmptyDocument
    if body.startswith("<"):
        return _detect_markup(body)
    mail = _MAIL_HEADER.match(body)
    if mail and re.search(r"^mime-version:", mail[0], re.I | re.M):
        # A web page saved as one file is a mail whose parts belong together; a real mail is not a resume.
        if re.search(r"^content-type:\s*(?:multipart/related|text/html)", mail[0], re.I | re.M):
            return "html"
        raise _unsupported("an e-mail message")
    head = body[:4096]
    return "html" if _HTML_SURE.search(head) or len(_HTML_CLOSING.findall(head)) >= 5 else "txt"


_XML_KINDS = {"wordDocument": "a Word 2003 XML document", "package": "a Word XML package", "svg": "an SVG picture"}


def _detect_markup(body: str) -> str:
    prologue = _PROLOGUE.match(body)
    rest = body[prologue.end() if prologue else 0 :]
    if _HTML_START.match(rest) or _HTML_SURE.search(body[:4096]):
        return "html"
    root = _ROOT.match(rest)
    if root is None or (not body.startswith("<?xml") and root[1] is None):
        return "html" if len(_HTML_CLOSING.findall(body[:8192])) >= 2 else "txt"
    if root[2] == "document" and "opendocument" in root[3]:
        if "opendocument.text" in root[3] or "mimetype" not in root[3]:
            return "fodt"
        raise _unsupported("an OpenDocument file that is no text")
    raise _unsupported(_XML_KINDS.get(root[2], "an XML file"))
