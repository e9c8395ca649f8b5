"""Markup that comes twice, for newer and for older applications: one of the two is read, never both."""

from __future__ import annotations

from evenhand.documents.office.docx.names import MC
from evenhand.documents.office.xml import Element

ALTERNATIVES = f"{{{MC}}}AlternateContent"
CHOICE, FALLBACK = f"{{{MC}}}Choice", f"{{{MC}}}Fallback"
UNDERSTOOD = ("http://schemas.microsoft.com/office/word/2", "http://schemas.microsoft.com/office/drawing/2")


def chosen(alternatives: Element) -> Element | None:
    """The first choice this reader understands, else the fallback."""
    for branch in alternatives:
        if branch.tag == CHOICE:
            needed = [branch.nsmap.get(prefix) or "" for prefix in (branch.get("Requires") or "").split()]
            if all(name.startswith(UNDERSTOOD) for name in needed):
                return branch
    return alternatives.find(FALLBACK)
