"""How a run looks in its place, and the reason when a person does not see it."""

from __future__ import annotations

from evenhand.documents.office.blocks import Look
from evenhand.documents.office.docx.formats import AUTOMATIC, ParagraphFormat, RunFormat
from evenhand.documents.office.docx.pages import Page
from evenhand.documents.office.docx.setting import Scene, Setting
from evenhand.documents.office.paint import TINY_POINTS, automatic, hex_of, shows_on_any, vanishes

NARROWEST = 0.1  # width of characters as a share of normal
FAR_FROM_LINE = 500.0  # points above or below
SQUEEZED = 0.45  # of the size: characters printed on top of each other
CLIPPED_LINE = 0.25  # of the size: what a line of that height still shows of its letters
SMALLEST_FRAME = 4.0  # points
MEAN_WIDTH = 0.5  # of the size, for one character


def appearance(
    run: RunFormat, paragraph: ParagraphFormat, scene: Scene, setting: Setting
) -> tuple[Look, str | None]:
    """The look of the text and why it is hidden, if it is."""
    backdrop, bare = scene.backdrop, scene.bare
    for fill in (paragraph.shade, run.shade, run.highlight):
        if fill is not None and fill != AUTOMATIC:
            backdrop, bare = (fill,), False
    chosen = run.color if run.color is not None else scene.color
    color = automatic(backdrop) if chosen is None or chosen == AUTOMATIC else chosen
    look = Look(run.font, run.size, bool(run.bold), bool(run.italic), hex_of(color))
    reason = scene.hidden or _geometry(run, paragraph)
    if reason is None and chosen is not None and chosen != AUTOMATIC and vanishes(color, backdrop):
        reason = None if bare and shows_on_any(color, setting.underlays) else "background_color"
    return look, reason


def _geometry(run: RunFormat, paragraph: ParagraphFormat) -> str | None:
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
    if paragraph.frame_height is not None and paragraph.frame_height < SMALLEST_FRAME:
        return "clipped"
    if paragraph.exact_line is not None and 0 <= paragraph.exact_line < CLIPPED_LINE * size:
        return "clipped"
    return None


def is_paragraph_off_page(paragraph: ParagraphFormat, page: Page, characters: int, size: float) -> bool:
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
