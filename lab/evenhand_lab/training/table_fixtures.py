"""Tables as people put them into resumes, with their right answers: many wordings, orders and shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from evenhand.records.document import Document, Line, Table
from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import Career, CareerJob, CareerProject, CareerStudy, year_of
from evenhand_lab.corpora.kinds.kinds import sample_career
from evenhand_lab.corpora.lexicon import chance, some, stream, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import STYLES, degree_forms, write_duration, write_month
from evenhand_lab.training.examples import LABELS, LabelledSpan, MiningExample

FOLDS = 5
Value = TypeVar("Value")
Row = tuple[Words, ...]
Fact = tuple[str, Words]
"""Name of the wording of a label, and the value beside it."""
Column = tuple[str, list[Words]]
"""Name of the wording of a header, and the cells below it."""


@dataclass(frozen=True, slots=True)
class MadeTable:
    """`section` is the type of its lines; `is_grid` whether its rows are records."""

    section: str
    rows: tuple[Row, ...]
    is_grid: bool
    bold_header: bool = False


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
    style = weighted(rng, {name: about["weight"] for name, about in STYLES.items()})
    joint, present = rng.choice(STYLES[style]["joints"]), rng.choice(STYLES[style]["presents"])
    maker = Maker(rng, career, number % FOLDS, style, joint, present)
    tables = []
    for kinds in (EDUCATION, EMPLOYERS, PERSONAL, REST, REST):
        if chance(rng, 0.7):
            made = weighted(rng, kinds)(maker)
            if made is not None and sum(bool(cell) for row in made.rows for cell in row) > 1:
                tables.append(made)
    rng.shuffle(tables)
    return Fixture(example_of_tables(f"table fixture {number}", tables), tuple(tables))


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
                start = at
                for run in words:
                    if run.label is not None:
                        spans.append(LabelledSpan(start, start + len(run.text), LABELS[run.label]))
                    start += len(run.text)
                bold = table.bold_header and row == 0
                for part in whole.split("\n"):
                    place = (index, row, column)
                    lines.append(Line(at, at + len(part), 1, None, None, None, bold, False, None, None, place))
                    labels.append(f"{table.section}.body")
                    text.append(part + "\n")
                    at += len(part) + 1
                text[-1] = text[-1][:-1] + ("\t" if column + 1 < len(cells) else "\n")
    shapes = tuple(Table(1, len(table.rows), max(map(len, table.rows)), True) for table in tables)
    document = Document(None, "", "docx", 1, "parsed", "".join(text), (), tuple(lines), shapes, (), None)
    return MiningExample(id, document, tuple(labels), tuple(spans), True)


WORDINGS: Mapping[str, Sequence[str]] = lexicon.table("table_wordings.toml")
"""How people word the labels of their tables. Each list is dealt out to five folds: none of them sees another's."""
TRAITS = WORDINGS["traits"]


@dataclass(frozen=True, slots=True)
class Maker:
    """What the tables of one resume are written from; wordings are those of its fold, so that others never see them."""

    rng: Random
    career: Career
    fold: int
    dates: str
    joint: str
    present: str

    @property
    def skills(self) -> list[str]:
        jobs = self.career.jobs
        uses = [*self.career.extra_skills, *(use for job in jobs for use in job.uses)]
        uses += [use for project in self.projects for use in project.uses]
        return list(dict.fromkeys(use.skill for use in uses)) or list(TRAITS)

    @property
    def projects(self) -> list[CareerProject]:
        return [project for job in self.career.jobs for project in job.projects]

    def word(self, name: str) -> str:
        options = WORDINGS[name]
        return self.rng.choice(options[self.fold :: FOLDS] or options)

    def header(self, names: Sequence[str]) -> Row:
        case = self.rng.choice((str, str, str, str.upper, str.title, str.capitalize))
        return tuple(cell(case(self.word(name))) if name else () for name in names)

    def at_times(self, share: float, name: str, values: Callable[[], Value]) -> list[tuple[str, Value]]:
        """A column or fact that only so many tables have."""
        return [(name, values())] if chance(self.rng, share) else []

    def period(self, start: int, end: int | None) -> Words:
        last = self.present if end is None else write_month(end, self.dates, is_end=True)
        return cell(write_month(start, self.dates) + self.joint + last, "date")


def cell(text: str, label: str | None = None) -> Words:
    return (TextRun(text, label),)


def cells(texts: Iterable[str], label: str | None = None) -> list[Words]:
    return [cell(text, label) for text in texts]


