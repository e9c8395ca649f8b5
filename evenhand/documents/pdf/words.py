"""Characters to words, by the distances at which they are drawn.

Many files draw no space characters, or round positions so that a fixed gap either glues or splits words. So
the natural step from each character to the next is learnt from the page itself; a word ends where a step is
longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.documents.pdf.glyphs import Glyphs

Array = np.ndarray

SPACE = 0.13  # of the line's height: a longer step than natural by this much is a space
ENOUGH = 5  # steps seen of one character before its own natural step is trusted
SIZES_PER_E = 8  # text sizes closer than about an eighth count as one
TIGHT = 0.85  # print is never tighter than this: boxes of slanted letters are wider than their step
LOOSE = 1.7  # nor looser: bullets before their text are no spaced-out word
WIDTHS_PER_POINT = 8
STEPS_PER_POINT, STEP_BITS = 64, 16
EXACT = 0.03  # points
MANY = 200  # characters among which some differ
VARIED = 4  # different characters that tell how a size is spaced
STEP_MASK = (1 << STEP_BITS) - 1
LEAST_TURNED = 3  # steps up or down in a row that make turned text
LOW = 0.2  # the quantile that is natural: most steps are inside words


@dataclass(slots=True)
class Words:
    """Words in drawing order; `first` is the glyph each begins with."""

    text: list[str]
    boxes: Array  # (n, 4): left, top, right, bottom
    first: Array  # glyph positions
    line_start: Array  # bool: not on the same line as the word before
    upright: Array  # bool: False where letters stand above each other, in text turned by a quarter

    def __len__(self) -> int:
        return len(self.text)


def form_words(glyphs: Glyphs) -> Words:
    count = len(glyphs)
    if count == 0:
        return Words([], np.empty((0, 4)), np.empty(0, int), np.empty(0, bool), np.empty(0, bool))
    boxes = glyphs.boxes
    heights = np.maximum(boxes[:, 3] - boxes[:, 1], 0.01)
    same_line = follows_on_line(boxes, glyphs.starts, heights)
    breaks = ~same_line | glyphs.after_space[1:] | wide_steps(glyphs, heights, same_line)
    turned, turned_breaks = follows_turned(boxes, heights, same_line)
    same_line |= turned
    breaks = np.where(turned, glyphs.after_space[1:] | turned_breaks, breaks)
    first = np.concatenate(([0], np.flatnonzero(breaks) + 1))
    last = np.append(first[1:], count)
    text = glyphs.text()
    return Words(
        text=[text[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)],
        boxes=np.stack(
            (
                np.minimum.reduceat(boxes[:, 0], first),
                np.minimum.reduceat(boxes[:, 1], first),
                np.maximum.reduceat(boxes[:, 2], first),
                np.maximum.reduceat(boxes[:, 3], first),
            ),
            axis=1,
        ),
        first=first,
        line_start=np.concatenate(([True], ~same_line[first[1:] - 1])),
        upright=~np.logical_or(np.append(turned, False), np.append(False, turned))[first],
    )


def follows_on_line(boxes: Array, starts: Array, heights: Array) -> Array:
    """For each glyph but the first: drawn to the right of the one before, on the same line."""
    overlap = np.minimum(boxes[1:, 3], boxes[:-1, 3]) - np.maximum(boxes[1:, 1], boxes[:-1, 1])
    low = np.minimum(heights[1:], heights[:-1])
    # A small step back is kerning or an accent; a large one is a new line or a new column.
    forward = np.diff(starts) > -0.5 * low
    return np.asarray((overlap > 0.5 * low) & forward)


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
        if end - start < LEAST_TURNED:
            turned[start:end] = False
    return turned, turned & (gap > SPACE * narrow)


def wide_steps(glyphs: Glyphs, heights: Array, same_line: Array) -> Array:
    """Where the step from a glyph to the next is longer than its natural one by at least a space."""
    boxes, starts = glyphs.boxes, glyphs.starts
    steps = np.diff(starts)
    widths = np.maximum(boxes[:-1, 2] - starts[:-1], 0.01)
    natural = natural_steps(glyphs.codes[:-1], heights[:-1], widths, steps, same_line)
    # The letters of a ligature share one box: its width is the step of the last of them.
    shared = np.concatenate(([False], (boxes[1:-1, 0] == boxes[:-2, 0]) & (boxes[1:-1, 2] == boxes[:-2, 2])))
    excess = steps - np.where(shared, widths, natural)
    wide = SPACE * (heights[:-1] + heights[1:]) / 2
    exact = same_line & (np.abs(steps - widths) < EXACT)
    if 2 * exact.sum() > same_line.sum():  # boxes are as wide as letters advance: such a step is no space
        return np.asarray(same_line & ~exact & (excess > wide))
    return np.asarray(same_line & (excess > wide))


def character_keys(codes: Array, widths: Array) -> Array:
    """One number for each character of a font and size, which its width tells apart without asking pdfium."""
    keys: Array = (np.rint(widths * WIDTHS_PER_POINT).astype(np.int64) << 21) | codes.astype(np.int64)
    return keys


def learnt_values(keys: Array, values: Array, usable: Array) -> Array:
    """For each character a low one of its values, most of which are inside words; 0 when it is rare."""
    seen = np.sort((keys[usable] << STEP_BITS) | values[usable])  # by character, then by value
    if len(seen) == 0:
        return np.zeros(len(keys), np.int64)
    seen_keys = seen >> STEP_BITS
    begin = np.concatenate(([0], np.flatnonzero(seen_keys[1:] != seen_keys[:-1]) + 1))
    counts = np.diff(np.append(begin, len(seen)))
    low = seen[begin + (counts * LOW).astype(np.int64)] & STEP_MASK
    low[counts < ENOUGH] = 0
    known = seen_keys[begin]
    place = np.searchsorted(known, keys).clip(max=len(known) - 1)
    return np.where(known[place] == keys, low[place], 0)


def natural_steps(codes: Array, heights: Array, widths: Array, steps: Array, usable: Array) -> Array:
    """The step each character takes inside a word, learnt from the page where it is seen often enough."""
    natural: Array = widths * step_per_width(codes, heights, widths, steps, usable)
    rounded = np.clip(steps * STEPS_PER_POINT, 0, STEP_MASK).astype(np.int64)
    learnt = learnt_values(character_keys(codes, widths), rounded, usable) / STEPS_PER_POINT
    # A character seen only before spaces ("of") must not pass its space off as natural.
    trusted = (learnt > 0) & (learnt < 1.1 * np.maximum(natural, widths))
    return np.where(trusted, learnt, natural)


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
        if len(inside) >= ENOUGH and len(set(codes[here & usable][:MANY].tolist())) >= VARIED:
            scale[here] = min(max(TIGHT, inside[len(inside) // 2]), LOOSE)
    return scale
