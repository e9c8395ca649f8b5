"""The models of rapidocr-onnxruntime, run directly: its own code needs OpenCV and gives no spaces to mend.

Only two models of the wheel are used, one that finds lines and one that reads them; nothing of it is imported.
"""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evenhand.documents.ocr.geometry import Grey, OcrResult, OcrWord, SlantedBox, find_boxes, level_lines

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


# The recogniser's output for one line to words: its characters, and the spaces it was too shy to say.
#
# The model was trained on Chinese, where words are not parted, and leaves out spaces that it half sees. Its
# weak signal for a space together with the white gap in the picture tells them as well as a reader could.


LINE_HEIGHT = 48  # pixels, of every picture the model is given
BLANK = 0  # the class that means "no new character here"

# A space is inserted where SIGNAL * log(probability of a space) + GAP * (white gap / line height) + BIAS > 0:
# fitted by logistic regression to 114,000 neighbouring letters of rendered resumes, clean and degraded.
SIGNAL, GAP, BIAS = 1.47, 34.0, 0.53
MAX_GAP = 0.6  # gaps beyond this say no more
NO_SIGNAL = 1e-5
CLOSING = frozenset(",.;:!?)]}%'’\"”/")  # no space is inserted before these
BAND = (0.12, 0.88)  # share of the line's height that is looked at: neighbours' ascenders lie outside

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x3002: 0x2E, 0x3001: 0x2C}


@dataclass(frozen=True, slots=True)
class OcrCharacter:
    text: str
    step: int  # where in the output it is said first
    probability: float


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word of a line; `start` and `end` are shares (0 to 1) of the line's width."""

    text: str
    start: float
    end: float
    confidence: float


def decode_line(output: NDArray[np.float32], classes: Sequence[str], picture: Grey) -> list[LineWord]:
    """Words of a line; `output` has a row of class probabilities for each step along `picture`."""
    letters = greedy_letters(output, classes)
    chinese = any(is_ideograph(letter.text) for letter in letters)
    spaces = output[:, len(classes) - 1]
    white = white_columns(picture)
    scale = len(white) / len(output)
    words: list[LineWord] = []
    for group in grouped(letters, spaces, white):
        text = "".join(letter.text for letter in group)
        # A word reaches from its outer letters on to the next white column.
        first, last = int((group[0].step + 0.5) * scale), int((group[-1].step + 0.5) * scale)
        left, right = np.flatnonzero(white[: first + 1]), np.flatnonzero(white[last:])
        start = int(left[-1]) + 1 if len(left) else 0
        end = last + int(right[0]) if len(right) else len(white)
        words.append(
            LineWord(
                text if chinese else text.translate(FULL_WIDTH),
                start / len(white),
                max(end, start + 1) / len(white),
                confidence=float(np.mean([letter.probability for letter in group])),
            )
        )
    return words


def is_ideograph(character: str) -> bool:
    return unicodedata.category(character[0]) == "Lo"


def greedy_letters(output: NDArray[np.float32], classes: Sequence[str]) -> list[OcrCharacter]:
    """The likeliest class of each step, repetitions and blanks left out."""
    best = output.argmax(axis=1)
    is_new = (best != BLANK) & (np.diff(best, prepend=BLANK) != 0)
    steps = np.flatnonzero(is_new)
    return [
        OcrCharacter(classes[number], step, probability)
        for number, step, probability in zip(
            best[steps].tolist(), steps.tolist(), output[steps, best[steps]].tolist(), strict=True
        )
    ]


def grouped(
    letters: list[OcrCharacter], spaces: NDArray[np.float32], white: NDArray[np.bool_]
) -> Iterator[list[OcrCharacter]]:
    """Letters of one word after another."""
    group: list[OcrCharacter] = []
    for letter in letters:
        is_space = letter.text.isspace()
        if group and (is_space or is_parted(group[-1], letter, spaces, white)):
            yield group
            group = []
        if not is_space:
            group.append(letter)
    if group:
        yield group


