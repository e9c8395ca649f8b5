"""How to reach the owner of a resume: e-mail addresses, telephone numbers and links, each with its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from evenhand.records.document import Line
from evenhand.records.profile import Evidence, Fact

# Where in a resume its owner's contact data stand, and facts made of places.


_TOP_LINES = 15
_TOP_CHARACTERS = 3000  # where a text has few line ends
_NEAR = 200
_REFERENCES = re.compile(
    r"^\W{0,3}(?:(?:professional|personal)\s)?(?:references?|referees?)\W{0,3}$", re.IGNORECASE | re.MULTILINE
)


class Places:
    """A text with its lines."""

    def __init__(self, text: str, lines: Sequence[Line]) -> None:
        self.text = text
        self._lines = lines

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start for line in self._lines]

    @cached_property
    def top_end(self) -> int:
        """Where the part ends in which a number without a label is believed to be its owner's."""
        at = -1
        for _ in range(_TOP_LINES):
            at = self.text.find("\n", at + 1)
            if at < 0:
                return min(len(self.text), _TOP_CHARACTERS)
        return min(at, _TOP_CHARACTERS)

    @cached_property
    def references_start(self) -> int:
        """From here on other people are named; the text's length where no such heading is."""
        found = _REFERENCES.search(self.text, len(self.text) // 2)
        return found.start() if found else len(self.text)

    def line_around(self, at: int) -> str:
        """The line of that place, as far as it is near: a page may be one line."""
        first, last = max(0, at - _NEAR), min(len(self.text), at + _NEAR)
        end = self.text.find("\n", at, last)
        return self.text[max(self.text.rfind("\n", first, at) + 1, first) : last if end < 0 else end]

    def fact(self, value: str, start: int, end: int, confidence: float) -> Fact:
        number = bisect_right(self._starts, start) - 1
        page = self._lines[number].page if number >= 0 else 1
        return Fact(value, self.text[start:end], Evidence(start, end, page, "rule", confidence))


# E-mail addresses, also broken over a line end, with blanks about the @, or spelled "name (at) example dot
# com".

_LOCAL = re.compile(r"[^\W_](?:[\w.+%'’&-]*[\w+-])?\Z")
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


def find_emails(places: Places) -> list[Fact]:
    """Each address once, in order of place."""
    text = places.text
    found: dict[str, Fact] = {}
    if "@" in text:
        for value, start, end, confidence in _around_at(text):
            found.setdefault(value.lower(), places.fact(value, start, end, confidence))
    if any(sign in text for sign in _SPELLED_SIGNS):
        for value, start, end in _spelled(text):
            found.setdefault(value.lower(), places.fact(value, start, end, 0.8))
    own = [fact for fact in found.values() if fact.evidence.start < places.references_start]
    return sorted(own or found.values(), key=lambda fact: fact.evidence.start)


def _around_at(text: str) -> Iterator[tuple[str, int, int, float]]:
    at = text.find("@")
    while at >= 0:
        if (found := _whole(text, at) or _broken(text, at)) is not None:
            yield found
        at = text.find("@", at + 1)


def _local_start(text: str, at: int) -> int | None:
    begin = max(0, at - 64)
    local = _LOCAL.search(text[begin:at])
    return begin + local.start() if local else None


def _whole(text: str, at: int) -> tuple[str, int, int, float] | None:
    start = _local_start(text, at)
    domain = _DOMAIN.match(text, at + 1)
    if start is None or domain is None:
        return None
    end = domain.end()
    if glued := _GLUED_WORD.search(text, at, end):
        end = glued.end(1)  # "…@example.comPhone"
    return text[start:end], start, end, 1.0


def _broken(text: str, at: int) -> tuple[str, int, int, float] | None:
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
    domain = _PROVIDER.match(text, right) or _labelled_domain(text, start, right) or _OVER_LINE.match(text, right)
    if domain is None:
        return None
    value = text[start:left] + "@" + re.sub(r"\s", "", domain.group())
    return value, start, domain.end(), 0.8


def _labelled_domain(text: str, start: int, right: int) -> re.Match[str] | None:
    if not _LABEL.search(text[max(0, start - 24) : start]):
        return None
    return _DOMAIN.match(text, right)


def _spelled(text: str) -> Iterator[tuple[str, int, int]]:
    for match in _SPELLED.finditer(text):
        bracketed = match.group()[len(match["local"]) :].lstrip()[:1] in "([{<"
        dotted = re.search(r"\bdot\b", match["domain"], re.IGNORECASE) is not None
        # "working at example.com" is no address; the brackets or the spelled dot make it one
        if bracketed or (dotted and not match["local"].isdigit()):
            yield match["local"] + "@" + _DOT.sub(".", match["domain"]), match.start(), match.end()


# Web addresses: whole ones, and "github.com/name" without a scheme; not "node.js", "asp.net" or "B.Tech".

_REST = r"[^\s<>()\[\]{}\"|,;•·]"
_SITES = (
    r"linkedin|github|gitlab|bitbucket|stackoverflow|stackexchange|medium|behance|dribbble|kaggle|twitter|facebook|instagram"
    r"|leetcode|hackerrank|hackerearth|codechef|codeforces|codepen|xing|researchgate|orcid|scholar\.google|youtube|about|angel"
    r"|devpost|topcoder|wordpress|blogspot|tumblr|soundcloud|vimeo|x"
)
_HOSTS = r"github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel|medium|tumblr"
_LINKS_ENDINGS = r"com|org|net|io|dev|me|info|xyz|co|in|de|eu|us|uk|tech|site|page|app"
_LINK = re.compile(
    rf"""
    (?:https?://|www\.)[\w-]+\.{_REST}+
  | (?<![\w@./-])(?:[\w-]+\.){{0,2}}(?:{_SITES})\.(?:com|org|io|me|co|net|in)/{_REST}+
  | (?<![\w@./-])[a-z0-9][\w-]*\.(?:{_HOSTS})\.(?:io|com|app){_REST}*
  | (?<![\w@./-])(?:[a-z0-9][\w-]*\.){{1,2}}(?:{_LINKS_ENDINGS})(?![\w@])(?:/{_REST}*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CERTAIN = re.compile(
    rf"(?:https?://|www\.)|(?:[\w-]+\.){{0,2}}(?:{_SITES})\.\w+/|[\w-]+\.(?:{_HOSTS})\.", re.IGNORECASE
)
_LINKS_LABEL = re.compile(
    r"(?:website|web\s?site|web|homepage|portfolio|blog|site|url|linked\s?in|git\s?hub|profile)\W{0,5}\Z",
    re.IGNORECASE,
)
_NOT_LINKS = re.compile(
    r"(?:[\w#]{1,5}\.net|socket\.io|b\.\w+|m\.\w+|(?:booking|amazon|salesforce|force|monday|outlook|yahoo)\.com"
    r"|(?:g|hot|n|y)?mail\.com)\Z",
    re.IGNORECASE,
)
_CUT_AT_LINE_END = re.compile(r"(?:/in/|/pub/|-)\Z")
_NEXT_LINE = re.compile(r"\n[ \t]?([a-z0-9][\w%-]*/?)(?=\s|\Z)")
_PREFILTER = re.compile(rf"://|www\.|\.(?:{_LINKS_ENDINGS})\b", re.IGNORECASE)


def find_links(places: Places, emails: Sequence[Fact] = ()) -> list[Fact]:
    """Each address once. A bare "name.com" counts only at the top or behind a label: elsewhere it is an employer's."""
    text = places.text
    found: dict[str, Fact] = {}
    done = 0
    for sign in _PREFILTER.finditer(text):
        if sign.start() < done:
            continue
        begin = max(done, text.rfind("\n", 0, sign.start()) + 1)
        done = text.find("\n", sign.end())
        done = len(text) if done < 0 else done
        for match in _LINK.finditer(text, begin, done):
            if (fact := _fact(places, match)) is not None and not any(_overlap(fact, email) for email in emails):
                found.setdefault(_key(fact.value), fact)
    return list(found.values())


def _fact(places: Places, match: re.Match[str]) -> Fact | None:
    text, start = places.text, match.start()
    surface = match.group().rstrip(".:'’!?-–*/") if not _CUT_AT_LINE_END.search(match.group()) else match.group()
    end = start + len(surface)
    if not _CERTAIN.match(surface):
        labelled = _LINKS_LABEL.search(text[max(0, start - 24) : start]) is not None
        if _NOT_LINKS.match(surface) or not (labelled or start < places.top_end) or surface != surface.lower():
            return None
    if _CUT_AT_LINE_END.search(surface) and (rest := _NEXT_LINE.match(text, end)):
        return places.fact(surface + rest[1].rstrip("/"), start, rest.end(1), 0.8)
    return places.fact(surface, start, end, 1.0)


def _overlap(one: Fact, other: Fact) -> bool:
    return one.evidence.start < other.evidence.end and other.evidence.start < one.evidence.end


def _key(value: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", value.lower()).rstrip("/")


# Telephone numbers: digits by shape, label and place; doubtful ones by the numbering plans `phonenumbers`
# knows.

_SEP = r"[ \t\xa0().·\-–‐‑]"
_STRETCH = re.compile(rf"\d(?:{_SEP}{{0,3}}/?{_SEP}{{0,2}}\d){{6,30}}")
"""Seven digits or more with little between them; it begins with a digit so that the search is quick."""
_OPENING = re.compile(rf"(?:\(\s?)?(?:\+{_SEP}{{0,2}})?\(?\Z")
_INSIDE = re.compile(r"(?:[\w$€£₹@%=#\\]|\d[.,/:-])\Z")
_GOES_ON = re.compile(r"[\w@%]|[.,:]\d")
_AREA = rf"(?:\(\d{{3}}\){_SEP}{{0,3}}|\d{{3}}{_SEP}{{1,2}})"
_NORTH_AMERICAN = rf"(?:\+?{_SEP}?1{_SEP}{{1,3}})?{_AREA}\d{{3}}[ .·\-–]{{1,3}}\d{{4}}(?!\d)"
_INTERNATIONAL = rf"(?:\(\s?\+\s?\d{{1,3}}\s?\)|\+{_SEP}?\(?\d{{1,3}}\)?)(?:{_SEP}{{0,3}}\d){{6,12}}(?!\d)"
_INDIAN = rf"(?<!\d)(?:0|91{_SEP}{{1,2}})?(?:[6-9]\d{{4}}[ \-–]?\d{{5}}|[6-9]\d\d[ .-]\d{{3}}[ .-]\d{{4}})(?!\d)"
_SHAPED = re.compile(rf"(?<!\d)(?:{_INTERNATIONAL}|{_NORTH_AMERICAN}|{_INDIAN})")
"""Written as only telephone numbers are."""

_DATES = re.compile(
    r"(?:19|20)\d\d\W{1,5}(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d[-/.]\d\d[-/.]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-](?:19|20)\d\d\W"
)
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,}\Z|\d{1,3}(?:\.\d{3})+\Z")
_PHONES_LABEL = re.compile(
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
        if _NO_PHONE.search(text[max(0, start - 30) : start]) or _DATES.search(text, start, min(end + 1, len(text))):
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
    return _PHONES_LABEL.search(text[max(0, start - 44) : start]) is not None


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


@dataclass(frozen=True, slots=True)
class Contacts:
    emails: tuple[Fact, ...]
    phones: tuple[Fact, ...]
    links: tuple[Fact, ...]


def find_contacts(text: str, lines: Sequence[Line]) -> Contacts:
    places = Places(text, lines)
    emails = find_emails(places)
    return Contacts(tuple(emails), tuple(find_phones(places)), tuple(find_links(places, emails)))
