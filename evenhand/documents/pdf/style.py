"""Font, size, weight and colour of each word, asked of pdfium once per word and once per font."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass

import numpy as np

from evenhand.documents.pdf import bulk
from evenhand.documents.pdf import pdfium as lib
from evenhand.documents.pdf.glyphs import Glyphs
from evenhand.documents.pdf.words import Words

Array = np.ndarray

BOLD_NAMES = ("bold", "black", "heavy", "demi", "semibd", "-bd")
ITALIC_NAMES = ("italic", "oblique", "slanted", "-it")
# Fonts whose characters are pictures: a telephone stands at the place of some letter.
ICON_NAMES = ("awesome", "icons", "iconfont", "icomoon", "glyphicon", "marvosym", "fontello", "webdings")
BOLD_WEIGHT = 600
ITALIC_FLAG = 1 << 6
FORCE_BOLD_FLAG = 1 << 18
FILL_AND_STROKE = 2  # render mode: the usual way to fake bold


@dataclass(frozen=True, slots=True)
class Font:
    name: str | None
    bold: bool
    italic: bool
    is_icons: bool = False


@dataclass(slots=True)
class Styles:
    """Per word, in drawing order."""

    objects: Array  # pdfium's text objects; 0 where there is none
    fonts: list[Font]
    sizes: list[float]  # points, as drawn
    kinds: list[int]  # words of one font and size have the same number
    colors: Array  # (n, 4): red, green, blue, alpha, 0 to 255
    modes: Array  # text render modes

    def color_name(self, word: int) -> str | None:
        if len(self.colors) == 0:  # a picture's words have none
            return None
        red, green, blue = self.colors[word, :3].tolist()
        return f"#{red:02x}{green:02x}{blue:02x}"

    def look(self, word: int) -> tuple[bool, int]:
        """Weight and colour, to be compared with those of other words."""
        red, green, blue = self.colors[word, :3].tolist() if len(self.colors) else (0, 0, 0)
        return self.is_bold(word), (red << 16) + (green << 8) + blue

    def is_bold(self, word: int) -> bool:
        return self.fonts[word].bold or bool(self.modes[word] == FILL_AND_STROKE)


def word_styles(textpage: int, char_index: Array, heights: Array) -> Styles:
    """Styles of the words that begin at `char_index`."""
    objects = bulk.pointers_at(lib.get_text_object, textpage, char_index)
    pointers = bulk.pointers_of(lib.get_font, objects)
    # Words of one font and height have one size: each pair is described once.
    known, font_numbers = np.unique(pointers, return_inverse=True)
    pairs = (font_numbers << 32) | np.rint(heights * 10).astype(np.int64)
    _, examples, kinds = np.unique(pairs, return_index=True, return_inverse=True)
    matrix = lib.Answer(6)
    sizes = [drawn_size(textpage, int(char_index[word]), matrix) for word in examples]
    fonts = [describe_font(pointer) for pointer in known.tolist()]
    return Styles(
        objects=objects,
        fonts=[fonts[number] for number in font_numbers.tolist()],
        sizes=[sizes[kind] for kind in kinds.tolist()],
        kinds=kinds.tolist(),
        colors=bulk.colors_of(lib.get_fill_color, objects),
        modes=bulk.ints_of(lib.get_render_mode, objects),
    )


def drop_icons(words: Words, glyphs: Glyphs, styles: Styles, textpage: int) -> None:
    """Cut icons off the words' beginnings; a word of icons keeps its place, so that its line stays whole."""
    ends = np.append(words.first[1:], len(glyphs))
    for word, font in enumerate(styles.fonts):
        if not font.is_icons:
            continue
        index = glyphs.index[words.first[word] : ends[word]]
        objects = bulk.pointers_at(lib.get_text_object, textpage, index)
        pointers = bulk.pointers_of(lib.get_font, objects).tolist()
        icons = sum(pointer == pointers[0] for pointer in pointers)
        words.text[word] = words.text[word][icons:]


def describe_font(pointer: int) -> Font:
    if not pointer:
        return Font(None, bold=False, italic=False)
    name = font_name(pointer)
    plain = (name or "").lower()
    flags = lib.get_font_flags(pointer)
    flags = 0 if flags < 0 else flags
    bold = any(part in plain for part in BOLD_NAMES) or bool(flags & FORCE_BOLD_FLAG)
    if not bold and name is None:
        bold = lib.get_font_weight(pointer) >= BOLD_WEIGHT
    italic = any(part in plain for part in ITALIC_NAMES) or bool(flags & ITALIC_FLAG)
    return Font(name, bold, italic, is_icons=any(part in plain for part in ICON_NAMES))


def font_name(pointer: int) -> str | None:
    """The base font's name without the subset prefix ("ABCDEF+")."""
    buffer = ctypes.create_string_buffer(128)
    written = lib.get_font_name(pointer, ctypes.addressof(buffer), 128)
    if not 1 < written <= 128:
        return None
    name = buffer.value.decode("utf-8", "replace")
    prefix, plus, rest = name.partition("+")
    return rest if plus and len(prefix) == 6 and prefix.isupper() else name


def drawn_size(textpage: int, index: int, matrix: lib.Answer) -> float:
    nominal: float = lib.get_char_font_size(textpage, index)
    if not lib.get_char_matrix(textpage, index, matrix.places[0]):
        return round(nominal, 1)
    c, d = matrix.values[2], matrix.values[3]
    return round(nominal * math.hypot(c, d), 1)