def grid(maker: Maker, section: str, fields: Sequence[Column], *, fixed: bool = False) -> MadeTable:
    """In any order, with a header mostly, with a running number at times."""
    columns = list(fields)
    if not fixed:
        maker.rng.shuffle(columns)
    if chance(maker.rng, 0.12):
        count = len(columns[0][1])
        columns.insert(0, ("number", cells(f"{at + 1}{maker.rng.choice(('', '.'))}" for at in range(count))))
    rows: list[Row] = list(zip(*(column for _, column in columns), strict=True))
    if chance(maker.rng, 0.82) or columns[0][0] == "number" or len(rows) < 2:
        rows.insert(0, maker.header([name for name, _ in columns]))
    if chance(maker.rng, 0.06):
        rows.insert(0, (cell(maker.word(f"{section} heading")), *((),) * (len(columns) - 1)))
    return MadeTable(section, tuple(rows), True, chance(maker.rng, 0.5))


def keys(maker: Maker, section: str, facts: Sequence[Fact]) -> MadeTable:
    """Label and value: in two columns, with a column of colons, or two pairs beside each other."""
    rng = maker.rng
    colon = rng.choice(("", "", ":", " :"))
    case = rng.choice((str, str, str.upper, str.title))
    pairs = [(cell(case(maker.word(name)) + colon), value) for name, value in facts]
    form = weighted(rng, {"two": 6.0, "colons": 2.0, "pairs": 1.0, "before": 1.0})
    rows: list[Row] = list(pairs)
    if form == "colons":
        rows = [(cell(case(maker.word(name))), cell(":"), value) for name, value in facts]
    elif form == "before":
        rows = [(cell(case(maker.word(name))), (TextRun(": "), *value)) for name, value in facts]
    elif form == "pairs" and len(pairs) >= 4:
        half = (len(pairs) + 1) // 2
        right = [*pairs[half:], ((), ())][:half]
        rows = [(*first, *second) for first, second in zip(pairs[:half], right, strict=True)]
    return MadeTable(section, tuple(rows), False)


def without_braces(text: str) -> str:
    """Duties are templates: braces stand around their skills."""
    return text.replace("{", "").replace("}", "")


def duty(job: CareerJob) -> str:
    duties = [duty for project in job.projects for duty in project.duties] + list(job.duties)
    return without_braces("; ".join(duties[:3])) or "daily business"


# Tables of studies: a row for each, labels and values for one, degree over school, and grades by course.


def education_grid(maker: Maker) -> MadeTable:
    rng, studies = maker.rng, _studies(maker)
    joins_field = chance(rng, 0.5)
    form = rng.choice(("percent", "percent", "points", "class", "gpa"))
    years = rng.choice(("year", "year", "range", "month"))
    columns: list[Column] = [
        ("degree", [_degree_cell(maker, study, with_field=joins_field) for study in studies]),
        ("university", [_with_place(maker, cell(study.school, "university"), study.city, 0.2) for study in studies]),
    ]
    columns += maker.at_times(0.88, "year", lambda: [_year(maker, study, years) for study in studies])
    columns += maker.at_times(0.75, "performance", lambda: [_result(rng, form) for _ in studies])
    if not joins_field and chance(rng, 0.75):
        fields = [cell(study.field, "field") if study.field else cell("-") for study in studies]
        columns.append(("specialization", fields))
    columns += maker.at_times(
        0.2, "university", lambda: cells((rng.choice(WORDINGS["boards"]) for _ in studies), "university")
    )
    columns += maker.at_times(0.12, "place", lambda: cells(study.city for study in studies))
    return grid(maker, "education", columns)


def education_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.studies:
        return None
    study = maker.career.studies[0]
    facts: list[Fact] = [
        ("degree", _degree_cell(maker, study, with_field=False)),
        ("university", cell(study.school, "university")),
        ("year", _year(maker, study, "year")),
    ]
    if study.field:
        facts.append(("specialization", cell(study.field, "field")))
    facts += maker.at_times(0.6, "performance", lambda: _result(maker.rng, "percent"))
    return keys(maker, "education", facts)


def education_stack(maker: Maker) -> MadeTable:
    """Degree over school, with the year beside: one record takes two rows."""
    rows: list[Row] = []
    for study in _studies(maker):
        rows.append((_degree_cell(maker, study, with_field=True), ()))
        school = _with_place(maker, cell(study.school, "university"), study.city, 0.2)
        rows.append((school, _year(maker, study, "range")))
    return MadeTable("education", tuple(rows), False)


