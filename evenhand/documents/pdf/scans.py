"""Pages that are pictures: their text is recognised, put into reading order and marked as such."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.ocr.geometry import Engine, OcrResult
from evenhand.documents.pdf.glyphs import Glyphs, PageFrame
from evenhand.documents.pdf.layout import Decor
from evenhand.documents.pdf.page import PageLines, PageText, add_lines
from evenhand.documents.pdf.shapes import Drawing
from evenhand.documents.pdf.words import PdfFont, PdfWords, WordStyles

DPI = 200.0
MAX_PIXELS = 6_000_000
MIN_TEXT_LETTERS = 15  # a page with fewer letters than this and a large picture is a scan
LARGE = 0.25  # share of the page that a picture covers
MIN_OUTLINE_SHAPES = 150  # shapes on a page without text: letters drawn as outlines
STRIP_MARGIN = 0.25  # of a word's height, above it and below
STRIP_BORDER = 20  # pixels
PRINT_SIZE = 1.0  # of a recognised word's height: its font size


def is_picture(content: PageLines, glyphs: Glyphs, frame: PageFrame) -> bool:
    """Whether the page shows something to read and carries no usable text of its own."""
    letters = 0
    for line in content.lines:
        letters += sum(map(str.isalnum, line.text))
        if letters >= MIN_TEXT_LETTERS:  # a page of text is settled by its first line
            break
    # Most characters without a meaning: a font without a Unicode table.
    codes = glyphs.codes
    unknown = (codes < 0x20) | ((codes >= 0xE000) & (codes < 0xF900)) | (codes == 0xFFFD)
    is_garbled = len(codes) >= MIN_TEXT_LETTERS and bool(np.count_nonzero(unknown) > 0.5 * len(codes))
    if is_garbled or letters >= MIN_TEXT_LETTERS:
        return is_garbled
    pictures = 0.0  # their visible area
    for left, top, right, bottom in (shape.box for shape in content.drawing.shapes if shape.is_image):
        width, height = min(right, frame.width) - max(left, 0), min(bottom, frame.height) - max(top, 0)
        pictures += max(width, 0) * max(height, 0)
    outlines = sum(not shape.is_rule for shape in content.drawing.shapes)
    return pictures > LARGE * frame.width * frame.height or outlines > MIN_OUTLINE_SHAPES


def read_picture(page: pdfium.PdfPage, frame: PageFrame, engine: Engine, deadline: float) -> tuple[OcrResult, float]:
    """What the engine sees on the page, and how many pixels a point has."""
    picture, scale = picture_of(page, frame)
    return engine.read(picture, dpi=scale * 72, deadline=deadline), scale


def picture_of(page: pdfium.PdfPage, frame: PageFrame) -> tuple[np.ndarray, float]:
    scale = min(DPI / 72, (MAX_PIXELS / max(frame.width * frame.height, 1)) ** 0.5)
    image = page.render(scale=scale, grayscale=True).to_numpy()
    return np.ascontiguousarray(image[:, :, 0] if image.ndim == 3 else image), scale


def read_lines_at(
    page: pdfium.PdfPage, frame: PageFrame, boxes: np.ndarray, engine: Engine, deadline: float
) -> tuple[OcrResult, np.ndarray]:
    """What the engine sees in the lines that the boxes are in, and the boxes on the picture of these lines alone."""
    picture, scale = picture_of(page, frame)
    pixels = boxes * scale
    margin = STRIP_MARGIN * (pixels[:, 3] - pixels[:, 1])
    rows = np.zeros(len(picture), bool)
    for top, bottom in zip(pixels[:, 1] - margin, pixels[:, 3] + margin, strict=True):
        rows[max(int(top), 0) : max(int(bottom) + 1, 0)] = True
    strips = np.pad(picture[rows], STRIP_BORDER, constant_values=picture.max())
    places = STRIP_BORDER + np.concatenate(([0], np.cumsum(rows)))
    pixels[:, 1::2] = places[pixels[:, 1::2].round().astype(int).clip(0, len(rows))]
    pixels[:, ::2] += STRIP_BORDER
    return engine.read(strips, dpi=scale * 72, deadline=deadline), pixels


def picture_lines(sight: OcrResult, scale: float, number: int, first_table: int) -> PageLines:
    """The words of a picture as lines in reading order."""
    boxes = np.array([word.box for word in sight.words], float).reshape(-1, 4) / scale
    lines = np.array([word.line for word in sight.words], int)
    count = len(lines)
    for line in set(lines.tolist()):  # a hyphen is as high as its line, or it would stand apart
        here = lines == line
        boxes[here, 1], boxes[here, 3] = boxes[here, 1].min(), boxes[here, 3].max()
    starts = np.concatenate((np.ones(min(count, 1), bool), lines[1:] != lines[:-1]))
    # Engines trained on prose take bullets for the likeliest other sign.
    texts = ["•" if word.text in ("¢", "«", "°", "®") else word.text for word in sight.words]
    words = PdfWords(texts, boxes, np.arange(count), starts, np.ones(count, bool))
    text = PageText(number, words, unknown_styles(boxes), [word.confidence for word in sight.words])
    result = PageLines([], [], [], Drawing([], [], []))
    add_lines(result, text, np.ones(count, bool), first_table, Decor(is_first_page=number == 1))
    return result


def unknown_styles(boxes: np.ndarray) -> WordStyles:
    """Nothing is known of print on a picture but its size."""
    sizes = np.round((boxes[:, 3] - boxes[:, 1]) * PRINT_SIZE, 0)
    return WordStyles(
        objects=np.zeros(len(boxes), np.uint64),
        fonts=[PdfFont(None, bold=False, italic=False)] * len(boxes),
        sizes=sizes.tolist(),
        kinds=sizes.astype(int).tolist(),
        colors=np.empty((0, 4), np.uint32),
        modes=np.zeros(len(boxes), np.int32),
    )


# The invisible text layer that scanners lay over a picture, compared with what can be seen on it.

TOKEN = re.compile(r"[^\W_]+")
SUPPORTED = 0.5  # share of a line's letters that must be seen
ALIKE = 0.7  # similarity from which two words may be the same one: engines misread a letter or two
SHORT = 3  # letters; such words must be equal, too many are alike by chance
NEARBY = 2.0  # of a word's height: engines part a line into words by guess
MAX_COMPARED = 40_000  # pairs of words, about two seconds: a hostile layer may hold a million words


def unsupported_lines(layer: Sequence[str], seen: str) -> list[str]:
    """The lines of the layer of which less than half is seen on the picture."""
    words = OcrText(seen)
    return [line for line in layer if seen_share(line, words) < SUPPORTED]


def seen_share(line: str, seen: OcrText) -> float:
    """Share of the line's letters that are in words seen: a stray "of the" must not carry a line."""
    words = tokens(line)
    letters = sum(map(len, words))
    return sum(len(word) for word in words if word in seen) / letters if letters else 1.0


