"""Finds what tells a person's sex or family: pronouns, salutations, gendered words, memberships, marital status.

The tokens are neutral: he, she and they are all [pronoun], waiter and waitress both [server].
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evenhand.masking.folding import Word, fold
from evenhand.masking.gender_rules import FAMILY, PRONOUN, RULES, SOCIETY
from evenhand.masking.identity import Identity
from evenhand.masking.masks import Mask
from evenhand.masking.neutral import GREEK, HONOR_SOCIETIES, NEUTRAL, NOT_AFTER_MS, TITLES_ONLY
from evenhand.masking.page import Page
from evenhand.masking.rules import any_of, follow

SALUTATION = "[salutation]"
TITLE_WORDS = 6
PRONOUNS = ("he", "she", "him", "her", "his", "hers", "himself", "herself")
_CONTRACTED = {"hed": 2, "hell": 2, "shed": 3, "shell": 3}  # keys have no apostrophes; where the pronoun ends
_CHOSEN = ("she", "he", "they", "ze", "zie", "xe", "ey", "any")
_CHOICE = re.compile(
    rf"{any_of(' '.join(_CHOSEN))}"
    rf"(?:[ ]?/[ ]?{any_of('hers? him his them theirs? she he they zir hir xem em eirs? any')})+\b",
    re.IGNORECASE,
)
_SALUTATIONS = ("mr", "mrs", "mister", "sir", "madam", "mlle")
_DOUBTFUL_SALUTATIONS = ("ms", "miss", "mme", "herr", "frau", "smt", "shri")  # words, degrees and names too
_NEXT = re.compile(r"\.?[ \xa0]{0,2}([^\W\d_][\w'’]*)")
_RELATIVES = ("mother", "father", "mom", "mum", "dad", "wife", "husband", "grandmother", "grandfather")
_CHILDREN = any_of("child(?:ren)? kids? sons? daughters? boys? girls?")
_OF_TWO = re.compile(
    rf"(?:[ ](?:of|to)[ ](?:an?[ ]|my[ ])?\w+(?:[ ](?:\w+[ ])?{_CHILDREN})?)?",
    re.IGNORECASE,
)
_NO_RELATIVES = any_of(
    r"tongue board ship compan plant language nature earth unit teresa theresa day\b name\b baby infant sauce child\b"
    r" care\b house figure cell (?:and|or|&)_(?:child|baby|infant|newborn|son|daughter|father|mother)"
)
_NO_RELATIVE_AFTER = re.compile(rf"(?:['’]s)?[ ]?(?:[/-]|{_NO_RELATIVES})", re.IGNORECASE)
_NO_RELATIVE_BEFORE = re.compile(
    rf"(?:\b{any_of('the each every expectant patient birth surrogate foster founding and or')}|[/&-])[ ]?\Z",
    re.IGNORECASE,
)
_OF = re.compile(r"[ ](?:of|to)[ ]", re.IGNORECASE)
_ALONE = (
    *(
        "male",
        "female",
        "married",
        "unmarried",
        "single",
        "divorced",
        "widowed",
        "ledig",
        "verheiratet",
        "weiblich",
    ),
    "mannlich",
)


def find_genders(page: Page, identity: Identity) -> Iterator[Mask]:
    yield from _pronouns(page)
    yield from _salutations(page, identity)
    yield from _family(page)
    yield from _job_words(page)
    yield from _greek_societies(page)
    yield from _alone_in_cell(page)
    yield from follow(RULES, page, "gender")


def _pronouns(page: Page) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences(PRONOUNS):
        before, after = text[word.start - 1 : word.start], text[word.end : word.end + 1]
        if before in ("-", "_") or after.isdigit() or after == "_":  # 4-Hers, HER2
            continue
        # HIS is also a hospital information system, HE higher education.
        is_acronym = text[word.start : word.end].isupper() and not _is_shouted(page, word)
        if not is_acronym and not page.is_fact(word.start, word.end):
            yield Mask(word.start, word.end, "gender", PRONOUN)
    for word in page.occurrences(_CONTRACTED):
        length = _CONTRACTED[word.key]
        if not text[word.start + length].isalpha():  # he'd, and not a shed or a shell
            yield Mask(word.start, word.start + length, "gender", PRONOUN)
    for word in page.occurrences(_CHOSEN):
        if choice := _CHOICE.match(text, word.start):
            yield Mask(word.start, choice.end(), "gender", PRONOUN)


def _is_shouted(page: Page, word: Word) -> bool:
    """Whether the words around it are in capitals too."""
    start, end = page.line(word.start)
    near = re.findall(r"[^\W\d_]{4,}", page.text[max(start, word.start - 30) : min(end, word.end + 30)])
    return len(near) > 1 and all(each.isupper() for each in near)


def _salutations(page: Page, identity: Identity) -> Iterator[Mask]:
    text = page.text
    for word in page.occurrences((*_SALUTATIONS, *_DOUBTFUL_SALUTATIONS)):
        if (
            text[word.start].isupper()
            and not page.is_fact(word.start, word.end)
            and _is_salutation(page, identity, word)
        ):
            end = word.end + (text[word.end : word.end + 1] == ".")
            yield Mask(word.start, end, "gender", SALUTATION)


def _is_salutation(page: Page, identity: Identity, word: Word) -> bool:
    after = _NEXT.match(page.text, word.end)
    follower = after[1] if after else ""
    if fold(follower) in identity.parts:
        return True
    if page.text[word.start : word.end].isupper():  # MR is also a kind of imaging, MS a degree
        return word.key not in _DOUBTFUL_SALUTATIONS and page.text[word.end : word.end + 1] == "."
    if word.key in _SALUTATIONS:
        return True
    is_person = follower[:1].isupper() or page.text[word.end : word.end + 1] == "."
    return is_person and follower.lower() not in NOT_AFTER_MS


def _family(page: Page) -> Iterator[Mask]:
    """Proud father of two, my wife; not the mother tongue, nor mother and child on a ward."""
    text = page.text
    for word in page.occurrences(_RELATIVES):
        # MoM is month over month, MOM minutes of a meeting.
        if page.is_fact(word.start, word.end) or not text[word.start + 1 : word.end].islower():
            continue
        if word.key not in ("wife", "husband") and _is_other_relative(text, word):
            continue
        tail = _OF_TWO.match(text, word.end)
        yield Mask(word.start, tail.end() if tail else word.end, "gender", FAMILY)


def _is_other_relative(text: str, word: Word) -> bool:
    if _NO_RELATIVE_AFTER.match(text, word.end):
        return True
    before = _NO_RELATIVE_BEFORE.search(text[max(0, word.start - 14) : word.start])
    return before is not None and not _OF.match(text, word.end)


def _job_words(page: Page) -> Iterator[Mask]:
    """In titles too: a neutral word says the same. Employers keep their names."""
    for word in page.occurrences(NEUTRAL):
        if not (page.is_institution(word.start, word.end) or page.is_skill(word.start, word.end)):
            yield Mask(word.start, word.end, "gender", f"[{NEUTRAL[word.key]}]")
    for word in page.occurrences(TITLES_ONLY):
        if page.is_title(word.start, word.end) or _is_short_line(page, word):
            yield Mask(word.start, word.end, "gender", f"[{TITLES_ONLY[word.key]}]")


def _is_short_line(page: Page, word: Word) -> bool:
    """Of a title that is shown by itself, without the resume around it."""
    line = page.text[slice(*page.line(word.start))]
    return not page.is_resume and page.text[word.start].isupper() and len(line.split()) <= TITLE_WORDS


def _greek_societies(page: Page) -> Iterator[Mask]:
    """Two or three Greek letters are a sorority or a fraternity, unless they are a society of honour."""
    text = page.text
    run: list[Word] = []
    letters = sorted(page.occurrences(GREEK))
    for word in [*letters, None]:
        if word and (not run or text[run[-1].end : word.start] == " ") and text[word.start].isupper():
            run.append(word)
            continue
        if len(run) > 1 and not _is_of_honor(text, run):
            yield Mask(run[0].start, run[-1].end, "gender", SOCIETY)
        run = [word] if word and text[word.start].isupper() else []


def _is_of_honor(text: str, run: list[Word]) -> bool:
    return (
        " ".join(each.key for each in run) in HONOR_SOCIETIES
        or text[run[-1].end + 1 : run[-1].end + 6].lower() == "honor"
    )


def _alone_in_cell(page: Page) -> Iterator[Mask]:
    """Male or Married with nothing else in its cell, among personal details."""
    text = page.text
    for word in page.occurrences(_ALONE):
        around = page.cell(word.start) if page.is_personal(word.start) else page.line(word.start)
        is_alone = text[slice(*around)].strip(" .,:") == text[word.start : word.end]
        if is_alone and (page.is_personal(word.start) or word.key in ("male", "female")):
            yield Mask(word.start, word.end, "gender")
