"""Tables as people put them into resumes, with their right answers: many wordings, orders and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.records.document import Document, Line, Table
from evenhand_lab.corpora.career import CareerJob, CareerProject, year_of
from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.lexicon import chance, some, stream, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import STYLES, write_duration, write_month
from evenhand_lab.training import table_contents as contents
from evenhand_lab.training.examples import LABELS, LabelledSpan, MiningExample
from evenhand_lab.training.table_contents import MadeTable, Maker, Row, grid, keys, plain

# Made tables as the document that a reader would give.


def example_of_tables(id: str, tables: Sequence[MadeTable]) -> MiningExample:
    """The document that a reader would give: a line per line of a cell, tabs between the cells of a row."""
    text: list[str] = []
    lines: list[Line] = []
    labels: list[str] = []
    spans: list[LabelledSpan] = []
    at = 0
    for index, table in enumerate(tables):
        for row, cells in enumerate(table.rows):
            for column, words in enumerate(cells):
                whole = "".join(run.text for run in words)
                if not whole:
                    continue
                spans += _spans(words, at)
                bold = table.bold_header and row == 0
                for part in whole.split("\n"):
                    place = (index, row, column)
                    lines.append(Line(at, at + len(part), 1, None, None, None, bold, False, None, None, place))
                    labels.append(f"{table.section}.body")
                    text.append(part + "\n")
                    at += len(part) + 1
                text[-1] = text[-1][:-1] + ("\t" if column + 1 < len(cells) else "\n")
    found = tuple(Table(1, len(table.rows), max(map(len, table.rows)), True) for table in tables)
    document = Document(None, "", "docx", 1, "parsed", "".join(text), (), tuple(lines), found, (), None)
    return MiningExample(id, document, tuple(labels), tuple(spans), True)


def _spans(words: Words, at: int) -> list[LabelledSpan]:
    spans = []
    for run in words:
        if run.label is not None:
            spans.append(LabelledSpan(at, at + len(run.text), LABELS[run.label]))
        at += len(run.text)
    return spans


# Tables of employers, and those of projects, which look much the same.


def employer_grid(maker: Maker) -> MadeTable | None:
    rng, jobs = maker.rng, maker.career.jobs[: maker.rng.randint(1, 8)]
    if not jobs:
        return None
    columns: list[tuple[str, list[Words]]] = [("employer", [_employer(maker, job) for job in jobs])]
    if chance(rng, 0.88):
        columns.append(("designation", [(TextRun(job.title, "title"),) for job in jobs]))
    columns += _times(maker, jobs)
    if chance(rng, 0.15):
        columns.append(("place", [plain(job.city) for job in jobs]))
    if chance(rng, 0.1):
        columns.append(("duties", [plain(contents.duty(job)) for job in jobs]))
    if chance(rng, 0.06):
        columns.append(
            ("leaving", [plain(rng.choice(("Better prospects", "End of contract", "Growth"))) for _ in jobs])
        )
    return grid(maker, "experience", columns)


def _employer(maker: Maker, job: CareerJob) -> Words:
    place: Words = (TextRun(", "), TextRun(job.city, "location")) if chance(maker.rng, 0.15) else ()
    return (TextRun(job.employer, "employer"), *place)


def _times(maker: Maker, jobs: Sequence[CareerJob]) -> list[tuple[str, list[Words]]]:
    rng, as_of = maker.rng, maker.career.as_of
    form = weighted(rng, {"period": 6.0, "split": 2.5, "length": 1.0, "both": 0.8})
    lengths: list[Words] = [(TextRun(write_duration(job.period.months(as_of), "months"), "duration"),) for job in jobs]
    periods: list[Words] = [maker.period(job.period.start, job.period.end) for job in jobs]
    if form == "split":
        ends: list[Words] = [
            (TextRun(maker.present if job.period.end is None else write_month(job.period.end, maker.dates), "date"),)
            for job in jobs
        ]
        starts: list[Words] = [(TextRun(write_month(job.period.start, maker.dates), "date"),) for job in jobs]
        return [("from", starts), ("to", ends)]
    if form == "length":
        return [("length", lengths)]
    return [("period", periods), *([("length", lengths)] if form == "both" else [])]


def employer_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.jobs:
        return None
    job = maker.rng.choice(maker.career.jobs)
    facts: list[tuple[str, Words]] = [
        ("employer", _employer(maker, job)),
        ("designation", (TextRun(job.title, "title"),)),
        ("period", maker.period(job.period.start, job.period.end)),
    ]
    maker.rng.shuffle(facts)
    if chance(maker.rng, 0.4):
        facts.append(("duties", plain(contents.duty(job))))
    if chance(maker.rng, 0.25):
        facts.append(("technologies", plain(", ".join(use.skill for use in job.uses[:6]) or "various")))
    return keys(maker, "experience", facts)


def _projects(maker: Maker) -> list[CareerProject]:
    return [project for job in maker.career.jobs for project in job.projects]


def project_keys(maker: Maker) -> MadeTable | None:
    projects = _projects(maker)
    if not projects:
        return contents.skill_groups(maker)
    rng, project = maker.rng, maker.rng.choice(projects)
    facts: list[tuple[str, Words]] = [("project", (TextRun(project.name, "project"),))]
    if project.client:
        facts.append(("client", (TextRun(project.client, "client"),)))
    facts.append(("period", maker.period(project.period.start, project.period.end)))
    facts.append(
        ("designation", (TextRun(project.role or rng.choice(("Developer", "Team Member", "Tester")), "title"),))
    )
    if project.team:
        facts.append(("team", plain(str(project.team))))
    facts.append(("technologies", plain(", ".join(use.skill for use in project.uses[:8]))))
    if chance(rng, 0.5):
        facts.append(("duties", plain("; ".join(project.duties[:4]).replace("{", "").replace("}", ""))))
    return keys(maker, rng.choice(("projects", "experience")), facts)


def project_grid(maker: Maker) -> MadeTable | None:
    projects = _projects(maker)[:6]
    if len(projects) < 2:
        return contents.skill_matrix(maker)
    columns: list[tuple[str, list[Words]]] = [
        ("project", [(TextRun(project.name, "project"),) for project in projects]),
        ("client", [(TextRun(project.client, "client"),) if project.client else plain("-") for project in projects]),
        ("designation", [plain(project.role or "Team Member") for project in projects]),
        ("period", [maker.period(project.period.start, project.period.end) for project in projects]),
    ]
    return grid(maker, "projects", columns[: maker.rng.randint(2, 4)])


# Tables about a person, and of those who would speak for them.


def personal_keys(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    born = maker.career.as_of - rng.randint(21 * 12, 60 * 12)
    options: list[tuple[str, Words]] = [
        ("name", (TextRun(person.name, "name"),)),
        (
            "birth",
            plain(f"{rng.randint(1, 28):02d}{rng.choice('-/.')}{born % 12 + 1:02d}{rng.choice('-/.')}{year_of(born)}"),
        ),
        ("gender", plain(rng.choice(("Male", "Female")))),
        ("nationality", plain(rng.choice(("Indian", "British", "German", "American", person.country)))),
        ("marital", plain(rng.choice(("Single", "Married", "Unmarried")))),
        ("languages", plain(", ".join(name for name, _ in maker.career.languages) or "English")),
        ("address", plain(f"{rng.randint(1, 99)}, {person.street or 'Main Road'}, {person.city}")),
        ("phone", plain(person.phone)),
        ("email", plain(person.email)),
        ("parent", (TextRun(person.name.split()[-1], "name"),)),
        ("passport", plain(f"{rng.choice('ABKLMZ')}{rng.randint(1000000, 9999999)}")),
        ("hobbies", plain(", ".join(some(rng, contents.PASTIMES, 1, 4)))),
        ("place", plain(person.city)),
    ]
    return keys(maker, "personal", some(rng, options, 2, 9))


def personal_line(maker: Maker) -> MadeTable:
    """Contact data side by side, as at the head of a page."""
    person = maker.career.person
    cells = some(maker.rng, [person.phone, person.email, person.city, person.name, *person.links[:1]], 2, 4)
    rows = (tuple(map(plain, cells)),) if chance(maker.rng, 0.6) else tuple((plain(cell),) for cell in cells)
    return MadeTable("personal", rows, False)


def references(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    rows: list[Row] = []
    for job in maker.career.jobs[:3]:
        name = (TextRun(rng.choice(("Mr. ", "Ms. ", "Dr. "))), TextRun(person.name.split()[-1], "name"))
        rows.append((name, plain(job.title), plain(job.employer), plain(person.phone)))
    rows.insert(0, maker.header(("name", "designation", "employer", "phone")))
    return MadeTable("other", tuple(rows), True)


Kind = Callable[[Maker], MadeTable | None]
_EDUCATION: dict[Kind, float] = {
    contents.education_grid: 8.0,
    contents.education_keys: 1.0,
    contents.education_stack: 1.0,
    contents.transcript: 0.5,
}
_EMPLOYERS: dict[Kind, float] = {employer_grid: 6.0, employer_keys: 3.0}
_PERSONAL: dict[Kind, float] = {personal_keys: 7.0, personal_line: 1.0}
_REST: dict[Kind, float] = {
    contents.skill_groups: 4.0,
    contents.skill_matrix: 2.0,
    contents.skill_lengths: 1.0,
    project_keys: 3.0,
    project_grid: 1.5,
    contents.certificates: 1.0,
    contents.events: 1.0,
    contents.language_grid: 0.7,
    references: 0.7,
    contents.layout: 1.5,
    contents.one_column: 1.5,
}


@dataclass(frozen=True, slots=True)
class Fixture:
    example: MiningExample
    tables: tuple[MadeTable, ...]  # as the document's


def make_fixture(seed: int, number: int) -> Fixture:
    """A document of a few tables.

    Resumes whose numbers differ in number % FOLDS share no wording of a label, as far as there are FOLDS of them.
    """
    rng = stream(seed, number, "tables")
    career, _ = sample_career(rng.choice(("it", "it", "mixed")), seed=seed, number=number)
    style = weighted(rng, {name: weight for name, (weight, _, _) in STYLES.items()})
    _, joints, presents = STYLES[style]
    maker = Maker(rng, career, number % contents.FOLDS, style, rng.choice(joints), rng.choice(presents))
    tables = []
    for kinds in (_EDUCATION, _EMPLOYERS, _PERSONAL, _REST, _REST):
        if chance(rng, 0.7):
            made = weighted(rng, kinds)(maker)
            if made is not None and sum(bool(cell) for row in made.rows for cell in row) > 1:
                tables.append(made)
    rng.shuffle(tables)
    return Fixture(example_of_tables(f"table fixture {number}", tables), tuple(tables))