def transcript(maker: Maker) -> MadeTable:
    rng = maker.rng
    courses = some(rng, WORDINGS["courses"], 4, 12)
    grades = cells((rng.choice(("A", "A-", "B+", "B", "A+", "C")) for _ in courses), "performance")
    credits = cells(str(rng.randint(1, 6)) for _ in courses)
    columns = [("course", cells(courses)), ("performance", grades), ("credits", credits)]
    return grid(maker, "education", columns, fixed=True)


def _studies(maker: Maker) -> list[CareerStudy]:
    return list(maker.career.studies) if chance(maker.rng, 0.8) else list(reversed(maker.career.studies))


def _degree_cell(maker: Maker, study: CareerStudy, *, with_field: bool) -> Words:
    short = degree_forms(study.degree)
    degree = cell(maker.rng.choice(short) if short and chance(maker.rng, 0.6) else study.degree, "degree")
    if not with_field or not study.field or study.field in study.degree:
        return degree
    before, behind = maker.rng.choice(((" in ", ""), (" (", ")"), (" - ", ""), (", ", "")))
    return (*degree, TextRun(before), TextRun(study.field, "field"), TextRun(behind))


def _with_place(maker: Maker, name: Words, city: str | None, share: float) -> Words:
    """At times the city stands behind the name."""
    return (*name, TextRun(", "), TextRun(city, "location")) if city and chance(maker.rng, share) else name


def _year(maker: Maker, study: CareerStudy, form: str) -> Words:
    end = study.period.last(maker.career.as_of)
    text = str(year_of(end))
    if form == "range":
        text = f"{year_of(study.period.start)}{maker.joint}{text}"
    elif form == "month":
        text = write_month(end, "mon_year" if maker.dates == "yyyy" else maker.dates)
    return cell(text, "year")


def _result(rng: Random, form: str) -> Words:
    percent = rng.uniform(50, 96)
    match form:
        case "percent":
            text = f"{percent:.{rng.choice((0, 1, 2))}f}{rng.choice(('%', '%', ' %', ''))}"
            text = text if "." in text or "%" in text else text + "%"
        case "points":
            text = f"{percent / 10:.{rng.choice((1, 2))}f}{rng.choice(('', '/10', ' CGPA', ' GPA'))}"
        case "class":
            text = rng.choice(WORDINGS["result classes"])
        case _:
            text = f"{rng.uniform(2.6, 4):.2f}{rng.choice(('', '/4.0', '/4.00', ' GPA'))}"
    return cell(text, "performance")


# Tables of employers, and those of projects, which look much the same.


def employer_grid(maker: Maker) -> MadeTable | None:
    rng, jobs = maker.rng, maker.career.jobs[: maker.rng.randint(1, 8)]
    if not jobs:
        return None
    columns: list[Column] = [
        ("employer", [_with_place(maker, cell(job.employer, "employer"), job.city, 0.15) for job in jobs])
    ]
    columns += maker.at_times(0.88, "designation", lambda: cells((job.title for job in jobs), "title"))
    columns += _times(maker, jobs)
    columns += maker.at_times(0.15, "place", lambda: cells(job.city for job in jobs))
    columns += maker.at_times(0.1, "duties", lambda: cells(map(duty, jobs)))
    if chance(rng, 0.06):
        reasons = ("Better prospects", "End of contract", "Growth")
        columns.append(("leaving", cells(rng.choice(reasons) for _ in jobs)))
    return grid(maker, "experience", columns)


def _times(maker: Maker, jobs: Sequence[CareerJob]) -> list[Column]:
    form = weighted(maker.rng, {"period": 6.0, "split": 2.5, "length": 1.0, "both": 0.8})
    spans = [job.period for job in jobs]
    lengths = cells((write_duration(span.months(maker.career.as_of), "months") for span in spans), "duration")
    if form == "split":
        ends = (maker.present if span.end is None else write_month(span.end, maker.dates) for span in spans)
        starts = (write_month(span.start, maker.dates) for span in spans)
        return [("from", cells(starts, "date")), ("to", cells(ends, "date"))]
    periods = [maker.period(span.start, span.end) for span in spans]
    return [("period", periods)] * (form != "length") + [("length", lengths)] * (form != "period")


def employer_keys(maker: Maker) -> MadeTable | None:
    if not maker.career.jobs:
        return None
    job = maker.rng.choice(maker.career.jobs)
    facts: list[Fact] = [
        ("employer", _with_place(maker, cell(job.employer, "employer"), job.city, 0.15)),
        ("designation", cell(job.title, "title")),
        ("period", maker.period(job.period.start, job.period.end)),
    ]
    maker.rng.shuffle(facts)
    facts += maker.at_times(0.4, "duties", lambda: cell(duty(job)))
    facts += maker.at_times(
        0.25, "technologies", lambda: cell(", ".join(use.skill for use in job.uses[:6]) or "various")
    )
    return keys(maker, "experience", facts)


