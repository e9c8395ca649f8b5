"""Whether letters look like what the file says they are.

A font decides both what a letter looks like and, in a table of its own, which character it stands for: it can show
dashes, or one word, and say another. So each letter's picture is compared with the letters of the standard fonts by
a linear classifier. Fonts differ, and one letter tells little; but over a few words the letters of every honest font
resemble themselves far more than they resemble others.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.pdf import glyphs as lib
from evenhand.documents.pdf.glyphs import page_frame, page_glyphs
from evenhand.documents.pdf.picture import COLUMNS, ROWS, SCALE, PageContent, Samples
from evenhand.documents.pdf.visibility import inside_clip
from evenhand.documents.pdf.words import form_words, word_styles

Array = np.ndarray

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
STANDARD_FONTS = tuple(
    f"{family}{style}"
    for family, styles in (
        ("Helvetica", ("", "-Bold", "-Oblique", "-BoldOblique")),
        ("Times", ("-Roman", "-Bold", "-Italic", "-BoldItalic")),
        ("Courier", ("", "-Bold", "-Oblique", "-BoldOblique")),
    )
    for style in styles
)
SIZES = (8, 9.5, 11, 13)
DIGITS = 10  # they are only what letters may be taken for: figures of many fonts look like no others
NOISE = 0.02  # variance that all greys have in common
FINE_SCALE = 3.0  # pixels a point, where a coarse look leaves doubts
# Resemblance at SCALE is 0.88 on average in real resumes and 0.43 for another letter, at FINE_SCALE 0.95 and 0.36. A
# run of letters is odd when what it falls short of the middle adds up.
EXPECTED = 0.65
SHORTFALL, FINE_SHORTFALL = 4.0, 2.5
UNLIKE = 0.0  # what letters count that cannot be letters: several in one place
UNCUT = 0.98  # of a word's body: lines cut at a page's end look like nothing
LIGATURE = 3  # letters at most
SIZE_FACTORS = (0.85, 1.18)  # fonts that call themselves larger or smaller than they are


@dataclass(frozen=True, slots=True)
class Alphabet:
    """A linear classifier of letters by their greys."""

    weights: Array  # samples by characters
    offsets: Array
    usual: Array  # how much each character resembles itself

    def resemblance(self, greys: Array, characters: Array) -> Array:
        """How much each letter looks like its character in either case: 1 as in standard fonts, 0 as any other."""
        scores = greys @ self.weights + self.offsets
        rows = np.arange(len(characters))
        own = np.maximum(scores[rows, characters], scores[rows, OTHER_CASE[characters]])
        mean = scores.mean(axis=1)
        spread = np.sqrt(np.maximum(np.einsum("ij,ij->i", scores, scores) / scores.shape[1] - mean**2, 1e-6))
        return np.asarray((own - mean) / spread / self.usual[characters])


PLACES = np.full(128, -1)
PLACES[[ord(character) for character in CHARACTERS]] = np.arange(len(CHARACTERS))
OTHER_CASE = np.array([CHARACTERS.index(character.swapcase()) for character in CHARACTERS])


def even_greys(greys: Array) -> Array:
    """Letters by samples: 0 for the paper and 1 for full ink, be it dark on light or light on dark."""
    flat = greys.reshape(ROWS * COLUMNS, -1)
    high, low = flat.max(axis=0).astype(np.float32), flat.min(axis=0).astype(np.float32)
    is_dark = 2 * flat.mean(axis=0, dtype=np.float32) >= high + low
    paper, span = np.where(is_dark, high, low), np.maximum(high - low, 1)
    return np.asarray((np.abs(flat - paper) / span).T)


@lru_cache
def alphabet(scale: float) -> Alphabet:
    """Learnt from the standard fonts, which pdfium brings along."""
    document = pdfium.PdfDocument(specimen())
    page = document[0]
    textpage = page.get_textpage()
    frame, handle = page_frame(page), lib.address(textpage.raw)
    glyphs = page_glyphs(textpage, frame)
    words = form_words(glyphs)
    styles = word_styles(handle, glyphs.index[words.first], words.boxes[:, 3] - words.boxes[:, 1])
    content = PageContent(page, frame, handle, glyphs, words, styles)
    characters = np.tile(PLACES[glyphs.codes], 2)
    greys = np.vstack([even_greys(Samples(content, scale * factor).taken()) for factor in (1.0, 0.93)])
    for part in (textpage, page, document):
        part.close()
    means = np.stack([greys[characters == place].mean(axis=0) for place in range(len(CHARACTERS))])
    rest = greys - means[characters]
    precision = np.linalg.inv(rest.T @ rest / len(rest) + NOISE * np.eye(ROWS * COLUMNS))
    weights = precision @ means.T
    offsets = -0.5 * (means * weights.T).sum(axis=1)
    unscaled = Alphabet(weights.astype(np.float32), offsets.astype(np.float32), np.ones(len(CHARACTERS)))
    values = unscaled.resemblance(greys, characters)
    usual = np.bincount(characters, values) / np.bincount(characters)
    return replace(unscaled, usual=usual)


def specimen() -> bytes:
    """A page of all characters in all standard fonts, mixed so that each has many neighbours."""
    mix = random.Random(0)  # noqa: S311 - any order will do, but always the same
    operators, fonts, y = [], [], 980.0
    for number, name in enumerate(STANDARD_FONTS):
        fonts.append(f"/F{number} << /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
        for size in SIZES:
            text = "".join(mix.sample(CHARACTERS, len(CHARACTERS)))
            x, y = 20 + mix.random(), y - 19 - mix.random()
            operators.append(f"BT /F{number} {size} Tf {x:.2f} {y:.2f} Td ({text}) Tj ET")
    content = "\n".join(operators)
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 1000] /Contents 4 0 R "
        f"/Resources << /Font << {' '.join(fonts)} >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    )
    body = "".join(f"{number} 0 obj\n{item}\nendobj\n" for number, item in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer << /Root 1 0 R >>\n%%EOF".encode()


def odd_words(page: PageContent, greys: Array, rules: Collection[int]) -> list[int]:
    """Words whose letters look like others, also without `rules`; `greys` are the samples of the page as it is."""
    letters = Letters.of(page)
    if not shortfall(letters.resemblance(greys, SCALE), SHORTFALL).any():
        return []
    count = len(page.words)
    letters = letters.within(inside_clip(page, np.arange(count), page.bodies()) > UNCUT)
    runs = shortfall(letters.resemblance(greys, SCALE), SHORTFALL)
    if not runs.any():
        return []
    letters = letters.within(np.bincount(letters.words, runs, minlength=count) > 0)
    with page.without(rules):  # lines under words change the look of every letter
        best = letters.closely(page)
    number = np.maximum(np.bincount(letters.words, minlength=count), 1)
    mean = np.bincount(letters.words, best, minlength=count) / number
    odd = np.bincount(letters.words, shortfall(best, FINE_SHORTFALL), minlength=count) > 0
    return np.flatnonzero(odd & (mean < EXPECTED)).tolist()


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a page that can be compared, in drawing order."""

    places: Array  # among the glyphs
    characters: Array  # places in CHARACTERS
    words: Array
    crowded: Array  # bool: of more letters in one place than a ligature has

    @classmethod
    def of(cls, page: PageContent) -> Letters:
        glyphs = page.glyphs
        words = page.word_of_glyph()
        codes = np.where(glyphs.codes < len(PLACES), glyphs.codes, 0)
        boxes = glyphs.boxes
        shared = glyphs.shares_box()
        starts = np.flatnonzero(~shared)
        sizes = np.diff(np.append(starts, len(shared)))
        sizes = np.repeat(sizes, sizes)
        merged = np.bincount(words, sizes > 1, minlength=len(page.words)) > 0.5 * np.bincount(words)
        crowded = (sizes > LIGATURE) | ((sizes > 1) & merged[words])
        # Letters that run to the left or stand on end are not those of a page that is read as it lies.
        width = boxes[:, 2] - boxes[:, 0]
        forward = np.abs(glyphs.starts - boxes[:, 0]) < 0.5 * width
        usable = (PLACES[codes] >= DIGITS) & page.words.upright[words] & forward & ((sizes == 1) | crowded)
        places = np.flatnonzero(usable)
        return cls(places, PLACES[codes[places]], words[places], crowded[places])

    def within(self, keep: Array) -> Letters:
        """Those of the words marked in `keep`."""
        chosen = keep[self.words]
        return Letters(self.places[chosen], self.characters[chosen], self.words[chosen], self.crowded[chosen])

    def closely(self, page: PageContent) -> Array:
        """Their resemblance on a larger picture, at the size at which most look like themselves."""
        samples = Samples(page, FINE_SCALE)
        bands = samples.drawn(self.places)
        best = self.resemblance(samples.taken(bands), FINE_SCALE)
        for factor in SIZE_FACTORS if shortfall(best, FINE_SHORTFALL).any() else ():
            other = self.resemblance(Samples(page, FINE_SCALE, factor).taken(bands), FINE_SCALE)
            best = max(best, other, key=np.sum)
        return best

    def resemblance(self, greys: Array, scale: float) -> Array:
        values = alphabet(scale).resemblance(even_greys(greys[:, :, self.places]), self.characters)
        return np.where(self.crowded, UNLIKE, values)


def shortfall(resemblance: Array, limit: float) -> Array:
    """Marks the runs of letters that fall short of what is expected by more than the limit."""
    marked = np.zeros(len(resemblance), bool)
    total = np.cumsum(EXPECTED - resemblance)
    if len(total) == 0 or (total - np.minimum.accumulate(np.minimum(total, 0))).max() <= limit:
        return marked
    begin = peak = 0
    short = highest = 0.0
    for place, value in enumerate((EXPECTED - resemblance).tolist()):
        short += value
        if short > highest:
            highest, peak = short, place
        if short <= 0 or short < highest - limit or place == len(marked) - 1:  # the run is over
            if highest > limit:
                marked[begin : peak + 1] = True
            begin, short, highest = place + 1, 0.0, 0.0
    return marked
