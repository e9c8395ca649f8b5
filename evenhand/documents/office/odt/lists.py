"""List markers of OpenDocument: the levels of list styles and how far each list has counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from evenhand.documents import list_markers, symbols
from evenhand.documents.office.odt.package import count, points, q
from evenhand.documents.office.odt.styles import EMPTY_TEXT, OdtStyles, TextFormat
from evenhand.documents.office.package import Element

LEVELS = 10
OUTLINE = "text:outline-style"  # no list style can have such a name
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


Counter: TypeAlias = list[int | None]
"""The numbers of one list, level by level."""


@dataclass(frozen=True, slots=True)
class OdtListLevel:
    format: str = ""  # "1", "a", "A", "i", "I" or empty for none
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown_levels: int = 1
    bullet: str | None = None
    text: TextFormat = EMPTY_TEXT  # of the label
    left: float | None = None  # indentation of its paragraphs


class ListStyles:
    """Markers by list style; counters are kept by whoever walks the lists."""

    def __init__(self, roots: list[Element], styles: OdtStyles) -> None:
        self._styles = styles
        self._elements: dict[str | None, Element] = {}
        self._levels: dict[str | None, dict[int, OdtListLevel]] = {}  # of those that are used
        for root in roots:
            for style in root.iter(q("text:list-style")):
                self._elements[style.get(q("style:name")) or ""] = style
            for style in root.iter(q("text:outline-style")):
                self._elements[OUTLINE] = style

    def levels(self, name: str | None) -> dict[int, OdtListLevel]:
        if name not in self._levels:
            element = self._elements.get(name or "")
            self._levels[name] = {} if element is None else _read_levels(element, self._styles)
        return self._levels[name]

    @property
    def outline(self) -> dict[int, OdtListLevel]:
        return self.levels(OUTLINE)


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where in which list a paragraph stands."""

    counter: Counter
    levels: dict[int, OdtListLevel]
    depth: int


class OdtLists:
    """The lists of one story, of which some go on where an earlier one ended."""

    def __init__(self, list_styles: ListStyles, styles: OdtStyles) -> None:
        self._list_styles = list_styles
        self._styles = styles
        self._counters: dict[str, Counter] = {}  # by list id and by style

    def place(self, element: Element, outer: ListPlace | None) -> ListPlace:
        """Where the items of this list stand, inside another list or not."""
        name = element.get(q("text:style-name"))
        if outer is not None:
            levels = self._list_styles.levels(name) if name else outer.levels
            return ListPlace(outer.counter, levels, outer.depth + 1)
        if not name:  # the style that its first paragraph asks for
            first = next(element.iter(q("text:p"), q("text:h")), None)
            name = self._styles.paragraph(first.get(q("text:style-name"))).list_style if first is not None else None
        identifier = element.get(XML_ID) or element.get(q("text:id"))
        continued = self._counters.get(f"id {element.get(q('text:continue-list'))}")
        if continued is None and element.get(q("text:continue-numbering")) == "true":
            continued = self._counters.get(f"style {name}")
        counter = continued or [None] * LEVELS
        self._counters[f"style {name}"] = counter
        if identifier:
            self._counters[f"id {identifier}"] = counter
        return ListPlace(counter, self._list_styles.levels(name), 0)

    def number(self, element: Element) -> str | None:
        """The marker of a text:numbered-paragraph, which is a list item without a list around it."""
        style = element.get(q("text:style-name"))
        counter = self._counters.setdefault(f"id {element.get(q('text:list-id')) or style}", [None] * LEVELS)
        depth = max(count(element, "text:level") - 1, 0)
        return step(counter, depth, self._list_styles.levels(style))


def step(counter: Counter, depth: int, levels: dict[int, OdtListLevel], *, start: int | None = None) -> str | None:
    """Counts one item at `depth` (from 0) and gives its marker."""
    depth = min(depth, LEVELS - 1)
    level = levels.get(depth)
    now = counter[depth]
    first = level.start if level is not None else 1
    counter[depth] = start if start is not None else (first if now is None else now + 1)
    counter[depth + 1 :] = [None] * (LEVELS - depth - 1)
    if level is None:
        return None
    if level.bullet is not None:
        return level.bullet or None
    numbers = []
    first_shown = max(0, depth - level.shown_levels + 1)
    for at in range(first_shown, depth + 1) if level.format else ():
        kind = levels[at].format if at in levels else ""
        number = counter[at]
        if kind and number is not None:
            numbers.append(write_number(number, kind))
    return (level.prefix + ".".join(numbers) + level.suffix).strip() or None


def write_number(number: int, kind: str) -> str:
    if kind in ("i", "I"):
        text = list_markers.roman(number)
    elif kind in ("a", "A"):
        text = list_markers.office_letters(number)
    else:
        return f"{number:02d}" if kind == "01" else str(number)
    return text.upper() if kind.isupper() else text.lower()


def _read_levels(style: Element, styles: OdtStyles) -> dict[int, OdtListLevel]:
    levels: dict[int, OdtListLevel] = {}
    aligned = f"{q('style:list-level-properties')}/{q('style:list-level-label-alignment')}"
    for element in style:
        depth = count(element, "text:level") - 1 if isinstance(element.tag, str) else -1
        if not 0 <= depth < LEVELS:
            continue
        if element.tag == q("text:list-level-style-image"):
            levels[depth] = OdtListLevel(bullet=symbols.BULLET)
        elif element.tag == q("text:list-level-style-bullet"):
            properties = element.find(q("style:text-properties"))
            font = styles.font(properties) if properties is not None else None
            bullet = symbols.drawn_bullet(element.get(q("text:bullet-char")) or "", font)
            levels[depth] = OdtListLevel(bullet=bullet)
        else:
            levels[depth] = OdtListLevel(
                format=element.get(q("style:num-format")) or "",
                prefix=element.get(q("style:num-prefix")) or "",
                suffix=element.get(q("style:num-suffix")) or "",
                start=count(element, "text:start-value"),
                shown_levels=max(1, count(element, "text:display-levels")),
            )
        own = styles.read_text(element.find(q("style:text-properties")))
        place = element.find(aligned)
        levels[depth] = replace(
            levels[depth],
            text=own.over(styles.text("text", element.get(q("text:style-name")))),
            left=points(place.get(q("fo:margin-left"))) if place is not None else None,
        )
    return levels
