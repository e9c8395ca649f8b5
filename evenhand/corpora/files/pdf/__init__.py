"""Manuscript to PDF, in one of many designs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

from evenhand.corpora.files.pdf.composing import Paper, compose, divided, name_of
from evenhand.corpora.files.pdf.design import A4, LETTER, Design
from evenhand.corpora.files.pdf.designs import BY_NAME, DESIGNS
from evenhand.corpora.files.pdf.drawing import draw_pages
from evenhand.corpora.files.pdf.fonts import VERA, can_write, register_vera
from evenhand.corpora.files.pdf.hiding import hide
from evenhand.corpora.files.secrets import Secret
from evenhand.corpora.manuscript import Manuscript, to_plain

DESIGN_NAMES = tuple(BY_NAME)
LEAST_BESIDE = 2  # sections in a bar at the side


def choose_design(manuscript: Manuscript, rng: Random) -> str:
    """A design that suits: no bar at the side with nothing to hold, or empty from page two in a long resume."""
    words = len(to_plain(manuscript).text.split())
    beside = divided(manuscript.sections[1:])[1]
    fitting = [
        design
        for design in DESIGNS
        if words <= design.most_words and (design.side is None or len(beside) >= LEAST_BESIDE)
    ]
    return rng.choices([design.name for design in fitting], [design.weight for design in fitting])[0]


def write_pdf(manuscript: Manuscript, design_name: str, rng: Random, secret: Secret | None = None) -> bytes:
    design, accent, paper = vary(BY_NAME[design_name], rng)
    text = to_plain(manuscript).text
    if not can_write(design.face, text) or not can_write(design.heading_face or design.face, text):
        design = replace(design, face=VERA, heading_face=None, size=design.size * 0.9)
    if design.face is VERA:
        register_vera()
    pages = compose(manuscript, design, accent, paper)
    name = name_of(manuscript.sections[0])
    shapes = [page.shapes for page in pages]
    size = (paper.width, paper.height)
    return draw_pages(
        shapes, size, name, partial(hide, secret=secret, design=design, paper=size) if secret else None
    )


def vary(design: Design, rng: Random) -> tuple[Design, str, Paper]:
    """The same design as different people use it: another colour, a little larger or smaller, other paper."""
    accent = rng.choice(design.accents)
    scale = rng.choice((0.95, 1.0, 1.0, 1.0, 1.04))
    paper = Paper(*rng.choice((A4, LETTER)))
    return replace(design, size=design.size * scale, heading_size=design.heading_size * scale), accent, paper
