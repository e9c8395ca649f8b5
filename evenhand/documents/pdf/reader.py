"""A PDF file to a draft, page by page."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from evenhand.documents.draft import Draft, DraftLine, ReadLimits
from evenhand.documents.ocr.engines import choose_engine
from evenhand.documents.ocr.layers import unsupported_lines
from evenhand.documents.pdf.furniture import PAGE_NUMBER, mark_furniture
from evenhand.documents.pdf.glyphs import Frame, Glyphs, page_frame, page_glyphs
from evenhand.documents.pdf.hyphens import mend_hyphens
from evenhand.documents.pdf.opening import active_content, drop_replacements, open_page, opened
from evenhand.documents.pdf.page import PageLines, page_lines
from evenhand.documents.pdf.scans import is_picture, picture_lines, read_picture
from evenhand.documents.pdf.words import form_words
from evenhand.errors import ScannedNoText
from evenhand.records.document import Hidden, Warning

MANY_REPLACED = 4  # words that are not shown; fewer are the name of an icon or the address of a link


def read_pdf(data: bytes, limits: ReadLimits) -> Draft:
    with opened(data) as document:
        reading = Reading(Draft("pdf", pages=len(document)), limits, time.monotonic() + limits.seconds)
        draft = reading.draft
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
class Reading:
    """One file on its way into a draft."""

    draft: Draft
    limits: ReadLimits
    deadline: float
    heights: dict[int, float] = field(default_factory=dict)
    recognised: list[int] = field(default_factory=list)  # pages that are pictures and were read
    unread: list[int] = field(default_factory=list)  # pages that are pictures and were not

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
                self.note_replacements(replacements, glyphs, number)
            found = page_lines(
                page, textpage, glyphs, frame=frame, number=number, first_table=len(self.draft.tables)
            )
            if is_picture(found, glyphs, frame):
                found = self.recognise(page, frame, number, found)
            self.draft.lines += found.lines
            self.draft.hidden += found.hidden
            self.draft.tables += found.tables
            return frame.height
        finally:
            textpage.close()
            page.close()

    def note_replacements(self, texts: list[str], glyphs: Glyphs, number: int) -> None:
        """Set apart what machines should have read instead of the glyphs, where it says a good deal more."""
        shown = words_in(form_words(glyphs).text)
        for text in texts:
            if len(words_in([text]) - shown) >= MANY_REPLACED:
                self.draft.hidden.append(Hidden(text, "replaced", number))

    def recognise(self, page: pdfium.PdfPage, frame: Frame, number: int, found: PageLines) -> PageLines:
        """The lines seen on a picture page; of its invisible text layer only what is not seen is hidden."""
        engine = choose_engine(self.limits.ocr)
        if engine is None or len(self.recognised) >= self.limits.ocr_pages or self.is_late():
            self.unread.append(number)
            return found
        sight, scale = read_picture(page, frame, engine, self.deadline)
        if not sight.complete:
            self.lose(f"Page {number} is a picture; time allowed only part of it to be recognised.")
        if not sight.words:
            self.unread.append(number)
            return found
        self.recognised.append(number)
        seen = picture_lines(sight, scale, number, len(self.draft.tables))
        text = " ".join(word.text for word in sight.words)
        layer = [item for item in found.hidden if item.reason == "invisible"]
        unsupported = set(unsupported_lines([item.text for item in layer], text))
        seen.hidden = [item for item in found.hidden if item not in layer or item.text in unsupported]
        return seen

    def judge_pictures(self) -> None:
        """Say which pages were recognised and which are pictures nobody could read."""
        if self.recognised:
            values = [line.confidence for line in self.draft.lines if line.confidence is not None]
            sure = sum(values) / max(len(values), 1)
            message = f"{pages_named(self.recognised)} scanned; the text was recognised ({sure:.0%} sure)."
            self.draft.warnings.append(Warning("recognised_text", message))
        if self.unread and not self.draft.lines:
            raise ScannedNoText
        if self.unread:
            self.lose(f"{pages_named(self.unread)} scanned and could not be read.")


def pages_named(pages: list[int]) -> str:
    numbers = ", ".join(map(str, pages))
    return f"Page {numbers} is" if len(pages) == 1 else f"Pages {numbers} are"


def words_in(texts: list[str]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(texts).casefold()))


def is_harmless(item: Hidden, lines: list[DraftLine]) -> bool:
    """Page numbers beyond the paper's edge, and lines cut at a page's end that the next page shows."""
    if item.reason not in ("clipped", "off_page"):
        return False
    return bool(PAGE_NUMBER.fullmatch(item.text)) or any(
        item.text in line.text for line in lines if abs(line.page - item.page) == 1
    )
