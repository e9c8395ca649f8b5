"""Characters to words, by the distances at which they are drawn.

Many files draw no space characters, or round positions so that a fixed gap either glues or splits words. So
the natural step from each character to the next is learnt from the page itself; a word ends where a step is
longer.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass

import numpy as np

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import Glyphs

Array = np.ndarray

SPACE = 0.13  # of the line's height: a longer step than natural by this much is a space
MIN_STEPS = 5  # steps seen of one character before its own natural step is trusted
SIZES_PER_E = 8  # text sizes closer than about an eighth count as one
TIGHT = 0.85  # print is never tighter than this: boxes of slanted letters are wider than their step
LOOSE = 1.7  # nor looser: bullets before their text are no spaced-out word
WIDTHS_PER_POINT = 8
STEPS_PER_POINT, STEP_BITS = 64, 16
EXACT = 0.03  # points
SAMPLE_CHARACTERS = 200  # characters among which some differ
VARIED = 4  # different characters that tell how a size is spaced
STEP_MASK = (1 << STEP_BITS) - 1
MIN_TURNED = 3  # steps up or down in a row that make turned text
LOW = 0.2  # the quantile that is natural: most steps are inside words


@dataclass(slots=True)
class PdfWords:
    """Words in drawing order; `first` is the glyph each begins with."""

    text: list[str]
    boxes: Array  # (n, 4): left, top, right, bottom
    first: Array  # glyph positions
    line_start: Array  # bool: not on the same line as the word before
    upright: Array  # bool: False where letters stand above each other, in text turned by a quarter

    def __len__(self) -> int:
        return len(self.text)


def form_words(glyphs: Glyphs) -> PdfWords:
    count = len(glyphs)
    if count == 0:
        return PdfWords([], np.empty((0, 4)), np.empty(0, int), np.empty(0, bool), np.empty(0, bool))
    boxes = glyphs.boxes
    heights = np.maximum(boxes[:, 3] - boxes[:, 1], 0.01)
    # On the same line as the glyph before, and to the right of it: a small step back is kerning or an accent; a
    # large one is a new line or a new column.
    overlap = np.minimum(boxes[1:, 3], boxes[:-1, 3]) - np.maximum(boxes[1:, 1], boxes[:-1, 1])
    low = np.minimum(heights[1:], heights[:-1])
    same_line = np.asarray((overlap > 0.5 * low) & (np.diff(glyphs.starts) > -0.5 * low))
    breaks = ~same_line | glyphs.after_space[1:] | wide_steps(glyphs, heights, same_line)
    turned, turned_breaks = follows_turned(boxes, heights, same_line)
    same_line |= turned
    breaks = np.where(turned, glyphs.after_space[1:] | turned_breaks, breaks)
    first = np.concatenate(([0], np.flatnonzero(breaks) + 1))
    last = np.append(first[1:], count)
    text = glyphs.text()
    return PdfWords(
        text=[text[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)],
        boxes=np.hstack((np.minimum.reduceat(boxes[:, :2], first), np.maximum.reduceat(boxes[:, 2:], first))),
        first=first,
        line_start=np.concatenate(([True], ~same_line[first[1:] - 1])),
        upright=~np.logical_or(np.append(turned, False), np.append(False, turned))[first],
    )


def follows_turned(boxes: Array, heights: Array, same_line: Array) -> tuple[Array, Array]:
    """Where letters follow each other up or down the page, and where a word ends there.

    Only from four letters on: a column of single letters in a table is no turned text.
    """
    widths = np.maximum(boxes[:, 2] - boxes[:, 0], 0.01)
    overlap = np.minimum(boxes[1:, 2], boxes[:-1, 2]) - np.maximum(boxes[1:, 0], boxes[:-1, 0])
    gap = np.maximum(boxes[1:, 1] - boxes[:-1, 3], boxes[:-1, 1] - boxes[1:, 3])
    narrow = np.minimum(widths[1:], widths[:-1])
    turned = ~same_line & (overlap > 0.7 * narrow) & (gap < 0.5 * narrow) & (gap > -0.5 * heights[1:])
    if not turned.any():
        return turned, turned
    edges = np.flatnonzero(np.diff(np.concatenate(([False], turned, [False])).astype(np.int8)))
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start < MIN_TURNED:
            turned[start:end] = False
    return turned, turned & (gap > SPACE * narrow)


def wide_steps(glyphs: Glyphs, heights: Array, same_line: Array) -> Array:
    """Where the step from a glyph to the next is longer than its natural one by at least a space."""
    boxes, starts = glyphs.boxes, glyphs.starts
    steps = np.diff(starts)
    widths = np.maximum(boxes[:-1, 2] - starts[:-1], 0.01)
    codes = glyphs.codes[:-1]
    natural: Array = widths * step_per_width(codes, heights[:-1], widths, steps, same_line)
    # One number for each character of a font and size, which its width tells apart without asking pdfium.
    keys: Array = (np.rint(widths * WIDTHS_PER_POINT).astype(np.int64) << 21) | codes.astype(np.int64)
    rounded = np.clip(steps * STEPS_PER_POINT, 0, STEP_MASK).astype(np.int64)
    learnt = learnt_values(keys, rounded, same_line) / STEPS_PER_POINT
    # A character seen only before spaces ("of") must not pass its space off as natural.
    trusted = (learnt > 0) & (learnt < 1.1 * np.maximum(natural, widths))
    natural = np.where(trusted, learnt, natural)
    # The letters of a ligature share one box: its width is the step of the last of them.
    shared = np.concatenate(([False], (boxes[1:-1, 0] == boxes[:-2, 0]) & (boxes[1:-1, 2] == boxes[:-2, 2])))
    excess = steps - np.where(shared, widths, natural)
    wide = SPACE * (heights[:-1] + heights[1:]) / 2
    exact = same_line & (np.abs(steps - widths) < EXACT)
    if 2 * exact.sum() > same_line.sum():  # boxes are as wide as letters advance: such a step is no space
        return np.asarray(same_line & ~exact & (excess > wide))
    return np.asarray(same_line & (excess > wide))


def learnt_values(keys: Array, values: Array, usable: Array) -> Array:
    """For each character a low one of its values, most of which are inside words; 0 when it is rare."""
    seen = np.sort((keys[usable] << STEP_BITS) | values[usable])  # by character, then by value
    if len(seen) == 0:
        return np.zeros(len(keys), np.int64)
    seen_keys = seen >> STEP_BITS
    begin = np.concatenate(([0], np.flatnonzero(seen_keys[1:] != seen_keys[:-1]) + 1))
    counts = np.diff(np.append(begin, len(seen)))
    low = seen[begin + (counts * LOW).astype(np.int64)] & STEP_MASK
    low[counts < MIN_STEPS] = 0
    known = seen_keys[begin]
    place = np.searchsorted(known, keys).clip(max=len(known) - 1)
    return np.where(known[place] == keys, low[place], 0)


def step_per_width(codes: Array, heights: Array, widths: Array, steps: Array, usable: Array) -> Array:
    """Median step in box widths for each text size: above 1 in spaced-out headings, below in tight print."""
    sizes = np.rint(np.log(heights) * SIZES_PER_E).astype(np.int64)
    ratios = steps / widths
    usable = usable & (ratios < 3)
    scale = np.ones(len(sizes))
    for size in set(sizes[usable].tolist()):
        here = sizes == size
        inside = np.sort(ratios[here & usable])
        # A few accented letters in a box of their own height may stand before spaces only.
        if len(inside) >= MIN_STEPS and len(set(codes[here & usable][:SAMPLE_CHARACTERS].tolist())) >= VARIED:
            scale[here] = min(max(TIGHT, inside[len(inside) // 2]), LOOSE)
    return scale


# Font, size, weight and colour of each word, asked of pdfium once per word and once per font.

BOLD_NAMES = ("bold", "black", "heavy", "demi", "semibd", "-bd")
ITALIC_NAMES = ("italic", "oblique", "slanted", "-it")
# Fonts whose characters are pictures: a telephone stands at the place of some letter.
ICON_NAMES = ("awesome", "icons", "iconfont", "icomoon", "glyphicon", "marvosym", "fontello", "webdings")
BOLD_WEIGHT = 600
ITALIC_FLAG = 1 << 6
FORCE_BOLD_FLAG = 1 << 18
FILL_AND_STROKE = 2  # render mode: the usual way to fake bold


@dataclass(frozen=True, slots=True)
class PdfFont:
    name: str | None
    bold: bool
    italic: bool
    is_icons: bool = False


@dataclass(slots=True)
class WordStyles:
    """Per word, in drawing order."""

    objects: Array  # pdfium's text objects; 0 where there is none
    fonts: list[PdfFont]
    sizes: list[float]  # points, as drawn
    kinds: list[int]  # words of one font and size have the same number
    colors: Array  # (n, 4): red, green, blue, alpha, 0 to 255
    modes: Array  # text render modes

    def color_name(self, word: int) -> str | None:
        if len(self.colors) == 0:  # a picture's words have none
            return None
        red, green, blue = self.colors[word, :3].tolist()
        return f"#{red:02x}{green:02x}{blue:02x}"

    def look(self, word: int) -> tuple[bool, int]:
        """Weight and colour, to be compared with those of other words."""
        red, green, blue = self.colors[word, :3].tolist() if len(self.colors) else (0, 0, 0)
        return self.is_bold(word), (red << 16) + (green << 8) + blue

    def is_bold(self, word: int) -> bool:
        return self.fonts[word].bold or bool(self.modes[word] == FILL_AND_STROKE)


def word_styles(textpage: int, char_index: Array, heights: Array) -> WordStyles:
    """Styles of the words that begin at `char_index`."""
    objects = lib.pointers_at(lib.get_text_object, textpage, char_index)
    pointers = lib.pointers_of(lib.get_font, objects)
    # Words of one font and height have one size: each pair is described once.
    known, font_numbers = np.unique(pointers, return_inverse=True)
    pairs = (font_numbers << 32) | np.rint(heights * 10).astype(np.int64)
    _, examples, kinds = np.unique(pairs, return_index=True, return_inverse=True)
    matrix = lib.OutParameters(6)
    sizes = []
    for index in char_index[examples].tolist():
        size: float = lib.get_char_font_size(textpage, index)
        if lib.get_char_matrix(textpage, index, matrix.places[0]):
            size *= math.hypot(matrix.values[2], matrix.values[3])
        sizes.append(round(size, 1))
    fonts = [describe_font(pointer) for pointer in known.tolist()]
    return WordStyles(
        objects=objects,
        fonts=[fonts[number] for number in font_numbers.tolist()],
        sizes=[sizes[kind] for kind in kinds.tolist()],
        kinds=kinds.tolist(),
        colors=lib.colors_of(lib.get_fill_color, objects),
        modes=lib.ints_of(lib.get_render_mode, objects),
    )


def drop_icons(words: PdfWords, glyphs: Glyphs, styles: WordStyles, textpage: int) -> None:
    """Cut icons off the words' beginnings; a word of icons keeps its place, so that its line stays whole."""
    ends = np.append(words.first[1:], len(glyphs))
    for word, font in enumerate(styles.fonts):
        if not font.is_icons:
            continue
        index = glyphs.index[words.first[word] : ends[word]]
        objects = lib.pointers_at(lib.get_text_object, textpage, index)
        pointers = lib.pointers_of(lib.get_font, objects).tolist()
        icons = sum(pointer == pointers[0] for pointer in pointers)
        words.text[word] = words.text[word][icons:]


def describe_font(pointer: int) -> PdfFont:
    if not pointer:
        return PdfFont(None, bold=False, italic=False)
    name = font_name(pointer)
    plain = (name or "").lower()
    flags = max(lib.get_font_flags(pointer), 0)
    bold = any(part in plain for part in BOLD_NAMES) or bool(flags & FORCE_BOLD_FLAG)
    if not bold and name is None:
        bold = lib.get_font_weight(pointer) >= BOLD_WEIGHT
    italic = any(part in plain for part in ITALIC_NAMES) or bool(flags & ITALIC_FLAG)
    return PdfFont(name, bold, italic, is_icons=any(part in plain for part in ICON_NAMES))


def font_name(pointer: int) -> str | None:
    """The base font's name without the subset prefix ("ABCDEF+")."""
    buffer = ctypes.create_string_buffer(128)
    written = lib.get_font_name(pointer, ctypes.addressof(buffer), 128)
    if not 1 < written <= 128:
        return None
    name = buffer.value.decode("utf-8", "replace")
    prefix, plus, rest = name.partition("+")
    return rest if plus and len(prefix) == 6 and prefix.isupper() else name
