"""A page as it is drawn, and how much of each letter can be seen on it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import Glyphs, PageFrame
from evenhand.documents.pdf.words import PdfWords, WordStyles

Array = np.ndarray

SCALE = 1.5  # pixels a point: letters of usual print are 8 pixels wide
MAX_SIDE = 1600  # pixels
ROWS, COLUMNS = 10, 6  # places at which each letter is looked at
TOP, BOTTOM = -0.78, 0.24  # of the size, from the baseline: where letters are
MAX_BANDS = 8  # of one page that are drawn by themselves
GAP = 20  # pixels between them
MARGIN = 0.25  # of a letter's height that is drawn around it
BODY = slice(3, 8)  # rows in which every letter and no underline has ink
STEPS = ((np.arange(ROWS, dtype=np.float32) + 0.5) / ROWS)[:, None]
DOWN = TOP + STEPS * (BOTTOM - TOP)
ACROSS = ((np.arange(COLUMNS, dtype=np.float32) + 0.5) / COLUMNS)[:, None]


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is needed to judge the words of one page."""

    page: pdfium.PdfPage
    frame: PageFrame
    textpage: int
    glyphs: Glyphs
    words: PdfWords
    styles: WordStyles

    def word_of_glyph(self) -> Array:
        counts = np.diff(np.append(self.words.first, len(self.glyphs)))
        return np.repeat(np.arange(len(self.words)), counts)

    def part(self, chosen: Array) -> PageContent:
        """The words marked in `chosen`, at least one, without the others."""
        letters = chosen[self.word_of_glyph()]
        words, styles, places = self.words, self.styles, np.flatnonzero(chosen)
        counts = np.diff(np.append(words.first, len(self.glyphs)))[places]
        return replace(
            self,
            glyphs=self.glyphs.part(letters),
            words=PdfWords(
                text=[words.text[place] for place in places.tolist()],
                boxes=words.boxes[places],
                first=np.cumsum(counts) - counts,
                line_start=words.line_start[places],
                upright=words.upright[places],
            ),
            styles=WordStyles(
                objects=styles.objects[places],
                fonts=[styles.fonts[place] for place in places.tolist()],
                sizes=[styles.sizes[place] for place in places.tolist()],
                kinds=[styles.kinds[place] for place in places.tolist()],
                colors=styles.colors[places],
                modes=styles.modes[places],
            ),
        )

    def objects_of(self, words: Iterable[int]) -> set[int]:
        """All text objects that draw these words; a word may be drawn letter by letter."""
        ends = np.append(self.words.first[1:], len(self.glyphs))
        letters = [np.arange(self.words.first[word], ends[word]) for word in words]
        index = self.glyphs.index[np.concatenate(letters)] if letters else np.empty(0, np.int32)
        return set(lib.pointers_at(lib.get_text_object, self.textpage, index).tolist()) - {0}

    @contextmanager
    def without(self, objects: Collection[int]) -> Iterator[None]:
        """The page without these objects."""
        for obj in objects:
            lib.set_active(obj, 0)
        try:
            yield
        finally:
            for obj in objects:
                lib.set_active(obj, 1)

    def lay_paper(self) -> None:
        """Put a white sheet under everything: blend modes take colours of it, and of a bare page in few programs."""
        width, height = self.page.get_size()
        sheet = raw.FPDFPageObj_CreateNewRect(-width, -height, 3 * width, 3 * height)
        raw.FPDFPageObj_SetFillColor(sheet, 255, 255, 255, 255)
        raw.FPDFPath_SetDrawMode(sheet, raw.FPDF_FILLMODE_WINDING, False)
        raw.FPDFPage_InsertObjectAtIndex(self.page.raw, sheet, 0)

    def bodies(self) -> Array:
        """The part of each word's box between the baseline and the height of an x; turned words as they are."""
        boxes = self.words.boxes.copy()
        upright = self.words.upright
        baseline, sizes = self.glyphs.baselines[self.words.first], np.array(self.styles.sizes)
        boxes[upright, 1] = (baseline - 0.45 * sizes)[upright]
        boxes[upright, 3] = baseline[upright]
        return boxes


@dataclass(frozen=True, slots=True)
class View:
    """The part of a page around some words, in colour."""

    page: pdfium.PdfPage
    scale: float
    crop: tuple[float, float, float, float]  # points cut off at the left, bottom, right and top
    left: float
    top: float

    @classmethod
    def of(cls, content: PageContent, words: Iterable[int], scale: float = 2.0) -> View:
        boxes = content.words.boxes[list(words)]
        width, height = content.frame.width, content.frame.height
        left, top = np.floor(boxes[:, :2].min(axis=0) - 4).clip(0, [width - 1, height - 1]).tolist()
        right, bottom = np.ceil(boxes[:, 2:].max(axis=0) + 4).clip([left + 1, top + 1], [width, height]).tolist()
        scale = min(scale, scale / 2 * MAX_SIDE / max(width, height, 1.0))
        crop = (left, max(height - bottom, 0), max(width - right, 0), top)
        return cls(content.page, scale, crop, left, top)

    def drawn(self) -> Array:
        bitmap = self.page.render(scale=self.scale, crop=self.crop, no_smoothtext=True)
        return np.asarray(bitmap.to_numpy()[:, :, :3]).copy()

    def region(self, picture: Array, box: Array) -> Array:
        shifted = (box - (self.left, self.top, self.left, self.top)) * self.scale
        left, top, right, bottom = (max(edge, 0) for edge in shifted.round().astype(int).tolist())
        return picture[top : bottom + 1, left : right + 1]


