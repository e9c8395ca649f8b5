"""A job has an employer and a title, a study has a school: what a head lacks is looked for in the rest of it.

The recognizer weighs every word by itself and leaves out an employer of whom it has never heard. Once the title and the
dates of a job are known, the stretch between two commas that is neither is most probably its employer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evenhand.mining.annotations import Annotations, words_in
from evenhand.mining.assembly.blocks import (
    JOB,
    STUDY,
    Block,
    Mention,
    Stretches,
    labels_of_lines,
    trimmed,
    trimmed_words,
)
from evenhand.mining.lexicon import degrees
from evenhand.mining.lexicon.degrees import degrees as degree_lexicon
from evenhand.mining.recognizer import RecognizedEntities
from evenhand.mining.word_features import WordSegment, segments

LACKING = {
    JOB: (("employer", ("title", "dates")), ("title", ("employer", "dates"))),
    STUDY: (("university", ("degree",)),),
}
"""Per kind of block: the label that may be lacking, and labels of which one must be there."""
MIN_PROBABILITY = {"employer": 0.05, "title": 0.15, "university": 0.10, "degree": 0.15}  # of what is added
MAX_WORDS = 8
KNOWN = 0.6  # how sure a lexicon is by itself
SCHOOLS = frozenset(("university", "college", "institute", "school", "academy", "polytechnic", "vidyalaya"))


def completed(
    annotations: Annotations, recognised: RecognizedEntities, blocks: Sequence[Block], mentions: Sequence[Mention]
) -> list[Mention]:
    """The mentions with those added that a head lacked, in the order of the text."""
    result = [*mentions, *_known_studies(annotations, blocks, mentions)]
    by_line: dict[int, list[Mention]] = {}
    for mention in result:
        for line in range(mention.line, mention.last_line + 1):
            by_line.setdefault(line, []).append(mention)
    for block in blocks:
        for label, needed in LACKING.get(block.kind, ()):
            own = [mention for line in block.head for mention in by_line.get(line, ())]
            names = {mention.label for mention in own}
            if label in names or not names & set(needed):
                continue
            rows = [(line, annotations.layout.lines[line]) for line in block.head]
            candidates = [
                candidate
                for line, row in rows
                for part in segments(annotations, row.first, row.last)
                if (candidate := _candidate(annotations, recognised, label, part, line, own))
            ]
            if candidates:
                best = max(candidates, key=lambda candidate: candidate.confidence)
                result.append(best)
                by_line.setdefault(best.line, []).append(best)
    return sorted(result, key=lambda mention: mention.start)


def _candidate(
    annotations: Annotations,
    recognised: RecognizedEntities,
    label: str,
    part: WordSegment,
    line: int,
    taken: Sequence[Mention],
) -> Mention | None:
    """The segment as what a head lacks, where it may be that: a name, and no title, date or place."""
    words = annotations.layout.tokens.words[part.first : part.last]
    opens = words[0][0].isupper() or words[0][0].isdigit()
    if len(words) > MAX_WORDS or not opens or "@" in words[0] or not any(word[0].isalpha() for word in words):
        return None
    start, end = trimmed_words(annotations.layout, part.first, part.last)
    if start >= end or any(start < mention.end and mention.start < end for mention in taken):
        return None
    titles, dates, places = (annotations.marks[kind][part.first : part.last] for kind in ("title", "date", "place"))
    if (label in ("employer", "university") and any(titles)) or any(dates) or all(places):
        return None
    chance = recognised.chance(label, part.first, part.last)
    return Mention(label, start, end, line, line, chance, "completed") if chance >= MIN_PROBABILITY[label] else None


def _known_studies(annotations: Annotations, blocks: Sequence[Block], mentions: Sequence[Mention]) -> list[Mention]:
    """Degrees and schools that lexicons know, in the head of a study in which none was recognised."""
    layout = annotations.layout
    labels = labels_of_lines(mentions)
    taken = Stretches((mention.start, mention.end) for mention in mentions)
    result = []
    for block in blocks:
        if block.kind != STUDY:
            continue
        there = {label for line in block.head for label in labels.get(line, ())}
        for line in block.head:
            for first, last, label in _known_in(annotations, line):
                start, end = trimmed_words(layout, first, last)
                if label not in there and start < end and not taken.overlaps(start, end):
                    result.append(Mention(label, start, end, line, line, KNOWN, "lexicon"))
    return result


def _known_in(annotations: Annotations, line: int) -> list[tuple[int, int, str]]:
    """Words of a line that are a degree or a school by their words alone."""
    row = annotations.layout.lines[line]
    words = annotations.layout.tokens.words[row.first : row.last]
    strict = {(match.first, match.last) for match in degrees.find(words)}
    # Among studies "MS" is a degree also where nothing else says so, unless it is Massachusetts.
    loose = {
        (match.first, match.last)
        for match in degree_lexicon().find(annotations.layout.lower[row.first : row.last])
        if match.abbreviated
        and words[match.first][0].isupper()
        and len(words[match.first]) > 1
        and not annotations.marks["place"][row.first + match.first]
    }
    places = [(row.first + first, row.first + last, "degree") for first, last in sorted(strict | loose)]
    return places + [(part.first, part.last, "university") for part in _schools(annotations, line)]


def stray_studies(annotations: Annotations, blocks: Sequence[Block]) -> list[Block]:
    """Where no section tells of studies: lines elsewhere that name a degree beside a school."""
    if any(block.kind == STUDY for block in blocks):
        return []
    result = []
    for line, row in enumerate(annotations.layout.lines):
        words = annotations.layout.words(row)
        near = [place for place in (line, line + 1) if place < len(annotations.layout.lines)]
        if degrees.find(words) and any(_schools(annotations, place) for place in near):
            head = near if not _schools(annotations, line) else [line]
            result.append(Block(STUDY, "education", line, head[-1] + 1, head))
    return result


def _schools(annotations: Annotations, line: int) -> list[WordSegment]:
    """Stretches between commas that hold the name or the kind of a school, written with a capital."""
    row = annotations.layout.lines[line]
    return [
        part
        for part in segments(annotations, row.first, row.last)
        if part.last - part.first <= MAX_WORDS
        and annotations.layout.tokens.words[part.first][0].isupper()
        and (
            any(annotations.marks["university"][part.first : part.last])
            or any(word in SCHOOLS for word in annotations.layout.lower[part.first : part.last])
        )
    ]


# Mentions put right where words alone are clear: "Title at Employer" taken for one, a place behind a legal form.

_AT = re.compile(r"\s(?:at|@)\s", re.IGNORECASE)
_NUMBER = re.compile(r"\(?\d{1,2}[.)]\s*")  # "2. Acme Ltd" in a numbered list
_ADDRESS = re.compile(r",\s*\d+\w?\s+[A-Z]")  # ", 1 Silber Way"
_LINK = re.compile(r"(?:(?<![\s(])[\s(]++)?(?:https?://|www\.)\S{1,400}$")


def repaired(annotations: Annotations, blocks: Sequence[Block], mentions: Sequence[Mention]) -> list[Mention]:
    """A mention is split only in the head of a job that lacks what the split would give."""
    beside: dict[int, set[str]] = {}
    by_line = labels_of_lines(mentions)
    for block in blocks:
        if block.kind == JOB:
            labels = {label for line in block.head for label in by_line.get(line, ())}
            beside.update(dict.fromkeys(block.head, labels))
    return [part for mention in mentions for part in _repaired(annotations, mention, beside.get(mention.line))]


def _repaired(annotations: Annotations, mention: Mention, beside: set[str] | None) -> Iterable[Mention]:
    is_job = beside is not None and not {"title", "employer"} <= beside
    if mention.line == mention.last_line and mention.label in ("title", "employer") and is_job:
        return _split_at(annotations, mention) or _split_title(annotations, mention) or [mention]
    return [mention]


def without_tails(annotations: Annotations, mentions: Iterable[Mention]) -> list[Mention]:
    """Employers and schools without a number before, and without a link or place behind them."""
    return [
        _without_tail(annotations, mention)
        if mention.label in ("employer", "university") and mention.line == mention.last_line
        else mention
        for mention in joined_schools(annotations, [_unswapped(annotations, mention) for mention in mentions])
    ]


def _unswapped(annotations: Annotations, mention: Mention) -> Mention:
    """A degree that no lexicon knows and that holds the word "academy" is a school."""
    if mention.label != "degree" or mention.line != mention.last_line:
        return mention
    first, last = words_in(annotations.layout, mention.start, mention.end, annotations.layout.lines[mention.line])
    if any(annotations.marks["school"][first:last]) and not any(annotations.marks["degree"][first:last]):
        return replace(mention, label="university")
    return mention


def joined_schools(annotations: Annotations, mentions: Iterable[Mention]) -> list[Mention]:
    """ "The Wharton School, University of Pennsylvania" is one: nothing but a comma or bracket between two schools."""
    text = annotations.layout.document.text
    result: list[Mention] = []
    for mention in mentions:
        before = result[-1] if result else None
        if before and before.label == mention.label == "university" and before.line == mention.line:
            between = text[before.end : mention.start].strip()
            if between in (",", "("):
                closes = between == "(" and text[mention.end : mention.end + 1] == ")"
                result[-1] = replace(before, end=mention.end + closes)
                continue
        result.append(mention)
    return result


def _split_at(annotations: Annotations, mention: Mention) -> list[Mention]:
    """ "Web Developer at Acme" """
    text = annotations.layout.document.text[mention.start : mention.end]
    match = _AT.search(text)
    if match is None:
        return []
    return [
        replace(mention, label="title", end=mention.start + match.start()),
        replace(mention, label="employer", start=mention.start + match.end()),
    ]


def _split_title(annotations: Annotations, mention: Mention) -> list[Mention]:
    """ "Acme, Web Developer", "Web Developer - Acme": the part that holds a known title is the title."""
    layout = annotations.layout
    first, last = words_in(layout, mention.start, mention.end, layout.lines[mention.line])
    parts = segments(annotations, first, last)
    titled = [part for part in parts if any(annotations.marks["title"][part.first : part.last])]
    rest = [
        part for part in parts if part not in titled and not all(annotations.marks["place"][part.first : part.last])
    ]
    if len(titled) != 1 or len(rest) != 1 or not layout.tokens.words[rest[0].first][0].isupper():
        return []
    result = []
    for label, part in sorted((("title", titled[0]), ("employer", rest[0])), key=lambda pair: pair[1].first):
        start, end = trimmed_words(layout, part.first, part.last)
        result.append(replace(mention, label=label, start=start, end=end))
    return result


def _without_tail(annotations: Annotations, mention: Mention) -> Mention:
    """Without a link or a place behind the name, where a comma, a gap or the legal form parts them."""
    layout = annotations.layout
    text = layout.document.text
    number = _NUMBER.match(text, mention.start, mention.end)
    if number and number.end() < mention.end:
        mention = replace(mention, start=number.end())
    address = _ADDRESS.search(text, mention.start, mention.end)
    if address and address.start() > mention.start:
        mention = replace(mention, end=address.start())
    link = _LINK.search(text[mention.start : mention.end])
    if link and link.start():
        mention = replace(mention, end=mention.start + link.start())
    first, last = words_in(layout, mention.start, mention.end, layout.lines[mention.line])
    cut = _place_tail(annotations, first, last)
    if cut is None:
        return mention
    start, end = trimmed(layout, mention.start, layout.tokens.ends[cut - 1])
    return replace(mention, start=start, end=end) if start < end else mention


def _place_tail(annotations: Annotations, first: int, last: int) -> int | None:
    """Where a comma, a gap or a legal form is followed by nothing but places: "Carlos III Madrid" is a name."""
    tokens = annotations.layout.tokens
    cut = None
    place = last
    while place - 1 > first and (annotations.marks["place"][place - 1] or not tokens.words[place - 1][0].isalnum()):
        place -= 1
        word = tokens.words[place]
        gap = tokens.starts[place] - tokens.ends[place - 1]
        if (not word[0].isalnum() and word not in ".&") or gap > 1 or tokens.words[place - 1] == ".":
            cut = place
    return cut if cut is not None and any(annotations.marks["place"][cut:last]) else None
