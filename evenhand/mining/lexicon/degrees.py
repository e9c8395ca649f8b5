"""Degrees and their levels. An abbreviation is known in every way to write it: "B.Tech.", "B. Tech", "BTech"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from evenhand.mining.lexicon.phrases import (
    as_text,
    blocks,
    both_apostrophes,
    fields,
    key_of,
    known_openings,
    reach_of,
    spans,
)
from evenhand.mining.lexicon.places import city_rows, short_names
from evenhand.text.folding import word_set
from evenhand.text.tokens import tokenise


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

    def find(self, lower: Sequence[str]) -> list[DegreeMatch]:
        """Candidates by spelling alone; `find` below keeps those that are degrees as written."""
        text = as_text(lower)
        result = []
        for at, length in spans(self.forms, self._reach, text):
            first, last = text.span(at, at + length)
            result.append(DegreeMatch(first, last, *self.forms[" ".join(text.plain[at : at + length])]))
        return result

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
            is_short = "." in form and " " not in form  # "b.tech"; others are forms in full
            for key in _spellings(form.split(".")) if is_short else both_apostrophes(key_of(form)):
                # Two letters without a dot may be any word or initials.
                is_any = "." not in key and len(key.replace(" ", "")) <= 2
                forms.setdefault(key, DegreeForm(name, level, is_short, written[0] == "?" or is_any))
    return DegreeLexicon(forms)


def _spellings(initials: list[str]) -> Iterator[str]:
    dotted = ".".join(initials)
    spaced = " . ".join(initials)
    yield from (f"{dotted} .", dotted, f"{spaced} .", spaced, "".join(initials), " ".join(initials))
    if len(initials) > 2:
        yield f"{''.join(initials[:-1])}.{initials[-1]}"


# Degrees as they are written, and the level of each. "ME", "BE" and "MA" are degrees in capitals only, never words.

_BEHIND = frozenset(
    {"in", "of", "(", ",", ":", "|", "-", "–", "/", "from", "degree", "with", "hons", "honours", "&", ";"}
)
_BEFORE = frozenset(
    {",", "|", "/", "(", "-", "–", "•", ":", "a", "an", "and", "&", ";", "my", "completed", "with", "integrated"}
)
# What follows a title that is no degree: "MS Office", "MS SQL", "Associate Director", "Master Data", "BE responsible"
_PRODUCTS = word_set("office word excel access powerpoint project visio outlook sql windows dos sharepoint")
_WORDS_TOO = word_set("bed med mat mas bas pals dip mum mib mis pc")


def find(words: Sequence[str]) -> list[DegreeMatch]:
    """The degrees among the words of a line, as written."""
    lower = [word.lower() for word in words]
    return [match for match in degrees().find(lower) if is_degree(match, words)]


def is_degree(match: DegreeMatch, words: Sequence[str]) -> bool:
    """Whether a candidate of the lexicon is a degree where it stands."""
    surface = words[match.first : match.last]
    letters = "".join(surface).replace(".", "")
    if match.abbreviated and not _is_written_as_initials(letters, dotted="." in "".join(surface)):
        return False
    if not match.ambiguous:
        return match.abbreviated or letters[0].isupper() or letters[0].isdigit() or len(surface) > 1
    if match.abbreviated and "." in "".join(surface):
        return True
    return letters[0].isupper() and _has_context(match, words)


def _is_written_as_initials(letters: str, *, dotted: bool) -> bool:
    """ "B.Tech", "BTech", "Bsc", "PhD", "MBA" are; "bed", "med" and "be" are not, "mba" and "b.tech" may be."""
    if letters.isupper() or dotted:
        return True
    if len(letters) <= 3 and letters.lower() in _WORDS_TOO:
        return letters in {"BEd", "MEd"}
    return len(letters) >= 3


def _has_context(match: DegreeMatch, words: Sequence[str]) -> bool:
    following = words[match.last].lower() if match.last < len(words) else ""
    before = words[match.first - 1].lower() if match.first else ""
    if following in _PRODUCTS or _is_state(match, words):
        return False
    if all(word.isupper() for word in words if len(word) > 3) and sum(len(word) > 3 for word in words) > 2:
        return following in _BEHIND and following != ","  # a line in capitals: "CONTACT ME AT"
    at_start = match.first == 0 or before in _BEFORE
    if not following:
        return at_start
    if not at_start:
        return following in {"in", "(", "degree"}
    if following in _BEHIND or following[0].isdigit():
        return True
    ahead = [word.lower() for word in words[match.last : match.last + 4]]
    return any(field.first == 0 for field in fields().find(ahead))  # "BE Computer Science"


def _is_state(match: DegreeMatch, words: Sequence[str]) -> bool:
    """ "Boston, MA", "Jackson, MS"."""
    if match.first < 2 or words[match.first - 1] != "," or words[match.first] not in short_names():
        return False
    before = [word.lower() for word in words[: match.first - 1]]
    return any(" ".join(before[-size:]) in city_rows() for size in (1, 2))


def level_of(degree: str) -> str | None:
    """highschool, diploma, associate, bachelor, master, doctorate or other; None when it names no degree.

    The text is known to be a degree, so what needs context elsewhere needs only its capitals here.
    """
    words = tokenise(degree).words
    levels = []
    for match in degrees().find([word.lower() for word in words]):
        surface = "".join(words[match.first : match.last])
        letters = surface.replace(".", "")
        if match.abbreviated:
            is_sure = _is_written_as_initials(letters, dotted="." in surface)
        else:
            is_sure = not match.ambiguous or letters[0].isupper() or len(words) == match.last - match.first
        if is_sure:
            levels.append(match.level)
    return next((level for level in levels if level != "other"), "other" if levels else None)
