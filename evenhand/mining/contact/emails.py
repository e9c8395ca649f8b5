"""E-mail addresses, also broken over a line end, with blanks about the @, or spelled "name (at) example dot com"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.mining.contact.places import Places
from evenhand.records.profile import Fact

_LOCAL = re.compile(r"[^\W_](?:[\w.+%'’&-]*[\w+-])?\Z")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,24}")
_PROVIDER = re.compile(
    r"(?:g-?mail|googlemail|yahoo|ymail|rocketmail|hotmail|outlook|live|msn|aol|icloud|me|mac|rediff(?:mail)?|protonmail|proton"
    r"|gmx|web|mail|zoho|inbox|yandex|comcast|verizon|att|sbcglobal|bigpond|qq|163|126)\s?\.\s?[a-z]{2,4}(?:\s?\.\s?[a-z]{2})?\b",
    re.IGNORECASE,
)
_OVER_LINE = re.compile(
    r"[^\W_][\w-]*(?:\.\s?\n\s?|\s?\n\s?\.)(?:com|org|net|edu|co\.\w\w|in|de|fr|io)(?![\w.@])"
)
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
    domain = (
        _PROVIDER.match(text, right) or _labelled_domain(text, start, right) or _OVER_LINE.match(text, right)
    )
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
