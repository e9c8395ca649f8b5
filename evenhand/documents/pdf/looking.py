"""How closely a page is looked at: as a whole where anything could hide text, else a part of it.

Drawing a page costs half as much as all the rest of reading it. On most pages the file itself says that nothing can
hide a word: all text is filled, dark and opaque, and nothing else is drawn where words stand. There only fonts may
lie, by letters without ink or with the shapes of others. So a part of the page is drawn, with letters of every font;
if one word of it is not as it should be, the whole page is looked at.
"""

from __future__ import annotations

import re
import zlib

import numpy as np

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.lettering import odd_words
from evenhand.documents.pdf.picture import SCALE, PageContent, Samples, View
from evenhand.documents.pdf.shapes import Drawing
from evenhand.documents.pdf.visibility import (
    OPAQUE,
    clip_boxes,
    has_inkless_words,
    has_odd_clip,
    hidden_words,
    luminance,
    on_layers,
    overlapping,
    overlaps_of,
    plain_reasons,
)

Array = np.ndarray

FILLED = 0  # text render mode
DARK = 0.35  # luminance at most; a pattern of colours counts as a light grey
MAX_PAIRS = 4_000_000  # words by shapes that are compared; a page of more is looked at
MAX_SHARED = 0.04  # of the letters: ligatures are rarer
SAMPLE_SHARE = 0.1  # of the words
MIN_SAMPLE = 25  # words
FONT_LETTERS = 40  # of each font
# A pattern that takes its colour from the text is a stream, whose dictionary every file holds in clear; its name may
# be written with escapes.
PATTERN = re.compile(rb"PaintType|/[A-Za-z]{0,9}#[0-9A-Fa-f]{2}[A-Za-z#]")


def may_hold_patterns(data: bytes) -> bool:
    """Whether text of this file may be filled with patterns, which pdfium tells apart from colours only in part."""
    return PATTERN.search(data) is not None


def unseen_words(
    page: PageContent, drawing: Drawing, may_have_patterns: bool
) -> tuple[dict[int, str], list[int], list[int]]:
    """Words that are not seen, with the reason; words whose letters look like others; words that are drawn twice."""
    layers, repeated = overlaps_of(page)
    is_whole = may_have_patterns or bool(layers) or not is_plain(page, drawing) or not is_sample_sound(page, drawing)
    unseen: dict[int, str] = {}
    odd: list[int] = []
    if is_whole:
        samples = Samples(page)
        greys = samples.taken()
        unseen = hidden_words(page, drawing, samples, greys, layers)
        odd = [word for word in odd_words(page, greys, drawing.rules) if word not in unseen]
        if drawing.veiled or lib.ints_of(lib.has_transparency, page.styles.objects).any():
            page.lay_paper()
            unseen = hidden_words(page, drawing, samples, samples.taken(), layers) | unseen
    return unseen, odd, [second for first, second in repeated if not unseen.keys() & {first, second}]


def is_plain(page: PageContent, drawing: Drawing) -> bool:
    """Whether nothing but a font can hide any word of the page, as far as words do not lie over each other."""
    glyphs, frame = page.glyphs, page.frame
    objects = lib.pointers_at(lib.get_text_object, page.textpage, glyphs.index)
    starts = np.flatnonzero(np.diff(objects, prepend=0))  # letters of one object follow each other
    places = np.cumsum(np.diff(objects, prepend=0) != 0) - 1
    objects = objects[starts]
    if places[0] < 0 or not objects.all() or (drawing.has_forms and not np.isin(objects, drawing.texts[1]).all()):
        return False  # in a form, or on no page at all
    colors = lib.colors_of(lib.get_fill_color, objects)
    if (lib.ints_of(lib.get_render_mode, objects) != FILLED).any() or (colors[:, 3] < OPAQUE).any():
        return False
    if (luminance(colors) > DARK).any() or (lib.ints_of(lib.has_transparency, objects) != 0).any():
        return False
    room = clip_boxes(page, objects)[places]
    low, high = np.maximum(room[:, :2], 0), np.minimum(room[:, 2:], (frame.width, frame.height))
    middles = (glyphs.boxes[:, :2] + glyphs.boxes[:, 2:]) / 2
    if not ((middles > low) & (middles < high)).all():
        return False
    bodies = page.bodies()
    shapes = np.array([shape.box for shape in drawing.shapes]).reshape(-1, 4)
    if len(shapes) * len(bodies) > MAX_PAIRS or overlapping(bodies, shapes).any():
        return False
    shared = glyphs.shares_box()
    if shared.sum() > MAX_SHARED * len(shared) or (shared[2:] & shared[1:-1] & shared[:-2]).any():
        return False
    return not (plain_reasons(page) or has_odd_clip(objects).any() or on_layers(objects).any())


def is_sample_sound(page: PageContent, drawing: Drawing) -> bool:
    """Whether some of the words are drawn, in letters that look as they should."""
    sample = page.part(sample_words(page))
    view = View.of(sample, range(len(sample.words)), SCALE)
    greys = Samples(sample, view=view).taken()
    return not has_inkless_words(sample, greys) and not odd_words(sample, greys, drawing.rules)


def sample_words(page: PageContent) -> Array:
    """Words that follow each other from somewhere on the page, and the nearest ones of every font."""
    count = len(page.words)
    size = min(count, max(MIN_SAMPLE, int(SAMPLE_SHARE * count)))
    start = zlib.crc32(page.glyphs.codes.tobytes()) % (count - size + 1)
    chosen = np.zeros(count, bool)
    chosen[start : start + size] = True
    fonts = lib.pointers_of(lib.get_font, page.styles.objects)
    letters = np.diff(np.append(page.words.first, len(page.glyphs)))
    by_distance = np.argsort(np.abs(np.arange(count) - start - size // 2), kind="stable")
    for font in np.unique(fonts).tolist():
        of_font = by_distance[fonts[by_distance] == font]
        chosen[of_font[np.cumsum(letters[of_font]) - letters[of_font] < FONT_LETTERS]] = True
    return chosen
