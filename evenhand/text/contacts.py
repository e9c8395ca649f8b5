"""Contact data in a text: e-mail addresses, links and telephone numbers, each with its place.

Mining keeps what belongs to the owner of a resume (`find_contacts`). Masking hides every occurrence that `email_spans`,
`link_spans` and `phone_spans` yield, and more: what is mined is masked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from evenhand.records.document import Line
from evenhand.records.profile import Evidence, Fact

_TOP_LINES = 15
_TOP_CHARACTERS = 3000  # where a text has few line ends
_NEAR = 200
_REFERENCES = re.compile(
    r"^\W{0,3}(?:(?:professional|personal)\s)?(?:references?|referees?)\W{0,3}$", re.IGNORECASE | re.MULTILINE
)


class ContactSpan(NamedTuple):
    """`value` is what to write or call: without the blanks and line ends of text[start:end]."""

    value: str
    start: int
    end: int
    confidence: float


class ContactText:
    """A text in which contact data are sought. What is no resume has no top where bare numbers are believed."""

    def __init__(self, text: str, *, is_resume: bool = True) -> None:
        self.text = text
        self.is_resume = is_resume

    @cached_property
    def top_end(self) -> int:
        """Where the part ends in which a number without a label is believed to be its owner's."""
        if not self.is_resume:
            return 0
        at = -1
        for _ in range(_TOP_LINES):
            at = self.text.find("\n", at + 1)
            if at < 0:
                return min(len(self.text), _TOP_CHARACTERS)
        return min(at, _TOP_CHARACTERS)

    @cached_property
    def references_start(self) -> int:
        """From here on other people are named; the text's length where no such heading is."""
        heading = _REFERENCES.search(self.text, len(self.text) // 2)
        return heading.start() if heading else len(self.text)

    def line_around(self, at: int) -> str:
        """The line of that place, as far as it is near: a page may be one line."""
        first, last = max(0, at - _NEAR), min(len(self.text), at + _NEAR)
        end = self.text.find("\n", at, last)
        return self.text[max(self.text.rfind("\n", first, at) + 1, first) : last if end < 0 else end]


# E-mail addresses, also broken over a line end, with blanks about the @, or spelled "name (at) example dot com".

_LOCAL = re.compile(r"[^\W_](?:[\w.+%'’&-]{0,64}[\w+-])?\Z")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,24}")
_PROVIDER = re.compile(
    r"(?:g-?mail|googlemail|yahoo|ymail|rocketmail|hotmail|outlook|live|msn|aol|icloud|me|mac|rediff(?:mail)?|protonmail|proton"
    r"|gmx|web|mail|zoho|inbox|yandex|comcast|verizon|att|sbcglobal|bigpond|qq|163|126)\s?\.\s?[a-z]{2,4}(?:\s?\.\s?[a-z]{2})?\b",
    re.IGNORECASE,
)
_OVER_LINE = re.compile(r"[^\W_][\w-]*(?:\.\s?\n\s?|\s?\n\s?\.)(?:com|org|net|edu|co\.\w\w|in|de|fr|io)(?![\w.@])")
_SPELLED = re.compile(
    r"(?<![\w.])(?P<local>[^\W_][\w.+-]{1,40})\s?(?:[(\[{<]\s?at\s?[)\]}>]|\sat\s)\s?"
    r"(?P<domain>[^\W_][\w-]{1,40}(?:\s?(?:[(\[{<]\s?dot\s?[)\]}>]|\sdot\s|\.)\s?[^\W\d_]{2,12}){1,3})(?!\w)",
    re.IGNORECASE,
)
_SPELLED_SIGNS = ("at)", "at]", "at}", "AT)", "AT]", "at )", "at ]", "At)", " dot ", " DOT ", "dot)", "dot]")
_DOT = re.compile(r"\s?(?:[(\[{<]\s?dot\s?[)\]}>]|\sdot\s|\.)\s?", re.IGNORECASE)
_ENDINGS = ("com", "org", "net", "edu", "gov", "info", "in", "co", "io", "de", "uk", "au", "us", "ca", "fr")
_GLUED_WORD = re.compile(rf"\.({'|'.join(_ENDINGS)})[A-Z]\w*\Z")
_LABEL = re.compile(r"e-?\s?mail(?:\s?(?:id|address))?\W{0,6}\Z|mail\W{0,4}\Z", re.IGNORECASE)


def email_spans(text: str) -> Iterator[ContactSpan]:
    at = text.find("@")
    while at >= 0:
        if (email := _whole(text, at) or _broken(text, at)) is not None:
            yield email
        at = text.find("@", at + 1)
    if any(sign in text for sign in _SPELLED_SIGNS):
        yield from _spelled(text)


