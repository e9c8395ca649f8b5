"""Finds the city and country a person lives in or comes from. Places of employers and schools stay: they are facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evenhand.masking.folding import WORD, fold, words
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.own_names import SHORTEST
from evenhand.masking.page import Page, Span
from evenhand.masking.rules import CELL, COLON, any_of, follow, rule
from evenhand.masking.vocabulary import COUNTRIES, HEADINGS, NO_NAMES, OCCUPATIONS, PARTICLES

ORIGIN = "[origin]"
_DIGIT = re.compile(r"\d")
_RESIDENCE = any_of(
    "location city(?:_?/_?(?:state|country))? (?:country|place)_of_residence residence domicile hometown wohnort ort"
    " ville ciudad cidade state country"
)
_PLACE_RULES = (
    rule(
        "location city residence domicile hometown wohnort ort ville ciudad cidade state country place",
        rf"{_RESIDENCE}{COLON}{CELL}",
        personal=True,
    ),
    rule(
        "current present native permanent home",
        rf"[^\W\d_]+[ ]{any_of('location city place town address state')}{COLON}{CELL}",
    ),
    rule(
        "place birthplace birth lieu geburtsort",
        rf"{any_of('place_of_(?:birth|residence) birth_?place lieu_de_naissance geburtsort')}{COLON}{CELL}",
    ),
    rule(
        "nationality citizenship nationalitat staatsangehorigkeit nationalite nacionalidad nazionalita nacionalidade",
        rf"[^\W\d_]+{COLON}{CELL}",
        ORIGIN,
    ),
    rule("religion caste ethnicity race", rf"[^\W\d_]+[ \t]*:[ \t]*{CELL}", ORIGIN),
    rule(
        "based living residing resident live lives",
        r"[^\W\d_]+[ ](?:in|at|of|near)[ ](?:the[ ])?"
        r"(?P<hide>(?-i:[^\W\d_a-z])[\w.'’-]*(?:,?[ ](?-i:[^\W\d_a-z])[\w.'’-]*){0,3})",
        personal=True,
    ),
)
_SIGNED = rule(
    "place",
    r"place[ \t]{0,4}[:–-]{1,2}[ \t]{0,4}(?P<hide>[^\n\t|;:]{2,40}?)(?=\s*(?:\n|\Z|\t|date\b|[ ]{2,}))",
)
"""As below a declaration, beside the date."""
_RESIDES = re.compile(r"\b(?:in|from|near|at|to)[ ]\Z")
_CITY_LINE = re.compile(
    r"^[^\W\d_][\w.'’ -]{1,40}(?:,[ ]?[^\W\d_][\w.'’ -]{1,30}){1,3}[,. ]*(?:\d{4,6}(?:-\d{3,4})?)?$"
)
_ENDS_AS_PLACE = re.compile(
    rf"^[^\W\d_][\w.'’ -]{{1,40}},[ ]?(?:[\w.'’ -]{{1,30}},[ ]?)?"
    rf"(?:[A-Z]{{2}}|{any_of(COUNTRIES.replace('.', '[.]'))})(?:,?[ ]\d{{4,6}}(?:-\d{{3,4}})?)?$"
)
_BOUNDARY = re.compile(
    r"[\n\t|•·▪●■◦‣;]|[ \xa0]{2,}|[ \xa0][-–—/*][ \xa0]"
    rf"|\b{any_of('cell phone mobile tel e-?mail mail linkedin github skype age dob website contact')}\b[ ]?:?",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(r"[@:/+#]|\d{7}|\d[ ).-]\d")
_EDGES = " \t\xa0,.-–—*()"
MOST_WORDS = 5


def find_places(page: Page, identity: Identity) -> Iterator[Mask]:
    yield from _of_residence(page)
    for start, end in _named(page, identity):
        yield Mask(start, end, "address")
    yield from follow(_PLACE_RULES, page, "address")
    for mask in follow((_SIGNED,), page, "address"):
        if page.section_type(mask.start) not in ("experience", "projects", "education"):
            yield mask
    yield from _among_contacts(page, identity)


def _of_residence(page: Page) -> Iterator[Mask]:
    """The place the miner found, with the state and country in its cell."""
    city = page.profile.city if page.profile else None
    if city is None:
        return
    start, end = city.evidence.start, city.evidence.end
    yield Mask(start, end, "address")
    first, last = page.cell(start)
    cell = max(first, page.text.rfind(":", first, start) + 1), last  # behind a label
    is_short = len(WORD.findall(page.text, *cell)) <= MOST_WORDS + 1
    if page.is_personal(start) and is_short and not _is_work(page, cell):
        yield Mask(*cell, "address")


def _named(page: Page, identity: Identity) -> Iterator[Span]:
    """City and country of residence, where the owner of the resume is spoken of."""
    sought = [tuple(word.key for word in words(place)) for place in dict.fromkeys(identity.places)]
    for keys in filter(None, sought):
        for number in page.numbers.get(keys[0], ()):
            same = page.words[number : number + len(keys)]
            start, end = same[0].start, same[-1].end
            if (
                tuple(each.key for each in same) == keys
                and page.text[start].isupper()
                and _is_own(page, start, end)
            ):
                yield start, end


def _is_own(page: Page, start: int, end: int) -> bool:
    """Where the resume introduces its owner; in another text behind a preposition, or where nothing else stands."""
    if page.is_resume:
        return page.is_introduction(start) and not page.is_fact(start, end)
    is_alone = page.line(start) == (start, end)
    return is_alone or _RESIDES.search(page.text[max(0, start - 12) : start]) is not None


def _among_contacts(page: Page, identity: Identity) -> Iterator[Mask]:
    """What can only be a place there: "Austin, TX 29138", or a word or two beside an e-mail address."""
    for first, last in page.contact_blocks():
        for line in _lines(page.text, first, last):
            for piece in _pieces(page.text, line):
                surface = page.text[slice(*piece)]
                if _is_owner(surface, identity):
                    continue
                is_place = (_ENDS_AS_PLACE.search(surface) and not _tells_work(surface)) or (
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
    if _tells_work(page.text[slice(*cell)]):
        return True
    return any(
        page.is_fact(cell[0] + word.start, cell[0] + word.end) for word in words(page.text[slice(*cell)])
    )


def _tells_work(surface: str) -> bool:
    return any(
        word.key in OCCUPATIONS or word.key in HEADINGS or word.key in NO_NAMES for word in words(surface)
    )


def _is_owner(surface: str, identity: Identity) -> bool:
    keys = {word.key for word in words(surface)}
    return bool(keys) and keys <= identity.parts


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
