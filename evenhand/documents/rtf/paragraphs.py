"""Paragraphs, table rows and cells of RTF, handed to the flow as they end."""

from __future__ import annotations

from evenhand.documents.draft import RGB, WHITE, to_hex, too_close
from evenhand.documents.flow import Cell, CharacterStyle, Cover, DocumentBuilder
from evenhand.documents.rtf.state import RowLook, Rows, RtfFont, RtfShape, RtfState, Stream

# The look of RTF characters, with the reason when nobody can see them.


_TINY_HALF_POINTS = 8
_FAR_TWIPS = 14_400  # ten inches outside the margin is off any page
_SQUEEZED_TWIPS = 4.5  # for each half point of size: characters printed on top of each other
_FLAT_TWIPS = 60  # a line of three points cuts its letters to a stroke


class RtfStyles:
    """Font and colour tables of one document, and the looks made from them."""

    def __init__(self) -> None:
        self.fonts: dict[int, RtfFont] = {}
        self.colors: list[RGB | None] = []
        self.page_fill: RGB = WHITE
        self.row = RowLook()
        self._made: dict[tuple[object, ...], CharacterStyle] = {}

    def color(self, number: int) -> RGB | None:
        return self.colors[number] if 0 <= number < len(self.colors) else None

    def font_name(self, number: int | None) -> str | None:
        font = self.fonts.get(number) if number is not None else None
        return font.name or None if font else None

    def look(self, state: RtfState, column: int | None) -> CharacterStyle:
        """How the characters of this state are drawn; `column` is the cell they stand in."""
        in_cell = column is not None and column < len(self.row.fills)
        cell_fill = self.row.fills[column] if column is not None and in_cell else 0
        stream = state.stream
        key = (
            *(state.font, state.size, state.bold, state.italic, state.color, state.shade, state.vanish),
            *(state.scale, state.spacing, state.paragraph_shade, state.indent, state.frame_x, state.line_height),
            *(cell_fill, self.row.height if column is not None else 0),
            *(stream.fill, stream.see_through or stream.backdrop_left > 0, stream.hidden),
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
                hidden=self._hidden(state, column is not None, color, cell_fill),
            )
        return made

    def _hidden(self, state: RtfState, in_cell: bool, color: RGB | None, cell_fill: int) -> str | None:
        if state.vanish:
            return "hidden_style"
        if state.stream.hidden:
            return state.stream.hidden
        if abs(state.indent) > _FAR_TWIPS or abs(state.frame_x) > 2 * _FAR_TWIPS:
            return "off_page"
        if -_FLAT_TWIPS < state.line_height < 0 or (in_cell and -_FLAT_TWIPS < self.row.height < 0):
            return "clipped"
        if 0 < state.size < _TINY_HALF_POINTS or state.scale < 20:
            return "tiny"
        if state.spacing < -_SQUEEZED_TWIPS * state.size:
            return "clipped"
        # What lies behind the characters, nearest first; None when that cannot be known.
        stream = state.stream
        fills = (self.color(number) for number in (state.shade, state.paragraph_shade, cell_fill) if number)
        background = next(filter(None, fills), None) or stream.fill
        if not background and not (stream.see_through or stream.backdrop_left > 0):
            background = self.page_fill
        return "background_color" if color and background and too_close(color, background) else None


_GAP_TWIPS = 120
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

    def put(self, text: str, state: RtfState) -> None:
        if state.look is None or state.look_paragraph != state.stream.paragraph:
            rows = state.stream.rows
            column = rows[min(state.depth, len(rows)) - 1].column if rows and state.depth else None
            if column is None and state.depth:
                column = 0
            state.look = self._looks.look(state, column)
            state.look_paragraph = state.stream.paragraph
        state.stream.runs.append((text, state.look))

    def end(self, state: RtfState) -> None:
        """The paragraph is complete."""
        stream = state.stream
        cell = self._cell(stream, state.depth)
        runs = stream.covers.pass_over(stream.runs, (state.space_before + state.space_after) / 20)
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
        elif word == b"clcbpat" or (word == b"clcfpat" and not row.fill):
            row.fill = number or 0
        elif word == b"cellx":
            row.fills.append(row.fill)
            row.fill = 0
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
