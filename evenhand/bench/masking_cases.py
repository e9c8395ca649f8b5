"""Resumes of which it is known what is personal: generated ones, and real ones that people annotated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand.corpora.career import Person
from evenhand.corpora.kinds import KINDS
from evenhand.corpora.making import Made, Order, make
from evenhand.corpora.sets.entities import read_dataturks
from evenhand.corpora.sets.gold import GoldResume, read_gold
from evenhand.corpora.sets.records import Spanned
from evenhand.documents.parse import parse
from evenhand.errors import UsageError
from evenhand.records import Document, Profile
from evenhand.settings import Settings
from evenhand.workflows.mining_one import mine_document, miner_for
from evenhand.workflows.reading import read_many
from evenhand.workflows.watching import Watch, watched

AS_OF = "2026-01"
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
GOLD, SPANNED = "gold", "dataturks-resume-ner"


@dataclass(frozen=True, slots=True)
class Case:
    """`work` is what must stay: employers, titles, skills. `personal` is all that may go."""

    text: str
    profile: Profile
    file: str | None
    name: str | None
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    streets: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    work: tuple[str, ...] = ()

    @property
    def personal(self) -> tuple[str, ...]:
        return (self.name or "", *self.emails, *self.phones, *self.streets, *self.links, *self.places)


def generated(each: int, seed: int) -> Iterator[Case]:
    """So many of every kind, in all formats."""
    miner = miner_for(Settings())
    for kind in KINDS:
        for number in range(each):
            made = make(Order(seed, kind, FORMATS), number)
            document = parse(made.files[0].data)
            yield _generated(made, document, mine_document(miner, document, as_of=AS_OF))


def praise(person: Person, number: int) -> str:
    """What somebody else may write of the person: in the third person, and with the name in other forms."""
    first, last = person.name.split()[0], person.name.split()[-1]
    he, him, his, mr = (("he", "him", "his", "Mr."), ("she", "her", "her", "Ms."))[number % 2]
    return (
        f"\n\nREFERENCES\n{mr} {last} worked for us, and {he} did {his} work well. {first}'s reports were read by all;"
        f" we would take {him} again.\nSee {first[0]}. {last}: On the use of tables. Write to {person.email.upper()}"
        f" or call {person.phone}.\n{last.upper()}, {first.upper()} - page 2\n"
    )


def _generated(made: Made, document: Document, profile: Profile) -> Case:
    """The resume as it was read and mined, and below it a paragraph that nobody mined."""
    person, truth = made.career.person, made.truth
    work = [text for job in truth.positions for text in (job.employer, job.title)]
    work += [form for skill in truth.skills for form in skill.surfaces]
    return Case(
        text=document.text + praise(person, made.career.number),
        profile=profile,
        file=f"resume-{made.career.number}.{made.files[0].format}",  # which tells nothing
        name=person.name,
        emails=(person.email,),
        phones=(person.phone,),
        streets=(person.street,) if person.street else (),
        links=person.links,
        schools=tuple(study["school"] for study in truth.education if study.get("school")),
        places=tuple(filter(None, (person.city, person.region, person.country))),
        work=tuple(work),
    )


def real(data: Path, watch: Watch) -> Iterator[Case]:
    """Annotated resumes of the sets that are there."""
    golds = list(read_gold(data / GOLD)) if (data / GOLD / "manifest.json").is_file() else []
    spanned = list(read_dataturks(data / SPANNED)) if (data / SPANNED).is_dir() else []
    if not golds and not spanned:
        raise UsageError(f"There are no annotated resumes in {GOLD}/ or {SPANNED}/ under the folder given.")
    miner = miner_for(Settings())
    documents = watched(read_many([gold.file for gold in golds]), watch, "reading and mining", len(golds))
    for gold, document in zip(golds, documents, strict=True):
        if document.text:
            yield _gold(gold, document.text, mine_document(miner, document, as_of=gold.as_of))
    for record in watched(spanned, watch, "mining", len(spanned)):
        document = parse(record.text.encode())
        yield _spanned(record, document.text, mine_document(miner, document, as_of=AS_OF))


def _gold(gold: GoldResume, text: str, profile: Profile) -> Case:
    work = [value for job in gold.positions for value in (job.employer, job.title) if value]
    return Case(
        text=text,
        profile=profile,
        file=gold.file.name,
        name=gold.name,
        emails=gold.emails,
        phones=gold.phones,
        schools=tuple(entry.university for entry in gold.education if entry.university),
        places=(gold.city,) if gold.city else (),
        work=(*work, *gold.skills),
    )


def _spanned(record: Spanned, text: str, profile: Profile) -> Case:
    """Skills are marked there as whole blocks, and places with those of employers: neither is used."""
    values: dict[str, list[str]] = {}
    for span in record.spans:
        values.setdefault(span.label, []).append(record.text[span.start : span.end].strip())
    return Case(
        text=text,
        profile=profile,
        file=None,
        name=next(iter(values.get("Name", ())), None),
        emails=tuple(values.get("Email Address", ())),
        schools=tuple(name for name in values.get("College Name", ()) if len(name) > 3),
        work=(*values.get("Companies worked at", ()), *values.get("Designation", ())),
    )
