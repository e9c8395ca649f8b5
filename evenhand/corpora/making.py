"""One resume of a corpus from its number alone: career, groups, text, truth, files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from evenhand.corpora.career import Career, Month
from evenhand.corpora.files import choose_look, write
from evenhand.corpora.files.secrets import WAYS, Secret
from evenhand.corpora.groups import Groups
from evenhand.corpora.kinds import AS_OF, sample_career
from evenhand.corpora.manuscript import Manuscript, Plain, to_plain
from evenhand.corpora.planted import Case, Planted
from evenhand.corpora.planting.duplicates import renew, renew_person
from evenhand.corpora.planting.keywords import draw_secret, stuff
from evenhand.corpora.planting.lists import Entry, company_entry, lookalike_entry, school_entry
from evenhand.corpora.rng import stream
from evenhand.corpora.truth import Truth
from evenhand.corpora.truth_building import build_truth
from evenhand.corpora.writing import write as write_manuscript


@dataclass(frozen=True, slots=True)
class Order:
    """What resumes are wanted. A resume depends on its number, not on how many there are."""

    seed: int
    kind: str
    formats: tuple[str, ...]
    every_format: bool = False
    as_of: Month = AS_OF


@dataclass(frozen=True, slots=True)
class File:
    format: str
    look: str
    data: bytes  # of a DOC file: the DOCX file that LibreOffice is to convert


@dataclass(frozen=True, slots=True)
class Made:
    career: Career
    groups: Groups
    plain: Plain
    truth: Truth
    planted: Planted | None
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A resume on the way from career to files."""

    career: Career
    groups: Groups
    manuscript: Manuscript
    planted: Planted | None = None


def make(order: Order, number: int, case: Case | None = None) -> Made:
    draft = DRAFTERS[case.kind](order, case) if case and case.kind in DRAFTERS else draft_plain(order, number)
    plain = to_plain(draft.manuscript)
    truth = build_truth(draft.career, draft.manuscript, plain)
    files, planted = write_files(order, draft, case)
    return Made(draft.career, draft.groups, plain, truth, planted, files)


def draft_plain(order: Order, number: int) -> Draft:
    career, groups = sample_career(order.kind, seed=order.seed, number=number, as_of=order.as_of)
    return Draft(career, groups, write_manuscript(career, seed=order.seed))


def draft_duplicate(order: Order, case: Case) -> Draft:
    if case.original is None:
        raise ValueError("a duplicate needs an original")
    original = draft_plain(order, case.original)
    rng = stream(order.seed, case.number, "duplicate")
    person = renew_person(original.career.person, rng)
    manuscript, edited = renew(original.manuscript, original.career, person, rng)
    words = len(to_plain(manuscript).text.split())
    facts = (("original", case.original), ("edited_words", edited), ("words", words))
    return Draft(
        replace(original.career, number=case.number, person=person),
        replace(original.groups, number=case.number),
        replace(manuscript, number=case.number),
        Planted(case.number, case.kind, facts),
    )


def draft_employer(order: Order, case: Case) -> Draft:
    """The first of the jobs that the writer keeps gets the planted employer."""
    plain = draft_plain(order, case.number)
    career = plain.career
    entry_for = company_entry if case.kind == "no-hire" else lookalike_entry
    entry = entry_for(order.seed, case.number, career.person.country)
    for place in range(len(career.jobs)):
        jobs = list(career.jobs)
        jobs[place] = replace(jobs[place], employer=entry.written)
        draft = rewritten(order, plain, replace(career, jobs=tuple(jobs)), case, entry)
        if draft.planted:
            return draft
    return plain


def draft_school(order: Order, case: Case) -> Draft:
    plain = draft_plain(order, case.number)
    career = plain.career
    entry = school_entry(order.seed, case.number)
    for place in range(len(career.studies)):
        studies = list(career.studies)
        studies[place] = replace(studies[place], school=entry.written)
        draft = rewritten(order, plain, replace(career, studies=tuple(studies)), case, entry)
        if draft.planted:
            return draft
    return plain


def rewritten(order: Order, plain: Draft, career: Career, case: Case, entry: Entry) -> Draft:
    """The draft with another career; planted only if the text shows the planted name."""
    manuscript = write_manuscript(career, seed=order.seed)
    facts = (("listed", entry.listed), ("written", entry.written), ("way", entry.way))
    shown = entry.written.casefold() in to_plain(manuscript).text.casefold()
    planted = Planted(case.number, case.kind, facts) if shown else None
    return Draft(career, plain.groups, manuscript, planted)


def draft_stuffed(order: Order, case: Case) -> Draft:
    plain = draft_plain(order, case.number)
    manuscript, text = stuff(plain.manuscript, order.kind, stream(order.seed, case.number, "stuffing"))
    return replace(plain, manuscript=manuscript, planted=Planted(case.number, case.kind, (("text", text),)))


DRAFTERS = {
    "duplicates": draft_duplicate,
    "no-hire": draft_employer,
    "lookalikes": draft_employer,
    "non-accredited": draft_school,
    "stuffing": draft_stuffed,
}


def write_files(order: Order, draft: Draft, case: Case | None) -> tuple[tuple[File, ...], Planted | None]:
    number = draft.career.number
    rng = stream(order.seed, number, "format")
    planted = draft.planted
    kind = case.kind if case else None
    formats = formats_for(order, kind, rng)
    files = []
    for format in formats:
        secret = None
        if kind == "hidden":
            secret = draw_secret(order.kind, format, stream(order.seed, number, f"hidden {format}"))
            facts = (("format", format), ("how", secret.how), ("text", secret.text))
            planted = Planted(number, kind, facts)
        files.append(write_file(order, draft.manuscript, format, secret, scanned=kind == "scans"))
    if kind == "scans":
        planted = Planted(number, kind, (("format", "pdf"),))
    return tuple(files), planted


def formats_for(order: Order, kind: str | None, rng: Random) -> tuple[str, ...]:
    """One format by chance or every one, as far as they can hold what is planted."""
    fitting = order.formats
    if kind == "hidden":
        fitting = tuple(format for format in order.formats if WAYS[format])
        return (rng.choice(fitting),)
    if kind == "scans":
        return ("pdf",)
    return fitting if order.every_format else (rng.choice(fitting),)


def write_file(
    order: Order, manuscript: Manuscript, format: str, secret: Secret | None, *, scanned: bool
) -> File:
    rng = stream(order.seed, manuscript.number, f"look {format}")
    look = choose_look(manuscript, format, rng)
    data = write(manuscript, format, look, rng, secret=secret)
    if scanned:
        from evenhand.corpora.files.scans import scan  # noqa: PLC0415 - few corpora need what it loads

        data = scan(data, rng)
    return File(format, look, data)
