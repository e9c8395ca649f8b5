"""Runs of words broken into lines of a given width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from evenhand.corpora.files.pdf.fonts import Face, width_of
from evenhand.corpora.manuscript import Run, Words

SMALLEST = 0.78  # an address that does not fit is set smaller down to this share, then broken


class Fragment(NamedTuple):
    """Characters in one font, without spaces inside when part of a word."""

    text: str
    font: str


@dataclass(frozen=True, slots=True)
class Ink:
    """How words are set: fonts, size in points, colour."""

    face: Face
    size: float
    color: str
    bold: bool = False
    italic: bool = False
    upper: bool = False
    leading: float = 1.28

    @property
    def height(self) -> float:
        return self.size * self.leading


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line ready to draw: pieces of equal font, and how wide they are together."""

    fragments: tuple[Fragment, ...]
    size: float
    color: str
    width: float


Word = tuple[Fragment, ...]


def plain_words(text: str) -> Words:
    return (Run(text),)


def wrap(words: Words, ink: Ink, width: float) -> list[TextLine]:
    """Greedy: as many words on each line as fit. A line is never wider than `width`."""
    lines: list[TextLine] = []
    current: list[Word] = []
    used = 0.0
    space = width_of(" ", ink.face.font_for(Run(""), bold=ink.bold, italic=ink.italic)) * ink.size
    small, parts = fit_words(list(split_words(words, ink)), ink, width)
    for word in parts:
        extent = measure(word, small.size)
        if current and used + space + extent > width:
            lines.append(join(current, small))
            current, used = [], 0.0
        used += extent + (space if current else 0.0)
        current.append(word)
    if current:
        lines.append(join(current, small))
    return lines


def fit_words(words: list[Word], ink: Ink, width: float) -> tuple[Ink, list[Word]]:
    """Smaller type for a word that is wider than the line, or the word in parts where that is not enough."""
    widest = max((measure(word, ink.size) for word in words), default=0.0)
    if widest <= width:
        return ink, words
    small = replace(ink, size=max(ink.size * SMALLEST, ink.size * width / widest * 0.995))
    return small, [part for word in words for part in broken(word, small.size, width)]


def broken(word: Word, size: float, width: float) -> Iterator[Word]:
    """The word itself, or as many parts as its width needs."""
    if measure(word, size) <= width:
        yield word
        return
    part: list[Fragment] = []
    for text, font in word:
        for character in text:
            candidate = add_character(part, character, font)
            if part and measure(candidate, size) > width:
                yield tuple(part)
                candidate = [Fragment(character, font)]
            part = candidate
    yield tuple(part)


def add_character(part: Sequence[Fragment], character: str, font: str) -> list[Fragment]:
    if part and part[-1].font == font:
        return [*part[:-1], Fragment(part[-1].text + character, font)]
    return [*part, Fragment(character, font)]


def split_words(words: Words, ink: Ink) -> Iterator[Word]:
    """Words between spaces; a change of font inside a word does not break it."""
    word: list[Fragment] = []
    for run in words:
        font = ink.face.font_for(run, bold=ink.bold, italic=ink.italic)
        text = run.text.upper() if ink.upper else run.text
        for place, piece in enumerate(text.replace("\t", " ").replace("\n", " ").split(" ")):
            if place and word:
                yield tuple(word)
                word = []
            if piece:
                word.append(Fragment(piece, font))
    if word:
        yield tuple(word)


def measure(word: Iterable[Fragment], size: float) -> float:
    return sum(width_of(text, font) for text, font in word) * size


def join(words: Sequence[Word], ink: Ink) -> TextLine:
    """Words with spaces between them; neighbours of one font become one fragment."""
    fragments: list[Fragment] = []
    for place, word in enumerate(words):
        for index, (text, font) in enumerate(word):
            spaced = f" {text}" if place and not index else text
            if fragments and fragments[-1].font == font:
                fragments[-1] = Fragment(fragments[-1].text + spaced, font)
            else:
                fragments.append(Fragment(spaced, font))
    return TextLine(tuple(fragments), ink.size, ink.color, measure(fragments, ink.size))
