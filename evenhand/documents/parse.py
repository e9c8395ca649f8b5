"""One file's bytes to one Document, in this process. Hostile files belong in `sandbox`, which calls this."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from evenhand.documents.characters import Cleaner, smuggled
from evenhand.documents.charsets import decode
from evenhand.documents.detect import detect
from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, DraftLine, ReadLimits
from evenhand.documents.list_markers import typed_marker
from evenhand.errors import CorruptDocument, DocumentError, EmptyDocument, ParseMemory
from evenhand.records.document import Document, Failure, Hidden, Line, Warning
from evenhand.text.wording import HIDDEN, count

SMALL_WORD_COUNT = 25
"""Below this a file is read, but a person should look at it: no resume is that short."""


def assemble(draft: DocumentDraft, *, file: str | None, sha256: str) -> Document:
    """Put the lines of `draft` into one text and say what a reader should know about it."""
    spelled = ((smuggled(line.text).strip(), line.page) for line in draft.lines)
    hidden = [*draft.hidden, *(Hidden(text, "invisible", page) for text, page in spelled if text)]
    cleaner = Cleaner(line.text for line in draft.lines)
    text, lines = lay_out(draft.lines, cleaner)
    warnings = [*draft.warnings, *cleaner.warnings()]
    if hidden:
        words = sum(len(item.text.split()) for item in hidden)
        reasons = ", ".join(sorted({HIDDEN.get(item.reason, item.reason) for item in hidden}))
        warnings.append(Warning("hidden_text", f"{count(words, 'word')} of hidden text found, not scored: {reasons}."))
    status, error = "partial" if draft.partial else "parsed", None
    if not text:  # an error, with what was hidden kept for the person who looks into it
        sentence = "The file shows no text; all of its text is hidden." if hidden else EmptyDocument.sentence
        status, error = "error", Failure(EmptyDocument.code, sentence)
    elif len(text.split()) < SMALL_WORD_COUNT:
        warnings.append(Warning("low_text", "Very little text was found; look at the original file."))
    return Document(
        file=file,
        sha256=sha256,
        format=draft.format,
        pages=draft.pages,
        status=status,
        text=text,
        hidden=tuple(replace(item, text=cleaner.clean(item.text)) for item in hidden),
        lines=tuple(lines),
        tables=tuple(draft.tables),
        warnings=tuple(dict.fromkeys(warnings)),  # one per code and message, in the order they were met
        error=error,
    )


def lay_out(drafts: list[DraftLine], cleaner: Cleaner) -> tuple[str, list[Line]]:
    """Join the cleaned lines; a line that cleans to nothing leaves only its gap."""
    parts: list[str] = []
    lines: list[Line] = []
    offset = 0
    gap = ""
    for draft in drafts:
        clean = cleaner.clean(draft.text).strip()
        gap = max(gap, draft.joint, key=("", NEXT_CELL, NEXT_LINE, NEXT_BLOCK).index)  # the wider one
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
        module, _, name = READERS[format_name].partition(":")
        read: Reader = getattr(import_module(module), name)
        return assemble(read(data, limits or ReadLimits()), file=file, sha256=sha256)
    except DocumentError as error:
        reason = error
    except MemoryError:
        reason = ParseMemory()
    except Exception as error:
        # The name of the surprise stays visible: the fuzzer counts these to find faults of our own.
        reason = CorruptDocument(f"{CorruptDocument.sentence} ({type(error).__name__})")
    return failed(reason, file=file, sha256=sha256, format_name=format_name)


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
    for number, page in enumerate(text.split("\f"), start=1):
        joint = NEXT_BLOCK
        for raw in _LINE_END.split(page):
            line = _CONTROL.sub("", raw).strip()
            if not line or line == "\ufeff":
                joint = NEXT_BLOCK
                continue
            draft.lines.append(DraftLine(line, number, joint, list=typed_marker(line)))
            joint = NEXT_LINE
    if not draft.lines:
        raise EmptyDocument
    draft.pages = draft.lines[-1].page
    return draft