def seen_in_place(texts: Sequence[str], boxes: np.ndarray, sight: OcrResult) -> list[bool]:
    """Of each text whether it was recognised at its box; none was on a picture that had to be turned."""
    if sight.quarter_turns or not sight.words:
        return [False] * len(texts)
    left, top, right, bottom = np.array([word.box for word in sight.words]).T
    middle = (top + bottom) / 2
    seen = []
    for text, (x0, y0, x1, y1) in zip(texts, boxes.tolist(), strict=True):
        slack = NEARBY * (y1 - y0)
        near = (middle > y0) & (middle < y1) & (left < x1 + slack) & (right > x0 - slack)
        words = OcrText(" ".join(sight.words[place].text for place in np.flatnonzero(near).tolist()))
        seen.append(seen_share(text, words) >= SUPPORTED)
    return seen


class OcrText:
    """A text whose words are found although a letter is misread or a space is missing."""

    def __init__(self, text: str) -> None:
        words = tokens(text)
        self._known = dict.fromkeys(words, True)
        self._run_together = "".join(words)
        self.compared = 0  # pairs so far
        self._by_edge: dict[tuple[int, str, int], list[str]] = defaultdict(list)
        for word in self._known:
            for edge in (0, -1):  # a misread word keeps its length, nearly, and its first or last letter
                self._by_edge[edge, word[edge], len(word)].append(word)

    def __contains__(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = len(word) > SHORT and (word in self._run_together or self._is_misread(word))
        return self._known[word]

    def _is_misread(self, word: str) -> bool:
        slack = max(1, len(word) // 4)
        for edge in (0, -1):
            for length in range(len(word) - slack, len(word) + slack + 1):
                for other in self._by_edge.get((edge, word[edge], length), ()):
                    if self.compared >= MAX_COMPARED:
                        return False
                    self.compared += 1
                    matcher = SequenceMatcher(None, word, other, autojunk=False)
                    if matcher.quick_ratio() > ALIKE and matcher.ratio() > ALIKE:
                        return True
        return False


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text.casefold())
