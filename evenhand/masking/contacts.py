"""Finds how to reach a person: e-mail addresses, links, user names, telephone numbers, streets, and numbers of papers.

All that mining takes for contact data is found, wherever it recurs. The patterns here find more than that: a number or
an address too many in a mask does less harm than one that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.identity import MIN_PART_LENGTH, PHONE_DIGITS, Identity
from evenhand.masking.masks import COLON, Mask, any_of, apply_rules, rule
from evenhand.masking.page import MaskingPage
from evenhand.text.contacts import (
    LINK_HOSTS,
    LINK_REST,
    NORTH_AMERICAN_PHONE,
    PHONE_GAP,
    PHONE_WORDS,
    ContactText,
    digit_runs,
    email_spans,
    has_dates,
    link_spans,
    phone_spans,
)
from evenhand.text.folding import fold, word_set

EMAIL, LINK = "[e-mail]", "[link]"

_LOCAL = re.compile(r"[^\s@<>()\[\]{},;:|/\\\"]{1,64}[ \xa0]{0,2}\Z")
_DOMAIN = re.compile(
    r"\s{0,2}\.?(?:[^\W_][\w~-]{0,62}[ \xa0]?\.\s?){1,5}(?:[^\W\d_]{2,24}|[^\W\d_](?:[ ][^\W\d_]){1,3}(?!\w))"
)
_SPACED_LOCAL = re.compile(r"(?<!\w)(?:[\w.+-]{1,2}[ ]){2,30}\Z")
_SPACED_DOMAIN = re.compile(r"[ ](?:[\w-]{1,3}[ ]){1,20}\.[ ]?\w{1,4}(?:[ ]\w(?!\w)){0,3}")
"""Letters set apart: j d o e @ m a i l . com."""
_SPELLED = re.compile(
    r"(?<![\w.])[^\W_][\w.+-]{0,40}[ \xa0]?(?:[(\[{<][ ]?at[ ]?[)\]}>]|[ ]at[ ])[ \xa0]?"
    r"[^\W\d_][\w-]{1,40}(?:[ ]?(?:[(\[{<][ ]?dot[ ]?[)\]}>]|[ ]dot[ ])[ ]?[^\W\d_]{2,12}){1,3}",
    re.IGNORECASE,
)
_SPELLED_SIGN = re.compile(r"[(\[{<][ ]?(?:at|dot)[ ]?[)\]}>]|[ ]dot[ ]", re.IGNORECASE)
_TOP = any_of(
    "com org net edu gov io dev me info xyz co in de eu us uk tech site page app example fr it es nl ch at pl br ca au"
)
_LINK = re.compile(
    rf"(?:https?://|www\.){LINK_REST}+"
    rf"|(?<![\w@.])(?:[a-z0-9][\w-]{{0,62}}\.){{1,4}}{_TOP}/{LINK_REST}+"
    rf"|(?<![\w@.])[a-z0-9][\w-]{{0,62}}\.(?:{LINK_HOSTS})\.\w{{2,4}}",
    re.IGNORECASE,
)
_LINK_SIGN = re.compile(
    rf"://|www\.|\.{_TOP}/|\.(?:github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel)\.", re.IGNORECASE
)
_NO_LINK = re.compile(r"(?:asp|vb|ado|ml|c#|f#|entity|node|react|vue|next)\.(?:net|io|js)/", re.IGNORECASE)
_NEXT_LINE = re.compile(r"\n[ \t]?(?:[\w%.~-]{1,60}+/[\w%./~-]*+|[a-z0-9][\w%-]*+/?(?=\s|\Z))")
_CUT_OFF = re.compile(r"(?:/in/|/pub/|[-/_.])\Z")
_BARE_SITE = re.compile(rf"(?<![\w@./-])(?:[a-z0-9][\w-]{{0,62}}\.){{1,3}}{_TOP}(?![\w@])")
_SITES = word_set(
    "skype linkedin linked github git gitlab twitter telegram instagram facebook whatsapp wechat xing behance dribbble"
    " hackerrank leetcode stackoverflow kaggle medium"
)
_USER_NAME = re.compile(
    r"\w+(?:[ ](?:in|hub|lab))?(?:[ \t](?:id|handle|profile|user(?:name)?|url|name))?[ \t]{0,4}[:@–-][ \t:@/]{0,6}"
    r"(?P<name>[^\s|,;•·@]{2,60}(?:[ ](?-i:[^\W\d_a-z])[\w'’-]+)?)",
    re.IGNORECASE,
)
_AT_NAME = re.compile(r"(?<![\w@])@[A-Za-z_][\w.]{2,30}")


def find_addresses(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    return (Mask(start, end, "contact", token) for start, end, token in _addresses(page, identity))


def find_addresses_of(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """Those in which the applicant's name can be read, for where contact data may be shown and names may not."""
    for start, end, token in _addresses(page, identity):
        if _tells_name(page.text[start:end], identity):
            yield Mask(start, end, "name", token)


