"""A PDF file to a draft, page by page."""

from __future__ import annotations

import ctypes
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.documents.draft import NEXT_LINE, DocumentDraft, DraftLine, ReadLimits
from evenhand.documents.ocr.engines import choose_engine, how_to_recognise
from evenhand.documents.pdf.glyphs import PageFrame, page_frame, page_glyphs
from evenhand.documents.pdf.looking import may_hold_patterns
from evenhand.documents.pdf.page import PageLines, page_lines
from evenhand.documents.pdf.scans import (
    is_picture,
    picture_lines,
    read_lines_at,
    read_picture,
    seen_in_place,
    unsupported_lines,
)
from evenhand.documents.pdf.shapes import MAX_ANNOTATIONS, NOTHING_SHOWN
from evenhand.documents.pdf.words import form_words
from evenhand.errors import CorruptDocument, EncryptedDocument, ScannedNoText
from evenhand.records.document import Hidden, Warning

# Opening a PDF file and its pages: passwords, damage, forms, active content, replaced text.


ACTIVE = {
    b"/JavaScript": "scripts",
    b"/Launch": "commands that start programs",
    b"/RichMedia": "embedded media",
    b"/EmbeddedFile": "embedded files",
    b"/XFA": "an XFA form",
}
NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW


@contextmanager
def opened(data: bytes) -> Iterator[pdfium.PdfDocument]:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise EncryptedDocument from error
        raise CorruptDocument from error
    try:
        if document.get_formtype() != raw.FORMTYPE_NONE:
            document.init_forms()
        yield document
    finally:
        document.close()


def active_content(data: bytes, document: pdfium.PdfDocument) -> list[Warning]:
    """One warning that names what the file could do if a program let it; nothing of it is run here."""
    kinds = [name for mark, name in ACTIVE.items() if mark in data]
    if raw.FPDFDoc_GetJavaScriptActionCount(document.raw) > 0:
        kinds.append("scripts")
    if raw.FPDFDoc_GetAttachmentCount(document.raw) > 0:
        kinds.append("embedded files")
    if not kinds:
        return []
    names = ", ".join(dict.fromkeys(kinds))
    return [Warning("active_content", f"The file contains {names}; nothing of it was run.")]


def open_page(document: pdfium.PdfDocument, index: int) -> pdfium.PdfPage | None:
    """The page with what its form fields and notes show made part of it; None when it is damaged."""
    try:
        page = document[index]
        if shows_annotations(page):
            page.render(scale=0.05)  # makes the appearance of notes that leave it to the reader
            if raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS:
                page.close()
                page = document[index]
    except pdfium.PdfiumError:
        return None
    return page


