"""Draft to Document: characters normalised, offsets fixed, warnings drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evenhand.documents.characters import Cleaner, smuggled
from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, Draft, DraftLine
from evenhand.errors import EmptyDocument
from evenhand.records.document import Document, Failure, Hidden, Line, Warning

FEW_WORDS = 25
"""Below this a file is read, but a person should look at it: no resume is that short."""


def assemble(draft: Draft, *, file: str | None, sha256: str) -> Document:
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
    if len(text.split()) < FEW_WORDS:
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


def hidden_warning(draft: Draft) -> Warning:
    words = sum(len(item.text.split()) for item in draft.hidden)
    reasons = ", ".join(sorted({item.reason for item in draft.hidden}))
    counted = (
        "1 word a reader does not see was" if words == 1 else f"{words} words a reader does not see were"
    )
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
