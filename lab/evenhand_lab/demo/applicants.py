"""The files of the demo's applicants: resumes as people send them, their names, forms, and what nobody can read."""

from __future__ import annotations

import json
import os
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path

import pypdfium2

from evenhand.errors import UsageError
from evenhand.progress import Progress
from evenhand.records import canonical_json
from evenhand.screening.ingest import NamedFile
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, iso
from evenhand_lab.corpora.career import Person as CareerPerson
from evenhand_lab.corpora.files.scans import photographed
from evenhand_lab.corpora.generate import CorpusRequest, ResumeBundle, draft_plain, in_processes, make, write_files
from evenhand_lab.corpora.kinds.kinds import AS_OF, drawn_occupation
from evenhand_lab.corpora.lexicon import chance, frozen, stream, weighted
from evenhand_lab.corpora.manuscript import ManuscriptLine, ManuscriptSection, TextRun, to_plain
from evenhand_lab.corpora.occupations import occupations
from evenhand_lab.corpora.people import ascii_letters
from evenhand_lab.corpora.planting import PlantedCase

# The jobs of the demo: which ads, who is drawn to them, and what is planted among their applicants.

PORTAL = "Career portal"
COPIED = "copied"  # besides the cases of a corpus: the job's own text in plain sight
ENCRYPTED, TRUNCATED, PICTURE, EMPTY = ("encrypted", "truncated", "picture", "empty")  # files that nobody can read

Trade = tuple[str, str]
"""A kind of careers, and the lexicon of an occupation within it."""


@dataclass(frozen=True, slots=True)
class DemoJob:
    """A job: its ad, whose trade it is, who else tries, and by which ways they come, with weights."""

    ad: str
    trade: Trade
    near: tuple[Trade, ...]
    sources: Mapping[str, float]
    dropped: tuple[str, ...] = ()  # demands that whoever added the job took out: a word of the title is no skill

    def text(self) -> str:
        return (files("evenhand") / "sample_jobs" / f"{self.ad}.txt").read_text(encoding="utf-8")


TABLE = lexicon.table("demo.toml")
OPENINGS = tuple(DemoJob(**{name: frozen(value) for name, value in row.items()}) for row in TABLE["openings"])


@dataclass(frozen=True, slots=True)
class DemoSize:
    """How many of each sort apply for an opening; by opening, what is planted among those of its trade."""

    trade: int
    near: int
    others: int
    doubles: int  # at most, of each sort of people who apply for one opening and then for another
    planted: tuple[tuple[str, ...], ...]
    broken: tuple[tuple[str, ...], ...]


SIZES = {size: DemoSize(**{name: frozen(value) for name, value in row.items()}) for size, row in TABLE["sizes"].items()}


# Who applies for which job of the demo, how, and with what in the resume: one plan, the same everywhere.


SEED = 20261
MONTH = iso(AS_OF)  # what "present" means in all of its resumes
FORMATS = ("pdf",) * 11 + ("docx",) * 5 + ("odt", "rtf", "html", "txt")  # about as often as people send them
TRIED = 12  # people among whom the one with the shortest resume is sought

Person = tuple[Trade, int, PlantedCase | None]
"""A trade, the number of a career in it, and what is planted in the resume."""


