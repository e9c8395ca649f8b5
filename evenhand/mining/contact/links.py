"""Web addresses: whole ones, and "github.com/name" without a scheme; not "node.js", "asp.net" or "B.Tech"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.mining.contact.places import Places
from evenhand.records.profile import Fact

_REST = r"[^\s<>()\[\]{}\"|,;•·]"
_SITES = (
    r"linkedin|github|gitlab|bitbucket|stackoverflow|stackexchange|medium|behance|dribbble|kaggle|twitter|facebook|instagram"
    r"|leetcode|hackerrank|hackerearth|codechef|codeforces|codepen|xing|researchgate|orcid|scholar\.google|youtube|about|angel"
    r"|devpost|topcoder|wordpress|blogspot|tumblr|soundcloud|vimeo|x"
)
_HOSTS = r"github|gitlab|wordpress|blogspot|netlify|herokuapp|vercel|medium|tumblr"
_ENDINGS = r"com|org|net|io|dev|me|info|xyz|co|in|de|eu|us|uk|tech|site|page|app"
_LINK = re.compile(
    rf"""
    (?:https?://|www\.)[\w-]+\.{_REST}+
  | (?<![\w@./-])(?:[\w-]+\.){{0,2}}(?:{_SITES})\.(?:com|org|io|me|co|net|in)/{_REST}+
  | (?<![\w@./-])[a-z0-9][\w-]*\.(?:{_HOSTS})\.(?:io|com|app){_REST}*
  | (?<![\w@./-])(?:[a-z0-9][\w-]*\.){{1,2}}(?:{_ENDINGS})(?![\w@])(?:/{_REST}*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CERTAIN = re.compile(
    rf"(?:https?://|www\.)|(?:[\w-]+\.){{0,2}}(?:{_SITES})\.\w+/|[\w-]+\.(?:{_HOSTS})\.", re.IGNORECASE
)
_LABEL = re.compile(
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
_PREFILTER = re.compile(rf"://|www\.|\.(?:{_ENDINGS})\b", re.IGNORECASE)


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
            if (fact := _fact(places, match)) is not None and not any(
                _overlap(fact, email) for email in emails
            ):
                found.setdefault(_key(fact.value), fact)
    return list(found.values())


def _fact(places: Places, match: re.Match[str]) -> Fact | None:
    text, start = places.text, match.start()
    surface = (
        match.group().rstrip(".:'’!?-–*/") if not _CUT_AT_LINE_END.search(match.group()) else match.group()
    )
    end = start + len(surface)
    if not _CERTAIN.match(surface):
        labelled = _LABEL.search(text[max(0, start - 24) : start]) is not None
        if (
            _NOT_LINKS.match(surface)
            or not (labelled or start < places.top_end)
            or surface != surface.lower()
        ):
            return None
    if _CUT_AT_LINE_END.search(surface) and (rest := _NEXT_LINE.match(text, end)):
        return places.fact(surface + rest[1].rstrip("/"), start, rest.end(1), 0.8)
    return places.fact(surface, start, end, 1.0)


def _overlap(one: Fact, other: Fact) -> bool:
    return one.evidence.start < other.evidence.end and other.evidence.start < one.evidence.end


def _key(value: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", value.lower()).rstrip("/")
