"""Slips of the finger: letters swapped, dropped, doubled or hit beside; names and contact data stay clean."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from evenhand.corpora.manuscript import Block, Line, Manuscript, Run, Section, Words

CLEAN = frozenset({"name", "email", "phone", "link", "city", "date", "duration", "year", "performance"})
_WORD = re.compile(r"[A-Za-z]{4,}")
BESIDE = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry",
    "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip


def slip(rng: Random, word: str) -> str:
    """One slip inside the word; the first letter stays, as it mostly does."""
    place = rng.randrange(1, len(word) - 1)
    letter = word[place]
    kind = rng.random()
    if kind < 0.35:
        return word[:place] + word[place + 1] + letter + word[place + 2 :]
    if kind < 0.65:
        return word[:place] + word[place + 1 :]
    if kind < 0.85:
        return word[:place] + letter + word[place:]
    near = rng.choice(BESIDE.get(letter.lower(), "e"))
    return word[:place] + (near.upper() if letter.isupper() else near) + word[place + 1 :]


def misspell(manuscript: Manuscript, rng: Random, rate: float) -> Manuscript:
    if not rate:
        return manuscript
    sections = tuple(_in_section(section, rng, rate) for section in manuscript.sections)
    return replace(manuscript, sections=sections)


def _in_section(section: Section, rng: Random, rate: float) -> Section:
    return Section(
        section.type, section.heading, tuple(_in_block(block, rng, rate) for block in section.blocks)
    )


def _in_block(block: Block, rng: Random, rate: float) -> Block:
    if isinstance(block, Line):
        return replace(block, words=_in_words(block.words, rng, rate))
    rows = tuple(tuple(_in_words(cell, rng, rate) for cell in row) for row in block.rows)
    return replace(block, rows=rows)


def _in_words(words: Words, rng: Random, rate: float) -> Words:
    return tuple(run if run.label in CLEAN else _in_run(run, rng, rate) for run in words)


def _in_run(run: Run, rng: Random, rate: float) -> Run:
    matches = list(_WORD.finditer(run.text))
    hits = [match for match in matches if rng.random() < rate]
    if not hits:
        return run
    text = run.text
    for match in reversed(hits):
        text = text[: match.start()] + slip(rng, match[0]) + text[match.end() :]
    return replace(run, text=text)
