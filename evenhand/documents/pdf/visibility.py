"""Which words a person cannot see, and why.

Render mode, size and place are facts of the file. Colour, transparency, covering shapes and clipping are
only suspicions: text that is the colour of its background may stand on a dark bar drawn as a picture. So
suspects are settled by drawing the page with and without them: what changes no pixel is not seen.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import Glyphs, PageFrame
from evenhand.documents.pdf.shapes import Drawing, PdfShape
from evenhand.documents.pdf.words import PdfWords, WordStyles

Array = np.ndarray

INVISIBLE, CLIP_ONLY = 3, 7  # text render modes that draw nothing
STROKED, STROKED_CLIP = 1, 5  # drawn by their outline: the fill colour says nothing
TINY = 4.0  # points
FAINT = 26  # alpha out of 255: a tenth
NEAR = 1.2  # contrast below which two colours cannot be told apart
SQUEEZED = 0.05  # of the size, for one letter; the narrowest print has twice that
MARKS = 16  # of one object that are looked at
SHOWS = 24  # of 255: a pixel that changes by less does not show
SMALL = 5.0  # points: a smaller shape hides no word
COVERED = 0.85  # share of the word under a later shape
USUAL_WIDTH = 500.0  # points; smaller pages are scaled up by whoever prints them
CLIP_CALLS = (
    lib.get_clip_path,
    lib.count_clip_paths,
    lib.count_clip_segments,
    lib.get_clip_segment,
    lib.get_segment_point,
)
PART = np.arange(256) / 255
LINEAR = np.where(PART <= 0.04045, PART / 12.92, ((PART + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is needed to judge the words of one page."""

    page: pdfium.PdfPage
    frame: PageFrame
    textpage: int
    glyphs: Glyphs
    words: PdfWords
    styles: WordStyles

    def objects_of(self, words: Iterable[int]) -> set[int]:
        """All text objects that draw these words; a word may be drawn letter by letter."""
        ends = np.append(self.words.first[1:], len(self.glyphs))
        letters = [np.arange(self.words.first[word], ends[word]) for word in words]
        index = self.glyphs.index[np.concatenate(letters)]
        return set(lib.pointers_at(lib.get_text_object, self.textpage, index).tolist()) - {0}


def hidden_words(page: PageContent, drawing: Drawing) -> dict[int, str]:
    """Word number to reason."""
    if len(page.words) == 0:
        return {}
    reasons = plain_reasons(page)
    suspects = suspected(page, drawing) | {word: why for word, why in reasons.items() if why == "invisible"}
    suspects = {word: why for word, why in suspects.items() if reasons.get(word, why) == why}
    if suspects:
        reasons = {word: why for word, why in reasons.items() if word not in suspects}
        reasons |= confirmed(page, suspects)
    return reasons


def plain_reasons(page: PageContent) -> dict[int, str]:
    """Hidden by what the file itself says of the word."""
    boxes, frame = page.words.boxes, page.frame
    scale = max(1.0, USUAL_WIDTH / max(min(frame.width, frame.height), 1.0))
    sizes = np.array(page.styles.sizes) * scale
    modes = page.styles.modes
    outside = (boxes[:, 2] < 0) | (boxes[:, 3] < 0) | (boxes[:, 0] > frame.width) | (boxes[:, 1] > frame.height)
    letters = np.fromiter(map(len, page.words.text), np.float64, count=len(page.words))
    squeezed = page.words.upright & (boxes[:, 2] - boxes[:, 0] < SQUEEZED * sizes * letters)  # scaled to a stroke
    tests = (
        ("invisible", (modes == INVISIBLE) | (modes == CLIP_ONLY)),
        ("off_page", outside),
        ("tiny", ((sizes < TINY) & (sizes > 0)) | squeezed),
    )
    reasons: dict[int, str] = {}
    for reason, holds in tests:
        for word in np.flatnonzero(holds).tolist():
            if reason != "tiny" or any(map(str.isalnum, page.words.text[word])):  # small dots are ornaments
                reasons.setdefault(word, reason)
    return reasons


def suspected(page: PageContent, drawing: Drawing) -> dict[int, str]:
    """Words that may be hidden by colour, cover or clip."""
    suspects: dict[int, str] = {}
    brightness = luminance(page.styles.colors)
    stroked = (page.styles.modes == STROKED) | (page.styles.modes == STROKED_CLIP)
    light = contrast(brightness, 1.0) < NEAR
    for word in np.flatnonzero(light & ~stroked).tolist():
        suspects[word] = "background_color"
    # Transparent, or drawn through a mask, by themselves or with the form they are in.
    veiled = lib.ints_of(lib.has_transparency, page.styles.objects) > 0
    if drawing.veiled:
        veiled |= np.isin(page.styles.objects, np.concatenate(drawing.veiled))
    for word in np.flatnonzero(veiled).tolist():
        suspects[word] = "transparent"
    shapes = [shape for shape in drawing.shapes if shape.width > SMALL and shape.height > SMALL]
    if shapes:
        boxes, orders = page.words.boxes, drawing.orders_of(page.styles.objects)
        for shape in shapes:
            inside = share_inside(boxes, shape.box) >= COVERED
            if not inside.any():
                continue
            for word in np.flatnonzero(inside & hides(shape, brightness, orders)).tolist():
                suspects.setdefault(word, "covered" if orders[word] < shape.order else "background_color")
    for word in np.flatnonzero(outside_clip(page)).tolist():
        suspects.setdefault(word, "clipped")
    for word in on_layers(page):
        suspects.setdefault(word, "hidden_style")
    return suspects


