"""The miner: `Miner.mine` is the main path from a Document to a Profile."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from evenhand.mining.annotations import Annotations, annotate
from evenhand.mining.assembly.blocks import (
    DatesByPlace,
    Mention,
    find_blocks,
    find_mentions,
    joined_blocks,
    labels_of_lines,
)
from evenhand.mining.assembly.completing import completed, repaired, stray_studies, without_tails
from evenhand.mining.assembly.jobs import find_works, merged_works
from evenhand.mining.assembly.person import find_city, find_languages, find_name, find_sections
from evenhand.mining.assembly.profiles import (
    collect_skills,
    doubts_of,
    entries_of,
    find_studies,
    highest_level,
    relevant_jobs,
    to_certifications,
    to_education,
    to_positions,
    to_projects,
    to_skills,
)
from evenhand.mining.crf import Crf, load
from evenhand.mining.experience import relevant_months, total_months
from evenhand.mining.layout import GAP, lay_out
from evenhand.mining.line_features import line_facts
from evenhand.mining.recognizer import Entity, Recognizer, skilled_lines, telling_lines, view_words
from evenhand.mining.reflow import placed, reflow
from evenhand.mining.segmenter import label_layouts
from evenhand.mining.skill_resolver import plausible
from evenhand.mining.tables.analysis import TableModel, analyse
from evenhand.mining.vocabulary import Vocabulary, load_vocabulary
from evenhand.records.document import Document
from evenhand.records.profile import Profile, Source
from evenhand.text.contacts import find_contacts
from evenhand.text.date_values import PartialDate
from evenhand.text.dates import find_dates

MODELS = Path(__file__).resolve().parent / "models"


@dataclass
class Miner:
    """The trained parts and the lexicons, loaded once; `mine` keeps nothing of a document."""

    vocabulary: Vocabulary
    tables: TableModel
    segmenter: Crf
    entities: Recognizer
    skills: Recognizer

    def mine(self, document: Document, as_of: str) -> Profile:
        """`as_of` is the month that "present" means, as YYYY-MM."""
        if document.error is not None or not document.text.strip():
            return Profile(Source.of(document), as_of)
        today = PartialDate.parse(as_of)
        layout = lay_out(document)
        dates = find_dates(document.text)
        contacts = find_contacts(document.text, document.lines)
        tables = analyse(document, self.tables)
        annotations = annotate(layout, self.vocabulary, dates=dates, contacts=contacts, tables=tables)
        plain = reflow(annotations, self.vocabulary)
        facts, plain_facts = line_facts(annotations), line_facts(plain)
        labels, plain_labels = label_layouts(self.segmenter, [(annotations, facts), (plain, plain_facts)])
        names = [label.name for label in labels]
        telling = telling_lines(annotations, names)
        recognised = self.entities.recognise(view_words(annotations, facts, names, telling), telling)
        mentions = find_mentions(layout, recognised.entities)
        blocks = find_blocks(labels)
        blocks += stray_studies(annotations, blocks)
        blocks = joined_blocks(blocks, labels_of_lines(mentions))
        mentions = completed(annotations, recognised, blocks, repaired(annotations, blocks, mentions))
        mentions = without_tails(annotations, mentions)
        # From the text without its layout, so that every format of a resume has the same skills.
        plain_names = [label.name for label in plain_labels]
        skilled = self.skills.recognise(view_words(plain, plain_facts, plain_names), skilled_lines(plain, plain_names))
        skill_mentions = placed(find_skill_mentions(plain, skilled.entities, mentions, self.vocabulary), layout)
        by_place = DatesByPlace(dates)
        works = merged_works(layout, find_works(layout, blocks, mentions, by_place))
        studies = find_studies(layout, blocks, mentions, by_place)
        entries = entries_of(works, today)
        gathered = collect_skills(layout, skill_mentions, works, self.vocabulary.canonical_skill)
        city, country = find_city(layout, labels, mentions, self.vocabulary)
        education = to_education(layout, studies)
        return Profile(
            document=Source.of(document),
            as_of=as_of,
            name=find_name(annotations, mentions, recognised, contacts),
            emails=contacts.emails,
            phones=contacts.phones,
            links=contacts.links,
            city=city,
            country=country,
            sections=tuple(find_sections(layout, labels, mentions)),
            positions=to_positions(layout, works, gathered, today),
            projects=to_projects(layout, works, gathered, today),
            education=education,
            certifications=to_certifications(layout, mentions, by_place, self.vocabulary.skills),
            skills=tuple(to_skills(gathered, entries)),
            languages=find_languages(layout, skill_mentions, self.vocabulary),
            total_months=total_months(entries),
            relevant_months=relevant_months(entries, relevant_jobs(layout, works, gathered)),
            highest_degree=highest_level(education),
            warnings=doubts_of(works, today),
        )


def load_miner(extra_lexicon: Path | None = None, *, models: Path = MODELS) -> Miner:
    """The miner with the models of a folder, by default those that ship, and a user's own lexicon entries."""
    vocabulary = load_vocabulary(extra_lexicon)
    return Miner(
        vocabulary,
        TableModel.from_bytes((models / "tables.json").read_bytes()),
        load(models / "segmenter.crf"),
        Recognizer(load(models / "entities.crf"), vocabulary.lexical),
        Recognizer(load(models / "skills.crf"), vocabulary.lexical),
    )


