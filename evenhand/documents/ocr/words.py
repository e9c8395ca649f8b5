"""What an engine gives back for a picture, and what every engine can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""Rows of pixels, 0 black to 255 white."""

PixelBox = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word where the engine saw it; words of one printed line share `line`, left to right."""

    text: str
    box: PixelBox  # x0, y0, x1, y1; as high as the size of its line's print
    confidence: float  # 0 to 1
    line: int


@dataclass(frozen=True, slots=True)
class Sight:
    """All words of a picture, in coordinates of the picture turned upright and straight."""

    words: list[SeenWord]
    quarter_turns: int = 0  # counterclockwise turns that made the picture upright
    complete: bool = True  # False: time ran out and words are missing


class Engine(Protocol):
    """Someone who can read a picture."""

    @property
    def name(self) -> str: ...

    def read(self, image: Grey, *, dpi: float, deadline: float) -> Sight:
        """Read until `deadline` (of `time.monotonic`) at the latest."""
        ...
