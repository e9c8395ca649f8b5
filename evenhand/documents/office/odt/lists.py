"""List markers of OpenDocument: the levels of list styles and how far each list has counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents import list_markers, symbols
from evenhand.documents.office.odt.package import count, q
from evenhand.documents.office.odt.styles import OdtStyles
from evenhand.documents.office.package import Element

LEVELS = 10
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


@dataclass(frozen=True, slots=True)
class OdtListLevel:
    format: str = ""  # "1", "a", "A", "i", "I" or empty for none
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown_levels: int = 1
    bullet: str | None = None


@dataclass(slots=True)
class OdtListCounter:
    """The numbers of one list, level by level."""

    numbers: list[int | None] = field(default_factory=lambda: [None] * LEVELS)


class ListStyles:
    """Markers by list style; counters are kept by whoever walks the lists."""

    def __init__(self, roots: list[Element], styles: OdtStyles) -> None:
        self._levels: dict[str, dict[int, OdtListLevel]] = {}
        self.outline: dict[int, OdtListLevel] = {}
        for root in roots:
            for style in root.iter(q("text:list-style")):
                self._levels[style.get(q("style:name")) or ""] = _read_levels(style, styles)
            for style in root.iter(q("text:outline-style")):
                self.outline = _read_levels(style, styles)

    def levels(self, name: str | None) -> dict[int, OdtListLevel]:
        return self._levels.get(name or "", {})


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where in which list a paragraph stands."""

    counter: OdtListCounter
    levels: dict[int, OdtListLevel]
    depth: int


class OdtLists:
    """The lists of one story, of which some go on where an earlier one ended."""

    def __init__(self, list_styles: ListStyles, styles: OdtStyles) -> None:
        self._list_styles = list_styles
        self._styles = styles
        self._counters: dict[str, OdtListCounter] = {}  # by list id and by style

    def place(self, element: Element, outer: ListPlace | None) -> ListPlace:
        """Where the items of this list stand, inside another list or not."""
        name = element.get(q("text:style-name"))
        if outer is not None:
            levels = self._list_styles.levels(name) if name else outer.levels
            return ListPlace(outer.counter, levels, outer.depth + 1)
        name = name or self._asked_for(element)
        identifier = element.get(XML_ID) or element.get(q("text:id"))
        continued = self._counters.get(f"id {element.get(q('text:continue-list'))}")
        if continued is None and element.get(q("text:continue-numbering")) == "true":
            continued = self._counters.get(f"style {name}")
        counter = continued or OdtListCounter()
        self._counters[f"style {name}"] = counter
        if identifier:
            self._counters[f"id {identifier}"] = counter
        return ListPlace(counter, self._list_styles.levels(name), 0)

    def number(self, element: Element) -> str | None:
        """The marker of a text:numbered-paragraph, which is a list item without a list around it."""
        style = element.get(q("text:style-name"))
        counter = self._counters.setdefault(f"id {element.get(q('text:list-id')) or style}", OdtListCounter())
        depth = max(count(element, "text:level") - 1, 0)
        return step(counter, depth, self._list_styles.levels(style))

    def _asked_for(self, element: Element) -> str | None:
        """A list that names no style takes the one its first paragraph asks for."""
        first = next(element.iter(q("text:p"), q("text:h")), None)
        if first is None:
            return None
        return self._styles.paragraph(first.get(q("text:style-name"))).list_style


def step(
    counter: OdtListCounter, depth: int, levels: dict[int, OdtListLevel], *, start: int | None = None
) -> str | None:
    """Counts one item at `depth` (from 0) and gives its marker."""
    depth = min(depth, LEVELS - 1)
    level = levels.get(depth)
    now = counter.numbers[depth]
    first = level.start if level is not None else 1
    counter.numbers[depth] = start if start is not None else (first if now is None else now + 1)
    counter.numbers[depth + 1 :] = [None] * (LEVELS - depth - 1)
    return _marker(counter, depth, levels) if level is not None else None


def _marker(counter: OdtListCounter, depth: int, levels: dict[int, OdtListLevel]) -> str | None:
    level = levels[depth]
    if level.bullet is not None:
        return level.bullet or None
    if not level.format:
        return (level.prefix + level.suffix).strip() or None
    first = max(0, depth - level.shown_levels + 1)
    shown = []
    for at in range(first, depth + 1):
        kind = levels[at].format if at in levels else ""
        number = counter.numbers[at]
        if kind and number is not None:
            shown.append(write_number(number, kind))
    return (level.prefix + ".".join(shown) + level.suffix).strip() or None


def write_number(number: int, kind: str) -> str:
    if kind in ("a", "A"):
        text = list_markers.office_letters(number)
    elif kind in ("i", "I"):
        text = list_markers.office_roman(number)
    else:
        return f"{number:02d}" if kind == "01" else str(number)
    return text.upper() if kind.isupper() else text


def _read_levels(style: Element, styles: OdtStyles) -> dict[int, OdtListLevel]:
    levels: dict[int, OdtListLevel] = {}
    for element in style:
        if not isinstance(element.tag, str):
            continue
        depth = count(element, "text:level") - 1
        if 0 <= depth < LEVELS:
            levels[depth] = _read_level(element, styles)
    return levels


def _read_level(element: Element, styles: OdtStyles) -> OdtListLevel:
    if element.tag == q("text:list-level-style-image"):
        return OdtListLevel(bullet=symbols.BULLET)
    prefix = element.get(q("style:num-prefix")) or ""
    suffix = element.get(q("style:num-suffix")) or ""
    if element.tag == q("text:list-level-style-bullet"):
        properties = element.find(q("style:text-properties"))
        font = styles.font(properties) if properties is not None else None
        return OdtListLevel(bullet=symbols.drawn_bullet(element.get(q("text:bullet-char")) or "", font))
    return OdtListLevel(
        format=element.get(q("style:num-format")) or "",
        prefix=prefix,
        suffix=suffix,
        start=count(element, "text:start-value"),
        shown_levels=max(1, count(element, "text:display-levels")),
    )
