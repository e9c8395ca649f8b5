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
from evenhand.documents.pdf.picture import PageContent, Samples
from evenhand.documents.pdf.shapes import Drawing
from evenhand.documents.pdf.visibility import (
    OPAQUE,
    clips,
    has_inkless_words,
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
SAMPLE_SHARE = 0.05  # of the words
MIN_SAMPLE = 25  # words
FONT_LETTERS = 40  # of each font
# A pattern that takes its colour from the text is a stream, whose dictionary every file holds in clear; its name may
# be written with escapes.
PATTERN, ESCAPED = b"PaintType", re.compile(rb"/[A-Za-z]{0,9}#[0-9A-Fa-f]{2}[A-Za-z#]")


def may_hold_patterns(data: bytes) -> bool:
    """Whether text of this file may be filled with patterns, which pdfium tells apart from colours only in part."""
    return PATTERN in data or ESCAPED.search(data) is not None


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
    glyphs = page.glyphs
    objects = lib.pointers_at(lib.get_text_object, page.textpage, glyphs.index)
    is_next = np.append(True, objects[1:] != objects[:-1])  # letters of one object follow each other
    objects = objects[is_next]
    if not objects.all() or (drawing.has_forms and not np.isin(objects, drawing.texts[1]).all()):
        return False  # in a form, or on no page at all
    facts, colors = lib.facts_of(lib.get_render_mode, lib.has_transparency, lib.count_marks, objects)
    if (facts[:, 0] != FILLED).any() or facts[:, 1].any() or (colors[:, 3] < OPAQUE).any():
        return False
    brightest = np.full((1, 3), colors[:, :3].max())  # mostly a letter is as dark as the brightest part of any colour
    if luminance(brightest)[0] > DARK and (luminance(colors) > DARK).any():
        return False
    if on_layers(objects[facts[:, 2] > 0]).any() or plain_reasons(page) or is_cut(page, objects, is_next):
        return False
    bodies = page.bodies()
    shapes = np.array([shape.box for shape in drawing.shapes]).reshape(-1, 4)
    if len(shapes) * len(bodies) > MAX_PAIRS or overlapping(bodies, shapes).any():
        return False
    shared = glyphs.shares_box()
    return bool(shared.sum() <= MAX_SHARED * len(shared) and not (shared[2:] & shared[1:-1] & shared[:-2]).any())


def is_cut(page: PageContent, objects: Array, is_next: Array) -> bool:
    """Whether any letter may lie outside the page or its object's clip; `is_next` marks those that begin an object."""
    boxes, frame = page.words.boxes, page.frame
    areas, are_odd = clips(page, objects)
    if are_odd.any():
        return True
    left, top, right, bottom = areas.T
    x0, y0, x1, y1 = boxes.T
    is_wide = x0.min() > max(left.max(), 0) and x1.max() < min(right.min(), frame.width)
    if is_wide and y0.min() > max(top.max(), 0) and y1.max() < min(bottom.min(), frame.height):
        return False  # all words lie within all clips
    low, high = np.maximum(areas[:, :2], 0), np.minimum(areas[:, 2:], (frame.width, frame.height))
    middles = (page.glyphs.boxes[:, :2] + page.glyphs.boxes[:, 2:]) / 2
    places = np.cumsum(is_next) - 1
    return not ((middles > low[places]) & (middles < high[places])).all()


def is_sample_sound(page: PageContent, drawing: Drawing) -> bool:
    """Whether some of the words are drawn, in letters that look as they should."""
    sample = page.part(sample_words(page))
    samples = Samples(sample)
    greys = samples.taken(samples.drawn(np.arange(len(sample.glyphs))))
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