def _addresses(page: MaskingPage, identity: Identity) -> Iterator[tuple[int, int, str]]:
    text, profile = page.text, page.profile
    for fact in profile.emails if profile else ():
        yield fact.evidence.start, fact.evidence.end, EMAIL
    for fact in profile.links if profile else ():
        yield fact.evidence.start, fact.evidence.end, LINK
    for email in email_spans(text):
        yield email.start, email.end, EMAIL
    for link in link_spans(ContactText(text, is_resume=page.is_resume)):
        yield link.start, link.end, LINK
    yield from _emails(text)
    yield from _links(text)
    if identity.handles:
        # Also of a site or a repository of that name: jdoe88.example, jdoe88/tools.
        handles = "|".join(map(re.escape, sorted(identity.handles, key=len, reverse=True)))
        for match in re.finditer(rf"(?<![^\W_])(?:{handles})(?:\.{_TOP}\b)?(?![^\W_])", text, re.IGNORECASE):
            yield match.start(), match.end(), LINK
    for start, end in page.personal():
        for match in _BARE_SITE.finditer(text, start, end):
            yield match.start(), match.end(), LINK
        for match in _AT_NAME.finditer(text, start, end):
            yield match.start(), match.end(), LINK
    for word in page.occurrences(_SITES):
        named = _USER_NAME.match(text, word.start)
        if named and (page.is_personal(word.start) or named.end() >= page.cell(named.end())[1]):
            yield named.start("name"), named.end("name"), LINK


def _emails(text: str) -> Iterator[tuple[int, int, str]]:
    """With blanks, or with signs in the local part that few addresses have."""
    at = text.find("@")
    while at >= 0:
        begin = max(0, at - 66)
        local = _LOCAL.search(text[begin:at])
        domain = _DOMAIN.match(text, at + 1)
        if not domain or not local:
            local, domain = _SPACED_LOCAL.search(text[begin:at]), _SPACED_DOMAIN.match(text, at + 1)
        elif spaced := _SPACED_LOCAL.search(text[begin:at]):
            local = spaced
        if local and domain:
            yield begin + local.start(), domain.end(), EMAIL
        at = text.find("@", at + 1)
    for sign in _SPELLED_SIGN.finditer(text):
        begin = max(0, sign.start() - 50)
        for match in _SPELLED.finditer(text, begin, min(len(text), sign.end() + 60)):
            yield match.start(), match.end(), EMAIL