@dataclass(frozen=True, slots=True)
class DemoResume:
    """One file to be made. `person` is the number of the career within its kind."""

    number: int
    opening: int  # for which it came first
    source: str
    trade: Trade
    person: int
    case: PlantedCase | None = None

    @property
    def order(self) -> CorpusRequest:
        return order_of(self.trade)


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that cannot be read, and in which way."""

    what: str
    opening: int


@dataclass(frozen=True, slots=True)
class DemoPlan:
    openings: tuple[DemoJob, ...]
    resumes: tuple[DemoResume, ...]
    doubles: tuple[tuple[int, int], ...]  # a resume, and the other opening for which it comes too
    broken: tuple[Broken, ...]

    def arrivals(self, opening: int) -> list[tuple[int, str]]:
        """Resumes and their sources, in the order in which they come in."""
        first = [(resume.number, resume.source) for resume in self.resumes if resume.opening == opening]
        return [*first, *((number, PORTAL) for number, other in self.doubles if other == opening)]


def make_plan(size: str) -> DemoPlan:
    if size not in SIZES:
        raise UsageError(f"There is no demo of the size {size!r}; there are {', '.join(SIZES)}.")
    wanted = SIZES[size]
    openings = OPENINGS[: len(wanted.planted)]
    crowd = Crowd()
    resumes: list[DemoResume] = []
    for opening, of in enumerate(openings):
        people: list[Person] = [
            *_insiders(crowd, of.trade, wanted.trade, wanted.planted[opening]),
            *((trade, crowd.take(trade), None) for trade in islice(cycle(of.near), wanted.near)),
            *((trade, crowd.take(trade), None) for trade in _other_trades(opening, of, wanted.others)),
        ]
        stream(SEED, opening, "demo arrivals").shuffle(people)
        resumes += [
            DemoResume(number, opening, weighted(stream(SEED, number, "demo source"), of.sources), *person)
            for number, person in enumerate(people, len(resumes))
        ]
    doubles = _doubles(openings, resumes, wanted.doubles)
    # On the portal both times: the same file with the same form comes from the same candidate.
    resumes = [replace(resume, source=PORTAL) if resume.number in doubles else resume for resume in resumes]
    broken = tuple(Broken(what, opening) for opening, ways in enumerate(wanted.broken) for what in ways)
    return DemoPlan(openings, tuple(resumes), tuple(doubles.items()), broken)


def order_of(trade: Trade) -> CorpusRequest:
    return CorpusRequest(SEED, trade[0], FORMATS, as_of=AS_OF)


class Crowd:
    """People by their trade; nobody is taken twice."""

    def __init__(self) -> None:
        self._met: dict[str, int] = defaultdict(int)
        self._waiting: dict[Trade, deque[int]] = defaultdict(deque)

    def take(self, trade: Trade) -> int:
        kind, _ = trade
        while not self._waiting[trade]:
            number = self._met[kind]
            self._met[kind] += 1
            self._waiting[kind, drawn_occupation(kind, seed=SEED, number=number)].append(number)
        return self._waiting[trade].popleft()


def _insiders(crowd: Crowd, trade: Trade, count: int, planted: tuple[str, ...]) -> Iterator[Person]:
    """People of the trade. The last ones are those whose resumes come again under another name."""
    people = [crowd.take(trade) for _ in range(count)]

    def words(person: int) -> int:
        return len(to_plain(draft_plain(order_of(trade), person).manuscript).text.split())

    if "scans" in planted:  # letters are recognised page by page: a short resume takes a moment only
        shortest = min(people[:TRIED], key=words)
        people.remove(shortest)
        people.insert(planted.index("scans"), shortest)
    originals = reversed(people)
    for person, kind in zip(people, planted, strict=False):
        yield trade, person, PlantedCase(person, kind, next(originals) if kind == "duplicates" else None)
    yield from ((trade, person, None) for person in people[len(planted) :])


def _other_trades(opening: int, of: DemoJob, count: int) -> Iterator[Trade]:
    names = [name for name in occupations() if ("mixed", name) not in (of.trade, *of.near)]
    rng = stream(SEED, opening, "demo strangers")
    yield from (("mixed", rng.choice(names)) for _ in range(count))


def _doubles(openings: Sequence[DemoJob], resumes: Sequence[DemoResume], most: int) -> dict[int, int]:
    """By resume, the other opening its sender applies for."""
    place = {of.ad: number for number, of in enumerate(openings)}
    doubles: dict[int, int] = {}
    for trade, first, other in frozen(TABLE["doubles"]):
        if first in place and other in place:
            wanted = (place[first], trade, None)
            fitting = (resume.number for resume in resumes if (resume.opening, resume.trade, resume.case) == wanted)
            doubles |= dict.fromkeys(islice(fitting, most), place[other])
    return doubles


TASK = 16  # resumes that a process makes at once
SMALL_BATCH = 60  # are made here: other processes would take longer to start


@dataclass(frozen=True, slots=True)
class DemoFile:
    """A file that came: where it lies, its name as it was sent, and what the applicant typed in besides."""

    path: Path
    name: str
    form: dict[str, str] = field(default_factory=dict)

    def sent(self, source: str) -> NamedFile:
        return NamedFile(self.path, self.name, source=source)


def make_letters(plan: DemoPlan, inbox: Path, *, workers: int, progress: Progress) -> dict[int, DemoFile]:
    """By resume. What an earlier run has made is not made again."""
    inbox.mkdir(mode=0o700, parents=True, exist_ok=True)
    missing = [resume for resume in plan.resumes if not _note(inbox, resume.number).exists()]
    tasks = [(inbox, missing[first : first + TASK]) for first in range(0, len(missing), TASK)]
    with progress("Writing resumes", len(missing)) as bar:
        for count in in_processes(put_letters, tasks, workers if len(missing) > SMALL_BATCH else 1):
            for _ in range(count):
                bar.advance()
    notes = {resume.number: json.loads(_note(inbox, resume.number).read_bytes()) for resume in plan.resumes}
    return {number: DemoFile(inbox / note["file"], note["name"], note["form"]) for number, note in notes.items()}


Task = tuple[Path, Sequence[DemoResume]]


def put_letters(task: Task) -> int:
    """How many were written."""
    inbox, resumes = task
    for resume in resumes:
        made = _make(resume)
        file = made.files[0]
        file_name = f"{resume.number:05d}.{file.format}"
        _put(inbox / file_name, file.data)
        form = _form(resume, made.career) if resume.source == PORTAL else {}
        note = {"file": file_name, "name": f"{_name(resume, made.career.person)}.{file.format}", "form": form}
        # Last: a resume that has its note is whole.
        _put(_note(inbox, resume.number), canonical_json(note).encode())
    return len(resumes)


def _make(resume: DemoResume) -> ResumeBundle:
    made = make(resume.order, resume.person, resume.case)
    if resume.case is None or resume.case.kind != COPIED:
        return made
    # With the ad's own lines at the end, which please whoever counts words.
    draft = draft_plain(resume.order, resume.person)
    ad = OPENINGS[resume.opening].text()
    lines = [line.removeprefix("- ") for line in ad.splitlines() if line.startswith("- ")]
    section = ManuscriptSection("other", "Additional Information", (ManuscriptLine((TextRun(". ".join(lines)),)),))
    manuscript = replace(draft.manuscript, sections=(*draft.manuscript.sections, section))
    written, _ = write_files(resume.order, replace(draft, manuscript=manuscript), None)
    return replace(made, files=written)


def _name(resume: DemoResume, person: CareerPerson) -> str:
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


def _form(resume: DemoResume, career: Career) -> dict[str, str]:
    """What the portal asks for; most fields may be left empty."""
    rng = stream(SEED, resume.number, "demo form")
    person = career.person
    typed = {"name": person.name, "email": person.email, "phone": person.phone}
    typed["notice_period"] = rng.choice(TABLE["notice"])
    if career.jobs and chance(rng, 0.6):
        typed["current_employer"] = career.jobs[0].employer
    if chance(rng, 0.5):
        typed["expected_salary"] = f"{rng.randrange(38, 130)},000"
    typed["remarks"] = rng.choice(TABLE["remarks"])
    return {name: value for name, value in typed.items() if value}


def _note(inbox: Path, number: int) -> Path:
    return inbox / f"{number:05d}.json"


def _put(path: Path, data: bytes) -> None:
    """All of it or nothing, should the program be stopped."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def broken_letter(inbox: Path, broken: Broken) -> DemoFile:
    path = inbox / f"{broken.what}-{broken.opening}"
    _put(path, _broken(broken))
    return DemoFile(path, TABLE["broken"][broken.what])


def _broken(broken: Broken) -> bytes:
    if broken.what == EMPTY:
        return b""
    if broken.what == ENCRYPTED:
        return (files("evenhand") / "samples" / "password.pdf").read_bytes()
    rng = stream(SEED, broken.opening, f"demo {broken.what}")
    whole = make(CorpusRequest(SEED, "mixed", ("pdf",)), rng.randrange(10**6, 10**7)).files[0].data
    if broken.what != PICTURE:
        return whole[: len(whole) // 8]
    with closing(pypdfium2.PdfDocument(whole)) as document:
        return photographed(document[0].render(scale=1.5, grayscale=True).to_pil(), rng)
