"""List markers as Word shows them: counters over the levels of numbering.xml, bullets of its fonts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from evenhand.documents import list_markers, symbols
from evenhand.documents.office.docx.package import integer, is_on, value, w
from evenhand.documents.office.docx.styles import (
    EMPTY_PARAGRAPH,
    EMPTY_RUN,
    DocxParagraphFormat,
    RunFormat,
    StyleSheet,
    read_paragraph,
    read_run,
)
from evenhand.documents.office.docx.theme import Theme
from evenhand.documents.office.package import Element
from evenhand.text.wording import ordinal_ending

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
    run: RunFormat = EMPTY_RUN  # of the label
    paragraph: DocxParagraphFormat = EMPTY_PARAGRAPH


class Numbering:
    """Gives each list paragraph its marker; must be asked in document order."""

    def __init__(self, root: Element | None, styles: StyleSheet) -> None:
        self._styles = styles
        self._abstract: dict[str, Element] = {}
        self._instances: dict[str, Element] = {}
        self._levels: dict[str, dict[int, DocxListLevel]] = {}
        self._counters: dict[str, list[int | None]] = {}  # where each list has got to, level by level
        self._overridden: set[str] = set()
        if root is not None:
            self._abstract = _by_id(root, w("abstractNum"), w("abstractNumId"))
            self._instances = _by_id(root, w("num"), w("numId"))

    def marker(self, list_id: str | None, level: int | None, style: str | None) -> str | None:
        """The marker of the next paragraph of this list, or None when it has none."""
        levels, level = self._place(list_id, level, style)
        if list_id is None or level not in levels:
            return None
        numbers = self._step(list_id, level, levels)
        own = levels[level]
        if own.picture:
            return symbols.BULLET
        if own.format == "bullet":
            return symbols.drawn_bullet(own.text, own.font) or None

        def number(match: re.Match[str]) -> str:
            at = int(match.group(1)) - 1
            current = numbers[at]
            if current is None or at > level:
                return ""
            kind = levels[at].format if at in levels else "decimal"
            return write_number(current, "decimal" if own.legal and kind != "none" else kind)

        return PLACE.sub(number, own.text).strip() or None

    def level(self, list_id: str | None, level: int | None, style: str | None) -> DocxListLevel:
        """How the items of a list are set."""
        levels, level = self._place(list_id, level, style)
        return levels.get(level, DocxListLevel())

    def _place(self, list_id: str | None, level: int | None, style: str | None) -> tuple[dict[int, DocxListLevel], int]:
        if list_id is None or list_id not in self._instances:
            return {}, 0
        levels = self._levels_of(list_id)
        if level is None:
            level = next((at for at, known in levels.items() if style and known.style == style), 0)
        return levels, min(max(level, 0), LEVELS - 1)

    def _levels_of(self, list_id: str) -> dict[int, DocxListLevel]:
        if list_id not in self._levels:
            abstract = self._abstract.get(self._abstract_id(list_id) or "")
            levels: dict[int, DocxListLevel] = {}
            for element in abstract.iter(w("lvl")) if abstract is not None else ():
                at = integer(element.get(w("ilvl"))) or 0
                if 0 <= at < LEVELS:
                    levels[at] = _read_level(element, self._styles.theme)
            for override in self._instances[list_id].iter(w("lvlOverride")):
                at = integer(override.get(w("ilvl"))) or 0
                own = override.find(w("lvl"))
                if own is not None:
                    levels[at] = _read_level(own, self._styles.theme)
                start = integer(value(override, w("startOverride")))
                if start is not None and at in levels:
                    levels[at] = replace(levels[at], start=min(max(start, 0), MAX_START))
            self._levels[list_id] = levels
        return self._levels[list_id]

    def _abstract_id(self, list_id: str) -> str | None:
        """The list definition, following a link through a list style once."""
        own = value(self._instances[list_id], w("abstractNumId"))
        linked = value(self._abstract.get(own or ""), w("numStyleLink"))
        if linked is None:
            return own
        instance = self._instances.get(self._styles.list_style(linked) or "")
        return value(instance, w("abstractNumId")) or own

    def _step(self, list_id: str, level: int, levels: dict[int, DocxListLevel]) -> list[int | None]:
        numbers = self._counters.setdefault(self._abstract_id(list_id) or list_id, [None] * LEVELS)
        if list_id not in self._overridden:
            self._overridden.add(list_id)
            for override in self._instances[list_id].iter(w("lvlOverride")):
                if override.find(w("startOverride")) is not None:
                    numbers[min(max(integer(override.get(w("ilvl"))) or 0, 0), LEVELS - 1)] = None
        now = numbers[level]
        numbers[level] = levels[level].start if now is None else now + 1
        for upper in range(level):
            if numbers[upper] is None:
                numbers[upper] = levels[upper].start if upper in levels else 1
        for lower in range(level + 1, LEVELS):
            restart = levels[lower].restart if lower in levels else None
            if restart is None or (restart > 0 and level < restart):
                numbers[lower] = None
        return numbers


def write_number(number: int, kind: str) -> str:
    """A number in one of the formats of WordprocessingML; exotic ones come out in figures."""
    match kind:
        case "none" | "bullet":
            return ""
        case "decimalZero":
            return f"{number:02d}"
        case "lowerLetter":
            return list_markers.office_letters(number)
        case "upperLetter":
            return list_markers.office_letters(number).upper()
        case "lowerRoman":
            return list_markers.roman(number).lower()
        case "upperRoman":
            return list_markers.roman(number)
        case "ordinal":
            return f"{number}{ordinal_ending(number)}"
    is_circled = kind.startswith("decimalEnclosedCircle") and 1 <= number <= 20
    return chr(0x2460 + number - 1) if is_circled else str(number)


def _by_id(root: Element, tag: str, key: str) -> dict[str, Element]:
    elements: dict[str, Element] = {}
    for element in root.iter(tag):
        identifier = element.get(key)
        if identifier is not None:
            elements.setdefault(identifier, element)
    return elements


def _read_level(element: Element, theme: Theme) -> DocxListLevel:
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
        run=read_run(element.find(w("rPr")), theme),
        paragraph=read_paragraph(element.find(w("pPr")), theme)._replace(style=None, list_id=None, level=None),
    )
