"""A PDF file to a draft, page by page."""

from __future__ import annotations

import re
import time

import pypdfium2 as pdfium

from evenhand.documents.draft import Draft, DraftLine, ReadLimits
from evenhand.documents.pdf.furniture import PAGE_NUMBER, mark_furniture
from evenhand.documents.pdf.glyphs import Frame, Glyphs, page_frame, page_glyphs
from evenhand.documents.pdf.hyphens import mend_hyphens
from evenhand.documents.pdf.opening import active_content, drop_replacements, open_page, opened
from evenhand.documents.pdf.page import page_lines
from evenhand.documents.pdf.words import form_words
from evenhand.records.document import Hidden, Warning

MANY_REPLACED = 12  # words; fewer are the names of icons and links


def read_pdf(data: bytes, limits: ReadLimits) -> Draft:
    draft = Draft("pdf")
    deadline = time.monotonic() + limits.seconds
    heights: dict[int, float] = {}
    with opened(data) as document:
        draft.pages = len(document)
        draft.warnings += active_content(data, document)
        for number in range(1, draft.pages + 1):
            if number > limits.pages or time.monotonic() > deadline:
                lose(draft, f"Only the first {number - 1} of {draft.pages} pages were read.")
                break
            heights[number] = read_page(document, number, draft)
        made_by = f"{document.get_metadata_value('Creator')} {document.get_metadata_value('Producer')}"
    mark_furniture(draft.lines, heights)
    draft.lines = mend_hyphens(draft.lines, made_by)
    draft.hidden = [item for item in draft.hidden if not is_harmless(item, draft.lines)]
    return draft


def read_page(document: pdfium.PdfDocument, number: int, draft: Draft) -> float:
    """Add one page to the draft; returns the page's height."""
    page = open_page(document, number - 1)
    if page is None:
        lose(draft, f"Page {number} is damaged and was left out.")
        return 1.0
    textpage = page.get_textpage()
    try:
        frame = page_frame(page)
        glyphs = page_glyphs(textpage, frame)
        if glyphs.may_be_replaced() and drop_replacements(page):
            textpage.close()
            textpage = page.get_textpage()
            glyphs = shown_glyphs(textpage, frame, glyphs, number, draft)
        found = page_lines(
            page, textpage, glyphs, frame=frame, number=number, first_table=len(draft.tables)
        )
        draft.lines += found.lines
        draft.hidden += found.hidden
        draft.tables += found.tables
        return frame.height
    finally:
        textpage.close()
        page.close()


def shown_glyphs(
    textpage: pdfium.PdfTextPage, frame: Frame, replaced: Glyphs, number: int, draft: Draft
) -> Glyphs:
    """The glyphs as shown, after the text that replaced them for machines was dropped."""
    glyphs = page_glyphs(textpage, frame)
    shown = words_in(form_words(glyphs).text)
    added = words_in(form_words(replaced).text) - shown
    if len(added) >= max(MANY_REPLACED, 0.1 * len(shown)):
        draft.hidden.append(Hidden(" ".join(form_words(replaced).text), "replaced", number))
    return glyphs


def words_in(texts: list[str]) -> set[str]:
    return set(re.findall(r"\w+", " ".join(texts).casefold()))


def lose(draft: Draft, what: str) -> None:
    draft.partial = True
    draft.warnings.append(Warning("truncated", what))


def is_harmless(item: Hidden, lines: list[DraftLine]) -> bool:
    """Page numbers beyond the paper's edge, and lines cut at a page's end that the next page shows in full."""
    if item.reason not in ("clipped", "off_page"):
        return False
    return bool(PAGE_NUMBER.fullmatch(item.text)) or any(
        item.text in line.text for line in lines if abs(line.page - item.page) == 1
    )