class Samples:
    """Where the letters of a page are looked at: a grid of places for each."""

    def __init__(self, content: PageContent, scale: float = SCALE, size_factor: float = 1.0) -> None:
        glyphs, words, frame = content.glyphs, content.words, content.frame
        of = content.word_of_glyph()
        self.page = content.page
        self.scale = min(scale, scale / SCALE * MAX_SIDE / max(frame.width, frame.height, 1.0))
        sizes = np.array(content.styles.sizes)[of] * size_factor
        left, right = glyphs.starts, np.maximum(glyphs.boxes[:, 2], glyphs.starts + 0.1)
        self.down = (glyphs.baselines + DOWN * sizes) * self.scale  # rows by letters
        self.across = (left + ACROSS * (right - left)) * self.scale  # columns by letters
        turned = ~words.upright[of]
        if turned.any():
            x0, y0, x1, y1 = glyphs.boxes[turned].T * self.scale
            self.down[:, turned] = y0 + (y1 - y0) * STEPS
            self.across[:, turned] = x0 + (x1 - x0) * ACROSS

    def drawn(self, letters: Array | None = None) -> list[Band]:
        """The page as it is now, in greys, at least where these letters are; paper where it cannot be drawn."""
        every = slice(None)
        try:
            if letters is None:
                return [Band(grey_picture(self.page, self.scale), 0, 0, every)]
            width, height = (math.ceil(side * self.scale) for side in self.page.get_size())
            bands = []
            groups = self.neighbours(letters)
            for group in groups:
                down, across = self.down[:, group], self.across[:, group]
                room = int(MARGIN * (down[-1] - down[0]).max()) + 2
                left, right = max(0, min(int(across[0].min()) - room, width - 1)), int(across[-1].max()) + room
                top, bottom = max(0, min(int(down[0].min()) - room, height - 1)), int(down[-1].max()) + room
                margins = (left, max(height - max(bottom, 1), 0), max(width - max(right, 1), 0), top)
                is_all = len(group) == self.down.shape[1]
                bands.append(Band(grey_picture(self.page, self.scale, margins), left, top, every if is_all else group))
        except (ValueError, pdfium.PdfiumError):  # a page of no size
            return [Band(np.full((1, 1), 255, np.uint8), 0, 0, every)]
        return bands

    def neighbours(self, letters: Array) -> list[Array]:
        """The letters in as many groups as are worth a picture of their own, from the top down."""
        tops, bottoms = self.down[0, letters], self.down[-1, letters]
        order = np.argsort(tops, kind="stable")
        gaps = tops[order][1:] - np.maximum.accumulate(bottoms[order])[:-1]
        cuts = np.flatnonzero(gaps > GAP)
        if len(cuts) == 0:
            return [letters]
        if len(cuts) >= MAX_BANDS:
            cuts = np.sort(cuts[np.argsort(-gaps[cuts])[: MAX_BANDS - 1]])
        return np.split(letters[order], cuts + 1)

    def taken(self, bands: list[Band] | None = None) -> Array:
        """The greys of what was drawn, by default of the page as it is now: rows, columns, letters; 0 elsewhere."""
        bands = self.drawn() if bands is None else bands
        if len(bands) == 1 and isinstance(bands[0].letters, slice):
            return bands[0].greys(self.down, self.across)
        greys = np.zeros((ROWS, COLUMNS, self.down.shape[1]), np.uint8)
        for band in bands:
            greys[:, :, band.letters] = band.greys(self.down[:, band.letters], self.across[:, band.letters])
        return greys


@dataclass(frozen=True, slots=True)
class Band:
    """A part of the page as it is drawn, and the letters to look for on it."""

    picture: Array
    left: int  # pixels from the page's corner
    top: int
    letters: Array | slice

    def greys(self, down: Array, across: Array) -> Array:
        height, width = self.picture.shape
        rows = (down - self.top).clip(0, height - 1).astype(np.int32) * width
        columns = (across - self.left).clip(0, width - 1).astype(np.int32)
        return np.asarray(self.picture.ravel().take(rows[:, None] + columns))


def grey_picture(page: pdfium.PdfPage, scale: float, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> Array:
    """The page without `margins`: whole pixels left out at the left, bottom, right and top."""
    left, bottom, right, top = (max(margin - 0.5, 0) / scale for margin in margins)  # pdfium's binding rounds up
    picture = page.render(scale=scale, crop=(left, bottom, right, top), grayscale=True).to_numpy()
    return np.ascontiguousarray(picture[:, :, 0] if picture.ndim == 3 else picture)
