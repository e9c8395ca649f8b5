"""Finds street lines and postal codes: where somebody can be visited is contact data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.page import Page
from evenhand.masking.rules import COLON, any_of, follow, rule

STREET = "[address]"
_WAYS = any_of(
    "street st avenue ave? road rd lane ln drive dr boulevard blvd court ct way place pl terrace ter crescent cres"
    " close gardens? parade parkway pkwy highway hwy circle cir square sq trail trl row estate nagar colony layout"
    " puram vihar marg sector enclave town puri society cross main loop heights residency apartments? tower district"
)
_HOUSES = any_of(
    r"flat h\.?_?no house plot door d\.?_?no room block villa building bldg apto? apartment unit suite"
    r" p\.?_?o\.?_?box post_box"
)
_ROMANCE_WAYS = any_of(
    r"rua r\. av\.? avenida calle c/ via viale piazza rue boulevard bd plaza praça travessa carrer corso ul\. ulica"
)
_GERMAN_WAYS = any_of("straße strasse str[.] weg gasse allee platz ring ufer damm hof")
_STREET = re.compile(
    # 6823 Magnolia Court #15; 12/4 Park Street
    rf"(?<![\w.,$€£-])#?\d{{1,5}}[a-z]?(?:[-/]\d{{1,5}})?,?[ ](?:[\w.'’-]{{1,20}}[ ,]{{1,2}}){{1,5}}?{_WAYS}\b\.?"
    # Schillerstraße 58a; Am Stadtpark 3
    rf"|\b[^\W\d_][\w.-]{{0,24}}{_GERMAN_WAYS}[ ]\d{{1,4}}[ ]?[a-z]?\b"
    rf"|\b{any_of('am an_der im zum zur auf_der')}[ ][^\W\d_][\w-]{{2,24}}[ ]\d{{1,4}}[ ]?[a-z]?\b"
    # Rua São Bento, 45; Via Roma 3
    rf"|\b{_ROMANCE_WAYS}[ ](?:[\w.'’-]{{1,20}}[ ]?){{1,5}},?[ ]?(?:n[º°o.]{{0,2}}[ ]?)?\d{{1,5}}\b"
    # Flat No. 12, H.No 4-5, Plot 7, PO Box 9
    rf"|\b{_HOUSES}\.?(?:[ ]?no)?[.:#-]{{0,2}}[ ]?[\w/-]{{0,8}}\d[\w/-]{{0,8}}",
    re.IGNORECASE,
)
_HOUSE = re.compile(
    r"(?<![\w.,$€£-])\d{1,5}[a-z]?(?:[-/]\d{1,5})?,?[ ](?:[A-Z][\w.'’-]{1,20}[ ]){1,4}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Boulevard|Blvd|Court|Terrace|Crescent)\b"
)
_DIGIT = re.compile(r"\d")
_CODE = re.compile(
    r"(?<![\w/.-])(?:[A-Z]{2},?[ ]{1,2}\d{5}(?:-\d{4})?|\d{5}(?:-\d{3,4})?|\d{3}[ ]?\d{3}"
    r"|[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d|\d{4}[ ]?[A-Z]{2})(?![\w/.-])"
)
_LABELLED = (
    rule(
        "address addr residence adresse anschrift direccion endereco indirizzo",
        rf"[^\W\d_]+{COLON}(?P<hide>[^\n|•·]{{1,160}}(?:\n[^\n:@]{{1,60}}\d{{5,6}}[^\n:@]{{0,20}})?)",
        STREET,
    ),
)
_NOT_ADDRESS = re.compile(
    rf"{any_of('e-?mail mail web ip mac site url company office work internet')}[ ]?\Z", re.IGNORECASE
)
_OTHER_CONTACT = re.compile(
    rf"[ ,|/]*(?:\b{any_of('e-?mail phone ph mobile mob cell tel m t p c linkedin web website')}\b\.?(?:[ ]id)?[ ]?:"
    r"|[\w.+-]{1,64}@|\+\d|\(\d{3}\)|https?://|www\.)",
    re.IGNORECASE,
)


def find_streets(page: Page, identity: Identity) -> Iterator[Mask]:
    """Street lines and postal codes: from the house number to the end of the cell."""
    text = page.text
    for first, last in page.personal():
        for match in _STREET.finditer(text, first, last):
            if not page.is_fact(match.start(), match.end()):
                yield Mask(match.start(), _street_end(page, match.start(), match.end()), "contact", STREET)
        for match in _CODE.finditer(text, first, last):
            if _is_code(page, identity, match.start(), match.end()):
                yield Mask(match.start(), match.end(), "contact", STREET)
    for mask in follow(_LABELLED, page, "contact"):
        line = page.line(mask.start)[0]
        label = re.search(r"\w+\W*\Z", text[line : mask.start])
        before = text[line : line + label.start()] if label else ""
        is_own = page.is_personal(mask.start) or _DIGIT.search(text, mask.start, mask.end)
        if is_own and not _NOT_ADDRESS.search(before) and "@" not in text[mask.start : mask.end]:
            yield mask


def streets_of(page: Page) -> frozenset[str]:
    """The streets in which a resume says its owner lives, without what follows in the line."""
    found = (match for span in page.personal() for match in _STREET.finditer(page.text, *span))
    return frozenset(match[0] for match in found if not page.is_fact(match.start(), match.end()))


def find_streets_again(page: Page, known: frozenset[str]) -> Iterator[Mask]:
    """In what others wrote: those of the resume, and whatever is plainly a house in a street."""
    patterns = [r"\s+".join(map(re.escape, street.split())) for street in sorted(known)]
    sought = [re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE) for pattern in patterns]
    for pattern in (*sought, _HOUSE):
        for match in pattern.finditer(page.text):
            yield Mask(match.start(), match.end(), "contact", STREET)


def _street_end(page: Page, start: int, end: int) -> int:
    """City and postal code follow in the same cell; an e-mail address or a telephone number is none of it."""
    last = max(end, page.cell(start)[1])
    other = _OTHER_CONTACT.search(page.text, end, last)
    return max(end, other.start()) if other else last


def _is_code(page: Page, identity: Identity, start: int, end: int) -> bool:
    """A number among commas or behind a place; not one of a telephone."""
    text = page.text
    if page.is_fact(start, end):
        return False
    surface = text[start:end]
    if not surface.replace(" ", "").replace("-", "").isdigit():
        return True
    around = text[page.cell(start)[0] : page.cell(end - 1)[1]]
    if sum(map(str.isdigit, around)) > len(surface):
        return "," in around
    return any(place in around for place in identity.places) or bool(re.search(r"[^\W\d_]{3}", around))