def is_parted(before: OcrCharacter, after: OcrCharacter, spaces: NDArray[np.float32], white: NDArray[np.bool_]) -> bool:
    """Whether a space lies between two letters that were said one after the other."""
    if after.text in CLOSING or is_ideograph(before.text) or is_ideograph(after.text):
        return False
    if before.text.isdigit() and after.text.isdigit():  # figures are set equally wide: "11" has a gap like a space
        return False
    signal = max(float(spaces[before.step : after.step + 1].max()), NO_SIGNAL)
    scale = len(white) / len(spaces)
    between = white[int((before.step + 0.5) * scale) : int((after.step + 0.5) * scale)]
    edges = np.flatnonzero(np.diff(np.pad(between, 1).astype(np.int8)))
    longest = int((edges[1::2] - edges[::2]).max()) if len(edges) else 0
    gap = min(longest / LINE_HEIGHT, MAX_GAP)
    return SIGNAL * math.log(signal) + GAP * gap + BIAS > 0


def white_columns(picture: Grey) -> NDArray[np.bool_]:
    """Columns of a line's picture without any ink, be it dark on light or light on dark."""
    low, high = (int(len(picture) * share) for share in BAND)
    dark = picture < ink_threshold(picture)
    ink = dark if dark.mean() < 0.5 else ~dark
    white: NDArray[np.bool_] = np.logical_not(ink[low:high].max(axis=0))
    return white


