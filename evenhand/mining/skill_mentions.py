"""Where skills are named: what the recognizer found, and the technologies that the lexicon knows beyond doubt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from evenhand.mining.assembly.mentions import Mention, find_mentions
from evenhand.mining.notes import Notes
from evenhand.mining.recognizer import Entity
from evenhand.mining.resolver.skills import plausible
from evenhand.mining.sheet import GAP
from evenhand.mining.vocabulary import Vocabulary

LEXICON_CONFIDENCE = 0.7
# Probability below which the recognizer is not believed; chosen on resumes it had not learned from.
LEAST = 0.85
LEAST_KNOWN = 0.6  # the same where the lexicon has it too; lower, and formats of one resume differ more
NOT_SKILLS = frozenset(("employer", "location", "name", "university", "client", "dates"))
SHORT = 2  # letters
SEVERAL = 2  # languages in one line
CONTACT_KINDS = frozenset(("email", "link"))


def find_skill_mentions(
    notes: Notes, entities: Sequence[Entity], others: Sequence[Mention], vocabulary: Vocabulary
) -> list[Mention]:
    """In the order of the text. What names an employer or a place is no skill there: Oracle, San Francisco."""
    sheet = notes.sheet
    sure = [
        entity
        for entity in _within_columns(notes, entities)
        if (
            entity.confidence >= LEAST
            or (entity.confidence >= LEAST_KNOWN and _is_known(notes, entity, vocabulary))
        )
        and _is_meant(notes, entity, vocabulary)
    ]
    taken = bytearray(len(sheet.tokens))
    for entity in sure:
        taken[entity.first : entity.last] = b"\1" * (entity.last - entity.first)
    languages = _languages(notes, vocabulary)
    names = {
        vocabulary.canonical_skill(" ".join(sheet.tokens.words[entity.first : entity.last]))
        for entity in sure
    }
    added = [
        Entity("skill", first, last, sheet.line_of[first], LEXICON_CONFIDENCE)
        for first, last, name in notes.sure_skills
        if not any(taken[first:last])
        and (
            vocabulary.skills.kind(name) == "technology"
            or (first, last) in languages
            or name in names  # a skill of this resume is one wherever it is named
        )
        and not CONTACT_KINDS & set(notes.contacts[sheet.line_of[first]])
        and not all(notes.marks["place"][first:last])
    ]
    mentions = find_mentions(sheet, sure) + find_mentions(sheet, added, method="lexicon")
    covered = [(other.start, other.end) for other in others if other.label in NOT_SKILLS]
    return sorted(
        (
            each
            for each in mentions
            if not any(start < each.end and each.start < end for start, end in covered)
        ),
        key=lambda mention: mention.start,
    )


def _within_columns(notes: Notes, entities: Iterable[Entity]) -> Iterator[Entity]:
    """What reaches over a wide gap is parted there: "Java   10 years" are two columns."""
    cuts, kinds = notes.sheet.cuts, notes.sheet.cut_kinds
    for entity in entities:
        between = range(bisect_right(cuts, entity.first), bisect_left(cuts, entity.last))
        gaps = [cuts[number] for number in between if kinds[number] & GAP]
        if not gaps:
            yield entity
            continue
        for first, last in pairwise([entity.first, *gaps, entity.last]):
            if any(word[0].isalpha() for word in notes.sheet.tokens.words[first:last]):
                yield replace(
                    entity, first=first, last=last, is_rest=entity.is_rest and first == entity.first
                )


def _is_known(notes: Notes, entity: Entity, vocabulary: Vocabulary) -> bool:
    """Whether the lexicon has it: two weak voices for one skill make it the same in every format of a resume."""
    return vocabulary.skills.get(" ".join(notes.sheet.lower[entity.first : entity.last])) is not None


def _is_meant(notes: Notes, entity: Entity, vocabulary: Vocabulary) -> bool:
    """ "C", "R" and "Go" are skills only where the words around them say so."""
    sheet = notes.sheet
    surface = " ".join(sheet.lower[entity.first : entity.last])
    if len(surface) > SHORT and sheet.tokens.words[entity.first][0].isupper():
        return True  # the recognizer has seen the context
    if not vocabulary.skills.is_ambiguous(surface):
        return True
    row = sheet.lines[entity.line]
    words = sheet.tokens.words[row.first : row.last]
    matches = vocabulary.skills.find(sheet.lower[row.first : row.last])
    own = [match for match in matches if match.first == entity.first - row.first]
    return not own or plausible(own[0], words, matches, in_skill_list=notes.titles[entity.line] == "skills")


def _languages(notes: Notes, vocabulary: Vocabulary) -> set[tuple[int, int]]:
    """Languages in a line that lists them: two or more, or behind a word for them."""
    by_line: dict[int, list[tuple[int, int]]] = {}
    for first, last, name in notes.sure_skills:
        if vocabulary.skills.kind(name) == "language":
            by_line.setdefault(notes.sheet.line_of[first], []).append((first, last))
    return {
        place
        for line, places in by_line.items()
        for place in places
        if len(places) >= SEVERAL or "language" in (notes.keys[line] or "")
    }
