"""The models of rapidocr-onnxruntime, run directly: its own code needs OpenCV and gives no spaces to mend.

Only two models of the wheel are used, one that finds lines and one that reads them; nothing of it is imported.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evenhand.documents.ocr.boxes import SlantedBox, find_boxes
from evenhand.documents.ocr.letters import LINE_HEIGHT, LineWord, decode_line
from evenhand.documents.ocr.levels import level_lines
from evenhand.documents.ocr.words import Grey, SeenWord, Sight

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

PACKAGE = "rapidocr_onnxruntime"
FINDER, READER = "ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv4_rec_infer.onnx"

FIND_SIDE = 1408  # pixels of the longer side: lines are found as well as at full size, three times as fast
SIZE_PER_HEIGHT = 0.94  # of the boxes it finds
GRAIN = 32  # pixels; sides are multiples of it, as the finder demands and as makes lines of like shapes
LONGEST_LINE = 4096  # pixels
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

    @classmethod
    def find(cls) -> RapidOcr | None:
        package = importlib.util.find_spec(PACKAGE)
        if package is None or importlib.util.find_spec("onnxruntime") is None:
            return None
        for folder in package.submodule_search_locations or []:
            models = Path(folder) / "models"
            if (models / FINDER).is_file() and (models / READER).is_file():
                return cls(models)
        return None

    def read(self, image: Grey, *, dpi: float, deadline: float) -> Sight:
        boxes = self._boxes(image)
        turns = 0
        if lies_on_side(boxes):
            turns, image = 1, np.rot90(image)
            boxes = self._boxes(image)
        picture = Image.fromarray(np.ascontiguousarray(image))
        if self._is_upside_down(picture, boxes):
            turns += 2
            picture = picture.transpose(Image.Transpose.ROTATE_180)
            boxes = [turned_over(box, picture.size) for box in reversed(boxes)]
        lines = self._lines(picture, boxes, deadline)
        sure = [line for line in lines if certainty(line.words) >= UNSURE]
        words = [word for number, line in enumerate(sure) for word in placed(line, number)]
        centre = (picture.width / 2, picture.height / 2)
        return Sight(
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
        return [box.stretched(width / across, height / down) for box in find_boxes(text_map)]

    def _lines(self, picture: Image.Image, boxes: list[SlantedBox], deadline: float) -> list[ReadLine]:
        """The lines in the boxes, as many as there is time for."""
        lines: list[ReadLine] = []
        for box in boxes:
            if time.monotonic() > deadline:
                break
            readings = [self._line(picture, way) for way in ways(box)]
            lines.append(max(readings, key=lambda line: certainty(line.words)))
        return lines

    def _line(self, picture: Image.Image, box: SlantedBox) -> ReadLine:
        line = cut_out(picture, box)
        return ReadLine(box, decode_line(run(self._reader, line)[0], self._classes, line))

    def _is_upside_down(self, picture: Image.Image, boxes: list[SlantedBox]) -> bool:
        """Whether a few short lines make more sense the other way round."""
        sample = sorted(boxes, key=lambda box: abs(box.width / box.height - TELLING))[:SAMPLE]
        upright = self._sureness(picture, sample)
        if upright >= UPRIGHT:
            return False
        return self._sureness(picture, [around(box, math.pi) for box in sample]) > upright

    def _sureness(self, picture: Image.Image, boxes: list[SlantedBox]) -> float:
        return certainty([word for box in boxes for word in self._line(picture, box).words])

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


def lies_on_side(boxes: list[SlantedBox]) -> bool:
    """Whether most of the text, by area, runs up or down the page."""
    lying = sum(box.width * box.height for box in boxes if box.width > TALL * box.height)
    standing = sum(box.width * box.height for box in boxes if box.height > TALL * box.width)
    return standing > lying


def ways(box: SlantedBox) -> Iterator[SlantedBox]:
    """The directions in which a box may be read: upright, and if it is tall, up and down."""
    yield box
    if box.height >= TALL * box.width:
        on_side = SlantedBox(box.x, box.y, box.height, box.width, box.angle)
        yield around(on_side, math.pi / 2)
        yield around(on_side, -math.pi / 2)


def around(box: SlantedBox, angle: float) -> SlantedBox:
    return SlantedBox(box.x, box.y, box.width, box.height, box.angle + angle)


def turned_over(box: SlantedBox, size: tuple[int, int]) -> SlantedBox:
    return SlantedBox(size[0] - box.x, size[1] - box.y, box.width, box.height, box.angle)


def cut_out(picture: Image.Image, box: SlantedBox) -> Grey:
    """The box's part of the picture, straightened and as high as the reader wants it."""
    width = min(math.ceil(LINE_HEIGHT * box.width / box.height / GRAIN) * GRAIN, LONGEST_LINE)
    corners = [*box.point(0, 0), *box.point(0, 1), *box.point(1, 1), *box.point(1, 0)]
    line = picture.transform((width, LINE_HEIGHT), Image.Transform.QUAD, corners, Image.Resampling.BILINEAR)
    return np.asarray(line)


def certainty(words: list[LineWord]) -> float:
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / letters if letters else 0.0


def placed(line: ReadLine, number: int) -> list[SeenWord]:
    """Words of a line with their places on the page."""
    box = line.box
    if abs(math.sin(box.angle)) > 0.5:  # a label on its side counts as one word at its upper end
        text = " ".join(word.text for word in line.words)
        left, top = box.x - box.height / 2, box.y - box.width / 2
        place = (left, top, left + box.height, top + box.height)
        return [SeenWord(text, place, certainty(line.words), number)]
    seen = []
    for word in line.words:
        x0, y0 = box.point(word.start, 0.5)
        x1, y1 = box.point(word.end, 0.5)
        middle, half = (y0 + y1) / 2, box.height / 2
        seen.append(SeenWord(word.text, (x0, middle - half, x1, middle + half), word.confidence, number))
    return seen
