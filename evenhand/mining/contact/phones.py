"""Telephone numbers: digits by shape, label and place; doubtful ones by the numbering plans `phonenumbers` knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from evenhand.mining.contact.places import Places
from evenhand.records.profile import Fact

_SEP = r"[ \t\xa0().·\-–‐‑]"
_STRETCH = re.compile(rf"\d(?:{_SEP}{{0,3}}/?{_SEP}{{0,2}}\d){{6,30}}")
"""Seven digits or more with little between them; it begins with a digit so that the search is quick."""
_OPENING = re.compile(rf"(?:\(\s?)?(?:\+{_SEP}{{0,2}})?\(?\Z")
_INSIDE = re.compile(r"(?:[\w$€£₹@%=#\\]|\d[.,/:-])\Z")
_GOES_ON = re.compile(r"[\w@%]|[.,:]\d")
_AREA = rf"(?:\(\d{{3}}\){_SEP}{{0,3}}|\d{{3}}{_SEP}{{1,2}})"
_NORTH_AMERICAN = rf"(?:\+?{_SEP}?1{_SEP}{{1,3}})?{_AREA}\d{{3}}[ .·\-–]{{1,3}}\d{{4}}(?!\d)"
_INTERNATIONAL = rf"(?:\(\s?\+\s?\d{{1,3}}\s?\)|\+{_SEP}?\(?\d{{1,3}}\)?)(?:{_SEP}{{0,3}}\d){{6,12}}(?!\d)"
_INDIAN = (
    rf"(?<!\d)(?:0|91{_SEP}{{1,2}})?(?:[6-9]\d{{4}}[ \-–]?\d{{5}}|[6-9]\d\d[ .-]\d{{3}}[ .-]\d{{4}})(?!\d)"
)
_SHAPED = re.compile(rf"(?<!\d)(?:{_INTERNATIONAL}|{_NORTH_AMERICAN}|{_INDIAN})")
"""Written as only telephone numbers are."""

_DATES = re.compile(
    r"(?:19|20)\d\d\W{1,5}(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d[-/.]\d\d[-/.]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-](?:19|20)\d\d\W"
)
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,}\Z|\d{1,3}(?:\.\d{3})+\Z")
_LABEL = re.compile(
    r"(?:\bph|p\s?hone|\bmob|mobile|\bcell|cellular|\btel|telephone|telefon\w*|tél|contacts?|\bcall|whats\s?app|\bhome|\bwork|\boffice"
    r"|landline|hand\s?phone|\bhp|\bfax|\b[mtpchwfo])"
    r"(?:[\s.\-]{0,2}(?:no|num|number|nos|details|phone|cell|#))?\b[\s.:()#→>|/\-–\]]{0,30}\Z",
    re.IGNORECASE,
)
_FAX = re.compile(r"\b(?:tele)?(?:fax|f)\b[^\w]{0,4}(?:no)?\W{0,6}\Z", re.IGNORECASE)
_NO_PHONE = re.compile(
    r"(?:passport|\bpan|aadh?aar|\bssn|social\ssecurity|visa|licen[cs]e|\bdl|registration|\breg|roll|hall\sticket|enrol\w*"
    r"|\bid|account|\bacct?|a/c|isbn|issn|doi|zip|pin|postal|code|certificate|certification|credential|employee|\bemp|\bref|invoice|gst|vat"
    r"|order|serial|patent|\brs|\brp|inr|usd|eur|rupees|arxiv|npi|orcid|version|\bv|vol\w*|pp|pages?)"
    r"(?:\s?(?:no|num|number|id))?[\s.:#()\-–]{0,12}\Z",
    re.IGNORECASE,
)
_REGIONS = {
    "india": "IN",
    "australia": "AU",
    "united kingdom": "GB",
    "england": "GB",
    "germany": "DE",
    "deutschland": "DE",
    "canada": "CA",
    "singapore": "SG",
    "france": "FR",
    "spain": "ES",
    "ireland": "IE",
    "usa": "US",
}
_COUNTRY = re.compile(rf"\b({'|'.join(_REGIONS)})\b", re.IGNORECASE)
_USUAL_REGIONS = ("US", "IN", "GB", "AU")


def find_phones(places: Places) -> list[Fact]:
    """Each number once, in order of place; fax numbers come last."""
    found: dict[str, tuple[bool, Fact]] = {}
    for start, end, confidence in _numbers(places):
        surface = places.text[start:end]
        digits = "".join(filter(str.isdigit, surface))
        is_fax = _FAX.search(places.text[max(0, start - 20) : start]) is not None
        found.setdefault(digits[-10:], (is_fax, places.fact(surface, start, end, confidence)))
    own = [pair for pair in found.values() if pair[1].evidence.start < places.references_start]
    return [fact for _, fact in sorted(own, key=lambda pair: (pair[0], pair[1].evidence.start))]


def _numbers(places: Places) -> Iterator[tuple[int, int, float]]:
    text = places.text
    for start, end in _stretches(text):
        if _NO_PHONE.search(text[max(0, start - 30) : start]) or _DATES.search(
            text, start, min(end + 1, len(text))
        ):
            continue
        shaped = list(_SHAPED.finditer(text, start, end))
        if shaped:
            for match in shaped:
                yield from _shaped_number(places, match.start(), match.end())
        elif (found := _plain_number(places, start, end)) is not None:
            yield found


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of digits with the brackets and plus before them, where they are no part of something longer."""
    for match in _STRETCH.finditer(text):
        begin = max(0, match.start() - 6)
        opening = _OPENING.search(text[begin : match.start()])
        start = begin + opening.start() if opening else match.start()
        if not _INSIDE.search(text[max(0, start - 2) : start]) and not _GOES_ON.match(text, match.end()):
            yield from _halves(text, start, match.end())


