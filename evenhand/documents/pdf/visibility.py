"""Which words a person cannot see, and why.

Render mode, size and place are facts of the file. Everything else is looked at: the page is drawn once, and a word
of which no ink is found where its letters should be is a suspect, by whatever trick. So is a word whose ink may be
lent by something else at its place: a shape, a picture, a note or another word. Suspects are settled by drawing the
page with and without them: what changes nothing is not seen. What the file says of the word then names the reason.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.picture import BODY, PageContent, Samples, View
from evenhand.documents.pdf.shapes import RECTANGLE, Drawing

Array = np.ndarray

INVISIBLE, CLIP_ONLY = 3, 7  # text render modes that draw nothing
STROKED, STROKED_CLIP = 1, 5  # drawn by their outline: the fill colour says nothing
TINY = 4.0  # points
FAINT = 26  # alpha out of 255: a tenth
OPAQUE = 255 - FAINT
NEAR = 1.2  # contrast below which two colours cannot be told apart
SQUEEZED = 0.05  # of the size, for one letter; the narrowest print has twice that
MARKS = 16  # of one object that are looked at
SHOWS = 24  # of 255: a pixel that changes by less does not show
BLUE = 3  # parts of which one counts
TRACE = 12  # of 255: greys of letters and paper that differ by less may come from no letter
HALF = 0.5  # of a word's letters that must show
SLIVER = 0.015  # of a word's area: less ink than any letters have
COVERED = 0.85  # share of the word under a later shape
SAME_PLACE = 0.3  # of the size
MAX_LAYERS = 4  # words at one place that are told apart; nobody can read more
MAX_PAIRS = 4_000_000  # words by words or shapes that are compared at once
USUAL_WIDTH = 500.0  # points; smaller pages are scaled up by whoever prints them
PART = np.arange(256) / 255
LINEAR = np.where(PART <= 0.04045, PART / 12.92, ((PART + 0.055) / 1.055) ** 2.4)


def hidden_words(page: PageContent, drawing: Drawing, samples: Samples, greys: Array, layers: Layers) -> dict[int, str]:
    """Word number to reason; `greys` are the samples of the page as it is."""
    facts = plain_reasons(page)
    buried = {word: "covered" for word, layer in layers.items() if layer >= MAX_LAYERS}
    layers = {word: layer for word, layer in layers.items() if layer < MAX_LAYERS}
    suspects = suspected(page, drawing, samples, greys, layers)
    suspects |= {word for word, why in facts.items() if why == "invisible"}
    suspects -= {word for word, why in facts.items() if why != "invisible"} | set(buried)
    reasons = buried | {word: why for word, why in facts.items() if word not in suspects}
    if suspects:
        named = named_reasons(page, drawing, np.array(sorted(suspects))) | facts
        reasons |= confirmed(page, {word: named[word] for word in sorted(suspects)}, layers)
    return reasons


def plain_reasons(page: PageContent) -> dict[int, str]:
    """Hidden by what the file itself says of the word."""
    boxes, frame = page.words.boxes, page.frame
    scale = max(1.0, USUAL_WIDTH / max(min(frame.width, frame.height), 1.0))
    sizes = np.array(page.styles.sizes) * scale
    modes = page.styles.modes
    outside = (boxes[:, 2] < 0) | (boxes[:, 3] < 0) | (boxes[:, 0] > frame.width) | (boxes[:, 1] > frame.height)
    # Letters in one box are those of a single glyph, which may stand for a whole word.
    glyphs = np.add.reduceat(~page.glyphs.shares_box(), page.words.first, dtype=np.float64)
    squeezed = page.words.upright & (boxes[:, 2] - boxes[:, 0] < SQUEEZED * sizes * glyphs)  # scaled to a stroke
    flat = page.words.upright & (boxes[:, 3] - boxes[:, 1] < TINY)  # fonts may leave their size open
    tests = (
        ("invisible", (modes == INVISIBLE) | (modes == CLIP_ONLY)),
        ("off_page", outside),
        ("tiny", ((sizes < TINY) & ((sizes > 0) | flat)) | squeezed),
    )
    reasons: dict[int, str] = {}
    for reason, holds in tests:
        for word in np.flatnonzero(holds).tolist():
            if reason != "tiny" or any(map(str.isalnum, page.words.text[word])):  # small dots are ornaments
                reasons.setdefault(word, reason)
    return reasons


# Suspects: words without ink of their own.


def suspected(page: PageContent, drawing: Drawing, samples: Samples, greys: Array, layers: Layers) -> set[int]:
    """Words that no ink is found of, or only ink that something else has lent."""
    lettered = has_letters(page)
    seen = shown_words(page, np.ptp(greys[BODY], axis=(0, 1)))
    lent = lent_by_shapes(page.bodies(), drawing)
    lent[list(layers)] = True
    of = page.word_of_glyph()
    for group in groups(np.flatnonzero(lent & seen & lettered).tolist(), layers):
        with page.without(page.objects_of(group)):
            bare = samples.taken(samples.drawn(np.flatnonzero(np.isin(of, group))))
            change = (np.maximum(greys, bare) - np.minimum(greys, bare))[BODY].max(axis=(0, 1))
        seen[group] = shown_words(page, change)[group]
    suspects = ~seen & lettered & ~cannot_be_drawn(page)
    if suspects.any():  # signs between hidden words are hidden with them
        suspects |= ~seen & ~lettered
    return set(np.flatnonzero(suspects).tolist())


def has_inkless_words(page: PageContent, greys: Array) -> bool:
    """Whether any word has no ink where its letters should be."""
    return bool((~shown_words(page, np.ptp(greys[BODY], axis=(0, 1))) & has_letters(page)).any())


def has_letters(page: PageContent) -> Array:
    codes = page.glyphs.codes
    letters = ((codes | 32) - 97 < 26) | (codes - 48 < 10) | (codes >= 0xC0)  # unsigned: lower codes wrap around
    letters &= (codes < 0x2000) | (codes > 0x2BFF)  # punctuation, arrows and ornaments
    return np.asarray(np.logical_or.reduceat(letters, page.words.first))


def cannot_be_drawn(page: PageContent) -> Array:
    """Words of other scripts in fonts that the file leaves to the reader's machine, and this one may lack."""
    foreign = np.logical_and.reduceat(page.glyphs.codes >= 0x250, page.words.first)
    for word in np.flatnonzero(foreign).tolist():
        font = lib.get_font(int(page.styles.objects[word]))
        foreign[word] = bool(font) and lib.is_embedded(font) == 0
    return np.asarray(foreign)


