"""Finds the applicant's name wherever it stands: whole, in parts, with initials, joined in user names, spread out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evenhand.masking.identity import HANDLE_LABEL, MIN_PART_LENGTH, Identity, guessed_lines, sure_first_names
from evenhand.masking.masks import CELL, COLON, SEP, Mask, apply_rules, rule
from evenhand.masking.page import COMMON, MONTHS, NO_NAMES, PLACES, WEEKDAYS, MaskingPage
from evenhand.text.folding import FoldedWord

_GAP = re.compile(r"[ \t\xa0.,()\"“”'‘’*_/–-]{0,4}\n?[ \t\xa0(\"“'‘]{0,3}")
_MAX_GAP = 6
MAX_UNEVEN = 3.5  # characters of a piece with its blank; words are longer
_SPREAD = re.compile(r"(?<!\w)(?:[^\W\d_][ \xa0]{1,4}){3,40}[^\W\d_](?!\w)")
_UNEVEN = re.compile(r"\s{0,8}((?:[^\W\d_a-z]{1,4}[ ]){3,20}[^\W\d_a-z]{1,4})[ \t]*(?=\n|\Z)")
_HONORIFIC = re.compile(r"\b(?:mr|mrs|ms|miss|dr|prof|sir|madam|mister|herr|frau)\b\.?[ \xa0]*\Z", re.IGNORECASE)
POSSESSIVE = re.compile(r"\\?['’]s\b")
_PLACE_NAME = re.compile(r"\b(?:San|Santa|St\.?|Saint|Los|Las|Fort|Port|Mount|Lake|New|El)[ \xa0]\Z")
_HANDLE_SIGN = re.compile(r"(?:\b(?:id|in)[ \t]?[:/@~-]{0,3}[ \t]?|[/@~]|(?<![\w.])[a-z][._-])\Z", re.IGNORECASE)
_MORE_INITIALS = re.compile(r"(?:[ -]?[^\W\d_a-z]\.){1,2}")
_DOES = re.compile(
    r"[ ](?:is|was|has|had|leads?|led|joined|joins|holds|held|works|worked|brings|brought|considers|enjoys|manages"
    r"|managed|possesses|speaks|graduated|studied|specialis|specializ|served|serves|lives|earned|began|started|offers)"
)
_NO_NAME_BEFORE = frozenset((
    *("a", "an", "the", "this", "that", "each", "every", "any", "no", "new", "our", "your", "their", "its", "per"),
    *("another", "such", "in", "of", "on", "at", "for", "as", "or"),
))  # fmt: skip
_PLACE_BEFORE = frozenset(("to", "from", "near", "with", "by", "and", "via", "through", "around", "across"))
_FURNITURE = re.compile(r"[\W\d_]*+(?:page|resume|résumé|cv|curriculum vitae|of|\W|\d)*+", re.IGNORECASE)
_BEGINS = re.compile(r"(?:\A|[\n.•!?\"”]\W{0,3})\Z")
_MIN_HANDLE = 8  # letters; shorter ones are words too: A. Long is along, S. Mart is smart
_INITIAL_BEFORE = re.compile(r"(?<![\w.])[a-z][._-]\Z")
_HANDLE_TAIL = re.compile(r"[\w.-]{0,40}")


_CAPITAL = r"(?-i:[^\W\d_a-z])[\w.'’-]*+"
_RELATIVES = (
    rule("father mother guardian fathers mothers parent spouse", rf"[^\W\d_]+['’]?s?[ ]name{COLON}{CELL}"),
    rule(
        "father mother guardian fathers mothers parent spouse husband wife",
        rf"[^\W\d_]+['’]?s?[ ]name{SEP}(?P<hide>(?:(?:mrs?|late|shri|sri|smt|sh|dr)\b\.?[ ]?){{0,2}}"
        rf"{_CAPITAL}(?:[ ]{_CAPITAL}){{0,4}})",
    ),
)
_LISTED_BEFORE = re.compile(r"(?:[^\W\d_a-z][\w'’-]{1,30}(?:[ ][A-Z]\.){0,2}[,;]\s|\(|\bin[ ])(?:and[ ]|&[ ])?\Z")
_LISTED_BEHIND = re.compile(
    r"(?:,[ ](?:[A-Z]\.[ -]?){1,2})?(?:[,;]\s|,?\s(?:and|&)\s)(?:and[ ]|&[ ])?([^\W\d_a-z][\w'’-]{1,30})[,.;)\s]"
)
_LISTED_LAST = re.compile(r"\((?:[^\W\d_a-z][\w'’-]{1,30}(?:[,;]\s|,?\s(?:and|&)\s)(?:and[ ]|&[ ])?){1,6}\Z")
"""Before the last of the authors in brackets."""


def find_names(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    if page.profile and page.profile.name:
        place = page.profile.name.evidence
        yield Mask(place.start, place.end, "name")
    for line in guessed_lines(page, identity.parts - identity.guesses):
        yield Mask(*line, "name")
    yield from _uneven(page)
    yield from apply_rules(_RELATIVES, page, "name")
    if not identity.parts:
        return
    yield from _runs(page, identity)
    yield from _user_names(page, identity)
    yield from _spread(page, identity)
    yield from _uncased(page, identity)


def _runs(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """Words of the name that stand together, with initials and at most one strange word between two of them."""
    run: list[FoldedWord] = []
    for word in _candidates(page, identity):
        # A part that comes again begins the next name: "Jane Doe, Jane's page".
        is_again = word.key in identity.parts and any(word.key == earlier.key for earlier in run)
        adjoins = run and word.start - run[-1].end <= _MAX_GAP and _GAP.fullmatch(page.text, run[-1].end, word.start)
        if run and (is_again or not adjoins):
            yield from _settle(page, identity, run)
            run = []
        run.append(word)
    yield from _settle(page, identity, run)


def _candidates(page: MaskingPage, identity: Identity) -> Iterator[FoldedWord]:
    """Parts and initials of the name, and capitalised words between two parts ("Jane Marie Doe", "Jane Q. Doe")."""
    text, words = page.text, page.words
    known = {
        number
        for key in identity.parts
        for number in page.numbers.get(key, ())
        if key not in identity.common or text[words[number].start].isupper()
    }
    initials = {
        number
        for key in {part[0] for part in identity.parts}
        for number in page.numbers.get(key, ())
        if text[words[number].start].isupper()
    }
    between = {
        number - 1
        for number in known
        if (number - 2 in known or (number - 2 in initials and len(words[number - 1].key) == 1))
        and _is_between(page, number - 1)
    }
    for number in sorted(known | initials | between):
        yield words[number]


def _is_between(page: MaskingPage, number: int) -> bool:
    before, word, after = page.words[number - 1 : number + 2]
    if before.key == after.key or not all(page.text[neighbour.start].isupper() for neighbour in (before, word, after)):
        return False
    gaps = page.text[before.end : word.start], page.text[word.end : after.start]
    dotted = (" ", ". ", ".")
    return gaps[0] in (dotted if len(before.key) == 1 else (" ",)) and gaps[1] in (
        dotted if len(word.key) == 1 else (" ",)
    )


def _settle(page: MaskingPage, identity: Identity, run: Sequence[FoldedWord]) -> Iterator[Mask]:
    parts = [word for word in run if word.key in identity.parts]
    if len(parts) > 1:
        run = [word for word in run if len(word.key) == 1 or parts[0].start <= word.start <= parts[-1].start]
        yield _whole(page.text, run)
    elif parts:
        if with_initials := _initialled(page, identity, run, parts[0]):
            yield _whole(page.text, with_initials)
        elif is_name_alone(page, identity, parts[0]):
            yield Mask(parts[0].start, parts[0].end, "name")


def _initialled(page: MaskingPage, identity: Identity, run: Sequence[FoldedWord], part: FoldedWord) -> list[FoldedWord]:
    """The part with the initials of other parts beside it: "J. Doe", "Doe, J.", "Jane D."; nothing without any."""
    text = page.text
    if not text[part.start].isupper():
        return []
    if run[0].end + 1 == part.start and _is_signed(page, identity, run[0].key, part):
        return [run[0], part]
    others = {other[0] for other in identity.parts if other != part.key}
    # "A Grant" may begin a sentence, "A Li" be a typing error, "C Vale" a skill; "A. Grant" and "A. Li" are names.
    is_sure = len(part.key) >= MIN_PART_LENGTH and part.key not in identity.common
    needs_dot = not is_sure or (page.is_fact(part.start, part.end) and not page.is_in("firm", part.start, part.end))
    initialled = [
        word
        for word in run
        if word is part
        or (len(word.key) == 1 and word.key in others and (text[word.end : word.end + 1] == "." or not needs_dot))
    ]
    return initialled if len(initialled) > 1 else []


def _is_signed(page: MaskingPage, identity: Identity, initial: str, part: FoldedWord) -> bool:
    """The initial of the first name without its dot, before a surname that means nothing else: (T Ashgrove, J Lee)."""
    is_own = any(len(name) > 1 and name[0][0] == initial and name[-1] == part.key for name in identity.names)
    is_word = initial in ("a", "i") or part.key in COMMON or page.is_in("skill", part.start, part.end)
    return is_own and not is_word and len(part.key) > MIN_PART_LENGTH


def _whole(text: str, run: Sequence[FoldedWord]) -> Mask:
    """From the first word to the last, with the dot of an initial at the end and the initials that follow it."""
    end = run[-1].end
    if len(run[-1].key) == 1 and text[end : end + 1] == ".":
        more = _MORE_INITIALS.match(text, end + 1)
        end = more.end() if more else end + 1
    return Mask(run[0].start, end, "name")


def is_name_alone(page: MaskingPage, identity: Identity, word: FoldedWord) -> bool:
    """A single part counts where it is written like a name; of facts, in firms that may be the applicant's only."""
    text = page.text
    if len(word.key) < MIN_PART_LENGTH:
        return False
    if _is_author(page, identity, word):
        return True
    is_headed = (word.key,) in identity.names and page.line(word.start)[0] == word.start
    if is_headed and text[word.start].isupper() and word.key in sure_first_names():
        return True  # "Anna Software Engineer" in the first line, and at the top of each page
    is_work = page.is_in("skill", word.start, word.end) or page.is_in("title", word.start, word.end)
    if page.is_fact(word.start, word.end) and (is_work or not _is_alone_in_line(page, word)):
        is_own = page.is_in("firm", word.start, word.end) and word.key not in identity.common | identity.nicknames
        return is_own and text[word.start].isupper()
    if not text[word.start].isupper():
        return identity.small and word.key not in identity.common
    if _PLACE_NAME.search(text[max(0, word.start - 8) : word.start]):
        return False
    return word.key not in identity.common or _is_certain(page, word)


