"""Fonts that need no file of ours: the standard ones of every PDF viewer, and Vera, which reportlab brings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from evenhand.corpora.manuscript import Run


@dataclass(frozen=True, slots=True)
class Face:
    regular: str
    bold: str
    italic: str
    bold_italic: str

    def font_for(self, run: Run, *, bold: bool = False, italic: bool = False) -> str:
        slanted = run.italic or italic
        if run.bold or bold:
            return self.bold_italic if slanted else self.bold
        return self.italic if slanted else self.regular


HELVETICA = Face("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
TIMES = Face("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")
COURIER = Face("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique")
VERA = Face("Vera", "VeraBd", "VeraIt", "VeraBI")
STANDARD = (HELVETICA, TIMES, COURIER)


@cache
def register_vera() -> None:
    for name in (VERA.regular, VERA.bold, VERA.italic, VERA.bold_italic):
        try:
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
        except TTFError as error:  # the file is part of reportlab's wheel, but not of every distribution
            raise RuntimeError(f"reportlab came without its font {name}") from error


def can_write(face: Face, text: str) -> bool:
    """Whether every character exists in the font; the standard fonts know those of Windows' western charset."""
    if face is not VERA:
        return _encodable(text)
    register_vera()
    known = pdfmetrics.getFont(VERA.regular).face.charToGlyph
    return all(ord(character) in known for character in text if character not in "\n\t")


def _encodable(text: str) -> bool:
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=50_000)
def width_of(text: str, font: str) -> float:
    """At size 1. The cache pays because resumes repeat words, and its size keeps a long run's memory flat."""
    return float(pdfmetrics.stringWidth(text, font, 1000)) / 1000
