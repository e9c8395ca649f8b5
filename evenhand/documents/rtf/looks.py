"""The look of RTF characters, with the reason when nobody can see them."""

from __future__ import annotations

from evenhand.documents.colors import RGB, WHITE, to_hex, too_close
from evenhand.documents.flow import Look
from evenhand.documents.rtf.state import Font, RowLook, State

_TINY_HALF_POINTS = 8
_FAR_TWIPS = 14_400  # ten inches outside the margin is off any page
_SQUEEZED_TWIPS = 4.5  # for each half point of size: characters printed on top of each other
_FLAT_TWIPS = 60  # a line of three points cuts its letters to a stroke


class Looks:
    """Font and colour tables of one document, and the looks made from them."""

    def __init__(self) -> None:
        self.fonts: dict[int, Font] = {}
        self.colors: list[RGB | None] = []
        self.page_fill: RGB = WHITE
        self.row = RowLook()
        self._made: dict[tuple[object, ...], Look] = {}

    def color(self, number: int) -> RGB | None:
        return self.colors[number] if 0 <= number < len(self.colors) else None

    def font_name(self, number: int | None) -> str | None:
        font = self.fonts.get(number) if number is not None else None
        return font.name or None if font else None

    def look(self, state: State, column: int | None) -> Look:
        """How the characters of this state are drawn; `column` is the cell they stand in."""
        cell_fill = self._cell_fill(column)
        stream = state.stream
        key = (
            *(state.font, state.size, state.bold, state.italic, state.color, state.shade, state.vanish),
            *(
                state.scale,
                state.spacing,
                state.paragraph_shade,
                state.indent,
                state.frame_x,
                state.line_height,
            ),
            *(cell_fill, self.row.height if column is not None else 0),
            *(stream.fill, stream.see_through or stream.backdrop_left > 0, stream.hidden),
        )
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(state, column, cell_fill)
        return made

    def _make(self, state: State, column: int | None, cell_fill: int) -> Look:
        color = self.color(state.color)
        return Look(
            font=self.font_name(state.font),
            size=state.size / 2,
            bold=state.bold,
            italic=state.italic,
            color=to_hex(color) if color else None,
            hidden=self._hidden(state, column is not None, color, cell_fill),
        )

    def _hidden(self, state: State, in_cell: bool, color: RGB | None, cell_fill: int) -> str | None:
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
        background = self._background(state, cell_fill)
        if color and background and too_close(color, background):
            return "background_color"
        return None

    def _background(self, state: State, cell_fill: int) -> RGB | None:
        """What lies behind the characters, nearest first; None when that cannot be known."""
        for number in (state.shade, state.paragraph_shade, cell_fill):
            fill = self.color(number) if number else None
            if fill:
                return fill
        if state.stream.fill:
            return state.stream.fill
        unknown = state.stream.see_through or state.stream.backdrop_left > 0
        return None if unknown else self.page_fill

    def _cell_fill(self, column: int | None) -> int:
        fills = self.row.fills
        return fills[column] if column is not None and column < len(fills) else 0
