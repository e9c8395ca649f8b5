"""The 37 published features as functions of a line or a word, so that the published sets can be run as they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler

from evenhand.mining.annotations import Annotations
from evenhand.mining.layout import LayoutLine
from evenhand.mining.lexicon.degrees import degrees
from evenhand.mining.lexicon.phrases import fields, words
from evenhand.mining.lexicon.skills import skills
from evenhand_lab.reproduce.results import PUBLISHED

# The numbers are those of PROSPECT's Figure 6: 1 to 9 the shape of a word, 10 a list of skills, 11 to 20 what a line
# looks like, 21 the segmenter's label, 22 to 26 lexicons, 27 to 32 words of blocks and headers, 33 to 36 contact data
# and dates, 37 conjunctions with the neighbours. Its ablation adds them up in six sets.
_RS_1 = frozenset({*range(11, 19), 20, 37})
_CR_1 = frozenset({*range(1, 10), 37})
_CR_2 = _CR_1 | {10, 13, *range(15, 22)}
SETS = {
    "RS-1": _RS_1,
    "RS-2": _RS_1 | {*range(27, 33)},
    "RS-3": _RS_1 | {*range(27, 37)},
    "CR-1": _CR_1,
    "CR-2": _CR_2,
    "CR-3": _CR_2 | {*range(22, 27)},
}
COMMON, HEADERS = (
    {int(number): words for number, words in PUBLISHED[name].items()} for name in ("common_words", "header_words")
)
_WORDS = {number: frozenset(text.split()) for number, text in (COMMON | HEADERS).items()}
_POSTCODE = re.compile(r"\b\d{5}(?:-\d{4})?\b|\b\d{6}\b")
_SKILL_LIST = re.compile(r"^[^:]{2,40}:\s*[^,:]+(?:,[^,:]+)+")
_INITIAL = re.compile(r"[A-Z]\.?")

Lexicons = Mapping[int, Callable[[str], bool]]
"""Features 22 to 26: whether a word is similar (Jaro-Winkler) to one of the lexicon."""


@dataclass(frozen=True, slots=True)
class FeaturePage:
    """What the published features are computed from."""

    annotations: Annotations
    labels: list[str]  # of the segmenter, for feature 21
    lexicons: Lexicons


LineFeature = Callable[[FeaturePage, int], list[str]]


def _is(number: int, test: Callable[[FeaturePage, int, LayoutLine], object]) -> LineFeature:
    """A feature that a line has or has not."""
    return lambda page, place: [str(number)] if test(page, place, page.annotations.layout.lines[place]) else []


def _value(number: int, value: Callable[[FeaturePage, int, LayoutLine], object]) -> LineFeature:
    """A feature with a value; none where it is None or empty."""

    def find(page: FeaturePage, place: int) -> list[str]:
        found = value(page, place, page.annotations.layout.lines[place])
        return [f"{number}={found}"] if found not in (None, "") else []

    return find


def _style(page: FeaturePage, place: int) -> list[str]:
    line = page.annotations.layout.lines[place]
    return [f"13={'b' if line.line.bold else ''}{'i' if line.line.italic else ''}{'C' if line.is_caps else ''}"]


def _change(page: FeaturePage, place: int) -> list[str]:
    lines = page.annotations.layout.lines
    steps = [step for step in (-1, 1) if 0 <= place + step < len(lines)]
    return [f"14{step:+}" for step in steps if lines[place + step].look != lines[place].look]


def _common(number: int) -> LineFeature:
    def find(page: FeaturePage, place: int) -> list[str]:
        line = page.annotations.layout.lines[place]
        hits = [word for word in page.annotations.layout.lower[line.first : line.last] if word in _WORDS[number]]
        return [f"{number}={min(len(hits), 3)}", *(f"{number}:{word}" for word in sorted(set(hits)))] if hits else []

    return find


def _dated(*kinds: str) -> Callable[[FeaturePage, int, LayoutLine], object]:
    return lambda page, place, _: set(kinds) & set(page.annotations.date_kinds[place])


OF_LINE: dict[int, LineFeature] = {
    10: _is(10, lambda page, place, line: _SKILL_LIST.match(line.text)),
    11: _is(11, lambda page, place, line: line.gap_before),
    12: _is(12, lambda page, place, line: line.new_block),
    13: _style,
    14: _change,
    15: _value(15, lambda page, place, line: min(8, round(line.size_ratio * 4))),
    16: _is(16, lambda page, place, line: line.odd_color),
    17: _is(17, lambda page, place, line: line.line.table),
    18: _value(18, lambda page, place, line: page.annotations.table_types[place]),
    19: _value(19, lambda page, place, line: page.annotations.column_types[place]),
    20: _is(20, lambda page, place, line: line.line.list),
    21: lambda page, place: [f"21={page.labels[place]}"],
    **{number: _common(number) for number in (*COMMON, *HEADERS)},
    33: _is(33, lambda page, place, line: "phone" in page.annotations.contacts[place] or _POSTCODE.search(line.text)),
    34: _is(34, _dated("point", "range", "birth")),
    35: _is(35, _dated("duration", "range")),
    36: _is(36, lambda page, place, line: "email" in page.annotations.contacts[place]),
}

OF_WORD: dict[int, Callable[[str], list[str]]] = {
    1: lambda word: ["1"] if word[0].isupper() else [],
    2: lambda word: ["2"] if word[0].isdigit() else [],
    3: lambda word: ["3"] if word.isdigit() else [],
    4: lambda word: ["4"] if word.isupper() and word.isalpha() else [],
    5: lambda word: ["5"] if any(map(str.isupper, word)) and any(map(str.isdigit, word)) else [],
    6: lambda word: [f"6={word.lower()}"],
    7: lambda word: ["7"] if not any(map(str.isalnum, word)) else [],
    8: lambda word: ["8"] if any(map(str.isdigit, word)) else [],
    9: lambda word: ["9"] if _INITIAL.fullmatch(word) else [],
}


def line_places(page: FeaturePage, set_name: str) -> list[list[str]]:
    """The attributes of every line under one of the sets RS-1, RS-2, RS-3."""
    numbers = SETS[set_name]
    own = [
        [name for number in sorted(numbers & OF_LINE.keys()) for name in OF_LINE[number](page, place)]
        for place in range(len(page.annotations.layout.lines))
    ]
    return [["bias", *names] for names in conjoined(own)]


def word_places(page: FeaturePage, set_name: str) -> list[list[list[str]]]:
    """Per line the attributes of its words under one of the sets CR-1, CR-2, CR-3."""
    numbers = SETS[set_name]
    result = []
    for place, line in enumerate(page.annotations.layout.lines):
        shared = ["bias"]
        for number in sorted(numbers & OF_LINE.keys()):
            shared += OF_LINE[number](page, place)
        own = [
            [
                *(name for number in sorted(numbers & OF_WORD.keys()) for name in OF_WORD[number](word)),
                *(f"{number}" for number in sorted(numbers & page.lexicons.keys()) if page.lexicons[number](word)),
            ]
            for word in page.annotations.layout.words(line)
        ]
        result.append([shared + names for names in conjoined(own)])
    return result


def conjoined(own: list[list[str]]) -> list[list[str]]:
    """Feature 37: each place also has the attributes of the one before and the one after, alone and with its own."""
    result = []
    for place, names in enumerate(own):
        all_names = list(names)
        for step in (-1, 1):
            if not 0 <= place + step < len(own):
                all_names.append(f"37{step:+}:edge")
                continue
            others = own[place + step]
            all_names += [f"37{step:+}:{other}" for other in others]
            all_names += [f"37{step:+}:{name}&{other}" for name in names for other in others]
        result.append(all_names)
    return result


# Features 22 to 26: whether a word is similar to one of a lexicon, by Jaro-Winkler as published.

SIMILAR = 0.92  # the published threshold is not known
MIN_WORD_LENGTH = 4  # letters: shorter words must be equal, since any two of them are similar


@cache
def published_lexicons() -> Lexicons:
    """By number of the feature. Of phrases only single words: a word of a phrase tells nothing alone."""
    return {
        22: similar_to(single(skills().keys())),
        23: similar_to(words("title head")),
        24: similar_to(single(degrees().forms)),
        25: similar_to(single(fields().table)),
        26: similar_to(words("institution") | words("organisation")),
    }


def single(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(phrase for phrase in phrases if " " not in phrase)


def similar_to(known: frozenset[str]) -> Callable[[str], bool]:
    long = sorted(word for word in known if len(word) >= MIN_WORD_LENGTH)

    @cache
    def is_similar(low: str) -> bool:
        if low in known or len(low) < MIN_WORD_LENGTH:
            return low in known
        return process.extractOne(low, long, scorer=JaroWinkler.similarity, score_cutoff=SIMILAR) is not None

    return lambda word: is_similar(word.lower())
