"""Letters of many scripts for PDFs: which font draws what, in which order, and what no font of ours can draw.

FiraGO (Latin, Cyrillic, Greek, Arabic, Hebrew, Thai, Georgian, Devanagari) and two others for signs travel in the file.
Chinese, Japanese and Korean fonts are too large to ship: their letters are drawn with a font of the reader's own, and
the file says which letters those are. What no font is known for is shown by its code point. Nothing becomes an empty
box in silence.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from html import escape

import pymupdf_fonts
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

PLAIN, BOLD = "figo", "figbo"
OWN = (PLAIN, "notos", "cascadia")
OWN_BOLD = (BOLD, "notosbo", "cascadiab")
CHINESE, JAPANESE, KOREAN = ASIAN = ("STSong-Light", "HeiseiMin-W3", "HYSMyeongJo-Medium")
NONE = ""  # no font has the letter
SHORT = 8  # letters: as long as a name
_KANA = re.compile(r"[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_ASIAN = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_SHAPED = re.compile(r"[\u0300-\u036f\u0590-\u08ff\u0900-\u097f\u0e31-\u0e4e\ufb1d-\ufdff\ufe70-\ufeff]")
_SPACES = re.compile(r"(\s+)")
LINE = 60  # letters of a script that runs from the right that are put in one line


class Setter:
    """Sets texts of one PDF, and remembers what it could not draw itself."""

    def __init__(self) -> None:
        self.borrowed: dict[str, None] = {}  # drawn with a font of the reader's own
        self.unknown: dict[str, None] = {}  # shown by their code points
        self._spelled: set[str] = set()  # short stretches that were shown by their code points as well

    def markup(self, text: str, *, bold: bool = False) -> tuple[str, bool]:
        """As reportlab's paragraphs want it: escaped, with the font of every stretch; and whether letters of it change
        their shape beside others."""
        text = unicodedata.normalize("NFC", text)
        is_shaped = _SHAPED.search(text) is not None
        # Whoever shapes a word takes all of it for one font: where there are two, it becomes two words.
        seam = " " if is_shaped else ""
        pieces = (piece if piece == "<br/>" else self._stretch(piece, seam, bold=bold) for piece in _visual(text))
        return "".join(pieces), is_shaped

    def _stretch(self, text: str, seam: str, *, bold: bool) -> str:
        runs = self._runs(text, _asian_font(text), bold=bold)
        return seam.join(self._marked(font, letters, bold=bold) for font, letters in runs)

    def _runs(self, text: str, asian: str, *, bold: bool) -> Iterator[tuple[str, str]]:
        font, letters = "", ""
        for letter in text:
            if not letter.isprintable() and not letter.isspace():
                continue
            chosen = self._choose(letter, asian, font, bold=bold)
            if chosen != font and letters:
                yield font, letters
                letters = ""
            font, letters = chosen, letters + (" " if letter.isspace() else letter)
        if letters:
            yield font, letters

    def _choose(self, letter: str, asian: str, now: str, *, bold: bool) -> str:
        """A font for the letter: the one in use for spaces, so that words stay whole."""
        fonts = OWN_BOLD if bold else OWN
        if letter.isspace():
            return now or fonts[0]
        for font in fonts:
            if ord(letter) in _letters(font):
                return font
        if _ASIAN.match(letter):
            self.borrowed[letter] = None
            return _borrowed(asian)
        self.unknown[letter] = None
        return NONE

    def _marked(self, font: str, letters: str, *, bold: bool) -> str:
        if font == NONE:
            return _code_points(letters)
        if font == (BOLD if bold else PLAIN):
            return escape(letters)
        marked = f'<font name="{font}">{escape(letters)}</font>'
        # A name is seen whatever fonts its reader has; of whole sentences the letters are named at the end.
        if font in ASIAN and len(letters) <= SHORT and letters not in self._spelled:
            self._spelled.add(letters)
            marked += f" {_code_points(letters)}"
        return marked


def letter_name(letter: str) -> str:
    """ "U+674E CJK UNIFIED IDEOGRAPH-674E"."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, 'without a name')}"


def use_fonts() -> None:
    """Those that every letter needs."""
    _letters(PLAIN)
    _letters(BOLD)


def _code_points(letters: str) -> str:
    return "[" + " ".join(f"U+{ord(letter):04X}" for letter in letters if not letter.isspace()) + "]"


def _visual(text: str) -> Iterator[str]:
    """Words in the order in which they are drawn: those of scripts that run from the right are turned round.

    Long stretches of them are cut into lines here, since each line has to be turned by itself.
    """
    stretch: list[str] = []
    for word in _SPACES.split(text):
        if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in word) or (stretch and word.isspace()):
            stretch.append(word)
        else:
            yield from _turned(stretch)
            stretch = []
            yield word
    yield from _turned(stretch)


def _turned(words: list[str]) -> Iterator[str]:
    after = [words.pop()] if words and words[-1].isspace() else []
    line: list[str] = []
    for word in words:
        if line and sum(map(len, line)) + len(word) > LINE:
            yield from reversed(line)
            yield "<br/>"
            line = []
        line.append(word)
    yield from reversed(line)
    yield from after


def _asian_font(text: str) -> str:
    """Han letters look different in the three; what stands around them tells which is meant."""
    if _KANA.search(text):
        return JAPANESE
    return KOREAN if _HANGUL.search(text) else CHINESE


@cache
def _letters(font: str) -> frozenset[int]:
    """Loaded when first needed; the code points it has letters for."""
    loaded = TTFont(font, io.BytesIO(pymupdf_fonts.myfont(font)))
    pdfmetrics.registerFont(loaded)
    return frozenset(loaded.face.charToGlyph)


@cache
def _borrowed(font: str) -> str:
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    return font