def shows_annotations(page: pdfium.PdfPage) -> bool:
    """Whether the page has notes or fields that all are shown; those that are hidden are removed.

    Notes on layers stay as they are: their text is not read, because they may be switched off.
    """
    shown = layered = False
    for index in reversed(range(min(raw.FPDFPage_GetAnnotCount(page.raw), MAX_ANNOTATIONS))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        kind, flags = raw.FPDFAnnot_GetSubtype(annotation), raw.FPDFAnnot_GetFlags(annotation)
        layered |= bool(raw.FPDFAnnot_HasKey(annotation, b"OC"))
        raw.FPDFPage_CloseAnnot(annotation)
        if flags & NOT_SHOWN:
            raw.FPDFPage_RemoveAnnot(page.raw, index)
        else:
            shown |= kind not in NOTHING_SHOWN
    return shown and not layered


def drop_replacements(page: pdfium.PdfPage) -> list[str]:
    """Remove the "actual text" that text objects carry instead of what they show; each different one once."""
    dropped: dict[str, None] = {}
    get = raw.FPDFPageObjMark_GetParamStringValue
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=5):
        for index in reversed(range(max(raw.FPDFPageObj_CountMarks(item.raw), 0))):
            mark = raw.FPDFPageObj_GetMark(item.raw, index)
            if raw.FPDFPageObjMark_GetParamValueType(mark, b"ActualText") == raw.FPDF_OBJECT_UNKNOWN:
                continue
            size = ctypes.c_ulong()
            get(mark, b"ActualText", None, 0, size)
            buffer = (ctypes.c_ushort * (size.value // 2 + 1))()
            get(mark, b"ActualText", buffer, size.value, size)
            dropped[bytes(buffer).decode("utf-16-le", "replace").partition("\0")[0]] = None
            raw.FPDFPageObj_RemoveMark(item.raw, mark)
    return list(dropped)


# Page furniture: headers and footers that belong to the pages, not to the resume's text.

MARGIN = 0.2  # of the page's height, at the top and at the bottom
PAGE_NUMBER = re.compile(
    r"(?:page|seite|pagina|página|p\.)?\s*\d{1,3}\s*(?:(?:/|of|von|de|di|sur|\|)\s*\d{1,3})?", re.I
)


def mark_furniture(lines: list[DraftLine], heights: dict[int, float]) -> None:
    """Mark lines in the margins that repeat over the pages, and page numbers."""
    margins = defaultdict(list)
    for line in lines:
        if line.box is None:
            continue
        top, bottom, height = line.box[1], line.box[3], heights[line.page]
        if MARGIN * height <= bottom and top <= (1 - MARGIN) * height:
            continue
        place = "header" if bottom < MARGIN * height else "footer"
        key = re.sub(r"\d+", "#", line.text.casefold().strip())
        margins[place, key].append((line, top))
        if PAGE_NUMBER.fullmatch(line.text.strip()) and len(heights) > 1:
            line.furniture = place
    for (place, _), same in margins.items():
        pages = {line.page for line, _ in same}
        tops = [top for _, top in same]  # furniture stands at one height; a heading that comes again does not
        if len(pages) >= 2 and len(pages) >= 0.5 * (len(heights) - 1) and max(tops) - min(tops) < 4:
            for line, _ in same:
                line.furniture = place


# Words parted at a line's end, made whole again on the line where they begin.

HYPHENS = ("-", "\u00ad", "\u2010")
HYPHENATED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[-\u00ad\u2010]$")
FIRST_WORD = re.compile(r"([^\W\d_]+)(?=\W|$)\S*")
# Programs that part words to fill their lines. What others leave at a line's end is a hyphen that was typed.
TYPESETTERS = re.compile(r"tex|indesign|scribus|groff|troff|typst|quark|fop|prince|weasyprint", re.I)


def mend_hyphens(lines: list[DraftLine], made_by: str) -> list[DraftLine]:
    """Move the rest of a parted word up, with its hyphen or without, as the rest of the text has it."""
    parted = [place for place in range(len(lines) - 1) if is_parted(lines[place], lines[place + 1])]
    if not parted:
        return lines
    known = set(re.findall(r"[\w-]+", " ".join(line.text for line in lines).casefold()))
    parts_words = TYPESETTERS.search(made_by) is not None
    for place in parted:
        join(lines[place], lines[place + 1], known, parts_words)
    return [line for line in lines if line.text]


def is_parted(line: DraftLine, following: DraftLine) -> bool:
    if line.text[-1:] not in HYPHENS or following.joint != NEXT_LINE:
        return False
    if following.table != line.table or following.list:
        return False
    return bool(HYPHENATED.search(line.text)) and following.text[:1].islower()


def join(line: DraftLine, following: DraftLine, known: set[str], parts_words: bool) -> None:
    end, start = HYPHENATED.search(line.text), FIRST_WORD.match(following.text)
    if end is None or start is None:  # the line was used up by the one before
        return
    whole = (end[1] + start[1]).casefold()
    typed = f"{end[1]}-{start[1]}".casefold()
    drop = line.text.endswith("\u00ad") or whole in known or (parts_words and typed not in known)
    for changed in (line, following):
        changed.raw = changed.raw or changed.text
    line.text = line.text[:-1] + ("" if drop else "-") + start[0]
    following.text = following.text[start.end() :].lstrip()


MIN_REPLACED_WORDS = 4  # words that are not shown; fewer are the name of an icon or the address of a link


def read_pdf(data: bytes, limits: ReadLimits) -> DocumentDraft:
    with opened(data) as document:
        draft = DocumentDraft("pdf", pages=len(document))
        reading = PdfReading(draft, limits, time.monotonic() + limits.seconds, may_hold_patterns(data))
        draft.warnings += active_content(data, document)
        for number in range(1, draft.pages + 1):
            if number > limits.pages or reading.is_late():
                reading.lose(f"Only {number - 1} of {draft.pages} pages could be read.")
                break
            reading.heights[number] = reading.add_page(document, number)
        made_by = f"{document.get_metadata_value('Creator')} {document.get_metadata_value('Producer')}"
    reading.judge_pictures()
    mark_furniture(draft.lines, reading.heights)
    draft.lines = mend_hyphens(draft.lines, made_by)
    draft.hidden = [item for item in draft.hidden if not is_harmless(item, draft.lines)]
    return draft


@dataclass(slots=True)
class PdfReading:
    """One file on its way into a draft."""

    draft: DocumentDraft
    limits: ReadLimits
    deadline: float
    may_have_patterns: bool
    heights: dict[int, float] = field(default_factory=dict)
    recognised: list[int] = field(default_factory=list)  # pages that are pictures and were read
    unread: list[int] = field(default_factory=list)  # pages that are pictures and were not
    compared: int = 0  # pages whose odd words were looked for on their pictures

    def is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def lose(self, what: str) -> None:
        self.draft.partial = True
        self.draft.warnings.append(Warning("truncated", what))

    def add_page(self, document: pdfium.PdfDocument, number: int) -> float:
        """Add one page to the draft; returns the page's height."""
        page = open_page(document, number - 1)
        if page is None:
            self.lose(f"Page {number} is damaged and was left out.")
            return 1.0
        textpage = page.get_textpage()
        try:
            frame = page_frame(page)
            glyphs = page_glyphs(textpage, frame)
            if glyphs.may_be_replaced() and (replacements := drop_replacements(page)):
                textpage.close()
                textpage = page.get_textpage()
                glyphs = page_glyphs(textpage, frame)
                # What machines should have read instead of the glyphs is set apart where it says a good deal more.
                visible = words_in(form_words(glyphs).text)
                for text in replacements:
                    if len(words_in([text]) - visible) >= MIN_REPLACED_WORDS:
                        self.draft.hidden.append(Hidden(text, "replaced", number))
            content = page_lines(
                page,
                textpage,
                glyphs,
                frame=frame,
                number=number,
                first_table=len(self.draft.tables),
                may_have_patterns=self.may_have_patterns,
                read_page=partial(self.readable, page, frame, number),
            )
            if is_picture(content, glyphs, frame):
                content = self.recognise(page, frame, number, content)
            self.draft.lines += content.lines
            self.draft.hidden += content.hidden
            self.draft.tables += content.tables
            return frame.height
        finally:
            textpage.close()
            page.close()

    def readable(
        self, page: pdfium.PdfPage, frame: PageFrame, number: int, texts: list[str], boxes: np.ndarray
    ) -> list[bool]:
        """Of each text, whether a recogniser sees it at its place; none is seen where there is no recogniser."""
        engine = choose_engine(self.limits.ocr)
        if engine is None or self.compared >= self.limits.ocr_pages:
            return [False] * len(texts)
        self.compared += 1
        # On a busy machine the same file may be read better another time, so it is said.
        unfinished = f"Letters of page {number} look unlike their text; there was no time to compare all of them."
        if self.is_late():
            self.lose(unfinished)
            return [False] * len(texts)
        sight, places = read_lines_at(page, frame, boxes, engine, self.deadline)
        if not sight.complete:
            self.lose(unfinished)
        return seen_in_place(texts, places, sight)

    def recognise(self, page: pdfium.PdfPage, frame: PageFrame, number: int, content: PageLines) -> PageLines:
        """The lines seen on a picture page; of its invisible text layer only what is not seen is hidden."""
        engine = choose_engine(self.limits.ocr)
        if engine is None or len(self.recognised) >= self.limits.ocr_pages or self.is_late():
            self.unread.append(number)
            return content
        sight, scale = read_picture(page, frame, engine, self.deadline)
        if not sight.complete:
            self.lose(f"Page {number} is a picture; time allowed only part of it to be recognised.")
        if not sight.words:
            self.unread.append(number)
            return content
        self.recognised.append(number)
        seen = picture_lines(sight, scale, number, len(self.draft.tables))
        text = " ".join(word.text for word in sight.words)
        layer = [item for item in content.hidden if item.reason == "invisible"]
        unsupported = set(unsupported_lines([item.text for item in layer], text))
        seen.hidden = [item for item in content.hidden if item not in layer or item.text in unsupported]
        return seen

    def judge_pictures(self) -> None:
        """Say which pages were recognised and which are pictures nobody could read."""
        if self.recognised:
            values = [line.confidence for line in self.draft.lines if line.confidence is not None]
            sure = sum(values) / max(len(values), 1)
            message = f"{pages_named(self.recognised)} scanned; the text was recognised ({sure:.0%} sure)."
            self.draft.warnings.append(Warning("recognised_text", message))
        if not self.unread:
            return
        remedy = how_to_recognise(self.limits.ocr)
        if not self.draft.lines:
            raise ScannedNoText(f"The pages are pictures and no recogniser is installed: {remedy}." if remedy else None)
        unread = f"{pages_named(self.unread)} scanned and could not be read"
        self.lose(f"{unread}, because no recogniser is installed: {remedy}." if remedy else f"{unread}.")


def pages_named(pages: list[int]) -> str:
    numbers = ", ".join(map(str, pages))
    return f"Page {numbers} is" if len(pages) == 1 else f"Pages {numbers} are"


def words_in(texts: list[str]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(texts).casefold()))


def is_harmless(item: Hidden, lines: list[DraftLine]) -> bool:
    """Page numbers beyond the paper's edge, lines cut at a page's end that the next page shows, misnamed blanks."""
    if item.reason in ("invisible", "covered") and len(set(item.text) - {" "}) == 1:
        return True
    if item.reason not in ("clipped", "off_page"):
        return False
    return bool(PAGE_NUMBER.fullmatch(item.text)) or any(
        item.text in line.text for line in lines if abs(line.page - item.page) == 1
    )
