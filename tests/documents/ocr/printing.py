"""Pages of known text, printed by Pillow with the font it carries."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evenhand.documents.ocr.geometry import Grey

LINES = [
    "Senior Software Engineer",
    "Ten years of experience in Java and Python",
    "Built payment services for a regional bank",
    "Led a team of four in Dublin",
    "Bachelor of Science in Mathematics, 2011",
    "Speaks English, Spanish and Dutch",
]


def printed(lines: list[str] = LINES, *, size: int = 32, ink: int = 0, paper: int = 255) -> Grey:
    """Lines under each other, twice as far apart as they are high, with a margin around."""
    page = Image.new("L", (900, 2 * size * (len(lines) + 2)), paper)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=size)
    for number, line in enumerate(lines):
        draw.text((60, 2 * size * (number + 1)), line, fill=ink, font=font)
    return np.asarray(page)
