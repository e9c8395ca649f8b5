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
from typing import Any, TypeVar

from evenhand import __version__
from evenhand.documents.reading import in_order
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand_lab.corpora import folder, planting
from evenhand_lab.corpora.career import Career, Month, iso
from evenhand_lab.corpora.files.looks import WAYS, Secret
from evenhand_lab.corpora.files.scans import convert_to_doc, find_office
from evenhand_lab.corpora.files.writers import FORMATS, choose_look, write
from evenhand_lab.corpora.groups import Groups
from evenhand_lab.corpora.jobs import JobAd, sample_job
from evenhand_lab.corpora.kinds.kinds import AS_OF, KINDS, sample_career
from evenhand_lab.corpora.lexicon import stream
from evenhand_lab.corpora.manuscript import Manuscript, Plain, to_plain
from evenhand_lab.corpora.planting import Planted, PlantedCase
from evenhand_lab.corpora.relevance import grade
from evenhand_lab.corpora.truth import Truth, build_truth, truth_to_dict
from evenhand_lab.corpora.writing.writer import write as write_manuscript

T = TypeVar("T")
Task = TypeVar("Task")
Result = TypeVar("Result")

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
    person = planting.renew_person(original.career.person, rng)
    manuscript, edited = planting.renew(original.manuscript, original.career, person, rng)
    words = len(to_plain(manuscript).text.split())
    facts = (("original", case.original), ("edited_words", edited), ("words", words))
    return ResumeDraft(
        replace(original.career, number=case.number, person=person),
        replace(original.groups, number=case.number),
        replace(manuscript, number=case.number),
        Planted(case.number, case.kind, facts),
    )


