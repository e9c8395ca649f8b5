"""Pages that are pictures: their text is recognised, put into reading order and marked as such."""

from __future__ import annotations

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.ocr.words import Engine, Sight
from evenhand.documents.pdf.glyphs import Frame, Glyphs
from evenhand.documents.pdf.layout import Decor
from evenhand.documents.pdf.lines import PageText
from evenhand.documents.pdf.page import PageLines, add_lines
from evenhand.documents.pdf.shapes import Drawing
from evenhand.documents.pdf.style import Font, Styles
from evenhand.documents.pdf.words import Words

DPI = 200.0
MOST_PIXELS = 6_000_000
FEW_LETTERS = 15  # a page with fewer letters than this and a large picture is a scan
LARGE = 0.25  # share of the page that a picture covers
MANY_OUTLINES = 150  # shapes on a page without text: letters drawn as outlines
PRINT_SIZE = 1.0  # of a recognised word's height: its font size


def is_picture(found: PageLines, glyphs: Glyphs, frame: Frame) -> bool:
    """Whether the page shows something to read and carries no usable text of its own."""
    if has_letters(found) and not is_garbled(glyphs):
        return False
    pictures = sum(visible_area(shape.box, frame) for shape in found.drawing.shapes if shape.is_image)
    outlines = sum(not shape.is_rule for shape in found.drawing.shapes)
    return pictures > LARGE * frame.width * frame.height or outlines > MANY_OUTLINES or is_garbled(glyphs)


def has_letters(found: PageLines) -> bool:
    letters = 0
    for line in found.lines:  # a page of text is settled by its first line
        letters += sum(map(str.isalnum, line.text))
        if letters >= FEW_LETTERS:
            return True
    return False


def is_garbled(glyphs: Glyphs) -> bool:
    """Whether most characters have no meaning: a font without a Unicode table."""
    codes = glyphs.codes
    unknown = (codes < 0x20) | ((codes >= 0xE000) & (codes < 0xF900)) | (codes == 0xFFFD)
    return len(codes) >= FEW_LETTERS and bool(np.count_nonzero(unknown) > 0.5 * len(codes))


def visible_area(box: tuple[float, float, float, float], frame: Frame) -> float:
    width = min(box[2], frame.width) - max(box[0], 0)
    height = min(box[3], frame.height) - max(box[1], 0)
    return max(width, 0) * max(height, 0)


def read_picture(page: pdfium.PdfPage, frame: Frame, engine: Engine, deadline: float) -> tuple[Sight, float]:
    """What the engine sees on the page, and how many pixels a point has."""
    scale = min(DPI / 72, (MOST_PIXELS / max(frame.width * frame.height, 1)) ** 0.5)
    image = page.render(scale=scale, grayscale=True).to_numpy()
    picture = np.ascontiguousarray(image[:, :, 0] if image.ndim == 3 else image)
    return engine.read(picture, dpi=scale * 72, deadline=deadline), scale


def picture_lines(sight: Sight, scale: float, number: int, first_table: int) -> PageLines:
    """The words of a picture as lines in reading order."""
    boxes = np.array([word.box for word in sight.words], float).reshape(-1, 4) / scale
    lines = np.array([word.line for word in sight.words], int)
    count = len(lines)
    for line in set(lines.tolist()):  # a hyphen is as high as its line, or it would stand apart
        here = lines == line
        boxes[here, 1], boxes[here, 3] = boxes[here, 1].min(), boxes[here, 3].max()
    starts = np.concatenate((np.ones(min(count, 1), bool), lines[1:] != lines[:-1]))
    words = Words(
        [as_printed(word.text) for word in sight.words], boxes, np.arange(count), starts, np.ones(count, bool)
    )
    text = PageText(number, words, unknown_styles(boxes), [word.confidence for word in sight.words])
    result = PageLines([], [], [], Drawing([], [], []))
    add_lines(result, text, np.ones(count, bool), first_table, Decor(is_first_page=number == 1))
    return result


def as_printed(text: str) -> str:
    """Engines trained on prose take bullets for the likeliest other sign."""
    return "•" if text in ("¢", "«", "°", "®") else text


def unknown_styles(boxes: np.ndarray) -> Styles:
    """Nothing is known of print on a picture but its size."""
    sizes = np.round((boxes[:, 3] - boxes[:, 1]) * PRINT_SIZE, 0)
    return Styles(
        objects=np.zeros(len(boxes), np.uint64),
        fonts=[Font(None, bold=False, italic=False)] * len(boxes),
        sizes=sizes.tolist(),
        kinds=sizes.astype(int).tolist(),
        colors=np.empty((0, 4), np.uint32),
        modes=np.zeros(len(boxes), np.int32),
    )