def on_layers(page: PageContent) -> list[int]:
    """Words on layers that a reader can switch; whether they are on is seen when the page is drawn."""
    objects = page.styles.objects
    counts = lib.ints_of(lib.count_marks, objects)
    layers: dict[int, bool] = {0: False}  # whether a mark is called OC, for optional content
    name, size = (ctypes.c_char * 8)(), ctypes.c_ulong()
    words = []
    for word in np.flatnonzero(counts > 0).tolist():
        for index in range(min(int(counts[word]), MARKS)):
            mark = lib.get_mark(int(objects[word]), index) or 0
            if mark not in layers:
                size.value = 0
                lib.get_mark_name(mark, ctypes.addressof(name), 8, ctypes.addressof(size))
                layers[mark] = name.raw[: size.value] == "OC\0".encode("utf-16-le")
            if layers[mark]:
                words.append(word)
    return words


def hides(shape: PdfShape, brightness: Array, orders: Array) -> Array:
    """For each word: would this shape hide it, lying over it or being of its colour beneath it."""
    later = orders < shape.order
    if shape.color is None:  # what a picture shows beneath a word can only be seen
        return np.ones(len(orders), bool)
    opaque = shape.color[3] > 255 - FAINT
    background = luminance(np.array([shape.color]))[0]
    alike = contrast(brightness, background) < NEAR
    return (later & opaque) | (~later & alike & opaque)


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


def outside_clip(page: PageContent) -> Array:
    """Words of which the clipping path leaves nothing."""
    clips = lib.clips_of(CLIP_CALLS, page.styles.objects).astype(float)
    left, top, right, bottom = page.frame.to_page(clips).T
    boxes = page.words.boxes
    cut = (boxes[:, 0] < left) | (boxes[:, 1] < top) | (boxes[:, 2] > right) | (boxes[:, 3] > bottom)
    for word in np.flatnonzero(cut).tolist():
        box = (float(left[word]), float(top[word]), float(right[word]), float(bottom[word]))
        cut[word] = share_inside(boxes[word : word + 1], box)[0] < 1 - COVERED
    return np.asarray(cut)


def confirmed(page: PageContent, suspects: dict[int, str]) -> dict[int, str]:
    """The suspects whose removal changes nothing that can be seen."""
    view = View.of(page, suspects)
    objects = page.objects_of(suspects)
    before = view.drawn()
    for obj in objects:
        lib.set_active(obj, 0)
    change = difference(before, view.drawn())
    for obj in objects:
        lib.set_active(obj, 1)
    boxes = page.words.boxes
    unseen = {word: why for word, why in suspects.items() if not (view.region(change, boxes[word]) > SHOWS).any()}
    unseen = whole_lines(page, suspects, unseen)
    return without_lookalikes(page, unseen, before, view)


@dataclass(frozen=True, slots=True)
class View:
    """The part of a page around some words, as it is drawn."""

    page: pdfium.PdfPage
    scale: float
    crop: tuple[float, float, float, float]  # points cut off at the left, bottom, right and top
    left: float
    top: float

    @classmethod
    def of(cls, page: PageContent, words: Iterable[int]) -> View:
        boxes = page.words.boxes[list(words)]
        width, height = page.frame.width, page.frame.height
        left, top = np.floor(boxes[:, :2].min(axis=0) - 4).clip(0, [width - 1, height - 1]).tolist()
        right, bottom = np.ceil(boxes[:, 2:].max(axis=0) + 4).clip([left + 1, top + 1], [width, height]).tolist()
        scale = min(2.0, 1600 / max(width, height, 1.0))
        crop = (left, max(height - bottom, 0), max(width - right, 0), top)
        return cls(page.page, scale, crop, left, top)

    def drawn(self) -> Array:
        bitmap = self.page.render(scale=self.scale, crop=self.crop, no_smoothtext=True)
        return np.asarray(bitmap.to_numpy()[:, :, :3]).copy()

    def region(self, picture: Array, box: Array) -> Array:
        shifted = (box - (self.left, self.top, self.left, self.top)) * self.scale
        left, top, right, bottom = (max(edge, 0) for edge in shifted.round().astype(int).tolist())
        return picture[top : bottom + 1, left : right + 1]


def whole_lines(page: PageContent, suspects: dict[int, str], unseen: dict[int, str]) -> dict[int, str]:
    """A clipped line is clipped as a whole, though some descenders reach into view."""
    lines = np.cumsum(page.words.line_start)
    clipped = [word for word, why in suspects.items() if why == "clipped"]
    gone: dict[int, list[bool]] = {}
    for word in clipped:
        gone.setdefault(int(lines[word]), []).append(word in unseen)
    for word in clipped:
        votes = gone[int(lines[word])]
        if 2 * sum(votes) >= len(votes):
            unseen[word] = "clipped"
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
    return np.asarray(np.abs(first.astype(np.int16) - second.astype(np.int16)).max(axis=2))
