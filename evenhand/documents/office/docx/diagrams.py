"""The text of a SmartArt diagram, which Word keeps in a part of its own."""

from __future__ import annotations

from evenhand.documents.office.docx.names import DGM, A
from evenhand.documents.office.xml import Element

SHOWN_KINDS = {None, "node", "asst"}


def diagram_lines(data: Element | None) -> list[str]:
    """One line per paragraph of every shown point, in the order they were typed."""
    lines: list[str] = []
    for point in data.iter(f"{{{DGM}}}pt") if data is not None else ():
        if point.get("type") not in SHOWN_KINDS:
            continue
        for paragraph in point.iter(f"{{{A}}}p"):
            text = "".join(part.text or "" for part in paragraph.iter(f"{{{A}}}t")).strip()
            if text:
                lines.append(text)
    return lines
