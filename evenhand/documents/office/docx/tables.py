"""Tables of WordprocessingML: their rows and merged cells, and what table styles give each cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.documents.colors import RGB
from evenhand.documents.office.docx.alternatives import ALTERNATIVES, chosen
from evenhand.documents.office.docx.formats import EMPTY_RUN, RunFormat, over, read_run, shade_color
from evenhand.documents.office.docx.names import VAL, integer, is_on, twips, value, w
from evenhand.documents.office.docx.styles import StyleSheet
from evenhand.documents.office.docx.theme import Theme
from evenhand.documents.office.xml import Element

WRAPPERS = {w(name) for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")}
MAX_WRAPPERS = 20
MAX_SPAN = 200
SHORTEST_ROW = 4.0  # points, of a row that does not grow
LOOK_BITS = {
    "firstRow": 0x20,
    "lastRow": 0x40,
    "firstColumn": 0x80,
    "lastColumn": 0x100,
    "noHBand": 0x200,
    "noVBand": 0x400,
}
NO_LINE = {"nil", "none", None}


@dataclass(frozen=True, slots=True)
class Slot:
    """One w:tc and its place on the table's grid."""

    element: Element
    row: int
    start: int
    span: int
    continues: bool  # merged into the cell above
    hidden: str | None


def slots(table: Element) -> Iterator[list[Slot]]:
    """Cells row by row; deleted rows are left out."""
    at = 0
    for row in _unwrapped(table, w("tr"), 0):
        properties = row.find(w("trPr"))
        if properties is not None and properties.find(w("del")) is not None:
            continue
        column = min(integer(value(properties, w("gridBefore"))) or 0, MAX_SPAN)
        hidden = _row_hidden(properties)
        cells: list[Slot] = []
        for cell in _unwrapped(row, w("tc"), 0):
            own = cell.find(w("tcPr"))
            span = min(max(integer(value(own, w("gridSpan"))) or 1, 1), MAX_SPAN)
            merge = own.find(w("vMerge")) if own is not None else None
            continues = merge is not None and merge.get(VAL) != "restart"
            cells.append(Slot(cell, at, column, span, continues, hidden))
            column += span
        yield cells
        at += 1


def _unwrapped(parent: Element, tag: str, depth: int) -> Iterator[Element]:
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in WRAPPERS and depth < MAX_WRAPPERS:
            yield from _unwrapped(child, tag, depth + 1)
        elif child.tag == ALTERNATIVES and depth < MAX_WRAPPERS:
            branch = chosen(child)
            if branch is not None:
                yield from _unwrapped(branch, tag, depth + 1)


def _row_hidden(properties: Element | None) -> str | None:
    if properties is None:
        return None
    mark = properties.find(w("hidden"))
    if mark is not None and is_on(mark):
        return "hidden_style"
    height = properties.find(w("trHeight"))
    if height is not None and height.get(w("hRule")) == "exact":
        tall = twips(height.get(VAL))
        if tall is not None and tall < SHORTEST_ROW:
            return "clipped"
    return None


class TableLook:
    """What the table's own properties and its style say about borders, shading and text."""

    def __init__(self, table: Element, styles: StyleSheet, theme: Theme) -> None:
        self._properties = table.find(w("tblPr"))
        self._theme = theme
        self._chain = styles.table_chain(value(self._properties, w("tblStyle")))
        self._flags = _look_flags(self._properties)
        self._parts = {
            (index, part.get(w("type")) or ""): part
            for index, element in enumerate(self._chain)
            for part in element.iter(w("tblStylePr"))
        }
        self._known: dict[tuple[str, ...], tuple[RunFormat, RGB | None]] = {}

    def is_ruled(self, table: Element) -> bool:
        holders = [self._properties, *(element.find(w("tblPr")) for element in self._chain)]
        for holder in holders:
            borders = holder.find(w("tblBorders")) if holder is not None else None
            if borders is not None:
                return any(border.get(VAL) not in NO_LINE for border in borders)
        cell_borders = table.find(f".//{w('tcBorders')}")
        return cell_borders is not None and any(border.get(VAL) not in NO_LINE for border in cell_borders)

    def off_page(self, page_width: float) -> bool:
        floating = self._properties.find(w("tblpPr")) if self._properties is not None else None
        indent = self._properties.find(w("tblInd")) if self._properties is not None else None
        x = twips(floating.get(w("tblpX"))) if floating is not None else None
        moved = twips(indent.get(w("w"))) if indent is not None and indent.get(w("type")) == "dxa" else None
        return any(at is not None and not -page_width < at < page_width for at in (x, moved))

    def cell(self, slot: Slot, *, rows: int, columns: int) -> tuple[RunFormat, RGB | None]:
        """The run layer and the fill of a cell."""
        kinds = tuple(self._kinds(slot, rows, columns))
        if kinds not in self._known:
            self._known[kinds] = self._styled(kinds)
        run, fill = self._known[kinds]
        direct = slot.element.find(f"{w('tcPr')}/{w('shd')}")
        if direct is not None:
            fill = shade_color(direct, self._theme) or fill
        return run, fill

    def _styled(self, kinds: tuple[str, ...]) -> tuple[RunFormat, RGB | None]:
        layers = [
            self._parts[index, kind]
            for kind in kinds
            for index in range(len(self._chain))
            if (index, kind) in self._parts
        ]
        run, fill = EMPTY_RUN, None
        for layer in [*layers, *self._chain]:
            run = over(run, read_run(layer.find(w("rPr")), self._theme))
            fill = fill or self._fill(layer.find(w("tcPr"))) or self._fill(layer.find(w("tblPr")))
        return run, fill or self._fill(self._properties)

    def _fill(self, holder: Element | None) -> RGB | None:
        shade = holder.find(w("shd")) if holder is not None else None
        return shade_color(shade, self._theme) if shade is not None else None

    def _kinds(self, slot: Slot, rows: int, columns: int) -> Iterator[str]:
        """Parts of the table this cell belongs to, the strongest first."""
        flags = self._flags
        top = "firstRow" in flags and slot.row == 0
        bottom = "lastRow" in flags and slot.row == rows - 1
        left = "firstColumn" in flags and slot.start == 0
        right = "lastColumn" in flags and slot.start + slot.span >= columns
        corners = {
            "nwCell": top and left,
            "neCell": top and right,
            "swCell": bottom and left,
            "seCell": bottom and right,
        }
        yield from (kind for kind, holds in corners.items() if holds)
        sides = {"firstRow": top, "lastRow": bottom, "firstCol": left, "lastCol": right}
        yield from (kind for kind, holds in sides.items() if holds)
        if "noHBand" not in flags and not top and not bottom:
            yield "band1Horz" if (slot.row - ("firstRow" in flags)) % 2 == 0 else "band2Horz"
        if "noVBand" not in flags and not left and not right:
            yield "band1Vert" if (slot.start - ("firstColumn" in flags)) % 2 == 0 else "band2Vert"
        yield "wholeTable"


def _look_flags(properties: Element | None) -> set[str]:
    look = properties.find(w("tblLook")) if properties is not None else None
    if look is None:
        return {"noHBand", "noVBand"}
    try:
        bits = int(look.get(VAL) or "0", 16)
    except ValueError:
        bits = 0
    flags: set[str] = set()
    for name, bit in LOOK_BITS.items():
        stated = look.get(w(name))
        if (stated or "").lower() in ("1", "true", "on") or (stated is None and bits & bit):
            flags.add(name)
    return flags
