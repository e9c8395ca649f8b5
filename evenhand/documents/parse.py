"""One file's bytes to one Document, in this process. Hostile files belong in `sandbox`, which calls this."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module

from evenhand.documents.characters import Cleaner, smuggled
from evenhand.documents.charsets import decode
from evenhand.documents.detect import detect
from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, DraftLine, ReadLimits
from evenhand.documents.list_markers import typed_marker
from evenhand.errors import CorruptDocument, DocumentError, EmptyDocument, ParseMemory
from evenhand.records.document import Document, Failure, Hidden, Line, Warning

# Draft to Document: characters normalised, offsets fixed, warnings drawn.


SMALL_WORD_COUNT = 25
"""Below this a file is read, but a person should look at it: no resume is that short."""


def assemble(draft: DocumentDraft, *, file: str | None, sha256: str) -> Document:
    """Put the lines of `draft` into one text and say what a reader should know about it."""
    draft = replace(draft, hidden=[*draft.hidden, *spelled_invisibly(draft.lines)])
    cleaner = Cleaner(line.text for line in draft.lines)
    text, lines = lay_out(draft.lines, cleaner)
    warnings = [*draft.warnings, *cleaner.warnings()]
    if draft.hidden:
        warnings.append(hidden_warning(draft))
    document = Document(
        file=file,
        sha256=sha256,
        format=draft.format,
        pages=draft.pages,
        status="partial" if draft.partial else "parsed",
        text=text,
        hidden=tuple(replace(item, text=cleaner.clean(item.text)) for item in draft.hidden),
        lines=tuple(lines),
        tables=tuple(draft.tables),
        warnings=tuple(unique(warnings)),
        error=None,
    )
    if not text:
        return as_empty(document)
    if len(text.split()) < SMALL_WORD_COUNT:
        warning = Warning("low_text", "Very little text was found; look at the original file.")
        document = replace(document, warnings=(*document.warnings, warning))
    return document


def spelled_invisibly(lines: list[DraftLine]) -> Iterator[Hidden]:
    for line in lines:
        if text := smuggled(line.text).strip():
            yield Hidden(text, "invisible", line.page)


def lay_out(drafts: list[DraftLine], cleaner: Cleaner) -> tuple[str, list[Line]]:
    """Join the cleaned lines; a line that cleans to nothing leaves only its gap."""
    parts: list[str] = []
    lines: list[Line] = []
    offset = 0
    gap = ""
    for draft in drafts:
        clean = cleaner.clean(draft.text).strip()
        gap = wider(gap, draft.joint)
        if not clean:
            continue
        if parts:
            parts.append(gap)
            offset += len(gap)
        parts.append(clean)
        lines.append(placed(draft, clean, offset))
        offset += len(clean)
        gap = ""
    return "".join(parts), lines


def wider(first: str, second: str) -> str:
    order = ("", NEXT_CELL, NEXT_LINE, NEXT_BLOCK)
    return max(first, second, key=order.index)


def placed(draft: DraftLine, clean: str, offset: int) -> Line:
    raw = draft.text if draft.raw is None else draft.raw
    return Line(
        start=offset,
        end=offset + len(clean),
        page=draft.page,
        box=draft.box,
        font=draft.font,
        size=draft.size,
        bold=draft.bold,
        italic=draft.italic,
        color=draft.color,
        list=draft.list,
        table=draft.table,
        furniture=draft.furniture,
        raw=raw if raw.strip() != clean else None,
        confidence=draft.confidence,
    )


def hidden_warning(draft: DocumentDraft) -> Warning:
    words = sum(len(item.text.split()) for item in draft.hidden)
    reasons = ", ".join(sorted({item.reason for item in draft.hidden}))
    counted = "1 word a reader does not see was" if words == 1 else f"{words} words a reader does not see were"
    return Warning("hidden_text", f"{counted} set apart ({reasons}).")


def as_empty(document: Document) -> Document:
    """No visible text: an error, with what was hidden kept for the person who looks into it."""
    sentence = EmptyDocument.sentence
    if document.hidden:
        sentence = "The file shows no text; all of its text is hidden."
    return replace(document, status="error", error=Failure(EmptyDocument.code, sentence))


def unique(warnings: list[Warning]) -> list[Warning]:
    """One warning per code and message, in the order they were met."""
    return list(dict.fromkeys(warnings))


Reader = Callable[[bytes, ReadLimits], DocumentDraft]

# Readers are imported when first needed: a file of one format does not pay for the libraries of the others.
READERS = {
    "pdf": "evenhand.documents.pdf.reader:read_pdf",
    "docx": "evenhand.documents.office.docx.reader:read_docx",
    "odt": "evenhand.documents.office.odt.reader:read_odt",
    "fodt": "evenhand.documents.office.odt.reader:read_fodt",
    "doc": "evenhand.documents.doc.reader:read_doc",
    "rtf": "evenhand.documents.rtf.reader:read_rtf",
    "html": "evenhand.documents.html.reader:read_html",
    "txt": "evenhand.documents.parse:read_plain",
}


def parse(data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> Document:
    """Read `data`; a file that cannot be read gives a Document with an error, never an exception."""
    sha256 = hashlib.sha256(data).hexdigest()
    format_name = None
    try:
        format_name = detect(data)
        draft = reader_for(format_name)(data, limits or ReadLimits())
        return assemble(draft, file=file, sha256=sha256)
    except DocumentError as error:
        return failed(error, file=file, sha256=sha256, format_name=format_name)
    except MemoryError:
        return failed(ParseMemory(), file=file, sha256=sha256, format_name=format_name)
    except Exception as error:
        # The name of the surprise stays visible: the fuzzer counts these to find faults of our own.
        surprise = CorruptDocument(f"{CorruptDocument.sentence} ({type(error).__name__})")
        return failed(surprise, file=file, sha256=sha256, format_name=format_name)


def reader_for(format_name: str) -> Reader:
    module, _, name = READERS[format_name].partition(":")
    reader: Reader = getattr(import_module(module), name)
    return reader


def failed(error: DocumentError, *, file: str | None, sha256: str, format_name: str | None = None) -> Document:
    """The Document of a file that could not be read."""
    return Document(
        file=file,
        sha256=sha256,
        format=format_name,
        pages=0,
        status="error",
        text="",
        hidden=(),
        lines=(),
        tables=(),
        warnings=(),
        error=Failure(error.code, str(error)),
    )


# Plain text in any charset to a Draft: paragraphs by blank lines, bullets as list markers.

_LINE_END = re.compile("\r\n|[\n\r\v\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_ANSI_COLOR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read_plain(data: bytes, limits: ReadLimits) -> DocumentDraft:
    text = _ANSI_COLOR.sub("", decode(data))
    draft = DocumentDraft(format="txt")
    if len(text) > limits.characters:
        text = text[: limits.characters]
        draft.partial = True
        draft.warnings.append(Warning("truncated", "Only part of the file was read: more text than the limit."))
    pages = text.split("\f")
    for number, page in enumerate(pages, start=1):
        add_page(draft, page, number)
    if not draft.lines:
        raise EmptyDocument
    draft.pages = draft.lines[-1].page
    return draft


def add_page(draft: DocumentDraft, page: str, number: int) -> None:
    joint = NEXT_BLOCK
    for raw in _LINE_END.split(page):
        text = _CONTROL.sub("", raw).strip()
        if not text or text == "\ufeff":
            joint = NEXT_BLOCK
            continue
        draft.lines.append(DraftLine(text, page=number, joint=joint, list=typed_marker(text)))
        joint = NEXT_LINE