def _local_start(text: str, at: int) -> int | None:
    begin = max(0, at - 64)
    local = _LOCAL.search(text[begin:at])
    return begin + local.start() if local else None


def _whole(text: str, at: int) -> ContactSpan | None:
    start = _local_start(text, at)
    domain = _DOMAIN.match(text, at + 1)
    if start is None or domain is None:
        return None
    end = domain.end()
    if glued := _GLUED_WORD.search(text, at, end):
        end = glued.end(1)  # "…@example.comPhone"
    return ContactSpan(text[start:end], start, end, 1.0)


def _broken(text: str, at: int) -> ContactSpan | None:
    """An address with blanks or a line end inside, taken only where what follows can be nothing else."""
    left = at
    while left > 0 and at - left < 3 and text[left - 1] in " \t\xa0":
        left -= 1
    right = at + 1
    while right < len(text) and right - at <= 3 and text[right].isspace():
        right += 1
    start = _local_start(text, left)
    if start is None:
        return None
    is_labelled = _LABEL.search(text[max(0, start - 24) : start])
    domain = (
        _PROVIDER.match(text, right) or (is_labelled and _DOMAIN.match(text, right)) or _OVER_LINE.match(text, right)
    )
    if domain is None:
        return None
    value = text[start:left] + "@" + re.sub(r"\s", "", domain.group())
    return ContactSpan(value, start, domain.end(), 0.8)


def _spelled(text: str) -> Iterator[ContactSpan]:
    for match in _SPELLED.finditer(text):
        bracketed = match.group()[len(match["local"]) :].lstrip()[:1] in "([{<"
        dotted = re.search(r"\bdot\b", match["domain"], re.IGNORECASE) is not None
        # "working at example.com" is no address; the brackets or the spelled dot make it one
        if bracketed or (dotted and not match["local"].isdigit()):
            value = match["local"] + "@" + _DOT.sub(".", match["domain"])
            yield ContactSpan(value, match.start(), match.end(), 0.8)


# Web addresses: whole ones, and "github.com/name" without a scheme; not "node.js", "asp.net" or "B.Tech".

