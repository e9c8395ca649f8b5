"""Opening a PDF file and its pages: passwords, damage, forms, active content, replaced text."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.errors import CorruptDocument, EncryptedDocument
from evenhand.records.document import Warning

ACTIVE = {
    b"/JavaScript": "scripts",
    b"/Launch": "commands that start programs",
    b"/RichMedia": "embedded media",
    b"/EmbeddedFile": "embedded files",
    b"/XFA": "an XFA form",
}
# What annotations of these kinds show is part of the page to a reader; links and pop-ups show nothing of
# their own.
SHOWN_ANNOTATIONS = (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP)


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
    found = [name for mark, name in ACTIVE.items() if mark in data]
    if raw.FPDFDoc_GetJavaScriptActionCount(document.raw) > 0:
        found.append("scripts")
    if raw.FPDFDoc_GetAttachmentCount(document.raw) > 0:
        found.append("embedded files")
    if not found:
        return []
    names = ", ".join(dict.fromkeys(found))
    return [Warning("active_content", f"The file contains {names}; nothing of it was run.")]


def open_page(document: pdfium.PdfDocument, index: int) -> pdfium.PdfPage | None:
    """The page with what its form fields and notes show made part of it; None when it is damaged."""
    try:
        page = document[index]
        if (
            shows_annotations(page)
            and raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY) == raw.FLATTEN_SUCCESS
        ):
            page.close()
            page = document[index]
    except pdfium.PdfiumError:
        return None
    return page


def shows_annotations(page: pdfium.PdfPage) -> bool:
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), 1000)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        raw.FPDFPage_CloseAnnot(annotation)
        if kind in SHOWN_ANNOTATIONS:
            return True
    return False


def drop_replacements(page: pdfium.PdfPage) -> list[str]:
    """Remove the "actual text" that text objects carry instead of what they show; each different one once."""
    dropped: dict[str, None] = {}
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=5):
        for index in reversed(range(max(raw.FPDFPageObj_CountMarks(item.raw), 0))):
            mark = raw.FPDFPageObj_GetMark(item.raw, index)
            if raw.FPDFPageObjMark_GetParamValueType(mark, b"ActualText") != raw.FPDF_OBJECT_UNKNOWN:
                dropped[actual_text(mark)] = None
                raw.FPDFPageObj_RemoveMark(item.raw, mark)
    return list(dropped)


def actual_text(mark: Any) -> str:
    size = ctypes.c_ulong()
    get = raw.FPDFPageObjMark_GetParamStringValue
    get(mark, b"ActualText", None, 0, size)
    buffer = (ctypes.c_ushort * (size.value // 2 + 1))()
    get(mark, b"ActualText", buffer, size.value, size)
    return bytes(buffer).decode("utf-16-le", "replace").partition("\0")[0]
