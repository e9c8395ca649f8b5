"""Words that tell a person's sex, age or memberships."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.audit.swaps.editing import Edit
from evenhand.audit.swaps.marked import Marked

_PAIRS = (
    *(("he", "she"), ("him", "her"), ("his", "her"), ("himself", "herself"), ("mr", "ms"), ("mr.", "ms.")),
    *(("father", "mother"), ("husband", "wife"), ("dad", "mom"), ("male", "female"), ("men's", "women's")),
    *(("waiter", "waitress"), ("salesman", "saleswoman"), ("chairman", "chairwoman"), ("actor", "actress")),
    *(("businessman", "businesswoman"), ("spokesman", "spokeswoman"), ("foreman", "forewoman")),
    *(("alumnus", "alumna"), ("host", "hostess"), ("fraternity", "sorority"), ("he/him", "she/her")),
)
_TO_FEMALE = dict(_PAIRS)
_TO_MALE = {female: male for male, female in reversed(_PAIRS)} | {"hers": "his", "mrs": "mr", "mrs.": "mr."}
_FEMALE_LINE = re.compile(r"\b(?:she|her|ms|women|mother|girls|alumna|sisterhood)\b", re.IGNORECASE)


_WORD = re.compile(r"(?:mr|mrs|ms)\.|[^\W\d_]+(?:/[^\W\d_]+|['’]s(?!\w))?", re.IGNORECASE)


def turn_gender(text: str, *, female: bool) -> str:
    """A running text as if it told of a woman, or of a man: pronouns, salutations and family words; names stay."""
    forms = _TO_FEMALE if female else _TO_MALE

    def turned(match: re.Match[str]) -> str:
        old = match[0]
        new = _other_form(old, forms, text, match.end())
        return (new.capitalize() if old[0].isupper() else new) if new else old

    return _WORD.sub(turned, text)


def _other_form(old: str, forms: dict[str, str], text: str, end: int) -> str:
    """Empty for a word that has none. Her book is his book, and to see her is to see him."""
    if forms is _TO_MALE and old.lower() == "her":
        return "his" if re.match(r"\s[^\W\d_]", text[end : end + 2]) else "him"
    return forms.get(old.lower().replace("’", "'"), "")


def edit_gender_words(marked: Marked, value: str) -> tuple[Edit, ...]:
    """A line that tells it, and the words that told it before turned to the same."""
    forms = _TO_FEMALE if _FEMALE_LINE.search(value) else _TO_MALE
    return (*_turned(marked, forms), marked.line_below_head(value))


def _turned(marked: Marked, forms: dict[str, str]) -> Iterator[Edit]:
    head = marked.document.lines[0].end if marked.document.lines else 0
    for mark in marked.of("gender"):
        old = marked.text[mark.start : mark.end]
        # The line below the head is put in where the head ends; an edit that touches that place would be one with it.
        new = _other_form(old, forms, marked.text, mark.end)
        if new and not mark.start <= head <= mark.end:
            yield Edit(mark.start, mark.end, new.capitalize() if old[0].isupper() else new)


def edit_birth(marked: Marked, value: str) -> tuple[Edit, ...]:
    """So many years before the month that "present" means."""
    year = int(marked.profile.as_of[:4]) - int(value)
    for mark in marked.of("age"):
        old = marked.text[mark.start : mark.end]
        if found := re.search(r"(?:19|20)\d\d", old):
            return (Edit(mark.start + found.start(), mark.start + found.end(), str(year)),)
        if found := re.search(r"(?<!\d)[1-8]\d(?!\d)", old):
            return (Edit(mark.start + found.start(), mark.start + found.end(), value),)
    return (marked.line_below_head(f"Date of birth: 12 May {year}"),)


def edit_affiliation(marked: Marked, value: str) -> tuple[Edit, ...]:
    return (marked.line_at_end(value),)
