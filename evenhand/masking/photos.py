"""Finds what stands in the text for a picture. Pictures themselves are never shown: Evenhand renders text only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.masks import Mask
from evenhand.masking.page import Page
from evenhand.masking.rules import follow, rule

_PLACEHOLDER = re.compile(
    r"\ufffc|!\[[^\]\n]{0,80}\]\([^)\n]{0,300}\)"
    r"|[\[(<]\s?(?:image|photo|picture|img|portrait|passport[ -]size photo)\b[^\])>\n]{0,40}[\])>]",
    re.IGNORECASE,
)
_FILE = re.compile(r"(?<![\w.-])[\w.-]{1,80}\.(?:jpe?g|png|gif|bmp|webp|heic|tiff?)\b", re.IGNORECASE)
_SIGN = re.compile(r"\.(?:jpe?g|png|gif|bmp|webp|heic|tiff?)\b", re.IGNORECASE)
RULES = (
    rule(
        "affix paste attach insert recent passport",
        r"(?:(?:affix|paste|attach|insert)[ ](?:\w+[ ]){0,4})?(?:recent[ ])?"
        r"(?:passport[ -]sized?[ ](?:photo(?:graph)?|picture)|photo(?:graph)?)(?:[ ]here)?",
    ),
)


def find_photos(page: Page) -> Iterator[Mask]:
    text = page.text
    for match in _PLACEHOLDER.finditer(text):
        yield Mask(match.start(), match.end(), "photo")
    for sign in _SIGN.finditer(text):
        if name := _FILE.search(text, max(0, sign.start() - 80), sign.end()):
            yield Mask(name.start(), name.end(), "photo")
    yield from follow(RULES, page, "photo")
    for word in page.occurrences(("photo", "photograph", "portrait", "picture")):
        start, end = page.cell(word.start)
        if page.is_personal(word.start) and (start, end) == (word.start, word.end):
            yield Mask(start, end, "photo")