def project_keys(maker: Maker) -> MadeTable | None:
    if not maker.projects:
        return skill_groups(maker)
    rng, project = maker.rng, maker.rng.choice(maker.projects)
    facts: list[Fact] = [("project", cell(project.name, "project"))]
    if project.client:
        facts.append(("client", cell(project.client, "client")))
    facts.append(("period", maker.period(project.period.start, project.period.end)))
    role = project.role or rng.choice(("Developer", "Team Member", "Tester"))
    facts.append(("designation", cell(role, "title")))
    if project.team:
        facts.append(("team", cell(str(project.team))))
    facts.append(("technologies", cell(", ".join(use.skill for use in project.uses[:8]))))
    facts += maker.at_times(0.5, "duties", lambda: cell(without_braces("; ".join(project.duties[:4]))))
    return keys(maker, rng.choice(("projects", "experience")), facts)


def project_grid(maker: Maker) -> MadeTable | None:
    projects = maker.projects[:6]
    if len(projects) < 2:
        return skill_matrix(maker)
    columns: list[Column] = [
        ("project", cells((project.name for project in projects), "project")),
        ("client", [cell(project.client, "client") if project.client else cell("-") for project in projects]),
        ("designation", cells(project.role or "Team Member" for project in projects)),
        ("period", [maker.period(project.period.start, project.period.end) for project in projects]),
    ]
    return grid(maker, "projects", columns[: maker.rng.randint(2, 4)])


# Tables about a person, and of those who would speak for them.