def draft_listed(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
    """The first of the jobs or studies that the writer keeps gets the planted name."""
    plain = draft_plain(order, case.number)
    career = plain.career
    if case.kind == "non-accredited":
        entry = planting.school_entry(order.seed, case.number)
        careers = [
            replace(career, studies=_with(career.studies, place, replace(study, school=entry.written)))
            for place, study in enumerate(career.studies)
        ]
    else:
        entry_for = planting.company_entry if case.kind == "no-hire" else planting.lookalike_entry
        entry = entry_for(order.seed, case.number, career.person.country)
        careers = [
            replace(career, jobs=_with(career.jobs, place, replace(job, employer=entry.written)))
            for place, job in enumerate(career.jobs)
        ]
    facts = (("listed", entry.listed), ("written", entry.written), ("way", entry.way))
    for changed in careers:
        manuscript = write_manuscript(changed, seed=order.seed)
        if entry.written.casefold() in to_plain(manuscript).text.casefold():
            return ResumeDraft(changed, plain.groups, manuscript, Planted(case.number, case.kind, facts))
    return plain


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def draft_stuffed(order: CorpusRequest, case: PlantedCase) -> ResumeDraft:
    plain = draft_plain(order, case.number)
    manuscript, text = planting.stuff(plain.manuscript, order.kind, stream(order.seed, case.number, "stuffing"))
    return replace(plain, manuscript=manuscript, planted=Planted(case.number, case.kind, (("text", text),)))


DRAFTERS = {
    "duplicates": draft_duplicate,
    "no-hire": draft_listed,
    "lookalikes": draft_listed,
    "non-accredited": draft_listed,
    "stuffing": draft_stuffed,
}


def write_files(
    order: CorpusRequest, draft: ResumeDraft, case: PlantedCase | None
) -> tuple[tuple[File, ...], Planted | None]:
    """In one format by chance or in every one, as far as they can hold what is planted."""
    number = draft.career.number
    kind = case.kind if case else None
    rng = stream(order.seed, number, "format")
    if kind == "hidden":
        format = rng.choice([format for format in order.formats if WAYS[format]])
        secret = planting.draw_secret(order.kind, format, stream(order.seed, number, f"hidden {format}"))
        facts = (("format", format), ("how", secret.how), ("text", secret.text))
        return (write_file(order, draft.manuscript, format, secret),), Planted(number, kind, facts)
    if kind == "scans":
        scanned = write_file(order, draft.manuscript, "pdf", None, scanned=True)
        return (scanned,), Planted(number, kind, (("format", "pdf"),))
    formats = order.formats if order.every_format else (rng.choice(order.formats),)
    return tuple(write_file(order, draft.manuscript, format, None) for format in formats), draft.planted


def write_file(
    order: CorpusRequest, manuscript: Manuscript, format: str, secret: Secret | None, *, scanned: bool = False
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
    try:
        cases = planting.plan(planted, n=n, seed=seed)
    except ValueError as error:
        message = str(error)
        raise UsageError(f"{message[0].upper()}{message[1:]}.") from error
    settings = {
        "n": n, "seed": seed, "kind": kind, "formats": list(formats), "every_format": every_format, "jobs": jobs,
        "planted": planted, "as_of": iso(as_of),
    }  # fmt: skip
    libraries = {name: version(name) for name in ("reportlab", "pillow", "pypdfium2")}
    about: dict[str, Any] = {"settings": settings, "evenhand": __version__, "libraries": libraries, "complete": False}
    start = begin(out, about)
    ads = tuple(sample_job(kind, seed=seed, number=number, as_of=as_of) for number in range(jobs))
    (out / folder.JOBS).write_text("".join(f"{canonical_json(ad.to_json())}\n" for ad in ads), encoding="utf-8")
    for _ in range(start):
        advance()
    parts = [range(first, min(first + BATCH, n)) for first in range(start, n, BATCH)]
    tasks = [GenerationTask(order, out, part, {k: cases[k] for k in part if k in cases}, ads) for part in parts]
    with ExitStack() as stack:
        names = (*folder.PER_RESUME, folder.PLANTED)
        streams = {name: stack.enter_context((out / name).open("a", encoding="utf-8")) for name in names}
        for lines in in_processes(make_batch, tasks, workers if len(tasks) > 1 else 1):
            for name, texts in lines.items():
                streams[name].write("".join(f"{text}\n" for text in texts))
                streams[name].flush()
            for _ in lines["truth.jsonl"]:
                advance()
    put_lists(out, seed, planted)
    written = [*folder.PER_RESUME, folder.PLANTED, folder.JOBS]
    written += [name for name in LISTS.values() if (out / name).exists()]
    about |= {"complete": True, "sha256": {name: folder.hash_of(out / name) for name in written}}
    folder.put_about(out, about)
    return about


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


def begin(out: Path, about: dict[str, Any]) -> int:
    """Make or check the folder; returns the number of the first resume to make."""
    before = folder.read_about(out)
    if before is not None:
        folder.check_same(out, before["settings"], about["settings"])
    out.mkdir(parents=True, exist_ok=True)
    folder.put_about(out, about)
    return min(folder.reached(out), int(about["settings"]["n"]))


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
    resumes = converted([make(task.order, number, task.cases.get(number)) for number in task.numbers])
    lines: Lines = {name: [] for name in (*folder.PER_RESUME, folder.PLANTED)}
    for resume in resumes:
        number = resume.career.number
        listed = []
        for file in resume.files:
            path = folder.resume_path(number, file.format)
            folder.put_file(task.out / path, file.data)
            sha256 = hashlib.sha256(file.data).hexdigest()
            about = {"format": file.format, "look": file.look, "bytes": len(file.data), "sha256": sha256}
            listed.append({"path": path, **about})
        rows = {
            "truth.jsonl": truth_to_dict(resume.truth) | {"text": resume.plain.text},
            "groups.jsonl": asdict(resume.groups),
            "files.jsonl": {"number": number, "files": listed},
            "relevance.jsonl": {"number": number, "grades": [grade(job, resume.truth) for job in task.jobs]},
        }
        if resume.planted:
            rows[folder.PLANTED] = resume.planted.to_json()
        for name, row in rows.items():
            lines[name].append(canonical_json(row))
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


def put_lists(out: Path, seed: int, planted: Mapping[str, int]) -> None:
    """The lists against which planted names are to be found, with names that nobody has."""
    lists = {("no-hire", "lookalikes"): planting.unused_companies, ("non-accredited",): planting.unused_schools}
    for kinds, unused in lists.items():
        if any(planted.get(kind) for kind in kinds):
            cases = [case for case in folder.read_lines(out / folder.PLANTED) if case["kind"] in kinds]
            entries = sorted({case["listed"] for case in cases} | set(unused(seed)))
            folder.put_file(out / LISTS[kinds[0]], "".join(f"{entry}\n" for entry in entries).encode("utf-8"))
