"""Markers of HTML lists, counted as browsers count them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.documents.numerals import letters, roman

_BULLETS = {"disc": "•", "circle": "◦", "square": "▪"}
_BY_DEPTH = ("disc", "circle", "square")
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}


@dataclass(slots=True)
class List:
    """A list being read."""

    ordered: bool
    depth: int
    type: str | None
    number: int
    step: int

    def marker(self, value: str | None, style: str | None) -> str | None:
        """The marker of the next item."""
        if value is not None and _integer(value) is not None:
            self.number = _integer(value) or 0
        number = self.number
        self.number += self.step
        kind = style or self.type or ("decimal" if self.ordered else _BY_DEPTH[min(self.depth, 2)])
        return spell(kind, number)


def open_list(tag: str, attributes: Mapping[str, str | None], depth: int, items: int) -> List:
    start = _integer(attributes.get("start") or "")
    backwards = "reversed" in attributes
    given = attributes.get("type") or ""
    return List(
        ordered=tag == "ol",
        depth=depth,
        type=_TYPES.get(given, given.lower() or None),
        number=start if start is not None else items if backwards else 1,
        step=-1 if backwards else 1,
    )


def spell(kind: str, number: int) -> str | None:
    """A marker of this list-style-type; None for none."""
    if kind.startswith('"'):
        return kind[1:].strip() or None
    if kind == "none":
        return None
    if kind in _BULLETS:
        return _BULLETS[kind]
    if kind.endswith(("alpha", "latin")):
        spelled = letters(number)
        return (spelled.upper() if kind.startswith("upper") else spelled) + "."
    if kind.endswith("roman"):
        return (roman(number) if kind.startswith("upper") else roman(number).lower()) + "."
    if kind == "decimal-leading-zero":
        return f"{number:02d}."
    return f"{number}." if kind == "decimal" else "•"


def _integer(text: str) -> int | None:
    try:
        return max(-100_000, min(100_000, int(text.strip())))
    except ValueError:
        return None
