"""`evenhand bench masking`: what of a person is left in masked resumes, what is masked wrongly, how long it takes.

Generated resumes, whose truth is known, or with `--data` annotated real ones; of those only counts are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import ClassVar

from evenhand.documents.parse import parse
from evenhand.documents.reading import read_many
from evenhand.errors import UsageError
from evenhand.masking.masker import Masker
from evenhand.masking.masks import KINDS, Mask
from evenhand.mining.in_process import mine_document, miner_for
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records import Profile
from evenhand.settings import Settings
from evenhand.text.folding import words
from evenhand_lab.benchmarks.kit import Figures, Measurement, quantile, timed
from evenhand_lab.corpora.career import Person
from evenhand_lab.corpora.generate import CorpusRequest, make
from evenhand_lab.corpora.kinds.kinds import KINDS as CORPORA
from evenhand_lab.corpora.sets.entities import read_dataturks
from evenhand_lab.corpora.sets.records import SpanRecord
from evenhand_lab.corpora.sets.resumes import GoldResume, read_gold

# Resumes of which it is known what is personal: generated ones, and real ones that people annotated.


AS_OF = "2026-01"
FORMATS = ("pdf", "docx", "odt", "rtf", "html", "txt")
GOLD, SPANNED = "gold", "dataturks-resume-ner"


@dataclass(frozen=True, slots=True)
class MaskingCase:
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


def generated(number_of_each: int, seed: int) -> Iterator[MaskingCase]:
    """So many of every kind, in all formats: as read and mined, and below it a paragraph that nobody mined."""
    miner = miner_for(Settings())
    for kind in CORPORA:
        for number in range(number_of_each):
            made = make(CorpusRequest(seed, kind, FORMATS), number)
            document = parse(made.files[0].data)
            person, truth = made.career.person, made.truth
            work = [text for job in truth.positions for text in (job.employer, job.title)]
            work += [form for skill in truth.skills for form in skill.surfaces]
            yield MaskingCase(
                text=document.text + praise(person, made.career.number),
                profile=mine_document(miner, document, as_of=AS_OF),
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


def praise(person: Person, number: int) -> str:
    """What somebody else may write of the person: in the third person, and with the name in other forms."""
    first, last = person.name.split()[0], person.name.split()[-1]
    he, him, his, mr = (("he", "him", "his", "Mr."), ("she", "her", "her", "Ms."))[number % 2]
    return (
        f"\n\nREFERENCES\n{mr} {last} worked for us, and {he} did {his} work well. {first}'s reports were read by all;"
        f" we would take {him} again.\nSee {first[0]}. {last}: On the use of tables. Write to {person.email.upper()}"
        f" or call {person.phone}.\n{last.upper()}, {first.upper()} - page 2\n"
    )


def real(data: Path, progress: Progress) -> Iterator[MaskingCase]:
    """Annotated resumes of the sets that are there."""
    golds = list(read_gold(data / GOLD)) if (data / GOLD / "manifest.json").is_file() else []
    spanned = list(read_dataturks(data / SPANNED)) if (data / SPANNED).is_dir() else []
    if not golds and not spanned:
        raise UsageError(f"There are no annotated resumes in {GOLD}/ or {SPANNED}/ under the folder given.")
    miner = miner_for(Settings())
    documents = with_progress(read_many([gold.file for gold in golds]), progress, "reading and mining", len(golds))
    for gold, document in zip(golds, documents, strict=True):
        if document.text:
            yield _gold(gold, document.text, mine_document(miner, document, as_of=gold.as_of))
    for record in with_progress(spanned, progress, "mining", len(spanned)):
        document = parse(record.text.encode())
        yield _spanned(record, document.text, mine_document(miner, document, as_of=AS_OF))


def _gold(gold: GoldResume, text: str, profile: Profile) -> MaskingCase:
    work = [value for job in gold.positions for value in (job.employer, job.title) if value]
    return MaskingCase(
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


def _spanned(record: SpanRecord, text: str, profile: Profile) -> MaskingCase:
    """Skills are marked there as whole blocks, and places with those of employers: neither is used."""
    values: dict[str, list[str]] = {}
    for span in record.spans:
        values.setdefault(span.label, []).append(record.text[span.start : span.end].strip())
    return MaskingCase(
        text=text,
        profile=profile,
        file=None,
        name=next(iter(values.get("Name", ())), None),
        emails=tuple(values.get("Email Address", ())),
        schools=tuple(name for name in values.get("College Name", ()) if len(name) > 3),
        work=(*values.get("Companies worked at", ()), *values.get("Designation", ())),
    )


RESUMES = 300
LONG = 200_000  # characters
MAX_MILLISECONDS, MAX_LONG_SECONDS, MAX_FALSE = 20.0, 0.2, 1.0
GOALS = {"name": 0.01, "e-mail": 0.005, "phone": 0.005, "street": 0.01, "link": 0.01, "school": 0.05, "pronoun": 0.0}
PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Hh]is|[Hh]ers|[Hh]imself|[Hh]erself)\b")
MIN_NAME_LENGTH = 3  # letters of a part of a name


@dataclass(frozen=True, slots=True)
class MaskingLeak(Figures):
    """Resumes that have something of the kind, and those in which any of it can still be read."""

    derived: ClassVar = ("share",)
    having: int
    left: int

    @property
    def share(self) -> float | None:
        return self.left / self.having if self.having else None


@dataclass(frozen=True, slots=True)
class Masking(Measurement):
    title: ClassVar[str] = "what is left of a person in masked resumes, and what is masked wrongly"
    derived: ClassVar = ("false_per_1000",)
    source: str
    resumes: int
    words: int
    masks: dict[str, int]  # by kind
    leaks: dict[str, MaskingLeak]
    false_masks: int
    median_milliseconds: float
    p95_milliseconds: float
    long_seconds: float

    @property
    def false_per_1000(self) -> float:
        return 1000 * self.false_masks / self.words if self.words else 0.0

    def rows(self) -> list[tuple[str, str]]:
        times = f"{self.median_milliseconds:.1f} ms, {self.p95_milliseconds:.1f} ms"
        return [
            (f"{self.source} resumes, words", f"{self.resumes:,}, {self.words:,}"),
            ("masks", ", ".join(f"{count:,} {kind}" for kind, count in self.masks.items())),
            *((f"resumes in which the {kind} is left", _leak(kind, leak)) for kind, leak in self.leaks.items()),
            ("masks over a fact of work, per 1,000 words", f"{self.false_per_1000:.2f} (at most {MAX_FALSE:g})"),
            ("masking one, median and 95th percentile", f"{times} (at most {MAX_MILLISECONDS:g})"),
            (f"a text of {LONG:,} characters", f"{self.long_seconds:.3f} s (at most {MAX_LONG_SECONDS:g})"),
        ]


def _leak(kind: str, leak: MaskingLeak) -> str:
    if leak.share is None:
        return "none has any"
    return f"{leak.left} of {leak.having}, {leak.share:.1%} (at most {GOALS[kind]:.1%})"


def run(data: Path | None = None, *, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> Masking:
    """Mask `n` generated resumes of all kinds, or the annotated ones under `data`; everything but what work is."""
    if data is not None:
        return measure(list(real(data, progress)), "annotated real")
    number_of_each = max(1, n // len(CORPORA))
    made = generated(number_of_each, seed)
    cases = with_progress(made, progress, "making, reading and mining", number_of_each * len(CORPORA))
    return measure(list(cases), "generated")


def measure(cases: Sequence[MaskingCase], source: str) -> Masking:
    seconds: list[float] = []
    masks: dict[str, int] = dict.fromkeys(KINDS, 0)
    having: dict[str, int] = dict.fromkeys(GOALS, 0)
    left: dict[str, int] = dict.fromkeys(GOALS, 0)
    false = 0
    for case in cases:
        masked, spent = timed(lambda case=case: Masker(case.text, case.profile, file=case.file).masked)  # type: ignore[misc]
        seconds.append(spent)
        for mask in masked.masks:
            masks[mask.kind] += 1
        false += count_false(case, masked.masks)
        for kind in GOALS:
            having[kind] += has(case, kind, case.text)
            left[kind] += has(case, kind, masked.text)
    first = cases[0]
    long = (first.text * (LONG // max(len(first.text), 1) + 1))[:LONG]
    return Masking(
        source=source,
        resumes=len(cases),
        words=sum(len(case.text.split()) for case in cases),
        masks=masks,
        leaks={kind: MaskingLeak(having[kind], left[kind]) for kind in GOALS},
        false_masks=false,
        median_milliseconds=1000 * median(seconds),
        p95_milliseconds=1000 * quantile(sorted(seconds), 0.95),
        long_seconds=min(timed(lambda: Masker(long, first.profile).masked)[1] for _ in range(3)),
    )


def has(case: MaskingCase, kind: str, text: str) -> bool:
    """Whether anything of the kind can be read in the text."""
    if kind == "name":
        # Parts of the name that stand there capitalised; those that the resume also uses for work do not count.
        parts = {word.key for word in words(case.name or "") if len(word.key) >= MIN_NAME_LENGTH}
        parts -= {word.key for value in case.work for word in words(value)}
        return any(word.key in parts and text[word.start].isupper() for word in words(text))
    if kind == "pronoun":
        return PRONOUN.search(text) is not None
    if kind == "phone":
        endings = [re.sub(r"\D", "", phone)[-7:] for phone in case.phones]
        return any(len(digits) == 7 and re.search(r"\D{0,3}".join(digits), text) for digits in endings)
    values = {"e-mail": case.emails, "street": case.streets, "link": case.links, "school": case.schools}[kind]
    return any(value.casefold() in text.casefold() for value in values)


def count_false(case: MaskingCase, masks: Iterable[Mask]) -> int:
    """Masks that take away a word of work; neutral words for jobs say the same, and schools were asked for."""
    spans = [match.span() for value in set(case.work) for match in re.finditer(re.escape(value), case.text)]
    personal = {word.key for value in case.personal for word in words(value)}
    return sum(
        mask.kind not in ("gender", "school")
        and any(start < mask.end and mask.start < end for start, end in spans)
        and not {word.key for word in words(case.text[mask.start : mask.end])} <= personal
        for mask in masks
    )