def _halves(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Two whole numbers with a stroke between them are two; "030/1234567" is one."""
    for stroke in re.finditer(r"\s?/\s?", text[start:end]):
        middle = start + stroke.start()
        if min(_digits(text[start:middle]), _digits(text[middle:end])) >= 8:
            return [(start, middle), *_halves(text, start + stroke.end(), end)]
    return [(start, end)]


def _digits(surface: str) -> int:
    return sum(map(str.isdigit, surface))


def _shaped_number(places: Places, start: int, end: int) -> Iterator[tuple[int, int, float]]:
    surface = places.text[start:end]
    bare = surface.isdigit()
    if bare and not _is_contact_place(places, start):
        return
    yield start, end, 0.9 if bare else 1.0


def _plain_number(places: Places, start: int, end: int) -> tuple[int, int, float] | None:
    """A stretch of no telling shape: believed with a label, or at the top when it is a number of a known plan."""
    surface = places.text[start:end]
    if _DOTTED.match(surface) or not _is_contact_place(places, start):
        return None
    digits = "".join(filter(str.isdigit, surface))
    if len(digits) > 15:
        return None
    labelled = _is_labelled(places.text, start)
    if labelled or (len(digits) >= 8 and _is_valid(surface, _regions(places))):
        return start, end, 0.9 if labelled else 0.7
    return None


def _is_labelled(text: str, start: int) -> bool:
    return _LABEL.search(text[max(0, start - 44) : start]) is not None


def _is_contact_place(places: Places, start: int) -> bool:
    return start < places.top_end or _is_labelled(places.text, start) or "@" in places.line_around(start)


def _regions(places: Places) -> tuple[str, ...]:
    """The countries named at the top, the most named first; else those most resumes come from."""
    named = [_REGIONS[match.lower()] for match in _COUNTRY.findall(places.text, 0, places.top_end)]
    if not named:
        return _USUAL_REGIONS
    return tuple(dict.fromkeys(sorted(named, key=named.count, reverse=True)))


@cache
def _library() -> Any:
    # 30 ms to import, and most resumes never need it: their numbers have a telling shape
    return import_module("phonenumbers")


def _is_valid(surface: str, regions: tuple[str, ...]) -> bool:
    library = _library()
    for region in regions:
        try:
            if library.is_valid_number(library.parse(surface, region)):
                return True
        except library.NumberParseException:
            continue
    return False
