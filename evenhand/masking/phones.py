"""Finds telephone numbers and numbers of identity papers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.identity import PHONE_DIGITS, Identity
from evenhand.masking.masks import Mask
from evenhand.masking.page import Page

PHONE, PAPER = "[phone]", "[id]"

_SEP = r"[ \t\xa0().·\-–‐‑]"
_STRETCH = re.compile(rf"\d(?:{_SEP}{{0,3}}/?{_SEP}{{0,2}}\d){{6,30}}")
"""Seven digits or more with little between them; it begins with a digit so that the search is quick."""
_OPENING = re.compile(rf"(?:\(\s?)?(?:\+{_SEP}{{0,2}})?\(?\Z")
_SHAPED = re.compile(
    rf"(?:\(\s?\+|\+){_SEP}?\(?\d{{1,3}}\)?(?:{_SEP}{{0,3}}\d){{6,13}}"
    rf"|(?:1{_SEP}{{1,3}})?(?:\(\d{{3}}\){_SEP}{{0,3}}|\d{{3}}{_SEP}{{1,2}})\d{{3}}[ .·\-–]{{1,3}}\d{{4}}"
)
"""Written as only telephone numbers are."""
_DATES = re.compile(
    r"(?:19|20)\d\d\W{1,5}(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d[-/.]\d\d[-/.]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-](?:19|20)\d\d\W"
)
_LABEL = re.compile(
    r"(?:\bph|p\s?hone|\bmob|mobile|\bcell|cellular|\btel|telephone|telefon\w*|tél|contacts?|\bcall|whats\s?app|\bhome|landline"
    r"|hand\s?phone|\bhp|\bfax|\b[mtpcf])(?:[\s.\-]{0,2}(?:no|num|number|nos|phone|cell|#))?\b[\s.:()#→>|/\-–\]+]{0,20}\Z",
    re.IGNORECASE,
)
_NO_PHONE = re.compile(
    r"(?:isbn|issn|doi|arxiv|patent|invoice|gst|vat|certificate|certification|credential|licen[cs]e|registration|\breg|roll"
    r"|enrol\w*|order|serial|\brs|\brp|inr|usd|eur|rupees|version|\bv|\bvol|pp|pages?|[$€£₹])"
    r"(?:[ ]?(?:no|num|number|id))?[ .:#()\-–]{0,12}\Z",
    re.IGNORECASE,
)
_PAPERS = (
    *(
        "passport",
        "aadhaar",
        "aadhar",
        "pan",
        "ssn",
        "social",
        "nric",
        "emirates",
        "national",
        "id",
        "voter",
        "voters",
    ),
    *("driving", "driver", "drivers", "iqama", "cpf", "dni", "nie", "curp", "bsn"),
)
_PAPER = re.compile(
    r"(?:passport|aadh?aar|pan(?:\scard)?|ssn|social\ssecurity|nric|emirates\sid|national\sid|id\scard|voter(?:['’]?s)?\sid"
    r"|driv(?:er['’]?s?|ing)\slicen[cs]e|iqama|cpf|dni|nie|curp|bsn)"
    r"(?:\s(?:no|num|number|id|#))?\.?[ \t]{0,4}[:#–-]{1,2}[ \t]{0,4}(?P<hide>[A-Z0-9][A-Z0-9 ./-]{3,24}\d)",
    re.IGNORECASE,
)


def find_phones(page: Page, identity: Identity) -> Iterator[Mask]:
    text = page.text
    for fact in page.profile.phones if page.profile else ():
        yield Mask(fact.evidence.start, fact.evidence.end, "contact", PHONE)
    for match in _STRETCH.finditer(text):
        begin = max(0, match.start() - 6)
        opening = _OPENING.search(text[begin : match.start()])
        start = begin + opening.start() if opening else match.start()
        if _is_phone(page, identity, start, match.end()):
            yield Mask(start, match.end(), "contact", PHONE)
    for word in page.occurrences(_PAPERS):
        if paper := _PAPER.match(text, word.start):
            yield Mask(paper.start("hide"), paper.end("hide"), "contact", PAPER)


def _is_phone(page: Page, identity: Identity, start: int, end: int) -> bool:
    text = page.text
    digits = "".join(filter(str.isdigit, text[start:end]))
    if any(_same(digits, known) for known in identity.phones):
        return True
    before = text[max(0, start - 40) : start]
    if (
        before[-1:].isalnum()
        or _NO_PHONE.search(before)
        or _DATES.search(text, start, min(end + 1, len(text)))
    ):
        return False
    if len(digits) > 15 or text[end : end + 1] in ("%", "_"):
        return False
    if _SHAPED.search(text, start, end):
        return True
    is_expected = page.is_personal(start) or not page.is_resume
    return bool(_LABEL.search(before)) or (is_expected and len(digits) > PHONE_DIGITS + 1)


def _same(digits: str, known: str) -> bool:
    """With or without the codes of country and area; of two numbers in one stretch, either."""
    shorter, longer = sorted((digits, known), key=len)
    return (len(shorter) >= PHONE_DIGITS and longer.endswith(shorter)) or known[-10:] in digits
