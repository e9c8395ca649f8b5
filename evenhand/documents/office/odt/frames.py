"""Frames and shapes of OpenDocument: where they stand, what fills them, whether they can be seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from evenhand.documents.draft import LINE_HEIGHT, MEAN_WIDTH, TINY_POINTS, WHITE, letters_hidden
from evenhand.documents.office.blocks import (
    Backdrop,
    Block,
    OfficeCell,
    OfficeTable,
    SpanStyle,
    automatic,
    hex_of,
    mixed,
    parse_hex,
    shows_on_any,
    vanishes,
)
from evenhand.documents.office.boxes import Rect, hide_below
from evenhand.documents.office.odt.package import count, may_hide, points, q, share
from evenhand.documents.office.odt.styles import (
    AUTOMATIC,
    DEFAULT_SIZE,
    EMPTY_TEXT,
    NO_FILL,
    OdtPage,
    OdtParagraphFormat,
    OdtStyles,
    TextFormat,
    fill_color,
)
from evenhand.documents.office.package import Budget, Element
from evenhand.documents.properties import UNKNOWN

MIN_BOX_SIZE = 4.0  # points
FAR_AWAY = 2000.0  # points that a shape is moved
TRANSLATE = re.compile(r"translate\s*+\(\s*+([^\s,)]++)[\s,]*+([^\s,)]*+)\s*+\)\s*+$")
MOVE = re.compile(r"(?<![\d.])-?[\d.]++(?:cm|mm|in|pt|pc)")
FAINT, OPAQUE = 0.1, 0.95
MIN_PAGE_SHARE = 0.01  # of the page, for a shape that may lie behind text
THINNEST = 6.0
MAX_UNDERLAYS = 500
_SHAPE_NAMES = """
    custom-shape rect ellipse circle path polygon regular-polygon polyline line connector caption measure
