"""RTF bytes to tokens: groups, control words, hexadecimal bytes, text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum


class Kind(IntEnum):
    WORD = 1  # control word: name, number or None
    BYTE = 2  # \'xx: one byte
    SYMBOL = 3  # backslash and a sign
    OPEN = 4
    CLOSE = 5
    TEXT = 6


Token = tuple[Kind, bytes, int | None]

_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(?:(-?\d{1,10})\d*)? ?"
    rb"|\\'([0-9A-Fa-f]{2})"
    rb"|\\([^A-Za-z])"
    rb"|([{}])"
    rb"|([^\\{}\r\n\x00]+)"
)
_WORD, _NUMBER, _HEX, _SIGN, _BRACE, _TEXT = range(1, 7)


def tokenize(data: bytes) -> Iterator[Token]:
    """All tokens in order; the raw bytes announced by a bin word are stepped over."""
    position = 0
    while True:
        for match in _TOKEN.finditer(data, position):
            found = match.lastindex
            if found == _TEXT:
                yield Kind.TEXT, match[_TEXT], None
            elif found in (_WORD, _NUMBER):
                word, digits = match[_WORD], match[_NUMBER]
                if word == b"bin":
                    position = match.end() + max(0, int(digits or 0))
                    break
                yield Kind.WORD, word, int(digits) if digits else None
            elif found == _HEX:
                yield Kind.BYTE, bytes.fromhex(match[_HEX].decode("ascii")), None
            elif found == _BRACE:
                yield (Kind.OPEN if match[_BRACE] == b"{" else Kind.CLOSE), b"", None
            else:
                yield Kind.SYMBOL, match[_SIGN], None
        else:
            return
