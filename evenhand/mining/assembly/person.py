"""Whose resume it is: name, where they live, languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evenhand.mining.annotations import Annotations
from evenhand.mining.assembly.blocks import Mention, evidence_of, to_fact, trimmed_words
from evenhand.mining.layout import ResumeLayout
from evenhand.mining.recognizer import RecognizedEntities
from evenhand.mining.segmenter import HEADING, INLINE, LineLabel
from evenhand.mining.vocabulary import Vocabulary
from evenhand.mining.word_features import segments
from evenhand.records.profile import Fact, Section
from evenhand.text.contacts import Contacts

FIRST_LINES = 8
NEAR_CONTACT = 4  # lines: a first line right above contact data is a name
MIN_NAME_SUPPORT = 0.4  # of 1 for the recognizer alone; more with what else speaks for it
_OTHER_KINDS = ("title", "degree", "university", "date")  # not skills and cities: Ada, Ruby and Paris are names
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: +[^\W\d_][\w.'’-]*){1,3}")
_NOT_NAMES = frozenset(
    ["resume", "curriculum", "vitae", "cv", "profile", "page", "of", "name", "bio", "data", "biodata"]
)


def find_name(
    annotations: Annotations, mentions: Sequence[Mention], recognised: RecognizedEntities, contacts: Contacts
) -> Fact | None:
    """Of all stretches at the top that could be a name the one for which most speaks.

    What speaks: the recognizer, the e-mail address and links, the largest letters, the first line.
    """
    layout = annotations.layout
    handles = [re.sub(r"[^a-z]", "", fact.value.lower()) for fact in (*contacts.emails, *contacts.links)]
    largest = max((line.size_ratio for line in layout.lines), default=1.0)
    candidates = [mention for mention in mentions if mention.label == "name"]
    candidates += _name_stretches(annotations, recognised)
    best: tuple[float, Mention] | None = None
    for mention in candidates:
        if _NOT_NAMES & set(layout.document.text[mention.start : mention.end].lower().split()):
            continue
        score = mention.confidence + _support(annotations, mention, handles, largest)
        if score >= MIN_NAME_SUPPORT and (best is None or score > best[0]):
            best = (score, mention)
    return to_fact(layout, best[1]) if best else None


def _support(annotations: Annotations, mention: Mention, handles: Sequence[str], largest: float) -> float:
    layout = annotations.layout
    words = re.findall(r"[^\W\d_]{3,}", layout.document.text[mention.start : mention.end].lower())
    support = 0.5 if any(word in handle for word in words for handle in handles) else 0.0
    if mention.line == 0:
        support += 0.1
        if any(annotations.contacts[:NEAR_CONTACT]):
            support += 0.3
    if largest > 1.15 and layout.lines[mention.line].size_ratio >= largest - 0.01:
        support += 0.2
    return support


def _name_stretches(annotations: Annotations, recognised: RecognizedEntities) -> list[Mention]:
    """Two to four words with capitals in one of the first lines that no lexicon knows as something else."""
    layout = annotations.layout
    result = []
    for line, row in enumerate(layout.lines[:FIRST_LINES]):
        if annotations.titles[line]:
            continue
        for part in segments(annotations, row.first, row.last):
            start, end = trimmed_words(layout, part.first, part.last)
            surface = layout.document.text[start:end].rstrip("_")
            if not _NAME.fullmatch(surface):
                continue
            if any(any(annotations.marks[kind][part.first : part.last]) for kind in _OTHER_KINDS):
                continue
            if all(word[0].isupper() for word in surface.split()):
                chance = recognised.chance("name", part.first, part.last)
                result.append(Mention("name", start, start + len(surface), line, line, chance, "completed"))
    return result


def find_city(
    layout: ResumeLayout, labels: Sequence[LineLabel], mentions: Sequence[Mention], vocabulary: Vocabulary
) -> tuple[Fact | None, str | None]:
    """Where the person lives: the first place named among the personal data."""
    for mention in mentions:
        if mention.label != "location" or labels[mention.line].type != "personal":
            continue
        surface = layout.document.text[mention.start : mention.end]
        city = vocabulary.find_city(surface)
        if city is not None:
            # As the resume writes it: the city alone where it stands by that name, else what comes before the comma.
            at = surface.lower().find(city.name.lower())
            start, end = (at, at + len(city.name)) if at >= 0 else (0, len(surface.partition(",")[0].rstrip()))
            place = replace(evidence_of(layout, mention), start=mention.start + start, end=mention.start + end)
            return Fact(surface[start:end], surface[start:end], place), city.country
    return None, None


def find_languages(layout: ResumeLayout, skills: Sequence[Mention], vocabulary: Vocabulary) -> tuple[Fact, ...]:
    languages: dict[str, Fact] = {}
    for mention in skills:
        surface = layout.document.text[mention.start : mention.end]
        name = vocabulary.canonical_skill(surface)
        if vocabulary.skills.kind(name) == "language" and name not in languages:
            languages[name] = Fact(surface, surface, evidence_of(layout, mention))
    return tuple(languages.values())


# Sections of the resume from the labels of its lines.

_BLANKS = re.compile(r"\s+")
_BULLET = re.compile(r"^[\s•·▪*►➢❖✓-]+")


def find_sections(layout: ResumeLayout, labels: Sequence[LineLabel], mentions: Sequence[Mention]) -> list[Section]:
    """A section runs from its heading, or from where the type changes, to the next."""
    starts: list[tuple[int, str | None]] = []
    for place, label in enumerate(labels):
        before = labels[place - 1] if place else None
        if label.role == HEADING:
            if before is not None and before.role == HEADING and before.type == label.type and _goes_on(layout, place):
                line, heading = starts[-1]
                starts[-1] = (line, f"{heading} {_heading(layout.lines[place].text)}")
                continue
            starts.append((place, _heading(layout.lines[place].text)))
        elif label.role == INLINE:
            marked = (mention for mention in mentions if mention.label == "heading" and mention.line == place)
            before_colon, colon, _ = layout.lines[place].text.partition(":")
            inline = before_colon if colon and len(before_colon) < 40 else None
            inline = next((layout.document.text[mention.start : mention.end] for mention in marked), inline)
            starts.append((place, _heading(inline) if inline is not None else None))
        elif before is None or before.type != label.type:
            starts.append((place, None))
    ends = [line for line, _ in starts[1:]] + [len(labels)]
    return [
        Section(labels[line].type, heading, layout.lines[line].start, layout.lines[end - 1].end)
        for (line, heading), end in zip(starts, ends, strict=True)
    ]


def _goes_on(layout: ResumeLayout, place: int) -> bool:
    """Whether a second heading line in a row is the rest of the first: it looks the same and follows closely."""
    line, before = layout.lines[place], layout.lines[place - 1]
    return line.look == before.look and not line.gap_before and line.line.box is not None


def _heading(text: str) -> str:
    """Without the bullet before and the rule of underscores behind."""
    return _BLANKS.sub(" ", _BULLET.sub("", text)).strip(" _=~")
