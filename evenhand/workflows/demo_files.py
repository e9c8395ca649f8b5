"""The files of the demo's applicants: resumes as people send them, their names, forms, and what nobody can read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pypdfium2

from evenhand.corpora.career import Career, Person
from evenhand.corpora.files.scans import photographed
from evenhand.corpora.making import Draft, Made, Order, draft_plain, make, write_files
from evenhand.corpora.manuscript import Line, Run, Section
from evenhand.corpora.people import ascii_letters
from evenhand.corpora.rng import chance, stream
from evenhand.records import canonical_json
from evenhand.workflows.demo_openings import COPIED, EMPTY, ENCRYPTED, OPENINGS, PICTURE, PORTAL, TRUNCATED
from evenhand.workflows.demo_plan import SEED, Broken, Plan, Resume
from evenhand.workflows.ingesting import NamedFile
from evenhand.workflows.order import in_order
from evenhand.workflows.watching import Watch

TASK = 16  # resumes that a process makes at once
FEW = 60  # are made here: other processes would take longer to start


@dataclass(frozen=True, slots=True)
class Letter:
    """A file that came: where it lies, its name as it was sent, and what the applicant typed in besides."""

    path: Path
    name: str
    form: dict[str, str] = field(default_factory=dict)

    def sent(self, source: str) -> NamedFile:
        return NamedFile(self.path, self.name, source=source)


def make_letters(plan: Plan, inbox: Path, *, workers: int, watch: Watch) -> dict[int, Letter]:
    """By resume. What an earlier run has made is not made again."""
    inbox.mkdir(mode=0o700, parents=True, exist_ok=True)
    missing = [resume for resume in plan.resumes if not _note(inbox, resume.number).exists()]
    tasks = [(inbox, missing[first : first + TASK]) for first in range(0, len(missing), TASK)]
    with watch("Writing resumes", len(missing)) as bar:
        for count in _made(tasks, workers if len(missing) > FEW else 1):
            for _ in range(count):
                bar.advance()
    return {resume.number: _read_letter(inbox, resume.number) for resume in plan.resumes}


Task = tuple[Path, Sequence[Resume]]


def _made(tasks: Sequence[Task], workers: int) -> Iterator[int]:
    if workers == 1:
        yield from map(put_letters, tasks)
        return
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from in_order(lambda task: pool.submit(put_letters, task).result(), tasks, threads=workers)


def put_letters(task: Task) -> int:
    """How many were written."""
    inbox, resumes = task
    for resume in resumes:
        made = _make(resume)
        file = made.files[0]
        kept = f"{resume.number:05d}.{file.format}"
        _put(inbox / kept, file.data)
        form = _form(resume, made.career) if resume.source == PORTAL else {}
        note = {"file": kept, "name": f"{_name(resume, made.career.person)}.{file.format}", "form": form}
        # Last: a resume that has its note is whole.
        _put(_note(inbox, resume.number), canonical_json(note).encode())
    return len(resumes)


def _make(resume: Resume) -> Made:
    made = make(resume.order, resume.person, resume.case)
    if resume.case is None or resume.case.kind != COPIED:
        return made
    written, _ = write_files(resume.order, _copying(resume.order, resume), None)
    return replace(made, files=written)


def _copying(order: Order, resume: Resume) -> Draft:
    """With the ad's own lines at the end, which please whoever counts words."""
    draft = draft_plain(order, resume.person)
    ad = OPENINGS[resume.opening].text()
    lines = [line.removeprefix("- ") for line in ad.splitlines() if line.startswith("- ")]
    section = Section("other", "Additional Information", (Line((Run(". ".join(lines)),)),))
    manuscript = replace(draft.manuscript, sections=(*draft.manuscript.sections, section))
    return replace(draft, manuscript=manuscript)


def _name(resume: Resume, person: Person) -> str:
    """What people call their files; the portal puts a number of its own before it."""
    rng = stream(SEED, resume.number, "demo name")
    words = [word for part in person.name.replace(",", " ").split() if (word := ascii_letters(part))]
    first, last = words[0].capitalize(), words[-1].capitalize()
    name: str = rng.choice(
        [
            f"{first}_{last}_Resume",
            f"{first}{last}CV",
            f"CV {first} {last}",
            f"{last}_{first}",
            f"resume-{first.lower()}-{last.lower()}",
            f"{first} {last} - Resume 2026",
        ]
    )
    return f"{48000 + resume.number} {name}" if resume.source == PORTAL else name


NOTICE = ("none", "two weeks", "one month", "one month", "two months", "three months")
REMARKS = (
    "",
    "",
    "",
    "I can start earlier if that helps.",
    "Please do not contact my present employer.",
    "I would like to work four days a week.",
    "I saw your stand at the fair in spring.",
)


def _form(resume: Resume, career: Career) -> dict[str, str]:
    """What the portal asks for; most fields may be left empty."""
    rng = stream(SEED, resume.number, "demo form")
    person = career.person
    typed = {"name": person.name, "email": person.email, "phone": person.phone}
    typed["notice_period"] = rng.choice(NOTICE)
    if career.jobs and chance(rng, 0.6):
        typed["current_employer"] = career.jobs[0].employer
    if chance(rng, 0.5):
        typed["expected_salary"] = f"{rng.randrange(38, 130)},000"
    typed["remarks"] = rng.choice(REMARKS)
    return {name: value for name, value in typed.items() if value}


def _note(inbox: Path, number: int) -> Path:
    return inbox / f"{number:05d}.json"


def _read_letter(inbox: Path, number: int) -> Letter:
    note = json.loads(_note(inbox, number).read_bytes())
    return Letter(inbox / note["file"], note["name"], note["form"])


def _put(path: Path, data: bytes) -> None:
    """All of it or nothing, should the program be stopped."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


BROKEN_NAMES = {
    ENCRYPTED: "application (confidential).pdf",
    TRUNCATED: "CV_final_v3.pdf",
    PICTURE: "IMG_20260914_101502.jpg",
    EMPTY: "my resume.docx",
}


def broken_letter(inbox: Path, broken: Broken) -> Letter:
    path = inbox / f"{broken.what}-{broken.opening}"
    _put(path, _broken(broken))
    return Letter(path, BROKEN_NAMES[broken.what])


def _broken(broken: Broken) -> bytes:
    if broken.what == EMPTY:
        return b""
    if broken.what == ENCRYPTED:
        return (files("evenhand") / "samples" / "password.pdf").read_bytes()
    rng = stream(SEED, broken.opening, f"demo {broken.what}")
    whole = make(Order(SEED, "mixed", ("pdf",)), rng.randrange(10**6, 10**7)).files[0].data
    return _pictured(whole, rng) if broken.what == PICTURE else whole[: len(whole) // 8]


def _pictured(pdf: bytes, rng: Random) -> bytes:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return photographed(document[0].render(scale=1.5, grayscale=True).to_pil(), rng)
    finally:
        document.close()