def ink_threshold(picture: Grey) -> int:
    """The grey that best parts ink from paper (Otsu: the largest variance between the two)."""
    counts = np.bincount(picture.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    grey_below = np.cumsum(counts * np.arange(256))
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = grey_below / below - (grey_below[-1] - grey_below) / above
        variance = np.nan_to_num(below * above * difference**2)
    return int(variance.argmax()) + 1


FINDER, READER = "ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv4_rec_infer.onnx"

FIND_SIDE = 1408  # pixels of the longer side: lines are found as well as at full size, three times as fast
SIZE_PER_HEIGHT = 0.94  # of the boxes it finds
GRAIN = 32  # pixels; sides are multiples of it, as the finder demands and as makes lines of like shapes
MAX_LINE_PIXELS = 4096  # pixels
UNSURE = 0.5  # lines with less confidence are noise
TALL = 1.5  # height to width from which a box may hold text that stands on its side
SAMPLE = 4  # lines that tell whether a page is upside down
TELLING = 8.0  # their width to height: a few words, which are soon read
UPRIGHT = 0.8  # mean confidence from which it surely is not


@dataclass(frozen=True, slots=True)
class ReadLine:
    box: SlantedBox  # in the direction in which it was read
    words: list[LineWord]


@dataclass(frozen=True)
class RapidOcr:
    models: Path

    name = "rapidocr"

    def read(self, image: Grey, *, dpi: float, deadline: float) -> OcrResult:
        boxes = self._boxes(image)
        turns = 0
        # Most of the text, by area, runs up or down the page where it lies on its side.
        lying = sum(box.width * box.height for box in boxes if box.width > TALL * box.height)
        standing = sum(box.width * box.height for box in boxes if box.height > TALL * box.width)
        if standing > lying:
            turns, image = 1, np.rot90(image)
            boxes = self._boxes(image)
        picture = Image.fromarray(np.ascontiguousarray(image))
        # Upside down, a few short lines make more sense the other way round.
        sample = sorted(boxes, key=lambda box: abs(box.width / box.height - TELLING))[:SAMPLE]
        upright = certainty([word for box in sample for word in self._line(picture, box).words])
        over = [around(box, math.pi) for box in sample] if upright < UPRIGHT else []
        if certainty([word for box in over for word in self._line(picture, box).words]) > upright:
            turns += 2
            picture = picture.transpose(Image.Transpose.ROTATE_180)
            boxes = [replace(box, x=picture.width - box.x, y=picture.height - box.y) for box in reversed(boxes)]
        lines = self._lines(picture, boxes, deadline)
        sure = [line for line in lines if certainty(line.words) >= UNSURE]
        words = [word for number, line in enumerate(sure) for word in placed(line, number)]
        centre = (picture.width / 2, picture.height / 2)
        return OcrResult(
            level_lines(words, centre=centre, size_per_height=SIZE_PER_HEIGHT),
            quarter_turns=turns,
            complete=len(lines) == len(boxes),
        )

    def _boxes(self, image: Grey) -> list[SlantedBox]:
        height, width = image.shape
        factor = min(1.0, FIND_SIDE / max(height, width))
        across, down = (max(GRAIN, round(side * factor / GRAIN) * GRAIN) for side in (width, height))
        picture = Image.fromarray(np.ascontiguousarray(image))
        small = np.asarray(picture.resize((across, down), Image.Resampling.BILINEAR))
        text_map = run(self._finder, small)[0, 0]
        right, below = width / across, height / down  # nearly the same factor in both directions
        return [
            SlantedBox(box.x * right, box.y * below, box.width * right, box.height * below, box.angle)
            for box in find_boxes(text_map)
        ]

    def _lines(self, picture: Image.Image, boxes: list[SlantedBox], deadline: float) -> list[ReadLine]:
        """The lines in the boxes, as many as there is time for."""
        lines: list[ReadLine] = []
        for box in boxes:
            if time.monotonic() > deadline:
                break
            ways = [box]
            if box.height >= TALL * box.width:  # a tall box may be read up and down as well
                on_side = replace(box, width=box.height, height=box.width)
                ways += [around(on_side, math.pi / 2), around(on_side, -math.pi / 2)]
            readings = [self._line(picture, way) for way in ways]
            lines.append(max(readings, key=lambda line: certainty(line.words)))
        return lines

    def _line(self, picture: Image.Image, box: SlantedBox) -> ReadLine:
        """What the box's part of the picture says, straightened and as high as the reader wants it."""
        width = min(math.ceil(LINE_HEIGHT * box.width / box.height / GRAIN) * GRAIN, MAX_LINE_PIXELS)
        corners = [*box.point(0, 0), *box.point(0, 1), *box.point(1, 1), *box.point(1, 0)]
        part = picture.transform((width, LINE_HEIGHT), Image.Transform.QUAD, corners, Image.Resampling.BILINEAR)
        line = np.asarray(part)
        return ReadLine(box, decode_line(run(self._reader, line)[0], self._classes, line))

    @cached_property
    def _finder(self) -> InferenceSession:
        return open_model(self.models / FINDER, arena=False)

    @cached_property
    def _reader(self) -> InferenceSession:
        return open_model(self.models / READER, arena=True)

    @cached_property
    def _classes(self) -> list[str]:
        listed: str = self._reader.get_modelmeta().custom_metadata_map["character"]
        return ["", *listed.splitlines(), " "]


def open_model(path: Path, *, arena: bool) -> InferenceSession:
    """A model on one thread. An arena keeps memory from run to run: a third faster for many small pictures, but
    for one large one it would hold hundreds of megabytes for nothing."""
    import onnxruntime  # noqa: PLC0415 - half a second and 60 MB that only scans need

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = arena
    options.enable_mem_pattern = arena  # a plan for each shape, which helps only where shapes recur
    provider = ("CPUExecutionProvider", {"arena_extend_strategy": "kSameAsRequested"})
    return onnxruntime.InferenceSession(str(path), options, providers=[provider])


def run(model: InferenceSession, picture: Grey) -> NDArray[np.float32]:
    """A model's answer to a grey picture, which it wants as three equal colours from -1 to 1."""
    scaled = picture.astype(np.float32) / 127.5 - 1
    given = np.ascontiguousarray(np.broadcast_to(scaled, (1, 3, *picture.shape)))
    answer: NDArray[np.float32] = model.run(None, {model.get_inputs()[0].name: given})[0]
    return answer


def around(box: SlantedBox, angle: float) -> SlantedBox:
    return replace(box, angle=box.angle + angle)


def certainty(words: list[LineWord]) -> float:
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0


def placed(line: ReadLine, number: int) -> list[OcrWord]:
    """Words of a line with their places on the page."""
    box = line.box
    if abs(math.sin(box.angle)) > 0.5:  # a label on its side counts as one word at its upper end
        text = " ".join(word.text for word in line.words)
        left, top = box.x - box.height / 2, box.y - box.width / 2
        place = (left, top, left + box.height, top + box.height)
        return [OcrWord(text, place, certainty(line.words), number)]
    seen = []
    for word in line.words:
        x0, y0 = box.point(word.start, 0.5)
        x1, y1 = box.point(word.end, 0.5)
        middle, half = (y0 + y1) / 2, box.height / 2
        seen.append(OcrWord(word.text, (x0, middle - half, x1, middle + half), word.confidence, number))
    return seen
