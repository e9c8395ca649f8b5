"""A Word 97-2003 or Word 6/95 file to a Draft, story by story."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

import olefile

from evenhand.documents.doc.drawings import (
    Anchor,
    DocShape,
    DocTextBox,
    read_anchors,
    read_boxes,
    read_pictures,
    read_shapes,
)
from evenhand.documents.doc.formats import (
    NOWHERE,
    DocCharacterStyles,
    DocStyles,
    ParagraphContext,
    apply_characters,
    read_runs,
)
from evenhand.documents.doc.lists import DocLists
from evenhand.documents.doc.story import DocFields, DocParagraph, DocTables, DocText, read_runs_of
from evenhand.documents.doc.structures import FileInfoBlock, number, read_fonts, read_head, read_pieces
from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.flow import Cover, CoverTracker, DocumentBuilder, Run
from evenhand.documents.office.boxes import is_opaque_picture
from evenhand.errors import CorruptDocument

_MACROS = (["Macros"], ["_VBA_PROJECT_CUR"], ["VBA"], ["Macros", "VBA"])
_GAP_TWIPS = 120
_MIN_LABEL = 3  # letters and figures of a label that may say something
_LINE_TWIPS = 200
_FLAT_TWIPS = 40
# The widest margin, and the widest and highest page, that anyone gives a resume.
_MARGIN_TWIPS, _WIDE_TWIPS, _HIGH_TWIPS = 4_320, 25_000, 24_000
_PICTURE_START = re.compile(rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|BM")
_ACTIVE = "The file holds macros, embedded objects or links; nothing of it was run or fetched."


def read_doc(data: bytes, limits: ReadLimits) -> DocumentDraft:
    main, streams, active = open_streams(data)
    head = read_head(main)
    table = main if head.old else streams.get(head.table_stream.lower(), b"")
    if not table:
        raise CorruptDocument
    document = DocReader(main, table, streams.get("data", b""), head, DocumentBuilder("doc", limits))
    document.read()
    if active or document.fields.active:
        document.flow.warn("active_content", _ACTIVE)
    return document.flow.finish()


def open_streams(data: bytes) -> tuple[bytes, dict[str, bytes], bool]:
    """The main stream, the streams that describe it, and whether there is anything active beside them."""
    try:
        with olefile.OleFileIO(data) as ole:
            names = {path[0].lower(): path[0] for path in ole.listdir() if len(path) == 1}
            wanted = ("worddocument", "0table", "1table", "data")
            streams = {key: ole.openstream(names[key]).read() for key in wanted if key in names}
            embedded = any(path[0] == "ObjectPool" and len(path) > 1 for path in ole.listdir())
            active = embedded or any(ole.exists(path) for path in _MACROS)
    except Exception as error:  # a damaged container provokes errors of every kind
        raise CorruptDocument from error
    if "worddocument" not in streams:
        raise CorruptDocument
    return streams["worddocument"], streams, active


class DocReader:
    """One document while it is read."""

    def __init__(self, main: bytes, table: bytes, data: bytes, head: FileInfoBlock, flow: DocumentBuilder) -> None:
        self.flow = flow
        self.fields = DocFields()
        self._head = head
        self._table = table
        self._looks = DocCharacterStyles(read_fonts(head.part("fonts", table), old=head.old))
        styles = DocStyles(head.part("styles", table), old=head.old)
        pieces = read_pieces(main, table, head, limit=flow.limits.characters)
        characters = read_runs(main, head.part("character_runs", table), paragraphs=False, old=head.old)
        paragraphs = read_runs(main, head.part("paragraph_runs", table), paragraphs=True, old=head.old)
        self._text = DocText(pieces, characters, paragraphs, data, styles)
        self._lists = DocLists(
            head.part("lists", table), head.part("list_uses", table), table, head.places["lists"][0], self._looks.fonts
        )
        self._shapes = read_shapes(head.part("drawings", table))
        self._pictures = read_pictures(head.part("drawings", table))
        self._main = main

    def read(self) -> None:
        """All stories: headers and footers, the body with its text boxes, notes."""
        lengths = self._head.lengths
        stories = (lengths.body, lengths.notes, lengths.headers, lengths.macros, lengths.comments, lengths.endnotes)
        notes, headers, _, _, endnotes, boxes = accumulate(stories)
        self._headers(headers, lengths.headers)
        self._body(0, lengths.body, boxes)
        self._story(notes, notes + lengths.notes, "note")
        self._story(endnotes, endnotes + lengths.endnotes, "note")
        header_boxes = boxes + lengths.boxes
        for box in read_boxes(self._head.part("header_boxes", self._table)):
            self._box(box, header_boxes, None, "header")
        if len(self._text.text) < lengths.body:
            self.flow.cut("the file breaks off")

    def _headers(self, start: int, length: int) -> None:
        """Six separators of notes, then for each section: header and footer of even, odd and first pages."""
        plc = self._head.part("headers", self._table)
        bounds = [number(plc[i : i + 4]) for i in range(0, len(plc) - 3, 4)]
        skipped = 0 if self._head.old else 6
        for index in range(skipped, len(bounds) - 2):
            first, last = bounds[index], min(bounds[index + 1], length)
            part = "header" if (index - skipped) % 6 in (0, 1, 4) else "footer"
            if first < last:
                self._story(start + first, start + last, part)

    def _body(self, start: int, length: int, boxes_start: int) -> None:
        boxes = read_boxes(self._head.part("boxes", self._table))
        anchors = {anchor.shape: anchor for anchor in read_anchors(self._head.part("anchors", self._table))}
        anchored: dict[int, list[tuple[DocTextBox, Anchor]]] = {}
        loose: list[DocTextBox] = []
        for box in boxes:
            drawn = self._shapes.get(box.shape)
            anchor = anchors.get(drawn.anchor if drawn else box.shape)
            if anchor is None:
                loose.append(box)
            else:
                anchored.setdefault(anchor.position, []).append((box, anchor))
        positions = sorted(anchored, reverse=True)
        behind = {drawn.anchor for drawn in self._shapes.values() if drawn.is_backdrop}
        backdrops = [anchor for shape, anchor in anchors.items() if shape in behind]

        texts = {box.shape for box in boxes}
        fronts = [anchor for anchor in anchors.values() if anchor.shape not in texts and self._hides(anchor)]
        fronts.sort(key=lambda anchor: anchor.position, reverse=True)
        covers = CoverTracker()

        def before(block: DocParagraph) -> None:
            while fronts and fronts[-1].position < block.end:
                anchor = fronts.pop()
                covers.add(Cover(anchor.left / 20, anchor.top / 20, anchor.right / 20, anchor.bottom / 20))
            while positions and positions[-1] < block.end:
                for box, anchor in anchored[positions.pop()]:
                    self._box(box, boxes_start, anchor, "body")

        self._story(start, start + length, "body", before=before, backdrops=backdrops, covers=covers)
        for box in loose:
            self._box(box, boxes_start, None, "body")

    def _hides(self, anchor: Anchor) -> bool:
        """Whether its shape is opaque and in front of the paragraph it hangs on."""
        drawn = self._shapes.get(anchor.shape)
        if drawn is None or drawn.from_page or not (anchor.is_in_front and anchor.by_paragraph):
            return False
        if not drawn.picture:
            return drawn.is_opaque_box
        if drawn.picture > len(self._pictures):
            return False
        place = self._pictures[drawn.picture - 1]
        # The picture's own file comes after its record's head and one or two fingerprints.
        start = _PICTURE_START.search(self._main, place, place + 64)
        return start is not None and is_opaque_picture(self._main[start.start() : start.start() + 4096])

    def _box(self, box: DocTextBox, boxes_start: int, anchor: Anchor | None, part: str) -> None:
        lengths = self._head.lengths
        length = lengths.header_boxes if part == "header" else lengths.boxes
        place = _place(self._shapes.get(box.shape), anchor, len(self._shapes) > 2)
        end = boxes_start + min(box.end, length)
        self._story(boxes_start + box.start, end, part, place=place)

    def _story(
        self,
        start: int,
        end: int,
        part: str,
        *,
        place: ParagraphContext = NOWHERE,
        before: Callable[[DocParagraph], None] | None = None,
        backdrops: Sequence[Anchor] = (),
        covers: CoverTracker | None = None,
    ) -> None:
        blocks = self._text.blocks(start, end)
        tables = DocTables(self.flow)
        for block in blocks:
            block.place = place
        for anchor in backdrops:  # paragraphs around a large shape may lie on it, so none of their colours hides
            height = anchor.bottom - anchor.top
            if height >= _LINE_TWIPS and anchor.right - anchor.left >= 5 * _LINE_TWIPS:
                at = bisect_right(blocks, anchor.position, key=lambda block: block.start) - 1
                reach = height // _LINE_TWIPS + 3
                for block in blocks[max(0, at - reach) : at + reach]:
                    block.place = block.place._replace(see_through=True)
        for block in blocks:
            tables.place(block, self._text.text[block.end - 1])
        previous: DocParagraph | None = None
        blank = False
        for block in blocks:
            if self.flow.full:
                return
            if before:
                before(block)
            gap = _gap(previous, block) or blank
            visible = not block.ends_row and self._paragraph(block, part, gap, covers)
            if block.cell is None:
                blank = not visible
            previous = block if visible else previous
            if part == "body" and self._text.text[block.end - 1] == "\x0c" and block.end < end:
                self.flow.page += 1

    def _paragraph(self, block: DocParagraph, part: str, gap: bool, covers: CoverTracker | None) -> bool:
        """Hand one paragraph on; whether it had anything to show."""
        runs: Sequence[Run] = read_runs_of(self._text, block, self.fields, self._looks)
        runs = [(_joined(text), look) for text, look in runs]
        if covers:
            runs = covers.pass_over(runs, (block.format.before + block.format.after) / 20)
        if not any(text.strip() for text, _ in runs):
            return False
        format_ = block.format
        marker = self._lists.marker(format_.list, format_.level) if format_.list > 0 else None
        if marker is not None and sum(map(str.isalnum, marker)) >= _MIN_LABEL:
            base = self._text.styles.formats(format_.style)[0]
            label = apply_characters(base, self._lists.label(format_.list, format_.level), self._text.styles)
            look = self._looks.look(label, format_, block.place)
            if look.hidden:  # a label that nobody sees is hidden text like any other
                runs, marker = [(f"{marker} ", look), *runs], None
        self.flow.add(runs, marker=marker, gap=gap, cell=block.cell, part=part)
        return True


def _gap(before: DocParagraph | None, block: DocParagraph) -> bool:
    if before is None:
        return False
    same_list = before.format.list > 0 and block.format.list > 0
    same_style = block.format.contextual and before.format.style == block.format.style
    spaced = max(before.format.after, block.format.before) >= _GAP_TWIPS
    return spaced and not same_list and not same_style


def _joined(text: str) -> str:
    """Surrogates, which Word counts as two characters, to one."""
    if text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _place(drawn: DocShape | None, anchor: Anchor | None, crowded: bool) -> ParagraphContext:
    """What a text box means for its text; a box without fill may lie on another shape."""
    hidden = None
    if drawn and drawn.hidden:
        hidden = "hidden_style"
    elif anchor:
        highest = -_HIGH_TWIPS if anchor.by_paragraph and not (drawn and drawn.from_page) else -_MARGIN_TWIPS
        across = anchor.right >= -_MARGIN_TWIPS and anchor.left <= _WIDE_TWIPS
        down = anchor.bottom >= highest and anchor.top <= _HIGH_TWIPS
        left, top, right, bottom = drawn.insets if drawn else (0, 0, 0, 0)
        width, height = anchor.right - anchor.left, anchor.bottom - anchor.top
        room = min(width - left - right, height - top - bottom)
        if not (across and down):
            hidden = "off_page"
        # Too small for a line of text, and it stays so.
        elif min(width, height) < _FLAT_TWIPS or (room < _FLAT_TWIPS and drawn is not None and not drawn.grows):
            hidden = "clipped"
    if drawn is None or not drawn.is_painted:
        return ParagraphContext(see_through=crowded, hidden=hidden)
    return ParagraphContext(fill=drawn.fill, hidden=hidden)
