"""Names that nobody has, put where names are learned: over the masks of published resumes and over generated employers.

A model that learned from "Company Name", or from the few employers of the generator, would know employers by their
words. It has to know them by where they stand.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace

from evenhand.corpora.places import cities
from evenhand.mining.examples import Example, Span

_MASK = re.compile(r"Company Name|City , State")
FILLED = 0.8  # of the masks: some stay, so that they are known for what they are
COUNTRIES = ("United States", "India", "United Kingdom", "Canada", "Germany")
_ONSETS = [
    *("b", "br", "c", "ch", "cl", "cr", "d", "dr", "f", "fl", "g", "gl", "gr", "h", "j", "k", "kl", "l", "m"),
    *("n", "p", "pl", "pr", "qu", "r", "s", "sh", "sk", "sl", "st", "t", "th", "tr", "v", "w", "y", "z"),
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ee", "io", "oa", "ou"]
_CODAS = ["", "", "l", "m", "n", "nd", "r", "rn", "s", "st", "t", "x", "ck", "th"]
_TRADES = (
    *(
        "Technologies",
        "Systems",
        "Solutions",
        "Group",
        "Labs",
        "Consulting",
        "Services",
        "Partners",
        "Holdings",
    ),
    *(
        "Industries",
        "Software",
        "Bank",
        "Insurance",
        "Hospital",
        "Clinic",
        "Foods",
        "Stores",
        "Logistics",
        "Media",
    ),
    *("Studio", "Energy", "Motors", "Pharma", "Networks", "Financial", "Construction", "Hotel", "Restaurant"),
    *(
        "School",
        "Foundation",
        "Airlines",
        "Capital",
        "Digital",
        "Health",
        "Medical",
        "Center",
        "International",
    ),
    "Company",
)
_FORMS = [
    "",
    "",
    "",
    "",
    " Inc.",
    ", Inc",
    " LLC",
    " Ltd",
    " Ltd.",
    " Pvt. Ltd.",
    " Pvt Ltd",
    " GmbH",
    " Corp.",
]

Change = tuple[int, int, str]
"""What replaces text[start:end]."""


def unmasked(example: Example, rng: random.Random) -> Example:
    """With most of its masks replaced."""
    masks = [match for match in _MASK.finditer(example.document.text) if rng.random() < FILLED]
    return _changed(example, [(match.start(), match.end(), _filling(match.group(), rng)) for match in masks])


def renamed(example: Example, rng: random.Random) -> Example:
    """With new names for its employers, each the same throughout."""
    text = example.document.text
    names: dict[str, str] = {}
    changes = []
    for span in example.spans:
        if span.label == "employer" and not span.is_rest and "\n" not in text[span.start : span.end]:
            name = names.setdefault(text[span.start : span.end], invented_employer(rng))
            changes.append((span.start, span.end, name))
    return _changed(example, changes)


def invented_employer(rng: random.Random) -> str:
    """A coined word or two, an initialism, or a place, with or without a trade and a legal form."""
    style = rng.random()
    if style < 0.12:
        return "".join(rng.choice("ABCDEFGHIJKLMNOPRSTUVW") for _ in range(rng.randint(2, 4))) + rng.choice(
            _FORMS
        )
    name = _coined(rng) if style < 0.85 else _city(rng)[0]
    if style < 0.35:
        return name
    if rng.random() < 0.3:
        name += f" {rng.choice(['&', 'and', ''])} {_coined(rng)}".replace("  ", " ")
    if rng.random() < 0.7:
        name += f" {rng.choice(_TRADES)}"
    return name + rng.choice(_FORMS)


def _coined(rng: random.Random) -> str:
    syllables = rng.choice((1, 2, 2, 2, 3))
    word = "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(syllables)) + rng.choice(_CODAS)
    return word.upper() if rng.random() < 0.05 else word.capitalize()


def _city(rng: random.Random) -> tuple[str, str]:
    city = rng.choice(cities(rng.choice(COUNTRIES)))
    return city.name, city.region or city.country


def _filling(mask: str, rng: random.Random) -> str:
    return invented_employer(rng) if mask.startswith("Company") else " , ".join(_city(rng))


def _changed(example: Example, changes: Sequence[Change]) -> Example:
    """The example with the changes made; labels and spans stay with their words."""
    if not changes:
        return example
    moved = _mover(changes)
    document = replace(
        example.document,
        text=_rewritten(example.document.text, changes),
        lines=tuple(
            replace(line, start=moved(line.start), end=moved(line.end)) for line in example.document.lines
        ),
    )
    spans = tuple(
        Span(moved(span.start), moved(span.end), span.label, span.is_rest) for span in example.spans
    )
    return replace(example, document=document, spans=spans)


def _rewritten(text: str, changes: Sequence[Change]) -> str:
    parts = []
    at = 0
    for start, end, new in changes:
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def _mover(changes: Sequence[Change]) -> Callable[[int], int]:
    """Where a place of the old text is in the new one; a place inside a change goes to the end of what replaced it."""
    ends = [end for _, end, _ in changes]
    shifts = [0]
    for start, end, new in changes:
        shifts.append(shifts[-1] + len(new) - (end - start))

    def moved(place: int) -> int:
        number = bisect_right(ends, place)
        if number < len(changes) and changes[number][0] < place:
            start, _, new = changes[number]
            return start + shifts[number] + len(new)
        return place + shifts[number]

    return moved
