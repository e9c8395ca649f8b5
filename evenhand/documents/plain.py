"""Plain text in any charset to a Draft: paragraphs by blank lines, bullets as list markers."""

from __future__ import annotations

import re

from evenhand.documents.bullets import typed_marker
from evenhand.documents.charsets import decode
from evenhand.documents.draft import NEXT_BLOCK, NEXT_LINE, Draft, DraftLine, ReadLimits
from evenhand.errors import EmptyDocument
from evenhand.records.document import Warning

_LINE_END = re.compile("\r\n|[\n\r\v\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_ANSI_COLOR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read_plain(data: bytes, limits: ReadLimits) -> Draft:
    text = _ANSI_COLOR.sub("", decode(data))
    draft = Draft(format="txt")
    if len(text) > limits.characters:
        text = text[: limits.characters]
        draft.partial = True
        draft.warnings.append(
            Warning("truncated", "Only part of the file was read: more text than the limit.")
        )
    pages = text.split("\f")
    for number, page in enumerate(pages, start=1):
        add_page(draft, page, number)
    if not draft.lines:
        raise EmptyDocument
    draft.pages = draft.lines[-1].page
    return draft


def add_page(draft: Draft, page: str, number: int) -> None:
    joint = NEXT_BLOCK
    for raw in _LINE_END.split(page):
        text = _CONTROL.sub("", raw).strip()
        if not text or text == "\ufeff":
            joint = NEXT_BLOCK
            continue
        draft.lines.append(DraftLine(text, page=number, joint=joint, list=typed_marker(text)))
        joint = NEXT_LINE