LINK_REST = r"[^\s<>()\[\]{}\"|,;•·]"
_SITES = (
    r"linkedin|github|gitlab|bitbucket|stackoverflow|stackexchange|medium|behance|dribbble|kaggle|twitter|facebook|instagram"
    r"|leetcode|hackerrank|hackerearth|codechef|codeforces|codepen|xing|researchgate|orcid|scholar\.google|youtube|about|angel"
    r"|devpost|topcoder|wordpress|blogspot|tumblr|soundcloud|vimeo|x"
)
LINK_HOSTS = r"github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel|medium|tumblr"
_LINK_ENDINGS = r"com|org|net|io|dev|me|info|xyz|co|in|de|eu|us|uk|tech|site|page|app"
_LINK = re.compile(
    rf"""
    (?:https?://|www\.)[\w-]+\.{LINK_REST}+
  | (?<![\w@./-])(?:[\w-]+\.){{0,2}}(?:{_SITES})\.(?:com|org|io|me|co|net|in)/{LINK_REST}+
  | (?<![\w@./-])[a-z0-9][\w-]*\.(?:{LINK_HOSTS})\.(?:io|com|app){LINK_REST}*
  | (?<![\w@./-])(?:[a-z0-9][\w-]*\.){{1,2}}(?:{_LINK_ENDINGS})(?![\w@])(?:/{LINK_REST}*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CERTAIN_LINK = re.compile(
    rf"(?:https?://|www\.)|(?:[\w-]+\.){{0,2}}(?:{_SITES})\.\w+/|[\w-]+\.(?:{LINK_HOSTS})\.", re.IGNORECASE
)
_LINK_LABEL = re.compile(
    r"(?:website|web\s?site|web|homepage|portfolio|blog|site|url|linked\s?in|git\s?hub|profile)\W{0,5}\Z", re.IGNORECASE
)
_NOT_LINK = re.compile(
    r"(?:[\w#]{1,5}\.net|socket\.io|b\.\w+|m\.\w+|(?:booking|amazon|salesforce|force|monday|outlook|yahoo)\.com"
    r"|(?:g|hot|n|y)?mail\.com)\Z",
    re.IGNORECASE,
)
_CUT_AT_LINE_END = re.compile(r"(?:/in/|/pub/|-)\Z")
LINK_NEXT_LINE = re.compile(r"\n[ \t]?([a-z0-9][\w%-]*/?)(?=\s|\Z)")
"""The rest of a link that a line end cuts."""
_LINK_OPENING = re.compile(r"^(?:https?://)?(?:www\.)?")
_LINK_SIGN = re.compile(rf"://|www\.|\.(?:{_LINK_ENDINGS})\b", re.IGNORECASE)


def link_spans(page: ContactText) -> Iterator[ContactSpan]:
    """A bare "name.com" counts only at the top or behind a label: elsewhere it is an employer's."""
    text = page.text
    done = 0
    for sign in _LINK_SIGN.finditer(text):
        if sign.start() < done:
            continue
        begin = max(done, text.rfind("\n", 0, sign.start()) + 1)
        done = text.find("\n", sign.end())
        done = len(text) if done < 0 else done
        for match in _LINK.finditer(text, begin, done):
            if (link := _link(page, match)) is not None:
                yield link


def _link(page: ContactText, match: re.Match[str]) -> ContactSpan | None:
    text, start = page.text, match.start()
    surface = match.group().rstrip(".:'’!?-–*/") if not _CUT_AT_LINE_END.search(match.group()) else match.group()
    end = start + len(surface)
    if not _CERTAIN_LINK.match(surface):
        labelled = _LINK_LABEL.search(text[max(0, start - 24) : start]) is not None
        if _NOT_LINK.match(surface) or not (labelled or start < page.top_end) or surface != surface.lower():
            return None
    if _CUT_AT_LINE_END.search(surface) and (rest := LINK_NEXT_LINE.match(text, end)):
        return ContactSpan(surface + rest[1].rstrip("/"), start, rest.end(1), 0.8)
    return ContactSpan(surface, start, end, 1.0)


# Telephone numbers: digits by shape, label and place; doubtful ones by the numbering plans `phonenumbers` knows.

PHONE_GAP = r"[ \t\xa0().·\-–‐‑]"
_DIGIT_RUN = re.compile(rf"\d(?:{PHONE_GAP}{{0,3}}/?{PHONE_GAP}{{0,2}}\d){{6,30}}")
"""It begins with a digit so that the search is quick."""
_OPENING = re.compile(rf"(?:\(\s?)?(?:\+{PHONE_GAP}{{0,2}})?\(?\Z")
_INSIDE = re.compile(r"(?:[\w$€£₹@%=#\\]|\d[.,/:-])\Z")
_GOES_ON = re.compile(r"[\w@%]|[.,:]\d")
_AREA = rf"(?:\(\d{{3}}\){PHONE_GAP}{{0,3}}|\d{{3}}{PHONE_GAP}{{1,2}})"
NORTH_AMERICAN_PHONE = rf"{_AREA}\d{{3}}[ .·\-–]{{1,3}}\d{{4}}"
_NORTH_AMERICAN = rf"(?:\+?{PHONE_GAP}?1{PHONE_GAP}{{1,3}})?{NORTH_AMERICAN_PHONE}(?!\d)"
_INTERNATIONAL = rf"(?:\(\s?\+\s?\d{{1,3}}\s?\)|\+{PHONE_GAP}?\(?\d{{1,3}}\)?)(?:{PHONE_GAP}{{0,3}}\d){{6,12}}(?!\d)"
_INDIAN = rf"(?<!\d)(?:0|91{PHONE_GAP}{{1,2}})?(?:[6-9]\d{{4}}[ \-–]?\d{{5}}|[6-9]\d\d[ .-]\d{{3}}[ .-]\d{{4}})(?!\d)"
_SHAPED = re.compile(rf"(?<!\d)(?:{_INTERNATIONAL}|{_NORTH_AMERICAN}|{_INDIAN})")
"""Written as only telephone numbers are."""

_DATES = re.compile(
    r"(?:19|20)\d\d\W{1,5}(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d[-/.]\d\d[-/.]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-](?:19|20)\d\d\W"
)
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,}\Z|\d{1,3}(?:\.\d{3})+\Z")
PHONE_WORDS = (
    r"\bph|p\s?hone|\bmob|mobile|\bcell|cellular|\btel|telephone|telefon\w*|tél|contacts?|\bcall|whats\s?app|\bhome|landline"
    r"|hand\s?phone|\bhp|\bfax"
)
_PHONE_LABEL = re.compile(
    rf"(?:{PHONE_WORDS}|\bwork|\boffice|\b[mtpchwfo])"
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


def phone_spans(page: ContactText) -> Iterator[ContactSpan]:
    text = page.text
    for start, end in _numbers(text):
        if _NO_PHONE.search(text[max(0, start - 30) : start]) or has_dates(text, start, end):
            continue
        shaped = list(_SHAPED.finditer(text, start, end))
        if not shaped and (number := _plain_number(page, start, end)) is not None:
            yield number
        for match in shaped:
            is_bare = match.group().isdigit()
            if not is_bare or _is_contact_place(page, match.start()):
                yield ContactSpan(match.group(), match.start(), match.end(), 0.9 if is_bare else 1.0)


def digit_runs(text: str) -> Iterator[tuple[int, int]]:
    """Seven digits or more with little between them, and the brackets and plus before them."""
    for match in _DIGIT_RUN.finditer(text):
        begin = max(0, match.start() - 6)
        opening = _OPENING.search(text[begin : match.start()])
        yield begin + opening.start() if opening else match.start(), match.end()


def has_dates(text: str, start: int, end: int) -> bool:
    return _DATES.search(text, start, min(end + 1, len(text))) is not None


def _numbers(text: str) -> Iterator[tuple[int, int]]:
    """Runs of digits that are no part of something longer."""
    for start, end in digit_runs(text):
        if not _INSIDE.search(text[max(0, start - 2) : start]) and not _GOES_ON.match(text, end):
            yield from _halves(text, start, end)


def _halves(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Two whole numbers with a stroke between them are two; "030/1234567" is one."""
    for stroke in re.finditer(r"\s?/\s?", text[start:end]):
        middle = start + stroke.start()
        if min(_digits(text[start:middle]), _digits(text[middle:end])) >= 8:
            return [(start, middle), *_halves(text, start + stroke.end(), end)]
    return [(start, end)]


def _digits(surface: str) -> int:
    return sum(map(str.isdigit, surface))


def _plain_number(page: ContactText, start: int, end: int) -> ContactSpan | None:
    """Digits of no telling shape: believed with a label, or at the top when it is a number of a known plan."""
    surface = page.text[start:end]
    if _DOTTED.match(surface) or not _is_contact_place(page, start):
        return None
    digits = _digits(surface)
    if digits > 15:
        return None
    labelled = _is_labelled(page.text, start)
    if labelled or (digits >= 8 and _is_valid(page, surface)):
        return ContactSpan(surface, start, end, 0.9 if labelled else 0.7)
    return None


def _is_labelled(text: str, start: int) -> bool:
    return _PHONE_LABEL.search(text[max(0, start - 44) : start]) is not None


def _is_contact_place(page: ContactText, start: int) -> bool:
    return start < page.top_end or _is_labelled(page.text, start) or "@" in page.line_around(start)


def _is_valid(page: ContactText, surface: str) -> bool:
    """By the plans of the countries named at the top; else of those most resumes come from."""
    import phonenumbers  # noqa: PLC0415 - 30 ms, and most resumes never need it: their numbers have a telling shape

    named = {_REGIONS[match.lower()] for match in _COUNTRY.findall(page.text, 0, page.top_end)}
    for region in named or _USUAL_REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(surface, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False


@dataclass(frozen=True, slots=True)
class Contacts:
    emails: tuple[Fact, ...]
    phones: tuple[Fact, ...]
    links: tuple[Fact, ...]


def find_contacts(text: str, lines: Sequence[Line]) -> Contacts:
    """Those of the resume's owner, each once and in order of place; fax numbers come last."""
    page = ContactText(text)
    starts = [line.start for line in lines]

    def facts(spans: Iterable[ContactSpan]) -> Iterator[Fact]:
        for value, start, end, confidence in spans:
            number = bisect_right(starts, start) - 1
            page_number = lines[number].page if number >= 0 else 1
            yield Fact(value, text[start:end], Evidence(start, end, page_number, "rule", confidence))

    def is_own(fact: Fact) -> bool:
        return fact.evidence.start < page.references_start

    def phone_order(phone: Fact) -> tuple[bool, int]:
        start = phone.evidence.start
        return _FAX.search(text[max(0, start - 20) : start]) is not None, start

    emails = _first_by(facts(email_spans(text)), lambda email: email.value.lower())
    emails = list(filter(is_own, emails)) or emails  # those of the references where the resume has no others
    phones = _first_by(facts(phone_spans(page)), lambda phone: "".join(filter(str.isdigit, phone.value))[-10:])
    taken = [(email.evidence.start, email.evidence.end) for email in emails]
    links = (
        link
        for link in facts(link_spans(page))
        if not any(link.evidence.start < end and start < link.evidence.end for start, end in taken)
    )
    return Contacts(
        tuple(sorted(emails, key=lambda email: email.evidence.start)),
        tuple(sorted(filter(is_own, phones), key=phone_order)),
        tuple(_first_by(links, lambda link: _LINK_OPENING.sub("", link.value.lower()).rstrip("/"))),
    )


def _first_by(facts: Iterable[Fact], key: Callable[[Fact], str]) -> list[Fact]:
    """The first fact of each key."""
    firsts: dict[str, Fact] = {}
    for fact in facts:
        firsts.setdefault(key(fact), fact)
    return list(firsts.values())