def shown_words(page: PageContent, change: Array) -> Array:
    """Words of which at least half the letters show."""
    counts = np.diff(np.append(page.words.first, len(page.glyphs)))
    return np.asarray(np.add.reduceat((change > TRACE).astype(np.int32), page.words.first) >= HALF * counts)


def lent_by_shapes(bodies: Array, drawing: Drawing) -> Array:
    """Words at whose place something else is drawn that is not one even area."""
    lent = np.zeros(len(bodies), bool)
    step = max(1, MAX_PAIRS // max(len(bodies), 1))
    for start in range(0, len(drawing.shapes), step):
        shapes = drawing.shapes[start : start + step]
        boxes = np.array([shape.box for shape in shapes])
        even = np.array([shape.is_box and shape.color is not None for shape in shapes])
        within = containing(boxes, bodies)
        lent |= (overlapping(bodies, boxes) & ~(even & within)).any(axis=1)
    return lent


def overlapping(first: Array, second: Array) -> Array:
    """For each box of the first and each of the second: whether they overlap."""
    left, top, right, bottom = (edge[:, None] for edge in first.astype(np.float32).T)
    x0, y0, x1, y1 = second.astype(np.float32).T
    return np.asarray((left < x1) & (right > x0) & (top < y1) & (bottom > y0))


def containing(outer: Array, inner: Array) -> Array:
    """For each of `inner` and each of `outer`: whether it lies well within."""
    left, top, right, bottom = (edge[:, None] for edge in inner.T)
    x0, y0, x1, y1 = outer.T
    return np.asarray((left > x0 + 1) & (right < x1 - 1) & (top > y0 + 1) & (bottom < y1 - 1))


Layers = dict[int, int]
"""Word to the layer it is in, of words that lie over each other: no two of one layer do."""


def overlaps_of(page: PageContent) -> tuple[Layers, list[tuple[int, int]]]:
    """Words that lie over each other; and pairs of one text at one place, drawn to look bold or to count twice."""
    bodies = page.bodies()
    inner = bodies + np.array([0.2, 0.1, -0.2, -0.1]) * (bodies[:, 3] - bodies[:, 1])[:, None]
    text, colors, sizes = page.words.text, page.styles.colors, page.styles.sizes
    over: dict[int, set[int]] = defaultdict(set)
    repeated = []
    for first, second in overlapping_pairs(inner):
        same_text = text[first] == text[second]
        if same_text and np.abs(bodies[first] - bodies[second]).max() < SAME_PLACE * sizes[first]:
            repeated.append((first, second))
        if not same_text or (colors[first] != colors[second]).any():
            over[first].add(second)
            over[second].add(first)
    layers: Layers = {}
    for word in sorted(over):
        taken = {layers.get(other) for other in over[word]}
        layers[word] = next(layer for layer in range(len(taken) + 1) if layer not in taken)
    return layers, repeated


def overlapping_pairs(boxes: Array) -> Iterator[tuple[int, int]]:
    """Pairs of boxes that overlap, the earlier one first: only boxes at one height are compared."""
    order = np.argsort(boxes[:, 1], kind="stable")
    left, top, right, bottom = boxes[order].T
    places = np.arange(len(order))
    counts = np.maximum(np.searchsorted(top, bottom) - places - 1, 0)
    totals = np.cumsum(counts)
    begin = 0
    while begin < len(order):
        before = totals[begin - 1] if begin else 0
        end = max(int(np.searchsorted(totals, before + MAX_PAIRS, side="right")), begin + 1)
        first = np.repeat(places[begin:end], counts[begin:end])
        second = np.arange(len(first)) - np.repeat(totals[begin:end] - counts[begin:end] - before, counts[begin:end])
        second += first + 1
        hit = (left[first] < right[second]) & (right[first] > left[second]) & (top[first] < bottom[second])
        pairs = np.sort(np.stack((order[first[hit]], order[second[hit]]), axis=1), axis=1)
        yield from map(tuple, pairs.tolist())
        begin = end


def groups(words: Iterable[int], layers: Layers) -> list[list[int]]:
    """The words by layer; those on no layer are with the first."""
    parts: dict[int, list[int]] = defaultdict(list)
    for word in words:
        parts[layers.get(word, 0)].append(word)
    return [parts[layer] for layer in sorted(parts)]


# The reason, named by what the file says of a word that is not seen.


def named_reasons(page: PageContent, drawing: Drawing, words: Array) -> dict[int, str]:
    """The likeliest reason for each word, should it not be seen."""
    objects, boxes, styles = page.styles.objects[words], page.words.boxes[words], page.styles
    stroked = (styles.modes[words] == STROKED) | (styles.modes[words] == STROKED_CLIP)
    colors = np.where(stroked[:, None], lib.colors_of(lib.get_stroke_color, objects), styles.colors[words])
    brightness = luminance(colors)
    paper = (0.0, 0.0, page.frame.width, page.frame.height)
    # Transparent, or drawn through a mask, by themselves or with the form they are in.
    veiled = lib.ints_of(lib.has_transparency, objects) > 0
    veiled |= colors[:, 3] < FAINT
    if drawing.veiled:
        veiled |= np.isin(objects, np.concatenate(drawing.veiled))
    above, alike, pictured, touched = (np.zeros(len(words), bool) for _ in range(4))
    orders = drawing.orders_of(objects)
    for shape in drawing.shapes:
        share = share_inside(boxes, shape.box)
        inside, later = share >= COVERED, orders < shape.order
        touched |= (share > 0) & later
        if shape.color is None:  # what a picture shows beneath a word can only be seen
            above |= inside & later
            pictured |= inside & ~later
        elif shape.color[3] > OPAQUE:
            above |= inside & later
            background = luminance(np.array([shape.color]))[0]
            alike |= inside & ~later & (contrast(brightness, background) < NEAR)
    tests = (
        ("transparent", veiled),
        ("background_color", contrast(brightness, 1.0) < NEAR),
        ("covered", above),
        ("background_color", alike),
        ("clipped", inside_clip(page, words, boxes) < HALF),
        ("off_page", share_inside(boxes, paper) < HALF),
        ("hidden_style", on_layers(objects)),
        ("background_color", pictured),
        ("covered", touched),
        ("clipped", clips(page, objects)[1]),
        ("invisible", np.ones(len(words), bool)),
    )
    reasons: dict[int, str] = {}
    for reason, holds in tests:
        for word in words[holds].tolist():
            reasons.setdefault(word, reason)
    return reasons


def on_layers(objects: Array) -> Array:
    """Which objects are on layers that a reader can switch off."""
    counts = lib.ints_of(lib.count_marks, objects)
    names: dict[int, bool] = {0: False}  # whether a mark is called OC, for optional content
    name, size = (ctypes.c_char * 8)(), ctypes.c_ulong()
    layered = np.zeros(len(objects), bool)
    for place in np.flatnonzero(counts > 0).tolist():
        for index in range(min(int(counts[place]), MARKS)):
            mark = lib.get_mark(int(objects[place]), index) or 0
            if mark not in names:
                size.value = 0
                lib.get_mark_name(mark, ctypes.addressof(name), 8, ctypes.addressof(size))
                names[mark] = name.raw[: size.value] == "OC\0".encode("utf-16-le")
            layered[place] |= names[mark]
    return layered


def share_inside(boxes: Array, box: tuple[float, float, float, float]) -> Array:
    """The share of each box that lies inside `box`."""
    width = np.minimum(boxes[:, 2], box[2]) - np.maximum(boxes[:, 0], box[0])
    height = np.minimum(boxes[:, 3], box[3]) - np.maximum(boxes[:, 1], box[1])
    area = np.maximum((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), 1e-6)
    return np.asarray(np.clip(width, 0, None) * np.clip(height, 0, None) / area)


def luminance(colors: Array) -> Array:
    """Relative luminance (WCAG 2) of red, green, blue given as 0 to 255."""
    return np.asarray(LINEAR[colors[:, :3].clip(0, 255)] @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(first: Array, second: Array | float) -> Array:
    return np.asarray((np.maximum(first, second) + 0.05) / (np.minimum(first, second) + 0.05))


def clips(page: PageContent, objects: Array) -> tuple[Array, Array]:
    """The box that the clipping paths of each object leave; and whether one is no rectangle, and may leave less."""
    areas, segments = lib.clips_of(objects)
    return page.frame.to_page(areas.astype(float)), segments > RECTANGLE


def inside_clip(page: PageContent, words: Array, boxes: Array) -> Array:
    """The share of each word's box that its clipping path leaves."""
    areas, _ = clips(page, page.styles.objects[words])
    shares = np.ones(len(words))
    cut = (boxes[:, :2] < areas[:, :2]).any(axis=1) | (boxes[:, 2:] > areas[:, 2:]).any(axis=1)
    for place in np.flatnonzero(cut).tolist():
        left, top, right, bottom = areas[place].tolist()
        shares[place] = share_inside(boxes[place : place + 1], (left, top, right, bottom))[0]
    return shares


# Suspects drawn with and without.


def confirmed(page: PageContent, suspects: dict[int, str], layers: Layers) -> dict[int, str]:
    """The suspects whose removal changes nothing that can be seen."""
    view = View.of(page, suspects)
    before = view.drawn()
    unseen: dict[int, str] = {}
    for group in groups(suspects, layers):
        with page.without(page.objects_of(group)):
            change = difference(before, view.drawn()) > SHOWS
        for word in group:
            region = view.region(change, page.words.boxes[word])
            if not region.any() or region.sum() < SLIVER * region.size:
                unseen[word] = suspects[word]
    unseen = whole_lines(page, suspects, unseen)
    return without_lookalikes(page, unseen, before, view)


def whole_lines(page: PageContent, suspects: dict[int, str], unseen: dict[int, str]) -> dict[int, str]:
    """A clipped line is clipped as a whole or not at all, though some descenders reach into view."""
    lines = np.cumsum(page.words.line_start)
    cut_lines = {int(lines[word]) for word, why in suspects.items() if why in ("clipped", "invisible")}
    for line in cut_lines:
        words = np.flatnonzero(lines == line)
        cut = words[inside_clip(page, words, page.words.boxes[words]) < COVERED].tolist()
        is_gone = 2 * sum(word in unseen for word in cut) >= len(cut)
        for word in cut:
            if is_gone:
                unseen.setdefault(word, "clipped")
            else:
                unseen.pop(word, None)
    return unseen


def without_lookalikes(page: PageContent, unseen: dict[int, str], drawn: Array, view: View) -> dict[int, str]:
    """Leave out words whose letters are on the page all the same, drawn as outlines.

    Browsers print bold letters as shapes and lay transparent text over them so that it can be copied. Such
    a word is drawn once in a colour of its own: where its letters fall on ink of just their shape, it is
    seen.
    """
    laid_over = [word for word, why in unseen.items() if why in ("transparent", "invisible")]
    if not laid_over:
        return unseen
    for obj in page.objects_of(laid_over):
        lib.set_render_mode(obj, 0)
        lib.set_fill_color(obj, 255, 0, 255, 255)
    letters = difference(drawn, view.drawn()) > SHOWS
    hidden = dict(unseen)
    for word in laid_over:
        own, picture = (view.region(image, page.words.boxes[word]) for image in (letters, drawn))
        if own.sum() < 4:
            continue
        paper = np.median(picture.reshape(-1, picture.shape[-1]), axis=0)
        ink = np.abs(picture.astype(np.int16) - paper).max(axis=2) > SHOWS
        both = (own & ink).sum()
        if both > 0.9 * own.sum() and both > 0.35 * ink.sum():  # bold outlines are fatter
            del hidden[word]
    return hidden


def difference(first: Array, second: Array) -> Array:
    """How much pixels differ to the eye, which hardly sees blue, the first of the three: pale yellow is white to it."""
    change = np.maximum(first, second) - np.minimum(first, second)
    return np.asarray(np.maximum(np.maximum(change[:, :, 0] // BLUE, change[:, :, 1]), change[:, :, 2]))
