"""All finders together: what is to be masked of one resume, and of anything else that is said of its owner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import cached_property

from evenhand.masking.contacts import (
    find_addresses,
    find_addresses_of,
    find_phones,
    find_streets,
    find_streets_again,
    streets_of,
)
from evenhand.masking.identity import Form, Identity, identify
from evenhand.masking.masks import KINDS, Mask, MaskedText, apply, apply_rules, merge, rule
from evenhand.masking.names import find_names
from evenhand.masking.page import MaskingPage
from evenhand.masking.personal_details import find_ages, find_genders
from evenhand.masking.places import find_places, find_schools
from evenhand.records.profile import Profile

# Finds what stands in the text for a picture. Pictures themselves are never shown: Evenhand renders text only.

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


def find_photos(page: MaskingPage) -> Iterator[Mask]:
    text = page.text
    for match in _PLACEHOLDER.finditer(text):
        yield Mask(match.start(), match.end(), "photo")
    for sign in _SIGN.finditer(text):
        if name := _FILE.search(text, max(0, sign.start() - 80), sign.end()):
            yield Mask(name.start(), name.end(), "photo")
    yield from apply_rules(RULES, page, "photo")
    for word in page.occurrences(("photo", "photograph", "portrait", "picture")):
        start, end = page.cell(word.start)
        if page.is_personal(word.start) and (start, end) == (word.start, word.end):
            yield Mask(start, end, "photo")


MAX_CHARACTERS = 200_000  # as many as are mined
NOT_SHOWN = "[The rest of this text is too long to be masked, and not shown.]"
_BETWEEN = "\n\n\n"  # no rule looks further than over two line ends


class Masker:
    """Knows one applicant. The same input gives the same masks; the time grows in step with the text.

    What stands behind `MAX_CHARACTERS` is one mask: nothing is shown that was not looked at.
    """

    def __init__(
        self,
        text: str,
        profile: Profile | None = None,
        *,
        kinds: Set[str] = frozenset(KINDS),
        form: Form | None = None,
        file: str | None = None,
    ) -> None:
        self.kinds = frozenset(kinds)
        self._text = text
        self._page = MaskingPage(text[:MAX_CHARACTERS], profile)
        self._form = form
        self._file = file

    @cached_property
    def identity(self) -> Identity:
        return identify(self._page, self._form, self._file)

    @cached_property
    def masks(self) -> tuple[Mask, ...]:
        """Of the resume, in the order of the text and without overlaps."""
        return merge((*self.found, *self._rest(self._text)))

    @cached_property
    def found(self) -> tuple[Mask, ...]:
        """As the finders of each kind found them, up to `MAX_CHARACTERS`."""
        return tuple(self._find(self._page))

    @cached_property
    def masked(self) -> MaskedText:
        return apply(self._text, self.masks)

    @cached_property
    def streets(self) -> frozenset[str]:
        return streets_of(self._page)

    def clean(self, text: str) -> str:
        """Any other text about this person: a note, a message, a field of a form."""
        return self.mask_text(text).text

    def mask_text(self, text: str) -> MaskedText:
        """As `clean`, with the places of what is masked."""
        if not self.kinds:
            return MaskedText(text)
        return apply(text, (*self.find_in(text), *self._rest(text)))

    def find_in(self, text: str) -> Iterator[Mask]:
        """What is to be masked of any other text about this person, as `found` of the resume."""
        yield from self._find(MaskingPage(text[:MAX_CHARACTERS], is_resume=False))

    def clean_all(self, texts: Sequence[str]) -> list[str]:
        """As `clean`, for many short texts at once, which is many times as fast."""
        cleaned = self.clean(_BETWEEN.join(texts)).split(_BETWEEN) if texts else []
        return cleaned if len(cleaned) == len(texts) else [self.clean(text) for text in texts]

    def _rest(self, text: str) -> Iterator[Mask]:
        if self.kinds and len(text) > MAX_CHARACTERS:
            yield Mask(MAX_CHARACTERS, len(text), min(self.kinds, key=KINDS.index), NOT_SHOWN)

    def _find(self, page: MaskingPage) -> Iterator[Mask]:
        kinds, identity = self.kinds, self.identity
        if "name" in kinds:
            yield from find_names(page, identity)
        if "contact" in kinds:
            yield from find_addresses(page, identity)
            yield from find_phones(page, identity)
            yield from find_streets(page, identity)
            if not page.is_resume:
                yield from find_streets_again(page, self.streets)
        elif "name" in kinds:
            yield from find_addresses_of(page, identity)
        if "address" in kinds:
            yield from find_places(page, identity)
        if "age" in kinds:
            yield from find_ages(page)
        if "gender" in kinds:
            yield from find_genders(page, identity)
        if "photo" in kinds:
            yield from find_photos(page)
        if "school" in kinds:
            yield from find_schools(page, identity)
