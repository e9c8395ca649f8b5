"""Finds where a person lives: street and postal code as contact data, city and country as a place.

Places of employers and schools are facts about work and study and stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evenhand.masking.folding import WORD, fold, words
from evenhand.masking.identity import SHORTEST, Identity
from evenhand.masking.masks import Mask
from evenhand.masking.page import Page, Span
from evenhand.masking.rules import CELL, COLON, follow, rule
from evenhand.masking.vocabulary import COUNTRIES, HEADINGS, NO_NAMES, OCCUPATIONS, PARTICLES

STREET = "[address]"
_WAYS = (
    r"(?:street|st|avenue|ave?|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|terrace|ter|crescent|cres|close"
    r"|gardens?|parade|parkway|pkwy|highway|hwy|circle|cir|square|sq|trail|trl|row|estate|nagar|colony|layout|puram|vihar|marg"
    r"|sector|enclave|town|puri|society|cross|main|loop|heights|residency|apartments?|tower|district)\b\.?"
)
_STREET = re.compile(
    # 6823 Magnolia Court #15; 12/4 Park Street
    rf"(?<![\w.,$€£-])#?\d{{1,5}}[a-z]?(?:[-/]\d{{1,5}})?,?[ ](?:[\w.'’-]{{1,20}}[ ,]{{1,2}}){{1,5}}?{_WAYS}"
    # Schillerstraße 58a; Am Stadtpark 3
    r"|\b[^\W\d_][\w.-]{0,24}(?:straße|strasse|str\.|weg|gasse|allee|platz|ring|ufer|damm|hof)[ ]\d{1,4}[ ]?[a-z]?\b"
    r"|\b(?:am|an[ ]der|im|zum|zur|auf[ ]der)[ ][^\W\d_][\w-]{2,24}[ ]\d{1,4}[ ]?[a-z]?\b"
    # Rua São Bento, 45; Via Roma 3
    r"|\b(?:rua|r\.|av\.?|avenida|calle|c/|via|viale|piazza|rue|boulevard|bd|plaza|praça|travessa|carrer|corso|ul\.|ulica)[ ]"
    r"(?:[\w.'’-]{1,20}[ ]?){1,5},?[ ]?(?:n[º°o.]{0,2}[ ]?)?\d{1,5}\b"
    # Flat No. 12, H.No 4-5, Plot 7, PO Box 9, Room 4, Villa 3
    r"|\b(?:flat|h\.?[ ]?no|house|plot|door|d\.?[ ]?no|room|block|villa|building|bldg|apt|apartment|unit|suite|p\.?[ ]?o\.?[ ]?box"
    r"|post[ ]box)\.?(?:[ ]?no)?[.:#-]{0,2}[ ]?[\w/-]{0,8}\d[\w/-]{0,8}",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_CODE = re.compile(
    r"(?<![\w/.-])(?:[A-Z]{2},?[ ]{1,2}\d{5}(?:-\d{4})?|\d{5}(?:-\d{3,4})?|\d{3}[ ]?\d{3}|[A-Z]{1,2}\d[A-Z\d]?[ ]?\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d"
    r"|\d{4}[ ]?[A-Z]{2})(?![\w/.-])"
)
_LABELLED = (
    rule(
        "address addr residence adresse anschrift direccion endereco indirizzo",
        rf"[^\W\d_]+{COLON}(?P<hide>[^\n|•·]{{1,160}}(?:\n[^\n:@]{{1,60}}\d{{5,6}}[^\n:@]{{0,20}})?)",
        STREET,
    ),
)
_NOT_ADDRESS = re.compile(
    r"(?:e-?mail|mail|web|ip|mac|site|url|company|office|work|internet)[ ]?\Z", re.IGNORECASE
)
_PLACE_RULES = (
    rule(
        "location city residence domicile hometown wohnort ort ville ciudad cidade state country based",
        rf"(?:location|city(?:[ ]?/[ ]?(?:state|country))?|(?:country|place)[ ]of[ ]residence|residence|domicile|hometown|wohnort|ort|ville"
        rf"|ciudad|cidade|state|country){COLON}{CELL}",
        personal=True,
    ),
    rule("current present native permanent home",
         rf"(?:current|present|permanent|native|home)[ ](?:location|city|place|town|address|state){COLON}{CELL}"),
    rule("place birthplace lieu geburtsort", rf"(?:place[ ]of[ ](?:birth|residence)|birthplace|lieu[ ]de[ ]naissance|geburtsort){COLON}{CELL}"),
    rule("birth", rf"birth[ ]place{COLON}{CELL}"),
    rule("nationality citizenship nationalitat staatsangehorigkeit nationalite nacionalidad nazionalita nacionalidade",
         rf"[^\W\d_]+{COLON}{CELL}", "[origin]"),
    rule("religion caste ethnicity race", rf"[^\W\d_]+[ \t]*:[ \t]*{CELL}", "[origin]"),
    rule("based living residing resident live lives",
         r"(?:based|living|residing|resident|lives?)[ ](?:in|at|of|near)[ ](?:the[ ])?"
         r"(?P<hide>(?-i:[^\W\d_a-z])[\w.'’-]*(?:,?[ ](?-i:[^\W\d_a-z])[\w.'’-]*){0,3})", personal=True),
)  # fmt: skip
_SIGNED = rule(
    "place",
    r"place[ \t]{0,4}[:–-]{1,2}[ \t]{0,4}(?P<hide>[^\n\t|;:]{2,40}?)(?=\s*(?:\n|\Z|\t|date\b|[ ]{2,}))",
)
_CITY_LINE = re.compile(
    r"^[^\W\d_][\w.'’ -]{1,40}(?:,[ ]?[^\W\d_][\w.'’ -]{1,30}){1,3}[,. ]*(?:\d{4,6}(?:-\d{3,4})?)?$"
)
_ENDS_AS_PLACE = re.compile(
    rf"^[^\W\d_][\w.'’ -]{{1,40}},[ ]?(?:[\w.'’ -]{{1,30}},[ ]?)?(?:[A-Z]{{2}}|{'|'.join(sorted(COUNTRIES))})(?:,?[ ]\d{{4,6}}(?:-\d{{3,4}})?)?$"
)
_BOUNDARY = re.compile(
    r"[\n\t|•·▪●■◦‣;]|[ \xa0]{2,}|[ \xa0][-–—/*][ \xa0]"
    r"|\b(?:cell|phone|mobile|tel|e-?mail|mail|linkedin|github|skype|age|dob|website|contact)\b[ ]?:?",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(r"[@:/+#]|\d{7}|\d[ ).-]\d")
_EDGES = " \t\xa0,.-–—*()"
_OTHER_CONTACT = re.compile(
    r"[ ,|/]*(?:\b(?:e-?mail|phone|ph|mobile|mob|cell|tel|m|t|p|c|linkedin|web|website)\b\.?[ ]?:|[\w.+-]{1,64}@|\+\d|\(\d{3}\)|https?://|www\.)",
    re.IGNORECASE,
)
MOST_WORDS = 5


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


def find_places(page: Page, identity: Identity) -> Iterator[Mask]:
    yield from _of_residence(page)
    for start, end in _named(page, identity):
        yield Mask(start, end, "address")
    yield from follow(_PLACE_RULES, page, "address")
    for mask in follow((_SIGNED,), page, "address"):
        if page.section_type(mask.start) not in ("experience", "projects", "education"):
            yield mask
    yield from _among_contacts(page)


def _of_residence(page: Page) -> Iterator[Mask]:
    """The place the miner found, with the state and country in its cell."""
    city = page.profile.city if page.profile else None
    if city is None or page.is_fact(city.evidence.start, city.evidence.end):
        return
    start, end = city.evidence.start, city.evidence.end
    yield Mask(start, end, "address")
    cell = page.cell(start)
    if (
        page.is_personal(start)
        and len(WORD.findall(page.text, *cell)) <= MOST_WORDS + 1
        and not _is_work(page, cell)
    ):
        yield Mask(*cell, "address")


def _named(page: Page, identity: Identity) -> Iterator[Span]:
    """City and country of residence, where the owner of the resume is spoken of."""
    sought = [tuple(word.key for word in words(place)) for place in dict.fromkeys(identity.places)]
    for keys in filter(None, sought):
        for word in page.occurrences(keys[:1]):
            if not page.is_introduction(word.start) or not page.text[word.start].isupper():
                continue
            same = tuple(words(page.text[word.start : word.start + 80]))[: len(keys)]
            if tuple(each.key for each in same) == keys and not page.is_fact(
                word.start, word.start + same[-1].end
            ):
                yield word.start, word.start + same[-1].end


def _among_contacts(page: Page) -> Iterator[Mask]:
    """What can only be a place there: "Austin, TX 29138", or a word or two beside an e-mail address."""
    for first, last in page.contact_blocks():
        for line in _lines(page.text, first, last):
            for piece in _pieces(page.text, line):
                surface = page.text[slice(*piece)]
                if _is_owner(page, piece):
                    continue
                is_place = _ENDS_AS_PLACE.search(surface) or (
                    not _is_work(page, piece)
                    and (_CITY_LINE.match(surface) or _is_beside_contact(page, piece, line))
                )
                if is_place and _is_capitalised(surface):
                    yield Mask(*piece, "address")


def _lines(text: str, first: int, last: int) -> Iterator[Span]:
    at = first
    while at < last:
        end = text.find("\n", at, last)
        end = last if end < 0 else end
        if end > at:
            yield at, end
        at = end + 1


def _pieces(text: str, line: Span) -> Iterator[Span]:
    """Stretches of a line between separators and labels, without those parts between commas that are no place."""
    at = line[0]
    edges = [match.span() for match in _BOUNDARY.finditer(text, *line)]
    for edge in (*edges, (line[1], line[1])):
        run: list[Span] = []
        for part in _between_commas(text, at, edge[0]):
            if _NO_PLACE.search(text, *part):
                yield from _trimmed(text, run)
                run = []
            else:
                run.append(part)
        yield from _trimmed(text, run)
        at = edge[1]


def _between_commas(text: str, start: int, end: int) -> Iterator[Span]:
    while start <= end:
        comma = text.find(",", start, end)
        comma = end if comma < 0 else comma
        yield start, comma
        start = comma + 1


def _trimmed(text: str, run: Sequence[Span]) -> Iterator[Span]:
    if not run:
        return
    start, end = run[0][0], run[-1][1]
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if start < end:
        yield start, end


def _is_work(page: Page, cell: Span) -> bool:
    """Whether the cell tells of work or study: an occupation, a heading, a fact."""
    found = list(words(page.text[slice(*cell)]))
    if any(word.key in OCCUPATIONS or word.key in HEADINGS or word.key in NO_NAMES for word in found):
        return True
    return any(page.is_fact(cell[0] + word.start, cell[0] + word.end) for word in found)


def _is_owner(page: Page, cell: Span) -> bool:
    name = page.profile.name if page.profile else None
    return name is not None and name.evidence.start < cell[1] and cell[0] < name.evidence.end


def _is_capitalised(surface: str) -> bool:
    found = WORD.findall(surface)
    return 0 < len(found) <= MOST_WORDS + 2 and all(
        word[0].isupper() or fold(word) in PARTICLES for word in found
    )


def _is_beside_contact(page: Page, piece: Span, line: Span) -> bool:
    text = page.text
    if (
        len(WORD.findall(text, *piece)) > MOST_WORDS
        or piece[1] - piece[0] < SHORTEST
        or _DIGIT.search(text, *piece)
    ):
        return False
    before = page.line(max(0, line[0] - 2)) if line[0] > 1 else line
    after = page.line(min(len(text) - 1, line[1] + 1))
    return any(_is_contact(text[slice(*each)]) for each in (line, before, after))


def _is_contact(line: str) -> bool:
    return "@" in line or len(_DIGIT.findall(line)) >= 7
