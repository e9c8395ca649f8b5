"""Word's property codes ("sprm"): the few that decide how text looks, where it stands, whether it is seen."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from evenhand.documents.colors import RGB

# Length of the operand by the top three bits of a two-byte code; 6 means "its first byte says".
_LENGTHS = (1, 1, 2, 4, 2, 2, -1, 3)
_TABLE_DEFINITION = 0xD608
_TAB_CHANGE = 0xC615

# Word 6 codes: operand lengths (-1: first byte says), and the Word 97 code of those that matter here.
_OLD_LENGTHS = {
    **dict.fromkeys((2, 16, 17, 18, 19, 21, 22, 26, 27, 28, *range(30, 44), *range(45, 50)), 2),
    **dict.fromkeys((4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 24, 25, 29, 44, 50, 51), 1),
    **dict.fromkeys((3, 12, 15, 23, 68, 74, 81, 82, 103, 187, 188, 189, 190, 191, 192, 193), -1),
    20: 4,
    69: 2,
    70: 4,
    72: 2,
    73: 3,
    80: 2,
    83: 0,
    93: 2,
    95: 3,
    96: 2,
    97: 2,
    107: 2,
    **dict.fromkeys((65, 66, 67, 71, 75, *range(85, 93), 94, *range(98, 103), 104, 105, 106), 1),
    182: 2,
    183: 2,
    184: 2,
    185: 1,
    186: 1,
}
_OLD_CODES = {
    2: 0x4600,
    17: 0x840F,
    20: 0x6412,
    21: 0xA413,
    22: 0xA414,
    24: 0x2416,
    25: 0x2417,
    65: 0x0800,
    74: 0x6A09,
    80: 0x4A30,
    85: 0x0835,
    86: 0x0836,
    92: 0x083C,
    93: 0x4A4F,
    98: 0x2A42,
    99: 0x4A43,
}

_COLORS = (
    *(None, (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0)),
    *((255, 255, 0), (255, 255, 255), (0, 0, 128), (0, 128, 128), (0, 128, 0), (128, 0, 128)),
    *((128, 0, 0), (128, 128, 0), (128, 128, 128), (192, 192, 192)),
)
_PATTERN_SHARES = (0, 100, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90)


def iterate(data: bytes, *, old: bool = False) -> Iterator[tuple[int, bytes]]:
    """Each property code with its operand; Word 6 codes come out as those of Word 97."""
    at = 0
    while at + (1 if old else 2) <= len(data):
        if old:
            code, length, at = data[at], _OLD_LENGTHS.get(data[at], -2), at + 1
        else:
            (code,) = struct.unpack_from("<H", data, at)
            length, at = _LENGTHS[code >> 13], at + 2
        if length == -2 or at > len(data):
            return
        if length == -1:
            length, at = _variable(data, at, code)
        operand = data[at : at + length]
        at += length
        if len(operand) < length:
            return
        if not old:
            yield code, operand
        elif code in _OLD_CODES:
            yield _OLD_CODES[code], operand


def _variable(data: bytes, at: int, code: int) -> tuple[int, int]:
    """Length and start of an operand that begins with its own length."""
    if at >= len(data):
        return 0, at
    if code == _TABLE_DEFINITION and at + 2 <= len(data):
        (length,) = struct.unpack_from("<H", data, at)
        return max(0, length - 1), at + 2
    if code == _TAB_CHANGE and data[at] == 255:  # too long for a byte: count the tabs instead
        deleted = data[at + 1] if at + 1 < len(data) else 0
        added_at = at + 2 + 4 * deleted
        added = data[added_at] if added_at < len(data) else 0
        return 2 + 4 * deleted + 3 * added, at + 1
    return data[at], at + 1


def number(operand: bytes, *, signed: bool = False) -> int:
    return int.from_bytes(operand, "little", signed=signed)


def palette_color(index: int) -> RGB | None:
    return _COLORS[index] if 0 < index < len(_COLORS) else None


def color_value(operand: bytes) -> RGB | None:
    """Red, green, blue, and a byte that says "automatic"."""
    if len(operand) < 4 or operand[3] == 0xFF:
        return None
    return operand[0], operand[1], operand[2]


def shade_80(operand: bytes) -> RGB | None:
    value = number(operand[:2])
    return _mix(palette_color(value & 31), palette_color(value >> 5 & 31), value >> 10)


def shade(operand: bytes) -> RGB | None:
    if len(operand) < 10:
        return None
    return _mix(color_value(operand[0:4]), color_value(operand[4:8]), number(operand[8:10]))


def _mix(front: RGB | None, back: RGB | None, pattern: int) -> RGB | None:
    share = _PATTERN_SHARES[pattern] if pattern < len(_PATTERN_SHARES) else 50
    if share == 0 or (front is None and back is None and pattern != 1):
        return back
    over, under = front or (0, 0, 0), back or (255, 255, 255)
    red, green, blue = ((a * share + b * (100 - share)) // 100 for a, b in zip(over, under, strict=True))
    return red, green, blue
