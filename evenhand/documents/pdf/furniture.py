"""Page furniture: headers and footers that belong to the pages, not to the resume's text."""

from __future__ import annotations

import re
from collections import defaultdict

from evenhand.documents.draft import DraftLine

MARGIN = 0.2  # of the page's height, at the top and at the bottom
PAGE_NUMBER = re.compile(
    r"(?:page|seite|pagina|página|p\.)?\s*\d{1,3}\s*(?:(?:/|of|von|de|di|sur|\|)\s*\d{1,3})?", re.I
)


def mark_furniture(lines: list[DraftLine], heights: dict[int, float]) -> None:
    """Mark lines in the margins that repeat over the pages, and page numbers."""
    margins = defaultdict(list)
    for line in lines:
        place = margin_of(line, heights)
        if place is None:
            continue
        key = re.sub(r"\d+", "#", line.text.casefold().strip())
        margins[place, key].append(line)
        if PAGE_NUMBER.fullmatch(line.text.strip()) and len(heights) > 1:
            line.furniture = place
    for (place, _), same in margins.items():
        pages = {line.page for line in same}
        if len(pages) >= 2 and len(pages) >= 0.5 * (len(heights) - 1) and stand_level(same):
            for line in same:
                line.furniture = place


def margin_of(line: DraftLine, heights: dict[int, float]) -> str | None:
    if line.box is None:
        return None
    height = heights[line.page]
    if line.box[3] < MARGIN * height:
        return "header"
    return "footer" if line.box[1] > (1 - MARGIN) * height else None


def stand_level(lines: list[DraftLine]) -> bool:
    """Furniture stands at one height; a heading that happens to come again does not."""
    tops = [line.box[1] for line in lines if line.box]
    return max(tops) - min(tops) < 4
