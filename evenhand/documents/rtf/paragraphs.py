"""Paragraphs, table rows and cells of RTF, handed to the flow as they end."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.documents.draft import (
    BLACK,
    CLIPPED_LINE,
    LINE_HEIGHT,
    MEAN_WIDTH,
    NARROWEST,
    RGB,
    WHITE,
    blend,
    letters_hidden,
    to_hex,
    too_close,
)
from evenhand.documents.flow import (
    USUAL_SIZE,
    Cell,
    CharacterStyle,
    Cover,
    DocumentBuilder,
    Run,
    clip_below,
    extent,
    result_hidden,
)
from evenhand.documents.properties import UNKNOWN
from evenhand.documents.rtf.state import RowLook, Rows, RtfFont, RtfShape, RtfState, Stream

# The look of RTF characters, with the reason when nobody can see them.


_OUTSIDE_TWIPS = 1_440  # beyond the left edge of the paper
_NARROW_TWIPS = 80  # of a cell


class RtfStyles:
    """Font and colour tables of one document, and the looks made from them."""

    def __init__(self) -> None:
        self.fonts: dict[int, RtfFont] = {}
        self.colors: list[RGB | None] = []
        self.page_fill: RGB = WHITE
        self.paints_page = False
        self.page = {b"paperw": 12_240, b"paperh": 15_840, b"margl": 1_800, b"margt": 1_440}
        self.row = RowLook()
        self._made: dict[tuple[object, ...], CharacterStyle] = {}

    def color(self, number: int) -> RGB | None:
        return self.colors[number] if 0 <= number < len(self.colors) else None

    def font_name(self, number: int | None) -> str | None:
        font = self.fonts.get(number) if number is not None else None
        return font.name or None if font else None

    def mixed(self, back: int, ink: int, pattern: int) -> RGB | None:
        """A background with a pattern over it, in ten thousandths."""
        if not pattern:
            return self.color(back) if back else None
        under = self.color(back) if back else None
        return blend(self.color(ink) or BLACK, under or WHITE, min(pattern, 10_000) / 10_000)

    def look(self, state: RtfState, column: int | None) -> CharacterStyle:
        """How the characters of this state are drawn; `column` is the cell they stand in."""
        in_cell = column is not None and column < len(self.row.fills)
        cell_fill = self.row.fills[column] if column is not None and in_cell else None
        cell_hidden = self.row.reasons[column] if column is not None and in_cell else None
        stream = state.stream
        key = (
            *(state.font, state.size, state.bold, state.italic, state.color, state.shade, state.vanish),
            *(state.scale, state.spacing, state.paragraph_shade, state.indent, state.frame_x, state.line_height),
            *(state.raised, state.script, state.old_shade, state.ink, state.pattern, state.paragraph_ink),
            *(state.paragraph_pattern, state.first, state.frame_y, state.frame_width, state.frame_height),
            *(state.multiple, state.blank, state.associated == "rtl" and state.associated_size, cell_fill, cell_hidden),
            *(self.row.height if column is not None else 0, column is None),
            *(stream.fill, stream.see_through or stream.backdrop_left > 0, stream.hidden, stream.room),
        )
        made = self._made.get(key)
        if made is None:
            color = self.color(state.color)
            made = self._made[key] = CharacterStyle(
                font=self.font_name(state.font),
                size=state.size / 2,
                bold=state.bold,
                italic=state.italic,
                color=to_hex(color) if color else None,
                hidden=cell_hidden or self._hidden(state, column is not None, color, cell_fill),
            )
        return made

    def _hidden(self, state: RtfState, in_cell: bool, color: RGB | None, cell_fill: RGB | None) -> str | None:
        if state.vanish or state.blank:
            return "hidden_style"
        if state.stream.hidden:
            return state.stream.hidden
        if self._off_page(state, in_cell):
            return "off_page"
        half_points = state.associated_size if state.associated == "rtl" and state.associated_size else state.size
        size, line = half_points / 2, state.line_height / 20
        heights = [-height / 20 for height in (self.row.height if in_cell else 0, state.frame_height) if height < 0]
        if line:
            heights.append(-line if line < 0 else line / 12 * LINE_HEIGHT * size if state.multiple else size)
        reason = letters_hidden(
            size or USUAL_SIZE,
            script=state.script,
            scale=state.scale / 100,
            spacing=state.spacing / 20,
            raised=state.raised / 2,
            heights=[*heights, state.stream.room],
        )
        if reason or 0 < state.frame_width < CLIPPED_LINE * size * 20:
            return reason or "clipped"
        # What lies behind the characters, nearest first; None when that cannot be known.
        stream = state.stream
        shade = self.mixed(state.shade, state.ink, state.pattern)
        behind = shade or self.mixed(state.paragraph_shade, state.paragraph_ink, state.paragraph_pattern)
        behind = behind or cell_fill or stream.fill
        if not behind and not (stream.see_through or stream.backdrop_left > 0):
            behind = self.page_fill
            if color and not self.paints_page and too_close(color, WHITE):
                behind = WHITE  # a page colour that is not painted
        backgrounds = [behind, self.color(state.old_shade) if shade is None and state.old_shade else None]
        close = color and any(too_close(color, background) for background in backgrounds if background)
        return "background_color" if close else None

    def _off_page(self, state: RtfState, in_cell: bool) -> bool:
        width, height = self.page[b"paperw"], self.page[b"paperh"]
        start = 0 if in_cell else self.page[b"margl"]
        first = start + state.indent + state.first
        edge = -width if in_cell else -_OUTSIDE_TWIPS
        if min(start + state.indent, first) >= width or first < edge or start + state.indent < edge - width:
            return True
        far = state.frame_x >= width or state.frame_x + (state.frame_width or width) <= 0
        return far or abs(state.frame_y) >= height


_GAP_TWIPS = 120
_CELL_FILLS = (b"clcbpat", b"clcfpat", b"clshdng")
_SOLID = 5_000  # hundredths of a percent of pattern colour over the background


def clean_marker(text: str) -> str | None:
    """A list marker as shown; Word's second bullet is a letter o in Courier."""
    marker = text.strip()
    if marker == "o":
        return "◦"
    if len(marker) == 1 and "\uf000" <= marker <= "\uf0ff":
        return "•"
    return marker[:20] or None