def personal_keys(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    born = maker.career.as_of - rng.randint(21 * 12, 60 * 12)
    birth = f"{rng.randint(1, 28):02d}{rng.choice('-/.')}{born % 12 + 1:02d}{rng.choice('-/.')}{year_of(born)}"
    options: list[Fact] = [
        ("name", cell(person.name, "name")),
        ("birth", cell(birth)),
        ("gender", cell(rng.choice(("Male", "Female")))),
        ("nationality", cell(rng.choice(("Indian", "British", "German", "American", person.country)))),
        ("marital", cell(rng.choice(("Single", "Married", "Unmarried")))),
        ("languages", cell(", ".join(name for name, _ in maker.career.languages) or "English")),
        ("address", cell(f"{rng.randint(1, 99)}, {person.street or 'Main Road'}, {person.city}")),
        ("phone", cell(person.phone)),
        ("email", cell(person.email)),
        ("parent", cell(person.name.split()[-1], "name")),
        ("passport", cell(f"{rng.choice('ABKLMZ')}{rng.randint(1000000, 9999999)}")),
        ("hobbies", cell(", ".join(some(rng, WORDINGS["pastimes"], 1, 4)))),
        ("place", cell(person.city)),
    ]
    return keys(maker, "personal", some(rng, options, 2, 9))


def personal_line(maker: Maker) -> MadeTable:
    """Contact data side by side, as at the head of a page."""
    person = maker.career.person
    data = cells(some(maker.rng, [person.phone, person.email, person.city, person.name, *person.links[:1]], 2, 4))
    return MadeTable("personal", (tuple(data),) if chance(maker.rng, 0.6) else tuple((one,) for one in data), False)


def references(maker: Maker) -> MadeTable:
    rng, person = maker.rng, maker.career.person
    rows: list[Row] = []
    for job in maker.career.jobs[:3]:
        name = (TextRun(rng.choice(("Mr. ", "Ms. ", "Dr. "))), TextRun(person.name.split()[-1], "name"))
        rows.append((name, *cells((job.title, job.employer, person.phone))))
    rows.insert(0, maker.header(("name", "designation", "employer", "phone")))
    return MadeTable("other", tuple(rows), True)


# Tables of skills, languages, certificates and prizes, and the frames that hold a page in two columns.


def skill_groups(maker: Maker) -> MadeTable:
    rng = maker.rng
    groups = some(rng, WORDINGS["skill groups"][maker.fold :: FOLDS], 2, 7)
    colon = rng.choice(("", "", ":"))
    rows = [(cell(group + colon), cell(", ".join(some(rng, maker.skills, 1, 6)))) for group in groups]
    return MadeTable("skills", tuple(rows), False)


def skill_matrix(maker: Maker) -> MadeTable:
    items = some(maker.rng, maker.skills if chance(maker.rng, 0.6) else list(TRAITS), 4, 15)
    width = maker.rng.choice((2, 3, 4))
    items = items[: max(width * 2, len(items) // width * width)]
    rows = [items[at : at + width] for at in range(0, len(items), width)]
    return MadeTable("skills", tuple(tuple(cells((*row, *[""] * (width - len(row))))) for row in rows), False)


def one_column(maker: Maker) -> MadeTable:
    """Boxes below each other: skills, links, sentences."""
    rng, career = maker.rng, maker.career
    items = {
        "skills": [*some(rng, maker.skills, 2, 6)],
        "projects": [f"www.{skill.lower().replace(' ', '')}.example.com" for skill in some(rng, maker.skills, 2, 4)],
        "other": [f"{name} ({level})" for name, level in career.languages] or [*some(rng, TRAITS, 2, 4)],
        "profile": [maker.word("duties"), *map(duty, career.jobs[:2])],
    }
    section = rng.choice(list(items))
    texts = items[section]
    if chance(rng, 0.3) and section != "profile":
        texts.insert(0, maker.word("skills heading"))
    return MadeTable(section, tuple((one,) for one in cells(texts)), False)


def skill_lengths(maker: Maker) -> MadeTable:
    rng, skills = maker.rng, some(maker.rng, maker.skills, 3, 10)
    lengths = cells(f"{rng.randint(1, 15)}{rng.choice(('+ yrs', ' years', ' yrs', '+ years'))}" for _ in skills)
    return grid(maker, "skills", [("skill", cells(skills)), ("experience", lengths)], fixed=True)


def language_grid(maker: Maker) -> MadeTable:
    rng = maker.rng
    names = [name for name, _ in maker.career.languages] or ["English"]
    names += [name for name in ("English", "German", "Hindi", "Spanish") if name not in names]
    names = names[: rng.randint(2, 4)]
    levels = rng.choice((("Yes", "No"), ("Good", "Fluent", "Basic"), ("B2", "C1", "A2"), ("✓", "-")))
    columns = [("language", cells(names))]
    columns += [(skill, cells(rng.choice(levels) for _ in names)) for skill in ("read", "write", "speak")]
    return grid(maker, "skills", columns, fixed=True)


def certificates(maker: Maker) -> MadeTable | None:
    earned = maker.career.certificates
    if len(earned) < 2:
        return events(maker)
    columns = [
        ("certificate", cells((one.name for one in earned), "certification")),
        ("issuer", cells(one.issuer or "-" for one in earned)),
        ("year", cells(str(one.year or "-") for one in earned)),
    ]
    return grid(maker, "certifications", columns)


def events(maker: Maker) -> MadeTable:
    """Talks, prizes and courses with their years: much like jobs, but none."""
    rng = maker.rng
    count = rng.randint(3, 8)
    what = cells(f"{rng.choice(WORDINGS['feats'])}, {rng.choice(WORDINGS['occasions'])}" for _ in range(count))
    columns = [("year", cells(str(rng.randint(2005, 2025)) for _ in range(count))), ("event", what)]
    columns += maker.at_times(0.6, "place", lambda: cells([maker.career.person.city] * count))
    return grid(maker, "activities", columns, fixed=chance(rng, 0.6))


def layout(maker: Maker) -> MadeTable:
    """The page in two columns: a frame, not a table."""
    career, person = maker.career, maker.career.person
    side = [person.name, person.phone, person.email, "Skills", *some(maker.rng, maker.skills, 3, 8)]
    side += ["Languages", *(name for name, _ in career.languages)]
    main = ["Profile", f"{career.occupation} with many years of experience in the field.", "Experience"]
    for job in career.jobs[:3]:
        main += [f"{job.title}, {job.employer}", *[duty for project in job.projects for duty in project.duties][:5]]
    main += ["Education", *(f"{study.degree}, {study.school}" for study in career.studies)]
    sides = cells(("\n".join(side), without_braces("\n".join(main))))
    if chance(maker.rng, 0.3):
        sides.reverse()
    return MadeTable("profile", (tuple(sides),), False)


Kind = Callable[[Maker], MadeTable | None]
EDUCATION: dict[Kind, float] = {education_grid: 8.0, education_keys: 1.0, education_stack: 1.0, transcript: 0.5}
EMPLOYERS: dict[Kind, float] = {employer_grid: 6.0, employer_keys: 3.0}
PERSONAL: dict[Kind, float] = {personal_keys: 7.0, personal_line: 1.0}
REST: dict[Kind, float] = {
    skill_groups: 4.0,
    skill_matrix: 2.0,
    skill_lengths: 1.0,
    project_keys: 3.0,
    project_grid: 1.5,
    certificates: 1.0,
    events: 1.0,
    language_grid: 0.7,
    references: 0.7,
    layout: 1.5,
    one_column: 1.5,
}
