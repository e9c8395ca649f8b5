"""A corpus of generated resumes: made batch by batch, written as it is made, continued where it was left."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from evenhand import __version__
from evenhand.documents.reading import in_order
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand_lab.corpora import folder
from evenhand_lab.corpora.career import Career, Month, iso
from evenhand_lab.corpora.files.looks import WAYS, Secret
from evenhand_lab.corpora.files.scans import convert_to_doc, find_office
from evenhand_lab.corpora.files.writers import FORMATS, choose_look, write
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.jobs import JobAd, sample_job
from evenhand_lab.corpora.kinds.kinds import AS_OF, KINDS, sample_career
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.corpora.manuscript import Manuscript, Plain, to_plain
from evenhand_lab.corpora.planting import (
    ListEntry,
    Planted,
    PlantedCase,
    company_entry,
    draw_secret,
    lookalike_entry,
    plan,
    renew,
    renew_person,
    school_entry,
    stuff,
    unused_companies,
    unused_schools,
)
from evenhand_lab.corpora.relevance import grade
from evenhand_lab.corpora.truth import Truth, build_truth, truth_to_dict
from evenhand_lab.corpora.writing.writer import write as write_manuscript

# One resume of a corpus from its number alone: career, groups, text, truth, files.


@dataclass(frozen=True, slots=True)
class CorpusRequest:
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
class ResumeBundle:
    career: Career
    groups: Groups
    plain: Plain
    truth: Truth
    planted: Planted | None
    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class ResumeDraft:
    """A resume on the way from career to files."""

    career: Career
    groups: Groups
    manuscript: Manuscript
    planted: Planted | None = None


def make(order: CorpusRequest, number: int, case: PlantedCase | None = None) -> ResumeBundle:
    draft = DRAFTERS[case.kind](order, case) if case and case.kind in DRAFTERS else draft_plain(order, number)
    plain = to_plain(draft.manuscript)
    truth = build_truth(draft.career, draft.manuscript, plain)
    files, planted = write_files(order, draft, case)
    return ResumeBundle(draft.career, draft.groups, plain, truth, planted, files)


def draft_plain(order: CorpusRequest, number: int) -> ResumeDraft:
    career, groups = sample_career(order.kind, seed=order.seed, number=number, as_of=order.as_of)
    return ResumeDraft(career, groups, write_manuscript(career, seed=order.seed))


def draft_duplicate(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
    if case.original is None:
        raise ValueError("a duplicate needs an original")
    original = draft_plain(order, case.original)
    rng = stream(order.seed, case.number, "duplicate")
    person = renew_person(original.career.person, rng)
    manuscript, edited = renew(original.manuscript, original.career, person, rng)
    words = len(to_plain(manuscript).text.split())
    facts = (("original", case.original), ("edited_words", edited), ("words", words))
    return ResumeDraft(
        replace(original.career, number=case.number, person=person),
        replace(original.groups, number=case.number),
        replace(manuscript, number=case.number),
        Planted(case.number, case.kind, facts),
    )


def draft_employer(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
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


def draft_school(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
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


def rewritten(
    order: CorpusRequest, plain: ResumeDraft, career: Career, case: PlantedCase, entry: ListEntry
) -> ResumeDraft:
    """The draft with another career; planted only if the text shows the planted name."""
    manuscript = write_manuscript(career, seed=order.seed)
    facts = (("listed", entry.listed), ("written", entry.written), ("way", entry.way))
    shown = entry.written.casefold() in to_plain(manuscript).text.casefold()
    planted = Planted(case.number, case.kind, facts) if shown else None
    return ResumeDraft(career, plain.groups, manuscript, planted)


def draft_stuffed(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
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


def write_files(
    order: CorpusRequest, draft: ResumeDraft, case: PlantedCase | None
) -> tuple[tuple[File, ...], Planted | None]:
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


def formats_for(order: CorpusRequest, kind: str | None, rng: Random) -> tuple[str, ...]:
    """One format by chance or every one, as far as they can hold what is planted."""
    fitting = order.formats
    if kind == "hidden":
        fitting = tuple(format for format in order.formats if WAYS[format])
        return (rng.choice(fitting),)
    if kind == "scans":
        return ("pdf",)
    return fitting if order.every_format else (rng.choice(fitting),)


def write_file(
    order: CorpusRequest, manuscript: Manuscript, format: str, secret: Secret | None, *, scanned: bool
) -> File:
    rng = stream(order.seed, manuscript.number, f"look {format}")
    look = choose_look(manuscript, format, rng)
    data = write(manuscript, format, look, rng, secret=secret)
    if scanned:
        from evenhand_lab.corpora.files.scans import scan  # noqa: PLC0415 - few corpora need what it loads

        data = scan(data, rng)
    return File(format, look, data)


BATCH = 25  # resumes; DOC files of a batch are converted together
Advance = Callable[[], None]
LISTS = {"no-hire": "lists/no_hire.txt", "non-accredited": "lists/non_accredited.txt"}


@dataclass(frozen=True, slots=True)
class GenerationTask:
    """A batch for one process."""

    order: CorpusRequest
    out: Path
    numbers: range
    cases: Mapping[int, PlantedCase]
    jobs: tuple[JobAd, ...]


Lines = dict[str, list[str]]
Task = TypeVar("Task")
Result = TypeVar("Result")


def generate(
    out: Path,
    *,
    n: int,
    seed: int = 0,
    kind: str = "it",
    formats: tuple[str, ...] = ("pdf", "docx"),
    every_format: bool = False,
    jobs: int = 10,
    planted: Mapping[str, int] | None = None,
    as_of: Month = AS_OF,
    workers: int = 1,
    advance: Advance = lambda: None,
) -> dict[str, Any]:
    """Make the corpus in `out`, or finish it; returns what corpus.json then says.

    The same arguments give the same bytes, however many workers there are and however often it was interrupted.
    """
    planted = {name: count for name, count in (planted or {}).items() if count}
    check_request(n, kind, formats, jobs, planted)
    order = CorpusRequest(seed, kind, formats, every_format, as_of)
    cases = planned(planted, n=n, seed=seed)
    settings = {
        "n": n, "seed": seed, "kind": kind, "formats": list(formats), "every_format": every_format, "jobs": jobs,
        "planted": planted, "as_of": iso(as_of),
    }  # fmt: skip
    start = begin(out, settings)
    ads = tuple(sample_job(kind, seed=seed, number=number, as_of=as_of) for number in range(jobs))
    folder.put_lines(out / folder.JOBS, (ad.to_json() for ad in ads))
    for _ in range(start):
        advance()
    with ExitStack() as stack:
        files = folder.appending(out, stack)
        for lines in batches(order, out, range(start, n), cases, ads, workers):
            files.add(lines)
            for _ in lines["truth.jsonl"]:
                advance()
    put_lists(out, seed, planted)
    return finish(out, settings)


def check_request(n: int, kind: str, formats: tuple[str, ...], jobs: int, planted: Mapping[str, int]) -> None:
    if n < 1:
        raise UsageError("A corpus has at least one resume.")
    if jobs < 0:
        raise UsageError("The number of job ads cannot be negative.")
    if kind not in KINDS:
        raise UsageError(f"There is no kind {kind!r}; there are {', '.join(KINDS)}.")
    for format in formats:
        if format not in FORMATS:
            raise UsageError(f"There is no format {format!r}; there are {', '.join(FORMATS)}.")
    if not formats or len(set(formats)) < len(formats):
        raise UsageError("Name at least one format, and each only once.")
    if "doc" in formats:
        find_office()
    if planted.get("scans") and "pdf" not in formats:
        raise UsageError("Scans are PDF files; add pdf to the formats.")
    if planted.get("hidden") and not any(WAYS[format] for format in formats):
        raise UsageError("A text file cannot hide words; add another format.")


def planned(planted: Mapping[str, int], *, n: int, seed: int) -> dict[int, PlantedCase]:
    try:
        return plan(planted, n=n, seed=seed)
    except ValueError as error:
        message = str(error)
        raise UsageError(f"{message[0].upper()}{message[1:]}.") from error


def begin(out: Path, settings: dict[str, Any]) -> int:
    """Make or check the folder; returns the number of the first resume to make."""
    before = folder.read_about(out)
    if before is not None:
        folder.check_same(out, before["settings"], settings)
    out.mkdir(parents=True, exist_ok=True)
    folder.put_about(out, about(settings))
    return min(folder.reached(out), int(settings["n"]))


def about(settings: dict[str, Any]) -> dict[str, Any]:
    libraries = {name: version(name) for name in ("reportlab", "pillow", "pypdfium2")}
    return {"settings": settings, "evenhand": __version__, "libraries": libraries, "complete": False}


def finish(out: Path, settings: dict[str, Any]) -> dict[str, Any]:
    names = [
        *folder.PER_RESUME,
        folder.PLANTED,
        folder.JOBS,
        *(name for name in LISTS.values() if (out / name).exists()),
    ]
    hashes = {name: folder.hash_of(out / name) for name in names}
    result = about(settings) | {"complete": True, "sha256": hashes}
    folder.put_about(out, result)
    return result


def batches(
    order: CorpusRequest,
    out: Path,
    numbers: range,
    cases: Mapping[int, PlantedCase],
    jobs: tuple[JobAd, ...],
    workers: int,
) -> Iterator[Lines]:
    """The lines of every batch, in order; a batch's files are written when its lines come."""

    def task(first: int) -> GenerationTask:
        part = range(first, min(first + BATCH, numbers.stop))
        return GenerationTask(order, out, part, {number: cases[number] for number in part if number in cases}, jobs)

    tasks = (task(first) for first in range(numbers.start, numbers.stop, BATCH))
    yield from in_processes(make_batch, tasks, workers if len(numbers) > BATCH else 1)


