"""The paper a document is set on: size, margins, headers and footers of its sections."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.documents.office.docx.names import R, is_on, twips, w
from evenhand.documents.office.xml import Element

US_LETTER = (612.0, 792.0)
USUAL_MARGIN = 72.0


@dataclass(frozen=True, slots=True)
class Page:
    """Points."""

    width: float = US_LETTER[0]
    height: float = US_LETTER[1]
    left: float = USUAL_MARGIN
    right: float = USUAL_MARGIN
    top: float = USUAL_MARGIN
    bottom: float = USUAL_MARGIN

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def text_width(self) -> float:
        return max(self.width - self.left - self.right, 1.0)

    @property
    def text_height(self) -> float:
        return max(self.height - self.top - self.bottom, 1.0)


def read_page(section: Element | None) -> Page:
    size = section.find(w("pgSz")) if section is not None else None
    margins = section.find(w("pgMar")) if section is not None else None
    width = twips(size.get(w("w"))) if size is not None else None
    height = twips(size.get(w("h"))) if size is not None else None

    def margin(side: str) -> float:
        found = twips(margins.get(w(side))) if margins is not None else None
        return abs(found) if found is not None else USUAL_MARGIN

    return Page(
        width if width and width > 20 else US_LETTER[0],
        height if height and height > 20 else US_LETTER[1],
        margin("left"),
        margin("right"),
        margin("top"),
        margin("bottom"),
    )


def furniture(sections: list[Element], kind: str, *, even_pages: bool) -> list[str]:
    """Relationship ids of the headers (or footers) that are shown somewhere, in order, each once."""
    shown: dict[str, None] = {}
    for section in sections:
        title = section.find(w("titlePg"))
        has_first = title is not None and is_on(title)
        for reference in section.iter(w(f"{kind}Reference")):
            where = reference.get(w("type")) or "default"
            if (where == "first" and not has_first) or (where == "even" and not even_pages):
                continue
            identifier = reference.get(f"{{{R}}}id")
            if identifier:
                shown[identifier] = None
    return list(shown)
