"""Safe XML parsing: no document type, no entities, no network, bounded depth, whatever the encoding."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from lxml import etree

from evenhand.errors import CorruptDocument, XmlDtdForbidden

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


class Parsed(NamedTuple):
    root: Element
    damaged: bool  # parts of the source were not well-formed and are missing


def parse_xml(source: bytes) -> Parsed:
    """Parses one part; raises XmlDtdForbidden or CorruptDocument, never anything of lxml."""
    _refuse_declarations(source)
    source = transitional(source)
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
    return Parsed(root, damaged)


def transitional(source: bytes) -> bytes:
    """Strict Office Open XML uses other namespace names for the same words; give it the usual ones."""
    if b"purl.oclc.org/ooxml" not in source:
        return source
    return STRICT_NAMESPACE.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", source)


def _refuse_declarations(source: bytes) -> None:
    prolog = source[:PROLOG_BYTES].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    if not prolog.lstrip().startswith(b"<"):
        raise CorruptDocument
    if DECLARATION.search(prolog):
        raise XmlDtdForbidden
    encoding = DECLARED_ENCODING.search(prolog)
    if encoding and not PLAIN_ENCODINGS.fullmatch(encoding.group(1)):
        raise CorruptDocument("The file uses a character encoding that Office files never use.")


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
