"""A corpus of generated resumes: made batch by batch, written as it is made, continued where it was left."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from evenhand import __version__
from evenhand.corpora.career import Month, iso
from evenhand.corpora.files import FORMATS
from evenhand.corpora.files.secrets import WAYS
from evenhand.corpora.files.word97 import convert_to_doc, find_office
from evenhand.corpora.jobs import JobAd, sample_job
from evenhand.corpora.kinds import AS_OF, KINDS
from evenhand.corpora.making import File, Made, Order, make
from evenhand.corpora.planted import Case, plan
from evenhand.corpora.planting.lists import unused_companies, unused_schools
from evenhand.corpora.relevance import grade
from evenhand.corpora.truth_building import truth_to_dict
from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.workflows import corpus_folder as folder
from evenhand.workflows.order import in_order

BATCH = 25  # resumes; DOC files of a batch are converted together
Advance = Callable[[], None]
LISTS = {"no-hire": "lists/no_hire.txt", "non-accredited": "lists/non_accredited.txt"}


@dataclass(frozen=True, slots=True)
class Task:
    """A batch for one process."""

    order: Order
    out: Path
    numbers: range
    cases: Mapping[int, Case]
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
    check_wishes(n, kind, formats, jobs, planted)
    order = Order(seed, kind, formats, every_format, as_of)
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


def check_wishes(n: int, kind: str, formats: tuple[str, ...], jobs: int, planted: Mapping[str, int]) -> None:
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


def planned(planted: Mapping[str, int], *, n: int, seed: int) -> dict[int, Case]:
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
    order: Order, out: Path, numbers: range, cases: Mapping[int, Case], jobs: tuple[JobAd, ...], workers: int
) -> Iterator[Lines]:
    """The lines of every batch, in order; a batch's files are written when its lines come."""

    def task(first: int) -> Task:
        part = range(first, min(first + BATCH, numbers.stop))
        return Task(order, out, part, {number: cases[number] for number in part if number in cases}, jobs)

    tasks = (task(first) for first in range(numbers.start, numbers.stop, BATCH))
    if workers == 1 or len(numbers) <= BATCH:
        yield from map(make_batch, tasks)
        return
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from in_order(lambda each: pool.submit(make_batch, each).result(), tasks, threads=workers)


def make_batch(task: Task) -> Lines:
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


def converted(resumes: list[Made]) -> list[Made]:
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
