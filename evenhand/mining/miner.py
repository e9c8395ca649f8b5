"""The main path: a Document goes in, a Profile comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.mining.assembly.blocks import find_blocks, joined_blocks
from evenhand.mining.assembly.completing import completed, stray_studies
from evenhand.mining.assembly.jobs import find_works
from evenhand.mining.assembly.mentions import Mention, find_mentions, labels_of_lines
from evenhand.mining.assembly.merging import merged_works
from evenhand.mining.assembly.person import find_city, find_languages, find_name
from evenhand.mining.assembly.profiles import (
    doubts_of,
    entries_of,
    highest_level,
    relevant_to_latest,
    to_certifications,
    to_education,
    to_positions,
    to_projects,
)
from evenhand.mining.assembly.repairing import repaired, without_tails
from evenhand.mining.assembly.sections import find_sections
from evenhand.mining.assembly.skills import gather, to_skills
from evenhand.mining.assembly.stretches import DatesByPlace
from evenhand.mining.assembly.studies import find_studies
from evenhand.mining.contact import find_contacts
from evenhand.mining.crf.model import Crf, load
from evenhand.mining.dates import Moment, find_dates
from evenhand.mining.experience import relevant_months, total_months
from evenhand.mining.features.facts import LineFacts, line_facts
from evenhand.mining.notes import Notes
from evenhand.mining.noting import take_notes
from evenhand.mining.recognizer import Recognizer, skilled_lines, telling_lines, view_words
from evenhand.mining.reflow import placed, reflow
from evenhand.mining.segmenter import LineLabel, label_sheets
from evenhand.mining.sheet import lay_out
from evenhand.mining.skill_mentions import find_skill_mentions
from evenhand.mining.tables import TableModel, analyse
from evenhand.mining.vocabulary import Vocabulary, load_vocabulary
from evenhand.records.document import Document
from evenhand.records.profile import Profile, Source

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
        today = moment_of(as_of)
        sheet = lay_out(document)
        dates = find_dates(document.text)
        contacts = find_contacts(document.text, document.lines)
        tables = analyse(document, self.tables)
        notes = take_notes(sheet, self.vocabulary, dates=dates, contacts=contacts, tables=tables)
        plain = reflow(notes, self.vocabulary)
        facts, plain_facts = line_facts(notes), line_facts(plain)
        labels, plain_labels = label_sheets(self.segmenter, [(notes, facts), (plain, plain_facts)])
        names = [label.name for label in labels]
        telling = telling_lines(notes, names)
        recognised = self.entities.recognise(view_words(notes, facts, names, telling), telling)
        mentions = find_mentions(sheet, recognised.entities)
        blocks = find_blocks(labels)
        blocks += stray_studies(notes, blocks)
        blocks = joined_blocks(blocks, labels_of_lines(mentions))
        mentions = completed(notes, recognised, blocks, repaired(notes, blocks, mentions))
        mentions = without_tails(notes, mentions)
        skill_mentions = placed(self._find_skills(plain, plain_facts, plain_labels, mentions), sheet)
        by_place = DatesByPlace(dates)
        works = merged_works(sheet, find_works(sheet, blocks, mentions, by_place))
        studies = find_studies(sheet, blocks, mentions, by_place)
        entries = entries_of(works, today)
        gathered = gather(sheet, skill_mentions, works, self.vocabulary.canonical_skill)
        city, country = find_city(sheet, labels, mentions, self.vocabulary)
        education = to_education(sheet, studies)
        return Profile(
            document=Source.of(document),
            as_of=as_of,
            name=find_name(notes, mentions, recognised, contacts),
            emails=contacts.emails,
            phones=contacts.phones,
            links=contacts.links,
            city=city,
            country=country,
            sections=tuple(find_sections(sheet, labels, mentions)),
            positions=to_positions(sheet, works, gathered, today),
            projects=to_projects(sheet, works, gathered, today),
            education=education,
            certifications=to_certifications(sheet, mentions, by_place, self.vocabulary.skills),
            skills=tuple(to_skills(gathered, entries)),
            languages=find_languages(sheet, skill_mentions, self.vocabulary),
            total_months=total_months(entries),
            relevant_months=relevant_months(entries, relevant_to_latest(sheet, works, gathered)),
            highest_degree=highest_level(education),
            warnings=doubts_of(works, today),
        )

    def _find_skills(
        self, plain: Notes, facts: list[LineFacts], labels: Sequence[LineLabel], others: Sequence[Mention]
    ) -> list[Mention]:
        """From the text without its layout, so that every format of a resume has the same skills."""
        names = [label.name for label in labels]
        recognised = self.skills.recognise(view_words(plain, facts, names), skilled_lines(plain, names))
        return find_skill_mentions(plain, recognised.entities, others, self.vocabulary)


def moment_of(as_of: str) -> Moment:
    year, _, month = as_of.partition("-")
    return Moment(int(year), int(month))


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