def in_processes(work: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Iterator[Result]:
    """What `work` makes of each task, in their order: in this process, or in several where there are more workers."""
    if workers <= 1:
        yield from map(work, tasks)
        return
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from in_order(lambda task: pool.submit(work, task).result(), tasks, threads=workers)


def make_batch(task: GenerationTask) -> Lines:
    """Make the resumes of a batch and write their files."""
    made = [make(task.order, number, task.cases.get(number)) for number in task.numbers]
    made = converted(made)
    lines: Lines = {name: [] for name in (*folder.PER_RESUME, folder.PLANTED)}
    for resume in made:
        files = [put_resume(task.out, resume.career.number, file) for file in resume.files]
        number = {"number": resume.career.number}
        grades = [grade(job, resume.truth) for job in task.jobs]
        lines["truth.jsonl"].append(canonical_json(truth_to_dict(resume.truth) | {"text": resume.plain.text}))
        lines["groups.jsonl"].append(canonical_json(asdict(resume.groups)))
        lines["files.jsonl"].append(canonical_json(number | {"files": files}))
        lines["relevance.jsonl"].append(canonical_json(number | {"grades": grades}))
        if resume.planted:
            lines[folder.PLANTED].append(canonical_json(resume.planted.to_json()))
    return lines


def converted(resumes: list[ResumeBundle]) -> list[ResumeBundle]:
    """DOC files of the batch, which so far are DOCX files, converted in one go."""
    sources = [file.data for resume in resumes for file in resume.files if file.format == "doc"]
    if not sources:
        return resumes
    results = iter(convert_to_doc(sources))

    def final(file: File) -> File:
        return replace(file, data=next(results)) if file.format == "doc" else file

    return [replace(resume, files=tuple(final(file) for file in resume.files)) for resume in resumes]


def put_resume(out: Path, number: int, file: File) -> dict[str, Any]:
    path = folder.resume_path(number, file.format)
    folder.put_file(out / path, file.data)
    return {
        "path": path,
        "format": file.format,
        "look": file.look,
        "bytes": len(file.data),
        "sha256": hashlib.sha256(file.data).hexdigest(),
    }


def put_lists(out: Path, seed: int, planted: Mapping[str, int]) -> None:
    """The lists against which planted names are to be found, with names that nobody has."""
    unused = {"no-hire": unused_companies, "non-accredited": unused_schools}
    for kind, name in LISTS.items():
        kinds = (kind, "lookalikes") if kind == "no-hire" else (kind,)
        if not any(planted.get(each) for each in kinds):
            continue
        cases = [case for case in folder.read_lines(out / folder.PLANTED) if case["kind"] in kinds]
        entries = sorted({case["listed"] for case in cases} | set(unused[kind](seed)))
        folder.put_file(out / name, "".join(f"{entry}\n" for entry in entries).encode("utf-8"))
