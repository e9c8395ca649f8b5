"""The markup of a web page out of its bytes: charset, single-file web pages, and a limit on nesting."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import Message

from evenhand.documents.charsets import decode, known_codec

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.I)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})", re.I)
_MIME = re.compile(rb"(?:[A-Za-z][A-Za-z-]*:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)*?mime-version:", re.I)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)([^<>]*)>")
_VOID_LIST = "area base br col embed hr img input link meta param source track wbr p li dt dd option tr td th"
_VOID = frozenset(_VOID_LIST.split())
# Browsers stop nesting at a few hundred levels; a parser that does not would take hours.
_DEEPEST = 400
_FEW_TAGS = 2_000
_LONG_TAG = 20_000
_MOST_ATTRIBUTES = 1_000


def read_source(data: bytes) -> str:
    """The markup as text."""
    if _MIME.match(data[:8192].lstrip()):
        data, declared = _web_page_of(data)
    else:
        declared = _declared(data[:4096])
    return _flatten(_shorten(decode(data, declared)))


def _declared(head: bytes) -> str | None:
    found = _META.search(head.replace(b"\0", b"")) or _XML_ENCODING.match(head)
    return known_codec(found[1].decode("ascii")) if found else None


def _web_page_of(data: bytes) -> tuple[bytes, str | None]:
    """The page in a single-file web page, which is a mail of related parts."""
    message: Message = email.message_from_bytes(data, policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            charset = part.get_content_charset()
            if isinstance(payload, bytes):
                return payload, (known_codec(charset) if charset else None) or _declared(payload[:4096])
    return data, None


def _shorten(markup: str) -> str:
    """Markup without tags of thousands of attributes, which a parser compares each with each."""
    if markup.count("=") < _MOST_ATTRIBUTES or len(markup) < _LONG_TAG:
        return markup
    parts = markup.split("<")
    for position, part in enumerate(parts):
        if len(part) > _LONG_TAG and part.count("=") > _MOST_ATTRIBUTES and part[:1].isalpha():
            parts[position] = part[:_LONG_TAG] + ">" + part.rpartition(">")[2]
    return "<".join(parts)


def _flatten(markup: str) -> str:
    """Markup without the tags that would nest deeper than any page does."""
    if markup.count("<") < _FEW_TAGS:
        return markup
    depth = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        if match[2].lower() in _VOID or match[3].endswith("/"):
            return match[0]
        if match[1]:
            depth = max(0, depth - 1)
            return match[0]
        depth += 1
        return match[0] if depth <= _DEEPEST else ""

    return _TAG.sub(keep, markup)
