"""Degrees and their levels. An abbreviation is known in every way to write it: "B.Tech.", "B. Tech", "BTech"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from evenhand.mining.lexicon.files import blocks
from evenhand.mining.lexicon.phrases import as_text, both_apostrophes, key_of, known_openings, reach_of, spans


class DegreeForm(NamedTuple):
    name: str
    level: str
    abbreviated: bool  # written as initials, so in capitals
    ambiguous: bool  # "ME", "be", "master": a degree only in context


class DegreeMatch(NamedTuple):
    first: int
    last: int
    name: str
    level: str
    abbreviated: bool
    ambiguous: bool


class DegreeLexicon:
    def __init__(self, forms: dict[str, DegreeForm]) -> None:
        self.forms = forms
        self._reach = reach_of(forms)

    def __len__(self) -> int:
        return len(self.forms)

    def get(self, phrase: str) -> DegreeForm | None:
        return self.forms.get(key_of(phrase))

    def find(self, lower: Sequence[str]) -> list[DegreeMatch]:
        """Candidates by spelling alone; resolver.degrees.find keeps those that are degrees as written."""
        text = as_text(lower)
        found = []
        for at, length in spans(self.forms, self._reach, text):
            first, last = text.span(at, at + length)
            found.append(DegreeMatch(first, last, *self.forms[" ".join(text.plain[at : at + length])]))
        return found

    def openings(self) -> Iterator[str]:
        """Words and pairs of words that may open a degree."""
        return known_openings(self.forms, self._reach)


@cache
def degrees() -> DegreeLexicon:
    forms: dict[str, DegreeForm] = {}
    for level, names in blocks("degrees.txt"):
        name = names[0].removeprefix("?")
        for written in names:
            form = written.removeprefix("?")
            initials = _initials(form)
            ambiguous = written[0] == "?"
            for key in _spellings(initials) if initials else both_apostrophes(key_of(form)):
                forms.setdefault(key, DegreeForm(name, level, bool(initials), ambiguous or _is_short(key)))
    return DegreeLexicon(forms)


def _initials(form: str) -> list[str]:
    """["b", "tech"] of "b.tech"; nothing for a form in full."""
    return form.split(".") if "." in form and " " not in form else []


def _spellings(initials: list[str]) -> Iterator[str]:
    dotted = ".".join(initials)
    spaced = " . ".join(initials)
    yield from (f"{dotted} .", dotted, f"{spaced} .", spaced, "".join(initials), " ".join(initials))
    if len(initials) > 2:
        yield f"{''.join(initials[:-1])}.{initials[-1]}"


def _is_short(key: str) -> bool:
    """Two letters without a dot may be any word or initials."""
    return "." not in key and len(key.replace(" ", "")) <= 2
