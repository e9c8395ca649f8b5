"""Finds how to reach a person on the net: e-mail addresses, links, user names. Wherever they recur, they are found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.folding import fold
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.own_names import SHORTEST
from evenhand.masking.page import Page
from evenhand.masking.rules import any_of

EMAIL, LINK = "[e-mail]", "[link]"

_LOCAL = re.compile(r"[^\s@<>()\[\]{},;:|/\\\"]{1,64}[ \xa0]{0,2}\Z")
_DOMAIN = re.compile(r"\s{0,2}(?:[^\W_][\w-]{0,62}[ \xa0]?\.\s?){1,5}[^\W\d_]{2,24}")
_SPELLED = re.compile(
    r"(?<![\w.])[^\W_][\w.+-]{0,40}[ \xa0]?(?:[(\[{<][ ]?at[ ]?[)\]}>]|[ ]at[ ])[ \xa0]?"
    r"[^\W\d_][\w-]{1,40}(?:[ ]?(?:[(\[{<][ ]?dot[ ]?[)\]}>]|[ ]dot[ ])[ ]?[^\W\d_]{2,12}){1,3}",
    re.IGNORECASE,
)
_SPELLED_SIGN = re.compile(r"[(\[{<][ ]?(?:at|dot)[ ]?[)\]}>]|[ ]dot[ ]", re.IGNORECASE)
_REST = r"[^\s<>()\[\]{}\"|,;•·]"
_TOP = any_of(
    "com org net edu gov io dev me info xyz co in de eu us uk tech site page app example fr it es nl ch at pl br ca au"
)
_LINK = re.compile(
    rf"(?:https?://|www\.){_REST}+"
    rf"|(?<![\w@.])(?:[a-z0-9][\w-]{{0,62}}\.){{1,4}}{_TOP}/{_REST}+"
    rf"|(?<![\w@.])[a-z0-9][\w-]{{0,62}}\.(?:github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel|medium|tumblr)\.\w{{2,4}}",
    re.IGNORECASE,
)
_LINK_SIGN = re.compile(
    rf"://|www\.|\.{_TOP}/|\.(?:github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel)\.",
    re.IGNORECASE,
)
_NO_LINK = re.compile(r"(?:asp|vb|ado|ml|c#|f#|entity|node|react|vue|next)\.(?:net|io|js)/", re.IGNORECASE)
_CUT_OFF = re.compile(r"(?:/in/|/pub/|[-/_.])\Z")
_GOES_ON = re.compile(r"\n[ \t]?[a-z0-9][\w%-]*/?(?=\s|\Z)")
_BARE_SITE = re.compile(rf"(?<![\w@./-])(?:[a-z0-9][\w-]{{0,62}}\.){{1,3}}{_TOP}(?![\w@])")
_SITES = (
    *(
        "skype",
        "linkedin",
        "linked",
        "github",
        "git",
        "gitlab",
        "twitter",
        "telegram",
        "instagram",
        "facebook",
        "whatsapp",
    ),
    *("wechat", "xing", "behance", "dribbble", "hackerrank", "leetcode", "stackoverflow", "kaggle", "medium"),
)
_USER_NAME = re.compile(
    r"\w+(?:[ ](?:in|hub|lab))?(?:[ \t](?:id|handle|profile|user(?:name)?|url|name))?[ \t]{0,4}[:@–-][ \t:@/]{0,6}"
    r"(?P<name>[^\s|,;•·@]{2,60}(?:[ ](?-i:[^\W\d_a-z])[\w'’-]+)?)",
    re.IGNORECASE,
)
_AT_NAME = re.compile(r"(?<![\w@])@[A-Za-z_][\w.]{2,30}")


def find_addresses(page: Page) -> Iterator[Mask]:
    for start, end, token in _found(page):
        yield Mask(start, end, "contact", token)


def find_addresses_of(page: Page, identity: Identity) -> Iterator[Mask]:
    """Those in which the applicant's name can be read, for where contact data may be shown and names may not."""
    for start, end, token in _found(page):
        if _tells_name(page.text[start:end], identity):
            yield Mask(start, end, "name", token)


def _found(page: Page) -> Iterator[tuple[int, int, str]]:
    text, profile = page.text, page.profile
    for fact in profile.emails if profile else ():
        yield fact.evidence.start, fact.evidence.end, EMAIL
    for fact in profile.links if profile else ():
        yield fact.evidence.start, fact.evidence.end, LINK
    yield from _emails(text)
    yield from _links(text)
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
    at = text.find("@")
    while at >= 0:
        begin = max(0, at - 66)
        local = _LOCAL.search(text[begin:at])
        domain = _DOMAIN.match(text, at + 1)
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
        begin = max(done, sign.start() - 200)
        match = _around(text, begin, sign)
        if match is None:
            continue
        done = match.end()
        if not _NO_LINK.match(match[0]):
            yield match.start(), _link_end(text, match.end()), LINK


def _around(text: str, begin: int, sign: re.Match[str]) -> re.Match[str] | None:
    """The link that holds the sign."""
    found = _LINK.finditer(text, begin, min(len(text), sign.end() + 2_000))
    return next((match for match in found if match.end() > sign.start()), None)


def _link_end(text: str, end: int) -> int:
    """A link that a line end cuts goes on in the next line; the full stop of a sentence is no part of it."""
    if _CUT_OFF.search(text[max(0, end - 5) : end]) and (rest := _GOES_ON.match(text, end)):
        return rest.end()
    while text[end - 1] in ".:'’!?":
        end -= 1
    return end


def _tells_name(address: str, identity: Identity) -> bool:
    letters = fold(address.partition("@")[0] if "@" in address else address)
    letters = re.sub(r"[^a-z]+", " ", letters)
    if any(len(part) >= SHORTEST and part in letters for part in identity.parts):
        return True
    return any(handle in letters for handle in (*identity.joined, *identity.short_handles))