def _links(text: str) -> Iterator[tuple[int, int, str]]:
    done = 0
    for sign in _LINK_SIGN.finditer(text):
        if sign.start() < done:
            continue
        links = _LINK.finditer(text, max(done, sign.start() - 200), min(len(text), sign.end() + 2_000))
        match = next((link for link in links if link.end() > sign.start()), None)  # the one that holds the sign
        if match is None:
            continue
        done = match.end()
        if _NO_LINK.match(match[0]):
            continue
        end = match.end()
        # A link that a line end cuts goes on in the next line; the full stop of a sentence is no part of it.
        if _CUT_OFF.search(text[max(0, end - 5) : end]) and (rest := _NEXT_LINE.match(text, end)):
            end = rest.end()
        else:
            end = match.start() + len(match[0].rstrip(".:'’!?"))
        yield match.start(), end, LINK


def _tells_name(address: str, identity: Identity) -> bool:
    letters = fold(address.partition("@")[0] if "@" in address else address)
    letters = re.sub(r"[^a-z]+", " ", letters)
    if any(len(part) >= MIN_PART_LENGTH and part in letters for part in identity.parts):
        return True
    return any(handle in letters for handle in (*identity.joined, *identity.short_handles))


# Finds telephone numbers and numbers of identity papers.

PHONE, PAPER = "[phone]", "[id]"

_SHAPED = re.compile(
    rf"(?:\(\s?\+|\+){PHONE_GAP}?\(?\d{{1,3}}\)?(?:{PHONE_GAP}{{0,3}}\d){{6,13}}|{NORTH_AMERICAN_PHONE}"
)
"""Written as only telephone numbers are."""
_LABEL = re.compile(
    rf"(?:{PHONE_WORDS}|\b[mtpcf])(?:[\s.\-]{{0,2}}(?:no|num|number|nos|phone|cell|#))?\b[\s.:()#→>|/\-–\]+]{{0,20}}\Z",
    re.IGNORECASE,
)
_NO_PHONE = re.compile(
    r"(?:isbn|issn|doi|arxiv|patent|invoice|gst|vat|certificate|certification|credential|licen[cs]e|registration|\breg|roll"
    r"|enrol\w*|order|serial|\brs|\brp|inr|usd|eur|rupees|version|\bv|\bvol|pp|pages?|[$€£₹])"
    r"(?:[ ]?(?:no|num|number|id))?[ .:#()\-–]{0,12}\Z",
    re.IGNORECASE,
)
_PAPERS = word_set(
    "passport aadhaar aadhar pan ssn social nric emirates national id voter voters driving driver drivers iqama cpf dni"
    " nie curp bsn"
)
_PAPER = re.compile(
    r"(?:passport|aadh?aar|pan(?:\scard)?|ssn|social\ssecurity|nric|emirates\sid|national\sid|id\scard|voter(?:['’]?s)?\sid"
    r"|driv(?:er['’]?s?|ing)\slicen[cs]e|iqama|cpf|dni|nie|curp|bsn)"
    r"(?:\s(?:no|num|number|id|#))?\.?[ \t]{0,4}[:#–-]{1,2}[ \t]{0,4}(?P<hide>[A-Z0-9][A-Z0-9 ./-]{3,24}\d)",
    re.IGNORECASE,
)
_PAN = re.compile(r"(?<![^\W_])[A-Z]{5}\d{4}[A-Z](?![^\W_])")
"""The shape of an Indian tax number, wherever it stands."""


