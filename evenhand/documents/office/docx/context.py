"""What all stories of one document share while it is read, and what holds around one stretch of text."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents.draft import RGB
from evenhand.documents.office.blocks import (
    PAPER,
    TINY_POINTS,
    Backdrop,
    SpanStyle,
    automatic,
    hex_of,
    shows_on_any,
    vanishes,
)
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import DocxPackage
from evenhand.documents.office.docx.styles import AUTOMATIC, EMPTY_RUN, DocxParagraphFormat, RunFormat, StyleSheet
from evenhand.documents.office.docx.theme import DocxPage, Theme
from evenhand.documents.office.package import Budget


@dataclass(slots=True)
class DocxEnvironment:
    package: DocxPackage
    theme: Theme
    styles: StyleSheet
    numbering: Numbering
    page: DocxPage
    budget: Budget
    backdrop: Backdrop = PAPER  # the page itself
    underlays: list[Backdrop] = field(default_factory=list)  # shapes large enough to lie behind text
    active: set[str] = field(default_factory=set)  # kinds of active content met
    notes: list[tuple[str, str]] = field(default_factory=list)  # kind and id, as referenced


@dataclass(frozen=True, slots=True)
class DocxTextContext:
    """What holds around a stretch of text: its table style, the box it stands in, what lies behind it."""

    backdrop: Backdrop
    bare: bool = True  # nothing but the page lies behind, unless a shape was pushed under the text
    run: RunFormat = EMPTY_RUN  # from the table style
    color: RGB | None = None  # of text that names none
    hidden: str | None = None
    depth: int = 0


# How a run looks in its place, and the reason when a person does not see it.

NARROWEST = 0.1  # width of characters as a share of normal
FAR_FROM_LINE = 500.0  # points above or below
SQUEEZED = 0.45  # of the size: characters printed on top of each other
CLIPPED_LINE = 0.25  # of the size: what a line of that height still shows of its letters
MIN_FRAME_SIZE = 4.0  # points
MEAN_WIDTH = 0.5  # of the size, for one character


def appearance(
    run: RunFormat, paragraph: DocxParagraphFormat, scene: DocxTextContext, setting: DocxEnvironment
) -> tuple[SpanStyle, str | None]:
    """The look of the text and why it is hidden, if it is."""
    backdrop, bare = scene.backdrop, scene.bare
    for fill in (paragraph.shade, run.shade, run.highlight):
        if fill is not None and fill != AUTOMATIC:
            backdrop, bare = (fill,), False
    chosen = run.color if run.color is not None else scene.color
    color = automatic(backdrop) if chosen is None or chosen == AUTOMATIC else chosen
    look = SpanStyle(run.font, run.size, bool(run.bold), bool(run.italic), hex_of(color))
    reason = scene.hidden or _geometry(run, paragraph)
    if reason is None and chosen is not None and chosen != AUTOMATIC and vanishes(color, backdrop):
        reason = None if bare and shows_on_any(color, setting.underlays) else "background_color"
    return look, reason


def _geometry(run: RunFormat, paragraph: DocxParagraphFormat) -> str | None:
    size = run.size or 10.0
    if run.vanish:
        return "hidden_style"
    if run.clear:
        return "transparent"
    if size < TINY_POINTS or (run.scale is not None and run.scale <= NARROWEST):
        return "tiny"
    if run.raised is not None and abs(run.raised) > FAR_FROM_LINE:
        return "off_page"
    if run.spacing is not None and run.spacing <= -SQUEEZED * size:
        return "clipped"
    if paragraph.frame_height is not None and paragraph.frame_height < MIN_FRAME_SIZE:
        return "clipped"
    if paragraph.exact_line is not None and 0 <= paragraph.exact_line < CLIPPED_LINE * size:
        return "clipped"
    return None


def is_paragraph_off_page(paragraph: DocxParagraphFormat, page: DocxPage, characters: int, size: float) -> bool:
    """Set so far aside that no letter of it falls on the paper."""
    if paragraph.frame_x is not None and not -page.width < paragraph.frame_x < page.width:
        return True
    if paragraph.frame_y is not None and not -page.height < paragraph.frame_y < page.height:
        return True
    if paragraph.align in ("center", "right", "end"):
        return False
    start = page.left + (paragraph.left or 0.0)
    room = page.text_width - (paragraph.left or 0.0) - (paragraph.right or 0.0)
    return start >= page.width or start + min(characters * size * MEAN_WIDTH, max(room, size)) < 0