# Where skills are named: what the recognizer found, and the technologies that the lexicon knows beyond doubt.

LEXICON_CONFIDENCE = 0.7
# Probability below which the recognizer is not believed; chosen on resumes it had not learned from.
MIN_CONFIDENCE = 0.85
MIN_KNOWN_CONFIDENCE = 0.6  # the same where the lexicon has it too; lower, and formats of one resume differ more
NOT_SKILLS = frozenset(("employer", "location", "name", "university", "client", "dates"))
SHORT = 2  # letters
SEVERAL = 2  # languages in one line
CONTACT_KINDS = frozenset(("email", "link"))


def find_skill_mentions(
    annotations: Annotations, entities: Sequence[Entity], others: Sequence[Mention], vocabulary: Vocabulary
) -> list[Mention]:
    """In the order of the text. What names an employer or a place is no skill there: Oracle, San Francisco."""
    layout = annotations.layout
    sure = [
        entity
        for entity in _within_columns(annotations, entities)
        if (
            entity.confidence >= MIN_CONFIDENCE
            # Two weak voices for one skill make it the same in every format of a resume.
            or (
                entity.confidence >= MIN_KNOWN_CONFIDENCE
                and vocabulary.skills.get(" ".join(layout.lower[entity.first : entity.last])) is not None
            )
        )
        and _is_meant(annotations, entity, vocabulary)
    ]
    taken = bytearray(len(layout.tokens))
    for entity in sure:
        taken[entity.first : entity.last] = b"\1" * (entity.last - entity.first)
    languages = _languages(annotations, vocabulary)
    names = {vocabulary.canonical_skill(" ".join(layout.tokens.words[entity.first : entity.last])) for entity in sure}
    added = [
        Entity("skill", first, last, layout.line_of[first], LEXICON_CONFIDENCE)
        for first, last, name in annotations.sure_skills
        if not any(taken[first:last])
        and (
            vocabulary.skills.kind(name) == "technology"
            or (first, last) in languages
            or name in names  # a skill of this resume is one wherever it is named
        )
        and not CONTACT_KINDS & set(annotations.contacts[layout.line_of[first]])
        and not all(annotations.marks["place"][first:last])
    ]
    mentions = find_mentions(layout, sure) + find_mentions(layout, added, method="lexicon")
    covered = [(other.start, other.end) for other in others if other.label in NOT_SKILLS]
    free = (mention for mention in mentions if not any(a < mention.end and mention.start < b for a, b in covered))
    return sorted(free, key=lambda mention: mention.start)


def _within_columns(annotations: Annotations, entities: Iterable[Entity]) -> Iterator[Entity]:
    """What reaches over a wide gap is parted there: "Java   10 years" are two columns."""
    cuts, kinds = annotations.layout.cuts, annotations.layout.cut_kinds
    for entity in entities:
        between = range(bisect_right(cuts, entity.first), bisect_left(cuts, entity.last))
        gaps = [cuts[number] for number in between if kinds[number] & GAP]
        if not gaps:
            yield entity
            continue
        for first, last in pairwise([entity.first, *gaps, entity.last]):
            if any(word[0].isalpha() for word in annotations.layout.tokens.words[first:last]):
                yield replace(entity, first=first, last=last, is_rest=entity.is_rest and first == entity.first)


def _is_meant(annotations: Annotations, entity: Entity, vocabulary: Vocabulary) -> bool:
    """ "C", "R" and "Go" are skills only where the words around them say so."""
    layout = annotations.layout
    surface = " ".join(layout.lower[entity.first : entity.last])
    if len(surface) > SHORT and layout.tokens.words[entity.first][0].isupper():
        return True  # the recognizer has seen the context
    if not vocabulary.skills.is_ambiguous(surface):
        return True
    row = layout.lines[entity.line]
    words = layout.tokens.words[row.first : row.last]
    matches = vocabulary.skills.find(layout.lower[row.first : row.last])
    own = [match for match in matches if match.first == entity.first - row.first]
    return not own or plausible(own[0], words, matches, in_skill_list=annotations.titles[entity.line] == "skills")


def _languages(annotations: Annotations, vocabulary: Vocabulary) -> set[tuple[int, int]]:
    """Languages in a line that lists them: two or more, or behind a word for them."""
    by_line: dict[int, list[tuple[int, int]]] = {}
    for first, last, name in annotations.sure_skills:
        if vocabulary.skills.kind(name) == "language":
            by_line.setdefault(annotations.layout.line_of[first], []).append((first, last))
    return {
        place
        for line, places in by_line.items()
        for place in places
        if len(places) >= SEVERAL or "language" in (annotations.keys[line] or "")
    }