def _is_author(page: MaskingPage, identity: Identity, word: FoldedWord) -> bool:
    """A surname among others, whatever it may mean elsewhere: (Ashgrove, King, Halloway), in King, Halloway and Lee."""
    is_surname = page.is_resume and any(name[-1] == word.key for name in identity.names if len(name) > 1)
    if not is_surname or word.key in PLACES | MONTHS or page.is_in("skill", word.start, word.end):
        return False
    if page.text[word.end : word.end + 1] == ")":
        return _LISTED_LAST.search(page.text[max(0, word.start - 160) : word.start]) is not None
    behind = _LISTED_BEHIND.match(page.text, word.end)
    if behind is None or page.is_in("skill", behind.start(1), behind.end(1)) or not page.text[word.start].isupper():
        return False
    before = page.text[max(0, word.start - 48) : word.start]
    return _LISTED_BEFORE.search(before) is not None


def _is_certain(page: MaskingPage, word: FoldedWord) -> bool:
    """Of a name that is also a common word: only where nothing but a name can stand."""
    text = page.text
    before = text[max(0, word.start - 12) : word.start]
    if _HONORIFIC.search(before) or (POSSESSIVE.match(text, word.end) and word.key not in PLACES):
        return True
    if _DOES.match(text, word.end) and _BEGINS.search(text, max(0, word.start - 4), word.start):
        return True
    if any(word.key in keys for keys in (MONTHS, WEEKDAYS, NO_NAMES)):
        return False
    return _is_alone_in_line(page, word) or _is_inside_sentence(page, word, page.line(word.start))