class Paragraphs:
    """Collects runs until a paragraph, cell or row ends."""

    def __init__(self, flow: DocumentBuilder, looks: RtfStyles) -> None:
        self._flow = flow
        self._looks = looks

    def put(self, text: str, state: RtfState, reason: str | None = None) -> None:
        if state.look is None or state.look_paragraph != state.stream.paragraph:
            rows = state.stream.rows
            column = rows[min(state.depth, len(rows)) - 1].column if rows and state.depth else None
            if column is None and state.depth:
                column = 0
            state.look = self._looks.look(state, column)
            state.look_paragraph = state.stream.paragraph
        if state.result is not None:
            state.result[1][0] += len(text)
            reason = reason or result_hidden(state.result[0], state.result[1][0])
        natural = len(text) * state.size * 10 * MEAN_WIDTH * NARROWEST  # twips
        reason = reason or ("tiny" if 0 < state.fitted < natural else None)
        look = state.look if reason is None else state.look._replace(hidden=state.look.hidden or reason)
        state.stream.runs.append((text, look))

    def end(self, state: RtfState) -> None:
        """The paragraph is complete."""
        stream = state.stream
        cell = self._cell(stream, state.depth)
        runs = stream.covers.pass_over(stream.runs, (state.space_before + state.space_after) / 20)
        runs = self._fit(self._after_tabs(runs, state), state)
        if stream.runs and any(text.strip() for text, _ in stream.runs):
            spaced = max(stream.space_after, state.space_before) >= _GAP_TWIPS
            gap = stream.blank or (spaced and not (stream.in_list and stream.marker is not None))
            self._flow.add(runs, marker=stream.marker, gap=gap, cell=cell, part=stream.part)
            stream.blank = False
            stream.space_after = state.space_after
            stream.in_list = stream.marker is not None
        else:
            stream.blank = True
        stream.runs = []
        stream.marker = None
        stream.paragraph += 1
        stream.backdrop_left = max(0, stream.backdrop_left - 1)

    def _fit(self, runs: Sequence[Run], state: RtfState) -> Sequence[Run]:
        """Marks what falls below the lower edge of the row or box around it."""
        stream, row = state.stream, self._looks.row
        holder: Stream | Rows = stream.rows[-1] if stream.rows else stream
        room = stream.room if not stream.rows else -row.height / 20 if row.height < 0 else None
        if room is None:
            return runs
        top = holder.used + state.space_before / 20
        holder.used = top + extent(runs)[1] + state.space_after / 20
        return clip_below(runs, top, room)

    def _after_tabs(self, runs: Sequence[Run], state: RtfState) -> Sequence[Run]:
        """Marks what stands behind a tab that leads beyond the paper."""
        page = self._looks.page
        near = sum(page[b"margl"] + stop < page[b"paperw"] for stop in state.tab_stops)
        if near == len(state.tab_stops):
            return runs
        moved: list[Run] = []
        tabs = 0
        for text, look in runs:
            tabs = 0 if "\n" in text else tabs + text.count("\t")
            moved.append((text, look._replace(hidden=look.hidden or "off_page") if tabs > near else look))
        return moved

    def word(self, word: bytes, number: int | None, state: RtfState) -> None:
        """Words of tables."""
        row = self._looks.row
        if word == b"cell":
            self._end_cell(state, 1)
        elif word == b"nestcell":
            self._end_cell(state, max(2, state.depth))
        elif word == b"row":
            self._end_row(state, 1)
        elif word == b"nestrow":
            self._end_row(state, max(2, state.depth))
        elif word == b"trowd":
            self._looks.row = RowLook()
        elif word in _CELL_FILLS:
            at = _CELL_FILLS.index(word)
            row.fill = (*row.fill[:at], number or 0, *row.fill[at + 1 :])  # type: ignore[assignment]
        elif word in (b"clvmrg", b"clmrg"):
            row.merged = True
        elif word == b"clFitText":
            row.hidden = row.hidden or UNKNOWN
        elif word == b"trhidden":
            row.hidden = "hidden_style"
        elif word in (b"trleft", b"tposx", b"tposnegx", b"tposy", b"tposnegy"):
            bound = self._looks.page[b"paperh" if b"y" in word else b"paperw"]
            row.hidden = row.hidden or ("off_page" if abs(number or 0) >= bound else None)
            row.edge = number or 0 if word == b"trleft" else row.edge
        elif word == b"cellx":
            narrow = 0 < (number or 0) - row.edge < _NARROW_TWIPS
            reason = "hidden_style" if row.merged else "clipped" if narrow else None
            row.fills.append(self._looks.mixed(*row.fill))
            row.reasons.append(row.hidden or reason)
            row.fill, row.merged, row.edge = (0, 0, 0), False, number or 0
        elif word == b"trrh":
            row.height = number or 0
        elif word.startswith((b"clbrdr", b"trbrdr")):
            row.ruled = True

    def _cell(self, stream: Stream, depth: int) -> Cell | None:
        """Where the paragraph stands, opening and closing tables to its depth."""
        depth = min(depth, self._flow.limits.nesting)
        del stream.rows[depth:]
        while len(stream.rows) < depth:
            parent = stream.rows[-1].table if stream.rows else None
            stream.rows.append(Rows(self._flow.new_table(parent, ruled=self._looks.row.ruled)))
        if not stream.rows:
            return None
        rows = stream.rows[-1]
        return rows.table, rows.row, rows.column

    def _end_cell(self, state: RtfState, depth: int) -> None:
        if state.depth != depth:
            state.in_table, state.nesting = True, depth
        self.end(state)
        rows = state.stream.rows[-1]
        self._flow.mark_cell((rows.table, rows.row, rows.column))
        rows.column += 1
        rows.used = 0.0

    def _end_row(self, state: RtfState, depth: int) -> None:
        if state.stream.runs:
            self.end(state)
        if len(state.stream.rows) >= depth:
            del state.stream.rows[depth:]
            rows = state.stream.rows[-1]
            rows.row += 1
            rows.column = 0
        state.stream.blank = False


