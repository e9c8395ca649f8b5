"""CSS values as numbers and colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinycss2.color3 import RGBA, parse_color

from evenhand.documents.colors import RGB

_UNITS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54,
    "vw": 12.8,
    "vh": 7.2,
    "vmin": 7.2,
    "vmax": 12.8,
    "rem": 16.0,
}
_SIZE_NAMES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
}
FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
"""The size attribute of the font element."""


def pixels(token: Any, size: float, whole: float = 0.0) -> float | None:
    """A length, None for what is none; `size` is the font size for em, `whole` what a percentage is of."""
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) * whole / 100
    if token.type != "dimension":
        return None
    unit = token.lower_unit
    if unit in ("em", "ex", "ch"):
        return float(token.value) * size * (1.0 if unit == "em" else 0.5)
    return float(token.value) * _UNITS[unit] if unit in _UNITS else None


def font_size(token: Any, parent: float) -> float | None:
    if token.type == "ident":
        name = token.lower_value
        if name in ("smaller", "larger"):
            return parent / 1.2 if name == "smaller" else parent * 1.2
        return _SIZE_NAMES.get(name, parent if name == "inherit" else None)
    return pixels(token, parent, parent)


def color(token: Any) -> tuple[RGB, float] | None:
    """Red, green, blue and opacity; None for what is no colour or depends on other properties."""
    parsed = parse_color(token)
    if not isinstance(parsed, RGBA):
        return None
    red, green, blue = (max(0, min(255, round(part * 255))) for part in parsed[:3])
    return (red, green, blue), float(parsed[3])


def words(value: Sequence[Any]) -> list[str]:
    """The identifiers of a value, in lower case."""
    return [token.lower_value for token in value if token.type == "ident"]


def attribute_color(text: str) -> RGB | None:
    """The colour of an old attribute such as bgcolor."""
    parsed = parse_color(text.strip())
    if isinstance(parsed, RGBA):
        return round(parsed.red * 255), round(parsed.green * 255), round(parsed.blue * 255)
    digits = text.strip().lstrip("#")
    if len(digits) == 6:
        try:
            return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
        except ValueError:
            return None
    return None