def _is_alone_in_line(page: MaskingPage, word: FoldedWord) -> bool:
    """As at the top or the foot of a page."""
    start, end = page.line(word.start)
    return bool(_FURNITURE.fullmatch(page.text, start, word.start) and _FURNITURE.fullmatch(page.text, word.end, end))


def _is_inside_sentence(page: MaskingPage, word: FoldedWord, line: tuple[int, int]) -> bool:
    """ "I helped Grant with it": capitalised between small words, without an article."""
    text = page.text
    before = re.search(r"(?<![^\W\d_])([^\W\d_]+)[ \xa0]\Z", text[max(line[0], word.start - 24) : word.start])
    if not before or not before[1].islower() or before[1] in _NO_NAME_BEFORE:
        return False
    if word.key in PLACES and before[1] in _PLACE_BEFORE:
        return False
    if text[word.start : word.end].isupper():
        return False
    after = re.match(r"[^\w\n]{0,3}([^\W_]+)", text[word.end : line[1]])
    return after is None or not after[1][0].isupper() or after[0][:1] in ".,;)!?"


def _user_names(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """janedoe, JaneDoe88; jdoe, and doe in small letters, where a user name stands; a long one wherever it stands."""
    joined, short, text = identity.joined, identity.short_handles, page.text
    surnames = {name[-1] for name in identity.names if len(name[-1]) > MIN_PART_LENGTH} - identity.common
    certain = [key for key in page.numbers if len(key) > MIN_PART_LENGTH and any(handle in key for handle in joined)]
    certain += [handle for handle in short if len(handle) >= _MIN_HANDLE]
    likely = [word for word in page.occurrences(short) if _is_user_name(text, word)]
    likely += [word for word in page.occurrences(surnames) if text[word.start].islower() and _is_user_name(text, word)]
    for word in (*page.occurrences(certain), *likely):
        tail = _HANDLE_TAIL.match(text, word.end) if text[word.end : word.end + 1].isdigit() else None
        start = word.start - 2 if _INITIAL_BEFORE.search(text, max(0, word.start - 3), word.start) else word.start
        yield Mask(start, tail.end() if tail else word.end, "name")


def _is_user_name(text: str, word: FoldedWord) -> bool:
    begin, after = max(0, word.start - 20), text[word.end : word.end + 1]
    signs = (HANDLE_LABEL, _HANDLE_SIGN)
    return (
        after.isdigit()
        or (after != "" and after in "@_/")
        or any(sign.search(text, begin, word.start) for sign in signs)
    )


def _spread(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """J A N E   D O E."""
    for match in _SPREAD.finditer(page.text):
        letters = "".join(match[0].split()).lower()
        if any(len(part) >= MIN_PART_LENGTH and part in letters for part in identity.parts):
            yield Mask(match.start(), match.end(), "name")


def _uneven(page: MaskingPage) -> Iterator[Mask]:
    """J ANE D OE in the first line, and wherever it comes again."""
    first = _UNEVEN.match(page.text) if page.is_resume else None
    if first and len(first[1]) < MAX_UNEVEN * len(first[1].split()):
        for match in re.finditer(re.escape(first[1]), page.text):
            yield Mask(match.start(), match.end(), "name")


def _uncased(page: MaskingPage, identity: Identity) -> Iterator[Mask]:
    """Scripts without capitals, whose words are not set apart by spaces either."""
    for part in sorted({"".join(name) for name in identity.names} | identity.parts):
        if len(part) > 1 and part.lower() == part.upper():
            for match in re.finditer(re.escape(part), page.text):
                yield Mask(match.start(), match.end(), "name")