"""
SHAPES = {q(f"draw:{name}") for name in _SHAPE_NAMES.split()}
FRAME, GROUP, LINK = q("draw:frame"), q("draw:g"), q("draw:a")
DRAWN = SHAPES | {FRAME, GROUP, LINK}
DEFAULT_FILL = (114, 159, 207)  # what LibreOffice gives a shape that names none


@dataclass(frozen=True, slots=True)
class OdtBox:
    rect: Rect | None
    filled: bool
    colors: Backdrop  # of the fill; None when nobody can tell
    hidden: str | None
    covers: Rect | None = None  # the place it hides, when it is opaque and in front of the text
    room: float | None = None  # height, when it does not grow with its text
    picture: str | None = None  # shown in it, which must be opaque too


def read_box(element: Element, styles: OdtStyles, page: OdtPage) -> OdtBox:
    style = element.get(q("draw:style-name"))
    rect = _rect(element, styles, style, page)
    box, image = element.find(q("draw:text-box")), element.find(q("draw:image"))
    hidden = _marked_hidden(element, styles, style)
    if rect is not None and hidden is None and element.get(q("text:anchor-type")) != "as-char":
        grows = box is None or box.get(q("fo:min-height")) is not None
        if (
            rect.right < 0
            or rect.x >= page.width
            or rect.y >= page.height
            or rect.bottom < (-page.height if rect.floating else 0)
        ):
            hidden = "off_page"
        elif not grows and min(rect.width, rect.height) < MIN_BOX_SIZE:
            hidden = "clipped"
    opacity = share(_graphic(styles, style, "draw:opacity"))
    kind = _graphic(styles, style, "draw:fill")
    background = fill_color(_graphic(styles, style, "fo:background-color"))
    filled, colors = True, None
    if image is None and kind not in ("bitmap", "gradient", "hatch"):
        if kind == "none" or (kind is None and element.tag == FRAME):
            filled = background is not None and background != NO_FILL and kind is None
            colors = (background,) if filled and background is not None else None
        elif opacity is not None and opacity <= FAINT:
            filled = False
        else:
            color = parse_hex(_graphic(styles, style, "draw:fill-color")) or background or DEFAULT_FILL
            colors = (mixed(color, WHITE, opacity if opacity is not None else 1.0),)
    through = _graphic(styles, style, "style:wrap") == "run-through"
    in_front = through and _graphic(styles, style, "style:run-through") != "background"
    opaque = filled and not hidden and in_front and (opacity is None or opacity >= OPAQUE)
    covers = rect if opaque and rect is not None and rect.floating else None
    picture = image.get(q("xlink:href")) or "" if image is not None else None
    fixed = rect is not None and box is not None and box.get(q("fo:min-height")) is None
    return OdtBox(rect, filled, colors, hidden, covers, rect.height if fixed and rect else None, picture)


def _marked_hidden(element: Element, styles: OdtStyles, style: str | None) -> str | None:
    """Whether a shape is switched off, pressed flat, or formatted in a way that may hide it."""
    if element.get(q("draw:display")) not in (None, "always", "screen"):
        return "hidden_style"
    turned = element.get(q("draw:transform")) or ""
    moves = [points(length) or 0.0 for length in MOVE.findall(turned)]
    if any(abs(length) > FAR_AWAY for length in moves):
        return "off_page"
    for holder in styles.chain("graphic", style):
        properties = holder.find(q("style:graphic-properties"))
        if properties is not None and any(may_hide(str(name), "graphic") for name in properties.attrib):
            return UNKNOWN
    return UNKNOWN if "matrix" in turned or "scale" in turned else None


def _graphic(styles: OdtStyles, style: str | None, name: str) -> str | None:
    return styles.property("graphic", style, "style:graphic-properties", name)


def _rect(element: Element, styles: OdtStyles, style: str | None, page: OdtPage) -> Rect | None:
    width, height = points(element.get(q("svg:width"))), points(element.get(q("svg:height")))
    if height is None:
        box = element.find(q("draw:text-box"))
        height = points(box.get(q("fo:min-height"))) if box is not None else None
    if width is None or height is None:
        return None
    x, y = points(element.get(q("svg:x"))), points(element.get(q("svg:y")))
    moved = TRANSLATE.search(element.get(q("draw:transform")) or "")
    if moved and x is None and y is None:
        x, y = points(moved[1]), points(moved[2])
    across = _graphic(styles, style, "style:horizontal-rel") or "paragraph"
    down = _graphic(styles, style, "style:vertical-rel") or "paragraph"
    placed = _graphic(styles, style, "style:horizontal-pos") or "from-left"
    left = 0.0 if across == "page" else page.left
    if placed in ("center", "right") and x is None:
        free = page.width - 2 * left - width
        x = free if placed == "right" else free / 2
    tops = {"page": 0.0, "page-content": page.top}
    on_page = element.get(q("text:anchor-type")) == "page"
    top = tops.get(down, page.top if on_page else None)
    return Rect((x or 0.0) + left, (y or 0.0) + (top or 0.0), width, height, floating=top is None)


def find_underlays(roots: list[Element], styles: OdtStyles, page: OdtPage) -> list[Backdrop]:
    """Fills of shapes and pictures without text that may lie behind text somewhere on a page."""
    underlays: list[Backdrop] = []
    for root in roots:
        for element in root.iter(FRAME, *SHAPES):
            if len(underlays) >= MAX_UNDERLAYS:
                return underlays
            box = read_box(element, styles, page)
            rect = box.rect
            if not box.filled or box.hidden is not None or rect is None or min(rect.width, rect.height) < THINNEST:
                continue
            if rect.width * rect.height >= MIN_PAGE_SHARE * page.area and not has_text(element):
                underlays.append(box.colors)
    return underlays


def has_text(element: Element) -> bool:
    return any("".join(map(str, part.itertext())).strip() for part in element.iter(q("text:p"), q("text:h")))


# How text of an ODT looks in its place, and the reason when a person does not see it.

VISIBILITY_FAINT = 0.1
OUTSIDE = 72.0  # points beyond the left edge of the paper, from where a first line is lost
MAX_PAGE_WIDTH = 2000.0  # points


@dataclass(frozen=True, slots=True)
class OdtTextContext:
    """What holds around a stretch of text."""

    backdrop: Backdrop
    bare: bool = True  # nothing but the page lies behind
    hidden: str | None = None
    depth: int = 0
    room: float | None = None  # height that does not grow with the text
    text: TextFormat = EMPTY_TEXT  # what a shape gives its text


def appearance(
    text: TextFormat, paragraph: OdtParagraphFormat, scene: OdtTextContext, underlays: list[Backdrop]
) -> tuple[SpanStyle, str | None]:
    """The look of the text and why it is hidden, if it is."""
    backdrop, bare = scene.backdrop, scene.bare
    for fill in (paragraph.background, text.background):
        if fill is not None and fill != NO_FILL:
            backdrop, bare = (fill,), False
    chosen = None if text.color == AUTOMATIC else text.color
    color = chosen if chosen is not None else automatic(backdrop)
    size = text.size or DEFAULT_SIZE
    look = SpanStyle(text.font, round(size, 1), bool(text.bold), bool(text.italic), hex_of(color))
    reason = scene.hidden or _geometry(text, paragraph, size, scene.room)
    if reason is None and chosen is not None and vanishes(chosen, backdrop):
        reason = None if bare and shows_on_any(chosen, underlays) else "background_color"
    return look, reason


def is_paragraph_off_page(paragraph: OdtParagraphFormat, page: OdtPage, characters: int) -> bool:
    """Set so far aside that no letter of it falls on the paper."""
    left, natural = paragraph.left or 0.0, characters * DEFAULT_SIZE * MEAN_WIDTH
    start, end = page.left + left, page.width - page.right - (paragraph.right or 0.0)
    width = min(natural, max(end - start, DEFAULT_SIZE))
    first = start + (paragraph.first or 0.0)
    if paragraph.align in ("center", "end", "right"):
        start += (end - start - width) * (0.5 if paragraph.align == "center" else 1.0)
    elif first >= page.width or first < -OUTSIDE or first + natural <= 0:
        return True
    return start >= page.width or start + width < 0


def _geometry(text: TextFormat, paragraph: OdtParagraphFormat, size: float, room: float | None) -> str | None:
    if text.display is False:
        return "hidden_style"
    if text.unknown or paragraph.unknown:
        return UNKNOWN
    if text.opacity is not None and text.opacity <= VISIBILITY_FAINT:
        return "transparent"
    if abs((paragraph.left or 0.0) + (paragraph.first or 0.0)) > MAX_PAGE_WIDTH:
        return "off_page"
    share_height = None if paragraph.line_share is None else paragraph.line_share * LINE_HEIGHT * size
    return letters_hidden(
        size,
        script=1.0 if text.script is None else text.script,
        scale=1.0 if text.scale is None else text.scale,
        spacing=text.spacing or 0.0,
        raised=(text.raised or 0.0) * size,
        heights=(paragraph.fixed_line, share_height, room),
    )


# Tables of OpenDocument: repeated, spanned and covered cells on one grid.

ROW_GROUPS = {q(f"table:{name}") for name in ("table-header-rows", "table-rows", "table-row-group")}
CELL, COVERED = q("table:table-cell"), q("table:covered-table-cell")
MAX_GROUPS = 20
MAX_REPEATS = 50  # of one row or cell that holds text; nobody repeats more by hand
TABLE_FAR = 1500.0  # points between the margin and a table

ReadBlocks = Callable[[Element, OdtTextContext], list[Block]]


class OdtTables:
    """Reads tables; the cells' own content is read by whoever walks the text."""

    def __init__(self, styles: OdtStyles, budget: Budget, read_blocks: ReadBlocks) -> None:
        self._styles = styles
        self._budget = budget
        self._read_blocks = read_blocks

    def read(
        self,
        table: Element,
        scene: OdtTextContext,
        page: int,
        page_now: Callable[[], int],
        turn_to: Callable[[int], None],
    ) -> tuple[OfficeTable, int]:
        """The table and the page on which it ends; cells of one row all begin on the same page."""
        scene = self._shaded(scene, "table", table.get(q("table:style-name")), "style:table-properties")
        scene = self._placed(scene, table)
        widths = self._widths(table)
        grid = OfficeTable(0, 0, [], False, page)
        for row in _rows(table, 0):
            if row.tag == q("text:soft-page-break"):
                page += 1
                continue
            style = row.get(q("table:style-name"))
            inner = self._shaded(scene, "table-row", style, "style:table-row-properties")
            height = points(self._styles.property("table-row", style, "style:table-row-properties", "style:row-height"))
            group = row.getparent()
            folded = group is not None and group.get(q("table:display")) == "false"
            if folded or row.get(q("table:visibility")) in ("collapse", "filter"):
                inner = replace(inner, hidden=inner.hidden or "hidden_style")
            inner = replace(inner, room=height)
            for _ in range(min(max(count(row, "table:number-rows-repeated"), 1), MAX_REPEATS)):
                last = page
                for element, column in _cells(row):
                    turn_to(page)
                    if not self._budget.take_cell():
                        return grid, last
                    narrow = replace(inner, hidden=inner.hidden or widths.get(column))
                    self._add_cell(grid, element, column, narrow)
                    last = max(last, page_now())
                page = last
                grid.rows += 1
        grid.columns = max((cell.column + cell.columns for cell in grid.cells), default=0)
        return grid, page

    def _add_cell(self, grid: OfficeTable, element: Element, column: int, scene: OdtTextContext) -> None:
        style = element.get(q("table:style-name"))
        inner = self._shaded(scene, "table-cell", style, "style:table-cell-properties")
        lines = (
            self._styles.property("table-cell", style, "style:table-cell-properties", side)
            for side in ("fo:border", "fo:border-left", "fo:border-bottom")
        )
        grid.ruled = grid.ruled or any(line is not None and not line.startswith("none") for line in lines)
        cell = OfficeCell(grid.rows, column, self._read_blocks(element, inner))
        hide_below(cell.blocks, scene.room, MAX_PAGE_WIDTH)
        cell.rows = max(count(element, "table:number-rows-spanned"), 1)
        cell.columns = max(count(element, "table:number-columns-spanned"), 1)
        grid.cells.append(cell)

    def _placed(self, scene: OdtTextContext, table: Element) -> OdtTextContext:
        """The table's own place, and whether it is shown at all."""
        name = table.get(q("table:style-name"))

        def value(attribute: str) -> str | None:
            return self._styles.property("table", name, "style:table-properties", attribute)

        hidden = "hidden_style" if value("table:display") == "false" else None
        if any(abs(points(value(f"fo:margin-{side}")) or 0.0) > TABLE_FAR for side in ("left", "right")):
            hidden = hidden or "off_page"
        return replace(scene, hidden=scene.hidden or hidden)

    def _widths(self, table: Element) -> dict[int, str]:
        """Columns of which nobody sees anything, with the reason."""
        hidden: dict[int, str] = {}
        at = 0
        for column in table.iter(q("table:table-column")):
            style = column.get(q("table:style-name"))
            width = points(
                self._styles.property("table-column", style, "style:table-column-properties", "style:column-width")
            )
            repeats = min(max(count(column, "table:number-columns-repeated"), 1), MAX_REPEATS)
            off = column.get(q("table:visibility")) in ("collapse", "filter")
            if off or (width is not None and width < TINY_POINTS):
                hidden.update(dict.fromkeys(range(at, at + repeats), "hidden_style" if off else "clipped"))
            at += repeats
        return hidden

    def _shaded(self, scene: OdtTextContext, family: str, style: str | None, holder: str) -> OdtTextContext:
        color = fill_color(self._styles.property(family, style, holder, "fo:background-color"))
        if color is None or color == NO_FILL:
            return scene
        return replace(scene, backdrop=(color,), bare=False)


def _rows(table: Element, depth: int) -> Iterator[Element]:
    for child in table:
        if child.tag in (q("table:table-row"), q("text:soft-page-break")):
            yield child
        elif child.tag in ROW_GROUPS and depth < MAX_GROUPS:
            yield from _rows(child, depth + 1)


def _cells(row: Element) -> Iterator[tuple[Element, int]]:
    """Cells with the column where they begin."""
    column = 0
    for cell in row:
        if cell.tag not in (CELL, COVERED):
            continue
        repeats = max(count(cell, "table:number-columns-repeated"), 1)
        if cell.tag == CELL:
            for at in range(min(repeats, MAX_REPEATS) if len(cell) else 1):
                yield cell, column + at
        column += repeats
