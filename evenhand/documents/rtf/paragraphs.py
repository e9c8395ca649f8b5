"""Paragraphs, table rows and cells of RTF, handed to the flow as they end."""

from __future__ import annotations

from evenhand.documents.flow import Cell, Flow
from evenhand.documents.rtf.looks import Looks
from evenhand.documents.rtf.state import RowLook, Rows, State, Stream

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

    def __init__(self, flow: Flow, looks: Looks) -> None:
        self._flow = flow
        self._looks = looks

    def put(self, text: str, state: State) -> None:
        if state.look is None or state.look_paragraph != state.stream.paragraph:
            rows = state.stream.rows
            column = rows[min(state.depth, len(rows)) - 1].column if rows and state.depth else None
            if column is None and state.depth:
                column = 0
            state.look = self._looks.look(state, column)
            state.look_paragraph = state.stream.paragraph
        state.stream.runs.append((text, state.look))

    def end(self, state: State) -> None:
        """The paragraph is complete."""
        stream = state.stream
        cell = self._cell(stream, state.depth)
        runs = stream.covers.pass_over(stream.runs, (state.space_before + state.space_after) / 20)
        if stream.runs and any(text.strip() for text, _ in stream.runs):
            self._flow.add(runs, marker=stream.marker, gap=self._gap(state), cell=cell, part=stream.part)
            stream.blank = False
            stream.space_after = state.space_after
            stream.in_list = stream.marker is not None
        else:
            stream.blank = True
        stream.runs = []
        stream.marker = None
        stream.paragraph += 1
        stream.backdrop_left = max(0, stream.backdrop_left - 1)

    def end_page(self, state: State) -> None:
        self.end(state)
        if state.stream.part == "body":
            self._flow.page += 1
        state.stream.blank = True

    def word(self, word: bytes, number: int | None, state: State) -> None:
        """Words of tables."""
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
        else:
            self._define_row(word, number or 0)

    def _gap(self, state: State) -> bool:
        stream = state.stream
        in_list = stream.in_list and stream.marker is not None
        spaced = max(stream.space_after, state.space_before) >= _GAP_TWIPS
        return stream.blank or (spaced and not in_list)

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

    def _end_cell(self, state: State, depth: int) -> None:
        if state.depth != depth:
            state.in_table, state.nesting = True, depth
        self.end(state)
        rows = state.stream.rows[-1]
        self._flow.mark_cell((rows.table, rows.row, rows.column))
        rows.column += 1

    def _end_row(self, state: State, depth: int) -> None:
        if state.stream.runs:
            self.end(state)
        if len(state.stream.rows) >= depth:
            del state.stream.rows[depth:]
            rows = state.stream.rows[-1]
            rows.row += 1
            rows.column = 0
        state.stream.blank = False

    def _define_row(self, word: bytes, number: int) -> None:
        row = self._looks.row
        if word == b"clcbpat" or (word == b"clcfpat" and not row.fill):
            row.fill = number
        elif word == b"cellx":
            row.fills.append(row.fill)
            row.fill = 0
        elif word == b"trrh":
            row.height = number
        elif word.startswith((b"clbrdr", b"trbrdr")):
            row.ruled = True