# Drawings of RTF: the text boxes in them, and whether their text can be seen.

_SHAPES_FLAT_TWIPS = 40
_SHAPES_FAR_TWIPS = 14_400
_LINE_TWIPS = 200
_NO_WRAP = 3


class Shapes:
    """The shapes that are open, innermost last."""

    def __init__(self, looks: RtfStyles) -> None:
        self._looks = looks
        self._shape = RtfShape()
        self._seen = 0

    def word(self, word: bytes, number: int | None, state: RtfState) -> None:
        if word in (b"shp", b"dptxbx"):
            self._shape = RtfShape()
            self._seen += 1
        elif word in (b"shptxt", b"dptxbxtext"):
            self._shape.has_text = True
            state.stream = self._box(state.stream)
            state.new_paragraph()
        elif word in (b"shpleft", b"shptop", b"shpright", b"shpbottom"):
            setattr(self._shape, word[3:].decode("ascii"), number or 0)
        elif word == b"shpwr":
            self._shape.wrap = number or 0
        elif word == b"shpfblwtxt":
            self._shape.below = number != 0
        elif word == b"shpbypara":
            self._shape.by_paragraph = True

    def set_property(self, kind: bytes, text: str) -> None:
        if kind == b"sn":
            self._shape.name = text.strip()
        else:
            self._shape.properties[self._shape.name] = text.strip()

    def lay(self, stream: Stream) -> None:
        """A shape has ended: it may hide the text behind it, or be what light text stands on."""
        shape, properties = self._shape, self._shape.properties
        filled = properties.get("fFilled", "1") != "0"
        # In front of the paragraph it hangs on, empty, and opaque.
        in_front = shape.wrap == _NO_WRAP and not shape.below and shape.by_paragraph and not shape.has_text
        if in_front and filled and not {"fillOpacity", "pib", "fillType"} & properties.keys():
            stream.covers.add(Cover(shape.left / 20, shape.top / 20, shape.right / 20, shape.bottom / 20))
            return
        # Paragraphs around a shape that is large and not white may lie on it.
        height, width = shape.bottom - shape.top, shape.right - shape.left
        fill = self.fill() if filled else None
        colored = fill is not None and not too_close(fill, WHITE)
        if (colored or "pib" in properties) and height >= _LINE_TWIPS and width >= 5 * _LINE_TWIPS:
            stream.backdrop_left = height // _LINE_TWIPS + 3

    def _box(self, outer: Stream) -> Stream:
        shape = self._shape
        filled = shape.properties.get("fFilled", "1") != "0"
        return Stream(
            part=outer.part,
            fill=self.fill() if filled else outer.fill,
            see_through=not filled and self._seen > 1,
            hidden=self._reason(shape) or outer.hidden,
            room=(shape.bottom - shape.top) / 20 if shape.properties.get("fFitShapeToText") == "0" else None,
        )

    def fill(self) -> RGB | None:
        try:
            value = int(self._shape.properties["fillColor"])
        except (KeyError, ValueError):
            return None
        return value & 255, value >> 8 & 255, value >> 16 & 255

    def _reason(self, shape: RtfShape) -> str | None:
        if shape.properties.get("fHidden") == "1":
            return "hidden_style"
        if shape.right < -_SHAPES_FAR_TWIPS or shape.left > 3 * _SHAPES_FAR_TWIPS or shape.bottom < -_SHAPES_FAR_TWIPS:
            return "off_page"
        flat = shape.right - shape.left < _SHAPES_FLAT_TWIPS or shape.bottom - shape.top < _SHAPES_FLAT_TWIPS
        placed = shape.right or shape.left or shape.top or shape.bottom
        return "clipped" if placed and flat else None
