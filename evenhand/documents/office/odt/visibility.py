"""How text of an ODT looks in its place, and the reason when a person does not see it."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.documents.office.blocks import Look
from evenhand.documents.office.odt.pages import Page
from evenhand.documents.office.odt.styles import AUTOMATIC, DEFAULT_SIZE, NO_FILL, ParagraphFormat, TextFormat
from evenhand.documents.office.paint import TINY_POINTS, Backdrop, automatic, hex_of, shows_on_any, vanishes

MEAN_WIDTH = 0.5  # of the size, for one character
NARROWEST = 0.1
FAINT = 0.1
SQUEEZED = 0.45  # of the size: characters printed on top of each other
CLIPPED_LINE = 0.25  # of the size: what a line of that height still shows of its letters
WIDEST_PAGE = 2000.0  # points


@dataclass(frozen=True, slots=True)
class Scene:
    """What holds around a stretch of text."""

    backdrop: Backdrop
    bare: bool = True  # nothing but the page lies behind
    hidden: str | None = None
    depth: int = 0


def appearance(
    text: TextFormat, paragraph: ParagraphFormat, scene: Scene, underlays: list[Backdrop]
) -> tuple[Look, str | None]:
    """The look of the text and why it is hidden, if it is."""
    backdrop, bare = scene.backdrop, scene.bare
    for fill in (paragraph.background, text.background):
        if fill is not None and fill != NO_FILL:
            backdrop, bare = (fill,), False
    chosen = None if text.color == AUTOMATIC else text.color
    color = chosen if chosen is not None else automatic(backdrop)
    size = text.size or DEFAULT_SIZE
    look = Look(text.font, round(size, 1), bool(text.bold), bool(text.italic), hex_of(color))
    reason = scene.hidden or _geometry(text, paragraph, size)
    if reason is None and chosen is not None and vanishes(chosen, backdrop):
        reason = None if bare and shows_on_any(chosen, underlays) else "background_color"
    return look, reason


def is_paragraph_off_page(paragraph: ParagraphFormat, page: Page, characters: int) -> bool:
    """Set so far aside that no letter of it falls on the paper."""
    if paragraph.align in ("center", "end", "right"):
        return False
    left = paragraph.left or 0.0
    room = page.text_width - left - (paragraph.right or 0.0)
    width = min(characters * DEFAULT_SIZE * MEAN_WIDTH, max(room, DEFAULT_SIZE))
    return page.left + left >= page.width or page.left + left + width < 0


def _geometry(text: TextFormat, paragraph: ParagraphFormat, size: float) -> str | None:
    if text.display is False:
        return "hidden_style"
    if text.opacity is not None and text.opacity <= FAINT:
        return "transparent"
    if size < TINY_POINTS or (text.scale is not None and text.scale <= NARROWEST):
        return "tiny"
    if text.spacing is not None and text.spacing <= -SQUEEZED * size:
        return "clipped"
    if paragraph.fixed_line is not None and paragraph.fixed_line < CLIPPED_LINE * size:
        return "clipped"
    return "off_page" if paragraph.left is not None and abs(paragraph.left) > WIDEST_PAGE else None
