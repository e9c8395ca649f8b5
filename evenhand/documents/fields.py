"""Field codes of Word documents: what they draw, and whether they would fetch or start something."""

from __future__ import annotations

import re

from evenhand.documents.pictographs import sign

_SYMBOL = re.compile(r'\s*SYMBOL\s+(\d{1,7}|0x[0-9a-fA-F]{1,6})(?:.*?\\f\s*"?([^"\\]+)"?)?', re.I | re.S)
_ACTIVE = re.compile(
    r"\s*(?:DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|IMPORT|LINK|MACROBUTTON|DATABASE)\b", re.I
)
_REMOTE = re.compile(r"https?:|ftp:|file:|^\\\\", re.I)


def field_sign(code: str) -> str:
    """The character a symbol field draws; empty for other fields."""
    found = _SYMBOL.match(code)
    if not found:
        return ""
    number = int(found[1], 16 if found[1][:2].lower() == "0x" else 10)
    font = (found[2] or "").strip()
    if font and number < 256:
        return sign(number, font)
    return bytes([number]).decode("cp1252", "replace") if number < 256 else chr(min(number, 0x10FFFF))


def is_active_field(code: str) -> bool:
    """Whether this field would fetch or start something when updated."""
    return _ACTIVE.match(code) is not None


def is_remote(path: str) -> bool:
    return _REMOTE.search(path.strip()) is not None
