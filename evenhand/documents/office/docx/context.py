"""What all stories of one document share while it is read, and what holds around one stretch of text."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents.draft import CLIPPED_LINE, LINE_HEIGHT, MEAN_WIDTH, RGB, letters_hidden
from evenhand.documents.office.blocks import (
    PAPER,
    Backdrop,
    SpanStyle,
    automatic,
    hex_of,
    mixed,
    shows_on_any,
    vanishes,
)
from evenhand.documents.office.docx.numbering import Numbering
from evenhand.documents.office.docx.package import DocxPackage
from evenhand.documents.office.docx.styles import (
    AUTOMATIC,
    DEFAULT_SIZE,
    EMPTY_PARAGRAPH,
    EMPTY_RUN,
    DocxParagraphFormat,
    Ink,
    RunFormat,
    StyleSheet,
)
from evenhand.documents.office.docx.theme import DocxPage, Theme
from evenhand.documents.office.package import Budget
from evenhand.documents.properties import UNKNOWN


@dataclass(slots=True)
class DocxEnvironment:
    package: DocxPackage
    theme: Theme
    styles: StyleSheet
    numbering: Numbering
    pages: list[DocxPage]  # one per section
    page: DocxPage  # that of the section being read
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
    paragraph: DocxParagraphFormat = EMPTY_PARAGRAPH
    room: float | None = None  # height that does not grow with the text
    color: RGB | None = None  # of text that names none
    hidden: str | None = None
    depth: int = 0


# How a run looks in its place, and the reason when a person does not see it.

FAINT = 0.1  # opacity
COVERING_OUTLINE = 0.1  # of the size: an outline that wide in the colour of the background wipes its letters out
OUTSIDE = 72.0  # points beyond the left edge of the paper, from where a first line is lost


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
    reason = scene.hidden or ("hidden_style" if run.vanish else None)
    reason = reason or (UNKNOWN if run.unknown or paragraph.unknown else None) or _geometry(run, paragraph, scene)
    if reason is None:
        ink: Ink = () if chosen is None or chosen == AUTOMATIC else ((color, 1.0),)
        underlays = setting.underlays if bare else []
        reason = ink_hidden(ink, backdrop, underlays) if run.ink is None else _filled(run, backdrop, underlays)
    return look, reason


def _filled(run: RunFormat, backdrop: Backdrop, underlays: list[Backdrop]) -> str | None:
    """Whether a text fill, or the outline around it, leaves nothing to see."""
    inside, outside = run.ink or (), run.outline or ()
    if not inside and not outside:
        return "transparent"
    wide = outside and (run.outline_width or 0.0) >= COVERING_OUTLINE * (run.size or DEFAULT_SIZE)
    if wide and ink_hidden(outside, backdrop, underlays):
        return "covered"
    return ink_hidden(inside or outside, backdrop, underlays)


def ink_hidden(ink: Ink, backdrop: Backdrop, underlays: list[Backdrop]) -> str | None:
    """Whether most of an ink cannot be told apart from what lies behind it."""
    if 2 * sum(opacity <= FAINT for _, opacity in ink) > len(ink):
        return "transparent"
    lost = 0
    for color, opacity in ink:
        seen = color if opacity == 1 or not backdrop else mixed(color, backdrop[0], opacity)
        lost += vanishes(seen, backdrop) and not shows_on_any(seen, underlays)
    return "background_color" if 2 * lost > len(ink) else None


def _geometry(run: RunFormat, paragraph: DocxParagraphFormat, scene: DocxTextContext) -> str | None:
    size = run.complex_size if run.complex and run.complex_size is not None else run.size
    size = DEFAULT_SIZE if size is None else size
    share = None if paragraph.line_share is None else paragraph.line_share * LINE_HEIGHT * size
    if paragraph.frame_width is not None and 0 < paragraph.frame_width < CLIPPED_LINE * size:
        return "clipped"
    return letters_hidden(
        size,
        script=run.script or 1.0,
        scale=1.0 if run.scale is None else run.scale,
        spacing=run.spacing or 0.0,
        raised=run.raised or 0.0,
        heights=(paragraph.frame_height, paragraph.exact_line, share, scene.room),
    )


def is_paragraph_off_page(paragraph: DocxParagraphFormat, page: DocxPage, characters: int, size: float) -> bool:
    """Set so far aside that no letter of it falls on the paper."""
    across, down = paragraph.frame_from or ("text", "text")
    if paragraph.frame_x is not None:
        x = paragraph.frame_x + (0.0 if across == "page" else page.left)
        if x >= page.width or x + min(paragraph.frame_width or page.text_width, characters * size) <= 0:
            return True
    if paragraph.frame_y is not None:
        height = paragraph.frame_height or size * LINE_HEIGHT
        y = paragraph.frame_y + (page.top if down == "margin" else 0.0)
        if y >= page.height or y + height <= (-page.height if down == "text" else 0.0):
            return True
    first = page.left + (paragraph.left or 0.0) + (paragraph.first or 0.0)
    start, end = page.left + (paragraph.left or 0.0), page.width - page.right - (paragraph.right or 0.0)
    width = min(characters * size * MEAN_WIDTH, max(end - start, size))
    if paragraph.align in ("center", "right", "end"):
        start += (end - start - width) * (0.5 if paragraph.align == "center" else 1.0)
    elif first >= page.width or first < -OUTSIDE or first + characters * size * MEAN_WIDTH <= 0:
        return True
    return start >= page.width or start + width < 0


def after_far_tab(paragraph: DocxParagraphFormat, page: DocxPage) -> int | None:
    """How many tabs of a line lead to stops on the paper, when there is one beyond it."""
    near = [stop for stop in paragraph.tab_stops or () if page.left + stop < page.width]
    return len(near) if len(near) < len(paragraph.tab_stops or ()) else None
