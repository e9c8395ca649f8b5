"""List markers as Word shows them: counters over the levels of numbering.xml, bullets of its fonts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from evenhand.documents import list_markers, symbols
from evenhand.documents.office.docx.package import integer, is_on, value, w
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.package import Element

LEVELS = 9
PLACE = re.compile(r"%([1-9])")
MAX_START = 100_000


@dataclass(frozen=True, slots=True)
class DocxListLevel:
    start: int = 1
    format: str = "decimal"
    text: str = ""
    font: str | None = None
    restart: int | None = None  # the level (from 1) whose step resets this one; 0 never
    legal: bool = False  # all numbers decimal
    picture: bool = False
    style: str | None = None


@dataclass(slots=True)
class DocxListCounter:
    """Where one list has got to, level by level."""

    numbers: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


class Numbering:
    """Gives each list paragraph its marker; must be asked in document order."""

    def __init__(self, root: Element | None, styles: StyleSheet) -> None:
        self._styles = styles
        self._abstract: dict[str, Element] = {}
        self._instances: dict[str, Element] = {}
        self._levels: dict[str, dict[int, DocxListLevel]] = {}
        self._counters: dict[str, DocxListCounter] = {}
        self._overridden: set[str] = set()
        if root is not None:
            self._abstract = _by_id(root, w("abstractNum"), w("abstractNumId"))
            self._instances = _by_id(root, w("num"), w("numId"))

    def marker(self, list_id: str | None, level: int | None, style: str | None) -> str | None:
        """The marker of the next paragraph of this list, or None when it has none."""
        if list_id is None or list_id not in self._instances:
            return None
        levels = self._levels_of(list_id)
        if level is None:
            level = next((at for at, known in levels.items() if style and known.style == style), 0)
        level = min(max(level, 0), LEVELS - 1)
        shown = levels.get(level)
        if shown is None:
            return None
        counter = self._step(list_id, level, levels)
        return self._text(shown, level, levels, counter)

    def _levels_of(self, list_id: str) -> dict[int, DocxListLevel]:
        if list_id not in self._levels:
            instance = self._instances[list_id]
            abstract = self._abstract.get(self._abstract_id(list_id) or "")
            levels = _read_levels(abstract) if abstract is not None else {}
            for override in instance.iter(w("lvlOverride")):
                at = integer(override.get(w("ilvl"))) or 0
                own = override.find(w("lvl"))
                if own is not None:
                    levels[at] = _read_level(own)
                start = integer(value(override, w("startOverride")))
                if start is not None and at in levels:
                    levels[at] = replace(levels[at], start=min(max(start, 0), MAX_START))
            self._levels[list_id] = levels
        return self._levels[list_id]

    def _abstract_id(self, list_id: str) -> str | None:
        """The list definition, following a link through a list style once."""
        own = value(self._instances[list_id], w("abstractNumId"))
        abstract = self._abstract.get(own or "")
        linked = value(abstract, w("numStyleLink"))
        if linked is None:
            return own
        through = self._styles.list_style(linked)
        instance = self._instances.get(through or "")
        return value(instance, w("abstractNumId")) or own

    def _step(self, list_id: str, level: int, levels: dict[int, DocxListLevel]) -> DocxListCounter:
        shared = self._abstract_id(list_id) or list_id
        counter = self._counters.setdefault(shared, DocxListCounter())
        if list_id not in self._overridden:
            self._overridden.add(list_id)
            for override in self._instances[list_id].iter(w("lvlOverride")):
                if override.find(w("startOverride")) is not None:
                    at = min(max(integer(override.get(w("ilvl"))) or 0, 0), LEVELS - 1)
                    counter.numbers[at] = None
        now = counter.numbers[level]
        counter.numbers[level] = levels[level].start if now is None else now + 1
        for upper in range(level):
            if counter.numbers[upper] is None:
                counter.numbers[upper] = levels[upper].start if upper in levels else 1
        for lower in range(level + 1, LEVELS):
            restart = levels[lower].restart if lower in levels else None
            if restart is None or (restart > 0 and level < restart):
                counter.numbers[lower] = None
        return counter

    def _text(
        self, shown: DocxListLevel, level: int, levels: dict[int, DocxListLevel], counter: DocxListCounter
    ) -> str | None:
        if shown.picture:
            return symbols.BULLET
        if shown.format == "bullet":
            return symbols.drawn_bullet(shown.text, shown.font) or None

        def number(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            current = counter.numbers[at]
            if current is None or at > level:
                return ""
            kind = levels[at].format if at in levels else "decimal"
            return write_number(current, "decimal" if shown.legal and kind != "none" else kind)

        return PLACE.sub(number, shown.text).strip() or None


def write_number(number: int, kind: str) -> str:
    """A number in one of the formats of WordprocessingML; exotic ones come out in figures."""
    if kind in ("none", "bullet"):
        return ""
    if kind == "decimalZero":
        return f"{number:02d}"
    if kind in ("lowerLetter", "upperLetter"):
        text = list_markers.office_letters(number)
        return text.upper() if kind == "upperLetter" else text
    if kind in ("lowerRoman", "upperRoman"):
        text = list_markers.office_roman(number)
        return text.upper() if kind == "upperRoman" else text
    if kind == "ordinal":
        return list_markers.ordinal(number)
    return list_markers.circled(number) if kind.startswith("decimalEnclosedCircle") else str(number)


def _by_id(root: Element, tag: str, key: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in root.iter(tag):
        identifier = element.get(key)
        if identifier is not None:
            found.setdefault(identifier, element)
    return found


def _read_levels(abstract: Element) -> dict[int, DocxListLevel]:
    levels: dict[int, DocxListLevel] = {}
    for element in abstract.iter(w("lvl")):
        at = integer(element.get(w("ilvl"))) or 0
        if 0 <= at < LEVELS:
            levels[at] = _read_level(element)
    return levels


def _read_level(element: Element) -> DocxListLevel:
    fonts = element.find(f"{w('rPr')}/{w('rFonts')}")
    legal = element.find(w("isLgl"))
    start = integer(value(element, w("start")))
    return DocxListLevel(
        start=min(max(start if start is not None else 1, 0), MAX_START),
        format=value(element, w("numFmt")) or "decimal",
        text=value(element, w("lvlText")) or "",
        font=(fonts.get(w("ascii")) or fonts.get(w("hAnsi"))) if fonts is not None else None,
        restart=integer(value(element, w("lvlRestart"))),
        legal=legal is not None and is_on(legal),
        picture=element.find(w("lvlPicBulletId")) is not None,
        style=value(element, w("pStyle")),
    )