def find_phones(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    text = page.text
    for fact in page.profile.phones if page.profile else ():
        yield Mask(fact.evidence.start, fact.evidence.end, "contact", PHONE)
    for phone in phone_spans(ContactText(text, is_resume=page.is_resume)):
        yield Mask(phone.start, phone.end, "contact", PHONE)
    for start, end in digit_runs(text):
        if _is_phone(page, identity, start, end):
            yield Mask(start, end, "contact", PHONE)
    for word in page.occurrences(_PAPERS):
        if paper := _PAPER.match(text, word.start):
            yield Mask(paper.start("hide"), paper.end("hide"), "contact", PAPER)
    for number in _PAN.finditer(text):
        yield Mask(number.start(), number.end(), "contact", PAPER)


def _is_phone(page: MaskingPage, identity: Identity, start: int, end: int) -> bool:
    text = page.text
    digits = "".join(filter(str.isdigit, text[start:end]))
    if any(_same(digits, known) for known in identity.phones):
        return True
    before = text[max(0, start - 40) : start]
    if (before[-1:].isalnum() and text[start] != "+") or _NO_PHONE.search(before) or has_dates(text, start, end):
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


# Finds street lines and postal codes: where somebody can be visited is contact data.

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
    rf"|\b{_ROMANCE_WAYS}[ ][\w.'’-]{{1,40}}(?:[ ][\w.'’-]{{1,20}}){{0,4}}[ ]?,?[ ]?(?:n[º°o.]{{0,2}}[ ]?)?\d{{1,5}}\b"
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
_ADDRESS_LINE = re.compile(
    r"^[^\w\n]{0,6}(?i:permanent|present|current|residential|correspondence|communication|mailing|postal|home)[ ]"
    r"(?i:address)[ \t]{1,8}(?=[^\n\d]{0,60}\d)([^\n:|•·]{1,160})",
    re.MULTILINE,
)
"""A label and a house without a colon between them."""
_NOT_ADDRESS = re.compile(
    rf"{any_of('e-?mail mail web ip mac site url company office work internet')}[ ]?\Z", re.IGNORECASE
)
_OTHER_CONTACT = re.compile(
    rf"[ ,|/]{{0,8}}+(?:\b{any_of('e-?mail phone ph mobile mob cell tel m t p c linkedin web website')}\b\.?(?:[ ]id)?"
    r"[ ]?:|[\w.+-]{1,64}@|\+\d|\(\d{3}\)|https?://|www\.)",
    re.IGNORECASE,
)


def find_streets(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """Street lines and postal codes: from the house number to the end of the cell."""
    text = page.text
    for first, last in page.personal():
        for match in _STREET.finditer(text, first, last):
            if page.is_fact(match.start(), match.end()):
                continue
            # City and postal code follow in the same cell; an e-mail address or a telephone number is none of it.
            end = max(match.end(), page.cell(match.start())[1])
            other = _OTHER_CONTACT.search(text, match.end(), end)
            yield Mask(match.start(), max(match.end(), other.start()) if other else end, "contact", STREET)
        for match in _CODE.finditer(text, first, last):
            if _is_code(page, identity, match.start(), match.end()):
                yield Mask(match.start(), match.end(), "contact", STREET)
    for match in _ADDRESS_LINE.finditer(text):
        yield Mask(*match.span(1), "contact", STREET)
    for mask in apply_rules(_LABELLED, page, "contact"):
        line = page.line(mask.start)[0]
        label = re.search(r"(?<!\w)\w++\W*+\Z", text[line : mask.start])
        before = text[line : line + label.start()] if label else ""
        is_own = page.is_personal(mask.start) or _DIGIT.search(text, mask.start, mask.end)
        if is_own and not _NOT_ADDRESS.search(before) and "@" not in text[mask.start : mask.end]:
            yield mask


def streets_of(page: MaskingPage) -> frozenset[str]:
    """The streets in which a resume says its owner lives, without what follows in the line."""
    streets = (match for span in page.personal() for match in _STREET.finditer(page.text, *span))
    return frozenset(match[0] for match in streets if not page.is_fact(match.start(), match.end()))


def find_streets_again(page: MaskingPage, known: frozenset[str]) -> Iterator[Mask]:
    """In what others wrote: those of the resume, and whatever is plainly a house in a street."""
    patterns = [r"\s+".join(map(re.escape, street.split())) for street in sorted(known)]
    sought = [re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE) for pattern in patterns]
    for pattern in (*sought, _HOUSE):
        for match in pattern.finditer(page.text):
            yield Mask(match.start(), match.end(), "contact", STREET)


def _is_code(page: MaskingPage, identity: Identity, start: int, end: int) -> bool:
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
